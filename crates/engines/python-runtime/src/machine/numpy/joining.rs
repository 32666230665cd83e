//! Functions that join arrays.

use super::array::DenseArray;
use super::scalar::Dtype;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::Value;

impl Machine {
    /// Converts the elements of the first argument to arrays.
    pub(super) fn array_parts(&mut self, bound: &BoundArguments<'_>) -> ExecResult<Vec<DenseArray>> {
        let arrays = self.collect_values(bound.required(0))?;
        self.reserve_values(arrays.iter().filter_map(|&array| Some(self.array(array)?.size())).sum())?;
        arrays.into_iter().map(|array| self.array_argument(bound.function, array)).collect()
    }

    /// Implements `np.stack`.
    pub(super) fn stack(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let parts = self.array_parts(bound)?;
        let Some(first) = parts.first() else {
            return Err(self.raise(ExceptionKind::ValueError, "need at least one array to stack"));
        };
        if parts.iter().any(|part| part.shape != first.shape) {
            return Err(self.raise(ExceptionKind::ValueError, "all input arrays must have the same shape"));
        }
        let dimensions = first.shape.len() + 1;
        let axis = bound.get(1).map_or(Ok(0), |axis| self.resolve_dimension(axis, dimensions))?;
        let array = self.stack_arrays(parts)?;
        if axis > 0 {
            let mut order: Vec<usize> = (1..dimensions).collect();
            order.insert(axis, 0);
            return self.new_array(super::shapes::permuted(&array, &order));
        }
        self.new_array(array)
    }

    /// Implements `np.concatenate`.
    pub(super) fn concatenate(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let mut parts = self.array_parts(bound)?;
        let axis = match bound.get(1) {
            Some(Value::None) => {
                for part in &mut parts {
                    part.shape = vec![part.values.len()];
                }
                Value::Int(0)
            }
            Some(Value::Bool(_)) => return Err(self.type_error("an integer is required for the axis")),
            axis => axis.unwrap_or(Value::Int(0)),
        };
        let Some(dimensions) = parts.first().map(|part| part.shape.len().max(1)) else {
            return Err(self.raise(ExceptionKind::ValueError, "need at least one array to concatenate"));
        };
        let axis = self.resolve_dimension(axis, dimensions)?;
        let joined = self.joined_arrays(&parts, axis)?;
        self.new_array(joined)
    }

    /// Joins arrays along an axis.
    pub(super) fn joined_arrays(&mut self, parts: &[DenseArray], axis: usize) -> ExecResult<DenseArray> {
        let Some(first) = parts.first() else {
            return Err(self.raise(ExceptionKind::ValueError, "need at least one array to concatenate"));
        };
        if parts.iter().any(|part| part.shape.is_empty()) {
            let message = "zero-dimensional arrays cannot be concatenated";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        for (index, part) in parts.iter().enumerate().skip(1) {
            self.check_concatenation(&first.shape, &part.shape, axis, index)?;
        }
        let dtype = parts.iter().map(|part| part.dtype).reduce(Dtype::promote).unwrap_or(Dtype::Float);
        let mut shape = first.shape.clone();
        shape[axis] = parts.iter().map(|part| part.shape[axis]).sum();
        let outer: usize = shape[..axis].iter().product();
        let inner: usize = shape[axis + 1..].iter().product();
        let size = shape.iter().product();
        self.reserve_values(size)?;
        let mut values = Vec::with_capacity(size);
        for row in 0..outer {
            for part in parts {
                let length = part.shape[axis] * inner;
                values.extend(&part.values[row * length..(row + 1) * length]);
            }
        }
        Ok(DenseArray::new(shape, values, dtype))
    }

    /// Checks that an array with the given index can be concatenated to the first one.
    fn check_concatenation(&mut self, first: &[usize], other: &[usize], axis: usize, index: usize) -> ExecResult<()> {
        if first.len() != other.len() {
            let message = format!(
                "all the input arrays must have same number of dimensions, but the array at index 0 has {} \
                dimension(s) and the array at index {index} has {} dimension(s)",
                first.len(),
                other.len()
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let differs = |dimension: &usize| *dimension != axis && first[*dimension] != other[*dimension];
        let Some(dimension) = (0..first.len()).find(differs) else { return Ok(()) };
        let message = format!(
            "all the input array dimensions except for the concatenation axis must match exactly, but along dimension \
            {dimension}, the array at index 0 has size {} and the array at index {index} has size {}",
            first[dimension], other[dimension]
        );
        Err(self.raise(ExceptionKind::ValueError, &message))
    }

    /// Implements `np.atleast_1d` and the like.
    pub(super) fn at_least_dimensions_of(
        &mut self,
        arguments: &[Value],
        named: KeywordArguments<'_>,
        dimensions: usize,
    ) -> ExecResult {
        self.reject_keywords("atleast", named)?;
        self.at_least_dimensions(arguments, dimensions)
    }
}
