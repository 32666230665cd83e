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
    /// Between which bounds the probability lies that a game ends that may have as many turns as it takes.
    pub ends: [f64; 2],
    /// How likely each number of turns is after which games are over, in order, impossible ones left out.
    pub lengths: Vec<(u32, f64)>,
    /// For each team, what it has earned at the end; `None` stands for no number. In order.
    pub rewards: Vec<Vec<Final<Option<f64>>>>,
    /// For each metric, its values at the end, numbers first, in order.
    pub metrics: Vec<Vec<Final<Option<Value>>>>,
}

/// What a free team decides on.
#[derive(Debug, Clone, Copy)]
pub enum Decisions<'d> {
    /// There is none.
    None,
    /// The same in a state whenever the game comes there: see [`Stationary`](super::Stationary).
    Always(&'d [u32]),
    /// For each turn something else: see [`Best`](super::Best).
    Turns(&'d [Vec<u32>]),
}

impl<'d> Decisions<'d> {
    /// Those of a turn.
    fn of(self, turn: u32) -> Option<&'d [u32]> {
        match self {
            Self::None => None,
            Self::Always(decisions) => Some(decisions),
            Self::Turns(decisions) => decisions.get(turn as usize).map(Vec::as_slice),
        }
    }
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
    /// If some team is, or the model is one of games of fewer turns.
    pub fn outcomes(&self, horizon: u32) -> Result<Outcomes, Refusal> {
        self.outcomes_until(Decisions::None, horizon, 0.0, &mut |_, _| {})
    }

    /// How games end that have at most `horizon` turns, or fewer: no more than it takes until the probability that a game still goes on is at
    /// most `rest`. If a team is free, it decides as is said. `watch` hears after every turn how many there were, and how likely it is that the
    /// game goes on.
    ///
    /// # Errors
    /// If a team is free and no decisions are given, or the model is one of games of fewer turns.
    pub fn outcomes_until(
        &self,
        by: Decisions<'_>,
        horizon: u32,
        rest: f64,
        watch: &mut dyn FnMut(u32, f64),
    ) -> Result<Outcomes, Refusal> {
        if let (Some(team), Decisions::None) = (self.free_team(), by) {
            return Err(Refusal::Free { team: self.simulator.game().teams[team.index()].name.clone() });
        }
        self.check_horizon(horizon)?;
        let mut lengths = Vec::new();
        let mut ended = BTreeMap::new();
        let mut mass = Mass { active: vec![0], weights: vec![0.0; self.len()], next: vec![0.0; self.len()] };
        mass.weights[0] = 1.0;
        let mut turn = 0;
        let horizon = loop {
            let over = mass.settle(self, &mut ended);
            if over > 0.0 {
                lengths.push((turn, over));
            }
            if turn == horizon || mass.active.is_empty() {
                break horizon;
            }
            let going_on = mass.total();
            if going_on <= rest {
                break turn;
            }
            watch(turn, going_on);
            mass.forward(self, by.of(turn));
            turn += 1;
        };
        let cut = mass.active.iter().map(|&state| (state as usize, mass.weights[state as usize])).collect();
        Ok(self.summary(by, horizon, lengths, &ended, &cut))
    }

    /// Refuses games of more turns than the model was explored with, if that left anything out.
    pub(crate) fn check_horizon(&self, horizon: u32) -> Result<(), Refusal> {
        match self.turns {
            Some(limit) if horizon > limit && (0..self.len()).any(|state| self.is_cut(state)) => {
                Err(Refusal::Turns { limit })
            }
            _ => Ok(()),
        }
    }

    /// For each state whether the game can end from there. It may where that is not known.
    fn can_end(&self, by: Option<&[u32]>) -> Vec<bool> {
        let mut from: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        for state in 0..self.len() {
            for &(target, _) in self.decided(state, by).iter().flat_map(|arm| self.targets(*arm)) {
                from[target as usize].push(state as u32);
            }
        }
        let mut can: Vec<bool> = (0..self.len()).map(|state| self.arms(state).is_empty()).collect();
        let mut rest: Vec<usize> = (0..self.len()).filter(|&state| can[state]).collect();
        while let Some(state) = rest.pop() {
            for &before in &from[state] {
                if !std::mem::replace(&mut can[before as usize], true) {
                    rest.push(before as usize);
                }
            }
        }
        can
    }

    /// Bounds of the probability that a game ever ends, when it is in these states if it has not ended yet.
    fn ends(&self, by: Decisions<'_>, completed: f64, cut: &BTreeMap<usize, f64>) -> [f64; 2] {
        let by = match by {
            Decisions::None => None,
            Decisions::Always(decisions) => Some(decisions),
            // They say nothing of longer games.
            Decisions::Turns(_) => return [completed, if cut.is_empty() { completed } else { 1.0 }],
        };
        let can = self.can_end(by);
        // A finite chain that can end from everywhere does so with probability 1.
        if can.iter().all(|&can| can) && (0..self.len()).all(|state| !self.is_cut(state)) {
            return [1.0, 1.0];
        }
        let never: f64 = cut.iter().filter(|(state, _)| !can[**state]).map(|(_, weight)| weight).sum();
        [completed, (1.0 - never).max(completed)]
    }

    fn summary(
        &self,
        by: Decisions<'_>,
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
        let completed = ended.values().fold(0.0, |sum, weight| sum + weight);
        Outcomes {
            horizon,
            completed,
            truncated: cut.values().fold(0.0, |sum, weight| sum + weight),
            ends: self.ends(by, completed, cut),
            lengths,
            rewards: rewards.collect(),
            metrics: metrics.collect(),
        }
    }
}

/// In which states games are that are not over, and with which probability.
struct Mass {
    /// The states, in order.
    active: Vec<u32>,
    /// The probability of each state of the model.
    weights: Vec<f64>,
    /// Room for those of the next turn: all 0 between turns.
    next: Vec<f64>,
}

impl Mass {
    /// Moves what is in states where the game is over to `ended`; how much that is.
    fn settle(&mut self, model: &Model, ended: &mut BTreeMap<usize, f64>) -> f64 {
        let mut over = 0.0;
        let weights = &mut self.weights;
        self.active.retain(|&state| {
            let state = state as usize;
            if model.over[state] {
                let weight = std::mem::take(&mut weights[state]);
                over += weight;
                *ended.entry(state).or_insert(0.0) += weight;
            }
            weights[state] > 0.0
        });
        over
    }

    fn total(&self) -> f64 {
        self.active.iter().map(|&state| self.weights[state as usize]).sum()
    }

    /// Where a turn leads.
    fn forward(&mut self, model: &Model, by: Option<&[u32]>) {
        let mut reached = Vec::new();
        for &state in &self.active {
            let weight = std::mem::take(&mut self.weights[state as usize]);
            for &(target, share) in model.decided(state as usize, by).iter().flat_map(|arm| model.targets(*arm)) {
                let next = &mut self.next[target as usize];
                if *next == 0.0 {
                    reached.push(target);
                }
                *next += weight * share;
            }
        }
        // In order, so that sums are the same on every run; what is too little to be a number may have come twice.
        reached.sort_unstable();
        reached.dedup();
        self.active = reached;
        std::mem::swap(&mut self.weights, &mut self.next);
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
