//! The `goalspec` command: parses arguments, calls the library and prints results.
//!
//! | module | contents |
//! |---|---|
//! | `args` | the command-line grammar |
//! | `commands` | the dispatch to one module per command |
//! | `interrupt` | the handler of Ctrl-C |
//! | `library` | the discovery and loading of the files among the paths of a command |
//! | `output` | the printing of diagnostics and results |
//! | `progress` | progress bars |

mod args;
mod commands;
mod interrupt;
mod library;
mod output;
mod progress;
mod threads;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use args::Cli;
use output::{CommandError, Output};

/// The global allocator. Programs consist of many small allocations, and mimalloc reduces the time to read them by an eighth.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut output = Output::new(cli.color);
    let Some(command) = cli.command else { return exit(welcome(&mut output), &mut output) };
    exit(commands::run(command, &mut output), &mut output)
}

/// The introduction printed without a command.
const WELCOME: &str = "\
goalspec checks, scores, explains and plans for goals written as programs: games, household
activities, planning problems, resource graph games and reward functions.

Two commands that work in any folder:
  goalspec score --why @throw-to-bin   score a bundled game over a trace, with an explanation
  goalspec new my-goal                 copy an example to a new folder

The other bundled examples:";

/// Prints the introduction.
fn welcome(output: &mut Output) -> output::CommandResult {
    writeln!(output, "{WELCOME}")?;
    commands::new::list(output)?;
    writeln!(output, "\n`goalspec --help` lists all commands, `goalspec COMMAND --help` the options of one.")?;
    Ok(true)
}

/// Flushes the output and returns the exit code for the outcome of a command.
fn exit(result: output::CommandResult, output: &mut Output) -> ExitCode {
    match result.and_then(|success| output.flush().map(|()| success)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // The reader of the output closed it, as `head` does.
        Err(CommandError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(CommandError::ExitCode(code)) => output.flush().map_or(ExitCode::from(2), |()| ExitCode::from(code)),
        Err(failure) => {
            anstream::eprintln!("goalspec: {failure}");
            ExitCode::from(2)
        }
    }
}
