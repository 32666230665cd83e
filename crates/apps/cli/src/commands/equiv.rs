//! The `goalspec equiv` command.

use std::io::Write;

use goalspec::equivalence::GoalRelation;
use goalspec::program_comparison::{ComparisonResult, compare, compared_program};

use crate::args::{EquivArgs, EquivFormat};
use crate::commands::compared::ComparedPath;
use crate::output::{CommandError, CommandResult, Output};

/// The exit code of an unknown result.
const UNKNOWN: u8 = 3;

pub(crate) fn run(args: &EquivArgs, output: &mut Output) -> CommandResult {
    let paths = [ComparedPath::new(&args.one), ComparedPath::new(&args.other)];
    let options = (&args.activities, &args.planning);
    // Both are read before the command ends, so that the errors of both are reported.
    let one = paths[0].load(None, options, None, output);
    let other = paths[1].load(None, options, one.as_ref().ok(), output);
    let loaded = [one?, other?];
    let program = |side: usize| {
        let library = &loaded[side].library;
        let kinds = "planning problem or activity";
        paths[side].only_program(&loaded[side], None, kinds, |program| compared_program(library, program))
    };
    let result = compare(&program(0)?, &program(1)?, args.goals);
    if args.json || args.format == EquivFormat::Json {
        writeln!(output, "{:#}", result.json())?;
    } else {
        text(&result, output)?;
    }
    result.is_same().ok_or(CommandError::ExitCode(UNKNOWN))
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
