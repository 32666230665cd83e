//! The factored form of options, compared with exhaustive enumeration, with diagrams, and with evaluation.

use goalspec_bddl::Dialect;
use goalspec_bddl::dialect::{Counting, Pairing};
use goalspec_bddl::evaluate;
use goalspec_bddl::ground::{AtomId, Cell, GroundGoal, Node, Pairs};
use goalspec_bddl::options::{
    AtomLiteral, BestOption, ExactOptions, FactoredOptions, LiteralWeights, OptionCount, OptionSolver,
};
use proptest::prelude::*;

use crate::naive;

const READINGS: [Dialect; 4] = [
    Dialect::STRICT,
    Dialect { counting: Counting::AtLeast, ..Dialect::STRICT },
    Dialect { pairing: Pairing::Matching, ..Dialect::STRICT },
    Dialect::STRICT.with_documented_quantifiers(),
];

/// Weights of literals; with the last one, the number of false literals takes precedence.
const WORTHS: [(i64, i64); 5] = [(1, 0), (3, -1), (1, -1), (2, -5), (1, -1_000_000)];

fn atom(atom: u32) -> Node {
    Node::Atom(AtomId(atom))
}

fn not(node: Node) -> Node {
    Node::Not(Box::new(node))
}

fn states(atoms: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1u32 << atoms).map(move |bits| (0..atoms).map(|atom| bits >> atom & 1 == 1).collect())
}

/// The expected results, by exhaustive enumeration of the options.
struct Expected(Vec<Vec<AtomLiteral>>);

impl Expected {
    fn best(&self, counts: impl Fn(&AtomLiteral) -> bool, (counted, other): (i64, i64)) -> Option<i64> {
        let weight = |option: &Vec<AtomLiteral>| {
            option.iter().map(|literal| if counts(literal) { counted } else { other }).sum::<i64>()
        };
        self.0.iter().map(weight).max()
    }
}

fn weight(best: BestOption, (counted, other): (i64, i64)) -> i64 {
    i64::from(best.counted as u32) * counted + i64::from(best.others as u32) * other
}

/// Compares the results of the factored form in a state with all options.
fn compare_in(structure: &FactoredOptions, expected: &Expected, state: &[bool]) {
    let counts = |literal: AtomLiteral| literal.holds(state);
    let missing = |option: &Vec<AtomLiteral>| option.iter().filter(|literal| !literal.holds(state)).count();
    let nearest = structure.nearest(state);
    assert_eq!(nearest.map(|best| best.others), expected.0.iter().map(missing).min(), "{state:?}");
    for pair in WORTHS {
        let best = structure.best(&counts, LiteralWeights { counted: pair.0, other: pair.1 });
        let most = expected.best(|literal| counts(*literal), pair);
        if best.is_none_or(|best| best.proven) {
            assert_eq!(best.map(|best| weight(best, pair)), most, "{pair:?} {state:?}");
        } else {
            assert!(best.map(|best| weight(best, pair)) <= most, "{pair:?} {state:?}");
        }
    }
}

/// Compares with exhaustive enumeration in all states. Every result must be proven.
fn compare(goal: &GroundGoal, dialect: Dialect) {
    let structure = FactoredOptions::of(goal, dialect).unwrap();
    let options = naive::options(goal, dialect);
    assert_eq!(structure.count(), OptionCount::Exactly(options.len() as u128));
    let expected = Expected(options.iter().map(|option| option.iter().copied().collect()).collect());
    for state in states(goal.atoms.len()) {
        compare_in(&structure, &expected, &state);
        let holds = evaluate::goal_holds(goal, dialect, &state);
        let nearest = structure.nearest(&state);
        assert!(nearest.is_none_or(|nearest| nearest.proven), "small goals leave nothing open");
        assert_eq!(nearest.is_some_and(|nearest| nearest.others == 0), holds, "{state:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_goals(goal in naive::goals(), reading in 0..4usize) {
        compare(&goal, READINGS[reading]);
    }

    /// Goals in which every occurrence of an atom is replaced by an atom of its own, so none are shared.
    #[test]
    fn random_goals_without_shared_atoms(goal in naive::goals(), reading in 0..4usize) {
        let mut next = 0;
        let conjuncts = goal.conjuncts.into_iter().map(|node| renumbered(node, &mut next)).collect();
        prop_assume!(next <= 10);
        compare(&GroundGoal { atoms: naive::atoms(next), conjuncts }, READINGS[reading]);
    }
}

/// Replaces every occurrence of an atom by a distinct atom.
fn renumbered(node: Node, next: &mut u32) -> Node {
    let mut each = |nodes: Vec<Node>| nodes.into_iter().map(|node| renumbered(node, next)).collect::<Vec<_>>();
    match node {
        Node::Atom(_) => {
            *next += 1;
            atom(*next - 1)
        }
        Node::Not(part) => not(renumbered(*part, next)),
        Node::And(parts) => Node::And(each(parts)),
        Node::Or(parts) => Node::Or(each(parts)),
        Node::Forall(parts) => Node::Forall(each(parts)),
        Node::Exists(parts) => Node::Exists(each(parts)),
        Node::ForN(amount, parts) => Node::ForN(amount, each(parts)),
        Node::Imply(parts) => {
            let [before, after] = *parts;
            Node::Imply(Box::new([renumbered(before, next), renumbered(after, next)]))
        }
        Node::ForPairs(pairs) => {
            let mut cell = |cell: Cell| Cell { right: cell.right, node: renumbered(cell.node, next) };
            let rows = pairs.rows.into_iter().map(|row| row.into_iter().map(&mut cell).collect()).collect();
            Node::ForPairs(Pairs { amount: pairs.amount, rows })
        }
    }
}

/// Returns a pairing of the given shape, whose atoms are numbered from `first`; if `same` is set, both sides have one category.
fn pairs((rows, columns, amount): (u32, u32, Option<u32>), same: bool, first: u32) -> Node {
    let row = |row: u32| {
        let others = (0..columns).filter(|&right| !same || right != row);
        others.map(|right| Cell { right, node: atom(first + row * columns + right) }).collect()
    };
    Node::ForPairs(Pairs { amount, rows: (0..rows).map(row).collect() })
}

fn goal(atoms: u32, conjuncts: Vec<Node>) -> GroundGoal {
    GroundGoal { atoms: naive::atoms(atoms), conjuncts }
}

/// Matrices of up to four by four, under every semantics and with every required number.
#[test]
fn pairs_of_every_shape_in_every_state() {
    for (rows, columns) in (1..=4).flat_map(|rows| (1..=4).map(move |columns| (rows, columns))) {
        for amount in std::iter::once(None).chain((1..=4).map(Some)) {
            for (dialect, same) in
                [(READINGS[0], false), (READINGS[2], false), (READINGS[0], true), (READINGS[2], true)]
            {
                if same && rows != columns {
                    continue;
                }
                let goal = goal(rows * columns, vec![pairs((rows, columns, amount), same, 0)]);
                let structure = FactoredOptions::of(&goal, dialect).unwrap();
                let options = ExactOptions::of(&goal, dialect).unwrap();
                assert_eq!(structure.count(), options.count(), "{rows} {columns} {amount:?}");
                // Enumerating all 65536 states of four by four would take minutes.
                let step = if rows * columns < 16 { 1 } else { 61 };
                for state in states((rows * columns) as usize).step_by(step) {
                    same_as_diagram(&structure, &options, &state);
                }
            }
        }
    }
}

/// Compares the results in a state with those of a diagram.
fn same_as_diagram(structure: &FactoredOptions, options: &ExactOptions, state: &[bool]) {
    let expected = options.nearest_literals(state).map(|nearest| (nearest.missing.len(), nearest.satisfied.len()));
    let found = structure.nearest(state);
    assert!(found.is_none_or(|best| best.proven), "{state:?}");
    assert_eq!(found.map(|best| (best.others, best.counted)), expected, "{state:?}");
    for pair in WORTHS {
        let expected = options.best_literals(|literal| if literal.holds(state) { pair.0 } else { pair.1 });
        let best = structure.best(&|literal| literal.holds(state), LiteralWeights { counted: pair.0, other: pair.1 });
        assert_eq!(best.map(|best| weight(best, pair)), expected.map(|(weight, _)| weight), "{pair:?} {state:?}");
    }
}

/// Generates states in which a random share of the atoms, in tenths, is true.
fn sparse(atoms: u32) -> impl Strategy<Value = Vec<bool>> {
    (0..=10u32).prop_flat_map(move |share| {
        prop::collection::vec((0..10u32).prop_map(move |place| place < share), atoms as usize)
    })
}

fn large_shape() -> impl Strategy<Value = (u32, u32, Option<u32>)> {
    (3..=6u32, 3..=6u32, prop::option::of(1..=6u32))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn larger_pairs_in_random_states(
        (shape, states) in large_shape()
            .prop_flat_map(|shape| (Just(shape), prop::collection::vec(sparse(shape.0 * shape.1), 40))),
        matching in prop::bool::ANY,
    ) {
        let dialect = READINGS[if matching { 2 } else { 0 }];
        let goal = goal(shape.0 * shape.1, vec![pairs(shape, false, 0)]);
        let options = ExactOptions::of(&goal, dialect).unwrap();
        let structure = FactoredOptions::of(&goal, dialect).unwrap();
        prop_assert_eq!(structure.count(), options.count());
        for state in states {
            same_as_diagram(&structure, &options, &state);
        }
    }
}

/// Returns two matrices of three by three and one more atom.
fn nested(first: u32, second: u32) -> [Node; 7] {
    let one = || pairs((3, 3, None), false, first);
    let other = || pairs((3, 2, Some(2)), false, second);
    [
        Node::Forall(vec![one(), other()]),
        Node::Exists(vec![one(), other()]),
        Node::And(vec![one(), not(other())]),
        Node::Or(vec![not(one()), other(), atom(15)]),
        not(Node::And(vec![not(one()), Node::Or(vec![other(), atom(15)])])),
        Node::Imply(Box::new([Node::Or(vec![not(atom(15)), one()]), other()])),
        Node::ForN(1, vec![one(), other(), atom(15)]),
    ]
}

/// Pairings below other operators: without shared atoms, with some shared, and with some shared with another conjunct.
#[test]
fn nested_pairs_in_random_states() {
    let mut shared = 0;
    for dialect in READINGS {
        for (second, more) in [(9, None), (7, None), (9, Some(Node::Or(vec![atom(2), not(atom(12))])))] {
            for node in nested(0, second) {
                let goal = goal(16, std::iter::once(node).chain(more.clone()).collect());
                let options = ExactOptions::of(&goal, dialect).unwrap();
                let structure = FactoredOptions::of(&goal, dialect).unwrap();
                assert_eq!(structure.count(), options.count(), "{goal:?}");
                for state in states(16).step_by(251) {
                    same_as_diagram(&structure, &options, &state);
                    let holds = evaluate::goal_holds(&goal, dialect, &state);
                    assert_eq!(structure.nearest(&state).is_some_and(|best| best.others == 0), holds);
                }
                shared += 1;
            }
        }
    }
    assert_eq!(shared, 84);
}

/// Goals that are too large for diagrams. There are 30! matchings of thirty with thirty.
#[test]
fn pairs_too_large_for_diagrams() {
    let square = |side: u32, same| goal(side * side, vec![pairs((side, side, None), same, 0)]);
    assert!(ExactOptions::of(&square(8, false), Dialect::STRICT).is_err(), "or this test shows nothing");
    for (dialect, side) in [(Dialect::STRICT, 30), (Dialect::STRICT.with_documented_quantifiers(), 30)] {
        let goal = square(side, false);
        let structure = FactoredOptions::of(&goal, dialect).unwrap();
        // The diagonal cells of the first twenty rows are true; then one row has a further true cell.
        let mut state = vec![false; 900];
        (0..20).for_each(|line| state[line * 31] = true);
        let nearest = structure.nearest(&state).unwrap();
        assert_eq!((nearest.counted, nearest.others, nearest.proven), (20, 10, true));
        state[1] = true;
        let nearest = structure.nearest(&state).unwrap();
        assert_eq!((nearest.counted, nearest.others, nearest.proven), (20, 10, true));
        // One row has all cells true, so each of the other rows lacks a cell.
        state.fill(false);
        state[..30].fill(true);
        let expected = if dialect.pairing == Pairing::Covering { (29, 29) } else { (1, 29) };
        let nearest = structure.nearest(&state).unwrap();
        assert_eq!((nearest.counted, nearest.others), expected);
    }
    let thirty: u128 = (1..=30).product();
    assert_eq!(
        FactoredOptions::of(&square(30, false), Dialect::STRICT.with_documented_quantifiers()).unwrap().count(),
        OptionCount::Exactly(thirty)
    );
    assert_eq!(
        FactoredOptions::of(&square(60, false), Dialect::STRICT.with_documented_quantifiers()).unwrap().count(),
        OptionCount::Overflow
    );
}

/// A literal conjunct fixes the value of its atom, so a pairing with this atom remains factored.
#[test]
fn literals_beside_pairs() {
    for dialect in READINGS {
        for (beside, amount) in [(atom(0), None), (not(atom(0)), None), (not(atom(6)), Some(3)), (atom(6), Some(2))] {
            let goal = goal(16, vec![beside, pairs((4, 4, amount), false, 0)]);
            let options = ExactOptions::of(&goal, dialect).unwrap();
            let structure = FactoredOptions::of(&goal, dialect).unwrap();
            assert_eq!(structure.count(), options.count(), "{goal:?}");
            for state in states(16).step_by(251) {
                same_as_diagram(&structure, &options, &state);
            }
        }
    }
    let contradiction = vec![atom(0), not(atom(0)), pairs((30, 30, None), false, 0)];
    let structure = FactoredOptions::of(&goal(900, contradiction), Dialect::STRICT).unwrap();
    assert_eq!((structure.count(), structure.nearest(&[false; 900])), (OptionCount::Exactly(0), None));
}

/// The same for goals that are too large for diagrams. The diagonal cells of the first twenty rows are true.
#[test]
fn literals_beside_large_pairs() {
    let mut state = vec![false; 900];
    (0..20).for_each(|line| state[line * 31] = true);
    // Ten pairs are missing in each case. The cases need in addition: the literal itself, since its row is already paired;
    // nothing, since the literal belongs to one of the ten pairs; nothing; the literal, and a pair that replaces the one it
    // excludes.
    let cases = [(atom(29), 11), (atom(25 * 30 + 26), 10), (not(atom(25 * 31)), 10), (not(atom(5 * 31)), 12)];
    for dialect in [Dialect::STRICT, Dialect::STRICT.with_documented_quantifiers()] {
        for (beside, missing) in &cases {
            let goal = goal(900, vec![pairs((30, 30, None), false, 0), beside.clone()]);
            let nearest = FactoredOptions::of(&goal, dialect).unwrap().nearest(&state).unwrap();
            assert_eq!(nearest.others, *missing, "{beside:?}");
            // All matchings have the same number of literals.
            assert_eq!(nearest.proven, dialect.pairing == Pairing::Matching);
        }
    }
    let beside = goal(900, vec![pairs((30, 30, None), false, 0), atom(29)]);
    let structure = FactoredOptions::of(&beside, Dialect::STRICT.with_documented_quantifiers()).unwrap();
    assert_eq!(structure.count(), OptionCount::Exactly((1..=30).product()));
}

/// Cells of two literals: the minimum number of false literals is exact even without a diagram, and unproven results are
/// reported as such.
#[test]
fn large_covers_of_several_literals() {
    let side = 12u32;
    let both = |cell: u32| Node::And(vec![atom(2 * cell), atom(2 * cell + 1)]);
    let row = |row: u32| (0..side).map(|right| Cell { right, node: both(row * side + right) }).collect();
    let node = Node::ForPairs(Pairs { amount: None, rows: (0..side).map(row).collect() });
    let goal = goal(2 * side * side, vec![node]);
    let structure = FactoredOptions::of(&goal, Dialect::STRICT).unwrap();
    let single = self::goal(side * side, vec![pairs((side, side, None), false, 0)]);
    assert_eq!(structure.count(), FactoredOptions::of(&single, Dialect::STRICT).unwrap().count());
    let mut state = vec![false; goal.atoms.len()];
    // Five cells of the diagonal are half true, and two are true.
    (0..7).for_each(|line| state[2 * line * 13] = true);
    (5..7).for_each(|line| state[2 * line * 13 + 1] = true);
    let nearest = structure.nearest(&state).unwrap();
    assert_eq!((nearest.others, nearest.proven), (5 + 2 * 5, false));
    let documented = FactoredOptions::of(&goal, Dialect::STRICT.with_documented_quantifiers()).unwrap();
    let nearest = documented.nearest(&state).unwrap();
    assert_eq!((nearest.counted, nearest.others, nearest.proven), (9, 15, true));
    assert_eq!(documented.count(), OptionCount::Exactly((1..=12).product()));
}

/// Adversarial input: dense irregular states. The minimum number of false literals is that of the lines without a true cell,
/// and the search for the rest terminates.
#[test]
fn searches_end() {
    let side = 40u32;
    let goal = goal(side * side, vec![pairs((side, side, None), false, 0)]);
    let structure = FactoredOptions::of(&goal, Dialect::STRICT).unwrap();
    let mut number = 7u64;
    for every in [3, 5, 9, 14] {
        let mut state = vec![false; (side * side) as usize];
        for (place, cell) in state.iter_mut().enumerate() {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *cell = (number >> 33).is_multiple_of(every) && place >= 3 * side as usize;
        }
        let untouched = |line: &dyn Fn(usize, usize) -> usize| {
            (0..40).filter(|&one| (0..40).all(|other| !state[line(one, other)])).count()
        };
        let rows = untouched(&|row, column| row * 40 + column);
        let columns = untouched(&|column, row| row * 40 + column);
        assert_eq!(structure.nearest(&state).unwrap().others, rows.max(columns));
    }
}

/// An atom that the goal requires by itself satisfies the pair that consists of it, so the pairing and an equivalent
/// alternative have the same option.
#[test]
fn pairs_that_ask_for_nothing() {
    let matrix = |cells: [u32; 2]| {
        let rows = cells.map(|cell| vec![Cell { right: 0, node: atom(cell) }]);
        Node::ForPairs(Pairs { amount: None, rows: rows.into() })
    };
    for dialect in READINGS {
        let either = Node::Exists(vec![Node::Or(vec![atom(2)]), Node::Forall(vec![matrix([2, 1])])]);
        compare(&goal(3, vec![either, atom(2)]), dialect);
        compare(&goal(3, vec![matrix([2, 1]), Node::Or(vec![atom(2), atom(0)]), atom(2)]), dialect);
    }
}
