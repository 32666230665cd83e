//! Reasonable orders: a landmark is ordered before another one if achieving it later would undo the other one.

use super::graph::{Graph, Order};
use crate::heuristics::WorkObserver;
use crate::rows::Rows;
use crate::search_task::SearchTask;

/// Mutex information about facts.
struct Mutexes {
    /// For each proposition the mutex groups that contain it; sorted.
    groups: Rows<u32>,
    /// For each proposition its variable.
    variables: Vec<u32>,
}

impl Mutexes {
    fn excludes(&self, one: u32, other: u32) -> bool {
        if one == other {
            return false;
        }
        let (a, b) = (self.groups.row(one), self.groups.row(other));
        self.variables[one as usize] == self.variables[other as usize]
            || a.iter().any(|group| b.binary_search(group).is_ok())
    }
}

/// For each simple landmark the unconditional effects shared by all its achievers.
fn shared_effects(task: &SearchTask, graph: &Graph) -> Vec<Vec<u32>> {
    let mut achieved = Rows::default();
    for operator in 0..task.operator_count() as u32 {
        achieved.push(task.effects.row(operator).iter().map(|effect| task.proposition(effect.fact)));
    }
    let achievers = Rows::inverse(&achieved, task.proposition_count());
    let unconditional = |operator: u32| {
        let effects = task.effects.row(operator).iter().filter(|effect| effect.conditions == 0);
        effects.map(|effect| task.proposition(effect.fact))
    };
    graph
        .landmarks
        .iter()
        .map(|landmark| {
            let [fact] = landmark.facts[..] else { return Vec::new() };
            let Some((&first, others)) = achievers.row(fact).split_first() else { return Vec::new() };
            let mut shared: Vec<u32> = unconditional(first).filter(|&effect| effect != fact).collect();
            for &operator in others {
                shared.retain(|&effect| unconditional(operator).any(|other| other == effect));
            }
            shared
        })
        .collect()
}

/// Adds the reasonable orders to the graph.
pub(super) fn add_reasonable(task: &SearchTask, graph: &mut Graph, spend: WorkObserver<'_>) {
    let mut members = Rows::default();
    for group in &task.mutexes {
        members.push(group.iter().copied());
    }
    let mut variables = Vec::with_capacity(task.proposition_count());
    for (variable, bounds) in (0u32..).zip(task.offsets.windows(2)) {
        variables.resize(bounds[1] as usize, variable);
    }
    let exclusion = Mutexes { groups: Rows::inverse(&members, task.proposition_count()), variables };
    let effects = shared_effects(task, graph);
    let mut stopped = spend(2 * task.effects.items() as u64);
    // Whether achieving the first landmark undoes the second.
    let undoes = |graph: &Graph, one: u32, other: u32| {
        let (first, second) = (&graph.landmarks[one as usize], &graph.landmarks[other as usize]);
        let fact = second.facts[0];
        exclusion.excludes(first.facts[0], fact)
            || effects[one as usize].iter().any(|&effect| exclusion.excludes(effect, fact))
            || first.before.iter().any(|(&before, &order)| {
                let before = &graph.landmarks[before as usize];
                order == Order::GreedyNecessary && before.is_simple() && exclusion.excludes(before.facts[0], fact)
            })
    };
    let mut found = Vec::new();
    for place in 0..graph.landmarks.len() as u32 {
        let landmark = &graph.landmarks[place as usize];
        if stopped {
            break;
        }
        if !landmark.is_simple() {
            continue;
        }
        let candidates = candidates(graph, place);
        stopped = spend(8 * candidates.len() as u64);
        for other in candidates {
            if other != place && graph.landmarks[other as usize].is_simple() && undoes(graph, other, place) {
                found.push((other, place));
            }
        }
    }
    for (before, after) in found {
        graph.order(before, after, Order::Reasonable);
    }
}

/// Returns the candidates for reasonable orders before a landmark: for a goal the other goals, else the predecessors of
/// landmarks that it is ordered greedy-necessarily before.
fn candidates(graph: &Graph, place: u32) -> Vec<u32> {
    let landmark = &graph.landmarks[place as usize];
    if landmark.goal {
        return (0u32..).zip(&graph.landmarks).filter(|(_, other)| other.goal).map(|(other, _)| other).collect();
    }
    let mut seen = vec![false; graph.landmarks.len()];
    let mut queue = Vec::new();
    for (&after, _) in landmark.after.iter().filter(|(_, order)| **order == Order::GreedyNecessary) {
        for &before in graph.landmarks[after as usize].before.keys() {
            if before != place && !std::mem::replace(&mut seen[before as usize], true) {
                queue.push(before);
            }
        }
    }
    let mut next = 0;
    while next < queue.len() {
        let current = queue[next];
        next += 1;
        for (&before, &order) in &graph.landmarks[current as usize].before {
            if order >= Order::Natural && before != place && !std::mem::replace(&mut seen[before as usize], true) {
                queue.push(before);
            }
        }
    }
    queue
}
