//! `goalspec check`

use std::io::Write;
use std::path::PathBuf;

use goalspec::files;
use goalspec::library::Library;
use goalspec::syntax::diagnostic::Applicability;
use goalspec::syntax::{Diagnostic, Severity, fix};

use crate::args::{CheckArgs, Diagnostics};
use crate::output::{Failure, Outcome, Output, plural, write_file};

pub(crate) fn run(args: &CheckArgs, output: &mut Output) -> Outcome {
    let (mut library, mut diagnostics) = load(&args.paths);
    if library.sources().iter().next().is_none() && library.diagnostics().is_empty() && diagnostics.is_empty() {
        return Err(Failure::Usage("there is no program and no world among the paths".to_owned()));
    }
    if args.fix && apply_fixes(args, &library, output)? {
        (library, diagnostics) = load(&args.paths);
    }
    diagnostics.extend(library.diagnostics().iter().cloned());
    output.findings(args.diagnostics.format.into(), &diagnostics, library.sources())?;
    if args.cost {
        cost(&library, output)?;
    }
    if args.diagnostics.format == Diagnostics::Human {
        summary(&library, &diagnostics, output)?;
    }
    let limit = if args.deny_warnings { Severity::Warning } else { Severity::Error };
    Ok(diagnostics.iter().all(|diagnostic| diagnostic.severity < limit))
}

fn load(paths: &[PathBuf]) -> (Library, Vec<Diagnostic>) {
    // For checking, the standard input holds a program.
    let (stdin, paths): (Vec<PathBuf>, Vec<PathBuf>) = paths.iter().cloned().partition(|path| path.as_os_str() == "-");
    let (mut inputs, diagnostics) = files::discover(&paths);
    inputs.programs.extend(stdin);
    (Library::load(&inputs), diagnostics)
}

/// Says whether any file was rewritten.
fn apply_fixes(args: &CheckArgs, library: &Library, output: &Output) -> Result<bool, Failure> {
    let limit = if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
    let mut any = false;
    for source in library.sources().iter().filter(|source| std::path::Path::new(source.name()).is_file()) {
        let fixed = fix::apply(source, library.diagnostics(), limit);
        if fixed.text != source.text() {
            write_file(std::path::Path::new(source.name()), &fixed.text)?;
            output.note(&format!("fixed {} ({})", source.name(), plural(fixed.applied, "change")));
            any = true;
        }
    }
    Ok(any)
}

fn cost(library: &Library, output: &mut Output) -> std::io::Result<()> {
    for program in library.programs() {
        let (Some(world), Some(game)) = (&program.world, &program.game) else { continue };
        match goalspec::monitor::Compiled::new(world, game) {
            Ok(compiled) => writeln!(output, "{}:\n{}", program.name, compiled.cost())?,
            Err(refused) => writeln!(output, "{}: {refused}", program.name)?,
        }
    }
    Ok(())
}

fn summary(library: &Library, diagnostics: &[Diagnostic], output: &mut Output) -> std::io::Result<()> {
    let worlds = match library.worlds().len() {
        0 => String::new(),
        number => format!(" and {}", plural(number, "world")),
    };
    let checked = format!("{}{worlds} checked", plural(library.programs().len(), "program"));
    match diagnostics {
        [] => writeln!(output, "{checked}, nothing found"),
        _ => writeln!(output, "{checked}, {}", goalspec::syntax::render::summary(diagnostics)),
    }
}
