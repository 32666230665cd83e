//! Three-valued evaluation of a goal when the values of some atoms are fixed: whether the goal can still hold, and which atoms
//! prevent it.

use crate::Dialect;
use crate::dialect::Counting;
use crate::evaluate::pairing_holds;
use crate::ground::{AtomId, Cell, Node, Pairs};

/// A partial assignment: the atoms whose values are fixed.
pub trait PartialAssignment {
    /// Returns the fixed value of an atom, or `None` if it may change.
    fn value(&self, atom: AtomId) -> Option<bool>;
}

impl<F: Fn(AtomId) -> Option<bool>> PartialAssignment for F {
    fn value(&self, atom: AtomId) -> Option<bool> {
        self(atom)
    }
}

/// Returns the value of a condition if it is the same for all values of the free atoms, derived from the values of its parts.
/// The result is sound but incomplete, since dependencies between parts are ignored.
pub fn partial_value(node: &Node, dialect: Dialect, assignment: &dyn PartialAssignment) -> Option<bool> {
    let part = |node: &Node| partial_value(node, dialect, assignment);
    match node {
        Node::Atom(atom) => assignment.value(*atom),
        Node::Not(node) => part(node).map(|value| !value),
        Node::And(parts) | Node::Forall(parts) => all(parts.iter().map(part)),
        Node::Or(parts) | Node::Exists(parts) => any(parts.iter().map(part)),
        Node::Imply(parts) => any([part(&parts[0]).map(|value| !value), part(&parts[1])].into_iter()),
        Node::ForN(amount, parts) => {
            let (amount, [certain, possible]) = (*amount as usize, counts(parts, dialect, assignment));
            match dialect.counting {
                Counting::AtLeast => decided(certain >= amount, possible < amount),
                Counting::Exactly => {
                    decided(certain == possible && certain == amount, certain > amount || possible < amount)
                }
            }
        }
        Node::ForPairs(pairs) => {
            let matrix = |holds: &dyn Fn(Option<bool>) -> bool| {
                let row = |row: &Vec<Cell>| row.iter().map(|cell| holds(part(&cell.node))).collect();
                pairing_holds(pairs, &pairs.rows.iter().map(row).collect::<Vec<_>>(), dialect.pairing)
            };
            // Pairing is monotone: more true cells never falsify it.
            decided(matrix(&|value| value == Some(true)), !matrix(&|value| value != Some(false)))
        }
    }
}

/// Returns the fixed atoms that prevent a condition from having the wanted value, sorted; empty if it may have that value.
pub fn obstacles(node: &Node, target: bool, dialect: Dialect, assignment: &dyn PartialAssignment) -> Vec<AtomId> {
    let mut found = Vec::new();
    collect(node, target, dialect, assignment, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

fn collect(node: &Node, target: bool, dialect: Dialect, assignment: &dyn PartialAssignment, found: &mut Vec<AtomId>) {
    if partial_value(node, dialect, assignment) != Some(!target) {
        return;
    }
    let mut each = |parts: &mut dyn Iterator<Item = &Node>, target: bool| {
        parts.for_each(|part| collect(part, target, dialect, assignment, found));
    };
    match node {
        Node::Atom(atom) => found.push(*atom),
        Node::Not(node) => collect(node, !target, dialect, assignment, found),
        Node::And(parts) | Node::Forall(parts) | Node::Or(parts) | Node::Exists(parts) => {
            each(&mut parts.iter(), target);
        }
        Node::Imply(parts) => {
            each(&mut std::iter::once(&parts[0]), !target);
            each(&mut std::iter::once(&parts[1]), target);
        }
        Node::ForN(amount, parts) => {
            let too_many = counts(parts, dialect, assignment)[0] > *amount as usize;
            // The number of true operands differs from N if it is smaller or larger.
            let exactly = dialect.counting == Counting::Exactly;
            let (fewer, more) = if target { (too_many, !too_many) } else { (true, exactly) };
            if fewer {
                each(&mut parts.iter(), false);
            }
            if more {
                each(&mut parts.iter(), true);
            }
        }
        Node::ForPairs(Pairs { rows, .. }) => each(&mut rows.iter().flatten().map(|cell| &cell.node), target),
    }
}

/// Returns the number of operands that are certainly true, and of those that are possibly true.
fn counts(parts: &[Node], dialect: Dialect, assignment: &dyn PartialAssignment) -> [usize; 2] {
    let values: Vec<Option<bool>> = parts.iter().map(|part| partial_value(part, dialect, assignment)).collect();
    let count = |holds: fn(&Option<bool>) -> bool| values.iter().filter(|value| holds(value)).count();
    [count(|value| *value == Some(true)), count(|value| *value != Some(false))]
}

fn decided(holds: bool, fails: bool) -> Option<bool> {
    if holds { Some(true) } else { fails.then_some(false) }
}

fn all(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    any(values.map(|value| value.map(|value| !value))).map(|value| !value)
}

fn any(mut values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut open = false;
    let holds = values.any(|value| {
        open |= value.is_none();
        value == Some(true)
    });
    decided(holds, !open)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: AtomId = AtomId(0);
    const B: AtomId = AtomId(1);
    const C: AtomId = AtomId(2);

    /// A is false, B is true, and C is free.
    fn values(atom: AtomId) -> Option<bool> {
        [Some(false), Some(true), None][atom.index()]
    }

    fn atom(id: AtomId) -> Node {
        Node::Atom(id)
    }

    fn not(node: Node) -> Node {
        Node::Not(Box::new(node))
    }

    #[test]
    fn a_condition_is_decided_if_no_unassigned_atom_matters() {
        let strict = Dialect::STRICT;
        let row =
            |nodes: Vec<Node>| nodes.into_iter().zip(0..).map(|(node, right)| Cell { right, node }).collect::<Vec<_>>();
        let pairs = |rows: Vec<Vec<Cell>>| Node::ForPairs(Pairs { amount: None, rows });
        for (node, expected, blocking) in [
            (atom(A), Some(false), vec![A]),
            (atom(B), Some(true), vec![B]),
            (atom(C), None, vec![]),
            (not(atom(B)), Some(false), vec![B]),
            (Node::And(vec![atom(B), atom(C)]), None, vec![]),
            (Node::And(vec![atom(B), not(atom(A))]), Some(true), vec![A, B]),
            (Node::And(vec![atom(A), atom(C), not(atom(B))]), Some(false), vec![A, B]),
            (Node::Or(vec![atom(A), not(atom(B))]), Some(false), vec![A, B]),
            (Node::Or(vec![atom(B), atom(C)]), Some(true), vec![B]),
            (Node::Imply(Box::new([atom(B), atom(A)])), Some(false), vec![A, B]),
            (Node::Imply(Box::new([atom(A), atom(C)])), Some(true), vec![A]),
            (Node::Imply(Box::new([atom(C), atom(A)])), None, vec![]),
            (Node::ForN(2, vec![atom(A), atom(B), atom(C)]), None, vec![]),
            (Node::ForN(3, vec![atom(A), atom(B), atom(C)]), Some(false), vec![A]),
            (Node::ForN(0, vec![atom(B), atom(C)]), Some(false), vec![B]),
            (Node::ForN(0, vec![atom(A), not(atom(B))]), Some(true), vec![A, B]),
            (Node::ForN(1, vec![atom(A), atom(B)]), Some(true), vec![A, B]),
            (Node::ForN(2, vec![atom(B), atom(B)]), Some(true), vec![B]),
            (pairs(vec![row(vec![atom(A), atom(C)]), row(vec![atom(C), atom(A)])]), None, vec![]),
            (pairs(vec![row(vec![atom(A), atom(A)]), row(vec![atom(C), atom(B)])]), Some(false), vec![A]),
            (pairs(vec![row(vec![atom(B), atom(A)]), row(vec![atom(A), atom(B)])]), Some(true), vec![B]),
        ] {
            check(&node, strict, expected, &blocking);
        }
        for (node, expected, blocking) in [
            (Node::ForN(1, vec![atom(B), atom(C)]), Some(true), vec![B]),
            (Node::ForN(1, vec![atom(A), atom(B), not(atom(A))]), Some(true), vec![A, B]),
            (Node::ForN(0, vec![atom(C)]), Some(true), vec![]),
            (Node::ForN(2, vec![atom(A), atom(C)]), Some(false), vec![A]),
        ] {
            check(&node, strict.with_documented_quantifiers(), expected, &blocking);
        }
    }

    /// Checks the fixed value of a condition, and the obstacles to the opposite value; there are none to the value itself.
    fn check(node: &Node, dialect: Dialect, expected: Option<bool>, blocking: &[AtomId]) {
        assert_eq!(partial_value(node, dialect, &values), expected, "{node:?}");
        for target in [true, false] {
            let found = obstacles(node, target, dialect, &values);
            assert_eq!(found, if expected == Some(!target) { blocking } else { &[] }, "{node:?}, {target}");
        }
    }
}
