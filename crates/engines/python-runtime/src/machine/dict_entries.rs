//! Access to the entries of dicts and sets.

use super::dict::Dict;
use super::exceptions::{ExceptionKind, ExecResult};
use super::value::{HeapObject, HeapRef, Value};
use super::{ELEMENTS_PER_UNIT, Machine, cost};

impl Machine {
    pub(super) fn empty_dict(&mut self) -> HeapRef {
        self.heap.add(HeapObject::Dict(Box::default()))
    }

    pub(super) fn dict(&self, at: HeapRef) -> &Dict {
        match self.heap.get(at) {
            HeapObject::Dict(dict) | HeapObject::Set(dict) => dict,
            _ => unreachable!("called with dicts and sets"),
        }
    }

    pub(super) fn dict_mut(&mut self, at: HeapRef) -> &mut Dict {
        match self.heap.get_mut(at) {
            HeapObject::Dict(dict) | HeapObject::Set(dict) => dict,
            _ => unreachable!("called with dicts and sets"),
        }
    }

    /// Returns the hash of a key, and the index of its entry if there is one.
    pub(super) fn find_entry(&mut self, at: HeapRef, key: Value) -> ExecResult<(u64, Option<usize>)> {
        if let Some(entry) = self.find_quick_entry(at, key) {
            self.charge(entry.work)?;
            return Ok((entry.hash, entry.found));
        }
        self.charge(2 * cost::OPERATION)?;
        let hash = self.hash_bits(key)?;
        Ok((hash, self.entry_index(at, key, hash)?))
    }

    /// Returns the index of the entry with this key and hash.
    pub(super) fn entry_index(&mut self, at: HeapRef, key: Value, hash: u64) -> ExecResult<Option<usize>> {
        'again: loop {
            self.charge(1)?;
            let candidates = self.dict(at).candidates(hash);
            self.charge(candidates.len() as u64)?;
            for (place, other) in candidates {
                if super::compare::is_identical(key, other) {
                    return Ok(Some(place));
                }
                let equal = self.equal(other, key)?;
                // The comparison may have changed the entries.
                if !self.dict(at).key(place).is_some_and(|key| super::compare::is_identical(key, other)) {
                    continue 'again;
                }
                if equal {
                    return Ok(Some(place));
                }
            }
            return Ok(None);
        }
    }

    /// Returns the value of a key.
    pub(super) fn entry(&mut self, at: HeapRef, key: Value) -> ExecResult<Option<Value>> {
        let (_, place) = self.find_entry(at, key)?;
        Ok(place.and_then(|place| self.dict(at).value(place)))
    }

    pub(super) fn set_entry(&mut self, at: HeapRef, key: Value, value: Value) -> ExecResult<()> {
        match self.find_entry(at, key)? {
            (_, Some(place)) => {
                if let HeapObject::Dict(dict) | HeapObject::Set(dict) = self.heap.get_mut_to_store(at, value) {
                    dict.set_value(place, value);
                }
            }
            (hash, None) => self.change_dict(at, |dict| dict.insert_new(hash, key, value)),
        }
        Ok(())
    }

    /// Applies a change to a dict or set, and records its new size on the heap.
    pub(super) fn change_dict<T>(&mut self, at: HeapRef, change: impl FnOnce(&mut Dict) -> T) -> T {
        let dict = self.dict_mut(at);
        let before = dict.bytes();
        let changed = change(dict);
        let after = dict.bytes();
        self.heap.record_resize(before, after);
        changed
    }

    pub(super) fn remove_entry(&mut self, at: HeapRef, key: Value) -> ExecResult<Option<Value>> {
        let (_, place) = self.find_entry(at, key)?;
        Ok(place.and_then(|place| self.dict_mut(at).remove_at(place)).map(|(_, value)| value))
    }

    /// Returns the entries of a dict, of an instance of a class derived from one, or of an object with `keys`; `None` if the value is not a
    /// mapping.
    pub(super) fn entries_of_mapping(&mut self, value: Value) -> ExecResult<Option<Vec<(Value, Value)>>> {
        if self.special_method(value, "__iter__").is_none()
            && let Value::Ref(at) = self.base_value(value)
            && let HeapObject::Dict(dict) = self.heap.get(at)
        {
            let entries: Vec<_> = dict.iter().collect();
            return self.charge(entries.len() as u64 / ELEMENTS_PER_UNIT).map(|()| Some(entries));
        }
        if let Value::Ref(at) = value
            && let Some(merged) = self.merged_maps(at)?
        {
            return Ok(Some(self.dict(merged).iter().collect()));
        }
        if self.class_of_program(value).is_none() {
            return Ok(None);
        }
        let symbol = self.intern("keys");
        let Some(method) = self.try_attribute(value, symbol)? else { return Ok(None) };
        let keys = self.call_value(method, &[], &[])?;
        let mut entries = Vec::new();
        for key in self.collect_values(keys)? {
            entries.push((key, self.get_item(value, key)?));
        }
        Ok(Some(entries))
    }

    /// Adds the entries of a mapping or of an iterable of pairs, as `dict.update` does.
    pub(super) fn update_dict(&mut self, at: HeapRef, other: Value) -> ExecResult<()> {
        if let Some(entries) = self.entries_of_mapping(other)? {
            for (key, value) in entries {
                self.set_entry(at, key, value)?;
            }
            return Ok(());
        }
        let pairs = self.collect_values(other)?;
        for (place, pair) in pairs.into_iter().enumerate() {
            if self.try_iterator(pair)?.is_none() {
                let message = format!("cannot convert dictionary update sequence element #{place} to a sequence");
                return Err(self.type_error(&message));
            }
            let parts = self.collect_values(pair)?;
            let &[key, value] = parts.as_slice() else {
                let message =
                    format!("dictionary update sequence element #{place} has length {}; 2 is required", parts.len());
                return Err(self.raise(ExceptionKind::ValueError, &message));
            };
            self.set_entry(at, key, value)?;
        }
        Ok(())
    }
}
