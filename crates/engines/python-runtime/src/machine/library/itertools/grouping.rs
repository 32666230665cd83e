//! Iterators of `itertools` that share their source: `groupby`, `tee`, and batches.

use super::ItertoolsState;
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::iterators::IteratorState;
use crate::machine::parameters::BoundArguments;
use crate::machine::value::{HeapObject, HeapRef, Value};

/// The state of `groupby`, which its groups share.
#[derive(Debug, Clone)]
pub(crate) struct GroupState {
    inner: Value,
    key: Value,
    /// The current value and its key; `None` before the first one and after the last one.
    current: Option<(Value, Value)>,
    /// The key of the current group.
    group_key: Option<Value>,
    /// The number of the current group, from 1; groups with other numbers are over.
    number: u64,
    is_started: bool,
}

impl GroupState {
    /// Passes every value that it refers to to `visit`.
    pub(super) fn visit_references(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.inner);
        visit(self.key);
        self.group_key.into_iter().for_each(&mut *visit);
        self.current.into_iter().flat_map(|(value, key)| [value, key]).for_each(visit);
    }
}

impl Machine {
    /// Implements `itertools.groupby`.
    pub(super) fn group_by(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let inner = self.iterator(bound.required(0))?;
        let key = bound.get(1).unwrap_or(Value::None);
        let state = GroupState { inner, key, current: None, group_key: None, number: 0, is_started: false };
        let state = self.new_library_iterator(ItertoolsState::GroupState(Box::new(state)));
        Ok(self.new_library_iterator(ItertoolsState::Groups(state)))
    }

    fn group_state(&mut self, state: Value) -> &mut GroupState {
        match state {
            Value::Ref(at) => match self.heap.get_mut(at) {
                HeapObject::Iterator(IteratorState::Itertools(iterator)) => match &mut **iterator {
                    ItertoolsState::GroupState(state) => state,
                    _ => unreachable!("groups have a state"),
                },
                _ => unreachable!("groups have a state"),
            },
            _ => unreachable!("groups have a state"),
        }
    }

    /// Reads the next value of the source of `groupby`.
    fn read_grouped_value(&mut self, at: Value) -> ExecResult<()> {
        let (inner, key) = {
            let state = self.group_state(at);
            (state.inner, state.key)
        };
        let current = match self.advance(inner)? {
            Some(value) => Some((value, self.key_of(Some(key), value)?)),
            None => None,
        };
        let state = self.group_state(at);
        state.current = current;
        state.is_started = true;
        Ok(())
    }

    /// Returns the next key with its group; skips the rest of the current group.
    pub(super) fn next_group(&mut self, at: Value) -> ExecResult<Option<Value>> {
        if !self.group_state(at).is_started {
            self.read_grouped_value(at)?;
        }
        while let (Some(before), Some((_, key))) = (self.group_state(at).group_key, self.group_state(at).current) {
            if !self.equal_or_same(before, key)? {
                break;
            }
            self.read_grouped_value(at)?;
        }
        let state = self.group_state(at);
        state.number += 1;
        let Some((_, key)) = state.current else { return Ok(None) };
        state.group_key = Some(key);
        let number = state.number;
        let group = self.new_library_iterator(ItertoolsState::Group(at, number));
        Ok(Some(self.heap.tuple([key, group])))
    }

    /// Returns the next value of a group.
    pub(super) fn next_of_group(&mut self, at: Value, number: u64) -> ExecResult<Option<Value>> {
        let state = self.group_state(at);
        let (Some((value, key)), Some(group_key), true) = (state.current, state.group_key, state.number == number)
        else {
            return Ok(None);
        };
        if !self.equal_or_same(group_key, key)? {
            return Ok(None);
        }
        self.read_grouped_value(at)?;
        Ok(Some(value))
    }

    /// Implements `itertools.tee`.
    pub(super) fn tee(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let count = bound.get(1).map_or(Ok(2), |count| self.as_index(count))?;
        let Ok(count) = usize::try_from(count) else {
            return Err(self.raise(ExceptionKind::ValueError, "n must be >= 0"));
        };
        self.reserve_values(count.saturating_mul(8))?;
        let inner = self.iterator(bound.required(0))?;
        let (inner, values, position) = match inner {
            Value::Ref(at)
                if let HeapObject::Iterator(IteratorState::Itertools(iterator)) = self.heap.get(at)
                    && let ItertoolsState::Tee { inner, values, position } = **iterator =>
            {
                (inner, values, position)
            }
            _ => (inner, self.heap.list(Vec::new()), 0),
        };
        let iterators: Vec<Value> =
            (0..count).map(|_| self.new_library_iterator(ItertoolsState::Tee { inner, values, position })).collect();
        Ok(self.heap.tuple(iterators))
    }

    pub(super) fn advance_tee(
        &mut self,
        inner: Value,
        values: Value,
        position: &mut usize,
    ) -> ExecResult<Option<Value>> {
        let Value::Ref(list) = values else { return Ok(None) };
        if let Some(value) = self.tee_value(list, *position) {
            *position += 1;
            return Ok(Some(value));
        }
        let Some(value) = self.advance(inner)? else { return Ok(None) };
        self.append(list, value);
        *position += 1;
        Ok(Some(value))
    }

    fn tee_value(&self, list: HeapRef, position: usize) -> Option<Value> {
        match self.heap.get(list) {
            HeapObject::List(values) => values.get(position).copied(),
            _ => None,
        }
    }

    /// Implements `itertools.batched`, which Python has since version 3.12.
    pub(super) fn batched(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let length = usize::try_from(self.as_index(bound.required(1))?).unwrap_or(0);
        if length == 0 {
            return Err(self.raise(ExceptionKind::ValueError, "n must be at least one"));
        }
        let inner = self.iterator(bound.required(0))?;
        Ok(self.new_library_iterator(ItertoolsState::Batched(inner, length)))
    }

    pub(super) fn advance_batched(&mut self, inner: Value, length: usize) -> ExecResult<Option<Value>> {
        let mut batch = Vec::new();
        while batch.len() < length
            && let Some(value) = self.advance(inner)?
        {
            batch.push(value);
        }
        Ok((!batch.is_empty()).then(|| self.heap.tuple(batch)))
    }

    pub(super) fn advance_filter_false(&mut self, function: Value, inner: Value) -> ExecResult<Option<Value>> {
        while let Some(item) = self.advance(inner)? {
            let test = match function {
                Value::None => item,
                _ => self.call_value(function, &[item], &[])?,
            };
            if !self.truth(test)? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }
}
