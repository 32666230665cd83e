//! The counter of comparisons: the compiler's instrumentation calls it wherever the code compares two integers.

use std::sync::atomic::{AtomicU64, Ordering};

static COUNT: AtomicU64 = AtomicU64::new(0);

/// Counts one comparison. Not atomic as a whole: passes are measured one after the other, in one thread.
pub fn add() {
    COUNT.store(COUNT.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

/// The comparisons so far.
pub fn count() -> u64 {
    COUNT.load(Ordering::Relaxed)
}
