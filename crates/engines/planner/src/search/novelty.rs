//! Best-first width search: best-first search by novelty.
//!
//! The novelty of a state is relative to the earlier states with the same value of a measure, such as the number of open goals,
//! and the same number of achieved facts of the last relaxed plan; the relaxed plan is recomputed whenever the measure
//! decreases. Novelty is one if the state has a fact that none of these states had, two if it has such a pair of facts, and
//! three otherwise. Pairs are stored as bit rows: for a fact, the set of all facts seen together with it.

use super::eager::{ExpansionOrder, Generated};
use super::open_list::{OpenList, TieBreaking};
use crate::heuristics::{Additive, Heuristic};
use crate::search_task::{CostType, SearchTask};
use crate::state::{State, StateId};
use rustc_hash::FxHashMap;

/// No row yet.
const NONE: u32 = u32::MAX;

/// Maximum memory for pairs of facts, in bytes. Beyond it no new rows are allocated.
const MAX_PAIR_BYTES: usize = 1 << 29;

/// The key by which states are compared, with the relaxed plan it refers to.
#[derive(Debug, Clone, Copy)]
struct NoveltyKey {
    /// The value of the measure.
    goals: u32,
    /// The relaxed plan in use.
    plan: u32,
    /// The start of the set of its achieved facts.
    achieved: u32,
    /// The number of achieved facts.
    count: u32,
}

/// The facts and pairs of facts seen in the states of one key.
#[derive(Debug)]
struct SeenFacts {
    facts: Vec<u64>,
    /// The facts of the first of these states. Its pairs are not stored, which saves most rows where states differ little.
    first: Vec<u64>,
    /// For each fact its row of pairs.
    rows: Vec<u32>,
}

/// The order by novelty, then by the measure.
pub(super) struct NoveltyOrder {
    /// The measure, which partitions the states into those compared with each other.
    measure: Box<dyn Heuristic>,
    relaxed: Additive,
    words: usize,
    distances: Vec<NoveltyKey>,
    /// For each relaxed plan a map from propositions to their position in the plan.
    plans: Vec<FxHashMap<u32, u32>>,
    /// The sets of achieved facts of relaxed plans.
    sets: Vec<u64>,
    seen: FxHashMap<(u32, u32), SeenFacts>,
    /// The rows of pairs, stored contiguously.
    pairs: Vec<u64>,
    /// The facts of the current state, as bits.
    bits: Vec<u64>,
    /// The facts of the current state that can be new relative to the states before it; sorted.
    fresh: Vec<u32>,
    /// The facts of the current state that the first state with the same key lacks.
    outside: Vec<u32>,
    best: [u32; 1],
    improved: bool,
    open: OpenList<(StateId, u64)>,
    /// The work apart from the measure and relaxed plans.
    work: u64,
}

impl NoveltyOrder {
    pub(super) fn new(task: &SearchTask, measure: Box<dyn Heuristic>, cost_type: CostType) -> Self {
        Self {
            measure,
            relaxed: Additive::new(task, cost_type, true),
            words: task.proposition_count().div_ceil(64),
            distances: Vec::new(),
            plans: Vec::new(),
            sets: Vec::new(),
            seen: FxHashMap::default(),
            pairs: Vec::new(),
            bits: Vec::new(),
            fresh: Vec::new(),
            outside: Vec::new(),
            best: [u32::MAX],
            improved: false,
            open: OpenList::new(TieBreaking::Oldest),
            work: 0,
        }
    }

    /// Computes the key of a state; `None` if a relaxed plan is needed and none exists.
    fn distance(&mut self, generated: &Generated<'_>) -> Option<NoveltyKey> {
        let &Generated { task, id, state, parent, .. } = generated;
        match parent {
            Some((parent, before)) => self.measure.transition(parent, before, id, state),
            None => self.measure.begin(id, state),
        }
        let goals = self.measure.evaluate(task, id, state)?;
        if let Some((parent, before)) = parent {
            let parent = self.distances[parent as usize];
            if goals >= parent.goals {
                return Some(self.advance(task, parent, goals, before, state));
            }
        }
        self.relaxed.evaluate(task, id, state)?;
        let plan: FxHashMap<u32, u32> =
            self.relaxed.achieved().iter().zip(0u32..).map(|(&proposition, place)| (proposition, place)).collect();
        let achieved = self.sets.len() as u32;
        self.sets.resize(self.sets.len() + plan.len().div_ceil(64), 0);
        self.plans.push(plan);
        Some(NoveltyKey { goals, plan: self.plans.len() as u32 - 1, achieved, count: 0 })
    }

    /// Computes the key of a successor with the same relaxed plan.
    fn advance(
        &mut self,
        task: &SearchTask,
        parent: NoveltyKey,
        goals: u32,
        before: &State,
        state: &State,
    ) -> NoveltyKey {
        let plan = &self.plans[parent.plan as usize];
        let mut distance = NoveltyKey { goals, ..parent };
        for (variable, (old, new)) in before.values.iter().zip(&state.values).enumerate() {
            if old == new {
                continue;
            }
            let Some(&place) = plan.get(&(task.offsets[variable] + new)) else { continue };
            let (word, bit) = ((place / 64) as usize, 1u64 << (place % 64));
            if self.sets[distance.achieved as usize + word] & bit == 0 {
                if distance.count == parent.count {
                    let start = parent.achieved as usize;
                    distance.achieved = self.sets.len() as u32;
                    self.sets.extend_from_within(start..start + plan.len().div_ceil(64));
                }
                self.sets[distance.achieved as usize + word] |= bit;
                distance.count += 1;
            }
        }
        distance
    }

    /// Returns the novelty of a state, one, two or three (not novel), and records its facts and pairs.
    fn novelty(&mut self, generated: &Generated<'_>, distance: NoveltyKey) -> u64 {
        let &Generated { task, state, parent, .. } = generated;
        let key = (distance.goals, distance.count);
        let same = parent.filter(|&(parent, _)| {
            let parent = self.distances[parent as usize];
            (parent.goals, parent.count) == key
        });
        self.bits.clear();
        self.bits.resize(self.words, 0);
        self.fresh.clear();
        for (variable, (&value, offset)) in state.values.iter().zip(&task.offsets).enumerate() {
            let proposition = offset + value;
            self.bits[proposition as usize / 64] |= 1 << (proposition % 64);
            if same.is_none_or(|(_, before)| before.values[variable] != value) {
                self.fresh.push(proposition);
            }
        }
        let words = self.words;
        let Some(seen) = self.seen.get_mut(&key) else {
            let (facts, first) = (self.bits.clone(), self.bits.clone());
            self.seen.insert(key, SeenFacts { facts, first, rows: vec![NONE; words * 64] });
            return 1;
        };
        self.work += (words + state.values.len()) as u64;
        collect_outside(&self.bits, &seen.first, &mut self.outside);
        let mut novelty = 3;
        for &fact in &self.fresh {
            if !insert(&mut seen.facts, fact) {
                novelty = 1;
            }
        }
        // A pair that the first state lacks includes a fact that the first state lacks, and is stored in the row of that fact.
        for &fact in &self.outside {
            self.work += 8 + words as u64 / 2;
            let is_fresh = self.fresh.binary_search(&fact).is_ok();
            let row = &mut seen.rows[fact as usize];
            if *row == NONE {
                if self.pairs.len() * 8 > MAX_PAIR_BYTES {
                    continue;
                }
                *row = (self.pairs.len() / words) as u32;
                self.pairs.resize(self.pairs.len() + words, 0);
            }
            let row = &mut self.pairs[*row as usize * words..][..words];
            if see_pairs(row, &self.bits, if is_fresh { None } else { Some(&self.fresh) }) {
                novelty = novelty.min(2);
            }
        }
        novelty
    }
}

/// Adds a fact to a set. Returns whether the set contained it.
fn insert(set: &mut [u64], fact: u32) -> bool {
    let (word, bit) = (&mut set[fact as usize / 64], 1 << (fact % 64));
    let known = *word & bit != 0;
    *word |= bit;
    known
}

/// Collects the facts of a state that another state lacks.
fn collect_outside(bits: &[u64], other: &[u64], outside: &mut Vec<u32>) {
    outside.clear();
    for (word, (bits, other)) in (0u32..).zip(bits.iter().zip(other)) {
        let mut left = bits & !other;
        while left != 0 {
            outside.push(word * 64 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

/// Adds pairs of a fact with all facts of a state, or with `some` of them, to its row. Returns whether one of them is new.
fn see_pairs(row: &mut [u64], bits: &[u64], some: Option<&[u32]>) -> bool {
    let mut new = false;
    if let Some(others) = some {
        for &other in others {
            new |= !insert(row, other);
        }
    } else {
        for (pair, bits) in row.iter_mut().zip(bits) {
            new |= bits & !*pair != 0;
            *pair |= bits;
        }
    }
    new
}

impl ExpansionOrder for NoveltyOrder {
    const REOPENS: bool = false;

    fn on_known_transition(&mut self, parent: StateId, before: &State, id: StateId, state: &State) {
        self.measure.transition(parent, before, id, state);
    }

    fn push(&mut self, generated: &Generated<'_>) -> bool {
        let Some(distance) = self.distance(generated) else {
            self.distances.push(NoveltyKey { goals: u32::MAX, plan: 0, achieved: 0, count: 0 });
            return false;
        };
        let novelty = self.novelty(generated, distance);
        self.distances.push(distance);
        if distance.goals < self.best[0] {
            self.improved |= self.best[0] != u32::MAX;
            self.best[0] = distance.goals;
        }
        self.open.push((novelty, u64::from(distance.goals)), (generated.id, generated.g));
        true
    }

    fn pop(&mut self) -> Option<(StateId, u64)> {
        self.open.pop()
    }

    fn progress(&mut self) -> Option<&[u32]> {
        std::mem::take(&mut self.improved).then_some(&self.best)
    }

    fn work(&self) -> u64 {
        self.work + self.measure.work() + self.relaxed.work()
    }

    fn bytes(&self) -> usize {
        let plans: usize = self.plans.iter().map(|plan| plan.capacity() * 10).sum();
        let seen = self.seen.len() * self.words * (16 + 64 * 4);
        self.relaxed.bytes()
            + self.measure.bytes()
            + self.open.bytes()
            + plans
            + seen
            + (self.sets.capacity() + self.pairs.capacity()) * 8
            + self.distances.capacity() * size_of::<NoveltyKey>()
    }
}
