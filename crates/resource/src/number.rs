//! Parsing of numbers in text, and their text form.

use std::fmt;

/// The exponents accepted in a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExponentCase {
    /// `1E3` and `1e3`.
    Either,
    /// `1E3` only: `1e3` is 1 followed by other text.
    Capital,
}

/// Parses the real number at the beginning of a text, ignoring surrounding whitespace; returns `None` if there is none.
///
/// The number may contain a sign, commas between digits, and an exponent, as in `-1,000.5e2`. Text after it is ignored: `12abc`
/// is 12.
pub fn parse_prefix(text: &str) -> Option<f64> {
    parse_with_exponent(text, ExponentCase::Either)
}

/// Parses the number at the beginning of a text as an integer, for comparison with one: truncates towards 0 and wraps around at
/// 32 bits; numbers beyond 64 bits saturate at the nearest 32-bit integer. An exponent needs a capital `E`.
pub fn parse_int_prefix(text: &str) -> Option<i32> {
    // 2^63, the smallest positive number beyond 64-bit integers.
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    let number = parse_with_exponent(text, ExponentCase::Capital)?;
    Some(if number.abs() < BEYOND { number as i64 as i32 } else { number as i32 })
}

/// Parses a number as [`parse_prefix`] does, except that an exponent needs a capital `E`.
pub fn parse_real_prefix(text: &str) -> Option<f64> {
    parse_with_exponent(text, ExponentCase::Capital)
}

/// Parses the operand that a text represents in a numeric expression: `5%` is 0.05, `-` alone is 0, and other texts are parsed as
/// by [`parse_prefix`].
pub fn parse_operand(text: &str) -> Option<f64> {
    let text = text.trim();
    if text == "-" {
        return Some(0.0);
    }
    match text.strip_suffix('%').and_then(parse_exact) {
        Some(percent) => Some(percent / 100.0),
        None => parse_prefix(text),
    }
}

/// Parses a text that is a number as a whole, surrounding whitespace aside: digits with an optional sign, point and exponent.
pub fn parse_exact(text: &str) -> Option<f64> {
    let text = text.trim();
    // `str::parse` also accepts `inf`, `infinity` and `nan`.
    let digits_only = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    if digits_only { text.parse().ok() } else { None }
}

fn parse_with_exponent(text: &str, exponent: ExponentCase) -> Option<f64> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let digits = |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let mut end = sign;
    if bytes.get(end).is_some_and(u8::is_ascii_digit) {
        end += bytes[end..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b',').count();
    }
    let mut any = end > sign;
    if bytes.get(end) == Some(&b'.') {
        let after = digits(end + 1);
        any |= after > end + 1;
        end = after;
    }
    if !any {
        return None;
    }
    if bytes.get(end) == Some(&b'E') || (exponent == ExponentCase::Either && bytes.get(end) == Some(&b'e')) {
        let start = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(start).is_some_and(u8::is_ascii_digit) {
            end = digits(start);
        }
    }
    text[..end].replace(',', "").parse().ok()
}

/// Writes a real number with at least one digit after the point: `5.0`. Magnitudes of at least 10,000,000 or below 0.001 are
/// written with an exponent: `3.0E9`.
pub(super) fn write_real(f: &mut fmt::Formatter<'_>, value: f64) -> fmt::Result {
    if value.is_nan() {
        return f.write_str("NaN");
    }
    if value.is_infinite() {
        return f.write_str(if value > 0.0 { "Infinity" } else { "-Infinity" });
    }
    if value == 0.0 || (1e-3..1e7).contains(&value.abs()) {
        return write!(f, "{value:?}");
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let point = if mantissa.contains('.') { "" } else { ".0" };
    write!(f, "{mantissa}{point}E{exponent}")
}

#[cfg(test)]
mod tests {
    use super::{parse_exact, parse_int_prefix, parse_operand, parse_prefix, parse_real_prefix};

    #[test]
    fn prefixes() {
        assert_eq!(parse_prefix(" 5 "), Some(5.0));
        assert_eq!(parse_prefix("12abc"), Some(12.0));
        assert_eq!(parse_prefix("-1,000.5e2"), Some(-100_050.0));
        assert_eq!(parse_prefix("1e"), Some(1.0));
        assert_eq!(parse_prefix("2."), Some(2.0));
        for text in ["", "abc", ".", "-", "+.", ",1", "e3", "inf", "NaN", "é"] {
            assert_eq!(parse_prefix(text), None, "{text}");
        }
    }

    #[test]
    fn classes() {
        assert_eq!(parse_int_prefix("5.9"), Some(5));
        assert_eq!(parse_int_prefix("-5.9"), Some(-5));
        assert_eq!(parse_int_prefix("1e3"), Some(1));
        assert_eq!(parse_real_prefix("1E3"), Some(1000.0));
        assert_eq!(parse_int_prefix("4294967297"), Some(1));
        assert_eq!(parse_int_prefix("1E300"), Some(i32::MAX));
    }

    #[test]
    fn in_expressions() {
        assert_eq!(parse_operand("5%"), Some(0.05));
        assert_eq!(parse_operand("-"), Some(0.0));
        assert_eq!(parse_operand("1,234"), Some(1234.0));
        assert_eq!(parse_operand("%"), None);
    }

    #[test]
    fn whole_texts() {
        assert_eq!(parse_exact(" 1e3 "), Some(1000.0));
        for text in ["inf", "nan", "infinity", "1_0", "1,0", ""] {
            assert_eq!(parse_exact(text), None, "{text}");
        }
    }
}
