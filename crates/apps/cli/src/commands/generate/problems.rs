//! New planning problems: `goalspec generate sample` and `vary` with problems as examples.

use goalspec::generation::problem::{GeneratedProblem, MAX_WALKS, ProblemGenerator, ProblemOptions};
use goalspec::library::Library;
use goalspec::problem_generation::{json, left_out, problem_generator};

use super::refuse;
use super::series::{
    GoalKind, Record, reject_game_options, reject_game_options_of_vary, reject_options, write_samples, write_variations,
};
use crate::args::{SampleArgs, SeriesArgs, VaryArgs};
use crate::output::{CommandError, CommandResult, Output};

/// Planning problems, as a series.
const PROBLEM: GoalKind = GoalKind { nouns: ["problem", "problems"], ending: "pddl" };

/// The end of the message about options that only games have.
const SUBJECT: &str = "applies to games; the size of problems is set by --steps";

/// Draws problems like those of a library.
pub(super) fn sample(args: &SampleArgs, library: &Library, output: &mut Output) -> CommandResult {
    reject_game_options(args, SUBJECT)?;
    let generator = generator(library, options(args.steps, false), output)?;
    let sample = |origin: (u64, u64)| {
        generator.sample(origin.0, origin.1).map(|made| record(&args.series, made, origin.1, false))
    };
    write_samples(&args.series, PROBLEM, &reason(), &sample, output)
}

/// Gives problems other goals.
pub(super) fn vary(args: &VaryArgs, library: &Library, output: &mut Output) -> CommandResult {
    reject_game_options_of_vary(args, SUBJECT)?;
    reject_options(&[("--simpler", args.simpler), ("--harder", args.harder)], SUBJECT)?;
    let generator = generator(library, options(args.steps, true), output)?;
    let vary = |example, origin: (u64, u64)| {
        generator.vary(example, origin).map(|problem| record(&args.series, problem, origin.1, true))
    };
    write_variations(&args.series, PROBLEM, (generator.example_count(), &reason()), &vary, output)
}

/// Returns a generator, and notes the problems that are no examples.
fn generator(library: &Library, options: ProblemOptions, output: &Output) -> Result<ProblemGenerator, CommandError> {
    for left_out in left_out(library) {
        output.note(&format!("goalspec: `{}` is left out of the examples: {}", left_out.name, left_out.reason));
    }
    problem_generator(library, options).map_err(|error| refuse(&error))
}

fn reason() -> String {
    format!("none of {MAX_WALKS} walks reached a state with a goal like those of the examples within the limits")
}

fn options(steps: Option<u32>, keeps_initial_state: bool) -> ProblemOptions {
    let steps = steps.unwrap_or(ProblemOptions::default().steps);
    ProblemOptions { steps, keeps_initial_state }
}

fn record(args: &SeriesArgs, problem: GeneratedProblem, index: u64, is_variation: bool) -> Record {
    if args.is_json() {
        let text = format!("{}\n", json(&problem, (args.seed, index), is_variation));
        return Record { name: problem.name, text, plan: None };
    }
    let plan = problem.plan.iter().map(|step| format!("{step}\n")).collect();
    Record { name: problem.name, text: problem.text, plan: Some(plan) }
}
