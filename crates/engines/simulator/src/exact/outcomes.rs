//! The exact distributions of final rewards, metrics and lengths.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use goalspec_resource::game::TeamId;
use goalspec_resource::value::Value;

use super::error::AnalysisError;
use super::model::Model;

/// The distribution of the results of games with a limited number of turns.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeDistribution {
    /// The number of turns after which games are truncated.
    pub horizon: u32,
    /// The probability that the game is over within the horizon.
    pub completed: f64,
    /// The probability that it is not.
    pub truncated: f64,
    /// The lower and the upper bound of the probability that a game without a limit of turns ends.
    pub termination_bounds: [f64; 2],
    /// The probability of each length of games that are over, in ascending order, without impossible lengths.
    pub lengths: Vec<(u32, f64)>,
    /// For each team, the distribution of its final reward in ascending order; `None` is a reward that is not a number.
    pub rewards: Vec<Vec<FinalValue<Option<f64>>>>,
    /// For each metric, the distribution of its final value, numbers first in ascending order.
    pub metrics: Vec<Vec<FinalValue<Option<Value>>>>,
}

/// The decisions of a team without a plan.
#[derive(Debug, Clone, Copy)]
pub enum DecisionRule<'d> {
    /// No decisions; every team has a plan.
    None,
    /// Decisions that do not depend on the turn: see [`StationaryPolicy`](super::StationaryPolicy).
    Stationary(&'d [u32]),
    /// Decisions for each turn: see [`FiniteHorizonPolicy`](super::FiniteHorizonPolicy).
    PerTurn(&'d [Vec<u32>]),
}

impl<'d> DecisionRule<'d> {
    /// Returns the decisions of a turn.
    fn of(self, turn: u32) -> Option<&'d [u32]> {
        match self {
            Self::None => None,
            Self::Stationary(decisions) => Some(decisions),
            Self::PerTurn(decisions) => decisions.get(turn as usize).map(Vec::as_slice),
        }
    }
}

/// A final value of games, with its probability.
#[derive(Debug, Clone, PartialEq)]
pub struct FinalValue<T> {
    /// The value.
    pub value: T,
    /// The probability that the game is over with this value.
    pub completed: f64,
    /// The probability that the game is truncated with this value.
    pub truncated: f64,
}

/// Returns the mean and the standard deviation of weighted numbers; `None` if some value is not a number.
fn moments(rows: impl Iterator<Item = (Option<f64>, f64)>) -> Option<[f64; 2]> {
    let rows = rows.map(|(number, weight)| Some((number?, weight))).collect::<Option<Vec<_>>>()?;
    let total: f64 = rows.iter().map(|(_, weight)| weight).sum();
    let mean = rows.iter().map(|(number, weight)| number * weight).sum::<f64>() / total;
    let square: f64 = rows.iter().map(|(number, weight)| weight * (number - mean) * (number - mean)).sum();
    Some([mean, (square / total).sqrt()])
}

impl OutcomeDistribution {
    /// Returns the mean and the standard deviation of the final reward of a team over all games, including truncated ones; `None`
    /// if it may not be a number.
    pub fn reward(&self, team: TeamId) -> Option<[f64; 2]> {
        moments(self.rewards[team.index()].iter().map(|row| (row.value, row.completed + row.truncated)))
    }

    /// Returns the mean and the standard deviation of the final value of a metric over all games, including truncated ones;
    /// `None` if it may not be a number.
    pub fn metric(&self, index: usize) -> Option<[f64; 2]> {
        let number = |value: &Option<Value>| value.as_ref().and_then(Value::as_f64);
        moments(self.metrics[index].iter().map(|row| (number(&row.value), row.completed + row.truncated)))
    }

    /// Returns the mean and the standard deviation of the number of turns over all games, including truncated ones.
    pub fn turns(&self) -> Option<[f64; 2]> {
        let truncation = (Some(f64::from(self.horizon)), self.truncated);
        moments(self.lengths.iter().map(|&(turns, weight)| (Some(f64::from(turns)), weight)).chain([truncation]))
    }
}

impl Model {
    /// Computes the distribution of the results of games of at most `horizon` turns. Every team must have a plan.
    ///
    /// # Errors
    /// If some team has no plan, or the model was explored with fewer turns.
    pub fn outcomes(&self, horizon: u32) -> Result<OutcomeDistribution, AnalysisError> {
        self.outcomes_until(DecisionRule::None, horizon, 0.0, &mut |_, _| {})
    }

    /// Computes the distribution of the results of games of at most `horizon` turns, stopping earlier once the probability that
    /// the game continues is at most `rest`. Teams without a plan take the decisions `by`. After every turn `progress` receives the
    /// number of turns and the probability that the game continues.
    ///
    /// # Errors
    /// If a team has no plan and `by` has no decisions, or the model was explored with fewer turns.
    pub fn outcomes_until(
        &self,
        decisions: DecisionRule<'_>,
        horizon: u32,
        tolerance: f64,
        progress: &mut dyn FnMut(u32, f64),
    ) -> Result<OutcomeDistribution, AnalysisError> {
        if let (Some(team), DecisionRule::None) = (self.free_team(), decisions) {
            return Err(AnalysisError::MissingPolicy { team: self.simulator.game().teams[team.index()].name.clone() });
        }
        self.check_horizon(horizon)?;
        let mut lengths = Vec::new();
        let mut final_states = BTreeMap::new();
        let mut mass =
            StateDistribution { active: vec![0], weights: vec![0.0; self.len()], next: vec![0.0; self.len()] };
        mass.weights[0] = 1.0;
        let mut turn = 0;
        let horizon = loop {
            let completed = mass.settle(self, &mut final_states);
            if completed > 0.0 {
                lengths.push((turn, completed));
            }
            if turn == horizon || mass.active.is_empty() {
                break horizon;
            }
            let active = mass.total();
            if active <= tolerance {
                break turn;
            }
            progress(turn, active);
            mass.forward(self, decisions.of(turn));
            turn += 1;
        };
        let truncated = mass.active.iter().map(|&state| (state as usize, mass.weights[state as usize])).collect();
        Ok(self.summary(decisions, horizon, lengths, &final_states, &truncated))
    }

    /// Rejects a horizon beyond the limit of turns of the exploration, if that limit left out any state.
    pub(crate) fn check_horizon(&self, horizon: u32) -> Result<(), AnalysisError> {
        match self.turns {
            Some(limit) if horizon > limit && (0..self.len()).any(|state| self.is_frontier(state)) => {
                Err(AnalysisError::HorizonTooLong { limit })
            }
            _ => Ok(()),
        }
    }

    /// Returns for each state whether the game can end from it; states without decisions count as possible ends.
    fn can_end(&self, by: Option<&[u32]>) -> Vec<bool> {
        let mut from: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        for state in 0..self.len() {
            for &(target, _) in self.decided(state, by).iter().flat_map(|arm| self.targets(*arm)) {
                from[target as usize].push(state as u32);
            }
        }
        let mut can: Vec<bool> = (0..self.len()).map(|state| self.arms(state).is_empty()).collect();
        let mut stack: Vec<usize> = (0..self.len()).filter(|&state| can[state]).collect();
        while let Some(state) = stack.pop() {
            for &before in &from[state] {
                if !std::mem::replace(&mut can[before as usize], true) {
                    stack.push(before as usize);
                }
            }
        }
        can
    }

    /// Returns bounds of the probability that a game ever ends, given the probability `completed` so far and the distribution
    /// `truncated` of continuing games.
    fn ends(&self, by: DecisionRule<'_>, completed: f64, truncated: &BTreeMap<usize, f64>) -> [f64; 2] {
        let by = match by {
            DecisionRule::None => None,
            DecisionRule::Stationary(decisions) => Some(decisions),
            // They do not cover longer games.
            DecisionRule::PerTurn(_) => return [completed, if truncated.is_empty() { completed } else { 1.0 }],
        };
        let can = self.can_end(by);
        // A finite Markov chain in which an end is reachable from every state ends with probability 1.
        if can.iter().all(|&can| can) && (0..self.len()).all(|state| !self.is_frontier(state)) {
            return [1.0, 1.0];
        }
        let never: f64 = truncated.iter().filter(|(state, _)| !can[**state]).map(|(_, weight)| weight).sum();
        [completed, (1.0 - never).max(completed)]
    }

    fn summary(
        &self,
        by: DecisionRule<'_>,
        horizon: u32,
        lengths: Vec<(u32, f64)>,
        final_states: &BTreeMap<usize, f64>,
        truncated: &BTreeMap<usize, f64>,
    ) -> OutcomeDistribution {
        let game = self.simulator.game();
        let rewards = (0..game.teams.len()).map(|team| {
            let reward = |state| self.reward(state, team.into());
            final_values(final_states, truncated, reward, |value| value.map(|number| (number, String::new())))
        });
        let metrics = game.metrics.iter().map(|metric| {
            let value = |state: usize| self.simulator.field(&self.states[state], &metric.field);
            final_values(final_states, truncated, value, |value| {
                // Integers and real numbers of the same size are different values.
                value.as_ref().map(|value| (value.as_f64().unwrap_or(f64::NAN), format!("{value:?}")))
            })
        });
        let completed = final_states.values().fold(0.0, |sum, weight| sum + weight);
        OutcomeDistribution {
            horizon,
            completed,
            truncated: truncated.values().fold(0.0, |sum, weight| sum + weight),
            termination_bounds: self.ends(by, completed, truncated),
            lengths,
            rewards: rewards.collect(),
            metrics: metrics.collect(),
        }
    }
}

/// The distribution of the games in progress over the states.
struct StateDistribution {
    /// The states with positive probability, in ascending order.
    active: Vec<u32>,
    /// The probability of each state of the model.
    weights: Vec<f64>,
    /// The buffer for the next turn: all zeros between turns.
    next: Vec<f64>,
}

impl StateDistribution {
    /// Moves the probability of states where the game is over to `final_states`; returns the total moved.
    fn settle(&mut self, model: &Model, final_states: &mut BTreeMap<usize, f64>) -> f64 {
        let mut completed = 0.0;
        let weights = &mut self.weights;
        self.active.retain(|&state| {
            let state = state as usize;
            if model.over[state] {
                let weight = std::mem::take(&mut weights[state]);
                completed += weight;
                *final_states.entry(state).or_insert(0.0) += weight;
            }
            weights[state] > 0.0
        });
        completed
    }

    fn total(&self) -> f64 {
        self.active.iter().map(|&state| self.weights[state as usize]).sum()
    }

    /// Advances the distribution by one turn.
    fn forward(&mut self, model: &Model, by: Option<&[u32]>) {
        let mut next_active = Vec::new();
        for &state in &self.active {
            let weight = std::mem::take(&mut self.weights[state as usize]);
            for &(target, share) in model.decided(state as usize, by).iter().flat_map(|arm| model.targets(*arm)) {
                let next = &mut self.next[target as usize];
                if *next == 0.0 {
                    next_active.push(target);
                }
                *next += weight * share;
            }
        }
        // Sorting makes the sums reproducible. Underflow to zero can add a state twice.
        next_active.sort_unstable();
        next_active.dedup();
        self.active = next_active;
        std::mem::swap(&mut self.weights, &mut self.next);
    }
}

/// The sort key of a value: a number, and a text that distinguishes values with the same number.
type SortKey = Option<(f64, String)>;

/// Merges equal values of the final states, identified by their sort keys.
fn final_values<T>(
    final_states: &BTreeMap<usize, f64>,
    truncated_states: &BTreeMap<usize, f64>,
    value: impl Fn(usize) -> T,
    rank: impl Fn(&T) -> SortKey,
) -> Vec<FinalValue<T>> {
    let completed = final_states.iter().map(|(&state, &weight)| (value(state), weight, 0.0));
    let truncated = truncated_states.iter().map(|(&state, &weight)| (value(state), 0.0, weight));
    let mut rows: Vec<_> = completed.chain(truncated).map(|row| (rank(&row.0), row)).collect();
    rows.sort_by(|(one, _), (other, _)| order(one.as_ref(), other.as_ref()));
    let mut finals: Vec<(SortKey, FinalValue<T>)> = Vec::new();
    for (rank, (value, completed, truncated)) in rows {
        match finals.last_mut() {
            Some((last, row)) if order(last.as_ref(), rank.as_ref()) == Ordering::Equal => {
                row.completed += completed;
                row.truncated += truncated;
            }
            _ => finals.push((rank, FinalValue { value, completed, truncated })),
        }
    }
    finals.into_iter().map(|(_, row)| row).collect()
}

/// Numbers come first, missing values last.
fn order(one: Option<&(f64, String)>, other: Option<&(f64, String)>) -> Ordering {
    match (one, other) {
        (Some((one, text)), Some((other, other_text))) => one.total_cmp(other).then_with(|| text.cmp(other_text)),
        (one, other) => one.is_none().cmp(&other.is_none()),
    }
}
