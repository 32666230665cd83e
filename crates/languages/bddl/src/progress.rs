//! How far a goal has come: shares of options, as exact fractions.
//!
//! | score | of which options | what counts |
//! |---|---|---|
//! | [`progress`] | those with the fewest literals missing, of these the longest | literals that are true |
//! | [`challenge`] | all | literals that are true and were not at the start; a goal that holds counts whole |
//! | [`release_reward`] | those that a release lists | literals that are true |
//! | [`release_challenge`] | those that a release lists | as for [`challenge`] |
//!
//! The first is 1 exactly if the goal holds. The reward of a release is not: its options leave out what `forn` forbids, and its
//! list may lack the option that a state fulfils.

use crate::options::release::{Conjunction, Written};
use crate::options::{Literal, Structure, Worth};

/// So many literals of an option.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    /// How many count.
    pub part: u32,
    /// How many there are; never 0.
    pub whole: u32,
}

impl Share {
    /// All there is.
    pub const ALL: Self = Self { part: 1, whole: 1 };
    /// Nothing of it.
    pub const NOTHING: Self = Self { part: 0, whole: 1 };

    /// A part of a whole; all of it, if the whole is empty.
    pub fn new(part: usize, whole: usize) -> Self {
        if whole == 0 { Self::ALL } else { Self { part: part as u32, whole: whole as u32 } }
    }

    /// The quotient, from 0 to 1.
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

/// How much of its nearest option a state fulfils: of the options with the fewest literals missing, the largest share of true
/// ones, as far as it is [known](Structure::nearest). All exactly if the goal holds; nothing if no state makes it hold.
pub fn progress(options: &Structure, state: &[bool]) -> Share {
    let Some(nearest) = options.nearest(state) else { return Share::NOTHING };
    Share::new(nearest.counted, nearest.counted + nearest.others)
}

/// The score of the BEHAVIOR challenge: all if the goal holds, otherwise the largest share, in any option, of literals that are
/// true now and were false at the start; none if it is not known which share is the largest.
pub fn challenge(options: &Structure, start: &[bool], now: &[bool]) -> Option<Share> {
    if options.nearest(now).is_some_and(|nearest| nearest.others == 0) {
        return Some(Share::ALL);
    }
    let gained = |literal: Literal| literal.holds(now) && !literal.holds(start);
    // A larger share than the best so far is an option whose gained literals outweigh its length at that rate. Each round finds
    // the one that does so most, until there is none.
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

/// The reward of a release: the largest share of true literals in an option of its list; nothing if the list is empty.
pub fn release_reward(listed: &[Conjunction], state: &[bool]) -> Share {
    largest(listed, |literal| literal.holds(state))
}

/// The score of the BEHAVIOR challenge by the list of a release, of a state in which the goal does not hold: the largest share, in
/// an option of the list, of literals that are true now and were false at the start; nothing if the list is empty.
pub fn release_challenge(listed: &[Conjunction], start: &[bool], now: &[bool]) -> Share {
    largest(listed, |literal| literal.holds(now) && !literal.holds(start))
}

/// The largest share of literals that count in an option.
fn largest(listed: &[Conjunction], counts: impl Fn(&Written) -> bool) -> Share {
    let share =
        |option: &Conjunction| Share::new(option.iter().filter(|literal| counts(literal)).count(), option.len());
    listed.iter().map(share).max().unwrap_or(Share::NOTHING)
}
