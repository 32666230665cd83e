//! Progress bars for commands that take longer than a second, on terminals only.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time before a progress bar is shown.
const DELAY: Duration = Duration::from_secs(1);

/// A progress bar: the number of finished items, and the number of bytes read from traces.
pub(crate) struct Progress {
    bar: ProgressBar,
    begin: Instant,
    shown: AtomicBool,
    read: AtomicU64,
}

impl Progress {
    /// Creates a spinner for the discovery of files.
    pub(crate) fn discovery() -> Self {
        Self::new(None, "{spinner} {pos} files found, {elapsed}")
    }

    /// Creates a bar for a number of programs and worlds.
    pub(crate) fn programs(count: usize) -> Self {
        Self::new(Some(count), "{bar:30} {pos}/{len} programs, {elapsed}")
    }

    /// Creates a bar for a number of traces.
    pub(crate) fn traces(count: usize) -> Self {
        Self::new(Some(count), "{bar:30} {pos}/{len} traces, {msg} read, {elapsed}")
    }

    /// Creates a bar for a number of simulated games.
    pub(crate) fn games(count: u64) -> Self {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        Self::new(Some(count), "{bar:30} {pos}/{len} games, {elapsed}")
    }

    /// Creates a bar for a number of calls of a language model.
    pub(crate) fn calls(count: usize) -> Self {
        Self::new(Some(count), "{bar:30} {pos}/{len} calls, {msg}, {elapsed}")
    }

    /// Creates a bar for a number of candidates that a language model writes.
    pub(crate) fn candidates(count: usize) -> Self {
        Self::new(Some(count), "{bar:30} {pos}/{len} candidates, {msg}, {elapsed}")
    }

    /// Creates a spinner for an analysis.
    pub(crate) fn analysis() -> Self {
        Self::new(None, "{spinner} {msg}, {elapsed}")
    }

    /// Sets the message of the bar.
    pub(crate) fn set_message(&self, text: impl FnOnce() -> String) {
        if self.is_due() {
            self.bar.set_message(text());
            self.bar.tick();
        }
    }

    /// Prints a permanent line above the bar.
    pub(crate) fn println(&self, message: &str) {
        self.bar.suspend(|| anstream::eprintln!("{message}"));
    }

    /// Advances the bar by a number of items.
    pub(crate) fn add(&self, count: u64) {
        self.is_due();
        self.bar.inc(count);
    }

    fn new(count: Option<usize>, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(count.map(|count| count as u64), ProgressDrawTarget::hidden());
        bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
        Self { bar, begin: Instant::now(), shown: AtomicBool::new(false), read: AtomicU64::new(0) }
    }

    /// Adds bytes read to the message.
    pub(crate) fn add_bytes(&self, bytes: u64) {
        let read = self.read.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if self.is_due() {
            self.bar.set_message(format!("{:.1} MB", read as f64 / 1e6));
        }
    }

    /// Advances the bar by one item.
    pub(crate) fn advance(&self) {
        self.is_due();
        self.bar.inc(1);
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Whether the bar is due; the first time, it starts drawing on the terminal.
    fn is_due(&self) -> bool {
        let is_due = self.begin.elapsed() >= DELAY;
        if is_due && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        is_due
    }
}
