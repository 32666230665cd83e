//! Games played live, by a Python on this machine that has the Arcade Learning Environment.

use std::io::{BufReader, Write};
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
    /// Its name, as in options: `random`, `noop`, `constant:2`.
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
    let policy = match live.policy {
        Policy::Random => "random".to_owned(),
        Policy::Constant(action) => action.to_string(),
    };
    let mut command = Command::new(&live.python);
    command.arg("-c").arg(SCRIPT).args([&live.environment, live.game.name(), &policy]);
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
    let recorded = match child.0.stdout.take() {
        Some(output) => rewrite(&mut BufReader::new(output), out),
        None => unreachable!("its output was asked for"),
    };
    if recorded.is_err() {
        // It may still be playing, and nobody reads on. That it has ended by itself is all right.
        let _ = child.0.kill();
    }
    let mut said = String::new();
    if let Some(errors) = &mut child.0.stderr {
        // What cannot be read of the reason is left out.
        let _ = std::io::Read::read_to_string(&mut std::io::Read::take(errors, 1 << 16), &mut said);
    }
    let status = child.0.wait().map_err(|error| missing(format!("`{}` has no end: {error}", live.python)))?;
    let reason = said.lines().last().unwrap_or("it says nothing").to_owned();
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

/// A process that does not outlive its reader.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // Both fail only where it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
