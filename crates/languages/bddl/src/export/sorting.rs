//! Sorting networks, which encode counting with few gates.

/// Returns the comparators, in order, that determine the output at `place` of a network that sorts `width` values. A comparator
/// is a pair of wires; it moves the larger value to the first one. Their number is O(n log² n) in the width n.
///
/// The network is Batcher's odd-even merge sort, generalised to any width.
pub(super) fn comparators_for_output(width: usize, place: usize) -> Vec<(usize, usize)> {
    let all = comparators(width);
    let mut needed = vec![false; width];
    if let Some(is_needed) = needed.get_mut(place) {
        *is_needed = true;
    }
    let mut comparators: Vec<(usize, usize)> = Vec::new();
    for &(left, right) in all.iter().rev() {
        if needed[left] || needed[right] {
            (needed[left], needed[right]) = (true, true);
            comparators.push((left, right));
        }
    }
    comparators.reverse();
    comparators
}

fn comparators(width: usize) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut block = 1;
    while block < width {
        let mut distance = block;
        while distance >= 1 {
            for start in (distance % block..width.saturating_sub(distance)).step_by(2 * distance) {
                for one in start..(start + distance).min(width - distance) {
                    let other = one + distance;
                    if one / (2 * block) == other / (2 * block) {
                        all.push((one, other));
                    }
                }
            }
            distance /= 2;
        }
        block *= 2;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the zero-one principle, a network sorts all inputs if it sorts all inputs of zeros and ones.
    #[test]
    fn networks_sort() {
        for width in 0..=12 {
            for place in 0..width {
                let network = comparators_for_output(width, place);
                for bits in 0..1_u32 << width {
                    let mut values: Vec<bool> = (0..width).map(|bit| bits >> bit & 1 == 1).collect();
                    for &(left, right) in &network {
                        (values[left], values[right]) = (values[left] | values[right], values[left] & values[right]);
                    }
                    assert_eq!(values[place], bits.count_ones() as usize > place, "{bits:b} of {width} at {place}");
                }
            }
        }
    }

    #[test]
    fn networks_are_small() {
        for power in 4..14_usize {
            let width = 1 << power;
            assert!(comparators_for_output(width, width / 2).len() <= width * power * (power + 1) / 4, "{width}");
        }
    }
}
