//! The LM-cut heuristic.
//!
//! While the `h_max` cost of the goal is positive, the algorithm computes a cut in the justification graph, in which each
//! relaxed operator is an edge from its most expensive precondition. Every plan uses an operator of the cut, so the minimum
//! cost in the cut is added to the estimate and subtracted from all its operators. The relaxed operators derived from one
//! operator share one cost, so a reduction applies to all of them and the estimate stays admissible with conditional effects.
//! Axioms cost zero and are never cut.

use super::exploration::{FILLED_PER_UNIT, UNREACHED};
use super::fast_forward::propositions;
use super::queue::BucketQueue;
use super::relaxation::{AXIOM, Relaxation};
use super::{Heuristic, MAX_ESTIMATE};
use crate::rows::Rows;
use crate::search_task::{CostType, SearchTask};
use crate::state::{State, StateId};

/// The side of the cut on which a proposition lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    Unknown,
    /// The goal is reachable at cost zero.
    Goal,
    /// Reachable without crossing the cut.
    Before,
}

/// A relaxed operator in the current state.
#[derive(Debug, Clone, Copy)]
struct OperatorState {
    missing: u32,
    /// The most expensive precondition.
    supporter: u32,
    /// The cost of the supporter.
    supporter_cost: u32,
}

/// The LM-cut heuristic.
#[derive(Debug)]
pub(super) struct LandmarkCut {
    preconditions: Rows<u32>,
    effects: Rows<u32>,
    needed_by: Rows<u32>,
    achieved_by: Rows<u32>,
    /// For each relaxed operator the index of its shared cost.
    slots: Vec<u32>,
    /// For each shared cost the relaxed operators that use it.
    shared_by: Rows<u32>,
    full_costs: Vec<u32>,
    costs: Vec<u32>,
    fresh: Vec<OperatorState>,
    progress: Vec<OperatorState>,
    reached: Vec<u32>,
    zones: Vec<Zone>,
    queue: BucketQueue,
    stack: Vec<u32>,
    /// An artificial proposition that holds in every state: the precondition of unconditional operators.
    always: u32,
    /// An artificial goal proposition, reached by an operator of cost zero from the goal facts.
    goal: u32,
    /// The work of all evaluations.
    work: u64,
}

impl LandmarkCut {
    pub(super) fn new(task: &SearchTask, cost_type: CostType) -> Self {
        let mut relaxation = Relaxation::new(task);
        let always = relaxation.new_proposition();
        let goal = relaxation.new_proposition();
        relaxation.push(relaxation.goal.clone(), [goal], AXIOM);
        let mut preconditions = Rows::default();
        for row in relaxation.preconditions.iter() {
            let nothing = row.is_empty().then_some(always);
            preconditions.push(row.iter().copied().chain(nothing));
        }
        let mut place_of = vec![u32::MAX; task.operator_count()];
        // All axioms share the first slot.
        let mut full_costs = vec![0];
        let slots: Vec<u32> = relaxation
            .operators
            .iter()
            .map(|&operator| {
                if operator == AXIOM {
                    return 0;
                }
                let place = &mut place_of[operator as usize];
                if *place == u32::MAX {
                    *place = full_costs.len() as u32;
                    full_costs.push(task.cost(operator, cost_type).min(MAX_ESTIMATE));
                }
                *place
            })
            .collect();
        let mut by_operator = Rows::default();
        for &slot in &slots {
            by_operator.push([slot]);
        }
        let fresh: Vec<OperatorState> = preconditions
            .iter()
            .map(|row| OperatorState { missing: row.len() as u32, supporter: u32::MAX, supporter_cost: UNREACHED })
            .collect();
        Self {
            needed_by: Rows::inverse(&preconditions, relaxation.propositions),
            achieved_by: Rows::inverse(&relaxation.effects, relaxation.propositions),
            shared_by: Rows::inverse(&by_operator, full_costs.len()),
            costs: full_costs.clone(),
            progress: fresh.clone(),
            reached: vec![UNREACHED; relaxation.propositions],
            zones: vec![Zone::Unknown; relaxation.propositions],
            queue: BucketQueue::default(),
            stack: Vec::new(),
            effects: relaxation.effects,
            preconditions,
            slots,
            full_costs,
            fresh,
            always,
            goal,
            work: 0,
        }
    }

    /// Computes `h_max` with the full costs.
    fn explore(&mut self, state: impl Iterator<Item = u32>) {
        let Self { needed_by, effects, slots, costs, progress, reached, queue, work, .. } = self;
        *work += ((progress.len() + reached.len()) / FILLED_PER_UNIT) as u64;
        costs.copy_from_slice(&self.full_costs);
        progress.copy_from_slice(&self.fresh);
        reached.fill(UNREACHED);
        queue.clear();
        for proposition in state {
            reached[proposition as usize] = 0;
            queue.push(0, proposition);
        }
        while let Some((cost, proposition)) = queue.pop() {
            if cost > reached[proposition as usize] {
                continue;
            }
            *work += 2 + needed_by.row(proposition).len() as u64;
            for &relaxed in needed_by.row(proposition) {
                let progress = &mut progress[relaxed as usize];
                progress.missing -= 1;
                if progress.missing == 0 {
                    progress.supporter = proposition;
                    progress.supporter_cost = cost;
                    reach(effects.row(relaxed), cost + costs[slots[relaxed as usize] as usize], reached, queue);
                }
            }
        }
    }

    /// Updates `h_max` after costs have been reduced.
    fn explore_again(&mut self, cheaper: &[u32]) {
        let Self { needed_by, preconditions, effects, shared_by, slots, costs, progress, reached, queue, work, .. } =
            self;
        queue.clear();
        for &slot in cheaper {
            *work += shared_by.row(slot).len() as u64;
            for &relaxed in shared_by.row(slot) {
                let progress = progress[relaxed as usize];
                if progress.missing == 0 {
                    reach(effects.row(relaxed), progress.supporter_cost + costs[slot as usize], reached, queue);
                }
            }
        }
        while let Some((cost, proposition)) = queue.pop() {
            if cost > reached[proposition as usize] {
                continue;
            }
            *work += 2 + needed_by.row(proposition).len() as u64;
            for &relaxed in needed_by.row(proposition) {
                let progress = &mut progress[relaxed as usize];
                if progress.supporter != proposition || progress.supporter_cost <= cost {
                    continue;
                }
                let old = progress.supporter_cost;
                progress.supporter_cost = 0;
                for &needed in preconditions.row(relaxed) {
                    let cost = reached[needed as usize];
                    if cost > progress.supporter_cost || needed == proposition && cost == progress.supporter_cost {
                        progress.supporter = needed;
                        progress.supporter_cost = cost;
                    }
                }
                if progress.supporter_cost != old {
                    let cost = progress.supporter_cost + costs[slots[relaxed as usize] as usize];
                    reach(effects.row(relaxed), cost, reached, queue);
                }
            }
        }
    }

    /// Marks all propositions from which the goal is reachable at cost zero.
    fn mark_goal_zone(&mut self) {
        self.zones.fill(Zone::Unknown);
        self.zones[self.goal as usize] = Zone::Goal;
        self.stack.clear();
        self.stack.push(self.goal);
        self.work += (self.zones.len() / FILLED_PER_UNIT) as u64;
        while let Some(proposition) = self.stack.pop() {
            self.work += 1 + self.achieved_by.row(proposition).len() as u64;
            for place in 0..self.achieved_by.row(proposition).len() {
                let relaxed = self.achieved_by.row(proposition)[place];
                if self.progress[relaxed as usize].missing > 0 || self.cost(relaxed) > 0 {
                    continue;
                }
                let supporter = self.supporter_for_small_zone(relaxed);
                self.progress[relaxed as usize].supporter = supporter;
                if self.zones[supporter as usize] == Zone::Unknown {
                    self.zones[supporter as usize] = Zone::Goal;
                    self.stack.push(supporter);
                }
            }
        }
    }

    /// Returns the current cost of a relaxed operator.
    fn cost(&self, relaxed: u32) -> u32 {
        self.costs[self.slots[relaxed as usize] as usize]
    }

    /// Returns a most expensive precondition that keeps the goal zone small, so that more cuts follow: the first that is in the zone already, or at
    /// whose border the zone ends, since no operator of cost zero achieves it; else the known one. These are the rules by which Fast Downward
    /// breaks ties.
    fn supporter_for_small_zone(&mut self, relaxed: u32) -> u32 {
        let OperatorState { supporter, supporter_cost, .. } = self.progress[relaxed as usize];
        let preconditions = self.preconditions.row(relaxed);
        if preconditions.len() == 1 {
            return supporter;
        }
        self.work += preconditions.len() as u64;
        let keeps_small = |&precondition: &u32| {
            self.reached[precondition as usize] == supporter_cost
                && (self.zones[precondition as usize] == Zone::Goal
                    || self.achieved_by.row(precondition).iter().all(|&achiever| self.cost(achiever) > 0))
        };
        preconditions.iter().copied().find(keeps_small).unwrap_or(supporter)
    }

    /// Computes the cut: the slots of operators that lead into the goal zone from propositions reached without it.
    fn cut(&mut self, state: impl Iterator<Item = u32>, cut: &mut Vec<u32>) {
        cut.clear();
        self.stack.clear();
        for proposition in state {
            self.zones[proposition as usize] = Zone::Before;
            self.stack.push(proposition);
        }
        while let Some(proposition) = self.stack.pop() {
            self.work += 1 + self.needed_by.row(proposition).len() as u64;
            for &relaxed in self.needed_by.row(proposition) {
                let progress = self.progress[relaxed as usize];
                if progress.missing > 0 || progress.supporter != proposition {
                    continue;
                }
                let effects = self.effects.row(relaxed);
                if effects.iter().any(|&effect| self.zones[effect as usize] == Zone::Goal) {
                    cut.push(self.slots[relaxed as usize]);
                    continue;
                }
                for &effect in effects {
                    if self.zones[effect as usize] == Zone::Unknown {
                        self.zones[effect as usize] = Zone::Before;
                        self.stack.push(effect);
                    }
                }
            }
        }
        cut.sort_unstable();
        cut.dedup();
    }
}

/// Updates the costs of the effects that become cheaper.
#[inline]
fn reach(effects: &[u32], cost: u32, reached: &mut [u32], queue: &mut BucketQueue) {
    let cost = cost.min(MAX_ESTIMATE);
    for &effect in effects {
        let known = &mut reached[effect as usize];
        if cost < *known {
            *known = cost;
            queue.push(cost, effect);
        }
    }
}

impl Heuristic for LandmarkCut {
    fn evaluate(&mut self, task: &SearchTask, _: StateId, state: &State) -> Option<u32> {
        let always = self.always;
        self.explore(propositions(task, state).chain([always]));
        let longest = self.reached[self.goal as usize];
        if longest == UNREACHED {
            return None;
        }
        let mut sum = 0u32;
        let mut cut = Vec::new();
        while self.reached[self.goal as usize] > 0 {
            self.mark_goal_zone();
            self.cut(propositions(task, state).chain([always]), &mut cut);
            let Some(least) = cut.iter().map(|&slot| self.costs[slot as usize]).min() else { break };
            sum = (sum + least).min(MAX_ESTIMATE);
            for &slot in &cut {
                self.costs[slot as usize] -= least;
            }
            self.explore_again(&cut);
        }
        // Because relaxed operators share costs, the sum can fall below `h_max`.
        Some(sum.max(longest))
    }

    fn work(&self) -> u64 {
        self.work
    }

    fn bytes(&self) -> usize {
        let rows = [&self.preconditions, &self.effects, &self.needed_by, &self.achieved_by, &self.shared_by];
        rows.iter().map(|rows| rows.bytes()).sum::<usize>() + self.fresh.len() * 28 + self.reached.len() * 5
    }
}
