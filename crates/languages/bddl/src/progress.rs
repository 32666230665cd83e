//! Goal progress scores: shares of the literals of an option, as exact fractions.
//!
//! | score | exact options | options that a release lists |
//! |---|---|---|
//! | [`progress`] | true literals of the options with the fewest false literals, of these the longest | true literals of any option: the reward of the release |
//! | [`challenge_score`] | literals that are true now and were false initially, of any option; 1 if the goal holds | the same literals of any option |
//!
//! For exact options, [`progress`] is 1 if and only if the goal holds. For the options of a release, it may be 1 although the goal does
//! not hold, because options omit the literals that exclude further operands of `forn`; and it may be less than 1 although the goal
//! holds, because the list may lack the option that the state satisfies.

use crate::options::OptionSolver;

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

/// Returns the share of true literals: of [exact](OptionSolver::is_exact) options, the largest in an option with the fewest false
/// literals, as far as it is [known](OptionSolver::nearest); of the options of a release, the largest in any option. For exact
/// options, it is 1 if and only if the goal holds, and 0 if no state satisfies the goal.
pub fn progress(options: &dyn OptionSolver, state: &[bool]) -> Fraction {
    if !options.is_exact() {
        return options.largest_share(&|literal| literal.holds(state)).unwrap_or(Fraction::ZERO);
    }
    let Some(nearest) = options.nearest(state) else { return Fraction::ZERO };
    Fraction::new(nearest.counted, nearest.counted + nearest.others)
}

/// Returns the score of the BEHAVIOR challenge: 1 if the goal holds, otherwise the largest share, in any option, of literals
/// that are true now and were false initially. The options of a release do not decide whether the goal holds, so for these the
/// result is always that share. The result is `None` if the largest share is not proven.
pub fn challenge_score(options: &dyn OptionSolver, start: &[bool], state: &[bool]) -> Option<Fraction> {
    if options.is_exact() && options.nearest(state).is_some_and(|nearest| nearest.others == 0) {
        return Some(Fraction::ONE);
    }
    options.largest_share(&|literal| literal.holds(state) && !literal.holds(start))
}
