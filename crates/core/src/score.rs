//! Scoring: arithmetic over counts of satisfactions, independent of how an engine counts.
//!
//! An engine supplies the counts and the elapsed time as a [`SatisfactionCounts`]. [`records`] implements it for a plain list of satisfactions.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::condition::{ComparisonOperator, Origin};
use crate::ids::{ObjectId, PreferenceId, TypeId};
use crate::monitor::ScoreError;
use crate::program::{CountOperator, Game, Preference, ScoreExpression, TerminalCondition};
use crate::work::WorkBudget;
use crate::world::World;

pub mod records;

/// A query for a count of satisfactions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountQuery<'a> {
    /// The counting operator.
    pub kind: CountOperator,
    /// The preference whose satisfactions are counted.
    pub preference: PreferenceId,
    /// Types that restrict the external variables: only satisfactions that bind the i-th variable to an object of the i-th type count.
    pub types: &'a [TypeId],
    /// The objects to which the external variables must be bound, if restricted. Always `None` for a preference without external variables.
    pub external: Option<&'a [ObjectId]>,
}

/// A source of counts for scoring: everything an engine has counted so far.
pub trait SatisfactionCounts {
    /// Returns the value of a counting operator.
    fn count(&self, query: &CountQuery<'_>) -> f64;

    /// Returns the bindings of the external variables over all satisfactions of a preference so far. Called only for preferences that have
    /// external variables and are counted inside an external maximum or minimum.
    fn satisfied_external_bindings(&self, preference: PreferenceId) -> Cow<'_, BTreeSet<Vec<ObjectId>>>;

    /// Returns the value of [`ScoreExpression::TotalTime`].
    fn total_time(&self) -> f64;

    /// Returns the counter of the work done to evaluate scores.
    fn work(&self) -> &WorkBudget;
}

/// The scoring of one game, prepared for repeated evaluation.
#[derive(Debug, Clone)]
pub struct ScoreEvaluator {
    game: Arc<Game>,
    /// The bindings of the external variables, by preference.
    externals: Vec<ExternalBindings>,
}

impl ScoreEvaluator {
    /// Prepares the scoring of a game.
    ///
    /// # Panics
    /// If the game refers to types that are not in the world.
    pub fn new(world: &World, game: Arc<Game>) -> Self {
        let externals = game.preferences.iter().map(|preference| ExternalBindings::new(world, preference)).collect();
        Self { game, externals }
    }

    /// Returns the value of the game's scoring expression.
    ///
    /// # Errors
    /// If it divides by zero or a value exceeds the range of 64-bit floats.
    ///
    /// # Panics
    /// If the game refers to a preference that it does not have.
    pub fn score(&self, tally: &dyn SatisfactionCounts) -> Result<f64, ScoreError> {
        Evaluation::new(self, tally, TotalScoreMode::WithoutItself).score(&self.game.score, None)
    }

    /// Whether the terminal condition holds. It is undecided if its value depends on a comparison whose operands have no value.
    ///
    /// # Errors
    /// If the condition is undecided: the first error of its parts.
    ///
    /// # Panics
    /// See [`score`](Self::score).
    pub fn terminal(&self, terminal: &TerminalCondition, tally: &dyn SatisfactionCounts) -> Result<bool, ScoreError> {
        Evaluation::new(self, tally, TotalScoreMode::OfGame).terminal(terminal)
    }
}

/// The possible bindings of the external variables of a preference.
#[derive(Debug, Clone)]
struct ExternalBindings {
    domains: Vec<Vec<ObjectId>>,
    /// Pairs of indices of variables that never bind the same object.
    distinct: Vec<(usize, usize)>,
}

impl ExternalBindings {
    fn new(world: &World, preference: &Preference) -> Self {
        let domain = |&variable| world.domain(&preference.scope.get(variable).types);
        let place = |variable| preference.external.iter().position(|&external| external == variable);
        Self {
            domains: preference.external.iter().map(domain).collect(),
            distinct: preference.distinct.iter().filter_map(|&(a, b)| Some((place(a)?, place(b)?))).collect(),
        }
    }

    fn contains(&self, binding: &[ObjectId]) -> bool {
        binding.len() == self.domains.len()
            && self.domains.iter().zip(binding).all(|(domain, object)| domain.binary_search(object).is_ok())
            && self.distinct.iter().all(|&(a, b)| binding[a] != binding[b])
    }

    /// Returns the first binding, in order, that is not in `others`.
    fn first_not_in(&self, others: &BTreeSet<Vec<ObjectId>>) -> Option<Vec<ObjectId>> {
        let mut places = vec![0; self.domains.len()];
        loop {
            let object = |(domain, &place): (&Vec<ObjectId>, &usize)| domain.get(place).copied();
            let binding: Vec<_> = self.domains.iter().zip(&places).map(object).collect::<Option<_>>()?;
            if self.contains(&binding) && !others.contains(&binding) {
                return Some(binding);
            }
            let last = (0..places.len()).rev().find(|&at| places[at] + 1 < self.domains[at].len())?;
            places[last] += 1;
            places[last + 1..].fill(0);
        }
    }
}

/// The value of `(total-score)`, which depends on where it is evaluated.
#[derive(Clone, Copy)]
enum TotalScoreMode {
    /// The value of the game's scoring expression.
    OfGame,
    /// In that expression: its value with every `(total-score)` in it taken as 0.
    WithoutItself,
    /// In that value: 0.
    Zero,
}

struct Evaluation<'a> {
    scoring: &'a ScoreEvaluator,
    tally: &'a dyn SatisfactionCounts,
    total_score: TotalScoreMode,
    /// The cached value of `(total-score)`.
    total: OnceCell<Result<f64, ScoreError>>,
    /// The cached values of external maxima and minima, by address of their operand. The value does not depend on the context, not even
    /// inside another extremum, so the cost of nested extrema is additive.
    extrema: RefCell<FxHashMap<*const ScoreExpression, f64>>,
}

impl<'a> Evaluation<'a> {
    fn new(scoring: &'a ScoreEvaluator, tally: &'a dyn SatisfactionCounts, total_score: TotalScoreMode) -> Self {
        Self { scoring, tally, total_score, total: OnceCell::new(), extrema: RefCell::default() }
    }

    fn terminal(&self, terminal: &TerminalCondition) -> Result<bool, ScoreError> {
        self.tally.work().spend(1);
        match terminal {
            TerminalCondition::And(parts) => self.fold_terminals(parts, false),
            TerminalCondition::Or(parts) => self.fold_terminals(parts, true),
            TerminalCondition::Not(part) => self.terminal(part).map(|value| !value),
            TerminalCondition::Compare(comparison, sides, _) => {
                Ok(comparison.holds(self.score(&sides[0], None)?, self.score(&sides[1], None)?))
            }
        }
    }

    /// Returns `decisive` if any part has that value; otherwise the first error, if any; otherwise `!decisive`.
    fn fold_terminals(&self, parts: &[TerminalCondition], decisive: bool) -> Result<bool, ScoreError> {
        let mut open = None;
        for part in parts {
            if self.tally.work().is_exceeded() {
                break;
            }
            match self.terminal(part) {
                Ok(value) if value == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(error) => open = open.or(Some(error)),
            }
        }
        open.map_or(Ok(!decisive), Err)
    }

    fn score(&self, score: &ScoreExpression, external: Option<&[ObjectId]>) -> Result<f64, ScoreError> {
        let value = |part: &ScoreExpression| self.score(part, external);
        let pair = |parts: &[ScoreExpression; 2]| Ok((value(&parts[0])?, value(&parts[1])?));
        self.tally.work().spend(1);
        let result = match score {
            ScoreExpression::Number(number) => *number,
            ScoreExpression::Count { kind, preference, types, .. } => {
                let external = external.filter(|_| !self.scoring.game.preference(*preference).external.is_empty());
                self.tally.count(&CountQuery { kind: *kind, preference: *preference, types, external })
            }
            ScoreExpression::Add(parts) => parts.iter().map(value).sum::<Result<f64, _>>()?,
            ScoreExpression::Multiply(parts) => parts.iter().map(value).product::<Result<f64, _>>()?,
            ScoreExpression::Subtract(parts) => pair(parts).map(|(left, right)| left - right)?,
            ScoreExpression::Divide(parts, origin) => divide(pair(parts)?, *origin)?,
            ScoreExpression::Negate(part) => -value(part)?,
            ScoreExpression::Compare(comparison, sides) => {
                pair(sides).map(|(a, b)| f64::from(comparison.holds(a, b)))?
            }
            ScoreExpression::AllEqual(parts) => self.all_equal(parts, external)?,
            ScoreExpression::ExternalMaximum(part, _) => self.external(part, f64::max)?,
            ScoreExpression::ExternalMinimum(part, _) => self.external(part, f64::min)?,
            ScoreExpression::TotalTime => self.tally.total_time(),
            ScoreExpression::TotalScore => self.total.get_or_init(|| self.total()).clone()?,
        };
        // Adding zero turns a negative zero into a positive one.
        if result.is_finite() { Ok(result + 0.0) } else { Err(ScoreError::OutOfRange) }
    }

    fn total(&self) -> Result<f64, ScoreError> {
        match self.total_score {
            TotalScoreMode::OfGame => self.scoring.score(self.tally),
            TotalScoreMode::WithoutItself => {
                Evaluation::new(self.scoring, self.tally, TotalScoreMode::Zero).score(&self.scoring.game.score, None)
            }
            TotalScoreMode::Zero => Ok(0.0),
        }
    }

    fn all_equal(&self, parts: &[ScoreExpression], external: Option<&[ObjectId]>) -> Result<f64, ScoreError> {
        let values = parts.iter().map(|part| self.score(part, external)).collect::<Result<Vec<_>, _>>()?;
        let equal = values.iter().all(|&value| ComparisonOperator::Equal.holds(value, values[0]));
        Ok(f64::from(equal))
    }

    fn external(&self, part: &ScoreExpression, better: fn(f64, f64) -> f64) -> Result<f64, ScoreError> {
        let place = std::ptr::from_ref(part);
        let known = self.extrema.borrow().get(&place).copied();
        if let Some(value) = known {
            return Ok(value);
        }
        let value = self.extremum(part, better)?;
        self.extrema.borrow_mut().insert(place, value);
        Ok(value)
    }

    fn extremum(&self, part: &ScoreExpression, better: fn(f64, f64) -> f64) -> Result<f64, ScoreError> {
        let counted = external_preferences(&self.scoring.game, part);
        let Some((&first, others)) = counted.split_first() else {
            return self.score(part, None);
        };
        let all = &self.scoring.externals[first.index()];
        let mut bindings = self.tally.satisfied_external_bindings(first);
        for &preference in others {
            let more = self.tally.satisfied_external_bindings(preference);
            if !more.is_subset(&bindings) {
                bindings.to_mut().extend(more.iter().filter(|binding| all.contains(binding)).cloned());
            }
        }
        // All bindings without satisfactions have the same value.
        let besides = all.first_not_in(&bindings);
        let mut best = None;
        for binding in bindings.iter().chain(&besides) {
            if self.tally.work().is_exceeded() {
                break;
            }
            let value = self.score(part, Some(binding))?;
            best = Some(best.map_or(value, |best| better(best, value)));
        }
        Ok(best.unwrap_or(0.0))
    }
}

fn divide((left, right): (f64, f64), origin: Origin) -> Result<f64, ScoreError> {
    if right == 0.0 { Err(ScoreError::DivisionByZero(origin)) } else { Ok(left / right) }
}

/// Returns the preferences with external variables that the expression counts, in source order.
fn external_preferences(game: &Game, score: &ScoreExpression) -> Vec<PreferenceId> {
    let mut found = Vec::new();
    visit_counts(score, &mut |_, id| {
        if !game.preference(id).external.is_empty() {
            found.push(id);
        }
    });
    found
}

/// Visits every counting operator of a score, in source order.
pub fn visit_counts(score: &ScoreExpression, visit: &mut impl FnMut(CountOperator, PreferenceId)) {
    visit_parts(score, &mut |part| {
        if let ScoreExpression::Count { kind, preference, .. } = part {
            visit(*kind, *preference);
        }
    });
}

/// Visits a score and all its parts, in source order.
fn visit_parts(score: &ScoreExpression, visit: &mut impl FnMut(&ScoreExpression)) {
    visit(score);
    match score {
        ScoreExpression::Number(_)
        | ScoreExpression::TotalTime
        | ScoreExpression::TotalScore
        | ScoreExpression::Count { .. } => {}
        ScoreExpression::Add(parts) | ScoreExpression::Multiply(parts) | ScoreExpression::AllEqual(parts) => {
            for part in parts {
                visit_parts(part, visit);
            }
        }
        ScoreExpression::Subtract(parts) | ScoreExpression::Divide(parts, _) | ScoreExpression::Compare(_, parts) => {
            for part in parts.iter() {
                visit_parts(part, visit);
            }
        }
        ScoreExpression::Negate(part)
        | ScoreExpression::ExternalMaximum(part, _)
        | ScoreExpression::ExternalMinimum(part, _) => {
            visit_parts(part, visit);
        }
    }
}

/// Whether a game's score or terminal condition refers to the [total time](ScoreExpression::TotalTime).
pub fn uses_total_time(game: &Game) -> bool {
    let mut found = false;
    let mut visit =
        |score: &ScoreExpression| visit_parts(score, &mut |part| found |= matches!(part, ScoreExpression::TotalTime));
    visit(&game.score);
    if let Some(terminal) = &game.terminal {
        visit_scores(terminal, &mut visit);
    }
    found
}

/// Visits every scoring expression of a terminal condition, in source order.
pub fn visit_scores(terminal: &TerminalCondition, visit: &mut impl FnMut(&ScoreExpression)) {
    match terminal {
        TerminalCondition::And(parts) | TerminalCondition::Or(parts) => {
            for part in parts {
                visit_scores(part, visit);
            }
        }
        TerminalCondition::Not(part) => visit_scores(part, visit),
        TerminalCondition::Compare(_, sides, _) => sides.iter().for_each(visit),
    }
}
