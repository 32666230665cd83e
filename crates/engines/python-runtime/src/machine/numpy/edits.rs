//! Functions of `numpy` that return an array with elements appended, inserted, deleted or padded.

use super::array::DenseArray;
use super::array::shape_text;
use super::scalar::{Dtype, Scalar};
use super::shapes::selected;
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;

impl Machine {
    /// Implements `np.append`.
    pub(super) fn append_to_array(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let mut one = self.array_argument("append", bound.required(0))?;
        let mut two = self.array_argument("append", bound.required(1))?;
        let axis = if let Some(axis) = bound.given(2) {
            self.resolve_axis(axis, &one)?
        } else {
            (one.shape, two.shape) = (vec![one.values.len()], vec![two.values.len()]);
            0
        };
        let joined = self.joined_arrays(&[one, two], axis)?;
        self.new_array(joined)
    }

    /// Implements `np.insert`.
    pub(super) fn insert_into_array(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let grid = self.array_argument("insert", bound.required(0))?;
        let places = self.array_argument("insert", bound.required(1))?;
        let values = self.array_argument("insert", bound.required(2))?;
        if grid.shape.len() > 1 && bound.given(3).is_some() || places.shape.len() > 1 {
            return Err(
                self.type_error("reward functions support np.insert only into vectors, at one or several places")
            );
        }
        let mut items: Vec<Scalar> = grid.values.clone();
        let length = items.len() as i64;
        let mut inserted = Vec::new();
        let count = if places.shape.is_empty() { values.values.len() } else { places.values.len() };
        for number in 0..count {
            let index = places.values[if places.values.len() == 1 { 0 } else { number }].to_i64();
            let place = if index < 0 { index + length } else { index };
            if !(0..=length).contains(&place) {
                let message = format!("index {index} is out of bounds for axis 0 with size {length}");
                return Err(self.raise(ExceptionKind::IndexError, &message));
            }
            let Some(&value) = values.values.get(if values.values.len() == 1 { 0 } else { number }) else {
                let message = format!(
                    "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape ({count},)",
                    shape_text(&values.shape)
                );
                return Err(self.raise(ExceptionKind::ValueError, &message));
            };
            inserted.push((place as usize, value.cast(grid.dtype)));
        }
        self.reserve_values(items.len() + inserted.len())?;
        inserted.sort_by_key(|&(place, _)| place);
        for (shift, (place, value)) in inserted.into_iter().enumerate() {
            items.insert(place + shift, value);
        }
        self.new_vector(items, grid.dtype)
    }

    /// Implements `np.delete`.
    pub(super) fn delete_from_array(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let mut grid = self.array_argument("delete", bound.required(0))?;
        let axis = if let Some(axis) = bound.given(2) {
            self.resolve_axis(axis, &grid)?
        } else {
            grid.shape = vec![grid.values.len()];
            0
        };
        let length = grid.shape[axis] as i64;
        let removed = self.array_argument("delete", bound.required(1))?;
        let mut is_removed = vec![false; length as usize];
        for (number, index) in removed.values.iter().enumerate() {
            if removed.dtype == Dtype::Bool {
                if let Some(slot) = is_removed.get_mut(number) {
                    *slot |= index.to_bool();
                }
                continue;
            }
            let index = index.to_i64();
            let place = if index < 0 { index + length } else { index };
            if !(0..length).contains(&place) {
                let message = format!("index {index} is out of bounds for axis {axis} with size {length}");
                return Err(self.raise(ExceptionKind::IndexError, &message));
            }
            is_removed[place as usize] = true;
        }
        let kept: Vec<usize> = (0..length as usize).filter(|&place| !is_removed[place]).collect();
        let rest = selected(&grid, axis, &kept);
        self.new_array(rest)
    }

    /// Implements `np.pad` with constant or edge values.
    pub(super) fn pad(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let mut grid = self.array_argument("pad", bound.required(0))?;
        let widths = self.array_argument("pad", bound.required(1))?;
        let mode = match bound.get(2) {
            Some(mode) => self.as_text(mode),
            None => Some("constant".into()),
        };
        let fill = bound
            .get(3)
            .map_or(Ok(DenseArray::from_scalar(Scalar::Int(0))), |fill| self.array_argument("pad", fill))?;
        let is_edge = match mode.as_deref() {
            Some("constant") if fill.values.len() == 1 => false,
            Some("edge") => true,
            _ => {
                return Err(
                    self.type_error("reward functions support np.pad with the mode constant, and one value, or edge")
                );
            }
        };
        let dimensions = grid.shape.len();
        let width_at = |axis: usize, side: usize| {
            let place = match (widths.values.len(), widths.shape.len()) {
                (1, _) => 0,
                (_, 1) => side,
                (_, _) if widths.shape == [1, 2] => side,
                _ => 2 * axis + side,
            };
            widths.values.get(place).map_or(0, |width| width.to_i64().max(0) as usize)
        };
        for axis in 0..dimensions {
            let (before, behind, length) = (width_at(axis, 0), width_at(axis, 1), grid.shape[axis]);
            let padded_length = length.saturating_add(before).saturating_add(behind);
            self.reserve_values(padded_length)?;
            self.reserve_values((grid.values.len() / length.max(1)).saturating_mul(padded_length))?;
            let last = length.saturating_sub(1);
            let places: Vec<usize> =
                (0..before + length + behind).map(|place| place.saturating_sub(before).min(last)).collect();
            if length == 0 && before + behind > 0 {
                let message = "can't extend empty axis";
                return Err(self.raise(ExceptionKind::ValueError, message));
            }
            let mut padded = selected(&grid, axis, &places);
            if !is_edge {
                let inner: usize = padded.shape[axis + 1..].iter().product();
                let own = padded.shape[axis];
                for (place, value) in padded.values.iter_mut().enumerate() {
                    let along = place / inner % own;
                    if along < before || along >= before + length {
                        *value = fill.values[0].cast(grid.dtype);
                    }
                }
            }
            grid = padded;
        }
        self.new_array(grid)
    }
}
