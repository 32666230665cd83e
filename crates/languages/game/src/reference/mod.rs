//! The authors' reward machine, reproduced with all its deviations, so that published numbers can be compared.
//!
//! It runs the AST rather than the lowered program, because its behaviour often depends on names and on source order. It does not
//! define the meaning of a program in goalspec; the core does.
//!
//! | deviation from the language | where |
//! |---|---|
//! | two type tables; scores and `same_type` use only one of them | `tables` |
//! | the east wall is misplaced; recordings do not distinguish the four walls | `tables` |
//! | an object counts as updated whenever the recording lists it, the agent only if it is an argument | `evaluate` |
//! | truth values are three-valued and cached until an argument is updated | `evaluate` |
//! | an unimplemented condition is true, and its second negation within one state is false | `evaluate` |
//! | functions of objects last listed in the very first state are undefined | `evaluate` |
//! | variables of inner quantifiers are treated as variables of the preference with an empty domain | `compile` |
//! | type names in predicates are bound to each object of the type | `compile` |
//! | `above` tests the position of the agent, `faces` uses angles as a direction, the agent is "in motion" while it collides | `contact`, `predicates` |
//! | all game objects are of the same type | `predicates` |
//! | buildings store snapshots; an object that moves to a new building also stays in the old one | `buildings` |
//! | one attempt per binding, one transition per state, starts at the first state of a run, restarts one state late | `patterns` |
//! | measures are taken one state late | `patterns` |
//! | `hold-while` tests no event in the state that enters it, and at most one event per state | `patterns` |
//! | the setup is evaluated with short-circuiting, and with forced evaluation from state 101 on | `setup` |
//! | terminal conditions are tested before the preferences, and end the game in that state | this module |
//! | nothing happens in a final state in which the setup does not hold | this module |
//! | overlapping satisfactions may share one state; bindings count type names; a maximum over no satisfactions is 0 | `score` |
//! | the score is undefined if the position of an object was never recorded | `positions` |
//! | errors end the play without a score | `failure` |
//!
//! Two deviations are repaired, because numbers could not be compared otherwise: comparisons in terminal conditions use the number in
//! the program instead of 0, and comparisons with `total-time` and `total-score`, which cannot be computed, are false.

mod assignments;
mod buildings;
mod compile;
mod contact;
mod error;
mod evaluate;
mod matcher;
mod positions;
mod predicates;
mod program;
mod recorded_objects;
mod scene;
mod score;
mod setup;
mod tables;

use goalspec_core::monitor::{
    GameMonitor, GameReport, PreferenceReport, Satisfaction, ScoreError, StateUpdate, Verdict,
};
use goalspec_core::state::State;
use goalspec_core::work::WorkBudget;
use goalspec_core::world::World;

use crate::ast::Game;
use buildings::Buildings;
use error::PlayError;
use evaluate::{Bindings, Evaluator, RoomState};
use matcher::{PreferenceMatcher, StepContext};
use positions::MovementLog;
use program::Program;
use recorded_objects::RecordedObjects;
use score::{ExpressionError, Scorer};
use setup::{SetupEvaluation, SetupState};
use tables::Tables;

/// A monitor that evaluates a game by the rules of the authors' implementation.
#[derive(Debug, Clone)]
pub struct RewardMachine {
    machine: Result<Box<Machine>, PlayError>,
    states: u64,
    /// The work of a machine that could not be created: none.
    no_work: WorkBudget,
}

#[derive(Debug, Clone)]
struct Machine {
    game: Game,
    program: Program,
    memory: RoomState,
    evaluator: Evaluator,
    bindings: Bindings,
    setup_bindings: Bindings,
    setup: SetupState,
    followers: Vec<PreferenceMatcher>,
    /// The number of bindings that the preferences may still create.
    bindings_left: usize,
    movements: MovementLog,
    remarks: Vec<String>,
    /// The number of the current state, starting at 1.
    step: u64,
    /// The first state in which the setup held.
    first_setup_state: Option<u64>,
    /// Whether the setup holds in the current state.
    setup_holds: bool,
    /// Whether the play has ended.
    ended: bool,
    /// The error with which the authors' implementation stopped.
    failure: Option<PlayError>,
    terminal: Option<u64>,
    /// Whether the terminal condition was evaluated as false since the last satisfaction, so that it need not be evaluated again.
    terminal_is_false: bool,
}

impl RewardMachine {
    /// Creates a monitor for a game over a world.
    ///
    /// Like the authors' implementation, it does not check the program. Unknown types have no objects, and unknown predicates are
    /// true. If the authors' implementation would stop with an error, at creation or later, the report has no score.
    pub fn new(game: &Game, world: &World) -> Self {
        Self { machine: Machine::new(game, world).map(Box::new), states: 0, no_work: WorkBudget::new() }
    }
}

impl GameMonitor for RewardMachine {
    fn work(&self) -> &WorkBudget {
        self.machine.as_ref().map_or(&self.no_work, |machine| &machine.evaluator.work)
    }

    fn step(&mut self, step: &StateUpdate<'_>) -> Verdict {
        let Ok(machine) = &mut self.machine else { return Verdict { done: true, ..Verdict::default() } };
        if machine.ended {
            let score = machine.running_score();
            return Verdict { done: true, score, setup_holds: machine.setup_holds, ..Verdict::default() };
        }
        self.states += 1;
        let result = machine.step(step);
        machine.record_error(result);
        machine.verdict()
    }

    fn finish(&mut self, _: &State) -> GameReport {
        match &mut self.machine {
            Ok(machine) => {
                if self.states > 0 && !machine.ended {
                    let result = machine.close();
                    machine.record_error(result);
                }
                machine.report(self.states)
            }
            Err(failure) => GameReport {
                score: Err(failure.clone().into()),
                states: 0,
                setup_met: false,
                terminal: None,
                preferences: Vec::new(),
                remarks: Vec::new(),
            },
        }
    }
}

impl Machine {
    fn new(game: &Game, world: &World) -> Result<Self, PlayError> {
        let tables = Tables::new(world);
        let (program, mut remarks) = compile::compile(game, world, &tables)?;
        if game.terminal.as_ref().is_some_and(score::compares_totals) {
            remarks.push(String::from(
                "the authors' implementation supports neither `total-time` nor `total-score`: comparisons with them are false",
            ));
        }
        let memory = RoomState { things: RecordedObjects::new(world), buildings: Buildings::new(&tables), tables };
        let mut bindings_left = matcher::MAX_BINDINGS;
        let followers = (0..program.preferences.len())
            .map(|preference| PreferenceMatcher::new(&program, &memory, preference, &mut bindings_left));
        let followers = followers.collect::<Result<_, _>>()?;
        let mut setup_bindings = Bindings::new(&program);
        for (name, object) in &program.setup_objects {
            setup_bindings.set(*name, Some(*object));
        }
        Ok(Self {
            game: game.clone(),
            evaluator: Evaluator::new(&program),
            bindings: Bindings::new(&program),
            setup_bindings,
            setup: SetupState::default(),
            followers,
            bindings_left,
            movements: MovementLog::new(memory.tables.len()),
            program,
            memory,
            remarks,
            step: 0,
            first_setup_state: None,
            setup_holds: false,
            ended: false,
            failure: None,
            terminal: None,
            terminal_is_false: false,
        })
    }

    fn step(&mut self, step: &StateUpdate<'_>) -> Result<(), PlayError> {
        self.step += 1;
        let RoomState { tables, things: recorded, buildings } = &mut self.memory;
        recorded.update(step, tables);
        buildings.update(step.listed_objects, recorded, tables)?;
        self.setup_holds = self.check_setup()?;
        if self.setup_holds {
            self.first_setup_state.get_or_insert(self.step);
        }
        self.ended = step.last;
        if !self.setup_holds {
            self.followers.iter_mut().for_each(PreferenceMatcher::skip);
            return Ok(());
        }
        self.movements.update(step, &self.memory, self.step);
        if !step.last && self.terminal_holds()? {
            self.terminal = Some(self.step);
            self.ended = true;
        }
        self.step_preferences(self.ended)
    }

    fn check_setup(&mut self) -> Result<bool, PlayError> {
        let Some(setup) = &self.program.setup else { return Ok(true) };
        self.evaluator.begin_phase();
        let mut walk = SetupEvaluation {
            state: &mut self.setup,
            program: &self.program,
            memory: &mut self.memory,
            evaluator: &mut self.evaluator,
            bindings: &mut self.setup_bindings,
            step: self.step,
        };
        walk.holds(setup)
    }

    /// Evaluates the terminal condition on the satisfactions up to the previous state.
    fn terminal_holds(&mut self) -> Result<bool, PlayError> {
        let Some(terminal) = &self.game.terminal else { return Ok(false) };
        if !self.terminal_is_false {
            let holds = self.scorer().terminal(terminal).map_err(|error| match error {
                ExpressionError::DivisionByZero(_) => PlayError::new("division by zero in the terminal condition"),
                ExpressionError::Failure(failure) => failure,
            });
            self.terminal_is_false = !holds?;
        }
        Ok(!self.terminal_is_false)
    }

    fn step_preferences(&mut self, last: bool) -> Result<(), PlayError> {
        self.evaluator.last = last;
        self.evaluator.begin_phase();
        let mut ctx = StepContext {
            program: &self.program,
            memory: &mut self.memory,
            evaluator: &mut self.evaluator,
            bindings: &mut self.bindings,
            bindings_left: &mut self.bindings_left,
            step: self.step,
        };
        for follower in &mut self.followers {
            follower.step(&mut ctx, last)?;
            self.terminal_is_false &= follower.newly_satisfied().is_empty();
        }
        Ok(())
    }

    /// Evaluates the current state again as the last state of the play.
    fn close(&mut self) -> Result<(), PlayError> {
        self.ended = true;
        if !self.setup_holds {
            return Ok(());
        }
        self.evaluator.revert_phase();
        for follower in &mut self.followers {
            follower.revert(&self.program);
        }
        self.step_preferences(true)
    }

    /// Records an error in the current state, which ends the play.
    fn record_error(&mut self, result: Result<(), PlayError>) {
        if let Err(failure) = result {
            self.failure = Some(failure.in_state(self.step));
            self.ended = true;
        }
    }

    fn scorer(&self) -> Scorer<'_> {
        Scorer::new(&self.program, &self.followers, &self.movements, &self.memory, &self.evaluator.work)
    }

    fn score(&self) -> Result<f64, ScoreError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone().into());
        }
        let score = self.scorer().score(&self.game.scoring)?;
        if score.is_finite() { Ok(score) } else { Err(ScoreError::OutOfRange) }
    }

    /// Returns the verdict for the current state. The authors' implementation has no score before the end.
    fn verdict(&self) -> Verdict {
        let mut satisfied = Vec::new();
        for (index, follower) in self.followers.iter().enumerate() {
            let found = follower.newly_satisfied().iter();
            satisfied.extend(found.map(|found| (index, self.satisfaction(index, found))));
        }
        let score = self.running_score();
        Verdict { reward: score, score, setup_holds: self.setup_holds, done: self.ended, satisfied }
    }

    fn running_score(&self) -> f64 {
        if self.ended { self.score().unwrap_or(0.0) } else { 0.0 }
    }

    fn satisfaction(&self, preference: usize, found: &matcher::Satisfaction) -> Satisfaction {
        let bound = self.program.preferences[preference].operators.last().map_or(&[][..], |operator| &operator.bound);
        let names = bound.iter().map(|name| self.program.name(*name).text.clone());
        let measures = found.measures.iter().filter_map(|(name, value)| Some((name.clone(), (*value)?)));
        Satisfaction {
            binding: names.zip(self.followers[preference].objects(found.mapping).iter().copied()).collect(),
            start: found.start,
            end: found.end,
            measures: measures.collect(),
        }
    }

    fn report(&self, states: u64) -> GameReport {
        let mut remarks = self.remarks.clone();
        remarks.extend(self.evaluator.remarks().iter().cloned());
        if states > 0 && !self.setup_holds {
            remarks.push(String::from(
                "the setup is not satisfied in the last state: the authors' implementation reports no score in this case",
            ));
        }
        let preferences = self.program.preferences.iter().zip(&self.followers).enumerate();
        let preferences = preferences.map(|(index, (preference, follower))| {
            let mut satisfactions: Vec<_> = follower.satisfactions().iter().collect();
            satisfactions.sort_by_key(|found| (found.end, found.start, follower.objects(found.mapping)));
            PreferenceReport {
                name: preference.name.clone(),
                satisfactions: satisfactions.into_iter().map(|found| self.satisfaction(index, found)).collect(),
                unlisted: 0,
                count: follower.satisfied().iter().map(|&mapping| follower.disjoint(mapping)).sum(),
                attempt: None,
            }
        });
        GameReport {
            score: if states == 0 { Err(ScoreError::NoStates) } else { self.score() },
            states,
            setup_met: self.first_setup_state.is_some(),
            terminal: self.terminal,
            preferences: preferences.collect(),
            remarks,
        }
    }
}
