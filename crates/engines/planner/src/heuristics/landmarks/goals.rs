//! Goals in their order.

use super::graph::{Graph, Order};
use super::{generate, orders};
use crate::compiled::{CompiledTask, CostType};
use crate::heuristics::Heuristic;
use crate::state::{State, StateId};

/// How many goals are not settled: a goal is settled if it holds and all goals are settled that should come before it, since
/// reaching those later would undo it.
#[derive(Debug)]
pub(in crate::heuristics) struct OrderedGoals {
    /// Variables and values, each after the goals that should come before it.
    goals: Vec<(u32, u32)>,
    /// For each goal the places of those that should come before it.
    before: Vec<Vec<u32>>,
    settled: Vec<bool>,
}

impl OrderedGoals {
    /// Orders the goals of a task.
    pub(in crate::heuristics) fn new(task: &CompiledTask, cost_type: CostType) -> Self {
        let mut graph = generate::landmarks(task, cost_type);
        orders::add_reasonable(task, &mut graph);
        let places: Vec<u32> = task.goal.iter().filter_map(|&fact| graph.simple(task.proposition(fact))).collect();
        let before = goals_before(&graph, &places);
        let mut order: Vec<usize> = (0..places.len()).collect();
        // What is before something has fewer before it.
        order.sort_by_key(|&goal| before[goal].len());
        let mut position = vec![0u32; places.len()];
        for (place, &goal) in (0u32..).zip(&order) {
            position[goal] = place;
        }
        let fact = |goal: usize| (task.goal[goal].variable, task.goal[goal].value);
        Self {
            goals: order.iter().map(|&goal| fact(goal)).collect(),
            before: order.iter().map(|&goal| before[goal].iter().map(|&other| position[other]).collect()).collect(),
            settled: vec![false; places.len()],
        }
    }
}

/// For each goal all goals that should come before it, directly or not, without those that it should itself come before.
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
    fn evaluate(&mut self, _: &CompiledTask, _: StateId, state: &State) -> Option<u32> {
        let mut missing = 0;
        for (place, &(variable, value)) in self.goals.iter().enumerate() {
            self.settled[place] = state.values[variable as usize] == value
                && self.before[place].iter().all(|&before| self.settled[before as usize]);
            missing += u32::from(!self.settled[place]);
        }
        Some(missing)
    }
}
