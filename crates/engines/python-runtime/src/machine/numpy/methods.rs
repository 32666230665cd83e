//! Attributes and methods of arrays and numpy scalars.

use super::array::DenseArray;
use super::integers::IntKind;
use super::reductions::Reduction;
use super::scalar::{Dtype, Scalar};
use super::table::FUNCTIONS;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::{LibraryFunction, ResultType, function_of};
use crate::machine::methods::{MethodEffect, MethodRow as Row};
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
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

/// The methods of arrays.
pub(in crate::machine) static ARRAY_METHODS: [Row; 36] = [
    Row::of_array("ndarray.all", ArrayMethod::Reduction(Reduction::All)),
    Row::of_array("ndarray.any", ArrayMethod::Reduction(Reduction::Any)),
    Row::of_array("ndarray.argmax", ArrayMethod::Reduction(Reduction::Argmax)),
    Row::of_array("ndarray.argmin", ArrayMethod::Reduction(Reduction::Argmin)),
    Row::of_array("ndarray.argsort", function("numpy.argsort")),
    Row::of_array("ndarray.astype", ArrayMethod::Astype),
    Row::of_array("ndarray.clip", ArrayMethod::Clip),
    Row::of_array("ndarray.copy", ArrayMethod::Copy),
    Row::of_array("ndarray.cumprod", function("numpy.cumprod")),
    Row::of_array("ndarray.cumsum", function("numpy.cumsum")),
    Row::of_array("ndarray.diagonal", function("numpy.diagonal")),
    Row::of_array("ndarray.dot", ArrayMethod::Dot),
    Row::of_array("ndarray.fill", ArrayMethod::Fill).with_effect(MethodEffect::Changes).with_result(ResultType::None),
    Row::of_array("ndarray.flatten", ArrayMethod::Flatten),
    Row::of_array("ndarray.item", ArrayMethod::Item),
    Row::of_array("ndarray.max", ArrayMethod::Reduction(Reduction::Max)),
    Row::of_array("ndarray.mean", ArrayMethod::Reduction(Reduction::Mean)),
    Row::of_array("ndarray.min", ArrayMethod::Reduction(Reduction::Min)),
    Row::of_array("ndarray.nonzero", function("numpy.nonzero")),
    Row::of_array("ndarray.prod", ArrayMethod::Reduction(Reduction::Prod)),
    Row::of_array("ndarray.ptp", ArrayMethod::Reduction(Reduction::Ptp)),
    Row::of_array("ndarray.ravel", function("numpy.ravel")),
    Row::of_array("ndarray.repeat", function("numpy.repeat")),
    Row::of_array("ndarray.reshape", ArrayMethod::Reshape),
    Row::of_array("ndarray.round", function("numpy.round")),
    Row::of_array("ndarray.searchsorted", function("numpy.searchsorted")),
    Row::of_array("ndarray.sort", ArrayMethod::Sort).with_effect(MethodEffect::Reorders).with_result(ResultType::None),
    Row::of_array("ndarray.squeeze", function("numpy.squeeze")),
    Row::of_array("ndarray.std", ArrayMethod::Reduction(Reduction::Std)),
    Row::of_array("ndarray.sum", ArrayMethod::Reduction(Reduction::Sum)),
    Row::of_array("ndarray.swapaxes", function("numpy.swapaxes")),
    Row::of_array("ndarray.take", function("numpy.take")),
    Row::of_array("ndarray.tolist", ArrayMethod::Tolist),
    Row::of_array("ndarray.trace", function("numpy.trace")),
    Row::of_array("ndarray.transpose", ArrayMethod::Transpose),
    Row::of_array("ndarray.var", ArrayMethod::Reduction(Reduction::Var)),
];

/// The methods of numpy scalars.
pub(in crate::machine) static NUMPY_SCALAR_METHODS: [Row; 12] = [
    Row::of_array("generic.all", ArrayMethod::Reduction(Reduction::All)),
    Row::of_array("generic.any", ArrayMethod::Reduction(Reduction::Any)),
    Row::of_array("generic.astype", ArrayMethod::Astype),
    Row::of_array("generic.clip", ArrayMethod::Clip),
    Row::of_array("generic.copy", ArrayMethod::Copy),
    Row::of_array("generic.item", ArrayMethod::Item),
    Row::of_array("generic.max", ArrayMethod::Reduction(Reduction::Max)),
    Row::of_array("generic.mean", ArrayMethod::Reduction(Reduction::Mean)),
    Row::of_array("generic.min", ArrayMethod::Reduction(Reduction::Min)),
    Row::of_array("generic.round", function("numpy.round")),
    Row::of_array("generic.sum", ArrayMethod::Reduction(Reduction::Sum)),
    Row::of_array("generic.tolist", ArrayMethod::Tolist),
];

/// Returns the method that calls the function of numpy with a name.
const fn function(name: &str) -> ArrayMethod {
    ArrayMethod::Function(function_of(&FUNCTIONS, name))
}

impl ArrayMethod {
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
        name: &'static str,
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
            self.reject_keywords(name, named)?;
            return if method == ArrayMethod::Item {
                self.array_element(object, arguments)
            } else {
                self.reshape(object, arguments)
            };
        }
        let bound = self.bind_parameters(name, &method.parameters(), arguments, named)?;
        self.call_bound_array_method(object, method, &bound)
    }

    /// Calls a method whose arguments are bound to its parameters.
    fn call_bound_array_method(
        &mut self,
        object: Value,
        method: ArrayMethod,
        bound: &BoundArguments<'_>,
    ) -> ExecResult {
        match method {
            ArrayMethod::Reduction(reduction) => {
                self.charge(cost::BUILTIN)?;
                let array = self.array_argument(bound.function, object)?;
                let arguments = self.reduction_arguments(reduction, bound, 0)?;
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
