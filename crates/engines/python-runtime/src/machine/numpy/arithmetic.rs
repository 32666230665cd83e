//! Operators on arrays and numpy scalars.

use super::array::{DenseArray, broadcast_shapes, result_dtype, shape_text};
use super::integers::IntKind;
use super::scalar::{Dtype, RuntimeWarning, Scalar};
use super::table::SQUARE;
use super::ufuncs::UnaryUfunc;
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecError, ExecResult};
use crate::machine::value::{HeapObject, Value};
use crate::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};

/// Returns the name of an operator's ufunc.
pub(super) fn ufunc_name(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "add",
        BinaryOperator::Sub => "subtract",
        BinaryOperator::Mult => "multiply",
        BinaryOperator::MatMult => "matmul",
        BinaryOperator::Div => "divide",
        BinaryOperator::Mod => "remainder",
        BinaryOperator::Pow => "power",
        BinaryOperator::LShift => "left_shift",
        BinaryOperator::RShift => "right_shift",
        BinaryOperator::BitOr => "bitwise_or",
        BinaryOperator::BitXor => "bitwise_xor",
        BinaryOperator::BitAnd => "bitwise_and",
        BinaryOperator::FloorDiv => "floor_divide",
    }
}

impl Machine {
    pub(in crate::machine) fn is_numpy(&self, value: Value) -> bool {
        match value {
            Value::Numpy(_) => true,
            Value::Ref(at) => matches!(self.heap.get(at), HeapObject::Array(_)),
            _ => false,
        }
    }

    /// Evaluates a binary operator on arrays and numpy scalars; `None` if an operand does not convert to an array.
    pub(in crate::machine) fn numpy_binary(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
    ) -> ExecResult<Option<Value>> {
        let (Some(one), Some(two)) = (self.as_dense(left)?, self.as_dense(right)?) else { return Ok(None) };
        if operator == BinaryOperator::MatMult {
            return self.dot(&one, &two, "matmul").map(Some);
        }
        // Some exponents select other functions, which are exact.
        if operator == BinaryOperator::Pow
            && let Some(power) = self.fast_scalar_power(&one, left, &two)?
        {
            return Ok(Some(power));
        }
        self.elementwise_operator(operator, &one, &two)?
            .map_or(Ok(None), |grid| self.new_array_or_scalar(grid).map(Some))
    }

    /// Computes the powers of an array for the exponents 0.5, 2, 1, 0 and -1, for which numpy does not call `pow`; `None` for others.
    fn fast_scalar_power(
        &mut self,
        grid: &DenseArray,
        array: Value,
        exponent: &DenseArray,
    ) -> ExecResult<Option<Value>> {
        let kind = grid.dtype;
        if !kind.is_float() || self.array(array).is_none() || !exponent.shape.is_empty() {
            return Ok(None);
        }
        let Some(exponent) = exponent.values.first().map(|exponent| exponent.to_f64()) else { return Ok(None) };
        let one = Scalar::Float(1.0).cast(kind);
        if exponent == 0.5 {
            return self.unary_ufunc("sqrt", UnaryUfunc::Float(f64::sqrt), grid).map(Some);
        }
        if exponent == 2.0 {
            return self.unary_ufunc("square", SQUARE, grid).map(Some);
        }
        self.reserve_values(grid.values.len())?;
        let values: Vec<Scalar> = if exponent == 1.0 {
            grid.values.clone()
        } else if exponent == 0.0 {
            vec![one; grid.values.len()]
        } else if exponent == -1.0 {
            let found: Vec<_> = grid
                .values
                .iter()
                .filter_map(|&value| one.apply_operator(BinaryOperator::Div, value.cast(kind)))
                .collect();
            let warnings: Vec<RuntimeWarning> = found.iter().filter_map(|&(_, warning)| warning).collect();
            self.emit_runtime_warnings(&warnings, "reciprocal");
            found.into_iter().map(|(value, _)| value).collect()
        } else {
            return Ok(None);
        };
        self.new_array_or_scalar(DenseArray { shape: grid.shape.clone(), dtype: kind, values, is_scalar: false })
            .map(Some)
    }

    /// Applies an operator element by element, with broadcasting; `None` if the kinds of numbers do not support it.
    pub(super) fn elementwise_operator(
        &mut self,
        operator: BinaryOperator,
        one: &DenseArray,
        two: &DenseArray,
    ) -> ExecResult<Option<DenseArray>> {
        let kind = result_dtype(one, two);
        if operator == BinaryOperator::Sub && kind == Dtype::Bool {
            let message = "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` \
                operator, or the logical_xor function instead.";
            return Err(self.type_error(message));
        }
        if operator == BinaryOperator::Pow
            && kind.is_integer()
            && two.dtype != Dtype::Sized(IntKind::UInt64)
            && two.values.iter().any(|value| value.to_i64() < 0)
        {
            let message = "Integers to negative integer powers are not allowed.";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let shape = self.common_shape(one, two)?;
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        let mut values = Vec::with_capacity(size);
        let mut warnings = Vec::new();
        for place in 0..size {
            let (a, b) =
                (one.broadcast_element(&shape, place).cast(kind), two.broadcast_element(&shape, place).cast(kind));
            let Some((value, warning)) = a.apply_operator(operator, b) else { return Ok(None) };
            values.push(value);
            warnings.extend(warning);
        }
        let values = if kind == Dtype::Bool { as_small_integers(values) } else { values };
        let scalar = if one.shape.is_empty() && two.shape.is_empty() { "scalar " } else { "" };
        self.emit_runtime_warnings(&warnings, &format!("{scalar}{}", ufunc_name(operator)));
        let kind = match operator {
            BinaryOperator::Div if !kind.is_float() => Dtype::Float,
            BinaryOperator::FloorDiv
            | BinaryOperator::Mod
            | BinaryOperator::Pow
            | BinaryOperator::LShift
            | BinaryOperator::RShift
                if kind == Dtype::Bool =>
            {
                Dtype::Sized(IntKind::Int8)
            }
            _ => kind,
        };
        Ok(Some(DenseArray { shape, dtype: kind, values, is_scalar: one.is_scalar && two.is_scalar }))
    }

    /// Records the warnings that numpy would emit, each kind once.
    pub(super) fn emit_runtime_warnings(&mut self, warnings: &[RuntimeWarning], operation: &str) {
        for warning in [RuntimeWarning::DivideByZero, RuntimeWarning::Overflow, RuntimeWarning::Invalid] {
            if warnings.contains(&warning) {
                self.warn(&format!("RuntimeWarning: {} {operation}", warning.message()));
            }
        }
    }

    pub(super) fn common_shape(&mut self, one: &DenseArray, two: &DenseArray) -> ExecResult<Vec<usize>> {
        match broadcast_shapes(&one.shape, &two.shape) {
            Some(shape) => Ok(shape),
            None => Err(self.broadcast_error(&one.shape, &two.shape)),
        }
    }

    pub(super) fn broadcast_error(&mut self, one: &[usize], two: &[usize]) -> ExecError {
        let (one, two) = (shape_text(one), shape_text(two));
        let message = format!("operands could not be broadcast together with shapes {one} {two} ");
        self.raise(ExceptionKind::ValueError, &message)
    }

    /// Evaluates a comparison element by element. If an operand does not convert to an array, `==` and `!=` with an array yield
    /// the same truth value for each element, and the result is `None` otherwise.
    pub(in crate::machine) fn numpy_compare(
        &mut self,
        operator: ComparisonOperator,
        left: Value,
        right: Value,
    ) -> ExecResult<Option<Value>> {
        let equality = matches!(operator, ComparisonOperator::Eq | ComparisonOperator::NotEq);
        let (Some(one), Some(two)) = (self.as_dense(left)?, self.as_dense(right)?) else {
            // An array is unequal to every value that does not convert to an array.
            let array = self.array(left).or(self.array(right)).cloned();
            return match array {
                Some(array) if equality => {
                    let grid = self.to_dense(&array);
                    let grid = grid.map(Dtype::Bool, |_| Scalar::Bool(operator == ComparisonOperator::NotEq));
                    self.new_array_or_scalar(grid).map(Some)
                }
                _ => Ok(None),
            };
        };
        let shape = self.common_shape(&one, &two)?;
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        // A scalar is compared in the kind of the array.
        let kind = result_dtype(&one, &two);
        let narrow = |value: Scalar| if kind == Dtype::Float32 { value.cast(kind) } else { value };
        let values = (0..size).map(|place| {
            let (a, b) = (narrow(one.broadcast_element(&shape, place)), narrow(two.broadcast_element(&shape, place)));
            Scalar::Bool(a.compare(operator, b))
        });
        let values = values.collect();
        self.new_array_or_scalar(DenseArray::new(shape, values, Dtype::Bool)).map(Some)
    }

    /// Evaluates `-`, `+` or `~` of an array or a numpy scalar.
    pub(in crate::machine) fn numpy_unary(
        &mut self,
        operator: UnaryOperator,
        value: Value,
    ) -> ExecResult<Option<Value>> {
        let Some(grid) = self.as_dense(value)? else { return Ok(None) };
        let refused = match (operator, grid.dtype) {
            (UnaryOperator::USub, Dtype::Bool) => Some(
                "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the \
                logical_not function instead.",
            ),
            (UnaryOperator::Invert, Dtype::Float | Dtype::Float32) => Some(
                "ufunc 'invert' not supported for the input types, and the inputs could not be safely coerced to any \
                supported types according to the casting rule ''safe''",
            ),
            _ => None,
        };
        if let Some(message) = refused {
            return Err(self.type_error(message));
        }
        let grid = grid.map(grid.dtype, |value| match (operator, value) {
            (UnaryOperator::USub, Scalar::Int(number)) => Scalar::Int(number.wrapping_neg()),
            (UnaryOperator::USub, Scalar::Sized(kind, number)) => Scalar::Sized(kind, kind.wrap(number.wrapping_neg())),
            (UnaryOperator::Invert, Scalar::Sized(kind, number)) => Scalar::Sized(kind, kind.wrap(!number)),
            (UnaryOperator::USub, Scalar::Float(number)) => Scalar::Float(-number),
            (UnaryOperator::USub, Scalar::Float32(number)) => Scalar::Float32(-number),
            (UnaryOperator::Invert, Scalar::Int(number)) => Scalar::Int(!number),
            (UnaryOperator::Invert, Scalar::Bool(truth)) => Scalar::Bool(!truth),
            _ => value,
        });
        self.new_array_or_scalar(grid).map(Some)
    }

    /// Evaluates an augmented assignment such as `a += b` in the buffer of an array, which views share; `None` for other operands.
    pub(in crate::machine) fn numpy_in_place(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
    ) -> ExecResult<Option<Value>> {
        let Some(array) = self.array(left).cloned() else { return Ok(None) };
        if operator == BinaryOperator::MatMult {
            return Ok(None);
        }
        let Some(two) = self.as_dense(right)? else { return Ok(None) };
        let one = self.to_dense(&array);
        if operator == BinaryOperator::Pow
            && let Some(power) = self.fast_scalar_power(&one, left, &two)?
            && let Some(result) = self.as_dense(power)?
        {
            self.write_array(&array, &result.values);
            return Ok(Some(left));
        }
        let Some(result) = self.elementwise_operator(operator, &one, &two)? else { return Ok(None) };
        if result.dtype.category_rank() > array.dtype.category_rank() {
            let message = format!(
                "Cannot cast ufunc '{}' output from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
                ufunc_name(operator),
                super::dtype::dtype_name(result.dtype),
                super::dtype::dtype_name(array.dtype)
            );
            return Err(self.type_error(&message));
        }
        if result.shape != array.shape() {
            let (own, result_shape) = (shape_text(&array.shape()), shape_text(&result.shape));
            let message = format!(
                "non-broadcastable output operand with shape {own} doesn't match the broadcast shape {result_shape}"
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        self.write_array(&array, &result.values);
        Ok(Some(left))
    }

    /// Writes numbers to the buffer of an array, in row-major order.
    pub(super) fn write_array(&mut self, array: &super::Array, values: &[Scalar]) {
        if let HeapObject::Buffer(buffer) = self.heap.get_mut(array.buffer) {
            for (place, value) in array.buffer_offsets().into_iter().zip(values) {
                buffer[place] = value.cast(array.dtype);
            }
        }
    }

    /// Returns the truth value of an array of at most one number; raises `ValueError` for larger ones.
    pub(in crate::machine) fn array_truth(&mut self, value: Value) -> ExecResult<bool> {
        let Some(array) = self.array(value).cloned() else { return Ok(true) };
        match self.to_dense(&array).values.as_slice() {
            [] => Ok(false),
            [one] => Ok(one.to_bool()),
            _ => {
                let message =
                    "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()";
                Err(self.raise(ExceptionKind::ValueError, message))
            }
        }
    }

    /// Computes `np.dot` or `@`; each product is added with a single rounding, as by processors with fused multiply-add.
    pub(super) fn dot(&mut self, one: &DenseArray, two: &DenseArray, name: &str) -> ExecResult {
        let kind = one.dtype.promote(two.dtype);
        if one.shape.is_empty() || two.shape.is_empty() {
            if name == "matmul" {
                let place = usize::from(!one.shape.is_empty());
                let message = format!(
                    "matmul: Input operand {place} does not have enough dimensions (has 0, gufunc core with signature \
                    (n?,k),(k,m?)->(n?,m?) requires 1)"
                );
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
            let product = self.apply_elementwise(BinaryOperator::Mult, one, two)?;
            return self.new_array_or_scalar(product);
        }
        if one.shape.len() > 2 || two.shape.len() > 2 {
            return Err(self.type_error("products of arrays with more than two dimensions are not supported"));
        }
        let inner = *one.shape.last().unwrap_or(&0);
        let other = two.shape[0];
        if inner != other {
            return Err(self.alignment_error(one, two, name));
        }
        let rows = if one.shape.len() == 2 { one.shape[0] } else { 1 };
        let columns = if two.shape.len() == 2 { two.shape[1] } else { 1 };
        self.reserve_values(rows.saturating_mul(columns).saturating_mul(inner.max(1)))?;
        let mut values = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let pairs = (0..inner).map(|at| (one.values[row * inner + at], two.values[at * columns + column]));
                values.push(sum_of_products(pairs, kind));
            }
        }
        let shape = one.shape[..one.shape.len() - 1].iter().chain(&two.shape[1..]).copied().collect();
        self.new_array_or_scalar(DenseArray::new(shape, values, kind))
    }

    fn alignment_error(&mut self, one: &DenseArray, two: &DenseArray, name: &str) -> ExecError {
        let (inner, other) = (one.shape[one.shape.len() - 1], two.shape[0]);
        let message = if name == "matmul" {
            format!(
                "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature \
                (n?,k),(k,m?)->(n?,m?) (size {other} is different from {inner})"
            )
        } else {
            let (a, b) = (shape_text(&one.shape), shape_text(&two.shape));
            format!("shapes {a} and {b} not aligned: {inner} (dim {}) != {other} (dim 0)", one.shape.len() - 1)
        };
        self.raise(ExceptionKind::ValueError, &message)
    }
}

pub(super) fn sum_of_products(pairs: impl Iterator<Item = (Scalar, Scalar)>, kind: Dtype) -> Scalar {
    match kind {
        Dtype::Bool => Scalar::Bool(pairs.fold(false, |any, (a, b)| any | (a.to_bool() && b.to_bool()))),
        Dtype::Sized(kind) => {
            let sum = pairs.fold(0i64, |sum, (a, b)| sum.wrapping_add(a.to_i64().wrapping_mul(b.to_i64())));
            Scalar::Sized(kind, kind.wrap(sum))
        }
        Dtype::Int => {
            Scalar::Int(pairs.fold(0i64, |sum, (a, b)| sum.wrapping_add(a.to_i64().wrapping_mul(b.to_i64()))))
        }
        Dtype::Float32 => {
            Scalar::Float32(pairs.fold(0f32, |sum, (a, b)| (a.to_f64() as f32).mul_add(b.to_f64() as f32, sum)))
        }
        Dtype::Float => Scalar::Float(pairs.fold(0f64, |sum, (a, b)| a.to_f64().mul_add(b.to_f64(), sum))),
    }
}

/// Converts the integers that operators on truth values compute to `int8`, the kind in which numpy computes them.
fn as_small_integers(values: Vec<Scalar>) -> Vec<Scalar> {
    let narrow = |value: Scalar| {
        if let Scalar::Int(_) = value { value.cast(Dtype::Sized(IntKind::Int8)) } else { value }
    };
    values.into_iter().map(narrow).collect()
}
