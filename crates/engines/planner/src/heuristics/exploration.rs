//! Proposition costs in the delete relaxation, by a generalised form of Dijkstra's algorithm.

use super::MAX_ESTIMATE;
use super::queue::BucketQueue;
use super::unary::UnaryTask;
use crate::random::Random;

/// The cost of an unreachable proposition.
pub(super) const UNREACHED: u32 = u32::MAX;

/// The number of entries of an array filled per unit of work.
pub(super) const FILLED_PER_UNIT: usize = 16;

/// The supporter of a proposition that holds in the state itself.
pub(super) const NO_SUPPORTER: u32 = u32::MAX;

/// The progress of a unary operator.
#[derive(Debug, Clone, Copy)]
struct OperatorProgress {
    /// The number of preconditions that have not been reached.
    missing: u32,
    /// The cost of the operator plus that of its preconditions reached so far.
    cost: u32,
}

/// A reached proposition.
#[derive(Debug, Clone, Copy)]
pub(super) struct PropositionCost {
    /// Its cost.
    pub(super) cost: u32,
    /// The unary operator that reaches it at this cost.
    pub(super) supporter: u32,
}

/// The costs of propositions and unary operators.
#[derive(Debug)]
pub(super) struct Exploration {
    fresh: Vec<OperatorProgress>,
    progress: Vec<OperatorProgress>,
    /// For each proposition its cost and supporter.
    pub(super) reached: Vec<PropositionCost>,
    queue: BucketQueue,
    in_goal: Vec<bool>,
    /// For each unary operator its rank among those that reach a proposition at the same cost; empty if the first one stays the supporter.
    ranks: Vec<u32>,
    /// The number of goal propositions.
    goal_count: usize,
    /// The work of all runs.
    pub(super) work: u64,
}

impl Exploration {
    /// Creates an exploration that has not been run.
    pub(super) fn new(task: &UnaryTask) -> Self {
        let fresh: Vec<OperatorProgress> = (0u32..)
            .zip(&task.costs)
            .map(|(unary, &cost)| OperatorProgress { missing: task.preconditions.row(unary).len() as u32, cost })
            .collect();
        let mut in_goal = vec![false; task.propositions];
        for &proposition in &task.goal {
            in_goal[proposition as usize] = true;
        }
        Self {
            progress: fresh.clone(),
            fresh,
            reached: vec![PropositionCost { cost: UNREACHED, supporter: NO_SUPPORTER }; task.propositions],
            queue: BucketQueue::default(),
            in_goal,
            goal_count: task.goal.len(),
            ranks: Vec::new(),
            work: 0,
        }
    }

    /// Replaces the goal. Each proposition occurs at most once.
    pub(super) fn set_goal(&mut self, goal: &[u32]) {
        self.in_goal.fill(false);
        self.goal_count = goal.len();
        for &proposition in goal {
            self.in_goal[proposition as usize] = true;
        }
    }

    /// Breaks ties between supporters at random from now on.
    pub(super) fn set_random_ties(&mut self, random: &mut Random) {
        self.ranks = (0..self.fresh.len()).map(|_| random.below(1 << 32) as u32).collect();
    }

    /// Explores from the propositions of a state until all goal propositions are reached. The cost of a precondition is the sum
    /// of the costs of its propositions if `ADD`, else their maximum. Returns whether the goal is reachable.
    pub(super) fn run<const ADD: bool>(&mut self, task: &UnaryTask, state: impl Iterator<Item = u32>) -> bool {
        self.progress.copy_from_slice(&self.fresh);
        self.reached.fill(PropositionCost { cost: UNREACHED, supporter: NO_SUPPORTER });
        self.queue.clear();
        let mut work = (self.progress.len() + self.reached.len()) / FILLED_PER_UNIT + task.unconditional.len();
        for proposition in state {
            self.reached[proposition as usize].cost = 0;
            self.queue.push(0, proposition);
        }
        for &unary in &task.unconditional {
            self.reach(task, task.costs[unary as usize], unary);
        }
        let mut missing = self.goal_count;
        while missing > 0
            && let Some((cost, proposition)) = self.queue.pop()
        {
            work += 1;
            if self.reached[proposition as usize].cost < cost {
                continue;
            }
            work += task.needed_by.row(proposition).len();
            if self.in_goal[proposition as usize] {
                missing -= 1;
            }
            for &unary in task.needed_by.row(proposition) {
                let progress = &mut self.progress[unary as usize];
                progress.missing -= 1;
                if ADD {
                    progress.cost = (progress.cost + cost).min(MAX_ESTIMATE);
                }
                if progress.missing == 0 {
                    if !ADD {
                        progress.cost = (progress.cost + cost).min(MAX_ESTIMATE);
                    }
                    let cost = progress.cost;
                    self.reach(task, cost, unary);
                }
            }
        }
        self.work += work as u64;
        missing == 0
    }

    #[inline]
    fn reach(&mut self, task: &UnaryTask, cost: u32, supporter: u32) {
        let proposition = task.effects[supporter as usize];
        let reached = &mut self.reached[proposition as usize];
        if cost < reached.cost {
            *reached = PropositionCost { cost, supporter };
            self.queue.push(cost, proposition);
        } else if cost == reached.cost && !self.ranks.is_empty() {
            // Operators that cost nothing could support each other.
            let known = reached.supporter;
            let ranks_before = known != NO_SUPPORTER && self.ranks[supporter as usize] < self.ranks[known as usize];
            if ranks_before && task.costs[supporter as usize] > 0 {
                reached.supporter = supporter;
            }
        }
    }

    /// Returns the cost of a unary operator including its preconditions, provided that all of them are reached.
    pub(super) fn cost_of(&self, unary: u32) -> u32 {
        self.progress[unary as usize].cost
    }

    /// Returns the memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.fresh.len() * 16 + self.ranks.len() * 4 + self.reached.len() * 13
    }
}
