//! Buildings as the authors' implementation tracks them.
//!
//! A building is a set of snapshots: its members keep the state in which they joined, and its bounding box is that of the snapshots.
//! Only objects that the agent has held can join.

use std::sync::Arc;

use glam::DVec3;
use goalspec_core::ids::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::error::PlayError;
use super::predicates::in_motion;
use super::recorded_objects::{ObjectSnapshot, RecordedObjects};
use super::tables::{ObjectClass, Tables};

/// A building.
#[derive(Debug, Clone)]
pub(super) struct Building {
    /// Snapshots of the members at the time they joined.
    members: Vec<Arc<ObjectSnapshot>>,
    min: DVec3,
    max: DVec3,
    active: bool,
}

impl Building {
    fn empty() -> Self {
        Self { members: Vec::new(), min: DVec3::ZERO, max: DVec3::ZERO, active: false }
    }

    /// Returns the snapshots of the members.
    pub(super) fn members(&self) -> &[Arc<ObjectSnapshot>] {
        &self.members
    }

    /// Returns whether the object is a member.
    pub(super) fn contains(&self, object: ObjectId) -> bool {
        self.members.iter().any(|member| member.object == object)
    }

    /// Returns the center of the bounding box. An emptied building keeps its last box; an unused one is at the origin.
    pub(super) fn center(&self) -> DVec3 {
        (self.min + self.max) / 2.0
    }

    /// Returns half the size of the bounding box along each axis.
    pub(super) fn half(&self) -> DVec3 {
        (self.max - self.min) / 2.0
    }

    fn add(&mut self, snapshot: &Arc<ObjectSnapshot>) {
        let (min, max) = (snapshot.center - snapshot.half, snapshot.center + snapshot.half);
        if self.members.is_empty() {
            (self.min, self.max) = (min, max);
        } else {
            (self.min, self.max) = (self.min.min(min), self.max.max(max));
        }
        match self.members.iter_mut().find(|member| member.object == snapshot.object) {
            Some(member) => *member = snapshot.clone(),
            None => self.members.push(snapshot.clone()),
        }
    }

    fn remove(&mut self, object: ObjectId) {
        self.members.retain(|member| member.object != object);
        let boxes = self.members.iter().map(|member| (member.center - member.half, member.center + member.half));
        if let Some((min, max)) = boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) {
            (self.min, self.max) = (min, max);
        }
    }
}

/// All buildings of a play.
#[derive(Debug, Clone)]
pub(super) struct Buildings {
    /// The buildings, by number.
    all: Vec<Building>,
    held: Option<ObjectId>,
    candidates: FxHashSet<ObjectId>,
    home: FxHashMap<ObjectId, usize>,
    moved: FxHashSet<ObjectId>,
}

impl Buildings {
    /// Creates a set of empty buildings.
    pub(super) fn new(tables: &Tables) -> Self {
        Self {
            all: vec![Building::empty(); tables.buildings().len()],
            held: None,
            candidates: FxHashSet::default(),
            home: FxHashMap::default(),
            moved: FxHashSet::default(),
        }
    }

    /// Returns the building with this number.
    pub(super) fn get(&self, number: usize) -> &Building {
        &self.all[number]
    }

    /// Updates the buildings with the objects that a state lists.
    pub(super) fn update(
        &mut self,
        listed_objects: &[ObjectId],
        recorded: &RecordedObjects,
        tables: &Tables,
    ) -> Result<(), PlayError> {
        if let (Some(agent), Some(object)) = (recorded.agent(), tables.agent())
            && listed_objects.contains(&object)
        {
            self.held = agent.held;
            self.candidates.extend(self.held);
        }
        let mut listed: Vec<ObjectId> =
            listed_objects.iter().copied().filter(|id| self.candidates.contains(id)).collect();
        listed.sort_unstable_by(|a, b| tables.id(*a).cmp(tables.id(*b)));
        listed.dedup();
        for object in listed {
            if let (ObjectClass::Movable, Some(snapshot)) = (tables.class(object), recorded.thing(object)) {
                self.place(snapshot, tables)?;
            }
        }
        Ok(())
    }

    fn place(&mut self, snapshot: &Arc<ObjectSnapshot>, tables: &Tables) -> Result<(), PlayError> {
        let object = snapshot.object;
        if self.held == Some(object) || in_motion(snapshot) {
            self.moved.insert(object);
            if self.held == Some(object) {
                self.leave(object);
            }
        } else if self.moved.remove(&object) {
            self.settle(snapshot, tables)?;
        } else if let Some(&home) = self.home.get(&object) {
            let mut touching = self.touched(snapshot);
            touching.insert(home);
            if touching.len() > 1 {
                self.merge(&touching, tables);
            }
        }
        Ok(())
    }

    /// Assigns a building to an object that has come to rest.
    fn settle(&mut self, snapshot: &Arc<ObjectSnapshot>, tables: &Tables) -> Result<(), PlayError> {
        let home = self.home.get(&snapshot.object).copied();
        let touching = self.touched(snapshot);
        let Some(target) = first_by_name(&touching, tables) else {
            if home.is_some_and(|home| self.all[home].members.len() == 1) {
                return Ok(());
            }
            let free = self.all.iter().position(|building| !building.active);
            let free = free.ok_or_else(|| PlayError::new("all buildings are in use"))?;
            // The object also stays a member of its previous building.
            self.join(snapshot, free);
            return Ok(());
        };
        if home != Some(target) {
            self.leave(snapshot.object);
        } else if touching.len() == 1 {
            return Ok(());
        }
        self.join(snapshot, target);
        if touching.len() > 1 {
            self.merge(&touching, tables);
        }
        Ok(())
    }

    fn touched(&self, snapshot: &ObjectSnapshot) -> FxHashSet<usize> {
        snapshot.touching.iter().filter_map(|other| self.home.get(other).copied()).collect()
    }

    fn join(&mut self, snapshot: &Arc<ObjectSnapshot>, number: usize) {
        self.all[number].add(snapshot);
        self.all[number].active = true;
        self.home.insert(snapshot.object, number);
    }

    fn leave(&mut self, object: ObjectId) {
        if let Some(home) = self.home.remove(&object) {
            let building = &mut self.all[home];
            building.remove(object);
            building.active = !building.members.is_empty();
        }
    }

    /// Moves all members into the building whose name sorts first.
    fn merge(&mut self, numbers: &FxHashSet<usize>, tables: &Tables) {
        let Some(target) = first_by_name(numbers, tables) else { return };
        let mut others: Vec<usize> = numbers.iter().copied().filter(|&number| number != target).collect();
        others.sort_unstable();
        for number in others {
            // The box of the emptied building shrinks with each member that leaves, and keeps the box of the last one.
            while let Some(member) = self.all[number].members.first().cloned() {
                self.all[number].remove(member.object);
                self.join(&member, target);
            }
            self.all[number].active = false;
        }
    }
}

/// Returns the building whose name sorts first; `building_10` sorts before `building_2`.
fn first_by_name(numbers: &FxHashSet<usize>, tables: &Tables) -> Option<usize> {
    numbers.iter().copied().min_by_key(|&number| tables.id(tables.buildings()[number]))
}
