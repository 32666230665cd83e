//! `+` and `*` of texts, lists and tuples, with checks of the memory that the results take.

use super::Machine;
use super::exceptions::{ExceptionKind, ExecResult};
use super::numbers::Number;
use super::value::{HeapObject, Value};
use crate::operators::BinaryOperator;

impl Machine {
    /// Applies an operator to texts, lists, tuples and sets; `None` if they do not support it.
    pub(super) fn sequence_operator(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
    ) -> ExecResult<Option<Value>> {
        match operator {
            BinaryOperator::Add => match self.counter_operator(operator, left, right)? {
                Some(counter) => Ok(Some(counter)),
                None => self.concatenated(left, right),
            },
            BinaryOperator::Mult => self.repeated(left, right),
            BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor | BinaryOperator::Sub => {
                self.set_operation(operator, left, right)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn concatenated(&mut self, left: Value, right: Value) -> ExecResult<Option<Value>> {
        let Value::Ref(at) = left else { return Ok(None) };
        let length = |value: Value| match value {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::List(values) => values.len(),
                HeapObject::Tuple(values) => values.len(),
                _ => 0,
            },
            _ => 0,
        };
        self.reserve_bulk_values(length(left) + length(right))?;
        let other = match right {
            Value::Ref(at) => Some(self.heap.get(at)),
            _ => None,
        };
        let kind = match (self.heap.get(at), other) {
            (HeapObject::Text(one), Some(HeapObject::Text(two))) => {
                let (one, two) = (one.clone(), two.clone());
                self.reserve_values((one.len() + two.len()) / size_of::<Value>())?;
                return Ok(Some(self.heap.text(&format!("{one}{two}"))));
            }
            (HeapObject::Bytes(one), Some(HeapObject::Bytes(two))) => {
                let joined = [&**one, &**two].concat();
                self.charge(joined.len() as u64 / super::ELEMENTS_PER_UNIT)?;
                return Ok(Some(self.new_bytes(joined)));
            }
            (HeapObject::Bytes(_), _) => {
                let message = format!("can't concat {} to bytes", self.class_name(right));
                return Err(self.type_error(&message));
            }
            (HeapObject::List(one), Some(HeapObject::List(two))) => {
                let joined = [one.as_slice(), two].concat();
                self.charge(joined.len() as u64 / super::ELEMENTS_PER_UNIT)?;
                return Ok(Some(self.heap.list(joined)));
            }
            (HeapObject::Tuple(one), Some(HeapObject::Tuple(two))) => {
                let joined = [&**one, &**two].concat();
                self.charge(joined.len() as u64 / super::ELEMENTS_PER_UNIT)?;
                return Ok(Some(self.heap.tuple(joined)));
            }
            (HeapObject::Deque(one), Some(HeapObject::Deque(two))) => {
                let mut joined = one.clone();
                two.values.iter().for_each(|&value| joined.push(value, false));
                return Ok(Some(Value::Ref(self.heap.add(HeapObject::Deque(joined)))));
            }
            (HeapObject::Deque(_), _) => "deque",
            (HeapObject::Text(_), _) => "str",
            (HeapObject::List(_), _) => "list",
            (HeapObject::Tuple(_), _) => "tuple",
            _ => return Ok(None),
        };
        let message = format!("can only concatenate {kind} (not \"{}\") to {kind}", self.class_name(right));
        Err(self.type_error(&message))
    }

    pub(super) fn repeated(&mut self, left: Value, right: Value) -> ExecResult<Option<Value>> {
        let Some((sequence, count)) = self.repetition(left, right)? else { return Ok(None) };
        let Value::Ref(at) = sequence else { return Ok(None) };
        if let HeapObject::Text(text) = self.heap.get(at)
            && text.chars().count().checked_mul(count).is_none_or(|length| length > isize::MAX as usize)
        {
            return Err(self.raise(ExceptionKind::OverflowError, "repeated string is too long"));
        }
        if let HeapObject::Bytes(bytes) = self.heap.get(at)
            && bytes.len().checked_mul(count).is_none_or(|length| length > isize::MAX as usize)
        {
            return Err(self.raise(ExceptionKind::OverflowError, "repeated bytes are too long"));
        }
        let length = match self.heap.get(at) {
            HeapObject::Text(text) => text.len() / 16 + 1,
            HeapObject::Bytes(bytes) => bytes.len() / 16 + 1,
            HeapObject::List(values) => values.len(),
            HeapObject::Tuple(values) => values.len(),
            HeapObject::Deque(deque) => deque.values.len(),
            _ => 0,
        };
        self.reserve_values(length.saturating_mul(count))?;
        Ok(Some(match self.heap.get(at) {
            HeapObject::Text(text) => {
                let text = text.repeat(count);
                self.heap.text(&text)
            }
            HeapObject::Bytes(bytes) => {
                let bytes = bytes.repeat(count);
                self.new_bytes(bytes)
            }
            HeapObject::List(values) => {
                let values = values.repeat(count);
                self.heap.list(values)
            }
            HeapObject::Tuple(values) => {
                let values = values.repeat(count);
                self.heap.tuple(values)
            }
            HeapObject::Deque(deque) => {
                let repeated = deque.repeat(count);
                Value::Ref(self.heap.add(HeapObject::Deque(Box::new(repeated))))
            }
            _ => return Ok(None),
        }))
    }

    /// Returns the sequence and the count of a multiplication; `None` if no operand is a sequence.
    fn repetition(&mut self, left: Value, right: Value) -> ExecResult<Option<(Value, usize)>> {
        let is_sequence = |value: Value| match value {
            Value::Ref(at) => {
                matches!(
                    self.heap.get(at),
                    HeapObject::Text(_)
                        | HeapObject::Bytes(_)
                        | HeapObject::List(_)
                        | HeapObject::Tuple(_)
                        | HeapObject::Deque(_)
                )
            }
            _ => false,
        };
        let (sequence, count) = match (is_sequence(left), is_sequence(right)) {
            (true, _) => (left, right),
            (false, true) => (right, left),
            (false, false) => return Ok(None),
        };
        let whole = if matches!(count, Value::Numpy(_)) { None } else { self.as_integer(count)? };
        match whole {
            Some(Number::Int(count)) => Ok(Some((sequence, count.max(0) as usize))),
            Some(_) => {
                let message = format!("cannot fit '{}' into an index-sized integer", self.class_name(count));
                Err(self.raise(ExceptionKind::OverflowError, &message))
            }
            None => {
                let message = format!("can't multiply sequence by non-int of type '{}'", self.class_name(count));
                Err(self.type_error(&message))
            }
        }
    }

    /// Checks like [`Machine::reserve_values`] that there is memory for a number of values, at the lower cost of a bulk copy.
    pub(super) fn reserve_bulk_values(&mut self, values: usize) -> ExecResult<()> {
        let bytes = values.saturating_mul(size_of::<Value>()).saturating_add(self.heap.bytes());
        if bytes > self.budget.memory {
            return Err(super::ExecError::Exhausted(super::LimitedResource::Memory));
        }
        self.charge(values as u64 / super::ELEMENTS_PER_UNIT)
    }

    /// Checks that there is memory for a number of values before they are created, and pays for them.
    pub(super) fn reserve_values(&mut self, values: usize) -> ExecResult<()> {
        let bytes = values.saturating_mul(size_of::<Value>()).saturating_add(self.heap.bytes());
        if bytes > self.budget.memory {
            return Err(super::ExecError::Exhausted(super::LimitedResource::Memory));
        }
        self.charge(values as u64)
    }
}
