//! Results as JSON Lines, each written as soon as it is available.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use goalspec::library::Library;
use goalspec::rewards;
use goalspec::scoring::{LibraryScoreEvent, LibraryScoreObserver};
use serde_json::Value;

use super::ScoreResults;

/// A line-oriented output shared by threads.
pub(super) struct JsonLinesWriter<'o> {
    state: Mutex<WriterState<'o>>,
    library: &'o Library,
}

struct WriterState<'o> {
    out: &'o mut (dyn Write + Send),
    /// The first write error; nothing is written after it.
    error: Option<io::Error>,
}

impl<'o> JsonLinesWriter<'o> {
    pub(super) fn new(out: &'o mut (dyn Write + Send), library: &'o Library) -> Self {
        Self { state: Mutex::new(WriterState { out, error: None }), library }
    }

    /// Scores an input: writes the outcomes, and returns the rest.
    pub(super) fn collect(&self, score: impl FnOnce(LibraryScoreObserver<'_>)) -> ScoreResults {
        let results = Mutex::new(ScoreResults::default());
        score(&|event| {
            lock(&results).failed |= event.is_failure();
            match event {
                LibraryScoreEvent::Program(outcome) => {
                    self.write(&goalspec::json::outcome(&outcome, self.library.sources()));
                }
                LibraryScoreEvent::Reward(outcome) => self.write(&rewards::score_json::outcome(&outcome)),
                LibraryScoreEvent::Diagnostic(finding) | LibraryScoreEvent::ProgramError(_, finding) => {
                    lock(&results).scores.diagnostics.push(*finding);
                }
            }
        });
        results.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, record: &Value) {
        let mut state = lock(&self.state);
        if state.error.is_none() {
            // Flush each line for readers of the stream.
            let result = writeln!(state.out, "{record}").and_then(|()| state.out.flush());
            state.error = result.err();
        }
    }

    /// Whether no write error has occurred.
    pub(super) fn can_write(&self) -> bool {
        lock(&self.state).error.is_none()
    }

    /// Returns the first write error, if any.
    pub(super) fn finish(self) -> io::Result<()> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).error.map_or(Ok(()), Err)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
