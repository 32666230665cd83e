//! Recorded games of the simulator as traces of the game's world. The moves are replayed, and every state is written. The
//! recording itself supplies the effects of custom results without an implementation.

use std::io::BufRead;
use std::sync::Arc;

use goalspec_simulator::trace::{ReplayEvent, replay_or_apply};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::{TraceError, TraceInput};
use serde_json::Value;

use crate::codes;
use crate::game::LoadedGame;
use crate::states::StateWriter;

/// Whether a line is the first line of a recording of the simulator. Other recordings state their format.
pub fn is_header(line: &Value) -> bool {
    line.get("format").is_none() && line.get("seed").and_then(Value::as_u64).is_some()
}

/// Returns the error that the recording of this name cannot be replayed.
pub fn replay_error(recording: &str, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(codes::RECORDING, Severity::Error, format!("{recording}: {message}")))
}

/// Replays the games of the recording that `input` reads, named `name` in messages, and calls `visit` with the trace of each, in
/// order, once it is complete: only one game is in memory at a time.
///
/// # Errors
/// If the recording cannot be read, or the replay deviates from it. `visit` has been called for the games before the error.
pub fn for_each_game(
    input: &mut dyn BufRead,
    name: String,
    game: &LoadedGame,
    visit: &mut dyn FnMut(&TraceInput),
) -> Result<(), Box<Diagnostic>> {
    let mut games = GameReplay { game, name, visit, open: None, error: None };
    let replayed = replay_or_apply(&game.simulator, input, &mut |event| games.observe(&event));
    if replayed.is_ok() {
        games.close();
    }
    replayed.map_err(|error| replay_error(&games.name, &error.to_string()))?;
    match games.error {
        Some(error) => Err(replay_error(&games.name, &error.into_diagnostic().message)),
        None => Ok(()),
    }
}

/// The replay of a recording, with the trace that is being written.
struct GameReplay<'r> {
    game: &'r LoadedGame,
    name: String,
    visit: &'r mut dyn FnMut(&TraceInput),
    open: Option<(Arc<str>, StateWriter<'r, Vec<u8>>)>,
    error: Option<TraceError>,
}

impl GameReplay<'_> {
    fn observe(&mut self, event: &ReplayEvent<'_>) {
        match *event {
            ReplayEvent::Heading(_) => {}
            ReplayEvent::Begin { seed, index, state } => {
                self.close();
                match StateWriter::new(&self.game.game, Vec::new(), format!("{seed}-{index}")) {
                    Ok(mut writer) => {
                        writer.write_state(&self.game.simulator, state, None);
                        self.open = Some((format!("{}#{index}", self.name).into(), writer));
                    }
                    Err(error) => self.error = self.error.take().or(Some(error)),
                }
            }
            ReplayEvent::Turn { team, chosen, turn, state } => {
                if let Some((_, writer)) = &mut self.open {
                    writer.write_state(&self.game.simulator, state, Some((team, chosen, turn.valid)));
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
