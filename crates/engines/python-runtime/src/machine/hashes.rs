//! Hashes of values; those of numbers, and of tuples and sets of numbers, equal the hashes of CPython.

use std::hash::{Hash, Hasher};

use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::class_checks::AnnotationKey;
use super::dict::DictKind;
use super::exceptions::ExecResult;
use super::numbers::Number;
use super::value::{HeapObject, HeapRef, Value};
use super::{ELEMENTS_PER_UNIT, Machine, cost};

/// The hash of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct HashValue {
    pub(super) bits: u64,
    /// Whether CPython computes the same hash in every run; false for text and for objects hashed by address.
    pub(super) is_reproducible: bool,
}

impl HashValue {
    /// Returns the result of `hash`.
    pub(super) fn to_python(self) -> i64 {
        if self.is_reproducible { self.bits as i64 } else { (self.bits >> 3) as i64 }
    }
}

/// The exponent of the Mersenne prime that is the modulus of numeric hashes.
const PRIME_BITS: u32 = 61;
/// The modulus of numeric hashes.
const PRIME: u64 = (1 << PRIME_BITS) - 1;
/// The hash of infinity.
const HASH_INFINITY: i64 = 314_159;

impl Machine {
    /// Returns the hash of a value.
    ///
    /// # Errors
    /// A `TypeError` if the value is unhashable.
    pub(super) fn hash_bits(&mut self, value: Value) -> ExecResult<u64> {
        self.hash_value(value).map(|hashed| hashed.bits)
    }

    /// Returns the hash of a value, and whether it is the same in every run.
    ///
    /// # Errors
    /// A `TypeError` if the value is unhashable.
    pub(super) fn hash_value(&mut self, value: Value) -> ExecResult<HashValue> {
        let fixed = |bits: u64| Ok(HashValue { bits, is_reproducible: true });
        if let Some(number) = self.as_number(value).filter(|_| !matches!(value, Value::Ref(_))) {
            return match hash_number(&number) {
                Some(bits) => fixed(bits),
                None => Ok(HashValue { bits: 0, is_reproducible: false }),
            };
        }
        let mut hasher = FxHasher::default();
        match value {
            Value::Ref(at) => return self.hash_cell(value, at),
            Value::Type(kind) => kind.hash(&mut hasher),
            Value::Builtin(builtin) => builtin.hash(&mut hasher),
            _ => std::mem::discriminant(&value).hash(&mut hasher),
        }
        Ok(HashValue { bits: hasher.finish(), is_reproducible: false })
    }

    fn hash_cell(&mut self, value: Value, at: HeapRef) -> ExecResult<HashValue> {
        let fixed = |bits: u64| Ok(HashValue { bits, is_reproducible: true });
        let mut hasher = FxHasher::default();
        match self.heap.get(at) {
            HeapObject::BigInt(number) => {
                let (size, bits) = (number.bits(), hash_number(&Number::Big(number.clone())).unwrap_or_default());
                self.charge(size / u64::from(u64::BITS) * cost::OPERATION)?;
                return Ok(HashValue { bits, is_reproducible: true });
            }
            HeapObject::Text(text) => {
                let bits = hash_text(text);
                let length = text.len() as u64;
                self.charge(length / ELEMENTS_PER_UNIT)?;
                return Ok(HashValue { bits, is_reproducible: false });
            }
            HeapObject::Bytes(bytes) => {
                bytes.hash(&mut hasher);
                let length = bytes.len() as u64;
                self.charge(length / ELEMENTS_PER_UNIT)?;
            }
            HeapObject::Tuple(values) => {
                let values = values.clone();
                return self.nested(|machine| machine.hash_tuple(&values));
            }
            HeapObject::Union(_) | HeapObject::GenericAlias { .. } => {
                return self.nested(|machine| machine.hash_annotation(at));
            }
            HeapObject::Range { start, step, .. } => {
                let (start, step) = (*start, *step);
                let length = self.range_length(at);
                let part = |number, is_there| if is_there { Value::Int(number) } else { Value::None };
                let parts = [Value::Int(length as i64), part(start, length > 0), part(step, length > 1)];
                return self.hash_tuple(&parts);
            }
            HeapObject::Set(set) if matches!(set.kind, DictKind::Frozen) => {
                let members: Vec<Value> = set.iter().map(|(key, _)| key).collect();
                return self.nested(|machine| machine.hash_set(&members));
            }
            HeapObject::List(_)
            | HeapObject::Dict(_)
            | HeapObject::Set(_)
            | HeapObject::Slice(_)
            | HeapObject::Array(_)
            | HeapObject::Deque(_)
            | HeapObject::DictView(_, super::iterators::EntryPart::Keys | super::iterators::EntryPart::Items) => {
                return Err(self.unhashable(value));
            }
            HeapObject::Library(object) if !object.class().is_hashable => return Err(self.unhashable(value)),
            HeapObject::Screen(object) => {
                if !self.is_hashable_screen(object.class()) {
                    return Err(self.unhashable(value));
                }
                at.hash(&mut hasher);
            }
            HeapObject::Instance { .. } | HeapObject::Exception(_) => {
                if let Some(method) = self.special_method(value, "__hash__") {
                    if matches!(method, Value::None) {
                        return Err(self.unhashable(value));
                    }
                    let number = self.call_value(method, &[], &[])?;
                    // A result that fits in 64 bits is the hash itself, a larger one is hashed as a number; -1 is reserved for errors.
                    return match self.base_value(number) {
                        Value::Int(-1) => fixed(-2i64 as u64),
                        Value::Int(number) => fixed(number as u64),
                        number if matches!(self.as_number(number), Some(Number::Int(_) | Number::Big(_))) => {
                            self.hash_value(number)
                        }
                        _ => Err(self.type_error("__hash__ method should return an integer")),
                    };
                }
                let base = self.base_value(value);
                if !super::compare::is_identical(base, value) {
                    if self.is_of_unhashable_class(base) {
                        return Err(self.unhashable(value));
                    }
                    return self.hash_value(base);
                }
                at.hash(&mut hasher);
            }
            _ => at.hash(&mut hasher),
        }
        Ok(HashValue { bits: hasher.finish(), is_reproducible: false })
    }

    /// Returns the hash of a union, independent of the order of its members, or of a generic alias.
    fn hash_annotation(&mut self, at: HeapRef) -> ExecResult<HashValue> {
        match self.annotation_key(at) {
            AnnotationKey::Union(classes) => self.hash_set(&classes),
            AnnotationKey::Alias(parts) => self.hash_tuple(&parts),
        }
    }

    fn hash_tuple(&mut self, values: &[Value]) -> ExecResult<HashValue> {
        let mut parts = SmallVec::<[u64; 4]>::with_capacity(values.len());
        let mut is_fixed = true;
        for &value in values {
            self.charge(1)?;
            let part = self.hash_value(value)?;
            is_fixed &= part.is_reproducible;
            parts.push(part.bits);
        }
        let bits = combined_hash(parts.into_iter().map(Some)).unwrap_or_default();
        Ok(HashValue { bits, is_reproducible: is_fixed })
    }

    /// Returns the hash of a set, independent of the order of its members.
    fn hash_set(&mut self, members: &[Value]) -> ExecResult<HashValue> {
        let shuffled = |bits: u64| ((bits ^ 0x055b_4db3) ^ (bits << 16)).wrapping_mul(3_644_798_167);
        let mut bits = 0;
        let mut is_fixed = true;
        for &member in members {
            self.charge(1)?;
            let part = self.hash_value(member)?;
            is_fixed &= part.is_reproducible;
            bits ^= shuffled(part.bits);
        }
        bits ^= (members.len() as u64 + 1).wrapping_mul(1_927_868_237);
        bits ^= (bits >> 11) ^ (bits >> 25);
        bits = bits.wrapping_mul(69_069).wrapping_add(907_133_923);
        Ok(HashValue { bits: if bits == u64::MAX { 590_923_713 } else { bits }, is_reproducible: is_fixed })
    }

    /// Returns whether the class of a value makes its instances unhashable.
    pub(super) fn is_of_unhashable_class(&mut self, value: Value) -> bool {
        if let Some(method) = self.special_method(value, "__hash__") {
            return matches!(method, Value::None);
        }
        let Value::Ref(at) = self.base_value(value) else { return false };
        match self.heap.get(at) {
            HeapObject::List(_)
            | HeapObject::Dict(_)
            | HeapObject::Slice(_)
            | HeapObject::Array(_)
            | HeapObject::Deque(_) => true,
            HeapObject::DictView(_, part) => *part != super::iterators::EntryPart::Values,
            HeapObject::Set(set) => !matches!(set.kind, DictKind::Frozen),
            _ => false,
        }
    }

    fn unhashable(&mut self, value: Value) -> super::ExecError {
        let message = format!("unhashable type: '{}'", self.class_name(value));
        self.type_error(&message)
    }
}

/// Returns the hash of a tuple from those of its elements; `None` if one of them is missing.
#[inline]
pub(super) fn combined_hash(parts: impl ExactSizeIterator<Item = Option<u64>>) -> Option<u64> {
    const PRIMES: [u64; 3] = [11_400_714_785_074_694_791, 14_029_467_366_897_019_727, 2_870_177_450_012_600_261];
    let count = parts.len() as u64;
    let mut bits = PRIMES[2];
    for part in parts {
        bits = bits.wrapping_add(part?.wrapping_mul(PRIMES[1])).rotate_left(31).wrapping_mul(PRIMES[0]);
    }
    bits = bits.wrapping_add(count ^ (PRIMES[2] ^ 0x0035_d373));
    Some(if bits == u64::MAX { 1_546_275_796 } else { bits })
}

/// Returns the hash of a text.
#[inline]
pub(super) fn hash_text(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Returns the hash of a number, the same for equal numbers of different types; `None` for NaN.
fn hash_number(number: &Number) -> Option<u64> {
    let (magnitude, negative) = match number {
        Number::Int(number) => (number.unsigned_abs() % PRIME, *number < 0),
        Number::Big(number) => {
            let rest = number.magnitude() % BigUint::from(PRIME);
            (u64::try_from(rest).unwrap_or_default(), *number < BigInt::ZERO)
        }
        Number::Float(number) if number.is_nan() => return None,
        Number::Float(number) if number.is_infinite() => (HASH_INFINITY as u64, *number < 0.0),
        Number::Float(number) => (magnitude_mod_prime(number.abs()), *number < 0.0),
    };
    let hash = if negative { -(magnitude as i64) } else { magnitude as i64 };
    // -1 is reserved for errors.
    Some(if hash == -1 { -2i64 } else { hash } as u64)
}

/// Returns a nonnegative float modulo the prime, computed from its mantissa and exponent.
fn magnitude_mod_prime(number: f64) -> u64 {
    let (whole, power) = super::convert::decompose_float(number);
    // Multiplication by a power of two rotates the bits.
    let turn = power.rem_euclid(PRIME_BITS.into()) as u32;
    let turned = (whole << turn) & PRIME | whole >> (PRIME_BITS - turn);
    if turned == PRIME { 0 } else { turned }
}
