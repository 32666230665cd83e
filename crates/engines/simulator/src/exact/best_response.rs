//! Best responses of one team to the policies of the others.
//!
//! The team observes the whole state, including what it does not observe in play, so the result is an upper bound for every
//! policy of it. The objective is the reward when the game is over or cut off.

use std::collections::HashMap;

use goalspec_resource::board::{NodeId, SlotId};
use goalspec_resource::field::Field;
use goalspec_resource::game::TeamId;
use goalspec_resource::turn::Move;
use goalspec_resource::value::Value;
use rustc_hash::FxBuildHasher;
use serde_json::{Map, Value as Json, json};

use super::error::AnalysisError;
use super::model::Model;
use crate::eval::EvalContext;
use crate::json;
use crate::policy::table::key;

/// The maximum number of decisions of a policy over states and turns.
pub const MAX_DECISIONS: usize = 100_000_000;
/// The minimum relative improvement of a decision over the present one; smaller differences may be rounding errors.
const MARGIN: f64 = 1e-12;

/// The direction of optimization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optimization {
    /// Maximize the expected reward.
    Maximize,
    /// Minimize the expected reward.
    Minimize,
}

impl Optimization {
    /// Whether the first value is better than the second.
    fn prefers(self, one: f64, other: f64) -> bool {
        match self {
            Self::Maximize => one > other,
            Self::Minimize => one < other,
        }
    }
}

/// An optimal policy over a finite horizon.
#[derive(Debug, Clone, PartialEq)]
pub struct FiniteHorizonPolicy {
    /// The expected reward from the initial state.
    pub value: f64,
    /// For each number of turns played and each state, the index of the optimal decision among the [`Model::decisions`] of the
    /// state; 0 if there is none.
    pub decisions: Vec<Vec<u32>>,
}

/// An optimal stationary policy over an infinite horizon.
#[derive(Debug, Clone, PartialEq)]
pub struct StationaryPolicy {
    /// The expected final reward from each state; games that never end count as 0.
    pub values: Vec<f64>,
    /// For each state, the index of the optimal decision, independent of the turn.
    pub decisions: Vec<u32>,
    /// The number of iterations.
    pub iterations: u32,
    /// The maximum change of a value in the last iteration.
    pub residual: f64,
}

impl Model {
    /// Returns the reward of a team in each of the wanted states, and 0 in the others.
    fn rewards(&self, team: TeamId, filter: impl Fn(usize) -> bool) -> Result<Vec<f64>, AnalysisError> {
        let name = || self.simulator.game().teams[team.index()].name.clone();
        let reward = |state| {
            if filter(state) {
                self.reward(state, team)
                    .filter(|reward| reward.is_finite())
                    .ok_or_else(|| AnalysisError::NonFiniteReward { team: name() })
            } else {
                Ok(0.0)
            }
        };
        (0..self.len()).map(reward).collect()
    }

    /// Returns the expected value of a decision.
    fn action_value(&self, arm: usize, values: &[f64]) -> f64 {
        self.targets(self.decisions[arm]).iter().map(|&(target, share)| share * values[target as usize]).sum()
    }

    /// Returns the best decision of a state and its value: the first of equally good ones, or `present` if it is as good.
    fn choose(&self, state: usize, values: &[f64], goal: Optimization, present: Option<u32>) -> (u32, f64) {
        let [from, to] = [self.first[state] as usize, self.first[state + 1] as usize];
        let place = present.unwrap_or(0);
        let mut best = (place, self.action_value(from + place as usize, values));
        for arm in from..to {
            let value = self.action_value(arm, values);
            let margin = if present.is_some() { MARGIN * best.1.abs() } else { 0.0 };
            if goal.prefers(value, best.1) && (value - best.1).abs() > margin {
                best = ((arm - from) as u32, value);
            }
        }
        best
    }

    /// Computes the optimal expected reward of a team over games of at most `horizon` turns by backward induction. All teams
    /// without a plan play for the team or, for [`Optimization::Minimize`], against it.
    ///
    /// # Errors
    /// If the reward is not a finite number in some state, the policy exceeds [`MAX_DECISIONS`], or the model was explored with
    /// fewer turns.
    pub fn best_response(
        &self,
        team: TeamId,
        goal: Optimization,
        horizon: u32,
    ) -> Result<FiniteHorizonPolicy, AnalysisError> {
        self.check_horizon(horizon)?;
        if self.len().saturating_mul(horizon as usize) > MAX_DECISIONS {
            return Err(AnalysisError::TooManyDecisions { limit: MAX_DECISIONS });
        }
        let mut values = self.rewards(team, |_| true)?;
        let mut decisions: Vec<Vec<u32>> = Vec::new();
        for _ in 0..horizon {
            let mut next = values.clone();
            let mut chosen = vec![0; self.len()];
            for state in self.nonterminal_states() {
                // Among equally good decisions, that of the next turn is kept, so the policy changes over time only where
                // necessary.
                let later = decisions.last().map(|later| later[state]);
                (chosen[state], next[state]) = self.choose(state, &values, goal, later);
            }
            values = next;
            decisions.push(chosen);
        }
        decisions.reverse();
        Ok(FiniteHorizonPolicy { value: values[0], decisions })
    }

    /// Computes the optimal expected final reward of a team, and decisions that do not depend on the turn, by value iteration
    /// from 0 until no value changes by more than `tolerance`. The tolerance bounds the last change and not the error; to
    /// evaluate the decisions, play their [table](Model::policy_table).
    ///
    /// A decision is replaced only by a strictly better one, so a decision that ends the game is not replaced by an equally good
    /// one that postpones it forever.
    ///
    /// # Errors
    /// If the reward is not a finite number in some final state, the iteration does not converge within `rounds` iterations, or
    /// the model was explored with a limit of turns that left out states.
    pub fn value_iteration(
        &self,
        team: TeamId,
        goal: Optimization,
        tolerance: f64,
        rounds: u32,
    ) -> Result<StationaryPolicy, AnalysisError> {
        if let Some(limit) = self.turns {
            self.check_horizon(limit.saturating_add(1))?;
        }
        let mut values = self.rewards(team, |state| self.over[state])?;
        let mut decisions: Vec<Option<u32>> = vec![None; self.len()];
        let mut change = 0.0;
        for round in 1..=rounds {
            let mut next = values.clone();
            change = 0.0;
            for state in self.nonterminal_states() {
                let (place, value) = self.choose(state, &values, goal, decisions[state]);
                decisions[state] = Some(place);
                next[state] = value;
                change = f64::max(change, (value - values[state]).abs());
            }
            values = next;
            if change <= tolerance {
                let decisions = decisions.into_iter().map(Option::unwrap_or_default).collect();
                return Ok(StationaryPolicy { values, decisions, iterations: round, residual: change });
            }
        }
        Err(AnalysisError::NotConverged { rounds, change })
    }

    /// Converts the decisions of a team to a [`TablePolicy`](crate::policy::TablePolicy) over its observation, with the fields that differ
    /// among the states where it decides. If the decisions depend on more than the observation, or some are missing, the table is
    /// restricted to the states that are reachable under the decisions; elsewhere it may lack rows.
    ///
    /// # Errors
    /// If two states with the same observation have different decisions, the team follows a plan, or a state has no decision.
    pub fn policy_table(&self, team: TeamId, decisions: &[u32]) -> Result<String, AnalysisError> {
        let Some(moves) = &self.moves[team.index()] else {
            return Err(AnalysisError::FixedPolicy { team: self.simulator.game().teams[team.index()].name.clone() });
        };
        let own = |&state: &usize| self.simulator.team(&self.states[state]) == team;
        let deciding: Vec<usize> = self.nonterminal_states().filter(own).collect();
        match self.rows(team, moves, &deciding, decisions) {
            Err(AnalysisError::NotObservable { .. } | AnalysisError::MissingDecision { .. }) => {
                let reachable = self.reached(team, decisions)?;
                let deciding: Vec<usize> = deciding.into_iter().filter(|&state| reachable[state]).collect();
                self.rows(team, moves, &deciding, decisions)
            }
            done => done,
        }
    }

    /// Converts the finite-horizon decisions of a team to decisions that do not depend on the turn. States that are not reached
    /// under the decisions get `u32::MAX`, which is no decision.
    ///
    /// # Errors
    /// If the decisions in some state depend on the turn.
    pub fn time_independent_decisions(&self, team: TeamId, decisions: &[Vec<u32>]) -> Result<Vec<u32>, AnalysisError> {
        let mut decided = vec![u32::MAX; self.len()];
        let mut reachable = vec![0];
        for of_turn in decisions {
            let mut next = Vec::new();
            for &state in &reachable {
                let own = !self.arms(state).is_empty() && self.simulator.team(&self.states[state]) == team;
                if own && decided[state] != of_turn[state] && decided[state] != u32::MAX {
                    return Err(AnalysisError::TimeDependent { state });
                }
                if own {
                    decided[state] = of_turn[state];
                }
                let arms = self.decided(state, Some(of_turn));
                next.extend(arms.iter().flat_map(|arm| self.targets(*arm)).map(|&(target, _)| target as usize));
            }
            next.sort_unstable();
            next.dedup();
            reachable = next;
        }
        Ok(decided)
    }

    /// Returns for each state whether it is reachable under the decisions of a team and any decisions of other teams without a
    /// plan.
    fn reached(&self, team: TeamId, decisions: &[u32]) -> Result<Vec<bool>, AnalysisError> {
        let mut reachable = vec![false; self.len()];
        reachable[0] = true;
        let mut stack = vec![0];
        while let Some(state) = stack.pop() {
            let mut arms = self.arms(state);
            if !arms.is_empty() && self.simulator.team(&self.states[state]) == team {
                let arm = decisions.get(state).and_then(|&decision| arms.get(decision as usize));
                arms = std::slice::from_ref(arm.ok_or(AnalysisError::MissingDecision { state })?);
            }
            for &(target, _) in arms.iter().flat_map(|arm| self.targets(*arm)) {
                if !std::mem::replace(&mut reachable[target as usize], true) {
                    stack.push(target as usize);
                }
            }
        }
        Ok(reachable)
    }

    /// Returns the table of the decisions in the states `deciding`.
    fn rows(
        &self,
        team: TeamId,
        moves: &[Move],
        deciding: &[usize],
        decisions: &[u32],
    ) -> Result<String, AnalysisError> {
        let fields: Vec<(String, Field)> =
            self.observable().into_iter().filter(|(_, field)| self.differs(team, deciding, field)).collect();
        let mut known: HashMap<Vec<String>, (usize, Option<u32>), FxBuildHasher> = HashMap::default();
        let mut rows = Vec::new();
        for &state in deciding {
            let arm = decisions.get(state).and_then(|&decision| self.arms(state).get(decision as usize));
            let place = arm.ok_or(AnalysisError::MissingDecision { state })?.place;
            let conditions: Vec<Option<Value>> =
                fields.iter().map(|(_, field)| self.observed(team, state, field)).collect();
            let observed = conditions.iter().map(|value| key(value.as_ref())).collect();
            match known.get(&observed) {
                Some(&(earlier, other)) if other != place => {
                    return Err(AnalysisError::NotObservable { states: [earlier, state] });
                }
                Some(_) => {}
                None => {
                    known.insert(observed, (state, place));
                    rows.push(self.row(team, &conditions, place.and_then(|place| moves.get(place as usize))));
                }
            }
        }
        let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
        Ok(written(&names, rows))
    }

    /// Whether the observed value of a field differs among these states.
    fn differs(&self, team: TeamId, states: &[usize], field: &Field) -> bool {
        let mut values = states.iter().map(|&state| key(self.observed(team, state, field).as_ref()));
        let first = values.next();
        values.any(|value| Some(value) != first)
    }

    fn observed(&self, team: TeamId, state: usize, field: &Field) -> Option<Value> {
        let frame = EvalContext { view: Some(team), ..EvalContext::default() };
        self.states[state].field(self.simulator.compiled(), field, &frame)
    }

    /// Returns the fields that a table can refer to, with their names.
    fn observable(&self) -> Vec<(String, Field)> {
        let (c, board) = (self.simulator.compiled(), &self.simulator.game().board);
        let slots = (0..board.slots().len() as u32).map(|slot| (c.slot_name(slot), Field::Resource(SlotId(slot))));
        let nodes = (0..board.nodes().len() as u32).map(NodeId);
        let observers = nodes.map(|node| (format!("{}.observable", board.node(node).name), Field::Observers(node)));
        slots.chain(observers).collect()
    }

    fn row(&self, team: TeamId, conditions: &[Option<Value>], chosen: Option<&Move>) -> Json {
        let conditions: Vec<Json> = conditions.iter().map(|value| json::write(value.as_ref())).collect();
        match chosen {
            Some(Move::Choose(id, values)) => {
                let choice = &self.simulator.game().teams[team.index()].choices[id.index()];
                if values.is_empty() {
                    return json!({ "when": conditions, "choose": &*choice.name });
                }
                let named = choice.parameters.iter().zip(values);
                let with: Map<String, Json> =
                    named.map(|(parameter, value)| (parameter.name.to_string(), json::write(Some(value)))).collect();
                json!({ "when": conditions, "choose": &*choice.name, "with": with })
            }
            Some(Move::Pass) | None => json!({ "when": conditions, "choose": goalspec_resource::game::NOTHING_ACTION }),
        }
    }
}

/// Formats a table with one row per line.
fn written(fields: &[&str], rows: Vec<Json>) -> String {
    let rows: Vec<String> = rows.into_iter().map(|row| format!("    {row}")).collect();
    format!("{{\n  \"fields\": {},\n  \"rows\": [\n{}\n  ]\n}}\n", json!(fields), rows.join(",\n"))
}
