//! Recordings of the simulator among the inputs: detection, and replay with the games of a library.

use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_simulation::replay;
use goalspec_simulator::trace::MAX_LINE_BYTES;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::TraceInput;
use goalspec_trace::source::Decompressor;
use serde_json::Value;

use crate::codes;
use crate::library::Library;
use crate::program::Program;
use crate::resource_games;

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
    Some(replay_games(input, &name, library, visit))
}

fn replay_games(
    input: &TraceInput,
    name: &str,
    library: &Library,
    visit: &mut dyn FnMut(&TraceInput),
) -> Result<(), Box<Diagnostic>> {
    let plays = |program: &&Program| {
        let playable = program.as_resource().and_then(|game| game.playable.as_ref());
        playable.is_some_and(|playable| *playable.game.name == *name)
    };
    let program = library.programs().iter().find(plays).ok_or_else(|| {
        let error = replay::replay_error(&input.name(), &format!("the recorded game `{name}` is not among the paths"));
        Box::new(error.with_help("add the file of the game to the command"))
    })?;
    let Some(game) = resource_games::loaded_game(program, library.custom_results())? else { return Ok(()) };
    replay::for_each_game(&mut open(input)?, input.name(), &game, visit)
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
fn is_read_once(path: &Path) -> bool {
    path == Path::new("-") || path.metadata().is_ok_and(|metadata| !metadata.is_file())
}

/// Returns the first line of a recording; `None` if an input is not a recording.
fn read_header(input: &TraceInput) -> Option<Value> {
    if is_other_format(input) {
        return None;
    }
    let mut reader = open(input).ok()?;
    let mut line = Vec::new();
    (&mut reader).take(SNIFFED_BYTES).read_until(b'\n', &mut line).ok()?;
    if !line.ends_with(b"\n") && line.starts_with(b"{\"game\":") {
        reader.take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut line).ok()?;
    }
    let first: Value = serde_json::from_slice(&line).ok()?;
    replay::is_header(&first).then_some(first)
}

/// Whether an input is obviously no recording of the simulator: it is in memory as states, or as a text that begins with the name of another
/// format, as that of most traces which are scored in large numbers.
fn is_other_format(input: &TraceInput) -> bool {
    match input {
        TraceInput::Trace(..) => true,
        TraceInput::Bytes(_, bytes) => bytes.starts_with(b"{\"format\":"),
        TraceInput::Limited(input, _) | TraceInput::Episode(input, _) => is_other_format(input),
        TraceInput::File(_) => false,
    }
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
        TraceInput::Episode(input, _) | TraceInput::Limited(input, _) => open(input),
        TraceInput::Trace(..) => {
            let message = format!("`{}` is a trace in memory, not a recording of the simulator", input.name());
            Err(Box::new(Diagnostic::new(codes::UNREADABLE, Severity::Error, message)))
        }
    }
}
