//! The `goalspec replay` and `goalspec trace diff` commands: recorded turns are played again and compared.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::path::Path;

use goalspec::simulation::metadata::{ReportMetadata, VERSION};
use goalspec::simulation::policies::TeamPolicies;
use goalspec::simulation::{LoadedGame, replay};
use goalspec::simulator::trace::{self, ReplayError, ReplayEvent};
use goalspec::syntax::Sources;
use goalspec::{codes, files, limits};
use serde_json::Value as Json;

use super::simulate::load;
use crate::args::{ReplayArgs, TraceDiffArgs};
use crate::output::{CommandError, CommandResult, Output, plural};

pub(crate) fn run(args: &ReplayArgs, output: &mut Output) -> CommandResult {
    let Some(loaded_game) = load(&args.game, &args.resource, output)? else { return Ok(false) };
    let Some(mut turns) = open(&args.turns, output) else { return Ok(false) };
    let name = args.turns.display();
    let players = TeamPolicies::new(loaded_game.simulator.game(), &[]).map_err(CommandError::invalid_argument)?;
    let (mut seeds, mut first) = (BTreeSet::new(), None);
    let replayed = trace::replay_observed(&loaded_game.simulator, &mut turns, &mut |event| match event {
        ReplayEvent::Heading(line) if first.is_none() && replay::is_header(line) => first = Some(line.clone()),
        ReplayEvent::Begin { seed, .. } => {
            seeds.insert(seed);
        }
        ReplayEvent::Heading(_) | ReplayEvent::Turn { .. } => {}
    });
    if let Some(first) = &first {
        writeln!(output, "{}", heading(&loaded_game, &players, first, seeds.len()))?;
    }
    match &replayed {
        Ok(turns) => {
            let turns = plural(usize::try_from(*turns).unwrap_or(usize::MAX), "turn");
            writeln!(output, "{name}: {turns} replayed as recorded")?;
        }
        Err(error @ (ReplayError::Malformed { .. } | ReplayError::Unreadable { .. })) => {
            writeln!(output, "{name}: {}", explained(error))?;
        }
        Err(error @ ReplayError::Mismatch(_)) => {
            writeln!(output, "{name}: {error} (first: the recording, second: the game)")?;
        }
    }
    Ok(replayed.is_ok())
}

/// Returns the heading of a recording, with the version that recorded it if it differs.
fn heading(loaded_game: &LoadedGame, players: &TeamPolicies, first: &Json, seeds: usize) -> String {
    let name = &loaded_game.simulator.game().name;
    let note = if seeds > 1 { format!(" (the first of {seeds} seeds)") } else { String::new() };
    let recorder = first.get("version").and_then(Json::as_str).filter(|version| *version != VERSION);
    let recorder = recorder.map_or_else(String::new, |version| format!(", recorded by {version}"));
    format!("{name}: {}{recorder}{note}", ReportMetadata::of_recording(loaded_game, players, first).text())
}

pub(crate) fn diff(args: &TraceDiffArgs, output: &mut Output) -> CommandResult {
    let [Some(mut one), Some(mut other)] = [&args.one, &args.other].map(|path| open(path, output)) else {
        return Ok(false);
    };
    let found = trace::diff(&mut one, &mut other);
    match &found {
        Ok(found) if found.is_empty() => writeln!(output, "no differences")?,
        Ok(found) => found.iter().try_for_each(|difference| writeln!(output, "{difference}"))?,
        Err(error) => writeln!(output, "{}", explained(error))?,
    }
    Ok(found.is_ok_and(|found| found.is_empty()))
}

/// Returns the message of an error in a recording, with the remedy if it exceeds a limit.
fn explained(error: &ReplayError) -> String {
    limits::with_remedy(codes::RECORDING, error.to_string())
}

/// Opens a file; returns `None` if it cannot be read, which is reported.
fn open(path: &Path, output: &Output) -> Option<impl BufRead + use<>> {
    files::open(path).map_err(|diagnostic| output.report(&[*diagnostic], &Sources::new())).ok()
}
