//! A program that is called frame by frame.

use goalspec_atari::recording::Frame;
use goalspec_reward::Machine;
use goalspec_reward::entry::{Entry, Supply};
use goalspec_reward::limits::Budget;
use goalspec_reward::machine::{Error, Reward};
use goalspec_reward::scene::{self, Field, Objects, SceneObject};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;

use super::program::RewardProgram;
use super::score::reason;
use super::worlds::ScreenWorld;
use crate::codes;

/// A program that runs: its state is that of an episode.
pub(super) struct Caller<'r> {
    pub(super) machine: Machine<'r>,
    entry: Entry,
    /// The episode of the frame before.
    episode: Option<u64>,
    /// The scene before, in the same episode.
    before: Option<Vec<SceneObject>>,
    /// Whether the program asks for it.
    looks_back: bool,
}

impl<'r> Caller<'r> {
    /// A program before its first frame.
    pub(super) fn start(
        name: &str,
        reward: &'r RewardProgram,
        world: &'static ScreenWorld,
    ) -> Result<Self, Box<Diagnostic>> {
        let (Some(program), Some(entry)) = (&reward.program, reward.entry(world)) else {
            unreachable!("programs that do not run are left out")
        };
        let entry = entry?;
        let machine = Machine::new(program, &world.scene, Budget::default()).map_err(|error| not_run(name, &error))?;
        let mut supplies = entry.arguments.iter().chain(entry.named.iter().map(|(_, supply)| supply));
        let looks_back = supplies.any(|supply| *supply == Supply::Previous);
        Ok(Self { machine, entry, episode: None, before: None, looks_back })
    }

    /// The function that is called.
    pub(super) fn function(&self) -> &str {
        &self.entry.function
    }

    /// Calls it with a frame, whose objects are these.
    pub(super) fn call(&mut self, frame: &Frame, scene: &[SceneObject]) -> Result<Reward, Error> {
        if self.episode.replace(frame.episode) != Some(frame.episode) {
            self.before = None;
            self.machine.reset()?;
        }
        let action = frame.action.map(|action| Field::Int(action.into()));
        let asked = scene::Input {
            objects: Objects::Screen(scene),
            previous: self.before.as_deref().map(Objects::Screen),
            action: action.as_ref(),
        };
        let reward = self.machine.reward(&self.entry, &asked);
        if self.looks_back {
            self.before = Some(scene.to_vec());
        }
        reward
    }
}

/// That the top level of a program faults.
fn not_run(name: &str, error: &Error) -> Box<Diagnostic> {
    let (_, _, line) = reason(error);
    let line = line.map_or_else(String::new, |line| format!(", in line {line}"));
    let message = format!("`{name}` is not run: its top level ends with {error}{line}");
    Box::new(Diagnostic::new(codes::REFUSED, Severity::Error, message))
}
