//! Arithmetic over counts of satisfactions: the part of scoring that does not depend on how an engine counts.
//!
//! An engine answers two questions, as a [`Tally`]: how often, and how long. [`records`] has the answers for a plain list of
//! satisfactions.

use crate::condition::Origin;
use crate::ids::{ObjectId, PreferenceId, TypeId};
use crate::monitor::ScoreError;
use crate::program::{CountKind, Game, Preference, Score, Terminal};
use crate::world::World;

pub mod records;

/// What to count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Query<'a> {
    /// How.
    pub kind: CountKind,
    /// Satisfactions of which preference.
    pub preference: PreferenceId,
    /// Only those whose i-th external variable is bound to an object of the i-th type.
    pub types: &'a [TypeId],
    /// Only those whose external variables are bound to exactly these objects. Always `None` for a preference without
    /// external variables.
    pub external: Option<&'a [ObjectId]>,
}

/// What an engine has counted so far.
pub trait Tally {
    /// The value of a counting operator.
    fn count(&self, query: &Query<'_>) -> f64;

    /// The value of [`Score::TotalTime`].
    fn total_time(&self) -> f64;
}

/// The value of the game's scoring expression.
///
/// # Errors
/// If it divides by zero or leaves the range of 64-bit floats.
///
/// # Panics
/// If the game names a preference that it does not have, or types that are not of this world.
pub fn score(world: &World, game: &Game, tally: &dyn Tally) -> Result<f64, ScoreError> {
    Evaluation { world, game, tally, total_score: TotalScore::Zero }.score(&game.score, None)
}

/// Whether the terminal condition holds. Parts without a value leave open what depends on them.
///
/// # Errors
/// If it is left open, the first reason.
///
/// # Panics
/// As [`score`].
pub fn terminal(world: &World, game: &Game, terminal: &Terminal, tally: &dyn Tally) -> Result<bool, ScoreError> {
    Evaluation { world, game, tally, total_score: TotalScore::OfGame }.terminal(terminal)
}

/// All bindings of the external variables of a preference, in order.
pub fn external_bindings(world: &World, preference: &Preference) -> Vec<Vec<ObjectId>> {
    let mut bindings: Vec<Vec<ObjectId>> = vec![Vec::new()];
    for &variable in &preference.external {
        let domain = world.domain(&preference.scope.get(variable).types);
        bindings = bindings.iter().flat_map(|start| domain.iter().map(|&o| [start, &[o][..]].concat())).collect();
    }
    let place = |variable| preference.external.iter().position(|&external| external == variable);
    for &(left, right) in &preference.distinct {
        if let (Some(left), Some(right)) = (place(left), place(right)) {
            bindings.retain(|binding| binding[left] != binding[right]);
        }
    }
    bindings
}

/// What `(total-score)` stands for.
#[derive(Clone, Copy)]
enum TotalScore {
    /// The value of the game's scoring expression.
    OfGame,
    /// 0, inside that expression.
    Zero,
}

struct Evaluation<'a> {
    world: &'a World,
    game: &'a Game,
    tally: &'a dyn Tally,
    total_score: TotalScore,
}

impl Evaluation<'_> {
    fn terminal(&self, terminal: &Terminal) -> Result<bool, ScoreError> {
        match terminal {
            Terminal::And(parts) => self.first(parts, false),
            Terminal::Or(parts) => self.first(parts, true),
            Terminal::Not(part) => self.terminal(part).map(|value| !value),
            Terminal::Compare(comparison, sides, _) => {
                Ok(comparison.holds(self.score(&sides[0], None)?, self.score(&sides[1], None)?))
            }
        }
    }

    /// `decisive` if any part has that value; else the first error, if any; else the other value.
    fn first(&self, parts: &[Terminal], decisive: bool) -> Result<bool, ScoreError> {
        let mut open = None;
        for part in parts {
            match self.terminal(part) {
                Ok(value) if value == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(error) => open = open.or(Some(error)),
            }
        }
        open.map_or(Ok(!decisive), Err)
    }

    fn score(&self, score: &Score, external: Option<&[ObjectId]>) -> Result<f64, ScoreError> {
        let value = |part: &Score| self.score(part, external);
        let pair = |parts: &[Score; 2]| Ok((value(&parts[0])?, value(&parts[1])?));
        let result = match score {
            Score::Number(number) => *number,
            Score::Count { kind, preference, types, .. } => {
                let external = external.filter(|_| !self.game.preference(*preference).external.is_empty());
                self.tally.count(&Query { kind: *kind, preference: *preference, types, external })
            }
            Score::Add(parts) => parts.iter().map(value).sum::<Result<f64, _>>()?,
            Score::Multiply(parts) => parts.iter().map(value).product::<Result<f64, _>>()?,
            Score::Subtract(parts) => pair(parts).map(|(left, right)| left - right)?,
            Score::Divide(parts, origin) => divide(pair(parts)?, *origin)?,
            Score::Negate(part) => -value(part)?,
            Score::Compare(comparison, sides) => pair(sides).map(|(a, b)| f64::from(comparison.holds(a, b)))?,
            Score::AllEqual(parts) => self.all_equal(parts, external)?,
            Score::ExternalMaximum(part, _) => self.external(part, f64::max)?,
            Score::ExternalMinimum(part, _) => self.external(part, f64::min)?,
            Score::TotalTime => self.tally.total_time(),
            Score::TotalScore => match self.total_score {
                TotalScore::OfGame => self::score(self.world, self.game, self.tally)?,
                TotalScore::Zero => 0.0,
            },
        };
        // Adding zero makes the zero of a negated zero positive.
        if result.is_finite() { Ok(result + 0.0) } else { Err(ScoreError::OutOfRange) }
    }

    fn all_equal(&self, parts: &[Score], external: Option<&[ObjectId]>) -> Result<f64, ScoreError> {
        let values = parts.iter().map(|part| self.score(part, external)).collect::<Result<Vec<_>, _>>()?;
        let equal = values.iter().all(|&value| crate::condition::Comparison::Equal.holds(value, values[0]));
        Ok(f64::from(equal))
    }

    fn external(&self, part: &Score, better: fn(f64, f64) -> f64) -> Result<f64, ScoreError> {
        let Some(preference) = first_external(self.game, part) else {
            return self.score(part, None);
        };
        let mut best = None;
        for binding in external_bindings(self.world, preference) {
            let value = self.score(part, Some(&binding))?;
            best = Some(best.map_or(value, |best| better(best, value)));
        }
        Ok(best.unwrap_or(0.0))
    }
}

fn divide((left, right): (f64, f64), origin: Origin) -> Result<f64, ScoreError> {
    if right == 0.0 { Err(ScoreError::DivisionByZero(origin)) } else { Ok(left / right) }
}

/// The first preference with external variables that the expression counts.
fn first_external<'a>(game: &'a Game, score: &Score) -> Option<&'a Preference> {
    let mut found = None;
    visit_counts(score, &mut |_, id| {
        let preference = game.preference(id);
        if found.is_none() && !preference.external.is_empty() {
            found = Some(preference);
        }
    });
    found
}

/// Visits every counting operator of a score, in the order written.
pub fn visit_counts(score: &Score, visit: &mut impl FnMut(CountKind, PreferenceId)) {
    match score {
        Score::Number(_) | Score::TotalTime | Score::TotalScore => {}
        Score::Count { kind, preference, .. } => visit(*kind, *preference),
        Score::Add(parts) | Score::Multiply(parts) | Score::AllEqual(parts) => {
            for part in parts {
                visit_counts(part, visit);
            }
        }
        Score::Subtract(parts) | Score::Divide(parts, _) | Score::Compare(_, parts) => {
            for part in &**parts {
                visit_counts(part, visit);
            }
        }
        Score::Negate(part) | Score::ExternalMaximum(part, _) | Score::ExternalMinimum(part, _) => {
            visit_counts(part, visit);
        }
    }
}

/// Visits every scoring expression of a terminal condition, in the order written.
pub fn visit_scores(terminal: &Terminal, visit: &mut impl FnMut(&Score)) {
    match terminal {
        Terminal::And(parts) | Terminal::Or(parts) => parts.iter().for_each(|part| visit_scores(part, visit)),
        Terminal::Not(part) => visit_scores(part, visit),
        Terminal::Compare(_, sides, _) => sides.iter().for_each(visit),
    }
}
