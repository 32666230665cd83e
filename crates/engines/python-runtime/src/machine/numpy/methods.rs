//! Attributes and methods of arrays and numpy scalars.

use super::array::DenseArray;
use super::integers::IntKind;
use super::reductions::Reduction;
use super::scalar::{Dtype, Scalar};
use crate::library::Library;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::LibraryFunction;
use crate::machine::parameters::{NamedParameters, Origin};
use crate::machine::value::{HeapObject, Value};
use crate::machine::{Machine, cost};

/// A method of arrays and numpy scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ArrayMethod {
    /// A reduction of all elements or along an axis.
    Reduction(Reduction),
    Astype,
    Clip,
    Copy,
    Dot,
    Fill,
    Flatten,
    Item,
    Reshape,
    Tolist,
    /// A function of `numpy` whose first argument is the array.
    Function(&'static LibraryFunction),
    /// `sort`, in place
    Sort,
    Transpose,
}

/// The methods with their names, and whether numpy scalars have them.
static METHODS: [(&str, ArrayMethod, bool); 23] = [
    ("all", ArrayMethod::Reduction(Reduction::All), true),
    ("any", ArrayMethod::Reduction(Reduction::Any), true),
    ("argmax", ArrayMethod::Reduction(Reduction::Argmax), false),
    ("argmin", ArrayMethod::Reduction(Reduction::Argmin), false),
    ("astype", ArrayMethod::Astype, true),
    ("clip", ArrayMethod::Clip, true),
    ("copy", ArrayMethod::Copy, true),
    ("dot", ArrayMethod::Dot, false),
    ("fill", ArrayMethod::Fill, false),
    ("flatten", ArrayMethod::Flatten, false),
    ("item", ArrayMethod::Item, true),
    ("max", ArrayMethod::Reduction(Reduction::Max), true),
    ("mean", ArrayMethod::Reduction(Reduction::Mean), true),
    ("min", ArrayMethod::Reduction(Reduction::Min), true),
    ("prod", ArrayMethod::Reduction(Reduction::Prod), false),
    ("ptp", ArrayMethod::Reduction(Reduction::Ptp), false),
    ("reshape", ArrayMethod::Reshape, false),
    ("sort", ArrayMethod::Sort, false),
    ("std", ArrayMethod::Reduction(Reduction::Std), false),
    ("sum", ArrayMethod::Reduction(Reduction::Sum), true),
    ("tolist", ArrayMethod::Tolist, true),
    ("transpose", ArrayMethod::Transpose, false),
    ("var", ArrayMethod::Reduction(Reduction::Var), false),
];

/// The methods of arrays that call the function of the same name.
const FUNCTION_METHODS: [&str; 12] = [
    "argsort",
    "cumprod",
    "cumsum",
    "diagonal",
    "nonzero",
    "ravel",
    "repeat",
    "searchsorted",
    "squeeze",
    "swapaxes",
    "take",
    "trace",
];

/// The methods of arrays and scalars that call the function of the same name.
const SCALAR_FUNCTION_METHODS: [&str; 1] = ["round"];

impl ArrayMethod {
    /// Returns the method of arrays, or of numpy scalars, with this name.
    pub(in crate::machine) fn find(name: &str, of_scalar: bool) -> Option<Self> {
        let row = METHODS.iter().find(|&&(other, _, has_scalar)| other == name && (has_scalar || !of_scalar));
        let is_function = FUNCTION_METHODS.contains(&name) && !of_scalar || SCALAR_FUNCTION_METHODS.contains(&name);
        let function = || if is_function { Library::Numpy.function(name).map(Self::Function) } else { None };
        row.map(|&(_, method, _)| method).or_else(function)
    }

    pub(in crate::machine) fn name(self) -> &'static str {
        match self {
            Self::Function(function) => function.short_name(),
            _ => METHODS.iter().find(|&&(_, method, _)| method == self).map_or("", |&(name, ..)| name),
        }
    }

    /// Returns the names of all methods.
    #[cfg(test)]
    pub(in crate::machine) fn names() -> impl Iterator<Item = &'static str> {
        METHODS.iter().map(|&(name, ..)| name).chain(FUNCTION_METHODS).chain(SCALAR_FUNCTION_METHODS)
    }

    /// Returns the parameters of a method with named parameters.
    const fn parameters(self) -> NamedParameters<'static> {
        match self {
            Self::Reduction(reduction) => {
                NamedParameters::new(Origin::Python, reduction.parameter_names().split_at(1).1).with_required(0)
            }
            Self::Clip => NamedParameters::new(Origin::Python, &["min", "max"]).with_required(0),
            Self::Dot => NamedParameters::new(Origin::NumpyC, &["b"]),
            Self::Astype => NamedParameters::new(Origin::NumpyC, &["dtype"]),
            Self::Fill => NamedParameters::new(Origin::NumpyC, &["value"]).with_positional_only(1),
            Self::Sort => NamedParameters::new(Origin::NumpyC, &["axis", "kind"]).with_required(0),
            Self::Copy
            | Self::Flatten
            | Self::Function(_)
            | Self::Item
            | Self::Reshape
            | Self::Tolist
            | Self::Transpose => NamedParameters::new(Origin::NumpyC, &[]),
        }
    }
}

impl Machine {
    /// Returns an attribute of an array or a numpy scalar; methods are not included.
    pub(in crate::machine) fn numpy_attribute(&mut self, object: Value, name: &str) -> ExecResult<Option<Value>> {
        let shape = match self.array(object) {
            Some(array) => array.shape(),
            None => Vec::new(),
        };
        let kind = match object {
            Value::Numpy(scalar) => Some(scalar.get().dtype()),
            _ => self.array(object).map(|array| array.dtype),
        };
        let Some(kind) = kind else { return Ok(None) };
        Ok(Some(match name {
            "shape" => {
                let lengths: Vec<Value> = shape.iter().map(|&length| Value::Int(length as i64)).collect();
                self.heap.tuple(lengths)
            }
            "ndim" => Value::Int(shape.len() as i64),
            "size" => Value::Int(shape.iter().product::<usize>() as i64),
            "dtype" => Value::Dtype(kind),
            "real" => object,
            "T" => self.transpose(object),
            "imag" => Value::Int(0),
            "itemsize" => return Ok(self.dtype_attribute(kind, name)),
            "nbytes" => {
                let Some(Value::Int(bytes)) = self.dtype_attribute(kind, "itemsize") else { return Ok(None) };
                Value::Int(bytes * shape.iter().product::<usize>() as i64)
            }
            "flat" => {
                let flat = self.ravel(object)?;
                self.iterator(flat)?
            }
            _ => return Ok(None),
        }))
    }

    fn transpose(&mut self, object: Value) -> Value {
        let Some(mut array) = self.array(object).cloned() else { return object };
        array.axes.reverse();
        Value::Ref(self.heap.add(HeapObject::Array(Box::new(array))))
    }

    pub(in crate::machine) fn call_array_method(
        &mut self,
        object: Value,
        method: ArrayMethod,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        if let ArrayMethod::Function(function) = method {
            let mut all = vec![object];
            all.extend(arguments);
            return self.call_builtin(function, &all, named);
        }
        if method == ArrayMethod::Transpose {
            let axes = match *arguments {
                [] | [Value::None] => None,
                [Value::Ref(axes)] => Some(Value::Ref(axes)),
                _ => Some(self.heap.tuple(arguments)),
            };
            return self.transpose_function(object, axes);
        }
        if matches!(method, ArrayMethod::Item | ArrayMethod::Reshape) {
            self.reject_keywords(method.name(), named)?;
            return if method == ArrayMethod::Item {
                self.array_element(object, arguments)
            } else {
                self.reshape(object, arguments)
            };
        }
        let bound = self.bind_parameters(method.name(), &method.parameters(), arguments, named)?;
        match method {
            ArrayMethod::Reduction(reduction) => {
                self.charge(cost::BUILTIN)?;
                let array = self.array_argument(bound.function, object)?;
                let arguments = self.reduction_arguments(reduction, &bound, 0)?;
                self.reduce_array(reduction, false, array, &arguments)
            }
            ArrayMethod::Clip => self.clip(object, bound.given(0), bound.given(1)),
            ArrayMethod::Dot => {
                let array = self.array_argument("dot", object)?;
                let other = self.array_argument("dot", bound.required(0))?;
                self.dot(&array, &other, "dot")
            }
            ArrayMethod::Astype => {
                let dtype = self.dtype_argument(bound.required(0))?;
                let array = self.array_argument("astype", object)?;
                self.warn_invalid_cast(&array, dtype);
                let array = array.cast(dtype);
                if array.shape.is_empty() { self.new_array_or_scalar(array) } else { self.new_array(array) }
            }
            ArrayMethod::Copy | ArrayMethod::Flatten => {
                let array = self.array_argument(bound.function, object)?;
                if array.is_scalar {
                    return Ok(object);
                }
                let shape = if method == ArrayMethod::Flatten { vec![array.values.len()] } else { array.shape };
                self.new_array(DenseArray::new(shape, array.values, array.dtype))
            }
            ArrayMethod::Fill => self.fill(object, bound.required(0)),
            ArrayMethod::Tolist => {
                let array = self.array_argument("tolist", object)?;
                let mut position = 0;
                Ok(self.tolist(&array, 0, &mut position))
            }
            ArrayMethod::Sort => {
                let Some(array) = self.array(object).cloned() else { return Ok(Value::None) };
                let grid = self.to_dense(&array);
                let sorted = self.sorted_along(grid, bound.get(0), false)?;
                self.write_array(&array, &sorted.values);
                Ok(Value::None)
            }
            ArrayMethod::Function(_) | ArrayMethod::Item | ArrayMethod::Reshape | ArrayMethod::Transpose => {
                unreachable!("these methods bind their arguments")
            }
        }
    }

    /// Implements `array.fill(value)`.
    fn fill(&mut self, object: Value, value: Value) -> ExecResult {
        let Some(array) = self.array(object).cloned() else { return Ok(Value::None) };
        let fill = self.array_argument("fill", value)?;
        let is_number = fill.shape.is_empty() || self.array(value).is_some();
        let [number] = *fill.values else {
            return Err(self.raise(ExceptionKind::ValueError, "setting an array element with a sequence."));
        };
        if !is_number {
            return Err(self.raise(ExceptionKind::ValueError, "setting an array element with a sequence."));
        }
        self.write_array(&array, &vec![number; array.size()]);
        Ok(Value::None)
    }

    /// Implements `array.item(..)`: the only element, or the element at an index in the flat array or along each dimension.
    pub(in crate::machine) fn array_element(&mut self, object: Value, arguments: &[Value]) -> ExecResult {
        let array = self.array_argument("item", object)?;
        let mut indices = arguments.to_vec();
        if let [Value::Ref(at)] = *arguments
            && let HeapObject::Tuple(values) = self.heap.get(at)
        {
            indices = values.to_vec();
        }
        if indices.is_empty() {
            let [only] = *array.values else {
                let message = "can only convert an array of size 1 to a Python scalar";
                return Err(self.raise(ExceptionKind::ValueError, message));
            };
            return Ok(to_python_number(only));
        }
        let shape = if indices.len() == 1 { vec![array.values.len()] } else { array.shape };
        if indices.len() != shape.len() {
            return Err(self.raise(ExceptionKind::ValueError, "incorrect number of indices for array"));
        }
        let mut position = 0;
        for (axis, (&index, &length)) in indices.iter().zip(&shape).enumerate() {
            let number = self.as_index(index)?;
            let wrapped = if number < 0 { number.saturating_add(length as i64) } else { number };
            if !(0..length as i64).contains(&wrapped) {
                let dimension = if shape.len() == 1 { String::new() } else { format!("axis {axis} with ") };
                let message = format!("index {number} is out of bounds for {dimension}size {length}");
                return Err(self.raise(ExceptionKind::IndexError, &message));
            }
            position = position * length + wrapped as usize;
        }
        Ok(to_python_number(array.values[position]))
    }

    fn tolist(&mut self, grid: &DenseArray, axis: usize, at: &mut usize) -> Value {
        let Some(&length) = grid.shape.get(axis) else {
            *at += 1;
            return to_python_number(grid.values[*at - 1]);
        };
        let values = (0..length).map(|_| self.tolist(grid, axis + 1, at)).collect();
        self.heap.list(values)
    }

    /// Implements `array.reshape(..)`.
    fn reshape(&mut self, object: Value, arguments: &[Value]) -> ExecResult {
        let Some(array) = self.array(object).cloned() else { return Ok(object) };
        match *arguments {
            [] => Err(self.type_error("reshape() takes exactly 1 argument (0 given)")),
            [shape] => self.reshaped(&array, shape),
            _ => {
                let shape = self.heap.tuple(arguments);
                self.reshaped(&array, shape)
            }
        }
    }

    /// Implements `np.float64(x)` and the other scalar classes.
    pub(in crate::machine) fn construct_numpy_scalar(&mut self, kind: Dtype, arguments: &[Value]) -> ExecResult {
        let value = match *arguments {
            [] => Value::Int(0),
            [value] => value,
            _ => {
                return Err(
                    self.type_error(&format!("{}() takes at most 1 argument in a reward function", kind.name()))
                );
            }
        };
        let value = match self.as_text(value) {
            Some(_) if kind.is_float() => Value::Float(self.as_float(value)?),
            Some(_) if kind.is_integer() => self.as_int(value)?,
            _ => value,
        };
        if matches!(value, Value::None) {
            return match kind {
                Dtype::Float | Dtype::Float32 => Ok(Value::from(Scalar::from_f64(f64::NAN, kind))),
                Dtype::Bool => Ok(Value::from(Scalar::Bool(false))),
                Dtype::Int | Dtype::Sized(_) => {
                    let message =
                        "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'";
                    Err(self.type_error(message))
                }
            };
        }
        let grid = self.array_argument(kind.name(), value)?;
        if kind.is_integer()
            && let [one] = grid.values.as_slice()
            && !one.to_f64().is_finite()
        {
            return self.truncate_float(one.to_f64());
        }
        self.new_array_or_scalar(grid.cast(kind))
    }
}

/// Converts a numpy scalar to a number of Python; unsigned integers beyond 63 bits become floats.
pub(in crate::machine) fn to_python_number(scalar: Scalar) -> Value {
    match scalar {
        Scalar::Sized(IntKind::UInt64, bits) if bits < 0 => Value::Float(scalar.to_f64()),
        Scalar::Bool(truth) => Value::Bool(truth),
        Scalar::Sized(_, number) | Scalar::Int(number) => Value::Int(number),
        Scalar::Float(_) | Scalar::Float32(_) => Value::Float(scalar.to_f64()),
    }
}
