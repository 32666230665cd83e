//! Shortcuts of dict access by numbers and short texts.

use super::super::hashes::{combined_hash, hash_text};
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
    /// Finds a key in a dict, if comparing it with the keys of the dict runs no code of the program.
    #[inline]
    pub(super) fn quick_entry(&self, object: Value, key: Value) -> Option<QuickEntry> {
        let Value::Ref(at) = object else { return None };
        match self.heap.get(at) {
            HeapObject::Dict(_) => self.find_quick_entry(at, key),
            _ => None,
        }
    }

    /// Finds a key in a dict or a set, if comparing it with the other keys runs no code of the program.
    #[inline]
    pub(in crate::machine) fn find_quick_entry(&self, at: HeapRef, key: Value) -> Option<QuickEntry> {
        let mut work = 3 * cost::OPERATION;
        let hash = self.quick_hash(key, &mut work)?;
        let dict = self.dict(at);
        let (mut candidates, mut found) = (0, None);
        if let Some(entries) = dict.scanned_entries() {
            for (place, entry) in entries.iter().enumerate() {
                if let Some((other_hash, other, _)) = entry
                    && *other_hash == hash
                {
                    candidates += 1;
                    if found.is_none() {
                        found = self.quick_key_equality(key, *other, &mut work)?.then_some(place);
                    }
                }
            }
        } else {
            for (place, other) in dict.places_of(hash) {
                candidates += 1;
                if found.is_none() {
                    found = self.quick_key_equality(key, other, &mut work)?.then_some(place);
                }
            }
        }
        Some(QuickEntry { at, hash, found, work: work + candidates })
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
            self.heap.keep_in(at, key);
            let HeapObject::Dict(dict) = self.heap.get_mut_to_store(at, value) else { return };
            if !dict.insert_in_place(hash, key, value) {
                self.change_dict(at, |dict| dict.insert_new(hash, key, value));
            }
        }
    }

    /// Returns the hash of a number, a short text, or a tuple of those, and adds the work for the elements of a tuple.
    #[inline]
    fn quick_hash(&self, key: Value, work: &mut u64) -> Option<u64> {
        if let Value::Ref(at) = key
            && let HeapObject::Tuple(elements) = self.heap.get(at)
        {
            *work += elements.len() as u64;
            return combined_hash(elements.iter().map(|&element| self.quick_element_hash(element)));
        }
        self.quick_element_hash(key)
    }

    /// Returns the hash of a number or a short text.
    #[inline]
    fn quick_element_hash(&self, key: Value) -> Option<u64> {
        match key {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Text(text) if (text.len() as u64) < ELEMENTS_PER_UNIT => Some(hash_text(text)),
                _ => None,
            },
            // Larger numbers are hashed modulo a prime; -1 has the hash of -2.
            Value::Int(-1) => Some(-2i64 as u64),
            Value::Int(number @ -0xffff_ffff..=0xffff_ffff) => Some(number as u64),
            Value::Bool(truth) => Some(truth.into()),
            _ => None,
        }
    }

    /// Returns whether a number, a short text or a tuple equals a key; `None` if the general code has to compare.
    #[inline]
    fn quick_key_equality(&self, key: Value, other: Value, work: &mut u64) -> Option<bool> {
        match (key, other) {
            (Value::Int(one), Value::Int(other)) => Some(one == other),
            (Value::Bool(one), Value::Bool(other)) => Some(one == other),
            (Value::Ref(one), Value::Ref(other)) if one == other => Some(true),
            (Value::Ref(one), Value::Ref(another)) => match (self.heap.get(one), self.heap.get(another)) {
                (HeapObject::Text(text), HeapObject::Text(other_text)) => Some(text == other_text),
                (HeapObject::Tuple(_), HeapObject::Tuple(_)) => self.plain_equality(other, key, 2, work),
                _ => None,
            },
            _ => None,
        }
    }
}
