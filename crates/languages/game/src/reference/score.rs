//! Counts of satisfactions and scoring expressions.

use std::cell::RefCell;
use std::sync::Arc;

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::ScoreError;
use goalspec_core::program::CountOperator;
use goalspec_core::work::WorkBudget;
use goalspec_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::error::PlayError;
use super::evaluate::RoomState;
use super::matcher::{PreferenceMatcher, Satisfaction};
use super::positions::MovementLog;
use super::program::{Preference, Program};
use crate::ast::visit::{self, Visitor};
use crate::ast::{PreferenceReference, Score, Terminal};

/// Evaluates scoring expressions.
pub(super) struct Scorer<'a> {
    /// The compiled program.
    pub(super) program: &'a Program,
    /// The matchers of the preferences, in the order of the program.
    pub(super) followers: &'a [PreferenceMatcher],
    /// The recorded movements of objects.
    pub(super) movements: &'a MovementLog,
    /// The recorded state of the room.
    pub(super) memory: &'a RoomState,
    /// The work counter: one unit for each subexpression and for each satisfaction visited.
    work: &'a WorkBudget,
    /// The values of maxima and minima over external variables, by address of the expression. They do not depend on the context, so
    /// caching them makes the cost of nested ones additive.
    extrema: RefCell<FxHashMap<*const Score, f64>>,
}

/// The reason why an expression has no value.
#[derive(Debug)]
pub(super) enum ExpressionError {
    /// A division by zero, with its source span.
    DivisionByZero(Span),
    /// An error that leaves the play without a score.
    Failure(PlayError),
}

impl From<PlayError> for ExpressionError {
    fn from(failure: PlayError) -> Self {
        Self::Failure(failure)
    }
}

impl From<PlayError> for ScoreError {
    fn from(failure: PlayError) -> Self {
        Self::Undefined(Arc::from(failure.to_string()))
    }
}

impl From<ExpressionError> for ScoreError {
    fn from(error: ExpressionError) -> Self {
        match error {
            ExpressionError::DivisionByZero(span) => Self::DivisionByZero(span.into()),
            ExpressionError::Failure(failure) => failure.into(),
        }
    }
}

/// The objects bound to the external variables inside `external-forall-maximize` and `external-forall-minimize`.
type External<'a> = Option<&'a [ObjectId]>;

impl<'a> Scorer<'a> {
    /// Creates a scorer.
    pub(super) fn new(
        program: &'a Program,
        followers: &'a [PreferenceMatcher],
        movements: &'a MovementLog,
        memory: &'a RoomState,
        work: &'a WorkBudget,
    ) -> Self {
        Self { program, followers, movements, memory, work, extrema: RefCell::default() }
    }

    /// Returns the value of a scoring expression.
    ///
    /// # Errors
    /// Returns an error if the expression divides by zero or the authors' implementation stops.
    pub(super) fn score(&self, score: &Score) -> Result<f64, ExpressionError> {
        // An empty sum is negative zero.
        self.value(score, None).map(|value| value + 0.0)
    }

    fn spend(&self, units: usize) -> Result<(), ExpressionError> {
        if self.work.spend(units as u64) {
            return Ok(());
        }
        Err(PlayError::limit("the work budget is exhausted").into())
    }

    /// Returns whether the terminal condition holds. Both sides are compared exactly; this repairs the authors' implementation, which
    /// always compares with 0. A comparison with the time or the current score, which cannot be computed, is false.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::score`].
    pub(super) fn terminal(&self, terminal: &Terminal) -> Result<bool, ExpressionError> {
        match terminal {
            Terminal::And(parts, _) => parts.iter().try_fold(true, |all, part| Ok(self.terminal(part)? && all)),
            Terminal::Or(parts, _) => parts.iter().try_fold(false, |any, part| Ok(self.terminal(part)? || any)),
            Terminal::Not(part, _) => Ok(!self.terminal(part)?),
            Terminal::Compare(comparison, sides, _) => {
                if is_total(&sides[0]) || is_total(&sides[1]) {
                    return Ok(false);
                }
                Ok(compare(*comparison, self.score(&sides[0])?, self.score(&sides[1])?))
            }
            Terminal::Error(_) => Err(PlayError::syntax_error().into()),
        }
    }

    fn value(&self, score: &Score, external: External<'_>) -> Result<f64, ExpressionError> {
        self.spend(1)?;
        let pair = |sides: &[Score; 2]| Ok((self.value(&sides[0], external)?, self.value(&sides[1], external)?));
        match score {
            Score::Number(number, _) => Ok(*number),
            Score::Add(parts, _) => parts.iter().try_fold(0.0, |sum, part| Ok(sum + self.value(part, external)?)),
            Score::Multiply(parts, _) => {
                parts.iter().try_fold(1.0, |product, part| Ok(product * self.value(part, external)?))
            }
            Score::Subtract(sides, _) => pair(sides).map(|(left, right)| left - right),
            Score::Divide(sides, span) => match pair(sides)? {
                (_, 0.0) => Err(ExpressionError::DivisionByZero(span.0)),
                (left, right) => Ok(left / right),
            },
            Score::Negate(part, _) => Ok(-self.value(part, external)?),
            Score::Compare(comparison, sides, _) => {
                let (left, right) = pair(sides)?;
                Ok(f64::from(u8::from(compare(*comparison, left, right))))
            }
            Score::AllEqual(parts, _) => {
                let values: Result<Vec<f64>, ExpressionError> =
                    parts.iter().map(|part| self.value(part, external)).collect();
                let values = values?;
                Ok(f64::from(u8::from(values.iter().all(|value| exactly(*value, values[0])))))
            }
            Score::ExternalMaximum(part, _) => self.extreme(part, f64::max),
            Score::ExternalMinimum(part, _) => self.extreme(part, f64::min),
            Score::TotalTime(_) | Score::TotalScore(_) => {
                Err(PlayError::new("the authors' implementation has neither `total-time` nor `total-score`").into())
            }
            Score::Count(kind, reference, _) => self.count(*kind, reference, external),
            Score::Error(_) => Err(PlayError::syntax_error().into()),
        }
    }

    /// Returns the best value over the objects that satisfactions bind to the external variables, or 0 if there is no satisfaction.
    fn extreme(&self, score: &Score, better: impl Fn(f64, f64) -> f64) -> Result<f64, ExpressionError> {
        let place = std::ptr::from_ref(score);
        let known = self.extrema.borrow().get(&place).copied();
        if let Some(value) = known {
            return Ok(value);
        }
        let value = self.new_extreme(score, better)?;
        self.extrema.borrow_mut().insert(place, value);
        Ok(value)
    }

    fn new_extreme(&self, score: &Score, better: impl Fn(f64, f64) -> f64) -> Result<f64, ExpressionError> {
        let mut names = CountedNames(Vec::new());
        names.score(score);
        let CountedNames(mut names) = names;
        let mut distinct = FxHashSet::default();
        names.retain(|name| distinct.insert(*name));
        let mut quantified: Vec<(&Preference, &PreferenceMatcher)> = Vec::new();
        for name in names {
            let found = self.preference(name)?;
            if !found.0.external.is_empty() {
                quantified.push(found);
            }
        }
        let Some((first, _)) = quantified.first() else {
            return Err(PlayError::new(
                "`external-forall-maximize` or `external-forall-minimize` without external variables",
            )
            .into());
        };
        if quantified.iter().any(|(preference, _)| preference.external != first.external) {
            return Err(PlayError::new(
                "`external-forall-maximize` or `external-forall-minimize` over different external variables",
            )
            .into());
        }
        let mut candidates: Vec<Vec<ObjectId>> = Vec::new();
        // The authors' implementation visits satisfactions one by one: an unbound variable is an error only if there is a
        // satisfaction.
        for (preference, follower) in quantified.iter().filter(|(_, follower)| !follower.satisfied().is_empty()) {
            self.spend(follower.satisfied().len())?;
            let places = external_places(preference)?;
            let objects = follower.satisfied().iter().map(|&mapping| pick(follower.objects(mapping), &places));
            candidates.extend(objects);
        }
        candidates.sort_unstable();
        candidates.dedup();
        let mut best = None;
        for candidate in &candidates {
            let value = self.value(score, Some(candidate))?;
            best = Some(best.map_or(value, |best| better(best, value)));
        }
        Ok(best.unwrap_or(0.0))
    }

    fn preference(&self, name: &str) -> Result<(&'a Preference, &'a PreferenceMatcher), ExpressionError> {
        let found = self.program.preference_indices.get(name);
        let found = found.map(|&place| (&self.program.preferences[place], &self.followers[place]));
        found.ok_or_else(|| PlayError::new(format!("the score counts the unknown preference `{name}`")).into())
    }

    fn count(
        &self,
        kind: CountOperator,
        reference: &PreferenceReference,
        external: External<'_>,
    ) -> Result<f64, ExpressionError> {
        let (preference, follower) = self.preference(&reference.name.text)?;
        self.spend(follower.satisfied().len() + follower.satisfactions().len())?;
        let mut mappings = Vec::new();
        for &mapping in follower.satisfied() {
            if self.counts(preference, reference, external, follower.objects(mapping))? {
                mappings.push(mapping);
            }
        }
        let satisfactions = || {
            let chosen: FxHashSet<usize> = mappings.iter().copied().collect();
            follower.satisfactions().iter().filter(move |satisfaction| chosen.contains(&satisfaction.mapping))
        };
        let places = || {
            satisfactions()
                .map(|satisfaction| (follower.objects(satisfaction.mapping), satisfaction.start, satisfaction.end))
        };
        match kind {
            CountOperator::Disjoint => Ok(mappings.iter().map(|&mapping| follower.disjoint(mapping) as f64).sum()),
            CountOperator::Overlapping => Ok(overlapping(satisfactions())),
            CountOperator::Once => Ok(f64::from(u8::from(!mappings.is_empty()))),
            CountOperator::OncePerObjects => {
                let keys: FxHashSet<&str> = mappings.iter().map(|&mapping| follower.key(mapping)).collect();
                Ok(keys.len() as f64)
            }
            CountOperator::OncePerExternalObjects => {
                if mappings.is_empty() {
                    return Ok(0.0);
                }
                let places = external_places(preference)?;
                let objects = mappings.iter().map(|&mapping| pick(follower.objects(mapping), &places));
                Ok(objects.collect::<FxHashSet<_>>().len() as f64)
            }
            CountOperator::Measure => measured(follower, satisfactions().collect()),
            CountOperator::UniquePositions => Ok(self.movements.count_unique_positions(places())?),
            CountOperator::SamePositions => Ok(self.movements.count_same_positions(places())?),
        }
    }

    /// Returns whether satisfactions with these objects have the types of the reference and the objects in `external`. Only the main
    /// table is used.
    fn counts(
        &self,
        preference: &Preference,
        reference: &PreferenceReference,
        external: External<'_>,
        objects: &[ObjectId],
    ) -> Result<bool, ExpressionError> {
        if reference.types.is_empty() && external.is_none() {
            return Ok(true);
        }
        for (index, object) in pick(objects, &external_places(preference)?).into_iter().enumerate() {
            if !reference.types.is_empty() {
                let Some(expected) = reference.types.get(index) else {
                    return Err(
                        PlayError::new("a count has fewer types than the preference has external variables").into()
                    );
                };
                if !self.memory.tables.is_main(object, &expected.text) {
                    return Ok(false);
                }
            }
            if let Some(external) = external
                && external.get(index) != Some(&object)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the indices of the external variables among the objects of a satisfaction.
fn external_places(preference: &Preference) -> Result<Vec<usize>, ExpressionError> {
    let bound = preference.operators.last().map_or(&[][..], |operator| &operator.bound);
    let place = |name| bound.iter().position(|bound| *bound == name);
    let places: Option<Vec<usize>> = preference.external.iter().map(|(name, _)| place(*name)).collect();
    places.ok_or_else(|| PlayError::new("a preference does not use one of its external variables").into())
}

fn pick(objects: &[ObjectId], places: &[usize]) -> Vec<ObjectId> {
    places.iter().map(|&place| objects[place]).collect()
}

/// Returns the sum of the first measures of disjoint satisfactions, by binding, in the order of their ends.
fn measured(follower: &PreferenceMatcher, mut satisfactions: Vec<&Satisfaction>) -> Result<f64, ExpressionError> {
    satisfactions.sort_by(|a, b| follower.key(a.mapping).cmp(follower.key(b.mapping)).then(a.end.cmp(&b.end)));
    let (mut sum, mut last) = (0.0, None);
    for satisfaction in satisfactions {
        let key = follower.key(satisfaction.mapping);
        if last.is_some_and(|(known, end)| known == key && satisfaction.start < end) {
            continue;
        }
        last = Some((key, satisfaction.end));
        let measure = satisfaction.measures.first().and_then(|(_, value)| *value);
        sum += measure.ok_or_else(|| PlayError::new("a measure is counted but was never recorded"))?;
    }
    Ok(sum)
}

/// Returns the maximum number of satisfactions, of any bindings, that are open at the same time.
fn overlapping<'a>(satisfactions: impl Iterator<Item = &'a Satisfaction>) -> f64 {
    let ends = |found: &Satisfaction| [(found.start, 0_u8, 1.0), (found.end, 1, -1.0)];
    let mut events: Vec<(u64, u8, f64)> = satisfactions.flat_map(ends).collect();
    // A satisfaction that starts in the state in which another one ends overlaps it.
    events.sort_by_key(|(time, order, _)| (*time, *order));
    let mut open = 0.0;
    events.into_iter().fold(0.0, |max, (_, _, change)| {
        open += change;
        f64::max(max, open)
    })
}

/// Compares two scores exactly.
fn compare(comparison: ComparisonOperator, left: f64, right: f64) -> bool {
    match comparison {
        ComparisonOperator::Equal => exactly(left, right),
        other => other.holds(left, right),
    }
}

#[expect(clippy::float_cmp, reason = "the authors compare scores exactly")]
fn exactly(left: f64, right: f64) -> bool {
    left == right
}

fn is_total(score: &Score) -> bool {
    matches!(score, Score::TotalTime(_) | Score::TotalScore(_))
}

/// Returns whether a terminal condition compares the time or the current score.
pub(super) fn compares_totals(terminal: &Terminal) -> bool {
    let mut totals = ComparedTotals(false);
    totals.terminal(terminal);
    totals.0
}

/// Whether a side of some comparison is the time or the current score.
struct ComparedTotals(bool);

impl<'a> Visitor<'a> for ComparedTotals {
    // The operands of a side are not visited: only a side as a whole counts.
    fn score(&mut self, score: &'a Score) {
        self.0 |= is_total(score);
    }
}

/// The names of the preferences that an expression counts, in source order.
struct CountedNames<'s>(Vec<&'s str>);

impl<'s> Visitor<'s> for CountedNames<'s> {
    fn score(&mut self, score: &'s Score) {
        if let Score::Count(_, reference, _) = score {
            self.0.push(&reference.name.text);
        }
        visit::walk_score(self, score);
    }
}
