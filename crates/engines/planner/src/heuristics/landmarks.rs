//! The landmark-count heuristic. A landmark is a fact, or a disjunction of facts, that holds at some point in every plan.
//!
//! Landmarks are found by backchaining from the goal over the first achievers of each landmark, extended by disjunctive
//! landmarks and by landmarks of domain transition graphs (Richter, Helmert and Westphal 2008); reasonable orders are those of
//! LAMA (Richter and Westphal 2010). A landmark is *past* if it held on all paths to a state. It is *future*, and counts, if it
//! must still be achieved: it never held; it does not hold and is a goal or is ordered greedy-necessarily before a landmark
//! that is not past; or a landmark reasonably ordered before it is not past (Büchner, Keller, Eriksson and Helmert 2023).

mod generate;
mod goals;
mod graph;
mod orders;

pub(crate) use goals::{GoalOrder, OrderedGoals};
pub(crate) use graph::Graph as LandmarkGraph;

use super::{Heuristic, MAX_ESTIMATE, WorkObserver};
use crate::rows::growing_bytes;
use crate::search_task::{CostType, SearchTask};
use crate::state::{State, StateId};
use generate::LandmarkScope;
use graph::{Graph, Order};
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::OnceLock;

/// The landmark-count heuristic: the sum of the minimum costs of achieving the future landmarks.
#[derive(Debug)]
pub(super) struct LandmarkCount {
    landmarks: Vec<CountedLandmark>,
    /// Number of words of a set of landmarks.
    words: usize,
    /// Landmarks with the sets of landmarks that they are ordered greedy-necessarily before.
    greedy_necessary_orders: Vec<(u32, Vec<u64>)>,
    /// Landmarks with the sets of landmarks that they are reasonably ordered before.
    reasonable_orders: Vec<(u32, Vec<u64>)>,
    /// For each state the set of past landmarks, followed by the set of future ones.
    sets: Vec<u64>,
    /// For each state whether its sets have been computed.
    known: Vec<bool>,
    past: Vec<u64>,
    future: Vec<u64>,
    /// The work of all transitions and evaluations.
    work: u64,
    transition_work: u64,
}

/// A landmark with its cost.
#[derive(Debug)]
struct CountedLandmark {
    /// The facts of the disjunction, as variable and value.
    facts: Vec<(u32, u32)>,
    cost: u32,
    goal: bool,
}

impl CountedLandmark {
    fn holds(&self, values: &[u32]) -> bool {
        self.facts.iter().any(|&(variable, value)| values[variable as usize] == value)
    }
}

/// A result of preprocessing with the work of its computation.
#[derive(Debug, Clone)]
pub(crate) struct Preprocessed<T> {
    result: T,
    work: u64,
}

/// Returns a result of preprocessing, which is computed on first use. Every use spends the work of its computation, so that
/// searches do the same work whichever of them is first. A result that was cut short is not stored.
fn cached<'t, T: Clone>(
    slot: &'t OnceLock<Preprocessed<T>>,
    spend: WorkObserver<'_>,
    compute: impl FnOnce(WorkObserver<'_>) -> T,
) -> Cow<'t, T> {
    if let Some(known) = slot.get() {
        spend(known.work);
        return Cow::Borrowed(&known.result);
    }
    let (work, stopped) = (Cell::new(0), Cell::new(false));
    let result = compute(&|units| {
        work.set(work.get() + units);
        stopped.set(stopped.get() || spend(units));
        stopped.get()
    });
    if stopped.get() {
        return Cow::Owned(result);
    }
    Cow::Borrowed(&slot.get_or_init(|| Preprocessed { result, work: work.get() }).result)
}

/// Computes the landmarks of a task and their orders.
fn landmark_graph(task: &SearchTask, scope: LandmarkScope, spend: WorkObserver<'_>) -> Graph {
    let mut graph = generate::landmarks(task, scope, spend);
    orders::add_reasonable(task, &mut graph, spend);
    graph
}

/// For each proposition the minimum cost of an operator that achieves it.
fn min_costs(task: &SearchTask, cost_type: CostType) -> Vec<u32> {
    let mut costs = vec![u32::MAX; task.proposition_count()];
    for operator in 0..task.operator_count() as u32 {
        let cost = task.cost(operator, cost_type).min(MAX_ESTIMATE);
        for effect in task.effects.row(operator) {
            let least = &mut costs[task.proposition(effect.fact) as usize];
            *least = cost.min(*least);
        }
    }
    costs
}

fn contains(set: &[u64], place: usize) -> bool {
    set[place / 64] >> (place % 64) & 1 == 1
}

fn insert(set: &mut [u64], place: usize) {
    set[place / 64] |= 1 << (place % 64);
}

impl LandmarkCount {
    /// Computes the landmark graph of a task and prepares the heuristic.
    pub(super) fn new(task: &SearchTask, cost_type: CostType, spend: WorkObserver<'_>) -> Self {
        let graph = &*cached(&task.landmarks, spend, |spend| landmark_graph(task, LandmarkScope::All, spend));
        let costs = min_costs(task, cost_type);
        let words = graph.landmarks.len().div_ceil(64).max(1);
        let mut counter = Self {
            landmarks: Vec::with_capacity(graph.landmarks.len()),
            words,
            greedy_necessary_orders: Vec::new(),
            reasonable_orders: Vec::new(),
            sets: Vec::new(),
            known: Vec::new(),
            past: vec![0; words],
            future: vec![0; words],
            work: 0,
            transition_work: 0,
        };
        for (place, landmark) in (0u32..).zip(&graph.landmarks) {
            let facts = landmark.facts.iter().map(|&proposition| {
                let variable = task.offsets.partition_point(|&offset| offset <= proposition) - 1;
                (variable as u32, proposition - task.offsets[variable])
            });
            // Landmarks that are derived or cost nothing count as one, since the heuristic would not distinguish them
            // otherwise.
            let cost = landmark.facts.iter().map(|&fact| costs[fact as usize]).min().unwrap_or(1).max(1);
            let cost = if cost == u32::MAX { 1 } else { cost };
            counter.landmarks.push(CountedLandmark { facts: facts.collect(), cost, goal: landmark.goal });
            for (order, sets) in [
                (Order::GreedyNecessary, &mut counter.greedy_necessary_orders),
                (Order::Reasonable, &mut counter.reasonable_orders),
            ] {
                let mut set = vec![0; words];
                for (&after, _) in landmark.after.iter().filter(|(_, known)| **known == order) {
                    insert(&mut set, after as usize);
                }
                if set.iter().any(|&word| word != 0) {
                    sets.push((place, set));
                }
            }
        }
        let orders = counter.greedy_necessary_orders.len() + counter.reasonable_orders.len();
        counter.transition_work = 4 + (counter.landmarks.len() + orders * words) as u64 / 2;
        counter
    }

    fn range(&mut self, id: StateId) -> std::ops::Range<usize> {
        let size = 2 * self.words;
        let end = (id as usize + 1) * size;
        if self.sets.len() < end {
            self.sets.resize(end, 0);
            self.known.resize(id as usize + 1, false);
        }
        end - size..end
    }

    /// Marks the landmarks that goals and orders require again, given the set of past ones.
    fn add_needed_again(&mut self, state: &State) {
        for (place, landmark) in self.landmarks.iter().enumerate() {
            if landmark.goal && !landmark.holds(&state.values) {
                insert(&mut self.future, place);
            }
        }
        for (before, after) in &self.greedy_necessary_orders {
            let some_to_come = after.iter().zip(&self.past).any(|(after, past)| after & !past != 0);
            if some_to_come && !self.landmarks[*before as usize].holds(&state.values) {
                insert(&mut self.future, *before as usize);
            }
        }
        for (before, after) in &self.reasonable_orders {
            if !contains(&self.past, *before as usize) {
                for (future, after) in self.future.iter_mut().zip(after) {
                    *future |= after;
                }
            }
        }
    }
}

impl Heuristic for LandmarkCount {
    fn begin(&mut self, initial: StateId, state: &State) {
        self.past.fill(0);
        self.future.fill(0);
        for (place, landmark) in self.landmarks.iter().enumerate() {
            let set = if landmark.holds(&state.values) { &mut self.past } else { &mut self.future };
            insert(set, place);
        }
        self.add_needed_again(state);
        let range = self.range(initial);
        let (past, future) = self.sets[range].split_at_mut(self.words);
        past.copy_from_slice(&self.past);
        future.copy_from_slice(&self.future);
        self.known[initial as usize] = true;
    }

    fn transition(&mut self, parent: StateId, before: &State, child: StateId, state: &State) {
        self.work += self.transition_work;
        let (from, to) = (self.range(parent), self.range(child));
        let (past, future) = self.sets[from].split_at(self.words);
        self.past.copy_from_slice(past);
        self.future.copy_from_slice(future);
        for (place, landmark) in self.landmarks.iter().enumerate() {
            // A landmark that already held was not achieved by this transition and must be achieved again.
            if contains(&self.future, place) && landmark.holds(&state.values) && !landmark.holds(&before.values) {
                insert(&mut self.past, place);
                self.future[place / 64] &= !(1 << (place % 64));
            }
        }
        self.add_needed_again(state);
        let known = std::mem::replace(&mut self.known[child as usize], true);
        let (past, future) = self.sets[to].split_at_mut(self.words);
        if known {
            past.iter_mut().zip(&self.past).for_each(|(old, new)| *old &= new);
            future.iter_mut().zip(&self.future).for_each(|(old, new)| *old |= new);
        } else {
            past.copy_from_slice(&self.past);
            future.copy_from_slice(&self.future);
        }
    }

    fn evaluate(&mut self, _: &SearchTask, id: StateId, _: &State) -> Option<u32> {
        self.work += self.landmarks.len() as u64 / 4;
        let range = self.range(id);
        let future = &self.sets[range][self.words..];
        let costs = self.landmarks.iter().enumerate().filter(|(place, _)| contains(future, *place));
        Some(costs.fold(0, |sum, (_, landmark)| (sum + landmark.cost).min(MAX_ESTIMATE)))
    }

    fn work(&self) -> u64 {
        self.work
    }

    fn bytes(&self) -> usize {
        let orders = (self.greedy_necessary_orders.len() + self.reasonable_orders.len()) * self.words;
        orders * 8 + growing_bytes(&self.sets) + growing_bytes(&self.known)
    }
}
