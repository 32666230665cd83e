//! Rewritten programs that mean the same never differ.

use std::sync::Arc;

use goalspec_core::condition::Condition;
use goalspec_core::pattern::{Formula, Pattern, Phase};
use goalspec_core::program::{CountOperator, Game, ScoreExpression};
use goalspec_equivalence::games::{Aspect, GameComparisonOptions, GameVerdict, Method, compare_games};

use super::random::{formula, phases};
use super::{WORLD, atoms, count, game};
use crate::brute_force::Random;

/// The number of games that are rewritten in each way.
const GAMES: u64 = 60;

/// A rewriting of a game that keeps its meaning.
type Rewrite = (&'static str, fn(&mut Game));

fn with_conditions(game: &mut Game, rewrite: fn(Condition) -> Condition) {
    for preference in &mut game.preferences {
        let preference = Arc::make_mut(preference);
        match &mut preference.pattern {
            Pattern::Sequence(phases) => phases.iter_mut().for_each(|phase| match phase {
                Phase::Once { condition, .. } | Phase::Hold { condition, .. } => {
                    *condition = rewrite(condition.clone());
                }
                Phase::HoldWhile { condition, events, .. } => {
                    *condition = rewrite(condition.clone());
                    for event in events {
                        *event = rewrite(event.clone());
                    }
                }
            }),
            Pattern::AtEnd(condition) => *condition = rewrite(condition.clone()),
            Pattern::Formula(formula) => in_formula(formula, rewrite),
        }
    }
}

fn in_formula(formula: &mut Formula, rewrite: fn(Condition) -> Condition) {
    match formula {
        Formula::Proposition(condition) => *condition = rewrite(condition.clone()),
        Formula::Not(part)
        | Formula::Next(part)
        | Formula::WeakNext(part)
        | Formula::Eventually(part)
        | Formula::Always(part) => {
            in_formula(part, rewrite);
        }
        Formula::And(parts) | Formula::Or(parts) => parts.iter_mut().for_each(|part| in_formula(part, rewrite)),
        Formula::Until(sides) | Formula::Release(sides) => sides.iter_mut().for_each(|part| in_formula(part, rewrite)),
    }
}

fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

fn de_morgan(condition: Condition) -> Condition {
    match condition {
        Condition::And(parts) => not(Condition::Or(parts.into_iter().map(not).collect())),
        Condition::Or(parts) => not(Condition::And(parts.into_iter().map(not).collect())),
        other => not(not(other)),
    }
}

fn reversed(condition: Condition) -> Condition {
    match condition {
        Condition::And(parts) => Condition::And(parts.into_iter().rev().map(reversed).collect()),
        Condition::Or(parts) => Condition::Or(parts.into_iter().rev().map(reversed).collect()),
        Condition::Not(part) => not(reversed(*part)),
        other => other,
    }
}

fn absorbed(condition: Condition) -> Condition {
    let other = super::atom(atoms()[0]);
    Condition::Or(vec![condition.clone(), Condition::And(vec![condition, other])])
}

fn split_by_case(condition: Condition) -> Condition {
    let other = super::atom(atoms()[1]);
    let first = Condition::And(vec![other.clone(), condition.clone()]);
    Condition::Or(vec![first, Condition::And(vec![not(other), condition])])
}

fn with_phases(game: &mut Game, rewrite: fn(Vec<Phase>) -> Vec<Phase>) {
    for preference in &mut game.preferences {
        if let Pattern::Sequence(phases) = &mut Arc::make_mut(preference).pattern {
            *phases = rewrite(std::mem::take(phases));
        }
    }
}

const REWRITES: [Rewrite; 12] = [
    ("double negations", |game| with_conditions(game, |condition| not(not(condition)))),
    ("De Morgan's laws", |game| with_conditions(game, de_morgan)),
    ("reversed operands", |game| with_conditions(game, reversed)),
    ("duplicated operands", |game| {
        with_conditions(game, |condition| Condition::And(vec![condition.clone(), condition]));
    }),
    ("implications", |game| {
        with_conditions(game, |condition| Condition::Imply(Box::new([not(condition), Condition::Constant(false)])));
    }),
    ("neutral operands", |game| {
        with_conditions(game, |condition| Condition::And(vec![Condition::Constant(true), condition]));
    }),
    ("absorption", |game| with_conditions(game, absorbed)),
    ("distinction of cases", |game| with_conditions(game, split_by_case)),
    ("split runs", |game| {
        with_phases(game, |phases| {
            let last = phases.len() - 1;
            let phases = phases.into_iter().enumerate().flat_map(|(index, phase)| match phase {
                Phase::Hold { condition, may_be_empty: false, origin } if 0 < index && index < last => {
                    let run = |may_be_empty| Phase::Hold { condition: condition.clone(), may_be_empty, origin };
                    vec![run(false), run(true)]
                }
                other => vec![other],
            });
            phases.collect()
        });
    }),
    ("events as states", |game| {
        with_phases(game, |phases| {
            let phases = phases.into_iter().map(|phase| match phase {
                Phase::HoldWhile { condition, events, origin } => {
                    let event = |event| Condition::And(vec![condition.clone(), event]);
                    Phase::HoldWhile { events: events.into_iter().map(event).collect(), condition, origin }
                }
                other => other,
            });
            phases.collect()
        });
    }),
    ("other names", |game| {
        game.name = Arc::from("renamed");
        for preference in &mut game.preferences {
            Arc::make_mut(preference).name = Arc::from("renamed");
        }
    }),
    ("doubled and halved scores", |game| {
        let sum = ScoreExpression::Add(vec![game.score.clone(), game.score.clone()]);
        game.score = ScoreExpression::Multiply(vec![ScoreExpression::Number(0.5), sum]);
    }),
];

#[test]
fn rewritten_games_are_equal() {
    for seed in 0..GAMES {
        let mut random = Random(seed);
        let pattern = match random.below(3) {
            0 => Pattern::Formula(formula(&mut random, &atoms(), 2)),
            _ => Pattern::Sequence(phases(&mut random, &atoms())),
        };
        let original = game(pattern);
        for (name, rewrite) in REWRITES {
            let mut rewritten = Game::clone(&original);
            rewrite(&mut rewritten);
            let rewritten = Arc::new(rewritten);
            let found = compare_games(&WORLD, [&original, &rewritten], &GameComparisonOptions::default());
            let is_equal = matches!(found.verdict, GameVerdict::Equal(..));
            assert!(is_equal, "{name}: {:?}\n{original:?}", found.verdict);
        }
    }
}

#[test]
fn scores_with_other_weights_differ() {
    let mut random = Random(7);
    let original = game(Pattern::Sequence(vec![phases(&mut random, &atoms()).remove(0)]));
    let mut doubled = Game::clone(&original);
    doubled.score = ScoreExpression::Multiply(vec![ScoreExpression::Number(2.0), count(CountOperator::Disjoint, 0)]);
    let doubled = Arc::new(doubled);
    let options = GameComparisonOptions { aspect: Aspect::Score, ..GameComparisonOptions::default() };
    match compare_games(&WORLD, [&original, &doubled], &options).verdict {
        GameVerdict::Differ(found) => {
            assert_eq!((found.method, found.trace.len(), found.disagreement.aspect), (Method::Automata, 1, "score"));
        }
        other => panic!("{other:?}"),
    }
}
