//! A second search for activities that have no plan while things are put only where the activity says.

use goalspec_planner::Proof;

use super::posed::Posed;
use super::solve::{Refused, Solved};

/// Most states that the second search keeps: there are many more ways than in the first one, and few of them matter.
pub const MAX_STATES: usize = 50_000;

/// Looks for a plan; in at most so many states, if a number is given.
type Search<'s> = dyn FnMut(&Posed, Option<usize>) -> Result<Solved, Refused> + 's;

/// Searches a problem. Where an activity turns out to have no plan, it is searched once more with things put in and on everything that it
/// declares, with a limit of states for the search. Returns the problem whose result it is.
pub fn search(posed: Posed, search: &mut Search<'_>) -> (Posed, Result<Solved, Refused>) {
    let first = search(&posed, None);
    if !first.as_ref().is_ok_and(|solved| solved.proof == Proof::Unsolvable) {
        return (posed, first);
    }
    let Some(wide) = posed.with_all_places() else { return (posed, first) };
    match search(&wide, Some(MAX_STATES)) {
        Ok(second) if second.plan.is_some() || second.proof == Proof::Unsolvable => (wide, Ok(second)),
        _ => (posed, first),
    }
}
