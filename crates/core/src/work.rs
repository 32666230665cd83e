//! Counters of the work of engines, with a limit, in units that depend only on the program and the states.
//!
//! One unit is about the cost of evaluating one atom, or of combining 64 truth values: a few nanoseconds. The same program over the same
//! states takes the same number of units on every machine, so a limit stops a run in the same state everywhere. Different engines may take
//! different numbers of units.

use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of work with a limit.
///
/// Once the limit [is exceeded](Self::is_exceeded), evaluation ends early and its values are meaningless: whoever sets a limit must check it
/// after each step and discard the result of a step that exceeded it.
#[derive(Debug)]
pub struct WorkBudget {
    done: AtomicU64,
    limit: AtomicU64,
}

impl WorkBudget {
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
    pub fn spent(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Counts `units` units and returns whether the total is still within the limit.
    pub fn spend(&self, units: u64) -> bool {
        // A counter is used by one thread at a time, so it needs no atomic read-modify-write.
        let done = self.spent().saturating_add(units);
        self.done.store(done, Ordering::Relaxed);
        done <= self.limit()
    }

    /// Whether the limit was exceeded.
    pub fn is_exceeded(&self) -> bool {
        self.spent() > self.limit()
    }
}

impl Default for WorkBudget {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for WorkBudget {
    fn clone(&self) -> Self {
        Self { done: AtomicU64::new(self.spent()), limit: AtomicU64::new(self.limit()) }
    }
}

#[cfg(test)]
mod tests {
    use super::WorkBudget;

    #[test]
    fn the_limit_may_be_reached_but_not_exceeded() {
        let work = WorkBudget::with_limit(10);
        assert!(work.spend(10) && !work.is_exceeded());
        assert!(!work.spend(1) && work.is_exceeded());
        work.set_limit(11);
        assert!(!work.is_exceeded());
        assert!(WorkBudget::new().spend(u64::MAX) && !WorkBudget::new().is_exceeded());
        assert_eq!(work.clone().spent(), 11);
    }
}
