//! Recorded games of the simulator as traces of the game's world. The moves are replayed, and every state is written. The
//! recording itself supplies the effects of custom results without an implementation.

use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_simulator::trace::{MAX_LINE_BYTES, ReplayEvent, replay_or_apply};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::source::Decompressor;
use goalspec_trace::{TraceError, TraceInput};
use serde_json::Value;

use super::LoadedGame;
use super::states::StateWriter;
use crate::codes;
use crate::library::Library;

/// The number of bytes that are read to recognise a recording. A longer first line is read only if it begins like that of a
/// recording.
const SNIFFED_BYTES: u64 = 1 << 16;

/// Replays the games that are recorded in an input and calls `visit` with the trace of each, in order, once it is complete: only
/// one game is in memory at a time. `None` if the input is not a recording of the simulator.
///
/// # Errors
/// If the library does not have the recorded game, or the replay deviates from the recording. `visit` has been called for the
/// games before the error.
pub fn for_each_game(
    input: &TraceInput,
    library: &Library,
    visit: &mut dyn FnMut(&TraceInput),
) -> Option<Result<(), Box<Diagnostic>>> {
    let name = recorded_game(input)?;
    Some(replay(input, &name, library, visit))
}

/// Returns the name of the game that is recorded in an input; `None` if the input is not a recording of the simulator.
pub fn recorded_game(input: &TraceInput) -> Option<String> {
    read_header(input)?.get("game").and_then(Value::as_str).map(str::to_owned)
}

/// Returns the names of the custom results in the game that a file records. Empty if it is not a recording, and for the standard
/// input and pipes: bytes that are read here would be missing when the recording is scored.
pub fn custom_result_names(path: &Path) -> Vec<Arc<str>> {
    if is_read_once(path) {
        return Vec::new();
    }
    let header = read_header(&TraceInput::File(path.to_owned()));
    let names = header.as_ref().and_then(|header| header.get("results")?.as_array()).into_iter().flatten();
    names.filter_map(Value::as_str).map(Arc::from).collect()
}

/// Adds to diagnostics of unknown results how custom results are named, if [`custom_result_names`] leaves out one of the traces.
pub(crate) fn advise_on_results(traces: &[PathBuf], diagnostics: &mut [Diagnostic]) {
    if !traces.iter().any(|path| is_read_once(path)) {
        return;
    }
    for finding in diagnostics.iter_mut().filter(|finding| finding.code == goalspec_rgg::codes::UNKNOWN_RESULT) {
        let help = "with a recording on the standard input, declare its custom results with `--result NAME`";
        finding.help.push(help.to_owned());
    }
}

/// Whether a path is the standard input, a pipe or a device, none of which can be read twice.
pub(crate) fn is_read_once(path: &Path) -> bool {
    path == Path::new("-") || path.metadata().is_ok_and(|metadata| !metadata.is_file())
}

/// Returns the first line of a recording; `None` if an input is not a recording.
fn read_header(input: &TraceInput) -> Option<Value> {
    let mut reader = open(input).ok()?;
    let mut line = Vec::new();
    (&mut reader).take(SNIFFED_BYTES).read_until(b'\n', &mut line).ok()?;
    if !line.ends_with(b"\n") && line.starts_with(b"{\"game\":") {
        reader.take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut line).ok()?;
    }
    let first: Value = serde_json::from_slice(&line).ok()?;
    is_header(&first).then_some(first)
}

/// Whether a line is the first line of a recording of the simulator. Other recordings state their format.
pub fn is_header(line: &Value) -> bool {
    line.get("format").is_none() && line.get("seed").and_then(Value::as_u64).is_some()
}

/// Opens an input for reading, decompressed.
fn open(input: &TraceInput) -> Result<Box<dyn BufRead + '_>, Box<Diagnostic>> {
    match input {
        TraceInput::File(path) => Ok(Box::new(crate::files::open(path)?)),
        TraceInput::Bytes(_, bytes) => match Decompressor::new(&bytes[..]) {
            Ok(bytes) => Ok(Box::new(BufReader::new(bytes))),
            Err(error) => {
                let message = format!("cannot read {}: {error}", input.name());
                Err(Box::new(Diagnostic::new(codes::UNREADABLE, Severity::Error, message)))
            }
        },
        TraceInput::Episode(input, _) => open(input),
        TraceInput::Trace(..) => {
            let message = format!("`{}` is a trace in memory, not a recording of the simulator", input.name());
            Err(Box::new(Diagnostic::new(codes::UNREADABLE, Severity::Error, message)))
        }
    }
}

fn replay(
    input: &TraceInput,
    name: &str,
    library: &Library,
    visit: &mut dyn FnMut(&TraceInput),
) -> Result<(), Box<Diagnostic>> {
    let replay_error = |message: String| {
        let message = format!("{}: {message}", input.name());
        Box::new(Diagnostic::new(codes::RECORDING, Severity::Error, message))
    };
    let plays = |playable: &&crate::program::Program| {
        playable
            .as_resource()
            .and_then(|game| game.playable.as_ref())
            .is_some_and(|playable| *playable.game.name == *name)
    };
    let program = library.programs().iter().find(plays);
    let program = program.ok_or_else(|| {
        let replay_error = replay_error(format!("the recorded game `{name}` is not among the paths"));
        Box::new(replay_error.with_help("add the file of the game to the command"))
    })?;
    let Some(loaded_game) = LoadedGame::new(program, library.custom_results())? else { return Ok(()) };
    let mut games = GameReplay { ready: &loaded_game, name: input.name(), visit, open: None, error: None };
    let replayed = replay_or_apply(&loaded_game.simulator, &mut open(input)?, &mut |event| games.see(&event));
    if replayed.is_ok() {
        games.close();
    }
    replayed.map_err(|error| replay_error(error.to_string()))?;
    match games.error {
        Some(error) => Err(replay_error(error.into_diagnostic().message)),
        None => Ok(()),
    }
}

/// The replay of a recording, with the trace that is being written.
struct GameReplay<'r> {
    ready: &'r LoadedGame,
    name: String,
    visit: &'r mut dyn FnMut(&TraceInput),
    open: Option<(Arc<str>, StateWriter<'r, Vec<u8>>)>,
    error: Option<TraceError>,
}

impl GameReplay<'_> {
    fn see(&mut self, event: &ReplayEvent<'_>) {
        match *event {
            ReplayEvent::Heading(_) => {}
            ReplayEvent::Begin { seed, index, state } => {
                self.close();
                match StateWriter::new(&self.ready.game, Vec::new(), format!("{seed}-{index}")) {
                    Ok(mut writer) => {
                        writer.write_state(&self.ready.simulator, state, None);
                        self.open = Some((format!("{}#{index}", self.name).into(), writer));
                    }
                    Err(error) => self.error = self.error.take().or(Some(error)),
                }
            }
            ReplayEvent::Turn { team, chosen, turn, state } => {
                if let Some((_, writer)) = &mut self.open {
                    writer.write_state(&self.ready.simulator, state, Some((team, chosen, turn.valid)));
                }
            }
        }
    }

    /// Ends the trace of the current game, if there is one, and passes it to `visit`.
    fn close(&mut self) {
        let Some((name, writer)) = self.open.take() else { return };
        match writer.finish() {
            Ok(bytes) => (self.visit)(&TraceInput::Bytes(name, bytes.into())),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
    }
}
