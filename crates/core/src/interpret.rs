//! The reference interpreter of games: slow, obvious, complete.
//!
//! It defines the semantics of programs. In each state it visits all bindings of all preferences and recomputes all counts. Everything that
//! it carries over from state to state is in one structure, which it copies before each state, so that a state can be undone and replayed
//! as the last one.
//!
//!  module | contents |
//! |---|---|
//!  `bindings` | the bindings of a preference, numbered in order |
//! | `sequence` | matching a sequence of phases for one binding |
//! | `formula` | formulas over finite traces |
//!  `preference` | the matcher of one preference: all its bindings, groups of `Forall`, the furthest attempt |
//!  `setup` | the evaluation of the setup and its locked objects |

mod bindings;
mod formula;
mod preference;
mod sequence;
pub(crate) mod setup;

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use self::preference::{Interval, PreferenceMatcher, Progress};
use self::setup::SetupProgress;
use crate::condition::{Condition, Scope};
use crate::evaluate::{self, Bindings, Context};
use crate::evaluation_cost;
use crate::ids::{ObjectId, PreferenceId};
use crate::limits::{MAX_BINDINGS, MAX_LISTED_SATISFACTIONS};
use crate::monitor::{
    ElapsedTime, GameMonitor, GameReport, MonitorError, PreferenceReport, Satisfaction, ScoreError, StateUpdate,
    UndefinedStates, Verdict,
};
use crate::movement::LocationHistory;
use crate::program::{CountOperator, Game};
use crate::score::records::{self, SatisfactionList, SatisfactionRecord};
use crate::score::{self, ScoreEvaluator};
use crate::state::State;
use crate::work::WorkBudget;
use crate::world::World;

/// Whether a condition holds in a state. It is false while an object that it refers to by name is absent.
///
/// # Panics
/// If the condition uses variables that are not in the scope, or ids that are not in the world.
pub fn goal_holds(ctx: &Context<'_>, scope: &Scope, condition: &Condition) -> bool {
    holds_if_present(ctx, condition, &condition.named_objects(), &mut Bindings::new(scope))
}

/// Whether a condition holds and all objects in `named`, which it refers to by name, are present.
pub(crate) fn holds_if_present(
    ctx: &Context<'_>,
    condition: &Condition,
    named: &[ObjectId],
    bindings: &mut Bindings<'_>,
) -> bool {
    named.iter().all(|&object| ctx.state.is_present(object)) && evaluate::condition(ctx, condition, bindings)
}

/// A monitor of a game that uses the reference semantics.
///
/// Memory and time per state grow with the number of satisfactions so far.
#[derive(Debug, Clone)]
pub struct GameInterpreter {
    world: Arc<World>,
    game: Arc<Game>,
    scoring: ScoreEvaluator,
    watches: Vec<PreferenceMatcher>,
    /// The location history of objects, if the score or the terminal condition needs it.
    movement: Option<LocationHistory>,
    /// The number of states so far.
    states: u64,
    elapsed: ElapsedTime,
    memory: RunState,
    /// The memory before the last state.
    before: RunState,
    /// For each preference, all satisfactions so far.
    satisfactions: Vec<Vec<SatisfactionRecord>>,
    /// For each preference, the truth of its formula's conditions in each state in which the setup held; empty rows for other patterns.
    rows: Vec<Vec<FixedBitSet>>,
    score: f64,
    terminal: Option<u64>,
    done: bool,
    work: WorkBudget,
}

/// Everything that processing a state changes.
#[derive(Debug, Clone, Default)]
struct RunState {
    setup: SetupProgress,
    /// Whether the setup holds in the latest state.
    setup_holds: bool,
    /// The number of states in which the setup held, and the last of them.
    setup_states: usize,
    last_setup_state: Option<u64>,
    progress: Vec<Progress>,
    /// For each preference, the number of satisfactions.
    satisfactions: Vec<usize>,
    /// The states in which the terminal condition had no value.
    open_terminal: UndefinedStates,
    /// The states, from the first in which the setup held, in which the score had no value.
    open_score: UndefinedStates,
}

impl GameInterpreter {
    /// Creates a monitor before the first state.
    ///
    /// # Errors
    /// If a preference or the setup exceeds the limit on bindings or on assignments.
    ///
    /// # Panics
    /// If the game contains ids that are not in the world.
    pub fn new(world: impl Into<Arc<World>>, game: impl Into<Arc<Game>>) -> Result<Self, MonitorError> {
        Self::with_max_bindings(world, game, MAX_BINDINGS)
    }

    /// Creates a monitor before the first state, with a lower limit on the bindings of each preference and of the setup.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Panics
    /// If the game contains ids that are not in the world.
    pub fn with_max_bindings(
        world: impl Into<Arc<World>>,
        game: impl Into<Arc<Game>>,
        max_bindings: u64,
    ) -> Result<Self, MonitorError> {
        let (world, game, limit) = (world.into(), game.into(), max_bindings.min(MAX_BINDINGS));
        if let Some(program) = &game.setup {
            setup::check_size(&world, program, limit)?;
            evaluation_cost::check_setup(&world, program)?;
        }
        let matchers: Vec<_> = game
            .preferences
            .iter()
            .map(|preference| PreferenceMatcher::new(&world, Arc::clone(preference), limit))
            .collect::<Result<_, _>>()?;
        let memory = RunState {
            progress: vec![Progress::default(); matchers.len()],
            satisfactions: vec![0; matchers.len()],
            ..RunState::default()
        };
        Ok(Self {
            scoring: ScoreEvaluator::new(&world, Arc::clone(&game)),
            movement: uses_positions(&game).then(LocationHistory::default),
            world,
            game,
            states: 0,
            elapsed: ElapsedTime::default(),
            before: memory.clone(),
            memory,
            satisfactions: vec![Vec::new(); matchers.len()],
            rows: vec![Vec::new(); matchers.len()],
            watches: matchers,
            score: 0.0,
            terminal: None,
            done: false,
            work: WorkBudget::new(),
        })
    }

    /// Processes the current state, and ends the game if the terminal condition holds.
    fn run_state(&mut self, state: &State, last: bool) {
        self.play(state, last);
        if let Some(terminal) = &self.game.terminal {
            match self.scoring.terminal(terminal, &self.tally()) {
                Ok(true) => {
                    self.terminal = Some(self.states);
                    if !last {
                        self.play(state, true);
                    }
                }
                Ok(false) => {}
                Err(error) => self.memory.open_terminal.add(self.states, &error),
            }
        }
        self.done = last || self.terminal.is_some();
        let score = self.score_now();
        if let Err(error) = &score
            && self.memory.last_setup_state.is_some()
        {
            self.memory.open_score.add(self.states, error);
        }
        self.score = score.unwrap_or(0.0);
    }

    /// Undoes the effects of the current state, if it was processed before, and processes it.
    fn play(&mut self, state: &State, last: bool) {
        self.memory = self.before.clone();
        for (list, &count) in self.satisfactions.iter_mut().zip(&self.before.satisfactions) {
            list.truncate(count);
        }
        self.rows.iter_mut().for_each(|rows| rows.truncate(self.before.setup_states));

        let now = self.states;
        let no_objects = FixedBitSet::new();
        let world = Arc::clone(&self.world);
        // Moved out while the context borrows it.
        let work = std::mem::take(&mut self.work);
        let ctx =
            Context { world: &world, state, first: now == 1, last, setup_objects: &no_objects, work: Some(&work) };
        self.memory.setup_holds = match &self.game.setup {
            Some(program) => self.memory.setup.advance(&ctx, program),
            None => true,
        };
        if self.memory.setup_holds {
            self.memory.setup_states += 1;
            self.memory.last_setup_state = Some(now);
            let setup = self.memory.setup.setup_objects().clone();
            let ctx = Context { setup_objects: &setup, ..ctx };
            for index in 0..self.watches.len() {
                let (found, row) = self.watches[index].step(&ctx, now, &mut self.memory.progress[index]);
                self.rows[index].push(row);
                self.keep(index, found);
            }
        }
        if last {
            for index in 0..self.watches.len() {
                let found =
                    self.watches[index].finish_formula(&self.rows[index], now, &mut self.memory.progress[index]);
                self.keep(index, found);
            }
        }
        self.memory.satisfactions = self.satisfactions.iter().map(Vec::len).collect();
        self.work = work;
    }

    /// Adds satisfactions that end in the current state to the list, in order.
    fn keep(&mut self, preference: usize, found: Vec<(u64, Interval)>) {
        let watch = &self.watches[preference];
        let mut records: Vec<SatisfactionRecord> = found
            .into_iter()
            .map(|(number, Interval { start, end, measures })| {
                let binding = watch.binding(number);
                let place =
                    |&object: &ObjectId| Some((object, self.movement.as_ref()?.stationary(object, start, end)?));
                let stationary = binding.iter().filter_map(place).collect();
                SatisfactionRecord { binding, start, end, measures, stationary }
            })
            .collect();
        records.sort_by(|a, b| (a.start, &a.binding).cmp(&(b.start, &b.binding)));
        self.satisfactions[preference].extend(records);
    }

    fn tally(&self) -> SatisfactionList<'_> {
        SatisfactionList {
            world: &self.world,
            game: &self.game,
            satisfactions: &self.satisfactions,
            total_time: self.elapsed.seconds().unwrap_or(self.states as f64),
            work: &self.work,
        }
    }

    fn score_now(&self) -> Result<f64, ScoreError> {
        if self.states == 0 {
            Err(ScoreError::NoStates)
        } else if self.memory.last_setup_state.is_none() {
            Err(ScoreError::SetupNeverMet)
        } else {
            self.scoring.score(&self.tally())
        }
    }

    /// Converts a satisfaction to the form used in reports.
    fn satisfaction(&self, preference: usize, record: &SatisfactionRecord) -> Satisfaction {
        let PreferenceMatcher { preference, space, labels, .. } = &self.watches[preference];
        let name = |(&variable, &object)| (preference.scope.get(variable).name.clone(), object);
        Satisfaction {
            binding: space.variables.iter().zip(&record.binding).map(name).collect(),
            start: record.start,
            end: record.end,
            measures: labels.iter().cycle().cloned().zip(record.measures.iter().copied()).collect(),
        }
    }

    fn preference_report(&self, index: usize) -> PreferenceReport {
        let records = &self.satisfactions[index];
        let kept = records.len().min(MAX_LISTED_SATISFACTIONS);
        let matcher = &self.watches[index];
        let evaluated_state =
            if matcher.is_at_end() && !self.memory.setup_holds { None } else { self.memory.last_setup_state };
        PreferenceReport {
            name: matcher.preference.name.clone(),
            satisfactions: records[..kept].iter().map(|record| self.satisfaction(index, record)).collect(),
            unlisted: (records.len() - kept) as u64,
            count: records::disjoint(&records.iter().collect::<Vec<_>>()).count() as u64,
            attempt: evaluated_state
                .filter(|_| records.is_empty())
                .and_then(|last| matcher.attempt(&self.memory.progress[index], last)),
        }
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        for (watch, records) in self.watches.iter().zip(&self.satisfactions) {
            let name = &watch.preference.name;
            if let Some(reason) = no_binding_reason(watch) {
                remarks.push(format!("`{name}` was not evaluated: {reason}"));
            } else if watch.is_at_end() && self.memory.last_setup_state.is_some() && !self.memory.setup_holds {
                remarks.push(format!("`{name}` was not evaluated: the setup is not satisfied in the last state"));
            }
            if let Some(unlisted) = records.len().checked_sub(MAX_LISTED_SATISFACTIONS).filter(|&unlisted| unlisted > 0)
            {
                remarks.push(format!("{unlisted} further satisfactions of `{name}` are not listed"));
            }
        }
        remarks.extend(self.memory.open_terminal.terminal_remark());
        remarks.extend(self.memory.open_score.score_remark());
        remarks
    }
}

impl GameMonitor for GameInterpreter {
    fn work(&self) -> &WorkBudget {
        &self.work
    }

    fn step(&mut self, step: &StateUpdate<'_>) -> Verdict {
        if self.done {
            return Verdict {
                score: self.score,
                setup_holds: self.memory.setup_holds,
                done: true,
                ..Verdict::default()
            };
        }
        self.states += 1;
        self.elapsed.advance(step.time);
        if let Some(movement) = &mut self.movement {
            movement.record(&self.world, step.state);
        }
        let score_before = self.score;
        self.before = self.memory.clone();
        self.run_state(step.state, step.last);
        let mut satisfied = Vec::new();
        for (index, records) in self.satisfactions.iter().enumerate() {
            let new = &records[self.before.satisfactions[index]..];
            satisfied.extend(new.iter().map(|record| (index, self.satisfaction(index, record))));
        }
        Verdict {
            reward: self.score - score_before,
            score: self.score,
            setup_holds: self.memory.setup_holds,
            done: self.done,
            satisfied,
        }
    }

    fn finish(&mut self, state: &State) -> GameReport {
        if self.states > 0 && !self.done {
            self.run_state(state, true);
        }
        GameReport {
            score: self.score_now(),
            states: self.states,
            setup_met: self.game.setup.is_none() || self.memory.last_setup_state.is_some(),
            terminal: self.terminal,
            preferences: (0..self.watches.len()).map(|index| self.preference_report(index)).collect(),
            remarks: self.remarks(),
        }
    }

    fn attempt_progress(&self, preference: usize) -> f64 {
        self.watches[preference].attempt_progress(&self.memory.progress[preference])
    }
}

/// Whether the score or the terminal condition uses a count by position.
fn uses_positions(game: &Game) -> bool {
    let mut asked = false;
    let mut look = |kind, _: PreferenceId| {
        asked |= matches!(kind, CountOperator::UniquePositions | CountOperator::SamePositions);
    };
    score::visit_counts(&game.score, &mut look);
    if let Some(terminal) = &game.terminal {
        score::visit_scores(terminal, &mut |part| score::visit_counts(part, &mut look));
    }
    asked
}

/// Returns the reason why a preference has no binding, if it has none.
fn no_binding_reason(watch: &PreferenceMatcher) -> Option<String> {
    let variable = |index: usize| -> &Arc<str> { &watch.preference.scope.get(watch.space.variables[index]).name };
    if let Some(empty) = watch.space.domains.iter().position(Vec::is_empty) {
        Some(format!("the world has no object for `{}`", variable(empty)))
    } else if watch.space.all().next().is_none() {
        Some("the world has too few objects to bind all variables to different objects".to_owned())
    } else {
        None
    }
}
