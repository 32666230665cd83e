//! Hooks that report executed instructions, values and comparisons to an observer, and the counters of the last call.

use ruff_python_ast::CmpOp;

use super::numpy::native;
use super::value::{Cell, Value};
use super::{Machine, Place};
use crate::observe::{Observer, Operand};

impl Machine<'_> {
    /// Reports everything that runs from now on to an observer, which replaces the current one.
    pub fn observe(&mut self, observer: Observer) {
        self.observer = Some(Box::new(observer));
    }

    /// The current observer, if there is one.
    pub fn observer(&mut self) -> Option<&mut Observer> {
        self.observer.as_deref_mut()
    }

    /// Removes the observer and returns it.
    pub fn unobserved(&mut self) -> Option<Observer> {
        self.observer.take().map(|observer| *observer)
    }

    /// The place where the last call returned its result; `None` before the first call.
    pub fn returned_from(&self) -> Option<&Place> {
        self.returned.as_ref()
    }

    /// Reports the instruction that runs next.
    #[inline]
    pub(super) fn see_instruction(&mut self) {
        if let (Some(observer), Some(frame)) = (self.observer.as_deref_mut(), self.frames.last()) {
            observer.instruction(frame.code, frame.next);
        }
    }

    /// The units of work that the last call spent, or the top level if there was no call; see
    /// [`Budget::work`](crate::limits::Budget::work).
    pub fn spent(&self) -> u64 {
        self.budget.work - self.left
    }

    /// The units of work that the top level spent.
    pub fn set_up(&self) -> u64 {
        self.set_up
    }

    /// The observer and the slot of the current instruction, if the observer watches that instruction.
    #[inline]
    fn watched(&mut self) -> Option<(&mut Observer, u32)> {
        let observer = self.observer.as_deref_mut()?;
        let frame = self.frames.last()?;
        let slot = observer.slot(frame.code, frame.next.wrapping_sub(1))?;
        Some((observer, slot))
    }

    #[inline]
    pub(super) fn see_branch(&mut self, truth: bool) {
        if let Some((observer, slot)) = self.watched() {
            observer.branch(slot, truth);
        }
    }

    /// Reports the value on top of the stack, which is stored or returned. Of a tuple `(total, components)`, reports the total.
    #[inline]
    pub(super) fn see_top(&mut self) {
        if self.observer.is_some() {
            let value = self.frames.last().and_then(|frame| frame.stack.last().copied());
            let number = value.and_then(|value| self.seen_number(self.total_of(value)));
            if let Some((observer, slot)) = self.watched() {
                observer.value(slot, number);
            }
        }
    }

    #[inline]
    pub(super) fn see_operation(&mut self, left: Value, right: Value, value: Value) {
        if self.observer.is_some() {
            let numbers = [left, right, value].map(|value| self.seen_number(value));
            if let Some((observer, slot)) = self.watched() {
                observer.operation(slot, numbers);
            }
        }
    }

    #[inline]
    pub(super) fn see_comparison(&mut self, operator: CmpOp, left: Value, right: Value, value: Value) {
        if self.observer.is_some() && self.watched().is_some() {
            let operands = [left, right].map(|value| self.seen_operand(value));
            let truth = matches!(self.plain(value), Value::Bool(true));
            if let Some((observer, slot)) = self.watched() {
                observer.comparison(slot, operator, operands, truth);
            }
        }
    }

    /// Returns the first element of a tuple, and any other value unchanged.
    fn total_of(&self, value: Value) -> Value {
        match self.plain(value) {
            Value::Ref(at) => match self.heap.get(at) {
                Cell::Tuple(parts) => parts.first().copied().unwrap_or(value),
                _ => value,
            },
            _ => value,
        }
    }

    fn seen_number(&self, value: Value) -> Option<f64> {
        let value = match self.plain(value) {
            Value::Numpy(scalar) => native(scalar),
            other => other,
        };
        match value {
            Value::Int(number) => Some(number as f64),
            Value::Float(number) => Some(number),
            Value::Bool(truth) => Some(f64::from(u8::from(truth))),
            _ => None,
        }
    }

    fn seen_operand(&self, value: Value) -> Operand {
        if let Some(number) = self.seen_number(value) {
            return Operand::Number(number);
        }
        match value {
            Value::Ref(at) => match self.heap.get(at) {
                Cell::Text(text) => Operand::Text(text.clone()),
                _ => Operand::Other,
            },
            _ => Operand::Other,
        }
    }
}
