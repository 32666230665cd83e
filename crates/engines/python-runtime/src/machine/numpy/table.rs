//! The table of the functions of `numpy`.

use super::array::DenseArray;
use super::functions::BinaryUfunc::{Extreme, Logical, TwoFloats};
use super::functions::UnaryUfunc::{self, Float, Logarithm, Numbers, Test};
use super::functions::{BinaryUfunc, NumpyImplementation, is_equal, sign};
use super::reductions::Reduction;
use super::scalar::Scalar;
use crate::machine::Machine;
use crate::machine::exceptions::ExecResult;
use crate::machine::library_function::{Accuracy, LibraryFunction};
use crate::machine::math::{DEGREES, RADIANS};
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::Value;
use crate::operators::BinaryOperator;

/// The absolute value.
pub(super) const ABSOLUTE: UnaryUfunc = Numbers { int: i64::wrapping_abs, float: f64::abs, has_booleans: true };

/// The square.
pub(super) const SQUARE: UnaryUfunc = Numbers { int: |x| x.wrapping_mul(x), float: |x| x * x, has_booleans: true };

/// Returns a universal function of one array.
const fn unary(name: &'static str, ufunc: UnaryUfunc) -> LibraryFunction {
    LibraryFunction::numpy(name, NamedParameters::new(Origin::Ufunc, &["x"]), NumpyImplementation::Unary(ufunc))
}

/// Returns a universal function of two arrays.
const fn binary(name: &'static str, ufunc: BinaryUfunc) -> LibraryFunction {
    LibraryFunction::numpy(name, NamedParameters::new(Origin::Ufunc, &["x1", "x2"]), NumpyImplementation::Binary(ufunc))
}

/// Returns the universal function that an operator calls.
const fn operator(name: &'static str, operator: BinaryOperator) -> LibraryFunction {
    let parameters = NamedParameters::new(Origin::Ufunc, &["x1", "x2"]);
    LibraryFunction::numpy(name, parameters, NumpyImplementation::Operator(operator))
}

/// Returns a reduction.
const fn reduction(name: &'static str, reduction: Reduction) -> LibraryFunction {
    // numpy has further parameters before `keepdims`.
    let parameters = NamedParameters::new(Origin::Python, &["a", "axis", "keepdims"]).with_keyword_only(1);
    LibraryFunction::numpy(name, parameters.with_required(1), NumpyImplementation::Reduction(reduction))
}

/// Returns a function of one array.
const fn of_array(
    name: &'static str,
    parameters: &'static [&'static str; 1],
    call: fn(&mut Machine, &DenseArray) -> ExecResult,
) -> LibraryFunction {
    let parameters = NamedParameters::new(Origin::Python, parameters);
    LibraryFunction::numpy(name, parameters, NumpyImplementation::Array(call))
}

/// Returns a function of two arrays.
const fn of_two_arrays(
    name: &'static str,
    parameters: &'static [&'static str; 2],
    call: fn(&mut Machine, &DenseArray, &DenseArray) -> ExecResult,
) -> LibraryFunction {
    let parameters = NamedParameters::new(Origin::Python, parameters);
    LibraryFunction::numpy(name, parameters, NumpyImplementation::TwoArrays(call))
}

/// Returns a function of bound arguments, of which the first `required` ones have no defaults.
const fn bound(
    name: &'static str,
    required: usize,
    parameters: &'static [&'static str],
    call: fn(&mut Machine, &BoundArguments<'_>) -> ExecResult,
) -> LibraryFunction {
    let parameters = NamedParameters::new(Origin::Python, parameters).with_required(required);
    LibraryFunction::numpy(name, parameters, NumpyImplementation::Bound(call))
}

/// Returns a function of bound arguments with parameters of its own kind.
const fn bound_to(
    name: &'static str,
    parameters: NamedParameters<'static>,
    call: fn(&mut Machine, &BoundArguments<'_>) -> ExecResult,
) -> LibraryFunction {
    LibraryFunction::numpy(name, parameters, NumpyImplementation::Bound(call))
}

/// Returns the parameters of a function that numpy implements in C, of which the first one has no default.
const fn in_c(names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::NumpyC, names).with_required(1)
}

/// The functions of `numpy.linalg`.
pub(in crate::machine) static LINALG_FUNCTIONS: [LibraryFunction; 1] =
    [bound("numpy.linalg.norm", 1, &["x", "ord", "axis", "keepdims"], Machine::norm).with_accuracy(Accuracy::Ulps(3))];

/// The functions of `numpy`, in the order of their names.
pub(in crate::machine) static FUNCTIONS: [LibraryFunction; 73] = [
    unary("numpy.abs", ABSOLUTE),
    unary("numpy.absolute", ABSOLUTE),
    operator("numpy.add", BinaryOperator::Add),
    reduction("numpy.all", Reduction::All),
    bound("numpy.allclose", 2, &["a", "b", "rtol", "atol"], |m, b| m.isclose(b, true)),
    reduction("numpy.any", Reduction::Any),
    bound("numpy.arange", 0, &["start", "stop", "step", "dtype"], Machine::arange),
    unary("numpy.arccos", Float(f64::acos)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    unary("numpy.arcsin", Float(f64::asin)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(3),
    unary("numpy.arctan", Float(f64::atan)).with_accuracy(Accuracy::Ulps(1)).with_float32_ulps(1),
    binary("numpy.arctan2", TwoFloats(f64::atan2)).with_accuracy(Accuracy::Ulps(2)),
    reduction("numpy.argmax", Reduction::Argmax),
    reduction("numpy.argmin", Reduction::Argmin),
    bound_to("numpy.array", in_c(&["object", "dtype", "copy"]).with_keyword_only(1), Machine::array_from_value),
    of_two_arrays("numpy.array_equal", &["a1", "a2"], |_, a, b| Ok(Value::Bool(is_equal(a, b)))),
    bound_to("numpy.asarray", in_c(&["a", "dtype"]), |m, b| m.array_with_dtype(b, false)),
    unary("numpy.ceil", Float(f64::ceil)),
    bound("numpy.clip", 3, &["a", "a_min", "a_max"], |m, b| m.clip(b.required(0), b.given(1), b.given(2))),
    bound_to(
        "numpy.concatenate",
        NamedParameters::new(Origin::Python, &["arrays", "axis"]).with_required(1).with_positional_only(1),
        Machine::concatenate,
    ),
    unary("numpy.cos", Float(f64::cos)).with_float32_ulps(1),
    unary("numpy.cosh", Float(f64::cosh)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    of_two_arrays("numpy.cross", &["a", "b"], Machine::cross),
    unary("numpy.deg2rad", Float(|x| x * RADIANS)).with_float32_ulps(1),
    unary("numpy.degrees", Float(|x| x * DEGREES)).with_float32_ulps(1),
    operator("numpy.divide", BinaryOperator::Div),
    of_two_arrays("numpy.dot", &["a", "b"], |m, a, b| m.dot(a, b, "dot")).with_accuracy(Accuracy::DotProduct),
    unary("numpy.exp", Float(f64::exp)).with_accuracy(Accuracy::Ulps(1)).with_float32_ulps(2),
    unary("numpy.fabs", Float(f64::abs)),
    unary("numpy.floor", Float(f64::floor)),
    bound("numpy.full", 2, &["shape", "fill_value", "dtype"], |m, b| {
        m.full_array(b.required(0), b.required(1), b.given(2))
    }),
    binary("numpy.hypot", TwoFloats(f64::hypot)),
    bound("numpy.isclose", 2, &["a", "b", "rtol", "atol"], |m, b| m.isclose(b, false)),
    unary("numpy.isfinite", Test(|x| x.to_f64().is_finite())),
    unary("numpy.isinf", Test(|x| x.to_f64().is_infinite())),
    unary("numpy.isnan", Test(Scalar::is_nan)),
    bound("numpy.linspace", 2, &["start", "stop", "num"], Machine::linspace),
    unary("numpy.log", Logarithm(f64::ln)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(4),
    unary("numpy.log10", Logarithm(f64::log10)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    unary("numpy.log1p", Logarithm(f64::ln_1p)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(1),
    unary("numpy.log2", Logarithm(f64::log2)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    binary("numpy.logical_and", Logical(|a, b| a && b)),
    unary("numpy.logical_not", Test(|x| !x.to_bool())),
    binary("numpy.logical_or", Logical(|a, b| a || b)),
    reduction("numpy.max", Reduction::Max),
    binary("numpy.maximum", Extreme { is_max: true }),
    reduction("numpy.mean", Reduction::Mean).with_layout_dependent_sum(),
    reduction("numpy.min", Reduction::Min),
    binary("numpy.minimum", Extreme { is_max: false }),
    operator("numpy.multiply", BinaryOperator::Mult),
    of_array("numpy.ndim", &["a"], |_, a| Ok(Value::Int(a.shape.len() as i64))),
    bound("numpy.ones", 1, &["shape", "dtype"], |m, b| m.full_array(b.required(0), Value::Float(1.0), b.given(1))),
    bound("numpy.ones_like", 1, &["a", "dtype"], |m, b| m.filled_like(b, 1)),
    operator("numpy.power", BinaryOperator::Pow).with_accuracy(Accuracy::Ulps(1)),
    reduction("numpy.prod", Reduction::Prod),
    unary("numpy.rad2deg", Float(|x| x * DEGREES)).with_float32_ulps(1),
    unary("numpy.radians", Float(|x| x * RADIANS)).with_float32_ulps(1),
    of_array("numpy.shape", &["a"], |m, a| Ok(m.shape_tuple(a))),
    unary("numpy.sign", Numbers { int: i64::signum, float: sign, has_booleans: false }),
    unary("numpy.sin", Float(f64::sin)).with_float32_ulps(1),
    unary("numpy.sinh", Float(f64::sinh)).with_accuracy(Accuracy::Ulps(3)).with_float32_ulps(1),
    of_array("numpy.size", &["a"], |_, a| Ok(Value::Int(a.values.len() as i64))),
    unary("numpy.sqrt", Float(f64::sqrt)),
    unary("numpy.square", SQUARE),
    bound("numpy.stack", 1, &["arrays"], Machine::stack),
    reduction("numpy.std", Reduction::Std).with_layout_dependent_sum(),
    operator("numpy.subtract", BinaryOperator::Sub),
    reduction("numpy.sum", Reduction::Sum).with_layout_dependent_sum(),
    unary("numpy.tan", Float(f64::tan)).with_accuracy(Accuracy::Ulps(3)).with_float32_ulps(1),
    unary("numpy.tanh", Float(f64::tanh)).with_accuracy(Accuracy::Ulps(3)).with_float32_ulps(1),
    reduction("numpy.var", Reduction::Var).with_layout_dependent_sum(),
    bound_to(
        "numpy.where",
        NamedParameters::new(Origin::Python, &["condition", "x", "y"]).with_required(1).with_positional_only(3),
        Machine::select_by_condition,
    ),
    bound_to("numpy.zeros", in_c(&["shape", "dtype"]), |m, b| {
        m.full_array(b.required(0), Value::Float(0.0), b.given(1))
    }),
    bound("numpy.zeros_like", 1, &["a", "dtype"], |m, b| m.filled_like(b, 0)),
];
