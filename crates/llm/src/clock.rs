//! Time: the clock of the system, and one for tests that advances by waiting.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A source of time that can also wait, so that tests need not.
pub trait Clock: Send + Sync {
    /// Returns the time since 1970 in UTC.
    fn now(&self) -> Duration;

    /// Waits.
    fn sleep(&self, duration: Duration);
}

/// The time of the operating system; waiting blocks the thread.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn sleep(&self, duration: Duration) {
        thread::sleep(duration);
    }
}

/// A clock for tests: waiting takes no time and advances the clock.
#[derive(Debug)]
pub struct FakeClock {
    state: Mutex<(Duration, Vec<Duration>)>,
}

impl FakeClock {
    /// Creates a clock that shows a time since 1970.
    pub fn new(now: Duration) -> Self {
        Self { state: Mutex::new((now, Vec::new())) }
    }

    /// Returns the waits so far, in order.
    pub fn sleeps(&self) -> Vec<Duration> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    fn sleep(&self, duration: Duration) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += duration;
        state.1.push(duration);
    }
}
