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
            while state.in_flight >= self.concurrency {
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

    /// Lowers the limits to those in the headers of a response, and pauses until the reset if nothing remains.
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
                if value("remaining").and_then(|text| text.parse::<u64>().ok()) == Some(0) {
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
