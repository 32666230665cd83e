//! Bit vectors, 64 bits to a word. Bits beyond a vector's length are always zero.

/// Returns the number of words that hold `bits` bits.
pub(crate) fn words(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// Returns the mask of the bits in the last word of a vector of `bits` bits.
pub(crate) fn tail(bits: usize) -> u64 {
    match bits % 64 {
        0 => u64::MAX,
        used => (1 << used) - 1,
    }
}

pub(crate) fn get(vector: &[u64], index: usize) -> bool {
    vector[index / 64] >> (index % 64) & 1 == 1
}

/// Sets or clears a bit. Returns whether it changed.
pub(crate) fn put(vector: &mut [u64], index: usize, value: bool) -> bool {
    let (word, bit) = (&mut vector[index / 64], 1 << (index % 64));
    let before = *word;
    *word = if value { before | bit } else { before & !bit };
    *word != before
}

pub(crate) fn any(vector: &[u64]) -> bool {
    vector.iter().any(|&word| word != 0)
}

/// Sets every bit of a vector of `bits` bits.
pub(crate) fn fill(vector: &mut [u64], bits: usize) {
    vector.fill(u64::MAX);
    if let Some(last) = vector.last_mut() {
        *last = tail(bits);
    }
}

/// Iterates over the positions of the ones in a word, ascending.
pub(crate) fn ones_of(word: u64) -> impl Iterator<Item = usize> {
    let mut remaining = word;
    std::iter::from_fn(move || {
        let at = remaining.trailing_zeros() as usize;
        (remaining != 0).then(|| {
            remaining &= remaining - 1;
            at
        })
    })
}

/// Iterates over the positions of the ones in a vector, ascending.
pub(crate) fn ones(vector: &[u64]) -> impl Iterator<Item = usize> {
    vector.iter().enumerate().flat_map(|(at, &word)| ones_of(word).map(move |bit| at * 64 + bit))
}

/// Calls `visit` with the index of each word that the range touches and the mask of its bits, until `visit` returns false.
fn each_mask(from: usize, len: usize, mut visit: impl FnMut(usize, u64) -> bool) {
    let end = from + len;
    let mut at = from;
    while at < end {
        let stop = (at / 64 + 1) * 64;
        let high = if end >= stop { u64::MAX } else { tail(end) };
        if !visit(at / 64, high & (u64::MAX << (at % 64))) {
            return;
        }
        at = stop;
    }
}

/// Sets or clears a range of bits.
pub(crate) fn put_range(vector: &mut [u64], from: usize, len: usize, value: bool) {
    each_mask(from, len, |word, mask| {
        if value {
            vector[word] |= mask;
        } else {
            vector[word] &= !mask;
        }
        true
    });
}

pub(crate) fn any_in_range(vector: &[u64], from: usize, len: usize) -> bool {
    let mut found = false;
    each_mask(from, len, |word, mask| {
        found = vector[word] & mask != 0;
        !found
    });
    found
}

/// Returns the position of the first one in a range, counted from the start of the range.
pub(crate) fn first_in_range(vector: &[u64], from: usize, len: usize) -> Option<usize> {
    let mut first = None;
    each_mask(from, len, |word, mask| {
        let ones = vector[word] & mask;
        if ones != 0 {
            first = Some(word * 64 + ones.trailing_zeros() as usize - from);
        }
        ones == 0
    });
    first
}

pub(crate) fn count_in_range(vector: &[u64], from: usize, len: usize) -> u64 {
    let mut count = 0;
    each_mask(from, len, |word, mask| {
        count += u64::from((vector[word] & mask).count_ones());
        true
    });
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_agree_with_single_bits() {
        for (from, len) in [(0, 0), (0, 64), (3, 1), (60, 8), (63, 66), (64, 64), (10, 180)] {
            let mut ranged = vec![0; 3];
            let mut single = vec![0; 3];
            put_range(&mut ranged, from, len, true);
            for index in from..from + len {
                put(&mut single, index, true);
            }
            assert_eq!(ranged, single, "{from} {len}");
            assert_eq!(ones(&ranged).collect::<Vec<_>>(), (from..from + len).collect::<Vec<_>>());
            assert_eq!(count_in_range(&ranged, 0, 192), len as u64);
            assert_eq!(any_in_range(&ranged, 0, 192), len > 0);
            assert!(!any_in_range(&ranged, from + len, 192 - from - len));
            assert_eq!(first_in_range(&ranged, 0, 192), (len > 0).then_some(from));
            assert_eq!(first_in_range(&ranged, from / 2, from + len - from / 2), (len > 0).then_some(from - from / 2));
            assert_eq!(first_in_range(&ranged, from + len, 192 - from - len), None);
            put_range(&mut ranged, from, len, false);
            assert!(!any(&ranged));
        }
    }

    #[test]
    fn filling_leaves_the_bits_beyond_the_end_alone() {
        let mut vector = vec![0; words(70)];
        fill(&mut vector, 70);
        assert_eq!(count_in_range(&vector, 0, 128), 70);
        assert!(get(&vector, 69) && !get(&vector, 70));
    }
}
