//! Activities, planning problems, and preferences over the world of a planning problem: plans, and activities in recorded plays.

use std::sync::Arc;

use goalspec_planner::{Proof, StopReason};
use goalspec_planning::fallback;
use goalspec_planning::problem::PlanningProblem;
use goalspec_planning::solve::{PlanRequest, PlanResult, solve};
use goalspec_trace::TraceInput;

use super::{PartVerdict, Playability, PlayabilityOptions, PlayablePart, ProgramPart, Witness};
use crate::library::Library;
use crate::planning_problems::{planning_problem, with_preference};
use crate::program::{Program, ProgramContent};
use crate::report::ProgramReport;
use crate::scoring::CompiledPrograms;

/// Judges an activity or a planning problem.
pub(super) fn judge(
    library: &Library,
    program: &Program,
    plays: &[TraceInput],
    options: &PlayabilityOptions,
) -> Playability {
    let mut found = RecordedGoal::default();
    if program.as_activity().is_some() {
        found = recorded_goal(program, plays, options);
    }
    let (recorded, scored) = (found.count, found.scored);
    let verdict = match found.witness {
        Some(witness) => PartVerdict::Possible(witness),
        None => match planned(library, program, options) {
            PartVerdict::NotShown(reasons) if !plays.is_empty() && program.as_activity().is_some() => {
                let tried = super::unshown_reasons(plays.len(), found.scored, &found.problems);
                PartVerdict::NotShown(tried.into_iter().chain(reasons).collect())
            }
            verdict => verdict,
        },
    };
    let parts = vec![PlayablePart { part: ProgramPart::Goal, verdict, plays: recorded }];
    Playability { scored, ..Playability::without_plays(program, parts) }
}

/// The recorded plays that reach the goal of an activity.
#[derive(Debug, Default)]
struct RecordedGoal {
    count: u64,
    /// The number of plays that were scored.
    scored: usize,
    /// The reasons why others were not.
    problems: Vec<String>,
    witness: Option<Witness>,
}

fn recorded_goal(program: &Program, plays: &[TraceInput], options: &PlayabilityOptions) -> RecordedGoal {
    let mut found = RecordedGoal::default();
    let compiled = CompiledPrograms::new(&[program], &options.scoring);
    for play in plays {
        let scored = compiled.score(play, &|_| {});
        for error in scored.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            found.problems.push(format!("{} was not scored: {}", play.name(), error.message));
        }
        for outcome in scored.outcomes {
            let ProgramReport::Goal(goal) = &outcome.report else { continue };
            found.scored += 1;
            let Some(state) = goal.report.goal.first else { continue };
            found.count += 1;
            found.witness.get_or_insert_with(|| {
                let (binding, operators) = (Vec::new(), Vec::new());
                Witness::Play { trace: outcome.trace.clone(), start: state, end: state, binding, operators }
            });
        }
    }
    found
}

fn planned(library: &Library, program: &Program, options: &PlayabilityOptions) -> PartVerdict {
    match planning_problem(library, program) {
        Ok(Some(problem)) => search(problem, &program.name, options),
        Ok(None) => PartVerdict::NotShown(vec!["it has errors, or planning does not support it".to_owned()]),
        Err(error) => PartVerdict::NotShown(vec![error.message]),
    }
}

/// Plans for a preference of a game from the initial state of each planning problem with the world of the game; `None` if there is none.
pub(super) fn judge_preference(
    library: &Library,
    game: &Program,
    preference: &str,
    options: &PlayabilityOptions,
) -> Option<PartVerdict> {
    let world = game.world.as_ref()?;
    let mut reasons = Vec::new();
    let problems = library.programs().iter().filter(|program| matches!(program.content, ProgramContent::Planning(_)));
    for program in problems {
        let Ok(Some(problem)) = planning_problem(library, program) else { continue };
        if !Arc::ptr_eq(&problem.task.world, world) {
            continue;
        }
        match with_preference(problem, game, Some(preference), false) {
            Ok(problem) => match search(problem, &program.name, options) {
                PartVerdict::NotShown(why) => reasons.extend(why),
                // Another initial state may allow it.
                PartVerdict::Impossible(_) => {
                    reasons.push(format!("no plan from the initial state of {}", program.name));
                }
                possible @ PartVerdict::Possible(_) => return Some(possible),
            },
            Err(error) => reasons.push(error.message),
        }
    }
    (!reasons.is_empty()).then_some(PartVerdict::NotShown(reasons))
}

/// Searches for a plan, which has to pass the reference interpreter and the evaluator of its goal.
fn search(problem: PlanningProblem, name: &Arc<str>, options: &PlayabilityOptions) -> PartVerdict {
    if !problem.unsupported_literals().is_empty() {
        let reason = format!("{name}: the goal requires effects that no action of the model has");
        return PartVerdict::NotShown(vec![reason]);
    }
    let mut of_problem = |problem: &PlanningProblem, max_states| {
        let request = PlanRequest {
            extra_goals: problem.extra_goals(),
            time_limit: Some(options.plan_time),
            memory_limit: options.plan_memory,
            max_states,
            threads: std::num::NonZeroUsize::new(1),
            ..PlanRequest::default()
        };
        solve(&problem.task, &request, &options.cancelled, &|_| {})
    };
    let (problem, solved) = fallback::search_with_fallback(problem, &mut of_problem);
    match solved {
        Ok(solved) => verdict(&problem, &solved, name),
        Err(error) => PartVerdict::NotShown(vec![format!("{name}: {error}")]),
    }
}

fn verdict(problem: &PlanningProblem, solved: &PlanResult, name: &Arc<str>) -> PartVerdict {
    if let Some((plan, validation)) = &solved.plan {
        let reaches_goal = problem.verdict(plan).is_none_or(|verdict| verdict.is_satisfied);
        if validation.is_valid() && reaches_goal {
            let steps = plan.steps.iter().map(|step| problem.step_text(step)).collect();
            return PartVerdict::Possible(Witness::Plan { problem: name.clone(), steps });
        }
        return PartVerdict::NotShown(vec![format!("{name}: the plan that was found is not valid")]);
    }
    if solved.proof == Proof::Unsolvable && problem.is_complete_model() {
        return PartVerdict::Impossible("the planner proved that no plan reaches it".to_owned());
    }
    if solved.proof == Proof::Unsolvable {
        return PartVerdict::NotShown(vec![format!("{name}: no plan in the action model, which is not the world")]);
    }
    PartVerdict::NotShown(vec![match solved.stop_reason {
        Some(StopReason::Time) => format!("{name}: no plan was found in time"),
        Some(StopReason::Memory | StopReason::States) => format!("{name}: no plan was found in the memory"),
        Some(StopReason::Cancelled) => format!("{name}: the search was interrupted"),
        None => format!("{name}: an incomplete search found no plan"),
    }])
}
