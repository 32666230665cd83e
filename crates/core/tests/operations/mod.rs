//! Computed predicates and functions: hand-computed cases for each.
//!
//!  module | cases |
//! |---|---|
//!  `contracts` | contracts of all operations |
//!  `places` | positions and distances |
//!  `contact` | contact, support and containment |
//!  `properties` | properties of single objects |

mod contact;
mod contracts;
mod places;
mod properties;

use crate::sketch::Scene;
use goalspec_core::value::Value;

const YES: Option<bool> = Some(true);
const NO: Option<bool> = Some(false);

const CUBE: [f64; 3] = [0.1, 0.1, 0.1];

/// Places a table 1 m high and 2 m wide in the middle of the room, with the agent beside it and walls around.
fn furnish(scene: &mut Scene<'_>) {
    scene.put("floor", [0.0, -0.1, 0.0], [5.0, 0.1, 4.0]);
    scene.put("rug", [-3.0, 0.05, 0.0], [1.0, 0.05, 1.0]);
    scene.put("table", [0.0, 0.5, 0.0], [1.0, 0.5, 1.0]);
    scene.put("north", [0.0, 1.5, 4.0], [5.0, 1.5, 0.1]);
    scene.put("south", [0.0, 1.5, -4.0], [5.0, 1.5, 0.1]);
    scene.put("east", [5.0, 1.5, 0.0], [0.1, 1.5, 4.0]);
    scene.put("door", [2.0, 1.0, 4.0], [0.5, 1.0, 0.1]);
    scene.put("agent", [3.0, 0.9, 0.0], [0.25, 0.9, 0.25]);
    scene.vec("agent", "position", [3.0, 0.9, 0.0]);
    scene.vec("agent", "rotation", [0.0, 0.0, 0.0]);
    scene.set("agent", "touching_side", Value::Bool(false));
    scene.set("agent", "touching_floor", Value::Bool(true));
    for thing in ["block", "brick", "ball", "crate", "table", "floor"] {
        scene.list(thing, "touching", &[]);
    }
}
