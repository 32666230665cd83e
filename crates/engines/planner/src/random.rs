//! A pseudo-random generator.

/// The first state, before a seed is mixed in.
const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;

/// An odd factor that spreads the bits of a seed.
const SEED_FACTOR: u64 = 0xbf58_476d_1ce4_e5b9;

/// A pseudo-random generator (xorshift).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// Creates a generator. Generators with the same seed and different streams differ.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        // The generator never leaves zero.
        Self((FIRST ^ stream ^ seed.wrapping_mul(SEED_FACTOR)).max(1))
    }

    /// Returns a number below a bound, which is positive and at most 2^32.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) % bound
    }

    /// Shuffles items.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in 1..items.len() {
            items.swap(place, self.below(place as u64 + 1) as usize);
        }
    }
}
