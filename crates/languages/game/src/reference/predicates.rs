//! The predicates and functions that the authors implemented, evaluated on the objects of one state.

use glam::{DVec2, DVec3};

use super::contact::{above, on, touch, within};
use super::error::PlayError;
use super::recorded_objects::ObjectSnapshot;
use super::scene::{Bounds, Scene, SceneObject, distance};

/// The absolute velocity component above which an object is in motion.
const MOTION_THRESHOLD: f64 = 0.1;

/// Maximum distance in metres of near objects.
const NEAR_DISTANCE: f64 = 0.75;

/// Absolute tolerance of equal coordinates, in metres. [`RELATIVE_TOLERANCE`] is added.
const SAME_COORDINATE: f64 = 0.1;

/// Relative tolerance of equal coordinates.
const RELATIVE_TOLERANCE: f64 = 1e-5;

/// Maximum gap in metres between adjacent objects.
const ADJACENT_GAP: f64 = 0.2;

/// The distance in metres by which boxes are enlarged on each side before they are tested for overlap.
const OVERLAP_GRACE: f64 = 0.01;

/// Maximum gap between small adjacent objects, as a multiple of their mean size.
const SIZE_FACTOR: f64 = 1.2;

/// Tolerance of equal angles, in degrees.
const ANGLE_TOLERANCE: f64 = 15.0;

/// An implemented predicate. All other predicates count as true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Predicate {
    Above,
    Adjacent,
    AgentCrouches,
    AgentHolds,
    Between,
    Broken,
    EqualX,
    EqualZ,
    Faces,
    In,
    InMotion,
    Near,
    ObjectOrientation,
    On,
    Open,
    SameType,
    ToggledOn,
    Touch,
}

impl Predicate {
    /// Returns the predicate with this name, if it is implemented.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "above" => Self::Above,
            "adjacent" => Self::Adjacent,
            "agent_crouches" => Self::AgentCrouches,
            "agent_holds" => Self::AgentHolds,
            "between" => Self::Between,
            "broken" => Self::Broken,
            "equal_x_position" => Self::EqualX,
            "equal_z_position" => Self::EqualZ,
            "faces" => Self::Faces,
            "in" => Self::In,
            "in_motion" => Self::InMotion,
            "near" => Self::Near,
            "object_orientation" => Self::ObjectOrientation,
            "on" => Self::On,
            "open" => Self::Open,
            "same_type" => Self::SameType,
            "toggled_on" => Self::ToggledOn,
            "touch" => Self::Touch,
            _ => return None,
        })
    }
}

/// An argument of a predicate or function.
#[derive(Clone, Copy)]
pub(super) enum Argument<'a> {
    /// An object.
    Item(SceneObject<'a>),
    /// A symbol: the name of a type, colour, orientation or side.
    Name(&'a str),
}

/// Returns whether the predicate holds for the arguments.
pub(super) fn holds(scene: Scene<'_>, predicate: Predicate, arguments: &[Argument<'_>]) -> Result<bool, PlayError> {
    use Argument::{Item as Object, Name};
    match (predicate, arguments) {
        (Predicate::AgentCrouches, []) => Ok(scene.agent.crouching),
        (Predicate::AgentHolds, [Object(item)]) => {
            Ok(flag(*item, |snapshot| scene.agent.held == Some(snapshot.object)))
        }
        (Predicate::Broken, [Object(item)]) => Ok(flag(*item, |snapshot| snapshot.broken)),
        (Predicate::Open, [Object(item)]) => Ok(flag(*item, |snapshot| snapshot.open)),
        (Predicate::ToggledOn, [Object(item)]) => Ok(flag(*item, |snapshot| snapshot.toggled)),
        (Predicate::InMotion, [Object(item)]) => Ok(match item {
            // The collision flags do not indicate motion: they are set while the agent collides with an object or stands on one.
            SceneObject::Agent(agent) => agent.collision != 0,
            item => flag(*item, in_motion),
        }),
        (Predicate::ObjectOrientation, [Object(item), Name(orientation)]) => has_orientation(*item, orientation),
        (Predicate::SameType, [a, b]) => same_type(scene, *a, *b),
        (Predicate::Above, [Object(a), Object(b)]) => above(scene, *a, *b),
        (Predicate::Adjacent, [Object(a), Object(b)]) => adjacent(*a, *b),
        (Predicate::EqualX, [Object(a), Object(b)]) => equal_coordinate(*a, *b, |point| point.x),
        (Predicate::EqualZ, [Object(a), Object(b)]) => equal_coordinate(*a, *b, |point| point.z),
        (Predicate::Faces, [Object(a), Object(b)]) => faces(*a, *b),
        (Predicate::In, [Object(a), Object(b)]) => within(scene, *a, *b, false),
        (Predicate::Near, [Object(a), Object(b)]) => Ok(distance(*a, *b) <= NEAR_DISTANCE),
        (Predicate::On, [Object(a), Object(b)]) => on(scene, *a, *b),
        (Predicate::Touch, [Object(a), Object(b)]) => touch(scene, *a, *b),
        (Predicate::Between, [Object(a), Object(middle), Object(b)]) => between(*a, *middle, *b),
        _ => Err(PlayError::new("a predicate has arguments of the wrong number or kind, or a repeated argument")),
    }
}

/// Evaluates a property that only movable objects have.
fn flag(item: SceneObject<'_>, holds: impl FnOnce(&ObjectSnapshot) -> bool) -> bool {
    match item {
        SceneObject::Thing(snapshot) => holds(snapshot),
        _ => false,
    }
}

/// Returns whether an object moves or rotates.
pub(super) fn in_motion(snapshot: &ObjectSnapshot) -> bool {
    let is_at_rest = |vector: DVec3| vector.abs().cmple(DVec3::splat(MOTION_THRESHOLD)).all();
    !(is_at_rest(snapshot.velocity) && is_at_rest(snapshot.angular_velocity))
}

/// Returns whether an object has an orientation relative to its first recorded rotation. Some orientations overlap.
fn has_orientation(item: SceneObject<'_>, orientation: &str) -> Result<bool, PlayError> {
    let SceneObject::Thing(snapshot) = item else { return Ok(orientation == "upright") };
    let Some(first) = snapshot.first_rotation else { return Ok(orientation == "upright") };
    let turn = DVec3::splat(180.0) - ((snapshot.rotation - first).abs() - DVec3::splat(180.0)).abs();
    let by = |angle: f64| ((turn.x - angle).abs() <= ANGLE_TOLERANCE, (turn.z - angle).abs() <= ANGLE_TOLERANCE);
    let sideways = by(90.0).0 || by(90.0).1;
    let upside_down = (by(180.0).0 != by(180.0).1) && !sideways;
    let upright = by(0.0).0 || by(0.0).1;
    match orientation {
        "upright" => Ok(upright),
        "sideways" => Ok(sideways),
        "upside_down" => Ok(upside_down),
        "diagonal" => Ok(!(upright || sideways || upside_down)),
        _ => Err(PlayError::new("an argument is not an orientation")),
    }
}

/// Returns whether two arguments share a type. All game objects share the type `game_object`.
fn same_type(scene: Scene<'_>, a: Argument<'_>, b: Argument<'_>) -> Result<bool, PlayError> {
    use Argument::{Item as Object, Name};
    let object = |item: SceneObject<'_>| match item {
        SceneObject::Agent(_) => scene.tables.agent(),
        SceneObject::Thing(snapshot) => Some(snapshot.object),
        SceneObject::Fixture(_, object) | SceneObject::Building(_, object) => Some(object),
    };
    let listed = |item, name: &str| object(item).is_some_and(|object| scene.tables.is_main(object, name));
    match (a, b) {
        (Name(a), Name(b)) => Ok(a == b),
        (Object(SceneObject::Agent(_)), Name(name)) => Ok(name == "agent"),
        // If the first argument is the agent, the authors' implementation treats the second one as the agent too.
        (Object(SceneObject::Agent(_)), Object(_)) => Ok(true),
        (_, Object(SceneObject::Agent(_))) => {
            Err(PlayError::new("the second argument of `same_type` is the agent, which has no types"))
        }
        (Object(item), Name(name)) | (Name(name), Object(item)) => Ok(listed(item, name)),
        (Object(a), Object(b)) => Ok(object(a).zip(object(b)).is_some_and(|(a, b)| scene.tables.share_type(a, b))),
    }
}

/// Returns whether two objects are adjacent.
pub(super) fn adjacent(a: SceneObject<'_>, b: SceneObject<'_>) -> Result<bool, PlayError> {
    let (first, second) = (a.bounds()?, b.bounds()?);
    let (min, max, other_min, other_max) = (first.min(), first.max(), second.min(), second.max());
    let tolerance = DVec3::splat(OVERLAP_GRACE);
    let overlap = (min - tolerance).cmple(other_max + tolerance) & (other_min - tolerance).cmple(max + tolerance);
    if !overlap.y {
        return Ok(false);
    }
    let gap =
        (min - other_max).abs().min((other_min - max).abs()).min((min - other_min).abs()).min((other_max - max).abs());
    let size = SIZE_FACTOR * ((first.half.x + first.half.z) + (second.half.x + second.half.z)) / 2.0;
    let threshold = ADJACENT_GAP.min(size);
    Ok(distance(a, b) <= threshold || (gap.x <= threshold && overlap.z) || (gap.z <= threshold && overlap.x))
}

/// Returns whether the origins or the bounding boxes agree in one coordinate.
fn equal_coordinate(a: SceneObject<'_>, b: SceneObject<'_>, of: impl Fn(DVec3) -> f64) -> Result<bool, PlayError> {
    let close = |a: DVec3, b: DVec3| (of(a) - of(b)).abs() <= SAME_COORDINATE + RELATIVE_TOLERANCE * of(b).abs();
    Ok(close(a.position(), b.position()) || close(a.bounds()?.center, b.bounds()?.center))
}

/// Returns whether a position is in the convex hull of two boxes, including its surface.
///
/// The hull is the union of the boxes interpolated linearly between the two. Each axis restricts the interpolation parameter `t` to
/// an interval.
fn between(a: SceneObject<'_>, middle: SceneObject<'_>, b: SceneObject<'_>) -> Result<bool, PlayError> {
    let (first, second, place) = (a.bounds()?, b.bounds()?, middle.location());
    if is_flat(&first, &second, place) {
        return Err(PlayError::new("the convex hull of flat objects cannot be computed"));
    }
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for axis in 0..3 {
        let below = (first.min()[axis] - place[axis], second.min()[axis] - place[axis]);
        let offsets = (place[axis] - first.max()[axis], place[axis] - second.max()[axis]);
        for (start, end) in [below, offsets] {
            // start + slope * t <= 0
            let slope = end - start;
            if slope > 0.0 {
                high = high.min(-start / slope);
            } else if slope < 0.0 {
                low = low.max(-start / slope);
            } else if start > 0.0 {
                return Ok(false);
            }
        }
    }
    Ok(low <= high)
}

/// Returns whether the corners of two boxes and a position are coplanar.
fn is_flat(a: &Bounds, b: &Bounds, place: DVec3) -> bool {
    let corners = |bounds: &Bounds| {
        let (min, max) = (bounds.min(), bounds.max());
        bounds.corners().map(|corner| [corner.with_y(min.y), corner.with_y(max.y)])
    };
    let mut points: Vec<DVec3> = corners(a).into_iter().chain(corners(b)).flatten().collect();
    points.push(place);
    let origin = points[0];
    let longest = |vectors: &mut dyn Iterator<Item = DVec3>| {
        vectors.fold(DVec3::ZERO, |best, next| if next.length_squared() > best.length_squared() { next } else { best })
    };
    let along = longest(&mut points.iter().map(|point| *point - origin));
    let normal = longest(&mut points.iter().map(|point| (*point - origin).cross(along)));
    points.iter().all(|point| (*point - origin).dot(normal) == 0.0)
}

/// Returns whether the x and z components of an object's Euler angles, used as a direction, point at another object.
fn faces(caster: SceneObject<'_>, target: SceneObject<'_>) -> Result<bool, PlayError> {
    let ground = |point: DVec3| DVec2::new(point.x, point.z);
    let gaze = match caster {
        SceneObject::Agent(agent) => agent.camera_angles,
        SceneObject::Thing(snapshot) => snapshot.rotation,
        // Fixtures rotate about the vertical axis only.
        SceneObject::Fixture(..) | SceneObject::Building(..) => DVec3::ZERO,
    };
    let from = ground(caster.location());
    let direction = ground(target.location()) - from;
    let corners = target.bounds()?.corners().map(|corner| signed_angle(direction, ground(corner) - from));
    let angle = signed_angle(direction, ground(gaze));
    let (min, max) = corners
        .into_iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), corner| (min.min(corner), max.max(corner)));
    Ok(min <= angle && angle <= max)
}

/// Returns the signed angle from one direction to another, in radians. The determinant is computed by elimination with pivoting, and
/// is positive zero for a singular matrix; for zero vectors, the signs of zero decide between 0 and π.
fn signed_angle(from: DVec2, to: DVec2) -> f64 {
    let (top, bottom, sign) = if to.x.abs() > from.x.abs() { (to, from, -1.0) } else { (from, to, 1.0) };
    let determinant = if top.x == 0.0 {
        0.0
    } else {
        let remainder = bottom.y - bottom.x / top.x * top.y;
        if remainder == 0.0 { 0.0 } else { sign * top.x * remainder }
    };
    let product = 0.0 + from.x * to.x + from.y * to.y;
    determinant.atan2(product)
}

/// An implemented function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Function {
    /// The distance between two objects.
    Distance,
    /// The number of members of a building.
    BuildingSize,
}

impl Function {
    /// Returns the function with this name, if it is implemented.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "distance" => Some(Self::Distance),
            "building_size" => Some(Self::BuildingSize),
            _ => None,
        }
    }
}

/// Returns the value of the function for the arguments.
pub(super) fn value(function: Function, arguments: &[Argument<'_>]) -> Result<f64, PlayError> {
    use Argument::Item as Object;
    match (function, arguments) {
        (Function::Distance, [Object(a), Object(b)]) => Ok(distance(*a, *b)),
        (Function::BuildingSize, [Object(SceneObject::Building(building, _))]) => Ok(building.members().len() as f64),
        _ => Err(PlayError::new("a function has arguments of the wrong number or kind, or a repeated argument")),
    }
}
