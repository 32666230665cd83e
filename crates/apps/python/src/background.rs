//! Calls that release the GIL, and that Ctrl-C interrupts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two checks for signals.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The time that a cancelled call has to return what it found so far.
pub(crate) const GRACE_PERIOD: Duration = Duration::from_millis(50);

/// The stack of the thread of a call, in bytes: that of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// The payload with which the thread of a cancelled call unwinds.
struct Cancelled;

/// Ends a call that was cancelled, by unwinding its thread. Calls of the facade that take no token of cancellation report their progress;
/// the functions that they report it to call this one, so that an interrupted call stops there instead of computing a result that nobody reads.
pub(crate) fn checkpoint(cancelled: &AtomicBool) {
    if cancelled.load(Ordering::Relaxed) {
        std::panic::resume_unwind(Box::new(Cancelled));
    }
}

/// The interruption of a call.
pub(crate) struct Interrupted<T> {
    /// The exception that a handler of signals raised, usually `KeyboardInterrupt`, or the failure to start the call.
    pub(crate) error: PyErr,
    /// The result of the cancelled call, if it returned in time.
    pub(crate) partial: Option<T>,
}

impl<T> From<Interrupted<T>> for PyErr {
    fn from(interrupted: Interrupted<T>) -> Self {
        interrupted.error
    }
}

/// Returns the result of a call after its last report, whose error interrupts a call that has finished.
pub(crate) fn after_report<T>(reported: PyResult<()>, result: Result<T, Interrupted<T>>) -> Result<T, Interrupted<T>> {
    match (reported, result) {
        (Err(error), Ok(finished)) => Err(Interrupted { error, partial: Some(finished) }),
        (_, result) => result,
    }
}

/// The result of a call on another thread.
struct Outcome<T> {
    result: Mutex<Option<thread::Result<T>>>,
    /// Whether `result` is final: it is `None` then only after it was taken.
    finished: AtomicBool,
    waiting: Thread,
}

/// Runs `work` on a thread of its own, and waits for it without the GIL. If a handler of signals raises an exception meanwhile, the flag
/// passed to `work` is set, and the exception is returned with the result of `work`, unless that takes longer than [`GRACE_PERIOD`]: the
/// thread is abandoned then, and ends when `work` does.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> Result<T, Interrupted<T>> {
    run_polled(py, &mut |_| Ok(()), &|| GRACE_PERIOD, work)
}

/// Runs `work` as [`run`] does, and calls `poll` from time to time. An error of `poll` cancels the call, too; `grace_period` returns the time
/// that the cancelled call has to return.
pub(crate) fn run_polled<T: Send + 'static>(
    py: Python<'_>,
    poll: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    grace_period: &dyn Fn() -> Duration,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> Result<T, Interrupted<T>> {
    let outcome =
        Arc::new(Outcome { result: Mutex::new(None), finished: AtomicBool::new(false), waiting: thread::current() });
    let cancelled = Arc::new(AtomicBool::new(false));
    let (shared, flag) = (Arc::clone(&outcome), Arc::clone(&cancelled));
    let started = thread::Builder::new().name("goalspec".to_owned()).stack_size(STACK_BYTES).spawn(move || {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&flag)));
        *shared.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        shared.finished.store(true, Ordering::Release);
        shared.waiting.unpark();
    });
    if let Err(error) = started {
        let error = PyRuntimeError::new_err(format!("cannot start a thread: {error}"));
        return Err(Interrupted { error, partial: None });
    }
    while !py.detach(|| outcome.wait(POLL_INTERVAL)) {
        if let Err(error) = py.check_signals().and_then(|()| poll(py)) {
            cancelled.store(true, Ordering::Relaxed);
            let grace_period = grace_period();
            let in_time = py.detach(|| outcome.wait(grace_period));
            return Err(Interrupted { error, partial: in_time.then(|| outcome.take()).flatten() });
        }
    }
    Ok(outcome.take().expect("the call was not cancelled"))
}

impl<T> Outcome<T> {
    /// Waits until the call has finished, at most for a time; returns whether it has.
    fn wait(&self, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        while !self.finished.load(Ordering::Acquire) {
            match end.checked_duration_since(Instant::now()) {
                Some(left) if !left.is_zero() => thread::park_timeout(left),
                _ => return false,
            }
        }
        true
    }

    /// Returns the result of a finished call; `None` if it ended at a [`checkpoint`]. A panic of the call continues here.
    fn take(&self) -> Option<T> {
        let result = self.result.lock().unwrap_or_else(PoisonError::into_inner).take();
        match result.expect("the call has finished, and its result is taken once") {
            Ok(result) => Some(result),
            Err(panic) if panic.is::<Cancelled>() => None,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}
