//! Reductions of all numbers or along an axis: sums, extremes, norms and others.

use super::arithmetic::sum_of_products;
use super::array::DenseArray;
use super::scalar::{Dtype, Scalar};
use super::ufuncs::min_or_max;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::{HeapObject, Value};
use crate::machine::{ELEMENTS_PER_UNIT, Machine};
use crate::operators::ComparisonOperator;

/// A reduction of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Reduction {
    All,
    Any,
    Argmax,
    Argmin,
    CountNonzero,
    Max,
    Mean,
    Median,
    Min,
    Prod,
    Ptp,
    Std,
    Sum,
    Var,
}

impl Reduction {
    /// Returns the names of the parameters of the function; those of the method lack the first one.
    pub(super) const fn parameter_names(self) -> &'static [&'static str] {
        match self {
            Self::Sum | Self::Prod => &["a", "axis", "dtype", "out", "keepdims", "initial", "where"],
            Self::Max | Self::Min => &["a", "axis", "out", "keepdims", "initial", "where"],
            Self::Mean => &["a", "axis", "dtype", "out", "keepdims", "where"],
            Self::Std | Self::Var => &["a", "axis", "dtype", "out", "ddof", "keepdims", "where"],
            Self::All | Self::Any => &["a", "axis", "out", "keepdims", "where"],
            Self::Argmax | Self::Argmin | Self::Ptp => &["a", "axis", "out", "keepdims"],
            Self::CountNonzero => &["a", "axis", "keepdims"],
            Self::Median => &["a", "axis", "out", "overwrite_input", "keepdims"],
        }
    }
}

/// The arguments of a reduction besides the array.
#[derive(Debug, Default)]
pub(super) struct ReductionArguments {
    axis: Option<Value>,
    dtype: Option<Dtype>,
    keeps_dimensions: bool,
    initial: Option<Value>,
    /// The array that receives the results (`out`).
    output: Option<Value>,
    /// The elements that take part (`where`).
    mask: Option<DenseArray>,
    /// The number subtracted from the number of values in the denominator of a variance.
    degrees: f64,
}

impl Machine {
    /// Returns the arguments of a reduction, of which the first one is that of the parameter with the index `first`.
    pub(super) fn reduction_arguments(
        &mut self,
        reduction: Reduction,
        bound: &BoundArguments<'_>,
        first: usize,
    ) -> ExecResult<ReductionArguments> {
        let mut arguments = ReductionArguments::default();
        for (index, &name) in reduction.parameter_names()[1..].iter().enumerate() {
            let Some(value) = bound.get(first + index) else { continue };
            match name {
                "axis" => arguments.axis = Some(value),
                "dtype" if !matches!(value, Value::None) => arguments.dtype = Some(self.dtype_argument(value)?),
                "keepdims" => arguments.keeps_dimensions = self.truth(value)?,
                "initial" => arguments.initial = Some(value),
                "ddof" => arguments.degrees = self.as_float(value)?,
                "out" if !matches!(value, Value::None) => arguments.output = Some(value),
                "where" if !matches!(value, Value::Bool(true)) => {
                    arguments.mask = Some(self.array_argument(bound.function, value)?);
                }
                _ => {}
            }
        }
        Ok(arguments)
    }

    pub(super) fn reduce_array(
        &mut self,
        reduction: Reduction,
        skips_nan: bool,
        grid: DenseArray,
        arguments: &ReductionArguments,
    ) -> ExecResult {
        let grid = match arguments.dtype {
            Some(dtype) if !matches!(reduction, Reduction::Mean | Reduction::Std | Reduction::Var) => grid.cast(dtype),
            Some(dtype) if dtype.is_float() => grid.cast(dtype),
            _ => grid,
        };
        let axes = self.normalize_axes(arguments.axis, &grid)?;
        let (shape, mut lines, along_first) = lanes_of_axes(&grid, axes.as_deref(), arguments.keeps_dimensions);
        let runs = match &arguments.mask {
            Some(mask) => Some(self.mask_lanes(reduction, arguments, (&grid, mask), axes.as_deref(), &mut lines)?),
            None => None,
        };
        if let Some(initial) = arguments.initial {
            self.prepend_initial(initial, grid.dtype, &mut lines)?;
        }
        if lines.first().is_some_and(Vec::is_empty) {
            self.check_empty_reduction(reduction)?;
        }
        self.charge(grid.values.len() as u64 * cost_factor(reduction) / ELEMENTS_PER_UNIT + 2 * lines.len() as u64)?;
        let kind = reduction_dtype(reduction, grid.dtype);
        let mut values = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            if let Some(runs) = runs.as_ref().filter(|_| matches!(reduction, Reduction::Sum | Reduction::Mean)) {
                let sum = sum_of_runs(&runs[index], kind, along_first);
                let is_mean = reduction == Reduction::Mean;
                let count = line.len() as f64;
                values.push(if is_mean { Scalar::from_f64(sum.to_f64() / count, kind) } else { sum });
                continue;
            }
            values.push(if skips_nan && grid.dtype.is_float() {
                self.reduce_without_nan(reduction, line, kind, along_first, arguments.degrees)?
            } else {
                if matches!(reduction, Reduction::Std | Reduction::Var) && line.len() as f64 <= arguments.degrees {
                    self.warn("RuntimeWarning: Degrees of freedom <= 0 for slice");
                }
                reduce_lane(reduction, line, kind, along_first, arguments.degrees)
            });
        }
        let result = DenseArray::new(shape, values, kind);
        match arguments.output {
            Some(output) => self.store_ufunc_output("reduce", &result, output, None),
            None => self.new_array_or_scalar(result),
        }
    }

    /// Inserts the initial value of a reduction at the beginning of each lane.
    fn prepend_initial(&mut self, initial: Value, dtype: Dtype, lines: &mut [Vec<Scalar>]) -> ExecResult<()> {
        let initial = self.array_argument("reduce", initial)?;
        let Some(initial) = initial.values.first().map(|initial| initial.cast(dtype)) else {
            return Err(self.raise(ExceptionKind::ValueError, "the initial value is empty"));
        };
        for line in lines {
            line.insert(0, initial);
        }
        Ok(())
    }

    /// Raises the exception, or issues the warning, of a reduction of no elements.
    fn check_empty_reduction(&mut self, reduction: Reduction) -> ExecResult<()> {
        if let Some(message) = empty_reduction_message(reduction) {
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        if matches!(reduction, Reduction::Mean | Reduction::Std | Reduction::Var | Reduction::Median) {
            self.warn("RuntimeWarning: Mean of empty slice.");
        }
        Ok(())
    }

    /// Removes the elements that a mask excludes from the lanes of a reduction; returns the runs of elements that remain side by side in each
    /// lane, which numpy adds one after the other.
    fn mask_lanes(
        &mut self,
        reduction: Reduction,
        arguments: &ReductionArguments,
        (grid, mask): (&DenseArray, &DenseArray),
        axes: Option<&[usize]>,
        lines: &mut [Vec<Scalar>],
    ) -> ExecResult<Vec<Vec<Vec<Scalar>>>> {
        if matches!(reduction, Reduction::Max | Reduction::Min) && arguments.initial.is_none() {
            let name = if reduction == Reduction::Max { "maximum" } else { "minimum" };
            let message = format!(
                "reduction operation '{name}' does not have an identity, so to use a where mask one has to specify 'initial'"
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let shape = self.common_shape(grid, mask)?;
        if shape != grid.shape {
            return Err(self.broadcast_error(&grid.shape, &mask.shape));
        }
        let selected = (0..grid.values.len()).map(|place| mask.broadcast_element(&shape, place)).collect();
        let selected = DenseArray::new(shape, selected, Dtype::Bool);
        let (_, masks, _) = lanes_of_axes(&selected, axes, arguments.keeps_dimensions);
        let mut all = Vec::with_capacity(lines.len());
        for (line, mask) in lines.iter_mut().zip(masks) {
            let (mut runs, mut run) = (Vec::new(), Vec::new());
            for (&value, selected) in line.iter().zip(&mask) {
                if selected.to_bool() {
                    run.push(value);
                } else if !run.is_empty() {
                    runs.push(std::mem::take(&mut run));
                }
            }
            if !run.is_empty() {
                runs.push(run);
            }
            *line = runs.concat();
            all.push(runs);
        }
        Ok(all)
    }

    /// Reduces an array along an axis.
    pub(super) fn reduce_along(
        &mut self,
        reduction: Reduction,
        grid: DenseArray,
        axis: usize,
        keep: bool,
    ) -> ExecResult {
        let axis = Some(Value::Int(axis as i64));
        self.reduce_array(
            reduction,
            false,
            grid,
            &ReductionArguments { axis, keeps_dimensions: keep, ..Default::default() },
        )
    }

    /// Reduces numbers as the functions of numpy that ignore NaN do.
    fn reduce_without_nan(
        &mut self,
        reduction: Reduction,
        line: &[Scalar],
        kind: Dtype,
        in_order: bool,
        degrees: f64,
    ) -> ExecResult<Scalar> {
        let count = line.iter().filter(|value| !value.is_nan()).count();
        let nan = Scalar::from_f64(f64::NAN, kind);
        let replaced = |by: f64| -> Vec<Scalar> {
            line.iter().map(|&value| if value.is_nan() { Scalar::from_f64(by, kind) } else { value }).collect()
        };
        let numbers: Vec<Scalar> = line.iter().copied().filter(|value| !value.is_nan()).collect();
        Ok(match reduction {
            Reduction::Sum => reduce_lane(reduction, &replaced(0.0), kind, in_order, degrees),
            Reduction::Prod => reduce_lane(reduction, &replaced(1.0), kind, in_order, degrees),
            Reduction::Max | Reduction::Min if count == 0 => {
                self.warn("RuntimeWarning: All-NaN slice encountered");
                nan
            }
            Reduction::Argmax | Reduction::Argmin if count == 0 => {
                return Err(self.raise(ExceptionKind::ValueError, "All-NaN slice encountered"));
            }
            Reduction::Argmax | Reduction::Argmin => {
                let worst = if reduction == Reduction::Argmax { f64::NEG_INFINITY } else { f64::INFINITY };
                let replaced: Vec<Scalar> =
                    line.iter().map(|&value| if value.is_nan() { Scalar::Float(worst) } else { value }).collect();
                reduce_lane(reduction, &replaced, kind, in_order, degrees)
            }
            Reduction::Mean if count > 0 => {
                let sum = lane_sum(&replaced(0.0), kind, in_order);
                Scalar::from_f64(sum.to_f64() / count as f64, kind)
            }
            Reduction::Std | Reduction::Var if count as f64 > degrees => {
                let mean = lane_sum(&replaced(0.0), kind, in_order).to_f64() / count as f64;
                let mean = Scalar::from_f64(mean, kind).to_f64();
                let squares: Vec<Scalar> = line
                    .iter()
                    .map(
                        |value| {
                            if value.is_nan() { 0.0 } else { Scalar::from_f64(value.to_f64() - mean, kind).to_f64() }
                        },
                    )
                    .map(|distance| Scalar::from_f64(distance * distance, kind))
                    .collect();
                let variance = lane_sum(&squares, kind, in_order).to_f64() / (count as f64 - degrees);
                Scalar::from_f64(if reduction == Reduction::Std { variance.sqrt() } else { variance }, kind)
            }
            Reduction::Mean | Reduction::Median | Reduction::Std | Reduction::Var if count == 0 => {
                self.warn("RuntimeWarning: Mean of empty slice");
                nan
            }
            Reduction::Std | Reduction::Var => {
                self.warn("RuntimeWarning: Degrees of freedom <= 0 for slice.");
                nan
            }
            _ => reduce_lane(reduction, &numbers, kind, in_order, degrees),
        })
    }

    /// Returns the dimensions that an axis or a tuple of axes denotes; `None` for all.
    fn normalize_axes(&mut self, axis: Option<Value>, grid: &DenseArray) -> ExecResult<Option<Vec<usize>>> {
        let Some(axis) = axis.filter(|axis| !matches!(axis, Value::None)) else { return Ok(None) };
        let Value::Ref(at) = axis else { return Ok(Some(vec![self.resolve_axis(axis, grid)?])) };
        let HeapObject::Tuple(parts) = self.heap.get(at) else { return Ok(Some(vec![self.resolve_axis(axis, grid)?])) };
        let mut dimensions = Vec::new();
        for part in parts.clone() {
            let axis = self.resolve_axis(part, grid)?;
            if dimensions.contains(&axis) {
                return Err(self.raise(ExceptionKind::ValueError, "duplicate value in 'axis'"));
            }
            dimensions.push(axis);
        }
        dimensions.sort_unstable();
        Ok(if dimensions.len() == grid.shape.len() { None } else { Some(dimensions) })
    }

    pub(super) fn normalize_axis(&mut self, axis: Option<Value>, grid: &DenseArray) -> ExecResult<Option<usize>> {
        let Some(axis) = axis.filter(|axis| !matches!(axis, Value::None)) else { return Ok(None) };
        self.resolve_axis(axis, grid).map(Some)
    }

    /// Returns the dimension that an axis, which may be negative, denotes.
    pub(super) fn resolve_axis(&mut self, axis: Value, array: &DenseArray) -> ExecResult<usize> {
        self.resolve_dimension(axis, array.shape.len())
    }

    /// Returns the dimension that an axis, which may be negative, denotes in an array with a number of dimensions.
    pub(super) fn resolve_dimension(&mut self, axis: Value, dimensions: usize) -> ExecResult<usize> {
        let number = self.as_index(axis)?;
        let dimensions = dimensions as i64;
        let index = if number < 0 { number.saturating_add(dimensions) } else { number };
        if (0..dimensions).contains(&index) {
            return Ok(index as usize);
        }
        let message = format!("axis {number} is out of bounds for array of dimension {dimensions}");
        Err(self.raise(ExceptionKind::AxisError, &message))
    }

    /// Computes `np.linalg.norm` of vectors, and of the rows or columns of a matrix.
    pub(super) fn norm(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let grid = self.array_argument("linalg.norm", bound.required(0))?;
        let kind = if grid.dtype.is_float() { grid.dtype } else { Dtype::Float };
        let grid = grid.cast(kind);
        let order = bound.given(1).map(|order| self.as_float(order)).transpose()?;
        let keep = bound.get(3).map_or(Ok(false), |keep| self.truth(keep))?;
        let axis = self.normalize_axis(bound.get(2), &grid)?;
        if axis.is_none() && order.is_some() && grid.shape.len() != 1 {
            let message = "np.linalg.norm with an order requires a vector, or an axis";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let whole = axis.is_none() && order.is_none();
        let along_first = axis.is_some_and(|axis| axis + 1 < grid.shape.len());
        let (shape, lines) = lanes(&grid, axis, keep);
        let mut values = Vec::with_capacity(lines.len());
        self.charge(4 + grid.values.len() as u64 / 16 + 2 * lines.len() as u64)?;
        for line in &lines {
            let sizes: Vec<Scalar> = line.iter().map(|value| Scalar::from_f64(value.to_f64().abs(), kind)).collect();
            let value = match order {
                None if whole => {
                    let squares = sum_of_products(line.iter().map(|&value| (value, value)), kind);
                    Scalar::from_f64(squares.to_f64().sqrt(), kind)
                }
                None | Some(2.0) => {
                    let squares: Vec<Scalar> =
                        line.iter().map(|value| Scalar::from_f64(value.to_f64() * value.to_f64(), kind)).collect();
                    Scalar::from_f64(lane_sum(&squares, kind, along_first).to_f64().sqrt(), kind)
                }
                Some(1.0) => lane_sum(&sizes, kind, along_first),
                Some(f64::INFINITY | f64::NEG_INFINITY) => {
                    let larger = order == Some(f64::INFINITY);
                    let Some(value) = sizes.into_iter().reduce(|a, b| min_or_max(a, b, larger)) else {
                        let message = empty_reduction_message(if larger { Reduction::Max } else { Reduction::Min })
                            .unwrap_or_default();
                        return Err(self.raise(ExceptionKind::ValueError, message));
                    };
                    value
                }
                Some(_) => {
                    let message = "reward functions support np.linalg.norm only with the orders 1, 2 and np.inf";
                    return Err(self.raise(ExceptionKind::ValueError, message));
                }
            };
            values.push(value);
        }
        self.new_array_or_scalar(DenseArray::new(shape, values, kind))
    }
}

fn empty_reduction_message(reduction: Reduction) -> Option<&'static str> {
    Some(match reduction {
        Reduction::Max | Reduction::Ptp => "zero-size array to reduction operation maximum which has no identity",
        Reduction::Min => "zero-size array to reduction operation minimum which has no identity",
        Reduction::Argmax => "attempt to get argmax of an empty sequence",
        Reduction::Argmin => "attempt to get argmin of an empty sequence",
        _ => return None,
    })
}

fn reduction_dtype(reduction: Reduction, kind: Dtype) -> Dtype {
    match reduction {
        Reduction::Any | Reduction::All => Dtype::Bool,
        Reduction::Argmin | Reduction::Argmax | Reduction::CountNonzero => Dtype::Int,
        Reduction::Mean | Reduction::Median | Reduction::Std | Reduction::Var if !kind.is_float() => Dtype::Float,
        Reduction::Sum | Reduction::Prod => kind.of_sum(),
        _ => kind,
    }
}

/// Returns the shape of the result, the numbers that are reduced to each of its elements, and whether these are added in order.
fn lanes_of_axes(grid: &DenseArray, axes: Option<&[usize]>, keep: bool) -> (Vec<usize>, Vec<Vec<Scalar>>, bool) {
    let along_first = axes.is_some_and(|axes| axes.iter().all(|axis| axis + 1 < grid.shape.len()));
    let (shape, lines) = match axes {
        Some(axes) if axes.len() != 1 => {
            let mut order: Vec<usize> = (0..grid.shape.len()).filter(|axis| !axes.contains(axis)).collect();
            let others = order.len();
            order.extend(axes);
            let moved = super::shapes::permuted(grid, &order);
            let length: usize = moved.shape[others..].iter().product();
            let count: usize = moved.shape[..others].iter().product();
            let lines = (0..count).map(|line| moved.values[line * length..(line + 1) * length].to_vec()).collect();
            let kept = |axis: usize| if keep { Some(1) } else { None }.filter(|_| axes.contains(&axis));
            let shape = (0..grid.shape.len())
                .filter_map(|axis| if axes.contains(&axis) { kept(axis) } else { Some(grid.shape[axis]) })
                .collect();
            (shape, lines)
        }
        axes => lanes(grid, axes.map(|axes| axes[0]), keep),
    };
    (shape, lines, along_first)
}

/// Returns the shape of the result, and the numbers that are reduced to each of its elements.
pub(super) fn lanes(grid: &DenseArray, axis: Option<usize>, keep: bool) -> (Vec<usize>, Vec<Vec<Scalar>>) {
    let Some(axis) = axis else {
        let shape = if keep { vec![1; grid.shape.len()] } else { Vec::new() };
        return (shape, vec![grid.values.clone()]);
    };
    let length = grid.shape[axis];
    let inner: usize = grid.shape[axis + 1..].iter().product();
    let outer: usize = grid.shape[..axis].iter().product();
    let mut lines = Vec::with_capacity(outer * inner);
    for before in 0..outer {
        for behind in 0..inner {
            lines.push((0..length).map(|along| grid.values[(before * length + along) * inner + behind]).collect());
        }
    }
    let mut shape = grid.shape.clone();
    if keep {
        shape[axis] = 1;
    } else {
        shape.remove(axis);
    }
    (shape, lines)
}

fn reduce_lane(reduction: Reduction, line: &[Scalar], kind: Dtype, in_order: bool, degrees: f64) -> Scalar {
    match reduction {
        Reduction::Any => Scalar::Bool(line.iter().any(|value| value.to_bool())),
        Reduction::All => Scalar::Bool(line.iter().all(|value| value.to_bool())),
        Reduction::CountNonzero => Scalar::Int(line.iter().filter(|value| value.to_bool()).count() as i64),
        Reduction::Median => median(line, kind),
        Reduction::Ptp => {
            let extreme = |larger| line.iter().copied().reduce(|a, b| min_or_max(a, b, larger));
            let (Some(high), Some(low)) = (extreme(true), extreme(false)) else { return Scalar::Bool(false) };
            let range = high.apply_operator(crate::operators::BinaryOperator::Sub, low);
            range.map_or(Scalar::Bool(false), |(range, _)| range)
        }
        Reduction::Max | Reduction::Min => {
            let best = line.iter().copied().reduce(|a, b| min_or_max(a, b, reduction == Reduction::Max));
            best.unwrap_or(Scalar::Bool(false))
        }
        Reduction::Argmax | Reduction::Argmin => {
            let better = if reduction == Reduction::Argmax { ComparisonOperator::Gt } else { ComparisonOperator::Lt };
            let mut best = 0;
            for (place, value) in line.iter().enumerate() {
                if !line[best].is_nan() && (value.is_nan() || value.compare(better, line[best])) {
                    best = place;
                }
            }
            Scalar::Int(best as i64)
        }
        Reduction::Prod => line.iter().fold(Scalar::Int(1).cast(kind), |product, value| {
            let product = product.apply_operator(crate::operators::BinaryOperator::Mult, value.cast(kind));
            product.map_or(Scalar::Bool(false), |(product, _)| product)
        }),
        Reduction::Mean => lane_mean(line, kind, in_order),
        Reduction::Std | Reduction::Var => {
            let middle = lane_mean(line, kind, in_order).to_f64();
            let squares: Vec<Scalar> = line
                .iter()
                .map(|value| Scalar::from_f64(value.to_f64() - middle, kind).to_f64())
                .map(|distance| Scalar::from_f64(distance * distance, kind))
                .collect();
            let sum = lane_sum(&squares, kind, in_order);
            let variance = Scalar::from_f64(sum.to_f64() / (line.len() as f64 - degrees).max(0.0), kind);
            if reduction == Reduction::Std { Scalar::from_f64(variance.to_f64().sqrt(), kind) } else { variance }
        }
        Reduction::Sum => lane_sum(&line.iter().map(|value| value.cast(kind)).collect::<Vec<_>>(), kind, in_order),
    }
}

/// Computes a median; NaN if there is one among the numbers.
fn median(line: &[Scalar], kind: Dtype) -> Scalar {
    if line.is_empty() || line.iter().any(|value| value.is_nan()) {
        return Scalar::from_f64(f64::NAN, kind);
    }
    let mut sorted: Vec<Scalar> = line.to_vec();
    sorted.sort_by(super::sorting::order);
    let half = sorted.len() / 2;
    let middle = if sorted.len() % 2 == 1 { &sorted[half..=half] } else { &sorted[half - 1..=half] };
    lane_mean(middle, kind, false)
}

fn lane_mean(line: &[Scalar], kind: Dtype, in_order: bool) -> Scalar {
    let sum = lane_sum(&line.iter().map(|value| value.cast(kind)).collect::<Vec<_>>(), kind, in_order);
    Scalar::from_f64(sum.to_f64() / line.len() as f64, kind)
}

/// Computes a sum in numpy's order: pairwise with eight accumulators; sequential along axes other than the last.
pub(super) fn lane_sum(line: &[Scalar], kind: Dtype, in_order: bool) -> Scalar {
    match kind {
        Dtype::Sized(kind) => {
            let sum = line.iter().fold(0i64, |sum, value| sum.wrapping_add(value.to_i64()));
            Scalar::Sized(kind, kind.wrap(sum))
        }
        Dtype::Bool | Dtype::Int => Scalar::Int(line.iter().fold(0i64, |sum, value| sum.wrapping_add(value.to_i64()))),
        Dtype::Float32 => {
            let numbers: Vec<f32> = line.iter().map(|value| value.to_f64() as f32).collect();
            let in_order_sum = || numbers.iter().copied().reduce(|a, b| a + b).unwrap_or_default();
            Scalar::Float32(if in_order { in_order_sum() } else { pairwise_sum(&numbers) })
        }
        Dtype::Float => {
            let numbers: Vec<f64> = line.iter().map(|value| value.to_f64()).collect();
            let in_order_sum = || numbers.iter().copied().reduce(|a, b| a + b).unwrap_or_default();
            Scalar::Float(if in_order { in_order_sum() } else { pairwise_sum(&numbers) })
        }
    }
}

/// Maximum number of values that are added without being split in half.
const PAIRWISE_BLOCK_SIZE: usize = 128;

fn pairwise_sum<T: Copy + Default + std::ops::Add<Output = T>>(numbers: &[T]) -> T {
    if numbers.len() < 8 {
        return numbers.iter().fold(T::default(), |sum, &number| sum + number);
    }
    if numbers.len() > PAIRWISE_BLOCK_SIZE {
        let half = numbers.len() / 2;
        let (one, two) = numbers.split_at(half - half % 8);
        return pairwise_sum(one) + pairwise_sum(two);
    }
    let (blocks, rest) = numbers.as_chunks::<8>();
    let mut sums = [T::default(); 8];
    for (place, block) in blocks.iter().enumerate() {
        for (sum, &number) in sums.iter_mut().zip(block) {
            *sum = if place == 0 { number } else { *sum + number };
        }
    }
    let [first, second] = [0, 4].map(|at| (sums[at] + sums[at + 1]) + (sums[at + 2] + sums[at + 3]));
    rest.iter().fold(first + second, |sum, &number| sum + number)
}

/// Returns the factor by which a reduction costs more per element: a variance takes several passes over the numbers.
fn cost_factor(reduction: Reduction) -> u64 {
    match reduction {
        Reduction::Std | Reduction::Var => 8,
        Reduction::Median => 16,
        _ => 2,
    }
}

/// Returns the sum of the sums of runs.
fn sum_of_runs(runs: &[Vec<Scalar>], dtype: Dtype, along_first: bool) -> Scalar {
    let sums = runs.iter().map(|run| reduce_lane(Reduction::Sum, run, dtype, along_first, 0.0));
    sums.fold(Scalar::Int(0).cast(dtype), |sum, part| reduce_lane(Reduction::Sum, &[sum, part], dtype, false, 0.0))
}
