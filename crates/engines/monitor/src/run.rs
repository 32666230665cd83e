//! A run of a compiled game.

mod features;
mod observation;

use std::sync::Arc;

use goalspec_core::evaluate::Context;
use goalspec_core::monitor::{ElapsedTime, GameMonitor, GameReport, PreferenceReport, StateUpdate, Verdict};
use goalspec_core::movement::LocationHistory;
use goalspec_core::state::State;
use goalspec_core::work::WorkBudget;

use crate::compiled_game::{CompiledGame, CompiledPattern, CompiledPreference};
use crate::graph_evaluator::GraphEvaluator;
use crate::preference_matcher::{CompletedSatisfaction, MatchContext, PreferenceMatcher};
use crate::results::{GameResults, SetupOutcome};
use crate::satisfaction_counter::RunTally;
use crate::sequence::StateHistory;
use crate::setup::SetupMemory;
use crate::tally::PreferenceTally;

pub(crate) use features::FeatureSource;
pub use features::{GameFeatures, MAX_BINDING_FEATURES};

/// Maximum number of states of a run; the run ends with the state of this number.
pub const MAX_STATES: u32 = u32::MAX - 1;

/// Minimum number of movement log entries at which obsolete ones are removed.
const MIN_MOVEMENT_ROOM: usize = 1 << 12;

/// Choices of semantics and bookkeeping for one evaluation of a game over a trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Whether to track the progress of unsatisfied preferences, for [`PreferenceReport::attempt`].
    pub explain: bool,
}

/// A run of a [`CompiledGame`] over a trace.
#[derive(Debug, Clone)]
pub struct GameRun {
    compiled: Arc<CompiledGame>,
    run: RunState,
}

#[derive(Debug, Clone)]
struct RunState {
    network: GraphEvaluator,
    memory: SetupProgress,
    /// The memory before the present state, kept if the setup may depend on whether that state is the last.
    before: Option<Box<SetupProgress>>,
    matchers: Vec<PreferenceMatcher>,
    /// The satisfactions of each preference, and their counts.
    tallies: Vec<PreferenceTally>,
    movement: Option<LocationHistory>,
    /// The number of movement log entries at which obsolete ones are removed next.
    movement_room: usize,
    /// The number of states so far.
    states: u32,
    elapsed: ElapsedTime,
    /// The score and the end of the game.
    results: GameResults,
    done: bool,
    ended: Vec<CompletedSatisfaction>,
    work: WorkBudget,
}

/// The state of the setup, and the recent states in which it held.
#[derive(Debug, Clone)]
struct SetupProgress {
    setup: SetupMemory,
    /// Whether the setup holds in the latest state.
    setup_holds: bool,
    /// The last state in which the setup held.
    last_setup_state: Option<u32>,
    history: StateHistory,
}

impl RunState {
    fn new(game: &CompiledGame, options: RunOptions) -> Self {
        let depth = |compiled: &CompiledPreference| match &compiled.pattern {
            CompiledPattern::Sequence { automaton, .. } => automaton.history_depth(),
            _ => 0,
        };
        Self {
            network: GraphEvaluator::new(&game.graph, game.listeners),
            memory: SetupProgress {
                setup: game.setup.as_ref().map(super::setup::CompiledSetup::memory).unwrap_or_default(),
                setup_holds: game.setup.is_none(),
                last_setup_state: None,
                history: StateHistory::new(game.preferences.iter().map(depth).max().unwrap_or(0)),
            },
            before: None,
            matchers: game.preferences.iter().map(|of| PreferenceMatcher::new(of, options.explain)).collect(),
            tallies: PreferenceTally::all(game),
            movement: game.counters.positions().then(LocationHistory::default),
            movement_room: MIN_MOVEMENT_ROOM,
            states: 0,
            elapsed: ElapsedTime::default(),
            results: GameResults::default(),
            done: false,
            ended: Vec::new(),
            work: WorkBudget::new(),
        }
    }

    /// Plays the current state. `replayed` is whether it was already played, but not as the last one.
    fn play(&mut self, game: &CompiledGame, state: &State, last: bool, replayed: bool) {
        self.results.is_outdated |= replayed;
        self.evaluate_setup(game, state, last, replayed);
        // Moved out temporarily, so that the context can borrow it while everything else changes.
        let settled = std::mem::take(&mut self.memory.setup.settled);
        let work = std::mem::take(&mut self.work);
        let first = self.states == 1;
        let ctx = Context { world: &game.world, state, first, last, setup_objects: &settled, work: Some(&work) };
        for (index, compiled) in game.preferences.iter().enumerate() {
            if !replayed || compiled.depends_on_last {
                self.match_preference(game, &ctx, index, replayed);
            }
        }
        if last {
            self.network.mark_end_only(&game.graph);
            for (index, compiled) in game.preferences.iter().enumerate() {
                let mut view =
                    MatchContext { game, network: &mut self.network, ctx: &ctx, history: &self.memory.history };
                let matcher = &mut self.matchers[index];
                matcher.process_end(&mut view, compiled, self.states, self.memory.setup_holds, &mut self.ended);
                self.record_satisfactions(game, index);
            }
        }
        self.memory.setup.settled = settled;
        self.work = work;
    }

    /// Determines whether the setup holds in the current state.
    fn evaluate_setup(&mut self, game: &CompiledGame, state: &State, last: bool, replayed: bool) {
        let Self { network, memory, .. } = self;
        let now = self.states;
        let depends_on_last = game.setup.as_ref().is_some_and(|setup| setup.depends_on_last);
        if replayed && !depends_on_last {
            return;
        }
        if replayed {
            if let Some(before) = self.before.take() {
                *memory = *before;
            }
        } else if depends_on_last && !last {
            self.before = Some(Box::new(memory.clone()));
        }
        if let Some(setup) = &game.setup
            && network.take_woken(game.preferences.len()) | replayed
        {
            let settled = memory.setup.settled.clone();
            let work = Some(&self.work);
            let ctx = Context { world: &game.world, state, first: now == 1, last, setup_objects: &settled, work };
            memory.setup_holds = setup.holds(&game.graph, network, &ctx, &mut memory.setup);
            if memory.setup.settled != settled {
                network.mark_play(&game.graph);
            }
        }
        if memory.setup_holds {
            memory.history.push(now);
            self.results.is_outdated |= memory.last_setup_state.is_none();
            memory.last_setup_state = Some(now);
        }
    }

    /// Matches one preference in the current state.
    fn match_preference(&mut self, game: &CompiledGame, ctx: &Context<'_>, index: usize, replayed: bool) {
        let compiled = &game.preferences[index];
        let (matcher, tally) = (&mut self.matchers[index], &mut self.tallies[index]);
        let undoable = compiled.depends_on_last && !ctx.last;
        if replayed {
            matcher.undo();
            tally.undo(game, compiled);
        } else {
            matcher.begin();
            tally.begin(undoable);
        }
        if self.memory.setup_holds {
            let mut view = MatchContext { game, network: &mut self.network, ctx, history: &self.memory.history };
            matcher.process_state(&mut view, compiled, index, self.states, undoable, &mut self.ended);
            self.record_satisfactions(game, index);
        }
    }

    /// Counts and records the satisfactions of a preference that end in the current state.
    fn record_satisfactions(&mut self, game: &CompiledGame, index: usize) {
        if self.ended.is_empty() {
            return;
        }
        self.results.is_outdated |= game.counters.required[index].counted;
        self.tallies[index].record(game, index, self.states, self.movement.as_ref(), &mut self.ended);
    }

    /// Plays the current state, ends the game if the terminal condition holds, and updates the score.
    fn run_state(&mut self, game: &CompiledGame, state: &State, last: bool, replayed: bool) {
        self.play(game, state, last, replayed);
        let elapsed = self.elapsed;
        let tally = RunTally::new(game, &self.tallies, elapsed, self.states, &self.work);
        if self.results.update_end(game, &tally, self.states) && !last {
            self.network.mark_play(&game.graph);
            self.play(game, state, true, true);
        }
        self.done = last || self.results.ended_in.is_some() || self.states == MAX_STATES;
        let tally = RunTally::new(game, &self.tallies, elapsed, self.states, &self.work);
        self.results.update_score(game, &tally, self.states, self.memory.last_setup_state);
    }

    fn preference_report(&self, game: &CompiledGame, index: usize) -> PreferenceReport {
        let (compiled, tally) = (&game.preferences[index], &self.tallies[index]);
        let evaluated_state =
            if compiled.is_at_end() && !self.memory.setup_holds { None } else { self.memory.last_setup_state };
        let attempt = evaluated_state.filter(|_| !tally.counter.any());
        let attempt = attempt.and_then(|last| self.matchers[index].attempt(game, compiled, last));
        PreferenceReport { attempt, ..tally.report(game, compiled) }
    }

    /// Removes the movement log entries that no future satisfaction can refer to.
    fn prune_movement_log(&mut self, game: &CompiledGame) {
        let Some(movement) = self.movement.as_mut().filter(|movement| movement.len() > self.movement_room) else {
            return;
        };
        let runs = game.preferences.iter().zip(&game.counters.required).zip(&self.matchers);
        let runs = runs.filter(|((_, required), _)| required.positions);
        let oldest = runs.map(|((compiled, _), matcher)| matcher.oldest(compiled, &self.memory.history));
        movement.discard_before(u64::from(oldest.min().unwrap_or(u32::MAX)));
        self.movement_room = MIN_MOVEMENT_ROOM.max(2 * movement.len());
    }

    fn step(&mut self, game: &CompiledGame, step: &StateUpdate<'_>) -> Verdict {
        if self.done {
            return Verdict {
                score: self.results.score,
                setup_holds: self.memory.setup_holds,
                done: true,
                ..Verdict::default()
            };
        }
        self.states += 1;
        self.elapsed.advance(step.time);
        if let Some(movement) = &mut self.movement {
            movement.record_changes(&game.world, step.state, step.changes);
        }
        self.prune_movement_log(game);
        self.network.mark(&game.graph, step.changes);
        let last = step.last || self.states == MAX_STATES;
        if self.states <= 2 || last {
            self.network.mark_play(&game.graph);
        }
        let score_before = self.results.score;
        self.run_state(game, step.state, last, false);
        let mut satisfied = Vec::new();
        for (index, (compiled, tally)) in game.preferences.iter().zip(&self.tallies).enumerate() {
            satisfied.extend(tally.new_satisfactions(game, compiled).map(|found| (index, found)));
        }
        Verdict {
            reward: self.results.score - score_before,
            score: self.results.score,
            setup_holds: self.memory.setup_holds,
            done: self.done,
            satisfied,
        }
    }

    fn finish(&mut self, game: &CompiledGame, state: &State) -> GameReport {
        if self.states > 0 && !self.done {
            self.results.remove_latest_state();
            self.network.mark_play(&game.graph);
            self.run_state(game, state, true, true);
        }
        let tally = RunTally::new(game, &self.tallies, self.elapsed, self.states, &self.work);
        let setup = SetupOutcome { latest: self.memory.last_setup_state, holds: self.memory.setup_holds };
        let preferences = (0..self.tallies.len()).map(|index| self.preference_report(game, index)).collect();
        self.results.report(game, &tally, self.states, setup, preferences)
    }
}

impl GameRun {
    pub(crate) fn new(game: Arc<CompiledGame>, options: RunOptions) -> Self {
        let run = RunState::new(&game, options);
        Self { compiled: game, run }
    }

    /// Returns the compiled game.
    pub fn compiled(&self) -> &Arc<CompiledGame> {
        &self.compiled
    }
}

impl GameMonitor for GameRun {
    fn work(&self) -> &WorkBudget {
        &self.run.work
    }

    fn step(&mut self, step: &StateUpdate<'_>) -> Verdict {
        self.run.step(&self.compiled, step)
    }

    fn finish(&mut self, state: &State) -> GameReport {
        self.run.finish(&self.compiled, state)
    }

    fn attempt_progress(&self, preference: usize) -> f64 {
        self.run.matchers[preference].attempt_progress()
    }
}
