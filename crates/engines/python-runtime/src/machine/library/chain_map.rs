//! `collections.ChainMap`.

use super::LibraryObject;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::methods::Method;
use crate::machine::value::{HeapObject, HeapRef, Value};

/// The names of the methods of `ChainMap`.
pub(super) static METHODS: [&str; 11] =
    ["clear", "copy", "get", "items", "keys", "new_child", "pop", "popitem", "setdefault", "update", "values"];

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

    /// Returns a dict with the entries of all maps, of which the first ones take precedence; `None` if the object is no `ChainMap`.
    pub(in crate::machine) fn merged_maps(&mut self, at: HeapRef) -> ExecResult<Option<HeapRef>> {
        let Some(maps) = self.chained_maps(at)? else { return Ok(None) };
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

    /// Calls a method of a `ChainMap`.
    pub(super) fn chain_map_method(
        &mut self,
        at: HeapRef,
        name: &'static str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let maps = self.chained_maps(at)?.unwrap_or_default();
        let first = self.first_map(at)?;
        match name {
            "new_child" => {
                let [map] = self.bind_library_arguments("new_child", ["m"], 0, arguments, named)?;
                let map = match map.filter(|map| !matches!(map, Value::None)) {
                    Some(map) => map,
                    None => Value::Ref(self.empty_dict()),
                };
                let all: Vec<Value> = std::iter::once(map).chain(maps).collect();
                self.new_chain_map(&all, &[])
            }
            "copy" => {
                let symbol = self.intern("copy");
                let copy = self.attribute(first, symbol)?;
                let copy = self.call_value(copy, &[], &[])?;
                let all: Vec<Value> = std::iter::once(copy).chain(maps.into_iter().skip(1)).collect();
                self.new_chain_map(&all, &[])
            }
            "get" | "items" | "keys" | "values" => {
                let merged = self.merged_maps(at)?.map_or(Value::None, Value::Ref);
                match Method::of_dict(name) {
                    Some(method) => self.call_method(merged, method, arguments, named),
                    None => Ok(Value::None),
                }
            }
            "setdefault" if let Some(&key) = arguments.first() => {
                let merged = self.merged_maps(at)?;
                if let Some(merged) = merged
                    && let Some(value) = self.entry(merged, key)?
                {
                    return Ok(value);
                }
                let default = arguments.get(1).copied().unwrap_or(Value::None);
                self.set_item(first, key, default)?;
                Ok(default)
            }
            "pop" if let Some(&key) = arguments.first() => {
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
            "popitem" if self.length(first)? == 0 => {
                Err(self.raise(ExceptionKind::KeyError, "No keys found in the first mapping."))
            }
            _ => {
                let symbol = self.intern(name);
                let method = self.attribute(first, symbol)?;
                self.call_value(method, arguments, named)
            }
        }
    }
}
