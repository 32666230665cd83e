//! Caps on a run: calls, tokens, cost and time, checked before each call with its worst case.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::error::{Cap, ErrorKind, ModelError};
use crate::prices::{NanoCost, from_nano, to_nano};

/// Caps on a run. A cap that is `None` is not checked.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Caps {
    /// The number of calls, retries included.
    pub calls: Option<u64>,
    /// The number of input and output tokens.
    pub tokens: Option<u64>,
    /// The cost, in the currency of the price file.
    pub cost: Option<f64>,
    /// The time since the start of the process.
    pub time: Option<Duration>,
}

/// Calls, tokens and cost of a run or of a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spending {
    /// Calls, retries included.
    pub calls: u64,
    /// Input and output tokens.
    pub tokens: u64,
    /// Cost in units of 10⁻⁹ of the currency of the price file.
    pub nano_cost: NanoCost,
}

impl Spending {
    /// Returns the cost in the currency of the price file.
    pub fn cost(&self) -> f64 {
        from_nano(self.nano_cost)
    }

    /// Returns the sum of two spendings.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens: self.tokens.saturating_add(other.tokens),
            nano_cost: self.nano_cost.saturating_add(other.nano_cost),
        }
    }

    const fn minus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_sub(other.calls),
            tokens: self.tokens.saturating_sub(other.tokens),
            nano_cost: self.nano_cost.saturating_sub(other.nano_cost),
        }
    }
}

/// The budget of a run.
pub(crate) struct Budget {
    caps: Caps,
    start: Duration,
    state: Mutex<BudgetState>,
    settled: Condvar,
}

struct BudgetState {
    spent: Spending,
    reserved: Spending,
    /// The first cap that refused a call; the run has ended.
    reached: Option<ModelError>,
}

/// A reservation of the worst case of a call. Without a settlement, the worst case is spent.
pub(crate) struct Reservation<'a> {
    budget: &'a Budget,
    worst: Spending,
    actual: Option<Spending>,
}

impl Reservation<'_> {
    /// Replaces the worst case by the actual spending.
    pub(crate) fn settle(mut self, actual: Spending) {
        self.actual = Some(actual);
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.reserved = state.reserved.minus(self.worst);
        state.spent = state.spent.plus(self.actual.unwrap_or(self.worst));
        self.budget.settled.notify_all();
    }
}

impl Budget {
    /// Creates the budget of a run of which earlier starts have spent something.
    pub(crate) fn new(caps: Caps, spent: Spending, clock: &dyn Clock) -> Self {
        let state = BudgetState { spent, reserved: Spending::default(), reached: None };
        Self { caps, start: clock.now(), state: Mutex::new(state), settled: Condvar::new() }
    }

    /// Returns the spending of the run so far, the worst case of calls in flight included.
    pub(crate) fn spent(&self) -> Spending {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.spent.plus(state.reserved)
    }

    /// Returns the time that the run has left; `None` without a cap on it.
    pub(crate) fn remaining_time(&self, clock: &dyn Clock) -> Option<Duration> {
        let elapsed = clock.now().saturating_sub(self.start);
        self.caps.time.map(|limit| limit.saturating_sub(elapsed))
    }

    /// Reserves the worst case of a call. If it does not fit while other calls are in flight, their end is awaited, so that the same calls are
    /// made on any number of threads.
    ///
    /// # Errors
    /// If the call could exceed a cap, or a call before could: then the run has ended.
    pub(crate) fn reserve(&self, worst: Spending, clock: &dyn Clock) -> Result<Reservation<'_>, ModelError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(error) = &state.reached {
                return Err(error.clone());
            }
            let elapsed = clock.now().saturating_sub(self.start);
            let Some(error) = self.exceeded(state.spent.plus(state.reserved), worst, elapsed) else {
                state.reserved = state.reserved.plus(worst);
                return Ok(Reservation { budget: self, worst, actual: None });
            };
            if state.reserved == Spending::default() || error.kind == ErrorKind::CapReached(Cap::Time) {
                state.reached = Some(error.clone());
                return Err(error);
            }
            state = self.settled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns the error of the first cap that the spending plus the worst case of a call exceeds.
    fn exceeded(&self, spent: Spending, worst: Spending, elapsed: Duration) -> Option<ModelError> {
        let sum = spent.plus(worst);
        let error = |cap: Cap, used: String, limit: String, need: String| {
            let option = cap.option();
            let message =
                format!("the cap {option} {limit} is reached: {used} used so far, the next call may need {need}");
            ModelError::new(ErrorKind::CapReached(cap), message)
        };
        let count = |cap, limit: Option<u64>, used: u64, need: u64, sum: u64, unit: &str| {
            let limit = limit.filter(|limit| sum > *limit)?;
            Some(error(cap, format!("{used} {unit}"), limit.to_string(), need.to_string()))
        };
        let time = || {
            let limit = self.caps.time.filter(|limit| elapsed >= *limit)?;
            let used = format!("{:.0} s", elapsed.as_secs_f64());
            Some(error(Cap::Time, used, format!("{:.0}", limit.as_secs_f64()), "more".to_owned()))
        };
        let cost = || {
            let limit = self.caps.cost.filter(|limit| sum.nano_cost > to_nano(*limit))?;
            Some(error(Cap::Cost, format!("{:.6}", spent.cost()), limit.to_string(), format!("{:.6}", worst.cost())))
        };
        count(Cap::Calls, self.caps.calls, spent.calls, worst.calls, sum.calls, "calls")
            .or_else(|| count(Cap::Tokens, self.caps.tokens, spent.tokens, worst.tokens, sum.tokens, "tokens"))
            .or_else(cost)
            .or_else(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::FakeClock;

    fn call(tokens: u64) -> Spending {
        Spending { calls: 1, tokens, nano_cost: 0 }
    }

    #[test]
    fn a_call_is_refused_by_its_worst_case_and_ends_the_run() {
        let clock = FakeClock::new(Duration::ZERO);
        let caps = Caps { tokens: Some(100), ..Caps::default() };
        let budget = Budget::new(caps, Spending { calls: 1, tokens: 30, nano_cost: 0 }, &clock);
        budget.reserve(call(70), &clock).unwrap().settle(call(10));
        assert_eq!(budget.spent(), Spending { calls: 2, tokens: 40, nano_cost: 0 });
        let error = budget.reserve(call(61), &clock).map(|_| ()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::CapReached(Cap::Tokens));
        let expected = "the cap --max-tokens-total 100 is reached: 40 tokens used so far, the next call may need 61";
        assert_eq!(error.to_string(), expected);
        assert!(budget.reserve(call(1), &clock).is_err(), "the run has ended");
    }

    #[test]
    fn every_cap_has_its_error() {
        let clock = FakeClock::new(Duration::ZERO);
        let worst = Spending { calls: 1, tokens: 1, nano_cost: 2_000_000_000 };
        let reached = |caps: Caps, wait: u64| {
            let budget = Budget::new(caps, Spending::default(), &clock);
            clock.sleep(Duration::from_secs(wait));
            budget.reserve(worst, &clock).map(|_| ()).err().map(|error| error.to_string())
        };
        let none = Caps::default();
        assert_eq!(reached(none, 1_000_000), None);
        let calls = reached(Caps { calls: Some(0), ..none }, 0).unwrap();
        assert_eq!(calls, "the cap --max-calls 0 is reached: 0 calls used so far, the next call may need 1");
        let cost = reached(Caps { cost: Some(1.5), ..none }, 0).unwrap();
        assert_eq!(cost, "the cap --max-cost 1.5 is reached: 0.000000 used so far, the next call may need 2.000000");
        let time = reached(Caps { time: Some(Duration::from_secs(9)), ..none }, 9).unwrap();
        assert_eq!(time, "the cap --max-time 9 is reached: 9 s used so far, the next call may need more");
    }

    #[test]
    fn a_dropped_reservation_is_spent_in_full() {
        let clock = FakeClock::new(Duration::ZERO);
        let budget = Budget::new(Caps::default(), Spending::default(), &clock);
        drop(budget.reserve(call(7), &clock).unwrap());
        assert_eq!(budget.spent().tokens, 7);
    }
}
