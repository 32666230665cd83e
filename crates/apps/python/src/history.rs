//! The inputs of monitors since the start of the episode, from which copies in other processes continue.

use std::collections::VecDeque;
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

/// The maximum number of numbers of the states of a [`BatchHistory`], over all environments. Monitors with longer episodes cannot be pickled
/// until they are reset.
pub(crate) const MAX_NUMBERS: usize = 1 << 24;

/// The number of steps after which those that no episode needs are discarded.
const STEPS_PER_PRUNING: usize = 64;

/// The inputs of the monitors of many environments. The steps of all environments are kept as they were given.
pub(crate) struct BatchHistory {
    width: usize,
    /// The latest steps.
    steps: VecDeque<StepInputs>,
    /// The number of steps before the first that is kept.
    discarded: usize,
    episodes: Vec<Episode>,
}

/// The inputs of all environments in one step.
pub(crate) struct StepInputs {
    /// The states, one row for each environment.
    pub(crate) states: Vec<f64>,
    /// Whether each state was known to be the last one of its episode.
    pub(crate) last: Vec<bool>,
    /// The environments that were stepped.
    pub(crate) selected: Vec<bool>,
}

/// The steps of the episode of one environment.
#[derive(Clone, Default)]
struct Episode {
    /// The number of steps before it.
    from: usize,
    /// The number of steps after which later states have no effect.
    until: Option<usize>,
    finished: bool,
    /// Whether one of its steps was discarded.
    is_discarded: bool,
}

/// The inputs of one environment since the start of its episode.
pub(crate) struct EpisodeInputs {
    /// The states, one row after the other.
    pub(crate) rows: Vec<f64>,
    /// Whether each state was known to be the last one.
    pub(crate) last: Vec<bool>,
    /// Whether the episode was finished after these states.
    pub(crate) finished: bool,
}

impl BatchHistory {
    /// Returns the history of environments before their first states, which have `width` numbers each.
    pub(crate) fn new(count: usize, width: usize) -> Self {
        Self { width, steps: VecDeque::new(), discarded: 0, episodes: vec![Episode::default(); count] }
    }

    /// Adds a step, and whether the episode of each environment is over after it.
    pub(crate) fn push(&mut self, inputs: StepInputs, done: &[bool]) {
        if self.steps.len().is_multiple_of(STEPS_PER_PRUNING) {
            self.prune();
        }
        if (self.steps.len() + 1) * inputs.states.len() > MAX_NUMBERS {
            self.discard_first();
        }
        self.steps.push_back(inputs);
        let now = self.now();
        for (episode, _) in self.episodes.iter_mut().zip(done).filter(|(_, done)| **done) {
            episode.until.get_or_insert(now);
        }
    }

    /// Discards the first step that is kept, and with it the episodes that it belongs to.
    fn discard_first(&mut self) {
        let Some(step) = self.steps.pop_front() else { return };
        let place = self.discarded;
        for (episode, _) in self.episodes.iter_mut().zip(step.selected).filter(|(_, is_selected)| *is_selected) {
            episode.is_discarded |= episode.from <= place && episode.until.is_none_or(|until| place < until);
        }
        self.discarded += 1;
    }

    /// Discards the steps before all episodes.
    fn prune(&mut self) {
        let first = self.episodes.iter().map(|episode| episode.from).min().unwrap_or(0);
        let superfluous = first.saturating_sub(self.discarded).min(self.steps.len());
        self.steps.drain(..superfluous);
        self.discarded += superfluous;
    }

    /// Returns the number of steps so far.
    fn now(&self) -> usize {
        self.discarded + self.steps.len()
    }

    /// Adds the end of the episode of an environment, which had a state if `has_states`.
    pub(crate) fn finish(&mut self, environment: usize, has_states: bool) {
        let now = self.now();
        let episode = &mut self.episodes[environment];
        episode.finished = true;
        if has_states {
            episode.until.get_or_insert(now);
        }
    }

    /// Discards the inputs of an environment.
    pub(crate) fn reset(&mut self, environment: usize) {
        self.episodes[environment] = Episode { from: self.now(), ..Episode::default() };
    }

    /// Returns the number of numbers of a state.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Returns the inputs of each environment; `None` if some were discarded.
    pub(crate) fn episodes(&self) -> Option<Vec<EpisodeInputs>> {
        let inputs = |(environment, episode): (usize, &Episode)| {
            let place = |step: usize| step.saturating_sub(self.discarded);
            let (from, until) = (place(episode.from), place(episode.until.unwrap_or_else(|| self.now())));
            let mut inputs = EpisodeInputs { rows: Vec::new(), last: Vec::new(), finished: episode.finished };
            for step in self.steps.range(from..until).filter(|step| step.selected[environment]) {
                inputs.rows.extend_from_slice(&step.states[environment * self.width..][..self.width]);
                inputs.last.push(step.last[environment]);
            }
            (!episode.is_discarded).then_some(inputs)
        };
        self.episodes.iter().enumerate().map(inputs).collect()
    }
}
