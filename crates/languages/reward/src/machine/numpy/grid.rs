//! Arrays, their dense form for computation, and broadcasting.

use smallvec::SmallVec;

use super::scalar::{Kind, Scalar};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::numbers::Number;
use crate::machine::value::{HeapObject, HeapRef, Value};

/// The number of array elements charged as one instruction.
pub(super) const PER_INSTRUCTION: u64 = 4;

/// Maximum number of dimensions of an array.
const MAX_DIMENSIONS: usize = 32;

/// An array: a strided view of a buffer, which other arrays may share.
#[derive(Debug, Clone)]
pub(crate) struct Array {
    pub(crate) buffer: HeapRef,
    /// The position of the first number in the buffer.
    pub(crate) start: isize,
    /// The length and the stride of each dimension; strides are positions in the buffer.
    pub(crate) axes: SmallVec<[(usize, isize); 2]>,
    pub(crate) kind: Kind,
}

impl Array {
    pub(crate) fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(|&(length, _)| length).collect()
    }

    pub(crate) fn size(&self) -> usize {
        self.axes.iter().map(|&(length, _)| length).product()
    }

    /// Returns the buffer positions of all numbers, in row-major order.
    pub(crate) fn places(&self) -> Vec<usize> {
        let mut places = vec![self.start];
        for &(length, stride) in &self.axes {
            let steps = 0..length as isize;
            places = places.iter().flat_map(|&place| steps.clone().map(move |step| place + step * stride)).collect();
        }
        places.into_iter().map(|place| place as usize).collect()
    }
}

/// The shape and the numbers of an array, in row-major order.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    pub(super) shape: Vec<usize>,
    pub(super) kind: Kind,
    pub(super) values: Vec<Scalar>,
    /// Whether it is a scalar operand, which does not widen the float kind of an array.
    pub(super) is_single: bool,
}

impl Grid {
    pub(super) fn new(shape: Vec<usize>, values: Vec<Scalar>, kind: Kind) -> Self {
        Self { shape, kind, values: values.into_iter().map(|value| value.to(kind)).collect(), is_single: false }
    }

    pub(super) fn single(value: Scalar) -> Self {
        Self { shape: Vec::new(), kind: value.kind(), values: vec![value], is_single: true }
    }

    pub(super) fn to(self, kind: Kind) -> Self {
        if kind == self.kind {
            self
        } else {
            Self { is_single: self.is_single, ..Self::new(self.shape, self.values, kind) }
        }
    }

    /// Applies an operation to each number; the results are of the given kind.
    pub(super) fn map(&self, kind: Kind, of: impl Fn(Scalar) -> Scalar) -> Self {
        let values = self.values.iter().map(|&value| of(value)).collect();
        Self { is_single: self.is_single, ..Self::new(self.shape.clone(), values, kind) }
    }

    /// Returns the number at a position of a larger shape, by broadcasting.
    pub(super) fn at(&self, shape: &[usize], mut place: usize) -> Scalar {
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
pub(super) fn broadcast(one: &[usize], two: &[usize]) -> Option<Vec<usize>> {
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

/// Returns the kind in which two operands are computed; a scalar widens the kind of an array only if its [`Kind::class`] is higher.
pub(super) fn kind_of_both(one: &Grid, two: &Grid) -> Kind {
    match (one.is_single, two.is_single) {
        (true, false) if one.kind.class() <= two.kind.class() => two.kind,
        (false, true) if two.kind.class() <= one.kind.class() => one.kind,
        _ => one.kind.with(two.kind),
    }
}

impl Machine<'_> {
    pub(in crate::machine) fn array(&self, value: Value) -> Option<&Array> {
        match value {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Array(array) => Some(array),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn grid_of(&self, array: &Array) -> Grid {
        let HeapObject::Buffer(buffer) = self.heap.get(array.buffer) else { unreachable!("arrays have buffers") };
        let values = array.places().into_iter().map(|place| buffer[place]).collect();
        Grid { shape: array.shape(), kind: array.kind, values, is_single: false }
    }

    /// Creates an array; a numpy scalar if the grid has no dimensions.
    pub(super) fn given(&mut self, grid: Grid) -> ExecResult {
        if grid.shape.is_empty() {
            return Ok(Value::Numpy(grid.values[0]));
        }
        self.new_array(grid)
    }

    pub(super) fn new_array(&mut self, grid: Grid) -> ExecResult {
        self.reserve_values(grid.values.len())?;
        let buffer = self.heap.add(HeapObject::Buffer(grid.values));
        let mut stride = 1;
        let mut axes: SmallVec<[(usize, isize); 2]> = SmallVec::new();
        for &length in grid.shape.iter().rev() {
            axes.insert(0, (length, stride));
            stride *= length as isize;
        }
        let array = Array { buffer, start: 0, axes, kind: grid.kind };
        Ok(Value::Ref(self.heap.add(HeapObject::Array(Box::new(array)))))
    }

    /// Creates a vector of floats.
    pub(in crate::machine) fn vector(&mut self, numbers: &[f64]) -> ExecResult {
        let values = numbers.iter().map(|&number| Scalar::Float(number)).collect();
        self.new_array(Grid::new(vec![numbers.len()], values, Kind::Float))
    }

    /// Converts a number of Python or numpy to a scalar; `None` for other values.
    pub(super) fn scalar(&self, value: Value) -> Option<Scalar> {
        Some(match self.plain(value) {
            Value::Bool(truth) => Scalar::Bool(truth),
            Value::Numpy(scalar) => scalar,
            other => match self.number(other)? {
                Number::Int(number) => Scalar::Int(number),
                Number::Float(number) => Scalar::Float(number),
                Number::Big(number) => Scalar::Float(number.to_string().parse().unwrap_or(f64::INFINITY)),
            },
        })
    }

    /// Converts an array, a number, or nested lists of numbers to a grid; `None` for other values.
    pub(super) fn grid(&mut self, value: Value) -> ExecResult<Option<Grid>> {
        if let Some(array) = self.array(value).cloned() {
            self.charge(array.size() as u64 / PER_INSTRUCTION)?;
            return Ok(Some(self.grid_of(&array)));
        }
        if let Some(scalar) = self.scalar(value) {
            return Ok(Some(Grid::single(scalar)));
        }
        let value = self.plain(value);
        let is_sequence = match value {
            Value::Ref(at) => {
                matches!(self.heap.get(at), HeapObject::List(_) | HeapObject::Tuple(_) | HeapObject::Range { .. })
            }
            _ => false,
        };
        if !is_sequence {
            return Ok(None);
        }
        let items = self.collected(value)?;
        self.charge(items.len() as u64)?;
        let scalars: Option<Vec<Scalar>> = items.iter().map(|&item| self.scalar(item)).collect();
        if let Some(scalars) = scalars {
            let kind = scalars.iter().map(|scalar| scalar.kind()).reduce(Kind::with).unwrap_or(Kind::Float);
            return Ok(Some(Grid::new(vec![scalars.len()], scalars, kind)));
        }
        self.charge(3 * items.len() as u64)?;
        let mut parts = Vec::with_capacity(items.len());
        for item in items {
            let Some(part) = self.nested(|machine| machine.grid(item))? else { return Ok(None) };
            parts.push(part);
        }
        self.stacked(parts).map(Some)
    }

    /// Stacks arrays of the same shape along a new first dimension.
    pub(super) fn stacked(&mut self, parts: Vec<Grid>) -> ExecResult<Grid> {
        let inner = parts.first().map(|part| part.shape.clone()).unwrap_or_default();
        let kind = parts.iter().map(|part| part.kind).reduce(Kind::with).unwrap_or(Kind::Float);
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
        self.reserve_values(parts.iter().map(|part| part.values.len()).sum::<usize>() / PER_INSTRUCTION as usize)?;
        let values = parts.into_iter().flat_map(|part| part.values).collect();
        Ok(Grid::new(shape, values, kind))
    }

    /// Converts an argument of a numpy function to a grid; raises `TypeError` if it does not convert.
    pub(super) fn grid_argument(&mut self, function: &str, value: Value) -> ExecResult<Grid> {
        if let Some(grid) = self.grid(value)? {
            return Ok(grid);
        }
        let message = format!(
            "numpy.{function} of '{}': reward functions support only arrays of numbers and of lists of numbers",
            self.class_name(value)
        );
        Err(self.type_error(&message))
    }
}
