//! The bit layout of packed states.

use super::State;

/// The location of a variable in a packed state.
#[derive(Debug, Clone, Copy)]
struct Place {
    word: u32,
    shift: u32,
    mask: u64,
}

/// The layout of packed states: variables as bit fields, followed by one word per numeric variable.
#[derive(Debug, Clone)]
pub(crate) struct Packing {
    places: Vec<Place>,
    bit_words: usize,
    words: usize,
}

impl Packing {
    /// Computes a layout for variables with these domain sizes. Wide variables are placed first, which reduces padding.
    pub(crate) fn new(domains: &[u32], numbers: usize) -> Self {
        let bits = |domain: u32| domain.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1);
        let mut order: Vec<usize> = (0..domains.len()).collect();
        order.sort_by_key(|&variable| std::cmp::Reverse(bits(domains[variable])));
        let mut places = vec![Place { word: 0, shift: 0, mask: 0 }; domains.len()];
        let (mut word, mut used) = (0u32, 0u32);
        for variable in order {
            let width = bits(domains[variable]);
            if used + width > u64::BITS {
                word += 1;
                used = 0;
            }
            places[variable] = Place { word, shift: used.min(63), mask: (1u64 << width) - 1 };
            used += width;
        }
        let bit_words = word as usize + 1;
        Self { places, bit_words, words: bit_words + numbers }
    }

    /// Returns the number of words of a packed state.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Packs a state.
    pub(crate) fn pack(&self, state: &State, words: &mut Vec<u64>) {
        words.clear();
        words.resize(self.bit_words, 0);
        for (place, &value) in self.places.iter().zip(&state.values) {
            words[place.word as usize] |= u64::from(value) << place.shift;
        }
        // Equal numbers get equal bit patterns: negative zero becomes zero, and there is one NaN.
        words.extend(
            state.numbers.iter().map(|&number| if number.is_nan() { u64::MAX } else { (number + 0.0).to_bits() }),
        );
    }

    /// Unpacks a state.
    pub(crate) fn unpack(&self, words: &[u64], state: &mut State) {
        state.values.clear();
        state
            .values
            .extend(self.places.iter().map(|place| (words[place.word as usize] >> place.shift & place.mask) as u32));
        state.numbers.clear();
        state.numbers.extend(words[self.bit_words..].iter().map(|&word| f64::from_bits(word)));
    }
}

#[cfg(test)]
mod tests {
    use super::{Packing, State};

    #[test]
    fn unpacking_inverts_packing() {
        let domains: Vec<u32> = (0..100).map(|variable| 2 + variable * variable % 37 * (variable % 3)).collect();
        let packing = Packing::new(&domains, 2);
        let values: Vec<u32> = domains.iter().enumerate().map(|(place, domain)| (place as u32 * 7) % domain).collect();
        let state = State { values, numbers: vec![-0.0, f64::NAN] };
        let mut words = Vec::new();
        packing.pack(&state, &mut words);
        assert_eq!(words.len(), packing.words());
        let mut again = State::default();
        packing.unpack(&words, &mut again);
        assert_eq!(again.values, state.values);
        assert!(again.numbers[0].is_sign_positive() && again.numbers[1].is_nan());
    }

    #[test]
    fn variables_of_one_value_take_no_bits() {
        assert_eq!(Packing::new(&[1; 500], 0).words(), 1);
    }
}
