//! Boxes, distances and angles, as pure functions over numbers.
//!
//! Lengths are in metres (or the world's own unit), angles in degrees. The y axis points up; x and z span the ground plane, and a [`DVec2`]
//! is always a point or direction in it: (x, z). No function panics, and comparisons with NaN are false.

use glam::{DVec2, DVec3};

/// One of the three coordinate axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The axis from west to east.
    X,
    /// The axis from bottom to top.
    Y,
    /// The axis from south to north.
    Z,
}

impl Axis {
    /// Returns the component of a vector along this axis.
    pub fn of(self, vector: DVec3) -> f64 {
        match self {
            Self::X => vector.x,
            Self::Y => vector.y,
            Self::Z => vector.z,
        }
    }
}

/// Projects a point to the ground plane.
pub fn ground(point: DVec3) -> DVec2 {
    DVec2::new(point.x, point.z)
}

/// An axis-aligned bounding box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// The centre.
    pub center: DVec3,
    /// The half extents along the axes.
    pub half: DVec3,
}

impl Aabb {
    /// Creates a box from its centre and half extents.
    pub fn new(center: DVec3, half: DVec3) -> Self {
        Self { center, half }
    }

    /// Returns the corner with the minimum coordinates.
    pub fn min(&self) -> DVec3 {
        self.center - self.half
    }

    /// Returns the corner with the maximum coordinates.
    pub fn max(&self) -> DVec3 {
        self.center + self.half
    }

    /// Returns the box with every face moved outwards.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self::new(self.center, self.half + DVec3::splat(margin))
    }

    /// Returns the smallest box that contains both boxes.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let (min, max) = (self.min().min(other.min()), self.max().max(other.max()));
        Self::new((min + max) / 2.0, (max - min) / 2.0)
    }

    /// Whether the point is inside the box or on its surface.
    pub fn contains_point(&self, point: DVec3) -> bool {
        self.min().cmple(point).all() && point.cmple(self.max()).all()
    }

    /// Whether the other box is inside; faces may touch.
    pub fn contains(&self, other: &Self) -> bool {
        self.min().cmple(other.min()).all() && other.max().cmple(self.max()).all()
    }

    /// Whether the ground projection of the box contains the point.
    pub fn spans(&self, point: DVec2) -> bool {
        ground(self.min()).cmple(point).all() && point.cmple(ground(self.max())).all()
    }

    /// Whether the extents on one axis overlap when both boxes are grown by `tolerance`. Touching extents overlap.
    pub fn overlaps_on(&self, other: &Self, axis: Axis, tolerance: f64) -> bool {
        let (a, b) = (self.grown(tolerance), other.grown(tolerance));
        axis.of(a.min()) <= axis.of(b.max()) && axis.of(b.min()) <= axis.of(a.max())
    }

    /// Returns the minimum distance on one axis between a face of this box and a face of the other. All four pairs of faces on that axis
    /// count.
    pub fn face_gap(&self, other: &Self, axis: Axis) -> f64 {
        let (a_min, a_max) = (axis.of(self.min()), axis.of(self.max()));
        let (b_min, b_max) = (axis.of(other.min()), axis.of(other.max()));
        [a_min - b_max, b_min - a_max, a_min - b_min, a_max - b_max]
            .map(f64::abs)
            .into_iter()
            .fold(f64::INFINITY, f64::min)
    }

    /// Returns the four corners of the ground projection.
    pub fn ground_corners(&self) -> [DVec2; 4] {
        let (min, max) = (self.min(), self.max());
        [(min.x, min.z), (min.x, max.z), (max.x, max.z), (max.x, min.z)].map(DVec2::from)
    }

    /// Returns the horizontal axis on which the box is thinner; `None` if both extents are equal.
    pub fn thin_axis(&self) -> Option<Axis> {
        if self.half.x < self.half.z {
            Some(Axis::X)
        } else if self.half.z < self.half.x {
            Some(Axis::Z)
        } else {
            None
        }
    }
}

/// The limits within which two boxes are adjacent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdjacencyLimits {
    /// The maximum gap between the boxes.
    pub gap: f64,
    /// The maximum gap as a multiple of the mean horizontal size of the boxes. The smaller of the two limits applies.
    pub size_factor: f64,
    /// The amount by which both boxes are grown before their heights must overlap.
    pub height_tolerance: f64,
}

impl Default for AdjacencyLimits {
    fn default() -> Self {
        Self { gap: 0.2, size_factor: 1.2, height_tolerance: 0.01 }
    }
}

impl AdjacencyLimits {
    /// Returns the maximum gap between these two boxes; `None` if a size is NaN.
    pub fn largest_gap(&self, a: &Aabb, b: &Aabb) -> Option<f64> {
        let size = self.size_factor * (a.half.x + a.half.z + b.half.x + b.half.z) / 2.0;
        (!size.is_nan()).then(|| size.min(self.gap))
    }

    /// Whether two boxes at this distance from each other are adjacent: their heights overlap, and either the distance is within the limit,
    /// or they have faces within the limit on one horizontal axis and overlap on the other.
    pub fn holds(&self, a: &Aabb, b: &Aabb, distance: f64) -> bool {
        let Some(gap) = self.largest_gap(a, b) else { return false };
        a.overlaps_on(b, Axis::Y, self.height_tolerance)
            && (distance <= gap
                || (a.face_gap(b, Axis::X) <= gap && a.overlaps_on(b, Axis::Z, 0.0))
                || (a.face_gap(b, Axis::Z) <= gap && a.overlaps_on(b, Axis::X, 0.0)))
    }
}

/// The distance by which a point inside a convex hull may seem to be outside because of rounding errors, in metres.
pub const HULL_TOLERANCE: f64 = 1e-9;

/// Whether the point is in the convex hull of the two boxes or on its surface.
///
/// The hull is the union of the boxes `(1 - t) a + t b` for t from 0 to 1. Each axis restricts t to an interval, and the point is inside if
/// the three intervals intersect. Flat and degenerate boxes are valid.
pub fn in_hull_of(a: &Aabb, b: &Aabb, point: DVec3) -> bool {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for axis in [Axis::X, Axis::Y, Axis::Z] {
        let at = axis.of(point);
        // Both conditions have the form `start + slope * t <= 0`.
        let below = (axis.of(a.min()) - at, axis.of(b.min()) - at);
        let above = (at - axis.of(a.max()), at - axis.of(b.max()));
        for (start, end) in [below, above] {
            let (start, slope) = (start - HULL_TOLERANCE, end - start);
            if !(start.is_finite() && slope.is_finite()) {
                return false;
            }
            if slope > 0.0 {
                high = high.min(-start / slope);
            } else if slope < 0.0 {
                low = low.max(-start / slope);
            } else if start > 0.0 {
                return false;
            }
        }
    }
    low <= high
}

/// Returns the distance between two points, or between their projections on one axis.
pub fn distance(a: DVec3, b: DVec3, on: Option<Axis>) -> f64 {
    match on {
        Some(axis) => (axis.of(a) - axis.of(b)).abs(),
        None => a.distance(b),
    }
}

/// Whether two numbers are equal within an absolute tolerance plus a tolerance relative to the second.
pub fn close(a: f64, b: f64, absolute: f64, relative: f64) -> bool {
    (a - b).abs() <= absolute + relative * b.abs()
}

/// The conditions under which an upper box that touches a lower box rests on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestLimits {
    /// The distance below the upper box's bottom at which its support is tested.
    pub reach: f64,
    /// The distance below the lower box's centre at which its upper part begins, in half heights.
    pub depth: f64,
    /// The maximum distance by which the upper box may protrude from the lower box if it is inside.
    pub margin: f64,
}

impl Default for RestLimits {
    fn default() -> Self {
        Self { reach: 0.01, depth: 0.5, margin: 0.075 }
    }
}

impl RestLimits {
    /// Whether a bottom corner, or the middle of the bottom, of `upper` is just above the upper part of `lower`, or `upper` is inside
    /// `lower`.
    pub fn holds(&self, lower: &Aabb, upper: &Aabb) -> bool {
        let bottom = upper.min().y - self.reach;
        let top_part = lower.center.y - self.depth * lower.half.y <= bottom && bottom <= lower.max().y;
        let is_over = |point: DVec2| lower.spans(point);
        (top_part && (upper.ground_corners().into_iter().any(is_over) || is_over(ground(upper.center))))
            || lower.grown(self.margin).contains(upper)
    }
}

/// A vertical side of an object, from its own point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side in the direction in which the object faces.
    Front,
    /// The side opposite to the front.
    Back,
    /// The side to the object's left.
    Left,
    /// The side to the object's right.
    Right,
}

/// Returns the horizontal direction in which an object with these Euler angles faces; `None` if it faces straight up or down.
///
/// The angles are in degrees about x (pitch), y (yaw, clockwise as seen from above) and z (roll). Roll is applied first and yaw last, as in
/// left-handed engines: an unrotated object faces +z, and one with a yaw of 90 faces +x.
pub fn facing(euler: DVec3) -> Option<DVec2> {
    let (pitch, yaw) = (euler.x.to_radians(), euler.y.to_radians());
    let direction = DVec2::new(yaw.sin(), yaw.cos()) * pitch.cos();
    // A shorter projection is a rounding error of the cosine.
    (direction.length() > 1e-6).then(|| direction.normalize())
}

/// A box turned about the vertical axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrientedBox {
    /// The centre.
    pub center: DVec3,
    /// The half extents to the right, upwards and forwards.
    pub half: DVec3,
    /// The direction in which it faces, of length 1.
    pub forward: DVec2,
}

/// A vertical face of an [`OrientedBox`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face {
    /// The centre.
    pub center: DVec3,
    /// The outward direction, of length 1.
    pub normal: DVec2,
    /// The left and the right end on the ground.
    pub ends: [DVec2; 2],
}

impl OrientedBox {
    /// Returns the turned box whose axis-aligned bounding box is `hull`.
    ///
    /// With c and s the absolute cosine and sine of the rotation, the half extents of the hull are `c x + s z` and `s x + c z`. Their sum
    /// gives `x + z`, and their difference `x - z`. At 45 degrees the difference is lost, and a square is assumed. For objects that are not
    /// boxes, such as cylinders, there may be no exact solution; the result is then the nearest one with non-negative extents.
    pub fn from_hull(hull: &Aabb, forward: DVec2) -> Self {
        let (cos, sin) = (forward.y.abs(), forward.x.abs());
        let sum = (hull.half.x + hull.half.z) / (cos + sin);
        let difference = if (cos - sin).abs() < 1e-3 { 0.0 } else { (hull.half.x - hull.half.z) / (cos - sin) };
        // `clamp` would panic for a NaN bound.
        let difference = difference.max(-sum).min(sum);
        let across = f64::midpoint(sum, difference);
        let half = DVec3::new(across, hull.half.y, sum - across);
        Self { center: hull.center, half, forward }
    }

    /// Returns the direction to its right.
    pub fn right(&self) -> DVec2 {
        DVec2::new(self.forward.y, -self.forward.x)
    }

    /// Returns the face on a side.
    pub fn face(&self, side: Side) -> Face {
        let (normal, extent, across) = match side {
            Side::Front => (self.forward, self.half.z, self.half.x),
            Side::Back => (-self.forward, self.half.z, self.half.x),
            Side::Right => (self.right(), self.half.x, self.half.z),
            Side::Left => (-self.right(), self.half.x, self.half.z),
        };
        let middle = ground(self.center) + normal * extent;
        let along = DVec2::new(normal.y, -normal.x) * across;
        Face { center: DVec3::new(middle.x, self.center.y, middle.y), normal, ends: [middle - along, middle + along] }
    }

    /// Returns the four corners of the ground projection, in order around it.
    pub fn ground_corners(&self) -> [DVec2; 4] {
        let [[a, b], [c, d]] = [Side::Front, Side::Back].map(|side| self.face(side).ends);
        [a, b, c, d]
    }

    /// Whether the ground projection of the box contains the point.
    pub fn spans(&self, point: DVec2) -> bool {
        let offset = point - ground(self.center);
        offset.dot(self.right()).abs() <= self.half.x && offset.dot(self.forward).abs() <= self.half.z
    }

    /// Returns the distance on the ground from a segment to the box; 0 if they intersect.
    pub fn distance_to_segment(&self, segment: [DVec2; 2]) -> f64 {
        if self.spans(segment[0]) || self.spans(segment[1]) {
            return 0.0;
        }
        let [a, b, c, d] = self.ground_corners();
        min_or_nan([[a, b], [b, c], [c, d], [d, a]].map(|edge| segment_distance(edge, segment)))
    }
}

impl Face {
    /// Whether the point is on the outer side of the face's plane, or in the plane.
    pub fn is_in_front(&self, point: DVec3) -> bool {
        (ground(point) - ground(self.center)).dot(self.normal) >= 0.0
    }
}

/// Returns the distance between two segments on the ground; 0 if they cross.
pub fn segment_distance(a: [DVec2; 2], b: [DVec2; 2]) -> f64 {
    let side = |segment: [DVec2; 2], point: DVec2| (segment[1] - segment[0]).perp_dot(point - segment[0]);
    let opposite = |segment, other: [DVec2; 2]| side(segment, other[0]) * side(segment, other[1]) < 0.0;
    if opposite(a, b) && opposite(b, a) {
        return 0.0;
    }
    min_or_nan([point_distance(a[0], b), point_distance(a[1], b), point_distance(b[0], a), point_distance(b[1], a)])
}

/// Returns the distance from a point to a segment on the ground.
fn point_distance(point: DVec2, segment: [DVec2; 2]) -> f64 {
    let along = segment[1] - segment[0];
    let length = along.length_squared();
    let share = if length > 0.0 { ((point - segment[0]).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
    point.distance(segment[0] + along * share)
}

/// Returns the minimum of the numbers, or NaN if one of them is NaN.
fn min_or_nan<const N: usize>(numbers: [f64; N]) -> f64 {
    numbers.into_iter().fold(f64::INFINITY, |a, b| if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) })
}

/// Returns the angle from `from` to `to` in degrees, from -180 to 180, positive from +z to +x (clockwise as seen from above).
pub fn signed_angle(from: DVec2, to: DVec2) -> f64 {
    to.perp_dot(from).atan2(from.dot(to)).to_degrees()
}

/// Whether the direction `gaze` from `eye` is within the angular extent of the box on the ground. From a point inside the box, every
/// direction is.
pub fn faces(eye: DVec2, gaze: DVec2, target: &Aabb) -> bool {
    if target.spans(eye) {
        return true;
    }
    let direction = ground(target.center) - eye;
    let angle = signed_angle(direction, gaze);
    let corners = target.ground_corners().map(|corner| signed_angle(direction, corner - eye));
    corners.iter().any(|&corner| corner <= angle) && corners.iter().any(|&corner| angle <= corner)
}

/// Returns the difference of two triples of Euler angles on each axis, from 0 to 180 degrees.
pub fn angle_differences(from: DVec3, to: DVec3) -> DVec3 {
    let angular_difference = |a: f64, b: f64| {
        let difference = (a - b).rem_euclid(360.0);
        difference.min(360.0 - difference)
    };
    DVec3::new(angular_difference(from.x, to.x), angular_difference(from.y, to.y), angular_difference(from.z, to.z))
}

/// The orientation of an object relative to its initial orientation. An object turned about one horizontal axis only can be both upright
/// and sideways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posture {
    /// Whether it is not turned about x, or not about z.
    pub upright: bool,
    /// Whether it is turned by 90 degrees about x or z.
    pub sideways: bool,
    /// Whether it is turned by 180 degrees about exactly one of x and z, and is not sideways.
    pub upside_down: bool,
}

impl Posture {
    /// Returns the posture of an object whose rotation was `first` and is `current`. Angles are equal within `tolerance`, in degrees.
    pub fn of(first: DVec3, current: DVec3, tolerance: f64) -> Self {
        let turn = angle_differences(first, current);
        let near = |angle: f64, expected: f64| (angle - expected).abs() <= tolerance;
        let sideways = near(turn.x, 90.0) || near(turn.z, 90.0);
        Self {
            upright: turn.x <= tolerance || turn.z <= tolerance,
            sideways,
            upside_down: (near(turn.x, 180.0) != near(turn.z, 180.0)) && !sideways,
        }
    }

    /// Whether it has none of the other three postures.
    pub fn diagonal(self) -> bool {
        !(self.upright || self.sideways || self.upside_down)
    }
}
