//! Methods of `int`, `bool` and `float`.

use num_bigint::BigInt;

use super::MethodRow as Row;
use super::row::MethodParameters::None as NoParameters;
use crate::machine::Machine;
use crate::machine::convert::hexadecimal;
use crate::machine::exceptions::ExecResult;
use crate::machine::library_function::ResultType;
use crate::machine::numbers::Number;
use crate::machine::value::Value;

/// The methods of `int` and `bool`.
pub(super) static INT: [Row; 5] = [
    Row::of_value("int.as_integer_ratio", NoParameters, |m, receiver, _| {
        let whole = m.receiver_integer(receiver)?;
        let whole = m.new_int(whole);
        Ok(m.heap.tuple([whole, Value::Int(1)]))
    }),
    Row::of_value("int.bit_count", NoParameters, |m, receiver, _| {
        let whole = m.receiver_integer(receiver)?;
        let ones: u64 = whole.magnitude().iter_u64_digits().map(|digit| u64::from(digit.count_ones())).sum();
        Ok(Value::Int(ones as i64))
    })
    .with_result(ResultType::Count),
    Row::of_value("int.bit_length", NoParameters, |m, receiver, _| {
        Ok(Value::Int(m.receiver_integer(receiver)?.bits() as i64))
    })
    .with_result(ResultType::Count),
    Row::of_value("int.conjugate", NoParameters, |m, receiver, _| {
        let whole = m.receiver_integer(receiver)?;
        Ok(m.new_int(whole))
    })
    .with_result(ResultType::Int),
    Row::custom("int.to_bytes", |m, receiver, arguments, named| {
        let whole = m.receiver_integer(receiver)?;
        m.number_to_bytes(&whole, arguments, named)
    }),
];

/// The methods of `float`.
pub(super) static FLOAT: [Row; 4] = [
    Row::of_value("float.as_integer_ratio", NoParameters, |m, receiver, _| {
        let number = m.receiver_float(receiver);
        m.float_ratio(number)
    }),
    Row::of_value("float.conjugate", NoParameters, |m, receiver, _| Ok(Value::Float(m.receiver_float(receiver))))
        .with_result(ResultType::Float { min: f64::NEG_INFINITY, max: f64::INFINITY }),
    Row::of_value("float.hex", NoParameters, |m, receiver, _| {
        let text = hexadecimal(m.receiver_float(receiver));
        Ok(m.heap.text(&text))
    })
    .with_result(ResultType::Text),
    Row::of_value("float.is_integer", NoParameters, |m, receiver, _| {
        let number = m.receiver_float(receiver);
        Ok(Value::Bool(number.is_finite() && number.fract() == 0.0))
    })
    .with_result(ResultType::Bool),
];

impl Machine {
    /// Returns the receiver of a method of integers, and pays for reading it.
    fn receiver_integer(&mut self, receiver: Value) -> ExecResult<BigInt> {
        let whole = self.as_number(receiver).and_then(|number| number.to_big_int()).unwrap_or_default();
        self.charge(whole.bits() / 512)?;
        Ok(whole)
    }

    fn receiver_float(&self, receiver: Value) -> f64 {
        match self.as_number(receiver) {
            Some(Number::Float(number)) => number,
            _ => unreachable!("called with floats"),
        }
    }
}
