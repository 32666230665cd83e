//! The state of a run as numbers from 0 to 1, for agents whose reward depends on the history.

use std::borrow::Borrow;
use std::num::NonZeroU32;

use goalspec_core::ids::{ObjectId, PreferenceId};
use goalspec_core::program::{CountOperator, Quantifier};
use goalspec_core::score::{CountQuery, SatisfactionCounts, uses_total_time};

use super::GameRun;
use crate::bits;
use crate::compiled_game::{CompiledGame, CompiledPattern, CompiledPreference};
use crate::satisfaction_counter::{RequiredCount, RequiredCounts, RunTally};
use crate::sequence::{SequenceAutomaton, SequenceMatcher, StateHistory};

/// Maximum number of features that tell which bindings of a preference have attempts; a preference that requires more has only the share of
/// its bindings at each position.
pub const MAX_BINDING_FEATURES: usize = 4_096;

/// The maximum square of the largest value of a count plus the horizon, in horizons, for which all values are different features: the
/// features `n / (n + h)` and `(n + 1) / (n + 1 + h)` are about `h / (n + h)^2` apart, and `f32` has 24 significant bits.
const MAX_COUNT_RESOLUTION: u128 = 1 << 23;

/// The features of the runs of a game: their names, and how they are computed.
///
/// | feature | value |
/// |---|---|
/// | `setup` | whether the setup holds in the latest state |
/// | `NAME.attempt` | for a sequence, the fraction of its positions that the most advanced attempt in progress has passed |
/// | `NAME.position.K` | for a sequence of several bindings, the share of bindings with an attempt at its `K`-th position |
/// | `NAME(OBJECTS).position.K` | whether this binding has an attempt there |
/// | `NAME(OBJECTS).same-start.K` | whether that attempt began in the same state as the binding's attempt at the position before |
/// | `NAME(OBJECTS).overlaps.K` | whether that attempt began before the end of the binding's last counted satisfaction, so that `count` ignores it |
/// | `NAME(OBJECTS).satisfied` | whether this binding has been satisfied |
/// | `NAME.count` | the value `n` of a counting operator that the score or the terminal condition uses, as `n / (n + h)`; `count-once` as 0 or 1 |
///
/// The positions of a sequence are those of its [automaton](goalspec_core::automaton::Automaton), from 1, without the last, which
/// completes an attempt. `h` is the horizon, or 1 without one. Features of single bindings exist with a horizon that is at least
/// the number of bindings, up to [`MAX_BINDING_FEATURES`]; those that the score cannot depend on are left out. Counts with
/// types have the types in their names (`NAME:red.count`), and counts under an external maximum or minimum exist for each binding of the
/// external variables (`NAME(OBJECTS).count`).
#[derive(Debug)]
pub struct GameFeatures {
    horizon: u32,
    sequences: Vec<SequenceFeatures>,
    counts: Vec<CountFeature>,
    names: Vec<String>,
    is_exact: bool,
}

/// The features of the attempts at one sequence.
#[derive(Debug)]
struct SequenceFeatures {
    preference: usize,
    /// The number of positions before the last.
    positions: usize,
    /// The number of bindings that bind distinct variables to different objects.
    bindings: usize,
    by_binding: Option<BindingFeatures>,
}

/// The features of single bindings of a sequence.
#[derive(Debug)]
struct BindingFeatures {
    /// The bindings that bind distinct variables to different objects.
    bindings: Vec<usize>,
    has_same_start: bool,
    has_overlaps: bool,
    has_satisfied: bool,
    /// The bindings of the external variables whose satisfactions are told apart from those of bindings.
    groups: Vec<usize>,
}

/// The feature of one count.
#[derive(Debug)]
struct CountFeature {
    preference: usize,
    count: RequiredCount,
    /// The objects of the external variables, for a count under an external maximum or minimum.
    external: Option<Vec<ObjectId>>,
}

impl GameFeatures {
    /// Lays out the features of a game. `horizon` is the maximum number of states of an episode.
    pub fn new(game: &CompiledGame, horizon: Option<NonZeroU32>) -> Self {
        let mut features = Self {
            horizon: horizon.map_or(1, NonZeroU32::get),
            sequences: Vec::new(),
            counts: Vec::new(),
            names: vec!["setup".to_owned()],
            is_exact: game.setup.is_none() && !uses_total_time(&game.game) && game.world.trackers().is_empty(),
        };
        for (index, (compiled, required)) in game.preferences.iter().zip(&game.counters.required).enumerate() {
            match &compiled.pattern {
                CompiledPattern::Sequence { automaton, .. } => {
                    features.add_sequence(game, index, automaton, required, horizon.is_some());
                }
                CompiledPattern::Formula { .. } => features.is_exact &= !required.counted,
                // These have no satisfactions before the last state.
                CompiledPattern::NoBinding | CompiledPattern::AtEnd(_) => {}
            }
        }
        features
    }

    /// Returns the names of the features, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether the features and the state of the world determine all future rewards, in episodes of at most as many states as the horizon,
    /// once the first state was processed: whether they tell apart all runs that differ in their rewards for equal further states.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    fn add_sequence(
        &mut self,
        game: &CompiledGame,
        index: usize,
        automaton: &SequenceAutomaton,
        required: &RequiredCounts,
        has_horizon: bool,
    ) {
        let compiled = &game.preferences[index];
        let name = &compiled.preference.name;
        let positions = automaton.positions().len().saturating_sub(1);
        let bindings = match &compiled.distinct_bindings {
            Some(distinct) => bits::ones(distinct).collect(),
            None => (0..compiled.bindings()).collect::<Vec<usize>>(),
        };
        let count = bindings.len();
        self.names.push(format!("{name}.attempt"));
        if count > 1 {
            self.names.extend((1..=positions).map(|position| format!("{name}.position.{position}")));
        }
        let by_binding = (has_horizon && count <= self.horizon as usize)
            .then(|| BindingFeatures::new(compiled, automaton, required, bindings))
            .filter(|features| features.count(positions) <= MAX_BINDING_FEATURES);
        if let Some(features) = &by_binding {
            features.push_names(game, compiled, positions, &mut self.names);
        }
        self.is_exact &= !required.counted
            || by_binding.is_some()
                && compiled.preference.quantifier == Quantifier::Exists
                && !compiled.depends_on_last
                && !automaton.positions().iter().any(|position| position.measured)
                && required.counts.iter().all(|count| self.is_resolved(compiled, count.kind));
        let has_bindings = by_binding.is_some();
        self.sequences.push(SequenceFeatures { preference: index, positions, bindings: count, by_binding });
        for count in &required.counts {
            self.add_count(game, index, count, has_bindings);
        }
    }

    /// Whether all values of a count within the horizon are different features.
    fn is_resolved(&self, compiled: &CompiledPreference, kind: CountOperator) -> bool {
        match kind {
            CountOperator::Disjoint | CountOperator::Overlapping => {
                // At most one satisfaction of each binding ends in a state.
                let horizons = compiled.bindings() as u128 + 1;
                horizons.pow(2) * u128::from(self.horizon) <= MAX_COUNT_RESOLUTION
            }
            // Other features tell which bindings were satisfied.
            CountOperator::Once | CountOperator::OncePerObjects | CountOperator::OncePerExternalObjects => true,
            CountOperator::Measure | CountOperator::UniquePositions | CountOperator::SamePositions => false,
        }
    }

    fn add_count(&mut self, game: &CompiledGame, index: usize, count: &RequiredCount, has_bindings: bool) {
        let compiled = &game.preferences[index];
        let mut add = |external: Option<Vec<ObjectId>>| {
            let types = count.types.iter().map(|&id| format!(":{}", game.world.type_decl(id).name)).collect::<String>();
            let objects = external.as_deref().map_or(String::new(), |objects| call(game, objects));
            let name = &compiled.preference.name;
            self.names.push(format!("{name}{types}{objects}.{}", operator_name(count.kind)));
            self.counts.push(CountFeature { preference: index, count: count.clone(), external });
        };
        if !count.external || compiled.preference.external.is_empty() {
            add(None);
        } else if has_bindings {
            groups(compiled).for_each(|group| add(Some(compiled.group_objects(&game.graph.domains, group))));
        }
    }
}

impl BindingFeatures {
    fn new(
        compiled: &CompiledPreference,
        automaton: &SequenceAutomaton,
        required: &RequiredCounts,
        bindings: Vec<usize>,
    ) -> Self {
        let counts_by = |kinds: &[CountOperator]| required.counts.iter().any(|count| kinds.contains(&count.kind));
        let is_exists = compiled.preference.quantifier == Quantifier::Exists;
        let counts_groups = counts_by(&[CountOperator::OncePerExternalObjects]);
        let has_inner = compiled.group_size > 1;
        let stored = automaton.positions().len().saturating_sub(1);
        Self {
            bindings,
            // Otherwise, an attempt at a position began a fixed number of states ago.
            has_same_start: automaton.positions()[..stored].iter().any(|position| position.repeats),
            has_overlaps: is_exists && counts_by(&[CountOperator::Disjoint, CountOperator::Measure]),
            has_satisfied: is_exists && (counts_by(&[CountOperator::OncePerObjects]) || counts_groups && !has_inner),
            groups: if counts_groups && (has_inner || !is_exists) { groups(compiled).collect() } else { Vec::new() },
        }
    }

    /// Returns the number of features.
    fn count(&self, positions: usize) -> usize {
        let at_position = 1 + usize::from(self.has_same_start) + usize::from(self.has_overlaps);
        let of_binding = (positions * at_position).saturating_add(usize::from(self.has_satisfied));
        self.bindings.len().saturating_mul(of_binding).saturating_add(self.groups.len())
    }

    fn push_names(
        &self,
        game: &CompiledGame,
        compiled: &CompiledPreference,
        positions: usize,
        names: &mut Vec<String>,
    ) {
        let (preference, domains) = (&compiled.preference.name, &game.graph.domains);
        for &binding in &self.bindings {
            let name = format!("{preference}{}", call(game, &compiled.objects(domains, binding)));
            for position in 1..=positions {
                names.push(format!("{name}.position.{position}"));
                names.extend(self.has_same_start.then(|| format!("{name}.same-start.{position}")));
                names.extend(self.has_overlaps.then(|| format!("{name}.overlaps.{position}")));
            }
            names.extend(self.has_satisfied.then(|| format!("{name}.satisfied")));
        }
        let group = |&group: &usize| call(game, &compiled.group_objects(domains, group));
        names.extend(self.groups.iter().map(|one| format!("{preference}{}.satisfied", group(one))));
    }
}

/// Returns the bindings of the external variables that bind distinct variables to different objects.
fn groups(compiled: &CompiledPreference) -> impl Iterator<Item = usize> + '_ {
    let size = compiled.group_size.max(1);
    (0..compiled.groups()).filter(move |group| match &compiled.distinct_bindings {
        Some(distinct) => bits::any_in_range(distinct, group * size, size),
        None => true,
    })
}

/// Returns objects as the arguments of a call: `(ball_1,bin_1)`; empty without objects.
fn call(game: &CompiledGame, objects: &[ObjectId]) -> String {
    let names: Vec<&str> = objects.iter().map(|&object| &*game.world.object_decl(object).id).collect();
    if names.is_empty() { String::new() } else { format!("({})", names.join(",")) }
}

/// Returns the name of a counting operator in games.
fn operator_name(kind: CountOperator) -> &'static str {
    match kind {
        CountOperator::Disjoint => "count",
        CountOperator::Overlapping => "count-overlapping",
        CountOperator::Once => "count-once",
        CountOperator::OncePerObjects => "count-once-per-objects",
        CountOperator::OncePerExternalObjects => "count-once-per-external-objects",
        CountOperator::Measure => "count-measure",
        CountOperator::UniquePositions => "count-unique-positions",
        CountOperator::SamePositions => "count-same-positions",
    }
}

/// A run in a state, as far as features describe it.
pub(crate) struct FeatureSource<'r> {
    pub(crate) game: &'r CompiledGame,
    /// Whether there was a state, and the setup holds in the latest.
    pub(crate) setup_holds: bool,
    pub(crate) tally: RunTally<'r>,
    pub(crate) history: &'r StateHistory,
}

impl GameFeatures {
    /// Writes the features of a run; `attempts` returns those at the sequence of a preference.
    ///
    /// # Panics
    /// If the features are those of another game, or the length of `out` is not the number of their names.
    pub(crate) fn write<S: Borrow<SequenceMatcher>>(
        &self,
        source: &FeatureSource<'_>,
        attempts: impl Fn(usize) -> Option<S>,
        out: &mut [f32],
    ) {
        assert_eq!(out.len(), self.names.len(), "the number of features");
        let mut places = out.iter_mut();
        let mut push = |value: f64| {
            if let Some(place) = places.next() {
                *place = value as f32;
            }
        };
        push(flag(source.setup_holds));
        // Counts follow the other features of their preference.
        let mut counts = self.counts.iter().peekable();
        for sequence in &self.sequences {
            if let Some(attempts) = attempts(sequence.preference) {
                source.push_attempts(sequence, attempts.borrow(), &mut push);
            }
            while let Some(count) = counts.next_if(|count| count.preference == sequence.preference) {
                push(source.count(count, f64::from(self.horizon)));
            }
        }
    }
}

impl FeatureSource<'_> {
    fn push_attempts(&self, features: &SequenceFeatures, attempts: &SequenceMatcher, push: &mut impl FnMut(f64)) {
        let counter = &self.tally.preferences[features.preference].counter;
        push(attempts.attempt_progress());
        if features.bindings > 1 {
            for position in 0..features.positions {
                push(attempts.attempts_at(position) as f64 / features.bindings as f64);
            }
        }
        let compiled = &self.game.preferences[features.preference];
        let (Some(listed), CompiledPattern::Sequence { automaton, .. }) = (&features.by_binding, &compiled.pattern)
        else {
            return;
        };
        for &binding in &listed.bindings {
            let last_end = if listed.has_overlaps { counter.last_end(binding) } else { 0 };
            let mut before = None;
            for position in 0..features.positions {
                let start = attempts.start(automaton, position, binding, self.history);
                push(flag(start.is_some()));
                if listed.has_same_start {
                    push(flag(start.is_some() && start == before));
                }
                if listed.has_overlaps {
                    push(flag(start.is_some_and(|start| start <= last_end)));
                }
                before = start.or(before);
            }
            if listed.has_satisfied {
                push(flag(counter.has_satisfied(binding)));
            }
        }
        listed.groups.iter().for_each(|&group| push(flag(counter.has_satisfied_group(group))));
    }

    fn count(&self, feature: &CountFeature, horizon: f64) -> f64 {
        let RequiredCount { kind, types, .. } = &feature.count;
        let external = feature.external.as_deref();
        let preference = PreferenceId::from(feature.preference);
        let count = self.tally.count(&CountQuery { kind: *kind, preference, types, external });
        if *kind == CountOperator::Once {
            return count;
        }
        // Measures may be negative.
        let count = count.max(0.0);
        if count.is_finite() { count / (count + horizon) } else { 1.0 }
    }
}

impl GameRun {
    /// Writes the features of the run.
    ///
    /// # Panics
    /// If `features` are those of another game, or the length of `out` is not the number of their names.
    pub fn write_features(&self, features: &GameFeatures, out: &mut [f32]) {
        let (run, game) = (&self.run, &*self.compiled);
        let source = FeatureSource {
            game,
            setup_holds: run.states > 0 && run.memory.setup_holds,
            tally: RunTally::new(game, &run.tallies, run.elapsed, run.states, &run.work),
            history: &run.memory.history,
        };
        features.write(&source, |preference| run.matchers[preference].sequence(), out);
    }
}

/// Returns 1 for true and 0 for false.
fn flag(value: bool) -> f64 {
    f64::from(u8::from(value))
}
