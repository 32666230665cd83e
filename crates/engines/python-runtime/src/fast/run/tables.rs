//! Search in dicts and sets.

use super::uncommon::Number;
use super::{FallbackReason, Heap, KeyWord, OpResult, Reg, RegisterCode, Registers, Tag};

/// The number of words that are searched per unit of fuel.
const WORDS_PER_FUEL: usize = 16;

/// Returns the index of the first word of the entry of the list `l` whose key equals that in the registers from `a` on.
pub(super) fn find(
    r: &Registers,
    heap: &mut Heap,
    code: &RegisterCode,
    (l, a, k): (Reg, Reg, u8),
) -> OpResult<Option<usize>> {
    let shape = code.key_shapes.get(usize::from(k)).ok_or(FallbackReason::TypeMismatch)?;
    let list = heap.list(r, l)?;
    let searched = list.len() / WORDS_PER_FUEL;
    let place = if let [KeyWord::Bits] = shape.words.as_slice() {
        let key = r.0[a as usize];
        let mut keys = list.iter().step_by(shape.stride);
        keys.position(|word| *word == key).map(|place| place * shape.stride)
    } else {
        find_key(r, list, &shape.words, a, shape.stride)?
    };
    heap.consume_fuel(1 + searched as i64)?;
    Ok(place)
}

fn find_key(r: &Registers, list: &[u64], words: &[KeyWord], a: Reg, stride: usize) -> OpResult<Option<usize>> {
    for (place, entry) in list.chunks_exact(stride).enumerate() {
        let (mut register, mut offset, mut is_equal) = (a, 0, true);
        for word in words {
            let (Some(&own), key) = (entry.get(offset), r.0[register as usize]) else {
                return Err(FallbackReason::TypeMismatch);
            };
            is_equal &= match word {
                KeyWord::Bits => own == key,
                KeyWord::Float => equal(Number::Float(f64::from_bits(own)), Number::Float(f64::from_bits(key)))?,
                KeyWord::Number => {
                    let tag = *entry.get(offset + 1).ok_or(FallbackReason::TypeMismatch)?;
                    let own = if tag == Tag::Float as u64 {
                        Number::Float(f64::from_bits(own))
                    } else {
                        Number::Int(own.cast_signed())
                    };
                    equal(own, r.number(register)?)?
                }
            };
            let width = if *word == KeyWord::Number { 2 } else { 1 };
            register = register.wrapping_add(width);
            offset += usize::from(width);
        }
        if is_equal {
            return Ok(Some(place * stride));
        }
    }
    Ok(None)
}

/// Whether two numbers are equal. A NaN is found by its identity, which is not known here.
fn equal(one: Number, two: Number) -> OpResult<bool> {
    let order = one.compare(two)?.ok_or(FallbackReason::Unordered)?;
    Ok(order.is_eq())
}
