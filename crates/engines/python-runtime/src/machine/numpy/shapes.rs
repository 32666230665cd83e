//! Functions of `numpy` that rearrange arrays: their shapes, their axes, and joined, repeated and split arrays.

use super::array::{Array, DenseArray, broadcast_shapes, shape_text};
use super::scalar::{Dtype, Scalar};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::{HeapObject, Value};

/// Returns an array whose numbers along an axis are those of the lanes; the other dimensions are those of `shape`.
pub(super) fn from_lanes(shape: &[usize], axis: usize, lines: Vec<Vec<Scalar>>, kind: Dtype) -> DenseArray {
    let length = lines.first().map_or(0, Vec::len);
    let mut shape = shape.to_vec();
    shape[axis] = length;
    let inner: usize = shape[axis + 1..].iter().product();
    let mut values = vec![Scalar::Bool(false); shape.iter().product()];
    for (number, line) in lines.into_iter().enumerate() {
        let (before, behind) = (number / inner.max(1), number % inner.max(1));
        for (along, value) in line.into_iter().enumerate() {
            values[(before * length + along) * inner + behind] = value;
        }
    }
    DenseArray::new(shape, values, kind)
}

/// Returns an array with its dimensions in another order.
pub(super) fn permuted(grid: &DenseArray, order: &[usize]) -> DenseArray {
    let mut strides = vec![1; grid.shape.len()];
    for axis in (1..grid.shape.len()).rev() {
        strides[axis - 1] = strides[axis] * grid.shape[axis];
    }
    let mut places = vec![0];
    for &axis in order {
        let (length, stride) = (grid.shape[axis], strides[axis]);
        places = places.iter().flat_map(|&place| (0..length).map(move |step| place + step * stride)).collect();
    }
    let shape = order.iter().map(|&axis| grid.shape[axis]).collect();
    let values = places.into_iter().map(|place| grid.values[place]).collect();
    DenseArray { shape, values, dtype: grid.dtype, is_scalar: false }
}

/// Returns the part of an array from `start` to `end` along an axis.
fn section(grid: &DenseArray, axis: usize, start: usize, end: usize) -> DenseArray {
    let places: Vec<usize> = (start..end).collect();
    selected(grid, axis, &places)
}

/// Returns the numbers of an array at some places along an axis.
pub(super) fn selected(grid: &DenseArray, axis: usize, places: &[usize]) -> DenseArray {
    let length = grid.shape[axis];
    let inner: usize = grid.shape[axis + 1..].iter().product();
    let outer: usize = grid.shape[..axis].iter().product();
    let mut values = Vec::with_capacity(outer * places.len() * inner);
    for before in 0..outer {
        for &place in places {
            let start = (before * length + place) * inner;
            values.extend_from_slice(&grid.values[start..start + inner]);
        }
    }
    let mut shape = grid.shape.clone();
    shape[axis] = places.len();
    DenseArray { shape, values, dtype: grid.dtype, is_scalar: false }
}

impl Machine {
    /// Returns an array that a value denotes, so that views of it are views of the value if that is an array.
    fn viewed_array(&mut self, function: &str, value: Value) -> ExecResult<Array> {
        if let Some(array) = self.array(value) {
            return Ok(array.clone());
        }
        let mut grid = self.array_argument(function, value)?;
        grid.is_scalar = false;
        let array = self.new_array(grid)?;
        match self.array(array) {
            Some(array) => Ok(array.clone()),
            None => unreachable!("an array was created"),
        }
    }

    fn new_view(&mut self, array: Array) -> Value {
        Value::Ref(self.heap.add(HeapObject::Array(Box::new(array))))
    }

    /// Returns a view with another shape of an array whose numbers lie one after the other; otherwise a new array.
    pub(super) fn with_shape(&mut self, array: &Array, shape: &[usize]) -> ExecResult {
        let mut stride = 1;
        let is_contiguous = array.axes.iter().rev().all(|&(length, own)| {
            let expected = stride;
            stride *= length as isize;
            length == 1 || own == expected
        });
        if !is_contiguous {
            let grid = self.to_dense(array);
            return self.new_array(DenseArray { shape: shape.to_vec(), ..grid });
        }
        let mut view = Array { axes: smallvec::SmallVec::new(), ..array.clone() };
        let mut stride = 1;
        for &length in shape.iter().rev() {
            view.axes.insert(0, (length, stride));
            stride *= length as isize;
        }
        Ok(self.new_view(view))
    }

    /// Implements `np.reshape`.
    pub(super) fn reshape_function(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let array = self.viewed_array("reshape", bound.required(0))?;
        self.reshaped(&array, bound.required(1))
    }

    /// Returns an array with another shape, of which one length may be -1.
    pub(super) fn reshaped(&mut self, array: &Array, lengths: Value) -> ExecResult {
        let lengths = match self.try_iterator(lengths)? {
            Some(_) => self.collect_values(lengths)?,
            None => vec![lengths],
        };
        let mut shape = Vec::with_capacity(lengths.len());
        for length in lengths {
            shape.push(self.as_index(length)?);
        }
        let unknown = shape.iter().filter(|&&length| length < 0).count();
        if unknown > 1 {
            return Err(self.raise(ExceptionKind::ValueError, "can only specify one unknown dimension"));
        }
        let size = array.size();
        let mut lengths = shape.iter().filter_map(|&length| usize::try_from(length).ok());
        let known = lengths.try_fold(1usize, usize::checked_mul);
        let rest = match (known, unknown) {
            (Some(known), 0) if known == size => Some(1),
            (Some(known), 1) if known > 0 && size.is_multiple_of(known) => Some(size / known),
            _ => None,
        };
        let Some(rest) = rest else {
            let lengths: Vec<String> = shape
                .iter()
                .map(|&length| if length < 0 { "newaxis".to_owned() } else { length.to_string() })
                .collect();
            let comma = if lengths.len() == 1 { "," } else { "" };
            let message = format!("cannot reshape array of size {size} into shape ({}{comma})", lengths.join(","));
            return Err(self.raise(ExceptionKind::ValueError, &message));
        };
        let shape: Vec<usize> = shape.into_iter().map(|length| usize::try_from(length).unwrap_or(rest)).collect();
        self.charge(size as u64 / super::array::ELEMENTS_PER_INSTRUCTION)?;
        self.with_shape(array, &shape)
    }

    /// Implements `np.ravel`.
    pub(super) fn ravel(&mut self, value: Value) -> ExecResult {
        let array = self.viewed_array("ravel", value)?;
        let size = array.size();
        self.charge(size as u64 / super::array::ELEMENTS_PER_INSTRUCTION)?;
        self.with_shape(&array, &[size])
    }

    /// Implements `np.transpose`; without axes, the dimensions are reversed.
    pub(super) fn transpose_function(&mut self, value: Value, axes: Option<Value>) -> ExecResult {
        let mut array = self.viewed_array("transpose", value)?;
        let Some(axes) = axes else {
            array.axes.reverse();
            return Ok(self.new_view(array));
        };
        let axes = self.collect_values(axes)?;
        let mut order = Vec::with_capacity(axes.len());
        for axis in axes {
            order.push(self.resolve_dimension(axis, array.axes.len())?);
        }
        if order.len() != array.axes.len() {
            return Err(self.raise(ExceptionKind::ValueError, "axes don't match array"));
        }
        if (0..order.len()).any(|axis| !order.contains(&axis)) {
            return Err(self.raise(ExceptionKind::ValueError, "repeated axis in transpose"));
        }
        array.axes = order.iter().map(|&axis| array.axes[axis]).collect();
        Ok(self.new_view(array))
    }

    /// Implements `np.swapaxes`.
    pub(super) fn swap_axes(&mut self, value: Value, one: Value, two: Value) -> ExecResult {
        let mut array = self.viewed_array("swapaxes", value)?;
        let dimensions = array.axes.len();
        let (one, two) = (self.resolve_dimension(one, dimensions)?, self.resolve_dimension(two, dimensions)?);
        array.axes.swap(one, two);
        Ok(self.new_view(array))
    }

    /// Implements `np.squeeze`.
    pub(super) fn squeeze(&mut self, value: Value, axis: Option<Value>) -> ExecResult {
        if matches!(value, Value::Numpy(_)) {
            return Ok(value);
        }
        let mut array = self.viewed_array("squeeze", value)?;
        match axis {
            None => array.axes.retain(|&mut (length, _)| length != 1),
            Some(axis) => {
                let axis = self.resolve_dimension(axis, array.axes.len())?;
                if array.axes[axis].0 != 1 {
                    let message = "cannot select an axis to squeeze out which has size not equal to one";
                    return Err(self.raise(ExceptionKind::ValueError, message));
                }
                array.axes.remove(axis);
            }
        }
        Ok(self.new_view(array))
    }

    /// Implements `np.expand_dims`.
    pub(super) fn expand_dimensions(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let mut array = self.viewed_array("expand_dims", bound.required(0))?;
        let axis = self.resolve_dimension(bound.required(1), array.axes.len() + 1)?;
        array.axes.insert(axis, (1, 0));
        Ok(self.new_view(array))
    }

    /// Implements `np.atleast_1d`, `np.atleast_2d` and `np.atleast_3d`.
    pub(super) fn at_least_dimensions(&mut self, arguments: &[Value], dimensions: usize) -> ExecResult {
        let mut views = Vec::with_capacity(arguments.len());
        for &value in arguments {
            let mut array = self.viewed_array("atleast", value)?;
            if array.axes.len() == 2 && dimensions == 3 {
                array.axes.push((1, 0));
            }
            while array.axes.len() < dimensions {
                array.axes.insert(0, (1, 0));
            }
            views.push(self.new_view(array));
        }
        if let [view] = *views { Ok(view) } else { Ok(self.heap.list(views)) }
    }

    /// Implements `np.flip`; without an axis, all dimensions are reversed.
    pub(super) fn flip(&mut self, value: Value, axis: Option<Value>) -> ExecResult {
        let mut array = self.viewed_array("flip", value)?;
        let reversed = match axis {
            None => (0..array.axes.len()).collect(),
            Some(axis) => vec![self.resolve_dimension(axis, array.axes.len())?],
        };
        for axis in reversed {
            let (length, stride) = array.axes[axis];
            array.offset += stride * (length as isize - 1).max(0);
            array.axes[axis].1 = -stride;
        }
        Ok(self.new_view(array))
    }

    /// Implements `np.roll`.
    pub(super) fn roll(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let grid = self.array_argument("roll", bound.required(0))?;
        let steps = self.as_index(bound.required(1))?;
        let shape = grid.shape.clone();
        let (grid, axis) = match bound.given(2) {
            Some(axis) => {
                let axis = self.resolve_axis(axis, &grid)?;
                (grid, axis)
            }
            None => (DenseArray { shape: vec![grid.values.len()], ..grid }, 0),
        };
        let length = grid.shape[axis];
        let places: Vec<usize> =
            (0..length).map(|place| (place as i128 - i128::from(steps)).rem_euclid(length as i128) as usize).collect();
        self.charge(grid.values.len() as u64 / super::array::ELEMENTS_PER_INSTRUCTION)?;
        let rolled = selected(&grid, axis, &places);
        self.new_array(DenseArray { shape, ..rolled })
    }

    /// Implements `np.repeat`.
    pub(super) fn repeat_elements(&mut self, value: Value, counts: Value, axis: Option<Value>) -> ExecResult {
        let grid = self.array_argument("repeat", value)?;
        let counts = self.array_argument("repeat", counts)?;
        let (grid, axis) = match axis {
            Some(axis) => {
                let axis = self.resolve_axis(axis, &grid)?;
                (grid, axis)
            }
            None => (DenseArray { shape: vec![grid.values.len()], ..grid }, 0),
        };
        let length = grid.shape[axis];
        let count_at = |place: usize| counts.values[if counts.values.len() == 1 { 0 } else { place }].to_i64();
        if counts.values.len() != 1 && counts.values.len() != length {
            let message = format!(
                "operands could not be broadcast together with shape {} {}",
                shape_text(&[length]),
                shape_text(&counts.shape)
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        if (0..length).any(|place| count_at(place) < 0) {
            return Err(self.raise(ExceptionKind::ValueError, "repeats may not contain negative values."));
        }
        let total = (0..length).map(|place| count_at(place) as usize).fold(0, usize::saturating_add);
        self.reserve_values(total)?;
        self.reserve_values(total.saturating_mul(grid.values.len() / length.max(1)))?;
        let places: Vec<usize> =
            (0..length).flat_map(|place| std::iter::repeat_n(place, count_at(place) as usize)).collect();
        let repeated = selected(&grid, axis, &places);
        self.new_array(repeated)
    }

    /// Implements `np.tile`.
    pub(super) fn tile(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let mut grid = self.array_argument("tile", bound.required(0))?;
        let counts = self.array_argument("tile", bound.required(1))?;
        let mut counts: Vec<usize> = counts.values.iter().map(|count| count.to_i64().max(0) as usize).collect();
        while counts.len() < grid.shape.len() {
            counts.insert(0, 1);
        }
        while grid.shape.len() < counts.len() {
            grid.shape.insert(0, 1);
        }
        let times = counts.iter().copied().fold(1, usize::saturating_mul);
        self.reserve_values(times)?;
        self.reserve_values(grid.values.len().saturating_mul(times))?;
        grid.is_scalar = false;
        for (axis, count) in counts.into_iter().enumerate() {
            let places: Vec<usize> = (0..count).flat_map(|_| 0..grid.shape[axis]).collect();
            grid = selected(&grid, axis, &places);
        }
        self.new_array(grid)
    }

    /// Implements `np.broadcast_to`.
    pub(super) fn broadcast_to(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let grid = self.array_argument("broadcast_to", bound.required(0))?;
        let shape = self.shape_argument(bound.required(1))?;
        if broadcast_shapes(&grid.shape, &shape).as_ref() != Some(&shape) {
            let message = format!(
                "operands could not be broadcast together with remapped shapes [original->remapped]: {}  and requested \
                shape {}",
                shape_text(&grid.shape),
                shape_text(&shape)
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let size = shape.iter().product();
        let values = (0..size).map(|place| grid.broadcast_element(&shape, place)).collect();
        self.new_array(DenseArray::new(shape, values, grid.dtype))
    }

    /// Implements `np.vstack`, `np.hstack`, `np.column_stack` and `np.dstack`.
    pub(super) fn stack_along(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let mut parts = self.array_parts(bound)?;
        let axis = match bound.function {
            "vstack" | "row_stack" => {
                for part in &mut parts {
                    while part.shape.len() < 2 {
                        part.shape.insert(0, 1);
                    }
                }
                0
            }
            "column_stack" => {
                for part in &mut parts {
                    while part.shape.len() < 2 {
                        part.shape.push(1);
                    }
                }
                1
            }
            "dstack" => {
                for part in &mut parts {
                    while part.shape.len() < 2 {
                        part.shape.insert(0, 1);
                    }
                    if part.shape.len() == 2 {
                        part.shape.push(1);
                    }
                }
                2
            }
            _ => {
                for part in &mut parts {
                    if part.shape.is_empty() {
                        part.shape.push(1);
                    }
                }
                usize::from(parts.first().is_some_and(|part| part.shape.len() > 1))
            }
        };
        let joined = self.joined_arrays(&parts, axis)?;
        self.new_array(joined)
    }

    /// Implements `np.take`.
    pub(super) fn take(&mut self, value: Value, indices: Value, axis: Option<Value>) -> ExecResult {
        let mut grid = self.array_argument("take", value)?;
        let indices = self.array_argument("take", indices)?;
        let axis = if let Some(axis) = axis {
            self.resolve_axis(axis, &grid)?
        } else {
            grid.shape = vec![grid.values.len()];
            0
        };
        let length = grid.shape[axis] as i64;
        let mut places = Vec::with_capacity(indices.values.len());
        for index in &indices.values {
            let index = index.to_i64();
            let place = if index < 0 { index + length } else { index };
            if !(0..length).contains(&place) {
                let message = format!("index {index} is out of bounds for axis {axis} with size {length}");
                return Err(self.raise(ExceptionKind::IndexError, &message));
            }
            places.push(place as usize);
        }
        self.reserve_values(places.len() * grid.values.len() / (length as usize).max(1))?;
        let taken = selected(&grid, axis, &places);
        let mut shape = grid.shape[..axis].to_vec();
        shape.extend(&indices.shape);
        shape.extend(&grid.shape[axis + 1..]);
        self.new_array_or_scalar(DenseArray { shape, ..taken })
    }

    /// Implements `np.split` and `np.array_split`.
    pub(super) fn split_array(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let grid = self.array_argument(bound.function, bound.required(0))?;
        let axis = bound.get(2).map_or(Ok(0), |axis| self.resolve_axis(axis, &grid))?;
        if grid.shape.is_empty() {
            return Err(self.raise(ExceptionKind::ValueError, "array split does not work on scalars"));
        }
        let length = grid.shape[axis];
        let parts = self.array_argument(bound.function, bound.required(1))?;
        let mut ends: Vec<usize> = if parts.shape.is_empty() {
            let count = parts.values[0].to_i64();
            let Some(count) = usize::try_from(count).ok().filter(|&count| count > 0) else {
                return Err(self.raise(ExceptionKind::ValueError, "number sections must be larger than 0."));
            };
            if bound.function == "split" && !length.is_multiple_of(count) {
                let message = "array split does not result in an equal division";
                return Err(self.raise(ExceptionKind::ValueError, message));
            }
            self.reserve_values(count.saturating_mul(4))?;
            (1..count).map(|part| part * (length / count) + part.min(length % count)).collect()
        } else {
            let place = |end: &Scalar| {
                let end = end.to_i64();
                (if end < 0 { end + length as i64 } else { end }).clamp(0, length as i64) as usize
            };
            parts.values.iter().map(place).collect()
        };
        ends.push(length);
        let mut start = 0;
        let mut sections = Vec::with_capacity(ends.len());
        for end in ends {
            let part = section(&grid, axis, start, end.max(start));
            sections.push(self.new_array(part)?);
            start = end;
        }
        Ok(self.heap.list(sections))
    }

    /// Implements `np.meshgrid`.
    pub(super) fn mesh_grid(&mut self, arguments: &[Value], is_matrix_order: bool) -> ExecResult {
        let mut vectors = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            vectors.push(self.array_argument("meshgrid", argument)?);
        }
        let mut shape: Vec<usize> = vectors.iter().map(|vector| vector.values.len()).collect();
        let is_swapped = !is_matrix_order && shape.len() > 1;
        if is_swapped {
            shape.swap(0, 1);
        }
        let size = shape.iter().copied().fold(1, usize::saturating_mul);
        self.reserve_values(size.saturating_mul(vectors.len()))?;
        let mut grids = Vec::with_capacity(vectors.len());
        for (axis, vector) in vectors.into_iter().enumerate() {
            let axis = if is_swapped && axis < 2 { 1 - axis } else { axis };
            let inner: usize = shape[axis + 1..].iter().product();
            let values = (0..size).map(|place| vector.values[place / inner % shape[axis]]).collect();
            grids.push(self.new_array(DenseArray::new(shape.clone(), values, vector.dtype))?);
        }
        Ok(self.heap.list(grids))
    }
}
