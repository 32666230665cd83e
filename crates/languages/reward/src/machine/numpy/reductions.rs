//! Reductions of all numbers or along an axis: sums, extremes, norms and others.

use ruff_python_ast::CmpOp;

use super::arithmetic::sum_of_products;
use super::functions::extreme;
use super::grid::Grid;
use super::scalar::{Kind, Scalar};
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::value::Value;
use crate::machine::{ELEMENTS_PER_UNIT, Machine};

impl Machine<'_> {
    pub(super) fn reduction(
        &mut self,
        name: &str,
        grid: &Grid,
        axis: Option<Value>,
        keep: Option<Value>,
    ) -> ExecResult {
        let keep = keep.map_or(Ok(false), |keep| self.truth(keep))?;
        let axis = self.axis(axis, grid)?;
        let (shape, lines) = lines(grid, axis, keep);
        let empty = lines.first().is_some_and(Vec::is_empty);
        if empty {
            if let Some(message) = refused_when_empty(name) {
                return Err(self.raise(ExceptionKind::ValueError, message));
            }
            if matches!(name, "mean" | "std" | "var") {
                self.warn("RuntimeWarning: Mean of empty slice.");
            }
        }
        // A variance takes several passes over the numbers.
        let times = if matches!(name, "std" | "var") { 8 } else { 2 };
        self.charge(grid.values.len() as u64 * times / ELEMENTS_PER_UNIT + 2 * lines.len() as u64)?;
        let kind = kind_of(name, grid.kind);
        let along_first = axis.is_some_and(|axis| axis + 1 < grid.shape.len());
        let values = lines.iter().map(|line| reduced(name, line, grid.kind, kind, along_first)).collect();
        self.given(Grid::new(shape, values, kind))
    }

    fn axis(&mut self, axis: Option<Value>, grid: &Grid) -> ExecResult<Option<usize>> {
        let Some(axis) = axis.filter(|axis| !matches!(axis, Value::None)) else { return Ok(None) };
        let number = self.index(axis)?;
        let dimensions = grid.shape.len() as i64;
        let place = if number < 0 { number + dimensions } else { number };
        if (0..dimensions).contains(&place) {
            return Ok(Some(place as usize));
        }
        let message = format!("axis {number} is out of bounds for array of dimension {dimensions}");
        Err(self.raise(ExceptionKind::AxisError, &message))
    }

    /// Computes `np.linalg.norm` of vectors, and of the rows or columns of a matrix.
    pub(super) fn norm(
        &mut self,
        grid: &Grid,
        order: Option<Value>,
        axis: Option<Value>,
        keep: Option<Value>,
    ) -> ExecResult {
        let kind = if grid.kind.is_float() { grid.kind } else { Kind::Float };
        let grid = grid.clone().to(kind);
        let order = match order {
            None | Some(Value::None) => None,
            Some(order) => Some(self.as_float(order)?),
        };
        let keep = keep.map_or(Ok(false), |keep| self.truth(keep))?;
        let axis = self.axis(axis, &grid)?;
        if axis.is_none() && order.is_some() && grid.shape.len() != 1 {
            let message = "np.linalg.norm with an order requires a vector, or an axis";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let whole = axis.is_none() && order.is_none();
        let along_first = axis.is_some_and(|axis| axis + 1 < grid.shape.len());
        let (shape, lines) = lines(&grid, axis, keep);
        let mut values = Vec::with_capacity(lines.len());
        self.charge(4 + grid.values.len() as u64 / 16 + 2 * lines.len() as u64)?;
        for line in &lines {
            let sizes: Vec<Scalar> = line.iter().map(|value| Scalar::of_float(value.float().abs(), kind)).collect();
            let value = match order {
                None if whole => {
                    let squares = sum_of_products(line.iter().map(|&value| (value, value)), kind);
                    Scalar::of_float(squares.float().sqrt(), kind)
                }
                None | Some(2.0) => {
                    let squares: Vec<Scalar> =
                        line.iter().map(|value| Scalar::of_float(value.float() * value.float(), kind)).collect();
                    Scalar::of_float(total(&squares, kind, along_first).float().sqrt(), kind)
                }
                Some(1.0) => total(&sizes, kind, along_first),
                Some(f64::INFINITY | f64::NEG_INFINITY) => {
                    let larger = order == Some(f64::INFINITY);
                    let Some(value) = sizes.into_iter().reduce(|a, b| extreme(a, b, larger)) else {
                        let message = refused_when_empty(if larger { "max" } else { "min" }).unwrap_or_default();
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
        self.given(Grid::new(shape, values, kind))
    }
}

fn refused_when_empty(name: &str) -> Option<&'static str> {
    Some(match name {
        "max" => "zero-size array to reduction operation maximum which has no identity",
        "min" => "zero-size array to reduction operation minimum which has no identity",
        "argmax" => "attempt to get argmax of an empty sequence",
        "argmin" => "attempt to get argmin of an empty sequence",
        _ => return None,
    })
}

fn kind_of(name: &str, kind: Kind) -> Kind {
    match name {
        "any" | "all" => Kind::Bool,
        "argmin" | "argmax" => Kind::Int,
        "mean" | "std" | "var" if !kind.is_float() => Kind::Float,
        "sum" | "prod" if kind == Kind::Bool => Kind::Int,
        _ => kind,
    }
}

/// Returns the shape of the result, and the numbers that are reduced to each of its elements.
fn lines(grid: &Grid, axis: Option<usize>, keep: bool) -> (Vec<usize>, Vec<Vec<Scalar>>) {
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

fn reduced(name: &str, line: &[Scalar], from: Kind, kind: Kind, in_order: bool) -> Scalar {
    match name {
        "any" => Scalar::Bool(line.iter().any(|value| value.truth())),
        "all" => Scalar::Bool(line.iter().all(|value| value.truth())),
        "max" | "min" => {
            let best = line.iter().copied().reduce(|a, b| extreme(a, b, name == "max"));
            best.unwrap_or(Scalar::Bool(false))
        }
        "argmax" | "argmin" => {
            let better = if name == "argmax" { CmpOp::Gt } else { CmpOp::Lt };
            let mut best = 0;
            for (place, value) in line.iter().enumerate() {
                if !line[best].is_nan() && (value.is_nan() || value.compare(better, line[best])) {
                    best = place;
                }
            }
            Scalar::Int(best as i64)
        }
        "prod" => line.iter().fold(Scalar::Int(1).to(kind), |product, value| {
            let product = product.operate(ruff_python_ast::Operator::Mult, value.to(kind));
            product.map_or(Scalar::Bool(false), |(product, _)| product)
        }),
        "mean" => mean(line, kind, in_order),
        "std" | "var" => {
            let middle = mean(line, kind, in_order).float();
            let squares: Vec<Scalar> = line
                .iter()
                .map(|value| Scalar::of_float(value.float() - middle, kind).float())
                .map(|distance| Scalar::of_float(distance * distance, kind))
                .collect();
            let variance = mean(&squares, kind, in_order);
            if name == "std" { Scalar::of_float(variance.float().sqrt(), kind) } else { variance }
        }
        _ => total(&line.iter().map(|value| value.to(kind)).collect::<Vec<_>>(), kind.max(from), in_order),
    }
}

fn mean(line: &[Scalar], kind: Kind, in_order: bool) -> Scalar {
    let sum = total(&line.iter().map(|value| value.to(kind)).collect::<Vec<_>>(), kind, in_order);
    Scalar::of_float(sum.float() / line.len() as f64, kind)
}

/// Computes a sum in numpy's order: pairwise with eight accumulators; sequential along axes other than the last.
fn total(line: &[Scalar], kind: Kind, in_order: bool) -> Scalar {
    match kind {
        Kind::Bool | Kind::Int => Scalar::Int(line.iter().fold(0i64, |sum, value| sum.wrapping_add(value.int()))),
        Kind::Float32 => {
            let numbers: Vec<f32> = line.iter().map(|value| value.float() as f32).collect();
            let in_order_sum = || numbers.iter().copied().reduce(|a, b| a + b).unwrap_or_default();
            Scalar::Float32(if in_order { in_order_sum() } else { pairwise(&numbers) })
        }
        Kind::Float => {
            let numbers: Vec<f64> = line.iter().map(|value| value.float()).collect();
            let in_order_sum = || numbers.iter().copied().reduce(|a, b| a + b).unwrap_or_default();
            Scalar::Float(if in_order { in_order_sum() } else { pairwise(&numbers) })
        }
    }
}

/// Maximum number of values that are added without being split in half.
const BLOCK: usize = 128;

fn pairwise<T: Copy + Default + std::ops::Add<Output = T>>(numbers: &[T]) -> T {
    if numbers.len() < 8 {
        return numbers.iter().fold(T::default(), |sum, &number| sum + number);
    }
    if numbers.len() > BLOCK {
        let half = numbers.len() / 2;
        let (one, two) = numbers.split_at(half - half % 8);
        return pairwise(one) + pairwise(two);
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
