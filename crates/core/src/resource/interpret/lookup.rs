//! What the fields of tests and computations stand for.

use std::sync::Arc;

use crate::resource::field::Field;
use crate::resource::value::Value;

/// Where tests and computations find the values of fields.
pub trait Lookup {
    /// The value of a field; `None` if it has none.
    fn value(&self, field: &Field) -> Option<Value>;

    /// Takes note of whole numbers that left 32 bits in a computation.
    fn overflowed(&self, _count: u32) {}
}

impl<F: Fn(&Field) -> Option<Value>> Lookup for F {
    fn value(&self, field: &Field) -> Option<Value> {
        self(field)
    }
}

/// The member of a value at the end of a path of keys; `None` where the path leaves the maps, or ends at nothing.
pub fn member(value: Value, path: &[Arc<str>]) -> Option<Value> {
    path.iter().try_fold(value, |value, key| match value {
        Value::Map(entries) => entries.get(key)?.clone(),
        _ => None,
    })
}
