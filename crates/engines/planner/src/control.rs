//! Limits, cancellation, events and statistics of searches.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use goalspec_core::planning::plan::Plan;

use crate::ground_task::GroundTask;

/// Maximum number of states that one search stores, regardless of [`SearchLimits`]: state ids have 32 bits.
pub const MAX_STATES: usize = u32::MAX as usize - 2;

/// Limits on the searches for one task; `None` means unlimited.
#[derive(Debug, Clone, Copy, Default)]
pub struct SearchLimits {
    /// Wall-clock time since the [`SearchControl`] was created.
    pub time: Option<Duration>,
    /// Memory of all searches together, in bytes, an eighth of which is reserved for preprocessing and fragmentation. A table that is about to
    /// grow counts with its old and its new allocation. Searches that run side by side have equal parts of the rest.
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

impl StopReason {
    /// Whether the reason depends on the clock or the caller, and not only on the work of searches.
    pub fn is_external(self) -> bool {
        matches!(self, Self::Time | Self::Cancelled)
    }
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
    /// Work, in the units of [`goalspec_core::work`].
    pub work: u64,
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
            work: self.work + later.work,
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
    Progress(SearchProgress<'e>),
}

/// The progress of a search when one of its heuristics has a new minimum.
#[derive(Debug, Clone, Copy)]
pub struct SearchProgress<'e> {
    /// The minimum estimate so far, by heuristic.
    pub estimates: &'e [u32],
    /// The statistics of the search so far.
    pub statistics: &'e SearchStatistics,
}

/// State shared by all searches for one task: limits, cancellation flag, event callback and the cost of the best plan.
pub struct SearchControl<'c> {
    start: Instant,
    limits: SearchLimits,
    threads: usize,
    seed: u64,
    cancelled: &'c AtomicBool,
    cost_bound: AtomicU64,
    observer: &'c (dyn Fn(SearchEvent<'_>) + Sync),
}

impl<'c> SearchControl<'c> {
    /// Creates a control and starts its clock. Searches stop soon after `cancelled` is set; events are passed to `observer`.
    pub fn new(
        limits: SearchLimits,
        cancelled: &'c AtomicBool,
        observer: &'c (dyn Fn(SearchEvent<'_>) + Sync),
    ) -> Self {
        Self {
            start: Instant::now(),
            limits,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            seed: 0,
            cancelled,
            cost_bound: AtomicU64::new(u64::MAX),
            observer,
        }
    }

    /// Sets the number of searches that run at the same time; the default is the number of cores. It does not affect plans.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the seed of pseudo-random decisions; the default is zero.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Returns the limits.
    pub(crate) fn limits(&self) -> &SearchLimits {
        &self.limits
    }

    /// Returns the time that is left; `None` if it is not limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.limits.time.map(|time| time.saturating_sub(self.start.elapsed()))
    }

    /// Returns the number of searches that run at the same time.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the seed of pseudo-random decisions.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the cost of the best plan found so far. Searches only accept cheaper plans.
    pub(crate) fn bound(&self) -> u64 {
        self.cost_bound.load(Ordering::Relaxed)
    }

    /// Records a plan and reports it if it is the cheapest so far.
    pub(crate) fn report_plan(&self, solution: &OperatorPlan) {
        if self.cost_bound.fetch_min(solution.cost, Ordering::Relaxed) > solution.cost {
            (self.observer)(SearchEvent::Plan(solution));
        }
    }

    /// Reports progress.
    pub(crate) fn progress(&self, estimates: &[u32], statistics: &SearchStatistics) {
        (self.observer)(SearchEvent::Progress(SearchProgress { estimates, statistics }));
    }

    /// Returns the reason to stop all searches that does not depend on their work: cancellation or the time limit.
    pub(crate) fn stop_reason(&self) -> Option<StopReason> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Some(StopReason::Cancelled);
        }
        self.limits.time.is_some_and(|time| self.start.elapsed() >= time).then_some(StopReason::Time)
    }
}
