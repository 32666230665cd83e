//! The truth of a preference's conditions in every state, for chosen bindings.
//!
//! Engines evaluate only the conditions that decide a result. A [`TruthRecorder`] processes the states a second time and evaluates every
//! condition of the chosen bindings, with the evaluator of the reference interpreter.

use fixedbitset::FixedBitSet;

use crate::automaton::{Automaton, PhaseInterval};
use crate::condition::Condition;
use crate::evaluate::{self, Bindings, Context};
use crate::ids::ObjectId;
use crate::interpret::holds_if_present;
use crate::interpret::setup::SetupProgress;
use crate::monitor::StateUpdate;
use crate::pattern::{Pattern, Phase};
use crate::program::{Game, Preference};
use crate::work::WorkBudget;
use crate::world::World;

/// Maximum number of runs of states that one [`TruthRecorder`] stores. Beyond it, the recorder stops.
pub const MAX_TRUTH_RUNS: usize = 1 << 22;

/// A set of states, as maximal runs of consecutive states, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StateRuns(Vec<(u64, u64)>);

impl StateRuns {
    /// Adds a state, which must be later than those before.
    pub fn push(&mut self, state: u64) {
        match self.0.last_mut() {
            Some((_, end)) if *end + 1 == state => *end = state,
            _ => self.0.push((state, state)),
        }
    }

    /// Whether the set contains a state.
    pub fn contains(&self, state: u64) -> bool {
        let after = self.0.partition_point(|&(start, _)| start <= state);
        after.checked_sub(1).is_some_and(|run| state <= self.0[run].1)
    }

    /// Returns the first and the last state of each run, in order.
    pub fn runs(&self) -> &[(u64, u64)] {
        &self.0
    }
}

/// One condition of a [`Pattern`], with the phase and the event to which it belongs.
#[derive(Debug, Clone, Copy)]
pub struct PatternCondition<'p> {
    /// The index of the phase; 0 for patterns that are not sequences.
    pub phase: usize,
    /// The index of the event of the phase, if the condition is part of one.
    pub event: Option<usize>,
    /// The condition, which is not a conjunction.
    pub condition: &'p Condition,
}

/// Returns the conditions of a pattern in source order, with conjunctions split into their parts.
pub fn pattern_conditions(pattern: &Pattern) -> Vec<PatternCondition<'_>> {
    let mut found = Vec::new();
    match pattern {
        Pattern::Sequence(phases) => {
            for (phase, written) in phases.iter().enumerate() {
                match written {
                    Phase::Once { condition, .. } | Phase::Hold { condition, .. } => {
                        split(phase, None, condition, &mut found);
                    }
                    Phase::HoldWhile { condition, events, .. } => {
                        split(phase, None, condition, &mut found);
                        for (event, condition) in events.iter().enumerate() {
                            split(phase, Some(event), condition, &mut found);
                        }
                    }
                }
            }
        }
        Pattern::AtEnd(condition) => split(0, None, condition, &mut found),
        Pattern::Formula(formula) => {
            for condition in formula.conditions() {
                found.push(PatternCondition { phase: 0, event: None, condition });
            }
        }
    }
    found
}

/// Appends the parts of nested conjunctions.
fn split<'p>(phase: usize, event: Option<usize>, whole: &'p Condition, found: &mut Vec<PatternCondition<'p>>) {
    let mut open = vec![whole];
    while let Some(condition) = open.pop() {
        match condition {
            Condition::And(parts) if !parts.is_empty() => open.extend(parts.iter().rev()),
            _ => found.push(PatternCondition { phase, event, condition }),
        }
    }
}

/// A binding of a preference, whose conditions a [`TruthRecorder`] records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedBinding {
    /// The index of the preference.
    pub preference: usize,
    /// The objects of the external variables, then those of the inner ones.
    pub objects: Vec<ObjectId>,
}

/// The truth of the conditions of one binding.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BindingTruth {
    /// For each of the [`pattern_conditions`], the states in which it holds. A condition is false while an object of the binding, or one that
    /// it names, is absent.
    pub conditions: Vec<StateRuns>,
    /// For each phase, the states in which its measure has a value; empty for phases without a measure.
    measures: Vec<StateRuns>,
}

/// A second pass over the states that records the truth of conditions.
#[derive(Debug)]
pub struct TruthRecorder<'a> {
    world: &'a World,
    game: &'a Game,
    /// The number of the last state of the play.
    last: u64,
    setup: Option<SetupProgress>,
    states: u64,
    work: WorkBudget,
    bindings: Vec<(RecordedBinding, BindingTruth)>,
    setup_states: StateRuns,
    runs: usize,
}

impl<'a> TruthRecorder<'a> {
    /// Creates a recorder before the first state. `last` is the number of states of the play.
    pub fn new(world: &'a World, game: &'a Game, last: u64, bindings: Vec<RecordedBinding>) -> Self {
        let empty = |binding: RecordedBinding| {
            let pattern = &game.preferences[binding.preference].pattern;
            let phases = if let Pattern::Sequence(phases) = pattern { phases.len() } else { 0 };
            let conditions = vec![StateRuns::default(); pattern_conditions(pattern).len()];
            (binding, BindingTruth { conditions, measures: vec![StateRuns::default(); phases] })
        };
        Self {
            world,
            game,
            last,
            setup: game.setup.is_some().then(SetupProgress::default),
            states: 0,
            work: WorkBudget::new(),
            bindings: bindings.into_iter().map(empty).collect(),
            setup_states: StateRuns::default(),
            runs: 0,
        }
    }

    /// Returns the counter of work done so far, with its limit. Once the limit is exceeded, the columns are incomplete.
    pub fn work(&self) -> &WorkBudget {
        &self.work
    }

    /// Whether the columns have more than [`MAX_TRUTH_RUNS`] runs; they are then incomplete.
    pub fn is_full(&self) -> bool {
        self.runs > MAX_TRUTH_RUNS
    }

    /// Whether all states have been processed, or further ones would not be recorded.
    pub fn done(&self) -> bool {
        self.states >= self.last || self.is_full() || self.work.is_exceeded()
    }

    /// Processes the next state.
    pub fn step(&mut self, step: &StateUpdate<'_>) {
        self.states += 1;
        let no_objects = FixedBitSet::new();
        let (first, last) = (self.states == 1, self.states == self.last);
        let work = Some(&self.work);
        let ctx = Context { world: self.world, state: step.state, first, last, setup_objects: &no_objects, work };
        let holds = match (&mut self.setup, &self.game.setup) {
            (Some(progress), Some(program)) => progress.advance(&ctx, program),
            _ => true,
        };
        if holds {
            self.setup_states.push(self.states);
        }
        let setup_objects = self.setup.as_ref().map_or(&no_objects, SetupProgress::setup_objects);
        let ctx = Context { setup_objects, ..ctx };
        for (binding, truth) in &mut self.bindings {
            self.runs += record(&ctx, &self.game.preferences[binding.preference], binding, self.states, truth);
        }
    }

    /// Returns the states in which the setup holds, and the truth of each binding, in the order in which they were given.
    pub fn finish(self) -> (StateRuns, Vec<BindingTruth>) {
        (self.setup_states, self.bindings.into_iter().map(|(_, truth)| truth).collect())
    }
}

/// Records one state for one binding; returns the number of new runs.
fn record(
    ctx: &Context<'_>,
    preference: &Preference,
    binding: &RecordedBinding,
    state: u64,
    truth: &mut BindingTruth,
) -> usize {
    let mut bindings = Bindings::new(&preference.scope);
    for (&variable, &object) in preference.external.iter().chain(&preference.inner).zip(&binding.objects) {
        bindings.bind(variable, object);
    }
    if !ctx.spend(1) || !binding.objects.iter().all(|&object| ctx.state.is_present(object)) {
        return 0;
    }
    let mut new_runs = 0;
    let mut add = |column: &mut StateRuns| {
        let before = column.runs().len();
        column.push(state);
        new_runs += column.runs().len() - before;
    };
    for (part, column) in pattern_conditions(&preference.pattern).iter().zip(&mut truth.conditions) {
        if holds_if_present(ctx, part.condition, &part.condition.named_objects(), &mut bindings) {
            add(column);
        }
    }
    if let Pattern::Sequence(phases) = &preference.pattern {
        for (phase, column) in phases.iter().zip(&mut truth.measures) {
            if let Phase::Once { measure: Some(measure), .. } = phase
                && evaluate::expression(ctx, measure, &bindings).is_some_and(f64::is_finite)
            {
                add(column);
            }
        }
    }
    new_runs
}

impl BindingTruth {
    /// Returns the states that each phase of a sequence takes in a satisfaction from `start` to `end`, in order; phases that take none are
    /// left out. `setup` is the set of states in which the setup holds.
    ///
    /// Returns `None` if the pattern is not a sequence, if the interval is not a satisfaction, or if the division exceeds the work limit.
    pub fn division(
        &self,
        pattern: &Pattern,
        setup: &StateRuns,
        (start, end): (u64, u64),
        work: &WorkBudget,
    ) -> Option<Vec<PhaseInterval>> {
        let Pattern::Sequence(phases) = pattern else { return None };
        let parts = pattern_conditions(pattern);
        let automaton = Automaton::new(phases);
        let positions = automaton.positions();
        let holds = |position: usize, state: u64| {
            let position = &positions[position];
            let applies = |part: &PatternCondition<'_>| {
                part.phase == position.phase && (part.event.is_none() || part.event == position.event)
            };
            let mut columns = parts.iter().zip(&self.conditions).filter(|(part, _)| applies(part));
            columns.all(|(_, column)| column.contains(state))
                && (position.measure(phases).is_none() || self.measures[position.phase].contains(state))
        };
        let inside = setup.runs().iter().map(|&(first, last)| (first.max(start), last.min(end)));
        let states = inside.flat_map(|(first, last)| first..=last);
        automaton.divide(phases, states, holds, work)
    }
}

#[cfg(test)]
mod tests {
    use super::StateRuns;

    #[test]
    fn runs_are_maximal_and_searchable() {
        let mut runs = StateRuns::default();
        assert!(!runs.contains(1));
        for state in [2, 3, 5, 9, 10, 11] {
            runs.push(state);
        }
        assert_eq!(runs.runs(), [(2, 3), (5, 5), (9, 11)]);
        let contained: Vec<u64> = (0..13).filter(|&state| runs.contains(state)).collect();
        assert_eq!(contained, [2, 3, 5, 9, 10, 11]);
    }
}
