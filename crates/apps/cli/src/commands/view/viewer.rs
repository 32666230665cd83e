//! The viewer: a server on this machine, or an exported page.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use goalspec::rewards::score::ScoreOptions;
use goalspec::scoring::ScoringOptions;
use goalspec::syntax::Diagnostic;
use goalspec_view::browser::RedirectFile;
use goalspec_view::export::export;
use goalspec_view::{Server, Session, SessionError, SimulationRequest, is_plan};

use crate::args::ViewArgs;
use crate::library::DiscoveredFiles;
use crate::output::{CommandError, CommandResult, Output, ensure_not_input, write_file};

/// The time after which the file that leads the browser to the page is removed.
const OPENING_TIME: Duration = Duration::from_mins(1);

pub(super) fn run(args: &ViewArgs, output: &mut Output) -> CommandResult {
    let mut found = DiscoveredFiles::with_activities(&args.paths, &args.activities);
    let inputs = found.inputs.clone();
    found.inputs.programs.retain(|path| !is_plan(path));
    if let Some(file) = &args.export {
        ensure_not_input(file, [&inputs.programs, &inputs.traces, &inputs.worlds].into_iter().flatten())?;
    }
    let loaded = found.load(&args.activities)?;
    let is_correct = loaded.report(output);
    let (library, _) = args.activities.library_options()?;
    let scoring = ScoringOptions { budget: args.budget, ..ScoringOptions::default() };
    let rewards = ScoreOptions { budget: args.budget, ..ScoreOptions::default() };
    let simulation = SimulationRequest { games: args.games, seed: args.seed, policies: args.policies.clone() };
    simulation.check_limit().map_err(CommandError::invalid_argument)?;
    let session = Session::new(inputs, library, scoring, rewards, args.lanes as usize).with_simulation(simulation);
    let session = if args.write { session.with_saving() } else { session };
    let session = if args.follow { session.with_following() } else { session };
    if session.program_count() == 0 {
        return Err(CommandError::Usage("no program among the paths; see `goalspec view --help`".to_owned()));
    }
    match &args.export {
        Some(file) => write_export(&session, file, output).map(|is_scored| is_correct && is_scored),
        None => serve(args, session, output),
    }
}

/// Writes the page of the only program over the only trace or plan; of the only resource graph game, without any. Returns whether it was run
/// without an error.
fn write_export(session: &Session, file: &Path, output: &Output) -> CommandResult {
    let (word, inputs, wanted) = match session.program_count() {
        1 if session.is_resource_game(0) => ("trace", session.trace_count(), 0),
        _ if session.is_planning_problem(0) => ("plan", session.plan_count(), 1),
        _ => ("trace", session.trace_count(), 1),
    };
    let programs = session.program_count();
    if (programs, inputs) != (1, wanted) {
        let number = if wanted == 0 { "a resource graph game without a" } else { "one program and one" };
        let message = format!("--export requires {number} {word}; the paths have {programs} and {inputs}");
        return Err(CommandError::Usage(message));
    }
    let failed = |error: SessionError| CommandError::Usage(error.to_string());
    let run = session.run(0, 0, None, None).map_err(failed)?;
    let page = export(session, &run).map_err(failed)?;
    write_file(file, &page)?;
    output.report(&run.diagnostics, &run.sources);
    Ok(!run.diagnostics.iter().any(Diagnostic::is_error))
}

/// Serves the page until the process is interrupted.
fn serve(args: &ViewArgs, session: Session, output: &mut Output) -> CommandResult {
    let failed = |error: std::io::Error| CommandError::Usage(format!("cannot start the viewer: {error}"));
    let server = Server::bind(session, args.port.unwrap_or(0), &args.allow_host).map_err(failed)?;
    let address = server.address();
    writeln!(output, "{address}")?;
    output.flush()?;
    if !args.no_open {
        let redirect = RedirectFile::new(&address).map_err(failed)?;
        if let Err(error) = redirect.open() {
            output.note(&format!("cannot open the browser: {error}; open the address above"));
        }
        std::thread::spawn(move || {
            std::thread::sleep(OPENING_TIME);
            drop(redirect);
        });
    }
    match server.run().map_err(failed)? {}
}
