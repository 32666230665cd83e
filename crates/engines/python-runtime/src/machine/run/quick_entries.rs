//! Shortcuts of dict access by numbers and short texts.

use super::super::dict::DictKind;
use super::super::value::{HeapObject, HeapRef, Value};
use super::super::{ELEMENTS_PER_UNIT, Machine, cost};

/// The place of a key in a dict or a set.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) struct QuickEntry {
    pub(super) at: HeapRef,
    pub(in crate::machine) hash: u64,
    /// The index of the entry; `None` if the key is absent.
    pub(in crate::machine) found: Option<usize>,
    /// The work of the search.
    pub(in crate::machine) work: u64,
}

impl Machine {
    /// Finds a key in a plain dict, if comparing it with the keys of the dict runs no code of the program.
    #[inline]
    pub(super) fn quick_entry(&self, object: Value, key: Value) -> Option<QuickEntry> {
        let Value::Ref(at) = object else { return None };
        match self.heap.get(at) {
            HeapObject::Dict(dict) if matches!(dict.kind, DictKind::Plain) => self.find_quick_entry(at, key),
            _ => None,
        }
    }

    /// Finds a key in a dict or a set, if comparing it with the other keys runs no code of the program.
    #[inline]
    pub(in crate::machine) fn find_quick_entry(&self, at: HeapRef, key: Value) -> Option<QuickEntry> {
        let hash = self.quick_hash(key)?;
        let mut candidates = 0;
        let mut found = None;
        for (place, other) in self.dict(at).places_of(hash) {
            candidates += 1;
            if found.is_none() {
                found = self.quick_key_equality(key, other)?.then_some(place);
            }
        }
        Some(QuickEntry { at, hash, found, work: 3 * cost::OPERATION + candidates })
    }

    /// Sets the value of a key whose place is known.
    #[inline]
    pub(super) fn store_quick_entry(&mut self, entry: QuickEntry, key: Value, value: Value) {
        let QuickEntry { at, hash, found, .. } = entry;
        if let Some(place) = found {
            if let HeapObject::Dict(dict) = self.heap.get_mut_to_store(at, value) {
                dict.set_value(place, value);
            }
        } else {
            self.change_dict(at, |dict| dict.insert_new(hash, key, value));
        }
    }

    /// Returns the hash of a number or a short text.
    #[inline]
    fn quick_hash(&self, key: Value) -> Option<u64> {
        match key {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Text(text) if (text.len() as u64) < ELEMENTS_PER_UNIT => {
                    Some(super::super::hashes::hash_text(text))
                }
                _ => None,
            },
            // Larger numbers are hashed modulo a prime; -1 has the hash of -2.
            Value::Int(number @ 0..=0xffff_ffff) => Some(number as u64),
            _ => None,
        }
    }

    /// Returns whether a number or a short text equals a key; `None` if the general code has to compare.
    #[inline]
    fn quick_key_equality(&self, key: Value, other: Value) -> Option<bool> {
        match (key, other) {
            (Value::Int(one), Value::Int(other)) => Some(one == other),
            (Value::Ref(one), Value::Ref(other)) => match (self.heap.get(one), self.heap.get(other)) {
                (HeapObject::Text(text), HeapObject::Text(other_text)) => Some(one == other || text == other_text),
                _ => None,
            },
            _ => None,
        }
    }
}
