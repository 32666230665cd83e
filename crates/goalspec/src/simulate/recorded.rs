//! Recorded games of the simulator as traces of the game's world: the moves are played again, and every state is told. Where a game has
//! custom results that nothing here decides, the recording itself says what they did.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use goalspec_simulator::trace::{Seen, replay_seen};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::TraceError;
use serde_json::Value;

use super::Ready;
use super::states::StateWriter;
use crate::codes;
use crate::library::Library;
use crate::run::Input;

/// Longest first line that is looked at to tell what a file is.
const FIRST_LINE_BYTES: u64 = 1 << 16;

/// The traces of the games that are recorded in an input; `None` if it is no recording of the simulator.
///
/// # Errors
/// If it is one and the library does not have its game, or the game goes another way than the recording says.
pub fn traces(input: &Input, library: &Library) -> Option<Result<Vec<Input>, Box<Diagnostic>>> {
    let name = recorded_game(input)?;
    Some(read(input, &name, library))
}

/// The name of the game that an input is a recording of; `None` if it is no recording of the simulator.
pub fn recorded_game(input: &Input) -> Option<String> {
    begin(input)?.get("game").and_then(Value::as_str).map(str::to_owned)
}

/// The names of the custom results of the game that a file is a recording of; none if it is no recording.
pub fn results(path: &Path) -> Vec<Arc<str>> {
    let begin = begin(&Input::File(path.to_owned()));
    let names = begin.as_ref().and_then(|begin| begin.get("results")?.as_array()).into_iter().flatten();
    names.filter_map(Value::as_str).map(Arc::from).collect()
}

/// The first line of a recording; `None` if an input is none.
fn begin(input: &Input) -> Option<Value> {
    let mut line = Vec::new();
    let read = |reader: &mut dyn BufRead, line: &mut Vec<u8>| {
        std::io::Read::take(reader, FIRST_LINE_BYTES).read_until(b'\n', line).ok()
    };
    match input {
        Input::File(path) => read(&mut BufReader::new(crate::files::open(path).ok()?), &mut line),
        Input::Bytes(_, bytes) => read(&mut &bytes[..], &mut line),
        Input::Episode(..) => None,
    }?;
    let first: Value = serde_json::from_slice(&line).ok()?;
    // Recordings of other things say which format they are.
    if first.get("format").is_some() {
        return None;
    }
    first.get("seed").and_then(Value::as_u64)?;
    Some(first)
}

fn read(input: &Input, name: &str, library: &Library) -> Result<Vec<Input>, Box<Diagnostic>> {
    let wrong = |message: String| {
        let message = format!("{}: {message}", input.name());
        Box::new(Diagnostic::new(codes::RECORDING, Severity::Error, message))
    };
    let plays = |played: &&crate::program::Program| {
        played.as_resource().and_then(|game| game.played.as_ref()).is_some_and(|played| *played.game.name == *name)
    };
    let program = library.programs().iter().find(plays);
    let program = program.ok_or_else(|| {
        let wrong = wrong(format!("a recording of the game `{name}`, which is not among the paths"));
        Box::new(wrong.with_help("name the game's file as well"))
    })?;
    let Some(ready) = Ready::new(program, library.custom())? else { return Ok(Vec::new()) };
    let text = match input {
        Input::File(path) => crate::files::read_text(path)?,
        Input::Episode(input, _) => return read(input, name, library),
        Input::Bytes(_, bytes) => String::from_utf8(bytes.to_vec()).map_err(|error| wrong(error.to_string()))?,
    };
    let mut games = Games { ready: &ready, name: input.name(), done: Vec::new(), open: None, error: None };
    let replayed = replay_seen(&ready.simulator, &text, &mut |seen| games.see(&seen));
    games.close();
    replayed.map_err(|error| wrong(error.to_string()))?;
    match games.error {
        Some(error) => Err(wrong(error.into_diagnostic().message)),
        None => Ok(games.done),
    }
}

/// The traces that are being written.
struct Games<'r> {
    ready: &'r Ready,
    name: String,
    done: Vec<Input>,
    open: Option<(Arc<str>, StateWriter<'r, Vec<u8>>)>,
    error: Option<TraceError>,
}

impl Games<'_> {
    fn see(&mut self, seen: &Seen<'_>) {
        match *seen {
            Seen::Begin { seed, index, state } => {
                self.close();
                match StateWriter::new(&self.ready.played, Vec::new(), format!("{seed}-{index}")) {
                    Ok(mut writer) => {
                        writer.tell(&self.ready.simulator, state, None);
                        self.open = Some((format!("{}#{index}", self.name).into(), writer));
                    }
                    Err(error) => self.error = self.error.take().or(Some(error)),
                }
            }
            Seen::Turn { team, chosen, turn, state } => {
                if let Some((_, writer)) = &mut self.open {
                    writer.tell(&self.ready.simulator, state, Some((team, chosen, turn.valid)));
                }
            }
        }
    }

    fn close(&mut self) {
        let Some((name, writer)) = self.open.take() else { return };
        match writer.finish() {
            Ok(bytes) => self.done.push(Input::Bytes(name, bytes.into())),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
    }
}
