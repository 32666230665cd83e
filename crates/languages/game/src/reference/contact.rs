//! Predicates for contact and containment: touch, on, in, above.

use glam::DVec3;
use goalspec_core::ids::ObjectId;

use super::buildings::Building;
use super::error::PlayError;
use super::predicates::adjacent;
use super::recorded_objects::ObjectSnapshot;
use super::scene::{Bounds, Scene, SceneObject};
use super::tables::{Fixture, FixtureKind};

/// Maximum distance in metres by which a contained box may extend beyond its container.
const IN_MARGIN: f64 = 0.075;

/// Distance in metres below an object within which its support is searched.
const ON_DISTANCE: f64 = 0.01;

/// Returns whether two objects touch.
pub(super) fn touch(scene: Scene<'_>, a: SceneObject<'_>, b: SceneObject<'_>) -> Result<bool, PlayError> {
    match (a, b) {
        (SceneObject::Building(..), SceneObject::Building(..))
        | (SceneObject::Fixture(..), SceneObject::Fixture(..)) => Ok(false),
        (SceneObject::Building(building, _), other) | (other, SceneObject::Building(building, _)) => {
            building_touches(scene, building, other)
        }
        (SceneObject::Fixture(fixture, object), SceneObject::Agent(agent))
        | (SceneObject::Agent(agent), SceneObject::Fixture(fixture, object)) => Ok(match fixture.kind {
            FixtureKind::Door => agent.at_side && adjacent(a, b)?,
            FixtureKind::Wall => {
                agent.at_side
                    && adjacent(a, b)?
                    && scene.nearest_wall(SceneObject::Agent(agent).location()) == Some(object)
            }
            FixtureKind::Rug => {
                agent.on_floor && on(scene, SceneObject::Fixture(fixture, object), SceneObject::Agent(agent))?
            }
            FixtureKind::Center => false,
        }),
        (SceneObject::Fixture(fixture, object), SceneObject::Thing(snapshot))
        | (SceneObject::Thing(snapshot), SceneObject::Fixture(fixture, object)) => {
            Ok(thing_touches(scene, snapshot, fixture, object))
        }
        (SceneObject::Agent(_), SceneObject::Thing(snapshot))
        | (SceneObject::Thing(snapshot), SceneObject::Agent(_)) => {
            Ok(scene.tables.agent().is_some_and(|agent| snapshot.touching.contains(&agent)))
        }
        (SceneObject::Thing(a), SceneObject::Thing(b)) => {
            Ok(a.touching.contains(&b.object) || b.touching.contains(&a.object))
        }
        (SceneObject::Agent(_), SceneObject::Agent(_)) => Err(PlayError::new("the agent cannot touch itself")),
    }
}

/// Returns whether an object touches a fixture. Recordings list walls without distinguishing them; the nearest wall counts as
/// touched.
fn thing_touches(scene: Scene<'_>, snapshot: &ObjectSnapshot, fixture: &Fixture, object: ObjectId) -> bool {
    match fixture.kind {
        FixtureKind::Wall => {
            let mut walls = scene.tables.touched_walls().iter();
            walls.any(|wall| snapshot.touching.contains(wall)) && scene.nearest_wall(snapshot.center) == Some(object)
        }
        FixtureKind::Door | FixtureKind::Rug => snapshot.touching.contains(&object),
        FixtureKind::Center => false,
    }
}

fn building_touches(scene: Scene<'_>, building: &Building, other: SceneObject<'_>) -> Result<bool, PlayError> {
    if let SceneObject::Thing(snapshot) = other
        && building.contains(snapshot.object)
    {
        return Ok(false);
    }
    for member in building.members() {
        if touch(scene, SceneObject::Thing(member), other)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether the upper object is on the lower one.
pub(super) fn on(scene: Scene<'_>, lower: SceneObject<'_>, upper: SceneObject<'_>) -> Result<bool, PlayError> {
    if let SceneObject::Agent(agent) = upper {
        let on_rug = || -> Result<bool, PlayError> {
            let rug = scene.rug().ok_or_else(|| PlayError::new("the room has no rug"))?;
            Ok(Bounds { center: rug.center, half: rug.half_extents }.contains_horizontally(agent.position))
        };
        return match lower {
            SceneObject::Fixture(fixture, _) if fixture.kind == FixtureKind::Rug => on_rug(),
            SceneObject::Thing(snapshot) if scene.tables.id(snapshot.object).contains("Rug") => on_rug(),
            SceneObject::Thing(snapshot) if scene.tables.id(snapshot.object).contains("Floor") => Ok(!on_rug()?),
            _ => Ok(false),
        };
    }
    match lower {
        SceneObject::Agent(_) => return Ok(false),
        SceneObject::Fixture(fixture, _) if matches!(fixture.kind, FixtureKind::Wall | FixtureKind::Door) => {
            return Ok(false);
        }
        _ => {}
    }
    if touch(scene, lower, upper)? {
        return Ok(rests_on(&lower.bounds()?, &upper.bounds()?) || within(scene, lower, upper, true)?);
    }
    match (lower, upper) {
        // The building rests on a member that lies on no other member and on which another member lies.
        (_, SceneObject::Building(building, _)) => match lower {
            SceneObject::Thing(snapshot) if building.contains(snapshot.object) => {
                Ok(!any_other(building, snapshot, |member| on(scene, member, lower))?
                    && any_other(building, snapshot, |member| on(scene, lower, member))?)
            }
            _ => Ok(false),
        },
        // The object is a member on which no other member lies and that lies on another member.
        (SceneObject::Building(building, _), SceneObject::Thing(snapshot)) if building.contains(snapshot.object) => {
            Ok(!any_other(building, snapshot, |member| on(scene, upper, member))?
                && any_other(building, snapshot, |member| on(scene, member, upper))?)
        }
        _ => Ok(false),
    }
}

fn any_other(
    building: &Building,
    snapshot: &ObjectSnapshot,
    holds: impl Fn(SceneObject<'_>) -> Result<bool, PlayError>,
) -> Result<bool, PlayError> {
    for member in building.members().iter().filter(|member| member.object != snapshot.object) {
        if holds(SceneObject::Thing(member))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a corner or the center of the bottom face of the upper box, lowered by [`ON_DISTANCE`], is in the upper three
/// quarters of the lower box.
fn rests_on(lower: &Bounds, upper: &Bounds) -> bool {
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
pub(super) fn within(
    scene: Scene<'_>,
    container: SceneObject<'_>,
    inner: SceneObject<'_>,
    anywhere: bool,
) -> Result<bool, PlayError> {
    match (container, inner) {
        (SceneObject::Agent(_), _)
        | (_, SceneObject::Agent(_))
        | (SceneObject::Building(..), SceneObject::Building(..) | SceneObject::Fixture(..))
        | (SceneObject::Fixture(..) | SceneObject::Thing(_), SceneObject::Fixture(..))
        | (SceneObject::Fixture(..), SceneObject::Thing(_)) => Ok(false),
        (SceneObject::Building(building, _), SceneObject::Thing(snapshot)) => Ok(building.contains(snapshot.object)),
        (SceneObject::Thing(_) | SceneObject::Fixture(..), SceneObject::Building(..))
        | (SceneObject::Thing(_), SceneObject::Thing(_)) => {
            let is_container = match container {
                SceneObject::Thing(snapshot) => scene.tables.is_container(snapshot.object),
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
pub(super) fn above(scene: Scene<'_>, lower: SceneObject<'_>, upper: SceneObject<'_>) -> Result<bool, PlayError> {
    match upper {
        SceneObject::Agent(_) => on(scene, lower, upper),
        SceneObject::Building(building, _) => match lower {
            SceneObject::Agent(_) => Ok(false),
            SceneObject::Thing(snapshot) if building.contains(snapshot.object) => on(scene, lower, upper),
            _ => {
                for member in building.members() {
                    if above(scene, lower, SceneObject::Thing(member))? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        },
        SceneObject::Thing(_) | SceneObject::Fixture(..) => {
            let bounds = lower.bounds()?;
            Ok(bounds.contains_horizontally(scene.agent.position)
                && upper.location().y > bounds.center.y + bounds.half.y)
        }
    }
}
