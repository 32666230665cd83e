//! The limiter: calls in flight, calls and tokens per minute, and pauses that a server asks for.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Clock;
use crate::date;
use crate::endpoint::Headers;

const MINUTE: Duration = Duration::from_mins(1);

/// Limits on the rate of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimits {
    /// The number of calls at a time.
    pub concurrency: usize,
    /// The number of calls in any minute.
    pub requests_per_minute: Option<u64>,
    /// The number of estimated input and output tokens of the calls in any minute.
    pub tokens_per_minute: Option<u64>,
}

/// The limiter of all calls to one endpoint.
pub(crate) struct Limiter {
    concurrency: usize,
    state: Mutex<LimiterState>,
    released: Condvar,
}

struct LimiterState {
    /// The number of calls at a time that the server allows, if its headers say that fewer remain than the limiter has.
    remaining_calls: Option<usize>,
    requests_per_minute: Option<u64>,
    tokens_per_minute: Option<u64>,
    in_flight: usize,
    /// Times and tokens of the calls of the last minute.
    recent: VecDeque<(Duration, u64)>,
    paused_until: Duration,
}

/// A permission for a call in flight.
pub(crate) struct Permit<'a>(&'a Limiter);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).in_flight -= 1;
        self.0.released.notify_one();
    }
}

impl Limiter {
    pub(crate) fn new(limits: RateLimits) -> Self {
        let state = LimiterState {
            remaining_calls: None,
            requests_per_minute: limits.requests_per_minute,
            tokens_per_minute: limits.tokens_per_minute,
            in_flight: 0,
            recent: VecDeque::new(),
            paused_until: Duration::ZERO,
        };
        Self { concurrency: limits.concurrency.max(1), state: Mutex::new(state), released: Condvar::new() }
    }

    /// Waits until a call with an estimated number of tokens may be made.
    pub(crate) fn acquire(&self, tokens: u64, clock: &dyn Clock) -> Permit<'_> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            while state.in_flight >= self.concurrency.min(state.remaining_calls.unwrap_or(usize::MAX)) {
                state = self.released.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let now = clock.now();
            let wait = state.wait(now, tokens);
            if wait.is_zero() {
                state.in_flight += 1;
                state.recent.push_back((now, tokens));
                return Permit(self);
            }
            drop(state);
            clock.sleep(wait);
            state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets no call begin for a time.
    pub(crate) fn pause(&self, wait: Duration, clock: &dyn Clock) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.paused_until = state.paused_until.max(clock.now() + wait);
    }

    /// Lowers the limits to those in the headers of a response, and pauses until the reset if nothing remains. While few calls remain, no
    /// more of them are in flight.
    pub(crate) fn learn(&self, headers: &Headers, clock: &dyn Clock) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = clock.now();
        for kind in ["requests", "tokens", "input-tokens", "output-tokens"] {
            for prefix in ["x-ratelimit", "anthropic-ratelimit"] {
                let value = |part: &str| {
                    let openai = format!("{prefix}-{part}-{kind}");
                    headers.get(&openai).or_else(|| headers.get(&format!("{prefix}-{kind}-{part}"))).map(str::trim)
                };
                if let Some(limit) = value("limit").and_then(|text| text.parse().ok()).filter(|limit| *limit > 0) {
                    let known =
                        if kind == "requests" { &mut state.requests_per_minute } else { &mut state.tokens_per_minute };
                    *known = Some(known.map_or(limit, |known| known.min(limit)));
                }
                let remaining = value("remaining").and_then(|text| text.parse::<usize>().ok());
                if let Some(remaining) = remaining.filter(|_| kind == "requests") {
                    // At least one call is needed to learn that more remain.
                    state.remaining_calls = Some(remaining.max(1));
                    self.released.notify_all();
                }
                if remaining == Some(0) {
                    let wait = value("reset").and_then(|text| reset_wait(text, now));
                    state.paused_until = state.paused_until.max(now + wait.unwrap_or_default().min(MINUTE));
                }
            }
        }
    }
}

impl LimiterState {
    /// Returns the time until a call with an estimated number of tokens may be made.
    fn wait(&mut self, now: Duration, tokens: u64) -> Duration {
        while self.recent.front().is_some_and(|(time, _)| *time + MINUTE <= now) {
            self.recent.pop_front();
        }
        let mut until = self.paused_until.max(now);
        if let Some(limit) = self.requests_per_minute {
            let over = (self.recent.len() as u64 + 1).saturating_sub(limit.max(1));
            if over > 0 {
                until = until.max(self.recent[over as usize - 1].0 + MINUTE);
            }
        }
        if let Some(limit) = self.tokens_per_minute {
            // A call above the limit of a minute has a minute of its own.
            let mut sum: u64 = self.recent.iter().map(|(_, tokens)| tokens).sum();
            for (time, earlier) in &self.recent {
                if sum.saturating_add(tokens) <= limit {
                    break;
                }
                sum -= earlier;
                until = until.max(*time + MINUTE);
            }
        }
        until.saturating_sub(now)
    }
}

/// Parses the time until a limit is reset: a duration such as `6m0s` or `20ms`, or a time of RFC 3339.
fn reset_wait(text: &str, now: Duration) -> Option<Duration> {
    if let Some(time) = date::parse_rfc3339(text) {
        return time.checked_sub(now);
    }
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().ok()?;
        let unit_end = rest[digits..].find(|character: char| !character.is_ascii_alphabetic());
        let (unit, tail) = rest[digits..].split_at(unit_end.unwrap_or(rest.len() - digits));
        seconds += number
            * match unit {
                "ms" => 0.001,
                "s" | "" => 1.0,
                "m" => 60.0,
                "h" => 3600.0,
                "d" => 86_400.0,
                _ => return None,
            };
        rest = tail;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::clock::FakeClock;

    const NOW: Duration = Duration::from_secs(784_111_777);

    fn limiter(requests_per_minute: Option<u64>, tokens_per_minute: Option<u64>) -> Limiter {
        Limiter::new(RateLimits { concurrency: 4, requests_per_minute, tokens_per_minute })
    }

    fn headers(pairs: &[(&str, &str)]) -> Headers {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn no_minute_has_more_calls_or_tokens_than_allowed() {
        let clock = FakeClock::new(NOW);
        let by_calls = limiter(Some(2), None);
        (0..5).for_each(|_| drop(by_calls.acquire(1, &clock)));
        assert_eq!(clock.sleeps(), [MINUTE, MINUTE]);
        let clock = FakeClock::new(NOW);
        let by_tokens = limiter(None, Some(100));
        for tokens in [60, 40, 60, 500, 1] {
            drop(by_tokens.acquire(tokens, &clock));
        }
        assert_eq!(clock.sleeps(), [MINUTE, MINUTE, MINUTE]);
    }

    #[test]
    fn headers_lower_the_limits_and_pause_all_calls() {
        let clock = FakeClock::new(NOW);
        let limiter = limiter(Some(100), None);
        limiter.learn(&headers(&[("X-RateLimit-Limit-Requests", "1")]), &clock);
        (0..2).for_each(|_| drop(limiter.acquire(1, &clock)));
        assert_eq!(clock.sleeps(), [MINUTE]);
        let reset = [
            ("anthropic-ratelimit-tokens-remaining", "0"),
            ("anthropic-ratelimit-tokens-reset", "1994-11-06T08:50:57Z"),
        ];
        limiter.learn(&headers(&reset), &clock);
        drop(limiter.acquire(1, &clock));
        assert_eq!(clock.sleeps(), [MINUTE, MINUTE], "the reset lies within the minute that the calls wait anyway");
        limiter.pause(Duration::from_secs(90), &clock);
        drop(limiter.acquire(1, &clock));
        assert_eq!(clock.sleeps()[2], Duration::from_secs(90));
    }

    #[test]
    fn headers_lower_the_number_of_calls_in_flight_and_raise_it_again() {
        let clock = FakeClock::new(NOW);
        let limiter = limiter(None, None);
        let remain = |count: &str| limiter.learn(&headers(&[("x-ratelimit-remaining-requests", count)]), &clock);
        remain("2");
        let (first, second) = (limiter.acquire(1, &clock), limiter.acquire(1, &clock));
        let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                begun.store(1, Ordering::SeqCst);
                drop(limiter.acquire(1, &clock));
                ended.store(1, Ordering::SeqCst);
            });
            while begun.load(Ordering::SeqCst) == 0 {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_millis(50));
            assert_eq!(
                ended.load(Ordering::SeqCst),
                0,
                "a third call waits while two remain, although four are allowed"
            );
            remain("100");
        });
        assert_eq!((ended.load(Ordering::SeqCst), clock.sleeps().len()), (1, 0));
        drop((first, second));
        let many: Vec<_> = (0..4).map(|_| limiter.acquire(1, &clock)).collect();
        assert_eq!(many.len(), 4, "headers never raise the number above the one that was set");
        assert_eq!(limiter.state.lock().unwrap().in_flight, 4);
    }

    #[test]
    fn resets_are_durations_or_times() {
        let wait = |text: &str| reset_wait(text, NOW).map(|wait| wait.as_millis());
        assert_eq!(wait("1s"), Some(1000));
        assert_eq!(wait("6m0s"), Some(360_000));
        assert_eq!(wait("20ms"), Some(20));
        assert_eq!(wait("1h2m3.5s"), Some(3_723_500));
        assert_eq!(wait("1994-11-06T08:49:47Z"), Some(10_000));
        for text in ["soon", "1x", "..s", "é"] {
            assert_eq!(wait(text), None, "{text}");
        }
    }
}
