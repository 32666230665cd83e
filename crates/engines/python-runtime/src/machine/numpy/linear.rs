//! Linear algebra of `numpy`: products, determinants, inverses, systems of equations.

use super::array::DenseArray;
use super::scalar::{Dtype, Scalar};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::Value;
use crate::operators::BinaryOperator;

/// The factors of a matrix: the upper triangle and, below it, the multipliers of the elimination, row by row.
struct Factors {
    rows: Vec<Vec<f64>>,
    /// The order of the rows after pivoting.
    order: Vec<usize>,
    /// Whether the order is an odd permutation.
    is_odd: bool,
}

impl Factors {
    /// Factorizes a square matrix with partial pivoting; `None` if it is singular.
    fn new(mut rows: Vec<Vec<f64>>) -> Option<Self> {
        let size = rows.len();
        let (mut order, mut is_odd): (Vec<usize>, bool) = ((0..size).collect(), false);
        for column in 0..size {
            let mut pivot = column;
            for row in column + 1..size {
                if rows[row][column].abs() > rows[pivot][column].abs() {
                    pivot = row;
                }
            }
            if rows[pivot][column] == 0.0 {
                return None;
            }
            if pivot != column {
                rows.swap(pivot, column);
                order.swap(pivot, column);
                is_odd = !is_odd;
            }
            let (above, below) = rows.split_at_mut(column + 1);
            let pivot_row = &above[column];
            for row in below {
                row[column] /= pivot_row[column];
                let factor = row[column];
                for (value, &of_pivot) in row.iter_mut().zip(pivot_row).skip(column + 1) {
                    *value -= factor * of_pivot;
                }
            }
        }
        Some(Self { rows, order, is_odd })
    }

    /// Solves the system for a right side.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = self.rows.len();
        let mut solution: Vec<f64> = self.order.iter().map(|&row| right[row]).collect();
        for row in 0..size {
            for column in 0..row {
                solution[row] -= self.rows[row][column] * solution[column];
            }
        }
        for row in (0..size).rev() {
            for column in row + 1..size {
                solution[row] -= self.rows[row][column] * solution[column];
            }
            solution[row] /= self.rows[row][row];
        }
        solution
    }
}

impl Machine {
    /// Implements `np.outer`.
    pub(super) fn outer(&mut self, one: &DenseArray, two: &DenseArray) -> ExecResult {
        let size = one.values.len().saturating_mul(two.values.len());
        self.reserve_values(size)?;
        let column = DenseArray { shape: vec![one.values.len(), 1], is_scalar: false, ..one.clone() };
        let row = DenseArray { shape: vec![1, two.values.len()], is_scalar: false, ..two.clone() };
        let product = self.apply_elementwise(BinaryOperator::Mult, &column, &row)?;
        self.new_array(product)
    }

    /// Implements `np.inner`.
    pub(super) fn inner(&mut self, one: &DenseArray, two: &DenseArray) -> ExecResult {
        if one.shape.last() != two.shape.last() && !one.shape.is_empty() && !two.shape.is_empty() {
            let (a, b) = (super::array::shape_text(&one.shape), super::array::shape_text(&two.shape));
            let message = format!(
                "shapes {a} and {b} not aligned: {} (dim {}) != {} (dim {})",
                one.shape[one.shape.len() - 1],
                one.shape.len() - 1,
                two.shape[two.shape.len() - 1],
                two.shape.len() - 1
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        if two.shape.len() == 2 {
            let two = super::shapes::permuted(two, &[1, 0]);
            return self.dot(one, &two, "dot");
        }
        self.dot(one, two, "dot")
    }

    /// Returns the rows of a square matrix.
    fn square_matrix(&mut self, bound: &BoundArguments<'_>) -> ExecResult<Vec<Vec<f64>>> {
        let grid = self.array_argument(bound.function, bound.required(0))?;
        let [rows, columns] = *grid.shape else {
            let message = if grid.shape.len() < 2 {
                format!("{}-dimensional array given. Array must be at least two-dimensional", grid.shape.len())
            } else {
                "reward functions support linear algebra of single matrices".to_owned()
            };
            return Err(self.linear_algebra_error(&message));
        };
        if rows != columns {
            return Err(self.linear_algebra_error("Last 2 dimensions of the array must be square"));
        }
        let cube = (rows as u64).saturating_pow(3);
        self.charge(4 + cube / 4)?;
        Ok(grid.values.chunks(columns.max(1)).map(|row| row.iter().map(|value| value.to_f64()).collect()).collect())
    }

    fn linear_algebra_error(&mut self, message: &str) -> crate::machine::exceptions::ExecError {
        self.raise(ExceptionKind::LinAlgError, message)
    }

    /// Implements `np.linalg.det`.
    pub(super) fn determinant(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let rows = self.square_matrix(bound)?;
        let Some(factors) = Factors::new(rows) else { return Ok(Value::from(Scalar::Float(0.0))) };
        // The sign and the logarithm are computed apart in numpy.
        let diagonal = || factors.rows.iter().enumerate().map(|(place, row)| row[place]);
        let is_negative = diagonal().filter(|number| *number < 0.0).count() % 2 == 1;
        let sign = if is_negative == factors.is_odd { 1.0 } else { -1.0 };
        let logarithm: f64 = diagonal().map(|number| number.abs().ln()).sum();
        Ok(Value::from(Scalar::Float(sign * logarithm.exp())))
    }

    /// Implements `np.linalg.inv`.
    pub(super) fn inverse(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let rows = self.square_matrix(bound)?;
        let size = rows.len();
        let Some(factors) = Factors::new(rows) else { return Err(self.linear_algebra_error("Singular matrix")) };
        let mut values = vec![Scalar::Float(0.0); size * size];
        for column in 0..size {
            let unit: Vec<f64> = (0..size).map(|row| if row == column { 1.0 } else { 0.0 }).collect();
            for (row, number) in factors.solve(&unit).into_iter().enumerate() {
                values[row * size + column] = Scalar::Float(number);
            }
        }
        self.new_array(DenseArray::new(vec![size, size], values, Dtype::Float))
    }

    /// Implements `np.linalg.solve`.
    pub(super) fn solve_system(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let rows = self.square_matrix(bound)?;
        let right = self.array_argument("linalg.solve", bound.required(1))?;
        let size = rows.len();
        if right.shape.first() != Some(&size) || right.shape.len() > 2 {
            let message = "solve1: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature \
                (m,m),(m)->(m)";
            let message = format!("{message} (size {} is different from {size})", right.shape.first().unwrap_or(&0));
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let Some(factors) = Factors::new(rows) else { return Err(self.linear_algebra_error("Singular matrix")) };
        let columns: usize = right.shape[1..].iter().product();
        let mut values = vec![Scalar::Float(0.0); right.values.len()];
        for column in 0..columns {
            let constants: Vec<f64> = (0..size).map(|row| right.values[row * columns + column].to_f64()).collect();
            for (row, number) in factors.solve(&constants).into_iter().enumerate() {
                values[row * columns + column] = Scalar::Float(number);
            }
        }
        self.new_array(DenseArray::new(right.shape, values, Dtype::Float))
    }
}
