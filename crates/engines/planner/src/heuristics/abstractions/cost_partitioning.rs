//! The heuristic: the maximum of several saturated cost partitionings.

use super::abstraction::{Abstraction, INFINITE};
use super::plain_task::PlainTask;
use super::{cartesian, patterns};
use crate::heuristics::{Heuristic, MAX_ESTIMATE, WorkObserver};
use crate::lane::MILLISECOND;
use crate::random::Random;
use crate::search_task::SearchTask;
use crate::state::{State, StateId};
use crate::successors::SuccessorGenerator;

/// The maximum number of patterns.
const MAX_PATTERNS: usize = 300;

/// The limit on the states and transitions of all projections together.
const MAX_PROJECTION_SIZE: usize = 1_500_000;

/// The maximum number of states of the Cartesian abstractions of all goals together.
const MAX_CARTESIAN_STATES: usize = 6_000;

/// The limit on the work of all Cartesian abstractions.
const CARTESIAN_WORK: u64 = 400 * MILLISECOND;

/// The limit on the work of cost partitionings.
const PARTITIONING_WORK: u64 = 800 * MILLISECOND;

/// The maximum number of states for which estimates are compared.
const MAX_SAMPLES: usize = 500;

/// The number of these states for each fact of a small task.
const SAMPLES_PER_FACT: u32 = 3;

/// The maximum number of cost partitionings.
const MAX_ORDERS: usize = 80;

/// The number of states in sequence without a useful order after which no further one is sought.
const MAX_FAILURES: u32 = 40;

/// An abstraction with the facts that guide the choice of orders.
struct Candidate {
    abstraction: Abstraction,
    distances: Vec<u32>,
    /// The saturated costs, by label.
    saturated: Vec<u32>,
    /// The costs that the abstraction takes from others.
    stolen: u64,
}

/// A cost partitioning: abstractions with the starts of their tables of distances.
type Partitioning = Vec<(u32, u32)>;

/// The maximum of several saturated cost partitionings.
pub(crate) struct SaturatedCostPartitioning {
    abstractions: Vec<Abstraction>,
    partitionings: Vec<Partitioning>,
    /// The tables of distances.
    tables: Vec<u32>,
    /// The abstract states of the state being evaluated.
    mapped: Vec<u32>,
    /// The work of an evaluation.
    evaluation_work: u64,
    work: u64,
    bytes: usize,
}

impl SaturatedCostPartitioning {
    /// Builds the heuristic for a plain task.
    pub(crate) fn new(task: &PlainTask, spend: WorkObserver<'_>) -> Self {
        let costs: Vec<u32> = task.operators.iter().map(|operator| operator.cost).collect();
        let candidates = candidates(task, &costs, spend);
        let mut builder = Builder { task, costs: &costs, candidates, tables: Vec::new(), partitionings: Vec::new() };
        builder.run(spend);
        builder.finish()
    }

    /// Returns the estimate of a state; `None` if it is a dead end.
    fn estimate(&mut self, values: &[u32]) -> Option<u32> {
        for (mapped, abstraction) in self.mapped.iter_mut().zip(&self.abstractions) {
            *mapped = abstraction.map(values);
        }
        let mut best = 0;
        for partitioning in &self.partitionings {
            best = best.max(sum(partitioning, &self.tables, &self.mapped)?);
        }
        Some(best.min(MAX_ESTIMATE))
    }
}

/// Returns the sum of distances of a cost partitioning; `None` if one is infinite.
fn sum(partitioning: &Partitioning, tables: &[u32], mapped: &[u32]) -> Option<u32> {
    let mut total = 0u32;
    for &(abstraction, start) in partitioning {
        let distance = tables[(start + mapped[abstraction as usize]) as usize];
        if distance == INFINITE {
            return None;
        }
        total = total.saturating_add(distance);
    }
    Some(total)
}

/// Builds the abstractions.
fn candidates(task: &PlainTask, costs: &[u32], spend: WorkObserver<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let mut size = 0;
    for pattern in patterns::patterns(task, MAX_PATTERNS) {
        let Some(abstraction) = patterns::project(task, &pattern) else { continue };
        size += abstraction.states() + abstraction.incoming.len();
        let candidate = Candidate::new(abstraction, costs);
        let work = candidate.work() * 2 + task.operators.len() as u64 * 4;
        candidates.push(candidate);
        if spend(work) || size > MAX_PROJECTION_SIZE {
            break;
        }
    }
    let goals = task.goal.len().max(1);
    let mut parts: Vec<&[crate::ground_task::Fact]> = task.goal.chunks(1).collect();
    if parts.len() > 1 {
        parts.push(&task.goal);
    }
    for part in parts {
        let is_whole = part.len() == task.goal.len();
        let share = if is_whole { 1 } else { goals };
        let mut work = 0;
        let (states, limit) = (MAX_CARTESIAN_STATES / share, CARTESIAN_WORK / share as u64);
        let abstraction = cartesian::refine(task, part, states.max(50), limit / 2, &mut work);
        candidates.push(Candidate::new(abstraction, costs));
        if spend(work) {
            break;
        }
    }
    candidates.retain(|candidate| candidate.distances.iter().any(|&distance| distance > 0));
    set_stolen(&mut candidates, costs);
    candidates
}

/// Computes the costs that each abstraction takes from others: its demand beyond what all of them leave over.
fn set_stolen(candidates: &mut [Candidate], costs: &[u32]) {
    let mut demand = vec![0u64; costs.len()];
    for candidate in &*candidates {
        for (label, &cost) in candidate.abstraction.labels.iter().zip(&candidate.saturated) {
            for &operator in label {
                demand[operator as usize] += u64::from(cost);
            }
        }
    }
    for candidate in candidates {
        let labels = candidate.abstraction.labels.iter().zip(&candidate.saturated);
        let stolen = labels.flat_map(|(label, &cost)| {
            let demand = &demand;
            label.iter().map(move |&operator| {
                let excess = demand[operator as usize].saturating_sub(u64::from(costs[operator as usize]));
                u64::from(cost).min(excess)
            })
        });
        candidate.stolen = stolen.sum();
    }
}

impl Candidate {
    fn new(abstraction: Abstraction, costs: &[u32]) -> Self {
        let distances = abstraction.goal_distances(costs);
        let saturated = abstraction.saturated_costs(&distances);
        Self { abstraction, distances, saturated, stolen: 0 }
    }

    /// Returns the work of computing distances and saturated costs.
    fn work(&self) -> u64 {
        let abstraction = &self.abstraction;
        (abstraction.incoming.len() * 6 + abstraction.states() * 12 + abstraction.labels.len() * 4) as u64
    }
}

struct Builder<'b> {
    task: &'b PlainTask,
    costs: &'b [u32],
    candidates: Vec<Candidate>,
    tables: Vec<u32>,
    partitionings: Vec<Partitioning>,
}

impl Builder<'_> {
    fn run(&mut self, spend: WorkObserver<'_>) {
        let mut random = Random::new(0, 0);
        let samples = self.samples(&mut random);
        let mapped: Vec<Vec<u32>> = samples.iter().map(|values| self.map(values)).collect();
        let mut best = vec![0; samples.len()];
        let (mut work, mut failures) = (0, 0);
        let order_work: u64 = self.candidates.iter().map(Candidate::work).sum::<u64>() + self.costs.len() as u64;
        for sample in &mapped {
            let order = self.order(sample);
            let start = self.tables.len();
            let partitioning = self.partition(&order);
            let mut improves = self.partitionings.is_empty();
            for (best, sample) in best.iter_mut().zip(&mapped) {
                let estimate = sum(&partitioning, &self.tables, sample).unwrap_or(MAX_ESTIMATE);
                improves |= estimate > *best;
                *best = estimate.max(*best);
            }
            if improves {
                self.partitionings.push(partitioning);
                failures = 0;
            } else {
                self.tables.truncate(start);
                failures += 1;
            }
            let order_work = order_work + (samples.len() * order.len()) as u64 / 2;
            work += order_work;
            let is_full = self.partitionings.len() >= MAX_ORDERS || failures >= MAX_FAILURES;
            if spend(order_work) || work > PARTITIONING_WORK || is_full {
                break;
            }
        }
    }

    fn map(&self, values: &[u32]) -> Vec<u32> {
        self.candidates.iter().map(|candidate| candidate.abstraction.map(values)).collect()
    }

    /// Returns an order of the abstractions by their distance for a state, relative to the costs that they take from others.
    fn order(&self, mapped: &[u32]) -> Vec<u32> {
        let score = |place: u32| {
            let candidate = &self.candidates[place as usize];
            let distance = candidate.distances[mapped[place as usize] as usize];
            // Infinite distances count in any order.
            f64::from(if distance == INFINITE { 0 } else { distance }) / (candidate.stolen as f64).max(1.0)
        };
        let mut order: Vec<u32> = (0..self.candidates.len() as u32).collect();
        order.sort_by(|&one, &other| score(other).total_cmp(&score(one)));
        order
    }

    /// Computes a saturated cost partitioning.
    fn partition(&mut self, order: &[u32]) -> Partitioning {
        let mut costs = self.costs.to_vec();
        let mut partitioning = Vec::new();
        for &place in order {
            let abstraction = &self.candidates[place as usize].abstraction;
            let distances = abstraction.goal_distances(&costs);
            if distances.iter().all(|&distance| distance == 0) {
                continue;
            }
            let saturated = abstraction.saturated_costs(&distances);
            for (label, saturated) in abstraction.labels.iter().zip(saturated) {
                for &operator in label {
                    costs[operator as usize] -= saturated;
                }
            }
            partitioning.push((place, self.tables.len() as u32));
            self.tables.extend(distances);
        }
        partitioning
    }

    /// Returns the initial state and states at the ends of random walks.
    fn samples(&self, random: &mut Random) -> Vec<Vec<u32>> {
        let initial = self.map(&self.task.initial);
        let furthest = self.candidates.iter().zip(&initial).map(|(candidate, &state)| {
            let distance = candidate.distances[state as usize];
            if distance == INFINITE { 0 } else { distance }
        });
        let mean = self.costs.iter().map(|&cost| u64::from(cost)).sum::<u64>() / self.costs.len().max(1) as u64;
        let length = 4 * u64::from(furthest.max().unwrap_or(0)) / mean.max(1) + 10;
        let mut preconditions = crate::rows::Rows::default();
        for operator in &self.task.operators {
            preconditions.push(operator.precondition.iter().copied());
        }
        let successors = SuccessorGenerator::new(&preconditions, &self.task.domains);
        let (mut stack, mut operators) = (Vec::new(), Vec::new());
        let mut samples = vec![self.task.initial.clone()];
        let facts: u32 = self.task.domains.iter().sum();
        while samples.len() < MAX_SAMPLES.min((SAMPLES_PER_FACT * facts) as usize) {
            let mut values = self.task.initial.clone();
            for _ in 0..random.below(length.min(200)) {
                successors.applicable(&values, &mut stack, &mut operators);
                if operators.is_empty() {
                    break;
                }
                let operator = operators[random.below(operators.len() as u64) as usize];
                self.task.apply(operator, &mut values);
            }
            samples.push(values);
        }
        samples
    }

    /// Keeps the abstractions that a cost partitioning uses.
    fn finish(self) -> SaturatedCostPartitioning {
        let mut places = vec![u32::MAX; self.candidates.len()];
        let mut partitionings = self.partitionings;
        let mut count = 0;
        for entry in partitionings.iter_mut().flatten() {
            let place = &mut places[entry.0 as usize];
            if *place == u32::MAX {
                *place = count;
                count += 1;
            }
            entry.0 = *place;
        }
        let mut used: Vec<(u32, Abstraction)> = places
            .into_iter()
            .zip(self.candidates)
            .filter(|(place, _)| *place != u32::MAX)
            .map(|(place, candidate)| (place, candidate.abstraction))
            .collect();
        used.sort_unstable_by_key(|(place, _)| *place);
        let abstractions: Vec<Abstraction> = used
            .into_iter()
            .map(|(_, abstraction)| Abstraction { incoming: Vec::new(), labels: Vec::new(), ..abstraction })
            .collect();
        let lookups: usize = partitionings.iter().map(Vec::len).sum();
        let mapping: usize = abstractions.len() * 4;
        SaturatedCostPartitioning {
            mapped: vec![0; abstractions.len()],
            evaluation_work: (mapping + lookups / 2) as u64 + 4,
            bytes: self.tables.capacity() * 4 + abstractions.iter().map(|one| one.states() * 4).sum::<usize>(),
            abstractions,
            partitionings,
            tables: self.tables,
            work: 0,
        }
    }
}

impl Heuristic for SaturatedCostPartitioning {
    fn evaluate(&mut self, _: &SearchTask, _: StateId, state: &State) -> Option<u32> {
        self.work += self.evaluation_work;
        self.estimate(&state.values)
    }

    fn work(&self) -> u64 {
        self.work
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
