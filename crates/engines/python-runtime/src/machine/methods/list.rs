//! Methods of `list`, and those that lists and tuples share.

use super::row::MethodParameters::{None as NoParameters, One, Unpacked};
use super::{FastMethod, MethodEffect, MethodRow as Row};
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::ResultType;
use crate::machine::value::{HeapObject, HeapRef, Value};
use crate::machine::{ELEMENTS_PER_UNIT, Machine};

/// The methods of `list`.
pub(in crate::machine) static LIST: [Row; 11] = [
    Row::of_object("list.append", One, |m, at, a| {
        m.append(at, a[0]);
        Ok(Value::None)
    })
    .with_effect(MethodEffect::Adds)
    .with_result(ResultType::None)
    .with_fast(FastMethod::Append),
    Row::of_object("list.clear", NoParameters, |m, at, _| {
        m.shrinking_list(at).clear();
        Ok(Value::None)
    })
    .with_effect(MethodEffect::Clears)
    .with_result(ResultType::None),
    Row::of_object("list.copy", NoParameters, |m, at, _| m.copy_list(at)).with_result(ResultType::Copy),
    Row::of_object("list.count", One, |m, at, a| m.count_in_sequence(at, a[0])).with_result(ResultType::Count),
    Row::of_object("list.extend", One, |m, at, a| m.extend(at, a[0]).map(|()| Value::None))
        .with_effect(MethodEffect::Adds)
        .with_result(ResultType::None),
    Row::of_object("list.index", Unpacked { min: 1, max: 3 }, |m, at, a| {
        let message = |machine: &mut Machine, value| Ok(format!("{} is not in list", machine.repr(value)?));
        m.index_in_sequence(at, a, message)
    })
    .with_result(ResultType::Count),
    Row::of_object("list.insert", Unpacked { min: 2, max: 2 }, |m, at, a| m.insert_into_list(at, a[0], a[1]))
        .with_effect(MethodEffect::Adds)
        .with_result(ResultType::None),
    Row::of_object("list.pop", Unpacked { min: 0, max: 1 }, |m, at, a| m.pop_from_list(at, a.first().copied()))
        .with_effect(MethodEffect::Removes)
        .with_result(ResultType::Element),
    Row::of_object("list.remove", One, |m, at, a| m.remove_from_list(at, a[0]))
        .with_effect(MethodEffect::Removes)
        .with_result(ResultType::None)
        .with_fast(FastMethod::Remove),
    Row::of_object("list.reverse", NoParameters, |m, at, _| {
        m.charge_list_shift(at)?;
        m.list_mut(at).reverse();
        Ok(Value::None)
    })
    .with_effect(MethodEffect::Reorders)
    .with_result(ResultType::None),
    Row::custom("list.sort", Machine::sort_list).with_effect(MethodEffect::Reorders).with_result(ResultType::None),
];

impl Machine {
    fn list(&self, at: HeapRef) -> &[Value] {
        match self.heap.get(at) {
            HeapObject::List(values) => values,
            _ => &[],
        }
    }

    fn list_mut(&mut self, at: HeapRef) -> &mut Vec<Value> {
        match self.heap.get_mut(at) {
            HeapObject::List(values) => values,
            _ => unreachable!("called with lists"),
        }
    }

    /// Returns a list for a change that adds no value.
    fn shrinking_list(&mut self, at: HeapRef) -> &mut Vec<Value> {
        match self.heap.get_mut_to_store(at, Value::None) {
            HeapObject::List(values) => values,
            _ => unreachable!("called with lists"),
        }
    }

    fn copy_list(&mut self, at: HeapRef) -> ExecResult {
        self.reserve_values(self.list(at).len())?;
        let values = self.list(at).to_vec();
        Ok(self.heap.list(values))
    }

    fn insert_into_list(&mut self, at: HeapRef, place: Value, value: Value) -> ExecResult {
        let place = self.as_index(place)?;
        self.heap.record_growth(1);
        self.charge_list_shift(at)?;
        let list = self.list_mut(at);
        let length = list.len() as i64;
        let place = if place < 0 { place.saturating_add(length) } else { place }.clamp(0, length);
        list.insert(place as usize, value);
        Ok(Value::None)
    }

    fn remove_from_list(&mut self, at: HeapRef, value: Value) -> ExecResult {
        let Some(place) = self.find_in_list(at, value)? else {
            return Err(self.raise(ExceptionKind::ValueError, "list.remove(x): x not in list"));
        };
        self.charge_list_shift(at)?;
        // Comparisons during the search may have shortened the list.
        if place < self.list(at).len() {
            self.list_mut(at).remove(place);
        }
        Ok(Value::None)
    }

    /// Charges the budget for moving the elements of a list.
    fn charge_list_shift(&mut self, at: HeapRef) -> ExecResult<()> {
        let length = self.list(at).len() as u64;
        self.charge(length / ELEMENTS_PER_UNIT)
    }

    /// Returns the position of a value in a list, which comparisons may change during the search.
    fn find_in_list(&mut self, at: HeapRef, value: Value) -> ExecResult<Option<usize>> {
        let mut place = 0;
        while let Some(&other) = self.list(at).get(place) {
            self.charge(1)?;
            if self.equal_or_same(other, value)? {
                return Ok(Some(place));
            }
            place += 1;
        }
        Ok(None)
    }

    fn pop_from_list(&mut self, at: HeapRef, place: Option<Value>) -> ExecResult {
        let place = place.map_or(Ok(-1), |place| self.as_index(place))?;
        if self.list(at).is_empty() {
            return Err(self.raise(ExceptionKind::IndexError, "pop from empty list"));
        }
        if place != -1 {
            self.charge_list_shift(at)?;
        }
        let length = self.list(at).len();
        let place = if place < 0 { place.saturating_add(length as i64) } else { place };
        match usize::try_from(place) {
            Ok(place) if place < length => Ok(self.shrinking_list(at).remove(place)),
            _ => Err(self.raise(ExceptionKind::IndexError, "pop index out of range")),
        }
    }

    /// Counts the elements of a list or tuple that equal a value.
    pub(super) fn count_in_sequence(&mut self, at: HeapRef, value: Value) -> ExecResult {
        let (mut count, mut place) = (0, 0);
        while let Some(other) = self.current_element(at, place) {
            self.charge(1)?;
            count += i64::from(self.equal_or_same(other, value)?);
            place += 1;
        }
        Ok(Value::Int(count))
    }

    /// Returns the first index of a value in a list or tuple, within optional bounds.
    pub(super) fn index_in_sequence(
        &mut self,
        at: HeapRef,
        arguments: &[Value],
        message: fn(&mut Self, Value) -> ExecResult<String>,
    ) -> ExecResult {
        let mut bounds = [0, i64::MAX];
        for (bound, &given) in bounds.iter_mut().zip(&arguments[1..]) {
            let given = self.slice_index(given)?.unwrap_or(0);
            let length = self.length(Value::Ref(at))? as i64;
            *bound = if given < 0 { given.saturating_add(length).max(0) } else { given };
        }
        for place in bounds[0]..bounds[1] {
            let Some(other) = self.current_element(at, place as usize) else { break };
            self.charge(1)?;
            if self.equal_or_same(other, arguments[0])? {
                return Ok(Value::Int(place));
            }
        }
        let message = message(self, arguments[0])?;
        Err(self.raise(ExceptionKind::ValueError, &message))
    }

    fn sort_list(&mut self, receiver: Value, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        if !arguments.is_empty() {
            return Err(self.type_error("sort() takes no positional arguments"));
        }
        let mut key = None;
        let mut reverse = None;
        for &(symbol, value) in named {
            match &*self.name(symbol) {
                "key" => key = Some(value),
                "reverse" => reverse = Some(value),
                other => {
                    let message = format!("'{other}' is an invalid keyword argument for sort()");
                    return Err(self.type_error(&message));
                }
            }
        }
        let at = super::bound_receiver(receiver);
        let values = std::mem::take(self.list_mut(at));
        let before = values.clone();
        let sorted = self.sort_values(values, key, reverse);
        let changed = !self.list(at).is_empty();
        match sorted {
            Ok(sorted) => *self.list_mut(at) = sorted,
            Err(fault) => {
                *self.list_mut(at) = before;
                return Err(fault);
            }
        }
        if changed {
            return Err(self.raise(ExceptionKind::ValueError, "list modified during sort"));
        }
        Ok(Value::None)
    }
}
