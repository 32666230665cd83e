//! Analysis of the odds of consequences: which can occur, and with which probabilities.

use crate::game::Consequence;
use crate::rules::OddsRule;

/// Returns the groups of mutually exclusive consequences, as ranges of indices.
pub fn groups(consequences: &[Consequence]) -> Vec<std::ops::Range<usize>> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for (index, consequence) in consequences.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if !consequence.independent => group.end = index + 1,
            _ => groups.push(index..index + 1),
        }
    }
    groups
}

/// Returns the probability of each consequence in the first valid execution of its action.
pub fn probabilities(consequences: &[Consequence], rule: OddsRule) -> Vec<f64> {
    let mut probabilities = Vec::with_capacity(consequences.len());
    for group in groups(consequences) {
        // The probability mass of the consequences before, and the running sum of their odds.
        let (mut previous, mut sum) = (0.0_f64, 0.0_f64);
        for consequence in &consequences[group] {
            sum = match rule {
                OddsRule::Cumulative => consequence.odds,
                OddsRule::Individual => sum + consequence.odds,
            };
            let cumulative = previous.max(sum.min(1.0));
            probabilities.push(cumulative - previous);
            previous = cumulative;
        }
    }
    probabilities
}

/// Returns for each consequence whether it can occur in some execution of its action, taking discounts into account. The result
/// errs on the side of `true`.
pub fn reachable(consequences: &[Consequence], rule: OddsRule) -> Vec<bool> {
    let mut reachable = Vec::with_capacity(consequences.len());
    for group in groups(consequences) {
        let (mut previous, mut min_sum) = (0.0_f64, 0.0_f64);
        for consequence in &consequences[group] {
            let (min, max) = odds_range(consequence);
            let (sum, can) = match rule {
                OddsRule::Cumulative => (min, max > previous),
                OddsRule::Individual => (min_sum + min, max > 0.0),
            };
            reachable.push(can && previous < 1.0);
            min_sum = sum;
            previous = previous.max(sum);
        }
    }
    reachable
}

/// Returns the minimum and the maximum of the odds of a consequence over any number of discounts.
fn odds_range(consequence: &Consequence) -> (f64, f64) {
    let odds = consequence.odds;
    match consequence.discount {
        Some(discount) if (0.0..1.0).contains(&discount) => (odds.min(0.0), odds.max(0.0)),
        None | Some(1.0) => (odds, odds),
        Some(_) => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::{Consequence, ConsequenceEffect};
    use super::super::rules::OddsRule::{Cumulative, Individual};
    use super::{groups, probabilities, reachable};

    fn consequences(entries: &[(f64, Option<f64>, bool)]) -> Vec<Consequence> {
        let outcome = || ConsequenceEffect::Custom { name: "f".into(), parameters: Vec::new() };
        let of = |&(odds, discount, independent)| Consequence { odds, discount, independent, outcome: outcome() };
        entries.iter().map(of).collect()
    }

    fn rounded(probabilities: &[f64]) -> Vec<i32> {
        probabilities.iter().map(|chance| (chance * 100.0).round() as i32).collect()
    }

    #[test]
    fn both_readings_of_one_group() {
        let three = consequences(&[(0.5, None, false), (0.8, None, false), (1.0, None, false)]);
        assert_eq!(rounded(&probabilities(&three, Cumulative)), [50, 30, 20]);
        assert_eq!(rounded(&probabilities(&three, Individual)), [50, 50, 0]);
        assert_eq!(reachable(&three, Cumulative), [true, true, true]);
        assert_eq!(reachable(&three, Individual), [true, true, false]);
    }

    #[test]
    fn independent_ones_begin_groups() {
        let two = consequences(&[(1.0, None, false), (0.3, None, true), (0.2, None, false)]);
        assert_eq!(groups(&two), [0..1, 1..3]);
        assert_eq!(rounded(&probabilities(&two, Individual)), [100, 30, 20]);
        assert_eq!(rounded(&probabilities(&two, Cumulative)), [100, 30, 0]);
    }

    #[test]
    fn a_discount_makes_room_for_those_that_follow() {
        let certain = consequences(&[(1.0, None, false), (1.0, None, false)]);
        assert_eq!(reachable(&certain, Individual), [true, false]);
        let fading = consequences(&[(1.0, Some(0.5), false), (1.0, None, false)]);
        assert_eq!(reachable(&fading, Individual), [true, true]);
        assert_eq!(reachable(&fading, Cumulative), [true, true]);
    }
}
