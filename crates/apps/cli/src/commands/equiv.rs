//! The `goalspec equiv` command.

use std::io::Write;
use std::path::PathBuf;

use goalspec::equivalence::GoalRelation;
use goalspec::program_comparison::{ComparisonResult, compare, compared_program};

use crate::args::{EquivArgs, EquivFormat};
use crate::library::{DiscoveredFiles, LoadedLibrary};
use crate::output::{CommandError, CommandResult, Output};

/// The exit code of inputs with errors.
const INVALID_INPUT: u8 = 2;

/// The exit code of an unknown result.
const UNKNOWN: u8 = 3;

pub(crate) fn run(args: &EquivArgs, output: &mut Output) -> CommandResult {
    // Both are read before the command ends, so that the errors of both are reported.
    let one = load(args, &args.one, None, output);
    let other = load(args, &args.other, one.as_ref().ok(), output);
    let (one, other) = (one?, other?);
    let programs = [(&one, &args.one), (&other, &args.other)].map(|(loaded, path)| {
        let mut programs = loaded.library.programs().iter();
        let found = programs.find_map(|program| compared_program(&loaded.library, program));
        found.ok_or_else(|| {
            anstream::eprintln!(
                "goalspec: `{}` contains no planning problem or activity that can be compared",
                path.display()
            );
            CommandError::ExitCode(INVALID_INPUT)
        })
    });
    let [one, other] = programs;
    let result = compare(&one?, &other?, args.goals);
    if args.json || args.format == EquivFormat::Json {
        writeln!(output, "{:#}", result.json())?;
    } else {
        text(&result, output)?;
    }
    result.is_same().ok_or(CommandError::ExitCode(UNKNOWN))
}

fn load(
    args: &EquivArgs,
    path: &PathBuf,
    printed: Option<&LoadedLibrary>,
    output: &Output,
) -> Result<LoadedLibrary, CommandError> {
    let files = DiscoveredFiles::with_activities(std::slice::from_ref(path), &args.activities);
    let loaded = files.load_with(&args.activities, &args.planning)?;
    if loaded.report_beside(printed, output) { Ok(loaded) } else { Err(CommandError::ExitCode(INVALID_INPUT)) }
}

/// Prints the result of a comparison of problems or goals.
pub(crate) fn text(result: &ComparisonResult, output: &mut Output) -> std::io::Result<()> {
    if let ComparisonResult::Unknown(limit) = result {
        return writeln!(output, "unknown: {limit}");
    }
    if let ComparisonResult::Problems(problems) = result {
        match (&problems.objects, &problems.difference) {
            (Some(objects), _) => {
                let renamed = objects.iter().filter(|(one, other)| one != other);
                let renamed: Vec<String> = renamed.map(|(one, other)| format!("{one} = {other}")).collect();
                let names = if renamed.is_empty() { String::new() } else { format!(" with {}", renamed.join(", ")) };
                writeln!(output, "initial states: the same{names}")?;
            }
            (None, Some(difference)) => writeln!(output, "initial states: different: {difference}")?,
            (None, None) => {}
        }
    }
    let Some(goal) = result.goal() else { return Ok(()) };
    let relation = match goal.relation {
        GoalRelation::Same if goal.unsatisfiable[0] => "the same: no state satisfies them",
        GoalRelation::Same => "the same",
        GoalRelation::Stronger => "the first implies the second",
        GoalRelation::Weaker => "the second implies the first",
        GoalRelation::Different => "different",
        GoalRelation::Unknown => "unknown: they compare numbers in ways that are not decided",
    };
    writeln!(output, "goals: {relation}")?;
    if let Some(state) = &goal.witness {
        let goal = if state.satisfies_first { "first" } else { "second" };
        let facts = if state.facts.is_empty() { "no facts".to_owned() } else { state.facts.join(" ") };
        writeln!(output, "a state that satisfies only the {goal}: {facts}")?;
    }
    Ok(())
}
