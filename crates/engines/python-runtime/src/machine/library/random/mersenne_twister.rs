//! The generator MT19937 of CPython and numpy.

/// The number of words of the state.
const WORDS: usize = 624;
/// The offset between the words that are combined.
const OFFSET: usize = 397;

/// A Mersenne Twister with 32-bit words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MersenneTwister {
    words: [u32; WORDS],
    position: usize,
}

impl MersenneTwister {
    /// Creates a generator from one word.
    pub(in crate::machine) fn from_word(seed: u32) -> Self {
        let mut words = [0u32; WORDS];
        words[0] = seed;
        for place in 1..WORDS {
            let before = words[place - 1];
            words[place] = 1_812_433_253u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(place as u32);
        }
        Self { words, position: WORDS }
    }

    /// Creates a generator from a key of at least one word.
    pub(in crate::machine) fn from_key(key: &[u32]) -> Self {
        let mut words = Self::from_word(19_650_218).words;
        let (mut place, mut part) = (1, 0);
        let mixed = |words: &[u32; WORDS], place: usize| words[place - 1] ^ (words[place - 1] >> 30);
        for _ in 0..WORDS.max(key.len()) {
            words[place] = (words[place] ^ mixed(&words, place).wrapping_mul(1_664_525))
                .wrapping_add(key[part])
                .wrapping_add(part as u32);
            (place, part) = (place + 1, (part + 1) % key.len());
            if place == WORDS {
                words[0] = words[WORDS - 1];
                place = 1;
            }
        }
        for _ in 1..WORDS {
            words[place] = (words[place] ^ mixed(&words, place).wrapping_mul(1_566_083_941)).wrapping_sub(place as u32);
            place += 1;
            if place == WORDS {
                words[0] = words[WORDS - 1];
                place = 1;
            }
        }
        words[0] = 0x8000_0000;
        Self { words, position: WORDS }
    }

    /// Returns the next 32 random bits.
    pub(in crate::machine) fn next_word(&mut self) -> u32 {
        if self.position == WORDS {
            self.renew();
        }
        let mut word = self.words[self.position];
        self.position += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    fn renew(&mut self) {
        for place in 0..WORDS {
            let joined = (self.words[place] & 0x8000_0000) | (self.words[(place + 1) % WORDS] & 0x7fff_ffff);
            let twisted = if joined & 1 == 0 { 0 } else { 0x9908_b0df };
            self.words[place] = self.words[(place + OFFSET) % WORDS] ^ (joined >> 1) ^ twisted;
        }
        self.position = 0;
    }

    /// Returns the next random float in `[0, 1)`, with 53 random bits.
    pub(in crate::machine) fn next_float(&mut self) -> f64 {
        let (high, low) = (self.next_word() >> 5, self.next_word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// Returns `count` random bits, at most 64.
    pub(in crate::machine) fn next_bits(&mut self, count: u32) -> u64 {
        match count {
            0 => 0,
            1..=32 => u64::from(self.next_word() >> (32 - count)),
            _ => {
                let low = u64::from(self.next_word());
                low | u64::from(self.next_word() >> (64 - count)) << 32
            }
        }
    }

    /// Returns a random number below a positive `limit`.
    pub(in crate::machine) fn next_below(&mut self, limit: u64) -> u64 {
        let bits = u64::BITS - limit.leading_zeros();
        loop {
            let number = self.next_bits(bits);
            if number < limit {
                return number;
            }
        }
    }
}
