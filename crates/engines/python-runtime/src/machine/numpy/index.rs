//! Indexing of arrays: items, slices and masks.

use smallvec::SmallVec;

use super::array::{Array, DenseArray, shape_text};
use super::scalar::{Dtype, Scalar};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::value::{HeapObject, Value};

/// The selection that an index denotes.
pub(super) enum Selection {
    /// A view; of a single number if it has no axes.
    View(Array),
    /// The buffer positions that a mask or a list of indices selects, and the shape of the result.
    Advanced(Vec<usize>, Vec<usize>),
}

impl Machine {
    pub(in crate::machine) fn array_item(&mut self, object: Value, index: Value) -> ExecResult {
        let Some(array) = self.array(object).cloned() else { return Ok(Value::None) };
        match self.resolve_selection(&array, index)? {
            Selection::View(view) if view.axes.is_empty() => Ok(Value::from(self.to_dense(&view).values[0])),
            Selection::View(view) => Ok(Value::Ref(self.heap.add(HeapObject::Array(Box::new(view))))),
            Selection::Advanced(places, shape) => {
                let HeapObject::Buffer(buffer) = self.heap.get(array.buffer) else { return Ok(Value::None) };
                let values = places.iter().map(|&place| buffer[place]).collect();
                self.new_array(DenseArray::new(shape, values, array.dtype))
            }
        }
    }

    pub(in crate::machine) fn set_array_item(&mut self, object: Value, index: Value, value: Value) -> ExecResult<()> {
        let Some(array) = self.array(object).cloned() else { return Ok(()) };
        let (places, shape) = match self.resolve_selection(&array, index)? {
            Selection::View(view) => (view.buffer_offsets(), view.shape()),
            Selection::Advanced(places, shape) => (places, shape),
        };
        self.charge(places.len() as u64 / super::array::ELEMENTS_PER_INSTRUCTION)?;
        let grid = self.array_argument("ndarray.__setitem__", value)?;
        let lead = grid.shape.iter().take_while(|&&length| length == 1).count();
        let lead = lead.min(grid.shape.len().saturating_sub(shape.len()));
        let given = DenseArray { shape: grid.shape[lead..].to_vec(), ..grid.clone() };
        if super::array::broadcast_shapes(&given.shape, &shape).as_ref() != Some(&shape) {
            let (from, to) = (shape_text(&grid.shape), shape_text(&shape));
            let message = if grid.values.len() > 1 && shape.is_empty() {
                "setting an array element with a sequence.".to_owned()
            } else {
                format!("could not broadcast input array from shape {from} into shape {to}")
            };
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        if array.dtype.is_integer() && grid.values.iter().any(|value| !value.to_f64().is_finite()) {
            let message = "cannot convert float NaN to integer";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let values: Vec<Scalar> =
            (0..places.len()).map(|place| given.broadcast_element(&shape, place).cast(array.dtype)).collect();
        if let HeapObject::Buffer(buffer) = self.heap.get_mut(array.buffer) {
            places.into_iter().zip(values).for_each(|(place, value)| buffer[place] = value);
        }
        Ok(())
    }

    fn resolve_selection(&mut self, array: &Array, index: Value) -> ExecResult<Selection> {
        let indices = match index {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Tuple(values) => values.to_vec(),
                HeapObject::List(_) | HeapObject::Array(_) => return self.advanced_selection(array, index),
                _ => vec![index],
            },
            _ => vec![index],
        };
        let named = indices.iter().filter(|value| !matches!(value, Value::None | Value::Ellipsis)).count();
        if named > array.axes.len() {
            let dimensions = array.axes.len();
            let message =
                format!("too many indices for array: array is {dimensions}-dimensional, but {named} were indexed");
            return Err(self.raise(ExceptionKind::IndexError, &message));
        }
        if indices.iter().any(|&index| self.is_array_index(index)) {
            return self.mixed_selection(array, &indices);
        }
        let mut view = Array { axes: SmallVec::new(), ..array.clone() };
        let mut axis = 0;
        for &index in &indices {
            match index {
                Value::None => view.axes.push((1, 0)),
                Value::Ellipsis => {
                    let skipped = array.axes.len() - named;
                    view.axes.extend_from_slice(&array.axes[axis..axis + skipped]);
                    axis += skipped;
                }
                _ => {
                    self.index_axis(&mut view, array.axes[axis], axis, index)?;
                    axis += 1;
                }
            }
        }
        view.axes.extend_from_slice(&array.axes[axis..]);
        Ok(Selection::View(view))
    }

    /// Applies an index or a slice to one axis.
    pub(super) fn index_axis(
        &mut self,
        view: &mut Array,
        (length, stride): (usize, isize),
        axis: usize,
        index: Value,
    ) -> ExecResult<()> {
        if let Value::Ref(at) = index
            && let HeapObject::Slice(parts) = *self.heap.get(at)
        {
            let (start, end, step) = self.slice_bounds(parts, length)?;
            let span = if step > 0 { end - start } else { start - end };
            let count = if span <= 0 { 0 } else { (span - 1) / step.abs() + 1 };
            view.offset += start.max(0) as isize * stride;
            view.axes.push((count as usize, stride * step as isize));
            return Ok(());
        }
        let is_index = match self.base_value(index) {
            Value::Int(_) => true,
            Value::Numpy(scalar) if matches!(scalar.get(), Scalar::Int(_) | Scalar::Sized(..)) => true,
            other => self.special_method(other, "__index__").is_some(),
        };
        if !is_index {
            let message = "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean \
                arrays are valid indices";
            return Err(self.raise(ExceptionKind::IndexError, message));
        }
        let number = self.as_index(index)?;
        let place = if number < 0 { number.saturating_add(length as i64) } else { number };
        if !(0..length as i64).contains(&place) {
            let message = format!("index {number} is out of bounds for axis {axis} with size {length}");
            return Err(self.raise(ExceptionKind::IndexError, &message));
        }
        view.offset += place as isize * stride;
        Ok(())
    }

    /// Resolves a mask or a list of indices.
    fn advanced_selection(&mut self, array: &Array, index: Value) -> ExecResult<Selection> {
        let index = self.array_argument("ndarray.__getitem__", index)?;
        if index.values.is_empty() {
            let mut shape = array.shape();
            shape[0] = 0;
            return Ok(Selection::Advanced(Vec::new(), shape));
        }
        let all = array.buffer_offsets();
        let shape = array.shape();
        let inner: usize = if index.dtype == Dtype::Bool {
            shape.iter().skip(index.shape.len()).product()
        } else {
            shape[1..].iter().product()
        };
        let mut places = Vec::new();
        let mut count = 0;
        if index.dtype == Dtype::Bool {
            if index.shape.len() > shape.len() || index.shape[..] != shape[..index.shape.len()] {
                let at = index.shape.iter().zip(&shape).position(|(a, b)| a != b).unwrap_or(0);
                let message = format!(
                    "boolean index did not match indexed array along dimension {at}; dimension is {} but corresponding \
                    boolean dimension is {}",
                    shape.get(at).copied().unwrap_or(0),
                    index.shape[at]
                );
                return Err(self.raise(ExceptionKind::IndexError, &message));
            }
            for (row, _) in index.values.iter().enumerate().filter(|(_, value)| value.to_bool()) {
                places.extend_from_slice(&all[row * inner..(row + 1) * inner]);
                count += 1;
            }
            let mut result = vec![count];
            result.extend(&shape[index.shape.len()..]);
            return Ok(Selection::Advanced(places, result));
        }
        if !index.dtype.is_integer() {
            let message = "arrays used as indices must be of integer (or boolean) type";
            return Err(self.raise(ExceptionKind::IndexError, message));
        }
        for value in &index.values {
            let number = value.to_i64();
            let place = if number < 0 { number.saturating_add(shape[0] as i64) } else { number };
            if !(0..shape[0] as i64).contains(&place) {
                let message = format!("index {number} is out of bounds for axis 0 with size {}", shape[0]);
                return Err(self.raise(ExceptionKind::IndexError, &message));
            }
            let row = place as usize;
            places.extend_from_slice(&all[row * inner..(row + 1) * inner]);
        }
        let mut result = index.shape.clone();
        result.extend(&shape[1..]);
        Ok(Selection::Advanced(places, result))
    }
}
