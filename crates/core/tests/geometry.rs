//! Geometry: hand-computed cases, and NaN, infinite and extreme numbers.

use glam::{DVec2, DVec3};
use goalspec_core::world::geometry::{
    Aabb, AdjacencyLimits, Axis, OrientedBox, Posture, RestLimits, Side, angle_differences, close, distance, faces,
    facing, in_hull_of, segment_distance, signed_angle,
};

const TINY: f64 = 1e-9;

fn cube(x: f64, y: f64, z: f64) -> Aabb {
    Aabb::new(DVec3::new(x, y, z), DVec3::splat(1.0))
}

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

#[test]
fn boxes_contain_objects_that_do_not_stick_out() {
    let outer = Aabb::new(DVec3::ZERO, DVec3::new(2.0, 1.0, 2.0));
    assert!(outer.contains(&cube(1.0, 0.0, -1.0)), "faces may touch");
    assert!(!outer.contains(&cube(1.1, 0.0, 0.0)));
    assert!(outer.grown(0.1).contains(&cube(1.1, 0.0, 0.0)));
    assert!(outer.contains_point(at(2.0, 1.0, -2.0)) && !outer.contains_point(at(2.0, 1.01, 0.0)));
    assert!(outer.spans(DVec2::new(-2.0, 2.0)) && !outer.spans(DVec2::new(0.0, 2.1)));
    assert_eq!(cube(0.0, 0.0, 0.0).union(&cube(2.0, 1.0, 0.0)), Aabb::new(at(1.0, 0.5, 0.0), at(2.0, 1.5, 1.0)));
}

#[test]
fn face_gaps_compare_facing_and_parallel_faces() {
    let wide = Aabb::new(DVec3::ZERO, DVec3::splat(5.0));
    // (first, second, gap on x)
    let cases = [
        (cube(0.0, 0.0, 0.0), cube(2.5, 0.0, 0.0), 0.5),
        (cube(0.0, 0.0, 0.0), cube(-2.5, 0.0, 0.0), 0.5),
        // The right faces are at 5 and at 4.9.
        (wide, cube(3.9, 0.0, 0.0), 0.1),
        (wide, cube(0.0, 0.0, 0.0), 4.0),
    ];
    for (a, b, gap) in cases {
        assert!((a.face_gap(&b, Axis::X) - gap).abs() < TINY, "{a:?} {b:?}");
    }
}

#[test]
fn adjacency_needs_common_heights_and_close_faces() {
    let limits = AdjacencyLimits::default();
    let adjacent = |a: Aabb, b: Aabb| limits.holds(&a, &b, a.center.distance(b.center));
    let origin = cube(0.0, 0.0, 0.0);
    // (other cube, adjacent?, why)
    let cases = [
        (cube(2.1875, 0.0, 0.0), true, "less than 0.2 apart on x, overlapping on z"),
        (cube(2.25, 0.0, 0.0), false, "too far apart"),
        (cube(2.1, 0.0, 2.5), false, "close on x, but beyond each other on z"),
        (cube(0.0, 0.0, -2.15), true, "close on z, overlapping on x"),
        (cube(2.1, 2.015, 0.0), true, "heights overlap within the grace of both"),
        (cube(2.1, 2.03, 0.0), false, "one above the other"),
    ];
    for (other, expected, reason) in cases {
        assert_eq!(adjacent(origin, other), expected, "{reason}");
        assert_eq!(adjacent(other, origin), expected, "{reason}, the other way round");
    }
    // Small boxes must be closer: 1.2 times half the sum of the four half extents is 0.048.
    let small = |x| Aabb::new(at(x, 0.0, 0.0), DVec3::splat(0.02));
    assert_eq!(limits.largest_gap(&small(0.0), &small(1.0)), Some(0.048));
    assert!(adjacent(small(0.0), small(0.08)), "0.04 between the faces");
    assert!(!adjacent(small(0.0), small(0.1)), "0.06 between the faces");
}

#[test]
fn points_in_the_hull_of_two_boxes_are_between_them() {
    let (a, b) = (cube(0.0, 0.0, 0.0), cube(10.0, 4.0, 0.0));
    assert!(in_hull_of(&a, &b, at(5.0, 2.0, 0.0)));
    // The upper edge goes from (-1, 1) to (9, 5).
    assert!(in_hull_of(&a, &b, at(5.0, 3.4, 1.0)), "on the surface");
    assert!(!in_hull_of(&a, &b, at(5.0, 3.5, 0.0)));
    assert!(!in_hull_of(&a, &b, at(-1.1, 0.0, 0.0)));
    // Inside the common bounding box, but below the slope.
    assert!(!in_hull_of(&a, &b, at(9.0, 0.0, 0.0)));
    // Flat and degenerate: two points span a segment, one point only itself.
    let point = |x, y| Aabb::new(at(x, y, 0.0), DVec3::ZERO);
    assert!(in_hull_of(&point(0.0, 0.0), &point(2.0, 2.0), at(1.0, 1.0, 0.0)));
    assert!(!in_hull_of(&point(0.0, 0.0), &point(2.0, 2.0), at(1.0, 1.1, 0.0)));
    assert!(!in_hull_of(&point(0.0, 0.0), &point(2.0, 2.0), at(3.0, 3.0, 0.0)));
    assert!(in_hull_of(&point(1.0, 1.0), &point(1.0, 1.0), at(1.0, 1.0, 0.0)));
    assert!(!in_hull_of(&point(1.0, 1.0), &point(1.0, 1.0), at(1.0, 1.0, 0.5)));
    let sheet = Aabb::new(DVec3::ZERO, at(1.0, 0.0, 1.0));
    assert!(in_hull_of(&sheet, &sheet, at(0.5, 0.0, -1.0)));
    assert!(!in_hull_of(&sheet, &sheet, at(0.5, 0.1, 0.0)));
}

/// The hull of two boxes against its definition: a convex combination of a point of one and a point of the other.
#[test]
fn the_hull_contains_exactly_the_mixtures() {
    let (a, b) = (Aabb::new(at(0.0, 1.0, 2.0), at(0.5, 1.0, 0.25)), Aabb::new(at(3.0, -1.0, 2.5), at(1.0, 0.25, 0.5)));
    let corner = |hull: &Aabb, bits: u32| {
        let sign = |bit: u32| if bits >> bit & 1 == 1 { 1.0 } else { -1.0 };
        hull.center + hull.half * at(sign(0), sign(1), sign(2))
    };
    for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))) {
        for share in [0.0, 0.1, 0.5, 0.75, 1.0] {
            let point = corner(&a, i).lerp(corner(&b, j), share);
            assert!(in_hull_of(&a, &b, point), "{point}");
        }
    }
    // Every supporting plane through corner pairs: moving outwards from the farthest corner in any direction leaves the hull.
    for direction in [DVec3::X, DVec3::Y, DVec3::Z, at(1.0, 2.0, -0.5), at(-3.0, 0.1, 0.7), at(-1.0, -1.0, -1.0)] {
        let farthest = (0..8)
            .flat_map(|bits| [corner(&a, bits), corner(&b, bits)])
            .max_by(|p, q| p.dot(direction).total_cmp(&q.dot(direction)))
            .unwrap();
        assert!(in_hull_of(&a, &b, farthest));
        assert!(!in_hull_of(&a, &b, farthest + direction * 1e-6));
    }
}

#[test]
fn distances_are_in_space_or_on_one_axis() {
    let (a, b) = (at(0.0, 3.0, 0.0), at(4.0, 0.0, 7.0));
    assert!((distance(a, at(4.0, 0.0, 0.0), None) - 5.0).abs() < TINY);
    for (axis, expected) in [(Axis::X, 4.0), (Axis::Y, 3.0), (Axis::Z, 7.0)] {
        assert!((distance(a, b, Some(axis)) - expected).abs() < TINY);
    }
    assert!(close(1.0, 1.1, 0.1, 1e-5) && !close(1.0, 1.11, 0.1, 1e-5));
}

#[test]
fn objects_rest_on_boxes_right_below_one_of_their_corners() {
    let rules = RestLimits::default();
    let table = cube(0.0, 0.0, 0.0);
    let small = |x, y| Aabb::new(at(x, y, 0.0), DVec3::splat(0.25));
    // (upper, rests?, why)
    let cases = [
        (small(0.0, 1.25), true, "exactly on top"),
        (small(1.2, 1.25), true, "two corners over the edge, two still over the table"),
        (small(1.3, 1.25), false, "all corners beside the table"),
        (small(0.0, 1.27), false, "0.02 above the top is out of reach"),
        (small(1.1, 0.0), true, "leaning in at the side, its bottom in the upper three quarters"),
        (small(1.2, -0.5), false, "bottom below them"),
        (small(0.0, -0.7), true, "wholly inside"),
        (small(0.0, -0.8), true, "sticking out by 0.05"),
        (small(0.0, -0.9), false, "sticking out by 0.15"),
    ];
    for (upper, expected, reason) in cases {
        assert_eq!(rules.holds(&table, &upper), expected, "{reason}");
    }
    // A big plate on a small foot has only its middle over it.
    let plate = Aabb::new(at(0.0, 1.1, 0.0), at(5.0, 0.1, 5.0));
    assert!(rules.holds(&table, &plate));
}

#[test]
fn yaw_turns_from_north_to_east() {
    let direction = |euler| facing(euler).unwrap();
    assert!(direction(at(0.0, 0.0, 0.0)).distance(DVec2::new(0.0, 1.0)) < TINY);
    assert!(direction(at(0.0, 90.0, 0.0)).distance(DVec2::new(1.0, 0.0)) < TINY);
    assert!(direction(at(0.0, 270.0, 50.0)).distance(DVec2::new(-1.0, 0.0)) < TINY, "roll does not matter");
    assert!(direction(at(30.0, 90.0, 0.0)).distance(DVec2::new(1.0, 0.0)) < TINY, "looking down a bit does not either");
    assert!(direction(at(180.0, 90.0, 0.0)).distance(DVec2::new(-1.0, 0.0)) < TINY, "over its head");
    assert_eq!(facing(at(90.0, 0.0, 0.0)), None, "straight down");
}

#[test]
fn turned_boxes_are_found_inside_their_hulls() {
    // A box with half extents of 2 to its sides and 1 to its front and back, turned by each angle.
    for yaw in [0.0_f64, 20.0, 30.0, 60.0, 90.0, 135.5, 200.0, 270.0, 333.0] {
        let forward = facing(at(0.0, yaw, 0.0)).unwrap();
        let (cos, sin) = (forward.y.abs(), forward.x.abs());
        let hull = Aabb::new(DVec3::ZERO, at(2.0 * cos + sin, 1.0, 2.0 * sin + cos));
        let found = OrientedBox::from_hull(&hull, forward);
        assert!(found.half.distance(at(2.0, 1.0, 1.0)) < 1e-6, "{yaw}: {found:?}");
    }
    // At 45 degrees a square of the same perimeter is assumed.
    let forward = facing(at(0.0, 45.0, 0.0)).unwrap();
    let half = 3.0 / 2.0_f64.sqrt();
    let found = OrientedBox::from_hull(&Aabb::new(DVec3::ZERO, at(half, 1.0, half)), forward);
    assert!(found.half.distance(at(1.5, 1.0, 1.5)) < TINY);
}

#[test]
fn sides_are_named_relative_to_the_object() {
    let hull = Aabb::new(at(10.0, 1.0, 20.0), at(2.0, 1.0, 1.0));
    // Facing east, its left is north.
    let thing = OrientedBox::from_hull(&hull, DVec2::new(1.0, 0.0));
    let cases = [
        (Side::Front, at(12.0, 1.0, 20.0)),
        (Side::Back, at(8.0, 1.0, 20.0)),
        (Side::Left, at(10.0, 1.0, 21.0)),
        (Side::Right, at(10.0, 1.0, 19.0)),
    ];
    for (side, middle) in cases {
        let face = thing.face(side);
        assert!(face.center.distance(middle) < TINY, "{side:?}: {face:?}");
        assert!(face.is_in_front(middle + (middle - hull.center)) && !face.is_in_front(hull.center));
    }
    let [left, right] = thing.face(Side::Front).ends;
    assert!(left.distance(DVec2::new(12.0, 21.0)) < TINY && right.distance(DVec2::new(12.0, 19.0)) < TINY);
}

#[test]
fn segments_cross_touch_or_are_apart() {
    let point = |x: f64, z: f64| DVec2::new(x, z);
    let base = [point(0.0, 0.0), point(4.0, 0.0)];
    let cases = [
        ([point(2.0, -1.0), point(2.0, 1.0)], 0.0),
        ([point(4.0, 0.0), point(5.0, 5.0)], 0.0),
        ([point(1.0, 2.0), point(3.0, 1.0)], 1.0),
        ([point(7.0, 4.0), point(9.0, 4.0)], 5.0),
        ([point(6.0, 0.0), point(6.0, 0.0)], 2.0),
    ];
    for (other, expected) in cases {
        assert!((segment_distance(base, other) - expected).abs() < TINY, "{other:?}");
        assert!((segment_distance(other, base) - expected).abs() < TINY, "{other:?}");
    }
    let square = OrientedBox::from_hull(&cube(0.0, 0.0, 0.0), DVec2::Y);
    assert!((square.distance_to_segment([point(3.0, -5.0), point(3.0, 5.0)]) - 2.0).abs() < TINY);
    assert!((square.distance_to_segment([point(-5.0, 0.5), point(5.0, 0.5)]) - 0.0).abs() < TINY, "right through");
    assert!((square.distance_to_segment([point(0.1, 0.1), point(0.2, 0.2)]) - 0.0).abs() < TINY, "inside");
}

#[test]
fn gazes_hit_boxes_that_span_their_angle() {
    let eye = DVec2::ZERO;
    let ahead = cube(0.0, 0.0, 5.0);
    let gaze = |yaw: f64| facing(at(0.0, yaw, 0.0)).unwrap();
    // The near corners are at (-1, 4) and (1, 4): atan(1/4) is 14.04 degrees.
    for (yaw, hit) in [(0.0, true), (14.0, true), (-14.0, true), (14.1, false), (-14.1, false), (180.0, false)] {
        assert_eq!(faces(eye, gaze(yaw), &ahead), hit, "{yaw}");
    }
    assert!(faces(eye, gaze(123.0), &cube(0.5, 0.0, 0.5)), "from inside every direction does");
    assert!((signed_angle(DVec2::Y, DVec2::X) - 90.0).abs() < TINY);
    assert!((signed_angle(DVec2::X, DVec2::Y) + 90.0).abs() < TINY);
}

#[test]
fn postures_follow_the_turn_about_the_horizontal_axes() {
    let posture = |x, z| Posture::of(DVec3::ZERO, at(x, 77.0, z), 15.0);
    // (turn about x, about z, upright, sideways, upside down, diagonal)
    let cases = [
        (0.0, 0.0, true, false, false, false),
        (350.0, 10.0, true, false, false, false),
        (90.0, 0.0, true, true, false, false),
        (270.0, 100.0, false, true, false, false),
        (180.0, 0.0, true, false, true, false),
        (180.0, 180.0, false, false, false, true),
        (180.0, 45.0, false, false, true, false),
        (180.0, 90.0, false, true, false, false),
        (45.0, 45.0, false, false, false, true),
    ];
    for (x, z, upright, sideways, upside_down, diagonal) in cases {
        let found = posture(x, z);
        assert_eq!(
            (found.upright, found.sideways, found.upside_down, found.diagonal()),
            (upright, sideways, upside_down, diagonal),
            "{x} {z}"
        );
    }
    assert_eq!(angle_differences(at(350.0, 0.0, 10.0), at(10.0, 180.0, 350.0)), at(20.0, 180.0, 20.0));
}

/// No input panics, and every predicate of a NaN is false.
#[test]
fn extreme_numbers_do_not_panic() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, f64::MAX, f64::MIN_POSITIVE];
    for (a, b) in odd.into_iter().flat_map(|a| odd.into_iter().map(move |b| (a, b))) {
        let first = Aabb::new(at(a, 0.0, b), at(b, 1.0, a));
        let second = cube(0.0, 0.0, 0.0);
        for (p, q) in [(&first, &second), (&second, &first), (&first, &first)] {
            let forward = facing(at(a, b, 0.0)).unwrap_or(DVec2::Y);
            let turned_box = OrientedBox::from_hull(p, forward);
            let answers = [
                AdjacencyLimits::default().holds(p, q, p.center.distance(q.center)),
                in_hull_of(p, q, q.center),
                RestLimits::default().holds(p, q),
                p.contains(q),
                turned_box.face(Side::Left).is_in_front(q.center)
                    && turned_box.distance_to_segment([q.center.truncate(); 2]) <= 0.2,
                close(a, b, 0.1, 1e-5),
            ];
            if a.is_nan() && b.is_nan() {
                assert_eq!(answers, [false; 6], "{p:?} {q:?}");
            }
            let _ = faces(DVec2::new(a, b), DVec2::new(b, a), p);
            let _ = Posture::of(p.center, q.center, 15.0);
        }
    }
}
