//! Functions of `numpy` (`np.…`).

use ruff_python_ast::{CmpOp, Operator};

use super::array::DenseArray;
use super::scalar::{Dtype, RuntimeWarning, Scalar};
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::value::Value;
use crate::machine::{Machine, cost};

/// The accuracy of a result relative to numpy, whose vectorized code differs between processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Accuracy {
    /// Identical to the last bit.
    Exact,
    /// Within this number of units in the last place (ULP), as measured.
    Ulps(u8),
    /// Within n ULP of the sum of the products' absolute values, for n products: numpy adds them in another order.
    DotProduct,
    /// Within n ULP of the sum of the absolute values, for n values: numpy adds the values of transposed arrays in another order.
    Sum,
}

/// The functions of `numpy`, with their parameters and the accuracy of their results.
pub(crate) const FUNCTIONS: &[(&str, &[&str], Accuracy)] = &[
    ("abs", &["x"], Accuracy::Exact),
    ("absolute", &["x"], Accuracy::Exact),
    ("add", &["x1", "x2"], Accuracy::Exact),
    ("all", &["a", "axis", "keepdims"], Accuracy::Exact),
    ("allclose", &["a", "b", "rtol", "atol"], Accuracy::Exact),
    ("any", &["a", "axis", "keepdims"], Accuracy::Exact),
    ("arange", &["start", "stop", "step", "dtype"], Accuracy::Exact),
    ("arccos", &["x"], Accuracy::Ulps(2)),
    ("arcsin", &["x"], Accuracy::Ulps(2)),
    ("arctan", &["x"], Accuracy::Ulps(1)),
    ("arctan2", &["x1", "x2"], Accuracy::Ulps(2)),
    ("argmax", &["a", "axis"], Accuracy::Exact),
    ("argmin", &["a", "axis"], Accuracy::Exact),
    ("array", &["object", "dtype", "copy"], Accuracy::Exact),
    ("array_equal", &["a1", "a2"], Accuracy::Exact),
    ("asarray", &["a", "dtype"], Accuracy::Exact),
    ("ceil", &["x"], Accuracy::Exact),
    ("clip", &["a", "a_min", "a_max"], Accuracy::Exact),
    ("concatenate", &["arrays", "axis"], Accuracy::Exact),
    ("cos", &["x"], Accuracy::Exact),
    ("cosh", &["x"], Accuracy::Ulps(2)),
    ("cross", &["a", "b"], Accuracy::Exact),
    ("deg2rad", &["x"], Accuracy::Exact),
    ("degrees", &["x"], Accuracy::Exact),
    ("divide", &["x1", "x2"], Accuracy::Exact),
    ("dot", &["a", "b"], Accuracy::DotProduct),
    ("exp", &["x"], Accuracy::Ulps(1)),
    ("fabs", &["x"], Accuracy::Exact),
    ("floor", &["x"], Accuracy::Exact),
    ("full", &["shape", "fill_value", "dtype"], Accuracy::Exact),
    ("hypot", &["x1", "x2"], Accuracy::Exact),
    ("isclose", &["a", "b", "rtol", "atol"], Accuracy::Exact),
    ("isfinite", &["x"], Accuracy::Exact),
    ("isinf", &["x"], Accuracy::Exact),
    ("isnan", &["x"], Accuracy::Exact),
    ("linalg.norm", &["x", "ord", "axis", "keepdims"], Accuracy::Ulps(3)),
    ("linspace", &["start", "stop", "num"], Accuracy::Exact),
    ("log", &["x"], Accuracy::Ulps(2)),
    ("log10", &["x"], Accuracy::Ulps(2)),
    ("log1p", &["x"], Accuracy::Ulps(2)),
    ("log2", &["x"], Accuracy::Ulps(2)),
    ("logical_and", &["x1", "x2"], Accuracy::Exact),
    ("logical_not", &["x"], Accuracy::Exact),
    ("logical_or", &["x1", "x2"], Accuracy::Exact),
    ("max", &["a", "axis", "keepdims"], Accuracy::Exact),
    ("maximum", &["x1", "x2"], Accuracy::Exact),
    ("mean", &["a", "axis", "keepdims"], Accuracy::Exact),
    ("min", &["a", "axis", "keepdims"], Accuracy::Exact),
    ("minimum", &["x1", "x2"], Accuracy::Exact),
    ("multiply", &["x1", "x2"], Accuracy::Exact),
    ("ndim", &["a"], Accuracy::Exact),
    ("ones", &["shape", "dtype"], Accuracy::Exact),
    ("ones_like", &["a", "dtype"], Accuracy::Exact),
    ("power", &["x1", "x2"], Accuracy::Ulps(1)),
    ("prod", &["a", "axis", "keepdims"], Accuracy::Exact),
    ("rad2deg", &["x"], Accuracy::Exact),
    ("radians", &["x"], Accuracy::Exact),
    ("shape", &["a"], Accuracy::Exact),
    ("sign", &["x"], Accuracy::Exact),
    ("sin", &["x"], Accuracy::Exact),
    ("sinh", &["x"], Accuracy::Ulps(3)),
    ("size", &["a"], Accuracy::Exact),
    ("sqrt", &["x"], Accuracy::Exact),
    ("square", &["x"], Accuracy::Exact),
    ("stack", &["arrays"], Accuracy::Exact),
    ("std", &["a", "axis", "keepdims"], Accuracy::Exact),
    ("subtract", &["x1", "x2"], Accuracy::Exact),
    ("sum", &["a", "axis", "keepdims"], Accuracy::Exact),
    ("tan", &["x"], Accuracy::Ulps(3)),
    ("tanh", &["x"], Accuracy::Ulps(3)),
    ("var", &["a", "axis", "keepdims"], Accuracy::Exact),
    ("where", &["condition", "x", "y"], Accuracy::Exact),
    ("zeros", &["shape", "dtype"], Accuracy::Exact),
    ("zeros_like", &["a", "dtype"], Accuracy::Exact),
];

impl Machine {
    /// Calls a function of `numpy`.
    pub(in crate::machine) fn call_numpy(
        &mut self,
        name: &'static str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        self.charge(cost::BUILTIN)?;
        let found = FUNCTIONS.iter().find(|(other, ..)| *other == name);
        let parameters = found.map_or(&[][..], |(_, parameters, _)| *parameters);
        let bound = self.bind_numpy_arguments(name, parameters, arguments, named)?;
        let has = |place: usize| bound.get(place).copied().flatten();
        match name {
            "array" | "asarray" => {
                let Some(value) = has(0) else { return self.missing_numpy_arguments(name, parameters) };
                self.array_from_value(name, value, has(1))
            }
            "zeros" | "ones" | "full" => {
                let Some(shape) = has(0) else { return self.missing_numpy_arguments(name, parameters) };
                let fill = match name {
                    "zeros" => Value::Float(0.0),
                    "ones" => Value::Float(1.0),
                    _ => match has(1) {
                        Some(fill) => fill,
                        None => return self.missing_numpy_arguments(name, parameters),
                    },
                };
                self.full_array(shape, fill, has(if name == "full" { 2 } else { 1 }))
            }
            "arange" => self.arange(&bound),
            "linspace" => self.linspace(&bound),
            "where" if has(1).is_none() => Err(self.type_error(
                "reward functions support np.where only with a condition and two values: \
                    np.where(condition, x, y)",
            )),
            "concatenate" | "stack" => {
                let Some(arrays) = has(0) else { return self.missing_numpy_arguments(name, parameters) };
                self.join_arrays(name, arrays)
            }
            "linalg.norm" | "sum" | "prod" | "mean" | "min" | "max" | "any" | "all" | "argmin" | "argmax" | "std"
            | "var" => {
                let Some(value) = has(0) else { return self.missing_numpy_arguments(name, parameters) };
                let grid = self.array_argument(name, value)?;
                if name == "linalg.norm" {
                    return self.norm(&grid, has(1), has(2), has(3));
                }
                self.reduce_array(name, &grid, has(1), has(2))
            }
            _ => {
                let required = match name {
                    "allclose" | "isclose" => 2,
                    "zeros_like" | "ones_like" => 1,
                    _ => parameters.len(),
                };
                let mut grids = Vec::with_capacity(bound.len());
                for (place, value) in bound.into_iter().enumerate() {
                    match value {
                        Some(value) if name == "clip" && matches!(value, Value::None) => grids.push(None),
                        Some(value) => grids.push(Some(self.array_argument(name, value)?)),
                        None if place < required => return self.missing_numpy_arguments(name, parameters),
                        None => grids.push(None),
                    }
                }
                self.call_array_function(name, &grids)
            }
        }
    }

    fn missing_numpy_arguments(&mut self, name: &str, parameters: &[&str]) -> ExecResult {
        let message = format!("{name}() needs {}", parameters.join(", "));
        Err(self.type_error(&message))
    }

    /// Assigns arguments to parameters, by position and keyword.
    fn bind_numpy_arguments(
        &mut self,
        name: &str,
        parameters: &[&str],
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<Vec<Option<Value>>> {
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

    fn array_from_value(&mut self, name: &str, value: Value, dtype: Option<Value>) -> ExecResult {
        let dtype = match dtype {
            Some(dtype) if !matches!(dtype, Value::None) => Some(self.dtype_argument(dtype)?),
            _ => None,
        };
        if name == "asarray"
            && let Some(array) = self.array(value)
            && dtype.is_none_or(|dtype| dtype == array.dtype)
        {
            return Ok(value);
        }
        let mut grid = self.array_argument(name, value)?;
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

    fn full_array(&mut self, shape: Value, fill: Value, dtype: Option<Value>) -> ExecResult {
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

    fn arange(&mut self, arguments: &[Option<Value>]) -> ExecResult {
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

    fn linspace(&mut self, arguments: &[Option<Value>]) -> ExecResult {
        let (Some(start), Some(end)) = (arguments[0], arguments[1]) else {
            return self.missing_numpy_arguments("linspace", &["start", "stop", "num"]);
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

    fn join_arrays(&mut self, name: &str, arrays: Value) -> ExecResult {
        let mut parts = Vec::new();
        let arrays = self.collect_values(arrays)?;
        let numbers = arrays.iter().filter_map(|&array| Some(self.array(array)?.size()));
        let numbers = numbers.sum();
        self.reserve_values(numbers)?;
        for array in arrays {
            parts.push(self.array_argument(name, array)?);
        }
        if name == "stack" {
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

    /// Evaluates functions that work element by element, and a few others whose arguments are all arrays.
    fn call_array_function(&mut self, name: &'static str, grids: &[Option<DenseArray>]) -> ExecResult {
        let Some(Some(first)) = grids.first() else { return Ok(Value::None) };
        let second = grids.get(1).and_then(Option::as_ref);
        let third = grids.get(2).and_then(Option::as_ref);
        if let Some(operator) = ufunc_operator(name)
            && let Some(second) = second
        {
            let result = self.elementwise_operator(operator, first, second)?;
            return result.map_or(Ok(Value::None), |grid| self.new_array_or_scalar(grid));
        }
        match (name, second) {
            ("shape", _) => {
                let lengths: Vec<Value> = first.shape.iter().map(|&length| Value::Int(length as i64)).collect();
                Ok(self.heap.tuple(lengths))
            }
            ("ndim", _) => Ok(Value::Int(first.shape.len() as i64)),
            ("size", _) => Ok(Value::Int(first.values.len() as i64)),
            ("zeros_like" | "ones_like", _) => {
                let fill = Scalar::Int(i64::from(name == "ones_like")).cast(first.dtype);
                self.new_array(first.map(first.dtype, |_| fill))
            }
            ("dot", Some(second)) => self.dot(first, second, "dot"),
            ("cross", Some(second)) => self.cross(first, second),
            ("clip", _) => self.clip(first, second, third),
            ("where", Some(second)) => self.select_by_condition(first, second, third),
            ("allclose" | "isclose", Some(second)) => self.isclose(name, [first, second], third, grids.get(3)),
            ("array_equal", Some(second)) => {
                let equal = first.shape == second.shape
                    && first.values.iter().zip(&second.values).all(|(a, b)| a.compare(CmpOp::Eq, *b));
                Ok(Value::Bool(equal))
            }
            ("maximum" | "minimum" | "arctan2" | "hypot" | "logical_and" | "logical_or", Some(second)) => {
                self.binary_ufunc(name, first, second)
            }
            _ => self.unary_ufunc(name, first),
        }
    }

    /// Applies a function of one number to each element.
    fn unary_ufunc(&mut self, name: &'static str, grid: &DenseArray) -> ExecResult {
        if name == "sign" && grid.dtype == Dtype::Bool {
            return Err(self.type_error("ufunc 'sign' did not contain a loop with signature matching types"));
        }
        let kind = match name {
            "isnan" | "isinf" | "isfinite" | "logical_not" => Dtype::Bool,
            "abs" | "absolute" | "sign" => grid.dtype,
            "square" => grid.dtype.max(Dtype::Bool),
            _ if grid.dtype.is_float() => grid.dtype,
            _ => Dtype::Float,
        };
        let mut warnings = Vec::new();
        let values: Vec<Scalar> = grid
            .values
            .iter()
            .map(|&value| {
                let result = apply_to_scalar(name, value, kind);
                if kind.is_float() && !value.is_nan() {
                    let (from, to) = (value.to_f64(), result.to_f64());
                    if to.is_nan() {
                        warnings.push(RuntimeWarning::Invalid);
                    } else if to.is_infinite() && from.is_finite() {
                        let zero = matches!(name, "log" | "log2" | "log10" | "log1p");
                        warnings.push(if zero { RuntimeWarning::DivideByZero } else { RuntimeWarning::Overflow });
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

    fn binary_ufunc(&mut self, name: &str, one: &DenseArray, two: &DenseArray) -> ExecResult {
        let shape = self.common_shape(one, two)?;
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        let kind = super::array::result_dtype(one, two);
        let kind = match name {
            "logical_and" | "logical_or" => Dtype::Bool,
            "arctan2" | "hypot" if !kind.is_float() => Dtype::Float,
            _ => kind,
        };
        let values = (0..size).map(|place| {
            let (a, b) = (one.broadcast_element(&shape, place), two.broadcast_element(&shape, place));
            match name {
                "logical_and" => Scalar::Bool(a.to_bool() && b.to_bool()),
                "logical_or" => Scalar::Bool(a.to_bool() || b.to_bool()),
                "arctan2" => Scalar::from_f64(a.to_f64().atan2(b.to_f64()), kind),
                "hypot" => Scalar::from_f64(a.to_f64().hypot(b.to_f64()), kind),
                _ => min_or_max(a.cast(kind), b.cast(kind), name == "maximum"),
            }
        });
        let values = values.collect();
        self.new_array_or_scalar(DenseArray::new(shape, values, kind))
    }

    fn clip(&mut self, grid: &DenseArray, low: Option<&DenseArray>, high: Option<&DenseArray>) -> ExecResult {
        if low.is_none() && high.is_none() {
            return Err(self.raise(ExceptionKind::ValueError, "One of max or min must be given"));
        }
        let mut result = grid.clone();
        for (bound, is_low) in [(low, true), (high, false)] {
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

    fn select_by_condition(&mut self, condition: &DenseArray, yes: &DenseArray, no: Option<&DenseArray>) -> ExecResult {
        let Some(no) = no else { return Ok(Value::None) };
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

    fn isclose(
        &mut self,
        name: &str,
        pair: [&DenseArray; 2],
        relative: Option<&DenseArray>,
        absolute: Option<&Option<DenseArray>>,
    ) -> ExecResult {
        let [one, two] = pair;
        let number = |grid: Option<&DenseArray>, default: f64| {
            grid.and_then(|grid| grid.values.first()).map_or(default, |value| value.to_f64())
        };
        let relative = number(relative, 1e-5);
        let absolute = number(absolute.and_then(Option::as_ref), 1e-8);
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
        if name == "allclose" {
            return Ok(Value::Bool(grid.values.iter().all(|value| value.to_bool())));
        }
        self.new_array_or_scalar(grid)
    }

    fn cross(&mut self, one: &DenseArray, two: &DenseArray) -> ExecResult {
        if one.shape != [3] || two.shape != [3] {
            return Err(self.raise(
                ExceptionKind::ValueError,
                "reward functions support np.cross only for two vectors \
                of three numbers",
            ));
        }
        let kind = one.dtype.promote(two.dtype);
        let product =
            |i: usize, j: usize| one.values[i].cast(kind).apply_operator(Operator::Mult, two.values[j].cast(kind));
        let mut values = Vec::with_capacity(3);
        for place in 0..3 {
            let (next, after) = ((place + 1) % 3, (place + 2) % 3);
            let (Some((plus, _)), Some((minus, _))) = (product(next, after), product(after, next)) else {
                return Ok(Value::None);
            };
            values.extend(plus.apply_operator(Operator::Sub, minus).map(|(value, _)| value));
        }
        self.new_array(DenseArray::new(vec![3], values, kind))
    }
}

fn ufunc_operator(name: &str) -> Option<Operator> {
    Some(match name {
        "add" => Operator::Add,
        "subtract" => Operator::Sub,
        "multiply" => Operator::Mult,
        "divide" => Operator::Div,
        "power" => Operator::Pow,
        _ => return None,
    })
}

/// Returns the larger or the smaller number; NaN takes precedence.
pub(super) fn min_or_max(a: Scalar, b: Scalar, larger: bool) -> Scalar {
    let keeps = a.is_nan() || a.compare(if larger { CmpOp::GtE } else { CmpOp::LtE }, b);
    if keeps { a } else { b }
}

fn apply_to_scalar(name: &str, value: Scalar, kind: Dtype) -> Scalar {
    match (name, value) {
        ("isnan", _) => Scalar::Bool(value.is_nan()),
        ("isinf", _) => Scalar::Bool(value.to_f64().is_infinite()),
        ("isfinite", _) => Scalar::Bool(value.to_f64().is_finite()),
        ("logical_not", _) => Scalar::Bool(!value.to_bool()),
        ("abs" | "absolute", Scalar::Int(number)) => Scalar::Int(number.wrapping_abs()),
        ("sign", Scalar::Int(number)) => Scalar::Int(number.signum()),
        ("square", Scalar::Int(number)) => Scalar::Int(number.wrapping_mul(number)),
        ("abs" | "absolute" | "square", Scalar::Bool(_)) => value,
        _ => Scalar::from_f64(apply_to_float(name, value.to_f64()), kind),
    }
}

fn apply_to_float(name: &str, number: f64) -> f64 {
    match name {
        "abs" | "absolute" | "fabs" => number.abs(),
        "sign" if number == 0.0 || number.is_nan() => number + 0.0,
        "sign" => 1f64.copysign(number),
        "square" => number * number,
        "sqrt" => number.sqrt(),
        "exp" => number.exp(),
        "log" => number.ln(),
        "log2" => number.log2(),
        "log10" => number.log10(),
        "log1p" => number.ln_1p(),
        "sin" => number.sin(),
        "cos" => number.cos(),
        "tan" => number.tan(),
        "sinh" => number.sinh(),
        "cosh" => number.cosh(),
        "tanh" => number.tanh(),
        "arcsin" => number.asin(),
        "arccos" => number.acos(),
        "arctan" => number.atan(),
        "floor" => number.floor(),
        "ceil" => number.ceil(),
        "deg2rad" | "radians" => number * (std::f64::consts::PI / 180.0),
        _ => number * (180.0 / std::f64::consts::PI),
    }
}
