//! Unreachable actions and goals of planning problems, found by exploring the delete relaxation of the task, in which no fact
//! ever stops holding.

use std::ops::ControlFlow;
use std::time::Duration;

use goalspec_core::planning::task::Task;
use goalspec_pddl::lint::codes::{CONFLICTING_EFFECTS, UNREACHABLE_ACTION, UNREACHABLE_GOAL};
use goalspec_planner::ground::{GroundError, GroundLimits, RelaxedReachability, relaxed_reachability};
use goalspec_syntax::{Diagnostic, Span};

use crate::codes;
use crate::library::Library;
use crate::program::PlanningProgram;

/// The maximum number of ground atoms and actions that are explored for one problem.
pub const MAX_TUPLES: usize = 200_000;

/// The memory limit for one problem, in bytes.
const MAX_MEMORY: u64 = 512 << 20;

/// The time limit for one problem. Problems within the other limits take a small part of it.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Returns the limits for exploring one problem when `left` is the remaining time.
pub(super) fn exploration_limits(left: Option<Duration>) -> GroundLimits {
    let time = left.map_or(MAX_TIME, |left| left.min(MAX_TIME));
    GroundLimits { tuples: MAX_TUPLES, memory: MAX_MEMORY, time: Some(time), ..GroundLimits::default() }
}

/// Returns the diagnostics of unreachable actions and goals in the planning problems of a library, except those that are already
/// known from checking.
pub fn diagnostics(library: &Library) -> Vec<Diagnostic> {
    let problems = library.programs().iter().filter_map(|program| program.as_planning());
    let all = library.diagnostics();
    let is_reported =
        |new: &Diagnostic| all.iter().any(|diagnostic| diagnostic.code == new.code && diagnostic.span == new.span);
    let conflicts: Vec<Span> = all
        .iter()
        .filter(|diagnostic| diagnostic.code == CONFLICTING_EFFECTS)
        .filter_map(|diagnostic| diagnostic.span)
        .collect();
    problems.flat_map(|program| of_problem(program, &conflicts)).filter(|new| !is_reported(new)).collect()
}

/// Returns the diagnostics of one problem. Actions with conflicting effects are left out: a diagnostic already explains them.
fn of_problem(program: &PlanningProgram, conflicts: &[Span]) -> Vec<Diagnostic> {
    let Some(task) = &program.task else { return Vec::new() };
    match relaxed_reachability(task, &exploration_limits(None), &mut |_| ControlFlow::Continue(())) {
        Ok(relaxed) => unreachable(task, &relaxed, conflicts),
        Err(error) => vec![not_explored(task, program.problem.header, &error)],
    }
}

fn unreachable(task: &Task, relaxed: &RelaxedReachability, conflicts: &[Span]) -> Vec<Diagnostic> {
    let actions = task.actions.iter().zip(&relaxed.actions).filter(|(_, reached)| !**reached);
    let actions = actions.filter_map(|(action, _)| {
        let span = action.origin.0?;
        let lies_in = |part: &Span| part.source == span.source && span.start <= part.start && part.end <= span.end;
        if conflicts.iter().any(lies_in) {
            return None;
        }
        let message = format!(
            "in the problem `{}`, `{}` is never applicable: no objects satisfy its precondition in any reachable state",
            task.name, action.name
        );
        Some(Diagnostic::warning(UNREACHABLE_ACTION, Span { end: span.start + 1, ..span }, message))
    });
    let goal = task.goal.conjuncts.iter().zip(&relaxed.goal).filter(|(_, reached)| !**reached);
    let goal = goal.filter_map(|(conjunct, _)| {
        let message = "unreachable goal condition: no sequence of actions satisfies it";
        Some(Diagnostic::warning(UNREACHABLE_GOAL, conjunct.origin.0?, message))
    });
    actions.chain(goal).collect()
}

fn not_explored(task: &Task, header: Span, error: &GroundError) -> Diagnostic {
    let message = format!("reachability in the problem `{}` was not analysed: {error}", task.name);
    Diagnostic::note(codes::NOT_EXPLORED, header, message)
}
