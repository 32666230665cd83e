//! New planning problems: `goalspec generate sample` and `vary` with problems as examples.

use goalspec::generation::problem::{GeneratedProblem, MAX_WALKS, ProblemOptions};
use goalspec::library::Library;
use goalspec::problem_generation::{json, problem_generator};
use goalspec::program::ProgramContent;

use super::refuse;
use super::series::{GoalKind, Record, Series, is_json};
use crate::args::{SampleArgs, SeriesArgs, VaryArgs};
use crate::output::{CommandError, CommandResult, Output};

/// Whether a library has planning problems.
pub(super) fn has_problems(library: &Library) -> bool {
    library.programs().iter().any(|program| matches!(program.content, ProgramContent::Planning(_)))
}

/// Draws problems like those of a library.
pub(super) fn sample(args: &SampleArgs, library: &Library, output: &mut Output) -> CommandResult {
    let game_options = [
        ("--world", args.generator.world.is_some()),
        ("--preset", args.preset.is_some()),
        ("--model", args.series.model.is_some()),
    ];
    reject(&game_options, SUBJECT)?;
    let options = ProblemOptions { steps: args.steps, keeps_initial_state: false };
    write(library, options, &args.series, output)
}

/// Gives problems other goals.
pub(super) fn vary(args: &VaryArgs, library: &Library, output: &mut Output) -> CommandResult {
    let game_options = [
        ("--world", args.generator.world.is_some()),
        ("--operator", !args.operator.is_empty()),
        ("--simpler", args.simpler),
        ("--harder", args.harder),
        ("--corpus", !args.corpus.is_empty()),
        ("--model", args.series.model.is_some()),
    ];
    reject(&game_options, SUBJECT)?;
    let options = ProblemOptions { steps: args.steps, keeps_initial_state: true };
    write(library, options, &args.series, output)
}

/// What options of games are about.
const SUBJECT: &str = "applies to games; the size of problems is set by --steps";

/// Refuses options that are given and do not apply.
pub(super) fn reject(options: &[(&str, bool)], subject: &str) -> Result<(), CommandError> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(CommandError::Usage(format!("{option} {subject}"))),
        None => Ok(()),
    }
}

fn write(library: &Library, options: ProblemOptions, args: &SeriesArgs, output: &mut Output) -> CommandResult {
    let generator = problem_generator(library, options).map_err(|error| refuse(&error))?;
    let mut series = Series::new(args, GoalKind { nouns: ["problem", "problems"], ending: "pddl" })?;
    let seed = args.seed;
    series.write(&|index| generator.sample(seed, index).map(|problem| record(args, &problem, index)), output)?;
    let reason = format!("none of {MAX_WALKS} walks reached a state with a goal like those of the examples");
    Ok(series.is_complete(&reason, output))
}

fn record(args: &SeriesArgs, problem: &GeneratedProblem, index: u64) -> Record {
    let name = problem.name.clone();
    if is_json(args) {
        let text = format!("{}\n", json(problem, (args.seed, index)));
        return Record { name, text, plan: None };
    }
    let plan = problem.plan.iter().map(|step| format!("{step}\n")).collect();
    Record { name, text: problem.text.clone(), plan: Some(plan) }
}
