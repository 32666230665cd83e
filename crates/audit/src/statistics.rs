//! Correlations and the agreement of two orders.
//!
//! Pairs with a number that is not finite are ignored, as they have no order.

use crate::ReturnMeasure;

/// Returns the ranks of numbers, starting at 1; equal numbers share the mean of their ranks.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|&one, &other| numbers[one].total_cmp(&numbers[other]));
    let mut ranks = vec![0.0; numbers.len()];
    let mut start = 0;
    while start < order.len() {
        let same = |place: &usize| numbers[*place].total_cmp(&numbers[order[start]]).is_eq();
        let end = start + order[start..].iter().take_while(|place| same(place)).count();
        let rank = (start + end + 1) as f64 / 2.0;
        order[start..end].iter().for_each(|&place| ranks[place] = rank);
        start = end;
    }
    ranks
}

/// Returns the pairs of finite numbers, with -0.0 replaced by 0.0.
fn finite_pairs(pairs: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let finite = pairs.iter().filter(|pair| pair.iter().all(|number| number.is_finite()));
    finite.map(|pair| pair.map(|number| number + 0.0)).collect()
}

/// The magnitude beyond which squares overflow.
const SQUARE_OVERFLOW_LIMIT: f64 = 1e150;

/// Returns Pearson's correlation coefficient; `None` for fewer than three pairs or if one side is constant.
pub fn pearson(pairs: &[[f64; 2]]) -> Option<f64> {
    let mut pairs = finite_pairs(pairs);
    for side in [0, 1] {
        let max = pairs.iter().map(|pair| pair[side].abs()).fold(0.0, f64::max);
        if max > SQUARE_OVERFLOW_LIMIT {
            for pair in &mut pairs {
                pair[side] /= max;
            }
        }
    }
    let count = pairs.len() as f64;
    let mean = |side: usize| pairs.iter().map(|pair| pair[side]).sum::<f64>() / count;
    let means = [mean(0), mean(1)];
    let product = |one: usize, other: usize| -> f64 {
        pairs.iter().map(|pair| (pair[one] - means[one]) * (pair[other] - means[other])).sum()
    };
    let (both, one, other) = (product(0, 1), product(0, 0), product(1, 1));
    (pairs.len() > 2 && one > 0.0 && other > 0.0).then(|| (both / (one * other).sqrt()).clamp(-1.0, 1.0))
}

/// Returns Spearman's rank correlation coefficient; `None` for fewer than three pairs or if one side is constant.
pub fn spearman(pairs: &[[f64; 2]]) -> Option<f64> {
    let pairs = finite_pairs(pairs);
    let side = |side: usize| ranks(&pairs.iter().map(|pair| pair[side]).collect::<Vec<_>>());
    let ranked: Vec<[f64; 2]> = side(0).into_iter().zip(side(1)).map(<[f64; 2]>::from).collect();
    pearson(&ranked)
}

/// Counts of pairs by whether two orders agree on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairAgreement {
    /// Pairs in the same order by both numbers.
    pub concordant: u64,
    /// Pairs in opposite orders.
    pub discordant: u64,
    /// Pairs that are tied by at least one number.
    pub tied: u64,
    /// Pairs that are tied by the first number, and by the second.
    pub ties: [u64; 2],
}

impl PairAgreement {
    /// Counts all pairs of items in O(n log n) (Knight, "A computer method for calculating Kendall's tau with ungrouped data", 1966).
    pub fn from_pairs(numbers: &[[f64; 2]]) -> Self {
        let numbers = finite_pairs(numbers);
        let side = |side: usize| dense_ranks(&numbers.iter().map(|pair| pair[side]).collect::<Vec<_>>());
        let mut pairs: Vec<[usize; 2]> = side(0).into_iter().zip(side(1)).map(<[usize; 2]>::from).collect();
        pairs.sort_unstable();
        let tied_both = tied_pairs(&pairs);
        let tied_first = tied_pairs(&pairs.iter().map(|pair| pair[0]).collect::<Vec<_>>());
        let mut second: Vec<usize> = pairs.iter().map(|pair| pair[1]).collect();
        let discordant = inversions(&second);
        second.sort_unstable();
        let ties = [tied_first, tied_pairs(&second)];
        let by_any = ties[0] + ties[1] - tied_both;
        Self { concordant: pair_count(numbers.len()) - by_any - discordant, discordant, tied: by_any, ties }
    }

    /// Returns Kendall's rank correlation coefficient tau-b; `None` if one side is constant.
    pub fn kendall(self) -> Option<f64> {
        let untied_pairs = self.untied();
        let untied = self.ties.map(|ties| (untied_pairs + self.tied - ties) as f64);
        let both = (untied[0] * untied[1]).sqrt();
        (both > 0.0).then(|| (self.concordant as f64 - self.discordant as f64) / both)
    }

    /// Returns the number of pairs that neither order ties.
    pub fn untied(self) -> u64 {
        self.concordant + self.discordant
    }
}

/// Returns the dense rank of each number, starting at 0.
fn dense_ranks(numbers: &[f64]) -> Vec<usize> {
    let mut different = numbers.to_vec();
    different.sort_unstable_by(f64::total_cmp);
    different.dedup_by(|one, other| one.total_cmp(other).is_eq());
    numbers.iter().map(|number| different.partition_point(|other| other.total_cmp(number).is_lt())).collect()
}

/// Returns the number of pairs of `things` items.
fn pair_count(things: usize) -> u64 {
    let things = things as u64;
    things * things.saturating_sub(1) / 2
}

/// Returns the number of equal pairs in a sorted sequence.
fn tied_pairs<T: PartialEq>(sorted: &[T]) -> u64 {
    sorted.chunk_by(T::eq).map(|same| pair_count(same.len())).sum()
}

/// Returns the number of pairs in descending order.
fn inversions(numbers: &[usize]) -> u64 {
    // A Fenwick tree of the counts of the numbers so far.
    let mut counts = vec![0u64; numbers.iter().max().map_or(0, |max| max + 2)];
    let mut found = 0;
    for (before, &number) in (0u64..).zip(numbers) {
        let (mut place, mut no_greater) = (number + 1, 0);
        while place > 0 {
            no_greater += counts[place];
            place &= place - 1;
        }
        found += before - no_greater;
        place = number + 1;
        while let Some(count) = counts.get_mut(place) {
            *count += 1;
            place += place & place.wrapping_neg();
        }
    }
    found
}

/// Correlations of two quantities, such as reward and score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// The unit of observation.
    pub unit: &'static str,
    /// The measure of each quantity.
    pub measure: ReturnMeasure,
    /// The number of observations, without those left out.
    pub pairs: usize,
    /// The number of observations left out because one of their numbers is not finite.
    pub excluded: usize,
    /// The agreement of the orders by the two quantities.
    pub agreement: PairAgreement,
    /// [Pearson's correlation](pearson).
    pub pearson: Option<f64>,
    /// [Spearman's rank correlation](spearman).
    pub spearman: Option<f64>,
}

impl Correlation {
    /// Computes the correlations of pairs of numbers.
    pub fn new(of: &'static str, measure: ReturnMeasure, pairs: &[[f64; 2]]) -> Self {
        let all = pairs.len();
        let pairs = &finite_pairs(pairs)[..];
        Self {
            unit: of,
            measure,
            pairs: pairs.len(),
            excluded: all - pairs.len(),
            agreement: PairAgreement::from_pairs(pairs),
            pearson: pearson(pairs),
            spearman: spearman(pairs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_match_textbook_values() {
        // Ranks 1 2.5 2.5 4 against 1 3 2 4: covariance 4.5, variances 4.5 and 5.
        let pairs = [[1.0, 10.0], [2.0, 30.0], [2.0, 20.0], [9.0, 40.0]];
        let spearman = spearman(&pairs).unwrap();
        assert!((spearman - 4.5 / (4.5f64 * 5.0).sqrt()).abs() < 1e-12, "{spearman}");
        assert_eq!(super::spearman(&[[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]]), Some(-1.0));
        assert_eq!(super::spearman(&[[1.0, 3.0], [1.0, 2.0], [1.0, 1.0]]), None);
        assert_eq!(pearson(&[[1.0, 2.0], [2.0, 4.0]]), None);
    }

    #[test]
    fn pair_agreement_counts_all_pairs() {
        let agreement = PairAgreement::from_pairs(&[[1.0, 1.0], [2.0, 3.0], [3.0, 2.0], [3.0, 9.0]]);
        assert_eq!(agreement, PairAgreement { concordant: 4, discordant: 1, tied: 1, ties: [1, 0] });
        // tau-b: the difference over the root of the pairs that each of the two tells apart.
        assert_eq!(agreement.kendall(), Some(3.0 / (5.0f64 * 6.0).sqrt()));
        assert_eq!(PairAgreement::from_pairs(&[[1.0, 1.0], [1.0, 2.0]]).kendall(), None);
        assert_eq!(PairAgreement::from_pairs(&[[1.0, 4.0], [2.0, 3.0], [3.0, 1.0]]).kendall(), Some(-1.0));
        assert_eq!(PairAgreement::from_pairs(&[]), PairAgreement::default());
    }

    #[test]
    fn non_finite_pairs_are_excluded() {
        let pairs = [[1.0, 1.0], [f64::NAN, -9.0], [2.0, 2.0], [3.0, f64::INFINITY], [4.0, 3.0]];
        let correlation = Correlation::new("windows", ReturnMeasure::Frame, &pairs);
        assert_eq!((correlation.pairs, correlation.excluded), (3, 2));
        assert_eq!((correlation.spearman, correlation.agreement.kendall()), (Some(1.0), Some(1.0)));
        assert_eq!((spearman(&pairs), PairAgreement::from_pairs(&pairs).untied()), (Some(1.0), 3));
        let large = pearson(&[[1e308, 1.0], [-1e308, -1.0], [1e308, 1.0]]).unwrap();
        assert!((large - 1.0).abs() < 1e-12, "{large}");
    }

    /// Every pair looked at.
    fn agreement_by_definition(numbers: &[[f64; 2]]) -> PairAgreement {
        let mut agreement = PairAgreement::default();
        for (place, one) in numbers.iter().enumerate() {
            for other in &numbers[place + 1..] {
                let order = |side: usize| one[side].partial_cmp(&other[side]).unwrap() as i8;
                agreement.ties[0] += u64::from(order(0) == 0);
                agreement.ties[1] += u64::from(order(1) == 0);
                match order(0) * order(1) {
                    1 => agreement.concordant += 1,
                    -1 => agreement.discordant += 1,
                    _ => agreement.tied += 1,
                }
            }
        }
        agreement
    }

    #[test]
    fn sorting_matches_pairwise_definition() {
        // A linear congruential generator; few different numbers, so that many are tied.
        let mut state = 1u64;
        let mut next = |of: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % of
        };
        for count in 0..60 {
            let pairs: Vec<[f64; 2]> = (0..count).map(|_| [next(7) as f64 - 3.0, -(next(20) as f64)]).collect();
            assert_eq!(PairAgreement::from_pairs(&pairs), agreement_by_definition(&pairs), "{pairs:?}");
        }
    }
}
