//! Special methods of values whose class does not define them, such as `[1, 2].__len__()`.

use super::Machine;
use super::exceptions::ExecResult;
use super::library_function::ResultType;
use super::methods::MethodParameters::Slot;
use super::methods::{MethodEffect, MethodRow as Row};
use super::value::{HeapObject, Value};
use crate::operators::ComparisonOperator;

/// The special names that programs may read as attributes of any object.
pub const READABLE_SPECIAL_NAMES: [&str; 33] = [
    "__bases__",
    "__call__",
    "__class__",
    "__contains__",
    "__delitem__",
    "__dict__",
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
    "__mro__",
    "__name__",
    "__ne__",
    "__new__",
    "__next__",
    "__qualname__",
    "__repr__",
    "__reversed__",
    "__setattr__",
    "__setitem__",
    "__str__",
    "__wrapped__",
];

/// The special methods of values, which their classes do not define in the program.
pub(super) static SPECIAL_METHODS: [Row; 18] = [
    Row::custom("object.__call__", |m, value, arguments, named| {
        m.nested(|machine| machine.call_value(value, arguments, named))
    }),
    Row::of_value("object.__contains__", Slot(1), |m, value, a| m.contains(value, a[0]).map(Value::Bool)),
    Row::of_value("object.__delitem__", Slot(1), |m, value, a| m.delete_item(value, a[0]).map(|()| Value::None))
        .with_effect(MethodEffect::Removes),
    Row::of_value("object.__eq__", Slot(1), |m, value, a| m.compare_by_method(ComparisonOperator::Eq, value, a[0])),
    Row::of_value("object.__ge__", Slot(1), |m, value, a| m.compare_by_method(ComparisonOperator::GtE, value, a[0])),
    Row::of_value("object.__getitem__", Slot(1), |m, value, a| m.get_item(value, a[0])),
    Row::of_value("object.__gt__", Slot(1), |m, value, a| m.compare_by_method(ComparisonOperator::Gt, value, a[0])),
    Row::of_value("object.__hash__", Slot(0), |m, value, _| m.hash_bits(value).map(|hash| Value::Int(hash as i64))),
    Row::of_value("object.__iter__", Slot(0), |m, value, _| m.iterator(value)),
    Row::of_value("object.__le__", Slot(1), |m, value, a| m.compare_by_method(ComparisonOperator::LtE, value, a[0])),
    Row::of_value("object.__len__", Slot(0), |m, value, _| m.length(value).map(|length| Value::Int(length as i64)))
        .with_result(ResultType::Count),
    Row::of_value("object.__lt__", Slot(1), |m, value, a| m.compare_by_method(ComparisonOperator::Lt, value, a[0])),
    Row::of_value("object.__ne__", Slot(1), |m, value, a| m.compare_by_method(ComparisonOperator::NotEq, value, a[0])),
    Row::of_value("object.__next__", Slot(0), |m, value, _| m.next_or_raise(value)).with_effect(MethodEffect::Changes),
    Row::of_value("object.__repr__", Slot(0), |m, value, _| m.repr(value).map(|text| m.heap.text(&text)))
        .with_result(ResultType::Text),
    Row::of_value("object.__reversed__", Slot(0), |m, value, _| m.reversed(value)),
    Row::of_value("object.__setitem__", Slot(2), |m, value, a| m.set_item(value, a[0], a[1]).map(|()| Value::None))
        .with_effect(MethodEffect::Adds),
    Row::of_value("object.__str__", Slot(0), |m, value, _| m.str(value).map(|text| m.heap.text(&text)))
        .with_result(ResultType::Text),
];

impl Machine {
    /// Returns a special method of a value, which its class does not define in the program.
    pub(super) fn built_in_special_method(&mut self, value: Value, name: &str) -> Option<Value> {
        let method = super::methods::find_row(&SPECIAL_METHODS, name)?;
        self.has_special_method(value, method.name).then(|| self.bound_method(value, method))
    }

    /// Returns whether a value has a special method.
    fn has_special_method(&mut self, value: Value, name: &str) -> bool {
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
        let is_reversible = matches!(
            cell,
            Some(HeapObject::List(_) | HeapObject::Dict(_) | HeapObject::Deque(_) | HeapObject::Range { .. })
        );
        let is_collection = is_sequence || matches!(cell, Some(HeapObject::Set(_) | HeapObject::DictView(..)));
        let is_iterator = matches!(cell, Some(HeapObject::Iterator(_) | HeapObject::Generator(_)));
        match name {
            "__call__" => self.is_callable(value),
            "__contains__" | "__len__" => is_collection,
            "__delitem__" | "__setitem__" => is_mutable,
            "__getitem__" => is_sequence,
            "__iter__" => is_collection || is_iterator,
            "__next__" => is_iterator,
            "__reversed__" => is_reversible,
            _ => true,
        }
    }

    /// Evaluates a comparison as the special method of a value does.
    fn compare_by_method(&mut self, operator: ComparisonOperator, value: Value, other: Value) -> ExecResult {
        if self.compares_natively(operator, value, other) {
            return self.compare(operator, value, other);
        }
        let is_same = super::compare::is_identical(value, other);
        Ok(match operator {
            ComparisonOperator::Eq if is_same => Value::Bool(true),
            ComparisonOperator::NotEq if is_same => Value::Bool(false),
            _ => Value::NotImplemented,
        })
    }
}
