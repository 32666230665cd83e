//! The `goalspec fmt` command.

use std::io::Write;
use std::path::{Path, PathBuf};

use goalspec::files;
use goalspec::library;
use goalspec::syntax::{Sources, layout};

use crate::args::FmtArgs;
use crate::library::DiscoveredFiles;
use crate::output::{CommandError, CommandResult, Output, write_file};

pub(crate) fn run(args: &FmtArgs, output: &mut Output) -> CommandResult {
    let (stdin, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        args.paths.iter().cloned().partition(|path| path.as_os_str() == "-");
    let DiscoveredFiles { inputs, mut diagnostics } = DiscoveredFiles::new(&paths);
    if stdin.is_empty() && inputs.programs.is_empty() && diagnostics.is_empty() {
        return Err(CommandError::Usage("no program among the paths".to_owned()));
    }
    let (mut changed, mut all_read) = (0, true);
    // Python files are not formatted; this is reported only for files named on the command line.
    let python = |path: &Path| files::is_python(path);
    let selected = inputs.programs.iter().filter(|path| !python(path) || paths.contains(path));
    for path in stdin.iter().chain(selected) {
        match files::read_text(path) {
            Ok(text) => match format_file(args, path, text, output)? {
                FormatStatus::Formatted => {}
                FormatStatus::Unformatted => changed += 1,
                FormatStatus::SyntaxError => all_read = false,
            },
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    output.report(&diagnostics, &Sources::new());
    let only_looked = args.check || args.diff;
    Ok(all_read && diagnostics.is_empty() && (changed == 0 || !only_looked))
}

/// The layout of a file.
enum FormatStatus {
    Formatted,
    Unformatted,
    /// A file with syntax errors, which is left unchanged.
    SyntaxError,
}

fn format_file(args: &FmtArgs, path: &Path, text: String, output: &mut Output) -> Result<FormatStatus, CommandError> {
    let mut sources = Sources::new();
    let id = sources.add(path.display().to_string(), text);
    let source = sources.file(id);
    let formatted = match library::format(source) {
        Ok(formatted) => formatted,
        Err(diagnostics) => {
            output.report(&diagnostics, &sources);
            return Ok(FormatStatus::SyntaxError);
        }
    };
    let changed = formatted != source.text();
    if args.diff {
        if let Some(diff) = layout::diff(source.name(), source.text(), &formatted) {
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
    Ok(if changed { FormatStatus::Unformatted } else { FormatStatus::Formatted })
}
