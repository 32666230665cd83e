//! The matcher of one preference, state by state.

use std::collections::BTreeMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::bindings::BindingSpace;
use super::sequence::{self, MatchResult, PartialMatch};
use super::{formula, holds_if_present};
use crate::automaton::{Automaton, Position};
use crate::condition::{Condition, Expression};
use crate::evaluate::{self, Bindings, Context};
use crate::evaluation_cost;
use crate::explain;
use crate::ids::ObjectId;
use crate::monitor::{Attempt, MonitorError};
use crate::pattern::Pattern;
use crate::program::{Preference, Quantifier};
use crate::world::World;

/// A preference, prepared for matching.
#[derive(Debug, Clone)]
pub(super) struct PreferenceMatcher {
    pub(super) preference: Arc<Preference>,
    pub(super) space: BindingSpace,
    pattern: PreparedPattern,
    /// The labels of the measures of one assignment, in order.
    pub(super) labels: Vec<Arc<str>>,
}

/// The objects that a condition refers to by name.
type NamedObjects = Vec<ObjectId>;

/// A pattern with what is computed once for all states. The conditions themselves are those of the preference.
#[derive(Debug, Clone)]
enum PreparedPattern {
    /// The objects named by each condition of each position.
    Sequence {
        automaton: Automaton,
        named: Vec<Vec<NamedObjects>>,
    },
    AtEnd(NamedObjects),
    /// The objects named by each condition, in source order, which is the order of a table's columns.
    Formula(Vec<NamedObjects>),
}

/// The state of matching one preference, carried over between states.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    /// For each binding, the attempts in progress, one per position of the sequence.
    runs: BTreeMap<u64, Vec<Option<PartialMatch>>>,
    /// Under `Forall`, the progress of each binding of the external variables.
    groups: BTreeMap<u64, Group>,
    /// The furthest attempt of each binding; under `Exists`, only the best of them.
    furthest: BTreeMap<u64, FurthestAttempt>,
}

/// Under `Forall`, the progress of one binding of the external variables.
#[derive(Debug, Clone, Default)]
struct Group {
    /// The end of the latest satisfaction of the group. Only satisfactions that start later count.
    since: u64,
    /// The latest satisfaction that counts, for each binding of the group.
    latest: BTreeMap<u64, Interval>,
}

/// An interval of states that satisfies the pattern, with its measures.
#[derive(Debug, Clone)]
pub(super) struct Interval {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) measures: Vec<f64>,
}

/// The furthest attempt of a binding at a sequence.
#[derive(Debug, Clone)]
struct FurthestAttempt {
    position: usize,
    /// The state in which the position was first reached.
    reached: u64,
    start: u64,
    /// The state in which the attempt failed.
    failed_at: Option<u64>,
}

impl PreferenceMatcher {
    pub(super) fn new(world: &World, preference: Arc<Preference>, max_bindings: u64) -> Result<Self, MonitorError> {
        let space = BindingSpace::new(world, &preference, max_bindings)?;
        evaluation_cost::check_preference(world, &preference)?;
        let mut labels = Vec::new();
        let pattern = match &preference.pattern {
            Pattern::Sequence(phases) => {
                let automaton = Automaton::new(phases);
                let measured = automaton.positions().iter().filter_map(|position| position.measure(phases));
                labels.extend(measured.map(|measure| measure_label(world, &preference, measure)));
                let named_objects = |position: &Position| {
                    position.conditions(phases).iter().map(|condition| condition.named_objects()).collect()
                };
                let named = automaton.positions().iter().map(named_objects).collect();
                PreparedPattern::Sequence { automaton, named }
            }
            Pattern::AtEnd(condition) => PreparedPattern::AtEnd(condition.named_objects()),
            Pattern::Formula(formula) => {
                PreparedPattern::Formula(formula.conditions().into_iter().map(Condition::named_objects).collect())
            }
        };
        Ok(Self { preference, space, pattern, labels })
    }

    /// Whether the pattern is one that is decided in the last state only.
    pub(super) fn is_at_end(&self) -> bool {
        matches!(self.pattern, PreparedPattern::AtEnd(_))
    }

    /// Processes one state in which the setup holds. Returns the satisfactions that end there, each with the number of
    /// its binding (under `Forall`, of its group), and for a formula the row of truths of its conditions.
    pub(super) fn step(
        &self,
        ctx: &Context<'_>,
        now: u64,
        progress: &mut Progress,
    ) -> (Vec<(u64, Interval)>, FixedBitSet) {
        let mut found = Vec::new();
        let mut row = FixedBitSet::new();
        let conditions = match &self.preference.pattern {
            Pattern::Formula(formula) => formula.conditions(),
            Pattern::Sequence(_) | Pattern::AtEnd(_) => Vec::new(),
        };
        row.grow(self.space.size() * conditions.len());
        // Skipping numbers that are not those of bindings takes time as well.
        ctx.spend(self.space.size() as u64 / 16);
        for (binding, objects) in self.space.all() {
            if !ctx.spend(1) {
                break;
            }
            let present = objects.iter().all(|&object| ctx.state.is_present(object));
            let mut bound = Bindings::new(&self.preference.scope);
            for (&variable, &object) in self.space.variables.iter().zip(&objects) {
                bound.bind(variable, object);
            }
            let mut holds = |condition: &Condition, named: &NamedObjects| {
                present && holds_if_present(ctx, condition, named, &mut bound)
            };
            match (&self.preference.pattern, &self.pattern) {
                (Pattern::Sequence(phases), PreparedPattern::Sequence { automaton, named }) => {
                    let fits = |position: usize| {
                        let requirement = automaton.positions()[position];
                        let mut conditions = requirement.conditions(phases).into_iter().zip(&named[position]);
                        if !conditions.all(|(condition, named)| holds(condition, named)) {
                            return MatchResult::No;
                        }
                        match requirement.measure(phases) {
                            None => MatchResult::Yes,
                            Some(measure) => self.measure(ctx, measure, &objects),
                        }
                    };
                    let satisfied = self.advance_sequence(ctx, automaton, (binding, now), fits, progress);
                    found.extend(satisfied.map(|interval| (binding, interval)));
                }
                (Pattern::AtEnd(condition), PreparedPattern::AtEnd(named)) => {
                    if ctx.last && holds(condition, named) {
                        found.push((binding, Interval { start: now, end: now, measures: Vec::new() }));
                    }
                }
                (Pattern::Formula(_), PreparedPattern::Formula(named)) => {
                    let first = binding as usize * conditions.len();
                    for (column, (condition, named)) in conditions.iter().zip(named).enumerate() {
                        row.set(first + column, holds(condition, named));
                    }
                }
                _ => unreachable!("a pattern is prepared as a pattern of its own kind"),
            }
        }
        (self.combine(found, progress), row)
    }

    /// Advances the attempts of one binding; returns the interval of the one that is complete, if any.
    fn advance_sequence(
        &self,
        ctx: &Context<'_>,
        automaton: &Automaton,
        (binding, now): (u64, u64),
        fits: impl FnMut(usize) -> MatchResult,
        progress: &mut Progress,
    ) -> Option<Interval> {
        let runs = progress.runs.entry(binding).or_default();
        let spend = |work: u64| {
            ctx.spend(work);
        };
        let satisfied = sequence::advance(automaton, runs, now, fits, spend).map(|run| {
            let measures = run.measured.iter().map(|&(_, value)| value).collect();
            Interval { start: run.start, end: now, measures }
        });
        progress.note_furthest(self, automaton, binding, now);
        if progress.runs[&binding].iter().all(Option::is_none) {
            progress.runs.remove(&binding);
        }
        satisfied
    }

    fn measure(&self, ctx: &Context<'_>, measure: &Expression, objects: &[ObjectId]) -> MatchResult {
        let mut bound = Bindings::new(&self.preference.scope);
        for (&variable, &object) in self.space.variables.iter().zip(objects) {
            bound.bind(variable, object);
        }
        evaluate::expression(ctx, measure, &bound)
            .filter(|value| value.is_finite())
            .map_or(MatchResult::No, MatchResult::Measured)
    }

    /// Returns the satisfactions of a formula, from the rows recorded in the states in which the setup held.
    pub(super) fn finish_formula(
        &self,
        rows: &[FixedBitSet],
        last: u64,
        progress: &mut Progress,
    ) -> Vec<(u64, Interval)> {
        let (Pattern::Formula(formula), PreparedPattern::Formula(conditions)) =
            (&self.preference.pattern, &self.pattern)
        else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (binding, _) in self.space.all() {
            let first = binding as usize * conditions.len();
            let mut columns = (first..first + conditions.len())
                .map(|column| rows.iter().map(|row| row.contains(column)).collect::<Vec<bool>>());
            if formula::holds(formula, rows.len(), &mut columns).first() == Some(&true) {
                found.push((binding, Interval { start: 1, end: last, measures: Vec::new() }));
            }
        }
        self.combine(found, progress)
    }

    /// Under `Forall`, returns the satisfactions of groups that result from those of single bindings.
    fn combine(&self, found: Vec<(u64, Interval)>, progress: &mut Progress) -> Vec<(u64, Interval)> {
        if self.preference.quantifier == Quantifier::Exists {
            return found;
        }
        let mut combined = Vec::new();
        for (binding, interval) in found {
            let number = self.space.group(binding);
            let group = progress.groups.entry(number).or_default();
            if interval.start <= group.since {
                continue;
            }
            let end = interval.end;
            group.latest.insert(binding, interval);
            if self.space.members(number).all(|member| group.latest.contains_key(&member)) {
                let all = group.latest.values();
                let start = all.clone().map(|interval| interval.start).min().unwrap_or(end);
                let measures = all.flat_map(|interval| interval.measures.iter().copied()).collect();
                combined.push((number, Interval { start, end, measures }));
                *group = Group { since: end, latest: BTreeMap::new() };
            }
        }
        combined
    }

    /// Returns the binding of a satisfaction: under `Forall`, of the external variables only.
    pub(super) fn binding(&self, number: u64) -> Vec<ObjectId> {
        let external = self.preference.external.len();
        match self.preference.quantifier {
            Quantifier::Exists => self.space.objects(number).unwrap_or_default(),
            Quantifier::Forall => {
                let member = self.space.members(number).next();
                let mut objects = member.and_then(|member| self.space.objects(member)).unwrap_or_default();
                objects.truncate(external);
                objects
            }
        }
    }

    /// Returns the fraction of positions that the most advanced attempt in progress has passed.
    pub(super) fn attempt_progress(&self, progress: &Progress) -> f64 {
        let PreparedPattern::Sequence { automaton, .. } = &self.pattern else { return 0.0 };
        // An attempt that reaches the first accepting position is complete: no attempt is in progress there or later.
        let last = (0..automaton.positions().len()).find(|&position| automaton.is_accepting(position)).unwrap_or(0);
        let furthest = |attempts: &Vec<Option<PartialMatch>>| {
            attempts[..attempts.len().min(last)].iter().rposition(Option::is_some)
        };
        let best = progress.runs.values().filter_map(furthest).max();
        best.map_or(0.0, |position| (position + 1) as f64 / (last + 1) as f64)
    }

    /// Returns the best attempt at a preference that was not satisfied. `last` is the last state in which the setup
    /// held.
    pub(super) fn attempt(&self, progress: &Progress, last: u64) -> Option<Attempt> {
        let open = |&binding: &u64| {
            let group = progress.groups.get(&self.space.group(binding));
            group.is_none_or(|group| !group.latest.contains_key(&binding))
        };
        let furthest = progress.furthest.iter().filter(|(binding, _)| open(binding));
        let best = furthest.max_by_key(|&(&binding, furthest)| {
            (furthest.position, std::cmp::Reverse(furthest.reached), std::cmp::Reverse(binding))
        });
        let (binding, position, (phase, events), start, failed_at) = match (&self.pattern, best) {
            (PreparedPattern::Sequence { automaton, .. }, Some((&binding, furthest))) => {
                let FurthestAttempt { position, start, failed_at, .. } = *furthest;
                (binding, position, automaton.pending_phase(position), start, failed_at.unwrap_or(last))
            }
            _ => (self.space.all().map(|(binding, _)| binding).find(open)?, 0, (0, 0), 0, last),
        };
        let binding = self.space.variables.iter().zip(self.space.objects(binding)?);
        let binding =
            binding.map(|(&variable, object)| (self.preference.scope.get(variable).name.clone(), object)).collect();
        Some(Attempt { binding, phase, events, position, start, failed_at, evidence: Vec::new() })
    }
}

impl Progress {
    /// Updates the furthest attempt of the binding after the state `now`.
    fn note_furthest(&mut self, matcher: &PreferenceMatcher, automaton: &Automaton, binding: u64, now: u64) {
        let runs = &self.runs[&binding];
        if let Some(furthest) = self.furthest.get_mut(&binding)
            && furthest.failed_at.is_none()
        {
            // An attempt at the furthest position has no later position to advance to, so it can only stay.
            let stays = automaton.positions()[furthest.position].repeats && runs[furthest.position].is_some();
            if !stays {
                furthest.failed_at = Some(now);
            }
        }
        let Some(position) = runs.iter().rposition(Option::is_some) else { return };
        let Some(run) = &runs[position] else { return };
        let further = |known: &FurthestAttempt| known.position < position;
        let is_new_furthest = match matcher.preference.quantifier {
            Quantifier::Exists => self.furthest.values().all(further),
            Quantifier::Forall => self.furthest.get(&binding).is_none_or(further),
        };
        if is_new_furthest {
            let furthest = FurthestAttempt { position, reached: now, start: run.start, failed_at: None };
            if matcher.preference.quantifier == Quantifier::Exists {
                self.furthest.clear();
            }
            self.furthest.insert(binding, furthest);
        }
    }
}

/// Returns the label of a measure in reports: the function's name, or else the whole expression.
fn measure_label(world: &World, preference: &Preference, measure: &Expression) -> Arc<str> {
    match measure {
        Expression::Call { function, .. } => world.function(*function).name.clone(),
        _ => explain::expression_text(world, measure, &Bindings::new(&preference.scope)).into(),
    }
}
