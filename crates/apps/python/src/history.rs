//! The inputs of a monitor since the start of the episode, from which a copy in another process continues.

use std::sync::Arc;

/// The maximum number of inputs that are kept; a monitor with more of them cannot be pickled until it is reset.
pub(crate) const MAX_INPUTS: usize = 1 << 20;

/// The state in an input.
#[derive(Debug)]
pub(crate) enum InputState {
    /// A row of numbers.
    Row(Box<[f64]>),
    /// A dictionary as JSON text.
    Line(Box<[u8]>),
}

/// One input of a monitor.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) state: InputState,
    pub(crate) time: Option<f64>,
    pub(crate) action: Option<Box<str>>,
    pub(crate) last: bool,
}

/// The inputs so far. Copies share them, so that copying a monitor takes the same time in every state.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    latest: Option<Arc<Entry>>,
    count: usize,
}

#[derive(Debug)]
struct Entry {
    input: Input,
    previous: Option<Arc<Entry>>,
}

impl History {
    /// Adds an input. Beyond [`MAX_INPUTS`], all inputs are discarded.
    pub(crate) fn push(&mut self, input: impl FnOnce() -> Input) {
        if self.count < MAX_INPUTS {
            let previous = self.latest.take();
            self.latest = Some(Arc::new(Entry { input: input(), previous }));
        } else {
            self.discard();
        }
        self.count += 1;
    }

    /// Calls `visit` with the inputs, the latest first; returns `false` if they were discarded.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(&Input)) -> bool {
        let mut entry = self.latest.as_ref();
        while let Some(Entry { input, previous }) = entry.map(|entry| &**entry) {
            visit(input);
            entry = previous.as_ref();
        }
        self.count <= MAX_INPUTS
    }

    /// Frees the inputs that no other history shares, without recursion.
    fn discard(&mut self) {
        let mut latest = self.latest.take();
        while let Some(entry) = latest {
            latest = Arc::into_inner(entry).and_then(|entry| entry.previous);
        }
    }
}

impl Drop for History {
    fn drop(&mut self) {
        self.discard();
    }
}
