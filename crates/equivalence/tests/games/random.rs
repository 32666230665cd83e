//! Random pairs of patterns against the definition of their meaning.

use goalspec_core::condition::{Condition, Origin};
use goalspec_core::ids::PredicateId;
use goalspec_core::pattern::{Formula, Pattern, Phase};
use goalspec_equivalence::games::{Aspect, GameComparisonOptions, GameVerdict, compare_games};

use super::oracle::Traces;
use super::{WORLD, atom, atoms, game};
use crate::brute_force::Random;

/// The number of pairs of each kind that every run compares.
const PAIRS: u64 = 400;

/// The number of pairs of each kind that the long run compares.
const MANY_PAIRS: u64 = 10_000;

fn condition(random: &mut Random, atoms: &[PredicateId], depth: usize) -> Condition {
    let parts = |random: &mut Random| (0..2).map(|_| condition(random, atoms, depth - 1)).collect();
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0..3 => atom(atoms[random.below(atoms.len())]),
        3 => match random.below(6) {
            0 => Condition::Constant(true),
            _ => Condition::Not(Box::new(atom(atoms[random.below(atoms.len())]))),
        },
        4 | 5 => Condition::And(parts(random)),
        6 => Condition::Or(parts(random)),
        _ => Condition::Not(Box::new(condition(random, atoms, depth - 1))),
    }
}

fn phase(random: &mut Random, atoms: &[PredicateId]) -> Phase {
    let (condition, origin) = (condition(random, atoms, 1), Origin::default());
    match random.below(6) {
        0..3 => Phase::Once { condition, measure: None, origin },
        3 | 4 => Phase::Hold { condition, may_be_empty: random.below(2) == 0, origin },
        _ => {
            let events = (0..random.below(3)).map(|_| self::condition(random, atoms, 0)).collect();
            Phase::HoldWhile { condition, events, origin }
        }
    }
}

pub(super) fn phases(random: &mut Random, atoms: &[PredicateId]) -> Vec<Phase> {
    (0..=random.below(4)).map(|_| phase(random, atoms)).collect()
}

/// Returns a sequence that differs in one phase at most, or another.
fn variant(random: &mut Random, atoms: &[PredicateId], original: &[Phase]) -> Vec<Phase> {
    let mut changed = original.to_vec();
    let index = random.below(changed.len());
    match random.below(5) {
        0 => return phases(random, atoms),
        1 => changed[index] = phase(random, atoms),
        2 => {
            changed.remove(index);
            if changed.is_empty() {
                changed.push(phase(random, atoms));
            }
        }
        3 => changed.insert(index, original[index].clone()),
        _ => changed.insert(index, phase(random, atoms)),
    }
    changed
}

pub(super) fn formula(random: &mut Random, atoms: &[PredicateId], depth: usize) -> Formula {
    let one = |random: &mut Random| Box::new(formula(random, atoms, depth - 1));
    match random.below(if depth == 0 { 1 } else { 9 }) {
        0 => Formula::Proposition(condition(random, atoms, 1)),
        1 => Formula::Not(one(random)),
        2 => Formula::And(vec![*one(random), *one(random)]),
        3 => Formula::Or(vec![*one(random), *one(random)]),
        4 => Formula::Next(one(random)),
        5 => Formula::WeakNext(one(random)),
        6 => Formula::Until(Box::new([*one(random), *one(random)])),
        7 => Formula::Release(Box::new([*one(random), *one(random)])),
        _ if random.below(2) == 0 => Formula::Eventually(one(random)),
        _ => Formula::Always(one(random)),
    }
}

/// Returns a formula of the same meaning, by the dual operators and the expansions of operators.
fn rewritten(formula: &Formula) -> Formula {
    let not = |part: Formula| Formula::Not(Box::new(part));
    let dual = |part: &Formula| not(rewritten(part));
    match formula {
        Formula::Proposition(_) => formula.clone(),
        Formula::Not(part) => dual(part),
        Formula::And(parts) => not(Formula::Or(parts.iter().map(dual).collect())),
        Formula::Or(parts) => not(Formula::And(parts.iter().map(dual).collect())),
        Formula::Next(part) => not(Formula::WeakNext(Box::new(dual(part)))),
        Formula::WeakNext(part) => not(Formula::Next(Box::new(dual(part)))),
        Formula::Until(sides) => not(Formula::Release(Box::new([dual(&sides[0]), dual(&sides[1])]))),
        Formula::Release(sides) => {
            // The second operand holds now, and the first does too or the formula holds in the next state.
            let later = Formula::Or(vec![rewritten(&sides[0]), Formula::WeakNext(Box::new(formula.clone()))]);
            Formula::And(vec![rewritten(&sides[1]), later])
        }
        Formula::Eventually(part) => not(Formula::Always(Box::new(dual(part)))),
        Formula::Always(part) => not(Formula::Eventually(Box::new(dual(part)))),
    }
}

/// Returns the number of states of the trace on which two patterns differ, if they do.
fn verdict(aspect: Aspect, one: &Pattern, other: &Pattern) -> Option<usize> {
    let games = [one, other].map(|pattern| game(pattern.clone()));
    let options = GameComparisonOptions { aspect, ..GameComparisonOptions::default() };
    match compare_games(&WORLD, games.each_ref(), &options).verdict {
        GameVerdict::Equal(..) => None,
        GameVerdict::Differ(difference) => Some(difference.trace.len()),
        GameVerdict::Undecided(reasons) => panic!("{reasons:?}\n{one:?}\n{other:?}"),
    }
}

fn check(found: Option<usize>, expected: Option<usize>, traces: &Traces<'_>, patterns: [&Pattern; 2]) -> bool {
    // Beyond the traces of the definition, only longer ones may differ.
    let is_right = match expected {
        Some(states) => found == Some(states),
        None => found.is_none_or(|states| states > traces.states),
    };
    assert!(is_right, "{found:?} instead of {expected:?}\n{:?}\n{:?}", patterns[0], patterns[1]);
    found.is_none()
}

fn run(pairs: u64) {
    let all = atoms();
    let mut equal = [0; 2];
    for seed in 0..pairs {
        let mut random = Random(seed);
        let traces =
            if seed % 4 == 0 { Traces { states: 4, atoms: &all } } else { Traces { states: 5, atoms: &all[..2] } };
        let one = phases(&mut random, traces.atoms);
        let other = variant(&mut random, traces.atoms, &one);
        let expected = traces.shortest_by_satisfactions(&one, &other);
        let [one, other] = [one, other].map(Pattern::Sequence);
        let found = verdict(Aspect::Satisfactions, &one, &other);
        equal[0] += u64::from(check(found, expected, &traces, [&one, &other]));

        let pattern = |random: &mut Random| match random.below(5) {
            0 => Pattern::AtEnd(condition(random, traces.atoms, 2)),
            1 => Pattern::Sequence(phases(random, traces.atoms)),
            _ => Pattern::Formula(formula(random, traces.atoms, 3)),
        };
        let (one, other) = (pattern(&mut random), pattern(&mut random));
        let other = match &one {
            Pattern::Formula(formula) if seed % 3 == 0 => Pattern::Formula(rewritten(formula)),
            _ => other,
        };
        let expected = traces.shortest_by_truth(&one, &other);
        let found = verdict(Aspect::Truth, &one, &other);
        equal[1] += u64::from(check(found, expected, &traces, [&one, &other]));
    }
    println!("{pairs} pairs of sequences, {} equal; {pairs} pairs of patterns, {} equal", equal[0], equal[1]);
    assert!(equal.iter().all(|&equal| equal >= pairs / 50), "few pairs are equal: {equal:?} of {pairs}");
}

#[test]
fn verdicts_and_shortest_traces_are_those_of_the_definition() {
    run(PAIRS);
}

#[test]
#[ignore = "takes minutes"]
fn many_verdicts_and_shortest_traces_are_those_of_the_definition() {
    run(MANY_PAIRS);
}
