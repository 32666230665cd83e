//! `collections.ChainMap`.

use super::LibraryObject;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::ResultType;
use crate::machine::methods::MethodParameters::{None as NoParameters, Unpacked};
use crate::machine::methods::{DICT, Method, MethodEffect, MethodRow as Row, bound_receiver, row_of};
use crate::machine::parameters::{NamedParameters, Origin};
use crate::machine::value::{HeapObject, HeapRef, Value};

/// The methods of `ChainMap`.
pub(in crate::machine) static METHODS: [Row; 11] = [
    Row::of_object("ChainMap.clear", NoParameters, |m, at, a| m.call_first_map(at, "clear", a))
        .with_effect(MethodEffect::Clears)
        .with_result(ResultType::None),
    Row::of_object("ChainMap.copy", NoParameters, |m, at, _| m.copy_chain_map(at)),
    Row::of_object("ChainMap.get", Unpacked { min: 1, max: 2 }, |m, at, a| {
        m.call_merged(at, const { row_of(&DICT, "get") }, a)
    })
    .with_result(ResultType::ElementOrDefault),
    Row::of_object("ChainMap.items", NoParameters, |m, at, a| m.call_merged(at, const { row_of(&DICT, "items") }, a)),
    Row::of_object("ChainMap.keys", NoParameters, |m, at, a| m.call_merged(at, const { row_of(&DICT, "keys") }, a)),
    Row::named("ChainMap.new_child", NamedParameters::new(Origin::C, &["m"]).with_required(0), |m, receiver, b| {
        let map = b.given(0).unwrap_or_else(|| Value::Ref(m.empty_dict()));
        let maps = m.chained_maps(bound_receiver(receiver))?.unwrap_or_default();
        let all: Vec<Value> = std::iter::once(map).chain(maps).collect();
        m.new_chain_map(&all, &[])
    }),
    Row::of_object("ChainMap.pop", Unpacked { min: 1, max: 2 }, Machine::pop_from_chain_map)
        .with_effect(MethodEffect::Removes),
    Row::of_object("ChainMap.popitem", NoParameters, |m, at, a| {
        let first = m.first_map(at)?;
        if m.length(first)? == 0 {
            return Err(m.raise(ExceptionKind::KeyError, "No keys found in the first mapping."));
        }
        m.call_first_map(at, "popitem", a)
    })
    .with_effect(MethodEffect::Removes),
    Row::of_object("ChainMap.setdefault", Unpacked { min: 1, max: 2 }, Machine::set_default_in_chain_map)
        .with_effect(MethodEffect::Adds),
    Row::custom("ChainMap.update", |m, receiver, arguments, named| {
        let first = m.first_map(bound_receiver(receiver))?;
        let method = m.attribute_named(first, "update")?;
        m.call_value(method, arguments, named)
    })
    .with_effect(MethodEffect::Adds)
    .with_result(ResultType::None),
    Row::of_object("ChainMap.values", NoParameters, |m, at, a| m.call_merged(at, const { row_of(&DICT, "values") }, a)),
];

impl Machine {
    /// Implements `ChainMap(..)`.
    pub(super) fn new_chain_map(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        self.reject_keywords("ChainMap", named)?;
        let mut maps = arguments.to_vec();
        if maps.is_empty() {
            maps.push(Value::Ref(self.empty_dict()));
        }
        let maps = self.heap.list(maps);
        Ok(self.new_library_object(LibraryObject::ChainMap(maps)))
    }

    /// Returns the maps of a `ChainMap`.
    pub(in crate::machine) fn chained_maps(&mut self, at: HeapRef) -> ExecResult<Option<Vec<Value>>> {
        match self.library_object(at) {
            Some(&LibraryObject::ChainMap(maps)) => self.collect_values(maps).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the first map, which changes apply to.
    fn first_map(&mut self, at: HeapRef) -> ExecResult {
        let maps = self.chained_maps(at)?.unwrap_or_default();
        match maps.first() {
            Some(&map) => Ok(map),
            None => Err(self.raise(ExceptionKind::IndexError, "list index out of range")),
        }
    }

    /// Returns a dict with the entries of all maps, of which the first ones take precedence, or with those of a dict of attributes; `None`
    /// if the object is no mapping.
    pub(in crate::machine) fn merged_maps(&mut self, at: HeapRef) -> ExecResult<Option<HeapRef>> {
        let Some(maps) = self.chained_maps(at)? else { return self.copied_attributes(at) };
        let merged = self.empty_dict();
        for map in maps.into_iter().rev() {
            self.update_dict(merged, map)?;
        }
        Ok(Some(merged))
    }

    /// Returns the value of a key of a `ChainMap`.
    pub(in crate::machine) fn chain_map_item(&mut self, at: HeapRef, key: Value) -> ExecResult {
        let Some(merged) = self.merged_maps(at)? else { return Ok(Value::None) };
        match self.entry(merged, key)? {
            Some(value) => Ok(value),
            None => Err(self.raise_with(ExceptionKind::KeyError, vec![key])),
        }
    }

    /// Sets an entry of the first map, or deletes it.
    pub(in crate::machine) fn change_chain_map(
        &mut self,
        at: HeapRef,
        key: Value,
        value: Option<Value>,
    ) -> ExecResult<()> {
        if matches!(self.library_object(at), Some(LibraryObject::AttributeDict(_))) {
            return match value {
                Some(value) => self.set_attribute_entry(at, key, value),
                None => self.delete_attribute_entry(at, key),
            };
        }
        let map = self.first_map(at)?;
        if let Some(value) = value {
            return self.set_item(map, key, value);
        }
        if !self.contains(map, key)? {
            let message = format!("Key not found in the first mapping: {}", self.repr(key)?);
            return Err(self.raise(ExceptionKind::KeyError, &message));
        }
        self.delete_item(map, key)
    }

    /// Returns `maps` or `parents` of a `ChainMap`.
    pub(super) fn chain_map_attribute(&mut self, maps: Value, name: &str) -> Option<Value> {
        match name {
            "maps" => Some(maps),
            "parents" => {
                let Value::Ref(at) = maps else { return None };
                let HeapObject::List(all) = self.heap.get(at) else { return None };
                let rest = all.get(1..).unwrap_or_default().to_vec();
                self.new_chain_map(&rest, &[]).ok()
            }
            _ => None,
        }
    }

    /// Calls a method of a dict with the entries of all maps.
    fn call_merged(&mut self, at: HeapRef, method: Method, arguments: &[Value]) -> ExecResult {
        let merged = self.merged_maps(at)?.map_or(Value::None, Value::Ref);
        self.call_method(merged, method, arguments, &[])
    }

    /// Calls a method of the first map, which may be an object of any class.
    fn call_first_map(&mut self, at: HeapRef, method: &str, arguments: &[Value]) -> ExecResult {
        let first = self.first_map(at)?;
        let method = self.attribute_named(first, method)?;
        self.call_value(method, arguments, &[])
    }

    fn copy_chain_map(&mut self, at: HeapRef) -> ExecResult {
        let copy = self.call_first_map(at, "copy", &[])?;
        let maps = self.chained_maps(at)?.unwrap_or_default();
        let all: Vec<Value> = std::iter::once(copy).chain(maps.into_iter().skip(1)).collect();
        self.new_chain_map(&all, &[])
    }

    fn set_default_in_chain_map(&mut self, at: HeapRef, arguments: &[Value]) -> ExecResult {
        if let Some(merged) = self.merged_maps(at)?
            && let Some(value) = self.entry(merged, arguments[0])?
        {
            return Ok(value);
        }
        let default = arguments.get(1).copied().unwrap_or(Value::None);
        let first = self.first_map(at)?;
        self.set_item(first, arguments[0], default)?;
        Ok(default)
    }

    fn pop_from_chain_map(&mut self, at: HeapRef, arguments: &[Value]) -> ExecResult {
        let (first, key) = (self.first_map(at)?, arguments[0]);
        if !self.contains(first, key)? {
            let message = format!("Key not found in the first mapping: {}", self.repr(key)?);
            return match arguments.get(1) {
                Some(&default) => Ok(default),
                None => Err(self.raise(ExceptionKind::KeyError, &message)),
            };
        }
        let value = self.get_item(first, key)?;
        self.delete_item(first, key)?;
        Ok(value)
    }
}
