//! Methods of `set` and `frozenset`.

use super::row::MethodParameters::{Many, None as NoParameters, One};
use super::{MethodEffect, MethodRow as Row};
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::ResultType;
use crate::machine::sets::SetOperator;
use crate::machine::value::{HeapRef, Value};

/// Calls a function with each argument of a method that returns nothing.
fn for_each(
    machine: &mut Machine,
    at: HeapRef,
    arguments: &[Value],
    call: fn(&mut Machine, HeapRef, Value) -> ExecResult<()>,
) -> ExecResult {
    arguments.iter().try_for_each(|&argument| call(machine, at, argument))?;
    Ok(Value::None)
}

/// The methods of `set`.
pub(in crate::machine) static SET: [Row; 17] = [
    Row::of_object("set.add", One, |m, at, a| for_each(m, at, a, Machine::add_to_set))
        .with_effect(MethodEffect::Adds)
        .with_result(ResultType::None),
    Row::of_object("set.clear", NoParameters, |m, at, _| {
        m.dict_mut(at).clear();
        Ok(Value::None)
    })
    .with_effect(MethodEffect::Clears)
    .with_result(ResultType::None),
    Row::of_object("set.copy", NoParameters, |m, at, _| m.copy_set(at)).with_result(ResultType::Copy),
    Row::of_object("set.difference", Many, |m, at, a| m.combined_set(SetOperator::Difference, at, a)),
    Row::of_object("set.difference_update", Many, |m, at, a| for_each(m, at, a, Machine::difference_update))
        .with_effect(MethodEffect::Removes)
        .with_result(ResultType::None),
    Row::of_object("set.discard", One, |m, at, a| m.discard_from_set(at, a[0]).map(|_| Value::None))
        .with_effect(MethodEffect::Removes)
        .with_result(ResultType::None),
    Row::of_object("set.intersection", Many, |m, at, a| m.combined_set(SetOperator::Intersection, at, a)),
    Row::of_object("set.intersection_update", Many, |m, at, a| m.intersection_update(at, a).map(|()| Value::None))
        .with_effect(MethodEffect::Removes)
        .with_result(ResultType::None),
    Row::of_object("set.isdisjoint", One, |m, at, a| m.is_disjoint(at, a[0])).with_result(ResultType::Bool),
    Row::of_object("set.issubset", One, |m, at, a| m.is_subset_of(at, a[0], false)).with_result(ResultType::Bool),
    Row::of_object("set.issuperset", One, |m, at, a| m.is_subset_of(at, a[0], true)).with_result(ResultType::Bool),
    Row::of_object("set.pop", NoParameters, |m, at, _| m.pop_from_set(at)).with_effect(MethodEffect::Removes),
    Row::of_object("set.remove", One, |m, at, a| {
        if m.discard_from_set(at, a[0])? {
            Ok(Value::None)
        } else {
            Err(m.raise_with(ExceptionKind::KeyError, vec![a[0]]))
        }
    })
    .with_effect(MethodEffect::Removes)
    .with_result(ResultType::None),
    Row::of_object("set.symmetric_difference", One, |m, at, a| m.symmetric_difference(at, a[0])),
    Row::of_object("set.symmetric_difference_update", One, |m, at, a| {
        for_each(m, at, a, Machine::symmetric_difference_update)
    })
    .with_effect(MethodEffect::Changes)
    .with_result(ResultType::None),
    Row::of_object("set.union", Many, |m, at, a| m.combined_set(SetOperator::Union, at, a)),
    Row::of_object("set.update", Many, |m, at, a| for_each(m, at, a, Machine::update_set))
        .with_effect(MethodEffect::Adds)
        .with_result(ResultType::None),
];

/// The methods of `frozenset`.
pub(in crate::machine) static FROZEN_SET: [Row; 8] = [
    Row::of_object("frozenset.copy", NoParameters, |m, at, _| m.copy_set(at)).with_result(ResultType::Copy),
    Row::of_object("frozenset.difference", Many, |m, at, a| m.combined_set(SetOperator::Difference, at, a)),
    Row::of_object("frozenset.intersection", Many, |m, at, a| m.combined_set(SetOperator::Intersection, at, a)),
    Row::of_object("frozenset.isdisjoint", One, |m, at, a| m.is_disjoint(at, a[0])).with_result(ResultType::Bool),
    Row::of_object("frozenset.issubset", One, |m, at, a| m.is_subset_of(at, a[0], false)).with_result(ResultType::Bool),
    Row::of_object("frozenset.issuperset", One, |m, at, a| m.is_subset_of(at, a[0], true))
        .with_result(ResultType::Bool),
    Row::of_object("frozenset.symmetric_difference", One, |m, at, a| m.symmetric_difference(at, a[0])),
    Row::of_object("frozenset.union", Many, |m, at, a| m.combined_set(SetOperator::Union, at, a)),
];
