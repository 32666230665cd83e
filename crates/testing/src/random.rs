//! A generator of pseudo-random numbers.

/// A generator of pseudo-random numbers: xorshift (Marsaglia 2003). Equal seeds give equal numbers on all platforms.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Creates a generator.
    pub fn new(seed: u64) -> Self {
        // The generator never leaves zero.
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number below a positive bound.
    pub fn below(&mut self, bound: usize) -> usize {
        // The low bits are the least random.
        ((self.bits() >> 11) % bound as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_depend_on_the_seed_and_stay_below_the_bound() {
        let numbers = |seed| (0..200).scan(Random::new(seed), |random, _| Some(random.below(7))).collect::<Vec<_>>();
        assert_eq!(numbers(0), numbers(0));
        assert_ne!(numbers(0), numbers(1));
        assert!((0..7).all(|number| numbers(u64::MAX).contains(&number)));
    }
}
