//! The exact options, compared with exhaustive enumeration and with evaluation in every state, and those of all published
//! activities.

use goalspec_bddl::Dialect;
use goalspec_bddl::dialect::{Counting, Pairing, Release};
use goalspec_bddl::domains;
use goalspec_bddl::evaluate;
use goalspec_bddl::ground::{AtomId, GroundGoal, Node};
use goalspec_bddl::options::{AtomLiteral, ExactOptions, FactoredOptions, OptionCount, OptionSolver};
use goalspec_bddl::parse::release::{ProblemRequest, compile_problem};
use goalspec_bddl::progress::{Fraction, challenge_score, progress};
use proptest::prelude::*;

use crate::common;

use crate::naive;

const READINGS: [Dialect; 4] = [
    Dialect::STRICT,
    Dialect { counting: Counting::AtLeast, ..Dialect::STRICT },
    Dialect { pairing: Pairing::Matching, ..Dialect::STRICT },
    Dialect::STRICT.with_documented_quantifiers(),
];

/// Returns all states of the given number of atoms.
fn states(atoms: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1u32 << atoms).map(move |bits| (0..atoms).map(|atom| bits >> atom & 1 == 1).collect())
}

fn listed(options: &ExactOptions) -> Vec<Vec<AtomLiteral>> {
    options.try_iter().unwrap().collect()
}

/// Compares the options of a goal with exhaustive enumeration, and with evaluation in every state.
fn compare(goal: &GroundGoal, dialect: Dialect) {
    let options = ExactOptions::of(goal, dialect).unwrap();
    let expected = naive::options(goal, dialect);
    let listed_options = listed(&options);
    let as_set: naive::Options = listed_options.iter().map(|option| option.iter().copied().collect()).collect();
    assert_eq!(as_set, expected);
    assert_eq!(listed_options.len(), expected.len(), "an option is listed twice");
    assert!(listed_options.is_sorted_by_key(Vec::len), "a longer option comes before a shorter one");
    assert_eq!(options.count(), OptionCount::Exactly(expected.len() as u128));
    assert_eq!(options.is_satisfiable(), !expected.is_empty());
    for state in states(goal.atoms.len()) {
        let holds = evaluate::goal_holds(goal, dialect, &state);
        let missing = |option: &naive::Conjunction| option.iter().filter(|literal| !literal.holds(&state)).count();
        let fewest = expected.iter().map(missing).min();
        assert_eq!(holds, fewest == Some(0), "{state:?}");
        let nearest = options.nearest_literals(&state);
        assert_eq!(nearest.as_ref().map(|nearest| nearest.missing.len()), fewest);
        let longest =
            expected.iter().filter(|option| Some(missing(option)) == fewest).map(naive::Conjunction::len).max();
        assert_eq!(nearest.as_ref().map(|nearest| nearest.missing.len() + nearest.satisfied.len()), longest);
        if let Some(nearest) = nearest {
            assert!(expected.contains(&nearest.missing.iter().chain(&nearest.satisfied).copied().collect()));
        }
    }
}

/// Compares the scores of a goal with those from exhaustive enumeration, in every state, from every seventh initial state.
fn compare_scores(goal: &GroundGoal, dialect: Dialect) {
    let options = FactoredOptions::of(goal, dialect).unwrap();
    let expected = naive::options(goal, dialect);
    let starts: Vec<Vec<bool>> = states(goal.atoms.len()).step_by(7).collect();
    for now in states(goal.atoms.len()) {
        let counted = |option: &naive::Conjunction| option.iter().filter(|literal| literal.holds(&now)).count();
        let fewest = expected.iter().map(|option| option.len() - counted(option)).min();
        let nearest = expected.iter().filter(|option| Some(option.len() - counted(option)) == fewest);
        let share = nearest.map(|option| Fraction::new(counted(option), option.len())).max();
        assert_eq!(progress(&options, &now), share.unwrap_or(Fraction::ZERO));
        let holds = evaluate::goal_holds(goal, dialect, &now);
        for start in &starts {
            let gained = |literal: &&AtomLiteral| literal.holds(&now) && !literal.holds(start);
            let share = |option: &naive::Conjunction| Fraction::new(option.iter().filter(gained).count(), option.len());
            let max = expected.iter().map(share).max().unwrap_or(Fraction::ZERO);
            assert_eq!(challenge_score(&options, start, &now), Some(if holds { Fraction::ONE } else { max }));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_goals(goal in naive::goals(), reading in 0..4usize) {
        compare(&goal, READINGS[reading]);
    }

    #[test]
    fn scores_of_random_goals(goal in naive::goals(), reading in 0..4usize) {
        compare_scores(&goal, READINGS[reading]);
    }
}

#[test]
fn pairs_of_every_shape() {
    for (rows, columns) in (1..=3).flat_map(|rows| (1..=4).map(move |columns| (rows, columns))) {
        for amount in std::iter::once(None).chain((0..=4).map(Some)) {
            for dialect in [Dialect::STRICT, Dialect::STRICT.with_documented_quantifiers()] {
                let cell = |row: u32, column: u32| Node::Atom(AtomId(row * columns + column));
                let goal = naive::pairs(rows, columns, amount, cell);
                compare(&goal, dialect);
                let negated = GroundGoal {
                    conjuncts: goal.conjuncts.iter().map(|node| Node::Not(Box::new(node.clone()))).collect(),
                    ..goal
                };
                compare(&negated, dialect);
            }
        }
    }
}

/// A four by four matrix has too many states to enumerate here. The sizes of its families are known: the minimal edge covers
/// and the perfect matchings of the complete bipartite graph.
#[test]
fn pairs_of_four_and_more() {
    let sizes = |side: u32, dialect| {
        let goal = naive::pairs(side, side, None, |row, column| Node::Atom(AtomId(row * side + column)));
        ExactOptions::of(&goal, dialect).unwrap().count().exact().unwrap()
    };
    let matchings: Vec<u128> = (1..=6).map(|side| sizes(side, Dialect::STRICT.with_documented_quantifiers())).collect();
    assert_eq!(matchings, [1, 2, 6, 24, 120, 720]);
    let covers: Vec<u128> = (1..=4).map(|side| sizes(side, Dialect::STRICT)).collect();
    let expected: Vec<u128> = (1..=4).map(naive::minimal_covers).collect();
    assert_eq!(covers, expected);
}

/// Pairings whose options take too large a diagram are refused by the limit on its steps, which counts what long lines cost.
#[test]
fn large_pairings_are_refused() {
    for dialect in [Dialect::STRICT, Dialect::STRICT.with_documented_quantifiers()] {
        for side in [40, 160, 520] {
            let goal = naive::pairs(side, side, Some(side / 2), |row, column| Node::Atom(AtomId(row * side + column)));
            assert!(ExactOptions::of(&goal, dialect).is_err(), "{side} {dialect:?}");
        }
    }
}

#[test]
fn independent_conjuncts_multiply() {
    let side = 3u32;
    let block = |first: u32| {
        let side_of = move |row: u32, column: u32| Node::Atom(AtomId(first + row * side + column));
        naive::pairs(side, side, None, side_of).conjuncts.remove(0)
    };
    let goal = GroundGoal { atoms: naive::atoms(9 * 60), conjuncts: (0..60).map(|place| block(place * 9)).collect() };
    let options = ExactOptions::of(&goal, Dialect::STRICT.with_documented_quantifiers()).unwrap();
    assert_eq!(options.component_count(), 60);
    assert_eq!(options.count(), OptionCount::Overflow, "6 to the 60th is more than a u128 counts");
    assert_eq!(options.try_iter().unwrap().take(1000).count(), 1000);
    assert_eq!(options.nearest_literals(&[]).unwrap().missing.len(), 180);
}

#[test]
fn a_large_goal_neither_overflows_nor_explodes() {
    let any = |atoms: std::ops::Range<u32>| Node::Or(atoms.map(|atom| Node::Atom(AtomId(atom))).collect());
    let every = |atoms: std::ops::Range<u32>| Node::And(atoms.map(|atom| Node::Atom(AtomId(atom))).collect());
    let goal = GroundGoal {
        atoms: naive::atoms(100_000),
        conjuncts: vec![Node::Or(vec![every(0..50_000), any(50_000..100_000)])],
    };
    let options = ExactOptions::of(&goal, Dialect::STRICT).unwrap();
    assert_eq!(options.count(), OptionCount::Exactly(50_001));
    assert_eq!(options.nearest_literals(&vec![true; 50_000]).unwrap().missing.len(), 0);

    let half = Node::ForN(5_000, (0..10_000).map(|atom| Node::Atom(AtomId(atom))).collect());
    let goal = GroundGoal { atoms: naive::atoms(10_000), conjuncts: vec![half] };
    assert!(ExactOptions::of(&goal, Dialect::STRICT).is_err(), "25 million branches are too many");
}

/// All published activities but one have options. `stacking_wood` of 3.6.0 requires each of six logs to be on the table or on a
/// log, two of them on the table and two of them on a log. This is impossible if "two" means exactly two, as the release
/// evaluates it.
#[test]
fn published_activities_have_options() {
    for (release, domain, count) in [(Release::V1_0, "igibson", 100), (Release::V3_6, "omnigibson", 1016)] {
        let Some(activities) = common::activities(release) else { continue };
        assert_eq!(activities.len(), count);
        let vocabulary = domains::builtin(domain).unwrap();
        for dialect in [Dialect::STRICT, Dialect::STRICT.with_documented_quantifiers()] {
            let mut contradictory = Vec::new();
            let (mut max, mut total, mut saturated, mut largest) = ((0, ""), 0u128, 0, 0);
            for activity in &activities {
                let request = ProblemRequest::new(&activity.name, domain);
                let source = goalspec_testing::texts::source(&activity.name, &activity.text);
                let problem = compile_problem(&source, release, &request, vocabulary).expect(&activity.name).problem;
                let goal = GroundGoal::new(&problem).expect(&activity.name);
                let options = ExactOptions::of(&goal, dialect).expect(&activity.name);
                if !options.is_satisfiable() {
                    contradictory.push(activity.name.as_str());
                    continue;
                }
                match options.count().exact() {
                    Some(count) => {
                        total = total.saturating_add(count);
                        max = max.max((count, &activity.name));
                    }
                    None => saturated += 1,
                }
                largest = largest.max(options.node_count());
                let nearest = options.nearest_literals(&goal.initial_state(&problem)).expect("it can be satisfied");
                let option: Vec<AtomLiteral> = nearest.missing.iter().chain(&nearest.satisfied).copied().collect();
                let mut reached = vec![false; goal.atoms.len()];
                for literal in &option {
                    reached[literal.atom.index()] = literal.positive;
                }
                assert!(evaluate::goal_holds(&goal, dialect, &reached), "{}", activity.name);
                let first = options.try_iter().unwrap().next().expect("it can be satisfied");
                assert!(first.len() <= option.len(), "{}", activity.name);
            }
            println!(
                "{release:?}, {:?}: {total} options, most {max:?}, {saturated} beyond a u128, {largest} branches at most",
                dialect.counting
            );
            let known: &[&str] = match (release, dialect.counting) {
                (Release::V3_6, Counting::Exactly) => &["stacking_wood"],
                _ => &[],
            };
            assert_eq!(contradictory, known);
        }
    }
}
