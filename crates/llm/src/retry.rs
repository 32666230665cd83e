//! Retries: which failures are worth another call, and how long to wait before it.

use std::time::Duration;

use crate::date;
use crate::endpoint::Headers;
use crate::error::ErrorKind;
use crate::wire::{Fault, FaultClass};

/// The default number of retries of a call.
pub const DEFAULT_RETRIES: u32 = 4;
/// The longest wait that is taken over from a server; a longer one ends the call.
pub const MAX_SERVER_WAIT: Duration = Duration::from_mins(2);
/// The longest wait that is computed here.
const MAX_BACKOFF: Duration = Duration::from_mins(1);
/// The wait before the first retry.
const FIRST_BACKOFF: Duration = Duration::from_millis(500);

/// The decision about a failed call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Another call is worth its price; the kind is that of the error if none is left.
    Retry(ErrorKind),
    /// Another call would fail for the same reason.
    Fail(ErrorKind),
}

/// Decides about a response with an error.
pub(crate) fn decide(status: u16, headers: &Headers, fault: &Fault) -> Decision {
    match fault.class {
        // The official clients retry by status alone, which never helps without money.
        FaultClass::Money => return Decision::Fail(ErrorKind::Quota),
        FaultClass::ContextOverflow => return Decision::Fail(ErrorKind::ContextOverflow),
        FaultClass::Status => {}
    }
    let status = fault.status.unwrap_or(status);
    let kind = match status {
        401 | 403 => ErrorKind::Authentication,
        408 | 504 => ErrorKind::Timeout,
        409 | 429 | 500.. => ErrorKind::Overloaded,
        _ => ErrorKind::Rejected,
    };
    let by_status = matches!(status, 408 | 409 | 429 | 500..);
    let asked = match headers.get("x-should-retry").map(str::trim) {
        Some("true") => Some(true),
        Some("false") => Some(false),
        _ => None,
    };
    if asked.unwrap_or(by_status) { Decision::Retry(kind) } else { Decision::Fail(kind) }
}

/// Returns the wait that the headers of a response ask for: `retry-after-ms`, or `retry-after` in seconds or as a date.
pub(crate) fn server_wait(headers: &Headers, now: Duration) -> Option<Duration> {
    let seconds = |text: &str, scale: f64| {
        let number = text.trim().parse::<f64>().ok().filter(|number| *number > 0.0)?;
        Duration::try_from_secs_f64(number / scale).ok()
    };
    if let Some(wait) = headers.get("retry-after-ms").and_then(|text| seconds(text, 1000.0)) {
        return Some(wait);
    }
    let text = headers.get("retry-after")?;
    let wait = seconds(text, 1.0).or_else(|| date::parse_http(text.trim())?.checked_sub(now));
    wait.filter(|wait| !wait.is_zero())
}

/// Returns the wait before retry `retry` (from 0) if the server asks for none: 0.5 s, doubled with each retry up to 60 s, shortened by up to
/// a quarter by the seed.
pub(crate) fn backoff(retry: u32, seed: u64) -> Duration {
    let full = FIRST_BACKOFF.saturating_mul(1u32.checked_shl(retry.min(20)).unwrap_or(u32::MAX)).min(MAX_BACKOFF);
    let unit = (mix(seed ^ u64::from(retry)) >> 11) as f64 / (1u64 << 53) as f64;
    full.mul_f64(1.0 - 0.25 * unit)
}

/// Mixes the bits of a number (the finalizer of SplitMix64), so that equal seeds give equal waits on any number of threads.
pub(crate) const fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&str, &str)]) -> Headers {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn the_wait_of_the_server_is_read_in_its_three_forms() {
        let now = Duration::from_secs(784_111_777);
        let wait = |pairs: &[(&str, &str)]| server_wait(&headers(pairs), now).map(|wait| wait.as_millis());
        assert_eq!(wait(&[("retry-after", "2")]), Some(2000));
        assert_eq!(wait(&[("retry-after", "0.25")]), Some(250));
        assert_eq!(wait(&[("retry-after", "9"), ("retry-after-ms", "70")]), Some(70));
        assert_eq!(wait(&[("retry-after", "Sun, 06 Nov 1994 08:49:57 GMT")]), Some(20_000));
        assert_eq!(wait(&[("retry-after", "Sun, 06 Nov 1994 08:49:07 GMT")]), None);
        for text in ["0", "-1", "NaN", "inf", "1e300", "soon", ""] {
            assert_eq!(wait(&[("retry-after", text)]), None, "{text}");
        }
    }

    #[test]
    fn waits_double_up_to_a_minute_and_are_shortened_by_at_most_a_quarter() {
        for (retry, full) in [(0, 0.5), (1, 1.0), (3, 4.0), (7, 60.0), (40, 60.0)] {
            for seed in 0..100 {
                let wait = backoff(retry, seed).as_secs_f64();
                assert!(wait <= full && wait >= 0.75 * full, "{retry} {seed} {wait}");
            }
        }
    }

    #[test]
    fn the_word_of_the_server_counts_more_than_the_status_and_money_more_than_both() {
        let fault = |class| Fault { message: String::new(), code: String::new(), status: None, class };
        let plain = fault(FaultClass::Status);
        let decide = |status, pairs: &[(&str, &str)], fault: &Fault| decide(status, &headers(pairs), fault);
        assert_eq!(decide(400, &[], &plain), Decision::Fail(ErrorKind::Rejected));
        assert_eq!(decide(400, &[("x-should-retry", "true")], &plain), Decision::Retry(ErrorKind::Rejected));
        assert_eq!(decide(503, &[("x-should-retry", "false")], &plain), Decision::Fail(ErrorKind::Overloaded));
        let money = fault(FaultClass::Money);
        assert_eq!(decide(429, &[("x-should-retry", "true")], &money), Decision::Fail(ErrorKind::Quota));
    }
}
