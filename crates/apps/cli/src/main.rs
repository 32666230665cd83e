//! The `goalspec` command: parses arguments, calls the library and prints results.
//!
//! | module | contents |
//! |---|---|
//! | `args` | the command-line grammar |
//! | `commands` | one module per command |
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

use args::{Cli, Command};
use output::{CommandError, Output};

/// The global allocator. Programs consist of many small allocations, and mimalloc reduces the time to read them by an eighth.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut output = Output::new(cli.color);
    let Some(command) = cli.command else { return exit(welcome(&mut output), &mut output) };
    let result = match command {
        Command::New(args) => commands::new::run(&args, &mut output),
        Command::Check(args) => commands::check::run(&args, &mut output),
        Command::Fmt(args) => commands::fmt::run(&args, &mut output),
        Command::Describe(args) => commands::describe::run(&args, &mut output),
        Command::Score(args) => commands::score::run(&args, &mut output),
        Command::Audit(args) => commands::audit::run(&args, &mut output),
        Command::Reward(args) => commands::reward::run(&args, &mut output),
        Command::Translate(args) => commands::translate::run(&args, &mut output),
        Command::Watch(args) => commands::watch::run(&args, &mut output),
        Command::Simulate(args) => commands::simulate::run(&args, &mut output),
        Command::Replay(args) => commands::replay::run(&args, &mut output),
        Command::Analyse(args) => commands::analyse::run(&args, &mut output),
        Command::Play(args) => commands::play::run(&args, &mut output),
        Command::Plan(args) => commands::plan::run(&args, &mut output),
        Command::Validate(args) => commands::validate::run(&args, &mut output),
        Command::Options(args) => commands::options::run(&args, &mut output),
        Command::Export(args) => commands::export::run(&args, &mut output),
        Command::Fetch(args) => commands::fetch::run(&args, &mut output),
        Command::Trace(args) => commands::trace::run(&args, &mut output),
        Command::Llm(args) => commands::llm::run(&args, &mut output),
        Command::Lot(args) => commands::lot::run(&args, &mut output),
        Command::Equiv(args) => commands::equiv::run(&args, &mut output),
        Command::Explain(args) => commands::explain::run(&args, &mut output),
    };
    exit(result, &mut output)
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
