//! Contact, support and containment.

use goalspec_core::value::Value;

use super::{CUBE, NO, YES, furnish};
use crate::sketch::{Scene, world};

#[test]
fn touching_is_listed_by_either_thing() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.list("ball", "touching", &["block", "agent"]);
    scene.check(&[
        ("touch ball block", YES),
        ("touch block ball", YES),
        ("touch ball brick", NO),
        ("touch agent ball", YES),
        ("touch brick agent", NO),
    ]);
    // A group touches what its members touch, but neither members nor groups.
    scene.list("building_2", "members", &["ball", "brick"]);
    scene.list("building_10", "members", &["block"]);
    scene.check(&[
        ("touch building_2 block", YES),
        ("touch block building_2", YES),
        ("touch agent building_2", YES),
        ("touch building_2 table", NO),
        ("touch building_2 ball", NO),
        ("touch building_2 building_10", NO),
    ]);
    // A group without members touches nothing.
    scene.list("building_10", "members", &[]);
    scene.check(&[("touch building_10 ball", NO), ("above ball building_10", NO), ("on building_10 ball", NO)]);
}

#[test]
fn the_touched_wall_is_the_nearest() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    // Recordings say `north` for any wall.
    scene.list("ball", "touching", &["north"]);
    scene.put("ball", [4.8, 1.0, 1.0], CUBE);
    scene.check(&[
        ("touch ball east", YES),
        ("touch east ball", YES),
        ("touch ball north", NO),
        ("touch north south", NO),
        ("touch block east", NO),
    ]);
    // Recordings tell doors apart.
    scene.list("ball", "touching", &["door"]);
    scene.check(&[("touch ball door", YES), ("touch ball east", NO)]);
    scene.list("building_2", "members", &["ball", "block"]);
    scene.check(&[("touch building_2 door", YES), ("touch east building_2", NO)]);
}

#[test]
fn the_agent_touches_objects_at_its_side_and_under_its_feet() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("agent", [2.0, 0.9, 3.6], [0.25, 0.9, 0.25]);
    scene.check(&[("touch agent north", NO), ("touch agent door", NO)]);
    scene.set("agent", "touching_side", Value::Bool(true));
    scene.check(&[
        ("touch agent north", YES),
        ("touch door agent", YES),
        ("touch agent south", NO),
        ("touch agent rug", NO),
    ]);
    scene.vec("agent", "position", [-3.5, 0.9, 0.5]);
    scene.check(&[("touch agent rug", YES), ("on rug agent", YES), ("on floor agent", NO)]);
    scene.set("agent", "touching_floor", Value::Bool(false));
    scene.check(&[("touch rug agent", NO)]);
}

#[test]
fn on_needs_contact_and_support() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("ball", [0.0, 1.1, 0.0], CUBE);
    scene.check(&[("on table ball", NO)]);
    scene.list("table", "touching", &["ball", "block"]);
    scene.put("block", [1.1, 0.2, 0.0], CUBE);
    scene.check(&[
        ("on table ball", YES),
        ("on ball table", NO),
        // Touching from the side.
        ("on table block", NO),
        ("on agent ball", NO),
        ("on floor agent", YES),
        ("on table agent", NO),
    ]);
    // Nothing lies on a wall, even if it touches it.
    scene.list("ball", "touching", &["north"]);
    scene.put("ball", [0.0, 3.1, 3.9], CUBE);
    scene.check(&[("touch ball north", YES), ("on north ball", NO)]);
}

#[test]
fn groups_stand_on_things_and_on_their_lowest_members() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("block", [0.0, 1.1, 0.0], CUBE);
    scene.put("brick", [0.0, 1.3, 0.0], CUBE);
    scene.put("building_2", [0.0, 1.2, 0.0], [0.1, 0.2, 0.1]);
    scene.list("building_2", "members", &["block", "brick"]);
    scene.list("block", "touching", &["table", "brick"]);
    scene.list("brick", "touching", &["block"]);
    scene.put("ball", [0.0, 1.5, 0.0], CUBE);
    scene.list("ball", "touching", &["brick"]);
    scene.check(&[
        ("on table building_2", YES),
        ("on building_2 ball", YES),
        ("on block building_2", YES),
        ("on brick building_2", NO),
        ("on building_2 brick", YES),
        ("on building_2 block", NO),
        // This group is absent.
        ("on building_2 building_10", None),
    ]);
}

#[test]
fn containers_hold_objects_that_do_not_stick_out() {
    let world = world();
    let mut scene = Scene::new(&world);
    furnish(&mut scene);
    scene.put("crate", [0.0, 0.0, 0.0], [0.5, 0.5, 0.5]);
    scene.put("ball", [0.0, 0.47, 0.0], CUBE);
    scene.put("block", [0.0, 0.48, 0.0], CUBE);
    scene.put("building_2", [0.0, 0.0, 0.0], CUBE);
    scene.list("building_2", "members", &["brick"]);
    scene.check(&[
        // Protruding by 0.07 and by 0.08.
        ("in crate ball", YES),
        ("in crate block", NO),
        ("in crate agent", NO),
        ("in agent ball", NO),
        ("in table ball", NO),
        ("in building_2 brick", YES),
        ("in building_2 ball", NO),
        ("in crate building_2", YES),
        ("in building_2 building_2", NO),
    ]);
    assert_eq!(scene.value("size building_2"), Some(1.0));
}
