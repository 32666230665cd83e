//! The best that one team can do while the others play as they are said to.
//!
//! The team knows the whole state here, also what it does not observe: no policy of it does better. What it earns counts at the end,
//! when the game is over or cut off.

use std::collections::HashMap;

use goalspec_core::resource::board::{NodeId, SlotId};
use goalspec_core::resource::field::Field;
use goalspec_core::resource::game::TeamId;
use goalspec_core::resource::turn::Move;
use goalspec_core::resource::value::Value;
use rustc_hash::FxBuildHasher;
use serde_json::{Map, Value as Json, json};

use super::model::Model;
use super::refusal::Refusal;
use crate::eval::Frame;
use crate::json;
use crate::policy::table::key;

/// How many decisions a policy for every state and number of turns may have.
pub const MAX_DECISIONS: usize = 100_000_000;
/// By how much a decision has to be better than the present one in order to take its place, in parts of the value: less may be
/// rounding.
const MARGIN: f64 = 1e-12;

/// Whether much or little is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The greatest expected reward.
    Greatest,
    /// The least.
    Least,
}

impl Goal {
    /// Whether one value is better than another.
    fn prefers(self, one: f64, other: f64) -> bool {
        match self {
            Self::Greatest => one > other,
            Self::Least => one < other,
        }
    }
}

/// The best for games of at most so many turns.
#[derive(Debug, Clone, PartialEq)]
pub struct Best {
    /// The expected reward from the beginning.
    pub value: f64,
    /// For each number of turns that are over, and each state, the decision to take: its place among
    /// [`Model::decisions`] of the state, 0 where there is none.
    pub decisions: Vec<Vec<u32>>,
}

/// The best for games that go on until they are over.
#[derive(Debug, Clone, PartialEq)]
pub struct Stationary {
    /// The expected reward from each state when the game is over, where games that never are count as 0.
    pub values: Vec<f64>,
    /// For each state the decision to take, whenever the game comes there.
    pub decisions: Vec<u32>,
    /// How many rounds it took.
    pub rounds: u32,
    /// The greatest change of a value in the last round.
    pub change: f64,
}

impl Model {
    /// What a team has earned in each state of some.
    fn rewards(&self, team: TeamId, wanted: impl Fn(usize) -> bool) -> Result<Vec<f64>, Refusal> {
        let name = || self.simulator.game().teams[team.index()].name.clone();
        let reward = |state| {
            if wanted(state) {
                self.reward(state, team)
                    .filter(|reward| reward.is_finite())
                    .ok_or_else(|| Refusal::Reward { team: name() })
            } else {
                Ok(0.0)
            }
        };
        (0..self.len()).map(reward).collect()
    }

    /// What a decision is worth.
    fn worth(&self, arm: usize, values: &[f64]) -> f64 {
        self.targets(self.decisions[arm]).iter().map(|&(target, share)| share * values[target as usize]).sum()
    }

    /// The best decision of a state and what it is worth: the first of several, but `present` where that is as good.
    fn choose(&self, state: usize, values: &[f64], goal: Goal, present: Option<u32>) -> (u32, f64) {
        let [from, to] = [self.first[state] as usize, self.first[state + 1] as usize];
        let place = present.unwrap_or(0);
        let mut best = (place, self.worth(from + place as usize, values));
        for arm in from..to {
            let worth = self.worth(arm, values);
            let margin = if present.is_some() { MARGIN * best.1.abs() } else { 0.0 };
            if goal.prefers(worth, best.1) && (worth - best.1).abs() > margin {
                best = ((arm - from) as u32, worth);
            }
        }
        best
    }

    /// The best expected reward of a team over games of at most `horizon` turns, when those who are free to play as they like play
    /// for it or, for [`Goal::Least`], against it: by induction from the last turn back to the first.
    ///
    /// # Errors
    /// If the reward is no finite number in some state, the policy is larger than [`MAX_DECISIONS`], or the model is one of games of fewer
    /// turns.
    pub fn best(&self, team: TeamId, goal: Goal, horizon: u32) -> Result<Best, Refusal> {
        self.check_horizon(horizon)?;
        if self.len().saturating_mul(horizon as usize) > MAX_DECISIONS {
            return Err(Refusal::Decisions { limit: MAX_DECISIONS });
        }
        let mut values = self.rewards(team, |_| true)?;
        let mut decisions: Vec<Vec<u32>> = Vec::new();
        for _ in 0..horizon {
            let mut next = values.clone();
            let mut chosen = vec![0; self.len()];
            for state in self.going_on() {
                // Of decisions that are as good, that of a turn later: what is best changes from turn to turn only if it has to.
                let later = decisions.last().map(|later| later[state]);
                (chosen[state], next[state]) = self.choose(state, &values, goal, later);
            }
            values = next;
            decisions.push(chosen);
        }
        decisions.reverse();
        Ok(Best { value: values[0], decisions })
    }

    /// The best expected reward of a team when the game is over, and decisions that do not depend on how many turns are over: by
    /// iterating values from 0 until none changes by more than `tolerance`, which bounds the last change and not the error: play the
    /// [table](Model::table) of the decisions to know what they are worth.
    ///
    /// A decision is replaced only by a better one, so that what is as good but leads nowhere does not take the place of what
    /// ends the game.
    ///
    /// # Errors
    /// If the reward is no finite number in some final state, values still change more after so many rounds, or the model is one of games of
    /// so many turns.
    pub fn stationary(&self, team: TeamId, goal: Goal, tolerance: f64, rounds: u32) -> Result<Stationary, Refusal> {
        if let Some(limit) = self.turns {
            self.check_horizon(limit.saturating_add(1))?;
        }
        let mut values = self.rewards(team, |state| self.over[state])?;
        let mut decisions: Vec<Option<u32>> = vec![None; self.len()];
        let mut change = 0.0;
        for round in 1..=rounds {
            let mut next = values.clone();
            change = 0.0;
            for state in self.going_on() {
                let (place, worth) = self.choose(state, &values, goal, decisions[state]);
                decisions[state] = Some(place);
                next[state] = worth;
                change = f64::max(change, (worth - values[state]).abs());
            }
            values = next;
            if change <= tolerance {
                let decisions = decisions.into_iter().map(Option::unwrap_or_default).collect();
                return Ok(Stationary { values, decisions, rounds: round, change });
            }
        }
        Err(Refusal::NotConverged { rounds, change })
    }

    /// Decisions of a team as a [`Table`](crate::policy::Table) of what it observes, over the fields that differ among the states where
    /// it decides. If these decisions depend on more than what it observes, those of states that are never reached by deciding so
    /// are left out; so they may be missing there.
    ///
    /// # Errors
    /// If two states look the same to the team and have different decisions, the team plays by a plan, or there is no decision for some
    /// state.
    pub fn table(&self, team: TeamId, decisions: &[u32]) -> Result<String, Refusal> {
        let Some(moves) = &self.moves[team.index()] else {
            return Err(Refusal::Planned { team: self.simulator.game().teams[team.index()].name.clone() });
        };
        let own = |&state: &usize| self.simulator.team(&self.states[state]) == team;
        let deciding: Vec<usize> = self.going_on().filter(own).collect();
        match self.rows(team, moves, &deciding, decisions) {
            Err(Refusal::Hidden { .. } | Refusal::NoDecision { .. }) => {
                let reached = self.reached(team, decisions)?;
                let deciding: Vec<usize> = deciding.into_iter().filter(|&state| reached[state]).collect();
                self.rows(team, moves, &deciding, decisions)
            }
            done => done,
        }
    }

    /// The decisions of a team for games of at most so many turns as decisions that do not depend on how many turns are over. Where
    /// the game never comes to a state by deciding so, there is none: a place that no decision has.
    ///
    /// # Errors
    /// If they do depend on it.
    pub fn settled(&self, team: TeamId, decisions: &[Vec<u32>]) -> Result<Vec<u32>, Refusal> {
        let mut settled = vec![u32::MAX; self.len()];
        let mut reached = vec![0];
        for of_turn in decisions {
            let mut next = Vec::new();
            for &state in &reached {
                let own = !self.arms(state).is_empty() && self.simulator.team(&self.states[state]) == team;
                if own && settled[state] != of_turn[state] && settled[state] != u32::MAX {
                    return Err(Refusal::Turn { state });
                }
                if own {
                    settled[state] = of_turn[state];
                }
                let arms = self.decided(state, Some(of_turn));
                next.extend(arms.iter().flat_map(|arm| self.targets(*arm)).map(|&(target, _)| target as usize));
            }
            next.sort_unstable();
            next.dedup();
            reached = next;
        }
        Ok(settled)
    }

    /// For each state whether it is reached when a team decides so, and others that are free as they like.
    fn reached(&self, team: TeamId, decisions: &[u32]) -> Result<Vec<bool>, Refusal> {
        let mut reached = vec![false; self.len()];
        reached[0] = true;
        let mut rest = vec![0];
        while let Some(state) = rest.pop() {
            let mut arms = self.arms(state);
            if !arms.is_empty() && self.simulator.team(&self.states[state]) == team {
                let arm = decisions.get(state).and_then(|&decision| arms.get(decision as usize));
                arms = std::slice::from_ref(arm.ok_or(Refusal::NoDecision { state })?);
            }
            for &(target, _) in arms.iter().flat_map(|arm| self.targets(*arm)) {
                if !std::mem::replace(&mut reached[target as usize], true) {
                    rest.push(target as usize);
                }
            }
        }
        Ok(reached)
    }

    /// The table of the decisions in some states.
    fn rows(&self, team: TeamId, moves: &[Move], deciding: &[usize], decisions: &[u32]) -> Result<String, Refusal> {
        let fields: Vec<(String, Field)> =
            self.observable().into_iter().filter(|(_, field)| self.differs(team, deciding, field)).collect();
        let mut known: HashMap<Vec<String>, (usize, Option<u32>), FxBuildHasher> = HashMap::default();
        let mut rows = Vec::new();
        for &state in deciding {
            let arm = decisions.get(state).and_then(|&decision| self.arms(state).get(decision as usize));
            let place = arm.ok_or(Refusal::NoDecision { state })?.place;
            let when: Vec<Option<Value>> = fields.iter().map(|(_, field)| self.observed(team, state, field)).collect();
            let seen = when.iter().map(|value| key(value.as_ref())).collect();
            match known.get(&seen) {
                Some(&(earlier, other)) if other != place => return Err(Refusal::Hidden { states: [earlier, state] }),
                Some(_) => {}
                None => {
                    known.insert(seen, (state, place));
                    rows.push(self.row(team, &when, place.and_then(|place| moves.get(place as usize))));
                }
            }
        }
        let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
        Ok(written(&names, rows))
    }

    /// Whether a field is not the same to a team in all of these states.
    fn differs(&self, team: TeamId, states: &[usize], field: &Field) -> bool {
        let mut values = states.iter().map(|&state| key(self.observed(team, state, field).as_ref()));
        let first = values.next();
        values.any(|value| Some(value) != first)
    }

    fn observed(&self, team: TeamId, state: usize, field: &Field) -> Option<Value> {
        let frame = Frame { view: Some(team), ..Frame::default() };
        self.states[state].field(self.simulator.compiled(), field, &frame)
    }

    /// Everything that tables can ask for, by the names they have for it.
    fn observable(&self) -> Vec<(String, Field)> {
        let (c, board) = (self.simulator.compiled(), &self.simulator.game().board);
        let slots = (0..board.slots().len() as u32).map(|slot| (c.slot_name(slot), Field::Resource(SlotId(slot))));
        let nodes = (0..board.nodes().len() as u32).map(NodeId);
        let seen = nodes.map(|node| (format!("{}.observable", board.node(node).name), Field::Observable(node)));
        slots.chain(seen).collect()
    }

    fn row(&self, team: TeamId, when: &[Option<Value>], chosen: Option<&Move>) -> Json {
        let when: Vec<Json> = when.iter().map(|value| json::write(value.as_ref())).collect();
        match chosen {
            Some(Move::Choose(id, values)) => {
                let choice = &self.simulator.game().teams[team.index()].choices[id.index()];
                if values.is_empty() {
                    return json!({ "when": when, "choose": &*choice.name });
                }
                let named = choice.parameters.iter().zip(values);
                let with: Map<String, Json> =
                    named.map(|(parameter, value)| (parameter.name.to_string(), json::write(Some(value)))).collect();
                json!({ "when": when, "choose": &*choice.name, "with": with })
            }
            Some(Move::Pass) | None => json!({ "when": when, "choose": goalspec_core::resource::game::NOTHING }),
        }
    }
}

/// A table, a row to a line.
fn written(fields: &[&str], rows: Vec<Json>) -> String {
    let rows: Vec<String> = rows.into_iter().map(|row| format!("    {row}")).collect();
    format!("{{\n  \"fields\": {},\n  \"rows\": [\n{}\n  ]\n}}\n", json!(fields), rows.join(",\n"))
}
