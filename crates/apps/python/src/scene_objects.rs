//! The objects of a screen, read from Python objects or dictionaries.

use goalspec::python_runtime::scene::{Orientation, SceneObject};
use goalspec::rewards::screen_worlds::ScreenWorld;
use goalspec::syntax::suggest::did_you_mean;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::value_error;

/// Returns a class of a screen by its name.
///
/// # Errors
/// A `KeyError` with the nearest name if there is none.
pub(crate) fn class_named(world: &ScreenWorld, name: &str) -> PyResult<u16> {
    let mut names = world.scene.class_names();
    if let Some(class) = names.position(|class| &**class == name) {
        return Ok(class as u16);
    }
    let names = world.scene.class_names().map(|class| &**class);
    let suggestion = did_you_mean(name, names).map_or(String::new(), |text| format!("; {text}"));
    Err(PyKeyError::new_err(format!("unknown class `{name}` of `{}`{suggestion}", world.name)))
}

/// Reads an object: an object with attributes as in `OCAtari`, or a dictionary with such keys. The class is `category`; `x`, `y`, `w` and
/// `h` are required.
pub(crate) fn scene_object(world: &ScreenWorld, object: &Bound<'_, PyAny>) -> PyResult<SceneObject> {
    let name = field(object, "category")?.ok_or_else(|| value_error("an object has no `category`"))?;
    let class = class_named(world, &name.extract::<String>()?)?;
    let required = |name: &str| -> PyResult<i32> {
        let value = field(object, name)?.ok_or_else(|| value_error(format!("an object has no `{name}`")))?;
        number(&value)
    };
    let mut result = world.scene.new_object(class);
    result.position = (required("x")?, required("y")?);
    result.size = (required("w")?, required("h")?);
    result.visible = true;
    if let Some(corner) = field(object, "prev_xy")? {
        let corner: Vec<Bound<'_, PyAny>> = corner.extract()?;
        let [x, y] = &corner[..] else { return Err(value_error("`prev_xy` of an object is not a pair")) };
        result.previous = Some((number(x)?, number(y)?));
    }
    if let Some(color) = field(object, "rgb")? {
        result.color = color.extract()?;
    }
    if let Some(value) = field(object, "value")? {
        result.value = Some(number(&value)?);
    }
    if let Some(value) = field(object, "prev_value")? {
        result.previous_value = Some(number(&value)?);
    }
    if let Some(hud) = field(object, "hud")? {
        result.hud = hud.extract()?;
    }
    if let Some(visible) = field(object, "visible")? {
        result.visible = visible.extract()?;
    }
    if let Some(orientation) = field(object, "orientation")? {
        result.orientation = match orientation.extract::<String>() {
            Ok(name) => Orientation::Name(name.into()),
            Err(_) => Orientation::Raw(orientation.extract()?),
        };
    }
    let names = world.scene.screen_classes.get(usize::from(class)).map_or(&[][..], |class| &class.extra_attributes);
    for (value, name) in result.extra_values.iter_mut().zip(names) {
        if let Some(found) = field(object, name)? {
            *value = found.extract()?;
        }
    }
    Ok(result)
}

/// Returns a pixel or a value, without its fraction.
fn number(value: &Bound<'_, PyAny>) -> PyResult<i32> {
    if let Ok(number) = value.extract::<i32>() {
        return Ok(number);
    }
    let number: f64 = value.extract()?;
    if number.is_finite() && number.abs() <= f64::from(i32::MAX) {
        Ok(number as i32)
    } else {
        Err(value_error(format!("expected a number of 32 bits, found {number}")))
    }
}

/// Returns a key of a dictionary or an attribute of another object; `None` if it is missing or `None`.
fn field<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let value = match object.cast::<PyDict>() {
        Ok(dict) => dict.get_item(name)?,
        Err(_) => object.getattr_opt(name)?,
    };
    Ok(value.filter(|value| !value.is_none()))
}
