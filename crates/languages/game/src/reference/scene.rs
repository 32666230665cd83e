//! What predicates and functions look at: the objects of one state, each with its place and box.

use std::sync::Arc;

use glam::DVec3;
use goalspec_core::ids::ObjectId;

use super::buildings::{Building, Buildings};
use super::failure::Failure;
use super::tables::{Class, Fixture, FixtureKind, Tables};
use super::things::{Agent, Thing, Things};

/// The objects of one state.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// The tables of the room.
    pub(super) tables: &'a Tables,
    /// What was seen so far.
    pub(super) things: &'a Things,
    /// The buildings so far.
    pub(super) buildings: &'a Buildings,
    /// The agent.
    pub(super) agent: &'a Agent,
}

impl<'a> Scene<'a> {
    /// The object as it is now; nothing for symbols and for things that were never seen.
    pub(super) fn item(&self, object: ObjectId) -> Option<Item<'a>> {
        match self.tables.class(object) {
            Class::Agent => Some(Item::Agent(self.agent)),
            Class::Thing => self.things.thing(object).map(Item::Thing),
            Class::Fixture(place) => {
                let (fixture, object) = &self.tables.fixtures()[place];
                Some(Item::Fixture(fixture, *object))
            }
            Class::Building(number) => Some(Item::Building(self.buildings.get(number), object)),
            Class::Symbol => None,
        }
    }

    /// The rug, which tells where the agent stands on the floor.
    pub(super) fn rug(&self) -> Option<&'a Fixture> {
        let mut fixtures = self.tables.fixtures().iter().map(|(fixture, _)| fixture);
        fixtures.find(|fixture| fixture.kind == FixtureKind::Rug)
    }

    /// The wall nearest to a place, measured across each wall: of several, the first.
    pub(super) fn nearest_wall(&self, place: DVec3) -> Option<ObjectId> {
        let mut nearest: Option<(f64, ObjectId)> = None;
        for (fixture, object) in self.tables.fixtures().iter().filter(|(f, _)| f.kind == FixtureKind::Wall) {
            let distance = distance_across(place, fixture.center, fixture.turned);
            if nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, *object));
            }
        }
        nearest.map(|(_, wall)| wall)
    }
}

/// One object as it is now.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    /// The agent.
    Agent(&'a Agent),
    /// A thing.
    Thing(&'a Arc<Thing>),
    /// A fixture.
    Fixture(&'a Fixture, ObjectId),
    /// A building.
    Building(&'a Building, ObjectId),
}

impl Item<'_> {
    /// The middle of the box, or the origin where there is no box.
    pub(super) fn location(&self) -> DVec3 {
        match self {
            Self::Agent(agent) => agent.bounds.map_or(agent.position, |(center, _)| center),
            Self::Thing(thing) => thing.center,
            Self::Fixture(fixture, _) => fixture.center,
            Self::Building(building, _) => building.center(),
        }
    }

    /// The origin.
    pub(super) fn position(&self) -> DVec3 {
        match self {
            Self::Agent(agent) => agent.position,
            Self::Thing(thing) => thing.position,
            _ => self.location(),
        }
    }

    /// The box.
    pub(super) fn bounds(&self) -> Result<Bounds, Failure> {
        let (center, half) = match self {
            Self::Agent(agent) => agent.bounds.ok_or_else(|| Failure::new("the recording has no box of the agent"))?,
            Self::Thing(thing) => (thing.center, thing.half),
            Self::Fixture(fixture, _) => (fixture.center, fixture.half),
            Self::Building(building, _) => (building.center(), building.half()),
        };
        Ok(Bounds { center, half })
    }

    /// Whether recordings do not describe it.
    pub(super) fn is_pseudo(&self) -> bool {
        matches!(self, Self::Fixture(..) | Self::Building(..))
    }

    /// Whether distances to a pseudo-object are measured along x; else along z.
    fn is_turned(&self) -> bool {
        matches!(self, Self::Fixture(fixture, _) if fixture.turned)
    }
}

/// A box along the axes. Corners are computed anew where they are needed, as rounding depends on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Its middle.
    pub(super) center: DVec3,
    /// Half its size.
    pub(super) half: DVec3,
}

impl Bounds {
    /// The lowest corner.
    pub(super) fn min(&self) -> DVec3 {
        self.center - self.half
    }

    /// The highest corner.
    pub(super) fn max(&self) -> DVec3 {
        self.center + self.half
    }

    /// The four vertical edges' places: at half height, x and z of the corners.
    pub(super) fn corners(&self) -> [DVec3; 4] {
        let DVec3 { x, z, .. } = self.half;
        [(x, z), (x, -z), (-x, -z), (-x, z)].map(|(x, z)| self.center + DVec3::new(x, 0.0, z))
    }

    /// Whether x and z of a point are within the box.
    pub(super) fn spans(&self, point: DVec3) -> bool {
        let (min, max) = (self.min(), self.max());
        min.x <= point.x && point.x <= max.x && min.z <= point.z && point.z <= max.z
    }
}

/// The distance along one axis.
fn distance_across(a: DVec3, b: DVec3, along_x: bool) -> f64 {
    if along_x { (a.x - b.x).abs() } else { (a.z - b.z).abs() }
}

/// The distance between two objects: along one axis if exactly one of them is a pseudo-object.
pub(super) fn distance(a: Item<'_>, b: Item<'_>) -> f64 {
    let (here, there) = (a.location(), b.location());
    match (a.is_pseudo(), b.is_pseudo()) {
        (true, false) => distance_across(here, there, a.is_turned()),
        (false, true) => distance_across(here, there, b.is_turned()),
        _ => here.distance(there),
    }
}
