//! Ranges: arithmetic sequences that are stored as start, stop and step.

use super::Machine;
use super::exceptions::{ExceptionKind, ExecResult};
use super::iterators::IteratorState;
use super::numbers::Number;
use super::value::{HeapObject, HeapRef, Value};

impl Machine {
    /// Returns the number of elements of a range.
    pub(super) fn range_length(&self, at: HeapRef) -> u64 {
        let HeapObject::Range { start, stop, step } = *self.heap.get(at) else { return 0 };
        let span = if step > 0 { i128::from(stop) - i128::from(start) } else { i128::from(start) - i128::from(stop) };
        if span <= 0 { 0 } else { ((span - 1) / i128::from(step.unsigned_abs()) + 1) as u64 }
    }

    /// Returns the key by which ranges compare and hash: length, start and step, without those that do not matter.
    pub(super) fn range_key(&self, at: HeapRef) -> (u64, Option<i64>, Option<i64>) {
        let HeapObject::Range { start, step, .. } = *self.heap.get(at) else { return (0, None, None) };
        let length = self.range_length(at);
        (length, (length > 0).then_some(start), (length > 1).then_some(step))
    }

    /// Returns an element of a range, or a slice of it.
    pub(super) fn range_item(&mut self, at: HeapRef, index: Value) -> ExecResult {
        let HeapObject::Range { start, step, .. } = *self.heap.get(at) else { return Ok(Value::None) };
        if let Value::Ref(slice) = index
            && let HeapObject::Slice(parts) = *self.heap.get(slice)
        {
            return self.range_slice(at, parts);
        }
        let place = match self.as_integer(index)? {
            Some(Number::Int(place)) => place.into(),
            // Integers beyond this are out of range in any case.
            Some(Number::Big(place)) => i128::try_from(place).unwrap_or(i128::MAX),
            _ => {
                let message = format!("range indices must be integers or slices, not {}", self.class_name(index));
                return Err(self.type_error(&message));
            }
        };
        let length = i128::from(self.range_length(at));
        let place = if place < 0 { place.saturating_add(length) } else { place };
        if !(0..length).contains(&place) {
            return Err(self.raise(ExceptionKind::IndexError, "range object index out of range"));
        }
        Ok(Value::Int((i128::from(start) + i128::from(step) * place) as i64))
    }

    fn range_slice(&mut self, at: HeapRef, [lower, upper, step]: [Value; 3]) -> ExecResult {
        let HeapObject::Range { start: first, step: by, .. } = *self.heap.get(at) else { return Ok(Value::None) };
        let step = self.slice_index(step)?.unwrap_or(1);
        if step == 0 {
            return Err(self.raise(ExceptionKind::ValueError, "slice step cannot be zero"));
        }
        let length = i128::from(self.range_length(at));
        let (min, max) = if step > 0 { (0, length) } else { (-1, length - 1) };
        let within = |part: i64| {
            let part = i128::from(part);
            (if part < 0 { part + length } else { part }).clamp(min, max)
        };
        let (begin, end) = if step > 0 { (min, max) } else { (max, min) };
        let start = self.slice_index(lower)?.map_or(begin, within);
        let end = self.slice_index(upper)?.map_or(end, within);
        let fits = |number: i128| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        let place = |place: i128| fits(i128::from(first) + place * i128::from(by));
        let step = fits(i128::from(step) * i128::from(by));
        Ok(Value::Ref(self.heap.add(HeapObject::Range { start: place(start), stop: place(end), step })))
    }

    /// Whether a value is a plain integer, for which membership of a range is computed; all other values are compared with each element.
    pub(super) fn is_plain_int(&self, value: Value) -> bool {
        match value {
            Value::Int(_) | Value::Bool(_) => true,
            Value::Ref(at) => matches!(self.heap.get(at), HeapObject::BigInt(_)),
            _ => false,
        }
    }

    /// Returns the index of a plain integer in a range.
    pub(super) fn index_in_range(&self, at: HeapRef, value: Value) -> Option<i64> {
        let HeapObject::Range { start, step, .. } = *self.heap.get(at) else { return None };
        let Some(Number::Int(number)) = self.as_number(value) else { return None };
        let offset = i128::from(number) - i128::from(start);
        let place = offset / i128::from(step);
        let is_there = offset % i128::from(step) == 0 && (0..i128::from(self.range_length(at))).contains(&place);
        is_there.then_some(place as i64)
    }

    /// Calls `index` or `count` of a range.
    /// Implements `range.count(value)`.
    pub(super) fn count_in_range(&mut self, at: HeapRef, value: Value) -> ExecResult {
        if self.is_plain_int(value) {
            return Ok(Value::Int(self.index_in_range(at, value).is_some().into()));
        }
        let iterator = self.iterator(Value::Ref(at))?;
        let mut count = 0;
        while let Some(item) = self.advance(iterator)? {
            count += i64::from(self.equal_or_same(item, value)?);
        }
        Ok(Value::Int(count))
    }

    /// Implements `range.index(value)`.
    pub(super) fn position_in_range(&mut self, at: HeapRef, value: Value) -> ExecResult {
        if self.is_plain_int(value) {
            return if let Some(place) = self.index_in_range(at, value) {
                Ok(Value::Int(place))
            } else {
                let message = format!("{} is not in range", self.repr(value)?);
                Err(self.raise(ExceptionKind::ValueError, &message))
            };
        }
        let iterator = self.iterator(Value::Ref(at))?;
        let mut place = 0;
        while let Some(item) = self.advance(iterator)? {
            if self.equal_or_same(item, value)? {
                return Ok(Value::Int(place));
            }
            place += 1;
        }
        Err(self.raise(ExceptionKind::ValueError, "sequence.index(x): x not in sequence"))
    }

    /// Returns the reversed iterator of a range.
    pub(super) fn reversed_range(&mut self, at: HeapRef) -> Value {
        let HeapObject::Range { start, step, .. } = *self.heap.get(at) else { return Value::None };
        let left = self.range_length(at);
        // Wrapping is exact here: the last element fits in 64 bits, even if intermediate results do not.
        let next = start.wrapping_add(step.wrapping_mul(left.wrapping_sub(1) as i64));
        self.new_iterator(IteratorState::Range { next, remaining: left, step: step.wrapping_neg() })
    }
}
