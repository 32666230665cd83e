//! Goals ordered by reasonable orders.

use super::generate::LandmarkScope;
use super::graph::{Graph, Order};
use super::{cached, landmark_graph};
use crate::ground_task::Fact;
use crate::heuristics::{Heuristic, WorkObserver};
use crate::search_task::SearchTask;
use crate::state::{State, StateId};

/// The ordered goal-count heuristic: the number of goals that are not settled. A goal is settled if it holds and all goals
/// ordered before it are settled, since achieving those later would undo it.
#[derive(Debug)]
pub(crate) struct OrderedGoals {
    order: GoalOrder,
    settled: Vec<bool>,
    /// The work of all evaluations.
    work: u64,
}

/// The goals of a task with their order.
#[derive(Debug, Clone)]
pub(crate) struct GoalOrder {
    /// The goals, each after the goals ordered before it.
    goals: Vec<Fact>,
    /// For each goal the indices of the goals ordered before it.
    before: Vec<Vec<u32>>,
}

impl GoalOrder {
    fn new(task: &SearchTask, spend: WorkObserver<'_>) -> Self {
        let graph = landmark_graph(task, LandmarkScope::Goals, spend);
        let places: Vec<u32> = task.goal.iter().filter_map(|&fact| graph.simple(task.proposition(fact))).collect();
        let before = goals_before(&graph, &places);
        let mut order: Vec<usize> = (0..places.len()).collect();
        // A goal ordered before another one has fewer predecessors.
        order.sort_by_key(|&goal| before[goal].len());
        let mut position = vec![0u32; places.len()];
        for (place, &goal) in (0u32..).zip(&order) {
            position[goal] = place;
        }
        Self {
            goals: order.iter().map(|&goal| task.goal[goal]).collect(),
            before: order.iter().map(|&goal| before[goal].iter().map(|&other| position[other]).collect()).collect(),
        }
    }
}

impl OrderedGoals {
    /// Orders the goals of a task.
    pub(crate) fn new(task: &SearchTask, spend: WorkObserver<'_>) -> Self {
        let order = cached(&task.goal_order, spend, |spend| GoalOrder::new(task, spend)).into_owned();
        Self { work: 0, settled: vec![false; order.goals.len()], order }
    }

    fn settle(&mut self, values: &[u32]) {
        self.work += self.settled.len() as u64;
        for (place, fact) in self.order.goals.iter().enumerate() {
            self.settled[place] = values[fact.variable as usize] == fact.value
                && self.order.before[place].iter().all(|&before| self.settled[before as usize]);
        }
    }

    /// Returns the goals settled in a state, and the goals that can be settled next.
    pub(crate) fn settled_and_next(&mut self, state: &State) -> (Vec<Fact>, Vec<Fact>) {
        self.settle(&state.values);
        let (mut settled, mut next) = (Vec::new(), Vec::new());
        for (place, &fact) in self.order.goals.iter().enumerate() {
            if self.settled[place] {
                settled.push(fact);
            } else if self.order.before[place].iter().all(|&before| self.settled[before as usize]) {
                next.push(fact);
            }
        }
        (settled, next)
    }
}

/// For each goal all goals ordered before it, transitively, without goals on a common cycle.
fn goals_before(graph: &Graph, places: &[u32]) -> Vec<Vec<usize>> {
    let mut goal_of = vec![usize::MAX; graph.landmarks.len()];
    for (goal, &place) in places.iter().enumerate() {
        goal_of[place as usize] = goal;
    }
    let direct: Vec<Vec<usize>> = places
        .iter()
        .map(|&place| {
            let before =
                graph.landmarks[place as usize].before.iter().filter(|(_, order)| **order >= Order::Reasonable);
            before.map(|(&other, _)| goal_of[other as usize]).filter(|&goal| goal != usize::MAX).collect()
        })
        .collect();
    let all: Vec<Vec<bool>> = (0..places.len())
        .map(|goal| {
            let mut seen = vec![false; places.len()];
            let mut queue = direct[goal].clone();
            while let Some(other) = queue.pop() {
                if !std::mem::replace(&mut seen[other], true) {
                    queue.extend_from_slice(&direct[other]);
                }
            }
            seen
        })
        .collect();
    (0..places.len())
        .map(|goal| (0..places.len()).filter(|&other| all[goal][other] && !all[other][goal]).collect())
        .collect()
}

impl Heuristic for OrderedGoals {
    fn evaluate(&mut self, _: &SearchTask, _: StateId, state: &State) -> Option<u32> {
        self.settle(&state.values);
        Some(self.settled.iter().filter(|settled| !**settled).count() as u32)
    }

    fn work(&self) -> u64 {
        self.work
    }
}
