//! The planning problems of a library.

mod judged_plan;
mod selection;

use std::sync::atomic::AtomicBool;

use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::ValidationError;
use goalspec_core::world::World;
use goalspec_pddl::lint::codes::CONFLICTING_EFFECTS;
use goalspec_planning::problem::{ActivitySource, GoalGame, PddlSource, PlanVerdict, PlanningProblem};
use goalspec_planning::reachability;
use goalspec_planning::validation::validation_error_text;
use goalspec_syntax::{Diagnostic, Severity, Sources, Span};
use serde_json::{Value, json};

use crate::codes;
use crate::json;
use crate::library::Library;
use crate::program::{Activity, PlanningProgram, Program, ProgramContent};

pub use judged_plan::JudgedPlan;
pub use selection::{ProblemSelection, select_problem};

/// Whether a program is a PDDL problem or an activity.
pub fn is_problem(program: &Program) -> bool {
    matches!(program.content, ProgramContent::Planning(_) | ProgramContent::Activity(_))
}

/// Returns a PDDL problem or an activity as a planning problem; `None` if it has errors or uses an unsupported feature, which
/// [`Library::diagnostics`] and [`PlanningProgram::unsupported`] report, or if it is another kind of program.
///
/// # Errors
/// If an activity requires a knowledge base and there is none, or if it cannot be expressed as a planning task.
pub fn planning_problem(library: &Library, program: &Program) -> Result<Option<PlanningProblem>, Box<Diagnostic>> {
    match &program.content {
        ProgramContent::Planning(problem) => Ok(pddl_problem(problem, library.sources())),
        ProgramContent::Activity(activity) => activity_problem(library, program, activity),
        _ => Ok(None),
    }
}

fn pddl_problem(program: &PlanningProgram, sources: &Sources) -> Option<PlanningProblem> {
    let (task, domain) = (program.task.clone()?, program.domain.as_deref()?);
    let text = |span: Span| sources.file(span.source).slice(span).to_owned();
    let texts = [text(domain.domain.span), text(program.problem.span)];
    let (checked, problem) = (domain.checked.clone(), program.problem.clone());
    let source = PddlSource { domain: domain.domain.clone(), checked, problem };
    Some(PlanningProblem::from_pddl(task, source, texts))
}

fn activity_problem(
    library: &Library,
    program: &Program,
    activity: &Activity,
) -> Result<Option<PlanningProblem>, Box<Diagnostic>> {
    let Some(world) = program.world.clone() else { return Ok(None) };
    PlanningProblem::from_activity(ActivitySource {
        name: program.name.clone(),
        world,
        problem: activity.problem.clone(),
        domain: library.bddl_domain(activity).cloned().map(Into::into),
        dialect: activity.dialect,
        knowledge: library.knowledge_of_activity(activity).cloned(),
    })
    .map(Some)
}

/// Sets a preference of a game as the goal of a problem: the one of this name, or the only one. With `keeps_goal`, the problem's own goal has to
/// be reached as well.
///
/// # Errors
/// If the program is not a valid game, has a setup or no such preference, or is not about this planning problem.
pub fn with_preference(
    problem: PlanningProblem,
    program: &Program,
    preference: Option<&str>,
    keeps_goal: bool,
) -> Result<PlanningProblem, Box<Diagnostic>> {
    let (Some(game), Some(world)) = (program.game(), &program.world) else {
        let message = format!("`{}` is not a valid program of the game language", program.name);
        return Err(Diagnostic::invalid_argument(message));
    };
    problem.with_preference(GoalGame { name: &program.name, game, world }, preference, keeps_goal)
}

/// Returns the diagnostics of unreachable actions and goals in the planning problems of a library, except those that are already
/// known from checking.
pub fn unreachable_parts(library: &Library) -> Vec<Diagnostic> {
    unreachable_parts_unless(library, &AtomicBool::new(false))
}

/// Returns the diagnostics of [`unreachable_parts`]. Setting the flag `cancelled` ends the analysis early, with some of them or none.
pub fn unreachable_parts_unless(library: &Library, cancelled: &AtomicBool) -> Vec<Diagnostic> {
    let all = library.diagnostics();
    let is_reported =
        |new: &Diagnostic| all.iter().any(|diagnostic| diagnostic.code == new.code && diagnostic.span == new.span);
    // A diagnostic already explains actions with conflicting effects.
    let conflicts: Vec<Span> = all
        .iter()
        .filter(|diagnostic| diagnostic.code == CONFLICTING_EFFECTS)
        .filter_map(|diagnostic| diagnostic.span)
        .collect();
    let problems = library.programs().iter().filter_map(|program| program.as_planning());
    let tasks = problems.filter_map(|program| Some((program.task.as_ref()?, program.problem.header)));
    tasks
        .flat_map(|(task, header)| reachability::diagnostics(task, header, &conflicts, cancelled))
        .filter(|new| !is_reported(new))
        .collect()
}

/// Returns a verdict on a plan as JSON.
pub fn verdict_json(world: &World, verdict: &PlanVerdict, sources: &Sources) -> Value {
    let mut record = json!({ "satisfied": verdict.is_satisfied, "text": verdict.text });
    if let Some(attempt) = &verdict.attempt {
        record["best_attempt"] = json::attempt(world, attempt, sources);
    }
    record
}

/// Returns the diagnostic of a task whose plans cannot be validated.
pub fn validation_error(task: &Task, error: &ValidationError) -> Diagnostic {
    let reason = validation_error_text(task, error);
    Diagnostic::new(
        codes::NOT_SUPPORTED,
        Severity::Error,
        format!("cannot validate plans for `{}`: {reason}", task.name),
    )
}
