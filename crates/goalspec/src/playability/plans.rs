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
    let (recorded, witness) = recorded_plays(program, plays, options);
    let verdict = match witness {
        Some(witness) => PartVerdict::Possible(witness),
        None => planned(library, program, options),
    };
    let parts = vec![PlayablePart { part: ProgramPart::Goal, verdict, plays: recorded }];
    Playability { program: program.name.clone(), parts, complete_play: None }
}

/// Returns the number of recorded plays that reach the goal of an activity, and the first state that does.
fn recorded_plays(program: &Program, plays: &[TraceInput], options: &PlayabilityOptions) -> (u64, Option<Witness>) {
    let (mut count, mut witness) = (0, None);
    if program.as_activity().is_none() {
        return (count, witness);
    }
    let compiled = CompiledPrograms::new(&[program], &options.scoring);
    for play in plays {
        for outcome in compiled.score(play, &|_| {}).outcomes {
            let ProgramReport::Goal(goal) = &outcome.report else { continue };
            let Some(state) = goal.report.goal.first else { continue };
            count += 1;
            witness.get_or_insert_with(|| {
                let (binding, operators) = (Vec::new(), Vec::new());
                Witness::Play { trace: outcome.trace.clone(), start: state, end: state, binding, operators }
            });
        }
    }
    (count, witness)
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
