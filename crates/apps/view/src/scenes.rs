//! The states that a run shows, from any source.

use std::sync::Arc;

use goalspec::core::world::World;
use goalspec::rewards::screen_worlds::ScreenWorld;
use goalspec::rewards::world::RewardWorld;
use goalspec::syntax::Diagnostic;
use goalspec::trace::TraceInput;
use serde_json::Value;

use crate::screens::Screens;
use crate::states::States;

/// The source of the states of a run. Opening it takes the time of reading all states.
#[derive(Debug, Clone)]
pub enum SceneSource {
    /// A trace, with a world that has its objects.
    Trace(TraceInput, Arc<World>),
    /// A recording of the screens of a game.
    Screens(TraceInput, &'static ScreenWorld),
}

/// States that can be shown in any order.
#[derive(Debug)]
pub enum Scenes {
    /// The states of a world.
    States(States),
    /// The screens of a game.
    Screens(Screens),
}

impl SceneSource {
    /// Returns the source of the frames of a reward function.
    pub(crate) fn of_frames(input: &TraceInput, world: &RewardWorld) -> Self {
        match world {
            RewardWorld::Screen(world) => Self::Screens(input.clone(), world),
            RewardWorld::Objects(world) => Self::Trace(input.clone(), Arc::clone(world.core())),
        }
    }

    /// Reads the states.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read(&self) -> Result<Scenes, Box<Diagnostic>> {
        Ok(match self {
            Self::Trace(input, world) => Scenes::States(States::read(input, world)?),
            Self::Screens(input, world) => Scenes::Screens(Screens::read(input, world)?),
        })
    }
}

impl Scenes {
    /// Returns the number of states.
    pub fn len(&self) -> usize {
        match self {
            Self::States(states) => states.len(),
            Self::Screens(screens) => screens.len(),
        }
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a state, counted from 0; `None` if there is no such state. With `only_changes`, it has only what differs from the state
    /// before.
    ///
    /// # Errors
    /// If the states cannot be played.
    pub fn document(&self, at: usize, only_changes: bool) -> Result<Option<Value>, Box<Diagnostic>> {
        match self {
            Self::States(states) => states.document(at, only_changes),
            Self::Screens(screens) => Ok(screens.document(at, only_changes)),
        }
    }
}
