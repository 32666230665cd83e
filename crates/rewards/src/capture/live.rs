//! Live games, played by a local Python that has the Arcade Learning Environment.

use std::io::{BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use goalspec_atari::Game;
use goalspec_atari::decoder::Options;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;

use super::{RecordingSize, copy_decoded};
use crate::codes;

/// The script that plays the game and prints its RAM.
const SCRIPT: &str = include_str!("live.py");

/// The exit code of the script if a package is missing.
const MISSING_PACKAGE_EXIT_CODE: i32 = 3;

/// Options for recording a live game.
#[derive(Debug, Clone)]
pub struct LiveOptions {
    /// The environment, such as `ALE/Pong-v5`.
    pub environment: String,
    /// The game of the environment.
    pub game: Game,
    /// Options for decoding the RAM.
    pub options: Options,
    /// The policy that plays.
    pub policy: Policy,
    /// The number of frames, including those after resets.
    pub frames: u64,
    /// The random seed.
    pub seed: u32,
    /// The Python executable.
    pub python: String,
    /// Whether the recording has the RAM alone.
    pub is_packed: bool,
}

/// A policy that plays a live game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Uniformly random actions.
    Random,
    /// The same action in every frame.
    Constant(u32),
}

impl Policy {
    /// Returns the name of the policy, as in options.
    pub fn name(self) -> String {
        match self {
            Self::Random => "random".to_owned(),
            Self::Constant(0) => "noop".to_owned(),
            Self::Constant(action) => format!("constant:{action}"),
        }
    }

    /// Parses the name of a policy: `random`, `noop`, `constant:2`.
    ///
    /// # Errors
    /// Returns a message if there is no such policy.
    pub fn parse(name: &str) -> Result<Self, Box<Diagnostic>> {
        match name {
            "random" => Ok(Self::Random),
            "noop" => Ok(Self::Constant(0)),
            _ => name.strip_prefix("constant:").and_then(|number| number.parse().ok()).map(Self::Constant).ok_or_else(
                || {
                    Diagnostic::invalid_argument(format!(
                        "unknown policy `{name}`: expected random, noop or constant:N"
                    ))
                },
            ),
        }
    }
}

/// Plays a game and writes its recording.
///
/// # Errors
/// Returns a diagnostic if Python or one of the packages is missing, the game cannot be played, or the output cannot be written.
pub fn play(live: &LiveOptions, out: &mut dyn Write) -> Result<RecordingSize, Box<Diagnostic>> {
    let constant = match live.policy {
        Policy::Random => String::new(),
        Policy::Constant(action) if action as usize >= live.game.actions().len() => {
            return Err(Box::new(unknown_action(live.game, action)));
        }
        Policy::Constant(action) => action.to_string(),
    };
    let mut command = Command::new(&live.python);
    command.arg("-c").arg(SCRIPT).args([&live.environment, live.game.name(), &live.policy.name(), &constant]);
    command.args([live.frames.to_string(), live.seed.to_string()]);
    command.args([live.options.hud, live.options.quirks].map(|is| if is { "true" } else { "false" }));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let missing = |detail: String| {
        let help = format!("install them: `{} -m pip install gymnasium ale-py`", live.python);
        let error = Diagnostic::new(codes::NO_EMULATOR, Severity::Error, detail).with_help(help);
        Box::new(error.with_help("or specify a Python interpreter that has them with `--python`"))
    };
    let started = command.spawn().map_err(|error| missing(format!("failed to start `{}`: {error}", live.python)));
    let mut child = ChildGuard(started?);
    let (Some(output), Some(errors)) = (child.0.stdout.take(), child.0.stderr.take()) else {
        unreachable!("both were asked for")
    };
    // Both pipes are read concurrently: the process blocks on one while the other is full.
    let listener = std::thread::spawn(move || last_line(errors));
    let recorded = copy_decoded(&mut BufReader::new(output), live.is_packed, out);
    if recorded.is_err() {
        // The process may still be playing without a reader. An error means that it has exited already.
        let _ = child.0.kill();
    }
    let status = child.0.wait().map_err(|error| missing(format!("failed to wait for `{}`: {error}", live.python)))?;
    let reason = listener.join().ok().flatten().unwrap_or_else(|| "no error message".to_owned());
    match status.code() {
        Some(0) => recorded,
        Some(MISSING_PACKAGE_EXIT_CODE) => Err(missing(reason)),
        // Errors in the recording are then consequences of the failed process.
        _ if recorded.is_err() || !status.success() => {
            let message = format!("failed to play `{}`: {reason}", live.environment);
            Err(Box::new(Diagnostic::new(codes::NO_EMULATOR, Severity::Error, message)))
        }
        _ => recorded,
    }
}

/// Returns the diagnostic for an action that the game does not have.
fn unknown_action(game: Game, action: u32) -> Diagnostic {
    let actions = game.actions();
    let listed: Vec<String> = actions.iter().enumerate().map(|(number, name)| format!("{number} {name}")).collect();
    let message = format!("{game} has no action {action}: it has {} actions", actions.len());
    Diagnostic::new(codes::NO_SUCH_ACTION, Severity::Error, message)
        .with_help(format!("available: {}", listed.join(", ")))
}

/// Returns the last line of a process's output, truncated to a maximum length.
fn last_line(mut output: impl Read) -> Option<String> {
    const MAX_LINE_BYTES: usize = 1 << 12;
    let (mut last, mut line, mut bytes) = (Vec::new(), Vec::new(), [0; 1 << 12]);
    // A read error ends the line.
    while let Ok(count @ 1..) = output.read(&mut bytes) {
        for &byte in &bytes[..count] {
            match byte {
                b'\n' if line.trim_ascii().is_empty() => line.clear(),
                b'\n' => last = std::mem::take(&mut line),
                _ if line.len() < MAX_LINE_BYTES => line.push(byte),
                _ => {}
            }
        }
    }
    let last = if line.trim_ascii().is_empty() { last } else { line };
    (!last.is_empty()).then(|| String::from_utf8_lossy(&last).into_owned())
}

/// A child process that is killed when its reader is dropped.
struct ChildGuard(Child);

impl Drop for ChildGuard {
    fn drop(&mut self) {
        // Both fail only if the process has exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
