//! The inputs of monitors since the start of the episode, from which copies in other processes continue.

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

/// The maximum number of numbers of the states of a [`BatchHistory`], over all environments; each has an equal share. Monitors with longer
/// episodes cannot be pickled until they are reset.
pub(crate) const MAX_NUMBERS: usize = 1 << 24;

/// The inputs of the monitors of many environments.
pub(crate) struct BatchHistory {
    width: usize,
    episodes: Vec<EpisodeInputs>,
}

/// The inputs of one environment since the start of its episode.
#[derive(Clone, Default)]
pub(crate) struct EpisodeInputs {
    /// The states, one row after the other.
    pub(crate) rows: Vec<f64>,
    /// Whether each state was known to be the last one.
    pub(crate) last: Vec<bool>,
    /// Whether the episode was finished after these states.
    pub(crate) finished: bool,
    /// Whether later states have no effect.
    is_over: bool,
    /// Whether there were more states than fit.
    is_discarded: bool,
}

impl BatchHistory {
    /// Returns the history of environments before their first states, which have `width` numbers each.
    pub(crate) fn new(count: usize, width: usize) -> Self {
        Self { width, episodes: vec![EpisodeInputs::default(); count] }
    }

    /// Adds a state of an environment, and whether its episode is over after it.
    pub(crate) fn push(&mut self, environment: usize, row: &[f64], last: bool, is_over: bool) {
        let share = MAX_NUMBERS / self.episodes.len();
        let episode = &mut self.episodes[environment];
        if episode.is_over {
            return;
        }
        if episode.is_discarded || episode.rows.len() + row.len() > share {
            *episode = EpisodeInputs { is_discarded: true, ..EpisodeInputs::default() };
        } else {
            episode.rows.extend_from_slice(row);
            episode.last.push(last);
        }
        episode.is_over = is_over;
    }

    /// Adds the end of the episode of an environment.
    pub(crate) fn finish(&mut self, environment: usize) {
        let episode = &mut self.episodes[environment];
        episode.finished = true;
        episode.is_over |= !episode.last.is_empty();
    }

    /// Discards the inputs of an environment.
    pub(crate) fn reset(&mut self, environment: usize) {
        self.episodes[environment] = EpisodeInputs::default();
    }

    /// Returns the number of numbers of a state.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Returns the inputs of each environment; `None` if some were discarded.
    pub(crate) fn episodes(&self) -> Option<&[EpisodeInputs]> {
        let is_complete = self.episodes.iter().all(|episode| !episode.is_discarded);
        is_complete.then_some(&self.episodes[..])
    }
}
