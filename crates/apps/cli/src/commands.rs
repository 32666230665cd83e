//! The commands, one module each. Each `run` function returns whether the command succeeded without reporting an error.

pub(crate) mod analyse;
pub(crate) mod audit;
pub(crate) mod check;
mod compared;
pub(crate) mod describe;
pub(crate) mod diff;
pub(crate) mod equiv;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fetch;
pub(crate) mod fmt;
pub(crate) mod generate;
pub(crate) mod llm;
pub(crate) mod lot;
pub(crate) mod lsp;
pub(crate) mod model;
pub(crate) mod new;
pub(crate) mod options;
pub(crate) mod plan;
pub(crate) mod play;
mod problem;
pub(crate) mod replay;
pub(crate) mod reward;
pub(crate) mod score;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod simulate;
pub(crate) mod trace;
pub(crate) mod train;
pub(crate) mod translate;
pub(crate) mod validate;
pub(crate) mod view;
pub(crate) mod watch;

use crate::args::Command;
use crate::output::{CommandResult, Output};

/// Runs a command.
pub(crate) fn run(command: Command, output: &mut Output) -> CommandResult {
    match command {
        Command::New(args) => new::run(&args, output),
        Command::Check(args) => check::run(&args, output),
        Command::Fmt(args) => fmt::run(&args, output),
        Command::Describe(args) => describe::run(&args, output),
        Command::Score(args) => score::run(&args, output),
        Command::Audit(args) => audit::run(&args, output),
        Command::Reward(args) => reward::run(&args, output),
        Command::Train(args) => train::run(&args),
        Command::Translate(args) => translate::run(&args, output),
        Command::Watch(args) => watch::run(&args, output),
        Command::View(args) => view::run(&args, output),
        Command::Simulate(args) => simulate::run(&args, output),
        Command::Replay(args) => replay::run(&args, output),
        Command::Serve(args) => serve::run(&args, output),
        Command::Analyse(args) => analyse::run(&args, output),
        Command::Play(args) => play::run(&args, output),
        Command::Plan(args) => plan::run(&args, output),
        Command::Validate(args) => validate::run(&args, output),
        Command::Options(args) => options::run(&args, output),
        Command::Export(args) => export::run(&args, output),
        Command::Fetch(args) => fetch::run(&args, output),
        Command::Trace(args) => trace::run(&args, output),
        Command::Llm(args) => llm::run(&args, output),
        Command::Lot(args) => lot::run(&args, output),
        Command::Generate(args) => generate::run(&args, output),
        Command::Diff(args) => diff::run(&args, output),
        Command::Equiv(args) => equiv::run(&args, output),
        Command::Explain(args) => explain::run(&args, output),
        Command::Lsp(args) => lsp::run(&args),
        Command::Completions(args) => shell::completions(&args, output),
        Command::Man(args) => shell::manual(&args, output),
    }
}
