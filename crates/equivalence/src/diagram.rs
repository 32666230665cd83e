//! Reduced ordered binary decision diagrams: two conditions are equivalent if they have the same diagram.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::limits::{LimitExceeded, MAX_NODES, MAX_OPERATIONS};

/// A diagram: the index of its root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Diagram(u32);

impl Diagram {
    pub(crate) const FALSE: Self = Self(0);
    pub(crate) const TRUE: Self = Self(1);

    pub(crate) const fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }
}

/// A decision: the diagram is `high` if the variable is true, and `low` otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Diagram,
    high: Diagram,
}

/// The diagrams of a comparison, with shared nodes.
#[derive(Debug, Clone)]
pub(crate) struct Diagrams {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Diagram>,
    chosen: FxHashMap<[Diagram; 3], Diagram>,
    operations: usize,
}

impl Diagrams {
    pub(crate) fn new() -> Self {
        let leaf = |value| Node { variable: u32::MAX, low: Diagram::constant(value), high: Diagram::constant(value) };
        Self {
            nodes: vec![leaf(false), leaf(true)],
            unique: FxHashMap::default(),
            chosen: FxHashMap::default(),
            operations: 0,
        }
    }

    /// Counts an operation.
    pub(crate) fn spend(&mut self) -> Result<(), LimitExceeded> {
        self.operations += 1;
        if self.operations > MAX_OPERATIONS { Err(LimitExceeded::Operations) } else { Ok(()) }
    }

    fn node(&mut self, node: Node) -> Result<Diagram, LimitExceeded> {
        if node.low == node.high {
            return Ok(node.low);
        }
        if let Some(&known) = self.unique.get(&node) {
            return Ok(known);
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(LimitExceeded::Nodes);
        }
        let diagram = Diagram(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, diagram);
        Ok(diagram)
    }

    /// Returns the diagram of a variable.
    pub(crate) fn variable(&mut self, variable: u32) -> Result<Diagram, LimitExceeded> {
        self.node(Node { variable, low: Diagram::FALSE, high: Diagram::TRUE })
    }

    pub(crate) fn not(&mut self, diagram: Diagram) -> Result<Diagram, LimitExceeded> {
        self.choose(diagram, Diagram::FALSE, Diagram::TRUE)
    }

    pub(crate) fn and(&mut self, one: Diagram, other: Diagram) -> Result<Diagram, LimitExceeded> {
        self.choose(one, other, Diagram::FALSE)
    }

    pub(crate) fn or(&mut self, one: Diagram, other: Diagram) -> Result<Diagram, LimitExceeded> {
        self.choose(one, Diagram::TRUE, other)
    }

    /// Returns the diagram that is `then` where the condition holds, and `otherwise` elsewhere.
    ///
    /// Its recursion is as deep as there are variables, so it keeps a stack of its own.
    pub(crate) fn choose(
        &mut self,
        condition: Diagram,
        then: Diagram,
        otherwise: Diagram,
    ) -> Result<Diagram, LimitExceeded> {
        let mut results: Vec<Diagram> = Vec::new();
        let mut pending = vec![Step::Choose([condition, then, otherwise])];
        while let Some(step) = pending.pop() {
            match step {
                Step::Choose(parts) => {
                    self.spend()?;
                    if let Some(known) = self.known(parts) {
                        results.push(known);
                        continue;
                    }
                    let variable = parts.iter().map(|part| self.variable_of(*part)).min().unwrap_or(u32::MAX);
                    let [low, high] = [false, true].map(|value| parts.map(|part| self.part(part, variable, value)));
                    pending.extend([Step::Join(parts, variable), Step::Choose(high), Step::Choose(low)]);
                }
                Step::Join(parts, variable) => {
                    let (high, low) = (results.pop(), results.pop());
                    let (Some(high), Some(low)) = (high, low) else { continue };
                    let joined = self.node(Node { variable, low, high })?;
                    self.chosen.insert(parts, joined);
                    results.push(joined);
                }
            }
        }
        Ok(results.pop().unwrap_or(Diagram::FALSE))
    }

    fn known(&self, parts: [Diagram; 3]) -> Option<Diagram> {
        let [condition, then, otherwise] = parts;
        match () {
            () if condition == Diagram::TRUE || then == otherwise => Some(then),
            () if condition == Diagram::FALSE => Some(otherwise),
            () if then == Diagram::TRUE && otherwise == Diagram::FALSE => Some(condition),
            () => self.chosen.get(&parts).copied(),
        }
    }

    /// Returns the first variable of a diagram, and the diagrams if it is false, and true; `None` for a constant.
    pub(crate) fn decision(&self, diagram: Diagram) -> Option<(u32, Diagram, Diagram)> {
        let node = self.nodes[diagram.0 as usize];
        (node.variable != u32::MAX).then_some((node.variable, node.low, node.high))
    }

    /// Returns the variables that occur in a diagram, in order.
    pub(crate) fn support(&self, diagram: Diagram) -> BTreeSet<u32> {
        let mut variables = BTreeSet::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![diagram];
        while let Some(diagram) = pending.pop() {
            if let Some((variable, low, high)) = self.decision(diagram)
                && seen.insert(diagram)
            {
                variables.insert(variable);
                pending.extend([low, high]);
            }
        }
        variables
    }

    fn variable_of(&self, diagram: Diagram) -> u32 {
        self.nodes[diagram.0 as usize].variable
    }

    fn part(&self, diagram: Diagram, variable: u32, value: bool) -> Diagram {
        let node = self.nodes[diagram.0 as usize];
        match node.variable == variable {
            true if value => node.high,
            true => node.low,
            false => diagram,
        }
    }

    /// Returns the influence of each variable on a diagram: the share of assignments under which it holds among those with the variable true,
    /// minus that among those with the variable false; for the variables that have one, in order. The shares are fractions with powers of
    /// two as denominators, represented modulo a prime, so that different influences may be equal, but equal ones are never different.
    /// The influences of equivalent conditions are the same.
    pub(crate) fn influences(&self, diagram: Diagram) -> Vec<(u32, u64)> {
        let root = diagram.0 as usize;
        // The parts of a node have smaller indices.
        let mut shares: Vec<u64> = vec![0, 1];
        for node in self.nodes.iter().take(root + 1).skip(2) {
            shares.push(half(shares[node.low.0 as usize] + shares[node.high.0 as usize]));
        }
        let mut reached = vec![0; root + 1];
        reached[root] = 1;
        let mut influences: BTreeMap<u32, u64> = BTreeMap::new();
        for (index, node) in self.nodes.iter().enumerate().take(root + 1).skip(2).rev() {
            let share: u64 = reached[index];
            if share == 0 {
                continue;
            }
            for part in [node.low, node.high] {
                let part = &mut reached[part.0 as usize];
                *part = (*part + half(share)) % PRIME;
            }
            let difference = shares[node.high.0 as usize] + PRIME - shares[node.low.0 as usize];
            let product = u128::from(share) * u128::from(difference % PRIME) % u128::from(PRIME);
            let influence = influences.entry(node.variable).or_default();
            *influence = (*influence + product as u64) % PRIME;
        }
        influences.into_iter().filter(|(_, influence)| *influence != 0).collect()
    }

    /// Returns the values of the variables on a way to an assignment under which the diagram holds; empty if there is none. `prefers` chooses
    /// the value of a variable if both lead to one.
    pub(crate) fn assignment(&self, diagram: Diagram, mut prefers: impl FnMut() -> bool) -> Vec<(u32, bool)> {
        let mut values = Vec::new();
        let mut at = diagram;
        while let Some((variable, low, high)) = self.decision(at) {
            let value = low == Diagram::FALSE || high != Diagram::FALSE && prefers();
            values.push((variable, value));
            at = if value { high } else { low };
        }
        values
    }

    /// Returns the variables that are true in an assignment under which the diagram holds, the fewest on the way; `None` if there is none.
    pub(crate) fn satisfying(&self, diagram: Diagram) -> Option<Vec<u32>> {
        if diagram == Diagram::FALSE {
            return None;
        }
        let mut trues = Vec::new();
        let mut at = diagram;
        while at != Diagram::TRUE {
            let node = self.nodes[at.0 as usize];
            // Every node other than FALSE leads to TRUE.
            at = if node.low == Diagram::FALSE {
                trues.push(node.variable);
                node.high
            } else {
                node.low
            };
        }
        Some(trues)
    }
}

/// The prime 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// Returns half of a number modulo [`PRIME`]; the number is below twice the prime.
fn half(number: u64) -> u64 {
    let number = number % PRIME;
    if number.is_multiple_of(2) { number / 2 } else { number.midpoint(PRIME) }
}

enum Step {
    Choose([Diagram; 3]),
    Join([Diagram; 3], u32),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equivalent_conditions_have_the_same_diagram() {
        let mut diagrams = Diagrams::new();
        let [a, b, c] = [0, 1, 2].map(|variable| diagrams.variable(variable).unwrap());
        let either = diagrams.or(b, c).unwrap();
        let one = diagrams.and(a, either).unwrap();
        let [left, right] = [b, c].map(|part| diagrams.and(a, part).unwrap());
        assert_eq!(diagrams.or(left, right).unwrap(), one);
        let inverse = diagrams.not(one).unwrap();
        assert_eq!(diagrams.and(one, inverse).unwrap(), Diagram::FALSE);
        assert_eq!(diagrams.satisfying(one), Some(vec![0, 2]));
        assert_eq!(diagrams.satisfying(Diagram::FALSE), None);
    }

    #[test]
    fn influences_are_differences_of_shares() {
        let mut diagrams = Diagrams::new();
        let [a, b, c] = [0, 1, 2].map(|variable| diagrams.variable(variable).unwrap());
        let either = diagrams.or(b, c).unwrap();
        let both = diagrams.and(a, either).unwrap();
        // With a: 3 of 4, without: none. With b or c: 1 of 2, without: 1 of 4.
        let [three_quarters, quarter] = [half(half(3)), half(half(1))];
        assert_eq!(diagrams.influences(both), [(0, three_quarters), (1, quarter), (2, quarter)]);
        let not_b = diagrams.not(b).unwrap();
        let different = diagrams.choose(a, not_b, b).unwrap();
        assert!(diagrams.influences(different).is_empty(), "each variable matters, but none on average");
        assert!(diagrams.influences(Diagram::TRUE).is_empty());
        assert_eq!(diagrams.influences(not_b), [(1, PRIME - 1)]);
    }
}
