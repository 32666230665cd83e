//! Limits, cancellation, events and statistics of searches.

use crate::ground_task::GroundTask;
use goalspec_core::planning::plan::Plan;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Maximum number of states that one search stores, regardless of [`Limits`]: state ids have 32 bits.
pub const MAX_STATES: usize = u32::MAX as usize - 2;

/// Limits on the searches for one task; `None` means unlimited.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// Wall-clock time since the [`Control`] was created.
    pub time: Option<Duration>,
    /// Memory of all searches together, in estimated bytes. Searches stop at half of it, since hash tables double when they
    /// grow.
    pub memory: Option<usize>,
    /// Number of states stored by one search.
    pub states: Option<usize>,
}

/// The reason why a search stopped before it was finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The limit on states was reached.
    States,
    /// The caller cancelled the search, or another search finished the task.
    Cancelled,
}

/// Counters of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of expanded states.
    pub expanded: u64,
    /// Number of heuristic evaluations of states.
    pub evaluated: u64,
    /// Number of generated successors.
    pub generated: u64,
    /// Number of distinct states stored.
    pub registered: u64,
    /// Number of states that were expanded again because a cheaper path to them was found.
    pub reopened: u64,
    /// Number of states that a heuristic recognised as dead ends.
    pub dead_ends: u64,
    /// Peak memory, in estimated bytes.
    pub peak_memory: usize,
}

impl Statistics {
    /// Returns the statistics of two searches run in sequence: counters are added, and the larger peak is kept.
    #[must_use]
    pub fn and_then(self, later: Self) -> Self {
        Self {
            expanded: self.expanded + later.expanded,
            evaluated: self.evaluated + later.evaluated,
            generated: self.generated + later.generated,
            registered: self.registered + later.registered,
            reopened: self.reopened + later.reopened,
            dead_ends: self.dead_ends + later.dead_ends,
            peak_memory: self.peak_memory.max(later.peak_memory),
        }
    }
}

/// A plan as a sequence of operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The operators, as indices into [`GroundTask::operators`].
    pub operators: Vec<u32>,
    /// The plan cost, in units of [`GroundTask::cost_unit`].
    pub cost: u64,
}

impl Solution {
    /// Returns the plan: the steps of the operators, without auxiliary operators introduced by grounding.
    pub fn plan(&self, task: &GroundTask) -> Plan {
        let operators = self.operators.iter().filter_map(|&operator| task.operators.get(operator as usize));
        Plan { steps: operators.filter_map(|operator| operator.step.clone()).collect() }
    }
}

/// An event reported while a search runs.
#[derive(Debug, Clone, Copy)]
pub enum Event<'e> {
    /// A plan cheaper than all plans found before.
    Plan(&'e Solution),
    /// A new minimum of one of the heuristics of a search.
    Progress {
        /// The minimum seen so far, by heuristic.
        estimates: &'e [u32],
        /// The statistics of the search so far.
        statistics: &'e Statistics,
    },
}

/// State shared by all searches for one task: limits, cancellation flag, event callback and the cost of the best plan.
pub struct Control<'c> {
    begun: Instant,
    limits: Limits,
    cancelled: &'c AtomicBool,
    finished: AtomicBool,
    memory: AtomicUsize,
    bound: AtomicU64,
    tell: &'c (dyn Fn(Event<'_>) + Sync),
}

impl<'c> Control<'c> {
    /// Creates a control and starts its clock. Searches stop soon after `cancelled` is set; events are passed to `tell`.
    pub fn new(limits: Limits, cancelled: &'c AtomicBool, tell: &'c (dyn Fn(Event<'_>) + Sync)) -> Self {
        Self {
            begun: Instant::now(),
            limits,
            cancelled,
            finished: AtomicBool::new(false),
            memory: AtomicUsize::new(0),
            bound: AtomicU64::new(u64::MAX),
            tell,
        }
    }

    /// Returns the time since the control was created.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Returns the cost of the best plan found so far. Searches only accept cheaper plans.
    pub(crate) fn bound(&self) -> u64 {
        self.bound.load(Ordering::Relaxed)
    }

    /// Records a plan and reports it if it is the cheapest so far. Returns whether it is.
    pub(crate) fn found(&self, solution: &Solution) -> bool {
        let better = self.bound.fetch_min(solution.cost, Ordering::Relaxed) > solution.cost;
        if better {
            (self.tell)(Event::Plan(solution));
        }
        better
    }

    /// Reports progress.
    pub(crate) fn progress(&self, estimates: &[u32], statistics: &Statistics) {
        (self.tell)(Event::Progress { estimates, statistics });
    }

    /// Stops all searches for the task.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    /// Allows searches to run again after [`finish`](Self::finish).
    pub(crate) fn resume(&self) {
        self.finished.store(false, Ordering::Relaxed);
    }

    /// Whether a search has [finished](Self::finish) the task.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Relaxed)
    }

    /// Returns the reason to stop all searches, if there is one.
    pub(crate) fn stop(&self) -> Option<Stop> {
        if self.cancelled.load(Ordering::Relaxed) || self.is_finished() {
            return Some(Stop::Cancelled);
        }
        if self.limits.time.is_some_and(|time| self.begun.elapsed() >= time) {
            return Some(Stop::Time);
        }
        let memory = self.memory.load(Ordering::Relaxed);
        // A hash table that grows holds its old and its new allocation at the same time.
        self.limits.memory.is_some_and(|limit| memory > limit / 2).then_some(Stop::Memory)
    }
}

/// The accounting of one search within a [`Control`]: its share of memory, its time limit, and when to check the limits next.
pub(crate) struct Meter<'m> {
    control: &'m Control<'m>,
    counted: usize,
    until_check: u32,
    between_checks: u32,
    looked: Duration,
    /// The deadline of this search, relative to the start of the control.
    pub(crate) slice: Option<Duration>,
}

/// The targeted interval between two checks of the limits.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// Maximum number of evaluated states between two checks of the limits.
const MAX_BETWEEN_CHECKS: u32 = 1 << 12;

impl<'m> Meter<'m> {
    /// Starts the accounting of a search, with an optional time limit of its own.
    pub(crate) fn new(control: &'m Control<'m>, slice: Option<Duration>) -> Self {
        let now = control.elapsed();
        let slice = slice.map(|slice| now + slice);
        Self { control, counted: 0, until_check: 0, between_checks: 1, looked: now, slice }
    }

    /// Returns the reason to stop, if there is one. Call once per evaluated state: the limits are checked only at intervals
    /// that adapt to [`LOOK_EVERY`]. `bytes` computes the current memory of the search.
    #[inline]
    pub(crate) fn check(
        &mut self,
        states: usize,
        bytes: impl FnOnce() -> usize,
        statistics: &mut Statistics,
    ) -> Option<Stop> {
        if self.until_check > 0 {
            self.until_check -= 1;
            return None;
        }
        let now = self.control.elapsed();
        // An evaluation takes between a microsecond and a second.
        let taken = now.saturating_sub(std::mem::replace(&mut self.looked, now));
        self.between_checks = if taken < LOOK_EVERY / 2 {
            (self.between_checks * 2).min(MAX_BETWEEN_CHECKS)
        } else if taken > LOOK_EVERY * 2 {
            (self.between_checks / 4).max(1)
        } else {
            self.between_checks
        };
        self.until_check = self.between_checks - 1;
        let bytes = bytes();
        statistics.peak_memory = statistics.peak_memory.max(bytes);
        self.control.memory.fetch_add(bytes, Ordering::Relaxed);
        self.control.memory.fetch_sub(self.counted, Ordering::Relaxed);
        self.counted = bytes;
        if states >= self.control.limits.states.unwrap_or(MAX_STATES).min(MAX_STATES) {
            return Some(Stop::States);
        }
        if self.slice.is_some_and(|end| now >= end) {
            return Some(Stop::Time);
        }
        self.control.stop()
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.control.memory.fetch_sub(self.counted, Ordering::Relaxed);
    }
}
