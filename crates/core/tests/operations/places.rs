//! Positions and distances.

use super::{CUBE, NO, YES, furnish};
use crate::sketch::{Scene, text, world, world_with};

#[test]
fn above_is_about_the_upper_things_middle() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("ball", [0.9, 2.0, 0.9], CUBE);
    scene.put("block", [1.05, 2.0, 0.0], CUBE);
    scene.put("brick", [0.0, 1.0, 0.0], CUBE);
    scene.check(&[
        ("above table ball", YES),
        // Its box reaches over the table, its middle does not.
        ("above table block", NO),
        // Not higher than the top.
        ("above table brick", NO),
        // The agent is above what it stands on.
        ("above floor agent", YES),
        ("above rug agent", NO),
        ("above building_2 ball", None),
    ]);
    // Only the position of the object is known.
    scene.vec("crate", "position", [0.0, 3.0, 0.0]);
    scene.check(&[("above table crate", YES)]);
    // A group is above what one of its members is above.
    scene.list("building_2", "members", &["block", "brick"]);
    scene.check(&[("above table building_2", NO), ("above agent building_2", NO)]);
    scene.list("building_2", "members", &["ball", "block"]);
    scene.check(&[("above table building_2", YES)]);
    // Over a member of the group: that member must be one of the lowest.
    scene.list("ball", "touching", &["block"]);
    scene.put("ball", [1.05, 2.2, 0.0], CUBE);
    scene.check(&[("above block building_2", YES), ("above ball building_2", NO)]);
}

#[test]
fn adjacency_and_distance_treat_walls_as_flat() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("ball", [4.75, 0.5, 3.0], CUBE);
    scene.put("block", [4.0, 0.5, 3.0], CUBE);
    scene.check(&[
        ("adjacent east ball", YES),
        ("adjacent ball east", YES),
        ("adjacent north ball", NO),
        ("adjacent block ball", NO),
        ("adjacent agent table", NO),
    ]);
    assert_eq!(scene.value("distance east ball"), Some(0.25));
    assert_eq!(scene.value("distance ball north"), Some(1.0));
    assert_eq!(scene.value("distance ball block"), Some(0.75));
    // Between two flat things the distance is the usual one: (0, 1.5, 4) to (5, 1.5, 0).
    assert_eq!(scene.value("distance north east"), Some(41.0_f64.sqrt()));
    assert_eq!(scene.value("coordinate ball"), Some(4.75));
}

#[test]
fn sides_are_those_of_the_turned_thing() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    // The table faces west; the ball is right in front of it, the block to its right, which is north.
    scene.vec("table", "rotation", [0.0, 270.0, 0.0]);
    scene.put("ball", [-1.2, 0.5, 0.0], CUBE);
    scene.put("block", [0.0, 0.5, 1.2], CUBE);
    scene.vec("block", "rotation", [0.0, 180.0, 0.0]);
    scene.put("brick", [-0.9, 1.1, 0.0], CUBE);
    scene.check(&[
        ("adjacent_side table front ball", YES),
        ("adjacent_side table back ball", NO),
        ("adjacent_side table left ball", NO),
        ("adjacent_side table right block", YES),
        ("adjacent_side table left block", NO),
        // The block faces south, towards the table.
        ("adjacent_side table right block front", YES),
        ("adjacent_side table right block back", NO),
        // An object on the table near its front edge is not in front of the table.
        ("adjacent_side table front brick", NO),
        // An object without a rotation has no sides.
        ("adjacent_side ball front table", None),
        ("adjacent_side table front ball back", None),
        // `red` is not the symbol of a side.
        ("adjacent_side table red ball", None),
    ]);
    // Just out of reach: the gap is 0.21.
    scene.put("ball", [-1.31, 0.5, 0.0], CUBE);
    scene.check(&[("adjacent_side table front ball", NO)]);
    assert!((scene.value("distance_side table front ball").unwrap() - 0.31).abs() < 1e-9);
    assert!((scene.value("distance_side table back ball").unwrap() - 2.31).abs() < 1e-9);
    // From the middle of the table's right side, (0, 0.5, 1), to that of the block's front, (0, 0.5, 1.1).
    assert!((scene.value("distance_side table right block front").unwrap() - 0.1).abs() < 1e-9);
    // To a wall, along z only.
    assert!((scene.value("distance_side table right north").unwrap() - 3.0).abs() < 1e-9);
}

#[test]
fn between_means_in_the_hull_of_both() {
    let world = world();
    let mut scene = Scene::new(&world);
    scene.put("block", [0.0, 0.0, 0.0], CUBE);
    scene.put("brick", [2.0, 0.0, 0.0], CUBE);
    scene.put("ball", [1.0, 0.1, 0.0], CUBE);
    scene.check(&[
        ("between block ball brick", YES),
        ("between brick ball block", YES),
        ("between block brick ball", NO),
    ]);
    scene.put("ball", [1.0, 0.2, 0.0], CUBE);
    scene.check(&[("between block ball brick", NO)]);
}

#[test]
fn positions_or_middles_may_be_equal() {
    let world = world_with(&[("equal_position", "axis", text("z"))], &[]);
    let mut scene = Scene::new(&world);
    scene.put("block", [0.0, 0.0, 1.0], CUBE);
    scene.put("ball", [5.0, 0.0, 1.05], CUBE);
    scene.check(&[("equal_position block ball", YES)]);
    scene.put("ball", [0.0, 0.0, 1.25], CUBE);
    scene.check(&[("equal_position block ball", NO)]);
    // The middles differ, the positions do not.
    scene.vec("block", "position", [0.0, 0.0, 0.9]);
    scene.vec("ball", "position", [0.0, 0.0, 0.95]);
    scene.check(&[("equal_position block ball", YES)]);
}

#[test]
fn facing_follows_the_eyes_where_there_are_any() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    // The agent's body faces north, the table is in the west.
    scene.check(&[("faces agent table", NO), ("faces agent north", YES)]);
    scene.vec("agent", "camera", [20.0, 270.0, 0.0]);
    scene.check(&[("faces agent table", YES), ("faces agent north", NO)]);
    // A gaze straight down points at no other object.
    scene.vec("agent", "camera", [90.0, 270.0, 0.0]);
    scene.check(&[("faces agent table", NO), ("faces table agent", None)]);
}

#[test]
fn walls_are_opposite_across_the_room() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.check(&[
        ("opposite north south", YES),
        ("opposite south north", YES),
        ("opposite north east", NO),
        ("opposite north north", NO),
        ("opposite north table", NO),
    ]);
    // Beside each other on the same line.
    scene.put("south", [20.0, 1.5, 4.0], [5.0, 1.5, 0.1]);
    scene.check(&[("opposite north south", NO)]);
    // Across, but shifted past each other.
    scene.put("south", [20.0, 1.5, -4.0], [5.0, 1.5, 0.1]);
    scene.check(&[("opposite north south", NO)]);
}
