//! Columns of states: their resolution and the check of their values.

use goalspec_core::state::Delta;
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

#[test]
fn exact_columns_reject_numbers_that_would_be_rounded() {
    let columns = StateColumns::new(&boxes(1), &["box_0.level"]).expect("it is a column");
    assert!(columns.check(&[2.5]).is_ok() && columns.check(&[-3.0]).is_ok());
    let columns = columns.exact();
    assert!(columns.check(&[-3.0]).is_ok() && columns.check(&[f64::NAN]).is_err());
    let error = columns.check(&[2.5]).expect_err("it has a fraction");
    assert_eq!(error.diagnostic().message, "column `box_0.level`: expected an integer of 64 bits, found 2.5");
}

#[test]
fn missing_numbers_are_no_changes() {
    let names = ["box_0.level", "box_0.position.x", "box_0.position.y", "box_0.position.z"];
    let world = boxes(1);
    let columns = StateColumns::new(&world, &names).expect("they are columns").with_missing();
    assert!(columns.names().eq(names));
    let missing = f64::NAN;
    let mut delta = Delta::default();
    let mut changes = |row: [f64; 4], previous: Option<&[f64]>| {
        columns.fill(&row, previous, 0, &mut delta).expect("the row has no wrong number");
        delta.changes.len()
    };
    assert_eq!(changes([missing; 4], None), 0);
    assert_eq!(changes([1.0, missing, missing, missing], Some(&[missing; 4])), 1);
    assert_eq!(changes([missing, 0.0, 1.0, 2.0], Some(&[1.0, missing, missing, missing])), 1);
    assert_eq!(changes([1.0, 0.0, 1.0, 2.0], Some(&[1.0, 0.0, 1.0, 2.0])), 0);
    let error = columns.check(&[1.0, 0.0, missing, 2.0]).expect_err("the vector is given in part");
    assert_eq!(error.diagnostic().message, "column `box_0.position.y`: expected a finite number, found NaN");
    let trace = columns.trace(&world, &[missing, 0.0, 1.0, 2.0, 7.0, missing, missing, missing]);
    assert_eq!(trace.expect("the rows have no wrong number").len(), 2);
}
