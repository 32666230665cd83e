//! Work of engines, counted in units that depend on nothing but program and states, and bounded.
//!
//! A unit is about what it takes to evaluate one atom, or to combine 64 truth values: some nanoseconds. The same program over the same states
//! takes the same units on every machine, so that what is stopped for want of them is stopped everywhere in the same state. Engines differ
//! in what they do, and count what they do.

use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of work with a limit.
///
/// What counts goes on until it is [over](Self::is_over) the limit. Evaluation then ends early with values that mean nothing: whoever set the
/// limit has to ask, after each step, whether it was exceeded, and drop what came of the step.
#[derive(Debug)]
pub struct Work {
    done: AtomicU64,
    limit: AtomicU64,
}

impl Work {
    /// A counter without a limit.
    pub fn new() -> Self {
        Self::with_limit(u64::MAX)
    }

    /// A counter with a limit, in units; `u64::MAX` is none.
    pub fn with_limit(limit: u64) -> Self {
        Self { done: AtomicU64::new(0), limit: AtomicU64::new(limit) }
    }

    /// Sets another limit on all units together, those that were counted before included.
    pub fn set_limit(&self, limit: u64) {
        self.limit.store(limit, Ordering::Relaxed);
    }

    /// The limit.
    pub fn limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    /// How many units were counted.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Counts so many units; says whether the limit still holds.
    pub fn spend(&self, units: u64) -> bool {
        // One thread counts; a read-modify-write would only cost more.
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
