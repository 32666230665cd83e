//! Special methods of values whose class does not define them, such as `[1, 2].__len__()`.

use super::Machine;
use super::exceptions::{ExceptionKind, ExecResult};
use super::methods::Method;
use super::value::{HeapObject, Value};
use crate::operators::ComparisonOperator;

/// The special names that programs may read as attributes of any object.
pub const READABLE_SPECIAL_NAMES: [&str; 29] = [
    "__call__",
    "__class__",
    "__contains__",
    "__delitem__",
    "__doc__",
    "__enter__",
    "__eq__",
    "__exit__",
    "__ge__",
    "__getitem__",
    "__gt__",
    "__hash__",
    "__init__",
    "__iter__",
    "__le__",
    "__len__",
    "__lt__",
    "__match_args__",
    "__members__",
    "__name__",
    "__ne__",
    "__new__",
    "__next__",
    "__qualname__",
    "__repr__",
    "__setattr__",
    "__setitem__",
    "__str__",
    "__wrapped__",
];

/// The special methods that every value has.
const GENERAL: [&str; 9] =
    ["__eq__", "__ge__", "__gt__", "__hash__", "__le__", "__lt__", "__ne__", "__repr__", "__str__"];

impl Machine {
    /// Returns a special method of a value, which its class does not define in the program.
    pub(super) fn built_in_special_method(&mut self, value: Value, name: &str) -> Option<Value> {
        let fixed = self.special_name_of(value, name)?;
        Some(self.bound_method(value, Method::Special(fixed)))
    }

    /// Returns the name of a special method if the value has the method.
    fn special_name_of(&mut self, value: Value, name: &str) -> Option<&'static str> {
        if let Some(general) = GENERAL.iter().find(|other| **other == name) {
            return Some(general);
        }
        let cell = match self.base_value(value) {
            Value::Ref(at) => Some(self.heap.get(at)),
            _ => None,
        };
        let is_mutable = matches!(cell, Some(HeapObject::List(_) | HeapObject::Dict(_) | HeapObject::Deque(_)));
        let is_sequence = is_mutable
            || matches!(
                cell,
                Some(HeapObject::Tuple(_) | HeapObject::Text(_) | HeapObject::Bytes(_) | HeapObject::Range { .. })
            );
        let is_collection = is_sequence || matches!(cell, Some(HeapObject::Set(_) | HeapObject::DictView(..)));
        let is_iterator = matches!(cell, Some(HeapObject::Iterator(_) | HeapObject::Generator(_)));
        Some(match name {
            "__call__" if self.is_callable(value) => "__call__",
            "__contains__" if is_collection => "__contains__",
            "__delitem__" if is_mutable => "__delitem__",
            "__getitem__" if is_sequence => "__getitem__",
            "__iter__" if is_collection || is_iterator => "__iter__",
            "__len__" if is_collection => "__len__",
            "__next__" if is_iterator => "__next__",
            "__setitem__" if is_mutable => "__setitem__",
            _ => return None,
        })
    }

    /// Calls a special method of [`Self::built_in_special_method`].
    pub(super) fn call_special_method(
        &mut self,
        value: Value,
        name: &'static str,
        arguments: &[Value],
        named: super::call::KeywordArguments<'_>,
    ) -> ExecResult {
        if name == "__call__" {
            return self.nested(|machine| machine.call_value(value, arguments, named));
        }
        self.reject_keywords(name, named)?;
        let count = match name {
            "__hash__" | "__iter__" | "__len__" | "__next__" | "__repr__" | "__str__" => 0,
            "__setitem__" => 2,
            _ => 1,
        };
        if arguments.len() != count {
            let plural = if count == 1 { "" } else { "s" };
            let message = format!("expected {count} argument{plural}, got {}", arguments.len());
            return Err(self.raise(ExceptionKind::TypeError, &message));
        }
        let operator = match name {
            "__contains__" => return self.contains(value, arguments[0]).map(Value::Bool),
            "__delitem__" => return self.delete_item(value, arguments[0]).map(|()| Value::None),
            "__getitem__" => return self.get_item(value, arguments[0]),
            "__hash__" => return self.hash_bits(value).map(|hash| Value::Int(hash as i64)),
            "__iter__" => return self.iterator(value),
            "__len__" => return self.length(value).map(|length| Value::Int(length as i64)),
            "__next__" => return self.next_or_raise(value),
            "__repr__" => return self.repr(value).map(|text| self.heap.text(&text)),
            "__setitem__" => return self.set_item(value, arguments[0], arguments[1]).map(|()| Value::None),
            "__str__" => return self.str(value).map(|text| self.heap.text(&text)),
            "__eq__" => ComparisonOperator::Eq,
            "__ne__" => ComparisonOperator::NotEq,
            "__lt__" => ComparisonOperator::Lt,
            "__le__" => ComparisonOperator::LtE,
            "__gt__" => ComparisonOperator::Gt,
            _ => ComparisonOperator::GtE,
        };
        if self.compares_natively(operator, value, arguments[0]) {
            return self.compare(operator, value, arguments[0]);
        }
        let is_same = super::compare::is_identical(value, arguments[0]);
        Ok(match operator {
            ComparisonOperator::Eq if is_same => Value::Bool(true),
            ComparisonOperator::NotEq if is_same => Value::Bool(false),
            _ => Value::NotImplemented,
        })
    }
}
