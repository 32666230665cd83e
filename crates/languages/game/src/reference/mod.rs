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
mod evaluate;
mod failure;
mod patterns;
mod positions;
mod predicates;
mod program;
mod scene;
mod score;
mod setup;
mod tables;
mod things;

use goalspec_core::monitor::{Monitor, PreferenceReport, Report, Satisfaction, ScoreError, Step, Verdict};
use goalspec_core::state::State;
use goalspec_core::work::Work;
use goalspec_core::world::World;

use crate::ast::Game;
use buildings::Buildings;
use evaluate::{Bindings, Evaluator, Memory};
use failure::Failure;
use patterns::{Follower, Moment};
use positions::Movements;
use program::Program;
use score::{NoScore, Scorer};
use setup::{SetupState, SetupWalk};
use tables::Tables;
use things::Things;

/// A monitor that evaluates a game by the rules of the authors' implementation.
#[derive(Debug, Clone)]
pub struct ReferenceMonitor {
    machine: Result<Box<Machine>, Failure>,
    states: u64,
    /// The work of a machine that could not be created: none.
    nothing: Work,
}

#[derive(Debug, Clone)]
struct Machine {
    game: Game,
    program: Program,
    memory: Memory,
    evaluator: Evaluator,
    bindings: Bindings,
    setup_bindings: Bindings,
    setup: SetupState,
    followers: Vec<Follower>,
    /// The number of bindings that the preferences may still create.
    bindings_left: usize,
    movements: Movements,
    remarks: Vec<String>,
    /// The number of the current state, starting at 1.
    step: u64,
    /// The first state in which the setup held.
    set_up: Option<u64>,
    /// Whether the setup holds in the current state.
    ready: bool,
    /// Whether the play has ended.
    over: bool,
    /// The error with which the authors' implementation stopped.
    failure: Option<Failure>,
    terminal: Option<u64>,
    /// Whether the terminal condition was evaluated as false since the last satisfaction, so that it need not be evaluated again.
    goes_on: bool,
}

impl ReferenceMonitor {
    /// Creates a monitor for a game over a world.
    ///
    /// Like the authors' implementation, it does not check the program. Unknown types have no objects, and unknown predicates are
    /// true. If the authors' implementation would stop with an error, at creation or later, the report has no score.
    pub fn new(game: &Game, world: &World) -> Self {
        Self { machine: Machine::new(game, world).map(Box::new), states: 0, nothing: Work::new() }
    }
}

impl Monitor for ReferenceMonitor {
    fn work(&self) -> &Work {
        self.machine.as_ref().map_or(&self.nothing, |machine| &machine.evaluator.work)
    }

    fn step(&mut self, step: &Step<'_>) -> Verdict {
        let Ok(machine) = &mut self.machine else { return Verdict { done: true, ..Verdict::default() } };
        if machine.over {
            let score = machine.running_score();
            return Verdict { done: true, score, ready: machine.ready, ..Verdict::default() };
        }
        self.states += 1;
        let result = machine.step(step);
        machine.note(result);
        machine.verdict()
    }

    fn finish(&mut self, _: &State) -> Report {
        match &mut self.machine {
            Ok(machine) => {
                if self.states > 0 && !machine.over {
                    let result = machine.close();
                    machine.note(result);
                }
                machine.report(self.states)
            }
            Err(failure) => Report {
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
    fn new(game: &Game, world: &World) -> Result<Self, Failure> {
        let tables = Tables::new(world);
        let (program, mut remarks) = compile::compile(game, world, &tables)?;
        if game.terminal.as_ref().is_some_and(score::compares_totals) {
            remarks.push(String::from(
                "the authors' implementation supports neither `total-time` nor `total-score`: comparisons with them are false",
            ));
        }
        let memory = Memory { things: Things::new(world), buildings: Buildings::new(&tables), tables };
        let mut bindings_left = patterns::MAX_BINDINGS;
        let followers = (0..program.preferences.len())
            .map(|preference| Follower::new(&program, &memory, preference, &mut bindings_left));
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
            movements: Movements::new(memory.tables.len()),
            program,
            memory,
            remarks,
            step: 0,
            set_up: None,
            ready: false,
            over: false,
            failure: None,
            terminal: None,
            goes_on: false,
        })
    }

    fn step(&mut self, step: &Step<'_>) -> Result<(), Failure> {
        self.step += 1;
        let Memory { tables, things, buildings } = &mut self.memory;
        things.update(step, tables);
        buildings.update(step.mentioned, things, tables)?;
        self.ready = self.check_setup()?;
        if self.ready {
            self.set_up.get_or_insert(self.step);
        }
        self.over = step.last;
        if !self.ready {
            self.followers.iter_mut().for_each(Follower::skip);
            return Ok(());
        }
        self.movements.update(step, &self.memory, self.step);
        if !step.last && self.terminal_holds()? {
            self.terminal = Some(self.step);
            self.over = true;
        }
        self.look(self.over)
    }

    fn check_setup(&mut self) -> Result<bool, Failure> {
        let Some(setup) = &self.program.setup else { return Ok(true) };
        self.evaluator.begin_phase();
        let mut walk = SetupWalk {
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
    fn terminal_holds(&mut self) -> Result<bool, Failure> {
        let Some(terminal) = &self.game.terminal else { return Ok(false) };
        if !self.goes_on {
            let holds = self.scorer().terminal(terminal).map_err(|error| match error {
                NoScore::DivisionByZero(_) => Failure::new("division by zero in the terminal condition"),
                NoScore::Failure(failure) => failure,
            });
            self.goes_on = !holds?;
        }
        Ok(!self.goes_on)
    }

    fn look(&mut self, last: bool) -> Result<(), Failure> {
        self.evaluator.last = last;
        self.evaluator.begin_phase();
        let mut moment = Moment {
            program: &self.program,
            memory: &mut self.memory,
            evaluator: &mut self.evaluator,
            bindings: &mut self.bindings,
            bindings_left: &mut self.bindings_left,
            step: self.step,
        };
        for follower in &mut self.followers {
            follower.look(&mut moment, last)?;
            self.goes_on &= follower.newly_satisfied().is_empty();
        }
        Ok(())
    }

    /// Evaluates the current state again as the last state of the play.
    fn close(&mut self) -> Result<(), Failure> {
        self.over = true;
        if !self.ready {
            return Ok(());
        }
        self.evaluator.take_back();
        for follower in &mut self.followers {
            follower.take_back(&self.program);
        }
        self.look(true)
    }

    /// Records an error in the current state, which ends the play.
    fn note(&mut self, result: Result<(), Failure>) {
        if let Err(failure) = result {
            self.failure = Some(failure.in_state(self.step));
            self.over = true;
        }
    }

    fn scorer(&self) -> Scorer<'_> {
        Scorer::new(&self.program, &self.followers, &self.movements, &self.memory, &self.evaluator.work)
    }

    fn score(&self) -> Result<f64, ScoreError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone().into());
        }
        let score = match &self.game.scoring {
            Some(score) => self.scorer().score(score)?,
            None => 0.0,
        };
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
        Verdict { reward: score, score, ready: self.ready, done: self.over, satisfied }
    }

    fn running_score(&self) -> f64 {
        if self.over { self.score().unwrap_or(0.0) } else { 0.0 }
    }

    fn satisfaction(&self, preference: usize, found: &patterns::Satisfaction) -> Satisfaction {
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

    fn report(&self, states: u64) -> Report {
        let mut remarks = self.remarks.clone();
        remarks.extend(self.evaluator.remarks().iter().cloned());
        if states > 0 && !self.ready {
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
                dropped: 0,
                count: follower.satisfied().iter().map(|&mapping| follower.disjoint(mapping)).sum(),
                attempt: None,
            }
        });
        Report {
            score: if states == 0 { Err(ScoreError::NoStates) } else { self.score() },
            states,
            setup_met: self.set_up.is_some(),
            terminal: self.terminal,
            preferences: preferences.collect(),
            remarks,
        }
    }
}
