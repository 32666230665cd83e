//! The successor generator: a decision tree that finds the applicable operators of a state.

use crate::ground_task::Fact;
use crate::rows::Rows;

/// No node.
const NONE: u32 = u32::MAX;

/// A node of the decision tree.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The operators whose preconditions hold when the node is reached, as a range of [`SuccessorGenerator::operators`].
    operators: (u32, u32),
    /// The variable tested by the node; [`NONE`] at a leaf.
    variable: u32,
    /// The child visited for every value of the variable.
    otherwise: u32,
    /// The branches, as a range of [`SuccessorGenerator::branches`]. A table has one node per value; a list has pairs of value
    /// and node.
    branches: (u32, u32),
    /// Whether the branches are a table.
    table: bool,
}

/// A decision tree over the variables of preconditions, with operators at its nodes.
#[derive(Debug)]
pub(crate) struct SuccessorGenerator {
    nodes: Vec<Node>,
    operators: Vec<u32>,
    branches: Vec<u32>,
}

/// A subtree still to be built: a range of sorted operators, the number of preconditions tested so far, and the slot that
/// receives the index of its root.
struct Pending {
    range: (usize, usize),
    depth: usize,
    slot: Slot,
}

#[derive(Clone, Copy)]
enum Slot {
    Root,
    Otherwise(u32),
    Branch(u32),
}

impl SuccessorGenerator {
    /// Builds the tree.
    pub(crate) fn new(preconditions: &Rows<Fact>, domains: &[u32]) -> Self {
        let mut sorted = Rows::default();
        for row in preconditions.iter() {
            let mut facts = row.to_vec();
            facts.sort_unstable();
            sorted.push(facts);
        }
        let mut order: Vec<u32> = (0..sorted.len() as u32).collect();
        order.sort_by(|&a, &b| sorted.row(a).cmp(sorted.row(b)));
        let mut tree = Self { nodes: Vec::new(), operators: Vec::new(), branches: Vec::new() };
        let mut pending = vec![Pending { range: (0, order.len()), depth: 0, slot: Slot::Root }];
        while let Some(part) = pending.pop() {
            let node = tree.node(&order, &sorted, domains, &part, &mut pending);
            match part.slot {
                Slot::Root => {}
                Slot::Otherwise(parent) => tree.nodes[parent as usize].otherwise = node,
                Slot::Branch(place) => tree.branches[place as usize] = node,
            }
        }
        tree
    }

    fn node(
        &mut self,
        order: &[u32],
        sorted: &Rows<Fact>,
        domains: &[u32],
        part: &Pending,
        pending: &mut Vec<Pending>,
    ) -> u32 {
        let (mut start, end) = part.range;
        let depth = part.depth;
        let fact_at = |place: usize| sorted.row(order[place]).get(depth).copied();
        let place = self.nodes.len() as u32;
        let first = self.operators.len() as u32;
        while start < end && fact_at(start).is_none() {
            self.operators.push(order[start]);
            start += 1;
        }
        let operators = (first, self.operators.len() as u32);
        let mut node = Node { operators, variable: NONE, otherwise: NONE, branches: (0, 0), table: false };
        if let Some(Fact { variable, .. }) = (start < end).then(|| fact_at(start)).flatten() {
            node.variable = variable;
            let mut groups: Vec<(u32, usize, usize)> = Vec::new();
            while start < end
                && let Some(fact) = fact_at(start)
                && fact.variable == variable
            {
                let mut next = start + 1;
                while next < end && fact_at(next) == Some(fact) {
                    next += 1;
                }
                groups.push((fact.value, start, next));
                start = next;
            }
            let domain = domains[variable as usize] as usize;
            node.table = groups.len() * 4 >= domain;
            let first = self.branches.len();
            if node.table {
                self.branches.resize(first + domain, NONE);
            } else {
                self.branches.extend(groups.iter().flat_map(|&(value, ..)| [value, NONE]));
            }
            node.branches = (first as u32, self.branches.len() as u32);
            for (index, &(value, from, to)) in groups.iter().enumerate() {
                let slot = if node.table { first + value as usize } else { first + 2 * index + 1 };
                pending.push(Pending { range: (from, to), depth: depth + 1, slot: Slot::Branch(slot as u32) });
            }
            if start < end {
                pending.push(Pending { range: (start, end), depth, slot: Slot::Otherwise(place) });
            }
        }
        self.nodes.push(node);
        place
    }

    /// Replaces the contents of `operators` by the operators applicable in a state.
    pub(crate) fn applicable(&self, values: &[u32], stack: &mut Vec<u32>, operators: &mut Vec<u32>) {
        operators.clear();
        stack.clear();
        stack.push(0);
        while let Some(mut place) = stack.pop() {
            while place != NONE {
                let node = &self.nodes[place as usize];
                operators.extend_from_slice(&self.operators[node.operators.0 as usize..node.operators.1 as usize]);
                if node.variable == NONE {
                    break;
                }
                let value = values[node.variable as usize];
                let (first, last) = (node.branches.0 as usize, node.branches.1 as usize);
                let branch = if node.table {
                    self.branches[first + value as usize]
                } else {
                    let pairs = self.branches[first..last].chunks_exact(2);
                    pairs.into_iter().find(|pair| pair[0] == value).map_or(NONE, |pair| pair[1])
                };
                if branch == NONE {
                    place = node.otherwise;
                } else {
                    if node.otherwise != NONE {
                        stack.push(node.otherwise);
                    }
                    place = branch;
                }
            }
        }
    }
}
