//! Methods and operators of sets, whose members are iterated in the order of CPython.

use super::Machine;
use super::dict::{Dict, DictKind};
use super::exceptions::{ExceptionKind, ExecResult};
use super::value::{HeapObject, HeapRef, Value};
use crate::operators::BinaryOperator;

impl Machine {
    /// Adds a value to a set, unless an equal one is a member.
    pub(super) fn add_to_set(&mut self, at: HeapRef, value: Value) -> ExecResult<()> {
        if let Some(entry) = self.find_quick_entry(at, value) {
            if entry.found.is_some() {
                return self.charge(entry.work);
            }
            self.charge(entry.work + 1)?;
            let is_fixed = self.has_fixed_hash(value);
            self.change_dict(at, |set| set.add_member(entry.hash, is_fixed, value));
            return Ok(());
        }
        let hashed = self.hash_value(value)?;
        if self.entry_index(at, value, hashed.bits)?.is_none() {
            self.charge(1)?;
            self.change_dict(at, |set| set.add_member(hashed.bits, hashed.is_reproducible, value));
        }
        Ok(())
    }

    /// Returns whether the hash of a number, a text or a tuple of those is the same in every run of CPython, which is so without texts.
    fn has_fixed_hash(&self, value: Value) -> bool {
        let Value::Ref(at) = value else { return true };
        match self.heap.get(at) {
            HeapObject::Tuple(elements) => elements.iter().all(|&element| self.has_fixed_hash(element)),
            _ => false,
        }
    }

    pub(super) fn new_set(&mut self, values: Vec<Value>) -> ExecResult {
        let set = self.empty_set();
        for value in values {
            self.add_to_set(set, value)?;
        }
        Ok(Value::Ref(set))
    }

    pub(super) fn empty_set(&mut self) -> HeapRef {
        self.heap.add(HeapObject::Set(Box::new(Dict::new_set(DictKind::Plain))))
    }

    /// Creates a set or frozen set of the values of an iterable.
    pub(super) fn set_of(&mut self, values: Option<Value>, frozen: bool) -> ExecResult {
        let is_frozen = |value: Value| matches!(value, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Set(set) if matches!(set.kind, DictKind::Frozen)));
        match values {
            Some(values) if frozen && is_frozen(values) => return Ok(values),
            _ => {}
        }
        let set = self.empty_set();
        if let Some(values) = values {
            self.update_set(set, values)?;
        }
        if frozen {
            self.dict_mut(set).kind = DictKind::Frozen;
        }
        Ok(Value::Ref(set))
    }

    /// Returns the value to look up in a set: sets are converted to frozen sets, which are hashable.
    pub(super) fn as_set_key(&mut self, value: Value) -> ExecResult {
        match self.set_at(value) {
            Some(at) if matches!(self.dict_mut(at).kind, DictKind::Plain) => self.set_of(Some(value), true),
            _ => Ok(value),
        }
    }

    fn set_at(&self, value: Value) -> Option<HeapRef> {
        match self.base_value(value) {
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Set(_)) => Some(at),
            _ => None,
        }
    }

    fn members_of(&self, at: HeapRef) -> Vec<Value> {
        match self.heap.get(at) {
            HeapObject::Set(set) => set.iter().map(|(key, _)| key).collect(),
            _ => Vec::new(),
        }
    }

    /// Adds all values of an iterable to a set.
    pub(super) fn update_set(&mut self, at: HeapRef, values: Value) -> ExecResult<()> {
        if let Some(other) = self.set_at(values) {
            if other == at {
                return Ok(());
            }
            let HeapObject::Set(set) = self.heap.get(other) else { return Ok(()) };
            let set = set.clone();
            self.charge(2 * set.len() as u64)?;
            if self.change_dict(at, |own| own.try_clone_from(&set)) {
                return Ok(());
            }
            let members = self.members_of(other);
            self.change_dict(at, |own| own.reserve(members.len()));
            return members.into_iter().try_for_each(|member| self.add_to_set(at, member));
        }
        if let Value::Ref(other) = values
            && let HeapObject::Dict(dict) = self.heap.get(other)
            && matches!(dict.kind, DictKind::Plain)
        {
            let length = dict.len();
            self.dict_mut(at).reserve(length);
        }
        for value in self.collect_values(values)? {
            self.add_to_set(at, value)?;
        }
        Ok(())
    }

    fn copied_set(&mut self, at: HeapRef) -> ExecResult<HeapRef> {
        let copy = self.empty_set();
        self.update_set(copy, Value::Ref(at))?;
        Ok(copy)
    }

    fn intersection(&mut self, one: HeapRef, other: Value) -> ExecResult<HeapRef> {
        let result = self.empty_set();
        let (members, within) = match self.set_at(other) {
            Some(two) if two == one => return self.copied_set(one),
            // Iterates over the smaller set.
            Some(two) if self.dict_mut(two).len() > self.dict_mut(one).len() => (self.members_of(one), two),
            Some(two) => (self.members_of(two), one),
            None => (self.collect_values(other)?, one),
        };
        for member in members {
            if self.entry(within, member)?.is_some() {
                self.add_to_set(result, member)?;
            }
        }
        Ok(result)
    }

    fn difference(&mut self, one: HeapRef, other: Value) -> ExecResult<HeapRef> {
        let two = match self.set_at(other) {
            Some(two) => two,
            None => match other {
                Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Dict(_)) => at,
                _ => {
                    let copy = self.copied_set(one)?;
                    self.difference_update(copy, other)?;
                    return Ok(copy);
                }
            },
        };
        if self.dict_mut(one).len() >> 2 > self.dict_mut(two).len() {
            let copy = self.copied_set(one)?;
            self.difference_update(copy, other)?;
            return Ok(copy);
        }
        let result = self.empty_set();
        for member in self.members_of(one) {
            if self.entry(two, member)?.is_none() {
                self.add_to_set(result, member)?;
            }
        }
        Ok(result)
    }

    pub(super) fn difference_update(&mut self, at: HeapRef, other: Value) -> ExecResult<()> {
        if self.set_at(other) == Some(at) {
            self.dict_mut(at).clear();
            return Ok(());
        }
        for member in self.collect_values(other)? {
            self.remove_entry(at, member)?;
        }
        Ok(())
    }

    /// Replaces a set with its symmetric difference with another one.
    pub(super) fn symmetric_difference_update(&mut self, at: HeapRef, other: Value) -> ExecResult<()> {
        let others = match self.set_at(other) {
            Some(other) => other,
            None => match self.set_of(Some(other), false)? {
                Value::Ref(made) => made,
                _ => return Ok(()),
            },
        };
        if others == at {
            self.dict_mut(at).clear();
            return Ok(());
        }
        for member in self.members_of(others) {
            if self.remove_entry(at, member)?.is_none() {
                self.add_to_set(at, member)?;
            }
        }
        Ok(())
    }

    /// Returns the result of `&`, `|`, `-` or `^` of two sets; it is frozen if the left one is.
    pub(super) fn set_operator_result(&mut self, operator: BinaryOperator, one: HeapRef, two: HeapRef) -> ExecResult {
        let other = Value::Ref(two);
        let result = match operator {
            BinaryOperator::BitAnd => self.intersection(one, other)?,
            BinaryOperator::Sub => self.difference(one, other)?,
            BinaryOperator::BitOr => {
                let copy = self.copied_set(one)?;
                self.update_set(copy, other)?;
                copy
            }
            _ => {
                let copy = self.copied_set(two)?;
                self.symmetric_difference_update(copy, Value::Ref(one))?;
                copy
            }
        };
        self.dict_mut(result).kind = self.dict_mut(one).kind;
        Ok(Value::Ref(result))
    }

    /// Executes `|=`, `&=`, `-=` or `^=` on a set. Returns whether the operator applies to the operands.
    pub(super) fn set_operator_in_place(
        &mut self,
        operator: BinaryOperator,
        at: HeapRef,
        other: Value,
    ) -> ExecResult<bool> {
        let is_plain = matches!(self.heap.get(at), HeapObject::Set(set) if matches!(set.kind, DictKind::Plain));
        if !is_plain || self.set_at(other).is_none() {
            return Ok(false);
        }
        match operator {
            BinaryOperator::BitOr => self.update_set(at, other)?,
            BinaryOperator::Sub => self.difference_update(at, other)?,
            BinaryOperator::BitXor => self.symmetric_difference_update(at, other)?,
            BinaryOperator::BitAnd => {
                let kept = self.intersection(at, other)?;
                self.replace_members(at, kept);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn replace_members(&mut self, at: HeapRef, other: HeapRef) {
        let mut members = std::mem::replace(self.dict_mut(other), Dict::new_set(DictKind::Plain));
        members.kind = self.dict_mut(at).kind;
        *self.dict_mut(at) = members;
    }

    /// Returns the union, intersection or difference of a set with any number of iterables.
    pub(super) fn combined_set(&mut self, operator: SetOperator, at: HeapRef, others: &[Value]) -> ExecResult {
        let copies = others.is_empty() || operator == SetOperator::Union;
        let mut result = if copies { self.copied_set(at)? } else { at };
        for (place, &other) in others.iter().enumerate() {
            match operator {
                SetOperator::Union => self.update_set(result, other)?,
                SetOperator::Intersection => result = self.intersection(result, other)?,
                SetOperator::Difference if place == 0 => result = self.difference(at, other)?,
                SetOperator::Difference => self.difference_update(result, other)?,
            }
        }
        self.dict_mut(result).kind = self.dict_mut(at).kind;
        Ok(Value::Ref(result))
    }

    /// Removes the members of a set that are not in every one of the iterables.
    pub(super) fn intersection_update(&mut self, at: HeapRef, others: &[Value]) -> ExecResult<()> {
        if let Value::Ref(kept) = self.combined_set(SetOperator::Intersection, at, others)? {
            self.replace_members(at, kept);
        }
        Ok(())
    }

    /// Returns the symmetric difference of a set and an iterable.
    pub(super) fn symmetric_difference(&mut self, at: HeapRef, other: Value) -> ExecResult {
        let Value::Ref(other) = self.set_of(Some(other), false)? else { return Ok(Value::None) };
        self.symmetric_difference_update(other, Value::Ref(at))?;
        self.dict_mut(other).kind = self.dict_mut(at).kind;
        Ok(Value::Ref(other))
    }

    /// Removes a value from a set; returns whether it was a member.
    pub(super) fn discard_from_set(&mut self, at: HeapRef, value: Value) -> ExecResult<bool> {
        let member = self.as_set_key(value)?;
        Ok(self.remove_entry(at, member)?.is_some())
    }

    /// Removes the next member of a set and returns it.
    pub(super) fn pop_from_set(&mut self, at: HeapRef) -> ExecResult {
        if let Some(key) = self.dict_mut(at).pop_member() {
            return Ok(key);
        }
        let text = self.heap.text("pop from an empty set");
        Err(self.raise_with(ExceptionKind::KeyError, vec![text]))
    }

    /// Returns a copy of a set; a frozen set is its own copy.
    pub(super) fn copy_set(&mut self, at: HeapRef) -> ExecResult {
        let frozen = matches!(self.dict_mut(at).kind, DictKind::Frozen);
        self.set_of(Some(Value::Ref(at)), frozen)
    }

    /// Returns whether a set and an iterable have no members in common.
    pub(super) fn is_disjoint(&mut self, at: HeapRef, other: Value) -> ExecResult {
        let both = self.intersection(at, other)?;
        Ok(Value::Bool(self.dict_mut(both).len() == 0))
    }

    /// Returns whether a set is a subset of an iterable, or a superset.
    pub(super) fn is_subset_of(&mut self, at: HeapRef, other: Value, reversed: bool) -> ExecResult {
        let Value::Ref(other) = self.set_of(Some(other), false)? else { return Ok(Value::None) };
        let within = if reversed { self.is_subset(other, at)? } else { self.is_subset(at, other)? };
        Ok(Value::Bool(within))
    }
}

/// An operation on a set and any number of iterables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SetOperator {
    Union,
    Intersection,
    Difference,
}
