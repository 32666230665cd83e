//! Incomplete construction of states in which conditions hold together.
//!
//! Most goals are easy to satisfy, because no condition requires an atom to be false that another one requires to be true. The
//! algorithm therefore assigns each atom once, as the conditions require it, starting with those that leave no choice, and
//! never backtracks. It then evaluates all conditions. If one is false, the result is inconclusive.

use std::collections::VecDeque;

use crate::Dialect;
use crate::dialect::Counting;
use crate::evaluate::holds;
use crate::ground::Node;

/// Returns a state of `atoms` atoms in which all conditions hold, if the construction succeeds.
pub(super) fn witness<'g>(
    atoms: usize,
    nodes: &(impl DoubleEndedIterator<Item = &'g Node> + Clone),
    dialect: Dialect,
) -> Option<Vec<bool>> {
    let mut attempt = Attempt { dialect, state: vec![false; atoms], settled: vec![false; atoms] };
    let mut open: Vec<Requirement<'_>> = nodes.clone().rev().map(|node| (node, true)).collect();
    let mut choices: VecDeque<Requirement<'_>> = VecDeque::new();
    loop {
        while let Some(requirement) = open.pop() {
            attempt.assign(requirement, &mut open, &mut choices);
        }
        let Some(choice) = choices.pop_front() else { break };
        attempt.choose(choice, &mut open);
    }
    nodes.clone().all(|node| holds(node, dialect, &attempt.state)).then_some(attempt.state)
}

/// A condition with its required truth value.
type Requirement<'g> = (&'g Node, bool);

/// A partial assignment.
struct Attempt {
    dialect: Dialect,
    state: Vec<bool>,
    /// The atoms that have been assigned.
    settled: Vec<bool>,
}

impl Attempt {
    /// Processes a requirement: assigns a literal, pushes the implied requirements to `open`, first part last, or defers a
    /// disjunctive one to `choices`.
    fn assign<'g>(
        &mut self,
        (node, hold): Requirement<'g>,
        open: &mut Vec<Requirement<'g>>,
        choices: &mut VecDeque<Requirement<'g>>,
    ) {
        match (node, hold) {
            (Node::Atom(atom), _) => {
                if !std::mem::replace(&mut self.settled[atom.index()], true) {
                    self.state[atom.index()] = hold;
                }
            }
            (Node::Not(part), _) => open.push((part, !hold)),
            (Node::And(parts) | Node::Forall(parts), true) | (Node::Or(parts) | Node::Exists(parts), false) => {
                open.extend(parts.iter().rev().map(|part| (part, hold)));
            }
            (Node::Imply(parts), false) => open.extend([(&parts[1], false), (&parts[0], true)]),
            _ => choices.push_back((node, hold)),
        }
    }

    /// Resolves one disjunctive requirement: takes the first alternative that is still possible, and no more counted operands
    /// than required.
    fn choose<'g>(&self, (node, hold): Requirement<'g>, open: &mut Vec<Requirement<'g>>) {
        match node {
            Node::Atom(_) | Node::Not(_) => open.push((node, hold)),
            Node::And(parts) | Node::Or(parts) | Node::Forall(parts) | Node::Exists(parts) => {
                open.extend(parts.iter().map(|part| (part, hold)).find(|&part| self.possible(part)));
            }
            Node::Imply(parts) => {
                open.extend([(&parts[0], !hold), (&parts[1], hold)].into_iter().find(|&part| self.possible(part)));
            }
            Node::ForN(amount, parts) => self.count(*amount as usize, parts, hold, open),
            Node::ForPairs(pairs) => {
                open.extend(pairs.rows.iter().flatten().rev().map(|cell| (&cell.node, hold)));
            }
        }
    }

    fn count<'g>(&self, amount: usize, parts: &'g [Node], hold: bool, open: &mut Vec<Requirement<'g>>) {
        match (self.dialect.counting, hold) {
            (Counting::AtLeast, _) => open.extend(parts.iter().rev().map(|part| (part, hold))),
            (Counting::Exactly, true) => {
                let mut ranked: Vec<&Node> = parts.iter().collect();
                ranked
                    .sort_by_cached_key(|part| (!holds(part, self.dialect, &self.state), !self.possible((part, true))));
                let requirements = ranked.into_iter().enumerate().map(|(place, part)| (part, place < amount));
                open.extend(requirements.rev());
            }
            (Counting::Exactly, false) => {
                let all = amount != parts.len();
                open.extend(parts.iter().rev().map(|part| (part, all)));
            }
        }
    }

    /// Whether the assignment leaves a requirement open, by a simple approximation.
    fn possible(&self, (node, hold): Requirement<'_>) -> bool {
        match (node, hold) {
            (Node::Atom(atom), _) => !self.settled[atom.index()] || self.state[atom.index()] == hold,
            (Node::Not(part), _) => self.possible((part, !hold)),
            (Node::And(parts) | Node::Forall(parts), true) | (Node::Or(parts) | Node::Exists(parts), false) => {
                parts.iter().all(|part| self.possible((part, hold)))
            }
            (Node::Or(parts) | Node::Exists(parts), true) | (Node::And(parts) | Node::Forall(parts), false) => {
                parts.iter().any(|part| self.possible((part, hold)))
            }
            (Node::Imply(parts), true) => self.possible((&parts[0], false)) || self.possible((&parts[1], true)),
            (Node::Imply(parts), false) => self.possible((&parts[0], true)) && self.possible((&parts[1], false)),
            (Node::ForN(..) | Node::ForPairs(_), _) => true,
        }
    }
}
