//! Iterators: `iter`, `next`, iteration over built-in types, and unpacking.

use smallvec::SmallVec;

use super::dict::DictKind;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::generators::Resumed;
use super::library::ItertoolsState;
use super::value::{HeapObject, HeapRef, StaticName, Value};
use super::{ELEMENTS_PER_UNIT, Machine, cost};
use crate::code::Instruction;

/// An iterator with its current position.
#[derive(Debug, Clone)]
pub(crate) enum IteratorState {
    List(Value, usize),
    Tuple(Value, usize),
    /// A text and the byte offset of the next character.
    Text(Value, usize),
    Bytes(Value, usize),
    Array(Value, usize),
    /// An object with `__getitem__` and the next index.
    GetItem(Value, usize),
    /// `iter(callable, sentinel)`.
    CallableSentinel(Value, Value),
    Range {
        next: i64,
        remaining: u64,
        step: i64,
    },
    /// A dict or set: the part of the entries to yield, and the initial length, by which changes are detected.
    Dict {
        dict: Value,
        position: usize,
        part: EntryPart,
        initial_len: usize,
    },
    Reversed(Value, usize),
    Enumerate(Value, i128),
    /// `zip(..)`; the flag is its `strict` option.
    Zip(Vec<Value>, bool),
    Map(Value, Vec<Value>),
    Filter(Value, Value),
    /// A deque, the next index, and the deque's change count at the start.
    Deque(Value, usize, u64),
    /// An iterator of `itertools`.
    Itertools(Box<ItertoolsState>),
    /// An exhausted iterator.
    Exhausted,
}

/// The part of dict or set entries that an iterator or view yields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryPart {
    Keys,
    Values,
    Items,
    /// The members of a set.
    Members,
}

impl EntryPart {
    /// Returns the class name of a dict view.
    pub(super) fn view_name(self, of_ordered: bool) -> StaticName {
        match (self, of_ordered) {
            (Self::Keys | Self::Members, false) => &"dict_keys",
            (Self::Values, false) => &"dict_values",
            (Self::Items, false) => &"dict_items",
            (Self::Keys | Self::Members, true) => &"odict_keys",
            (Self::Values, true) => &"odict_values",
            (Self::Items, true) => &"odict_items",
        }
    }
}

impl IteratorState {
    pub(crate) fn name(&self) -> StaticName {
        match self {
            Self::List(..) => &"list_iterator",
            Self::Tuple(..) => &"tuple_iterator",
            Self::Text(..) => &"str_iterator",
            Self::Bytes(..) => &"bytes_iterator",
            Self::Range { .. } => &"range_iterator",
            Self::Dict { part: EntryPart::Keys, .. } => &"dict_keyiterator",
            Self::Dict { part: EntryPart::Values, .. } => &"dict_valueiterator",
            Self::Dict { part: EntryPart::Items, .. } => &"dict_itemiterator",
            Self::Dict { part: EntryPart::Members, .. } => &"set_iterator",
            Self::Reversed(..) => &"list_reverseiterator",
            Self::Enumerate(..) => &"enumerate",
            Self::Zip(..) => &"zip",
            Self::Map(..) => &"map",
            Self::Filter(..) => &"filter",
            Self::Deque(..) => &"_collections._deque_iterator",
            Self::Itertools(iterator) => iterator.name(),
            Self::CallableSentinel(..) => &"callable_iterator",
            Self::Array(..) | Self::GetItem(..) | Self::Exhausted => &"iterator",
        }
    }

    /// Calls `visit` with each value that the iterator refers to.
    pub(super) fn visit_references(&self, visit: &mut dyn FnMut(Value)) {
        match self {
            Self::List(value, _)
            | Self::Tuple(value, _)
            | Self::Text(value, _)
            | Self::Bytes(value, _)
            | Self::Array(value, _)
            | Self::GetItem(value, _)
            | Self::Deque(value, ..)
            | Self::Dict { dict: value, .. }
            | Self::Reversed(value, _)
            | Self::Enumerate(value, _) => visit(*value),
            Self::Zip(values, _) => values.iter().for_each(|&value| visit(value)),
            Self::Map(function, values) => {
                visit(*function);
                for &value in values {
                    visit(value);
                }
            }
            Self::Filter(one, two) | Self::CallableSentinel(one, two) => {
                visit(*one);
                visit(*two);
            }
            Self::Itertools(iterator) => iterator.visit_references(visit),
            Self::Range { .. } | Self::Exhausted => {}
        }
    }
}

impl Machine {
    /// Returns the result of `iter(value)`.
    pub(super) fn iterator(&mut self, value: Value) -> ExecResult {
        if let Some(iterator) = self.try_iterator(value)? {
            Ok(iterator)
        } else {
            let message = format!("'{}' object is not iterable", self.class_name(value));
            Err(self.type_error(&message))
        }
    }

    /// Returns whether a value is iterable, without calling methods of the program.
    pub(super) fn is_iterable(&mut self, value: Value) -> bool {
        if ["__iter__", "__getitem__"].into_iter().any(|name| self.special_method(value, name).is_some()) {
            return true;
        }
        let Value::Ref(at) = self.base_value(value) else { return false };
        match self.heap.get(at) {
            HeapObject::List(_)
            | HeapObject::Tuple(_)
            | HeapObject::Text(_)
            | HeapObject::Bytes(_)
            | HeapObject::Dict(_)
            | HeapObject::Set(_)
            | HeapObject::Range { .. }
            | HeapObject::Iterator(_)
            | HeapObject::Generator(_)
            | HeapObject::Array(_)
            | HeapObject::Deque(_)
            | HeapObject::DictView(..) => true,
            HeapObject::Library(object) => object.is_mapping(),
            HeapObject::Class(_) => self.enum_members(at).is_some(),
            _ => false,
        }
    }

    pub(super) fn try_iterator(&mut self, value: Value) -> ExecResult<Option<Value>> {
        if let Some(method) = self.special_method(value, "__iter__") {
            if matches!(method, Value::None) {
                return Ok(None);
            }
            let iterator = self.call_value(method, &[], &[])?;
            let advances = match iterator {
                Value::Ref(at) => match self.heap.get(at) {
                    HeapObject::Iterator(_) | HeapObject::Generator(_) => true,
                    _ => self.special_method(iterator, "__next__").is_some(),
                },
                _ => false,
            };
            if !advances {
                let message = format!("iter() returned non-iterator of type '{}'", self.class_name(iterator));
                return Err(self.type_error(&message));
            }
            return Ok(Some(iterator));
        }
        if self.special_method(value, "__getitem__").is_some()
            && matches!(self.base_value(value), Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Instance { .. } | HeapObject::Exception(_)))
        {
            return Ok(Some(self.new_iterator(IteratorState::GetItem(value, 0))));
        }
        let value = self.base_value(value);
        let Value::Ref(at) = value else { return Ok(None) };
        let iterator = match self.heap.get(at) {
            HeapObject::List(_) => IteratorState::List(value, 0),
            HeapObject::Tuple(_) => IteratorState::Tuple(value, 0),
            HeapObject::Text(_) => IteratorState::Text(value, 0),
            HeapObject::Bytes(_) => IteratorState::Bytes(value, 0),
            HeapObject::Dict(dict) => {
                IteratorState::Dict { dict: value, position: 0, part: EntryPart::Keys, initial_len: dict.len() }
            }
            HeapObject::Set(set) => {
                IteratorState::Dict { dict: value, position: 0, part: EntryPart::Members, initial_len: set.len() }
            }
            HeapObject::Range { start, step, .. } => {
                IteratorState::Range { next: *start, remaining: self.range_length(at), step: *step }
            }
            HeapObject::Iterator(_) | HeapObject::Generator(_) => return Ok(Some(value)),
            HeapObject::Array(_) => IteratorState::Array(value, 0),
            HeapObject::Deque(deque) => IteratorState::Deque(value, 0, deque.mutation_count),
            HeapObject::DictView(dict, part) => {
                let (dict, part) = (*dict, *part);
                let len = self.length(dict)?;
                IteratorState::Dict { dict, position: 0, part, initial_len: len }
            }
            HeapObject::Library(object) if object.is_mapping() => {
                let Some(merged) = self.merged_maps(at)? else { return Ok(None) };
                return self.try_iterator(Value::Ref(merged));
            }
            HeapObject::Class(_) if let Some(members) = self.enum_members(at) => {
                let members = members.iter().map(|&member| Value::Ref(member)).collect();
                IteratorState::List(self.heap.list(members), 0)
            }
            _ => return Ok(None),
        };
        Ok(Some(self.new_iterator(iterator)))
    }

    #[allow(clippy::inline_always, reason = "a call would copy the iterator")]
    #[inline(always)]
    pub(super) fn new_iterator(&mut self, iterator: IteratorState) -> Value {
        Value::Ref(self.heap.add_in_place(HeapObject::Iterator(iterator)))
    }

    /// Returns the next value of an iterator; `None` when it is exhausted.
    pub(super) fn advance(&mut self, value: Value) -> ExecResult<Option<Value>> {
        self.charge(cost::NEXT)?;
        let Value::Ref(at) = value else { return Err(self.not_iterator_error(value)) };
        match self.heap.get(at) {
            HeapObject::Generator(_) => Ok(match self.resume(at, Value::None)? {
                Resumed::Yielded(value) => Some(value),
                Resumed::Returned(_) => None,
            }),
            HeapObject::Iterator(_) => match self.next_of_sequence(at) {
                Some(item) => Ok(item),
                None => self.nested(|machine| machine.advance_iterator(at)),
            },
            HeapObject::Instance { .. } | HeapObject::Exception(_) => {
                let Some(method) = self.special_method(value, "__next__") else {
                    return Err(self.not_iterator_error(value));
                };
                match self.call_value(method, &[], &[]) {
                    Ok(value) => Ok(Some(value)),
                    Err(ExecError::Raised(raised))
                        if self.is_exception_of_kind(raised, ExceptionKind::StopIteration) =>
                    {
                        Ok(None)
                    }
                    Err(fault) => Err(fault),
                }
            }
            _ => Err(self.not_iterator_error(value)),
        }
    }

    fn not_iterator_error(&mut self, value: Value) -> ExecError {
        let message = format!("'{}' object is not an iterator", self.class_name(value));
        self.type_error(&message)
    }

    pub(super) fn is_exception_of_kind(&self, at: HeapRef, kind: ExceptionKind) -> bool {
        matches!(self.heap.get(at), HeapObject::Exception(exception) if exception.kind.is_subclass_of(kind))
    }

    fn advance_iterator(&mut self, at: HeapRef) -> ExecResult<Option<Value>> {
        let HeapObject::Iterator(iterator) = self.heap.get(at) else { unreachable!("called with iterators") };
        // The most common iterators over others need no copy of their state.
        match iterator {
            IteratorState::Zip(inner, false) => {
                let inner: SmallVec<[Value; 4]> = SmallVec::from_slice(inner);
                let items = self.advance_each(&inner)?.filter(|items| !items.is_empty());
                if items.is_none() {
                    *self.heap.get_mut(at) = HeapObject::Iterator(IteratorState::Exhausted);
                }
                return Ok(items.map(|items| self.heap.tuple(&items[..])));
            }
            &IteratorState::Enumerate(inner, count) => {
                let item = self.advance(inner)?;
                let rest = item.map_or(IteratorState::Exhausted, |_| IteratorState::Enumerate(inner, count + 1));
                *self.heap.get_mut_to_store(at, Value::None) = HeapObject::Iterator(rest);
                return Ok(item.map(|item| {
                    let number = i64::try_from(count).map_or_else(|_| self.new_int(count.into()), Value::Int);
                    self.heap.tuple([number, item])
                }));
            }
            IteratorState::Map(function, inner) => {
                let (function, inner) = (*function, SmallVec::<[Value; 4]>::from_slice(inner));
                let Some(items) = self.advance_each(&inner)? else {
                    *self.heap.get_mut_to_store(at, Value::None) = HeapObject::Iterator(IteratorState::Exhausted);
                    return Ok(None);
                };
                return self.call_value(function, &items, &[]).map(Some);
            }
            &IteratorState::Filter(function, inner) => {
                let item = self.next_filtered(function, inner)?;
                if item.is_none() {
                    *self.heap.get_mut_to_store(at, Value::None) = HeapObject::Iterator(IteratorState::Exhausted);
                }
                return Ok(item);
            }
            _ => {}
        }
        let mut iterator = iterator.clone();
        let item = match &mut iterator {
            IteratorState::Reversed(list, left) => {
                let item = left.checked_sub(1).and_then(|place| self.sequence_element(*list, place));
                *left = left.saturating_sub(1);
                item
            }
            IteratorState::Bytes(bytes, next) => {
                *next += 1;
                let bytes = self.as_bytes(*bytes);
                bytes.and_then(|bytes| bytes.get(*next - 1).map(|&byte| Value::Int(byte.into())))
            }
            IteratorState::Array(array, next) => {
                self.charge(2)?;
                *next += 1;
                if *next > self.length(*array)? {
                    None
                } else {
                    Some(self.get_item(*array, Value::Int(*next as i64 - 1))?)
                }
            }
            IteratorState::GetItem(object, next) => {
                *next += 1;
                match self.get_item(*object, Value::Int(*next as i64 - 1)) {
                    Ok(item) => Some(item),
                    Err(ExecError::Raised(raised)) if self.is_exception_of_kind(raised, ExceptionKind::IndexError) => {
                        None
                    }
                    Err(fault) => return Err(fault),
                }
            }
            IteratorState::CallableSentinel(function, last) => {
                let value = self.call_value(*function, &[], &[])?;
                if self.equal_or_same(value, *last)? { None } else { Some(value) }
            }
            IteratorState::Dict { dict, position: at, part, initial_len: len } => {
                self.next_entry(*dict, at, *part, *len)?
            }
            IteratorState::Zip(inner, _) => {
                self.advance_each_strict(inner)?.filter(|items| !items.is_empty()).map(|items| self.heap.tuple(items))
            }
            IteratorState::Deque(deque, next, changes) => self.next_deque_item(*deque, next, *changes)?,
            IteratorState::List(..)
            | IteratorState::Tuple(..)
            | IteratorState::Range { .. }
            | IteratorState::Text(..)
            | IteratorState::Enumerate(..)
            | IteratorState::Map(..)
            | IteratorState::Filter(..)
            | IteratorState::Exhausted => None,
            IteratorState::Itertools(iterator) => self.advance_itertools(iterator)?,
        };
        *self.heap.get_mut(at) = HeapObject::Iterator(if item.is_some() { iterator } else { IteratorState::Exhausted });
        Ok(item)
    }

    fn next_deque_item(&mut self, deque: Value, next: &mut usize, changes: u64) -> ExecResult<Option<Value>> {
        let Value::Ref(at) = deque else { return Ok(None) };
        let found = self.deque(at);
        if found.mutation_count != changes {
            return Err(self.raise(ExceptionKind::RuntimeError, "deque mutated during iteration"));
        }
        *next += 1;
        Ok(found.values.get(*next - 1).copied())
    }

    fn advance_each(&mut self, inner: &[Value]) -> ExecResult<Option<SmallVec<[Value; 4]>>> {
        let mut items = SmallVec::with_capacity(inner.len());
        for &iterator in inner {
            let Some(item) = self.advance(iterator)? else { return Ok(None) };
            items.push(item);
        }
        Ok(Some(items))
    }

    /// Takes one item from each iterator of a strict `zip`; raises `ValueError` if their lengths differ.
    fn advance_each_strict(&mut self, inner: &[Value]) -> ExecResult<Option<Vec<Value>>> {
        let mut items = Vec::with_capacity(inner.len());
        for (place, &iterator) in inner.iter().enumerate() {
            match self.advance(iterator)? {
                Some(item) if items.len() == place => items.push(item),
                // The first iterator is exhausted, but this one is not.
                Some(_) => return Err(self.zip_length_error(place, "longer")),
                None if !items.is_empty() => return Err(self.zip_length_error(place, "shorter")),
                None => {}
            }
        }
        Ok((!items.is_empty()).then_some(items))
    }

    fn zip_length_error(&mut self, place: usize, how: &str) -> ExecError {
        let others = if place == 1 { " 1".to_owned() } else { format!("s 1-{place}") };
        let message = format!("zip() argument {} is {how} than argument{others}", place + 1);
        self.raise(ExceptionKind::ValueError, &message)
    }

    fn next_filtered(&mut self, function: Value, inner: Value) -> ExecResult<Option<Value>> {
        while let Some(item) = self.advance(inner)? {
            let passes = match function {
                Value::None => item,
                _ => self.call_value(function, &[item], &[])?,
            };
            if self.truth(passes)? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn sequence_element(&self, sequence: Value, place: usize) -> Option<Value> {
        let Value::Ref(at) = sequence else { return None };
        match self.heap.get(at) {
            HeapObject::List(values) => values.get(place).copied(),
            HeapObject::Tuple(values) => values.get(place).copied(),
            _ => None,
        }
    }

    fn next_entry(&mut self, dict: Value, place: &mut usize, part: EntryPart, len: usize) -> ExecResult<Option<Value>> {
        let Value::Ref(at) = dict else { return Ok(None) };
        let (HeapObject::Dict(entries) | HeapObject::Set(entries)) = self.heap.get(at) else { return Ok(None) };
        if entries.len() != len {
            let message = match entries.kind {
                _ if part == EntryPart::Members => "Set changed size during iteration",
                DictKind::Ordered => "OrderedDict mutated during iteration",
                _ => "dictionary changed size during iteration",
            };
            return Err(self.raise(ExceptionKind::RuntimeError, message));
        }
        let Some((found, key, value)) = entries.next_from(*place) else { return Ok(None) };
        *place = found + 1;
        Ok(Some(match part {
            EntryPart::Keys | EntryPart::Members => key,
            EntryPart::Values => value,
            EntryPart::Items => self.heap.tuple([key, value]),
        }))
    }

    /// Collects all values of an iterable.
    pub(super) fn collect_values(&mut self, value: Value) -> ExecResult<Vec<Value>> {
        let own = self.special_method(value, "__iter__").is_some();
        let (original, value) = (value, if own { value } else { self.base_value(value) });
        if let Value::Ref(at) = value {
            match self.heap.get(at) {
                HeapObject::List(values) => {
                    let values = values.clone();
                    return self.charge(values.len() as u64 / ELEMENTS_PER_UNIT).map(|()| values);
                }
                HeapObject::Tuple(values) => {
                    let values = values.to_vec();
                    return self.charge(values.len() as u64 / ELEMENTS_PER_UNIT).map(|()| values);
                }
                _ => {}
            }
        }
        let iterator = self.iterator(original)?;
        let mut values = Vec::new();
        let mut keep = |machine: &mut Self, item| {
            machine.reserve_values(1)?;
            values.push(item);
            if values.len() * size_of::<Value>() > machine.budget.memory {
                return Err(ExecError::Exhausted(super::LimitedResource::Memory));
            }
            Ok(Some(true))
        };
        self.for_each_item(iterator, &mut keep)?;
        Ok(values)
    }

    /// Passes the items of an iterator to a function, until it returns `false`.
    ///
    /// A function that returns `None` has had no effect, as handling the item runs code of the program: then the item is returned, and the
    /// iterator goes on with the next one.
    pub(super) fn for_each_item(
        &mut self,
        iterator: Value,
        each: &mut dyn FnMut(&mut Self, Value) -> ExecResult<Option<bool>>,
    ) -> ExecResult<Option<Value>> {
        if let Value::Ref(at) = iterator
            && matches!(self.heap.get(at), HeapObject::Generator(_))
            && self.observer.is_none()
        {
            return self.for_each_yielded(at, each);
        }
        while let Some(item) = self.advance(iterator)? {
            match each(self, item)? {
                Some(true) => {}
                Some(false) => return Ok(None),
                None => return Ok(Some(item)),
            }
        }
        Ok(None)
    }

    /// Unpacks an iterable of exactly `count` values.
    pub(super) fn unpack_exact(&mut self, value: Value, count: usize) -> ExecResult<Vec<Value>> {
        let Some(iterator) = self.try_iterator(value)? else {
            let message = format!("cannot unpack non-iterable {} object", self.class_name(value));
            return Err(self.type_error(&message));
        };
        let mut parts = Vec::with_capacity(count.min(64));
        while let Some(part) = self.advance(iterator)? {
            if parts.len() == count {
                let message = format!("too many values to unpack (expected {count})");
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
            parts.push(part);
        }
        if parts.len() < count {
            let message = format!("not enough values to unpack (expected {count}, got {})", parts.len());
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        Ok(parts)
    }

    pub(super) fn execute_unpack_instruction(&mut self, instruction: Instruction) -> ExecResult<()> {
        let value = self.pop();
        if let (Instruction::Unpack(count), Value::Ref(at)) = (instruction, value)
            && let HeapObject::Tuple(values) = self.heap.get(at)
            && values.len() == count as usize
        {
            self.operands.extend(values.iter().rev());
            return self.charge(u64::from(count));
        }
        let parts = match instruction {
            Instruction::UnpackStarred(before, after) => self.unpack_starred(value, before as usize, after as usize)?,
            Instruction::Unpack(count) => self.unpack_exact(value, count as usize)?,
            _ => unreachable!("called with instructions that unpack"),
        };
        parts.into_iter().rev().for_each(|part| self.push(part));
        Ok(())
    }

    fn unpack_starred(&mut self, value: Value, before: usize, after: usize) -> ExecResult<Vec<Value>> {
        if self.try_iterator(value)?.is_none() {
            let message = format!("cannot unpack non-iterable {} object", self.class_name(value));
            return Err(self.type_error(&message));
        }
        let mut parts = self.collect_values(value)?;
        if parts.len() < before + after {
            let message =
                format!("not enough values to unpack (expected at least {}, got {})", before + after, parts.len());
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let last = parts.split_off(parts.len() - after);
        let rest = parts.split_off(before);
        let rest = self.heap.list(rest);
        parts.push(rest);
        parts.extend(last);
        Ok(parts)
    }
}
