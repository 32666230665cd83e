//! Functions of `numpy` on sequences of numbers: sums and differences along an axis, interpolation, and places of numbers.

use super::arithmetic::sum_of_products;
use super::array::DenseArray;
use super::reductions::{lane_sum, lanes};
use super::scalar::{Dtype, Scalar};
use super::shapes::from_lanes;
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::{HeapObject, Value};
use crate::operators::BinaryOperator;

impl Machine {
    /// Returns an array with its axis; without an axis, the flat array.
    fn flat_or_along(&mut self, bound: &BoundArguments<'_>, axis: Option<Value>) -> ExecResult<(DenseArray, usize)> {
        let grid = self.array_argument(bound.function, bound.required(0))?;
        self.charge(grid.values.len() as u64 / super::array::ELEMENTS_PER_INSTRUCTION)?;
        match axis {
            Some(axis) => {
                let axis = self.resolve_axis(axis, &grid)?;
                Ok((grid, axis))
            }
            None => Ok((DenseArray { shape: vec![grid.values.len()], is_scalar: false, ..grid }, 0)),
        }
    }

    /// Implements `np.cumsum` and `np.cumprod`.
    pub(super) fn accumulate_numbers(&mut self, bound: &BoundArguments<'_>, operator: BinaryOperator) -> ExecResult {
        let (grid, axis) = self.flat_or_along(bound, bound.given(1))?;
        let kind = bound.given(2).map_or(Ok(grid.dtype.of_sum()), |dtype| self.dtype_argument(dtype))?;
        let (_, mut lines) = lanes(&grid, Some(axis), false);
        for line in &mut lines {
            let mut total: Option<Scalar> = None;
            for value in line {
                let own = value.cast(kind);
                let next = total.map_or(Some(own), |total| Some(total.apply_operator(operator, own)?.0));
                *value = next.unwrap_or(own);
                total = next;
            }
        }
        let totals = from_lanes(&grid.shape, axis, lines, kind);
        self.new_array(totals)
    }

    /// Implements `np.diff`.
    pub(super) fn differences(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let mut grid = self.array_argument("diff", bound.required(0))?;
        let times = bound.get(1).map_or(Ok(1), |times| self.as_index(times))?;
        if grid.shape.is_empty() {
            let message = "diff requires input that is at least one dimensional";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        if times < 0 {
            let message = format!("order must be non-negative but got {times}");
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let axis = self.resolve_axis(bound.get(2).unwrap_or(Value::Int(-1)), &grid)?;
        for (parameter, is_before) in [(3, true), (4, false)] {
            let Some(added) = bound.given(parameter) else { continue };
            let mut added = self.array_argument("diff", added)?;
            if added.shape.is_empty() {
                let mut shape = grid.shape.clone();
                shape[axis] = 1;
                added = DenseArray::new(shape.clone(), vec![added.values[0]; shape.iter().product()], added.dtype);
            }
            let parts = if is_before { [added, grid] } else { [grid, added] };
            grid = self.joined_arrays(&parts, axis)?;
        }
        for _ in 0..times.min(grid.shape[axis] as i64) {
            self.charge(1 + grid.values.len() as u64 / super::array::ELEMENTS_PER_INSTRUCTION)?;
            let (_, lines) = lanes(&grid, Some(axis), false);
            let difference = |pair: &[Scalar]| match pair {
                [Scalar::Bool(one), Scalar::Bool(two)] => Scalar::Bool(one != two),
                [one, two] => two.apply_operator(BinaryOperator::Sub, *one).map_or(*one, |(difference, _)| difference),
                _ => Scalar::Bool(false),
            };
            let lines = lines.iter().map(|line| line.windows(2).map(difference).collect()).collect();
            grid = from_lanes(&grid.shape, axis, lines, grid.dtype);
        }
        self.new_array(grid)
    }

    /// Implements `np.gradient`.
    pub(super) fn gradient(&mut self, arguments: &[Value], axis: Option<Value>) -> ExecResult {
        let [values, spacings @ ..] = arguments else {
            return Err(self.type_error("gradient() missing 1 required positional argument: 'f'"));
        };
        let grid = self.array_argument("gradient", *values)?;
        let grid = if grid.dtype.is_float() { grid } else { grid.cast(Dtype::Float) };
        let dimensions: Vec<usize> = match axis {
            Some(axis) => vec![self.resolve_axis(axis, &grid)?],
            None => (0..grid.shape.len()).collect(),
        };
        if spacings.len() > 1 && spacings.len() != dimensions.len() {
            return Err(self.type_error("invalid number of arguments"));
        }
        let mut gradients = Vec::with_capacity(dimensions.len());
        for (number, &axis) in dimensions.iter().enumerate() {
            if grid.shape[axis] < 2 {
                let message = "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) \
                    elements are required.";
                return Err(self.raise(ExceptionKind::ValueError, message));
            }
            let spacing = spacings.get(if spacings.len() == 1 { 0 } else { number }).copied();
            let spacing = self.array_argument("gradient", spacing.unwrap_or(Value::Int(1)))?;
            let steps: Vec<f64> = if spacing.shape.is_empty() {
                vec![spacing.values[0].to_f64(); grid.shape[axis] - 1]
            } else if spacing.values.len() == grid.shape[axis] {
                spacing.values.windows(2).map(|pair| pair[1].to_f64() - pair[0].to_f64()).collect()
            } else {
                let message = "when 1d, distances must match the length of the corresponding dimension";
                return Err(self.raise(ExceptionKind::ValueError, message));
            };
            self.charge(grid.values.len() as u64 / super::array::ELEMENTS_PER_INSTRUCTION)?;
            let (_, lines) = lanes(&grid, Some(axis), false);
            let lines = lines.iter().map(|line| gradient_of_lane(line, &steps)).collect();
            let gradient = from_lanes(&grid.shape, axis, lines, grid.dtype);
            gradients.push(self.new_array(gradient)?);
        }
        if let [gradient] = *gradients { Ok(gradient) } else { Ok(self.heap.list(gradients)) }
    }

    /// Implements `np.interp`.
    pub(super) fn interpolate(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let places = self.array_argument("interp", bound.required(0))?;
        let points = self.array_argument("interp", bound.required(1))?;
        let values = self.array_argument("interp", bound.required(2))?;
        if bound.given(5).is_some() {
            return Err(self.type_error("reward functions support np.interp without a period"));
        }
        let points: Vec<f64> = points.values.iter().map(|value| value.to_f64()).collect();
        let values: Vec<f64> = values.values.iter().map(|value| value.to_f64()).collect();
        if points.is_empty() {
            return Err(self.raise(ExceptionKind::ValueError, "array of sample points is empty"));
        }
        if points.len() != values.len() {
            return Err(self.raise(ExceptionKind::ValueError, "fp and xp are not of the same length."));
        }
        let left = bound.given(3).map_or(Ok(values[0]), |left| self.as_float(left))?;
        let right = bound.given(4).map_or(Ok(values[values.len() - 1]), |right| self.as_float(right))?;
        self.charge((places.values.len() + points.len()) as u64 / 2)?;
        let result = places
            .map(Dtype::Float, |place| Scalar::Float(interpolated(place.to_f64(), &points, &values, left, right)));
        self.new_array_or_scalar(result)
    }

    /// Implements `np.nonzero`.
    pub(super) fn nonzero(&mut self, grid: &DenseArray) -> ExecResult {
        let shape = if grid.shape.is_empty() { vec![1] } else { grid.shape.clone() };
        let places: Vec<usize> = true_places(grid);
        let mut parts = Vec::with_capacity(shape.len());
        for axis in 0..shape.len() {
            let inner: usize = shape[axis + 1..].iter().product();
            let along = places.iter().map(|&place| Scalar::Int((place / inner % shape[axis]) as i64)).collect();
            parts.push(self.new_vector(along, Dtype::Int)?);
        }
        Ok(self.heap.tuple(parts))
    }

    /// Implements `np.argwhere`.
    pub(super) fn places_of_true(&mut self, grid: &DenseArray) -> ExecResult {
        let places = true_places(grid);
        let mut numbers = Vec::with_capacity(places.len() * grid.shape.len());
        for &place in &places {
            for axis in 0..grid.shape.len() {
                let inner: usize = grid.shape[axis + 1..].iter().product();
                numbers.push(Scalar::Int((place / inner % grid.shape[axis]) as i64));
            }
        }
        self.new_array(DenseArray::new(vec![places.len(), grid.shape.len()], numbers, Dtype::Int))
    }

    /// Implements `np.flatnonzero`.
    pub(super) fn flat_places_of_true(&mut self, grid: &DenseArray) -> ExecResult {
        let places = true_places(grid).into_iter().map(|place| Scalar::Int(place as i64)).collect();
        self.new_vector(places, Dtype::Int)
    }

    /// Implements `np.average`.
    pub(super) fn average(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let grid = self.array_argument("average", bound.required(0))?;
        let axis = self.normalize_axis(bound.get(1), &grid)?;
        let returned = bound.get(3).map_or(Ok(false), |returned| self.truth(returned))?;
        let kind = if grid.dtype.is_float() { grid.dtype } else { Dtype::Float };
        let weights = match bound.given(2) {
            Some(weights) => {
                let weights = self.array_argument("average", weights)?;
                if weights.shape == grid.shape {
                    Some(weights)
                } else {
                    Some(self.weights_along_axis(&weights, &grid, axis)?)
                }
            }
            None => None,
        };
        let (shape, lines) = lanes(&grid, axis, false);
        let in_order = axis.is_some_and(|axis| axis + 1 < grid.shape.len());
        let weight_lines = weights.map(|weights| lanes(&weights, axis, false).1);
        let (mut averages, mut totals) = (Vec::new(), Vec::new());
        for (number, line) in lines.iter().enumerate() {
            let values: Vec<Scalar> = line.iter().map(|value| value.cast(kind)).collect();
            let (products, total) = match &weight_lines {
                None => (values, Scalar::Float(line.len() as f64)),
                Some(weights) => {
                    let weights: Vec<Scalar> = weights[number].iter().map(|weight| weight.cast(kind)).collect();
                    let total = lane_sum(&weights, kind, in_order);
                    let product = |(value, weight): (&Scalar, &Scalar)| {
                        value.apply_operator(BinaryOperator::Mult, *weight).map_or(*value, |(product, _)| product)
                    };
                    (values.iter().zip(&weights).map(product).collect(), total)
                }
            };
            if total.to_f64() == 0.0 && weight_lines.is_some() {
                let message = "Weights sum to zero, can't be normalized";
                return Err(self.raise(ExceptionKind::ZeroDivisionError, message));
            }
            let sum = lane_sum(&products, kind, in_order);
            averages.push(Scalar::from_f64(sum.to_f64() / total.to_f64(), kind));
            totals.push(total);
        }
        let average = self.new_array_or_scalar(DenseArray::new(shape.clone(), averages, kind))?;
        if !returned {
            return Ok(average);
        }
        let totals = self.new_array_or_scalar(DenseArray::new(shape, totals, kind))?;
        Ok(self.heap.tuple([average, totals]))
    }

    /// Returns weights in the shape of an array whose axis they belong to.
    fn weights_along_axis(
        &mut self,
        weights: &DenseArray,
        grid: &DenseArray,
        axis: Option<usize>,
    ) -> ExecResult<DenseArray> {
        let Some(axis) = axis else {
            return Err(self.type_error("Axis must be specified when shapes of a and weights differ."));
        };
        if weights.shape.len() != 1 {
            return Err(self.type_error("1D weights expected when shapes of a and weights differ."));
        }
        if weights.values.len() != grid.shape[axis] {
            let message = "Length of weights not compatible with specified axis.";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let inner: usize = grid.shape[axis + 1..].iter().product();
        let values = (0..grid.values.len()).map(|place| weights.values[place / inner % grid.shape[axis]]).collect();
        Ok(DenseArray::new(grid.shape.clone(), values, weights.dtype))
    }

    /// Implements `np.nan_to_num`.
    pub(super) fn nan_to_num(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let grid = self.array_argument("nan_to_num", bound.required(0))?;
        let nan = bound.given(2).map_or(Ok(0.0), |nan| self.as_float(nan))?;
        let largest = if grid.dtype == Dtype::Float32 { f64::from(f32::MAX) } else { f64::MAX };
        let high = bound.given(3).map_or(Ok(largest), |high| self.as_float(high))?;
        let low = bound.given(4).map_or(Ok(-largest), |low| self.as_float(low))?;
        let kind = grid.dtype;
        let finite = grid.map(kind, |value| match value.to_f64() {
            number if !kind.is_float() || number.is_finite() => value,
            number if number.is_nan() => Scalar::from_f64(nan, kind),
            number if number > 0.0 => Scalar::from_f64(high, kind),
            _ => Scalar::from_f64(low, kind),
        });
        let copies = bound.get(1).map_or(Ok(true), |copies| self.truth(copies))?;
        if !copies && let Some(array) = self.array(bound.required(0)).cloned() {
            self.write_array(&array, &finite.values);
            return Ok(bound.required(0));
        }
        self.new_array_or_scalar(finite)
    }

    /// Implements `np.round`.
    pub(super) fn round_array(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let grid = self.array_argument("round", bound.required(0))?;
        let digits = bound.given(1).map_or(Ok(0), |digits| self.as_index(digits))?;
        if grid.dtype == Dtype::Bool {
            return Err(
                self.type_error("reward functions support np.round of numbers: convert truth values to integers")
            );
        }
        let rounded = grid.map(grid.dtype, |value| crate::machine::convert::round_numpy(value, digits));
        self.new_array_or_scalar(rounded)
    }

    /// Implements `np.convolve`, and `np.correlate` if the second array is not reversed.
    pub(super) fn convolve(&mut self, bound: &BoundArguments<'_>, is_convolution: bool) -> ExecResult {
        let (one, mut two) = self.first_two_arrays(bound)?;
        let default = if is_convolution { "full" } else { "valid" };
        let mode = match bound.get(2) {
            Some(mode) => self.str(mode)?,
            None => default.to_owned(),
        };
        if one.values.is_empty() || two.values.is_empty() {
            let message = if one.values.is_empty() { "a cannot be empty" } else { "v cannot be empty" };
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let kind = one.dtype.promote(two.dtype);
        // The shorter array is moved along the longer one.
        let is_swapped = two.values.len() > one.values.len();
        let one = if is_swapped { std::mem::replace(&mut two, one) } else { one };
        if is_convolution {
            two.values.reverse();
        }
        let (long, short) = (one.values.len() as i64, two.values.len() as i64);
        let (start, end) = match mode.as_str() {
            "full" => (1 - short, long),
            "same" => (-(short / 2), long - short / 2),
            "valid" => (0, long - short + 1),
            _ => {
                let message = format!("mode must be one of 'valid', 'same', or 'full' (got '{mode}')");
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
        };
        self.reserve_values((end - start) as usize)?;
        self.charge((end - start) as u64 * short as u64 / super::array::ELEMENTS_PER_INSTRUCTION)?;
        let sum_at = |shift: i64| {
            let pairs = (0..short).filter_map(|place| {
                Some((*one.values.get(usize::try_from(shift + place).ok()?)?, two.values[place as usize]))
            });
            sum_of_products(pairs.map(|(a, b)| (a.cast(kind), b.cast(kind))), kind)
        };
        let mut sums: Vec<Scalar> = (start..end).map(sum_at).collect();
        if is_swapped && !is_convolution {
            sums.reverse();
        }
        self.new_vector(sums, kind)
    }

    /// Implements `np.polyval`.
    pub(super) fn polynomial_value(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let (coefficients, places) = self.first_two_arrays(bound)?;
        let mut total = places.map(places.dtype, |_| Scalar::Int(0));
        for &coefficient in &coefficients.values {
            let product = self.apply_elementwise(BinaryOperator::Mult, &total, &places)?;
            let coefficient = DenseArray::from_scalar(coefficient);
            total = self.apply_elementwise(BinaryOperator::Add, &product, &coefficient)?;
        }
        self.new_array_or_scalar(total)
    }

    /// Implements `np.trapz`.
    pub(super) fn trapezoidal_area(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let heights = self.array_argument("trapz", bound.required(0))?;
        let step = bound.get(2).map_or(Ok(1.0), |step| self.as_float(step))?;
        let places = bound.given(1).map(|places| self.array_argument("trapz", places)).transpose()?;
        if heights.shape.len() != 1 || places.as_ref().is_some_and(|places| places.shape != heights.shape) {
            return Err(self.type_error("reward functions support np.trapz of vectors"));
        }
        let width = |place: usize| match &places {
            Some(places) => places.values[place + 1].to_f64() - places.values[place].to_f64(),
            None => step,
        };
        let areas = heights
            .values
            .windows(2)
            .enumerate()
            .map(|(place, pair)| Scalar::Float(width(place) * (pair[1].to_f64() + pair[0].to_f64()) / 2.0));
        let areas: Vec<Scalar> = areas.collect();
        Ok(Value::from(lane_sum(&areas, Dtype::Float, false)))
    }

    /// Implements `np.select`.
    pub(super) fn select_first(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let conditions = self.collect_values(bound.required(0))?;
        let choices = self.collect_values(bound.required(1))?;
        if conditions.len() != choices.len() {
            let message = "list of cases must be same length as list of conditions";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        if conditions.is_empty() {
            let message = "select with an empty condition list is not possible";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let mut result = bound.get(2).unwrap_or(Value::Int(0));
        let Some(select) = crate::library::Library::Numpy.function("where") else { return Ok(result) };
        for (&condition, &choice) in conditions.iter().zip(&choices).rev() {
            result = self.call_builtin(select, &[condition, choice, result], &[])?;
        }
        Ok(result)
    }

    /// Implements `np.isscalar`.
    pub(super) fn is_scalar_value(&mut self, value: Value) -> bool {
        let is_text = match value {
            Value::Ref(at) => matches!(self.heap.get(at), HeapObject::Text(_) | HeapObject::Bytes(_)),
            _ => false,
        };
        is_text || self.as_number(value).is_some()
    }
}

fn true_places(grid: &DenseArray) -> Vec<usize> {
    grid.values.iter().enumerate().filter(|(_, value)| value.to_bool()).map(|(place, _)| place).collect()
}

/// Computes the gradient of numbers, with central differences inside and one-sided ones at the ends.
fn gradient_of_lane(line: &[Scalar], steps: &[f64]) -> Vec<Scalar> {
    let numbers: Vec<f64> = line.iter().map(|value| value.to_f64()).collect();
    let last = numbers.len() - 1;
    let is_even = steps.windows(2).all(|pair| pair[0] == pair[1]);
    let inside = |place: usize| {
        let (before, behind) = (steps[place - 1], steps[place]);
        if is_even {
            return (numbers[place + 1] - numbers[place - 1]) / (2.0 * before);
        }
        let a = -behind / (before * (before + behind));
        let b = (behind - before) / (before * behind);
        let c = before / (behind * (before + behind));
        a * numbers[place - 1] + b * numbers[place] + c * numbers[place + 1]
    };
    let value = |place: usize| match place {
        0 => (numbers[1] - numbers[0]) / steps[0],
        _ if place == last => (numbers[last] - numbers[last - 1]) / steps[last - 1],
        _ => inside(place),
    };
    (0..=last).map(|place| Scalar::Float(value(place))).collect()
}

/// Interpolates linearly between points; outside of them, the value is `left` or `right`.
fn interpolated(place: f64, points: &[f64], values: &[f64], left: f64, right: f64) -> f64 {
    let last = points.len() - 1;
    if place.is_nan() {
        return place;
    }
    if place < points[0] {
        return left;
    }
    if place > points[last] {
        return right;
    }
    let at = points.partition_point(|&point| point <= place).saturating_sub(1);
    if at == last || points[at] == place {
        return values[at];
    }
    let slope = (values[at + 1] - values[at]) / (points[at + 1] - points[at]);
    let value = slope * (place - points[at]) + values[at];
    if !value.is_nan() {
        return value;
    }
    let value = slope * (place - points[at + 1]) + values[at + 1];
    if value.is_nan() && values[at] == values[at + 1] { values[at] } else { value }
}
