//! The hash SHA-512, by which `random.seed` extends a text.

/// The first 64 bits of the fractional parts of the cube roots of the first primes.
fn round_constants() -> [u64; 80] {
    let mut constants = [0; 80];
    let mut primes =
        (2u128..).filter(|&number| (2..number).take_while(|by| by * by <= number).all(|by| number % by != 0));
    for constant in &mut constants {
        *constant = root_fraction(primes.next().unwrap_or(2), 3);
    }
    constants
}

/// The first 64 bits of the fractional parts of the square roots of the first primes.
fn initial_state() -> [u64; 8] {
    [2, 3, 5, 7, 11, 13, 17, 19].map(|prime| root_fraction(prime, 2))
}

/// Returns the first 64 bits of the fractional part of a root of a number.
fn root_fraction(number: u128, degree: u32) -> u64 {
    let scaled = num_bigint::BigUint::from(number) << (64 * degree);
    let root = scaled.nth_root(degree);
    root.iter_u64_digits().next().unwrap_or_default()
}

/// Returns the hash of some bytes.
pub(super) fn sha512(bytes: &[u8]) -> [u8; 64] {
    let constants = round_constants();
    let mut state = initial_state();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 16).div_ceil(128) * 128 - 16, 0);
    padded.extend((bytes.len() as u128 * 8).to_be_bytes());
    for block in padded.as_chunks::<128>().0 {
        compress(&mut state, block, &constants);
    }
    let mut hash = [0; 64];
    for (bytes, word) in hash.as_chunks_mut::<8>().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    hash
}

#[allow(clippy::many_single_char_names, reason = "the standard names the words so")]
fn compress(state: &mut [u64; 8], block: &[u8; 128], constants: &[u64; 80]) {
    let mut schedule = [0u64; 80];
    for (word, bytes) in schedule.iter_mut().zip(block.as_chunks::<8>().0) {
        *word = u64::from_be_bytes(*bytes);
    }
    for place in 16..80 {
        let (near, far) = (schedule[place - 2], schedule[place - 15]);
        let near = near.rotate_right(19) ^ near.rotate_right(61) ^ (near >> 6);
        let far = far.rotate_right(1) ^ far.rotate_right(8) ^ (far >> 7);
        schedule[place] = near.wrapping_add(schedule[place - 7]).wrapping_add(far).wrapping_add(schedule[place - 16]);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in schedule.iter().zip(constants) {
        let mixed = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
        let choice = (e & f) ^ (!e & g);
        let first = h.wrapping_add(mixed).wrapping_add(choice).wrapping_add(*constant).wrapping_add(*word);
        let mixed = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
        let second = mixed.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
    }
    for (word, added) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(added);
    }
}
