//! Functions of `numpy` for diagonals and triangles of matrices.

use super::array::DenseArray;
use super::scalar::{Dtype, Scalar};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::Value;

impl Machine {
    /// Implements `np.eye`.
    pub(super) fn eye(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let rows = self.as_index(bound.required(0))?;
        let columns = bound.given(1).map_or(Ok(rows), |columns| self.as_index(columns))?;
        let diagonal = bound.get(2).map_or(Ok(0), |diagonal| self.as_index(diagonal))?;
        let kind = bound.given(3).map_or(Ok(Dtype::Float), |dtype| self.dtype_argument(dtype))?;
        let (Ok(rows), Ok(columns)) = (usize::try_from(rows), usize::try_from(columns)) else {
            return Err(self.raise(ExceptionKind::ValueError, "negative dimensions are not allowed"));
        };
        self.reserve_values(rows.saturating_mul(columns))?;
        let values = (0..rows * columns)
            .map(|place| Scalar::Bool((place % columns) as i64 - (place / columns) as i64 == diagonal))
            .collect();
        self.new_array(DenseArray::new(vec![rows, columns], values, kind))
    }

    /// Implements `np.diag`: the diagonal of a matrix, or the matrix with a diagonal.
    pub(super) fn diagonal(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let grid = self.array_argument(bound.function, bound.required(0))?;
        let shift = bound.get(1).map_or(Ok(0), |shift| self.as_index(shift))?;
        match *grid.shape {
            [length] if bound.function == "diag" => {
                let size = length.saturating_add(usize::try_from(shift.unsigned_abs()).unwrap_or(usize::MAX));
                self.reserve_values(size.saturating_mul(size))?;
                let mut values = vec![Scalar::Bool(false); size * size];
                for (place, &value) in grid.values.iter().enumerate() {
                    let (row, column) = (place + shift.saturating_neg().max(0) as usize, place + shift.max(0) as usize);
                    values[row * size + column] = value;
                }
                self.new_array(DenseArray::new(vec![size, size], values, grid.dtype))
            }
            [rows, columns] => {
                let diagonal = diagonal_places(rows, columns, shift).map(|place| grid.values[place]).collect();
                self.new_vector(diagonal, grid.dtype)
            }
            _ => Err(self.raise(ExceptionKind::ValueError, "Input must be 1- or 2-d.")),
        }
    }

    /// Implements `np.trace`.
    pub(super) fn trace(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let grid = self.array_argument("trace", bound.required(0))?;
        let shift = bound.get(1).map_or(Ok(0), |shift| self.as_index(shift))?;
        let [rows, columns] = *grid.shape else {
            return Err(self.raise(ExceptionKind::ValueError, "diag requires an array of at least two dimensions"));
        };
        let kind = grid.dtype.of_sum();
        let diagonal: Vec<Scalar> =
            diagonal_places(rows, columns, shift).map(|place| grid.values[place].cast(kind)).collect();
        Ok(Value::from(super::reductions::lane_sum(&diagonal, kind, false)))
    }

    /// Implements `np.tril` and `np.triu`.
    pub(super) fn triangle(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let mut grid = self.array_argument(bound.function, bound.required(0))?;
        let shift = bound.get(1).map_or(Ok(0), |shift| self.as_index(shift))?;
        let [.., _, columns] = *grid.shape else {
            return Err(self.raise(ExceptionKind::ValueError, "the array needs at least two dimensions"));
        };
        let rows = grid.shape[grid.shape.len() - 2];
        let is_lower = bound.function == "tril";
        for (place, value) in grid.values.iter_mut().enumerate() {
            let offset = (place % columns) as i64 - (place / columns % rows) as i64;
            let is_kept = if is_lower { offset <= shift } else { offset >= shift };
            if !is_kept {
                *value = Scalar::Bool(false).cast(grid.dtype);
            }
        }
        self.new_array(grid)
    }
}

/// Returns the places of the numbers of a diagonal.
fn diagonal_places(rows: usize, columns: usize, shift: i64) -> impl Iterator<Item = usize> {
    let (row, column) = (shift.saturating_neg().max(0) as usize, shift.max(0) as usize);
    let length = rows.saturating_sub(row).min(columns.saturating_sub(column));
    (0..length).map(move |place| (row + place) * columns + column + place)
}
