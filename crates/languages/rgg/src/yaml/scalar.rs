//! Scalars and their types.

use std::ops::Range;
use std::sync::Arc;

use goalspec_syntax::Span;

/// A scalar as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// The text, without quotes and with escapes resolved.
    pub text: Arc<str>,
    /// The span, including quotes.
    pub span: Span,
    /// The style.
    pub style: QuotingStyle,
    /// The byte offset of the text in the source, if the text occurs there verbatim.
    pub(super) start: Option<u32>,
}

/// The style of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuotingStyle {
    /// Unquoted: the scalar may be a number, a Boolean or null.
    Plain,
    /// Quoted, or tagged as a string: the scalar is a string.
    Quoted,
    /// A block after `|` or `>`: the scalar is a string, and its span begins after that sign.
    Block,
}

/// The type and value of a scalar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScalarValue {
    /// Null.
    Null,
    /// A Boolean.
    Bool(bool),
    /// A 32-bit integer.
    Int(i32),
    /// Any other number.
    Real(f64),
    /// A string.
    Str,
}

impl ScalarValue {
    /// Returns the kind, with an article.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::Real(_) => "a number",
            Self::Str => "a string",
        }
    }
}

impl Scalar {
    /// Returns the type and value. Plain scalars are typed as in YAML 1.1, in which `yes` and `off` are Booleans and `010` is 8.
    pub fn value(&self) -> ScalarValue {
        match self.style {
            QuotingStyle::Plain => resolve_plain(&self.text),
            QuotingStyle::Quoted | QuotingStyle::Block => ScalarValue::Str,
        }
    }

    /// Whether the value in YAML 1.1 differs from that in YAML 1.2.
    pub fn is_ambiguous(&self) -> bool {
        let canonical = match self.value() {
            ScalarValue::Bool(truth) => self.text.eq_ignore_ascii_case(if truth { "true" } else { "false" }),
            ScalarValue::Int(_) | ScalarValue::Real(_) => {
                let digits = self.text.trim_start_matches(['-', '+']).as_bytes();
                let octal =
                    digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit() && !digits.contains(&b'.');
                !octal && !self.text.contains(['_', ':', 'b', 'x'])
            }
            ScalarValue::Null | ScalarValue::Str => true,
        };
        !canonical
    }

    /// Returns the span of a byte range of the text; the span of the whole scalar if escapes or line breaks prevent the mapping.
    pub fn span_of(&self, part: Range<usize>) -> Span {
        match self.start {
            Some(start) if part.end <= self.text.len() => {
                Span::new(self.span.source, start + part.start as u32, start + part.end as u32)
            }
            _ => self.span,
        }
    }
}

pub(super) fn resolve_plain(text: &str) -> ScalarValue {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ScalarValue::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => ScalarValue::Bool(true),
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => ScalarValue::Bool(false),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => ScalarValue::Real(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => ScalarValue::Real(f64::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => ScalarValue::Real(f64::NAN),
        _ => number(text).unwrap_or(ScalarValue::Str),
    }
}

fn number(text: &str) -> Option<ScalarValue> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let negative = text.starts_with('-');
    if !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let radix = match unsigned.as_bytes() {
        [b'0', b'b', ..] => Some((2, &unsigned[2..])),
        [b'0', b'x', ..] => Some((16, &unsigned[2..])),
        [b'0', rest @ ..] if !rest.is_empty() && rest.iter().all(|byte| matches!(byte, b'0'..=b'7' | b'_')) => {
            Some((8, &unsigned[1..]))
        }
        _ => None,
    };
    if let Some((radix, digits)) = radix {
        return parse_integer(digits, radix, negative);
    }
    if unsigned.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        // A number with a leading 0 that is not octal is a string.
        let leading_zero = unsigned.len() > 1 && unsigned.starts_with('0');
        return if leading_zero { None } else { parse_integer(unsigned, 10, negative) };
    }
    parse_float(text, unsigned).map(ScalarValue::Real)
}

/// Parses digits as an integer; as a real number if it exceeds 32 bits.
fn parse_integer(digits: &str, radix: u32, negative: bool) -> Option<ScalarValue> {
    let (mut exact, mut rounded, mut any) = (Some(0_i64), 0.0, false);
    for digit in digits.chars().filter(|&digit| digit != '_') {
        let digit = digit.to_digit(radix)?;
        exact = exact.and_then(|exact| exact.checked_mul(i64::from(radix))?.checked_add(i64::from(digit)));
        rounded = rounded * f64::from(radix) + f64::from(digit);
        any = true;
    }
    let signed = exact.map(|exact| if negative { -exact } else { exact });
    let small = signed.and_then(|number| i32::try_from(number).ok()).map(ScalarValue::Int);
    if !any {
        return None;
    }
    Some(small.unwrap_or_else(|| {
        let decimal = if radix == 10 { digits.replace('_', "").parse().ok() } else { None };
        let number: f64 = decimal.unwrap_or(rounded);
        ScalarValue::Real(if negative { -number } else { number })
    }))
}

/// Parses a number with a decimal point or an exponent.
fn parse_float(text: &str, unsigned: &str) -> Option<f64> {
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let exponent_is_whole = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    let starts_with_digit = if before.is_empty() {
        after.starts_with(|first: char| first.is_ascii_digit())
    } else {
        before.starts_with(|first: char| first.is_ascii_digit())
    };
    if !(digits(before) && digits(after) && exponent_is_whole && starts_with_digit) {
        return None;
    }
    text.replace('_', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::ScalarValue::{Bool, Int, Null, Real, Str};
    use super::resolve_plain;

    #[test]
    fn bare_scalars_are_typed_as_in_yaml_1_1() {
        let cases = [
            ("", Null),
            ("~", Null),
            ("true", Bool(true)),
            ("Off", Bool(false)),
            ("tRUE", Str),
            ("y", Str),
            ("0", Int(0)),
            ("-12", Int(-12)),
            ("+1_000", Int(1000)),
            ("2147483648", Real(2_147_483_648.0)),
            ("-2147483648", Int(i32::MIN)),
            ("010", Int(8)),
            ("09", Str),
            ("0x1F", Int(31)),
            ("0b101", Int(5)),
            ("1.", Real(1.0)),
            (".5", Real(0.5)),
            ("-1.5e-3", Real(-0.0015)),
            ("1e3", Real(1000.0)),
            ("1e", Str),
            (".", Str),
            ("-", Str),
            ("1.2.3", Str),
            ("_1", Str),
            ("0x", Str),
            ("infinity", Str),
            ("1abc", Str),
        ];
        for (text, expected) in cases {
            assert_eq!(resolve_plain(text), expected, "{text}");
        }
    }
}
