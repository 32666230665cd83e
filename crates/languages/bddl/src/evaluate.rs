//! Evaluation of ground goals in a state, under each semantics of counting and pairing quantifiers.
//!
//! A state is a slice of truth values indexed by [`AtomId`]; atoms beyond its end are false. [`holds`] evaluates conditions by
//! the semantics of a dialect. [`release_conjuncts`] reproduces a release, which also has rules for objects that are missing from the
//! simulator.

use crate::Dialect;
use crate::dialect::{Counting, Pairing};
use crate::exception::{Exception, ExceptionKind};
use crate::ground::{AtomId, Cell, GroundGoal, Node, Pairs};

/// Whether an atom is true in a state.
pub fn is_true(state: &[bool], atom: AtomId) -> bool {
    state.get(atom.index()).copied().unwrap_or(false)
}

/// Whether a condition holds in a state.
pub fn holds(node: &Node, dialect: Dialect, state: &[bool]) -> bool {
    let part = |node: &Node| holds(node, dialect, state);
    match node {
        Node::Atom(atom) => is_true(state, *atom),
        Node::Not(node) => !part(node),
        Node::And(parts) | Node::Forall(parts) => parts.iter().all(part),
        Node::Or(parts) | Node::Exists(parts) => parts.iter().any(part),
        Node::Imply(parts) => !part(&parts[0]) || part(&parts[1]),
        Node::ForN(amount, parts) => {
            let count = parts.iter().filter(|node| part(node)).count();
            match dialect.counting {
                Counting::Exactly => count == *amount as usize,
                Counting::AtLeast => count >= *amount as usize,
            }
        }
        Node::ForPairs(pairs) => {
            let cells = |row: &Vec<Cell>| row.iter().map(|cell| part(&cell.node)).collect();
            pairing_holds(pairs, &pairs.rows.iter().map(cells).collect::<Vec<_>>(), dialect.pairing)
        }
    }
}

/// Returns, for each conjunct of a goal in order, whether it holds in a state.
pub fn conjuncts(goal: &GroundGoal, dialect: Dialect, state: &[bool]) -> Vec<bool> {
    goal.conjuncts.iter().map(|node| holds(node, dialect, state)).collect()
}

/// Whether a goal holds in a state.
pub fn goal_holds(goal: &GroundGoal, dialect: Dialect, state: &[bool]) -> bool {
    goal.conjuncts.iter().all(|node| holds(node, dialect, state))
}

/// Whether a truth matrix satisfies a pairing quantifier.
pub(crate) fn pairing_holds(pairs: &Pairs, values: &[Vec<bool>], pairing: Pairing) -> bool {
    let required = pairs.required();
    match pairing {
        Pairing::Covering => {
            let rows = values.iter().filter(|row| row.contains(&true)).count();
            let width = values.iter().map(Vec::len).max().unwrap_or(0);
            let columns = (0..width).filter(|&column| values.iter().any(|row| row.get(column) == Some(&true))).count();
            rows >= required && columns >= required
        }
        Pairing::Matching => {
            let partners = |(row, values): (&Vec<Cell>, &Vec<bool>)| {
                row.iter().zip(values).filter(|(_, holds)| **holds).map(|(cell, _)| cell.right as usize).collect()
            };
            let partners: Vec<Vec<usize>> = pairs.rows.iter().zip(values).map(partners).collect();
            largest_matching(&partners) >= required
        }
    }
}

/// Returns the size of a maximum bipartite matching; `partners` lists the admissible partners of each row.
fn largest_matching(partners: &[Vec<usize>]) -> usize {
    let right_count = partners.iter().flatten().max().map_or(0, |last| last + 1);
    let mut row_of: Vec<Option<usize>> = vec![None; right_count];
    let mut partner_of: Vec<Option<usize>> = vec![None; partners.len()];
    let mut size = 0;
    for start in 0..partners.len() {
        // Breadth-first search for an augmenting path from the row `start`, which has no partner, to a partner without a row;
        // `reached_from` stores the path.
        let mut reached_from: Vec<Option<usize>> = vec![None; right_count];
        let mut rows = vec![start];
        let mut next = 0;
        let free = 'search: loop {
            let Some(&row) = rows.get(next) else { break None };
            next += 1;
            for &right in &partners[row] {
                if reached_from[right].is_none() {
                    reached_from[right] = Some(row);
                    match row_of[right] {
                        Some(other) => rows.push(other),
                        None => break 'search Some(right),
                    }
                }
            }
        };
        let mut end = free;
        while let Some(right) = end {
            let row = reached_from[right];
            row_of[right] = row;
            end = row.and_then(|row| partner_of[row].replace(right));
        }
        size += usize::from(free.is_some());
    }
    size
}

/// A failure of a release to evaluate a goal in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReleaseEvaluationError {
    /// An operator has an operand that is a predicate of two objects, one of them missing from the simulator: an
    /// `AssertionError`.
    MissingObject,
    /// A pairing quantifier has no left object: an `IndexError`.
    NoLeftObjects,
}

impl std::fmt::Display for ReleaseEvaluationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::MissingObject => {
                "an operand of an operator is a predicate of an object that the simulator does not have"
            }
            Self::NoLeftObjects => "no objects to pair",
        })
    }
}

impl std::error::Error for ReleaseEvaluationError {}

impl From<ReleaseEvaluationError> for Exception {
    fn from(failure: ReleaseEvaluationError) -> Self {
        match failure {
            ReleaseEvaluationError::MissingObject => {
                Self::new(ExceptionKind::AssertionError, "child_values has NoneTypes")
            }
            ReleaseEvaluationError::NoLeftObjects => Self::new(ExceptionKind::IndexError, "list index out of range"),
        }
    }
}

/// Returns, for each conjunct of a goal, whether a release evaluates it as satisfied. `values` returns `None` for an atom if
/// the simulator lacks one of its objects. A unary atom without a value is false. A binary atom without a value is false if it
/// is a whole conjunct or a cell of a pairing quantifier, and causes an exception as the operand of any other operator.
///
/// # Errors
/// The exception that the release raises instead. Evaluation is strict: every part of every conjunct is evaluated.
pub fn release_conjuncts(
    goal: &GroundGoal,
    values: impl Fn(AtomId) -> Option<bool>,
) -> Result<Vec<bool>, ReleaseEvaluationError> {
    let reader = ReleaseReader { goal, values };
    goal.conjuncts.iter().map(|node| Ok(reader.value(node)?.unwrap_or(false))).collect()
}

struct ReleaseReader<'a, F> {
    goal: &'a GroundGoal,
    values: F,
}

impl<F: Fn(AtomId) -> Option<bool>> ReleaseReader<'_, F> {
    fn value(&self, node: &Node) -> Result<Option<bool>, ReleaseEvaluationError> {
        Ok(Some(match node {
            Node::Atom(atom) => {
                let missing = (self.goal.atom(*atom).arguments.len() == 1).then_some(false);
                return Ok((self.values)(*atom).or(missing));
            }
            Node::Not(node) => !self.part(node)?,
            Node::And(parts) | Node::Forall(parts) => self.parts(parts)?.into_iter().all(|holds| holds),
            Node::Or(parts) | Node::Exists(parts) => self.parts(parts)?.into_iter().any(|holds| holds),
            Node::Imply(parts) => {
                let (before, after) = (self.part(&parts[0])?, self.part(&parts[1])?);
                !before || after
            }
            Node::ForN(amount, parts) => {
                self.parts(parts)?.into_iter().filter(|holds| *holds).count() == *amount as usize
            }
            Node::ForPairs(pairs) => {
                let cell = |cell: &Cell| Ok(self.value(&cell.node)?.unwrap_or(false));
                let row = |row: &Vec<Cell>| row.iter().map(cell).collect();
                let values = pairs.rows.iter().map(row).collect::<Result<Vec<_>, _>>()?;
                if values.is_empty() {
                    return Err(ReleaseEvaluationError::NoLeftObjects);
                }
                pairing_holds(pairs, &values, Pairing::Covering)
            }
        }))
    }

    /// Returns the value of an operand, which must have one.
    fn part(&self, node: &Node) -> Result<bool, ReleaseEvaluationError> {
        self.value(node)?.ok_or(ReleaseEvaluationError::MissingObject)
    }

    fn parts(&self, nodes: &[Node]) -> Result<Vec<bool>, ReleaseEvaluationError> {
        nodes.iter().map(|node| self.part(node)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matching_gives_way_to_a_longer_one() {
        assert_eq!(largest_matching(&[vec![0], vec![0], vec![1, 2]]), 2);
        assert_eq!(largest_matching(&[vec![0, 1], vec![0], vec![1, 2]]), 3);
        assert_eq!(largest_matching(&[vec![0, 1], vec![0, 2], vec![0], vec![3, 1]]), 4);
        assert_eq!(largest_matching(&[vec![], vec![5]]), 1);
        assert_eq!(largest_matching(&[]), 0);
    }
}
