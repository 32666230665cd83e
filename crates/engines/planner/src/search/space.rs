//! The search space: visited states with their parents, costs and status.

use crate::control::OperatorPlan;
use crate::rows::growing_bytes;
use crate::search_task::{CostType, Scratch, SearchTask};
use crate::state::{Registry, State, StateId};
use crate::symmetry::{OrbitScratch, Symmetries};

/// The work of unpacking a state, apart from its variables.
const ENTER_WORK: u64 = 10;

/// The work of generating and registering a successor, apart from its variables.
const STEP_WORK: u64 = 40;

/// The work of an expansion, apart from its operators.
const EXPANSION_WORK: u64 = 24;

/// The work of finding and queueing an applicable operator.
const QUEUE_WORK: u64 = 5;

/// No parent.
const NONE: u32 = u32::MAX;

/// The search node of a state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The cost of the path to the state, under the cost type of the search.
    pub(super) g: u64,
    /// The cost of the path to the state, under the costs of the task.
    pub(super) cost: u64,
    /// The parent state.
    parent: u32,
    /// The operator that leads from the parent to the state.
    operator: u32,
}

/// The status of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// Not expanded yet.
    Open,
    /// Expanded.
    Closed,
    /// A dead end.
    Dead,
}

/// The result of applying an operator.
#[derive(Debug, Clone, Copy)]
pub(super) struct GeneratedState {
    /// The successor.
    pub(super) id: StateId,
    /// Whether the successor is new.
    pub(super) new: bool,
    /// Whether the successor is new or the path to it is cheaper than the known one.
    pub(super) better: bool,
}

/// The visited states of a search.
#[derive(Debug)]
pub(super) struct SearchSpace<'s> {
    task: &'s SearchTask,
    cost_type: CostType,
    pub(super) registry: Registry,
    pub(super) nodes: Vec<Node>,
    pub(super) status: Vec<Status>,
    /// The state whose successors are generated.
    pub(super) current: State,
    current_id: StateId,
    /// The successor generated last.
    pub(super) successor: State,
    words: Vec<u64>,
    scratch: Scratch,
    /// The symmetries by which states are replaced by representatives of their orbits.
    symmetries: Option<&'s Symmetries>,
    orbit_scratch: OrbitScratch,
    /// The work so far.
    work: u64,
    /// The work of unpacking a state.
    enter_work: u64,
    /// The work of generating a successor.
    step_work: u64,
}

impl<'s> SearchSpace<'s> {
    /// Creates a search space that contains only the initial state, with id 0.
    pub(super) fn new(task: &'s SearchTask, cost_type: CostType) -> Self {
        Self::with_symmetries(task, cost_type, None)
    }

    /// Creates a search space whose states are representatives of their orbits, if there are symmetries.
    pub(super) fn with_symmetries(
        task: &'s SearchTask,
        cost_type: CostType,
        symmetries: Option<&'s Symmetries>,
    ) -> Self {
        let mut initial = State::initial(task);
        let mut orbit_scratch = OrbitScratch::default();
        if let Some(symmetries) = symmetries {
            symmetries.canonicalize(&mut initial.values, &mut orbit_scratch, &mut |_| {});
        }
        let mut space = Self {
            registry: Registry::new(task.packing.words()),
            nodes: vec![Node { g: 0, cost: 0, parent: NONE, operator: NONE }],
            status: vec![Status::Open],
            current: initial.clone(),
            current_id: 0,
            successor: initial,
            words: Vec::new(),
            scratch: Scratch::default(),
            symmetries,
            orbit_scratch,
            work: 0,
            enter_work: ENTER_WORK + task.initial.len() as u64 / 4,
            step_work: STEP_WORK
                + task.initial.len() as u64 / 2
                + task.derivation_size() as u64
                + symmetries.map_or(0, Symmetries::work),
            task,
            cost_type,
        };
        task.packing.pack(&space.current, &mut space.words);
        space.registry.insert(&space.words);
        space
    }

    /// Makes a state the current one.
    pub(super) fn enter(&mut self, id: StateId) {
        if self.current_id != id {
            self.task.packing.unpack(self.registry.get(id), &mut self.current);
            self.current_id = id;
            self.work += self.enter_work;
        }
    }

    /// Returns the path costs of a successor of the current state: under the cost type of the search and under the costs of the
    /// task.
    pub(super) fn costs_after(&self, operator: u32) -> (u64, u64) {
        let node = &self.nodes[self.current_id as usize];
        (
            node.g + u64::from(self.task.cost(operator, self.cost_type)),
            node.cost + u64::from(self.task.cost(operator, CostType::Normal)),
        )
    }

    /// Applies an operator to the current state. Returns `None` if its numeric effects cannot be applied.
    pub(super) fn step(&mut self, operator: u32) -> Option<GeneratedState> {
        self.work += self.step_work;
        if !self.successor.set_successor(&self.current, operator, self.task, &mut self.scratch) {
            return None;
        }
        if let Some(symmetries) = self.symmetries {
            symmetries.canonicalize(&mut self.successor.values, &mut self.orbit_scratch, &mut |_| {});
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
        Some(GeneratedState { id, new, better })
    }

    /// Makes the current state the parent of a state.
    pub(super) fn set_parent(&mut self, id: StateId, operator: u32) {
        let (g, cost) = self.costs_after(operator);
        self.nodes[id as usize] = Node { g, cost, parent: self.current_id, operator };
    }

    /// Returns the path from the initial state to a state.
    pub(super) fn solution(&self, id: StateId) -> OperatorPlan {
        let mut operators = Vec::new();
        let mut node = &self.nodes[id as usize];
        while node.parent != NONE {
            operators.push(node.operator);
            node = &self.nodes[node.parent as usize];
        }
        operators.reverse();
        if let Some(symmetries) = self.symmetries {
            operators = self.unfolded(symmetries, &operators);
        }
        let cost = operators.iter().map(|&operator| u64::from(self.task.cost(operator, CostType::Normal))).sum();
        OperatorPlan { operators, cost }
    }

    /// Translates a path between representatives of orbits into a path from the initial state.
    fn unfolded(&self, symmetries: &Symmetries, path: &[u32]) -> Vec<u32> {
        let (mut scratch, mut orbit_scratch) = (Scratch::default(), OrbitScratch::default());
        let (mut state, mut next) = (State::initial(self.task), State::default());
        // The inverse of the symmetry that maps the state of the unfolded path to the representative.
        let mut inverse: Vec<u32> = (0..self.task.operator_count() as u32).collect();
        let mut unfolded = Vec::with_capacity(path.len());
        symmetries.canonicalize(&mut state.values, &mut orbit_scratch, &mut |generator| {
            symmetries.extend_inverse(generator, &mut inverse);
        });
        for &operator in path {
            unfolded.push(inverse[operator as usize]);
            next.set_successor(&state, operator, self.task, &mut scratch);
            std::mem::swap(&mut state, &mut next);
            symmetries.canonicalize(&mut state.values, &mut orbit_scratch, &mut |generator| {
                symmetries.extend_inverse(generator, &mut inverse);
            });
        }
        unfolded
    }

    /// Records the work of finding and queueing a number of applicable operators.
    pub(super) fn queued(&mut self, operators: usize) {
        self.work += EXPANSION_WORK + QUEUE_WORK * operators as u64;
    }

    /// Returns the work so far.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Returns the memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.registry.bytes() + growing_bytes(&self.nodes) + growing_bytes(&self.status)
    }
}
