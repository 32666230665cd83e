//! Goal progress scores: shares of the literals of an option, as exact fractions.
//!
//! | score | options considered | literals counted |
//! |---|---|---|
//! | [`progress`] | those with the fewest false literals, of these the longest | true literals |
//! | [`challenge_score`] | all | literals that are true now and were false initially; the score is 1 if the goal holds |
//! | [`release_reward`] | those that a release lists | true literals |
//! | [`release_challenge`] | those that a release lists | literals that are true now and were false initially |
//!
//! [`progress`] is 1 if and only if the goal holds. This is not true of [`release_reward`]: its options omit the literals that
//! exclude further operands of `forn`, and the list may lack the option that a state satisfies.

use crate::options::release::{Conjunction, ListedLiteral};
use crate::options::{FactoredOptions, Literal, LiteralWeights};

/// A fraction: a number of literals of an option.
#[derive(Debug, Clone, Copy)]
pub struct Fraction {
    /// The numerator.
    pub numerator: u32,
    /// The denominator, never 0.
    pub denominator: u32,
}

impl Fraction {
    /// The fraction 1.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };
    /// The fraction 0.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// Creates the fraction `part / whole`, or 1 if `whole` is 0.
    pub fn new(part: usize, whole: usize) -> Self {
        if whole == 0 { Self::ONE } else { Self { numerator: part as u32, denominator: whole as u32 } }
    }

    /// Returns the quotient, from 0 to 1.
    pub fn value(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (u64::from(self.numerator) * u64::from(other.denominator))
            .cmp(&(u64::from(other.numerator) * u64::from(self.denominator)))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Fraction {}

impl std::fmt::Display for Fraction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// Returns the share of true literals in the nearest option: of the options with the fewest false literals, the largest share,
/// as far as it is [known](FactoredOptions::nearest). It is 1 if and only if the goal holds, and 0 if no state satisfies the goal.
pub fn progress(options: &FactoredOptions, state: &[bool]) -> Fraction {
    let Some(nearest) = options.nearest(state) else { return Fraction::ZERO };
    Fraction::new(nearest.counted, nearest.counted + nearest.others)
}

/// Returns the score of the BEHAVIOR challenge: 1 if the goal holds, otherwise the largest share, in any option, of literals
/// that are true now and were false initially. The result is `None` if the largest share is not proven.
pub fn challenge_score(options: &FactoredOptions, start: &[bool], state: &[bool]) -> Option<Fraction> {
    if options.nearest(state).is_some_and(|nearest| nearest.others == 0) {
        return Some(Fraction::ONE);
    }
    let gained = |literal: Literal| literal.holds(state) && !literal.holds(start);
    // Dinkelbach's algorithm: a larger share than the best so far is an option whose gained literals outweigh its length at
    // that ratio. Each round finds the option with the largest difference, until there is none.
    let mut best = Fraction::ZERO;
    loop {
        let (part, whole) = (i64::from(best.numerator), i64::from(best.denominator));
        let weights = LiteralWeights { counted: whole - part, other: -part };
        match options.best(gained, weights) {
            Some(option) if !option.proven => return None,
            Some(option) if option.total_weight(weights) > 0 => {
                best = Fraction::new(option.counted, option.counted + option.others);
            }
            _ => return Some(best),
        }
    }
}

/// Returns the reward of a release: the largest share of true literals in a listed option, or 0 if the list is empty.
pub fn release_reward(options: &[Conjunction], state: &[bool]) -> Fraction {
    largest(options, |literal| literal.holds(state))
}

/// Returns the score of the BEHAVIOR challenge according to a release, in a state where the goal does not hold: the largest
/// share, in a listed option, of literals that are true now and were false initially, or 0 if the list is empty.
pub fn release_challenge(options: &[Conjunction], start: &[bool], state: &[bool]) -> Fraction {
    largest(options, |literal| literal.holds(state) && !literal.holds(start))
}

/// Returns the largest share of the literals that count in a listed option.
fn largest(options: &[Conjunction], counts: impl Fn(&ListedLiteral) -> bool) -> Fraction {
    let share =
        |option: &Conjunction| Fraction::new(option.iter().filter(|literal| counts(literal)).count(), option.len());
    options.iter().map(share).max().unwrap_or(Fraction::ZERO)
}
