//! Runs of one game in many environments whose states are rows of numbers, evaluated side by side.
//!
//! The truth vectors of an environment lie beside those of the next, and so do its attempts and results, so that a step of all environments
//! passes through memory once. Conditions are compiled to tests of columns: a step evaluates the points that read a number that changed, the
//! nodes above them, and the sequences that these concern. No state of the world is kept.

mod column_test;
mod plan;

use std::sync::Arc;

use goalspec_core::monitor::{ElapsedTime, GameReport};
use goalspec_core::state_part::StatePart;
use goalspec_core::work::WorkBudget;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use self::plan::{Changes, Plan};
use crate::bits;
use crate::compiled_game::{CompiledGame, CompiledPattern, CompiledPreference};
use crate::graph::{Graph, NodeId};
use crate::preference_matcher::{CompletedSatisfaction, ForallGroup, add_satisfaction};
use crate::results::{GameResults, SetupOutcome};
use crate::run::{FeatureSource, GameFeatures, MAX_STATES};
use crate::satisfaction_counter::RunTally;
use crate::sequence::{Letters, SequenceMatcher, StateHistory};
use crate::tally::PreferenceTally;

/// Runs of a game in many environments, each of which is stepped with rows of numbers. They give the same results as a
/// [`GameRun`](crate::GameRun) for each environment.
#[derive(Debug, Clone)]
pub struct GameBatch {
    game: Arc<CompiledGame>,
    plan: Arc<Plan>,
    /// The latest row of each environment.
    rows: Vec<f64>,
    /// The truth vectors of each environment.
    memory: Vec<u64>,
    /// For each preference with a sequence, the attempts, a block for each environment.
    sequences: Vec<Option<SequenceMatcher>>,
    /// For each environment and preference, whether another state with the same truth values would change nothing.
    quiet: Vec<bool>,
    environments: Vec<Environment>,
    /// For each environment and preference.
    tallies: Vec<PreferenceTally>,
    /// For each environment and preference with a `Forall`, the groups by binding of the external variables.
    groups: Vec<FxHashMap<usize, ForallGroup>>,
    scratch: Scratch,
}

/// The run of one environment.
#[derive(Debug, Clone, Default)]
struct Environment {
    /// The number of states so far.
    states: u32,
    /// The score in the latest state.
    score: f64,
    /// Whether the game had ended in the latest state, or that was known to be the last.
    done: bool,
    /// Whether further states change nothing: after the end of the game or the episode.
    is_over: bool,
    results: GameResults,
}

/// The memory of single steps, kept between them.
#[derive(Debug, Clone)]
struct Scratch {
    changes: Changes,
    history: StateHistory,
    ended: Vec<CompletedSatisfaction>,
}

/// The result of a step of one environment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepResult {
    /// The change of the score.
    pub reward: f64,
    /// The score so far.
    pub score: f64,
    /// Whether the game has ended.
    pub done: bool,
}

/// The letters of a sequence, in the truth vectors of one environment.
struct MemoryLetters<'m> {
    graph: &'m Graph,
    memory: &'m [u64],
    letters: &'m [NodeId],
}

impl Letters for MemoryLetters<'_> {
    fn prepare(&mut self, _: u32) {}

    fn letter(&self, letter: u32) -> &[u64] {
        &self.memory[self.graph.node(self.letters[letter as usize]).range()]
    }

    fn measure(&self, _: usize, _: usize) -> f64 {
        f64::NAN
    }
}

impl GameBatch {
    /// Creates runs before their first states, whose rows have columns for these parts. `None` if the game has a setup, a formula, a measure,
    /// positions, or a condition that depends on the first or the last state or on computed relations of columns.
    pub fn new(game: &Arc<CompiledGame>, parts: &[StatePart], count: usize) -> Option<Self> {
        let plan = Plan::new(game, parts)?;
        let sequence = |compiled: &CompiledPreference| match &compiled.pattern {
            CompiledPattern::Sequence { automaton, .. } => {
                Some(SequenceMatcher::of_blocks(automaton, compiled.bindings(), count))
            }
            _ => None,
        };
        let depth = game.preferences.iter().map(|compiled| match &compiled.pattern {
            CompiledPattern::Sequence { automaton, .. } => automaton.history_depth(),
            _ => 0,
        });
        let scratch = Scratch {
            changes: Changes::new(game),
            history: StateHistory::new(depth.max().unwrap_or(0)),
            ended: Vec::new(),
        };
        let preferences = game.preferences.len();
        Some(Self {
            rows: vec![0.0; count * plan.width],
            memory: plan.initial.repeat(count),
            sequences: game.preferences.iter().map(sequence).collect(),
            quiet: vec![false; count * preferences],
            environments: vec![Environment::default(); count],
            tallies: std::iter::repeat_n(PreferenceTally::all(game), count).flatten().collect(),
            groups: vec![FxHashMap::default(); count * preferences],
            scratch,
            game: Arc::clone(game),
            plan: Arc::new(plan),
        })
    }

    /// Returns an upper bound on the [work](goalspec_core::work) for a state of one environment, in units.
    pub fn work_per_state(&self) -> u64 {
        self.plan.work
    }

    /// Returns the number of states of an environment since its start or its last reset.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn states(&self, environment: usize) -> u32 {
        self.environments[environment].states
    }

    /// Returns the score of an environment in its latest state, 0 before the first, and whether its game or episode is over.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn outcome(&self, environment: usize) -> (f64, bool) {
        let run = &self.environments[environment];
        (run.score, run.is_over)
    }

    /// Returns the row of the latest state of an environment; `None` before the first.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn latest_row(&self, environment: usize) -> Option<&[f64]> {
        let width = self.plan.width;
        (self.environments[environment].states > 0).then(|| &self.rows[environment * width..][..width])
    }

    /// Processes the next state of an environment. `last` is whether it is known to be the last one of the episode. After the end of a game
    /// or an episode, further states change nothing and have no reward. The number of satisfactions of each preference that end in the state
    /// is written to `satisfied`.
    ///
    /// # Panics
    /// If there is no such environment, or the length of the row or of `satisfied` is wrong.
    pub fn step(&mut self, environment: usize, row: &[f64], last: bool, satisfied: &mut [u32]) -> StepResult {
        assert_eq!(
            (row.len(), satisfied.len()),
            (self.plan.width, self.game.preferences.len()),
            "the columns and preferences"
        );
        satisfied.fill(0);
        let run = &mut self.environments[environment];
        if run.is_over {
            return StepResult { reward: 0.0, score: run.score, done: run.done };
        }
        run.states += 1;
        let (now, before) = (run.states, run.score);
        self.evaluate(environment, row);
        self.match_sequences(environment, satisfied);
        let last = last || now == MAX_STATES;
        if last {
            self.match_end(environment, satisfied);
        }
        if self.update_end(environment) && !last {
            self.environments[environment].results.is_outdated = true;
            self.match_end(environment, satisfied);
        }
        self.update_score(environment);
        let run = &mut self.environments[environment];
        run.done = last || run.results.ended_in.is_some();
        run.is_over = run.done;
        run.score = run.results.score;
        StepResult { reward: run.score - before, score: run.score, done: run.done }
    }

    /// Brings the truth vectors of an environment up to date.
    fn evaluate(&mut self, environment: usize, row: &[f64]) {
        let (plan, graph) = (&self.plan, &self.game.graph);
        let memory = &mut self.memory[environment * graph.words..][..graph.words];
        let previous = &mut self.rows[environment * plan.width..][..plan.width];
        if self.environments[environment].states == 1 {
            previous.copy_from_slice(row);
            plan.evaluate_all(graph, row, memory, &mut self.scratch.changes);
        } else {
            plan.evaluate_changes(graph, row, previous, memory, &mut self.scratch.changes);
        }
    }

    /// Advances the sequences in a state of an environment.
    fn match_sequences(&mut self, environment: usize, satisfied: &mut [u32]) {
        let game = &*self.game;
        let (graph, count, now) = (&game.graph, game.preferences.len(), self.environments[environment].states);
        let Scratch { changes, history, ended } = &mut self.scratch;
        history.set_consecutive(now);
        for (index, (compiled, sequence)) in game.preferences.iter().zip(&mut self.sequences).enumerate() {
            let (CompiledPattern::Sequence { automaton, letters, .. }, Some(sequence)) = (&compiled.pattern, sequence)
            else {
                continue;
            };
            let place = environment * count + index;
            if self.quiet[place] && !changes.concern(index) {
                continue;
            }
            let memory = &self.memory[environment * graph.words..][..graph.words];
            let groups = &mut self.groups[place];
            let mut letters = MemoryLetters { graph, memory, letters };
            let moved = sequence.step_block(automaton, environment, &mut letters, history, &mut |found| {
                add_satisfaction(compiled, groups, found.binding, found.start, now, SmallVec::new(), ended);
            });
            self.quiet[place] = !moved;
            let results = &mut self.environments[environment].results;
            satisfied[index] += record(game, index, now, ended, results, &mut self.tallies[place]);
        }
    }

    /// Matches the preferences that the last state of an environment decides.
    fn match_end(&mut self, environment: usize, satisfied: &mut [u32]) {
        let game = &*self.game;
        let (graph, count, now) = (&game.graph, game.preferences.len(), self.environments[environment].states);
        let memory = &mut self.memory[environment * graph.words..][..graph.words];
        self.plan.evaluate_end(graph, &self.rows[environment * self.plan.width..][..self.plan.width], memory);
        let ended = &mut self.scratch.ended;
        for (index, compiled) in game.preferences.iter().enumerate() {
            let CompiledPattern::AtEnd(node) = compiled.pattern else { continue };
            let place = environment * count + index;
            for binding in bits::ones(&memory[graph.node(node).range()]) {
                add_satisfaction(compiled, &mut self.groups[place], binding, now, now, SmallVec::new(), ended);
            }
            let results = &mut self.environments[environment].results;
            satisfied[index] += record(game, index, now, ended, results, &mut self.tallies[place]);
        }
    }

    /// Evaluates the terminal condition in a state of an environment; returns whether it ends the game.
    fn update_end(&mut self, environment: usize) -> bool {
        let work = WorkBudget::new();
        let run = &mut self.environments[environment];
        let tally = tally(&self.game, &self.tallies, environment, run.states, &work);
        run.results.update_end(&self.game, &tally, run.states)
    }

    fn update_score(&mut self, environment: usize) {
        let work = WorkBudget::new();
        let run = &mut self.environments[environment];
        let tally = tally(&self.game, &self.tallies, environment, run.states, &work);
        run.results.update_score(&self.game, &tally, run.states, Some(run.states));
    }

    /// Ends the episode of an environment, so that its latest state is the last one, and returns the report on all states.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn finish(&mut self, environment: usize) -> GameReport {
        let run = &mut self.environments[environment];
        if run.states > 0 && !run.is_over {
            run.is_over = true;
            run.results.remove_latest_state();
            run.results.is_outdated = true;
            self.match_end(environment, &mut vec![0; self.game.preferences.len()]);
            self.update_end(environment);
            self.update_score(environment);
        }
        let (game, work, run) = (&*self.game, WorkBudget::new(), &self.environments[environment]);
        let tally = tally(game, &self.tallies, environment, run.states, &work);
        let reports =
            game.preferences.iter().zip(tally.preferences).map(|(compiled, tally)| tally.report(game, compiled));
        let setup = SetupOutcome { latest: (run.states > 0).then_some(run.states), holds: true };
        run.results.report(game, &tally, run.states, setup, reports.collect())
    }

    /// Restarts an environment before the first state of a new episode.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn reset(&mut self, environment: usize) {
        let (words, count) = (self.game.graph.words, self.game.preferences.len());
        let places = environment * count..(environment + 1) * count;
        self.memory[environment * words..][..words].copy_from_slice(&self.plan.initial);
        self.sequences.iter_mut().flatten().for_each(|sequence| sequence.clear_block(environment));
        self.quiet[places.clone()].fill(false);
        self.environments[environment] = Environment::default();
        self.groups[places.clone()].iter_mut().for_each(FxHashMap::clear);
        let compiled = self.game.preferences.iter().zip(&self.game.counters.required);
        self.tallies[places].iter_mut().zip(compiled).for_each(|(tally, (of, required))| tally.reset(of, required));
    }

    /// Returns the runs of one environment alone, as the environment 0.
    ///
    /// # Panics
    /// If there is no such environment.
    #[must_use]
    pub fn only(&self, environment: usize) -> Self {
        let (words, width, count) = (self.game.graph.words, self.plan.width, self.game.preferences.len());
        let places = environment * count..(environment + 1) * count;
        Self {
            rows: self.rows[environment * width..][..width].to_vec(),
            memory: self.memory[environment * words..][..words].to_vec(),
            sequences: (0..count).map(|index| self.attempts(environment, index)).collect(),
            quiet: self.quiet[places.clone()].to_vec(),
            environments: vec![self.environments[environment].clone()],
            tallies: self.tallies[places.clone()].to_vec(),
            groups: self.groups[places].to_vec(),
            scratch: self.scratch.clone(),
            game: Arc::clone(&self.game),
            plan: Arc::clone(&self.plan),
        }
    }

    /// Returns the attempts of an environment at the sequence of a preference.
    fn attempts(&self, environment: usize, index: usize) -> Option<SequenceMatcher> {
        let CompiledPattern::Sequence { automaton, .. } = &self.game.preferences[index].pattern else { return None };
        Some(self.sequences[index].as_ref()?.block(automaton, environment))
    }

    /// Writes the features of an environment.
    ///
    /// # Panics
    /// If there is no such environment, `features` are those of another game, or the length of `out` is not the number of their names.
    pub fn write_features(&self, environment: usize, features: &GameFeatures, out: &mut [f32]) {
        let (states, work) = (self.environments[environment].states, WorkBudget::new());
        let mut history = self.scratch.history.clone();
        history.set_consecutive(states);
        let source = FeatureSource {
            game: &self.game,
            setup_holds: states > 0,
            tally: tally(&self.game, &self.tallies, environment, states, &work),
            history: &history,
        };
        features.write(&source, |preference| self.attempts(environment, preference), out);
    }
}

/// Counts the satisfactions of a preference that end in the state `now`, and empties their list. Returns their number.
fn record(
    game: &CompiledGame,
    index: usize,
    now: u32,
    ended: &mut Vec<CompletedSatisfaction>,
    results: &mut GameResults,
    tally: &mut PreferenceTally,
) -> u32 {
    let count = ended.len() as u32;
    if count > 0 {
        results.is_outdated |= game.counters.required[index].counted;
        tally.begin(false);
        tally.record(game, index, now, None, ended);
    }
    count
}

/// Returns the counts of an environment after `states` states.
fn tally<'r>(
    game: &'r CompiledGame,
    tallies: &'r [PreferenceTally],
    environment: usize,
    states: u32,
    work: &'r WorkBudget,
) -> RunTally<'r> {
    let count = game.preferences.len();
    RunTally::new(game, &tallies[environment * count..][..count], ElapsedTime::default(), states, work)
}
