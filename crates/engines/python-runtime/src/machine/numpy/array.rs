//! Arrays, their dense form for computation, and broadcasting.

use smallvec::SmallVec;

use super::scalar::{Dtype, Scalar};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::numbers::Number;
use crate::machine::value::{HeapObject, HeapRef, Value};

/// The number of array elements charged as one instruction.
pub(super) const ELEMENTS_PER_INSTRUCTION: u64 = 4;

/// Maximum number of dimensions of an array.
const MAX_DIMENSIONS: usize = 32;

/// An array: a strided view of a buffer, which other arrays may share.
#[derive(Debug, Clone)]
pub(crate) struct Array {
    pub(crate) buffer: HeapRef,
    /// The position of the first number in the buffer.
    pub(crate) offset: isize,
    /// The length and the stride of each dimension; strides are positions in the buffer.
    pub(crate) axes: SmallVec<[(usize, isize); 2]>,
    pub(crate) dtype: Dtype,
}

impl Array {
    pub(crate) fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(|&(length, _)| length).collect()
    }

    pub(crate) fn size(&self) -> usize {
        self.axes.iter().map(|&(length, _)| length).product()
    }

    /// Returns the buffer positions of all numbers, in row-major order.
    pub(crate) fn buffer_offsets(&self) -> Vec<usize> {
        let mut places = vec![self.offset];
        for &(length, stride) in &self.axes {
            let steps = 0..length as isize;
            places = places.iter().flat_map(|&place| steps.clone().map(move |step| place + step * stride)).collect();
        }
        places.into_iter().map(|place| place as usize).collect()
    }
}

/// The shape and the numbers of an array, in row-major order.
#[derive(Debug, Clone)]
pub(in crate::machine) struct DenseArray {
    pub(super) shape: Vec<usize>,
    pub(super) dtype: Dtype,
    pub(super) values: Vec<Scalar>,
    /// Whether it is a scalar operand, which does not widen the float kind of an array.
    pub(super) is_scalar: bool,
}

impl DenseArray {
    pub(super) fn new(shape: Vec<usize>, values: Vec<Scalar>, kind: Dtype) -> Self {
        Self {
            shape,
            dtype: kind,
            values: values.into_iter().map(|value| value.cast(kind)).collect(),
            is_scalar: false,
        }
    }

    pub(super) fn from_scalar(value: Scalar) -> Self {
        Self { shape: Vec::new(), dtype: value.dtype(), values: vec![value], is_scalar: true }
    }

    pub(super) fn cast(self, kind: Dtype) -> Self {
        if kind == self.dtype {
            self
        } else {
            Self { is_scalar: self.is_scalar, ..Self::new(self.shape, self.values, kind) }
        }
    }

    /// Applies an operation to each number; the results are of the given kind.
    pub(super) fn map(&self, kind: Dtype, of: impl Fn(Scalar) -> Scalar) -> Self {
        let values = self.values.iter().map(|&value| of(value)).collect();
        Self { is_scalar: self.is_scalar, ..Self::new(self.shape.clone(), values, kind) }
    }

    /// Returns the number at a position of a larger shape, by broadcasting.
    pub(super) fn broadcast_element(&self, shape: &[usize], mut place: usize) -> Scalar {
        if self.values.len() == 1 {
            return self.values[0];
        }
        let (mut index, mut step) = (0, 1);
        for (back, &length) in shape.iter().rev().enumerate() {
            let along = place % length;
            place /= length;
            let Some(own) = self.shape.len().checked_sub(back + 1).map(|axis| self.shape[axis]) else { continue };
            if own > 1 {
                index += along * step;
            }
            step *= own;
        }
        self.values[index]
    }
}

/// Formats a shape as a tuple.
pub(super) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")),
    }
}

/// Returns the shape to which two shapes broadcast; `None` if they are incompatible.
pub(super) fn broadcast_shapes(one: &[usize], two: &[usize]) -> Option<Vec<usize>> {
    let dimensions = one.len().max(two.len());
    let length = |shape: &[usize], axis: usize| (axis + shape.len()).checked_sub(dimensions).map_or(1, |at| shape[at]);
    (0..dimensions)
        .map(|axis| match (length(one, axis), length(two, axis)) {
            (a, b) if a == b => Some(a),
            (1, other) | (other, 1) => Some(other),
            _ => None,
        })
        .collect()
}

/// Returns the kind in which two operands are computed; a scalar widens the kind of an array only if its
/// [`Dtype::category_rank`] is higher.
pub(super) fn result_dtype(one: &DenseArray, two: &DenseArray) -> Dtype {
    let (array, scalar) = match (one.is_scalar, two.is_scalar) {
        (true, false) => (two, one),
        (false, true) => (one, two),
        _ => return one.dtype.promote(two.dtype),
    };
    match (array.dtype, &*scalar.values) {
        (kind, _) if scalar.dtype.category_rank() > kind.category_rank() => kind.promote(scalar.dtype),
        (Dtype::Sized(kind), &[number]) if number.dtype().is_integer() => kind.with_integer(number.to_i128()),
        // A number beyond the range of 32-bit floats widens the array.
        (Dtype::Float32, &[Scalar::Float(number)]) if number.is_finite() && (number as f32).is_infinite() => {
            Dtype::Float
        }
        (kind, _) => kind,
    }
}

impl Machine {
    pub(in crate::machine) fn array(&self, value: Value) -> Option<&Array> {
        match value {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Array(array) => Some(array),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn to_dense(&self, array: &Array) -> DenseArray {
        let HeapObject::Buffer(buffer) = self.heap.get(array.buffer) else { unreachable!("arrays have buffers") };
        let values = array.buffer_offsets().into_iter().map(|place| buffer[place]).collect();
        DenseArray { shape: array.shape(), dtype: array.dtype, values, is_scalar: false }
    }

    /// Creates an array; a numpy scalar if it has no dimensions.
    pub(super) fn new_array_or_scalar(&mut self, grid: DenseArray) -> ExecResult {
        if grid.shape.is_empty() {
            return Ok(Value::from(grid.values[0]));
        }
        self.new_array(grid)
    }

    pub(super) fn new_array(&mut self, grid: DenseArray) -> ExecResult {
        self.reserve_values(grid.values.len())?;
        let buffer = self.heap.add(HeapObject::Buffer(grid.values));
        let mut stride = 1;
        let mut axes: SmallVec<[(usize, isize); 2]> = SmallVec::new();
        for &length in grid.shape.iter().rev() {
            axes.insert(0, (length, stride));
            stride *= length as isize;
        }
        let array = Array { buffer, offset: 0, axes, dtype: grid.dtype };
        Ok(Value::Ref(self.heap.add(HeapObject::Array(Box::new(array)))))
    }

    /// Creates a vector of floats.
    pub(in crate::machine) fn new_float_vector(&mut self, numbers: &[f64]) -> ExecResult {
        let values = numbers.iter().map(|&number| Scalar::Float(number)).collect();
        self.new_array(DenseArray::new(vec![numbers.len()], values, Dtype::Float))
    }

    /// Converts a number of Python or numpy to a scalar; `None` for other values.
    pub(super) fn as_scalar(&self, value: Value) -> Option<Scalar> {
        Some(match self.base_value(value) {
            Value::Bool(truth) => Scalar::Bool(truth),
            Value::Numpy(scalar) => scalar.get(),
            other => match self.as_number(other)? {
                Number::Int(number) => Scalar::Int(number),
                Number::Float(number) => Scalar::Float(number),
                Number::Big(number) => Scalar::Float(number.to_string().parse().unwrap_or(f64::INFINITY)),
            },
        })
    }

    /// Converts an array, a number, or nested lists of numbers to a dense array; `None` for other values.
    pub(super) fn as_dense(&mut self, value: Value) -> ExecResult<Option<DenseArray>> {
        if let Some(array) = self.array(value).cloned() {
            self.charge(array.size() as u64 / ELEMENTS_PER_INSTRUCTION)?;
            return Ok(Some(self.to_dense(&array)));
        }
        if let Some(scalar) = self.as_scalar(value) {
            return Ok(Some(DenseArray::from_scalar(scalar)));
        }
        let value = self.base_value(value);
        let is_sequence = match value {
            Value::Ref(at) => {
                matches!(
                    self.heap.get(at),
                    HeapObject::List(_) | HeapObject::Tuple(_) | HeapObject::Range { .. } | HeapObject::Deque(_)
                )
            }
            _ => false,
        };
        if !is_sequence {
            return Ok(None);
        }
        let items = self.collect_values(value)?;
        self.charge(items.len() as u64)?;
        let scalars: Option<Vec<Scalar>> = items.iter().map(|&item| self.as_scalar(item)).collect();
        if let Some(scalars) = scalars {
            let kind = scalars.iter().map(|scalar| scalar.dtype()).reduce(Dtype::promote).unwrap_or(Dtype::Float);
            return Ok(Some(DenseArray::new(vec![scalars.len()], scalars, kind)));
        }
        self.charge(3 * items.len() as u64)?;
        let mut parts = Vec::with_capacity(items.len());
        for item in items {
            let Some(part) = self.nested(|machine| machine.as_dense(item))? else { return Ok(None) };
            parts.push(part);
        }
        self.stack_arrays(parts).map(Some)
    }

    /// Stacks arrays of the same shape along a new first dimension.
    pub(super) fn stack_arrays(&mut self, parts: Vec<DenseArray>) -> ExecResult<DenseArray> {
        let inner = parts.first().map(|part| part.shape.clone()).unwrap_or_default();
        let kind = parts.iter().map(|part| part.dtype).reduce(Dtype::promote).unwrap_or(Dtype::Float);
        let mut shape = vec![parts.len()];
        shape.extend(&inner);
        if shape.len() > MAX_DIMENSIONS || parts.iter().any(|part| part.shape != inner) {
            let dimensions = shape.len().min(MAX_DIMENSIONS) - 1;
            let dimensions = if parts.iter().any(|part| part.shape.is_empty()) { 1 } else { dimensions.max(1) };
            let lengths = shape[..dimensions].iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let comma = if dimensions == 1 { "," } else { "" };
            let message = format!(
                "setting an array element with a sequence. The requested array has an inhomogeneous shape after \
                {dimensions} dimensions. The detected shape was ({lengths}{comma}) + inhomogeneous part."
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        self.reserve_values(
            parts.iter().map(|part| part.values.len()).sum::<usize>() / ELEMENTS_PER_INSTRUCTION as usize,
        )?;
        let values = parts.into_iter().flat_map(|part| part.values).collect();
        Ok(DenseArray::new(shape, values, kind))
    }

    /// Converts an argument of a numpy function to a dense array; raises `TypeError` if it does not convert.
    pub(super) fn array_argument(&mut self, function: &str, value: Value) -> ExecResult<DenseArray> {
        if let Some(grid) = self.as_dense(value)? {
            return Ok(grid);
        }
        let message = format!(
            "numpy.{function} of '{}': reward functions support only arrays of numbers and of lists of numbers",
            self.class_name(value)
        );
        Err(self.type_error(&message))
    }
}
