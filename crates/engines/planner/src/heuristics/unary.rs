//! The delete relaxation with one effect per operator, without dominated operators.

use super::MAX_ESTIMATE;
use super::relaxation::{AXIOM, Relaxation};
use crate::rows::Rows;
use crate::search_task::{CostType, SearchTask};
use std::sync::{Arc, OnceLock};

/// Maximum number of smaller unary operators that each one is compared with for dominance.
const MAX_COMPARISONS: usize = 32;

/// Unary relaxed operators.
#[derive(Debug)]
pub(crate) struct UnaryTask {
    /// The number of propositions.
    pub(super) propositions: usize,
    /// The preconditions, by unary operator.
    pub(super) preconditions: Rows<u32>,
    /// For each proposition the unary operators that require it.
    pub(super) needed_by: Rows<u32>,
    /// The effect, by unary operator.
    pub(super) effects: Vec<u32>,
    /// The cost, by unary operator.
    pub(super) costs: Vec<u32>,
    /// For each unary operator the operator it is derived from, or [`AXIOM`].
    pub(super) operators: Vec<u32>,
    /// Unary operators without preconditions.
    pub(super) unconditional: Vec<u32>,
    /// The goal.
    pub(super) goal: Vec<u32>,
}

/// The unary relaxations of a task, one per cost type, computed on first use and shared by all heuristics.
#[derive(Debug, Default)]
pub(crate) struct UnaryTasks([OnceLock<Arc<UnaryTask>>; 3]);

impl UnaryTasks {
    /// Returns the relaxation of a task, which is the owner of the collection.
    pub(super) fn get(&self, task: &SearchTask, cost_type: CostType) -> Arc<UnaryTask> {
        let slot = match cost_type {
            CostType::Normal => &self.0[0],
            CostType::One => &self.0[1],
            CostType::PlusOne => &self.0[2],
        };
        Arc::clone(slot.get_or_init(|| Arc::new(UnaryTask::new(task, cost_type))))
    }
}

/// A unary operator before dominance pruning.
struct Candidate {
    effect: u32,
    relaxed: u32,
    cost: u32,
    size: u32,
    /// A Bloom filter of the preconditions: a subset has a subset of the bits.
    signature: u64,
}

impl UnaryTask {
    /// Splits the relaxed operators of a task into unary operators.
    fn new(task: &SearchTask, cost_type: CostType) -> Self {
        let relaxation = Relaxation::new(task);
        let mut candidates = Vec::new();
        for relaxed in 0..relaxation.operators.len() as u32 {
            let operator = relaxation.operators[relaxed as usize];
            let cost = if operator == AXIOM { 0 } else { task.cost(operator, cost_type).min(MAX_ESTIMATE) };
            let row = relaxation.preconditions.row(relaxed);
            let signature = row.iter().fold(0, |bits, &p| bits | 1u64 << (p.wrapping_mul(0x9e37_79b9) >> 26));
            for &effect in relaxation.effects.row(relaxed) {
                candidates.push(Candidate { effect, relaxed, cost, size: row.len() as u32, signature });
            }
        }
        let pre = |candidate: &Candidate| relaxation.preconditions.row(candidate.relaxed);
        candidates.sort_unstable_by(|a, b| {
            (a.effect, a.size)
                .cmp(&(b.effect, b.size))
                .then_with(|| pre(a).cmp(pre(b)))
                .then_with(|| (a.cost, a.relaxed).cmp(&(b.cost, b.relaxed)))
        });
        candidates.dedup_by(|later, earlier| later.effect == earlier.effect && pre(later) == pre(earlier));
        let mut kept: Vec<&Candidate> = Vec::with_capacity(candidates.len());
        for group in candidates.chunk_by(|a, b| a.effect == b.effect) {
            keep_undominated(group, &relaxation, &mut kept);
        }
        kept.sort_unstable_by_key(|candidate| (candidate.relaxed, candidate.effect));
        let mut preconditions = Rows::default();
        for candidate in &kept {
            preconditions.push(pre(candidate).iter().copied());
        }
        Self {
            propositions: relaxation.propositions,
            needed_by: Rows::inverse(&preconditions, relaxation.propositions),
            effects: kept.iter().map(|candidate| candidate.effect).collect(),
            costs: kept.iter().map(|candidate| candidate.cost).collect(),
            operators: kept.iter().map(|candidate| relaxation.operators[candidate.relaxed as usize]).collect(),
            unconditional: (0u32..)
                .zip(&kept)
                .filter(|(_, candidate)| candidate.size == 0)
                .map(|(place, _)| place)
                .collect(),
            goal: relaxation.goal.clone(),
            preconditions,
        }
    }

    /// Returns the memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.preconditions.bytes() + self.needed_by.bytes() + self.effects.len() * 12
    }
}

/// Keeps the operators of one effect, sorted by size, that no operator with a smaller precondition and at most the same cost
/// dominates.
fn keep_undominated<'c>(group: &'c [Candidate], relaxation: &Relaxation, kept: &mut Vec<&'c Candidate>) {
    let least = group[0].size;
    let first = kept.len();
    for candidate in group {
        let smaller = kept[first..].iter().take_while(|other| other.size < candidate.size).take(MAX_COMPARISONS);
        let row = relaxation.preconditions.row(candidate.relaxed);
        let dominated = candidate.size > least
            && smaller.into_iter().any(|other| {
                other.cost <= candidate.cost
                    && other.signature & !candidate.signature == 0
                    && relaxation.preconditions.row(other.relaxed).iter().all(|p| row.binary_search(p).is_ok())
            });
        if !dominated {
            kept.push(candidate);
        }
    }
}

/// A set of indices that is cleared in constant time.
#[derive(Debug)]
pub(super) struct TimestampedSet {
    stamps: Vec<u32>,
    now: u32,
}

impl TimestampedSet {
    /// Creates an empty set of indices below `things`.
    pub(super) fn new(capacity: usize) -> Self {
        Self { stamps: vec![0; capacity], now: 1 }
    }

    /// Removes all indices.
    pub(super) fn clear(&mut self) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.stamps.fill(0);
            self.now = 1;
        }
    }

    /// Inserts an index. Returns whether it is new.
    #[inline]
    pub(super) fn mark(&mut self, thing: u32) -> bool {
        std::mem::replace(&mut self.stamps[thing as usize], self.now) != self.now
    }

    /// Whether the set contains an index.
    #[inline]
    pub(super) fn is_marked(&self, thing: u32) -> bool {
        self.stamps[thing as usize] == self.now
    }
}
