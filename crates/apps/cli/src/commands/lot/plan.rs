//! Plans for one problem, and verdicts on given plans.

use std::io::Write;

use goalspec::lot::execution::{Execution, execute_reply};
use goalspec::lot::{Problem, StackingProblem, english, pddl, plan};
use goalspec::syntax::{Diagnostic, Sources};
use goalspec::words::lot::Planner;
use goalspec::words::lot::planner::PlanOutcome;
use serde_json::json;

use super::{fail, read_text};
use crate::args::{LotFormat, LotPlanArgs};
use crate::output::{CommandResult, Output, plural};

pub(super) fn run(args: &LotPlanArgs, output: &mut Output) -> CommandResult {
    let mut sources = Sources::new();
    let problem = match load(args, &mut sources) {
        Ok(problem) => problem,
        Err(diagnostics) => return Ok(fail(&diagnostics, &sources, output)),
    };
    if args.judge.is_some() {
        return judge(args, &problem, &mut sources, output);
    }
    if args.pddl {
        let text = pddl::problem("arrangement", problem.initial.objects(), &problem.initial.relations(), &problem.goal);
        write!(output, "{}\n{text}", pddl::DOMAIN)?;
        return Ok(true);
    }
    let outcome = match Planner::default().plan(&problem) {
        Ok(outcome) => outcome,
        Err(error) => {
            output.note(&format!("goalspec: {error}"));
            return Ok(false);
        }
    };
    let is_json = args.json || args.format == LotFormat::Json;
    match outcome {
        PlanOutcome::Plan { moves, is_shortest } if is_json => {
            let sentences: Vec<String> = moves.iter().map(plan::Move::sentence).collect();
            writeln!(output, "{:#}", json!({ "plan": moves, "sentences": sentences, "is_shortest": is_shortest }))?;
            Ok(true)
        }
        PlanOutcome::Plan { moves, .. } => {
            if moves.is_empty() {
                output.note("the goal holds at the start: the plan is empty");
            } else {
                writeln!(output, "{}", plan::text(&moves))?;
            }
            Ok(true)
        }
        PlanOutcome::Unsolvable => {
            if is_json {
                writeln!(output, "{:#}", json!({ "plan": null }))?;
            }
            output.note("no plan reaches the goal");
            Ok(false)
        }
    }
}

/// Loads the problem: a view of a problem file, or two texts.
fn load(args: &LotPlanArgs, sources: &mut Sources) -> Result<StackingProblem, Vec<Diagnostic>> {
    let one = |error: Box<Diagnostic>| vec![*error];
    if let Some(path) = &args.problem {
        let file = read_text(path, sources).map_err(one)?;
        return Ok(Problem::from_json(&file)?.view(args.view.into()));
    }
    let (Some(state), Some(goal)) = (&args.state, &args.goal) else {
        return Err(one(Diagnostic::invalid_argument("expected a problem, or --state and --goal")));
    };
    let state = read_text(state, sources).map_err(one)?;
    let goal = read_text(goal, sources).map_err(one)?;
    StackingProblem::from_texts(&state, &goal)
}

fn judge(args: &LotPlanArgs, problem: &StackingProblem, sources: &mut Sources, output: &mut Output) -> CommandResult {
    let Some(path) = &args.judge else { return Ok(false) };
    let file = match read_text(path, sources) {
        Ok(file) => file,
        Err(error) => return Ok(fail(&[*error], sources, output)),
    };
    let execution = execute_reply(problem, &file, &plan::read(&file));
    let success = if args.strict { execution.succeeded_strictly() } else { execution.succeeded };
    output.report(&execution.diagnostics, sources);
    if args.json || args.format == LotFormat::Json {
        let Execution { applied, inapplicable, unknown, unparsed, .. } = execution;
        let lines =
            json!({ "applied": applied, "inapplicable": inapplicable, "unknown": unknown, "unparsed": unparsed });
        let last = english::text(&execution.last.relations());
        writeln!(output, "{:#}", json!({ "success": success, "lines": lines, "last_state": last }))?;
        return Ok(success);
    }
    let (applied, ignored) = (plural(execution.applied, "action"), plural(execution.ignored(), "action"));
    let unparsed = plural(execution.unparsed, "line");
    writeln!(output, "{applied} executed, {ignored} skipped, {unparsed} not an action")?;
    let verdict = match (success, execution.succeeded) {
        (true, _) => "the goal is reached",
        (false, true) => "the goal is reached, but lines were skipped",
        (false, false) => "the goal is not reached",
    };
    writeln!(output, "{verdict}")?;
    Ok(success)
}
