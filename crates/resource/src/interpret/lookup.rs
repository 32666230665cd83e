//! The interface through which tests and computations read fields.

use std::sync::Arc;

use crate::field::Field;
use crate::value::Value;

/// A source of the values of fields.
pub trait FieldLookup {
    /// Returns the value of a field; `None` if it is missing.
    fn value(&self, field: &Field) -> Option<Value>;

    /// Records the number of integer overflows in a computation.
    fn record_overflows(&self, _count: u32) {}
}

impl<F: Fn(&Field) -> Option<Value>> FieldLookup for F {
    fn value(&self, field: &Field) -> Option<Value> {
        self(field)
    }
}

/// Returns the member of a value at a path of keys; `None` if the path leads outside the maps or to a missing value.
pub fn member(value: Value, path: &[Arc<str>]) -> Option<Value> {
    path.iter().try_fold(value, |value, key| match value {
        Value::Map(entries) => entries.get(key)?.clone(),
        _ => None,
    })
}
