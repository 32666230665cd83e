//! Methods of built-in classes with few of them.

use super::MethodRow as Row;
use super::row::MethodEffect;
use super::row::MethodParameters::{None as NoParameters, One, Unpacked};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::ResultType;
use crate::machine::value::{HeapObject, HeapRef, Value};

/// The methods of `tuple`.
pub(super) static TUPLE: [Row; 2] = [
    Row::of_object("tuple.count", One, |m, at, a| m.count_in_sequence(at, a[0])).with_result(ResultType::Count),
    Row::of_object("tuple.index", Unpacked { min: 1, max: 3 }, |m, at, a| {
        m.index_in_sequence(at, a, |_, _| Ok("tuple.index(x): x not in tuple".to_owned()))
    })
    .with_result(ResultType::Count),
];

/// The methods of `range`.
pub(super) static RANGE: [Row; 2] = [
    Row::of_object("range.count", One, |m, at, a| m.count_in_range(at, a[0])).with_result(ResultType::Count),
    Row::of_object("range.index", One, |m, at, a| m.position_in_range(at, a[0])).with_result(ResultType::Count),
];

/// The methods of `slice`.
pub(super) static SLICE: [Row; 1] = [Row::of_object("slice.indices", One, |m, at, a| m.slice_indices(at, a[0]))];

/// The methods of the views `dict.keys()` and `dict.items()`.
pub(super) static KEY_VIEW: [Row; 1] =
    [Row::of_object("dict_keys.isdisjoint", One, |m, at, a| m.has_no_member_of(Value::Ref(at), a[0]))
        .with_result(ResultType::Bool)];

/// The methods of the view `dict.items()`.
pub(super) static ITEM_VIEW: [Row; 1] =
    [Row::of_object("dict_items.isdisjoint", One, |m, at, a| m.has_no_member_of(Value::Ref(at), a[0]))
        .with_result(ResultType::Bool)];

/// The methods of `property`.
pub(super) static PROPERTY: [Row; 3] = [
    Row::of_object("property.deleter", One, |m, at, a| Ok(m.changed_property(at, |property| property[2] = Some(a[0])))),
    Row::of_object("property.getter", One, |m, at, a| Ok(m.changed_property(at, |property| property[0] = Some(a[0])))),
    Row::of_object("property.setter", One, |m, at, a| Ok(m.changed_property(at, |property| property[1] = Some(a[0])))),
];

/// The methods of generators.
pub(super) static GENERATOR: [Row; 3] = [
    Row::of_object("generator.close", NoParameters, |m, at, _| m.close_generator(at).map(|()| Value::None))
        .with_effect(MethodEffect::Changes)
        .with_result(ResultType::None),
    Row::of_object("generator.send", One, |m, at, a| m.send_to_generator(at, a[0])).with_effect(MethodEffect::Changes),
    Row::of_object("generator.throw", Unpacked { min: 1, max: 3 }, Machine::throw_by_arguments)
        .with_effect(MethodEffect::Changes),
];

/// The methods of functions with the decorator `lru_cache`.
pub(super) static LRU_CACHE: [Row; 3] = [
    Row::of_object("_lru_cache_wrapper.cache_clear", NoParameters, |m, at, _| Ok(m.clear_cache(at)))
        .with_effect(MethodEffect::Clears)
        .with_result(ResultType::None),
    Row::of_object("_lru_cache_wrapper.cache_info", NoParameters, |m, at, _| m.cache_info(at)),
    Row::of_object("_lru_cache_wrapper.cache_parameters", NoParameters, |m, at, _| m.cache_parameters(at)),
];

impl Machine {
    /// Returns a property with other functions: for reading, setting and deleting.
    fn changed_property(&mut self, at: HeapRef, change: impl FnOnce(&mut [Option<Value>; 3])) -> Value {
        let HeapObject::Property { get, set, delete } = *self.heap.get(at) else { return Value::None };
        let mut functions = [Some(get), set, delete];
        change(&mut functions);
        let [get, set, delete] = functions;
        Value::Ref(self.heap.add(HeapObject::Property { get: get.unwrap_or(Value::None), set, delete }))
    }

    /// Implements `slice.indices(length)`.
    fn slice_indices(&mut self, at: HeapRef, length: Value) -> ExecResult {
        let HeapObject::Slice(parts) = *self.heap.get(at) else { return Ok(Value::None) };
        let Ok(length) = usize::try_from(self.as_index(length)?) else {
            return Err(self.raise(ExceptionKind::ValueError, "length should not be negative"));
        };
        let (first, end, step) = self.slice_bounds(parts, length)?;
        Ok(self.heap.tuple([first, end, step].map(Value::Int)))
    }

    /// Returns whether a collection contains no value of an iterable.
    fn has_no_member_of(&mut self, collection: Value, values: Value) -> ExecResult {
        for value in self.collect_values(values)? {
            if self.contains(collection, value)? {
                return Ok(Value::Bool(false));
            }
        }
        Ok(Value::Bool(true))
    }
}
