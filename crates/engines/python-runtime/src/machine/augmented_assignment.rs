//! Augmented assignments such as `a += b`, including in-place changes of mutable values.

use super::Machine;
use super::exceptions::ExecResult;
use super::operators::operator_names;
use super::value::{HeapObject, Value};
use crate::operators::BinaryOperator;

impl Machine {
    /// Evaluates an augmented assignment such as `a += b`; lists, deques, sets, dicts, instances of classes derived from those, and arrays
    /// change in place.
    pub(super) fn operator_in_place(&mut self, operator: BinaryOperator, left: Value, right: Value) -> ExecResult {
        if self.class_of_program(left).is_some()
            && let Some(method) = self.special_method(left, operator_names(operator).in_place)
        {
            let value = self.call_value(method, &[right], &[])?;
            if !matches!(value, Value::NotImplemented) {
                return Ok(value);
            }
            return self.binary_operator(operator, left, right, true);
        }
        if let Some(changed) = self.sequence_operator_in_place(operator, left, right)? {
            return Ok(changed);
        }
        if let Some(changed) = self.counter_operator_in_place(operator, left, right)? {
            return Ok(changed);
        }
        if let Value::Ref(at) = self.base_value(left)
            && self.set_or_dict_operator_in_place(operator, at, right)?
        {
            return Ok(left);
        }
        if self.is_numpy(left)
            && let Some(result) = self.numpy_in_place(operator, left, right)?
        {
            return Ok(result);
        }
        self.binary_operator(operator, left, right, true)
    }

    /// Evaluates `*=` or `+=` of a list or deque in place; `None` for other values and operators.
    fn sequence_operator_in_place(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
    ) -> ExecResult<Option<Value>> {
        let Value::Ref(at) = self.base_value(left) else { return Ok(None) };
        let is_deque = match self.heap.get(at) {
            HeapObject::List(_) => false,
            HeapObject::Deque(_) => true,
            _ => return Ok(None),
        };
        // Numpy values and objects with a reflected operator take precedence.
        if self.is_numpy(right) || !matches!(operator, BinaryOperator::Add | BinaryOperator::Mult) {
            return Ok(None);
        }
        let names = operator_names(operator);
        // As in CPython, a derived class inherits `+=` before all methods for `+`, but `*=` only without methods for `*`.
        let is_derived = self.class_of_program(left).is_some();
        let has_method = |machine: &mut Self, name| machine.special_method(left, name).is_some();
        if operator == BinaryOperator::Mult && (has_method(self, names.method) || has_method(self, names.reflected)) {
            return Ok(None);
        }
        if !(is_derived && operator == BinaryOperator::Add)
            && let Some(method) = self.special_method(right, names.reflected)
        {
            let value = self.call_value(method, &[left], &[])?;
            if !matches!(value, Value::NotImplemented) {
                return Ok(Some(value));
            }
        }
        match operator {
            BinaryOperator::Mult => {
                let Some(Value::Ref(repeated)) = self.repeated(Value::Ref(at), right)? else { return Ok(None) };
                let repeated = self.heap.get(repeated).clone();
                *self.heap.get_mut(at) = repeated;
                Ok(Some(left))
            }
            BinaryOperator::Add if !is_deque => self.extend(at, right).map(|()| Some(left)),
            BinaryOperator::Add => self.extend_deque(at, right, false).map(|_| Some(left)),
            _ => Ok(None),
        }
    }

    /// Changes a set or dict in place; returns whether the operator applies to the value.
    fn set_or_dict_operator_in_place(
        &mut self,
        operator: BinaryOperator,
        at: super::value::HeapRef,
        right: Value,
    ) -> ExecResult<bool> {
        match self.heap.get(at) {
            HeapObject::Set(_) => self.set_operator_in_place(operator, at, right),
            HeapObject::Dict(dict)
                if operator == BinaryOperator::BitOr && !matches!(dict.kind, super::DictKind::Counter) =>
            {
                self.update_dict(at, right)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
