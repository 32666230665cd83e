//! Walking over the states of a recording or a live environment.

use crate::monitor::Step;
use crate::state::{ChangeSet, Delta, State};
use crate::world::{TrackerState, World};

/// The current state of a world while deltas arrive, with everything that the world derives along the way (its trackers).
///
/// One playback serves any number of monitors.
#[derive(Debug, Clone)]
pub struct Playback<'w> {
    world: &'w World,
    state: State,
    trackers: TrackerState,
    changes: ChangeSet,
    steps: u64,
}

impl<'w> Playback<'w> {
    /// A playback before its first state.
    pub fn new(world: &'w World) -> Self {
        Self {
            world,
            state: State::new(world),
            trackers: TrackerState::new(world),
            changes: ChangeSet::default(),
            steps: 0,
        }
    }

    /// Moves to the next state.
    pub fn advance(&mut self, delta: &Delta) {
        self.changes.clear();
        self.changes.all = self.steps == 0;
        self.state.apply(self.world, delta, &mut self.changes);
        self.trackers.advance(self.world, &mut self.state, delta, &mut self.changes);
        self.steps += 1;
    }

    /// The step that [`advance`](Self::advance) just took, for monitors. `delta` is the one it took.
    pub fn step<'a>(&'a self, delta: &'a Delta, last: bool) -> Step<'a> {
        Step {
            state: &self.state,
            changes: &self.changes,
            mentioned: &delta.mentioned,
            foreign: delta.foreign,
            clock: delta.clock,
            time: delta.time,
            last,
        }
    }

    /// The world.
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// The current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What changed in the last step.
    pub fn changes(&self) -> &ChangeSet {
        &self.changes
    }

    /// What could not be derived so far, in words; for the remarks of a report.
    pub fn remarks(&self) -> Vec<String> {
        self.trackers.remarks()
    }

    /// How many states were seen.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}
