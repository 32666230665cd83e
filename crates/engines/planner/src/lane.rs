//! Lanes: sequences of searches with a counter of work, and races between them.
//!
//! Everything that is not a limit of the caller is measured in work, which depends only on the task: slices, the start of a
//! second lane, and the decision which lane is first. The lane that needed less work for its plan wins a race, even if another
//! one found its plan earlier; the others run until their work exceeds that of the winner. The result is therefore the same for any
//! number of threads and any load of the machine.

use std::cell::{Cell, RefCell};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::control::{MAX_STATES, SearchControl, SearchStatistics, StopReason};
use crate::search::SearchOutcome;

/// Units of work per millisecond on a current machine, approximately.
pub(crate) const MILLISECOND: u64 = 300_000;

/// The work between two checks of the limits.
const CHECK_INTERVAL: u64 = MILLISECOND / 2;

/// The lead in work after which a lane lets the other one run, if only one runs at a time.
const TURN: u64 = 20 * MILLISECOND;

/// The part of the memory limit for what searches do not count: preprocessing, and lists that grow between two checks.
const RESERVED_PART: usize = 8;

/// The number of lanes of a race.
const LANES: usize = 2;

/// A sequence of searches, each of which starts when the previous one has ended.
pub(crate) struct Lane<'c> {
    control: &'c SearchControl<'c>,
    /// The work of the searches that have ended, and of the preparation of the current one.
    work: Cell<u64>,
    /// The memory limit of a search, in bytes.
    memory: Option<usize>,
    /// The race, with the position of the lane in it.
    race: Option<(&'c Race, usize)>,
    /// The limits that stopped searches, with the work of the lane at that time.
    limits: RefCell<Vec<(u64, StopReason)>>,
}

impl<'c> Lane<'c> {
    /// Creates a lane that takes part in no race.
    pub(crate) fn new(control: &'c SearchControl<'c>) -> Self {
        let memory = control.limits().memory.map(|limit| limit - limit / RESERVED_PART);
        Self { control, work: Cell::new(0), memory, race: None, limits: RefCell::default() }
    }

    /// Creates a lane of a race. The second lane starts with the handicap of the race as its work.
    pub(crate) fn racing(control: &'c SearchControl<'c>, race: &'c Race, position: usize) -> Self {
        let alone = Self::new(control);
        Self {
            work: Cell::new(if position == 0 { 0 } else { race.handicap }),
            memory: alone.memory.map(|limit| limit / LANES),
            race: Some((race, position)),
            ..alone
        }
    }

    /// Returns the control.
    pub(crate) fn control(&self) -> &'c SearchControl<'c> {
        self.control
    }

    /// Returns the memory limit of a search, in bytes.
    pub(crate) fn memory(&self) -> Option<usize> {
        self.memory
    }

    /// Returns the work of the lane without the current search.
    pub(crate) fn work(&self) -> u64 {
        self.work.get()
    }

    /// Adds the work of a search that has ended.
    pub(crate) fn add(&self, work: u64) {
        self.work.set(self.work.get() + work);
    }

    /// Adds work that prepares a search. Returns whether the preparation should stop, in which case the search ends at its first
    /// check of the limits.
    pub(crate) fn spend(&self, work: u64) -> bool {
        self.add(work);
        self.stop_reason(0).is_some()
    }

    /// Returns the reason to stop the lane, if there is one, when the current search has done an amount of work.
    pub(crate) fn stop_reason(&self, work: u64) -> Option<StopReason> {
        if self.race.is_some_and(|(race, position)| race.advance(position, self.work.get() + work)) {
            return Some(StopReason::Cancelled);
        }
        self.control.stop_reason()
    }

    /// Records a limit that stopped a search.
    pub(crate) fn record_limit(&self, limit: StopReason) {
        self.limits.borrow_mut().push((self.work.get(), limit));
    }

    /// Ends the lane and returns the limits that stopped its searches.
    pub(crate) fn into_limits(self) -> LaneLimits {
        LaneLimits(self.limits.into_inner())
    }
}

/// The limits that stopped the searches of a lane, with the work of the lane at that time.
#[derive(Debug)]
pub(crate) struct LaneLimits(Vec<(u64, StopReason)>);

impl LaneLimits {
    /// Returns the limits reached by a lane while it could still win, given the winner of the race, if any.
    pub(crate) fn reached(self, position: usize, winner: Option<Winner>) -> Vec<StopReason> {
        let counts = |work: u64| winner.is_none_or(|winner| Winner { work, position } <= winner);
        self.0.into_iter().filter(|(work, _)| counts(*work)).map(|(_, limit)| limit).collect()
    }
}

/// A race of two lanes for the first plan or proof, measured in work.
pub(crate) struct Race {
    state: Mutex<RaceState>,
    changed: Condvar,
    /// Whether only one lane runs at a time.
    takes_turns: bool,
    /// The work of the first lane at which the second one starts.
    handicap: u64,
}

/// The lane that wins a race. Winners are ordered by work, then by position: the least one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Winner {
    /// The work of the lane at its plan or proof.
    pub(crate) work: u64,
    /// The position of the lane in the race.
    pub(crate) position: usize,
}

#[derive(Debug)]
struct RaceState {
    /// The work of each lane.
    work: [u64; LANES],
    /// Whether each lane has ended.
    ended: [bool; LANES],
    /// The lane whose turn it is, if only one runs at a time.
    turn: usize,
    /// The winner so far.
    winner: Option<Winner>,
}

impl RaceState {
    /// Whether the lane can no longer win.
    fn is_beaten(&self, position: usize) -> bool {
        self.winner.is_some_and(|winner| winner < Winner { work: self.work[position], position })
    }
}

/// The participation of a lane in a race. The lane ends when the value is dropped.
pub(crate) struct Participation<'r> {
    race: &'r Race,
    position: usize,
}

impl Race {
    /// Creates a race in which the second lane starts when the first one has done `handicap` units of work.
    pub(crate) fn new(handicap: u64, takes_turns: bool) -> Self {
        let state = RaceState { work: [0, handicap], ended: [false; LANES], turn: 0, winner: None };
        Self { state: Mutex::new(state), changed: Condvar::new(), takes_turns, handicap }
    }

    fn lock(&self) -> MutexGuard<'_, RaceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(
        &self,
        state: MutexGuard<'s, RaceState>,
        condition: impl Fn(&RaceState) -> bool,
    ) -> MutexGuard<'s, RaceState> {
        self.changed.wait_while(state, |state| condition(state)).unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the participation of a lane; waits until it may start.
    pub(crate) fn enter(&self, position: usize) -> Participation<'_> {
        let participation = Participation { race: self, position };
        if position > 0 {
            let is_early = |state: &RaceState| {
                let waits = if self.takes_turns { state.turn != position } else { state.work[0] < self.handicap };
                waits && !state.ended[0]
            };
            drop(self.wait(self.lock(), is_early));
        }
        participation
    }

    /// Records the work of a lane; waits while it is the turn of the other one. Returns whether the lane can no longer win.
    fn advance(&self, position: usize, work: u64) -> bool {
        let other = LANES - 1 - position;
        let mut state = self.lock();
        let before = std::mem::replace(&mut state.work[position], work);
        if before < self.handicap && work >= self.handicap {
            self.changed.notify_all();
        }
        let leads = work > state.work[other] + TURN;
        if self.takes_turns && leads && !state.ended[other] && !state.is_beaten(position) {
            state.turn = other;
            self.changed.notify_all();
            state = self.wait(state, |state| state.turn != position && !state.ended[other]);
        }
        state.is_beaten(position)
    }

    /// Ends the participation of a lane that never entered.
    pub(crate) fn withdraw(&self, position: usize) {
        drop(Participation { race: self, position });
    }

    /// Returns the winner so far.
    pub(crate) fn winner(&self) -> Option<Winner> {
        self.lock().winner
    }
}

impl Participation<'_> {
    /// Ends the participation with a plan or a proof, found with an amount of work.
    pub(crate) fn win(self, work: u64) {
        let mut state = self.race.lock();
        let candidate = Winner { work, position: self.position };
        state.winner = Some(state.winner.map_or(candidate, |winner| winner.min(candidate)));
    }
}

impl Drop for Participation<'_> {
    fn drop(&mut self) {
        let mut state = self.race.lock();
        state.ended[self.position] = true;
        state.turn = LANES - 1 - self.position;
        self.race.changed.notify_all();
    }
}

/// The limits of one search in a [`Lane`], checked at fixed intervals of work.
pub(crate) struct LimitChecker<'m> {
    lane: &'m Lane<'m>,
    memory: Option<usize>,
    work_limit: u64,
    max_states: usize,
    next_check: u64,
}

impl<'m> LimitChecker<'m> {
    /// Starts a search, with an optional limit on its work.
    pub(crate) fn new(lane: &'m Lane<'m>, work_limit: Option<u64>) -> Self {
        let max_states = lane.control.limits().states.unwrap_or(MAX_STATES).min(MAX_STATES);
        let memory = lane.memory;
        Self { lane, memory, work_limit: work_limit.unwrap_or(u64::MAX), max_states, next_check: 0 }
    }

    /// Replaces the limit on the work.
    pub(crate) fn set_work_limit(&mut self, work_limit: Option<u64>) {
        self.work_limit = work_limit.unwrap_or(u64::MAX);
    }

    /// Replaces the limit on the memory, in bytes.
    pub(crate) fn set_memory(&mut self, memory: Option<usize>) {
        self.memory = memory;
    }

    /// Returns the outcome of the search if it has to stop. Call once per evaluated state, with the work and the number of stored
    /// states of the search; `bytes` computes its current memory.
    #[inline]
    pub(crate) fn check(
        &mut self,
        work: u64,
        states: usize,
        bytes: impl FnOnce() -> usize,
        statistics: &mut SearchStatistics,
    ) -> Option<SearchOutcome> {
        if states >= self.max_states {
            return Some(SearchOutcome::Stopped(StopReason::States));
        }
        if work < self.next_check {
            return None;
        }
        self.next_check = work + CHECK_INTERVAL;
        let bytes = bytes();
        statistics.peak_memory = statistics.peak_memory.max(bytes);
        if self.memory.is_some_and(|limit| bytes > limit) {
            return Some(SearchOutcome::Stopped(StopReason::Memory));
        }
        if work >= self.work_limit {
            return Some(SearchOutcome::OutOfWork);
        }
        self.lane.stop_reason(work).map(SearchOutcome::Stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::{LANES, MILLISECOND, Race, Winner};
    use std::time::Duration;

    const HANDICAP: u64 = 50 * MILLISECOND;

    /// Runs a race in which each lane finds a plan with an amount of work, if any, and one lane is slower.
    fn winner(plans: [Option<u64>; LANES], slow: usize, takes_turns: bool) -> Option<Winner> {
        let race = Race::new(HANDICAP, takes_turns);
        let compete = |position: usize| {
            let participation = race.enter(position);
            let mut work = HANDICAP * position as u64;
            let end = plans[position].unwrap_or(200 * MILLISECOND);
            while work < end {
                work = (work + MILLISECOND / 2).min(end);
                if race.advance(position, work) {
                    return;
                }
                if position == slow {
                    std::thread::sleep(Duration::from_micros(20));
                }
            }
            if plans[position].is_some() {
                participation.win(work);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| compete(1));
            compete(0);
        });
        race.winner()
    }

    #[test]
    fn the_lane_with_less_work_wins_however_fast_it_is() {
        let plans = [
            ([Some(60), None], Some((60, 0))),
            ([None, Some(60)], Some((60, 1))),
            ([Some(90), Some(80)], Some((80, 1))),
            ([Some(80), Some(90)], Some((80, 0))),
            ([Some(80), Some(80)], Some((80, 0))),
            ([Some(20), Some(51)], Some((20, 0))),
            ([None, None], None),
        ];
        for (plans, expected) in plans {
            let plans = plans.map(|plan: Option<u64>| plan.map(|work| work * MILLISECOND));
            let expected = expected.map(|(work, position)| Winner { work: work * MILLISECOND, position });
            for slow in [0, 1] {
                for takes_turns in [false, true] {
                    assert_eq!(winner(plans, slow, takes_turns), expected, "{plans:?}, {slow}, {takes_turns}");
                }
            }
        }
    }

    #[test]
    fn a_race_goes_on_without_a_lane_that_withdrew() {
        for takes_turns in [false, true] {
            let race = Race::new(HANDICAP, takes_turns);
            race.withdraw(1);
            let participation = race.enter(0);
            assert!(!race.advance(0, 10 * HANDICAP));
            participation.win(10 * HANDICAP);
            assert_eq!(race.winner(), Some(Winner { work: 10 * HANDICAP, position: 0 }));
        }
    }
}
