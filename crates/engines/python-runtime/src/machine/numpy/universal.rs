//! Methods of the universal functions of two arrays: `reduce`, `accumulate`, `outer` and `at`; and the limits of kinds of numbers.

use super::array::DenseArray;
use super::reductions::Reduction;
use super::scalar::{Dtype, Scalar};
use super::shapes::selected;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::ExecResult;
use crate::machine::library_function::LibraryFunction;
use crate::machine::parameters::{NamedParameters, Origin};
use crate::machine::value::Value;

/// The methods of universal functions, each called with the function as its first argument.
static METHODS: [LibraryFunction; 4] = [
    LibraryFunction::custom("ufunc.accumulate", Machine::accumulate_ufunc),
    LibraryFunction::custom("ufunc.at", Machine::apply_ufunc_at),
    LibraryFunction::custom("ufunc.outer", Machine::outer_ufunc),
    LibraryFunction::custom("ufunc.reduce", Machine::reduce_ufunc),
];

/// Returns the reduction that `reduce` of a universal function is.
fn reduction_of(function: &LibraryFunction) -> Option<Reduction> {
    Some(match function.short_name() {
        "add" => Reduction::Sum,
        "multiply" => Reduction::Prod,
        "maximum" => Reduction::Max,
        "minimum" => Reduction::Min,
        "logical_and" => Reduction::All,
        "logical_or" => Reduction::Any,
        _ => return None,
    })
}

impl Machine {
    /// Returns a method of a universal function of two arrays; `None` if there is none.
    pub(in crate::machine) fn ufunc_method(&mut self, function: &'static LibraryFunction, name: &str) -> Option<Value> {
        let method = METHODS.iter().find(|method| method.short_name() == name)?;
        if !function.is_ufunc_of_two() {
            return None;
        }
        Some(self.new_partial(Value::Builtin(method), vec![Value::Builtin(function)], Vec::new()))
    }

    /// Returns the function, the array and the axis of `reduce` and `accumulate`; without an axis, the array is flat.
    fn ufunc_and_array(
        &mut self,
        name: &str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<(&'static LibraryFunction, DenseArray, usize, bool)> {
        let [Value::Builtin(function), rest @ ..] = arguments else { unreachable!("methods have functions") };
        let parameters = NamedParameters::new(Origin::Python, &["array", "axis", "dtype", "out", "keepdims"]);
        let bound = self.bind_parameters(name, &parameters.with_required(1), rest, named)?;
        let mut grid = self.array_argument(name, bound.required(0))?;
        let keep = bound.get(4).map_or(Ok(false), |keep| self.truth(keep))?;
        if let Some(dtype) = bound.given(2) {
            let dtype = self.dtype_argument(dtype)?;
            grid = grid.cast(dtype);
        }
        let axis = match bound.get(1) {
            Some(Value::None) => {
                grid.shape = vec![grid.values.len()];
                0
            }
            axis => self.resolve_axis(axis.unwrap_or(Value::Int(0)), &grid)?,
        };
        Ok((function, grid, axis, keep))
    }

    /// Returns the part of an array at a place along an axis.
    fn slice_value(&mut self, grid: &DenseArray, axis: usize, place: usize) -> ExecResult {
        let mut part = selected(grid, axis, &[place]);
        part.shape.remove(axis);
        self.new_array_or_scalar(part)
    }

    fn reduce_ufunc(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let (function, grid, axis, keep) = self.ufunc_and_array("reduce", arguments, named)?;
        if let Some(reduction) = reduction_of(function) {
            return self.reduce_along(reduction, grid, axis, keep);
        }
        let length = grid.shape[axis];
        if length == 0 {
            let message =
                format!("zero-size array to reduction operation {} which has no identity", function.short_name());
            return Err(self.raise(crate::machine::exceptions::ExceptionKind::ValueError, &message));
        }
        let mut total = self.slice_value(&grid, axis, 0)?;
        for place in 1..length {
            let part = self.slice_value(&grid, axis, place)?;
            total = self.call_builtin(function, &[total, part], &[])?;
        }
        Ok(total)
    }

    fn accumulate_ufunc(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let (function, grid, axis, _) = self.ufunc_and_array("accumulate", arguments, named)?;
        let mut totals = Vec::with_capacity(grid.shape[axis]);
        let mut total: Option<Value> = None;
        for place in 0..grid.shape[axis] {
            let part = self.slice_value(&grid, axis, place)?;
            let next = match total {
                Some(total) => self.call_builtin(function, &[total, part], &[])?,
                None => part,
            };
            totals.push(self.array_argument("accumulate", next)?);
            total = Some(next);
        }
        if totals.is_empty() {
            return self.new_array(grid);
        }
        let stacked = self.stack_arrays(totals)?;
        let mut order: Vec<usize> = (1..stacked.shape.len()).collect();
        order.insert(axis, 0);
        self.new_array(super::shapes::permuted(&stacked, &order))
    }

    fn outer_ufunc(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        self.reject_keywords("outer", named)?;
        let &[Value::Builtin(function), one, two] = arguments else {
            return Err(self.type_error("outer() takes exactly 2 arguments"));
        };
        let (mut one, mut two) = (self.array_argument("outer", one)?, self.array_argument("outer", two)?);
        one.shape.extend(vec![1; two.shape.len()]);
        (one.is_scalar, two.is_scalar) = (false, false);
        let (one, two) = (self.new_array(one)?, self.new_array(two)?);
        self.call_builtin(function, &[one, two], &[])
    }

    fn apply_ufunc_at(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        self.reject_keywords("at", named)?;
        let &[Value::Builtin(function), array, indices, values] = arguments else {
            return Err(
                self.type_error("reward functions support `at` of functions of two arrays, with three arguments")
            );
        };
        let indices = self.array_argument("at", indices)?;
        let values = self.array_argument("at", values)?;
        for (number, &index) in indices.values.iter().enumerate() {
            let index = Value::from(index);
            let place = if values.values.len() == 1 { 0 } else { number };
            let Some(&value) = values.values.get(place) else { break };
            let before = self.get_item(array, index)?;
            let after = self.call_builtin(function, &[before, value.into()], &[])?;
            self.set_item(array, index, after)?;
        }
        Ok(Value::None)
    }

    /// Returns an attribute of `np.finfo(..)` or `np.iinfo(..)`.
    pub(in crate::machine) fn number_limit(&mut self, kind: Dtype, name: &str) -> Option<Value> {
        let single = kind == Dtype::Float32;
        let float = |of_single: f64, of_double: f64| {
            Some(Value::from(Scalar::Float(if single { of_single } else { of_double }).cast(kind)))
        };
        if name == "dtype" {
            return Some(Value::Dtype(kind));
        }
        if name == "bits" {
            let Value::Int(bytes) = self.dtype_attribute(kind, "itemsize")? else { return None };
            return Some(Value::Int(bytes * 8));
        }
        if kind.is_float() {
            return match name {
                "eps" => float(f32::EPSILON.into(), f64::EPSILON),
                "max" => float(f32::MAX.into(), f64::MAX),
                "min" => float(f32::MIN.into(), f64::MIN),
                "tiny" | "smallest_normal" => float(f32::MIN_POSITIVE.into(), f64::MIN_POSITIVE),
                "smallest_subnormal" => float(f32::from_bits(1).into(), f64::from_bits(1)),
                "resolution" => float(1e-6, 1e-15),
                _ => None,
            };
        }
        let (low, high): (i128, i128) = match kind {
            Dtype::Sized(kind) if kind.is_signed() => (-(1 << (kind.bits() - 1)), (1 << (kind.bits() - 1)) - 1),
            Dtype::Sized(kind) => (0, (1i128 << kind.bits()) - 1),
            _ => (i64::MIN.into(), i64::MAX.into()),
        };
        match name {
            "max" => Some(self.new_int(high.into())),
            "min" => Some(self.new_int(low.into())),
            _ => None,
        }
    }
}
