//! The table of the functions of `numpy`.

use super::functions::BinaryUfunc::{Extreme, Logical, TwoFloats};
use super::functions::NumpyImplementation::{Arrays, Binary, Bound, Operator, Reduction as Reduce, Unary};
use super::functions::UnaryUfunc::{self, Float, Logarithm, Numbers, Test};
use super::functions::{NumpyImplementation, is_equal, sign};
use super::reductions::Reduction;
use super::scalar::Scalar;
use crate::machine::Machine;
use crate::machine::library_function::{Accuracy, LibraryFunction};
use crate::machine::math::{DEGREES, RADIANS};
use crate::machine::value::Value;
use crate::operators::BinaryOperator;

/// The absolute value.
const ABSOLUTE: UnaryUfunc = Numbers { int: i64::wrapping_abs, float: f64::abs, has_booleans: true };

const fn function(
    name: &'static str,
    parameters: &'static [&'static str],
    implementation: NumpyImplementation,
) -> LibraryFunction {
    LibraryFunction::of_numpy(name, parameters, implementation)
}

/// The functions of `numpy` and `numpy.linalg`.
pub(crate) static FUNCTIONS: [LibraryFunction; 74] = [
    function("numpy.abs", &["x"], Unary(ABSOLUTE)),
    function("numpy.absolute", &["x"], Unary(ABSOLUTE)),
    function("numpy.add", &["x1", "x2"], Operator(BinaryOperator::Add)),
    function("numpy.all", &["a", "axis", "keepdims"], Reduce(Reduction::All)),
    function("numpy.allclose", &["a", "b", "rtol", "atol"], Bound(|m, f, b| m.isclose(f, b, true))).with_required(2),
    function("numpy.any", &["a", "axis", "keepdims"], Reduce(Reduction::Any)),
    function("numpy.arange", &["start", "stop", "step", "dtype"], Bound(|m, _, b| m.arange(b))),
    function("numpy.arccos", &["x"], Unary(Float(f64::acos))).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    function("numpy.arcsin", &["x"], Unary(Float(f64::asin))).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(3),
    function("numpy.arctan", &["x"], Unary(Float(f64::atan))).with_accuracy(Accuracy::Ulps(1)).with_float32_ulps(1),
    function("numpy.arctan2", &["x1", "x2"], Binary(TwoFloats(f64::atan2))).with_accuracy(Accuracy::Ulps(2)),
    function("numpy.argmax", &["a", "axis"], Reduce(Reduction::Argmax)),
    function("numpy.argmin", &["a", "axis"], Reduce(Reduction::Argmin)),
    function("numpy.array", &["object", "dtype", "copy"], Bound(|m, f, b| m.array_from_value(f, b, false))),
    function("numpy.array_equal", &["a1", "a2"], Arrays(|_, a| Ok(Value::Bool(is_equal(&a[0], &a[1]))))),
    function("numpy.asarray", &["a", "dtype"], Bound(|m, f, b| m.array_from_value(f, b, true))),
    function("numpy.ceil", &["x"], Unary(Float(f64::ceil))),
    function("numpy.clip", &["a", "a_min", "a_max"], Bound(Machine::clip)),
    function("numpy.concatenate", &["arrays", "axis"], Bound(|m, f, b| m.join_arrays(f, b[0], false))),
    function("numpy.cos", &["x"], Unary(Float(f64::cos))).with_float32_ulps(1),
    function("numpy.cosh", &["x"], Unary(Float(f64::cosh))).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    function("numpy.cross", &["a", "b"], Arrays(|m, a| m.cross(&a[0], &a[1]))),
    function("numpy.deg2rad", &["x"], Unary(Float(|x| x * RADIANS))).with_float32_ulps(1),
    function("numpy.degrees", &["x"], Unary(Float(|x| x * DEGREES))).with_float32_ulps(1),
    function("numpy.divide", &["x1", "x2"], Operator(BinaryOperator::Div)),
    function("numpy.dot", &["a", "b"], Arrays(|m, a| m.dot(&a[0], &a[1], "dot"))).with_accuracy(Accuracy::DotProduct),
    function("numpy.exp", &["x"], Unary(Float(f64::exp))).with_accuracy(Accuracy::Ulps(1)).with_float32_ulps(2),
    function("numpy.fabs", &["x"], Unary(Float(f64::abs))),
    function("numpy.floor", &["x"], Unary(Float(f64::floor))),
    function("numpy.full", &["shape", "fill_value", "dtype"], Bound(|m, f, b| m.full_array(f, b[0], b[1], b[2]))),
    function("numpy.hypot", &["x1", "x2"], Binary(TwoFloats(f64::hypot))),
    function("numpy.isclose", &["a", "b", "rtol", "atol"], Bound(|m, f, b| m.isclose(f, b, false))).with_required(2),
    function("numpy.isfinite", &["x"], Unary(Test(|x| x.to_f64().is_finite()))),
    function("numpy.isinf", &["x"], Unary(Test(|x| x.to_f64().is_infinite()))),
    function("numpy.isnan", &["x"], Unary(Test(Scalar::is_nan))),
    function("numpy.linalg.norm", &["x", "ord", "axis", "keepdims"], Bound(Machine::norm))
        .with_accuracy(Accuracy::Ulps(3)),
    function("numpy.linspace", &["start", "stop", "num"], Bound(Machine::linspace)),
    function("numpy.log", &["x"], Unary(Logarithm(f64::ln))).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(4),
    function("numpy.log10", &["x"], Unary(Logarithm(f64::log10))).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    function("numpy.log1p", &["x"], Unary(Logarithm(f64::ln_1p))).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(1),
    function("numpy.log2", &["x"], Unary(Logarithm(f64::log2))).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    function("numpy.logical_and", &["x1", "x2"], Binary(Logical(|a, b| a && b))),
    function("numpy.logical_not", &["x"], Unary(Test(|x| !x.to_bool()))),
    function("numpy.logical_or", &["x1", "x2"], Binary(Logical(|a, b| a || b))),
    function("numpy.max", &["a", "axis", "keepdims"], Reduce(Reduction::Max)),
    function("numpy.maximum", &["x1", "x2"], Binary(Extreme { is_max: true })),
    function("numpy.mean", &["a", "axis", "keepdims"], Reduce(Reduction::Mean)).with_layout_dependent_sum(),
    function("numpy.min", &["a", "axis", "keepdims"], Reduce(Reduction::Min)),
    function("numpy.minimum", &["x1", "x2"], Binary(Extreme { is_max: false })),
    function("numpy.multiply", &["x1", "x2"], Operator(BinaryOperator::Mult)),
    function("numpy.ndim", &["a"], Arrays(|_, a| Ok(Value::Int(a[0].shape.len() as i64)))),
    function("numpy.ones", &["shape", "dtype"], Bound(|m, f, b| m.full_array(f, b[0], Some(Value::Float(1.0)), b[1]))),
    function("numpy.ones_like", &["a", "dtype"], Arrays(|m, a| m.filled_like(&a[0], 1))).with_required(1),
    function("numpy.power", &["x1", "x2"], Operator(BinaryOperator::Pow)).with_accuracy(Accuracy::Ulps(1)),
    function("numpy.prod", &["a", "axis", "keepdims"], Reduce(Reduction::Prod)),
    function("numpy.rad2deg", &["x"], Unary(Float(|x| x * DEGREES))).with_float32_ulps(1),
    function("numpy.radians", &["x"], Unary(Float(|x| x * RADIANS))).with_float32_ulps(1),
    function("numpy.shape", &["a"], Arrays(|m, a| Ok(m.shape_tuple(&a[0])))),
    function("numpy.sign", &["x"], Unary(Numbers { int: i64::signum, float: sign, has_booleans: false })),
    function("numpy.sin", &["x"], Unary(Float(f64::sin))).with_float32_ulps(1),
    function("numpy.sinh", &["x"], Unary(Float(f64::sinh))).with_accuracy(Accuracy::Ulps(3)).with_float32_ulps(1),
    function("numpy.size", &["a"], Arrays(|_, a| Ok(Value::Int(a[0].values.len() as i64)))),
    function("numpy.sqrt", &["x"], Unary(Float(f64::sqrt))),
    function(
        "numpy.square",
        &["x"],
        Unary(Numbers { int: |x| x.wrapping_mul(x), float: |x| x * x, has_booleans: true }),
    ),
    function("numpy.stack", &["arrays"], Bound(|m, f, b| m.join_arrays(f, b[0], true))),
    function("numpy.std", &["a", "axis", "keepdims"], Reduce(Reduction::Std)).with_layout_dependent_sum(),
    function("numpy.subtract", &["x1", "x2"], Operator(BinaryOperator::Sub)),
    function("numpy.sum", &["a", "axis", "keepdims"], Reduce(Reduction::Sum)).with_layout_dependent_sum(),
    function("numpy.tan", &["x"], Unary(Float(f64::tan))).with_accuracy(Accuracy::Ulps(3)).with_float32_ulps(1),
    function("numpy.tanh", &["x"], Unary(Float(f64::tanh))).with_accuracy(Accuracy::Ulps(3)).with_float32_ulps(1),
    function("numpy.var", &["a", "axis", "keepdims"], Reduce(Reduction::Var)).with_layout_dependent_sum(),
    function("numpy.where", &["condition", "x", "y"], Bound(Machine::select_by_condition)),
    function("numpy.zeros", &["shape", "dtype"], Bound(|m, f, b| m.full_array(f, b[0], Some(Value::Float(0.0)), b[1]))),
    function("numpy.zeros_like", &["a", "dtype"], Arrays(|m, a| m.filled_like(&a[0], 0))).with_required(1),
];

/// Returns the function with this name within `numpy`, such as `clip` or `linalg.norm`.
pub(crate) fn numpy_function(name: &str) -> Option<&'static LibraryFunction> {
    FUNCTIONS.iter().find(|function| function.short_name() == name)
}
