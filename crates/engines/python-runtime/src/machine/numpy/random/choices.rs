//! Choices, permutations and shuffles of the generators of `numpy`.

use super::super::array::DenseArray;
use super::super::scalar::{Dtype, Scalar};
use super::{NumpyGenerator, Source};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::{HeapObject, Value};

impl Machine {
    pub(super) fn numpy_choose(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let from = bound.required(0);
        let values = if self.as_integer(from)?.is_some() && self.array(from).is_none() {
            let count = self.as_index(from)?;
            if count <= 0 {
                return Err(
                    self.raise(ExceptionKind::ValueError, "a must be greater than 0 unless no samples are taken")
                );
            }
            self.reserve_values(usize::try_from(count).unwrap_or(usize::MAX))?;
            DenseArray::new(vec![count as usize], (0..count).map(Scalar::Int).collect(), Dtype::Int)
        } else {
            self.array_argument("choice", from)?
        };
        if values.shape.len() != 1 {
            return Err(self.raise(ExceptionKind::ValueError, "a must be 1-dimensional"));
        }
        let count = values.values.len();
        if count == 0 {
            return Err(self.raise(ExceptionKind::ValueError, "'a' cannot be empty unless no samples are taken"));
        }
        let replaces = bound.get(2).map_or(Ok(true), |replace| self.truth(replace))?;
        let weights = bound.given(3);
        if !replaces {
            return self.choose_without_replacement(source, bound, &values);
        }
        let cumulated = match weights {
            Some(weights) => Some(self.cumulated_weights(weights, count)?),
            None => None,
        };
        let result = self.random_numbers(bound.given(1), values.dtype, |m, _| {
            let generator = m.numpy_generator(source);
            let index = match &cumulated {
                Some(cumulated) => {
                    let number = generator.next_float();
                    cumulated.partition_point(|&bound| bound <= number).min(count - 1)
                }
                None => generator.next_up_to(count as u64 - 1) as usize,
            };
            Ok(values.values[index])
        })?;
        let is_of_count = self.as_integer(from)?.is_some() && self.array(from).is_none();
        self.as_chosen(result, values.dtype, is_of_count)
    }

    /// Converts a single choice: from an integer to an integer of Python, from a sequence to a scalar of numpy.
    fn as_chosen(&mut self, result: Value, dtype: Dtype, is_of_count: bool) -> ExecResult {
        match result {
            Value::Int(_) | Value::Float(_) | Value::Bool(_) if !is_of_count => {
                let scalar = self.array_argument("choice", result)?;
                Ok(Value::from(scalar.values[0].cast(dtype)))
            }
            result => Ok(result),
        }
    }

    /// Returns the cumulated weights of `p`, which must sum to 1.
    fn cumulated_weights(&mut self, weights: Value, count: usize) -> ExecResult<Vec<f64>> {
        let weights = self.array_argument("choice", weights)?;
        if weights.values.len() != count {
            return Err(self.raise(ExceptionKind::ValueError, "'a' and 'p' must have same size"));
        }
        let mut sum = 0.0;
        let mut cumulated = Vec::with_capacity(count);
        for weight in &weights.values {
            let weight = weight.to_f64();
            if weight < 0.0 {
                return Err(self.raise(ExceptionKind::ValueError, "probabilities are not non-negative"));
            }
            sum += weight;
            cumulated.push(sum);
        }
        if (sum - 1.0).abs() > f64::EPSILON.sqrt() {
            return Err(self.raise(ExceptionKind::ValueError, "probabilities do not sum to 1"));
        }
        for bound in &mut cumulated {
            *bound /= sum;
        }
        Ok(cumulated)
    }

    fn choose_without_replacement(
        &mut self,
        source: Source,
        bound: &BoundArguments<'_>,
        values: &DenseArray,
    ) -> ExecResult {
        if bound.given(3).is_some() || matches!(self.numpy_generator(source), NumpyGenerator::Pcg64(_)) {
            let message =
                "reward functions support np.random.choice(.., replace=False) without `p`, and not of Generator";
            return Err(self.type_error(message));
        }
        let size = bound.given(1);
        let shape = match size {
            Some(size) => self.shape_argument(size)?,
            None => Vec::new(),
        };
        let count: usize = shape.iter().product();
        if count > values.values.len() {
            let message = "Cannot take a larger sample than population when 'replace=False'";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let mut order: Vec<usize> = (0..values.values.len()).collect();
        self.shuffle_places(source, &mut order)?;
        let chosen: Vec<Scalar> = order[..count].iter().map(|&place| values.values[place]).collect();
        if size.is_some() {
            return self.new_array(DenseArray::new(shape, chosen, values.dtype));
        }
        Ok(Value::from(chosen[0]))
    }

    /// Shuffles by exchanges from the end.
    fn shuffle_places<T>(&mut self, source: Source, places: &mut [T]) -> ExecResult<()> {
        self.charge(places.len() as u64)?;
        for place in (1..places.len()).rev() {
            let other = self.numpy_generator(source).next_masked(place as u64) as usize;
            places.swap(place, other);
        }
        Ok(())
    }

    pub(super) fn numpy_permutation(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let of = bound.required(0);
        let mut array = match self.as_integer(of)? {
            Some(_) => {
                let count = self.as_index(of)?.max(0);
                self.reserve_values(usize::try_from(count).unwrap_or(usize::MAX))?;
                DenseArray::new(vec![count as usize], (0..count).map(Scalar::Int).collect(), Dtype::Int)
            }
            None => self.array_argument("permutation", of)?,
        };
        self.shuffle_rows(source, &mut array)?;
        self.new_array(array)
    }

    /// Shuffles an array along its first dimension.
    fn shuffle_rows(&mut self, source: Source, array: &mut DenseArray) -> ExecResult<()> {
        let Some(&count) = array.shape.first() else {
            let message = "x must be an integer or at least 1-dimensional";
            return Err(self.raise(ExceptionKind::IndexError, message));
        };
        let mut order: Vec<usize> = (0..count).collect();
        self.shuffle_places(source, &mut order)?;
        let length = array.values.len() / count.max(1);
        array.values =
            order.iter().flat_map(|&row| array.values[row * length..(row + 1) * length].iter().copied()).collect();
        Ok(())
    }

    pub(super) fn numpy_shuffle_array(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let object = bound.required(0);
        if let Some(array) = self.array(object).cloned() {
            let mut dense = self.to_dense(&array);
            self.shuffle_rows(source, &mut dense)?;
            self.write_array(&array, &dense.values);
            return Ok(Value::None);
        }
        let Value::Ref(at) = self.base_value(object) else {
            return Err(self.type_error("reward functions shuffle arrays and lists only"));
        };
        let HeapObject::List(values) = self.heap.get(at) else {
            return Err(self.type_error("reward functions shuffle arrays and lists only"));
        };
        let mut values = values.clone();
        self.shuffle_places(source, &mut values)?;
        if let HeapObject::List(list) = self.heap.get_mut(at) {
            *list = values;
        }
        Ok(Value::None)
    }
}
