//! Counter-based random numbers: each game of a batch has its own stream, determined by a seed and the index of the game.
//!
//! The generator is Philox 2x64 with ten rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC
//! 2011), a keyed bijection of a counter. The state of a stream is therefore its seed, its index and the number of draws.

/// The multiplier of a round.
const MULTIPLIER: u64 = 0xD2B7_4407_B1CE_6E93;
/// The increment of the key between rounds (a Weyl sequence).
const WEYL: u64 = 0x9E37_79B9_7F4A_7C15;
/// The number of rounds.
const ROUNDS: usize = 10;

/// The number of outputs generated at once. Generating several independent blocks exploits instruction-level parallelism.
const BUFFER_LEN: usize = 8;
/// The number of outputs of a block.
const BLOCK: usize = 2;

/// A stream of random numbers.
///
/// Equal seeds and indices give equal streams on every machine. Streams with different indices are independent.
#[derive(Debug, Clone)]
pub struct RandomStream {
    seed: u64,
    index: u64,
    drawn: u64,
    /// The outputs of the blocks that contain the most recent draw.
    buffer: [u64; BUFFER_LEN],
}

impl PartialEq for RandomStream {
    /// Whether both streams produce the same numbers from now on.
    fn eq(&self, other: &Self) -> bool {
        (self.seed, self.index, self.drawn) == (other.seed, other.index, other.drawn)
    }
}

impl Eq for RandomStream {}

impl RandomStream {
    /// Creates the stream of a seed and an index.
    pub fn new(seed: u64, index: u64) -> Self {
        Self { seed, index, drawn: 0, buffer: [0; BUFFER_LEN] }
    }

    /// Returns 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let place = self.drawn as usize % BUFFER_LEN;
        if place == 0 {
            self.refill();
        }
        self.drawn += 1;
        self.buffer[place]
    }

    fn refill(&mut self) {
        let first = self.drawn / BLOCK as u64;
        let blocks = philox(std::array::from_fn(|block| [first + block as u64, self.index]), self.seed);
        self.buffer = std::array::from_fn(|place| blocks[place / BLOCK][place % BLOCK]);
    }

    /// Draws a number uniformly from 0 (inclusive) to 1 (exclusive): a multiple of 2^-53.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.next_u64() >> 11) as f64 * STEP
    }

    /// Draws an integer uniformly from 0 (inclusive) to `count` (exclusive); 0 if `count` is 0. The bias is below `count` *
    /// 2^-64.
    #[inline]
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(count)) >> 64) as u64
    }

    /// Draws a number from the standard normal distribution by Marsaglia's polar method; the second number of the pair is
    /// discarded.
    pub fn normal(&mut self) -> f64 {
        loop {
            let [x, y] = [2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0];
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }
}

/// Encrypts several counters in lockstep.
fn philox(mut blocks: [[u64; BLOCK]; BUFFER_LEN / BLOCK], mut key: u64) -> [[u64; BLOCK]; BUFFER_LEN / BLOCK] {
    for _ in 0..ROUNDS {
        for [low, high] in &mut blocks {
            let product = u128::from(MULTIPLIER) * u128::from(*low);
            [*low, *high] = [(product >> 64) as u64 ^ key ^ *high, product as u64];
        }
        key = key.wrapping_add(WEYL);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::{RandomStream, philox};

    /// The known-answer tests of the published generator.
    #[test]
    fn known_answers() {
        let digits_of_pi = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];
        let answers = [
            ([0, 0], 0, [0xca00_a045_9843_d731, 0x66c2_4222_c9a8_45b5]),
            ([u64::MAX; 2], u64::MAX, [0x65b0_21d6_0cd8_310f, 0x4d02_f322_2f86_df20]),
            (digits_of_pi, 0xa409_3822_299f_31d0, [0x0a5e_742c_2997_341c, 0xb0f8_83d3_8000_de5d]),
        ];
        for (counter, key, expected) in answers {
            assert_eq!(philox([counter; 4], key), [expected; 4]);
        }
    }

    /// Blocks are numbered from 0 and appear in order.
    #[test]
    fn blocks_follow_each_other() {
        let mut stream = RandomStream::new(5, 9);
        for block in 0..20 {
            assert_eq!([stream.next_u64(), stream.next_u64()], philox([[block, 9]; 4], 5)[0], "block {block}");
        }
    }

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, index| {
            let mut stream = RandomStream::new(seed, index);
            [stream.next_u64(), stream.next_u64(), stream.next_u64()]
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn numbers_are_where_they_should_be() {
        let mut stream = RandomStream::new(7, 0);
        let count = 40_000;
        let mut buckets = [0_u32; 5];
        let mut sum = 0.0;
        let mut squares = 0.0;
        for _ in 0..count {
            let uniform = stream.uniform();
            assert!((0.0..1.0).contains(&uniform));
            buckets[stream.below(5) as usize] += 1;
            let normal = stream.normal();
            sum += normal;
            squares += normal * normal;
        }
        // Five standard errors.
        assert!(buckets.iter().all(|&bucket| (f64::from(bucket) - 8000.0).abs() < 400.0), "{buckets:?}");
        assert!((sum / f64::from(count)).abs() < 0.025);
        assert!((squares / f64::from(count) - 1.0).abs() < 0.036);
        assert_eq!(stream.below(0), 0);
    }
}
