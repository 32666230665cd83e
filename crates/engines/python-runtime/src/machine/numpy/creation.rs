//! Functions that create arrays.

use super::array::DenseArray;
use super::scalar::{Dtype, Scalar};
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::Value;

impl Machine {
    /// Implements `np.fromiter`.
    pub(super) fn array_from_iterator(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let dtype = self.dtype_argument(bound.required(1))?;
        let mut items = self.collect_values(bound.required(0))?;
        if let Some(count) = bound.get(2) {
            let count = self.as_index(count)?;
            if let Ok(count) = usize::try_from(count) {
                if items.len() < count {
                    let message =
                        format!("iterator too short: Expected {count} but iterator had only {} items.", items.len());
                    return Err(self.raise(ExceptionKind::ValueError, &message));
                }
                items.truncate(count);
            }
        }
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            let grid = self.array_argument("fromiter", item)?;
            let [number] = *grid.values else {
                return Err(self.raise(ExceptionKind::ValueError, "setting an array element with a sequence."));
            };
            values.push(number.cast(dtype));
        }
        self.new_array(DenseArray::new(vec![values.len()], values, dtype))
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
