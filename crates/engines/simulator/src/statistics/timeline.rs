//! How resources go over time: their values after every turn, over many games.

use goalspec_core::resource::board::SlotId;
use goalspec_core::resource::game::TeamId;
use goalspec_core::resource::turn::{Move, Turn};

use super::counts::Counts;
use crate::episode::{Episode, Watch};
use crate::simulator::Simulator;
use crate::state::State;

/// How many turns are recorded; what comes later is not.
pub const MAX_TURNS: usize = 2000;

/// How many values are told apart after each turn.
const DISTINCT: usize = 1 << 13;

/// The values of resources after every turn. A game that is over keeps its last values, so every game counts at every turn.
///
/// It watches games: [`Player::play_watched`](crate::episode::Player::play_watched). Values that are no finite numbers, and those after
/// [`MAX_TURNS`] turns, do not count; truth values count as 0 and 1.
#[derive(Debug, Clone)]
pub struct Timeline {
    slots: Vec<Track>,
}

/// The values of one resource.
#[derive(Debug, Clone)]
struct Track {
    slot: SlotId,
    /// By turn, 0 being the beginning: the values of the games that are not over by then.
    played: Vec<Counts>,
    /// By turn: the last values of the games that it was the last turn of.
    ended: Vec<Counts>,
    /// The value that the game in play has, if it counts, and after which turn.
    last: Option<(usize, f64)>,
}

/// The values of a resource after a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// After how many turns.
    pub turn: usize,
    /// The quantiles that were asked for; `None` if there are no values.
    pub quantiles: Vec<Option<f64>>,
}

impl Timeline {
    /// Nothing yet, of these resources.
    pub fn new(slots: impl IntoIterator<Item = SlotId>) -> Self {
        let track = |slot| Track { slot, played: Vec::new(), ended: Vec::new(), last: None };
        Self { slots: slots.into_iter().map(track).collect() }
    }

    /// Adds what others have seen of the same resources.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.slots.iter_mut().zip(&other.slots) {
            for (mine, theirs) in [(&mut mine.played, &theirs.played), (&mut mine.ended, &theirs.ended)] {
                for (turn, counts) in theirs.iter().enumerate() {
                    at(mine, turn).merge(counts);
                }
            }
        }
    }

    /// The quantiles of a resource by its place among those watched, turn by turn, up to the longest game.
    pub fn quantiles(&self, place: usize, shares: &[f64]) -> Vec<Moment> {
        let Some(track) = self.slots.get(place) else { return Vec::new() };
        let mut over = Counts::with_limit(DISTINCT);
        let moments = track.played.iter().enumerate().map(|(turn, played)| {
            let mut all = over.clone();
            all.merge(played);
            if let Some(ended) = track.ended.get(turn) {
                over.merge(ended);
            }
            Moment { turn, quantiles: all.quantiles(shares) }
        });
        moments.collect()
    }

    fn record(&mut self, simulator: &Simulator, state: &State) {
        let turn = state.turns() as usize;
        if turn > MAX_TURNS {
            return;
        }
        for track in &mut self.slots {
            let value = simulator.value(state, track.slot);
            let number = value.and_then(|value| value.real().or_else(|| value.as_truth().map(f64::from)));
            track.last = number.filter(|number| number.is_finite()).map(|number| (turn, number));
            let counts = at(&mut track.played, turn);
            if let Some((_, number)) = track.last {
                counts.add(number);
            }
        }
    }
}

/// The counts of a turn; those up to it are there from then on.
fn at(counts: &mut Vec<Counts>, turn: usize) -> &mut Counts {
    if counts.len() <= turn {
        counts.resize_with(turn + 1, || Counts::with_limit(DISTINCT));
    }
    &mut counts[turn]
}

impl Watch for Timeline {
    fn begins(&mut self, simulator: &Simulator, state: &State, _seed: u64, _index: u64) {
        self.record(simulator, state);
    }

    fn chosen(&mut self, _before: &State, _state: &State, _team: TeamId, _chosen: &Move) {}

    fn played(&mut self, simulator: &Simulator, state: &State, _turn: &Turn) {
        self.record(simulator, state);
    }

    fn ends(&mut self, _simulator: &Simulator, _episode: &Episode) {
        for track in &mut self.slots {
            if let Some((turn, number)) = track.last.take() {
                at(&mut track.ended, turn).add(number);
            }
        }
    }
}
