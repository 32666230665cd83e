//! The `goalspec new` command.

use std::io::Write;
use std::path::{Path, PathBuf};

use goalspec::examples::{EXAMPLES, Example};

use crate::args::NewArgs;
use crate::output::{CommandError, CommandResult, Output, write_file};

pub(crate) fn run(args: &NewArgs, output: &mut Output) -> CommandResult {
    if args.list {
        list(output)?;
        return Ok(true);
    }
    let example = Example::named(&args.from).map_err(CommandError::invalid_argument)?;
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from(example.name));
    // Check all files before writing any.
    if let Some((file, _)) = example.files().find(|(file, _)| folder.join(file).exists()) {
        return Err(CommandError::Usage(format!("`{}` already exists", folder.join(file).display())));
    }
    std::fs::create_dir_all(&folder).map_err(|error| CommandError::File(folder.clone(), error))?;
    for (file, text) in example.files() {
        write_file(&folder.join(file), text)?;
        writeln!(output, "wrote {}", folder.join(file).display())?;
    }
    writeln!(
        output,
        "\nNext steps:\n  goalspec check {0}\n  goalspec {1} {0}",
        quoted(&folder),
        example.demo_arguments
    )?;
    Ok(true)
}

/// Prints the examples, each with the command that runs it.
pub(crate) fn list(output: &mut Output) -> std::io::Result<()> {
    let width = EXAMPLES.iter().map(|example| example.demo_command().len()).max().unwrap_or_default();
    for example in EXAMPLES {
        let mut lines = wrapped(example.description, COLUMNS.saturating_sub(width + 4)).into_iter();
        writeln!(output, "  {:width$}  {}", example.demo_command(), lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| writeln!(output, "  {:width$}  {line}", ""))?;
    }
    Ok(())
}

/// The line width, in columns.
const COLUMNS: usize = 100;

/// Wraps a text into lines of at most `columns` columns, except for longer words.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.chars().count() + 1 + word.chars().count() <= columns) {
            Some(line) => line.extend([" ", word]),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Quotes a path for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./@".contains(letter);
    // A leading dash would be taken for an option.
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
