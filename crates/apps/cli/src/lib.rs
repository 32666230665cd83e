//! The `goalspec` command as a function: parses arguments, calls the library and prints results. The command and the Python package run it.
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

use std::ffi::OsString;
use std::io::Write;

use clap::Parser;

use args::Cli;
use output::{CommandError, Output};

/// The exit code of a command that reported errors.
const FAILED: u8 = 1;

/// The exit code of a command that cannot complete.
const INCOMPLETE: u8 = 2;

/// Runs the command with these arguments, of which the first one is its own name, and returns its exit code. Results go to the standard
/// output, diagnostics to the standard error.
///
/// Commands that handle Ctrl-C register a handler, which ends the process if Ctrl-C is pressed twice.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(message) => {
            // Help, the version, or an error of usage; nothing can be done if it cannot be printed.
            let _ = message.print();
            return u8::try_from(message.exit_code()).unwrap_or(INCOMPLETE);
        }
    };
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
fn exit(result: output::CommandResult, output: &mut Output) -> u8 {
    match result.and_then(|success| output.flush().map(|()| success)) {
        Ok(true) => 0,
        Ok(false) => FAILED,
        // The reader of the output closed it, as `head` does.
        Err(CommandError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(CommandError::ExitCode(code)) => output.flush().map_or(INCOMPLETE, |()| code),
        Err(failure) => {
            anstream::eprintln!("goalspec: {failure}");
            INCOMPLETE
        }
    }
}
