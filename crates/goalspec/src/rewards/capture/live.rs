//! Games played live, by a Python on this machine that has the Arcade Learning Environment.

use std::io::{BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use goalspec_atari::Game;
use goalspec_atari::decoder::Options;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;

use super::{Recorded, rewrite};
use crate::codes;

/// What plays the game and tells its RAM.
const SCRIPT: &str = include_str!("live.py");

/// What the script exits with where a package is missing.
const NOT_INSTALLED: i32 = 3;

/// A game to be played.
#[derive(Debug, Clone)]
pub struct Live {
    /// The environment, such as `ALE/Pong-v5`.
    pub environment: String,
    /// The game that it is.
    pub game: Game,
    /// How its RAM is decoded.
    pub options: Options,
    /// Who plays.
    pub policy: Policy,
    /// How many frames, those after resets included.
    pub steps: u64,
    /// What chance goes by.
    pub seed: u32,
    /// The Python that has the packages.
    pub python: String,
}

/// Who plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Any action, each as likely.
    Random,
    /// The same action all the time.
    Constant(u32),
}

impl Policy {
    /// Its name, as in options.
    pub fn name(self) -> String {
        match self {
            Self::Random => "random".to_owned(),
            Self::Constant(0) => "noop".to_owned(),
            Self::Constant(action) => format!("constant:{action}"),
        }
    }

    /// The policy of a name: `random`, `noop`, `constant:2`.
    ///
    /// # Errors
    /// There is no such policy.
    pub fn named(name: &str) -> Result<Self, String> {
        match name {
            "random" => Ok(Self::Random),
            "noop" => Ok(Self::Constant(0)),
            _ => name
                .strip_prefix("constant:")
                .and_then(|number| number.parse().ok())
                .map(Self::Constant)
                .ok_or_else(|| format!("`{name}` is none of random, noop and constant:N")),
        }
    }
}

/// Plays a game and writes the recording.
///
/// # Errors
/// There is no such Python, or it lacks a package, or the game cannot be played; or the output cannot be written.
pub fn play(live: &Live, out: &mut dyn Write) -> Result<Recorded, Box<Diagnostic>> {
    let constant = match live.policy {
        Policy::Random => String::new(),
        Policy::Constant(action) if action as usize >= live.game.actions().len() => {
            return Err(Box::new(no_action(live.game, action)));
        }
        Policy::Constant(action) => action.to_string(),
    };
    let mut command = Command::new(&live.python);
    command.arg("-c").arg(SCRIPT).args([&live.environment, live.game.name(), &live.policy.name(), &constant]);
    command.args([live.steps.to_string(), live.seed.to_string()]);
    command.args([live.options.hud, live.options.quirks].map(|is| if is { "true" } else { "false" }));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let missing = |why: String| {
        let help = format!("install them: `{} -m pip install gymnasium ale-py`", live.python);
        let error = Diagnostic::new(codes::NO_EMULATOR, Severity::Error, why).with_help(help);
        Box::new(error.with_help("or name a Python that has them with `--python`"))
    };
    let started = command.spawn().map_err(|error| missing(format!("`{}` cannot be started: {error}", live.python)));
    let mut child = Ended(started?);
    let (Some(output), Some(errors)) = (child.0.stdout.take(), child.0.stderr.take()) else {
        unreachable!("both were asked for")
    };
    // Both are read at once: it waits with the one while the other is full.
    let listener = std::thread::spawn(move || last_line(errors));
    let recorded = rewrite(&mut BufReader::new(output), out);
    if recorded.is_err() {
        // It may still be playing, and nobody reads on. That it has ended by itself is all right.
        let _ = child.0.kill();
    }
    let status = child.0.wait().map_err(|error| missing(format!("`{}` has no end: {error}", live.python)))?;
    let reason = listener.join().ok().flatten().unwrap_or_else(|| "it says nothing".to_owned());
    match status.code() {
        Some(0) => recorded,
        Some(NOT_INSTALLED) => Err(missing(reason)),
        // Whatever of the recording is wrong then follows from that.
        _ if recorded.is_err() || !status.success() => {
            let message = format!("`{}` cannot be played: {reason}", live.environment);
            Err(Box::new(Diagnostic::new(codes::NO_EMULATOR, Severity::Error, message)))
        }
        _ => recorded,
    }
}

/// That a game has no such action.
fn no_action(game: Game, action: u32) -> Diagnostic {
    let actions = game.actions();
    let listed: Vec<String> = actions.iter().enumerate().map(|(number, name)| format!("{number} {name}")).collect();
    let message = format!("{game} has no action {action}: there are {}", actions.len());
    Diagnostic::new(codes::NO_SUCH_ACTION, Severity::Error, message)
        .with_help(format!("these are {}", listed.join(", ")))
}

/// The last line that a process says, of which no more than its beginning is kept.
fn last_line(mut said: impl Read) -> Option<String> {
    const KEPT: usize = 1 << 12;
    let (mut last, mut line, mut bytes) = (Vec::new(), Vec::new(), [0; 1 << 12]);
    // What cannot be read of the reason is left out.
    while let Ok(count @ 1..) = said.read(&mut bytes) {
        for &byte in &bytes[..count] {
            match byte {
                b'\n' if line.trim_ascii().is_empty() => line.clear(),
                b'\n' => last = std::mem::take(&mut line),
                _ if line.len() < KEPT => line.push(byte),
                _ => {}
            }
        }
    }
    let last = if line.trim_ascii().is_empty() { last } else { line };
    (!last.is_empty()).then(|| String::from_utf8_lossy(&last).into_owned())
}

/// A process that does not outlive its reader.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // Both fail only where it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
