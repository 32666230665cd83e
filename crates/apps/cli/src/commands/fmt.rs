//! `goalspec fmt`

use std::io::Write;
use std::path::{Path, PathBuf};

use goalspec::files;
use goalspec::game::format;
use goalspec::syntax::Sources;

use crate::args::FmtArgs;
use crate::output::{Outcome, Output};

pub(crate) fn run(args: &FmtArgs, output: &mut Output) -> Outcome {
    let (stdin, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        args.paths.iter().cloned().partition(|path| path.as_os_str() == "-");
    let (inputs, mut diagnostics) = files::discover(&paths);
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
fn one(args: &FmtArgs, path: &Path, text: String, output: &mut Output) -> Result<bool, std::io::Error> {
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
        std::fs::write(path, &formatted)?;
        output.note(&format!("formatted {}", path.display()));
    }
    Ok(changed)
}
