//! A run of a compiled game.

mod features;

use std::sync::Arc;

use glam::DVec3;
use goalspec_core::evaluate::Context;
use goalspec_core::ids::ObjectId;
use goalspec_core::limits::MAX_LISTED_SATISFACTIONS;
use goalspec_core::monitor::{
    ElapsedTime, GameMonitor, GameReport, PreferenceReport, Satisfaction, ScoreError, StateUpdate, UndefinedStates,
    Verdict,
};
use goalspec_core::movement::LocationHistory;
use goalspec_core::state::State;
use goalspec_core::work::WorkBudget;

use crate::compiled_game::{CompiledGame, CompiledPattern, CompiledPreference};
use crate::graph_evaluator::GraphEvaluator;
use crate::preference_matcher::{CompletedSatisfaction, MatchContext, PreferenceMatcher};
use crate::satisfaction_counter::{CountedSatisfaction, RunTally, SatisfactionCounter};
use crate::sequence::StateHistory;
use crate::setup::SetupMemory;

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
    preferences: Vec<PreferenceRun>,
    movement: Option<LocationHistory>,
    /// The number of movement log entries at which obsolete ones are removed next.
    movement_room: usize,
    /// The number of states so far.
    states: u32,
    elapsed: ElapsedTime,
    /// Whether the score or the terminal condition may have changed since they were last computed.
    dirty: bool,
    /// The score so far; 0 while it has no value.
    score: f64,
    /// The reason why the score has no value, once the setup has held.
    score_error: Option<ScoreError>,
    /// The states in which the score had no value.
    score_gaps: UndefinedStates,
    terminal_value: Result<bool, ScoreError>,
    /// The states in which the terminal condition had no value.
    terminal_gaps: UndefinedStates,
    terminal: Option<u32>,
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

/// One preference in a run: its matcher, its counter and its satisfactions.
#[derive(Debug, Clone)]
pub(crate) struct PreferenceRun {
    matcher: PreferenceMatcher,
    pub(crate) counter: SatisfactionCounter,
    records: SatisfactionLog,
}

/// The satisfactions of a preference, ordered by end, then start, then binding.
#[derive(Debug, Clone, Default)]
struct SatisfactionLog {
    list: Vec<SatisfactionEntry>,
    measures: Vec<f64>,
    /// For each record, the end of its measures; empty for preferences without measures.
    ends: Vec<usize>,
    /// The number of satisfactions found before the present state beyond those kept.
    dropped: u64,
    /// The number of records before the present state.
    old: usize,
}

/// Memory per satisfaction during a run, without its measures, in bytes.
pub(crate) const SATISFACTION_BYTES: u64 = size_of::<SatisfactionEntry>() as u64;

#[derive(Debug, Clone, Copy)]
struct SatisfactionEntry {
    holder: u32,
    start: u32,
    end: u32,
}

impl SatisfactionLog {
    /// Prepares for a new state: drops the records beyond those that are reported.
    fn begin(&mut self) {
        if let Some(excess) = self.list.len().checked_sub(MAX_LISTED_SATISFACTIONS) {
            self.dropped += excess as u64;
            self.truncate(MAX_LISTED_SATISFACTIONS);
        }
        self.old = self.list.len();
    }

    fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
        self.ends.truncate(len);
        self.measures.truncate(self.ends.last().map_or(0, |&end| end));
    }

    fn push(&mut self, compiled: &CompiledPreference, record: SatisfactionEntry, measures: &[f64]) {
        self.list.push(record);
        if !compiled.labels.is_empty() {
            self.measures.extend(measures);
            self.ends.push(self.measures.len());
        }
    }

    fn measures(&self, index: usize) -> &[f64] {
        let Some(&end) = self.ends.get(index) else { return &[] };
        let from = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.measures[from..end]
    }

    /// Returns the number of satisfactions that are reported.
    fn kept(&self) -> usize {
        self.list.len().min(MAX_LISTED_SATISFACTIONS)
    }

    /// Returns the number of satisfactions that are not reported.
    fn dropped(&self) -> u64 {
        self.dropped + (self.list.len() - self.kept()) as u64
    }
}

impl RunState {
    fn new(game: &CompiledGame, options: RunOptions) -> Self {
        let depth = |compiled: &CompiledPreference| match &compiled.pattern {
            CompiledPattern::Sequence { automaton, .. } => automaton.history_depth(),
            _ => 0,
        };
        let preference_run = |(compiled, required)| PreferenceRun {
            matcher: PreferenceMatcher::new(compiled, options.explain),
            counter: SatisfactionCounter::new(compiled, required),
            records: SatisfactionLog::default(),
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
            preferences: game.preferences.iter().zip(&game.counters.required).map(preference_run).collect(),
            movement: game.counters.positions().then(LocationHistory::default),
            movement_room: MIN_MOVEMENT_ROOM,
            states: 0,
            elapsed: ElapsedTime::default(),
            dirty: true,
            score: 0.0,
            score_error: None,
            score_gaps: UndefinedStates::default(),
            terminal_value: Ok(false),
            terminal_gaps: UndefinedStates::default(),
            terminal: None,
            done: false,
            ended: Vec::new(),
            work: WorkBudget::new(),
        }
    }

    /// Plays the current state. `replayed` is whether it was already played, but not as the last one.
    fn play(&mut self, game: &CompiledGame, state: &State, last: bool, replayed: bool) {
        self.dirty |= replayed;
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
                let matcher = &mut self.preferences[index].matcher;
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
            self.dirty |= memory.last_setup_state.is_none();
            memory.last_setup_state = Some(now);
        }
    }

    /// Matches one preference in the current state.
    fn match_preference(&mut self, game: &CompiledGame, ctx: &Context<'_>, index: usize, replayed: bool) {
        let compiled = &game.preferences[index];
        let preference_run = &mut self.preferences[index];
        let undoable = compiled.depends_on_last && !ctx.last;
        if replayed {
            preference_run.undo(game, compiled);
        } else {
            preference_run.begin(undoable);
        }
        if self.memory.setup_holds {
            let mut view = MatchContext { game, network: &mut self.network, ctx, history: &self.memory.history };
            preference_run.matcher.process_state(&mut view, compiled, index, self.states, undoable, &mut self.ended);
            self.record_satisfactions(game, index);
        }
    }

    /// Counts and records the satisfactions of a preference that end in the current state.
    fn record_satisfactions(&mut self, game: &CompiledGame, index: usize) {
        if self.ended.is_empty() {
            return;
        }
        let (compiled, required) = (&game.preferences[index], &game.counters.required[index]);
        self.dirty |= required.counted;
        let preference_run = &mut self.preferences[index];
        let now = self.states;
        let mut completed = std::mem::take(&mut self.ended);
        completed.sort_by_key(|completed| (completed.start, completed.holder));
        let mut stationary: Vec<(ObjectId, DVec3)> = Vec::new();
        for CompletedSatisfaction { holder, start, measures } in &completed {
            stationary.clear();
            if required.positions
                && let Some(movement) = &self.movement
            {
                let objects = compiled.holder_objects(&game.graph.domains, *holder).into_iter();
                let place = |object| Some((object, movement.stationary(object, u64::from(*start), u64::from(now))?));
                stationary.extend(objects.filter_map(place));
            }
            let event =
                CountedSatisfaction { holder: *holder, start: *start, end: now, measures, stationary: &stationary };
            preference_run.counter.add(game, compiled, required, &event);
            let record = SatisfactionEntry { holder: *holder as u32, start: *start, end: now };
            preference_run.records.push(compiled, record, measures);
        }
        completed.clear();
        self.ended = completed;
    }

    /// Plays the current state, ends the game if the terminal condition holds, and updates the score.
    fn run_state(&mut self, game: &CompiledGame, state: &State, last: bool, replayed: bool) {
        self.play(game, state, last, replayed);
        if let Some(terminal) = &game.game.terminal {
            if self.dirty || game.counters.terminal_needs_time {
                self.terminal_value = game.scoring.terminal(terminal, &self.tally(game));
            }
            match &self.terminal_value {
                Ok(true) => {
                    self.terminal = Some(self.states);
                    if !last {
                        self.network.mark_play(&game.graph);
                        self.play(game, state, true, true);
                    }
                }
                Ok(false) => {}
                Err(error) => self.terminal_gaps.add(u64::from(self.states), error),
            }
        }
        self.done = last || self.terminal.is_some() || self.states == MAX_STATES;
        if self.dirty || game.counters.score_needs_time {
            let score = self.score_now(game);
            self.score_error = score.as_ref().err().filter(|_| self.memory.last_setup_state.is_some()).cloned();
            self.score = score.unwrap_or(0.0);
            self.dirty = false;
        }
        if let Some(error) = &self.score_error {
            self.score_gaps.add(u64::from(self.states), error);
        }
    }

    fn score_now(&self, game: &CompiledGame) -> Result<f64, ScoreError> {
        if self.states == 0 {
            Err(ScoreError::NoStates)
        } else if self.memory.last_setup_state.is_none() {
            Err(ScoreError::SetupNeverMet)
        } else {
            game.scoring.score(&self.tally(game))
        }
    }

    fn tally<'a>(&'a self, game: &'a CompiledGame) -> RunTally<'a> {
        RunTally {
            game,
            preferences: &self.preferences,
            total_time: self.elapsed.seconds().unwrap_or(f64::from(self.states)),
            work: &self.work,
        }
    }

    /// Returns a satisfaction in the form of reports.
    fn satisfaction(&self, game: &CompiledGame, index: usize, record: usize) -> Satisfaction {
        let compiled = &game.preferences[index];
        let records = &self.preferences[index].records;
        let SatisfactionEntry { holder, start, end } = records.list[record];
        let objects = compiled.holder_objects(&game.graph.domains, holder as usize);
        let name = |(&variable, object)| (compiled.preference.scope.get(variable).name.clone(), object);
        Satisfaction {
            binding: compiled.variables.iter().zip(objects).map(name).collect(),
            start: u64::from(start),
            end: u64::from(end),
            measures: compiled.labels.iter().cycle().cloned().zip(records.measures(record).iter().copied()).collect(),
        }
    }

    fn preference_report(&self, game: &CompiledGame, index: usize) -> PreferenceReport {
        let compiled = &game.preferences[index];
        let PreferenceRun { matcher, counter, records, .. } = &self.preferences[index];
        let evaluated_state =
            if compiled.is_at_end() && !self.memory.setup_holds { None } else { self.memory.last_setup_state };
        PreferenceReport {
            name: compiled.preference.name.clone(),
            satisfactions: (0..records.kept()).map(|record| self.satisfaction(game, index, record)).collect(),
            unlisted: records.dropped(),
            count: counter.disjoint(),
            attempt: evaluated_state.filter(|_| !counter.any()).and_then(|last| matcher.attempt(game, compiled, last)),
        }
    }

    fn remarks(&self, game: &CompiledGame) -> Vec<String> {
        let mut remarks = Vec::new();
        for (compiled, preference_run) in game.preferences.iter().zip(&self.preferences) {
            let name = &compiled.preference.name;
            if let Some(reason) = &compiled.no_binding_reason {
                remarks.push(format!("`{name}` was not evaluated: {reason}"));
            } else if compiled.is_at_end() && self.memory.last_setup_state.is_some() && !self.memory.setup_holds {
                remarks.push(format!("`{name}` was not evaluated: the setup is not satisfied in the last state"));
            }
            let unlisted = preference_run.records.dropped();
            if unlisted > 0 {
                remarks.push(format!("{unlisted} further satisfactions of `{name}` are not listed"));
            }
        }
        remarks.extend(self.terminal_gaps.terminal_remark());
        remarks.extend(self.score_gaps.score_remark());
        if self.states == MAX_STATES && self.terminal.is_none() {
            remarks.push(format!("the play was truncated at the limit of {MAX_STATES} states"));
        }
        remarks
    }
}

impl PreferenceRun {
    /// Prepares for a new state.
    fn begin(&mut self, undoable: bool) {
        self.matcher.discard_undo();
        self.counter.checkpoint(undoable);
        self.records.begin();
    }

    /// Undoes the present state.
    fn undo(&mut self, game: &CompiledGame, compiled: &CompiledPreference) {
        self.matcher.undo();
        self.counter.undo(game, compiled);
        self.records.truncate(self.records.old);
    }
}

impl RunState {
    /// Removes the movement log entries that no future satisfaction can refer to.
    fn prune_movement_log(&mut self, game: &CompiledGame) {
        let Some(movement) = self.movement.as_mut().filter(|movement| movement.len() > self.movement_room) else {
            return;
        };
        let runs = game.preferences.iter().zip(&game.counters.required).zip(&self.preferences);
        let runs = runs.filter(|((_, required), _)| required.positions);
        let oldest =
            runs.map(|((compiled, _), preference_run)| preference_run.matcher.oldest(compiled, &self.memory.history));
        movement.discard_before(u64::from(oldest.min().unwrap_or(u32::MAX)));
        self.movement_room = MIN_MOVEMENT_ROOM.max(2 * movement.len());
    }

    fn step(&mut self, game: &CompiledGame, step: &StateUpdate<'_>) -> Verdict {
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
            movement.record_changes(&game.world, step.state, step.changes);
        }
        self.prune_movement_log(game);
        self.network.mark(&game.graph, step.changes);
        let last = step.last || self.states == MAX_STATES;
        if self.states <= 2 || last {
            self.network.mark_play(&game.graph);
        }
        let score_before = self.score;
        self.run_state(game, step.state, last, false);
        let mut satisfied = Vec::new();
        for (index, preference_run) in self.preferences.iter().enumerate() {
            for record in preference_run.records.old..preference_run.records.list.len() {
                satisfied.push((index, self.satisfaction(game, index, record)));
            }
        }
        Verdict {
            reward: self.score - score_before,
            score: self.score,
            setup_holds: self.memory.setup_holds,
            done: self.done,
            satisfied,
        }
    }

    fn finish(&mut self, game: &CompiledGame, state: &State) -> GameReport {
        if self.states > 0 && !self.done {
            // A state without a value is counted once, although it is played twice.
            if self.terminal_value.is_err() {
                self.terminal_gaps.remove_last();
            }
            if self.score_error.is_some() {
                self.score_gaps.remove_last();
            }
            self.network.mark_play(&game.graph);
            self.run_state(game, state, true, true);
        }
        GameReport {
            score: self.score_now(game),
            states: u64::from(self.states),
            setup_met: game.setup.is_none() || self.memory.last_setup_state.is_some(),
            terminal: self.terminal.map(u64::from),
            preferences: (0..self.preferences.len()).map(|index| self.preference_report(game, index)).collect(),
            remarks: self.remarks(game),
        }
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
        self.run.preferences[preference].matcher.attempt_progress()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn satisfactions_beyond_the_limit_are_counted_and_mentioned_once() {
        let record = SatisfactionEntry { holder: 0, start: 1, end: 1 };
        let list = vec![record; MAX_LISTED_SATISFACTIONS - 1];
        let mut records = SatisfactionLog { list, ..SatisfactionLog::default() };
        records.begin();
        records.list.extend([record; 3]);
        // During the state itself, all three are available to be reported.
        assert_eq!(records.list.len() - records.old, 3);
        assert_eq!((records.kept(), records.dropped()), (MAX_LISTED_SATISFACTIONS, 2));
        records.begin();
        assert_eq!((records.kept(), records.dropped()), (MAX_LISTED_SATISFACTIONS, 2));
        records.list.push(record);
        assert_eq!((records.kept(), records.dropped()), (MAX_LISTED_SATISFACTIONS, 3));
        // An undone state leaves no records.
        records.truncate(records.old);
        assert_eq!((records.kept(), records.dropped()), (MAX_LISTED_SATISFACTIONS, 2));
    }

    #[test]
    fn measures_go_with_their_records() {
        let record = SatisfactionEntry { holder: 0, start: 1, end: 1 };
        let mut records = SatisfactionLog::default();
        for measures in [&[1.0, 2.0][..], &[], &[3.0]] {
            records.list.push(record);
            records.measures.extend(measures);
            records.ends.push(records.measures.len());
        }
        let all = |records: &SatisfactionLog| {
            (0..records.list.len()).map(|at| records.measures(at).to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(all(&records), [vec![1.0, 2.0], vec![], vec![3.0]]);
        records.truncate(2);
        assert_eq!((all(&records), &records.measures[..]), (vec![vec![1.0, 2.0], vec![]], &[1.0, 2.0][..]));
        records.truncate(0);
        assert_eq!((records.list.len(), records.measures.len()), (0, 0));
    }
}
