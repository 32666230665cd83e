//! Abstractions as explicit graphs, and their goal distances.

use super::cartesian::RefinementTree;
use crate::heuristics::queue::BucketQueue;

/// The distance of states from which no goal is reachable.
pub(super) const INFINITE: u32 = u32::MAX;

/// The mapping of states to abstract states.
#[derive(Debug)]
pub(super) enum Mapping {
    /// A projection: variables with their factors.
    Projection(Vec<(u32, u32)>),
    /// A hierarchy of splits.
    Cartesian(RefinementTree),
}

/// A transition, listed at its target.
#[derive(Debug, Clone, Copy)]
pub(super) struct IncomingTransition {
    /// The label.
    pub(super) label: u32,
    /// The source.
    pub(super) source: u32,
}

/// An abstraction: a graph whose edges have labels, each of which stands for operators.
#[derive(Debug)]
pub(super) struct Abstraction {
    pub(super) mapping: Mapping,
    /// The goal states.
    pub(super) goals: Vec<u32>,
    /// For each state the first of its incoming transitions, followed by their number.
    pub(super) starts: Vec<u32>,
    pub(super) incoming: Vec<IncomingTransition>,
    /// The operators of each label.
    pub(super) labels: Vec<Vec<u32>>,
}

impl Abstraction {
    /// Creates an abstraction from transitions as `(label, source, target)`.
    pub(super) fn new(
        mapping: Mapping,
        states: usize,
        goals: Vec<u32>,
        labels: Vec<Vec<u32>>,
        transitions: &[(u32, u32, u32)],
    ) -> Self {
        let mut starts = vec![0u32; states + 1];
        for &(_, _, target) in transitions {
            starts[target as usize + 1] += 1;
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut incoming = vec![IncomingTransition { label: 0, source: 0 }; transitions.len()];
        for &(label, source, target) in transitions {
            incoming[next[target as usize] as usize] = IncomingTransition { label, source };
            next[target as usize] += 1;
        }
        Self { mapping, goals, starts, incoming, labels }
    }

    /// Returns the number of states.
    pub(super) fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the abstract state of a state.
    pub(super) fn map(&self, values: &[u32]) -> u32 {
        match &self.mapping {
            Mapping::Projection(variables) => {
                variables.iter().map(|&(variable, factor)| values[variable as usize] * factor).sum()
            }
            Mapping::Cartesian(tree) => tree.map(values),
        }
    }

    /// Returns the transitions into a state.
    fn incoming(&self, state: u32) -> &[IncomingTransition] {
        &self.incoming[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }

    /// Computes the goal distances under operator costs.
    pub(super) fn goal_distances(&self, costs: &[u32]) -> Vec<u32> {
        let cheapest = |operators: &Vec<u32>| operators.iter().map(|&operator| costs[operator as usize]).min();
        let label_costs: Vec<u32> = self.labels.iter().map(|label| cheapest(label).unwrap_or(INFINITE)).collect();
        let mut distances = vec![INFINITE; self.states()];
        let mut queue = BucketQueue::default();
        for &goal in &self.goals {
            distances[goal as usize] = 0;
            queue.push(0, goal);
        }
        while let Some((distance, state)) = queue.pop() {
            if distance > distances[state as usize] {
                continue;
            }
            for transition in self.incoming(state) {
                let other = distance.saturating_add(label_costs[transition.label as usize]);
                let known = &mut distances[transition.source as usize];
                if other < *known && other != INFINITE {
                    *known = other;
                    queue.push(other, transition.source);
                }
            }
        }
        distances
    }

    /// Computes the saturated costs: for each label the least cost that preserves the distances.
    pub(super) fn saturated_costs(&self, distances: &[u32]) -> Vec<u32> {
        let mut saturated = vec![0; self.labels.len()];
        for (target, &distance) in (0u32..).zip(distances) {
            if distance == INFINITE {
                continue;
            }
            for transition in self.incoming(target) {
                let needed = distances[transition.source as usize].saturating_sub(distance);
                let cost = &mut saturated[transition.label as usize];
                *cost = needed.max(*cost);
            }
        }
        saturated
    }
}
