//! `+` and `*` of texts, lists and tuples, with checks of the memory that the results take.

use ruff_python_ast::Operator;

use super::Machine;
use super::exceptions::{ExceptionKind, Outcome};
use super::numbers::Number;
use super::value::{Cell, Value};

impl Machine<'_> {
    /// Applies an operator to texts, lists, tuples and sets; `None` if they do not support it.
    pub(super) fn sequences(&mut self, operator: Operator, left: Value, right: Value) -> Outcome<Option<Value>> {
        match operator {
            Operator::Add => match self.counters(operator, left, right)? {
                Some(counter) => Ok(Some(counter)),
                None => self.concatenated(left, right),
            },
            Operator::Mult => self.repeated(left, right),
            Operator::BitAnd | Operator::BitOr | Operator::BitXor | Operator::Sub => {
                self.set_operation(operator, left, right)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn concatenated(&mut self, left: Value, right: Value) -> Outcome<Option<Value>> {
        let Value::Ref(at) = left else { return Ok(None) };
        let length = |value: Value| match value {
            Value::Ref(at) => match self.heap.get(at) {
                Cell::List(values) => values.len(),
                Cell::Tuple(values) => values.len(),
                _ => 0,
            },
            _ => 0,
        };
        self.room_for_bulk(length(left) + length(right))?;
        let other = match right {
            Value::Ref(at) => Some(self.heap.get(at)),
            _ => None,
        };
        let kind = match (self.heap.get(at), other) {
            (Cell::Text(one), Some(Cell::Text(two))) => {
                let (one, two) = (one.clone(), two.clone());
                self.room((one.len() + two.len()) / size_of::<Value>())?;
                return Ok(Some(self.heap.text(&format!("{one}{two}"))));
            }
            (Cell::Bytes(one), Some(Cell::Bytes(two))) => {
                let joined = [&**one, &**two].concat();
                self.spend(joined.len() as u64 / super::BULK)?;
                return Ok(Some(self.new_bytes(joined)));
            }
            (Cell::Bytes(_), _) => {
                let message = format!("can't concat {} to bytes", self.class_name(right));
                return Err(self.type_error(&message));
            }
            (Cell::List(one), Some(Cell::List(two))) => {
                let joined = [one.as_slice(), two].concat();
                self.spend(joined.len() as u64 / super::BULK)?;
                return Ok(Some(self.heap.list(joined)));
            }
            (Cell::Tuple(one), Some(Cell::Tuple(two))) => {
                let joined = [&**one, &**two].concat();
                self.spend(joined.len() as u64 / super::BULK)?;
                return Ok(Some(self.heap.tuple(joined)));
            }
            (Cell::Deque(one), Some(Cell::Deque(two))) => {
                let mut joined = one.clone();
                two.values.iter().for_each(|&value| joined.push(value, false));
                return Ok(Some(Value::Ref(self.heap.add(Cell::Deque(joined)))));
            }
            (Cell::Deque(_), _) => "deque",
            (Cell::Text(_), _) => "str",
            (Cell::List(_), _) => "list",
            (Cell::Tuple(_), _) => "tuple",
            _ => return Ok(None),
        };
        let message = format!("can only concatenate {kind} (not \"{}\") to {kind}", self.class_name(right));
        Err(self.type_error(&message))
    }

    pub(super) fn repeated(&mut self, left: Value, right: Value) -> Outcome<Option<Value>> {
        let is_sequence = |value: Value| match value {
            Value::Ref(at) => {
                matches!(
                    self.heap.get(at),
                    Cell::Text(_) | Cell::Bytes(_) | Cell::List(_) | Cell::Tuple(_) | Cell::Deque(_)
                )
            }
            _ => false,
        };
        let (sequence, count) = match (is_sequence(left), is_sequence(right)) {
            (true, _) => (left, right),
            (false, true) => (right, left),
            (false, false) => return Ok(None),
        };
        let whole = if matches!(count, Value::Numpy(_)) { None } else { self.as_whole(count)? };
        let count = match whole {
            Some(Number::Int(count)) => count.max(0) as usize,
            Some(_) => {
                let message = format!("cannot fit '{}' into an index-sized integer", self.class_name(count));
                return Err(self.raise(ExceptionKind::OverflowError, &message));
            }
            None => {
                let message = format!("can't multiply sequence by non-int of type '{}'", self.class_name(count));
                return Err(self.type_error(&message));
            }
        };
        let Value::Ref(at) = sequence else { return Ok(None) };
        if let Cell::Text(text) = self.heap.get(at)
            && text.chars().count().checked_mul(count).is_none_or(|length| length > isize::MAX as usize)
        {
            return Err(self.raise(ExceptionKind::OverflowError, "repeated string is too long"));
        }
        if let Cell::Bytes(bytes) = self.heap.get(at)
            && bytes.len().checked_mul(count).is_none_or(|length| length > isize::MAX as usize)
        {
            return Err(self.raise(ExceptionKind::OverflowError, "repeated bytes are too long"));
        }
        let length = match self.heap.get(at) {
            Cell::Text(text) => text.len() / 16 + 1,
            Cell::Bytes(bytes) => bytes.len() / 16 + 1,
            Cell::List(values) => values.len(),
            Cell::Tuple(values) => values.len(),
            Cell::Deque(deque) => deque.values.len(),
            _ => 0,
        };
        self.room(length.saturating_mul(count))?;
        Ok(Some(match self.heap.get(at) {
            Cell::Text(text) => {
                let text = text.repeat(count);
                self.heap.text(&text)
            }
            Cell::Bytes(bytes) => {
                let bytes = bytes.repeat(count);
                self.new_bytes(bytes)
            }
            Cell::List(values) => {
                let values = values.repeat(count);
                self.heap.list(values)
            }
            Cell::Tuple(values) => {
                let values = values.repeat(count);
                self.heap.tuple(values)
            }
            Cell::Deque(deque) => {
                let repeated = deque.repeated(count);
                Value::Ref(self.heap.add(Cell::Deque(Box::new(repeated))))
            }
            _ => return Ok(None),
        }))
    }

    /// Checks like [`Machine::room`] that there is memory for a number of values, at the lower cost of a bulk copy.
    pub(super) fn room_for_bulk(&mut self, values: usize) -> Outcome<()> {
        let bytes = values.saturating_mul(size_of::<Value>()).saturating_add(self.heap.bytes());
        if bytes > self.budget.memory {
            return Err(super::Fault::Exhausted(super::Resource::Memory));
        }
        self.spend(values as u64 / super::BULK)
    }

    /// Checks that there is memory for a number of values before they are created, and pays for them.
    pub(super) fn room(&mut self, values: usize) -> Outcome<()> {
        let bytes = values.saturating_mul(size_of::<Value>()).saturating_add(self.heap.bytes());
        if bytes > self.budget.memory {
            return Err(super::Fault::Exhausted(super::Resource::Memory));
        }
        self.spend(values as u64)
    }
}
