//! A progress bar for what takes longer than a second, on terminals only.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long a command is silent.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress over traces: how many are done, and how much text was read.
pub(crate) struct Progress {
    bar: ProgressBar,
    begin: Instant,
    shown: AtomicBool,
    read: std::sync::atomic::AtomicU64,
}

impl Progress {
    pub(crate) fn new(traces: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(traces as u64), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} traces, {msg} read, {elapsed}");
        bar.set_style(style.expect("the template is well formed"));
        Self { bar, begin: Instant::now(), shown: AtomicBool::new(false), read: 0.into() }
    }

    /// So many bytes more were read.
    pub(crate) fn read(&self, bytes: u64) {
        let read = self.read.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if self.begin.elapsed() < PATIENCE {
            return;
        }
        if !self.shown.swap(true, Ordering::Relaxed) {
            // Draws on terminals only.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_message(format!("{:.1} MB", read as f64 / 1e6));
    }

    /// One trace more is done.
    pub(crate) fn finish_trace(&self) {
        self.bar.inc(1);
    }

    /// Everything is done.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
