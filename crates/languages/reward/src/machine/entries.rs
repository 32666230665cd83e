//! Access to the entries of dicts and sets.

use super::dict::Dict;
use super::exceptions::{ExceptionKind, Outcome};
use super::value::{Cell, Ref, Value};
use super::{BULK, Machine, cost};

impl Machine<'_> {
    pub(super) fn empty_dict(&mut self) -> Ref {
        self.heap.add(Cell::Dict(Dict::default()))
    }

    pub(super) fn dict(&self, at: Ref) -> &Dict {
        match self.heap.get(at) {
            Cell::Dict(dict) | Cell::Set(dict) => dict,
            _ => unreachable!("called with dicts and sets"),
        }
    }

    pub(super) fn dict_mut(&mut self, at: Ref) -> &mut Dict {
        match self.heap.get_mut(at) {
            Cell::Dict(dict) | Cell::Set(dict) => dict,
            _ => unreachable!("called with dicts and sets"),
        }
    }

    /// Returns the hash of a key, and the index of its entry if there is one.
    pub(super) fn find(&mut self, at: Ref, key: Value) -> Outcome<(u64, Option<usize>)> {
        self.spend(2 * cost::OPERATION)?;
        let hash = self.hash(key)?;
        Ok((hash, self.place_of_key(at, key, hash)?))
    }

    /// Returns the index of the entry with this key and hash.
    pub(super) fn place_of_key(&mut self, at: Ref, key: Value, hash: u64) -> Outcome<Option<usize>> {
        'again: loop {
            self.spend(1)?;
            let candidates = self.dict(at).candidates(hash);
            self.spend(candidates.len() as u64)?;
            for (place, other) in candidates {
                if super::compare::same(key, other) {
                    return Ok(Some(place));
                }
                let equal = self.equal(other, key)?;
                // The comparison may have changed the entries.
                if !self.dict(at).key(place).is_some_and(|key| super::compare::same(key, other)) {
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
    pub(super) fn entry(&mut self, at: Ref, key: Value) -> Outcome<Option<Value>> {
        let (_, place) = self.find(at, key)?;
        Ok(place.and_then(|place| self.dict(at).value(place)))
    }

    pub(super) fn set_entry(&mut self, at: Ref, key: Value, value: Value) -> Outcome<()> {
        match self.find(at, key)? {
            (_, Some(place)) => self.dict_mut(at).set_value(place, value),
            (hash, None) => self.grow_dict(at, |dict| dict.add(hash, key, value)),
        }
        Ok(())
    }

    /// Applies a change to a dict or set, and records its new size on the heap.
    pub(super) fn grow_dict<T>(&mut self, at: Ref, change: impl FnOnce(&mut Dict) -> T) -> T {
        let dict = self.dict_mut(at);
        let before = dict.bytes();
        let changed = change(dict);
        let after = dict.bytes();
        self.heap.resized(before, after);
        changed
    }

    pub(super) fn remove_entry(&mut self, at: Ref, key: Value) -> Outcome<Option<Value>> {
        let (_, place) = self.find(at, key)?;
        Ok(place.and_then(|place| self.dict_mut(at).remove(place)).map(|(_, value)| value))
    }

    /// Returns the entries of a dict, of an instance of a class derived from one, or of an object with `keys`; `None` if the value is not a
    /// mapping.
    pub(super) fn entries_of_mapping(&mut self, value: Value) -> Outcome<Option<Vec<(Value, Value)>>> {
        if self.special(value, "__iter__").is_none()
            && let Value::Ref(at) = self.plain(value)
            && let Cell::Dict(dict) = self.heap.get(at)
        {
            let entries: Vec<_> = dict.iter().collect();
            return self.spend(entries.len() as u64 / BULK).map(|()| Some(entries));
        }
        if self.class_of_program(value).is_none() {
            return Ok(None);
        }
        let symbol = self.symbol("keys");
        let Some(method) = self.attribute_if_any(value, symbol)? else { return Ok(None) };
        let keys = self.call_value(method, &[], &[])?;
        let mut entries = Vec::new();
        for key in self.collected(keys)? {
            entries.push((key, self.item(value, key)?));
        }
        Ok(Some(entries))
    }

    /// Adds the entries of a mapping or of an iterable of pairs, as `dict.update` does.
    pub(super) fn update_dict(&mut self, at: Ref, other: Value) -> Outcome<()> {
        if let Some(entries) = self.entries_of_mapping(other)? {
            for (key, value) in entries {
                self.set_entry(at, key, value)?;
            }
            return Ok(());
        }
        let pairs = self.collected(other)?;
        for (place, pair) in pairs.into_iter().enumerate() {
            if self.try_iterator(pair)?.is_none() {
                let message = format!("cannot convert dictionary update sequence element #{place} to a sequence");
                return Err(self.type_error(&message));
            }
            let parts = self.collected(pair)?;
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
