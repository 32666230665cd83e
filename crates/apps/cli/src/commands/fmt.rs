//! `goalspec fmt`

use std::io::Write;
use std::path::{Path, PathBuf};

use goalspec::files;
use goalspec::game::format;
use goalspec::syntax::Sources;

use crate::args::FmtArgs;
use crate::output::{Failure, Outcome, Output, write_file};

pub(crate) fn run(args: &FmtArgs, output: &mut Output) -> Outcome {
    let (stdin, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        args.paths.iter().cloned().partition(|path| path.as_os_str() == "-");
    let (inputs, mut diagnostics) = files::discover(&paths);
    if stdin.is_empty() && inputs.programs.is_empty() && diagnostics.is_empty() {
        return Err(Failure::Usage("there is no program among the paths".to_owned()));
    }
    let mut changed = 0;
    for path in stdin.iter().chain(&inputs.programs) {
        match files::read_text(path) {
            Ok(text) => changed += usize::from(one(args, path, text, output)?),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    output.report(&diagnostics, &Sources::new());
    let only_looked = args.check || args.diff;
    Ok(diagnostics.is_empty() && (changed == 0 || !only_looked))
}

/// Says whether the file was not formatted.
fn one(args: &FmtArgs, path: &Path, text: String, output: &mut Output) -> Outcome {
    let mut sources = Sources::new();
    let id = sources.add(path.display().to_string(), text);
    let source = sources.get(id);
    let formatted = format::format(source);
    let changed = formatted != source.text();
    if args.diff {
        if let Some(diff) = format::diff(source.name(), source.text(), &formatted) {
            write!(output, "{diff}")?;
        }
    } else if args.check {
        if changed {
            writeln!(output, "would reformat {}", path.display())?;
        }
    } else if path == Path::new("-") {
        write!(output, "{formatted}")?;
    } else if changed {
        write_file(path, &formatted)?;
        output.note(&format!("formatted {}", path.display()));
    }
    Ok(changed)
}
