//! Planning for tasks that are too large to be grounded.
//!
//! Rounds with increasing work alternate between three methods, until one finds a plan:
//! 1. search of a ground task with a limit on the instances of each action, those that reachability finds first (Gnad et al. 2019);
//! 2. [lifted search](crate::lifted);
//! 3. search of a ground task whose steps are those that the lifted search found applicable.
//!
//! Steps are never added by these restrictions, so each plan is a plan of the task. That there is no plan is only proved by a lifted search
//! that reached no limit.

use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;

use crate::control::{SearchControl, SearchStatistics, StopReason};
use crate::ground::{ApplicableSteps, GroundError, GroundLimits, GroundObserver, GroundScope, ground_scope};
use crate::ground::{CostModel, Grounding};
use crate::lane::{Lane, MILLISECOND};
use crate::lifted::{LiftedOutcome, LiftedSearch};
use crate::portfolio::{self, Proof};
use crate::search_task::SearchTask;

/// The work of each method in the first round.
const FIRST_ROUND_WORK: u64 = 500 * MILLISECOND;

/// The factor by which work and instances increase from round to round.
const GROWTH: u64 = 3;

/// The maximum number of instances of each disjunct of an action in the first round.
const FIRST_INSTANCES: u32 = 1_000;

/// The part of the memory limit for a ground task, beside that of the lifted search.
const GROUND_MEMORY_PART: u64 = 4;

/// The part of the remaining time that grounding may take in a round.
const GROUND_TIME_PART: u32 = 4;

/// The method that found a plan for a task that was not grounded in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartialMethod {
    /// A ground task with at most this number of instances of each disjunct of an action.
    BoundedInstances(u32),
    /// A ground task with this number of steps, those that lifted search had found applicable.
    ApplicableSteps(usize),
    /// Lifted search.
    Lifted,
}

/// The result of planning for a task that was not grounded in full.
#[derive(Debug, Clone, PartialEq)]
pub struct PartialResult {
    /// The plan.
    pub plan: Option<Plan>,
    /// The method that found the plan; otherwise the last one that ran.
    pub method: PartialMethod,
    /// [`Proof::Unsolvable`] if lifted search reached all states, else [`Proof::None`].
    pub proof: Proof,
    /// The limit that ended the search.
    pub stop_reason: Option<StopReason>,
    /// The meaning of the costs by which the searches compared plans.
    pub costs: CostModel,
    /// The statistics of all searches.
    pub statistics: SearchStatistics,
}

/// Plans for a task without grounding it in full.
///
/// # Errors
/// Returns an error if the task has an unsupported feature, or if the observer cancels or time is up while a part of it is grounded.
pub fn plan_partially(
    task: &Task,
    limits: &GroundLimits,
    observer: &mut GroundObserver<'_>,
    control: &SearchControl<'_>,
) -> Result<PartialResult, GroundError> {
    ApplicableSteps::with(task, |steps| {
        let lifted = LiftedSearch::new(steps, task)?;
        let memory = limits.memory / GROUND_MEMORY_PART;
        let result = PartialResult {
            plan: None,
            method: PartialMethod::Lifted,
            proof: Proof::None,
            stop_reason: None,
            costs: if task.metric.is_some() { CostModel::UnrelatedToMetric } else { CostModel::PlanLength },
            statistics: SearchStatistics::default(),
        };
        let limits = GroundLimits { memory, ..limits.clone() };
        PartialPlanner { task, limits, observer, control, lifted, result }.run()
    })?
}

struct PartialPlanner<'p, 'a, 't, 'o> {
    task: &'t Task,
    limits: GroundLimits,
    observer: &'p mut GroundObserver<'o>,
    control: &'p SearchControl<'p>,
    lifted: LiftedSearch<'a, 't>,
    result: PartialResult,
}

impl PartialPlanner<'_, '_, '_, '_> {
    fn run(mut self) -> Result<PartialResult, GroundError> {
        let (mut work, mut instances) = (FIRST_ROUND_WORK, FIRST_INSTANCES);
        let (mut grounds, mut searches_lifted, mut steps_before) = (true, true, 0);
        while grounds || searches_lifted {
            if grounds {
                self.result.method = PartialMethod::BoundedInstances(instances);
                let searched = self.search_ground(GroundScope::InstancesPerBranch(instances), work)?;
                // More instances would not fit either, or all are grounded.
                grounds = searched != GroundSearch::TooLarge && searched != GroundSearch::Complete;
            }
            if searches_lifted && !self.is_over() {
                self.result.method = PartialMethod::Lifted;
                searches_lifted = self.search_lifted(work);
            }
            let steps = self.lifted.found_steps.iter().map(Vec::len).sum::<usize>();
            if steps > steps_before + steps_before / 2 && !self.is_over() {
                self.result.method = PartialMethod::ApplicableSteps(steps);
                let found = std::mem::take(&mut self.lifted.found_steps);
                self.search_ground(GroundScope::Steps(&found), work)?;
                self.lifted.found_steps = found;
                steps_before = steps;
            }
            if self.is_over() {
                break;
            }
            work = work.saturating_mul(GROWTH);
            instances = instances.saturating_mul(GROWTH as u32);
        }
        self.result.statistics = self.result.statistics.merged(self.lifted.statistics);
        if self.result.plan.is_none() && self.result.proof == Proof::None {
            // The methods end without a result because no more steps or states fit.
            self.result.stop_reason = self.result.stop_reason.or(Some(StopReason::Memory));
        }
        Ok(self.result)
    }

    fn is_over(&self) -> bool {
        self.result.plan.is_some()
            || self.result.proof != Proof::None
            || self.result.stop_reason.is_some_and(StopReason::is_external)
    }

    /// Returns whether the search can continue.
    fn search_lifted(&mut self, work: u64) -> bool {
        match self.lifted.run(work, self.control) {
            LiftedOutcome::Solved(plan) => self.result.plan = Some(plan),
            LiftedOutcome::Unsolvable => self.result.proof = Proof::Unsolvable,
            LiftedOutcome::Stopped(stop) => self.result.stop_reason = Some(stop),
            LiftedOutcome::Incomplete => {}
            LiftedOutcome::OutOfWork => return true,
        }
        false
    }

    fn search_ground(&mut self, scope: GroundScope<'_>, work: u64) -> Result<GroundSearch, GroundError> {
        let time = self.control.time_left().map(|left| left / GROUND_TIME_PART);
        let limits = GroundLimits { time, ..self.limits.clone() };
        // The memory of a ground task is freed before the next one is built.
        let Grounding { task, is_partial, is_goal_relaxed_reachable, costs, .. } =
            match ground_scope(self.task, scope, &limits, self.observer) {
                Ok(grounding) => grounding,
                Err(GroundError::TaskTooLarge { .. } | GroundError::Memory { .. } | GroundError::Time { .. }) => {
                    self.result.stop_reason = self.control.stop_reason();
                    return Ok(GroundSearch::TooLarge);
                }
                Err(error) => return Err(error),
            };
        if is_goal_relaxed_reachable {
            let lane = Lane::new(self.control);
            let found = portfolio::plan_within(&SearchTask::new(&task), &lane, work);
            self.result.statistics = self.result.statistics.merged(found.statistics);
            self.result.stop_reason = found.stop_reason.or(self.result.stop_reason);
            self.result.plan = found.solution.map(|solution| solution.plan(&task));
            self.result.costs = costs;
        }
        Ok(if is_partial { GroundSearch::Partial } else { GroundSearch::Complete })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GroundSearch {
    TooLarge,
    Partial,
    Complete,
}
