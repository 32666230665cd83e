//! Predicates for contact and containment: touch, on, in, above.

use glam::DVec3;
use goalspec_core::ids::ObjectId;

use super::buildings::Building;
use super::failure::Failure;
use super::predicates::adjacent;
use super::scene::{Bounds, Item, Scene};
use super::tables::{Fixture, FixtureKind};
use super::things::Thing;

/// Maximum distance in metres by which a contained box may extend beyond its container.
const IN_MARGIN: f64 = 0.075;

/// Distance in metres below an object within which its support is searched.
const ON_DISTANCE: f64 = 0.01;

/// Returns whether two objects touch.
pub(super) fn touch(scene: Scene<'_>, a: Item<'_>, b: Item<'_>) -> Result<bool, Failure> {
    match (a, b) {
        (Item::Building(..), Item::Building(..)) | (Item::Fixture(..), Item::Fixture(..)) => Ok(false),
        (Item::Building(building, _), other) | (other, Item::Building(building, _)) => {
            building_touches(scene, building, other)
        }
        (Item::Fixture(fixture, object), Item::Agent(agent)) | (Item::Agent(agent), Item::Fixture(fixture, object)) => {
            Ok(match fixture.kind {
                FixtureKind::Door => agent.at_side && adjacent(a, b)?,
                FixtureKind::Wall => {
                    agent.at_side
                        && adjacent(a, b)?
                        && scene.nearest_wall(Item::Agent(agent).location()) == Some(object)
                }
                FixtureKind::Rug => agent.on_floor && on(scene, Item::Fixture(fixture, object), Item::Agent(agent))?,
                FixtureKind::Center => false,
            })
        }
        (Item::Fixture(fixture, object), Item::Thing(thing)) | (Item::Thing(thing), Item::Fixture(fixture, object)) => {
            Ok(thing_touches(scene, thing, fixture, object))
        }
        (Item::Agent(_), Item::Thing(thing)) | (Item::Thing(thing), Item::Agent(_)) => {
            Ok(scene.tables.agent().is_some_and(|agent| thing.touching.contains(&agent)))
        }
        (Item::Thing(a), Item::Thing(b)) => Ok(a.touching.contains(&b.object) || b.touching.contains(&a.object)),
        (Item::Agent(_), Item::Agent(_)) => Err(Failure::new("the agent cannot touch itself")),
    }
}

/// Returns whether an object touches a fixture. Recordings list walls without distinguishing them; the nearest wall counts as
/// touched.
fn thing_touches(scene: Scene<'_>, thing: &Thing, fixture: &Fixture, object: ObjectId) -> bool {
    match fixture.kind {
        FixtureKind::Wall => {
            let mut walls = scene.tables.touched_walls().iter();
            walls.any(|wall| thing.touching.contains(wall)) && scene.nearest_wall(thing.center) == Some(object)
        }
        FixtureKind::Door | FixtureKind::Rug => thing.touching.contains(&object),
        FixtureKind::Center => false,
    }
}

fn building_touches(scene: Scene<'_>, building: &Building, other: Item<'_>) -> Result<bool, Failure> {
    if let Item::Thing(thing) = other
        && building.contains(thing.object)
    {
        return Ok(false);
    }
    for member in building.members() {
        if touch(scene, Item::Thing(member), other)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether the upper object is on the lower one.
pub(super) fn on(scene: Scene<'_>, lower: Item<'_>, upper: Item<'_>) -> Result<bool, Failure> {
    if let Item::Agent(agent) = upper {
        let on_rug = || -> Result<bool, Failure> {
            let rug = scene.rug().ok_or_else(|| Failure::new("the room has no rug"))?;
            Ok(Bounds { center: rug.center, half: rug.half }.spans(agent.position))
        };
        return match lower {
            Item::Fixture(fixture, _) if fixture.kind == FixtureKind::Rug => on_rug(),
            Item::Thing(thing) if scene.tables.id(thing.object).contains("Rug") => on_rug(),
            Item::Thing(thing) if scene.tables.id(thing.object).contains("Floor") => Ok(!on_rug()?),
            _ => Ok(false),
        };
    }
    match lower {
        Item::Agent(_) => return Ok(false),
        Item::Fixture(fixture, _) if matches!(fixture.kind, FixtureKind::Wall | FixtureKind::Door) => return Ok(false),
        _ => {}
    }
    if touch(scene, lower, upper)? {
        return Ok(rests(&lower.bounds()?, &upper.bounds()?) || within(scene, lower, upper, true)?);
    }
    match (lower, upper) {
        // The building rests on a member that lies on no other member and on which another member lies.
        (_, Item::Building(building, _)) => match lower {
            Item::Thing(thing) if building.contains(thing.object) => {
                Ok(!any_other(building, thing, |member| on(scene, member, lower))?
                    && any_other(building, thing, |member| on(scene, lower, member))?)
            }
            _ => Ok(false),
        },
        // The object is a member on which no other member lies and that lies on another member.
        (Item::Building(building, _), Item::Thing(thing)) if building.contains(thing.object) => {
            Ok(!any_other(building, thing, |member| on(scene, upper, member))?
                && any_other(building, thing, |member| on(scene, member, upper))?)
        }
        _ => Ok(false),
    }
}

fn any_other(
    building: &Building,
    thing: &Thing,
    holds: impl Fn(Item<'_>) -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    for member in building.members().iter().filter(|member| member.object != thing.object) {
        if holds(Item::Thing(member))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a corner or the center of the bottom face of the upper box, lowered by [`ON_DISTANCE`], is in the upper three
/// quarters of the lower box.
fn rests(lower: &Bounds, upper: &Bounds) -> bool {
    let drop = DVec3::new(0.0, upper.half.y + ON_DISTANCE, 0.0);
    let low =
        DVec3::new(lower.center.x - lower.half.x, lower.center.y - lower.half.y / 2.0, lower.center.z - lower.half.z);
    let high = lower.max();
    upper.corners().into_iter().chain([upper.center]).any(|point| {
        let point = point - drop;
        low.cmple(point).all() && point.cmple(high).all()
    })
}

/// Returns whether an object is in a container. If `anywhere` is set, any object may be the container.
pub(super) fn within(scene: Scene<'_>, container: Item<'_>, inner: Item<'_>, anywhere: bool) -> Result<bool, Failure> {
    match (container, inner) {
        (Item::Agent(_), _)
        | (_, Item::Agent(_))
        | (Item::Building(..), Item::Building(..) | Item::Fixture(..))
        | (Item::Fixture(..) | Item::Thing(_), Item::Fixture(..))
        | (Item::Fixture(..), Item::Thing(_)) => Ok(false),
        (Item::Building(building, _), Item::Thing(thing)) => Ok(building.contains(thing.object)),
        (Item::Thing(_) | Item::Fixture(..), Item::Building(..)) | (Item::Thing(_), Item::Thing(_)) => {
            let is_container = match container {
                Item::Thing(thing) => scene.tables.is_container(thing.object),
                _ => false,
            };
            if !(anywhere || is_container) {
                return Ok(false);
            }
            let (outer, inner) = (container.bounds()?, inner.bounds()?);
            let margin = DVec3::splat(IN_MARGIN);
            Ok(inner.min().cmpge(outer.min() - margin).all() && inner.max().cmple(outer.max() + margin).all())
        }
    }
}

/// Returns whether the upper object is above the lower one. The authors' implementation tests the horizontal position of the agent
/// instead of that of the upper object.
pub(super) fn above(scene: Scene<'_>, lower: Item<'_>, upper: Item<'_>) -> Result<bool, Failure> {
    match upper {
        Item::Agent(_) => on(scene, lower, upper),
        Item::Building(building, _) => match lower {
            Item::Agent(_) => Ok(false),
            Item::Thing(thing) if building.contains(thing.object) => on(scene, lower, upper),
            _ => {
                for member in building.members() {
                    if above(scene, lower, Item::Thing(member))? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        },
        Item::Thing(_) | Item::Fixture(..) => {
            let bounds = lower.bounds()?;
            Ok(bounds.spans(scene.agent.position) && upper.location().y > bounds.center.y + bounds.half.y)
        }
    }
}
