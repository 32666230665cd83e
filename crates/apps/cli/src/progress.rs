//! A progress bar for what takes longer than a second, on terminals only.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long a command is silent.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress over files: how many are done, and how much text of traces was read.
pub(crate) struct Progress {
    bar: ProgressBar,
    begin: Instant,
    shown: AtomicBool,
    read: AtomicU64,
}

impl Progress {
    /// Over a search of which nobody knows how much it will find.
    pub(crate) fn searching() -> Self {
        Self::new(None, "{spinner} {pos} files found, {elapsed}")
    }

    /// Over so many programs and worlds.
    pub(crate) fn programs(count: usize) -> Self {
        Self::new(Some(count), "{bar:30} {pos}/{len} programs, {elapsed}")
    }

    /// Over so many traces.
    pub(crate) fn traces(count: usize) -> Self {
        Self::new(Some(count), "{bar:30} {pos}/{len} traces, {msg} read, {elapsed}")
    }

    /// Over so many games that are played.
    pub(crate) fn games(count: u64) -> Self {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        Self::new(Some(count), "{bar:30} {pos}/{len} games, {elapsed}")
    }

    /// Over an analysis, of which nobody knows how long it takes.
    pub(crate) fn analysis() -> Self {
        Self::new(None, "{spinner} {msg}, {elapsed}")
    }

    /// How far it is, in words.
    pub(crate) fn say(&self, how_far: impl FnOnce() -> String) {
        if self.is_due() {
            self.bar.set_message(how_far());
            self.bar.tick();
        }
    }

    /// Says something that stays, above the bar.
    pub(crate) fn aside(&self, message: &str) {
        self.bar.suspend(|| anstream::eprintln!("{message}"));
    }

    /// So many more are done.
    pub(crate) fn add(&self, count: u64) {
        self.is_due();
        self.bar.inc(count);
    }

    fn new(count: Option<usize>, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(count.map(|count| count as u64), ProgressDrawTarget::hidden());
        bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
        Self { bar, begin: Instant::now(), shown: AtomicBool::new(false), read: AtomicU64::new(0) }
    }

    /// So many bytes more were read.
    pub(crate) fn read(&self, bytes: u64) {
        let read = self.read.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if self.is_due() {
            self.bar.set_message(format!("{:.1} MB", read as f64 / 1e6));
        }
    }

    /// One file more is done.
    pub(crate) fn advance(&self) {
        self.is_due();
        self.bar.inc(1);
    }

    /// Everything is done.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Whether it takes so long that the bar is worth its place; draws on terminals only.
    fn is_due(&self) -> bool {
        let due = self.begin.elapsed() >= PATIENCE;
        if due && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        due
    }
}
