//! Limits, cancellation, events and statistics of searches.

use crate::ground_task::GroundTask;
use goalspec_core::planning::plan::Plan;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Maximum number of states that one search stores, regardless of [`SearchLimits`]: state ids have 32 bits.
pub const MAX_STATES: usize = u32::MAX as usize - 2;

/// Limits on the searches for one task; `None` means unlimited.
#[derive(Debug, Clone, Copy, Default)]
pub struct SearchLimits {
    /// Wall-clock time since the [`SearchControl`] was created.
    pub time: Option<Duration>,
    /// Memory of all searches together, in estimated bytes. Searches stop at half of it, since hash tables double when they
    /// grow.
    pub memory: Option<usize>,
    /// Number of states stored by one search.
    pub states: Option<usize>,
}

/// The reason why a search stopped before it was finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StopReason {
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
pub struct SearchStatistics {
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

impl SearchStatistics {
    /// Returns the statistics of two searches run in sequence: counters are added, and the larger peak is kept.
    #[must_use]
    pub fn merged(self, later: Self) -> Self {
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
pub struct OperatorPlan {
    /// The operators, as indices into [`GroundTask::operators`].
    pub operators: Vec<u32>,
    /// The plan cost, in units of [`GroundTask::cost_unit`].
    pub cost: u64,
}

impl OperatorPlan {
    /// Returns the plan: the steps of the operators, without auxiliary operators introduced by grounding.
    pub fn plan(&self, task: &GroundTask) -> Plan {
        let operators = self.operators.iter().filter_map(|&operator| task.operators.get(operator as usize));
        Plan { steps: operators.filter_map(|operator| operator.step.clone()).collect() }
    }
}

/// An event reported while a search runs.
#[derive(Debug, Clone, Copy)]
pub enum SearchEvent<'e> {
    /// A plan cheaper than all plans found before.
    Plan(&'e OperatorPlan),
    /// A new minimum of one of the heuristics of a search.
    Progress {
        /// The minimum seen so far, by heuristic.
        estimates: &'e [u32],
        /// The statistics of the search so far.
        statistics: &'e SearchStatistics,
    },
}

/// State shared by all searches for one task: limits, cancellation flag, event callback and the cost of the best plan.
pub struct SearchControl<'c> {
    start: Instant,
    limits: SearchLimits,
    cancelled: &'c AtomicBool,
    finished: AtomicBool,
    memory: AtomicUsize,
    cost_bound: AtomicU64,
    on_event: &'c (dyn Fn(SearchEvent<'_>) + Sync),
}

impl<'c> SearchControl<'c> {
    /// Creates a control and starts its clock. Searches stop soon after `cancelled` is set; events are passed to `tell`.
    pub fn new(limits: SearchLimits, cancelled: &'c AtomicBool, tell: &'c (dyn Fn(SearchEvent<'_>) + Sync)) -> Self {
        Self {
            start: Instant::now(),
            limits,
            cancelled,
            finished: AtomicBool::new(false),
            memory: AtomicUsize::new(0),
            cost_bound: AtomicU64::new(u64::MAX),
            on_event: tell,
        }
    }

    /// Returns the time since the control was created.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns the cost of the best plan found so far. Searches only accept cheaper plans.
    pub(crate) fn bound(&self) -> u64 {
        self.cost_bound.load(Ordering::Relaxed)
    }

    /// Records a plan and reports it if it is the cheapest so far. Returns whether it is.
    pub(crate) fn report_plan(&self, solution: &OperatorPlan) -> bool {
        let better = self.cost_bound.fetch_min(solution.cost, Ordering::Relaxed) > solution.cost;
        if better {
            (self.on_event)(SearchEvent::Plan(solution));
        }
        better
    }

    /// Reports progress.
    pub(crate) fn progress(&self, estimates: &[u32], statistics: &SearchStatistics) {
        (self.on_event)(SearchEvent::Progress { estimates, statistics });
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
    pub(crate) fn stop_reason(&self) -> Option<StopReason> {
        if self.cancelled.load(Ordering::Relaxed) || self.is_finished() {
            return Some(StopReason::Cancelled);
        }
        if self.limits.time.is_some_and(|time| self.start.elapsed() >= time) {
            return Some(StopReason::Time);
        }
        let memory = self.memory.load(Ordering::Relaxed);
        // A hash table that grows holds its old and its new allocation at the same time.
        self.limits.memory.is_some_and(|limit| memory > limit / 2).then_some(StopReason::Memory)
    }
}

/// The accounting of one search within a [`SearchControl`]: its share of memory, its time limit, and when to check the limits next.
pub(crate) struct LimitChecker<'m> {
    control: &'m SearchControl<'m>,
    accounted_bytes: usize,
    until_check: u32,
    between_checks: u32,
    last_check: Duration,
    /// The deadline of this search, relative to the start of the control.
    pub(crate) deadline: Option<Duration>,
}

/// The targeted interval between two checks of the limits.
const CHECK_INTERVAL: Duration = Duration::from_millis(2);

/// Maximum number of evaluated states between two checks of the limits.
const MAX_BETWEEN_CHECKS: u32 = 1 << 12;

impl<'m> LimitChecker<'m> {
    /// Starts the accounting of a search, with an optional time limit of its own.
    pub(crate) fn new(control: &'m SearchControl<'m>, slice: Option<Duration>) -> Self {
        let now = control.elapsed();
        let slice = slice.map(|slice| now + slice);
        Self { control, accounted_bytes: 0, until_check: 0, between_checks: 1, last_check: now, deadline: slice }
    }

    /// Returns the reason to stop, if there is one. Call once per evaluated state: the limits are checked only at intervals
    /// that adapt to [`CHECK_INTERVAL`]. `bytes` computes the current memory of the search.
    #[inline]
    pub(crate) fn check(
        &mut self,
        states: usize,
        bytes: impl FnOnce() -> usize,
        statistics: &mut SearchStatistics,
    ) -> Option<StopReason> {
        if self.until_check > 0 {
            self.until_check -= 1;
            return None;
        }
        let now = self.control.elapsed();
        // An evaluation takes between a microsecond and a second.
        let taken = now.saturating_sub(std::mem::replace(&mut self.last_check, now));
        self.between_checks = if taken < CHECK_INTERVAL / 2 {
            (self.between_checks * 2).min(MAX_BETWEEN_CHECKS)
        } else if taken > CHECK_INTERVAL * 2 {
            (self.between_checks / 4).max(1)
        } else {
            self.between_checks
        };
        self.until_check = self.between_checks - 1;
        let bytes = bytes();
        statistics.peak_memory = statistics.peak_memory.max(bytes);
        self.control.memory.fetch_add(bytes, Ordering::Relaxed);
        self.control.memory.fetch_sub(self.accounted_bytes, Ordering::Relaxed);
        self.accounted_bytes = bytes;
        if states >= self.control.limits.states.unwrap_or(MAX_STATES).min(MAX_STATES) {
            return Some(StopReason::States);
        }
        if self.deadline.is_some_and(|end| now >= end) {
            return Some(StopReason::Time);
        }
        self.control.stop_reason()
    }
}

impl Drop for LimitChecker<'_> {
    fn drop(&mut self) {
        self.control.memory.fetch_sub(self.accounted_bytes, Ordering::Relaxed);
    }
}
