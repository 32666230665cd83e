//! Where objects were when, for scores by position.
//!
//! An object's location is the first of the world's [location attributes](World::locations) that the state knows of it; only
//! objects with a location have a place. An object *moves* in a
//! state if it was not there in the state before, or if its location lies more than [`POSITION_TOLERANCE`] from the one in
//! the state before. It is *stationary* in an interval if it does not move in any state strictly between the first and the
//! last; its position there is its location in the first state. All states count, those included in which the setup does
//! not hold.

use glam::DVec3;
use rustc_hash::FxHashMap;

use crate::ids::{AttributeMask, ObjectId};
use crate::state::{ChangeSet, State};
use crate::world::World;

/// Positions closer than this, in the world's unit of length (metres), are the same.
pub const POSITION_TOLERANCE: f64 = 0.01;

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The state, counted from 1.
    step: u64,
    /// Where the object is from that state on; `None`: nowhere.
    location: Option<DVec3>,
    moved: bool,
}

/// The whereabouts of all objects that have a place, state by state.
#[derive(Debug, Clone, Default)]
pub struct MovementLog {
    steps: u64,
    /// Per object, every state in which its location was another than before.
    entries: FxHashMap<ObjectId, Vec<Entry>>,
    /// How many entries there are.
    len: usize,
}

impl MovementLog {
    /// Takes down the next state.
    pub fn record(&mut self, world: &World, state: &State) {
        self.steps += 1;
        world.object_ids().for_each(|object| self.look_at(world, state, object));
    }

    /// Takes down the next state, of which it is known what changed: looks at those objects only.
    pub fn record_changes(&mut self, world: &World, state: &State, changes: &ChangeSet) {
        if changes.all {
            return self.record(world, state);
        }
        self.steps += 1;
        let mask = world.locations().iter().fold(AttributeMask::NONE, |mask, &id| mask | AttributeMask::one(id));
        for &(object, changed) in &changes.objects {
            if changed.intersects(mask) {
                self.look_at(world, state, object);
            }
        }
        changes.presence.iter().for_each(|&object| self.look_at(world, state, object));
    }

    fn look_at(&mut self, world: &World, state: &State, object: ObjectId) {
        let location = world.locations().iter().find_map(|&attribute| state.vec3(attribute, object));
        let location = location.filter(|_| state.present(object));
        let before = self.entries.get(&object).and_then(|entries| entries.last()).and_then(|entry| entry.location);
        if location != before {
            let moved = match (before, location) {
                (Some(before), Some(location)) => !same_place(before, location),
                _ => true,
            };
            self.entries.entry(object).or_default().push(Entry { step: self.steps, location, moved });
            self.len += 1;
        }
    }

    /// How many changes of place are remembered.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets what only intervals that begin before the state `start` could ask for.
    pub fn forget_before(&mut self, start: u64) {
        for entries in self.entries.values_mut() {
            let needed = entries.partition_point(|entry| entry.step <= start).saturating_sub(1);
            entries.drain(..needed);
        }
        self.len = self.entries.values().map(Vec::len).sum();
    }

    /// Where the object stays from state `start` to state `end`; `None` if it moves on the way or has no place.
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

/// Whether two positions are the same within [`POSITION_TOLERANCE`].
pub fn same_place(left: DVec3, right: DVec3) -> bool {
    left.distance(right) <= POSITION_TOLERANCE
}
