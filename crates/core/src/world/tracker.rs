//! What a world derives along the way, such as the buildings that a person stacks up.

use super::World;
use crate::state::{ChangeSet, Delta, State};

/// A derivation that needs memory beyond the current state. It runs after each delta and before any condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Tracker {}

/// The memory of all trackers of one playback.
#[derive(Debug, Clone)]
pub struct TrackerState {}

impl TrackerState {
    /// The memory before the first state.
    pub fn new(_world: &World) -> Self {
        Self {}
    }

    /// Runs every tracker: brings derived attributes up to date and adds to the changes.
    pub fn advance(&mut self, _world: &World, _state: &mut State, _delta: &Delta, _changes: &mut ChangeSet) {}
}
