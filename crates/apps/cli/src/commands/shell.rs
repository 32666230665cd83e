//! The `goalspec completions` and `goalspec man` commands, whose output is generated from the command-line grammar.

use std::io::Write;

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::output::{CommandError, CommandResult, Output, plural};

/// The name of the program.
const NAME: &str = "goalspec";

pub(crate) fn completions(args: &CompletionsArgs, output: &mut Output) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), NAME, &mut script);
    output.write_all(&script)?;
    Ok(true)
}

pub(crate) fn manual(args: &ManArgs, output: &mut Output) -> CommandResult {
    let folder = &args.folder;
    let failed = |error| CommandError::File(folder.clone(), error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut command = Cli::command();
    command.build();
    let written = write_pages(&command, folder).map_err(failed)?;
    writeln!(output, "wrote {} to {}", plural(written, "page"), folder.display())?;
    Ok(true)
}

/// Writes the page of a command and those of its subcommands, and returns their number.
fn write_pages(command: &clap::Command, folder: &std::path::Path) -> std::io::Result<usize> {
    let page = clap_mangen::Man::new(command.clone());
    page.generate_to(folder)?;
    let inner = command.get_subcommands().filter(|inner| inner.get_name() != "help" && !inner.is_hide_set());
    inner.map(|inner| write_pages(inner, folder)).sum::<std::io::Result<usize>>().map(|count| count + 1)
}
