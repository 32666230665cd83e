//! The thread of the slow diagnostics and hints: one document at a time, cancelled by the next edit.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};
use goalspec::syntax::Diagnostic;
use goalspec_ide::{Analysis, Hint, Snapshot};

use crate::commands::STACK_SIZE;

/// A document to examine.
struct Job {
    snapshot: Snapshot,
    path: PathBuf,
    revision: u64,
    cancelled: Arc<AtomicBool>,
}

/// The slow diagnostics and hints of a document.
pub(crate) struct SlowResult {
    pub(crate) path: PathBuf,
    /// The revision of the workspace that was examined.
    pub(crate) revision: u64,
    /// The analysis to whose texts they refer.
    pub(crate) analysis: Arc<Analysis>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) hints: Vec<Hint>,
}

/// The thread with its queue.
pub(crate) struct SlowTier {
    jobs: Sender<Job>,
    pub(crate) results: Receiver<SlowResult>,
    /// The flag of the present jobs.
    cancelled: Arc<AtomicBool>,
}

impl SlowTier {
    /// Starts the thread, which ends with the value.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(crate) fn start() -> std::io::Result<Self> {
        let (jobs, queue) = unbounded::<Job>();
        let (sender, results) = unbounded();
        let work = move || {
            for job in queue {
                if let Some(result) = job.run()
                    && sender.send(result).is_err()
                {
                    return;
                }
            }
        };
        thread::Builder::new().name("slow tier".to_owned()).stack_size(STACK_SIZE).spawn(work)?;
        Ok(Self { jobs, results, cancelled: Arc::default() })
    }

    /// Cancels all jobs.
    pub(crate) fn cancel(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.cancelled = Arc::default();
    }

    /// Adds documents to the queue.
    pub(crate) fn examine(&self, snapshot: &Snapshot, paths: impl IntoIterator<Item = PathBuf>, revision: u64) {
        for path in paths {
            let job = Job { snapshot: snapshot.clone(), path, revision, cancelled: self.cancelled.clone() };
            // The thread ends only with this value.
            let _ = self.jobs.send(job);
        }
    }
}

impl Drop for SlowTier {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Job {
    /// Returns the diagnostics; `None` if the job was cancelled, or the analysis failed.
    fn run(self) -> Option<SlowResult> {
        let Self { snapshot, path, revision, cancelled } = self;
        if cancelled.load(Ordering::Relaxed) {
            return None;
        }
        let examine = || {
            let diagnostics = snapshot.slow_diagnostics(&path, &cancelled)?;
            let hints = snapshot.slow_hints(&path, &cancelled);
            (!cancelled.load(Ordering::Relaxed)).then(|| (snapshot.analysis(&path), diagnostics, hints))
        };
        let (analysis, diagnostics, hints) =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(examine)).ok().flatten()?;
        Some(SlowResult { path, revision, analysis, diagnostics, hints })
    }
}
