//! Implementations of the functions of `numpy` (`np.…`).

use super::array::DenseArray;
use super::reductions::Reduction;
use super::scalar::{Dtype, RuntimeWarning, Scalar};
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecError, ExecResult};
use crate::machine::library_function::LibraryFunction;
use crate::machine::value::Value;
use crate::operators::{BinaryOperator, ComparisonOperator};

/// The implementation of a function of `numpy`, whose arguments are bound to its parameters.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) enum NumpyImplementation {
    /// A function of the arguments; `None` for omitted ones.
    Bound(fn(&mut Machine, &LibraryFunction, &[Option<Value>]) -> ExecResult),
    /// A function of arrays.
    Arrays(fn(&mut Machine, &[DenseArray]) -> ExecResult),
    /// A function of each element.
    Unary(UnaryUfunc),
    /// A function of each pair of elements.
    Binary(BinaryUfunc),
    /// An operator.
    Operator(BinaryOperator),
    /// A reduction of all elements or along an axis.
    Reduction(Reduction),
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
}

impl Machine {
    /// Calls the function with this name within `numpy`.
    pub(in crate::machine) fn call_numpy(
        &mut self,
        name: &str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let function = super::numpy_function(name).expect("callers name functions of the table");
        self.call_library_function(function, arguments, named)
    }

    pub(in crate::machine) fn call_numpy_function(
        &mut self,
        function: &LibraryFunction,
        implementation: NumpyImplementation,
        bound: &[Option<Value>],
    ) -> ExecResult {
        match implementation {
            NumpyImplementation::Bound(call) => return call(self, function, bound),
            NumpyImplementation::Reduction(reduction) => {
                let Some(value) = bound[0] else { return self.missing_numpy_arguments(function) };
                let grid = self.array_argument(function.short_name(), value)?;
                return self.reduce_array(reduction, &grid, bound[1], bound.get(2).copied().flatten());
            }
            _ => {}
        }
        let grids: Vec<DenseArray> = self.array_arguments(function, bound, false)?.into_iter().flatten().collect();
        match (implementation, grids.as_slice()) {
            (NumpyImplementation::Arrays(call), grids) => call(self, grids),
            (NumpyImplementation::Unary(ufunc), [grid]) => self.unary_ufunc(function, ufunc, grid),
            (NumpyImplementation::Binary(ufunc), [one, two]) => self.binary_ufunc(ufunc, one, two),
            (NumpyImplementation::Operator(operator), [one, two]) => {
                let result = self.elementwise_operator(operator, one, two)?;
                result.map_or(Ok(Value::None), |grid| self.new_array_or_scalar(grid))
            }
            _ => Ok(Value::None),
        }
    }

    /// Converts the arguments to arrays; `None` for omitted ones, and for the argument `None` if `accepts_none`.
    fn array_arguments(
        &mut self,
        function: &LibraryFunction,
        bound: &[Option<Value>],
        accepts_none: bool,
    ) -> ExecResult<Vec<Option<DenseArray>>> {
        let mut grids = Vec::with_capacity(bound.len());
        for (place, value) in bound.iter().enumerate() {
            match *value {
                Some(Value::None) if accepts_none => grids.push(None),
                Some(value) => grids.push(Some(self.array_argument(function.short_name(), value)?)),
                None if place < function.required_count() => return Err(self.missing_numpy_arguments_error(function)),
                None => grids.push(None),
            }
        }
        Ok(grids)
    }

    pub(super) fn missing_numpy_arguments(&mut self, function: &LibraryFunction) -> ExecResult {
        Err(self.missing_numpy_arguments_error(function))
    }

    fn missing_numpy_arguments_error(&mut self, function: &LibraryFunction) -> ExecError {
        let message = format!("{}() needs {}", function.short_name(), function.parameter_names().join(", "));
        self.type_error(&message)
    }

    /// Assigns arguments to parameters, by position and keyword.
    pub(in crate::machine) fn bind_numpy_arguments(
        &mut self,
        function: &LibraryFunction,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<Vec<Option<Value>>> {
        let (name, parameters) = (function.short_name(), function.parameter_names());
        let mut bound: Vec<Option<Value>> = arguments.iter().copied().map(Some).collect();
        if bound.len() > parameters.len() {
            let message = format!(
                "{name}() takes from 1 to {} positional arguments but {} were given",
                parameters.len(),
                bound.len()
            );
            return Err(self.type_error(&message));
        }
        bound.resize(parameters.len(), None);
        for &(symbol, value) in named {
            let keyword = self.name(symbol);
            let Some(place) = parameters.iter().position(|&parameter| parameter == &*keyword) else {
                let message = format!("{name}() got an unexpected keyword argument '{keyword}'");
                return Err(self.type_error(&message));
            };
            bound[place] = Some(value);
        }
        Ok(bound)
    }

    /// Implements `np.array` and `np.asarray`, which returns arrays unchanged.
    pub(super) fn array_from_value(
        &mut self,
        function: &LibraryFunction,
        bound: &[Option<Value>],
        keeps_arrays: bool,
    ) -> ExecResult {
        let Some(value) = bound[0] else { return self.missing_numpy_arguments(function) };
        let dtype = match bound[1] {
            Some(dtype) if !matches!(dtype, Value::None) => Some(self.dtype_argument(dtype)?),
            _ => None,
        };
        if keeps_arrays
            && let Some(array) = self.array(value)
            && dtype.is_none_or(|dtype| dtype == array.dtype)
        {
            return Ok(value);
        }
        let mut grid = self.array_argument(function.short_name(), value)?;
        if let Some(dtype) = dtype {
            self.warn_invalid_cast(&grid, dtype);
            grid = grid.cast(dtype);
        }
        grid.is_scalar = false;
        self.new_array(grid)
    }

    /// Warns if a cast to integers meets NaN or infinity.
    pub(super) fn warn_invalid_cast(&mut self, grid: &DenseArray, kind: Dtype) {
        if kind == Dtype::Int && grid.values.iter().any(|value| !value.to_f64().is_finite()) {
            self.warn("RuntimeWarning: invalid value encountered in cast");
        }
    }

    fn shape_argument(&mut self, shape: Value) -> ExecResult<Vec<usize>> {
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

    pub(super) fn full_array(
        &mut self,
        function: &LibraryFunction,
        shape: Option<Value>,
        fill: Option<Value>,
        dtype: Option<Value>,
    ) -> ExecResult {
        let (Some(shape), Some(fill)) = (shape, fill) else { return self.missing_numpy_arguments(function) };
        let shape = self.shape_argument(shape)?;
        let fill = self.array_argument("full", fill)?;
        let kind = match dtype {
            Some(dtype) if !matches!(dtype, Value::None) => self.dtype_argument(dtype)?,
            _ => fill.dtype,
        };
        let size = shape.iter().product();
        let values = (0..size).map(|place| fill.broadcast_element(&shape, place)).collect();
        self.new_array(DenseArray::new(shape, values, kind))
    }

    pub(super) fn arange(&mut self, arguments: &[Option<Value>]) -> ExecResult {
        let mut numbers = Vec::new();
        for value in arguments[..3].iter().flatten() {
            let grid = self.array_argument("arange", *value)?;
            numbers.extend(grid.values.first().copied());
        }
        let (start, end, step) = match *numbers.as_slice() {
            [end] => (Scalar::Int(0), end, Scalar::Int(1)),
            [start, end] => (start, end, Scalar::Int(1)),
            [start, end, step] => (start, end, step),
            _ => return Err(self.type_error("arange() requires stop to be specified.")),
        };
        let kind = [start, end, step].iter().map(|value| value.dtype()).fold(Dtype::Int, Dtype::promote);
        if !step.to_bool() {
            return Err(self.raise(ExceptionKind::ZeroDivisionError, "division by zero"));
        }
        let length = ((end.to_f64() - start.to_f64()) / step.to_f64()).ceil().max(0.0);
        let length = if length.is_finite() { length as usize } else { usize::MAX };
        self.reserve_values(length)?;
        // As in numpy, the step is the second number minus the first one.
        let delta = (start.to_f64() + step.to_f64()) - start.to_f64();
        let values = (0..length).map(|place| match kind {
            Dtype::Int => Scalar::Int(start.to_i64() + place as i64 * step.to_i64()),
            _ => Scalar::Float(start.to_f64() + place as f64 * delta),
        });
        let values = values.collect();
        let dtype = match arguments[3] {
            Some(dtype) => self.dtype_argument(dtype)?,
            None => kind,
        };
        self.new_array(DenseArray::new(vec![length], values, dtype))
    }

    pub(super) fn linspace(&mut self, function: &LibraryFunction, arguments: &[Option<Value>]) -> ExecResult {
        let (Some(start), Some(end)) = (arguments[0], arguments[1]) else {
            return self.missing_numpy_arguments(function);
        };
        let (start, end) = (self.as_float(start)?, self.as_float(end)?);
        let count = arguments[2].map_or(Ok(50), |count| self.as_index(count))?;
        let Ok(count) = usize::try_from(count) else {
            let message = format!("Number of samples, {count}, must be non-negative.");
            return Err(self.raise(ExceptionKind::ValueError, &message));
        };
        self.reserve_values(count)?;
        let step = (end - start) / (count.saturating_sub(1).max(1)) as f64;
        let number = |place: usize| {
            if place + 1 == count && count > 1 { end } else { place as f64 * step + start }
        };
        let values = (0..count).map(|place| Scalar::Float(number(place))).collect();
        self.new_array(DenseArray::new(vec![count], values, Dtype::Float))
    }

    /// Implements `np.concatenate` and `np.stack`.
    pub(super) fn join_arrays(
        &mut self,
        function: &LibraryFunction,
        arrays: Option<Value>,
        is_stack: bool,
    ) -> ExecResult {
        let Some(arrays) = arrays else { return self.missing_numpy_arguments(function) };
        let mut parts = Vec::new();
        let arrays = self.collect_values(arrays)?;
        let numbers = arrays.iter().filter_map(|&array| Some(self.array(array)?.size()));
        let numbers = numbers.sum();
        self.reserve_values(numbers)?;
        for array in arrays {
            parts.push(self.array_argument(function.short_name(), array)?);
        }
        if is_stack {
            let first = parts.first().map(|part| part.shape.clone());
            if parts.iter().any(|part| Some(&part.shape) != first.as_ref()) {
                return Err(self.raise(ExceptionKind::ValueError, "all input arrays must have the same shape"));
            }
            let grid = self.stack_arrays(parts)?;
            return self.new_array(grid);
        }
        if parts.is_empty() {
            return Err(self.raise(ExceptionKind::ValueError, "need at least one array to concatenate"));
        }
        if parts.iter().any(|part| part.shape.is_empty()) {
            let message = "zero-dimensional arrays cannot be concatenated";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        if parts.iter().any(|part| part.shape[1..] != parts[0].shape[1..]) {
            let message = "all the input array dimensions except for the concatenation axis must match exactly";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let kind = parts.iter().map(|part| part.dtype).reduce(Dtype::promote).unwrap_or(Dtype::Float);
        let mut shape = parts[0].shape.clone();
        shape[0] = parts.iter().map(|part| part.shape[0]).sum();
        let values = parts.into_iter().flat_map(|part| part.values).collect();
        self.new_array(DenseArray::new(shape, values, kind))
    }

    pub(super) fn shape_tuple(&mut self, grid: &DenseArray) -> Value {
        let lengths: Vec<Value> = grid.shape.iter().map(|&length| Value::Int(length as i64)).collect();
        self.heap.tuple(lengths)
    }

    /// Returns an array with the shape and kind of another one.
    pub(super) fn filled_like(&mut self, grid: &DenseArray, fill: i64) -> ExecResult {
        let fill = Scalar::Int(fill).cast(grid.dtype);
        self.new_array(grid.map(grid.dtype, |_| fill))
    }

    /// Applies a function of one number to each element.
    fn unary_ufunc(&mut self, function: &LibraryFunction, ufunc: UnaryUfunc, grid: &DenseArray) -> ExecResult {
        let name = function.short_name();
        let kind = match ufunc {
            UnaryUfunc::Numbers { has_booleans: false, .. } if grid.dtype == Dtype::Bool => {
                let message = format!("ufunc '{name}' did not contain a loop with signature matching types");
                return Err(self.type_error(&message));
            }
            UnaryUfunc::Test(_) => Dtype::Bool,
            UnaryUfunc::Numbers { .. } => grid.dtype,
            UnaryUfunc::Float(_) | UnaryUfunc::Logarithm(_) if grid.dtype.is_float() => grid.dtype,
            UnaryUfunc::Float(_) | UnaryUfunc::Logarithm(_) => Dtype::Float,
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

    fn binary_ufunc(&mut self, ufunc: BinaryUfunc, one: &DenseArray, two: &DenseArray) -> ExecResult {
        let shape = self.common_shape(one, two)?;
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        let kind = super::array::result_dtype(one, two);
        let kind = match ufunc {
            BinaryUfunc::Logical(_) => Dtype::Bool,
            BinaryUfunc::TwoFloats(_) if !kind.is_float() => Dtype::Float,
            _ => kind,
        };
        let values = (0..size).map(|place| {
            let (a, b) = (one.broadcast_element(&shape, place), two.broadcast_element(&shape, place));
            match ufunc {
                BinaryUfunc::Logical(holds) => Scalar::Bool(holds(a.to_bool(), b.to_bool())),
                BinaryUfunc::TwoFloats(compute) => Scalar::from_f64(compute(a.to_f64(), b.to_f64()), kind),
                BinaryUfunc::Extreme { is_max } => min_or_max(a.cast(kind), b.cast(kind), is_max),
            }
        });
        let values = values.collect();
        self.new_array_or_scalar(DenseArray::new(shape, values, kind))
    }

    pub(super) fn clip(&mut self, function: &LibraryFunction, bound: &[Option<Value>]) -> ExecResult {
        let grids = self.array_arguments(function, bound, true)?;
        let [Some(grid), low, high] = grids.as_slice() else { return Ok(Value::None) };
        if low.is_none() && high.is_none() {
            return Err(self.raise(ExceptionKind::ValueError, "One of max or min must be given"));
        }
        let mut result = grid.clone();
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
    pub(super) fn select_by_condition(&mut self, function: &LibraryFunction, bound: &[Option<Value>]) -> ExecResult {
        if bound[1].is_none() {
            return Err(self.type_error(
                "reward functions support np.where only with a condition and two values: \
                    np.where(condition, x, y)",
            ));
        }
        let grids = self.array_arguments(function, bound, false)?;
        let [Some(condition), Some(yes), Some(no)] = grids.as_slice() else { return Ok(Value::None) };
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
    pub(super) fn isclose(
        &mut self,
        function: &LibraryFunction,
        bound: &[Option<Value>],
        is_reduced: bool,
    ) -> ExecResult {
        let grids = self.array_arguments(function, bound, false)?;
        let [Some(one), Some(two), relative, absolute] = grids.as_slice() else { return Ok(Value::None) };
        let number = |grid: Option<&DenseArray>, default: f64| {
            grid.and_then(|grid| grid.values.first()).map_or(default, |value| value.to_f64())
        };
        let relative = number(relative.as_ref(), 1e-5);
        let absolute = number(absolute.as_ref(), 1e-8);
        let shape = self.common_shape(one, two)?;
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        let values = (0..size).map(|place| {
            let (a, b) = (one.broadcast_element(&shape, place).to_f64(), two.broadcast_element(&shape, place).to_f64());
            let close =
                if a.is_finite() && b.is_finite() { (a - b).abs() <= absolute + relative * b.abs() } else { a == b };
            Scalar::Bool(close)
        });
        let values = values.collect();
        let grid = DenseArray::new(shape, values, Dtype::Bool);
        if is_reduced {
            return Ok(Value::Bool(grid.values.iter().all(|value| value.to_bool())));
        }
        self.new_array_or_scalar(grid)
    }

    pub(super) fn cross(&mut self, one: &DenseArray, two: &DenseArray) -> ExecResult {
        if one.shape != [3] || two.shape != [3] {
            return Err(self.raise(
                ExceptionKind::ValueError,
                "reward functions support np.cross only for two vectors \
                of three numbers",
            ));
        }
        let kind = one.dtype.promote(two.dtype);
        let product = |i: usize, j: usize| {
            one.values[i].cast(kind).apply_operator(BinaryOperator::Mult, two.values[j].cast(kind))
        };
        let mut values = Vec::with_capacity(3);
        for place in 0..3 {
            let (next, after) = ((place + 1) % 3, (place + 2) % 3);
            let (Some((plus, _)), Some((minus, _))) = (product(next, after), product(after, next)) else {
                return Ok(Value::None);
            };
            values.extend(plus.apply_operator(BinaryOperator::Sub, minus).map(|(value, _)| value));
        }
        self.new_array(DenseArray::new(vec![3], values, kind))
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
        (UnaryUfunc::Numbers { float, .. } | UnaryUfunc::Float(float) | UnaryUfunc::Logarithm(float), _) => {
            Scalar::from_f64(float(value.to_f64()), kind)
        }
    }
}

/// Computes the sign of a float, as numpy does for zeros and NaN.
pub(super) fn sign(number: f64) -> f64 {
    if number == 0.0 || number.is_nan() { number + 0.0 } else { 1f64.copysign(number) }
}
