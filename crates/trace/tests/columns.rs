//! Columns of states: their resolution and the check of their values.

use goalspec_core::value::ValueKind;
use goalspec_core::world::{AttributeDecl, World, WorldBuilder};
use goalspec_trace::{StateColumns, codes};

/// Returns a world with this number of boxes, each with a position and a level.
fn boxes(count: usize) -> World {
    let mut builder = WorldBuilder::new("boxes");
    let thing = builder.add_type("box", &[]);
    builder.add_attribute(AttributeDecl::new("position", ValueKind::Vec3, &[thing]));
    builder.add_attribute(AttributeDecl::new("level", ValueKind::Int, &[thing]));
    for index in 0..count {
        builder.add_object(format!("box_{index}").as_str(), &[thing]);
    }
    builder.finish().expect("the world is in order")
}

/// A suggestion of a similar name examines thousands of objects: none is computed for the columns of a vector.
#[test]
fn vectors_are_many() {
    let world = boxes(60_000);
    let names: Vec<String> = (0..60_000)
        .flat_map(|index| ["x", "y", "z"].map(|component| format!("box_{index}.position.{component}")))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(StateColumns::new(&world, &names).expect("they are columns").count(), 180_000);
}

#[test]
fn wrong_numbers_are_reported_with_their_column() {
    let names = ["box_0.level", "box_0.position.x", "box_0.position.y", "box_0.position.z"];
    let columns = StateColumns::new(&boxes(1), &names).expect("they are columns");
    let error = |row: [f64; 4]| {
        let error = columns.check(&row).expect_err("it has a wrong number");
        assert_eq!(error.code(), codes::NOT_OF_WORLD);
        error.diagnostic().message.clone()
    };
    assert_eq!(error([0.0, 0.0, f64::NAN, 0.0]), "column `box_0.position.y`: expected a finite number, found NaN");
    assert_eq!(
        error([1e300, 0.0, 0.0, 0.0]),
        format!("column `box_0.level`: expected an integer of 64 bits, found {}", 1e300)
    );
}
