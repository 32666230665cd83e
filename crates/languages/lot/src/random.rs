//! The pseudo-random generator of numpy: `numpy.random.default_rng(seed)`.
//!
//! The generator is PCG64 (O'Neill: PCG, a family of simple fast space-efficient statistically good algorithms for random number
//! generation; 2014), seeded by numpy's `SeedSequence`. The draws are those of `Generator.choice` without replacement,
//! `Generator.shuffle` of a list and `Generator.permutation`, bit by bit.

use rand_core::Rng;
use rand_pcg::Pcg64;
use rustc_hash::FxHashSet;

/// The number of 32-bit words in the pool of a seed sequence.
const POOL: usize = 4;

/// Mixes the words of a seed into eight words of state, as numpy's `SeedSequence` does.
fn seed_state(seed: u64) -> [u32; 8] {
    const MIX_LEFT: u32 = 0xca01_f9dd;
    const MIX_RIGHT: u32 = 0x4973_f715;
    let mut hash = Hash { constant: 0x43b0_d7e5, multiplier: 0x931e_8875 };
    let words = [seed as u32, (seed >> 32) as u32, 0, 0];
    let mut pool = words.map(|word| hash.mix(word));
    for source in 0..POOL {
        for target in (0..POOL).filter(|&target| target != source) {
            let right = hash.mix(pool[source]);
            let mixed = MIX_LEFT.wrapping_mul(pool[target]).wrapping_sub(MIX_RIGHT.wrapping_mul(right));
            pool[target] = mixed ^ (mixed >> 16);
        }
    }
    let mut hash = Hash { constant: 0x8b51_f9dd, multiplier: 0x58f3_8ded };
    std::array::from_fn(|index| hash.mix(pool[index % POOL]))
}

/// The hash function of a seed sequence, whose constant changes with each word.
struct Hash {
    constant: u32,
    multiplier: u32,
}

impl Hash {
    fn mix(&mut self, word: u32) -> u32 {
        let word = word ^ self.constant;
        self.constant = self.constant.wrapping_mul(self.multiplier);
        let word = word.wrapping_mul(self.constant);
        word ^ (word >> 16)
    }
}

/// A generator equal to `numpy.random.default_rng(seed)`.
#[derive(Debug, Clone)]
pub struct NumpyGenerator {
    generator: Pcg64,
    /// The high half of the last 64 bits, which is the next 32-bit number.
    high_half: Option<u32>,
}

impl NumpyGenerator {
    /// Creates the generator of a seed.
    pub fn new(seed: u64) -> Self {
        let state = seed_state(seed);
        let word = |index: usize| u128::from(state[2 * index]) | u128::from(state[2 * index + 1]) << 32;
        let generator = Pcg64::new(word(0) << 64 | word(1), word(2) << 64 | word(3));
        Self { generator, high_half: None }
    }

    /// Returns the next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Returns the next 32 bits: the low half of 64 bits, then their high half.
    pub fn next_u32(&mut self) -> u32 {
        self.high_half.take().unwrap_or_else(|| {
            let bits = self.generator.next_u64();
            self.high_half = Some((bits >> 32) as u32);
            bits as u32
        })
    }

    /// Returns a uniform number from 0 to `max` by Lemire's method.
    fn bounded(&mut self, max: u32) -> u32 {
        if max == 0 {
            return 0;
        }
        let Some(count) = max.checked_add(1) else { return self.next_u32() };
        let threshold = (u32::MAX - max) % count;
        loop {
            let product = u64::from(self.next_u32()) * u64::from(count);
            if product as u32 >= threshold {
                return (product >> 32) as u32;
            }
        }
    }

    /// Returns a uniform number from 0 to `max` by masking and rejection.
    fn masked(&mut self, max: u32) -> u32 {
        let mask = u32::MAX.checked_shr(max.leading_zeros()).unwrap_or(0);
        loop {
            let number = self.next_u32() & mask;
            if number <= max {
                return number;
            }
        }
    }

    /// Returns `count` distinct indices below `size`, as `Generator.choice` without replacement draws them (Floyd's algorithm, and a
    /// shuffle). Equal to numpy for sizes up to 10,000.
    ///
    /// # Panics
    /// If `count` exceeds `size`.
    pub fn choice(&mut self, size: usize, count: usize) -> Vec<usize> {
        assert!(count <= size, "{count} of {size} numbers");
        let mut taken = FxHashSet::default();
        let mut chosen = Vec::with_capacity(count);
        for last in size - count..size {
            let drawn = self.bounded(last as u32) as usize;
            let index = if taken.insert(drawn) { drawn } else { last };
            taken.insert(index);
            chosen.push(index);
        }
        for last in (1..count).rev() {
            chosen.swap(last, self.bounded(last as u32) as usize);
        }
        chosen
    }

    /// Shuffles a list, as `Generator.shuffle` does.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.masked(last as u32) as usize);
        }
    }

    /// Returns a permutation of the numbers below `size`, as `Generator.permutation` draws it.
    pub fn permutation(&mut self, size: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..size).collect();
        self.shuffle(&mut numbers);
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::NumpyGenerator;

    /// The first outputs of `numpy.random.default_rng(0)` and `default_rng(12345)`.
    #[test]
    fn the_first_numbers_are_those_of_numpy() {
        let mut zero = NumpyGenerator::new(0);
        let numbers = [(); 3].map(|()| zero.next_u64());
        assert_eq!(numbers, [11_749_869_230_777_074_271, 4_976_686_463_289_251_617, 755_828_109_848_996_024]);
    }

    #[test]
    fn choices_are_distinct_and_complete() {
        let mut generator = NumpyGenerator::new(7);
        for size in 0..40 {
            let mut chosen = generator.choice(size, size);
            chosen.sort_unstable();
            assert_eq!(chosen, (0..size).collect::<Vec<_>>());
            assert!(generator.permutation(size).iter().all(|&number| number < size));
        }
    }
}
