//! Timelines: distributions of resources after every turn, over many games.

use goalspec_resource::board::SlotId;
use goalspec_resource::game::TeamId;
use goalspec_resource::turn::{Move, TurnResult};

use crate::episode::{Episode, EpisodeObserver};
use crate::simulator::Simulator;
use crate::state::State;
use goalspec_statistics::counts::ValueCounts;

/// The maximum number of turns recorded.
pub const MAX_TURNS: usize = 2000;

/// The limit of the [`ValueCounts`] of a turn.
const DISTINCT: usize = 1 << 13;

/// The distributions of resources after every turn. A finished game keeps its last values, so every game counts at every turn.
///
/// A timeline observes games: see [`EpisodeRunner::play_observed`](crate::episode::EpisodeRunner::play_observed). Values other than finite
/// numbers and turns after [`MAX_TURNS`] are ignored; Booleans count as 0 and 1.
#[derive(Debug, Clone)]
pub struct Timeline {
    slots: Vec<ResourceSeries>,
}

/// The values of one resource.
#[derive(Debug, Clone)]
struct ResourceSeries {
    slot: SlotId,
    /// By turn, 0 being the initial state: the values of the games that reached it.
    played: Vec<ValueCounts>,
    /// By turn: the final values of the games that ended after it.
    ended: Vec<ValueCounts>,
    /// The last turn and the value of the game in progress; `None` if the value is ignored.
    last: Option<(usize, f64)>,
}

/// The quantiles of a resource after a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct TimelinePoint {
    /// The number of turns played.
    pub turn: usize,
    /// The requested quantiles; `None` if there are no values.
    pub quantiles: Vec<Option<f64>>,
}

impl Timeline {
    /// Creates an empty timeline of these resources.
    pub fn new(slots: impl IntoIterator<Item = SlotId>) -> Self {
        let track = |slot| ResourceSeries { slot, played: Vec::new(), ended: Vec::new(), last: None };
        Self { slots: slots.into_iter().map(track).collect() }
    }

    /// Adds the values of another timeline of the same resources.
    pub fn merge(&mut self, other: &Self) {
        for (own, others) in self.slots.iter_mut().zip(&other.slots) {
            for (own, others) in [(&mut own.played, &others.played), (&mut own.ended, &others.ended)] {
                for (turn, counts) in others.iter().enumerate() {
                    at(own, turn).merge(counts);
                }
            }
        }
    }

    /// Returns the quantiles of a resource, given by its index among the observed ones, for each turn up to the longest game.
    pub fn quantiles(&self, index: usize, shares: &[f64]) -> Vec<TimelinePoint> {
        let Some(track) = self.slots.get(index) else { return Vec::new() };
        let mut ended_values = ValueCounts::with_limit(DISTINCT);
        let points = track.played.iter().enumerate().map(|(turn, played)| {
            let mut all = ended_values.clone();
            all.merge(played);
            if let Some(ended) = track.ended.get(turn) {
                ended_values.merge(ended);
            }
            TimelinePoint { turn, quantiles: all.quantiles(shares) }
        });
        points.collect()
    }

    fn record(&mut self, simulator: &Simulator, state: &State) {
        let turn = state.turns() as usize;
        if turn > MAX_TURNS {
            return;
        }
        for track in &mut self.slots {
            let value = simulator.value(state, track.slot);
            let number = value.and_then(|value| value.as_f64().or_else(|| value.to_bool().map(f64::from)));
            track.last = number.filter(|number| number.is_finite()).map(|number| (turn, number));
            let counts = at(&mut track.played, turn);
            if let Some((_, number)) = track.last {
                counts.add(number);
            }
        }
    }
}

/// Returns the counts of a turn, extending the list if needed.
fn at(counts: &mut Vec<ValueCounts>, turn: usize) -> &mut ValueCounts {
    if counts.len() <= turn {
        counts.resize_with(turn + 1, || ValueCounts::with_limit(DISTINCT));
    }
    &mut counts[turn]
}

impl EpisodeObserver for Timeline {
    fn on_start(&mut self, simulator: &Simulator, state: &State, _seed: u64, _index: u64) {
        self.record(simulator, state);
    }

    fn on_move(&mut self, _before: &State, _state: &State, _team: TeamId, _chosen: &Move) {}

    fn on_turn(&mut self, simulator: &Simulator, state: &State, _turn: &TurnResult) {
        self.record(simulator, state);
    }

    fn on_end(&mut self, _simulator: &Simulator, _episode: &Episode) {
        for track in &mut self.slots {
            if let Some((turn, number)) = track.last.take() {
                at(&mut track.ended, turn).add(number);
            }
        }
    }
}
