//! Reductions of all numbers or along an axis: sums, extremes, norms and others.

use super::arithmetic::sum_of_products;
use super::array::DenseArray;
use super::functions::min_or_max;
use super::scalar::{Dtype, Scalar};
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::Value;
use crate::machine::{ELEMENTS_PER_UNIT, Machine};
use crate::operators::ComparisonOperator;

/// A reduction of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Reduction {
    All,
    Any,
    Argmax,
    Argmin,
    Max,
    Mean,
    Min,
    Prod,
    Std,
    Sum,
    Var,
}

impl Machine {
    pub(in crate::machine) fn reduce_array(
        &mut self,
        reduction: Reduction,
        grid: &DenseArray,
        axis: Option<Value>,
        keep: Option<Value>,
    ) -> ExecResult {
        let keep = keep.map_or(Ok(false), |keep| self.truth(keep))?;
        let axis = self.normalize_axis(axis, grid)?;
        let (shape, lines) = lanes(grid, axis, keep);
        let empty = lines.first().is_some_and(Vec::is_empty);
        if empty {
            if let Some(message) = empty_reduction_message(reduction) {
                return Err(self.raise(ExceptionKind::ValueError, message));
            }
            if matches!(reduction, Reduction::Mean | Reduction::Std | Reduction::Var) {
                self.warn("RuntimeWarning: Mean of empty slice.");
            }
        }
        // A variance takes several passes over the numbers.
        let times = if matches!(reduction, Reduction::Std | Reduction::Var) { 8 } else { 2 };
        self.charge(grid.values.len() as u64 * times / ELEMENTS_PER_UNIT + 2 * lines.len() as u64)?;
        let kind = reduction_dtype(reduction, grid.dtype);
        let along_first = axis.is_some_and(|axis| axis + 1 < grid.shape.len());
        let values = lines.iter().map(|line| reduce_lane(reduction, line, grid.dtype, kind, along_first)).collect();
        self.new_array_or_scalar(DenseArray::new(shape, values, kind))
    }

    fn normalize_axis(&mut self, axis: Option<Value>, grid: &DenseArray) -> ExecResult<Option<usize>> {
        let Some(axis) = axis.filter(|axis| !matches!(axis, Value::None)) else { return Ok(None) };
        self.resolve_axis(axis, grid).map(Some)
    }

    /// Returns the dimension that an axis, which may be negative, denotes.
    pub(super) fn resolve_axis(&mut self, axis: Value, array: &DenseArray) -> ExecResult<usize> {
        let number = self.as_index(axis)?;
        let dimensions = array.shape.len() as i64;
        let index = if number < 0 { number + dimensions } else { number };
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
        Reduction::Max => "zero-size array to reduction operation maximum which has no identity",
        Reduction::Min => "zero-size array to reduction operation minimum which has no identity",
        Reduction::Argmax => "attempt to get argmax of an empty sequence",
        Reduction::Argmin => "attempt to get argmin of an empty sequence",
        _ => return None,
    })
}

fn reduction_dtype(reduction: Reduction, kind: Dtype) -> Dtype {
    match reduction {
        Reduction::Any | Reduction::All => Dtype::Bool,
        Reduction::Argmin | Reduction::Argmax => Dtype::Int,
        Reduction::Mean | Reduction::Std | Reduction::Var if !kind.is_float() => Dtype::Float,
        Reduction::Sum | Reduction::Prod if kind == Dtype::Bool => Dtype::Int,
        _ => kind,
    }
}

/// Returns the shape of the result, and the numbers that are reduced to each of its elements.
fn lanes(grid: &DenseArray, axis: Option<usize>, keep: bool) -> (Vec<usize>, Vec<Vec<Scalar>>) {
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

fn reduce_lane(reduction: Reduction, line: &[Scalar], from: Dtype, kind: Dtype, in_order: bool) -> Scalar {
    match reduction {
        Reduction::Any => Scalar::Bool(line.iter().any(|value| value.to_bool())),
        Reduction::All => Scalar::Bool(line.iter().all(|value| value.to_bool())),
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
            let variance = lane_mean(&squares, kind, in_order);
            if reduction == Reduction::Std { Scalar::from_f64(variance.to_f64().sqrt(), kind) } else { variance }
        }
        Reduction::Sum => {
            lane_sum(&line.iter().map(|value| value.cast(kind)).collect::<Vec<_>>(), kind.max(from), in_order)
        }
    }
}

fn lane_mean(line: &[Scalar], kind: Dtype, in_order: bool) -> Scalar {
    let sum = lane_sum(&line.iter().map(|value| value.cast(kind)).collect::<Vec<_>>(), kind, in_order);
    Scalar::from_f64(sum.to_f64() / line.len() as f64, kind)
}

/// Computes a sum in numpy's order: pairwise with eight accumulators; sequential along axes other than the last.
fn lane_sum(line: &[Scalar], kind: Dtype, in_order: bool) -> Scalar {
    match kind {
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
