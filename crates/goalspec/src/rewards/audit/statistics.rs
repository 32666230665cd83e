//! Correlations, and how two ways of ordering agree.

/// The ranks of numbers, from 1 on; equal ones share the mean of theirs.
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

/// Pearson's correlation; none of fewer than three pairs, or where one side is constant.
pub fn pearson(pairs: &[[f64; 2]]) -> Option<f64> {
    let count = pairs.len() as f64;
    let mean = |side: usize| pairs.iter().map(|pair| pair[side]).sum::<f64>() / count;
    let means = [mean(0), mean(1)];
    let product = |one: usize, other: usize| -> f64 {
        pairs.iter().map(|pair| (pair[one] - means[one]) * (pair[other] - means[other])).sum()
    };
    let (both, one, other) = (product(0, 1), product(0, 0), product(1, 1));
    (pairs.len() > 2 && one > 0.0 && other > 0.0).then(|| (both / (one * other).sqrt()).clamp(-1.0, 1.0))
}

/// Spearman's rank correlation; none of fewer than three pairs, or where one side is constant.
pub fn spearman(pairs: &[[f64; 2]]) -> Option<f64> {
    let side = |side: usize| ranks(&pairs.iter().map(|pair| pair[side]).collect::<Vec<_>>());
    let ranked: Vec<[f64; 2]> = side(0).into_iter().zip(side(1)).map(<[f64; 2]>::from).collect();
    pearson(&ranked)
}

/// How pairs are ordered by one number and by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Agreement {
    /// Alike.
    pub concordant: u64,
    /// The other way round.
    pub discordant: u64,
    /// Equal by one of them or by both.
    pub tied: u64,
}

impl Agreement {
    /// Of all pairs.
    pub fn of(numbers: &[[f64; 2]]) -> Self {
        let mut agreement = Self::default();
        for (place, one) in numbers.iter().enumerate() {
            for other in &numbers[place + 1..] {
                let order = |side: usize| one[side].total_cmp(&other[side]) as i8;
                let product = order(0) * order(1);
                match product {
                    1 => agreement.concordant += 1,
                    -1 => agreement.discordant += 1,
                    _ => agreement.tied += 1,
                }
            }
        }
        agreement
    }

    /// Kendall's rank correlation (gamma: ties are left out); none if all pairs are tied.
    pub fn kendall(self) -> Option<f64> {
        let told = self.concordant + self.discordant;
        (told > 0).then(|| (self.concordant as f64 - self.discordant as f64) / told as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_are_those_of_the_textbook() {
        // Ranks 1 2.5 2.5 4 against 1 3 2 4: covariance 4.5, variances 4.5 and 5.
        let pairs = [[1.0, 10.0], [2.0, 30.0], [2.0, 20.0], [9.0, 40.0]];
        let spearman = spearman(&pairs).unwrap();
        assert!((spearman - 4.5 / (4.5f64 * 5.0).sqrt()).abs() < 1e-12, "{spearman}");
        assert_eq!(super::spearman(&[[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]]), Some(-1.0));
        assert_eq!(super::spearman(&[[1.0, 3.0], [1.0, 2.0], [1.0, 1.0]]), None);
        assert_eq!(pearson(&[[1.0, 2.0], [2.0, 4.0]]), None);
    }

    #[test]
    fn pairs_agree_or_do_not() {
        let agreement = Agreement::of(&[[1.0, 1.0], [2.0, 3.0], [3.0, 2.0], [3.0, 9.0]]);
        assert_eq!(agreement, Agreement { concordant: 4, discordant: 1, tied: 1 });
        assert_eq!(agreement.kendall(), Some(0.6));
        assert_eq!(Agreement::of(&[[1.0, 1.0], [1.0, 2.0]]).kendall(), None);
    }
}
