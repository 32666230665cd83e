//! The fit of polynomials: `np.polyfit`.

use super::array::DenseArray;
use super::scalar::{Dtype, Scalar};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;

/// The maximum degree of a fitted polynomial; a higher one is ill-conditioned.
const MAX_DEGREE: i64 = 32;

impl Machine {
    /// Implements `np.polyfit`: the polynomial with the least squares of the distances.
    pub(super) fn fit_polynomial(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let (x, y) = self.first_two_arrays(bound)?;
        let degree = self.as_index(bound.required(2))?;
        if bound.given(3).is_some() || bound.given(4).is_some() || bound.given(6).is_some() {
            return Err(self.type_error("reward functions support numpy.polyfit without `rcond`, `full` and `cov`"));
        }
        self.check_polynomial_points(degree, &x, &y)?;
        let order = degree as usize + 1;
        self.charge((x.values.len() * order * order) as u64 / 4)?;
        let weights = match bound.given(5) {
            Some(weights) => Some(self.array_argument("polyfit", weights)?),
            None => None,
        };
        if weights.as_ref().is_some_and(|weights| weights.values.len() != y.values.len()) {
            return Err(self.type_error("expected w and y to have the same length"));
        }
        let weight = |row: usize| weights.as_ref().map_or(1.0, |weights| weights.values[row].to_f64());
        let (mut columns, scales) = scaled_powers(&x, order, &weight);
        let mut target: Vec<f64> = y.values.iter().enumerate().map(|(row, y)| y.to_f64() * weight(row)).collect();
        let Some(solution) = least_squares(&mut columns, &mut target) else {
            let message =
                "reward functions support numpy.polyfit only for more points than the degree, at different places";
            return Err(self.raise(ExceptionKind::LinAlgError, message));
        };
        let values: Vec<Scalar> =
            solution.iter().zip(&scales).map(|(value, scale)| Scalar::Float(value / scale)).collect();
        self.new_array(DenseArray::new(vec![order], values, Dtype::Float))
    }

    /// Checks that points are two vectors of one length, and that the degree is supported.
    fn check_polynomial_points(&mut self, degree: i64, x: &DenseArray, y: &DenseArray) -> ExecResult<()> {
        if degree < 0 {
            return Err(self.raise(ExceptionKind::ValueError, "expected deg >= 0"));
        }
        if degree > MAX_DEGREE {
            let message = format!("reward functions support numpy.polyfit up to degree {MAX_DEGREE}");
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        if x.shape.len() != 1 {
            return Err(self.type_error("expected 1D vector for x"));
        }
        if x.values.is_empty() {
            return Err(self.type_error("expected non-empty vector for x"));
        }
        if y.shape.len() != 1 {
            return Err(self.type_error("reward functions support numpy.polyfit of 1D vectors"));
        }
        if x.values.len() != y.values.len() {
            return Err(self.type_error("expected x and y to have same length"));
        }
        Ok(())
    }
}

/// Returns the weighted powers of `x`, the highest one first, as columns that are scaled to length 1, and the lengths before the scaling.
fn scaled_powers(x: &DenseArray, order: usize, weight: &impl Fn(usize) -> f64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let powers = (0..order).rev().map(|power| {
        let terms = x.values.iter().enumerate().map(|(row, x)| x.to_f64().powi(power as i32) * weight(row));
        let mut column: Vec<f64> = terms.collect();
        let length = column.iter().map(|value| value * value).sum::<f64>().sqrt();
        for value in &mut column {
            *value /= length;
        }
        (column, length)
    });
    powers.unzip()
}

/// Solves a problem of least squares with Householder reflections of the columns; `None` if they are linearly dependent.
fn least_squares(columns: &mut [Vec<f64>], target: &mut [f64]) -> Option<Vec<f64>> {
    let (count, rows) = (columns.len(), target.len());
    if rows < count {
        return None;
    }
    for step in 0..count {
        let norm = columns[step][step..].iter().map(|value| value * value).sum::<f64>().sqrt();
        if norm.is_nan() || norm <= f64::EPSILON * rows as f64 {
            return None;
        }
        let head = columns[step][step];
        let diagonal = if head > 0.0 { -norm } else { norm };
        let mut reflector = columns[step][step..].to_vec();
        reflector[0] = head - diagonal;
        let square: f64 = reflector.iter().map(|value| value * value).sum();
        let reflect = |vector: &mut [f64]| {
            let product: f64 = reflector.iter().zip(vector.iter()).map(|(one, other)| one * other).sum();
            let factor = 2.0 * product / square;
            vector.iter_mut().zip(&reflector).for_each(|(value, part)| *value -= factor * part);
        };
        for column in &mut columns[step..] {
            reflect(&mut column[step..]);
        }
        reflect(&mut target[step..]);
    }
    let mut solution = vec![0.0; count];
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|column| columns[column][row] * solution[column]).sum();
        solution[row] = (target[row] - known) / columns[row][row];
    }
    Some(solution)
}
