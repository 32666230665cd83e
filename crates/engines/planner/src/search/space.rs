//! States with how they were reached.

use crate::compiled::{CompiledTask, CostType, Scratch};
use crate::control::Solution;
use crate::state::{Registry, State, StateId};

/// No state before this one.
const NONE: u32 = u32::MAX;

/// What is known of a state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// What the way to it costs as the search counts.
    pub(super) g: u64,
    /// What the way to it costs in the task.
    pub(super) cost: u64,
    /// The state before it.
    parent: u32,
    /// The operator from there.
    operator: u32,
}

/// What was done with a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// It waits.
    Open,
    /// It was expanded.
    Closed,
    /// The goal cannot be reached from it.
    Dead,
}

/// A step to a state that may be new.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    /// The state.
    pub(super) id: StateId,
    /// Whether it is new.
    pub(super) new: bool,
    /// Whether the way to it is new or cheaper than before.
    pub(super) better: bool,
}

/// All states of a search.
#[derive(Debug)]
pub(super) struct Space<'s> {
    task: &'s CompiledTask,
    cost_type: CostType,
    pub(super) registry: Registry,
    pub(super) nodes: Vec<Node>,
    pub(super) status: Vec<Status>,
    /// The state that steps are taken from.
    pub(super) current: State,
    current_id: StateId,
    /// The state reached last.
    pub(super) successor: State,
    words: Vec<u64>,
    scratch: Scratch,
}

impl<'s> Space<'s> {
    /// The first state alone; it has the id zero.
    pub(super) fn new(task: &'s CompiledTask, cost_type: CostType) -> Self {
        let initial = State::initial(task);
        let mut space = Self {
            registry: Registry::new(task.packing.words()),
            nodes: vec![Node { g: 0, cost: 0, parent: NONE, operator: NONE }],
            status: vec![Status::Open],
            current: initial.clone(),
            current_id: 0,
            successor: initial,
            words: Vec::new(),
            scratch: Scratch::default(),
            task,
            cost_type,
        };
        task.packing.pack(&space.current, &mut space.words);
        space.registry.insert(&space.words);
        space
    }

    /// Makes a state the one that steps are taken from.
    pub(super) fn enter(&mut self, id: StateId) {
        if self.current_id != id {
            self.task.packing.unpack(self.registry.get(id), &mut self.current);
            self.current_id = id;
        }
    }

    /// What a state would cost if reached from the current one: as the search counts, and in the task.
    pub(super) fn costs_after(&self, operator: u32) -> (u64, u64) {
        let node = &self.nodes[self.current_id as usize];
        (
            node.g + u64::from(self.task.cost(operator, self.cost_type)),
            node.cost + u64::from(self.task.cost(operator, CostType::Normal)),
        )
    }

    /// Takes a step from the current state. `None` if its effects on numbers cannot be made.
    pub(super) fn step(&mut self, operator: u32) -> Option<Reached> {
        if !self.successor.become_successor(&self.current, operator, self.task, &mut self.scratch) {
            return None;
        }
        self.task.packing.pack(&self.successor, &mut self.words);
        let (id, new) = self.registry.insert(&self.words);
        let (g, cost) = self.costs_after(operator);
        let node = Node { g, cost, parent: self.current_id, operator };
        let mut better = true;
        if new {
            self.nodes.push(node);
            self.status.push(Status::Open);
        } else {
            let old = &mut self.nodes[id as usize];
            better = g < old.g;
        }
        Some(Reached { id, new, better })
    }

    /// Takes over the way from the current state as the way to a state.
    pub(super) fn adopt(&mut self, id: StateId, operator: u32) {
        let (g, cost) = self.costs_after(operator);
        self.nodes[id as usize] = Node { g, cost, parent: self.current_id, operator };
    }

    /// The way to a state.
    pub(super) fn solution(&self, id: StateId) -> Solution {
        let mut operators = Vec::new();
        let mut node = &self.nodes[id as usize];
        while node.parent != NONE {
            operators.push(node.operator);
            node = &self.nodes[node.parent as usize];
        }
        operators.reverse();
        let cost = operators.iter().map(|&operator| u64::from(self.task.cost(operator, CostType::Normal))).sum();
        Solution { operators, cost }
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> usize {
        self.registry.bytes() + self.nodes.capacity() * size_of::<Node>() + self.status.capacity()
    }
}
