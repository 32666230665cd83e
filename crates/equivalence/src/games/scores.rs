//! Scores of games as functions of the counts of their machines.

use std::sync::Arc;

use goalspec_core::ids::{ObjectId, TypeId};
use goalspec_core::program::{CountOperator, Game, Preference, Quantifier, ScoreExpression};
use goalspec_core::score::records::{SatisfactionList, SatisfactionRecord};
use goalspec_core::score::{self, ScoreEvaluator};
use goalspec_core::work::WorkBudget;
use goalspec_core::world::World;

use super::replay::is_close;
use crate::ratio::Ratio;

/// A sum of counts with weights.
#[derive(Debug, Clone, Default)]
pub(crate) struct LinearScore {
    pub(crate) terms: Vec<LinearTerm>,
    pub(crate) constant: Option<Ratio>,
}

/// A count of a preference with its weight.
#[derive(Debug, Clone)]
pub(crate) struct LinearTerm {
    pub(crate) preference: usize,
    pub(crate) kind: CountKind,
    pub(crate) types: Vec<TypeId>,
    weight: Ratio,
}

/// A count that is the sum of those of single bindings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountKind {
    Disjoint,
    All,
    /// 1 for each binding that has been satisfied.
    Bindings,
}

impl LinearScore {
    /// Returns a score as a linear one; `None` if it is not.
    pub(crate) fn of(game: &Game) -> Option<Self> {
        let mut linear = Self { terms: Vec::new(), constant: Some(Ratio::ZERO) };
        linear.add(game, &game.score, Ratio::ONE)?;
        linear.constant.is_some().then_some(linear)
    }

    fn add(&mut self, game: &Game, score: &ScoreExpression, weight: Ratio) -> Option<()> {
        match score {
            ScoreExpression::Number(number) => {
                let value = Ratio::from_f64(*number)?.times(weight)?;
                self.constant = Some(self.constant?.plus(value)?);
                Some(())
            }
            ScoreExpression::Count { kind, preference, types, .. } => {
                let of = game.preference(*preference);
                let kind = count_kind(*kind, of)?;
                self.terms.push(LinearTerm { preference: preference.index(), kind, types: types.clone(), weight });
                Some(())
            }
            ScoreExpression::Add(parts) => parts.iter().try_for_each(|part| self.add(game, part, weight)),
            ScoreExpression::Negate(part) => self.add(game, part, weight.negated()),
            ScoreExpression::Subtract(sides) => {
                self.add(game, &sides[0], weight)?;
                self.add(game, &sides[1], weight.negated())
            }
            ScoreExpression::Multiply(parts) => {
                let mut weight = weight;
                let mut other = None;
                for part in parts {
                    match constant(part) {
                        Some(value) => weight = weight.times(value)?,
                        None if other.is_some() => return None,
                        None => other = Some(part),
                    }
                }
                self.add(game, other.unwrap_or(&ScoreExpression::Number(1.0)), weight)
            }
            ScoreExpression::Divide(sides, _) => {
                let divisor = constant(&sides[1]).filter(|divisor| *divisor != Ratio::ZERO)?;
                self.add(game, &sides[0], weight.over(divisor)?)
            }
            _ => None,
        }
    }
}

fn constant(score: &ScoreExpression) -> Option<Ratio> {
    match score {
        ScoreExpression::Number(number) => Ratio::from_f64(*number),
        ScoreExpression::Negate(part) => constant(part).map(Ratio::negated),
        _ => None,
    }
}

fn count_kind(kind: CountOperator, preference: &Preference) -> Option<CountKind> {
    let has_one_binding = preference.external.is_empty() && preference.inner.is_empty();
    match kind {
        _ if preference.quantifier == Quantifier::Forall => None,
        CountOperator::Disjoint => Some(CountKind::Disjoint),
        CountOperator::Overlapping => Some(CountKind::All),
        CountOperator::OncePerObjects => Some(CountKind::Bindings),
        CountOperator::OncePerExternalObjects if preference.inner.is_empty() => Some(CountKind::Bindings),
        CountOperator::Once if has_one_binding => Some(CountKind::Bindings),
        _ => None,
    }
}

/// The difference of two linear scores.
#[derive(Debug, Clone)]
pub(crate) struct LinearScores {
    /// The difference without satisfactions.
    pub(crate) constant: Ratio,
    /// For each game, its terms: the number of the machine, the count, and the weight, negative for the second game.
    terms: [Vec<(usize, CountKind, Ratio)>; 2],
}

impl LinearScores {
    /// Creates the difference of the scores. `machines` are the numbers of the machines that a term of a game counts. `None` if a number is
    /// too large.
    pub(crate) fn new(scores: &[LinearScore; 2], machines: impl Fn(usize, &LinearTerm) -> Vec<usize>) -> Option<Self> {
        let [one, other] = [&scores[0], &scores[1]].map(|score| score.constant);
        let terms = [0, 1].map(|side: usize| {
            let terms = scores[side].terms.iter().flat_map(|term| {
                let weight = if side == 0 { term.weight } else { term.weight.negated() };
                machines(side, term).into_iter().map(move |machine| (machine, term.kind, weight))
            });
            terms.collect()
        });
        Some(Self { constant: one?.plus(other?.negated())?, terms })
    }

    /// Creates the difference of the counts of the only machines of both games.
    pub(crate) fn of_counts(kind: CountKind) -> Self {
        let terms = [Ratio::ONE, Ratio::ONE.negated()].map(|weight| vec![(0, kind, weight)]);
        Self { constant: Ratio::ZERO, terms }
    }

    /// Returns whether disjoint satisfactions of a machine are counted, and the number up to which all are.
    pub(crate) fn tracked(&self, side: usize, machine: usize) -> (bool, u8) {
        let has = |kind| self.terms[side].iter().any(|&(of, other, _)| of == machine && other == kind);
        (has(CountKind::Disjoint), if has(CountKind::Bindings) { 2 } else { 0 })
    }

    /// Returns the difference after a state. The functions return whether a machine of a game was satisfied there, whether that satisfaction
    /// is disjoint from those counted before, and whether it is the first. `None` if the difference is too large.
    pub(crate) fn advance(
        &self,
        difference: Ratio,
        is_satisfied: impl Fn(usize, usize) -> bool,
        is_disjoint: impl Fn(usize, usize) -> bool,
        is_first: impl Fn(usize, usize) -> bool,
    ) -> Option<Ratio> {
        let mut sum = difference;
        for (side, terms) in self.terms.iter().enumerate() {
            for &(machine, kind, weight) in terms {
                let is_counted = match kind {
                    CountKind::All => is_satisfied(side, machine),
                    CountKind::Disjoint => is_disjoint(side, machine),
                    CountKind::Bindings => is_first(side, machine),
                };
                if is_counted {
                    sum = sum.plus(weight)?;
                }
            }
        }
        Some(sum)
    }
}

/// The bits of a score; `None` if it has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScoreBits(Option<u64>);

impl ScoreBits {
    /// Whether two scores are the same apart from rounding. A score without a value is only the same as another one.
    pub(crate) fn is_same(self, other: Self) -> bool {
        match [self, other].map(|score| score.0.map(f64::from_bits)) {
            [Some(one), Some(other)] => is_close(one, other),
            [one, other] => one.is_none() && other.is_none(),
        }
    }
}

/// The score and the terminal condition of a game as functions of counts.
pub(crate) struct ExactScore {
    world: Arc<World>,
    game: Arc<Game>,
    evaluator: ScoreEvaluator,
    /// The preference and the binding of each machine.
    machines: Vec<(usize, Vec<ObjectId>)>,
}

impl ExactScore {
    pub(crate) fn new(world: &Arc<World>, game: &Arc<Game>, machines: Vec<(usize, Vec<ObjectId>)>) -> Self {
        let evaluator = ScoreEvaluator::new(world, Arc::clone(game));
        Self { world: Arc::clone(world), game: Arc::clone(game), evaluator, machines }
    }

    /// Whether counts determine the score and the terminal condition of a game.
    pub(crate) fn is_possible(game: &Game) -> bool {
        !score::uses_total_time(game)
            && counted(game).iter().all(|&(kind, preference)| {
                let is_position = matches!(
                    kind,
                    CountOperator::Measure | CountOperator::UniquePositions | CountOperator::SamePositions
                );
                !is_position && game.preferences[preference].quantifier == Quantifier::Exists
            })
    }

    /// Whether the terminal condition holds. `counts` are the numbers of disjoint and of all satisfactions of each machine.
    pub(crate) fn is_terminal(&self, counts: &[(u8, u8)]) -> bool {
        let Some(terminal) = &self.game.terminal else { return false };
        self.with_counts(counts, |list| self.evaluator.terminal(terminal, list) == Ok(true))
    }

    /// Returns the score.
    pub(crate) fn score(&self, counts: &[(u8, u8)], setup_met: bool) -> ScoreBits {
        let score = self.with_counts(counts, |list| self.evaluator.score(list).ok());
        ScoreBits(score.filter(|_| setup_met).map(f64::to_bits))
    }

    fn with_counts<T>(&self, counts: &[(u8, u8)], evaluate: impl FnOnce(&SatisfactionList<'_>) -> T) -> T {
        let mut satisfactions: Vec<Vec<SatisfactionRecord>> = vec![Vec::new(); self.game.preferences.len()];
        for ((preference, binding), &(disjoint, all)) in self.machines.iter().zip(counts) {
            // The further satisfactions overlap the last of the disjoint ones.
            let ends = (1..=disjoint).chain(std::iter::repeat_n(disjoint, usize::from(all.saturating_sub(disjoint))));
            satisfactions[*preference].extend(ends.map(|end| SatisfactionRecord {
                binding: binding.clone(),
                start: u64::from(end),
                end: u64::from(end),
                measures: Vec::new(),
                stationary: Vec::new(),
            }));
        }
        for records in &mut satisfactions {
            records.sort_by_key(|record| record.end);
        }
        let work = WorkBudget::new();
        evaluate(&SatisfactionList {
            world: &self.world,
            game: &self.game,
            satisfactions: &satisfactions,
            total_time: 0.0,
            work: &work,
        })
    }
}

/// Returns the counts that the score and the terminal condition of a game use, with the indices of their preferences.
pub(crate) fn counted(game: &Game) -> Vec<(CountOperator, usize)> {
    let mut found = Vec::new();
    let mut visit = |kind, id: goalspec_core::ids::PreferenceId| found.push((kind, id.index()));
    score::visit_counts(&game.score, &mut visit);
    if let Some(terminal) = &game.terminal {
        score::visit_scores(terminal, &mut |part| score::visit_counts(part, &mut visit));
    }
    found
}
