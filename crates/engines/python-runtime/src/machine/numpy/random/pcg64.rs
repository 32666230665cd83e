//! The generator PCG64 of numpy (O'Neill 2014: 128 bits of state, output XSL-RR), seeded by numpy's `SeedSequence`.

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// A PCG64 generator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pcg64 {
    state: u128,
    increment: u128,
    /// The upper half of the last 64 bits, if only the lower half was used.
    next_word: Option<u32>,
}

impl Pcg64 {
    /// Creates a generator from the words of a seed.
    pub(super) fn from_entropy(entropy: &[u32]) -> Self {
        let words = seed_state(entropy);
        let pair = |place: usize| u128::from(words[place]) << 64 | u128::from(words[place + 1]);
        let increment = pair(2) << 1 | 1;
        let mut generator = Self { state: 0, increment, next_word: None };
        generator.step();
        generator.state = generator.state.wrapping_add(pair(0));
        generator.step();
        generator
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    /// Returns the next 64 random bits.
    pub(super) fn next_bits(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// Returns the next 32 random bits.
    pub(super) fn next_word(&mut self) -> u32 {
        if let Some(word) = self.next_word.take() {
            return word;
        }
        let bits = self.next_bits();
        self.next_word = Some((bits >> 32) as u32);
        bits as u32
    }

    /// Returns the next random float in `[0, 1)`, with 53 random bits.
    pub(super) fn next_float(&mut self) -> f64 {
        (self.next_bits() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// Returns a random integer from 0 to `limit`, inclusive, by Lemire's method.
    pub(super) fn next_up_to(&mut self, limit: u64) -> u64 {
        match u32::try_from(limit) {
            Ok(u32::MAX) => u64::from(self.next_word()),
            Ok(limit) => {
                let count = u64::from(limit) + 1;
                let mut product = u64::from(self.next_word()) * count;
                if u64::from(product as u32) < count {
                    let threshold = u64::from(u32::MAX - limit) % count;
                    while u64::from(product as u32) < threshold {
                        product = u64::from(self.next_word()) * count;
                    }
                }
                product >> 32
            }
            Err(_) if limit == u64::MAX => self.next_bits(),
            Err(_) => {
                let count = limit + 1;
                let mut product = u128::from(self.next_bits()) * u128::from(count);
                if (product as u64) < count {
                    let threshold = (u64::MAX - limit) % count;
                    while (product as u64) < threshold {
                        product = u128::from(self.next_bits()) * u128::from(count);
                    }
                }
                (product >> 64) as u64
            }
        }
    }
}

/// Returns the four words that `SeedSequence(entropy).generate_state(4, np.uint64)` gives.
fn seed_state(entropy: &[u32]) -> [u64; 4] {
    let mut constant = 0x43b0_d7e5u32;
    let mut hash = |value: u32| {
        let value = value ^ constant;
        constant = constant.wrapping_mul(0x931e_8875);
        let value = value.wrapping_mul(constant);
        value ^ value >> 16
    };
    let mix = |one: u32, other: u32| {
        let mixed = one.wrapping_mul(0xca01_f9dd).wrapping_sub(other.wrapping_mul(0x4973_f715));
        mixed ^ mixed >> 16
    };
    let mut pool = [0u32; 4];
    for (place, slot) in pool.iter_mut().enumerate() {
        *slot = hash(entropy.get(place).copied().unwrap_or(0));
    }
    for from in 0..4 {
        for to in (0..4).filter(|&to| to != from) {
            pool[to] = mix(pool[to], hash(pool[from]));
        }
    }
    for &word in entropy.iter().skip(4) {
        for slot in &mut pool {
            *slot = mix(*slot, hash(word));
        }
    }
    let mut constant = 0x8b51_f9ddu32;
    let mut words = [0u32; 8];
    for (place, word) in words.iter_mut().enumerate() {
        let value = pool[place % 4] ^ constant;
        constant = constant.wrapping_mul(0x58f3_8ded);
        let value = value.wrapping_mul(constant);
        *word = value ^ value >> 16;
    }
    std::array::from_fn(|place| u64::from(words[2 * place]) | u64::from(words[2 * place + 1]) << 32)
}
