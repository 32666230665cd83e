//! New planning problems: `goalspec generate sample` and `vary` with problems as examples.

use goalspec::generation::problem::{GeneratedProblem, MAX_WALKS, ProblemOptions};
use goalspec::library::Library;
use goalspec::problem_generation::{json, problem_generator};
use goalspec::program::ProgramContent;

use super::refuse;
use super::series::{GoalKind, Record, Series, reject_game_options, reject_game_options_of_vary, reject_options};
use crate::args::{SampleArgs, SeriesArgs, VaryArgs};
use crate::output::{CommandResult, Output};

/// The end of the message about options that only games have.
const SUBJECT: &str = "applies to games; the size of problems is set by --steps";

/// Whether a library has planning problems.
pub(super) fn has_problems(library: &Library) -> bool {
    library.programs().iter().any(|program| matches!(program.content, ProgramContent::Planning(_)))
}

/// Draws problems like those of a library.
pub(super) fn sample(args: &SampleArgs, library: &Library, output: &mut Output) -> CommandResult {
    reject_game_options(args, SUBJECT)?;
    write(library, options(args.steps, false), &args.series, output)
}

/// Gives problems other goals.
pub(super) fn vary(args: &VaryArgs, library: &Library, output: &mut Output) -> CommandResult {
    reject_game_options_of_vary(args, SUBJECT)?;
    reject_options(&[("--simpler", args.simpler), ("--harder", args.harder)], SUBJECT)?;
    write(library, options(args.steps, true), &args.series, output)
}

fn options(steps: Option<u32>, keeps_initial_state: bool) -> ProblemOptions {
    let steps = steps.unwrap_or(ProblemOptions::default().steps);
    ProblemOptions { steps, keeps_initial_state }
}

fn write(library: &Library, options: ProblemOptions, args: &SeriesArgs, output: &mut Output) -> CommandResult {
    let generator = problem_generator(library, options).map_err(|error| refuse(&error))?;
    let mut series = Series::new(args, GoalKind { nouns: ["problem", "problems"], ending: "pddl" })?;
    let seed = args.seed;
    series.write(&|index| generator.sample(seed, index).map(|problem| record(args, problem, index)), output)?;
    let reason = format!("none of {MAX_WALKS} walks reached a state with a goal like those of the examples");
    Ok(series.is_complete(&reason, output))
}

fn record(args: &SeriesArgs, problem: GeneratedProblem, index: u64) -> Record {
    if args.is_json() {
        let text = format!("{}\n", json(&problem, (args.seed, index)));
        return Record { name: problem.name, text, plan: None };
    }
    let plan = problem.plan.iter().map(|step| format!("{step}\n")).collect();
    Record { name: problem.name, text: problem.text, plan: Some(plan) }
}
