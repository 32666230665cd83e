//! Cartesian abstractions by counterexample-guided refinement (Seipp and Helmert 2018).
//!
//! An abstract state allows a set of values for each variable. A plan of the abstraction is followed in the task until it fails; the abstract
//! state in which it fails is split, so that the same plan cannot fail there again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::abstraction::{Abstraction, INFINITE, Mapping};
use super::plain_task::{PlainTask, value_of};
use crate::ground_task::Fact;

/// The maximum number of transitions and loops of an abstraction.
const MAX_TRANSITIONS: usize = 1_000_000;

/// A hierarchy of splits of the set of all states.
#[derive(Debug, Default)]
pub(super) struct RefinementTree {
    nodes: Vec<TreeNode>,
}

#[derive(Debug, Clone)]
enum TreeNode {
    /// An abstract state.
    Leaf(u32),
    /// A split: states with one of the wanted values of a variable, given as bits, are in the second child, the others in the first.
    Split { variable: u32, wanted: Box<[u64]>, children: [u32; 2] },
}

impl RefinementTree {
    /// Returns the abstract state of a state.
    pub(super) fn map(&self, values: &[u32]) -> u32 {
        let mut place = 0;
        loop {
            match &self.nodes[place as usize] {
                TreeNode::Leaf(state) => return *state,
                TreeNode::Split { variable, wanted, children } => {
                    place = children[usize::from(has(wanted, values[*variable as usize]))];
                }
            }
        }
    }
}

fn has(set: &[u64], value: u32) -> bool {
    set[value as usize / 64] >> (value % 64) & 1 == 1
}

fn intersects(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

/// A flaw: the values of a variable that the plan needs in an abstract state, where the state of the task has another one.
struct Flaw {
    state: u32,
    variable: u32,
    wanted: Vec<u64>,
}

/// The refinement of an abstraction.
struct Refinement<'r> {
    task: &'r PlainTask,
    goal: &'r [Fact],
    /// For each variable the first word of its set of values, followed by the number of words.
    offsets: Vec<u32>,
    /// The sets of values of each abstract state.
    sets: Vec<Box<[u64]>>,
    tree: RefinementTree,
    /// The leaf of each abstract state.
    leaves: Vec<u32>,
    outgoing: Vec<Vec<(u32, u32)>>,
    incoming: Vec<Vec<(u32, u32)>>,
    loops: Vec<Vec<u32>>,
    transitions: usize,
    /// Lower bounds of goal distances.
    estimates: Vec<u32>,
    initial: u32,
    work: u64,
}

/// Builds an abstraction for a goal, with limits on its states and on the work, which is added to `work`.
pub(super) fn refine(task: &PlainTask, goal: &[Fact], max_states: usize, max_work: u64, work: &mut u64) -> Abstraction {
    let mut refinement = Refinement::new(task, goal);
    while refinement.sets.len() < max_states
        && refinement.work < max_work
        && refinement.transitions < MAX_TRANSITIONS
        && refinement.step()
    {}
    *work += refinement.work;
    refinement.finish()
}

impl<'r> Refinement<'r> {
    fn new(task: &'r PlainTask, goal: &'r [Fact]) -> Self {
        let mut offsets = vec![0];
        let mut all = Vec::new();
        for &domain in &task.domains {
            for word in 0..domain.div_ceil(64) {
                let values = (domain - word * 64).min(64);
                all.push(u64::MAX >> (64 - values));
            }
            offsets.push(all.len() as u32);
        }
        let tree = RefinementTree { nodes: vec![TreeNode::Leaf(0)] };
        let loops = vec![(0..task.operators.len() as u32).collect()];
        Self {
            task,
            goal,
            offsets,
            sets: vec![all.into()],
            tree,
            leaves: vec![0],
            outgoing: vec![Vec::new()],
            incoming: vec![Vec::new()],
            loops,
            transitions: task.operators.len(),
            estimates: vec![0],
            initial: 0,
            work: task.operators.len() as u64,
        }
    }

    fn set(&self, state: u32, variable: u32) -> &[u64] {
        let variable = variable as usize;
        &self.sets[state as usize][self.offsets[variable] as usize..self.offsets[variable + 1] as usize]
    }

    fn is_goal(&self, state: u32) -> bool {
        self.goal.iter().all(|fact| has(self.set(state, fact.variable), fact.value))
    }

    /// Refines the abstraction once. Returns `false` if there is nothing to refine.
    fn step(&mut self) -> bool {
        let Some(plan) = self.abstract_plan() else { return false };
        let Some(flaw) = self.flaw(&plan) else { return false };
        self.split(&flaw);
        true
    }

    /// Returns a cheapest path to a goal state as operators and targets; `None` if there is none.
    fn abstract_plan(&mut self) -> Option<Vec<(u32, u32)>> {
        self.work += self.sets.len() as u64;
        let mut costs = vec![INFINITE; self.sets.len()];
        let mut parents = vec![(u32::MAX, u32::MAX); self.sets.len()];
        let mut queue = BinaryHeap::new();
        costs[self.initial as usize] = 0;
        queue.push(Reverse((self.estimates[self.initial as usize], self.initial)));
        let mut expanded = Vec::new();
        let mut found = None;
        while let Some(Reverse((f, state))) = queue.pop() {
            let cost = costs[state as usize];
            if f > cost.saturating_add(self.estimates[state as usize]) {
                continue;
            }
            if self.is_goal(state) {
                found = Some(state);
                break;
            }
            expanded.push(state);
            self.work += self.outgoing[state as usize].len() as u64 * 2 + 20;
            for &(operator, target) in &self.outgoing[state as usize] {
                let next = cost + self.task.operators[operator as usize].cost;
                if next < costs[target as usize] && self.estimates[target as usize] != INFINITE {
                    costs[target as usize] = next;
                    parents[target as usize] = (operator, state);
                    queue.push(Reverse((next + self.estimates[target as usize], target)));
                }
            }
        }
        let total = found.map_or(INFINITE, |goal| costs[goal as usize]);
        for state in expanded {
            let bound = if total == INFINITE { INFINITE } else { total.saturating_sub(costs[state as usize]) };
            let estimate = &mut self.estimates[state as usize];
            *estimate = bound.max(*estimate);
        }
        let mut path = Vec::new();
        let mut state = found?;
        while state != self.initial {
            let (operator, parent) = parents[state as usize];
            path.push((operator, state));
            state = parent;
        }
        path.reverse();
        Some(path)
    }

    /// Follows a plan of the abstraction in the task until it fails; `None` if it does not.
    fn flaw(&mut self, plan: &[(u32, u32)]) -> Option<Flaw> {
        let mut values = self.task.initial.clone();
        let mut state = self.initial;
        for &(operator, target) in plan {
            self.work += 20;
            if !self.task.is_applicable(operator, &values) {
                let needed = &self.task.operators[operator as usize].precondition;
                return self.unmet(state, &values, needed);
            }
            let before = values.clone();
            self.task.apply(operator, &mut values);
            let variables = 0..self.task.domains.len() as u32;
            let is_missed = |&variable: &u32| !has(self.set(target, variable), values[variable as usize]);
            // An effect always leads into the target, so the variable keeps its value.
            if let Some(variable) = variables.filter(is_missed).max_by_key(|&variable| self.refined(state, variable)) {
                let sets = self.set(state, variable).iter().zip(self.set(target, variable));
                let wanted = sets.map(|(one, other)| one & other).collect();
                debug_assert_eq!(before[variable as usize], values[variable as usize]);
                return Some(Flaw { state, variable, wanted });
            }
            state = target;
        }
        self.unmet(state, &values, self.goal)
    }

    /// Returns the number of values that an abstract state excludes.
    fn refined(&self, state: u32, variable: u32) -> u32 {
        let left: u32 = self.set(state, variable).iter().map(|word| word.count_ones()).sum();
        self.task.domains[variable as usize] - left
    }

    fn unmet(&self, state: u32, values: &[u32], facts: &[Fact]) -> Option<Flaw> {
        let unmet = facts.iter().filter(|fact| values[fact.variable as usize] != fact.value);
        let fact = unmet.max_by_key(|fact| self.refined(state, fact.variable))?;
        let mut wanted = vec![0; self.set(state, fact.variable).len()];
        wanted[fact.value as usize / 64] |= 1 << (fact.value % 64);
        Some(Flaw { state, variable: fact.variable, wanted })
    }

    /// Splits an abstract state: it keeps the values that are not wanted, and a new one has the wanted values.
    fn split(&mut self, flaw: &Flaw) {
        let &Flaw { state, variable, ref wanted } = flaw;
        let new = self.sets.len() as u32;
        let range = self.offsets[variable as usize] as usize..self.offsets[variable as usize + 1] as usize;
        let mut other = self.sets[state as usize].clone();
        for (place, word) in range.zip(wanted) {
            other[place] &= word;
            self.sets[state as usize][place] &= !word;
        }
        self.sets.push(other);
        let leaf = self.leaves[state as usize];
        let first = self.tree.nodes.len() as u32;
        self.tree.nodes.extend([TreeNode::Leaf(state), TreeNode::Leaf(new)]);
        let children = [first, first + 1];
        self.tree.nodes[leaf as usize] = TreeNode::Split { variable, wanted: wanted.clone().into(), children };
        self.leaves[state as usize] = first;
        self.leaves.push(first + 1);
        self.estimates.push(self.estimates[state as usize]);
        if self.initial == state && has(wanted, self.task.initial[variable as usize]) {
            self.initial = new;
        }
        self.rewire(state, new, variable, wanted);
    }

    fn rewire(&mut self, state: u32, new: u32, variable: u32, wanted: &[u64]) {
        let incoming = std::mem::take(&mut self.incoming[state as usize]);
        let outgoing = std::mem::take(&mut self.outgoing[state as usize]);
        let loops = std::mem::take(&mut self.loops[state as usize]);
        self.outgoing.push(Vec::new());
        self.incoming.push(Vec::new());
        self.loops.push(Vec::new());
        self.transitions -= incoming.len() + outgoing.len() + loops.len();
        self.work += (incoming.len() + outgoing.len()) as u64 * 12 + loops.len() as u64 * 6;
        for &(_, source) in &incoming {
            self.outgoing[source as usize].retain(|&(_, target)| target != state);
        }
        for &(_, target) in &outgoing {
            self.incoming[target as usize].retain(|&(_, source)| source != state);
        }
        let parts = [state, new];
        let part = |value: u32| parts[usize::from(has(wanted, value))];
        let task = self.task;
        for (operator, source) in incoming {
            let of = &task.operators[operator as usize];
            let value = value_of(&of.effects, variable).or_else(|| value_of(&of.precondition, variable));
            for target in parts {
                let leads = match value {
                    Some(value) => part(value) == target,
                    None => intersects(self.set(source, variable), self.set(target, variable)),
                };
                if leads {
                    self.connect(operator, source, target);
                }
            }
        }
        for (operator, target) in outgoing {
            let of = &task.operators[operator as usize];
            let is_changed = value_of(&of.effects, variable).is_some();
            for source in parts {
                let leads = match value_of(&of.precondition, variable) {
                    Some(value) => part(value) == source,
                    None => is_changed || intersects(self.set(source, variable), self.set(target, variable)),
                };
                if leads {
                    self.connect(operator, source, target);
                }
            }
        }
        for operator in loops {
            let of = &task.operators[operator as usize];
            let before = value_of(&of.precondition, variable);
            let after = value_of(&of.effects, variable);
            for source in parts {
                if before.is_none_or(|value| part(value) == source) {
                    let target = after.map_or(source, part);
                    self.connect(operator, source, target);
                }
            }
        }
    }

    fn connect(&mut self, operator: u32, source: u32, target: u32) {
        self.transitions += if source == target { 1 } else { 2 };
        if source == target {
            self.loops[source as usize].push(operator);
        } else {
            self.outgoing[source as usize].push((operator, target));
            self.incoming[target as usize].push((operator, source));
        }
    }

    fn finish(self) -> Abstraction {
        let states = self.sets.len() as u32;
        let goals = (0..states).filter(|&state| self.is_goal(state)).collect();
        let mut label_of = vec![u32::MAX; self.task.operators.len()];
        let (mut labels, mut transitions) = (Vec::new(), Vec::new());
        for (source, list) in (0u32..).zip(&self.outgoing) {
            for &(operator, target) in list {
                let label = &mut label_of[operator as usize];
                if *label == u32::MAX {
                    *label = labels.len() as u32;
                    labels.push(vec![operator]);
                }
                transitions.push((*label, source, target));
            }
        }
        Abstraction::new(Mapping::Cartesian(self.tree), states as usize, goals, labels, &transitions)
    }
}
