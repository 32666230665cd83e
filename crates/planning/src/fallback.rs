//! A second search, with more places for objects, for activities that have no plan in the restricted action model.

use goalspec_planner::Proof;

use crate::problem::PlanningProblem;
use crate::solve::{PlanError, PlanResult};

/// The maximum number of states of the second search. Its search space is much larger than that of the first, and few of its
/// states matter.
pub const MAX_STATES: usize = 50_000;

/// A function that searches for a plan, with at most this number of states, if one is given.
type Search<'s> = dyn FnMut(&PlanningProblem, Option<usize>) -> Result<PlanResult, PlanError> + 's;

/// Searches for a plan for a problem. If an activity turns out to have no plan, searches again with actions that put objects in
/// and on everything that it declares, with at most [`MAX_STATES`] states. Returns the problem to which the result belongs.
pub fn search_with_fallback(
    problem: PlanningProblem,
    search: &mut Search<'_>,
) -> (PlanningProblem, Result<PlanResult, PlanError>) {
    let first = search(&problem, None);
    if !first.as_ref().is_ok_and(|solved| solved.proof == Proof::Unsolvable) {
        return (problem, first);
    }
    let Some(wide) = problem.with_all_places() else { return (problem, first) };
    match search(&wide, Some(MAX_STATES)) {
        Ok(second) if second.plan.is_some() || second.proof == Proof::Unsolvable => (wide, Ok(second)),
        _ => (problem, first),
    }
}
