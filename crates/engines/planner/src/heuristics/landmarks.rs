//! Landmarks: facts, or sets of facts one of which, that hold at some time in every plan; and how many are still to come.
//!
//! Found by backchaining from the goal over the first achievers of each landmark, with disjunctive landmarks and the orders that
//! graphs of single variables give (Richter, Helmert and Westphal 2008), reasonable orders as in LAMA (Richter and Westphal
//! 2010). A landmark counts as reached when it holds after all that are ordered before it were reached; it is needed again if
//! it holds no more and is a goal or comes right before one that was not reached.

mod generate;
mod graph;
mod orders;

use super::{Heuristic, MAX_ESTIMATE};
use crate::compiled::{CompiledTask, CostType};
use crate::state::{State, StateId};
use graph::{Graph, Order};

/// How many landmarks are still to be reached, by the least cost of what achieves them.
#[derive(Debug)]
pub(super) struct LandmarkCount {
    landmarks: Vec<Counted>,
    /// Words of a set of landmarks.
    words: usize,
    /// For each landmark the set of those ordered before it.
    before: Vec<u64>,
    /// For each landmark the set of those that it comes right before.
    right_after: Vec<u64>,
    /// For each state the set of landmarks reached on all ways to it.
    reached: Vec<u64>,
    /// Whether the set of a state is known.
    known: Vec<bool>,
}

/// A landmark as it is counted.
#[derive(Debug)]
struct Counted {
    /// Variables and values one of which must hold.
    facts: Vec<(u32, u32)>,
    cost: u32,
    goal: bool,
}

impl Counted {
    fn holds(&self, values: &[u32]) -> bool {
        self.facts.iter().any(|&(variable, value)| values[variable as usize] == value)
    }
}

fn contains(set: &[u64], place: usize) -> bool {
    set[place / 64] >> (place % 64) & 1 == 1
}

fn insert(set: &mut [u64], place: usize) {
    set[place / 64] |= 1 << (place % 64);
}

impl LandmarkCount {
    /// Finds the landmarks of a task.
    pub(super) fn new(task: &CompiledTask, cost_type: CostType) -> Self {
        let mut graph = generate::landmarks(task, cost_type);
        orders::add_reasonable(task, &mut graph);
        graph.remove_circles();
        Self::count(task, &graph)
    }

    fn count(task: &CompiledTask, graph: &Graph) -> Self {
        let count = graph.landmarks.len();
        let words = count.div_ceil(64).max(1);
        let mut counter = Self {
            landmarks: Vec::with_capacity(count),
            words,
            before: vec![0; count * words],
            right_after: vec![0; count * words],
            reached: Vec::new(),
            known: Vec::new(),
        };
        for (place, landmark) in graph.landmarks.iter().enumerate() {
            let facts = landmark.facts.iter().map(|&proposition| {
                let variable = task.offsets.partition_point(|&offset| offset <= proposition) - 1;
                (variable as u32, proposition - task.offsets[variable])
            });
            counter.landmarks.push(Counted { facts: facts.collect(), cost: landmark.cost, goal: landmark.goal });
            for (&after, &order) in &landmark.after {
                let after = after as usize;
                insert(&mut counter.before[after * words..][..words], place);
                if order == Order::GreedyNecessary {
                    insert(&mut counter.right_after[place * words..][..words], after);
                }
            }
        }
        counter
    }

    fn set(&mut self, id: StateId) -> std::ops::Range<usize> {
        let end = (id as usize + 1) * self.words;
        if self.reached.len() < end {
            self.reached.resize(end, 0);
            self.known.resize(id as usize + 1, false);
        }
        end - self.words..end
    }

    /// Whether all that are ordered before a landmark are in a set.
    fn ready(&self, landmark: usize, reached: &[u64]) -> bool {
        self.before[landmark * self.words..][..self.words]
            .iter()
            .zip(reached)
            .all(|(before, reached)| before & !reached == 0)
    }
}

impl Heuristic for LandmarkCount {
    fn begin(&mut self, initial: StateId, state: &State) {
        let range = self.set(initial);
        let mut reached = vec![0; self.words];
        // Those before a landmark may come later in the list, so until nothing is added.
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for (place, landmark) in self.landmarks.iter().enumerate() {
                if !contains(&reached, place) && landmark.holds(&state.values) && self.ready(place, &reached) {
                    insert(&mut reached, place);
                    grown = true;
                }
            }
        }
        self.reached[range].copy_from_slice(&reached);
        self.known[initial as usize] = true;
    }

    fn transition(&mut self, parent: StateId, child: StateId, state: &State) {
        let from = self.set(parent);
        let to = self.set(child);
        let mut reached = self.reached[from].to_vec();
        let before = reached.clone();
        for (place, landmark) in self.landmarks.iter().enumerate() {
            if !contains(&before, place) && landmark.holds(&state.values) && self.ready(place, &before) {
                insert(&mut reached, place);
            }
        }
        if std::mem::replace(&mut self.known[child as usize], true) {
            for (old, new) in self.reached[to].iter_mut().zip(reached) {
                *old &= new;
            }
        } else {
            self.reached[to].copy_from_slice(&reached);
        }
    }

    fn evaluate(&mut self, _: &CompiledTask, id: StateId, state: &State) -> Option<u32> {
        let range = self.set(id);
        let reached = &self.reached[range];
        let mut sum = 0u32;
        for (place, landmark) in self.landmarks.iter().enumerate() {
            let counts = !contains(reached, place)
                || !landmark.holds(&state.values)
                    && (landmark.goal
                        || self.right_after[place * self.words..][..self.words]
                            .iter()
                            .zip(reached)
                            .any(|(after, reached)| after & !reached != 0));
            if counts {
                sum = (sum + landmark.cost).min(MAX_ESTIMATE);
            }
        }
        Some(sum)
    }

    fn bytes(&self) -> usize {
        (self.before.len() + self.right_after.len() + self.reached.capacity()) * 8 + self.known.capacity()
    }
}
