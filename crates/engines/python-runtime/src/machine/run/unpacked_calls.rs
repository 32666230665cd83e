//! Shortcuts of calls with `*arguments` and `**keywords`, and of displays with `*values`.

use super::shortcuts::Shortcut;
use super::{ExecResult, HeapObject, Machine, Operands, Value};
use crate::machine::ELEMENTS_PER_UNIT;

impl Machine {
    /// Adds the elements of a list or a tuple on top of the stack to the list below it.
    pub(super) fn quick_extend(&mut self) -> ExecResult<Shortcut> {
        let [.., Value::Ref(list), values] = *self.operands.as_slice() else { return Ok(Shortcut::Unavailable) };
        let Some(values) = self.quick_elements(values) else { return Ok(Shortcut::Unavailable) };
        self.operands.pop();
        self.charge(values.len() as u64 / ELEMENTS_PER_UNIT)?;
        self.reserve_values(values.len())?;
        self.heap.record_growth(values.len());
        if let HeapObject::List(list) = self.heap.get_mut(list) {
            list.extend_from_slice(&values);
        }
        Ok(Shortcut::Taken)
    }

    /// Replaces a list on top of the stack by a tuple of its elements.
    pub(super) fn quick_list_to_tuple(&mut self) -> ExecResult<Shortcut> {
        let values = self.operands.last().and_then(|&list| self.quick_elements(list));
        let Some(values) = values else { return Ok(Shortcut::Unavailable) };
        self.operands.pop();
        self.charge(values.len() as u64 / ELEMENTS_PER_UNIT)?;
        let tuple = self.heap.tuple(values);
        self.operands.push(tuple);
        Ok(Shortcut::Taken)
    }

    /// Drops an empty dict of keyword arguments on top of the stack, which adds nothing to those below it.
    pub(super) fn quick_merge_keywords(&mut self) -> ExecResult<Shortcut> {
        if !self.operands.last().is_some_and(|&dict| self.is_empty_dict(dict)) {
            return Ok(Shortcut::Unavailable);
        }
        self.operands.pop();
        self.charge(0)?;
        Ok(Shortcut::Taken)
    }

    /// Starts a call whose arguments are a tuple on the stack, below an empty dict of keyword arguments if it is `named`.
    pub(super) fn quick_unpacked_call(&mut self, named: bool, pc: usize) -> ExecResult<Shortcut> {
        let place = self.operands.len() - 1 - usize::from(named);
        if named && !self.operands.last().is_some_and(|&dict| self.is_empty_dict(dict)) {
            return Ok(Shortcut::Unavailable);
        }
        let Some(arguments) = self.quick_elements(self.operands[place]) else { return Ok(Shortcut::Unavailable) };
        self.top_frame().pc = pc;
        self.operands.truncate(place);
        self.charge(arguments.len() as u64 / ELEMENTS_PER_UNIT)?;
        self.operands.extend_from_slice(&arguments);
        match self.quick_call(arguments.len(), pc)? {
            Shortcut::Unavailable => {
                self.operands.truncate(place);
                let called = self.pop();
                self.begin_call(called, &arguments, &[])?;
                // The call may have pushed its frame, or its result.
                Ok(Shortcut::FrameChanged)
            }
            started => Ok(started),
        }
    }

    /// Returns the elements of a list or a tuple.
    #[inline]
    fn quick_elements(&self, value: Value) -> Option<Operands> {
        let Value::Ref(at) = value else { return None };
        match self.heap.get(at) {
            HeapObject::List(values) => Some(Operands::from_slice(values)),
            HeapObject::Tuple(values) => Some(Operands::from_slice(values)),
            _ => None,
        }
    }

    #[inline]
    fn is_empty_dict(&self, value: Value) -> bool {
        matches!(value, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Dict(dict) if dict.len() == 0))
    }
}
