//! How games end: the exact distributions of rewards, metrics and lengths.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use goalspec_core::resource::game::TeamId;
use goalspec_core::resource::value::Value;

use super::model::Model;
use super::refusal::Refusal;

/// How games end that have at most so many turns.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcomes {
    /// How many turns a game may have.
    pub horizon: u32,
    /// The probability that a game is over by then.
    pub completed: f64,
    /// The probability that it is not.
    pub truncated: f64,
    /// How likely each number of turns is after which games are over, in order, impossible ones left out.
    pub lengths: Vec<(u32, f64)>,
    /// For each team, what it has earned at the end; `None` stands for no number. In order.
    pub rewards: Vec<Vec<Final<Option<f64>>>>,
    /// For each metric, its values at the end, numbers first, in order.
    pub metrics: Vec<Vec<Final<Option<Value>>>>,
}

/// A value at the end of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Final<T> {
    /// The value.
    pub value: T,
    /// The probability that the game is over and this is the value.
    pub completed: f64,
    /// The probability that the game is cut off and this is the value.
    pub truncated: f64,
}

/// Mean and standard deviation of numbers with their weights; `None` where something has weight that is no number.
fn moments(rows: impl Iterator<Item = (Option<f64>, f64)>) -> Option<[f64; 2]> {
    let rows = rows.map(|(number, weight)| Some((number?, weight))).collect::<Option<Vec<_>>>()?;
    let total: f64 = rows.iter().map(|(_, weight)| weight).sum();
    let mean = rows.iter().map(|(number, weight)| number * weight).sum::<f64>() / total;
    let square: f64 = rows.iter().map(|(number, weight)| weight * (number - mean) * (number - mean)).sum();
    Some([mean, (square / total).sqrt()])
}

impl Outcomes {
    /// Mean and standard deviation of what a team has earned at the end, cut off or not; `None` where it may be no number.
    pub fn reward(&self, team: TeamId) -> Option<[f64; 2]> {
        moments(self.rewards[team.index()].iter().map(|row| (row.value, row.completed + row.truncated)))
    }

    /// Mean and standard deviation of a metric at the end, cut off or not; `None` where it may be no number.
    pub fn metric(&self, place: usize) -> Option<[f64; 2]> {
        let number = |value: &Option<Value>| value.as_ref().and_then(Value::real);
        moments(self.metrics[place].iter().map(|row| (number(&row.value), row.completed + row.truncated)))
    }

    /// Mean and standard deviation of the number of turns, those of games that are cut off included.
    pub fn turns(&self) -> Option<[f64; 2]> {
        let cut = (Some(f64::from(self.horizon)), self.truncated);
        moments(self.lengths.iter().map(|&(turns, weight)| (Some(f64::from(turns)), weight)).chain([cut]))
    }
}

impl Model {
    /// How games end that have at most `horizon` turns. No team may be free to play as it likes.
    ///
    /// # Errors
    /// If some team is.
    pub fn outcomes(&self, horizon: u32) -> Result<Outcomes, Refusal> {
        if let Some(team) = self.free_team() {
            return Err(Refusal::Free { team: self.simulator.game().teams[team.index()].name.clone() });
        }
        let mut lengths = Vec::new();
        let mut ended = BTreeMap::new();
        let mut mass = BTreeMap::from([(0, 1.0)]);
        let mut turn = 0;
        loop {
            let mut over = 0.0;
            mass.retain(|&state, weight| {
                if self.over[state] {
                    over += *weight;
                    *ended.entry(state).or_insert(0.0) += *weight;
                }
                !self.over[state]
            });
            if over > 0.0 {
                lengths.push((turn, over));
            }
            if turn == horizon || mass.is_empty() {
                break;
            }
            mass = self.forward(&mass);
            turn += 1;
        }
        Ok(self.summary(horizon, lengths, &ended, &mass))
    }

    /// Where a turn leads from states where no game is over.
    fn forward(&self, mass: &BTreeMap<usize, f64>) -> BTreeMap<usize, f64> {
        let mut next = BTreeMap::new();
        for (&state, weight) in mass {
            for &(target, share) in self.arms(state).iter().flat_map(|arm| self.targets(*arm)) {
                *next.entry(target as usize).or_insert(0.0) += weight * share;
            }
        }
        next
    }

    fn summary(
        &self,
        horizon: u32,
        lengths: Vec<(u32, f64)>,
        ended: &BTreeMap<usize, f64>,
        cut: &BTreeMap<usize, f64>,
    ) -> Outcomes {
        let game = self.simulator.game();
        let rewards = (0..game.teams.len()).map(|team| {
            let reward = |state| self.reward(state, team.into());
            finals(ended, cut, reward, |value| value.map(|number| (number, String::new())))
        });
        let metrics = game.metrics.iter().map(|metric| {
            let value = |state: usize| self.simulator.field(&self.states[state], &metric.field);
            finals(ended, cut, value, |value| {
                // Whole and real numbers of one size are different values.
                value.as_ref().map(|value| (value.real().unwrap_or(f64::NAN), format!("{value:?}")))
            })
        });
        Outcomes {
            horizon,
            completed: ended.values().sum(),
            truncated: cut.values().sum(),
            lengths,
            rewards: rewards.collect(),
            metrics: metrics.collect(),
        }
    }
}

/// What a value is ordered by: a number, and a text that tells values of that number apart.
type Rank = Option<(f64, String)>;

/// What values there are in states, put together by a number and a text that tell them apart.
fn finals<T>(
    ended: &BTreeMap<usize, f64>,
    cut: &BTreeMap<usize, f64>,
    value: impl Fn(usize) -> T,
    rank: impl Fn(&T) -> Rank,
) -> Vec<Final<T>> {
    let completed = ended.iter().map(|(&state, &weight)| (value(state), weight, 0.0));
    let truncated = cut.iter().map(|(&state, &weight)| (value(state), 0.0, weight));
    let mut rows: Vec<_> = completed.chain(truncated).map(|row| (rank(&row.0), row)).collect();
    rows.sort_by(|(one, _), (other, _)| order(one.as_ref(), other.as_ref()));
    let mut finals: Vec<(Rank, Final<T>)> = Vec::new();
    for (rank, (value, completed, truncated)) in rows {
        match finals.last_mut() {
            Some((last, row)) if order(last.as_ref(), rank.as_ref()) == Ordering::Equal => {
                row.completed += completed;
                row.truncated += truncated;
            }
            _ => finals.push((rank, Final { value, completed, truncated })),
        }
    }
    finals.into_iter().map(|(_, row)| row).collect()
}

/// Numbers first, what is missing last.
fn order(one: Option<&(f64, String)>, other: Option<&(f64, String)>) -> Ordering {
    match (one, other) {
        (Some((one, text)), Some((other, other_text))) => one.total_cmp(other).then_with(|| text.cmp(other_text)),
        (one, other) => one.is_none().cmp(&other.is_none()),
    }
}
