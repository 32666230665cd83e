//! Reference implementation of options by exhaustive enumeration, and strategies for random goals.

#![allow(dead_code, reason = "every test binary uses a part of it")]

use std::collections::BTreeSet;

use goalspec_bddl::Dialect;
use goalspec_bddl::dialect::{Counting, Pairing};
use goalspec_bddl::ground::{AtomId, Atoms, Cell, GroundAtom, GroundGoal, Node, Pairs};
use goalspec_bddl::options::AtomLiteral;
use proptest::prelude::{Strategy, prop, prop_oneof};

/// A conjunction of literals.
pub(crate) type Conjunction = BTreeSet<AtomLiteral>;
/// A set of options.
pub(crate) type Options = BTreeSet<Conjunction>;

/// Returns the options of a goal.
pub(crate) fn options(goal: &GroundGoal, dialect: Dialect) -> Options {
    all(goal.conjuncts.iter().map(|node| of(node, true, dialect)))
}

fn all(parts: impl Iterator<Item = Options>) -> Options {
    parts.fold(BTreeSet::from([Conjunction::new()]), |done, part| {
        let pairs = done.iter().flat_map(|one| part.iter().map(move |other| one | other));
        pairs.filter(consistent).collect()
    })
}

fn consistent(option: &Conjunction) -> bool {
    option.iter().all(|literal| !option.contains(&AtomLiteral { positive: !literal.positive, ..*literal }))
}

fn any(parts: impl Iterator<Item = Options>) -> Options {
    parts.flatten().collect()
}

/// Returns all subsets of `0..count`, each as a list of its elements.
fn subsets(count: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..1u32 << count).map(move |bits| (0..count).filter(|index| bits >> index & 1 == 1).collect())
}

fn of(node: &Node, holds: bool, dialect: Dialect) -> Options {
    let each = |nodes: &[Node], hold: bool| nodes.iter().map(|node| of(node, hold, dialect)).collect::<Vec<_>>();
    match node {
        Node::Atom(atom) => BTreeSet::from([BTreeSet::from([AtomLiteral { atom: *atom, positive: holds }])]),
        Node::Not(part) => of(part, !holds, dialect),
        Node::And(parts) | Node::Forall(parts) if holds => all(each(parts, true).into_iter()),
        Node::Or(parts) | Node::Exists(parts) if !holds => all(each(parts, false).into_iter()),
        Node::And(parts) | Node::Forall(parts) | Node::Or(parts) | Node::Exists(parts) => {
            any(each(parts, holds).into_iter())
        }
        Node::Imply(parts) => {
            let parts = [of(&parts[0], !holds, dialect), of(&parts[1], holds, dialect)].into_iter();
            if holds { any(parts) } else { all(parts) }
        }
        Node::ForN(amount, parts) => {
            let (positive, negative) = (each(parts, true), each(parts, false));
            let amount = *amount as usize;
            let free: Vec<Options> = vec![BTreeSet::from([Conjunction::new()]); parts.len()];
            let choose = |amount: usize, selection: &[Options], others: &[Options]| {
                any(subsets(parts.len()).filter(|subset| subset.len() == amount).map(|subset| {
                    all((0..parts.len())
                        .map(|part| if subset.contains(&part) { &selection[part] } else { &others[part] })
                        .cloned())
                }))
            };
            let too_few = if amount > parts.len() {
                choose(0, &free, &free)
            } else {
                choose(parts.len() + 1 - amount, &negative, &free)
            };
            match (dialect.counting, holds) {
                (Counting::Exactly, true) => choose(amount, &positive, &negative),
                (Counting::AtLeast, true) => choose(amount, &positive, &free),
                (Counting::Exactly, false) => &too_few | &choose(amount + 1, &positive, &free),
                (Counting::AtLeast, false) => too_few,
            }
        }
        Node::ForPairs(pairs) => paired(pairs, holds, dialect),
    }
}

/// Returns the options of a pairing quantifier or of its negation, from the minimal sets of cells, by exhaustive enumeration.
fn paired(pairs: &Pairs, holds: bool, dialect: Dialect) -> Options {
    let cells: Vec<(usize, usize, &Cell)> = pairs
        .rows
        .iter()
        .enumerate()
        .flat_map(|(row, cells)| cells.iter().enumerate().map(move |(place, cell)| (row, place, cell)))
        .collect();
    let required = pairs.required();
    let column = |&(_, place, cell): &(usize, usize, &Cell)| match dialect.pairing {
        Pairing::Covering => place,
        Pairing::Matching => cell.right as usize,
    };
    let count = |lines: BTreeSet<usize>| lines.len();
    let covers = |selection: &[usize]| {
        let selection = || selection.iter().map(|&cell| &cells[cell]);
        count(selection().map(|cell| cell.0).collect()) >= required
            && count(selection().map(column).collect()) >= required
    };
    let matching = |selection: &[usize]| selection.len() == required && covers(selection);
    let has_matching = |selection: &[usize]| {
        subsets(selection.len()).any(|part| matching(&part.iter().map(|&place| selection[place]).collect::<Vec<_>>()))
    };
    let satisfied = |selection: &[usize]| match dialect.pairing {
        Pairing::Covering => covers(selection),
        Pairing::Matching => has_matching(selection),
    };
    let without = |selection: &[usize]| (0..cells.len()).filter(|cell| !selection.contains(cell)).collect::<Vec<_>>();
    let accepted = |selection: &[usize]| if holds { satisfied(selection) } else { !satisfied(&without(selection)) };
    let minimal = |selection: &Vec<usize>| {
        accepted(selection)
            && selection
                .iter()
                .all(|cell| !accepted(&selection.iter().copied().filter(|other| other != cell).collect::<Vec<_>>()))
    };
    any(subsets(cells.len())
        .filter(minimal)
        .map(|selection| all(selection.iter().map(|&cell| of(&cells[cell].2.node, holds, dialect)))))
}

/// Returns the number of minimal sets of cells that touch all rows and columns of a square, by enumerating all sets with at
/// most two cells per row.
pub(crate) fn minimal_covers(side: u32) -> u128 {
    let row_sets = 1u32 << side;
    let mut found = 0;
    let mut rows = vec![1u32; side as usize];
    loop {
        let touched = |column: u32| rows.iter().filter(|row| **row >> column & 1 == 1).count();
        let needed = |row: &u32| {
            row.is_power_of_two()
                || (0..side).filter(|column| row >> column & 1 == 1).all(|column| touched(column) == 1)
        };
        found += u128::from((0..side).all(|column| touched(column) > 0) && rows.iter().all(needed));
        let Some(row) = rows.iter().rposition(|row| row + 1 < row_sets) else { return found };
        rows[row] += 1;
        rows[row + 1..].fill(1);
    }
}

/// Returns `count` distinct atoms.
pub(crate) fn atoms(count: u32) -> Atoms {
    let atom = |place: u32| GroundAtom {
        predicate: "open".into(),
        arguments: std::iter::once(format!("a_{place}").into()).collect(),
    };
    (0..count).map(atom).collect()
}

/// Returns a goal that consists of a single pairing quantifier.
pub(crate) fn pairs(rows: u32, columns: u32, amount: Option<u32>, cell: impl Fn(u32, u32) -> Node) -> GroundGoal {
    let row = |row: u32| (0..columns).map(|right| Cell { right, node: cell(row, right) }).collect();
    let pairs = Pairs { amount, rows: (0..rows).map(row).collect() };
    GroundGoal { atoms: atoms(rows * columns), conjuncts: vec![Node::ForPairs(pairs)] }
}

/// Generates goals over seven atoms with every operator, including pairings with one category on both sides.
pub(crate) fn goals() -> impl Strategy<Value = GroundGoal> {
    let atom = (0..7u32).prop_map(|atom| Node::Atom(AtomId(atom)));
    let node = operators(atom.prop_recursive(2, 8, 3, operators));
    prop::collection::vec(node, 1..4).prop_map(|conjuncts| GroundGoal { atoms: atoms(7), conjuncts })
}

/// Generates conditions with every operator over the given operands.
fn operators(part: impl Strategy<Value = Node> + Clone + 'static) -> impl Strategy<Value = Node> {
    let parts = prop::collection::vec(part.clone(), 0..5);
    let cells = prop::collection::vec(part.clone(), 6);
    prop_oneof![
        part.clone().prop_map(|part| Node::Not(Box::new(part))),
        parts.clone().prop_map(Node::And),
        parts.clone().prop_map(Node::Or),
        parts.clone().prop_map(Node::Forall),
        parts.clone().prop_map(Node::Exists),
        [part.clone(), part].prop_map(|parts| Node::Imply(Box::new(parts))),
        (0..4u32, parts).prop_map(|(amount, parts)| Node::ForN(amount, parts)),
        (prop::option::of(0..3u32), 0..4u32, 1..4u32, prop::bool::ANY, cells).prop_map(matrix),
    ]
}

/// Returns a pairing of up to six cells, with one category or two.
fn matrix((amount, rows, columns, same, cells): (Option<u32>, u32, u32, bool, Vec<Node>)) -> Node {
    let (rows, columns) = match (same, rows * columns > 6) {
        (true, _) => (rows, rows),
        (false, true) => (2, 3),
        (false, false) => (rows, columns),
    };
    let mut cells = cells.into_iter();
    let mut row = |row: u32| {
        let others = (0..columns).filter(|&right| !same || right != row);
        others.filter_map(|right| Some(Cell { right, node: cells.next()? })).collect()
    };
    Node::ForPairs(Pairs { amount, rows: (0..rows).map(&mut row).collect() })
}
