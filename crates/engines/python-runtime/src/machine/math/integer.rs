//! Functions of `math` on integers, on collections of numbers, and with several results.

use num_bigint::BigInt;

use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::numbers::Number;
use crate::machine::value::Value;
use crate::operators::BinaryOperator;

impl Machine {
    /// Converts an argument to an integer.
    fn integer_argument(&mut self, value: Value) -> ExecResult<BigInt> {
        if let Some(number) = self.as_number(value)
            && let Some(big) = number.to_big_int()
        {
            return Ok(big);
        }
        self.as_index(value).map(BigInt::from)
    }

    fn integer_arguments(&mut self, arguments: &[Value]) -> ExecResult<Vec<BigInt>> {
        arguments.iter().map(|&argument| self.integer_argument(argument)).collect()
    }

    pub(super) fn greatest_common_divisor(&mut self, arguments: &[Value]) -> ExecResult {
        let mut divisor = BigInt::ZERO;
        for other in &self.integer_arguments(arguments)? {
            divisor = self.gcd(&divisor, other)?;
        }
        Ok(self.new_int(divisor))
    }

    pub(super) fn least_common_multiple(&mut self, arguments: &[Value]) -> ExecResult {
        let mut multiple = BigInt::from(1);
        for number in &self.integer_arguments(arguments)? {
            let divisor = self.gcd(&multiple, number)?;
            self.charge_product(&multiple, number)?;
            multiple = if divisor == BigInt::ZERO { BigInt::ZERO } else { &multiple / &divisor * number };
            self.charge(multiple.bits() / 64)?;
        }
        Ok(self.new_int(if multiple < BigInt::ZERO { -multiple } else { multiple }))
    }

    pub(super) fn factorial(&mut self, argument: Value) -> ExecResult {
        let number = self.integer_argument(argument)?;
        if number < BigInt::ZERO {
            return Err(self.raise(ExceptionKind::ValueError, "factorial() not defined for negative values"));
        }
        let mut product = Value::Int(1);
        let last = i64::try_from(&number).unwrap_or(i64::MAX);
        for factor in 2..=last {
            self.charge(1)?;
            product = self.binary(BinaryOperator::Mult, product, Value::Int(factor))?;
        }
        Ok(product)
    }

    pub(super) fn integer_root(&mut self, argument: Value) -> ExecResult {
        let number = self.integer_argument(argument)?;
        if number < BigInt::ZERO {
            return Err(self.raise(ExceptionKind::ValueError, "isqrt() argument must be nonnegative"));
        }
        self.charge_product(&number, &number)?;
        let root = number.sqrt();
        Ok(self.new_int(root))
    }

    pub(super) fn combinations(&mut self, arguments: &[Value]) -> ExecResult {
        self.count_selections(arguments, false)
    }

    pub(super) fn permutations(&mut self, arguments: &[Value]) -> ExecResult {
        self.count_selections(arguments, true)
    }

    fn gcd(&mut self, one: &BigInt, other: &BigInt) -> ExecResult<BigInt> {
        let (mut a, mut b) = (one.magnitude().clone(), other.magnitude().clone());
        while b.bits() > 0 {
            // The cost of a division step is the product of the lengths of divisor and quotient; the quotient is mostly short.
            self.charge(4 + a.bits() / 64 * (1 + a.bits().saturating_sub(b.bits()) / 64) / 4)?;
            let rest = a % &b;
            (a, b) = (b, rest);
        }
        Ok(a.into())
    }

    /// Counts the selections of `k` of `n` things, or of all; in each order if `is_ordered`.
    fn count_selections(&mut self, arguments: &[Value], is_ordered: bool) -> ExecResult {
        let numbers = self.integer_arguments(arguments)?;
        let (Some(n), Some(k)) = (numbers.first(), numbers.last()) else { return Ok(Value::None) };
        if *n < BigInt::ZERO || *k < BigInt::ZERO {
            let which = if *n < BigInt::ZERO { "n" } else { "k" };
            let message = format!("{which} must be a non-negative integer");
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        if k > n {
            return Ok(Value::Int(0));
        }
        let rest = n - k;
        let count = if is_ordered { k.clone() } else { k.min(&rest).clone() };
        let count = i64::try_from(&count).unwrap_or(i64::MAX);
        let mut product = Value::Int(1);
        let mut divisor = Value::Int(1);
        for step in 0..count {
            self.charge(1)?;
            let factor = self.new_int(n - BigInt::from(step));
            product = self.binary(BinaryOperator::Mult, product, factor)?;
            if !is_ordered {
                divisor = self.binary(BinaryOperator::Mult, divisor, Value::Int(step + 1))?;
            }
        }
        self.binary(BinaryOperator::FloorDiv, product, divisor)
    }

    pub(super) fn product(&mut self, values: Value, named: KeywordArguments<'_>) -> ExecResult {
        let mut product = match named {
            [] => Value::Int(1),
            [(symbol, start)] if &*self.name(*symbol) == "start" => *start,
            _ => return Err(self.type_error("prod() got an unexpected keyword argument")),
        };
        let iterator = self.iterator(values)?;
        while let Some(item) = self.advance(iterator)? {
            product = self.binary(BinaryOperator::Mult, product, item)?;
        }
        Ok(product)
    }

    pub(super) fn exact_sum(&mut self, values: Value) -> ExecResult {
        let mut numbers = Vec::new();
        for value in self.collect_values(values)? {
            numbers.push(self.float_argument(value)?);
        }
        self.fsum(&numbers)
    }

    pub(super) fn distance(&mut self, points: &[Value]) -> ExecResult {
        let (one, two) = (self.collect_values(points[0])?, self.collect_values(points[1])?);
        if one.len() != two.len() {
            let message = "both points must have the same number of dimensions";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let mut distances = Vec::with_capacity(one.len());
        for (a, b) in one.into_iter().zip(two) {
            distances.push(self.float_argument(a)? - self.float_argument(b)?);
        }
        Ok(Value::Float(euclidean_norm(&distances)))
    }

    pub(super) fn is_close(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let mut tolerances = [1e-9, 0.0];
        for &(symbol, value) in named {
            let name = self.name(symbol);
            let place = match &*name {
                "rel_tol" => 0,
                "abs_tol" => 1,
                _ => {
                    let message = format!("'{name}' is an invalid keyword argument for isclose()");
                    return Err(self.type_error(&message));
                }
            };
            tolerances[place] = self.float_argument(value)?;
        }
        if tolerances.iter().any(|&tolerance| tolerance < 0.0) {
            return Err(self.raise(ExceptionKind::ValueError, "tolerances must be non-negative"));
        }
        let (a, b) = (self.float_argument(arguments[0])?, self.float_argument(arguments[1])?);
        let [relative, absolute] = tolerances;
        let apart = (a - b).abs();
        let close = a == b
            || (a.is_finite()
                && b.is_finite()
                && (apart <= (relative * b).abs() || apart <= (relative * a).abs() || apart <= absolute));
        Ok(Value::Bool(close))
    }

    /// Computes a sum with a single rounding, from partial sums that do not overlap (Shewchuk's algorithm).
    pub(in crate::machine) fn fsum(&mut self, numbers: &[f64]) -> ExecResult {
        if numbers.iter().any(|number| !number.is_finite()) {
            let sum: f64 = numbers.iter().filter(|number| !number.is_finite()).sum();
            let has_nan = numbers.iter().any(|number| number.is_nan());
            if sum.is_nan() && !has_nan {
                return Err(self.raise(ExceptionKind::ValueError, "-inf + inf in fsum"));
            }
            return Ok(Value::Float(sum));
        }
        self.charge(numbers.len() as u64)?;
        match accurate_sum(numbers) {
            Some(sum) => Ok(Value::Float(sum)),
            None => Err(self.raise(ExceptionKind::OverflowError, "intermediate overflow in fsum")),
        }
    }

    pub(super) fn load_exponent(&mut self, arguments: &[Value]) -> ExecResult {
        let number = self.float_argument(arguments[0])?;
        let Some(Number::Int(exponent)) = self.as_number(arguments[1]) else {
            return Err(self.type_error("Expected an int as second argument to ldexp."));
        };
        let value = ldexp(number, exponent);
        if value.is_infinite() && number.is_finite() {
            return Err(self.raise(ExceptionKind::OverflowError, "math range error"));
        }
        Ok(Value::Float(value))
    }

    pub(super) fn fraction_and_whole(&mut self, argument: Value) -> ExecResult {
        let number = self.float_argument(argument)?;
        let parts = match number {
            _ if number.is_infinite() => [0f64.copysign(number), number],
            _ if number.is_nan() => [number, number],
            _ => [number.fract().copysign(number), number.trunc()],
        };
        Ok(self.heap.tuple(parts.map(Value::Float)))
    }

    pub(super) fn fraction_and_exponent(&mut self, argument: Value) -> ExecResult {
        let number = self.float_argument(argument)?;
        let (fraction, exponent) = frexp(number);
        Ok(self.heap.tuple([Value::Float(fraction), Value::Int(exponent)]))
    }
}

/// Returns the sum of finite floats, rounded once; `None` if a partial sum is too large.
pub(crate) fn accurate_sum(numbers: &[f64]) -> Option<f64> {
    if numbers.iter().any(|number| !number.is_finite()) {
        return None;
    }
    let mut partials: Vec<f64> = Vec::new();
    for &number in numbers {
        let mut x = number;
        let mut kept = 0;
        for place in 0..partials.len() {
            let mut y = partials[place];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let high = x + y;
            let low = y - (high - x);
            if low != 0.0 {
                partials[kept] = low;
                kept += 1;
            }
            x = high;
        }
        partials.truncate(kept);
        if x != 0.0 {
            if x.is_infinite() {
                return None;
            }
            partials.push(x);
        }
    }
    Some(round_partial_sums(&partials))
}

/// Rounds partial sums that do not overlap to the nearest float; the next partial sum decides ties.
fn round_partial_sums(partials: &[f64]) -> f64 {
    let mut rest = partials.iter().rev().copied();
    let Some(mut high) = rest.next() else { return 0.0 };
    let mut low = 0.0;
    for next in rest.by_ref() {
        let before = high;
        high = before + next;
        low = next - (high - before);
        if low != 0.0 {
            break;
        }
    }
    if let Some(next) = rest.next()
        && ((low < 0.0 && next < 0.0) || (low > 0.0 && next > 0.0))
    {
        let twice = low * 2.0;
        let up = high + twice;
        if twice == up - high {
            high = up;
        }
    }
    high
}

/// Splits a float into a fraction, with magnitude in `[0.5, 1)`, and a power of two, as `frexp` does.
pub(super) fn frexp(number: f64) -> (f64, i64) {
    if number == 0.0 || !number.is_finite() {
        return (number, 0);
    }
    // Subnormal numbers are normalized first.
    let (number, shift) = if number.abs() < f64::MIN_POSITIVE { (number * 2f64.powi(64), 64) } else { (number, 0) };
    let bits = number.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let fraction = f64::from_bits((bits & !(0x7ff << 52)) | (1022 << 52));
    (fraction, exponent - 1022 - shift)
}

/// Computes `number * 2^exponent` with a single rounding.
fn ldexp(number: f64, exponent: i64) -> f64 {
    let (fraction, own) = frexp(number);
    if fraction == 0.0 || !fraction.is_finite() {
        return number;
    }
    let exponent = own.saturating_add(exponent);
    match exponent {
        1025.. => f64::INFINITY.copysign(number),
        -1021.. => fraction * 2f64.powi(exponent as i32 - 1) * 2.0,
        -1080.. => fraction * 2f64.powi(-1000) * 2f64.powi(exponent as i32 + 1000),
        _ => 0f64.copysign(number),
    }
}

/// Computes the Euclidean norm of a vector, with compensated summation and one correction step of the root.
pub(crate) fn euclidean_norm(numbers: &[f64]) -> f64 {
    let max = numbers.iter().fold(0f64, |max, number| max.max(number.abs()));
    if max.is_infinite() || numbers.iter().any(|number| number.is_infinite()) {
        return f64::INFINITY;
    }
    if numbers.iter().any(|number| number.is_nan()) {
        return f64::NAN;
    }
    if max == 0.0 || numbers.len() <= 1 {
        return max;
    }
    let (_, exponent) = frexp(max);
    if exponent < -1023 {
        let larger: Vec<f64> = numbers.iter().map(|number| number / f64::MIN_POSITIVE).collect();
        return f64::MIN_POSITIVE * euclidean_norm(&larger);
    }
    let scale = ldexp(1.0, -exponent);
    let (mut sum, mut products, mut sums) = (1.0, 0.0, 0.0);
    let mut add = |a: f64, b: f64| {
        let product = a * b;
        let total = sum + product;
        products += a.mul_add(b, -product);
        sums += (sum - total) + product;
        sum = total;
        sum - 1.0 + (products + sums)
    };
    let mut squares = 0.0;
    for number in numbers {
        squares = add(number.abs() * scale, number.abs() * scale);
    }
    let root = squares.sqrt();
    let rest = add(-root, root);
    (root + rest / (2.0 * root)) / scale
}
