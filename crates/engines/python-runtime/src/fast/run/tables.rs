//! Search in dicts and sets.

use super::uncommon::Number;
use super::{FallbackReason, KeyShape, KeyWord, OpResult};

/// The number of words that are searched per unit of fuel.
const WORDS_PER_FUEL: usize = 16;

/// Returns the fuel for a search in a list of this length.
pub(in crate::fast) fn search_cost(length: usize) -> i64 {
    1 + (length / WORDS_PER_FUEL) as i64
}

/// Returns the index of the first word of the entry of a list whose key equals the first words of `key`.
pub(in crate::fast) fn find(list: &[u64], key: &[u64], shape: &KeyShape) -> OpResult<Option<usize>> {
    if let ([KeyWord::Bits], [key, ..]) = (shape.words.as_slice(), key) {
        let mut keys = list.iter().step_by(shape.stride);
        return Ok(keys.position(|word| word == key).map(|place| place * shape.stride));
    }
    for (place, entry) in list.chunks_exact(shape.stride).enumerate() {
        if is_key(entry, key, &shape.words)? {
            return Ok(Some(place * shape.stride));
        }
    }
    Ok(None)
}

/// Whether an entry starts with a key.
fn is_key(entry: &[u64], key: &[u64], words: &[KeyWord]) -> OpResult<bool> {
    let (mut place, mut is_equal) = (0, true);
    let word = |words: &[u64], place: usize| words.get(place).copied().ok_or(FallbackReason::TypeMismatch);
    for kind in words {
        let (own, other) = (word(entry, place)?, word(key, place)?);
        is_equal &= match kind {
            KeyWord::Bits => own == other,
            KeyWord::Float => equal(Number::Float(f64::from_bits(own)), Number::Float(f64::from_bits(other)))?,
            KeyWord::Number => {
                let (own_tag, tag) = (word(entry, place + 1)?, word(key, place + 1)?);
                equal(Number::new(own, own_tag)?, Number::new(other, tag)?)?
            }
        };
        place += kind.width();
    }
    Ok(is_equal)
}

/// Whether two numbers are equal. A NaN is found by its identity, which is not known here.
fn equal(one: Number, two: Number) -> OpResult<bool> {
    let order = one.compare(two)?.ok_or(FallbackReason::Unordered)?;
    Ok(order.is_eq())
}
