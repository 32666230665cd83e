//! Functions of `numpy` that sort and search: sorted arrays, quantiles, sets and histograms.

use std::cmp::Ordering;

use super::array::DenseArray;
use super::reductions::lanes;
use super::scalar::{Dtype, Scalar};
use super::shapes::from_lanes;
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::Value;
use crate::operators::BinaryOperator;

/// Compares numbers as numpy sorts them: NaN comes last.
pub(super) fn order(one: &Scalar, two: &Scalar) -> Ordering {
    one.ordering(*two).unwrap_or_else(|| one.is_nan().cmp(&two.is_nan()))
}

/// A method of choosing a quantile between two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Interpolation {
    Linear,
    Lower,
    Higher,
    Midpoint,
    Nearest,
}

impl Machine {
    /// Charges the budget for sorting.
    fn charge_sort(&mut self, count: usize) -> ExecResult<()> {
        let steps = u64::from(usize::BITS - count.leading_zeros());
        self.charge(count as u64 * steps / 8)
    }

    /// Implements `np.sort`, and `np.argsort` if `is_index`.
    pub(super) fn sort_array(&mut self, bound: &BoundArguments<'_>, is_index: bool) -> ExecResult {
        let array = self.array_argument(bound.function, bound.required(0))?;
        let sorted = self.sorted_along(array, bound.get(1), is_index)?;
        self.new_array(sorted)
    }

    /// Sorts the numbers along an axis, by default the last one; without an axis, all of them.
    pub(super) fn sorted_along(
        &mut self,
        mut array: DenseArray,
        axis: Option<Value>,
        is_index: bool,
    ) -> ExecResult<DenseArray> {
        self.charge_sort(array.values.len())?;
        if matches!(axis, Some(Value::None)) {
            array.shape = vec![array.values.len()];
        }
        let axis = match axis {
            None | Some(Value::None) => self.resolve_axis(Value::Int(-1), &array)?,
            Some(axis) => self.resolve_axis(axis, &array)?,
        };
        let (_, mut lines) = lanes(&array, Some(axis), false);
        for line in &mut lines {
            if is_index {
                let mut places: Vec<usize> = (0..line.len()).collect();
                places.sort_by(|&one, &two| order(&line[one], &line[two]));
                *line = places.into_iter().map(|place| Scalar::Int(place as i64)).collect();
            } else {
                line.sort_by(order);
            }
        }
        let kind = if is_index { Dtype::Int } else { array.dtype };
        Ok(from_lanes(&array.shape, axis, lines, kind))
    }

    /// Implements `np.searchsorted`.
    pub(super) fn search_sorted(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let mut array = self.array_argument("searchsorted", bound.required(0))?;
        let searched = self.array_argument("searchsorted", bound.required(1))?;
        if array.shape.len() != 1 {
            let message = "object too deep for desired array";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        if let Some(sorter) = bound.given(3) {
            let sorter = self.array_argument("searchsorted", sorter)?;
            let mut ordered = Vec::with_capacity(sorter.values.len());
            for place in &sorter.values {
                let Some(&value) = usize::try_from(place.to_i64()).ok().and_then(|place| array.values.get(place))
                else {
                    return Err(self.raise(ExceptionKind::ValueError, "Sorter index out of range."));
                };
                ordered.push(value);
            }
            array.values = ordered;
        }
        let side = match bound.get(2) {
            Some(side) => self.as_text(side),
            None => Some("left".into()),
        };
        let is_right = match side.as_deref() {
            Some("left") => false,
            Some("right") => true,
            _ => {
                let side = self.repr(bound.required(2))?;
                let message = format!("search side must be 'left' or 'right' (got {side})");
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
        };
        self.charge_sort(searched.values.len())?;
        let places =
            searched.map(Dtype::Int, |value| Scalar::Int(insertion_point(&array.values, value, is_right) as i64));
        self.new_array_or_scalar(places)
    }

    /// Implements `np.digitize`.
    pub(super) fn digitize(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let values = self.array_argument("digitize", bound.required(0))?;
        let mut bins = self.array_argument("digitize", bound.required(1))?.values;
        let is_right = bound.get(2).map_or(Ok(false), |right| self.truth(right))?;
        let is_ascending = bins.is_sorted_by(|one, two| order(one, two).is_le());
        let is_descending = bins.is_sorted_by(|one, two| order(one, two).is_ge());
        if !is_ascending && !is_descending {
            let message = "bins must be monotonically increasing or decreasing";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        self.charge_sort(values.values.len())?;
        let count = bins.len();
        if !is_ascending {
            bins.reverse();
        }
        let places = values.map(Dtype::Int, |value| {
            let place = insertion_point(&bins, value, !is_right);
            Scalar::Int(if is_ascending { place } else { count - place } as i64)
        });
        self.new_array_or_scalar(places)
    }

    /// Implements `np.unique`.
    pub(super) fn unique_elements(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let array = self.array_argument("unique", bound.required(0))?;
        if bound.given(4).is_some() {
            return Err(self.type_error("reward functions support np.unique only of all elements, without an axis"));
        }
        self.charge_sort(array.values.len())?;
        let mut places: Vec<usize> = (0..array.values.len()).collect();
        places.sort_by(|&one, &two| order(&array.values[one], &array.values[two]));
        let (mut firsts, mut counts): (Vec<usize>, Vec<i64>) = (Vec::new(), Vec::new());
        let mut inverse = vec![Scalar::Int(0); places.len()];
        for &place in &places {
            let value = array.values[place];
            let is_new = firsts.last().is_none_or(|&last| order(&array.values[last], &value).is_ne());
            if is_new {
                firsts.push(place);
                counts.push(0);
            }
            if let Some(count) = counts.last_mut() {
                *count += 1;
            }
            inverse[place] = Scalar::Int(firsts.len() as i64 - 1);
        }
        let indices = firsts.iter().map(|&place| Scalar::Int(place as i64)).collect();
        let values: Vec<Scalar> = firsts.iter().map(|&place| array.values[place]).collect();
        let counts = counts.into_iter().map(Scalar::Int).collect();
        let mut parts = vec![self.new_vector(values, array.dtype)?];
        for (parameter, numbers) in [(1, indices), (2, inverse), (3, counts)] {
            if bound.get(parameter).map_or(Ok(false), |wanted| self.truth(wanted))? {
                parts.push(self.new_vector(numbers, Dtype::Int)?);
            }
        }
        if let [values] = *parts { Ok(values) } else { Ok(self.heap.tuple(parts)) }
    }

    pub(super) fn new_vector(&mut self, values: Vec<Scalar>, kind: Dtype) -> ExecResult {
        self.new_array(DenseArray::new(vec![values.len()], values, kind))
    }

    /// Returns the elements of two arrays of the same kind, sorted and without duplicates.
    fn two_sets(&mut self, one: &DenseArray, two: &DenseArray) -> ExecResult<(Vec<Scalar>, Vec<Scalar>, Dtype)> {
        let kind = one.dtype.promote(two.dtype);
        self.charge_sort(one.values.len() + two.values.len())?;
        let [one, two] = [one, two].map(|array| {
            let mut values: Vec<Scalar> = array.values.iter().map(|value| value.cast(kind)).collect();
            values.sort_by(order);
            values.dedup_by(|one, two| order(one, two).is_eq());
            values
        });
        Ok((one, two, kind))
    }

    pub(super) fn union_of_arrays(&mut self, one: &DenseArray, two: &DenseArray) -> ExecResult {
        let (mut one, two, kind) = self.two_sets(one, two)?;
        one.extend(two);
        one.sort_by(order);
        one.dedup_by(|one, two| order(one, two).is_eq());
        self.new_vector(one, kind)
    }

    /// Implements `np.intersect1d`, and `np.setdiff1d` if `is_difference`.
    pub(super) fn select_common(&mut self, one: &DenseArray, two: &DenseArray, is_difference: bool) -> ExecResult {
        let own = one.dtype;
        let (one, two, kind) = self.two_sets(one, two)?;
        let is_in = |value: &Scalar| two.binary_search_by(|other| order(other, value)).is_ok();
        let values = one.into_iter().filter(|value| is_in(value) != is_difference).collect();
        self.new_vector(values, if is_difference { own } else { kind })
    }

    /// Implements `np.isin`.
    pub(super) fn is_in(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let values = self.array_argument("isin", bound.required(0))?;
        let members = self.array_argument("isin", bound.required(1))?;
        let is_inverted = bound.get(3).map_or(Ok(false), |invert| self.truth(invert))?;
        self.charge_sort(values.values.len() + members.values.len())?;
        let mut sorted = members.values;
        sorted.sort_by(order);
        let found = values.map(Dtype::Bool, |value| {
            let place = insertion_point(&sorted, value, false);
            let is_member = sorted.get(place).is_some_and(|&member| member.ordering(value) == Some(Ordering::Equal));
            Scalar::Bool(is_member != is_inverted)
        });
        self.new_array(DenseArray { is_scalar: false, ..found })
    }

    /// Implements `np.quantile`, and `np.percentile` if `is_percent`.
    pub(super) fn quantile(&mut self, bound: &BoundArguments<'_>, is_percent: bool, skips_nan: bool) -> ExecResult {
        let array = self.array_argument(bound.function, bound.required(0))?;
        let shares = self.array_argument(bound.function, bound.required(1))?;
        let shares = shares
            .map(Dtype::Float, |share| Scalar::Float(if is_percent { share.to_f64() / 100.0 } else { share.to_f64() }));
        if shares.values.iter().any(|share| !(0.0..=1.0).contains(&share.to_f64())) {
            let message = if is_percent {
                "Percentiles must be in the range [0, 100]"
            } else {
                "Quantiles must be in the range [0, 1]"
            };
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        if array.dtype == Dtype::Bool {
            let message = "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` \
                operator, or the logical_xor function instead.";
            return Err(self.type_error(message));
        }
        let interpolation = self.interpolation(bound)?;
        let keep = bound.get(6).map_or(Ok(false), |keep| self.truth(keep))?;
        let axis = self.normalize_axis(bound.get(2), &array)?;
        let (inner, mut lines) = lanes(&array, axis, keep);
        self.charge_sort(array.values.len())?;
        self.reserve_values(lines.len() * shares.values.len())?;
        let kind = match (interpolation, array.dtype) {
            (Interpolation::Lower | Interpolation::Higher | Interpolation::Nearest, kind) => kind,
            (_, Dtype::Float32) if shares.is_scalar => Dtype::Float32,
            _ => Dtype::Float,
        };
        for line in &mut lines {
            line.sort_by(order);
            if skips_nan {
                line.retain(|value| !value.is_nan());
            }
        }
        if lines.iter().any(Vec::is_empty) && !skips_nan {
            let message = "index -1 is out of bounds for axis 0 with size 0";
            return Err(self.raise(ExceptionKind::IndexError, message));
        }
        let mut values = Vec::with_capacity(lines.len() * shares.values.len());
        for share in &shares.values {
            values.extend(lines.iter().map(|line| quantile_of_sorted(line, share.to_f64(), interpolation)));
        }
        let mut shape = shares.shape.clone();
        shape.extend(inner);
        self.new_array_or_scalar(DenseArray::new(shape, values, kind))
    }

    fn interpolation(&mut self, bound: &BoundArguments<'_>) -> ExecResult<Interpolation> {
        let Some(method) = bound.get(5) else { return Ok(Interpolation::Linear) };
        let name = self.as_text(method);
        Ok(match name.as_deref() {
            Some("linear") => Interpolation::Linear,
            Some("lower") => Interpolation::Lower,
            Some("higher") => Interpolation::Higher,
            Some("midpoint") => Interpolation::Midpoint,
            Some("nearest") => Interpolation::Nearest,
            _ => {
                let message = format!(
                    "reward functions support the methods linear, lower, higher, midpoint and nearest, not {}",
                    self.repr(method)?
                );
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
        })
    }

    /// Implements `np.bincount`.
    pub(super) fn bin_count(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let values = self.array_argument("bincount", bound.required(0))?;
        let weights = bound.given(1).map(|weights| self.array_argument("bincount", weights)).transpose()?;
        let min_length = bound.get(2).map_or(Ok(0), |length| self.as_index(length))?;
        if values.shape.len() != 1 {
            let message = if values.shape.is_empty() { "object of too small depth" } else { "object too deep" };
            return Err(self.raise(ExceptionKind::ValueError, &format!("{message} for desired array")));
        }
        if values.dtype.is_float() && !values.values.is_empty() {
            let message = "Cannot cast array data from dtype('float64') to dtype('int64') according to the rule 'safe'";
            return Err(self.type_error(message));
        }
        if values.values.iter().any(|value| value.to_i64() < 0) {
            let message = "'list' argument must have no negative elements";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        if weights.as_ref().is_some_and(|weights| weights.values.len() != values.values.len()) {
            let message = "The weights and list don't have the same length.";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let largest = values.values.iter().map(|value| value.to_i64().saturating_add(1)).max().unwrap_or(0);
        let count = largest.max(min_length) as usize;
        self.reserve_values(count)?;
        let mut counts = vec![0.0; count];
        for (place, value) in values.values.iter().enumerate() {
            let weight = weights.as_ref().map_or(1.0, |weights| weights.values[place].to_f64());
            counts[value.to_i64() as usize] += weight;
        }
        let kind = if weights.is_some() { Dtype::Float } else { Dtype::Int };
        self.new_vector(counts.into_iter().map(Scalar::Float).collect(), kind)
    }

    /// Implements `np.histogram`.
    pub(super) fn histogram(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let values = self.array_argument("histogram", bound.required(0))?;
        let weights = bound.given(4).map(|weights| self.array_argument("histogram", weights)).transpose()?;
        if weights.as_ref().is_some_and(|weights| weights.shape != values.shape) {
            let message = "weights should have the same shape as a.";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let numbers: Vec<f64> = values.values.iter().map(|value| value.to_f64()).collect();
        let edges = self.histogram_edges(bound, &numbers)?;
        self.charge_sort(numbers.len())?;
        let mut counts = vec![0.0; edges.values.len().saturating_sub(1)];
        for (place, &number) in numbers.iter().enumerate() {
            let weight = weights.as_ref().map_or(1.0, |weights| weights.values[place].to_f64());
            let bin = insertion_point(&edges.values, Scalar::Float(number), true);
            let is_last = edges.values.last().is_some_and(|last| last.to_f64() == number);
            let bin = if is_last { counts.len() } else { bin };
            if (1..=counts.len()).contains(&bin) {
                counts[bin - 1] += weight;
            }
        }
        let is_density = bound.get(3).map_or(Ok(false), |density| self.truth(density))?;
        let mut kind = if weights.is_some() { Dtype::Float } else { Dtype::Int };
        if is_density {
            let total: f64 = counts.iter().sum();
            let widths = edges.values.windows(2).map(|pair| pair[1].to_f64() - pair[0].to_f64());
            counts = counts.iter().zip(widths).map(|(count, width)| count / width / total).collect();
            kind = Dtype::Float;
        }
        let counts = self.new_vector(counts.into_iter().map(Scalar::Float).collect(), kind)?;
        let edges = self.new_array(edges)?;
        Ok(self.heap.tuple([counts, edges]))
    }

    /// Returns the edges of the bins of a histogram.
    fn histogram_edges(&mut self, bound: &BoundArguments<'_>, numbers: &[f64]) -> ExecResult<DenseArray> {
        let bins = bound.get(1).unwrap_or(Value::Int(10));
        if self.as_text(bins).is_some() {
            return Err(self.type_error("reward functions support a number or the edges as bins of np.histogram"));
        }
        let bins = self.array_argument("histogram", bins)?;
        if !bins.shape.is_empty() {
            if !bins.values.is_sorted_by(|one, two| order(one, two).is_le()) {
                let message = "`bins` must increase monotonically, when an array";
                return Err(self.raise(ExceptionKind::ValueError, message));
            }
            return Ok(bins);
        }
        let count = bins.values[0].to_i64();
        if count < 1 {
            return Err(self.raise(ExceptionKind::ValueError, "`bins` must be positive, when an integer"));
        }
        let (mut low, mut high) = match bound.given(2) {
            Some(range) => {
                let ends = self.unpack_exact(range, 2)?;
                let (low, high) = (self.as_float(ends[0])?, self.as_float(ends[1])?);
                if low > high {
                    let message = "max must be larger than min in range parameter.";
                    return Err(self.raise(ExceptionKind::ValueError, message));
                }
                (low, high)
            }
            None if numbers.is_empty() => (0.0, 1.0),
            None => {
                let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                (low, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max))
            }
        };
        if !low.is_finite() || !high.is_finite() || numbers.iter().any(|number| number.is_nan()) {
            let message = format!(
                "autodetected range of [{}, {}] is not finite",
                crate::machine::text::float_repr(low),
                crate::machine::text::float_repr(high)
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        if low == high {
            (low, high) = (low - 0.5, high + 0.5);
        }
        self.reserve_values(usize::try_from(count).unwrap_or(usize::MAX))?;
        let step = (high - low) / count as f64;
        let edge = |index: i64| if index == count { high } else { index as f64 * step + low };
        let edges: Vec<Scalar> = (0..=count).map(|index| Scalar::Float(edge(index))).collect();
        Ok(DenseArray::new(vec![edges.len()], edges, Dtype::Float))
    }
}

/// Returns the place before (or after, if `is_right`) the numbers of a sorted sequence that equal a number.
pub(super) fn insertion_point(sorted: &[Scalar], value: Scalar, is_right: bool) -> usize {
    sorted.partition_point(|other| {
        let order = order(other, &value);
        order.is_lt() || is_right && order.is_eq()
    })
}

/// Returns a quantile of sorted numbers, of which NaN is the last one.
fn quantile_of_sorted(sorted: &[Scalar], share: f64, interpolation: Interpolation) -> Scalar {
    let Some(last) = sorted.last().filter(|last| !last.is_nan()) else { return Scalar::Float(f64::NAN) };
    let position = (sorted.len() - 1) as f64 * share;
    let item = |place: f64| sorted.get(place as usize).copied().unwrap_or(*last);
    let (low, high) = (position.floor(), position.ceil());
    let weight = match interpolation {
        Interpolation::Lower => return item(low),
        Interpolation::Higher => return item(high),
        Interpolation::Nearest => return item(position.round_ties_even()),
        Interpolation::Midpoint => {
            if low == high {
                0.0
            } else {
                0.5
            }
        }
        Interpolation::Linear => position - low,
    };
    let (one, two) = (item(low), item(low + 1.0));
    let kind = one.dtype();
    let difference = match two.apply_operator(BinaryOperator::Sub, one) {
        Some((difference, _)) => difference.to_f64(),
        None => 0.0,
    };
    let round = |number: f64| if kind == Dtype::Float32 { f64::from(number as f32) } else { number };
    let number = if weight >= 0.5 {
        two.to_f64() - round(difference * (1.0 - weight))
    } else {
        one.to_f64() + round(difference * weight)
    };
    Scalar::from_f64(number, if kind == Dtype::Float32 { kind } else { Dtype::Float })
}
