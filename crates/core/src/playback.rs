//! Playback of the states of a recording or a live environment.

use std::sync::Arc;

use crate::monitor::StateUpdate;
use crate::state::{ChangeSet, Delta, DeltaError, State};
use crate::world::{TrackerState, World};

/// The current state of a world while deltas arrive, including everything that the world's trackers derive.
///
/// One playback can serve any number of monitors.
#[derive(Debug, Clone)]
pub struct Playback {
    world: Arc<World>,
    state: State,
    trackers: TrackerState,
    changes: ChangeSet,
    steps: u64,
}

impl Playback {
    /// Creates a playback before its first state.
    pub fn new(world: impl Into<Arc<World>>) -> Self {
        let world = world.into();
        Self {
            state: State::new(&world),
            trackers: TrackerState::new(&world),
            world,
            changes: ChangeSet::default(),
            steps: 0,
        }
    }

    /// Advances to the next state. [`try_advance`](Self::try_advance) checks the delta first.
    ///
    /// # Panics
    /// If the delta is not [of the world](Delta::check).
    pub fn advance(&mut self, delta: &Delta) {
        self.changes.clear();
        self.changes.all = self.steps == 0;
        self.state.apply(&self.world, delta, &mut self.changes);
        self.trackers.advance(&self.world, &mut self.state, delta, &mut self.changes);
        self.steps += 1;
    }

    /// Checks a delta and advances to the next state.
    ///
    /// # Errors
    /// If the delta is not [of the world](Delta::check). The playback is then unchanged.
    pub fn try_advance(&mut self, delta: &Delta) -> Result<(), DeltaError> {
        delta.check(&self.world)?;
        self.advance(delta);
        Ok(())
    }

    /// Returns the step for monitors that the latest call of [`advance`](Self::advance) produced. `delta` is the one that was passed to
    /// that call.
    pub fn update<'a>(&'a self, delta: &'a Delta, last: bool) -> StateUpdate<'a> {
        StateUpdate {
            state: &self.state,
            changes: &self.changes,
            listed_objects: &delta.listed_objects,
            unknown_objects: delta.unknown_objects,
            clock: delta.clock,
            time: delta.time,
            last,
        }
    }

    /// Returns the world.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Returns the current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the changes of the latest step.
    pub fn changes(&self) -> &ChangeSet {
        &self.changes
    }

    /// Returns messages about values that the trackers could not derive so far, for the remarks of a report.
    pub fn remarks(&self) -> Vec<String> {
        self.trackers.remarks()
    }

    /// Returns the number of states so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}
