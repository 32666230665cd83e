//! The calls of the functions of `numpy` (`np.…`).

use super::array::DenseArray;
use super::reductions::Reduction;
use super::scalar::Scalar;
use super::ufuncs::{BinaryUfunc, UnaryUfunc};
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::Value;
use crate::operators::{BinaryOperator, ComparisonOperator};

/// The implementation of a function of `numpy`, whose arguments are bound to its parameters.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) enum NumpyImplementation {
    /// A function of the arguments.
    Bound(fn(&mut Machine, &BoundArguments<'_>) -> ExecResult),
    /// A function of an array, the first argument.
    Array(fn(&mut Machine, &DenseArray) -> ExecResult),
    /// A function of two arrays, the first two arguments.
    TwoArrays(fn(&mut Machine, &DenseArray, &DenseArray) -> ExecResult),
    /// A function of each element.
    Unary(UnaryUfunc),
    /// A function of each pair of elements.
    Binary(BinaryUfunc),
    /// An operator.
    Operator(BinaryOperator),
    /// A reduction of all elements or along an axis; if the flag is set, NaN is ignored.
    Reduction(Reduction, bool),
}

impl Machine {
    pub(in crate::machine) fn call_numpy_function(
        &mut self,
        implementation: NumpyImplementation,
        bound: &BoundArguments<'_>,
    ) -> ExecResult {
        match implementation {
            NumpyImplementation::Bound(call) => call(self, bound),
            NumpyImplementation::Reduction(reduction, skips_nan) => {
                let array = self.array_argument(bound.function, bound.required(0))?;
                let arguments = self.reduction_arguments(reduction, bound, 1)?;
                self.reduce_array(reduction, skips_nan, array, &arguments)
            }
            NumpyImplementation::Array(call) => {
                let array = self.array_argument(bound.function, bound.required(0))?;
                call(self, &array)
            }
            NumpyImplementation::Unary(ufunc) => {
                let array = self.array_argument(bound.function, bound.required(0))?;
                self.unary_ufunc(bound.function, ufunc, &array)
            }
            NumpyImplementation::TwoArrays(call) => {
                let (one, two) = self.first_two_arrays(bound)?;
                call(self, &one, &two)
            }
            NumpyImplementation::Binary(ufunc) => {
                let (one, two) = self.first_two_arrays(bound)?;
                self.binary_ufunc(ufunc, &one, &two)
            }
            NumpyImplementation::Operator(operator) => {
                let (one, two) = self.first_two_arrays(bound)?;
                let result = self.apply_elementwise(operator, &one, &two)?;
                self.new_array_or_scalar(result)
            }
        }
    }

    /// Converts the first two arguments to arrays.
    pub(super) fn first_two_arrays(&mut self, bound: &BoundArguments<'_>) -> ExecResult<(DenseArray, DenseArray)> {
        let one = self.array_argument(bound.function, bound.required(0))?;
        let two = self.array_argument(bound.function, bound.required(1))?;
        Ok((one, two))
    }

    /// Implements `np.vdot`.
    pub(super) fn dot_of_flat(&mut self, one: &DenseArray, two: &DenseArray) -> ExecResult {
        let flat = |array: &DenseArray| DenseArray { shape: vec![array.values.len()], ..array.clone() };
        self.dot(&flat(one), &flat(two), "vdot")
    }

    /// Implements `np.gradient`.
    pub(super) fn gradient_function(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [axis] = self.bind_keywords("gradient", named, ["axis"])?;
        self.gradient(arguments, axis)
    }

    /// Implements `np.cross` of vectors of three numbers, or of two, whose product is a number.
    pub(super) fn cross(&mut self, one: &DenseArray, two: &DenseArray) -> ExecResult {
        let is_vector = |array: &DenseArray| matches!(*array.shape, [2 | 3]);
        if !is_vector(one) || !is_vector(two) {
            let message = "reward functions support np.cross only for two vectors of two or three numbers";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let is_flat = one.values.len() == 2 && two.values.len() == 2;
        let places: &[usize] = if is_flat { &[2] } else { &[0, 1, 2] };
        let select = |array: &DenseArray, shift: usize| {
            let zero = Scalar::Int(0).cast(array.dtype);
            let item = |place: usize| array.values.get((place + shift) % 3).copied().unwrap_or(zero);
            let values: Vec<Scalar> = places.iter().map(|&place| item(place)).collect();
            DenseArray::new(vec![values.len()], values, array.dtype)
        };
        let plus = self.apply_elementwise(BinaryOperator::Mult, &select(one, 1), &select(two, 2))?;
        let minus = self.apply_elementwise(BinaryOperator::Mult, &select(one, 2), &select(two, 1))?;
        let product = self.apply_elementwise(BinaryOperator::Sub, &plus, &minus)?;
        if is_flat {
            return self.new_array(DenseArray { shape: Vec::new(), ..product });
        }
        self.new_array(product)
    }
}

/// Whether two arrays have the same shape and elements.
pub(super) fn is_equal(one: &DenseArray, two: &DenseArray) -> bool {
    one.shape == two.shape && one.values.iter().zip(&two.values).all(|(a, b)| a.compare(ComparisonOperator::Eq, *b))
}
