//! The positions of objects over time, for scores by position.
//!
//! The location of an object is the value of the first of the world's [location attributes](World::locations) that the object has; absent
//! objects and objects without such a value have no location. An object *moves* in a state if it had no location in the previous state, or
//! if its location is more than [`POSITION_TOLERANCE`] from the one in the previous state. It is *stationary* in an interval if it does not
//! move in any state strictly between the first and the last; its position in the interval is its location in the first state. All states
//! count, including those in which the setup does not hold.

use glam::DVec3;
use rustc_hash::FxHashMap;

use crate::ids::{AttributeMask, ObjectId};
use crate::state::{ChangeSet, State};
use crate::world::World;

/// The maximum distance of two positions that count as the same, in the world's unit of length (metres).
pub const POSITION_TOLERANCE: f64 = 0.01;

#[derive(Debug, Clone, Copy)]
struct LocationChange {
    /// The state, counted from 1.
    step: u64,
    /// The location from that state on; `None` if the object has none.
    location: Option<DVec3>,
    moved: bool,
}

/// The location history of all objects that have had a location.
#[derive(Debug, Clone, Default)]
pub struct LocationHistory {
    steps: u64,
    /// For each object, the states in which its location changed.
    entries: FxHashMap<ObjectId, Vec<LocationChange>>,
    /// The total number of entries.
    len: usize,
}

impl LocationHistory {
    /// Records the next state.
    pub fn record(&mut self, world: &World, state: &State) {
        self.steps += 1;
        world.object_ids().for_each(|object| self.record_object(world, state, object));
    }

    /// Records the next state, visiting only the objects in `changes`.
    pub fn record_changes(&mut self, world: &World, state: &State, changes: &ChangeSet) {
        if changes.all {
            return self.record(world, state);
        }
        self.steps += 1;
        let mask = world.locations().iter().fold(AttributeMask::NONE, |mask, &id| mask | AttributeMask::one(id));
        for &(object, changed) in &changes.objects {
            if changed.intersects(mask) {
                self.record_object(world, state, object);
            }
        }
        changes.presence.iter().for_each(|&object| self.record_object(world, state, object));
    }

    fn record_object(&mut self, world: &World, state: &State, object: ObjectId) {
        let location = world.locations().iter().find_map(|&attribute| state.vec3(attribute, object));
        let location = location.filter(|_| state.is_present(object));
        let before = self.entries.get(&object).and_then(|entries| entries.last()).and_then(|entry| entry.location);
        if location != before {
            let moved = match (before, location) {
                (Some(before), Some(location)) => !same_position(before, location),
                _ => true,
            };
            self.entries.entry(object).or_default().push(LocationChange { step: self.steps, location, moved });
            self.len += 1;
        }
    }

    /// Returns the number of recorded changes of location.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no change of location is recorded.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Discards the history that is needed only for intervals that begin before the state `start`.
    pub fn discard_before(&mut self, start: u64) {
        for entries in self.entries.values_mut() {
            let needed = entries.partition_point(|entry| entry.step <= start).saturating_sub(1);
            entries.drain(..needed);
        }
        self.len = self.entries.values().map(Vec::len).sum();
    }

    /// Returns the position of an object that is stationary from state `start` to state `end`; `None` if it moves or has no location.
    pub fn stationary(&self, object: ObjectId, start: u64, end: u64) -> Option<DVec3> {
        let entries = self.entries.get(&object)?;
        let after_start = entries.partition_point(|entry| entry.step <= start);
        let inside = entries[after_start..].iter().take_while(|entry| entry.step < end);
        if inside.into_iter().any(|entry| entry.moved) {
            return None;
        }
        entries[..after_start].last()?.location
    }
}

/// Whether two positions are at most [`POSITION_TOLERANCE`] apart.
pub fn same_position(left: DVec3, right: DVec3) -> bool {
    left.distance(right) <= POSITION_TOLERANCE
}
