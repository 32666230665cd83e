//! Counters of the work of engines, with a limit, in units that depend only on the program and the states.
//!
//! One unit is about the cost of evaluating one atom, or of combining 64 truth values: a few nanoseconds. The same program over the same
//! states takes the same number of units on every machine, so a limit stops a run in the same state everywhere. Different engines may take
//! different numbers of units.

use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of work with a limit.
///
/// Once the limit [is exceeded](Self::is_over), evaluation ends early and its values are meaningless: whoever sets a limit must check it
/// after each step and discard the result of a step that exceeded it.
#[derive(Debug)]
pub struct Work {
    done: AtomicU64,
    limit: AtomicU64,
}

impl Work {
    /// Creates a counter without a limit.
    pub fn new() -> Self {
        Self::with_limit(u64::MAX)
    }

    /// Creates a counter with a limit in units; `u64::MAX` means no limit.
    pub fn with_limit(limit: u64) -> Self {
        Self { done: AtomicU64::new(0), limit: AtomicU64::new(limit) }
    }

    /// Replaces the limit on the total number of units, including those already counted.
    pub fn set_limit(&self, limit: u64) {
        self.limit.store(limit, Ordering::Relaxed);
    }

    /// Returns the limit, in units.
    pub fn limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    /// Returns the number of units counted so far.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Counts `units` units and returns whether the total is still within the limit.
    pub fn spend(&self, units: u64) -> bool {
        // A counter is used by one thread at a time, so it needs no atomic read-modify-write.
        let done = self.done().saturating_add(units);
        self.done.store(done, Ordering::Relaxed);
        done <= self.limit()
    }

    /// Whether the limit was exceeded.
    pub fn is_over(&self) -> bool {
        self.done() > self.limit()
    }
}

impl Default for Work {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for Work {
    fn clone(&self) -> Self {
        Self { done: AtomicU64::new(self.done()), limit: AtomicU64::new(self.limit()) }
    }
}

#[cfg(test)]
mod tests {
    use super::Work;

    #[test]
    fn the_limit_may_be_reached_but_not_exceeded() {
        let work = Work::with_limit(10);
        assert!(work.spend(10) && !work.is_over());
        assert!(!work.spend(1) && work.is_over());
        work.set_limit(11);
        assert!(!work.is_over());
        assert!(Work::new().spend(u64::MAX) && !Work::new().is_over());
        assert_eq!(work.clone().done(), 11);
    }
}
