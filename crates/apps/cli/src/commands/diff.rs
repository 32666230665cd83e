//! The `goalspec diff` command.

use std::io::Write;

use goalspec::core::state::Delta;
use goalspec::equivalence::games::{Aspect, Difference, Implication, Method, ProofScope};
use goalspec::equivalence::{GameComparison, GameComparisonOptions, GameVerdict};
use goalspec::files;
use goalspec::program::Program;
use goalspec::program_comparison::compared_program;
use goalspec::program_differences::{ProgramDifference, common_world, compare_programs, read_states};
use goalspec::syntax::Sources;

use crate::args::{DiffArgs, DiffFormat};
use crate::commands::compared::ComparedPath;
use crate::commands::equiv;
use crate::output::{CommandError, CommandResult, Output, ensure_not_input, plural};

/// The exit code of inputs with errors.
const INVALID_INPUT: u8 = 2;

/// The exit code of an undecided comparison.
const UNDECIDED: u8 = 3;

pub(crate) fn run(args: &DiffArgs, output: &mut Output) -> CommandResult {
    let (paths, world) = ([ComparedPath::new(&args.one), ComparedPath::new(&args.other)], args.world.as_deref());
    if let Some(path) = &args.output {
        let inputs = paths.iter().map(ComparedPath::path);
        ensure_not_input(path, inputs.chain(&args.world).chain(&args.trace))?;
    }
    let options = (&args.activities, &args.planning);
    // Both are read before the command ends, so that the errors of both are reported.
    let one = paths[0].load(world, options, None, output);
    let other = paths[1].load(world, options, one.as_ref().ok(), output);
    let loaded = [one?, other?];
    let program = |side: usize| {
        let library = &loaded[side].library;
        let is_compared = |program: &Program| program.game().is_some() || compared_program(library, program).is_some();
        let kinds = "game, planning problem or activity";
        paths[side].only_program(&loaded[side], world, kinds, |program| is_compared(program).then_some(program))
    };
    let (one_program, other_program) = (program(0)?, program(1)?);
    let traces = traces(args, [one_program, other_program], output)?;
    let aspect = Aspect::from(args.aspect);
    let options = GameComparisonOptions { aspect, objects: args.objects.map(usize::from), traces: &traces };
    let found = compare_programs((&loaded[0].library, one_program), (&loaded[1].library, other_program), &options)
        .map_err(|error| CommandError::Usage(error.to_string()))?;
    let trace_error = |error: goalspec::trace::TraceError| CommandError::Usage(error.into_diagnostic().message);
    if let Some(path) = &args.output {
        found.write_trace(path).map_err(trace_error)?;
    }
    if args.json || args.format == DiffFormat::Json {
        writeln!(output, "{:#}", found.json(aspect.name()).map_err(trace_error)?)?;
    } else {
        text(&found, args, output)?;
        if args.output.is_none()
            && let Some(trace) = found.trace_text().map_err(trace_error)?
            && !is_given(&found)
        {
            write!(output, "the trace:\n{trace}")?;
        }
    }
    found.is_equal().ok_or(CommandError::ExitCode(UNDECIDED))
}

fn traces(args: &DiffArgs, programs: [&Program; 2], output: &Output) -> Result<Vec<Vec<Delta>>, CommandError> {
    if args.trace.is_empty() {
        return Ok(Vec::new());
    }
    let world = match common_world(programs) {
        Some(world) => world.map_err(|error| CommandError::Usage(error.to_string()))?,
        None => return Err(CommandError::Usage("`--trace` applies to games only".to_owned())),
    };
    let read = |path| files::trace_input(path).and_then(|input| read_states(&input, &world));
    let traces = args.trace.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>();
    traces.map_err(|error| {
        output.report(&[*error], &Sources::new());
        CommandError::ExitCode(INVALID_INPUT)
    })
}

fn is_given(found: &ProgramDifference) -> bool {
    let ProgramDifference::Games(_, comparison) = found else { return false };
    matches!(&comparison.verdict, GameVerdict::Differ(difference) if matches!(difference.method, Method::GivenTrace(_)))
}

fn text(found: &ProgramDifference, args: &DiffArgs, output: &mut Output) -> std::io::Result<()> {
    let comparison = match found {
        ProgramDifference::Problems(result) => return equiv::text(result, output),
        ProgramDifference::Games(_, comparison) => comparison,
    };
    match &comparison.verdict {
        GameVerdict::Equal(Method::NormalForm, _) => writeln!(output, "equal: their normal forms are the same")?,
        GameVerdict::Equal(_, scope) => {
            let scope = match scope {
                ProofScope::AnyObjects => "with any objects".to_owned(),
                ProofScope::WorldObjects => "with the objects of the world".to_owned(),
                ProofScope::AtMost(limit) => format!("with at most {} of each type", plural(*limit, "object")),
            };
            writeln!(output, "equal on all traces {scope}")?;
        }
        GameVerdict::Differ(difference) => difference_text(difference, args, output)?,
        GameVerdict::Undecided(reasons) => {
            writeln!(output, "undecided:")?;
            for reason in reasons {
                writeln!(output, "  {reason}")?;
            }
        }
    }
    further_text(comparison, args, output)
}

fn difference_text(difference: &Difference, args: &DiffArgs, output: &mut Output) -> std::io::Result<()> {
    let found = &difference.disagreement;
    let place = match difference.method {
        Method::GivenTrace(index) => format!("state {} of `{}`", found.state, args.trace[index].display()),
        _ => format!("state {} of a trace of {}", found.state, plural(difference.trace.len(), "state")),
    };
    writeln!(output, "different in {place}:")?;
    let programs = [&args.one, &args.other].into_iter().zip(found.statements.iter().zip(&found.reasons));
    for (index, (path, (statement, reasons))) in programs.enumerate() {
        let preference = found.preference.as_ref().map_or_else(String::new, |names| format!("`{}`: ", names[index]));
        writeln!(output, "  {}: {preference}{statement}", path.display())?;
        for reason in reasons {
            writeln!(output, "    {reason}")?;
        }
    }
    if let (Some(path), false) = (&args.output, matches!(difference.method, Method::GivenTrace(_))) {
        writeln!(output, "the trace is in `{}`", path.display())?;
    }
    Ok(())
}

/// Prints the preferences without a counterpart, and the implications between games that are not equal.
fn further_text(comparison: &GameComparison, args: &DiffArgs, output: &mut Output) -> std::io::Result<()> {
    let paths = [&args.one, &args.other];
    for (path, names) in paths.into_iter().zip(&comparison.unmatched).filter(|(_, names)| !names.is_empty()) {
        writeln!(output, "preferences of {} alone: {}", path.display(), names.join(", "))?;
    }
    if matches!(comparison.verdict, GameVerdict::Equal(..)) {
        return Ok(());
    }
    let proved = |index: usize| comparison.implications[index] == Implication::Proved;
    match (proved(0), proved(1)) {
        (true, true) => writeln!(output, "the same preferences are satisfied on each trace"),
        (true, false) => {
            writeln!(output, "preferences satisfied in {} are satisfied in {}", paths[0].display(), paths[1].display())
        }
        (false, true) => {
            writeln!(output, "preferences satisfied in {} are satisfied in {}", paths[1].display(), paths[0].display())
        }
        (false, false) => Ok(()),
    }
}
