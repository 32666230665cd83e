//! The classes and objects of screens as plain values, for reward functions that run in the interpreter of the package.

use goalspec::python_runtime::scene::{Orientation, SceneObject, ScreenClass, ScreenEquality};
use goalspec::rewards::screen_worlds::{self, ScreenWorld};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::scene_objects::scene_object;

/// Returns the screen of this name.
fn screen(world: &str) -> PyResult<&'static ScreenWorld> {
    screen_worlds::builtin(world).ok_or_else(|| PyKeyError::new_err(format!("`{world}` is not the screen of a game")))
}

/// Returns the classes of a screen, each after its parent: their names, parents, rules of equality and further attributes.
#[pyfunction]
pub(crate) fn screen_classes<'py>(py: Python<'py>, world: &str) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for ScreenClass { name, parent, equality, extra_attributes, .. } in &screen(world)?.scene.screen_classes {
        let record = PyDict::new(py);
        record.set_item("name", &**name)?;
        record.set_item("parent", parent)?;
        match equality {
            ScreenEquality::Identity => record.set_item("equality", ("identity", py.None()))?,
            ScreenEquality::Always => record.set_item("equality", ("always", py.None()))?,
            ScreenEquality::SimilarRow { row_tolerance, same_color } => {
                record.set_item("equality", ("similar-row", (row_tolerance, same_color)))?;
            }
            ScreenEquality::SamePosition { class } => record.set_item("equality", ("same-position", class))?,
        }
        record.set_item("extras", extra_attributes.iter().map(|name| &**name).collect::<Vec<&str>>())?;
        list.append(record)?;
    }
    Ok(list)
}

/// Returns all attributes of an object of the screen of this name: of a dictionary, or of an object as those of `OCAtari`.
#[pyfunction]
pub(crate) fn screen_object<'py>(
    py: Python<'py>,
    world: &str,
    object: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let world = screen(world)?;
    record(py, world, &scene_object(world, object)?)
}

/// Returns all attributes of an object of a screen.
pub(crate) fn record<'py>(py: Python<'py>, world: &ScreenWorld, object: &SceneObject) -> PyResult<Bound<'py, PyDict>> {
    let record = PyDict::new(py);
    let class = world.scene.screen_classes.get(usize::from(object.class));
    record.set_item("category", class.map(|class| &*class.name))?;
    record.set_item("x", object.position.0)?;
    record.set_item("y", object.position.1)?;
    record.set_item("w", object.size.0)?;
    record.set_item("h", object.size.1)?;
    record.set_item("prev_xy", object.previous.unwrap_or(object.position))?;
    record.set_item("rgb", (object.color[0], object.color[1], object.color[2]))?;
    record.set_item("hud", object.hud)?;
    record.set_item("visible", object.visible)?;
    match &object.orientation {
        Orientation::None => record.set_item("orientation", py.None())?,
        Orientation::Raw(number) => record.set_item("orientation", number)?,
        Orientation::Name(name) => record.set_item("orientation", &**name)?,
    }
    if let Some(value) = object.value {
        record.set_item("value", value)?;
        record.set_item("prev_value", object.previous_value.unwrap_or(value))?;
    }
    record.set_item("extras", &object.extra_values)?;
    Ok(record)
}
