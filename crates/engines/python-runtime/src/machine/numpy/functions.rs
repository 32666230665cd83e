//! Implementations of the functions of `numpy` (`np.…`).

use super::array::DenseArray;
use super::integers::IntKind;
use super::reductions::Reduction;
use super::scalar::{Dtype, RuntimeWarning, Scalar};
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::Value;
use crate::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};

/// The implementation of a function of `numpy`, whose arguments are bound to its parameters.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) enum NumpyImplementation {
    /// A function of the arguments.
    Bound(fn(&mut Machine, &BoundArguments<'_>) -> ExecResult),
    /// A function of an array, the first argument.
    Array(fn(&mut Machine, &DenseArray) -> ExecResult),
    /// A function of two arrays, the first two arguments.
    TwoArrays(fn(&mut Machine, &DenseArray, &DenseArray) -> ExecResult),
    /// A function of each element.
    Unary(UnaryUfunc),
    /// A function of each pair of elements.
    Binary(BinaryUfunc),
    /// An operator.
    Operator(BinaryOperator),
    /// A reduction of all elements or along an axis; if the flag is set, NaN is ignored.
    Reduction(Reduction, bool),
}

/// A function of each element of an array.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) enum UnaryUfunc {
    /// A function of floats, to which other numbers are converted.
    Float(fn(f64) -> f64),
    /// A logarithm: a function of floats with a pole.
    Logarithm(fn(f64) -> f64),
    /// A function that keeps the kind of numbers; Booleans are unchanged, or raise a `TypeError`.
    Numbers { int: fn(i64) -> i64, float: fn(f64) -> f64, has_booleans: bool },
    /// A test.
    Test(fn(Scalar) -> bool),
}

/// A function of each pair of elements of two arrays.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) enum BinaryUfunc {
    /// A function of floats, to which other numbers are converted.
    TwoFloats(fn(f64, f64) -> f64),
    /// A function of truth values.
    Logical(fn(bool, bool) -> bool),
    /// The maximum or minimum; NaN takes precedence.
    Extreme { is_max: bool },
    /// The maximum or minimum; NaN is ignored.
    NumberExtreme { is_max: bool },
    /// A comparison.
    Comparison(ComparisonOperator),
    /// A function of floats, or the integers from one function of integers.
    Numbers { int: fn(i64, i64) -> i64, float: fn(f64, f64) -> f64 },
}

impl Machine {
    pub(in crate::machine) fn call_numpy_function(
        &mut self,
        implementation: NumpyImplementation,
        bound: &BoundArguments<'_>,
    ) -> ExecResult {
        match implementation {
            NumpyImplementation::Bound(call) => call(self, bound),
            NumpyImplementation::Reduction(reduction, skips_nan) => {
                let array = self.array_argument(bound.function, bound.required(0))?;
                let arguments = self.reduction_arguments(reduction, bound, 1)?;
                self.reduce_array(reduction, skips_nan, array, &arguments)
            }
            NumpyImplementation::Array(call) => {
                let array = self.array_argument(bound.function, bound.required(0))?;
                call(self, &array)
            }
            NumpyImplementation::Unary(ufunc) => {
                let array = self.array_argument(bound.function, bound.required(0))?;
                self.unary_ufunc(bound.function, ufunc, &array)
            }
            NumpyImplementation::TwoArrays(call) => {
                let (one, two) = self.first_two_arrays(bound)?;
                call(self, &one, &two)
            }
            NumpyImplementation::Binary(ufunc) => {
                let (one, two) = self.first_two_arrays(bound)?;
                self.binary_ufunc(ufunc, &one, &two)
            }
            NumpyImplementation::Operator(operator) => {
                let (one, two) = self.first_two_arrays(bound)?;
                let result = self.apply_elementwise(operator, &one, &two)?;
                self.new_array_or_scalar(result)
            }
        }
    }

    /// Converts the first two arguments to arrays.
    pub(super) fn first_two_arrays(&mut self, bound: &BoundArguments<'_>) -> ExecResult<(DenseArray, DenseArray)> {
        let one = self.array_argument(bound.function, bound.required(0))?;
        let two = self.array_argument(bound.function, bound.required(1))?;
        Ok((one, two))
    }

    /// Implements `np.array`.
    pub(super) fn array_from_value(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let copies = match bound.get(2) {
            None => true,
            Some(Value::None) => return Err(self.raise(ExceptionKind::ValueError, "NoneType copy mode not allowed.")),
            Some(copy) => self.truth(copy)?,
        };
        self.array_with_dtype(bound, copies)
    }

    /// Converts the first argument to an array with the dtype of the second one; arrays that have it are copied only on demand.
    pub(super) fn array_with_dtype(&mut self, bound: &BoundArguments<'_>, copies: bool) -> ExecResult {
        let value = bound.required(0);
        let dtype = bound.given(1).map(|dtype| self.dtype_argument(dtype)).transpose()?;
        if !copies
            && let Some(array) = self.array(value)
            && dtype.is_none_or(|dtype| dtype == array.dtype)
        {
            return Ok(value);
        }
        let mut array = self.array_argument(bound.function, value)?;
        if let Some(dtype) = dtype {
            self.warn_invalid_cast(&array, dtype);
            array = array.cast(dtype);
        }
        array.is_scalar = false;
        self.new_array(array)
    }

    /// Warns if a cast to integers meets NaN or infinity.
    pub(super) fn warn_invalid_cast(&mut self, grid: &DenseArray, kind: Dtype) {
        if kind.is_integer() && grid.values.iter().any(|value| !value.to_f64().is_finite()) {
            self.warn("RuntimeWarning: invalid value encountered in cast");
        }
    }

    pub(super) fn shape_argument(&mut self, shape: Value) -> ExecResult<Vec<usize>> {
        let lengths = match self.try_iterator(shape)? {
            Some(_) => self.collect_values(shape)?,
            None => vec![shape],
        };
        let mut shape = Vec::with_capacity(lengths.len());
        for length in lengths {
            let length = self.as_index(length)?;
            let Ok(length) = usize::try_from(length) else {
                return Err(self.raise(ExceptionKind::ValueError, "negative dimensions are not allowed"));
            };
            shape.push(length);
        }
        let size = shape.iter().try_fold(1usize, |size, &length| size.checked_mul(length)).unwrap_or(usize::MAX);
        self.reserve_values(size)?;
        Ok(shape)
    }

    pub(super) fn full_array(&mut self, shape: Value, fill: Value, dtype: Option<Value>) -> ExecResult {
        let shape = self.shape_argument(shape)?;
        let fill = self.array_argument("full", fill)?;
        let dtype = dtype.map_or(Ok(fill.dtype), |dtype| self.dtype_argument(dtype))?;
        let ones = fill.shape.iter().take_while(|&&length| length == 1).count();
        let own = &fill.shape[ones.min(fill.shape.len().saturating_sub(shape.len()))..];
        if super::array::broadcast_shapes(own, &shape).as_ref() != Some(&shape) {
            let (from, to) = (super::array::shape_text(&fill.shape), super::array::shape_text(&shape));
            let message = format!("could not broadcast input array from shape {from} into shape {to}");
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let size = shape.iter().product();
        let values = (0..size).map(|index| fill.broadcast_element(&shape, index)).collect();
        self.new_array(DenseArray::new(shape, values, dtype))
    }

    /// Implements `np.arange`.
    pub(super) fn arange(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let (start, end) = match (bound.get(0), bound.given(1)) {
            (start, Some(end)) => (start.unwrap_or(Value::Int(0)), end),
            (Some(end), None) if bound.positional_count > 0 => (Value::Int(0), end),
            _ => return Err(self.type_error("arange() requires stop to be specified.")),
        };
        let (start, end) = (self.arange_argument(start)?, self.arange_argument(end)?);
        let step = bound.given(2).map_or(Ok(Scalar::Int(1)), |step| self.arange_argument(step))?;
        let kind = [start, end, step].iter().map(|value| value.dtype()).fold(Dtype::Int, Dtype::promote);
        let length = self.arange_length(start, end, step)?;
        let dtype = bound.given(3).map_or(Ok(kind), |dtype| self.dtype_argument(dtype))?;
        if dtype == Dtype::Bool && length > 2 {
            let message = "arange() is only supported for booleans when the result has at most length 2.";
            return Err(self.type_error(message));
        }
        self.reserve_values(length)?;
        let (start, step) = (start.cast(kind), step.cast(kind));
        // As in numpy, the first two numbers are converted to the dtype, and determine the others.
        let first = start.cast(dtype);
        let second = match (start, step) {
            (Scalar::Int(start), Scalar::Int(step)) => Scalar::Int(start.wrapping_add(step)),
            _ => Scalar::from_f64(start.to_f64() + step.to_f64(), kind),
        };
        let second = second.cast(dtype);
        let values = (0..length).map(|index| match index {
            0 => first,
            1 => second,
            _ => arange_element(first, second, index),
        });
        let values = values.collect();
        self.new_array(DenseArray::new(vec![length], values, dtype))
    }

    /// Converts an argument of `np.arange` to a number.
    fn arange_argument(&mut self, value: Value) -> ExecResult<Scalar> {
        if let Some(scalar) = self.as_scalar(value) {
            return Ok(scalar);
        }
        if self.array(value).is_some()
            && let [scalar] = *self.array_argument("arange", value)?.values
        {
            return Ok(scalar);
        }
        let message = format!("unsupported operand type(s) for -: 'int' and '{}'", self.class_name(value));
        Err(self.type_error(&message))
    }

    fn arange_length(&mut self, start: Scalar, end: Scalar, step: Scalar) -> ExecResult<usize> {
        let quotient = match (start, end, step) {
            _ if [start, end, step].iter().all(|number| !number.dtype().is_float()) => {
                if step.to_i64() == 0 {
                    return Err(self.raise(ExceptionKind::ZeroDivisionError, "division by zero"));
                }
                (i128::from(end.to_i64()) - i128::from(start.to_i64())) as f64 / step.to_f64()
            }
            _ if step.to_f64() == 0.0 => {
                return Err(self.raise(ExceptionKind::ZeroDivisionError, "float division by zero"));
            }
            _ => (end.to_f64() - start.to_f64()) / step.to_f64(),
        };
        if quotient.is_nan() {
            return Err(self.raise(ExceptionKind::ValueError, "arange: cannot compute length"));
        }
        if quotient >= i64::MAX as f64 {
            return Err(self.raise(ExceptionKind::ValueError, "Maximum allowed size exceeded"));
        }
        Ok(quotient.ceil().max(0.0) as usize)
    }

    /// Implements `np.linspace`.
    pub(super) fn linspace(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let (start, end) = (self.as_float(bound.required(0))?, self.as_float(bound.required(1))?);
        let has_end = bound.get(3).map_or(Ok(true), |endpoint| self.truth(endpoint))?;
        let returns_step = bound.get(4).map_or(Ok(false), |retstep| self.truth(retstep))?;
        let kind = bound.given(5).map_or(Ok(Dtype::Float), |dtype| self.dtype_argument(dtype))?;
        let (numbers, step) = self.evenly_spaced(start, end, bound.get(2), has_end)?;
        let floors = |number: f64| if kind.is_integer() { number.floor() } else { number };
        let values = numbers.into_iter().map(|number| Scalar::Float(floors(number))).collect();
        let array = self.new_vector(values, kind)?;
        if returns_step { Ok(self.heap.tuple([array, Value::Float(step)])) } else { Ok(array) }
    }

    /// Implements `np.logspace` and, if the bounds are the values themselves, `np.geomspace`.
    pub(super) fn logspace(&mut self, bound: &BoundArguments<'_>, is_of_values: bool) -> ExecResult {
        let (start, end) = (self.as_float(bound.required(0))?, self.as_float(bound.required(1))?);
        let has_end = bound.get(3).map_or(Ok(true), |endpoint| self.truth(endpoint))?;
        if is_of_values {
            if start <= 0.0 || end <= 0.0 {
                let message = "reward functions support np.geomspace only of positive bounds";
                return Err(self.raise(ExceptionKind::ValueError, message));
            }
            let (mut numbers, _) = self.evenly_spaced(0.0, (end / start).log10(), bound.get(2), has_end)?;
            let last = numbers.len().saturating_sub(1);
            for (place, number) in numbers.iter_mut().enumerate() {
                *number = 10f64.powf(*number) * start;
                if place == 0 {
                    *number = start;
                } else if place == last && has_end {
                    *number = end;
                }
            }
            return self.new_float_vector(&numbers);
        }
        let base = bound.get(4).map_or(Ok(10.0), |base| self.as_float(base))?;
        let (numbers, _) = self.evenly_spaced(start, end, bound.get(2), has_end)?;
        let numbers: Vec<f64> = numbers.into_iter().map(|number| base.powf(number)).collect();
        self.new_float_vector(&numbers)
    }

    /// Returns numbers at equal distances, by default 50, and the distance.
    fn evenly_spaced(
        &mut self,
        start: f64,
        end: f64,
        count: Option<Value>,
        has_end: bool,
    ) -> ExecResult<(Vec<f64>, f64)> {
        let count = count.map_or(Ok(50), |count| self.as_index(count))?;
        let Ok(count) = usize::try_from(count) else {
            let message = format!("Number of samples, {count}, must be non-negative.");
            return Err(self.raise(ExceptionKind::ValueError, &message));
        };
        self.reserve_values(count)?;
        let steps = count.saturating_sub(usize::from(has_end));
        let step = if steps > 0 { (end - start) / steps as f64 } else { f64::NAN };
        let number = |index: usize| match index {
            _ if has_end && count > 1 && index + 1 == count => end,
            0 if steps == 0 => start,
            _ => index as f64 * step + start,
        };
        Ok(((0..count).map(number).collect(), step))
    }

    /// Converts the elements of the first argument to arrays.
    pub(super) fn array_parts(&mut self, bound: &BoundArguments<'_>) -> ExecResult<Vec<DenseArray>> {
        let arrays = self.collect_values(bound.required(0))?;
        self.reserve_values(arrays.iter().filter_map(|&array| Some(self.array(array)?.size())).sum())?;
        arrays.into_iter().map(|array| self.array_argument(bound.function, array)).collect()
    }

    /// Implements `np.stack`.
    pub(super) fn stack(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let parts = self.array_parts(bound)?;
        let Some(first) = parts.first() else {
            return Err(self.raise(ExceptionKind::ValueError, "need at least one array to stack"));
        };
        if parts.iter().any(|part| part.shape != first.shape) {
            return Err(self.raise(ExceptionKind::ValueError, "all input arrays must have the same shape"));
        }
        let dimensions = first.shape.len() + 1;
        let axis = bound.get(1).map_or(Ok(0), |axis| self.resolve_dimension(axis, dimensions))?;
        let array = self.stack_arrays(parts)?;
        if axis > 0 {
            let mut order: Vec<usize> = (1..dimensions).collect();
            order.insert(axis, 0);
            return self.new_array(super::shapes::permuted(&array, &order));
        }
        self.new_array(array)
    }

    /// Implements `np.concatenate`.
    pub(super) fn concatenate(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let mut parts = self.array_parts(bound)?;
        let axis = match bound.get(1) {
            Some(Value::None) => {
                for part in &mut parts {
                    part.shape = vec![part.values.len()];
                }
                Value::Int(0)
            }
            Some(Value::Bool(_)) => return Err(self.type_error("an integer is required for the axis")),
            axis => axis.unwrap_or(Value::Int(0)),
        };
        let Some(dimensions) = parts.first().map(|part| part.shape.len().max(1)) else {
            return Err(self.raise(ExceptionKind::ValueError, "need at least one array to concatenate"));
        };
        let axis = self.resolve_dimension(axis, dimensions)?;
        let joined = self.joined_arrays(&parts, axis)?;
        self.new_array(joined)
    }

    /// Joins arrays along an axis.
    pub(super) fn joined_arrays(&mut self, parts: &[DenseArray], axis: usize) -> ExecResult<DenseArray> {
        let Some(first) = parts.first() else {
            return Err(self.raise(ExceptionKind::ValueError, "need at least one array to concatenate"));
        };
        if parts.iter().any(|part| part.shape.is_empty()) {
            let message = "zero-dimensional arrays cannot be concatenated";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        for (index, part) in parts.iter().enumerate().skip(1) {
            self.check_concatenation(&first.shape, &part.shape, axis, index)?;
        }
        let dtype = parts.iter().map(|part| part.dtype).reduce(Dtype::promote).unwrap_or(Dtype::Float);
        let mut shape = first.shape.clone();
        shape[axis] = parts.iter().map(|part| part.shape[axis]).sum();
        let outer: usize = shape[..axis].iter().product();
        let inner: usize = shape[axis + 1..].iter().product();
        let size = shape.iter().product();
        self.reserve_values(size)?;
        let mut values = Vec::with_capacity(size);
        for row in 0..outer {
            for part in parts {
                let length = part.shape[axis] * inner;
                values.extend(&part.values[row * length..(row + 1) * length]);
            }
        }
        Ok(DenseArray::new(shape, values, dtype))
    }

    /// Checks that an array with the given index can be concatenated to the first one.
    fn check_concatenation(&mut self, first: &[usize], other: &[usize], axis: usize, index: usize) -> ExecResult<()> {
        if first.len() != other.len() {
            let message = format!(
                "all the input arrays must have same number of dimensions, but the array at index 0 has {} \
                dimension(s) and the array at index {index} has {} dimension(s)",
                first.len(),
                other.len()
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let differs = |dimension: &usize| *dimension != axis && first[*dimension] != other[*dimension];
        let Some(dimension) = (0..first.len()).find(differs) else { return Ok(()) };
        let message = format!(
            "all the input array dimensions except for the concatenation axis must match exactly, but along dimension \
            {dimension}, the array at index 0 has size {} and the array at index {index} has size {}",
            first[dimension], other[dimension]
        );
        Err(self.raise(ExceptionKind::ValueError, &message))
    }

    pub(super) fn shape_tuple(&mut self, grid: &DenseArray) -> Value {
        let lengths: Vec<Value> = grid.shape.iter().map(|&length| Value::Int(length as i64)).collect();
        self.heap.tuple(lengths)
    }

    /// Returns an array with the shape of the first argument and the dtype of the second one, or else of the first.
    pub(super) fn filled_like(&mut self, bound: &BoundArguments<'_>, fill: i64) -> ExecResult {
        let array = self.array_argument(bound.function, bound.required(0))?;
        let dtype = bound.given(1).map_or(Ok(array.dtype), |dtype| self.dtype_argument(dtype))?;
        self.new_array(array.map(dtype, |_| Scalar::Int(fill)))
    }

    /// Implements `np.full_like`.
    pub(super) fn full_like(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let array = self.array_argument(bound.function, bound.required(0))?;
        let dtype = bound.given(2).map_or(Ok(array.dtype), |dtype| self.dtype_argument(dtype))?;
        let fill = self.array_argument("full_like", bound.required(1))?;
        if super::array::broadcast_shapes(&fill.shape, &array.shape).as_ref() != Some(&array.shape) {
            let (from, to) = (super::array::shape_text(&fill.shape), super::array::shape_text(&array.shape));
            let message = format!("could not broadcast input array from shape {from} into shape {to}");
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let size = array.values.len();
        let values = (0..size).map(|place| fill.broadcast_element(&array.shape, place)).collect();
        self.new_array(DenseArray::new(array.shape, values, dtype))
    }

    /// Implements `np.identity`.
    pub(super) fn identity_matrix(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let Some(eye) = crate::library::Library::Numpy.function("eye") else { return Ok(Value::None) };
        let size = bound.required(0);
        let dtype = bound.get(1).unwrap_or(Value::None);
        self.call_builtin(eye, &[size, Value::None, Value::Int(0), dtype], &[])
    }

    /// Implements `np.copy`.
    pub(super) fn copy_of_array(&mut self, value: Value) -> ExecResult {
        let array = self.array_argument("copy", value)?;
        self.new_array(DenseArray { is_scalar: false, ..array })
    }

    /// Implements `np.negative` and the functions of other unary operators.
    pub(super) fn unary_operator_function(
        &mut self,
        operator: UnaryOperator,
        bound: &BoundArguments<'_>,
    ) -> ExecResult {
        if let Some(result) = self.numpy_unary(operator, bound.required(0))? {
            return Ok(result);
        }
        let message = format!("bad operand type for numpy.{}", bound.function);
        Err(self.type_error(&message))
    }

    /// Implements `np.vdot`.
    pub(super) fn dot_of_flat(&mut self, one: &DenseArray, two: &DenseArray) -> ExecResult {
        let flat = |array: &DenseArray| DenseArray { shape: vec![array.values.len()], ..array.clone() };
        self.dot(&flat(one), &flat(two), "vdot")
    }

    /// Implements `np.atleast_1d` and the like.
    pub(super) fn at_least_dimensions_of(
        &mut self,
        arguments: &[Value],
        named: KeywordArguments<'_>,
        dimensions: usize,
    ) -> ExecResult {
        self.reject_keywords("atleast", named)?;
        self.at_least_dimensions(arguments, dimensions)
    }

    /// Implements `np.gradient`.
    pub(super) fn gradient_function(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [axis] = self.bind_keywords("gradient", named, ["axis"])?;
        self.gradient(arguments, axis)
    }

    /// Implements `np.meshgrid`.
    pub(super) fn mesh_grid_function(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [indexing] = self.bind_keywords("meshgrid", named, ["indexing"])?;
        let indexing = indexing.and_then(|indexing| self.as_text(indexing));
        match indexing.as_deref() {
            None | Some("xy") => self.mesh_grid(arguments, false),
            Some("ij") => self.mesh_grid(arguments, true),
            Some(_) => {
                let message = "Valid values for `indexing` are 'xy' and 'ij'.";
                Err(self.raise(ExceptionKind::ValueError, message))
            }
        }
    }

    /// Applies a function of one number to each element.
    pub(super) fn unary_ufunc(&mut self, name: &str, ufunc: UnaryUfunc, grid: &DenseArray) -> ExecResult {
        let kind = match ufunc {
            UnaryUfunc::Numbers { has_booleans: false, .. } if grid.dtype == Dtype::Bool => {
                let message = format!("ufunc '{name}' did not contain a loop with signature matching types");
                return Err(self.type_error(&message));
            }
            UnaryUfunc::Test(_) => Dtype::Bool,
            UnaryUfunc::Numbers { .. } => grid.dtype,
            UnaryUfunc::Float(_) | UnaryUfunc::Logarithm(_) => self.float_function_dtype(name, grid.dtype)?,
        };
        let mut warnings = Vec::new();
        let values: Vec<Scalar> = grid
            .values
            .iter()
            .map(|&value| {
                let result = apply_ufunc(ufunc, value, kind);
                if kind.is_float() && !value.is_nan() {
                    let (from, to) = (value.to_f64(), result.to_f64());
                    if to.is_nan() {
                        warnings.push(RuntimeWarning::Invalid);
                    } else if to.is_infinite() && from.is_finite() {
                        let has_pole = matches!(ufunc, UnaryUfunc::Logarithm(_));
                        warnings.push(if has_pole { RuntimeWarning::DivideByZero } else { RuntimeWarning::Overflow });
                    }
                }
                result
            })
            .collect();
        self.emit_runtime_warnings(&warnings, name);
        self.new_array_or_scalar(DenseArray {
            is_scalar: grid.is_scalar,
            ..DenseArray::new(grid.shape.clone(), values, kind)
        })
    }

    /// Returns the kind of the results of a function of floats.
    pub(super) fn float_function_dtype(&mut self, name: &str, kind: Dtype) -> ExecResult<Dtype> {
        match kind.of_float_function() {
            Some(kind) => Ok(kind),
            None => Err(self.type_error(&format!(
                "numpy.{name} of {} gives float16, which reward functions do not support: use .astype(float) first",
                super::dtype::dtype_name(kind)
            ))),
        }
    }

    fn binary_ufunc(&mut self, ufunc: BinaryUfunc, one: &DenseArray, two: &DenseArray) -> ExecResult {
        let shape = self.common_shape(one, two)?;
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        let kind = super::array::result_dtype(one, two);
        let kind = match ufunc {
            BinaryUfunc::Logical(_) | BinaryUfunc::Comparison(_) => Dtype::Bool,
            BinaryUfunc::Numbers { .. } if kind == Dtype::Bool => Dtype::Sized(IntKind::Int8),
            BinaryUfunc::TwoFloats(_) => self.float_function_dtype("arctan2", kind)?,
            _ => kind,
        };
        let values = (0..size).map(|place| {
            let (a, b) = (one.broadcast_element(&shape, place), two.broadcast_element(&shape, place));
            match ufunc {
                BinaryUfunc::Logical(holds) => Scalar::Bool(holds(a.to_bool(), b.to_bool())),
                BinaryUfunc::TwoFloats(compute) => Scalar::from_f64(compute(a.to_f64(), b.to_f64()), kind),
                BinaryUfunc::NumberExtreme { .. } if a.is_nan() => b,
                BinaryUfunc::NumberExtreme { .. } if b.is_nan() => a,
                BinaryUfunc::Extreme { is_max } | BinaryUfunc::NumberExtreme { is_max } => {
                    min_or_max(a.cast(kind), b.cast(kind), is_max)
                }
                BinaryUfunc::Comparison(operator) => Scalar::Bool(a.compare(operator, b)),
                BinaryUfunc::Numbers { int, .. } if kind.is_integer() => {
                    Scalar::Int(int(a.to_i64(), b.to_i64())).cast(kind)
                }
                BinaryUfunc::Numbers { float, .. } => Scalar::from_f64(float(a.to_f64(), b.to_f64()), kind),
            }
        });
        let values = values.collect();
        self.new_array_or_scalar(DenseArray::new(shape, values, kind))
    }

    /// Implements `np.clip`.
    pub(super) fn clip(&mut self, array: Value, low: Option<Value>, high: Option<Value>) -> ExecResult {
        let mut result = self.array_argument("clip", array)?;
        let low = low.map(|low| self.array_argument("clip", low)).transpose()?;
        let high = high.map(|high| self.array_argument("clip", high)).transpose()?;
        if low.is_none() && high.is_none() {
            return Err(self.raise(ExceptionKind::ValueError, "One of max or min must be given"));
        }
        for (bound, is_low) in [(low.as_ref(), true), (high.as_ref(), false)] {
            let Some(bound) = bound else { continue };
            let kind = super::array::result_dtype(&result, bound);
            let shape = self.common_shape(&result, bound)?;
            let size: usize = shape.iter().product();
            self.reserve_values(size)?;
            let values = (0..size)
                .map(|place| {
                    let (a, b) = (
                        result.broadcast_element(&shape, place).cast(kind),
                        bound.broadcast_element(&shape, place).cast(kind),
                    );
                    min_or_max(a, b, is_low)
                })
                .collect();
            result =
                DenseArray { is_scalar: result.is_scalar && bound.is_scalar, ..DenseArray::new(shape, values, kind) };
        }
        self.new_array_or_scalar(result)
    }

    /// Implements `np.where`.
    pub(super) fn select_by_condition(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let (yes, no) = match (bound.get(1), bound.get(2)) {
            (Some(yes), Some(no)) => (yes, no),
            (None, None) => {
                let condition = self.array_argument("where", bound.required(0))?;
                return self.nonzero(&condition);
            }
            _ => {
                let message = "either both or neither of x and y should be given";
                return Err(self.raise(ExceptionKind::ValueError, message));
            }
        };
        let condition = &self.array_argument("where", bound.required(0))?;
        let (yes, no) = (&self.array_argument("where", yes)?, &self.array_argument("where", no)?);
        let values = self.common_shape(yes, no)?;
        let Some(shape) = super::array::broadcast_shapes(&condition.shape, &values) else {
            return Err(self.broadcast_error(&condition.shape, &values));
        };
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        let kind = super::array::result_dtype(yes, no);
        let chosen = (0..size).map(|place| {
            if condition.broadcast_element(&shape, place).to_bool() {
                yes.broadcast_element(&shape, place)
            } else {
                no.broadcast_element(&shape, place)
            }
        });
        let chosen = chosen.collect();
        self.new_array(DenseArray::new(shape, chosen, kind))
    }

    /// Implements `np.isclose`, and `np.allclose` if `is_reduced`.
    pub(super) fn isclose(&mut self, bound: &BoundArguments<'_>, is_reduced: bool) -> ExecResult {
        let (one, two) = self.first_two_arrays(bound)?;
        let relative = self.array_argument("isclose", bound.get(2).unwrap_or(Value::Float(1e-5)))?;
        let absolute = self.array_argument("isclose", bound.get(3).unwrap_or(Value::Float(1e-8)))?;
        let equal_nan = bound.get(4).map_or(Ok(false), |equal| self.truth(equal))?;
        let mut shape = one.shape.clone();
        for other in [&two, &relative, &absolute] {
            let Some(common) = super::array::broadcast_shapes(&shape, &other.shape) else {
                return Err(self.broadcast_error(&shape, &other.shape));
            };
            shape = common;
        }
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        let values = (0..size).map(|place| {
            let (a, b) = (one.broadcast_element(&shape, place).to_f64(), two.broadcast_element(&shape, place).to_f64());
            let relative = relative.broadcast_element(&shape, place).to_f64();
            let absolute = absolute.broadcast_element(&shape, place).to_f64();
            let both_nan = equal_nan && a.is_nan() && b.is_nan();
            let close = both_nan
                || if a.is_finite() && b.is_finite() { (a - b).abs() <= absolute + relative * b.abs() } else { a == b };
            Scalar::Bool(close)
        });
        let values = values.collect();
        let grid = DenseArray::new(shape, values, Dtype::Bool);
        if is_reduced {
            return Ok(Value::Bool(grid.values.iter().all(|value| value.to_bool())));
        }
        self.new_array_or_scalar(grid)
    }

    /// Implements `np.cross` of vectors of three numbers, or of two, whose product is a number.
    pub(super) fn cross(&mut self, one: &DenseArray, two: &DenseArray) -> ExecResult {
        let is_vector = |array: &DenseArray| matches!(*array.shape, [2 | 3]);
        if !is_vector(one) || !is_vector(two) {
            let message = "reward functions support np.cross only for two vectors of two or three numbers";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let is_flat = one.values.len() == 2 && two.values.len() == 2;
        let places: &[usize] = if is_flat { &[2] } else { &[0, 1, 2] };
        let select = |array: &DenseArray, shift: usize| {
            let zero = Scalar::Int(0).cast(array.dtype);
            let item = |place: usize| array.values.get((place + shift) % 3).copied().unwrap_or(zero);
            let values: Vec<Scalar> = places.iter().map(|&place| item(place)).collect();
            DenseArray::new(vec![values.len()], values, array.dtype)
        };
        let plus = self.apply_elementwise(BinaryOperator::Mult, &select(one, 1), &select(two, 2))?;
        let minus = self.apply_elementwise(BinaryOperator::Mult, &select(one, 2), &select(two, 1))?;
        let product = self.apply_elementwise(BinaryOperator::Sub, &plus, &minus)?;
        if is_flat {
            return self.new_array(DenseArray { shape: Vec::new(), ..product });
        }
        self.new_array(product)
    }

    /// Applies an operator to each pair of elements.
    ///
    /// # Errors
    /// `TypeError` if the dtypes do not support the operator.
    pub(super) fn apply_elementwise(
        &mut self,
        operator: BinaryOperator,
        one: &DenseArray,
        two: &DenseArray,
    ) -> ExecResult<DenseArray> {
        if let Some(result) = self.elementwise_operator(operator, one, two)? {
            return Ok(result);
        }
        let name = super::arithmetic::ufunc_name(operator);
        Err(self.type_error(&format!("ufunc '{name}' not supported for the input types")))
    }
}

/// Returns an element of a range from its first two elements.
fn arange_element(first: Scalar, second: Scalar, index: usize) -> Scalar {
    match (first, second) {
        (Scalar::Float(first), Scalar::Float(second)) => Scalar::Float(first + index as f64 * (second - first)),
        (Scalar::Float32(first), Scalar::Float32(second)) => Scalar::Float32(first + index as f32 * (second - first)),
        _ => {
            let step = second.to_i64().wrapping_sub(first.to_i64());
            Scalar::Int(first.to_i64().wrapping_add((index as i64).wrapping_mul(step)))
        }
    }
}

/// Whether two arrays have the same shape and elements.
pub(super) fn is_equal(one: &DenseArray, two: &DenseArray) -> bool {
    one.shape == two.shape && one.values.iter().zip(&two.values).all(|(a, b)| a.compare(ComparisonOperator::Eq, *b))
}

/// Returns the larger or the smaller number; NaN takes precedence.
pub(super) fn min_or_max(a: Scalar, b: Scalar, larger: bool) -> Scalar {
    let keeps = a.is_nan() || a.compare(if larger { ComparisonOperator::GtE } else { ComparisonOperator::LtE }, b);
    if keeps { a } else { b }
}

fn apply_ufunc(ufunc: UnaryUfunc, value: Scalar, kind: Dtype) -> Scalar {
    match (ufunc, value) {
        (UnaryUfunc::Test(holds), _) => Scalar::Bool(holds(value)),
        (UnaryUfunc::Numbers { .. }, Scalar::Bool(_)) => value,
        (UnaryUfunc::Numbers { int, .. }, Scalar::Int(number)) => Scalar::Int(int(number)),
        // The absolute value and the sign of integers that are not signed take their bits as signed.
        (UnaryUfunc::Numbers { int, .. }, Scalar::Sized(kind, number)) => Scalar::Int(int(number)).cast(kind.into()),
        (UnaryUfunc::Numbers { float, .. } | UnaryUfunc::Float(float) | UnaryUfunc::Logarithm(float), _) => {
            Scalar::from_f64(float(value.to_f64()), kind)
        }
    }
}

/// Computes the sign of a float, as numpy does for zeros and NaN.
pub(super) fn sign(number: f64) -> f64 {
    if number == 0.0 || number.is_nan() { number + 0.0 } else { 1f64.copysign(number) }
}
