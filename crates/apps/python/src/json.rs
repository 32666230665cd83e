//! JSON values as Python objects, and Python objects as JSON text.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Number, Value};

/// The maximum depth of a Python object that is written as JSON. States have at most four levels.
const MAX_DEPTH: usize = 32;

/// Converts a JSON value to a Python object. Values come from goalspec itself, which bounds their depth.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Value::Number(number) => number_to_python(py, number),
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(to_python(py, item)?))?;
            list.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            fields.iter().try_for_each(|(name, item)| dict.set_item(name, to_python(py, item)?))?;
            dict.into_any()
        }
    })
}

fn number_to_python<'py>(py: Python<'py>, number: &Number) -> Bound<'py, PyAny> {
    if let Some(number) = number.as_u64() {
        PyInt::new(py, number).into_any()
    } else if let Some(number) = number.as_i64() {
        PyInt::new(py, number).into_any()
    } else {
        PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any()
    }
}

/// Appends a Python object as JSON text: dictionaries, lists, tuples, texts, numbers, truth values, `None`, and numpy's scalars and arrays.
///
/// # Errors
/// A `TypeError` if an object is of another type, a `ValueError` if it is nested too deeply or a number is not finite.
pub(crate) fn write(object: &Bound<'_, PyAny>, text: &mut Vec<u8>) -> PyResult<()> {
    write_nested(object, text, 0)
}

fn write_nested(object: &Bound<'_, PyAny>, text: &mut Vec<u8>, depth: usize) -> PyResult<()> {
    if depth > MAX_DEPTH {
        return Err(PyValueError::new_err(format!("a state is nested more than {MAX_DEPTH} levels deep")));
    }
    if let Ok(name) = object.cast::<PyString>() {
        write_text(name.to_str()?, text);
    } else if let Ok(number) = object.cast::<PyFloat>() {
        write_float(number.value(), text)?;
    } else if let Ok(dict) = object.cast::<PyDict>() {
        write_dict(dict, text, depth)?;
    } else if let Ok(list) = object.cast::<PyList>() {
        write_items(list.iter(), text, depth)?;
    } else if let Ok(tuple) = object.cast::<PyTuple>() {
        write_items(tuple.iter(), text, depth)?;
    } else if object.is_none() {
        text.extend_from_slice(b"null");
    } else if let Ok(truth) = object.extract::<bool>() {
        text.extend_from_slice(if truth { b"true" } else { b"false" });
    } else if let Ok(number) = object.cast::<PyInt>() {
        text.extend_from_slice(number.str()?.to_str()?.as_bytes());
    } else if object.hasattr("tolist")? {
        // An array or a scalar of numpy.
        write_nested(&object.call_method0("tolist")?, text, depth + 1)?;
    } else {
        let name = object.get_type().fully_qualified_name()?;
        return Err(PyTypeError::new_err(format!(
            "expected a dict, list, text, number, bool or None in a state, found an object of type `{name}`"
        )));
    }
    Ok(())
}

fn write_dict(dict: &Bound<'_, PyDict>, text: &mut Vec<u8>, depth: usize) -> PyResult<()> {
    text.push(b'{');
    for (place, (key, value)) in dict.iter().enumerate() {
        if place > 0 {
            text.push(b',');
        }
        let key = key.cast::<PyString>().map_err(|_| PyTypeError::new_err("the keys of a state must be texts"))?;
        write_text(key.to_str()?, text);
        text.push(b':');
        write_nested(&value, text, depth + 1)?;
    }
    text.push(b'}');
    Ok(())
}

fn write_items<'py>(items: impl Iterator<Item = Bound<'py, PyAny>>, text: &mut Vec<u8>, depth: usize) -> PyResult<()> {
    text.push(b'[');
    for (place, item) in items.enumerate() {
        if place > 0 {
            text.push(b',');
        }
        write_nested(&item, text, depth + 1)?;
    }
    text.push(b']');
    Ok(())
}

fn write_text(name: &str, text: &mut Vec<u8>) {
    text.extend_from_slice(Value::from(name).to_string().as_bytes());
}

fn write_float(number: f64, text: &mut Vec<u8>) -> PyResult<()> {
    let number = Number::from_f64(number)
        .ok_or_else(|| PyValueError::new_err(format!("expected a finite number in a state, found {number}")))?;
    text.extend_from_slice(number.to_string().as_bytes());
    Ok(())
}
