//! Costs of all propositions when deletes are ignored, by a generalised form of Dijkstra's algorithm.

use super::MAX_ESTIMATE;
use super::queue::BucketQueue;
use super::unary::UnaryTask;

/// The cost of what cannot be reached.
pub(super) const UNREACHED: u32 = u32::MAX;

/// Supported by the state itself.
pub(super) const NO_SUPPORTER: u32 = u32::MAX;

/// How far a unary operator is.
#[derive(Debug, Clone, Copy)]
struct Progress {
    /// How many preconditions are missing.
    missing: u32,
    /// Its cost with that of the preconditions found so far.
    cost: u32,
}

/// A proposition as reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    /// What it costs.
    pub(super) cost: u32,
    /// The unary operator that reached it most cheaply.
    pub(super) supporter: u32,
}

/// Costs of propositions and operators.
#[derive(Debug)]
pub(super) struct Exploration {
    fresh: Vec<Progress>,
    progress: Vec<Progress>,
    /// For each proposition its cost and supporter.
    pub(super) reached: Vec<Reached>,
    queue: BucketQueue,
    in_goal: Vec<bool>,
}

impl Exploration {
    /// Nothing explored yet.
    pub(super) fn new(task: &UnaryTask) -> Self {
        let fresh: Vec<Progress> = (0u32..)
            .zip(&task.costs)
            .map(|(unary, &cost)| Progress { missing: task.preconditions.row(unary).len() as u32, cost })
            .collect();
        let mut in_goal = vec![false; task.propositions];
        for &proposition in &task.goal {
            in_goal[proposition as usize] = true;
        }
        Self {
            progress: fresh.clone(),
            fresh,
            reached: vec![Reached { cost: UNREACHED, supporter: NO_SUPPORTER }; task.propositions],
            queue: BucketQueue::default(),
            in_goal,
        }
    }

    /// Lets other propositions, each once, be the goal.
    pub(super) fn set_goal(&mut self, goal: &[u32]) {
        self.in_goal.fill(false);
        for &proposition in goal {
            self.in_goal[proposition as usize] = true;
        }
    }

    /// Explores from the propositions of a state until all of the goal is reached. Costs of preconditions are added up, or the
    /// largest counts. Whether the goal is reached.
    pub(super) fn run<const ADD: bool>(&mut self, task: &UnaryTask, state: impl Iterator<Item = u32>) -> bool {
        self.progress.copy_from_slice(&self.fresh);
        self.reached.fill(Reached { cost: UNREACHED, supporter: NO_SUPPORTER });
        self.queue.clear();
        for proposition in state {
            self.reached[proposition as usize].cost = 0;
            self.queue.push(0, proposition);
        }
        for &unary in &task.unconditional {
            self.reach(task.effects[unary as usize], task.costs[unary as usize], unary);
        }
        let mut missing = task.goal.len();
        while missing > 0
            && let Some((cost, proposition)) = self.queue.pop()
        {
            if self.reached[proposition as usize].cost < cost {
                continue;
            }
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
                    self.reach(task.effects[unary as usize], cost, unary);
                }
            }
        }
        missing == 0
    }

    #[inline]
    fn reach(&mut self, proposition: u32, cost: u32, supporter: u32) {
        let reached = &mut self.reached[proposition as usize];
        if cost < reached.cost {
            *reached = Reached { cost, supporter };
            self.queue.push(cost, proposition);
        }
    }

    /// What a unary operator costs with its preconditions, if all of them are reached.
    pub(super) fn cost_of(&self, unary: u32) -> u32 {
        self.progress[unary as usize].cost
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> usize {
        self.fresh.len() * 16 + self.reached.len() * 13
    }
}
