//! Universal functions: functions of each element, or of each pair of elements.

use super::array::DenseArray;
use super::integers::IntKind;
use super::scalar::{Dtype, RuntimeWarning, Scalar};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::Value;
use crate::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};

/// A function of each element of an array.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) enum UnaryUfunc {
    /// A function of floats, to which other numbers are converted.
    Float(fn(f64) -> f64),
    /// A logarithm: a function of floats with a pole.
    Logarithm(fn(f64) -> f64),
    /// A function that keeps the kind of numbers; Booleans are unchanged, or raise a `TypeError`.
    Numbers { int: fn(i64) -> i64, float: fn(f64) -> f64, has_booleans: bool },
    /// A test.
    Test(fn(Scalar) -> bool),
}

/// A function of each pair of elements of two arrays.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) enum BinaryUfunc {
    /// A function of floats, to which other numbers are converted.
    TwoFloats(fn(f64, f64) -> f64),
    /// A function of truth values.
    Logical(fn(bool, bool) -> bool),
    /// The maximum or minimum; NaN takes precedence.
    Extreme { is_max: bool },
    /// The maximum or minimum; NaN is ignored.
    NumberExtreme { is_max: bool },
    /// A comparison.
    Comparison(ComparisonOperator),
    /// A function of floats, or the integers from one function of integers.
    Numbers { int: fn(i64, i64) -> i64, float: fn(f64, f64) -> f64 },
}

impl Machine {
    /// Implements `np.negative` and the functions of other unary operators.
    pub(super) fn unary_operator_function(
        &mut self,
        operator: UnaryOperator,
        bound: &BoundArguments<'_>,
    ) -> ExecResult {
        if let Some(result) = self.numpy_unary(operator, bound.required(0))? {
            return Ok(result);
        }
        let message = format!("bad operand type for numpy.{}", bound.function);
        Err(self.type_error(&message))
    }

    /// Applies a function of one number to each element.
    pub(super) fn unary_ufunc(&mut self, name: &str, ufunc: UnaryUfunc, grid: &DenseArray) -> ExecResult {
        let kind = match ufunc {
            UnaryUfunc::Numbers { has_booleans: false, .. } if grid.dtype == Dtype::Bool => {
                let message = format!("ufunc '{name}' did not contain a loop with signature matching types");
                return Err(self.type_error(&message));
            }
            UnaryUfunc::Test(_) => Dtype::Bool,
            UnaryUfunc::Numbers { .. } => grid.dtype,
            UnaryUfunc::Float(_) | UnaryUfunc::Logarithm(_) => self.float_function_dtype(name, grid.dtype)?,
        };
        let mut warnings = Vec::new();
        let values: Vec<Scalar> = grid
            .values
            .iter()
            .map(|&value| {
                let result = apply_ufunc(ufunc, value, kind);
                if kind.is_float() && !value.is_nan() {
                    let (from, to) = (value.to_f64(), result.to_f64());
                    if to.is_nan() {
                        warnings.push(RuntimeWarning::Invalid);
                    } else if to.is_infinite() && from.is_finite() {
                        let has_pole = matches!(ufunc, UnaryUfunc::Logarithm(_));
                        warnings.push(if has_pole { RuntimeWarning::DivideByZero } else { RuntimeWarning::Overflow });
                    }
                }
                result
            })
            .collect();
        self.emit_runtime_warnings(&warnings, name);
        self.new_array_or_scalar(DenseArray {
            is_scalar: grid.is_scalar,
            ..DenseArray::new(grid.shape.clone(), values, kind)
        })
    }

    /// Returns the kind of the results of a function of floats.
    pub(super) fn float_function_dtype(&mut self, name: &str, kind: Dtype) -> ExecResult<Dtype> {
        match kind.of_float_function() {
            Some(kind) => Ok(kind),
            None => Err(self.type_error(&format!(
                "numpy.{name} of {} gives float16, which reward functions do not support: use .astype(float) first",
                super::dtype::dtype_name(kind)
            ))),
        }
    }

    pub(super) fn binary_ufunc(&mut self, ufunc: BinaryUfunc, one: &DenseArray, two: &DenseArray) -> ExecResult {
        let shape = self.common_shape(one, two)?;
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        let kind = super::array::result_dtype(one, two);
        let kind = match ufunc {
            BinaryUfunc::Logical(_) | BinaryUfunc::Comparison(_) => Dtype::Bool,
            BinaryUfunc::Numbers { .. } if kind == Dtype::Bool => Dtype::Sized(IntKind::Int8),
            BinaryUfunc::TwoFloats(_) => self.float_function_dtype("arctan2", kind)?,
            _ => kind,
        };
        let values = (0..size).map(|place| {
            let (a, b) = (one.broadcast_element(&shape, place), two.broadcast_element(&shape, place));
            match ufunc {
                BinaryUfunc::Logical(holds) => Scalar::Bool(holds(a.to_bool(), b.to_bool())),
                BinaryUfunc::TwoFloats(compute) => Scalar::from_f64(compute(a.to_f64(), b.to_f64()), kind),
                BinaryUfunc::NumberExtreme { .. } if a.is_nan() => b,
                BinaryUfunc::NumberExtreme { .. } if b.is_nan() => a,
                BinaryUfunc::Extreme { is_max } | BinaryUfunc::NumberExtreme { is_max } => {
                    min_or_max(a.cast(kind), b.cast(kind), is_max)
                }
                BinaryUfunc::Comparison(operator) => Scalar::Bool(a.compare(operator, b)),
                BinaryUfunc::Numbers { int, .. } if kind.is_integer() => {
                    Scalar::Int(int(a.to_i64(), b.to_i64())).cast(kind)
                }
                BinaryUfunc::Numbers { float, .. } => Scalar::from_f64(float(a.to_f64(), b.to_f64()), kind),
            }
        });
        let values = values.collect();
        self.new_array_or_scalar(DenseArray::new(shape, values, kind))
    }

    /// Implements `np.clip`.
    pub(super) fn clip(&mut self, array: Value, low: Option<Value>, high: Option<Value>) -> ExecResult {
        let mut result = self.array_argument("clip", array)?;
        let low = low.map(|low| self.array_argument("clip", low)).transpose()?;
        let high = high.map(|high| self.array_argument("clip", high)).transpose()?;
        if low.is_none() && high.is_none() {
            return Err(self.raise(ExceptionKind::ValueError, "One of max or min must be given"));
        }
        for (bound, is_low) in [(low.as_ref(), true), (high.as_ref(), false)] {
            let Some(bound) = bound else { continue };
            let kind = super::array::result_dtype(&result, bound);
            let shape = self.common_shape(&result, bound)?;
            let size: usize = shape.iter().product();
            self.reserve_values(size)?;
            let values = (0..size)
                .map(|place| {
                    let (a, b) = (
                        result.broadcast_element(&shape, place).cast(kind),
                        bound.broadcast_element(&shape, place).cast(kind),
                    );
                    min_or_max(a, b, is_low)
                })
                .collect();
            result =
                DenseArray { is_scalar: result.is_scalar && bound.is_scalar, ..DenseArray::new(shape, values, kind) };
        }
        self.new_array_or_scalar(result)
    }

    /// Applies an operator to each pair of elements.
    ///
    /// # Errors
    /// `TypeError` if the dtypes do not support the operator.
    pub(super) fn apply_elementwise(
        &mut self,
        operator: BinaryOperator,
        one: &DenseArray,
        two: &DenseArray,
    ) -> ExecResult<DenseArray> {
        if let Some(result) = self.elementwise_operator(operator, one, two)? {
            return Ok(result);
        }
        let name = super::arithmetic::ufunc_name(operator);
        Err(self.type_error(&format!("ufunc '{name}' not supported for the input types")))
    }

    /// Implements `np.isclose`, and `np.allclose` if `is_reduced`.
    pub(super) fn isclose(&mut self, bound: &BoundArguments<'_>, is_reduced: bool) -> ExecResult {
        let (one, two) = self.first_two_arrays(bound)?;
        let relative = self.array_argument("isclose", bound.get(2).unwrap_or(Value::Float(1e-5)))?;
        let absolute = self.array_argument("isclose", bound.get(3).unwrap_or(Value::Float(1e-8)))?;
        let equal_nan = bound.get(4).map_or(Ok(false), |equal| self.truth(equal))?;
        let mut shape = one.shape.clone();
        for other in [&two, &relative, &absolute] {
            let Some(common) = super::array::broadcast_shapes(&shape, &other.shape) else {
                return Err(self.broadcast_error(&shape, &other.shape));
            };
            shape = common;
        }
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        let values = (0..size).map(|place| {
            let (a, b) = (one.broadcast_element(&shape, place).to_f64(), two.broadcast_element(&shape, place).to_f64());
            let relative = relative.broadcast_element(&shape, place).to_f64();
            let absolute = absolute.broadcast_element(&shape, place).to_f64();
            let both_nan = equal_nan && a.is_nan() && b.is_nan();
            let close = both_nan
                || if a.is_finite() && b.is_finite() { (a - b).abs() <= absolute + relative * b.abs() } else { a == b };
            Scalar::Bool(close)
        });
        let values = values.collect();
        let grid = DenseArray::new(shape, values, Dtype::Bool);
        if is_reduced {
            return Ok(Value::Bool(grid.values.iter().all(|value| value.to_bool())));
        }
        self.new_array_or_scalar(grid)
    }

    /// Implements `np.where`.
    pub(super) fn select_by_condition(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let (yes, no) = match (bound.get(1), bound.get(2)) {
            (Some(yes), Some(no)) => (yes, no),
            (None, None) => {
                let condition = self.array_argument("where", bound.required(0))?;
                return self.nonzero(&condition);
            }
            _ => {
                let message = "either both or neither of x and y should be given";
                return Err(self.raise(ExceptionKind::ValueError, message));
            }
        };
        let condition = &self.array_argument("where", bound.required(0))?;
        let (yes, no) = (&self.array_argument("where", yes)?, &self.array_argument("where", no)?);
        let values = self.common_shape(yes, no)?;
        let Some(shape) = super::array::broadcast_shapes(&condition.shape, &values) else {
            return Err(self.broadcast_error(&condition.shape, &values));
        };
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        let kind = super::array::result_dtype(yes, no);
        let chosen = (0..size).map(|place| {
            if condition.broadcast_element(&shape, place).to_bool() {
                yes.broadcast_element(&shape, place)
            } else {
                no.broadcast_element(&shape, place)
            }
        });
        let chosen = chosen.collect();
        self.new_array(DenseArray::new(shape, chosen, kind))
    }
}

/// Returns the larger or the smaller number; NaN takes precedence.
pub(super) fn min_or_max(a: Scalar, b: Scalar, larger: bool) -> Scalar {
    let keeps = a.is_nan() || a.compare(if larger { ComparisonOperator::GtE } else { ComparisonOperator::LtE }, b);
    if keeps { a } else { b }
}

fn apply_ufunc(ufunc: UnaryUfunc, value: Scalar, kind: Dtype) -> Scalar {
    match (ufunc, value) {
        (UnaryUfunc::Test(holds), _) => Scalar::Bool(holds(value)),
        (UnaryUfunc::Numbers { .. }, Scalar::Bool(_)) => value,
        (UnaryUfunc::Numbers { int, .. }, Scalar::Int(number)) => Scalar::Int(int(number)),
        // The absolute value and the sign of integers that are not signed take their bits as signed.
        (UnaryUfunc::Numbers { int, .. }, Scalar::Sized(kind, number)) => Scalar::Int(int(number)).cast(kind.into()),
        (UnaryUfunc::Numbers { float, .. } | UnaryUfunc::Float(float) | UnaryUfunc::Logarithm(float), _) => {
            Scalar::from_f64(float(value.to_f64()), kind)
        }
    }
}

/// Computes the sign of a float, as numpy does for zeros and NaN.
pub(super) fn sign(number: f64) -> f64 {
    if number == 0.0 || number.is_nan() { number + 0.0 } else { 1f64.copysign(number) }
}
