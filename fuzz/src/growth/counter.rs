//! The counter of comparisons, called by the compiler's instrumentation at each comparison of two integers.

use std::sync::atomic::{AtomicU64, Ordering};

static COUNT: AtomicU64 = AtomicU64::new(0);

/// Counts one comparison. The update is not atomic as a whole: passes are measured sequentially in one thread.
pub fn add() {
    COUNT.store(COUNT.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

/// Returns the number of comparisons so far.
pub fn count() -> u64 {
    COUNT.load(Ordering::Relaxed)
}
