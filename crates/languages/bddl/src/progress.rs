//! Goal progress scores: shares of the literals of an option, as exact fractions.
//!
//! | score | options considered | literals counted |
//! |---|---|---|
//! | [`progress`] | those with the fewest false literals, of these the longest | true literals |
//! | [`challenge`] | all | literals that are true now and were false initially; the score is 1 if the goal holds |
//! | [`release_reward`] | those that a release lists | true literals |
//! | [`release_challenge`] | those that a release lists | literals that are true now and were false initially |
//!
//! [`progress`] is 1 if and only if the goal holds. This is not true of [`release_reward`]: its options omit the literals that
//! exclude further operands of `forn`, and the list may lack the option that a state satisfies.

use crate::options::release::{Conjunction, Written};
use crate::options::{Literal, Structure, Worth};

/// A fraction: a number of literals of an option.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    /// The numerator.
    pub part: u32,
    /// The denominator, never 0.
    pub whole: u32,
}

impl Share {
    /// The fraction 1.
    pub const ALL: Self = Self { part: 1, whole: 1 };
    /// The fraction 0.
    pub const NOTHING: Self = Self { part: 0, whole: 1 };

    /// Creates the fraction `part / whole`, or 1 if `whole` is 0.
    pub fn new(part: usize, whole: usize) -> Self {
        if whole == 0 { Self::ALL } else { Self { part: part as u32, whole: whole as u32 } }
    }

    /// Returns the quotient, from 0 to 1.
    pub fn value(self) -> f64 {
        f64::from(self.part) / f64::from(self.whole)
    }
}

impl Ord for Share {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (u64::from(self.part) * u64::from(other.whole)).cmp(&(u64::from(other.part) * u64::from(self.whole)))
    }
}

impl PartialOrd for Share {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Share {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Share {}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.part, self.whole)
    }
}

/// Returns the share of true literals in the nearest option: of the options with the fewest false literals, the largest share,
/// as far as it is [known](Structure::nearest). It is 1 if and only if the goal holds, and 0 if no state satisfies the goal.
pub fn progress(options: &Structure, state: &[bool]) -> Share {
    let Some(nearest) = options.nearest(state) else { return Share::NOTHING };
    Share::new(nearest.counted, nearest.counted + nearest.others)
}

/// Returns the score of the BEHAVIOR challenge: 1 if the goal holds, otherwise the largest share, in any option, of literals
/// that are true now and were false initially. The result is `None` if the largest share is not proven.
pub fn challenge(options: &Structure, start: &[bool], now: &[bool]) -> Option<Share> {
    if options.nearest(now).is_some_and(|nearest| nearest.others == 0) {
        return Some(Share::ALL);
    }
    let gained = |literal: Literal| literal.holds(now) && !literal.holds(start);
    // Dinkelbach's algorithm: a larger share than the best so far is an option whose gained literals outweigh its length at
    // that ratio. Each round finds the option with the largest difference, until there is none.
    let mut best = Share::NOTHING;
    loop {
        let (part, whole) = (i64::from(best.part), i64::from(best.whole));
        let worth = Worth { counted: whole - part, other: -part };
        match options.best(gained, worth) {
            Some(option) if !option.proven => return None,
            Some(option) if option.worth(worth) > 0 => {
                best = Share::new(option.counted, option.counted + option.others);
            }
            _ => return Some(best),
        }
    }
}

/// Returns the reward of a release: the largest share of true literals in a listed option, or 0 if the list is empty.
pub fn release_reward(listed: &[Conjunction], state: &[bool]) -> Share {
    largest(listed, |literal| literal.holds(state))
}

/// Returns the score of the BEHAVIOR challenge according to a release, in a state where the goal does not hold: the largest
/// share, in a listed option, of literals that are true now and were false initially, or 0 if the list is empty.
pub fn release_challenge(listed: &[Conjunction], start: &[bool], now: &[bool]) -> Share {
    largest(listed, |literal| literal.holds(now) && !literal.holds(start))
}

/// Returns the largest share of the literals that count in a listed option.
fn largest(listed: &[Conjunction], counts: impl Fn(&Written) -> bool) -> Share {
    let share =
        |option: &Conjunction| Share::new(option.iter().filter(|literal| counts(literal)).count(), option.len());
    listed.iter().map(share).max().unwrap_or(Share::NOTHING)
}
