//! The table of the functions of `numpy`.

use super::array::DenseArray;
use super::functions::{NumpyImplementation, is_equal};
use super::reductions::Reduction;
use super::scalar::Scalar;
use super::ufuncs::BinaryUfunc::{Comparison, Extreme, Logical, NumberExtreme, TwoFloats};
use super::ufuncs::UnaryUfunc::{self, Float, Logarithm, Numbers, Test};
use super::ufuncs::{BinaryUfunc, sign};
use crate::machine::Machine;
use crate::machine::exceptions::ExecResult;
use crate::machine::library_function::{Accuracy, LibraryFunction};
use crate::machine::math::{DEGREES, RADIANS, next_after};
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::Value;
use crate::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};

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
    let parameters = NamedParameters::new(Origin::Python, reduction.parameter_names()).with_required(1);
    LibraryFunction::numpy(name, parameters, NumpyImplementation::Reduction(reduction, false))
}

/// Returns a reduction that ignores NaN.
const fn nan_reduction(name: &'static str, reduction: Reduction) -> LibraryFunction {
    let parameters = NamedParameters::new(Origin::Python, reduction.parameter_names()).with_required(1);
    LibraryFunction::numpy(name, parameters, NumpyImplementation::Reduction(reduction, true))
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
pub(in crate::machine) static LINALG_FUNCTIONS: [LibraryFunction; 4] = [
    bound("numpy.linalg.det", 1, &["a"], Machine::determinant).with_accuracy(Accuracy::Ulps(8)),
    bound("numpy.linalg.inv", 1, &["a"], Machine::inverse).with_accuracy(Accuracy::Ulps(8)),
    bound("numpy.linalg.norm", 1, &["x", "ord", "axis", "keepdims"], Machine::norm).with_accuracy(Accuracy::Ulps(3)),
    bound("numpy.linalg.solve", 2, &["a", "b"], Machine::solve_system).with_accuracy(Accuracy::Ulps(8)),
];

/// The functions of `numpy`, in the order of their names.
pub(in crate::machine) static FUNCTIONS: [LibraryFunction; 218] = [
    unary("numpy.abs", ABSOLUTE),
    unary("numpy.absolute", ABSOLUTE),
    operator("numpy.add", BinaryOperator::Add),
    reduction("numpy.all", Reduction::All),
    bound("numpy.allclose", 2, &["a", "b", "rtol", "atol", "equal_nan"], |m, b| m.isclose(b, true)),
    reduction("numpy.amax", Reduction::Max),
    reduction("numpy.amin", Reduction::Min),
    reduction("numpy.any", Reduction::Any),
    bound("numpy.append", 2, &["arr", "values", "axis"], Machine::append_to_array),
    bound("numpy.arange", 0, &["start", "stop", "step", "dtype"], Machine::arange),
    unary("numpy.arccos", Float(f64::acos)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    unary("numpy.arccosh", Float(f64::acosh)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    unary("numpy.arcsin", Float(f64::asin)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(3),
    unary("numpy.arcsinh", Float(f64::asinh)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    unary("numpy.arctan", Float(f64::atan)).with_accuracy(Accuracy::Ulps(1)).with_float32_ulps(1),
    binary("numpy.arctan2", TwoFloats(f64::atan2)).with_accuracy(Accuracy::Ulps(2)),
    unary("numpy.arctanh", Float(f64::atanh)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    reduction("numpy.argmax", Reduction::Argmax),
    reduction("numpy.argmin", Reduction::Argmin),
    bound("numpy.argsort", 1, &["a", "axis", "kind", "order"], |m, b| m.sort_array(b, true)),
    of_array("numpy.argwhere", &["a"], Machine::places_of_true),
    bound("numpy.around", 1, &["a", "decimals", "out"], Machine::round_array),
    bound_to("numpy.array", in_c(&["object", "dtype", "copy"]).with_keyword_only(1), Machine::array_from_value),
    of_two_arrays("numpy.array_equal", &["a1", "a2"], |_, a, b| Ok(Value::Bool(is_equal(a, b)))),
    bound("numpy.array_split", 2, &["ary", "indices_or_sections", "axis"], Machine::split_array),
    bound_to("numpy.asanyarray", in_c(&["a", "dtype"]), |m, b| m.array_with_dtype(b, false)),
    bound_to("numpy.asarray", in_c(&["a", "dtype"]), |m, b| m.array_with_dtype(b, false)),
    bound_to("numpy.ascontiguousarray", in_c(&["a", "dtype"]), |m, b| m.array_with_dtype(b, false)),
    LibraryFunction::custom("numpy.atleast_1d", |m, a, named| m.at_least_dimensions_of(a, named, 1)),
    LibraryFunction::custom("numpy.atleast_2d", |m, a, named| m.at_least_dimensions_of(a, named, 2)),
    LibraryFunction::custom("numpy.atleast_3d", |m, a, named| m.at_least_dimensions_of(a, named, 3)),
    bound("numpy.average", 1, &["a", "axis", "weights", "returned", "keepdims"], Machine::average),
    bound("numpy.bincount", 1, &["x", "weights", "minlength"], Machine::bin_count),
    operator("numpy.bitwise_and", BinaryOperator::BitAnd),
    bound("numpy.bitwise_not", 1, &["x"], |m, b| m.unary_operator_function(UnaryOperator::Invert, b)),
    operator("numpy.bitwise_or", BinaryOperator::BitOr),
    operator("numpy.bitwise_xor", BinaryOperator::BitXor),
    bound("numpy.broadcast_to", 2, &["array", "shape", "subok"], Machine::broadcast_to),
    unary("numpy.cbrt", Float(f64::cbrt)).with_accuracy(Accuracy::Ulps(1)).with_float32_ulps(2),
    unary("numpy.ceil", Float(f64::ceil)),
    bound("numpy.clip", 3, &["a", "a_min", "a_max"], |m, b| m.clip(b.required(0), b.given(1), b.given(2))),
    bound("numpy.column_stack", 1, &["tup"], Machine::stack_along),
    bound_to(
        "numpy.concatenate",
        NamedParameters::new(Origin::Python, &["arrays", "axis"]).with_required(1).with_positional_only(1),
        Machine::concatenate,
    ),
    bound("numpy.convolve", 2, &["a", "v", "mode"], |m, b| m.convolve(b, true)),
    bound("numpy.copy", 1, &["a", "order"], |m, b| m.copy_of_array(b.required(0))),
    binary("numpy.copysign", TwoFloats(f64::copysign)),
    bound("numpy.correlate", 2, &["a", "v", "mode"], |m, b| m.convolve(b, false)),
    unary("numpy.cos", Float(f64::cos)).with_float32_ulps(1),
    unary("numpy.cosh", Float(f64::cosh)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    reduction("numpy.count_nonzero", Reduction::CountNonzero),
    of_two_arrays("numpy.cross", &["a", "b"], Machine::cross),
    bound("numpy.cumprod", 1, &["a", "axis", "dtype", "out"], |m, b| m.accumulate_numbers(b, BinaryOperator::Mult)),
    bound("numpy.cumsum", 1, &["a", "axis", "dtype", "out"], |m, b| m.accumulate_numbers(b, BinaryOperator::Add)),
    unary("numpy.deg2rad", Float(|x| x * RADIANS)).with_float32_ulps(1),
    unary("numpy.degrees", Float(|x| x * DEGREES)).with_float32_ulps(1),
    bound("numpy.delete", 2, &["arr", "obj", "axis"], Machine::delete_from_array),
    bound("numpy.diag", 1, &["v", "k"], Machine::diagonal),
    bound("numpy.diagonal", 1, &["a", "offset"], Machine::diagonal),
    bound("numpy.diff", 1, &["a", "n", "axis", "prepend", "append"], Machine::differences),
    bound("numpy.digitize", 2, &["x", "bins", "right"], Machine::digitize),
    operator("numpy.divide", BinaryOperator::Div),
    of_two_arrays("numpy.dot", &["a", "b"], |m, a, b| m.dot(a, b, "dot")).with_accuracy(Accuracy::DotProduct),
    bound("numpy.dstack", 1, &["tup"], Machine::stack_along),
    LibraryFunction::custom("numpy.einsum", Machine::einstein_sum).with_accuracy(Accuracy::DotProduct),
    bound("numpy.empty", 1, &["shape", "dtype", "order"], |m, b| {
        m.full_array(b.required(0), Value::Float(0.0), b.given(1))
    }),
    bound("numpy.empty_like", 1, &["prototype", "dtype"], |m, b| m.filled_like(b, 0)),
    binary("numpy.equal", Comparison(ComparisonOperator::Eq)),
    LibraryFunction::custom("numpy.errstate", |m, arguments, named| {
        m.check_error_handling("errstate", arguments, named)?;
        m.null_context(&[], &[])
    }),
    unary("numpy.exp", Float(f64::exp)).with_accuracy(Accuracy::Ulps(1)).with_float32_ulps(2),
    unary("numpy.exp2", Float(f64::exp2)).with_accuracy(Accuracy::Ulps(1)).with_float32_ulps(2),
    bound("numpy.expand_dims", 2, &["a", "axis"], Machine::expand_dimensions),
    unary("numpy.expm1", Float(f64::exp_m1)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    bound("numpy.eye", 1, &["N", "M", "k", "dtype"], Machine::eye),
    unary("numpy.fabs", Float(f64::abs)),
    unary("numpy.fix", Float(f64::trunc)),
    of_array("numpy.flatnonzero", &["a"], Machine::flat_places_of_true),
    bound("numpy.flip", 1, &["m", "axis"], |m, b| m.flip(b.required(0), b.given(1))),
    bound("numpy.fliplr", 1, &["m"], |m, b| m.flip(b.required(0), Some(Value::Int(1)))),
    bound("numpy.flipud", 1, &["m"], |m, b| m.flip(b.required(0), Some(Value::Int(0)))),
    binary("numpy.float_power", TwoFloats(f64::powf)).with_accuracy(Accuracy::Ulps(2)),
    unary("numpy.floor", Float(f64::floor)),
    operator("numpy.floor_divide", BinaryOperator::FloorDiv),
    binary("numpy.fmax", NumberExtreme { is_max: true }),
    binary("numpy.fmin", NumberExtreme { is_max: false }),
    binary("numpy.fmod", BinaryUfunc::Numbers { int: |a, b| a.checked_rem(b).unwrap_or(0), float: |a, b| a % b }),
    bound("numpy.fromiter", 2, &["iter", "dtype", "count"], Machine::array_from_iterator),
    bound("numpy.full", 2, &["shape", "fill_value", "dtype"], |m, b| {
        m.full_array(b.required(0), b.required(1), b.given(2))
    }),
    bound("numpy.full_like", 2, &["a", "fill_value", "dtype"], Machine::full_like),
    bound("numpy.geomspace", 2, &["start", "stop", "num", "endpoint"], |m, b| m.logspace(b, true)),
    LibraryFunction::custom("numpy.gradient", Machine::gradient_function),
    binary("numpy.greater", Comparison(ComparisonOperator::Gt)),
    binary("numpy.greater_equal", Comparison(ComparisonOperator::GtE)),
    binary("numpy.heaviside", TwoFloats(heaviside)),
    bound("numpy.histogram", 1, &["a", "bins", "range", "density", "weights"], Machine::histogram),
    bound("numpy.hstack", 1, &["tup", "dtype", "casting"], Machine::stack_along),
    binary("numpy.hypot", TwoFloats(f64::hypot)),
    bound("numpy.identity", 1, &["n", "dtype"], Machine::identity_matrix),
    bound("numpy.in1d", 2, &["ar1", "ar2", "assume_unique", "invert"], Machine::is_in),
    of_two_arrays("numpy.inner", &["a", "b"], Machine::inner).with_accuracy(Accuracy::DotProduct),
    bound("numpy.insert", 3, &["arr", "obj", "values", "axis"], Machine::insert_into_array),
    bound("numpy.interp", 3, &["x", "xp", "fp", "left", "right", "period"], Machine::interpolate),
    of_two_arrays("numpy.intersect1d", &["ar1", "ar2"], |m, a, b| m.select_common(a, b, false)),
    bound("numpy.invert", 1, &["x"], |m, b| m.unary_operator_function(UnaryOperator::Invert, b)),
    bound("numpy.isclose", 2, &["a", "b", "rtol", "atol", "equal_nan"], |m, b| m.isclose(b, false)),
    unary("numpy.isfinite", Test(|x| x.to_f64().is_finite())),
    bound("numpy.isin", 2, &["element", "test_elements", "assume_unique", "invert"], Machine::is_in),
    unary("numpy.isinf", Test(|x| x.to_f64().is_infinite())),
    unary("numpy.isnan", Test(Scalar::is_nan)),
    unary("numpy.isneginf", Test(|x| x.to_f64() == f64::NEG_INFINITY)),
    unary("numpy.isposinf", Test(|x| x.to_f64() == f64::INFINITY)),
    bound("numpy.isscalar", 1, &["element"], |m, b| Ok(Value::Bool(m.is_scalar_value(b.required(0))))),
    operator("numpy.left_shift", BinaryOperator::LShift),
    binary("numpy.less", Comparison(ComparisonOperator::Lt)),
    binary("numpy.less_equal", Comparison(ComparisonOperator::LtE)),
    bound("numpy.linspace", 2, &["start", "stop", "num", "endpoint", "retstep", "dtype"], Machine::linspace),
    unary("numpy.log", Logarithm(f64::ln)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(4),
    unary("numpy.log10", Logarithm(f64::log10)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    unary("numpy.log1p", Logarithm(f64::ln_1p)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(1),
    unary("numpy.log2", Logarithm(f64::log2)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    binary("numpy.logaddexp", TwoFloats(log_add_exp)).with_accuracy(Accuracy::Ulps(2)),
    binary("numpy.logical_and", Logical(|a, b| a && b)),
    unary("numpy.logical_not", Test(|x| !x.to_bool())),
    binary("numpy.logical_or", Logical(|a, b| a || b)),
    binary("numpy.logical_xor", Logical(|a, b| a != b)),
    bound("numpy.logspace", 2, &["start", "stop", "num", "endpoint", "base"], |m, b| m.logspace(b, false)),
    of_two_arrays("numpy.matmul", &["x1", "x2"], |m, a, b| m.dot(a, b, "matmul")).with_accuracy(Accuracy::DotProduct),
    reduction("numpy.max", Reduction::Max),
    binary("numpy.maximum", Extreme { is_max: true }),
    reduction("numpy.mean", Reduction::Mean).with_layout_dependent_sum(),
    reduction("numpy.median", Reduction::Median),
    LibraryFunction::custom("numpy.meshgrid", Machine::mesh_grid_function),
    reduction("numpy.min", Reduction::Min),
    binary("numpy.minimum", Extreme { is_max: false }),
    operator("numpy.mod", BinaryOperator::Mod),
    operator("numpy.multiply", BinaryOperator::Mult),
    bound("numpy.nan_to_num", 1, &["x", "copy", "nan", "posinf", "neginf"], Machine::nan_to_num),
    nan_reduction("numpy.nanargmax", Reduction::Argmax),
    nan_reduction("numpy.nanargmin", Reduction::Argmin),
    nan_reduction("numpy.nanmax", Reduction::Max),
    nan_reduction("numpy.nanmean", Reduction::Mean).with_layout_dependent_sum(),
    nan_reduction("numpy.nanmedian", Reduction::Median),
    nan_reduction("numpy.nanmin", Reduction::Min),
    bound("numpy.nanpercentile", 2, &["a", "q", "axis", "out", "overwrite_input", "method", "keepdims"], |m, b| {
        m.quantile(b, true, true)
    }),
    nan_reduction("numpy.nanprod", Reduction::Prod),
    bound("numpy.nanquantile", 2, &["a", "q", "axis", "out", "overwrite_input", "method", "keepdims"], |m, b| {
        m.quantile(b, false, true)
    }),
    nan_reduction("numpy.nanstd", Reduction::Std).with_layout_dependent_sum(),
    nan_reduction("numpy.nansum", Reduction::Sum).with_layout_dependent_sum(),
    nan_reduction("numpy.nanvar", Reduction::Var).with_layout_dependent_sum(),
    of_array("numpy.ndim", &["a"], |_, a| Ok(Value::Int(a.shape.len() as i64))),
    bound("numpy.negative", 1, &["x"], |m, b| m.unary_operator_function(UnaryOperator::USub, b)),
    binary("numpy.nextafter", TwoFloats(next_after)),
    of_array("numpy.nonzero", &["a"], Machine::nonzero),
    binary("numpy.not_equal", Comparison(ComparisonOperator::NotEq)),
    bound("numpy.ones", 1, &["shape", "dtype"], |m, b| m.full_array(b.required(0), Value::Float(1.0), b.given(1))),
    bound("numpy.ones_like", 1, &["a", "dtype"], |m, b| m.filled_like(b, 1)),
    of_two_arrays("numpy.outer", &["a", "b"], Machine::outer),
    bound("numpy.pad", 2, &["array", "pad_width", "mode", "constant_values"], Machine::pad),
    bound("numpy.percentile", 2, &["a", "q", "axis", "out", "overwrite_input", "method", "keepdims"], |m, b| {
        m.quantile(b, true, false)
    }),
    bound("numpy.polyfit", 3, &["x", "y", "deg", "rcond", "full", "w", "cov"], Machine::fit_polynomial)
        .with_accuracy(Accuracy::Ulps(64)),
    bound("numpy.polyval", 2, &["p", "x"], Machine::polynomial_value),
    bound("numpy.positive", 1, &["x"], |m, b| m.unary_operator_function(UnaryOperator::UAdd, b)),
    operator("numpy.power", BinaryOperator::Pow).with_accuracy(Accuracy::Ulps(1)),
    reduction("numpy.prod", Reduction::Prod),
    reduction("numpy.product", Reduction::Prod),
    reduction("numpy.ptp", Reduction::Ptp),
    bound("numpy.quantile", 2, &["a", "q", "axis", "out", "overwrite_input", "method", "keepdims"], |m, b| {
        m.quantile(b, false, false)
    }),
    unary("numpy.rad2deg", Float(|x| x * DEGREES)).with_float32_ulps(1),
    unary("numpy.radians", Float(|x| x * RADIANS)).with_float32_ulps(1),
    bound("numpy.ravel", 1, &["a", "order"], |m, b| m.ravel(b.required(0))),
    unary(
        "numpy.reciprocal",
        Numbers { int: |x| if x == 0 { i64::MIN } else { 1 / x }, float: |x| 1.0 / x, has_booleans: false },
    ),
    operator("numpy.remainder", BinaryOperator::Mod),
    bound("numpy.repeat", 2, &["a", "repeats", "axis"], |m, b| {
        m.repeat_elements(b.required(0), b.required(1), b.given(2))
    }),
    bound("numpy.reshape", 2, &["a", "newshape", "order"], Machine::reshape_function),
    operator("numpy.right_shift", BinaryOperator::RShift),
    unary("numpy.rint", Float(f64::round_ties_even)),
    bound("numpy.roll", 2, &["a", "shift", "axis"], Machine::roll),
    bound("numpy.round", 1, &["a", "decimals", "out"], Machine::round_array),
    bound("numpy.row_stack", 1, &["tup", "dtype", "casting"], Machine::stack_along),
    bound("numpy.searchsorted", 2, &["a", "v", "side", "sorter"], Machine::search_sorted),
    bound("numpy.select", 2, &["condlist", "choicelist", "default"], Machine::select_first),
    of_two_arrays("numpy.setdiff1d", &["ar1", "ar2"], |m, a, b| m.select_common(a, b, true)),
    LibraryFunction::custom("numpy.seterr", |m, arguments, named| {
        m.check_error_handling("seterr", arguments, named)?;
        let settings = m.empty_dict();
        for (kind, action) in [("divide", "warn"), ("over", "warn"), ("under", "ignore"), ("invalid", "warn")] {
            let (kind, action) = (m.heap.text(kind), m.heap.text(action));
            m.set_entry(settings, kind, action)?;
        }
        Ok(Value::Ref(settings))
    }),
    of_array("numpy.shape", &["a"], |m, a| Ok(m.shape_tuple(a))),
    unary("numpy.sign", Numbers { int: i64::signum, float: sign, has_booleans: false }),
    unary("numpy.signbit", Test(|x| x.to_f64().is_sign_negative())),
    unary("numpy.sin", Float(f64::sin)).with_float32_ulps(1),
    unary("numpy.sinc", Float(sinc)).with_accuracy(Accuracy::Ulps(2)).with_float32_ulps(2),
    unary("numpy.sinh", Float(f64::sinh)).with_accuracy(Accuracy::Ulps(3)).with_float32_ulps(1),
    of_array("numpy.size", &["a"], |_, a| Ok(Value::Int(a.values.len() as i64))),
    bound("numpy.sort", 1, &["a", "axis", "kind", "order"], |m, b| m.sort_array(b, false)),
    bound("numpy.split", 2, &["ary", "indices_or_sections", "axis"], Machine::split_array),
    unary("numpy.sqrt", Float(f64::sqrt)),
    unary("numpy.square", SQUARE),
    bound("numpy.squeeze", 1, &["a", "axis"], |m, b| m.squeeze(b.required(0), b.given(1))),
    bound("numpy.stack", 1, &["arrays", "axis", "out"], Machine::stack),
    reduction("numpy.std", Reduction::Std).with_layout_dependent_sum(),
    operator("numpy.subtract", BinaryOperator::Sub),
    reduction("numpy.sum", Reduction::Sum).with_layout_dependent_sum(),
    bound("numpy.swapaxes", 3, &["a", "axis1", "axis2"], |m, b| {
        m.swap_axes(b.required(0), b.required(1), b.required(2))
    }),
    bound("numpy.take", 2, &["a", "indices", "axis"], |m, b| m.take(b.required(0), b.required(1), b.given(2))),
    unary("numpy.tan", Float(f64::tan)).with_accuracy(Accuracy::Ulps(3)).with_float32_ulps(1),
    unary("numpy.tanh", Float(f64::tanh)).with_accuracy(Accuracy::Ulps(3)).with_float32_ulps(1),
    bound("numpy.tile", 2, &["A", "reps"], Machine::tile),
    bound("numpy.trace", 1, &["a", "offset"], Machine::trace),
    bound("numpy.transpose", 1, &["a", "axes"], |m, b| m.transpose_function(b.required(0), b.given(1))),
    bound("numpy.trapz", 1, &["y", "x", "dx", "axis"], Machine::trapezoidal_area),
    bound("numpy.tril", 1, &["m", "k"], Machine::triangle),
    bound("numpy.triu", 1, &["m", "k"], Machine::triangle),
    operator("numpy.true_divide", BinaryOperator::Div),
    unary("numpy.trunc", Float(f64::trunc)),
    of_two_arrays("numpy.union1d", &["ar1", "ar2"], Machine::union_of_arrays),
    bound(
        "numpy.unique",
        1,
        &["ar", "return_index", "return_inverse", "return_counts", "axis"],
        Machine::unique_elements,
    ),
    reduction("numpy.var", Reduction::Var).with_layout_dependent_sum(),
    of_two_arrays("numpy.vdot", &["a", "b"], Machine::dot_of_flat).with_accuracy(Accuracy::DotProduct),
    bound("numpy.vstack", 1, &["tup", "dtype", "casting"], Machine::stack_along),
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

/// Computes `sin(pi x) / (pi x)`.
fn sinc(number: f64) -> f64 {
    let angle = std::f64::consts::PI * if number == 0.0 { 1e-20 } else { number };
    angle.sin() / angle
}

/// Computes the logarithm of a sum of exponentials.
fn log_add_exp(one: f64, two: f64) -> f64 {
    if one == two {
        return one + std::f64::consts::LN_2;
    }
    let distance = one - two;
    if distance > 0.0 {
        one + (-distance).exp().ln_1p()
    } else if distance <= 0.0 {
        two + distance.exp().ln_1p()
    } else {
        distance
    }
}

/// Computes the step function: 0 for negative numbers, 1 for positive ones, and the second number for 0.
fn heaviside(number: f64, at_zero: f64) -> f64 {
    if number.is_nan() {
        number
    } else if number == 0.0 {
        at_zero
    } else {
        f64::from(u8::from(number > 0.0))
    }
}
