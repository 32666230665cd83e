//! Limits of searches, what stops them, what they tell while they run and afterwards.

use crate::ground_task::GroundTask;
use goalspec_core::planning::plan::Plan;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Most states that one search keeps, whatever the limits are: their numbers have 32 bits.
pub const MAX_STATES: usize = u32::MAX as usize - 2;

/// Where to stop.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// Time from the beginning, as a clock shows it.
    pub time: Option<Duration>,
    /// Bytes that all searches together take, by their own estimate. They stop at half of them, since tables double.
    pub memory: Option<usize>,
    /// States that one search keeps.
    pub states: Option<usize>,
}

/// What stopped a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The time is over.
    Time,
    /// The memory is used up.
    Memory,
    /// There are as many states as are allowed.
    States,
    /// The caller wants no more.
    Cancelled,
}

/// What a search did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States whose successors were looked at.
    pub expanded: u64,
    /// States that were estimated.
    pub evaluated: u64,
    /// Steps that were looked at.
    pub generated: u64,
    /// Different states kept.
    pub registered: u64,
    /// States expanded again because a cheaper way to them was found.
    pub reopened: u64,
    /// States from which the goal cannot be reached, as an estimate said.
    pub dead_ends: u64,
    /// Most bytes taken at once, estimated.
    pub peak_memory: usize,
}

impl Statistics {
    /// Both together, one after the other.
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

/// A plan as operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The operators, by place in the task.
    pub operators: Vec<u32>,
    /// What they cost together, in units of the task.
    pub cost: u64,
}

impl Solution {
    /// The plan: the operators' steps, without those that grounding made up.
    pub fn plan(&self, task: &GroundTask) -> Plan {
        let operators = self.operators.iter().filter_map(|&operator| task.operators.get(operator as usize));
        Plan { steps: operators.filter_map(|operator| operator.step.clone()).collect() }
    }
}

/// Something that a search tells while it runs.
#[derive(Debug, Clone, Copy)]
pub enum Event<'e> {
    /// A plan, cheaper than all before.
    Plan(&'e Solution),
    /// A search came closer to the goal, by one of its estimates.
    Progress {
        /// The estimates, the least seen of each.
        estimates: &'e [u32],
        /// What was done so far.
        statistics: &'e Statistics,
    },
}

/// What all searches for one task share: limits, how to stop, whom to tell, the cost of the best plan.
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
    /// The time starts to run. Searches stop soon after the flag is set.
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

    /// How long it has run.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Plans must be cheaper than this.
    pub(crate) fn bound(&self) -> u64 {
        self.bound.load(Ordering::Relaxed)
    }

    /// Takes over a plan if it is the best so far, and tells of it.
    pub(crate) fn found(&self, solution: &Solution) -> bool {
        let better = self.bound.fetch_min(solution.cost, Ordering::Relaxed) > solution.cost;
        if better {
            (self.tell)(Event::Plan(solution));
        }
        better
    }

    /// Tells of progress.
    pub(crate) fn progress(&self, estimates: &[u32], statistics: &Statistics) {
        (self.tell)(Event::Progress { estimates, statistics });
    }

    /// Lets the other searches for the same task stop.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    /// Lets searches run again after one of them [finished](Self::finish).
    pub(crate) fn resume(&self) {
        self.finished.store(false, Ordering::Relaxed);
    }

    /// Whether another search has [finished](Self::finish) the task.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Relaxed)
    }

    /// Whether to stop for good, whatever a search may find.
    pub(crate) fn stop(&self) -> Option<Stop> {
        if self.cancelled.load(Ordering::Relaxed) || self.is_finished() {
            return Some(Stop::Cancelled);
        }
        if self.limits.time.is_some_and(|time| self.begun.elapsed() >= time) {
            return Some(Stop::Time);
        }
        let memory = self.memory.load(Ordering::Relaxed);
        // Tables double when they grow, and have both sizes for a moment.
        self.limits.memory.is_some_and(|limit| memory > limit / 2).then_some(Stop::Memory)
    }
}

/// The share that one search has in a [`Control`].
pub(crate) struct Meter<'m> {
    control: &'m Control<'m>,
    counted: usize,
    until_check: u32,
    between_checks: u32,
    looked: Duration,
    /// Its own limit of time, beside the one of all searches.
    pub(crate) slice: Option<Duration>,
}

/// How often a search looks at the clock, roughly.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// Most states between two looks.
const MAX_BETWEEN_CHECKS: u32 = 1 << 12;

impl<'m> Meter<'m> {
    /// Begins to watch a search.
    pub(crate) fn new(control: &'m Control<'m>, slice: Option<Duration>) -> Self {
        let now = control.elapsed();
        let slice = slice.map(|slice| now + slice);
        Self { control, counted: 0, until_check: 0, between_checks: 1, looked: now, slice }
    }

    /// Whether to stop; to be asked for each state that is estimated, and looks only now and then. `bytes` is what the search takes now.
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
        // States may take a microsecond or a second each.
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
