//! Hooks that report executed instructions, values and comparisons to an observer, and the counters of the last call.

use super::numpy::to_python_number;
use super::value::{HeapObject, Value};
use super::{Machine, TracebackEntry};
use crate::observe::{Observer, Operand};
use crate::operators::ComparisonOperator;

impl Machine {
    /// Reports everything that runs from now on to an observer, which replaces the current one.
    pub fn set_observer(&mut self, observer: Observer) {
        self.observer = Some(Box::new(observer));
    }

    /// The current observer, if there is one.
    pub fn observer(&mut self) -> Option<&mut Observer> {
        self.observer.as_deref_mut()
    }

    /// Removes the observer and returns it.
    pub fn take_observer(&mut self) -> Option<Observer> {
        self.observer.take().map(|observer| *observer)
    }

    /// The place where the last call returned its result; `None` before the first call.
    pub fn last_return_place(&self) -> Option<TracebackEntry> {
        let (code, instruction) = self.return_location?;
        Some(self.program.traceback_entry(self.program.code(code), instruction))
    }

    /// Reports the instruction that runs next.
    #[inline]
    pub(super) fn report_instruction(&mut self) {
        if let (Some(observer), Some(frame)) = (self.observer.as_deref_mut(), self.frames.last()) {
            observer.instruction(frame.code, frame.pc);
        }
    }

    /// The units of work that the last call spent, or the top level if there was no call; see
    /// [`CallBudget::work`](crate::limits::CallBudget::work).
    pub fn work_spent(&self) -> u64 {
        self.budget.work - self.remaining_work
    }

    /// The units of work that the top level spent.
    pub fn setup_work(&self) -> u64 {
        self.setup_work
    }

    /// The observer and the slot of the current instruction, if the observer watches that instruction.
    #[inline]
    fn observed_slot(&mut self) -> Option<(&mut Observer, u32)> {
        let observer = self.observer.as_deref_mut()?;
        let frame = self.frames.last()?;
        let slot = observer.slot(frame.code, frame.pc.wrapping_sub(1))?;
        Some((observer, slot))
    }

    #[inline]
    pub(super) fn report_branch(&mut self, truth: bool) {
        if let Some((observer, slot)) = self.observed_slot() {
            observer.branch(slot, truth);
        }
    }

    /// Reports the value on top of the stack, which is stored or returned. Of a tuple `(total, components)`, reports the total.
    #[inline]
    pub(super) fn report_top(&mut self) {
        if self.observer.is_some() {
            let value = self.operands.last().copied();
            let number = value.and_then(|value| self.observed_number(self.total_of(value)));
            if let Some((observer, slot)) = self.observed_slot() {
                observer.value(slot, number);
            }
        }
    }

    #[inline]
    pub(super) fn report_operation(&mut self, left: Value, right: Value, value: Value) {
        if self.observer.is_some() {
            let numbers = [left, right, value].map(|value| self.observed_number(value));
            if let Some((observer, slot)) = self.observed_slot() {
                observer.operation(slot, numbers);
            }
        }
    }

    #[inline]
    pub(super) fn report_comparison(&mut self, operator: ComparisonOperator, left: Value, right: Value, value: Value) {
        if self.observer.is_some() && self.observed_slot().is_some() {
            let operands = [left, right].map(|value| self.observed_operand(value));
            let truth = matches!(self.base_value(value), Value::Bool(true));
            if let Some((observer, slot)) = self.observed_slot() {
                observer.comparison(slot, operator, operands, truth);
            }
        }
    }

    /// Returns the first element of a tuple, and any other value unchanged.
    fn total_of(&self, value: Value) -> Value {
        match self.base_value(value) {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Tuple(parts) => parts.first().copied().unwrap_or(value),
                _ => value,
            },
            _ => value,
        }
    }

    fn observed_number(&self, value: Value) -> Option<f64> {
        let value = match self.base_value(value) {
            Value::Numpy(scalar) => to_python_number(scalar.get()),
            other => other,
        };
        match value {
            Value::Int(number) => Some(number as f64),
            Value::Float(number) => Some(number),
            Value::Bool(truth) => Some(f64::from(u8::from(truth))),
            _ => None,
        }
    }

    fn observed_operand(&self, value: Value) -> Operand {
        if let Some(number) = self.observed_number(value) {
            return Operand::Number(number);
        }
        match value {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Text(text) => Operand::Text(text.clone()),
                _ => Operand::Other,
            },
            _ => Operand::Other,
        }
    }
}
