//! Dates in headers and records: seconds since 1970 in UTC, without leap seconds.

use std::time::Duration;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The number of days from 1970-01-01 to a date of the Gregorian calendar.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last one; see Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The date of the Gregorian calendar that lies a number of days after 1970-01-01.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let (day, month) = (day_of_year - (153 * shifted + 2) / 5 + 1, (shifted + 2) % 12 + 1);
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Returns the time since 1970 of a date and a time of day, each field checked against its range.
fn instant(year: i64, month: i64, day: i64, time: &str, offset_seconds: i64) -> Option<Duration> {
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut fields = clock.split(':').map(digits);
    let (hour, minute, second) = (fields.next()??, fields.next()??, fields.next()??);
    let in_range = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second <= 60;
    if !in_range || fields.next().is_some() || !(1970..=9999).contains(&year) {
        return None;
    }
    digits(fraction)?;
    let fraction: f64 = format!("0.{fraction}").parse().ok()?;
    let seconds = days_from_civil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset_seconds;
    Some(Duration::from_secs(u64::try_from(seconds).ok()?) + Duration::from_secs_f64(fraction))
}

/// Parses an unsigned number of at most 18 digits.
fn digits(text: &str) -> Option<i64> {
    let valid = !text.is_empty() && text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    if valid { text.parse().ok() } else { None }
}

/// Parses a date of HTTP, `Sun, 06 Nov 1994 08:49:37 GMT`, as the time since 1970 (RFC 9110, IMF-fixdate).
pub(crate) fn parse_http(text: &str) -> Option<Duration> {
    let mut words = text.split_once(',')?.1.split_ascii_whitespace();
    let (day, month, year) = (digits(words.next()?)?, words.next()?, digits(words.next()?)?);
    let (time, zone) = (words.next()?, words.next()?);
    let month = MONTHS.iter().position(|name| name.eq_ignore_ascii_case(month))?;
    if zone == "GMT" && words.next().is_none() {
        instant(year, i64::try_from(month).ok()? + 1, day, time, 0)
    } else {
        None
    }
}

/// Parses a time of RFC 3339, `1994-11-06T08:49:37Z`, as the time since 1970.
pub(crate) fn parse_rfc3339(text: &str) -> Option<Duration> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let mut date = date.split('-').map(digits);
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    if date.next().is_some() {
        return None;
    }
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return instant(year, month, day, time, 0);
    }
    let at = time.rfind(['+', '-'])?;
    let (hours, minutes) = time[at + 1..].split_once(':')?;
    let offset = digits(hours)? * 3600 + digits(minutes)? * 60;
    instant(year, month, day, &time[..at], if time[at..].starts_with('-') { -offset } else { offset })
}

/// Formats the time since 1970 as a time of RFC 3339 in UTC, with milliseconds.
pub(crate) fn format_rfc3339(time: Duration) -> String {
    let seconds = time.as_secs().cast_signed();
    let (year, month, day) = civil_from_days(seconds.div_euclid(86_400));
    let rest = seconds.rem_euclid(86_400);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", time.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_both_standards_are_the_same_instant() {
        let expected = Some(Duration::from_secs(784_111_777));
        assert_eq!(parse_http("Sun, 06 Nov 1994 08:49:37 GMT"), expected);
        assert_eq!(parse_rfc3339("1994-11-06T08:49:37Z"), expected);
        assert_eq!(parse_rfc3339("1994-11-06T10:49:37+02:00"), expected);
        assert_eq!(format_rfc3339(Duration::from_secs(784_111_777)), "1994-11-06T08:49:37.000Z");
    }

    #[test]
    fn formatted_dates_are_read_back() {
        for seconds in (0..4_000_000_000).step_by(86_399 * 31) {
            let time = Duration::from_secs(seconds) + Duration::from_millis(125);
            assert_eq!(parse_rfc3339(&format_rfc3339(time)), Some(time));
        }
    }

    #[test]
    fn malformed_dates_are_refused() {
        for text in ["", ",", "Sun, 06 Nov", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET"] {
            assert_eq!(parse_http(text), None, "{text}");
        }
        for text in ["", "T", "1994-11-06", "1994-11-06T08:49", "1994-13-06T08:49:37Z", "1994-11-06T08:49:37é"] {
            assert_eq!(parse_rfc3339(text), None, "{text}");
        }
    }
}
