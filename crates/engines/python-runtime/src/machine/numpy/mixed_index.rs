//! Indices of several axes with arrays among them, such as `a[rows, columns]` and `a[mask, 1:]`.

use smallvec::SmallVec;

use super::array::{Array, DenseArray, broadcast_shapes, shape_text};
use super::index::Selection;
use super::scalar::{Dtype, Scalar};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::value::{HeapObject, Value};

/// The effect of a part of an index.
enum Part {
    /// A dimension of the result, with its length and stride.
    Dimension(usize, isize),
    /// Numbers along an axis with a stride.
    Numbers(DenseArray, isize),
}

impl Machine {
    /// Whether an index selects by an array or a list.
    pub(super) fn is_array_index(&self, index: Value) -> bool {
        matches!(index, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::List(_) | HeapObject::Array(_)))
    }

    /// Resolves an index of several parts of which one is an array.
    pub(super) fn mixed_selection(&mut self, array: &Array, indices: &[Value]) -> ExecResult<Selection> {
        let mut parts = Vec::new();
        let mut offset = array.offset;
        let mut axis = 0;
        let mut named = 0;
        for &index in indices {
            named += match index {
                Value::None | Value::Ellipsis => 0,
                _ if self.is_array_index(index) => {
                    let mask = self.array_argument("ndarray.__getitem__", index)?;
                    if mask.dtype == Dtype::Bool { mask.shape.len() } else { 1 }
                }
                _ => 1,
            };
        }
        let dimensions = array.axes.len();
        if named > dimensions {
            let message =
                format!("too many indices for array: array is {dimensions}-dimensional, but {named} were indexed");
            return Err(self.raise(ExceptionKind::IndexError, &message));
        }
        for &index in indices {
            match index {
                Value::None => parts.push(Part::Dimension(1, 0)),
                Value::Ellipsis => {
                    let skipped = &array.axes[axis..axis + dimensions - named];
                    parts.extend(skipped.iter().map(|&(length, stride)| Part::Dimension(length, stride)));
                    axis += dimensions - named;
                }
                _ if self.is_array_index(index) => {
                    for numbers in self.index_arrays(array, axis, index)? {
                        parts.push(Part::Numbers(numbers, array.axes[axis].1));
                        axis += 1;
                    }
                }
                _ => {
                    let mut view = Array { axes: SmallVec::new(), offset, ..array.clone() };
                    self.index_axis(&mut view, array.axes[axis], axis, index)?;
                    offset = view.offset;
                    // A single index counts as an array without dimensions.
                    match view.axes.first() {
                        Some(&(length, stride)) => parts.push(Part::Dimension(length, stride)),
                        None => parts.push(Part::Numbers(DenseArray::from_scalar(Scalar::Int(0)), 0)),
                    }
                    axis += 1;
                }
            }
        }
        parts.extend(array.axes[axis..].iter().map(|&(length, stride)| Part::Dimension(length, stride)));
        self.selected_places(offset, &parts)
    }

    /// Returns the numbers that an array selects along an axis, or, for a mask, along each of its axes.
    fn index_arrays(&mut self, array: &Array, axis: usize, index: Value) -> ExecResult<Vec<DenseArray>> {
        let index = self.array_argument("ndarray.__getitem__", index)?;
        if index.dtype == Dtype::Bool {
            let shape: Vec<usize> =
                array.axes[axis..].iter().take(index.shape.len()).map(|&(length, _)| length).collect();
            if let Some(at) = index.shape.iter().zip(&shape).position(|(own, length)| own != length) {
                let message = format!(
                    "boolean index did not match indexed array along dimension {}; dimension is {} but corresponding \
                    boolean dimension is {}",
                    axis + at,
                    shape[at],
                    index.shape[at]
                );
                return Err(self.raise(ExceptionKind::IndexError, &message));
            }
            let places: Vec<usize> =
                index.values.iter().enumerate().filter(|(_, value)| value.to_bool()).map(|(place, _)| place).collect();
            let along = |at: usize| {
                let inner: usize = shape[at + 1..].iter().product();
                let numbers: Vec<Scalar> =
                    places.iter().map(|place| Scalar::Int((place / inner % shape[at]) as i64)).collect();
                DenseArray::new(vec![numbers.len()], numbers, Dtype::Int)
            };
            return Ok((0..shape.len()).map(along).collect());
        }
        if index.values.is_empty() {
            return Ok(vec![index.cast(Dtype::Int)]);
        }
        if !index.dtype.is_integer() {
            let message = "arrays used as indices must be of integer (or boolean) type";
            return Err(self.raise(ExceptionKind::IndexError, message));
        }
        let length = array.axes[axis].0 as i64;
        let mut places = Vec::with_capacity(index.values.len());
        for value in &index.values {
            let number = value.to_i64();
            let place = if number < 0 { number.saturating_add(length) } else { number };
            if !(0..length).contains(&place) {
                let message = format!("index {number} is out of bounds for axis {axis} with size {length}");
                return Err(self.raise(ExceptionKind::IndexError, &message));
            }
            places.push(Scalar::Int(place));
        }
        Ok(vec![DenseArray::new(index.shape, places, Dtype::Int)])
    }

    /// Returns the places of the buffer that the parts of an index select. The dimensions of the arrays replace the first array if the
    /// arrays are side by side, and come first otherwise.
    fn selected_places(&mut self, offset: isize, parts: &[Part]) -> ExecResult<Selection> {
        let is_array = |part: &Part| matches!(part, Part::Numbers(..));
        let mut common = Vec::new();
        let mut shapes = Vec::new();
        for part in parts {
            let Part::Numbers(numbers, _) = part else { continue };
            shapes.push(shape_text(&numbers.shape));
            let Some(shape) = broadcast_shapes(&common, &numbers.shape) else {
                let shapes = shapes.join(" ");
                let message =
                    format!("shape mismatch: indexing arrays could not be broadcast together with shapes {shapes} ");
                return Err(self.raise(ExceptionKind::IndexError, &message));
            };
            common = shape;
        }
        let first = parts.iter().position(is_array).unwrap_or(0);
        let last = parts.iter().rposition(is_array).unwrap_or(0);
        let is_together = parts[first..=last].iter().all(is_array);
        let size = common.iter().copied().fold(1, usize::saturating_mul);
        let lengths = parts.iter().map(|part| if let Part::Dimension(length, _) = part { *length } else { 1 });
        self.reserve_values(lengths.fold(size, usize::saturating_mul).max(size))?;
        let steps = (0..size).map(|place| {
            let step = |part: &Part| match part {
                Part::Numbers(numbers, stride) => numbers.broadcast_element(&common, place).to_i64() as isize * stride,
                Part::Dimension(..) => 0,
            };
            parts.iter().map(step).sum::<isize>()
        });
        let steps: Vec<isize> = steps.collect();
        let arrays_at = if is_together { first } else { 0 };
        let (mut places, mut shape) = (vec![offset], Vec::new());
        let dimensions = parts.iter().enumerate().filter(|(_, part)| !is_array(part));
        let mut dimensions: Vec<(usize, &Part)> = dimensions.collect();
        let behind =
            dimensions.split_off(dimensions.iter().take_while(|&&(at, _)| is_together && at < arrays_at).count());
        let mut extend = |length: usize, step: &dyn Fn(usize) -> isize| {
            places = places.iter().flat_map(|&place| (0..length).map(move |at| place + step(at))).collect();
        };
        for (_, part) in dimensions {
            let &Part::Dimension(length, stride) = part else { continue };
            extend(length, &|at| at as isize * stride);
            shape.push(length);
        }
        extend(size, &|at| steps[at]);
        shape.extend(&common);
        for (_, part) in behind {
            let &Part::Dimension(length, stride) = part else { continue };
            extend(length, &|at| at as isize * stride);
            shape.push(length);
        }
        Ok(Selection::Advanced(places.into_iter().map(|place| place as usize).collect(), shape))
    }
}
