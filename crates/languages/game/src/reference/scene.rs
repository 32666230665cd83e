//! The view of one state that predicates and functions evaluate: objects with their positions and bounding boxes.

use std::sync::Arc;

use glam::DVec3;
use goalspec_core::ids::ObjectId;

use super::buildings::{Building, Buildings};
use super::error::PlayError;
use super::recorded_objects::{Agent, ObjectSnapshot, RecordedObjects};
use super::tables::{Fixture, FixtureKind, ObjectClass, Tables};

/// The objects of one state.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// The tables of the room.
    pub(super) tables: &'a Tables,
    /// The last recorded state of each object.
    pub(super) things: &'a RecordedObjects,
    /// The buildings.
    pub(super) buildings: &'a Buildings,
    /// The agent.
    pub(super) agent: &'a Agent,
}

impl<'a> Scene<'a> {
    /// Returns the current state of an object, or `None` for symbols and for objects that were never listed.
    pub(super) fn item(&self, object: ObjectId) -> Option<SceneObject<'a>> {
        match self.tables.class(object) {
            ObjectClass::Agent => Some(SceneObject::Agent(self.agent)),
            ObjectClass::Movable => self.things.thing(object).map(SceneObject::Thing),
            ObjectClass::Fixture(place) => {
                let (fixture, object) = &self.tables.fixtures()[place];
                Some(SceneObject::Fixture(fixture, *object))
            }
            ObjectClass::Building(number) => Some(SceneObject::Building(self.buildings.get(number), object)),
            ObjectClass::Symbol => None,
        }
    }

    /// Returns the rug, on which the agent may stand instead of the floor.
    pub(super) fn rug(&self) -> Option<&'a Fixture> {
        let mut fixtures = self.tables.fixtures().iter().map(|(fixture, _)| fixture);
        fixtures.find(|fixture| fixture.kind == FixtureKind::Rug)
    }

    /// Returns the wall nearest to a position, measured perpendicular to each wall. Of equally near walls, the first is returned.
    pub(super) fn nearest_wall(&self, place: DVec3) -> Option<ObjectId> {
        let mut nearest: Option<(f64, ObjectId)> = None;
        for (fixture, object) in self.tables.fixtures().iter().filter(|(f, _)| f.kind == FixtureKind::Wall) {
            let distance = distance_across(place, fixture.center, fixture.along_z);
            if nearest.is_none_or(|(smallest, _)| distance < smallest) {
                nearest = Some((distance, *object));
            }
        }
        nearest.map(|(_, wall)| wall)
    }
}

/// The current state of one object.
#[derive(Clone, Copy)]
pub(super) enum SceneObject<'a> {
    /// The agent.
    Agent(&'a Agent),
    /// A movable object.
    Thing(&'a Arc<ObjectSnapshot>),
    /// A fixture.
    Fixture(&'a Fixture, ObjectId),
    /// A building.
    Building(&'a Building, ObjectId),
}

impl SceneObject<'_> {
    /// Returns the center of the bounding box, or the origin if there is no box.
    pub(super) fn location(&self) -> DVec3 {
        match self {
            Self::Agent(agent) => agent.bounds.map_or(agent.position, |(center, _)| center),
            Self::Thing(snapshot) => snapshot.center,
            Self::Fixture(fixture, _) => fixture.center,
            Self::Building(building, _) => building.center(),
        }
    }

    /// Returns the origin.
    pub(super) fn position(&self) -> DVec3 {
        match self {
            Self::Agent(agent) => agent.position,
            Self::Thing(snapshot) => snapshot.position,
            _ => self.location(),
        }
    }

    /// Returns the bounding box.
    pub(super) fn bounds(&self) -> Result<Bounds, PlayError> {
        let (center, half) = match self {
            Self::Agent(agent) => {
                agent.bounds.ok_or_else(|| PlayError::new("the recording has no bounding box of the agent"))?
            }
            Self::Thing(thing) => (thing.center, thing.half),
            Self::Fixture(fixture, _) => (fixture.center, fixture.half_extents),
            Self::Building(building, _) => (building.center(), building.half()),
        };
        Ok(Bounds { center, half })
    }

    /// Returns whether recordings do not describe the object.
    pub(super) fn is_pseudo_object(&self) -> bool {
        matches!(self, Self::Fixture(..) | Self::Building(..))
    }

    /// Returns whether distances to a pseudo-object are measured along x rather than along z.
    fn is_turned(&self) -> bool {
        matches!(self, Self::Fixture(fixture, _) if fixture.along_z)
    }
}

/// An axis-aligned bounding box. Corners are not stored but computed on demand, because rounding depends on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// The center.
    pub(super) center: DVec3,
    /// Half the size along each axis.
    pub(super) half: DVec3,
}

impl Bounds {
    /// Returns the minimum corner.
    pub(super) fn min(&self) -> DVec3 {
        self.center - self.half
    }

    /// Returns the maximum corner.
    pub(super) fn max(&self) -> DVec3 {
        self.center + self.half
    }

    /// Returns the midpoints of the four vertical edges.
    pub(super) fn corners(&self) -> [DVec3; 4] {
        let DVec3 { x, z, .. } = self.half;
        [(x, z), (x, -z), (-x, -z), (-x, z)].map(|(x, z)| self.center + DVec3::new(x, 0.0, z))
    }

    /// Returns whether the x and z coordinates of a point are within the box.
    pub(super) fn contains_horizontally(&self, point: DVec3) -> bool {
        let (min, max) = (self.min(), self.max());
        min.x <= point.x && point.x <= max.x && min.z <= point.z && point.z <= max.z
    }
}

/// Returns the distance along one axis.
fn distance_across(a: DVec3, b: DVec3, along_x: bool) -> f64 {
    if along_x { (a.x - b.x).abs() } else { (a.z - b.z).abs() }
}

/// Returns the distance between two objects: along one axis if exactly one of them is a pseudo-object, Euclidean otherwise.
pub(super) fn distance(a: SceneObject<'_>, b: SceneObject<'_>) -> f64 {
    let (from, to) = (a.location(), b.location());
    match (a.is_pseudo_object(), b.is_pseudo_object()) {
        (true, false) => distance_across(from, to, a.is_turned()),
        (false, true) => distance_across(from, to, b.is_turned()),
        _ => from.distance(to),
    }
}
