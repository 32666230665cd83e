//! What an observer is told while a program runs.

use ruff_python_ast::CmpOp;

use super::numpy::native;
use super::value::{Cell, Value};
use super::{Machine, Place};
use crate::observe::{Observer, Operand};

impl Machine<'_> {
    /// Lets an observer look on from now on.
    pub fn observe(&mut self, observer: Observer) {
        self.observer = Some(Box::new(observer));
    }

    /// Who looks on.
    pub fn observer(&mut self) -> Option<&mut Observer> {
        self.observer.as_deref_mut()
    }

    /// Who looked on until now.
    pub fn unobserved(&mut self) -> Option<Observer> {
        self.observer.take().map(|observer| *observer)
    }

    /// Where the last call returned its result; `None` before the first one.
    pub fn returned_from(&self) -> Option<&Place> {
        self.returned.as_ref()
    }

    /// Tells the observer which instruction runs next.
    #[inline]
    pub(super) fn see_instruction(&mut self) {
        if let (Some(observer), Some(frame)) = (self.observer.as_deref_mut(), self.frames.last()) {
            observer.instruction(frame.code, frame.next);
        }
    }

    /// The units of work that the last call took, or the top level if there was none; of [`Budget::work`](crate::limits::Budget::work).
    pub fn spent(&self) -> u64 {
        self.budget.work - self.left
    }

    /// The units of work that the top level took.
    pub fn set_up(&self) -> u64 {
        self.set_up
    }

    /// The observer and what it watches at the instruction that is running.
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

    /// The value on top of the stack is stored or returned. Of `(total, components)`, the total is looked at.
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

    /// The first part of a tuple, or the value itself.
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
