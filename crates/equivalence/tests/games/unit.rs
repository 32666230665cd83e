//! Single comparisons.

use std::sync::Arc;

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::condition::{Condition, Origin};
use goalspec_core::pattern::{Pattern, Phase};
use goalspec_core::program::{CountOperator, Game, ScoreExpression, TerminalCondition};
use goalspec_equivalence::games::{
    Aspect, GameComparison, GameComparisonOptions, GameVerdict, Implication, Method, compare_games,
};

use super::{WORLD, atom, atoms, count, game};

fn once(condition: Condition) -> Phase {
    Phase::Once { condition, measure: None, origin: Origin::default() }
}

fn compared(one: &Arc<Game>, other: &Arc<Game>, aspect: Aspect) -> GameComparison {
    compare_games(&WORLD, [one, other], &GameComparisonOptions { aspect, ..GameComparisonOptions::default() })
}

fn ending_after(pattern: Pattern, number: f64) -> Arc<Game> {
    let mut game = Game::clone(&game(pattern));
    let sides = Box::new([count(CountOperator::Disjoint, 0), ScoreExpression::Number(number)]);
    game.terminal = Some(TerminalCondition::Compare(ComparisonOperator::GreaterEqual, sides, Origin::default()));
    Arc::new(game)
}

#[test]
fn a_stronger_condition_implies_the_weaker_one() {
    let [a, b, _] = atoms().map(atom);
    let both = game(Pattern::AtEnd(Condition::And(vec![a.clone(), b])));
    let one = game(Pattern::AtEnd(a));
    let found = compared(&both, &one, Aspect::Truth);
    let GameVerdict::Differ(difference) = &found.verdict else { panic!("{found:?}") };
    assert_eq!(difference.trace.len(), 1);
    assert_eq!(difference.disagreement.statements, ["not satisfied", "satisfied"]);
    assert_eq!(found.implications[0], Implication::Proved);
    let Implication::Refuted(trace) = &found.implications[1] else { panic!("{found:?}") };
    assert_eq!(trace.len(), 1);
}

#[test]
fn games_that_end_after_other_counts_differ_in_the_smaller_one() {
    let [a, ..] = atoms().map(atom);
    let sequence = || Pattern::Sequence(vec![once(a.clone())]);
    let games = [ending_after(sequence(), 2.0), ending_after(sequence(), 3.0)];
    let found = compared(&games[0], &games[1], Aspect::End);
    let GameVerdict::Differ(difference) = &found.verdict else { panic!("{found:?}") };
    assert_eq!((difference.method, difference.trace.len(), difference.disagreement.state), (Method::Automata, 2, 2));
    assert_eq!(difference.disagreement.statements, ["the game ends", "the game goes on"]);
    let same = compared(&games[0], &ending_after(sequence(), 1.5), Aspect::End);
    assert!(matches!(same.verdict, GameVerdict::Equal(Method::Automata, _)), "{same:?}");
}

#[test]
fn given_traces_are_compared_first() {
    let [a, b, _] = atoms().map(atom);
    let games = [a, b].map(|condition| game(Pattern::Sequence(vec![once(condition)])));
    let found = compared(&games[0], &games[1], Aspect::All);
    let GameVerdict::Differ(difference) = found.verdict else { panic!("{found:?}") };
    let traces = [difference.trace];
    let options = GameComparisonOptions { traces: &traces, ..GameComparisonOptions::default() };
    let found = compare_games(&WORLD, games.each_ref(), &options);
    assert!(matches!(found.verdict, GameVerdict::Differ(of) if of.method == Method::GivenTrace(0)));
}

#[test]
fn a_difference_in_many_conditions_ends_within_the_limits() {
    let [a, b, c] = atoms().map(atom);
    let many = (0..10_000).map(|index| match index % 3 {
        0 => a.clone(),
        1 => Condition::Or(vec![b.clone(), c.clone()]),
        _ => Condition::Not(Box::new(Condition::Not(Box::new(b.clone())))),
    });
    let long = game(Pattern::AtEnd(Condition::And(many.collect())));
    let short = game(Pattern::AtEnd(Condition::And(vec![a.clone(), b])));
    assert!(matches!(compared(&long, &short, Aspect::All).verdict, GameVerdict::Equal(..)));
    let phases: Vec<Phase> = (0..200).map(|index| once(if index % 2 == 0 { a.clone() } else { c.clone() })).collect();
    let mut others = phases.clone();
    others.push(once(c));
    let found = compared(&game(Pattern::Sequence(phases)), &game(Pattern::Sequence(others)), Aspect::All);
    assert!(!matches!(found.verdict, GameVerdict::Equal(..)));
}
