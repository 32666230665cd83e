//! `collections.deque`.

use std::collections::VecDeque;
use std::ops::Range;

use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::ResultType;
use crate::machine::methods::MethodParameters::{Many, None as NoParameters, One, Parsed};
use crate::machine::methods::{MethodEffect, MethodRow as Row};
use crate::machine::value::{HeapObject, HeapRef, Value};
use crate::machine::{ELEMENTS_PER_UNIT, Machine};

/// A double-ended queue.
#[derive(Debug, Clone, Default)]
pub(crate) struct Deque {
    pub(crate) values: VecDeque<Value>,
    /// The maximum length (`maxlen`).
    pub(crate) max_length: Option<usize>,
    /// The number of changes so far, by which iterators detect mutation.
    pub(crate) mutation_count: u64,
}

impl Deque {
    pub(in crate::machine) fn push(&mut self, value: Value, left: bool) {
        if left {
            self.values.push_front(value);
        } else {
            self.values.push_back(value);
        }
        if self.max_length.is_some_and(|max_length| self.values.len() > max_length) {
            if left {
                self.values.pop_back()
            } else {
                self.values.pop_front()
            };
        }
    }
}

impl Deque {
    /// Returns the values repeated `count` times.
    pub(in crate::machine) fn repeat(&self, count: usize) -> Self {
        let mut repeated = Self { max_length: self.max_length, ..Self::default() };
        for _ in 0..count {
            self.values.iter().for_each(|&value| repeated.push(value, false));
        }
        repeated
    }
}

/// The methods of `deque`.
pub(in crate::machine) static METHODS: [Row; 14] = [
    Row::of_object("deque.append", One, |m, at, a| Ok(m.push_onto_deque(at, a[0], false)))
        .with_effect(MethodEffect::Adds)
        .with_result(ResultType::None),
    Row::of_object("deque.appendleft", One, |m, at, a| Ok(m.push_onto_deque(at, a[0], true)))
        .with_effect(MethodEffect::Adds)
        .with_result(ResultType::None),
    Row::of_object("deque.clear", NoParameters, |m, at, _| {
        let deque = m.shrinking_deque(at);
        deque.mutation_count += u64::from(!deque.values.is_empty());
        deque.values.clear();
        Ok(Value::None)
    })
    .with_effect(MethodEffect::Clears)
    .with_result(ResultType::None),
    Row::of_object("deque.copy", NoParameters, |m, at, _| {
        m.reserve_bulk_values(m.deque(at).values.len())?;
        let copy = m.deque(at).clone();
        Ok(Value::Ref(m.heap.add(HeapObject::Deque(Box::new(copy)))))
    })
    .with_result(ResultType::Copy),
    Row::of_object("deque.count", One, |m, at, a| m.count_in_deque(at, a[0])).with_result(ResultType::Count),
    Row::of_object("deque.extend", One, |m, at, a| m.extend_deque(at, a[0], false))
        .with_effect(MethodEffect::Adds)
        .with_result(ResultType::None),
    Row::of_object("deque.extendleft", One, |m, at, a| m.extend_deque(at, a[0], true))
        .with_effect(MethodEffect::Adds)
        .with_result(ResultType::None),
    Row::of_object("deque.index", Parsed { min: 1, max: 3 }, Machine::index_in_deque).with_result(ResultType::Count),
    Row::of_object("deque.insert", Parsed { min: 2, max: 2 }, |m, at, a| m.insert_into_deque(at, a[0], a[1]))
        .with_effect(MethodEffect::Adds)
        .with_result(ResultType::None),
    Row::of_object("deque.pop", NoParameters, |m, at, _| m.pop_from_deque(at, false))
        .with_effect(MethodEffect::Removes)
        .with_result(ResultType::Element),
    Row::of_object("deque.popleft", NoParameters, |m, at, _| m.pop_from_deque(at, true))
        .with_effect(MethodEffect::Removes)
        .with_result(ResultType::Element),
    Row::of_object("deque.remove", One, |m, at, a| m.remove_from_deque(at, a[0]))
        .with_effect(MethodEffect::Removes)
        .with_result(ResultType::None),
    Row::of_object("deque.reverse", NoParameters, |m, at, _| {
        m.charge_deque_shift(at)?;
        m.deque_mut(at).values.make_contiguous().reverse();
        Ok(Value::None)
    })
    .with_effect(MethodEffect::Reorders)
    .with_result(ResultType::None),
    Row::of_object("deque.rotate", Many, |m, at, a| {
        m.check_arity("deque.rotate", a.len(), 0, 1)?;
        m.rotate_deque(at, a.first().copied())
    })
    .with_effect(MethodEffect::Reorders)
    .with_result(ResultType::None),
];

impl Machine {
    pub(in crate::machine) fn new_deque(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [values, max_length] = self.bind_library_arguments("deque", ["iterable", "maxlen"], 0, arguments, named)?;
        let max_length = match max_length.filter(|max_length| !matches!(max_length, Value::None)) {
            Some(max_length) => {
                let Ok(max_length) = usize::try_from(self.as_index(max_length)?) else {
                    return Err(self.raise(ExceptionKind::ValueError, "maxlen must be non-negative"));
                };
                Some(max_length)
            }
            None => None,
        };
        let mut deque = Deque { max_length, ..Deque::default() };
        if let Some(values) = values {
            for value in self.collect_values(values)? {
                deque.push(value, false);
            }
        }
        self.reserve_values(deque.values.len())?;
        Ok(Value::Ref(self.heap.add(HeapObject::Deque(Box::new(deque)))))
    }

    pub(in crate::machine) fn deque(&self, at: HeapRef) -> &Deque {
        match self.heap.get(at) {
            HeapObject::Deque(deque) => deque,
            _ => unreachable!("called with deques"),
        }
    }

    fn deque_mut(&mut self, at: HeapRef) -> &mut Deque {
        match self.heap.get_mut(at) {
            HeapObject::Deque(deque) => deque,
            _ => unreachable!("called with deques"),
        }
    }

    /// Returns a deque for a change that adds no value.
    fn shrinking_deque(&mut self, at: HeapRef) -> &mut Deque {
        match self.heap.get_mut_to_store(at, Value::None) {
            HeapObject::Deque(deque) => deque,
            _ => unreachable!("called with deques"),
        }
    }

    /// Resolves an index to a position; negative indices count from the end.
    fn resolve_deque_index(&mut self, at: HeapRef, index: Value) -> ExecResult<usize> {
        if matches!(index, Value::Ref(big) if matches!(self.heap.get(big), HeapObject::BigInt(_))) {
            let message = "cannot fit 'int' into an index-sized integer";
            return Err(self.raise(ExceptionKind::IndexError, message));
        }
        let is_whole = matches!(self.base_value(index), Value::Int(_) | Value::Bool(_) | Value::Numpy(_));
        if !is_whole && self.special_method(index, "__index__").is_none() {
            let message = format!("sequence index must be integer, not '{}'", self.class_name(index));
            return Err(self.type_error(&message));
        }
        let number = self.as_index(index)?;
        let length = self.deque(at).values.len() as i64;
        let place = if number < 0 { number.saturating_add(length) } else { number };
        if (0..length).contains(&place) {
            return Ok(place as usize);
        }
        Err(self.raise(ExceptionKind::IndexError, "deque index out of range"))
    }

    pub(in crate::machine) fn deque_item(&mut self, at: HeapRef, index: Value) -> ExecResult {
        let place = self.resolve_deque_index(at, index)?;
        Ok(self.deque(at).values[place])
    }

    pub(in crate::machine) fn set_deque_item(&mut self, at: HeapRef, index: Value, value: Value) -> ExecResult<()> {
        let place = self.resolve_deque_index(at, index)?;
        self.deque_mut(at).values[place] = value;
        Ok(())
    }

    fn push_onto_deque(&mut self, at: HeapRef, value: Value, left: bool) -> Value {
        let is_full = self.deque(at).max_length == Some(self.deque(at).values.len());
        self.heap.record_growth_of(at, usize::from(!is_full));
        if let HeapObject::Deque(deque) = self.heap.get_mut_to_store(at, value) {
            deque.push(value, left);
            deque.mutation_count += 1;
        }
        Value::None
    }

    /// Implements `extend` and `extendleft`.
    pub(in crate::machine) fn extend_deque(&mut self, at: HeapRef, values: Value, left: bool) -> ExecResult {
        let values = self.collect_values(values)?;
        self.reserve_values(values.len())?;
        self.heap.record_growth(values.len());
        let deque = self.deque_mut(at);
        deque.mutation_count += u64::from(!values.is_empty());
        for value in values {
            deque.push(value, left);
        }
        Ok(Value::None)
    }

    fn pop_from_deque(&mut self, at: HeapRef, left: bool) -> ExecResult {
        let deque = self.shrinking_deque(at);
        deque.mutation_count += u64::from(!deque.values.is_empty());
        let value = if left { deque.values.pop_front() } else { deque.values.pop_back() };
        value.ok_or_else(|| self.raise(ExceptionKind::IndexError, "pop from an empty deque"))
    }

    fn rotate_deque(&mut self, at: HeapRef, steps: Option<Value>) -> ExecResult {
        let steps = steps.map_or(Ok(1), |steps| self.as_index(steps))?;
        self.charge_deque_shift(at)?;
        let deque = self.deque_mut(at);
        if deque.values.len() > 1 {
            deque.mutation_count += 1;
            let steps = steps.rem_euclid(deque.values.len() as i64) as usize;
            deque.values.rotate_right(steps);
        }
        Ok(Value::None)
    }

    fn insert_into_deque(&mut self, at: HeapRef, place: Value, value: Value) -> ExecResult {
        let place = self.as_index(place)?;
        self.charge_deque_shift(at)?;
        self.heap.record_growth(1);
        let deque = self.deque_mut(at);
        let length = deque.values.len() as i64;
        if deque.max_length.is_some_and(|max_length| deque.values.len() >= max_length) {
            return Err(self.raise(ExceptionKind::IndexError, "deque already at its maximum size"));
        }
        let place = if place < 0 { place.saturating_add(length) } else { place }.clamp(0, length);
        deque.values.insert(place as usize, value);
        deque.mutation_count += 1;
        Ok(Value::None)
    }

    /// Charges the budget for moving the elements of a deque.
    fn charge_deque_shift(&mut self, at: HeapRef) -> ExecResult<()> {
        self.charge(self.deque(at).values.len() as u64 / ELEMENTS_PER_UNIT)
    }

    /// Returns the position of a value in a part of a deque, which comparisons must not change.
    fn find_in_deque(
        &mut self,
        at: HeapRef,
        value: Value,
        part: Range<usize>,
        (kind, message): (ExceptionKind, &str),
    ) -> ExecResult<Option<usize>> {
        let changes = self.deque(at).mutation_count;
        for place in part {
            let Some(other) = self.current_element(at, place) else { break };
            self.charge(1)?;
            let found = self.equal_or_same(other, value)?;
            if self.deque(at).mutation_count != changes {
                return Err(self.raise(kind, message));
            }
            if found {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    fn count_in_deque(&mut self, at: HeapRef, value: Value) -> ExecResult {
        let (mut count, mut start, length) = (0, 0, self.deque(at).values.len());
        while let Some(place) = self.find_in_deque(at, value, start..length, MUTATED)? {
            count += 1;
            start = place + 1;
        }
        Ok(Value::Int(count))
    }

    fn index_in_deque(&mut self, at: HeapRef, arguments: &[Value]) -> ExecResult {
        let length = self.deque(at).values.len();
        let mut bounds = [0, length as i64];
        for (bound, &argument) in bounds.iter_mut().zip(&arguments[1..]) {
            *bound = self.slice_index(argument)?.unwrap_or(0);
            if *bound < 0 {
                *bound = bound.saturating_add(length as i64).max(0);
            }
        }
        let part = bounds[0] as usize..bounds[1] as usize;
        match self.find_in_deque(at, arguments[0], part, MUTATED)? {
            Some(place) => Ok(Value::Int(place as i64)),
            None => self.not_in_deque(arguments[0]),
        }
    }

    fn remove_from_deque(&mut self, at: HeapRef, value: Value) -> ExecResult {
        let length = self.deque(at).values.len();
        let mutated = (ExceptionKind::IndexError, "deque mutated during remove().");
        let Some(place) = self.find_in_deque(at, value, 0..length, mutated)? else { return self.not_in_deque(value) };
        self.charge_deque_shift(at)?;
        let deque = self.deque_mut(at);
        deque.values.remove(place);
        deque.mutation_count += 1;
        Ok(Value::None)
    }

    fn not_in_deque(&mut self, value: Value) -> ExecResult {
        let message = format!("{} is not in deque", self.repr(value)?);
        Err(self.raise(ExceptionKind::ValueError, &message))
    }
}

/// The exception for a deque that changes during a search.
const MUTATED: (ExceptionKind, &str) = (ExceptionKind::RuntimeError, "deque mutated during iteration");
