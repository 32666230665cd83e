//! Conversion between integers and bytes.

use num_bigint::{BigInt, Sign};

use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::value::Value;

impl Machine {
    fn is_little(&mut self, function: &str, order: Option<Value>) -> ExecResult<bool> {
        let Some(order) = order else { return Ok(false) };
        match self.coding_argument(function, "byteorder", Some(order))?.as_deref() {
            Some("little") => Ok(true),
            Some("big") => Ok(false),
            _ => Err(self.raise(ExceptionKind::ValueError, "byteorder must be either 'little' or 'big'")),
        }
    }

    /// Evaluates `number.to_bytes(length, byteorder, signed=..)`.
    pub(in crate::machine) fn number_to_bytes(
        &mut self,
        number: &BigInt,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        if arguments.len() > 2 {
            let message = format!("to_bytes() takes at most 2 positional arguments ({} given)", arguments.len());
            return Err(self.type_error(&message));
        }
        let parameters = ["length", "byteorder", "signed"];
        let [length, order, signed] = self.bind_library_arguments("to_bytes", parameters, 0, arguments, named)?;
        let length = length.map_or(Ok(1), |length| self.as_index(length))?;
        let little = self.is_little("to_bytes", order)?;
        let signed = signed.map_or(Ok(false), |signed| self.truth(signed))?;
        let Ok(length) = usize::try_from(length) else {
            return Err(self.raise(ExceptionKind::ValueError, "length argument must be non-negative"));
        };
        if number.sign() == Sign::Minus && !signed {
            return Err(self.raise(ExceptionKind::OverflowError, "can't convert negative int to unsigned"));
        }
        self.check_room_for_bytes(length)?;
        self.charge(number.bits() / 64)?;
        let mut bytes = if signed { number.to_signed_bytes_le() } else { number.magnitude().to_bytes_le() };
        if number.sign() == Sign::NoSign {
            bytes.clear();
        }
        if bytes.len() > length {
            return Err(self.raise(ExceptionKind::OverflowError, "int too big to convert"));
        }
        bytes.resize(length, if number.sign() == Sign::Minus { 0xff } else { 0 });
        if !little {
            bytes.reverse();
        }
        Ok(self.new_bytes(bytes))
    }

    /// Evaluates `int.from_bytes(bytes, byteorder, signed=..)`.
    pub(in crate::machine) fn number_from_bytes(
        &mut self,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        if arguments.len() > 2 {
            let message = format!("from_bytes() takes at most 2 positional arguments ({} given)", arguments.len());
            return Err(self.type_error(&message));
        }
        let parameters = ["bytes", "byteorder", "signed"];
        let [source, order, signed] = self.bind_library_arguments("from_bytes", parameters, 1, arguments, named)?;
        let source = source.unwrap_or(Value::None);
        let little = self.is_little("from_bytes", order)?;
        let signed = signed.map_or(Ok(false), |signed| self.truth(signed))?;
        let mut bytes = if let Some(bytes) = self.as_bytes(source) {
            bytes.to_vec()
        } else if let Some(method) = self.special_method(source, "__bytes__") {
            let value = self.call_value(method, &[], &[])?;
            self.expect_bytes(value)?.to_vec()
        } else if self.as_text(source).is_none() && self.try_iterator(source)?.is_some() {
            self.bytes_of_items(source)?
        } else {
            let message = format!("cannot convert '{}' object to bytes", self.class_name(source));
            return Err(self.type_error(&message));
        };
        self.charge(bytes.len() as u64 / 8)?;
        if !little {
            bytes.reverse();
        }
        let number =
            if signed { BigInt::from_signed_bytes_le(&bytes) } else { BigInt::from_bytes_le(Sign::Plus, &bytes) };
        Ok(self.new_int(number))
    }
}
