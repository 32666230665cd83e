//! Counting and arithmetic.

use std::sync::Arc;

use goalspec_core::condition::Comparison;
use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::ScoreError;
use goalspec_core::program::CountKind;

use super::evaluate::Memory;
use super::failure::Failure;
use super::patterns::{Follower, Satisfaction};
use super::positions::Movements;
use super::program::{Preference, Program};
use crate::ast::{PreferenceReference, Score, Terminal};

/// What scores are computed from.
#[derive(Clone, Copy)]
pub(super) struct Scorer<'a> {
    /// The program.
    pub(super) program: &'a Program,
    /// The preferences, in the program's order.
    pub(super) followers: &'a [Follower],
    /// Where things moved.
    pub(super) movements: &'a Movements,
    /// The room.
    pub(super) memory: &'a Memory,
}

impl From<Failure> for ScoreError {
    fn from(failure: Failure) -> Self {
        Self::Failed(Arc::from(format!("the authors' implementation stops with an error: {failure}")))
    }
}

/// The objects of the external variables that count, inside of `external-forall-maximize` and `-minimize`.
type External<'a> = Option<&'a [ObjectId]>;

impl<'a> Scorer<'a> {
    /// The value of a scoring expression.
    ///
    /// # Errors
    /// It divides by zero, or the authors' implementation stops.
    pub(super) fn score(&self, score: &Score) -> Result<f64, ScoreError> {
        self.value(score, None)
    }

    /// Whether the game ends. Comparisons are repaired, as the authors' are always with 0: they are exact comparisons of the
    /// two sides. The time and the score so far cannot be computed; what compares them never holds.
    ///
    /// # Errors
    /// As [`Self::score`].
    pub(super) fn terminal(&self, terminal: &Terminal) -> Result<bool, ScoreError> {
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
        }
    }

    fn value(&self, score: &Score, external: External<'_>) -> Result<f64, ScoreError> {
        let pair = |sides: &[Score; 2]| Ok((self.value(&sides[0], external)?, self.value(&sides[1], external)?));
        match score {
            Score::Number(number, _) => Ok(*number),
            Score::Add(parts, _) => parts.iter().try_fold(0.0, |sum, part| Ok(sum + self.value(part, external)?)),
            Score::Multiply(parts, _) => {
                parts.iter().try_fold(1.0, |product, part| Ok(product * self.value(part, external)?))
            }
            Score::Subtract(sides, _) => pair(sides).map(|(left, right)| left - right),
            Score::Divide(sides, origin) => match pair(sides)? {
                (_, 0.0) => Err(ScoreError::DivisionByZero(*origin)),
                (left, right) => Ok(left / right),
            },
            Score::Negate(part, _) => Ok(-self.value(part, external)?),
            Score::Compare(comparison, sides, _) => {
                let (left, right) = pair(sides)?;
                Ok(f64::from(u8::from(compare(*comparison, left, right))))
            }
            Score::AllEqual(parts, _) => {
                let values: Result<Vec<f64>, ScoreError> =
                    parts.iter().map(|part| self.value(part, external)).collect();
                let values = values?;
                Ok(f64::from(u8::from(values.iter().all(|value| exactly(*value, values[0])))))
            }
            Score::ExternalMaximum(part, _) => self.extreme(part, f64::max),
            Score::ExternalMinimum(part, _) => self.extreme(part, f64::min),
            Score::TotalTime(_) | Score::TotalScore(_) => {
                Err(Failure::new("the authors' implementation has neither `total-time` nor `total-score`").into())
            }
            Score::Count(kind, reference, _) => self.count(*kind, reference, external),
        }
    }

    /// The largest or smallest value over the objects of external variables that some satisfaction has; 0 if none has.
    fn extreme(&self, score: &Score, better: impl Fn(f64, f64) -> f64) -> Result<f64, ScoreError> {
        let mut names = Vec::new();
        mentioned(score, &mut names);
        let mut quantified: Vec<(&Preference, &Follower)> = Vec::new();
        for name in names {
            let found = self.preference(name)?;
            if !found.0.external.is_empty() {
                quantified.push(found);
            }
        }
        let Some((first, _)) = quantified.first() else {
            return Err(Failure::new("a maximum or minimum over external variables has none").into());
        };
        if quantified.iter().any(|(preference, _)| preference.external != first.external) {
            return Err(Failure::new("a maximum or minimum is over different external variables").into());
        }
        let satisfactions = quantified.iter().flat_map(|(_, follower)| follower.satisfactions());
        let candidates = satisfactions.map(|satisfaction| external_objects(first, satisfaction));
        let mut candidates = candidates.collect::<Result<Vec<Vec<ObjectId>>, _>>()?;
        candidates.sort_unstable();
        candidates.dedup();
        let mut best = None;
        for candidate in &candidates {
            let value = self.value(score, Some(candidate))?;
            best = Some(best.map_or(value, |best| better(best, value)));
        }
        Ok(best.unwrap_or(0.0))
    }

    fn preference(&self, name: &str) -> Result<(&'a Preference, &'a Follower), ScoreError> {
        let mut pairs = self.program.preferences.iter().zip(self.followers);
        let found = pairs.find(|(preference, _)| *preference.name == *name);
        found.ok_or_else(|| Failure::new(format!("the score counts `{name}`, which is no preference")).into())
    }

    fn count(
        &self,
        kind: CountKind,
        reference: &PreferenceReference,
        external: External<'_>,
    ) -> Result<f64, ScoreError> {
        let (preference, follower) = self.preference(&reference.name.text)?;
        let mut counted = Vec::new();
        for satisfaction in follower.satisfactions() {
            if self.counts(preference, reference, external, satisfaction)? {
                counted.push(satisfaction);
            }
        }
        let places = || {
            counted.iter().map(|satisfaction| {
                let objects = satisfaction.binding.iter().map(|(_, object)| *object).collect();
                (objects, satisfaction.start, satisfaction.end)
            })
        };
        match kind {
            CountKind::Disjoint => Ok(disjoint(&mut counted).len() as f64),
            CountKind::Overlapping => Ok(overlapping(&counted)),
            CountKind::Once => Ok(f64::from(u8::from(!counted.is_empty()))),
            CountKind::OncePerObjects => {
                counted.sort_by(|a, b| a.key.cmp(&b.key));
                counted.dedup_by(|a, b| a.key == b.key);
                Ok(counted.len() as f64)
            }
            CountKind::OncePerExternalObjects => {
                let objects = counted.iter().map(|satisfaction| external_objects(preference, satisfaction));
                let mut objects = objects.collect::<Result<Vec<_>, _>>()?;
                objects.sort_unstable();
                objects.dedup();
                Ok(objects.len() as f64)
            }
            CountKind::Measure => disjoint(&mut counted).into_iter().try_fold(0.0, |sum, satisfaction| {
                let measure = satisfaction.measures.first().and_then(|(_, value)| *value);
                Ok(sum + measure.ok_or_else(|| Failure::new("a measure is counted that was never taken"))?)
            }),
            CountKind::UniquePositions => Ok(self.movements.unique(places())?),
            CountKind::SamePositions => Ok(self.movements.same(places())?),
        }
    }

    /// Whether a satisfaction has the types and the external objects that are asked for. Only the main table is looked into.
    fn counts(
        &self,
        preference: &Preference,
        reference: &PreferenceReference,
        external: External<'_>,
        satisfaction: &Satisfaction,
    ) -> Result<bool, ScoreError> {
        if reference.types.is_empty() && external.is_none() {
            return Ok(true);
        }
        for (index, object) in external_objects(preference, satisfaction)?.into_iter().enumerate() {
            if !reference.types.is_empty() {
                let Some(wanted) = reference.types.get(index) else {
                    return Err(Failure::new("a count names fewer types than there are external variables").into());
                };
                if !self.memory.tables.is_main(object, &wanted.text) {
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

    /// How often each binding was satisfied without overlap, summed.
    pub(super) fn disjoint_count(&self, preference: usize) -> u64 {
        let mut counted: Vec<&Satisfaction> = self.followers[preference].satisfactions().iter().collect();
        disjoint(&mut counted).len() as u64
    }
}

fn external_objects(preference: &Preference, satisfaction: &Satisfaction) -> Result<Vec<ObjectId>, ScoreError> {
    let object = |name| satisfaction.binding.iter().find(|(bound, _)| *bound == name).map(|(_, object)| *object);
    let objects: Option<Vec<ObjectId>> = preference.external.iter().map(|(name, _)| object(*name)).collect();
    objects.ok_or_else(|| Failure::new("an external variable is not used by its preference").into())
}

/// Per binding, in the order of their ends, those that start when the one before has ended, in that very state at the
/// earliest.
fn disjoint<'a>(satisfactions: &mut [&'a Satisfaction]) -> Vec<&'a Satisfaction> {
    satisfactions.sort_by(|a, b| a.key.cmp(&b.key).then(a.end.cmp(&b.end)));
    let mut kept: Vec<&Satisfaction> = Vec::new();
    for satisfaction in satisfactions.iter() {
        let fits = kept.last().is_none_or(|last| last.key != satisfaction.key || satisfaction.start >= last.end);
        if fits {
            kept.push(satisfaction);
        }
    }
    kept
}

/// The largest number of satisfactions of any bindings that are open at one time.
fn overlapping(satisfactions: &[&Satisfaction]) -> f64 {
    let starts = satisfactions.iter().map(|satisfaction| (satisfaction.start, 0, 1.0));
    let ends = satisfactions.iter().map(|satisfaction| (satisfaction.end, 1, -1.0));
    let mut events: Vec<(u64, u8, f64)> = starts.chain(ends).collect();
    // What starts in the state in which another ends overlaps it.
    events.sort_by_key(|(time, order, _)| (*time, *order));
    let mut open = 0.0;
    events.into_iter().fold(0.0, |most, (_, _, change)| {
        open += change;
        f64::max(most, open)
    })
}

/// Equality and order of scores are exact.
fn compare(comparison: Comparison, left: f64, right: f64) -> bool {
    match comparison {
        Comparison::Equal => exactly(left, right),
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

/// Whether a terminal condition compares the time or the score so far.
pub(super) fn compares_totals(terminal: &Terminal) -> bool {
    match terminal {
        Terminal::And(parts, _) | Terminal::Or(parts, _) => parts.iter().any(compares_totals),
        Terminal::Not(part, _) => compares_totals(part),
        Terminal::Compare(_, sides, _) => sides.iter().any(is_total),
    }
}

/// The preferences that an expression counts.
fn mentioned<'s>(score: &'s Score, names: &mut Vec<&'s str>) {
    let parts: &[Score] = match score {
        Score::Number(..) | Score::TotalTime(_) | Score::TotalScore(_) => &[],
        Score::Add(parts, _) | Score::Multiply(parts, _) | Score::AllEqual(parts, _) => parts,
        Score::Subtract(sides, _) | Score::Divide(sides, _) | Score::Compare(_, sides, _) => &sides[..],
        Score::Negate(part, _) | Score::ExternalMaximum(part, _) | Score::ExternalMinimum(part, _) => {
            std::slice::from_ref(part)
        }
        Score::Count(_, reference, _) => {
            names.push(&reference.name.text);
            &[]
        }
    };
    for part in parts {
        mentioned(part, names);
    }
}
