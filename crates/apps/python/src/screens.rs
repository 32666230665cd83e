//! The classes and objects of screens as plain values, for reward functions that run in the interpreter of the package.

use goalspec::atari::{Decoder, Options as DecoderOptions};
use goalspec::python_runtime::scene::{Orientation, SceneObject, ScreenClass, ScreenEquality};
use goalspec::rewards::screen_worlds::{self, ScreenWorld};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::value_error;
use crate::rewards::RAM_BYTES;
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

/// A reader of the objects of screens, with the memory of the frame before of each environment.
#[pyclass(module = "goalspec._core")]
pub(crate) struct ScreenDecoder {
    world: &'static ScreenWorld,
    decoders: Vec<Option<Decoder>>,
}

#[pymethods]
impl ScreenDecoder {
    #[new]
    fn new(world: &str, count: usize) -> PyResult<Self> {
        Ok(Self { world: screen(world)?, decoders: (0..count).map(|_| None).collect() })
    }

    /// Returns the name of the game.
    fn game(&self) -> &'static str {
        self.world.game.name()
    }

    /// Returns all attributes of an object: a dictionary, or an object as those of `OCAtari`.
    fn read<'py>(&self, py: Python<'py>, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        self.record(py, &scene_object(self.world, object)?)
    }

    /// Returns the objects in the memory of each selected console, an array of the shape (environments, 128); none for the others.
    fn decode<'py>(
        &mut self,
        py: Python<'py>,
        ram: PyReadonlyArray2<'py, u8>,
        selected: Vec<bool>,
    ) -> PyResult<Vec<Vec<Bound<'py, PyDict>>>> {
        let (ram, count) = (ram.as_array(), self.decoders.len());
        if ram.dim() != (count, RAM_BYTES) || selected.len() != count {
            return Err(value_error(format!(
                "expected memory of the shape {:?} and {count} truth values for where, found {:?} and {}",
                (count, RAM_BYTES),
                ram.dim(),
                selected.len()
            )));
        }
        let mut screens = vec![Vec::new(); count];
        for (environment, row) in ram.rows().into_iter().enumerate().filter(|(environment, _)| selected[*environment]) {
            let bytes = row.to_vec();
            let decoder = &mut self.decoders[environment];
            let result = if let Some(decoder) = decoder {
                decoder.step(&bytes).map(|_| ())
            } else {
                let new = Decoder::new(self.world.game, DecoderOptions::default());
                decoder.insert(new).reset(&bytes).map(|_| ())
            };
            result.map_err(|error| value_error(error.to_string()))?;
            let objects: Vec<_> = decoder.iter().flat_map(Decoder::visible_objects).copied().collect();
            self.world.fill_scene(&objects, &mut screens[environment]);
        }
        screens.iter().map(|scene| scene.iter().map(|object| self.record(py, object)).collect()).collect()
    }

    /// Forgets the frame before in an environment.
    fn reset(&mut self, environment: usize) -> PyResult<()> {
        let decoder = self.decoders.get_mut(environment);
        *decoder.ok_or_else(|| PyIndexError::new_err("there is no such environment"))? = None;
        Ok(())
    }
}

impl ScreenDecoder {
    fn record<'py>(&self, py: Python<'py>, object: &SceneObject) -> PyResult<Bound<'py, PyDict>> {
        let record = PyDict::new(py);
        let class = self.world.scene.screen_classes.get(usize::from(object.class));
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
}
