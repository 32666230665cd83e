//! The trait of language models, and concurrent calls.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::ModelError;
use crate::reply::Reply;
use crate::request::Request;

/// A language model. Calls block, and may be made from several threads.
pub trait Model: Send + Sync {
    /// Returns the reply to a request.
    ///
    /// # Errors
    /// If no reply was received; see [`ErrorKind`](crate::ErrorKind). A reply that was cut or refused is not an error.
    fn complete(&self, request: &Request) -> Result<Reply, ModelError>;

    /// Returns the reply to a request like [`complete`](Self::complete), and calls `on_admitted` once before, as soon as the call is
    /// admitted by the caps, or does not need to be. Callers that start calls one after the other thereby make the same calls within
    /// the caps, whatever the number of threads.
    ///
    /// # Errors
    /// As [`complete`](Self::complete).
    fn complete_admitted(&self, request: &Request, on_admitted: &mut dyn FnMut()) -> Result<Reply, ModelError> {
        on_admitted();
        self.complete(request)
    }

    /// Returns the name of the model for reports.
    fn name(&self) -> &str;

    /// Returns the number of calls to make at a time.
    fn concurrency(&self) -> usize {
        1
    }
}

/// Completes requests concurrently and returns the results in the order of the requests. Each finished request is reported to
/// `on_finished` with its index, in the order of completion.
///
/// Calls are admitted by the caps in the order of the requests, so the results do not depend on the concurrency. After an error that
/// [ends the run](crate::ErrorKind::ends_run), the requests that follow receive the same error without a call, unless their replies are in the
/// cache.
pub fn complete_all(
    model: &dyn Model,
    requests: &[Request],
    on_finished: &(dyn Fn(usize, &Result<Reply, ModelError>) + Sync),
) -> Vec<Result<Reply, ModelError>> {
    let results = Mutex::new(Vec::with_capacity(requests.len()));
    let next = AtomicUsize::new(0);
    let turn = Mutex::new(());
    let work = || {
        loop {
            // The guard is held until the call is admitted, so calls are admitted in the order of the requests.
            let mut guard = Some(turn.lock().unwrap_or_else(PoisonError::into_inner));
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(request) = requests.get(index) else { return };
            let result = model.complete_admitted(request, &mut || drop(guard.take()));
            drop(guard);
            on_finished(index, &result);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    };
    let threads = model.concurrency().clamp(1, requests.len().max(1));
    if threads == 1 {
        work();
    } else {
        thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    }
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
