//! Augmented assignments such as `a += b`, including in-place changes of mutable values.

use ruff_python_ast::Operator;

use super::Machine;
use super::exceptions::Outcome;
use super::operators::names;
use super::value::{Cell, Value};

impl Machine<'_> {
    /// Evaluates an augmented assignment such as `a += b`; lists, deques, sets, dicts and arrays change in place.
    pub(super) fn in_place(&mut self, operator: Operator, left: Value, right: Value) -> Outcome {
        if let Some(changed) = self.sequence_in_place(operator, left, right)? {
            return Ok(changed);
        }
        if let Some(changed) = self.counter_in_place(operator, left, right)? {
            return Ok(changed);
        }
        if let Value::Ref(at) = left
            && self.changed_in_place(operator, at, right)?
        {
            return Ok(left);
        }
        if self.is_numpy(left)
            && let Some(result) = self.numpy_in_place(operator, left, right)?
        {
            return Ok(result);
        }
        if self.class_of_program(left).is_some() {
            let name = format!("__i{}__", names(operator).0);
            if let Some(method) = self.special(left, &name) {
                let value = self.call_value(method, &[right], &[])?;
                if !matches!(value, Value::NotImplemented) {
                    return Ok(value);
                }
            }
        }
        self.operate(operator, left, right, true)
    }

    /// Evaluates `*=` or `+=` of a list or deque in place; `None` for other values and operators.
    fn sequence_in_place(&mut self, operator: Operator, left: Value, right: Value) -> Outcome<Option<Value>> {
        let Value::Ref(at) = left else { return Ok(None) };
        let is_deque = match self.heap.get(at) {
            Cell::List(_) => false,
            Cell::Deque(_) => true,
            _ => return Ok(None),
        };
        // Numpy values and objects with a reflected operator take precedence.
        let (name, _) = names(operator);
        if self.is_numpy(right) || !matches!(operator, Operator::Add | Operator::Mult) {
            return Ok(None);
        }
        if let Some(method) = self.special(right, &format!("__r{name}__")) {
            let value = self.call_value(method, &[left], &[])?;
            if !matches!(value, Value::NotImplemented) {
                return Ok(Some(value));
            }
        }
        match operator {
            Operator::Mult => {
                let Some(Value::Ref(repeated)) = self.repeated(left, right)? else { return Ok(None) };
                let repeated = self.heap.get(repeated).clone();
                *self.heap.get_mut(at) = repeated;
                Ok(Some(left))
            }
            Operator::Add if !is_deque => self.extend(at, right).map(|()| Some(left)),
            Operator::Add => self.deque_method(at, "extend", &[right]).map(|_| Some(left)),
            _ => Ok(None),
        }
    }

    /// Changes a set or dict in place; returns whether the operator applies to the value.
    fn changed_in_place(&mut self, operator: Operator, at: super::value::Ref, right: Value) -> Outcome<bool> {
        match self.heap.get(at) {
            Cell::Set(_) => self.change_set(operator, at, right),
            Cell::Dict(dict) if operator == Operator::BitOr && !matches!(dict.flavor, super::Flavor::Counter) => {
                self.update_dict(at, right)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
