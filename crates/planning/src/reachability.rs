//! Unreachable actions and goals of planning problems, found by exploring the delete relaxation of the task, in which no fact
//! ever stops holding.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use goalspec_core::planning::task::Task;
use goalspec_pddl::lint::codes::{UNREACHABLE_ACTION, UNREACHABLE_GOAL};
use goalspec_planner::ground::{GroundError, GroundLimits, GroundProgress, RelaxedReachability, relaxed_reachability};
use goalspec_syntax::{Diagnostic, Span};

use crate::codes;

/// The maximum number of ground atoms and actions that are explored for one problem.
pub const MAX_TUPLES: usize = 200_000;

/// The memory limit for one problem, in bytes.
const MAX_MEMORY: u64 = 512 << 20;

/// The time limit for one problem. Problems within the other limits take a small part of it.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Returns the limits for exploring one problem when `left` is the remaining time.
pub(crate) fn exploration_limits(left: Option<Duration>) -> GroundLimits {
    let time = left.map_or(MAX_TIME, |left| left.min(MAX_TIME));
    GroundLimits { tuples: MAX_TUPLES, memory: MAX_MEMORY, time: Some(time), ..GroundLimits::default() }
}

/// Returns the diagnostics of unreachable actions and goals of a task whose problem begins at `header`. Actions that contain one of the
/// spans in `excluded` are left out. Setting the flag `cancelled` ends the exploration; there are no diagnostics then.
pub fn diagnostics(task: &Task, header: Span, excluded: &[Span], cancelled: &AtomicBool) -> Vec<Diagnostic> {
    match relaxed_reachability(task, &exploration_limits(None), &mut unless(cancelled)) {
        _ if cancelled.load(Ordering::Relaxed) => Vec::new(),
        Ok(relaxed) => unreachable(task, &relaxed, excluded),
        Err(error) => vec![not_explored(task, header, &error)],
    }
}

/// Returns an observer that ends the exploration once the flag is set.
fn unless(cancelled: &AtomicBool) -> impl FnMut(&GroundProgress) -> ControlFlow<()> {
    |_| if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

fn unreachable(task: &Task, relaxed: &RelaxedReachability, excluded: &[Span]) -> Vec<Diagnostic> {
    let actions = task.actions.iter().zip(&relaxed.actions).filter(|(_, reached)| !**reached);
    let actions = actions.filter_map(|(action, _)| {
        let span = action.origin.0?;
        let lies_in = |part: &Span| part.source == span.source && span.start <= part.start && part.end <= span.end;
        if excluded.iter().any(lies_in) {
            return None;
        }
        let message = format!(
            "in the problem `{}`, `{}` is never applicable: no objects satisfy its precondition in any reachable state",
            task.name, action.name
        );
        Some(Diagnostic::warning(UNREACHABLE_ACTION, Span { end: span.start + 1, ..span }, message))
    });
    actions.chain(unreachable_conjuncts(task, relaxed)).collect()
}

fn unreachable_conjuncts(task: &Task, relaxed: &RelaxedReachability) -> impl Iterator<Item = Diagnostic> {
    let conjuncts = task.goal.conjuncts.iter().zip(&relaxed.goal).filter(|(_, reached)| !**reached);
    conjuncts.filter_map(|(conjunct, _)| {
        let message = "unreachable goal condition: no sequence of actions satisfies it";
        Some(Diagnostic::warning(UNREACHABLE_GOAL, conjunct.origin.0?, message))
    })
}

/// Returns a diagnostic for each conjunct of the goal that is unreachable by itself. `left` is the remaining time, if it is limited.
///
/// # Errors
/// If the task is too large for this analysis, no time is left, or the flag is set.
pub fn unreachable_goals(
    task: &Task,
    left: Option<Duration>,
    cancelled: &AtomicBool,
) -> Result<Vec<Diagnostic>, GroundError> {
    let relaxed = relaxed_reachability(task, &exploration_limits(left), &mut unless(cancelled))?;
    Ok(unreachable_conjuncts(task, &relaxed).collect())
}

fn not_explored(task: &Task, header: Span, error: &GroundError) -> Diagnostic {
    let message = format!("reachability in the problem `{}` was not analysed: {error}", task.name);
    Diagnostic::note(codes::NOT_EXPLORED, header, message)
}
