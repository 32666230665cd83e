//! Trackers, which derive attributes from the history of states, such as the buildings that a person stacks up.
//!
//!  module | contents |
//! |---|---|
//!  [`groups`] | groups of objects that the agent puts together |
//!  [`motion`] | speeds derived from positions, and initial values of attributes |

pub mod groups;
pub mod motion;

use super::World;
use super::operation::settings::unknown_operation;
use super::operation::{OperationDoc, Settings, SettingsError};
use crate::ids::AttributeMask;
use crate::state::{AttributeChange, ChangeSet, Delta, State};

pub use groups::{GroupTracker, GroupTrackerState};
pub use motion::{FirstValueTracker, SpeedTracker};

/// A derivation of attributes that needs memory of earlier states. Trackers run after each delta and before any
/// condition is evaluated.
#[derive(Debug, Clone, PartialEq)]
pub enum Tracker {
    /// Groups of objects that the agent puts together.
    Groups(GroupTracker),
    /// Speeds derived from positions.
    Speed(SpeedTracker),
    /// Initial values of attributes.
    FirstValue(FirstValueTracker),
}

impl Tracker {
    /// The documentation of all trackers.
    pub const DOCS: &[OperationDoc] = &[GroupTracker::DOC, SpeedTracker::DOC, FirstValueTracker::DOC];

    /// Creates the tracker called `name` from its settings.
    ///
    /// # Errors
    /// If the name is unknown or settings are invalid; the error lists all problems.
    pub fn resolve(name: &str, settings: &mut Settings<'_>) -> Result<Self, SettingsError> {
        let tracker = if name == GroupTracker::DOC.name {
            Self::Groups(GroupTracker::resolve(settings))
        } else if name == SpeedTracker::DOC.name {
            Self::Speed(SpeedTracker::resolve(settings))
        } else if name == FirstValueTracker::DOC.name {
            Self::FirstValue(FirstValueTracker::resolve(settings))
        } else {
            return Err(unknown_operation(name, Self::DOCS));
        };
        settings.finish(tracker)
    }
}

/// The memory of all trackers of a world during one playback.
#[derive(Debug, Clone)]
pub struct TrackerState {
    memories: Vec<Memory>,
}

#[derive(Debug, Clone)]
enum Memory {
    Groups(GroupTrackerState),
    Speed(motion::PreviousPositions),
    FirstValue,
}

impl TrackerState {
    /// Creates the memory before the first state.
    pub fn new(world: &World) -> Self {
        let memory = |tracker: &Tracker| match tracker {
            Tracker::Groups(groups) => Memory::Groups(GroupTrackerState::new(world, groups)),
            Tracker::Speed(speed) => Memory::Speed(motion::PreviousPositions::new(world, speed)),
            Tracker::FirstValue(_) => Memory::FirstValue,
        };
        Self { memories: world.trackers().iter().map(memory).collect() }
    }

    /// Runs every tracker: updates derived attributes and adds their changes to `changes`.
    pub fn advance(&mut self, world: &World, state: &mut State, delta: &Delta, changes: &mut ChangeSet) {
        for (tracker, memory) in world.trackers().iter().zip(&mut self.memories) {
            match (tracker, memory) {
                (Tracker::Groups(groups), Memory::Groups(grouping)) => {
                    grouping.advance(groups, world, state, &delta.listed_objects, &delta.removed);
                    grouping.write(groups, world, state, changes);
                }
                (Tracker::Speed(speed), Memory::Speed(positions)) => {
                    positions.advance(speed, world, state, delta, changes);
                }
                (Tracker::FirstValue(first), _) => first.advance(world, state, changes),
                // `new` pairs each tracker with a memory of its kind.
                _ => {}
            }
        }
    }

    /// Returns messages about values that could not be derived.
    pub fn remarks(&self) -> Vec<String> {
        self.memories
            .iter()
            .filter_map(|memory| match memory {
                Memory::Groups(grouping) => grouping.remark(),
                Memory::Speed(_) | Memory::FirstValue => None,
            })
            .collect()
    }
}

/// Assigns a value to an attribute and adds the change to `changes`.
fn write(world: &World, state: &mut State, change: &AttributeChange, changes: &mut ChangeSet) {
    let before = state.is_present(change.object);
    if state.set(world, change) {
        changes.add_attributes(change.object, AttributeMask::one(change.attribute));
    }
    if before != state.is_present(change.object) {
        changes.presence.push(change.object);
    }
}
