//! Scalars and what kinds of value they are.

use std::ops::Range;
use std::sync::Arc;

use goalspec_syntax::Span;

/// A scalar as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// The text, quotes and escapes undone.
    pub text: Arc<str>,
    /// Where it stands, quotes included.
    pub span: Span,
    /// How it is written.
    pub style: Style,
    /// Where the text begins in the source, if it stands there byte for byte.
    pub(super) start: Option<u32>,
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// Bare: it may be a number, a truth value or nothing.
    Plain,
    /// In quotes, or tagged as text: it is text whatever it looks like.
    Text,
    /// On the lines after `|` or `>`: it is text too, and its span begins after that sign.
    Block,
}

/// What a scalar is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Literal {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number of 32 bits.
    Int(i32),
    /// Another number.
    Real(f64),
    /// Text.
    Text,
}

impl Literal {
    /// What it is, with its article.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a truth value",
            Self::Int(_) | Self::Real(_) => "a number",
            Self::Text => "text",
        }
    }
}

impl Scalar {
    /// What it is: a bare scalar is typed as YAML 1.1 has it, in which `yes` and `off` are truth values and `010` is 8.
    pub fn literal(&self) -> Literal {
        match self.style {
            Style::Plain => plain(&self.text),
            Style::Text | Style::Block => Literal::Text,
        }
    }

    /// Whether YAML 1.1 takes it for something else than YAML 1.2 does.
    pub fn is_ambiguous(&self) -> bool {
        let canonical = match self.literal() {
            Literal::Bool(truth) => self.text.eq_ignore_ascii_case(if truth { "true" } else { "false" }),
            Literal::Int(_) | Literal::Real(_) => {
                let digits = self.text.trim_start_matches(['-', '+']).as_bytes();
                let octal =
                    digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit() && !digits.contains(&b'.');
                !octal && !self.text.contains(['_', ':', 'b', 'x'])
            }
            Literal::Null | Literal::Text => true,
        };
        !canonical
    }

    /// The bytes of the source at which a part of the text stands; the whole scalar where escapes or line ends come between.
    pub fn part(&self, part: Range<usize>) -> Span {
        match self.start {
            Some(start) if part.end <= self.text.len() => {
                Span::new(self.span.source, start + part.start as u32, start + part.end as u32)
            }
            _ => self.span,
        }
    }
}

fn plain(text: &str) -> Literal {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Literal::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Literal::Bool(true),
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => Literal::Bool(false),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Literal::Real(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Literal::Real(f64::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => Literal::Real(f64::NAN),
        _ => number(text).unwrap_or(Literal::Text),
    }
}

fn number(text: &str) -> Option<Literal> {
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
        return whole(digits, radix, negative);
    }
    if unsigned.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        // A number with a leading 0 that is not octal is text.
        let leading_zero = unsigned.len() > 1 && unsigned.starts_with('0');
        return if leading_zero { None } else { whole(unsigned, 10, negative) };
    }
    real(text, unsigned).map(Literal::Real)
}

/// The number of these digits; one that does not fit into 32 bits is real.
fn whole(digits: &str, radix: u32, negative: bool) -> Option<Literal> {
    let (mut exact, mut rounded, mut any) = (Some(0_i64), 0.0, false);
    for digit in digits.chars().filter(|&digit| digit != '_') {
        let digit = digit.to_digit(radix)?;
        exact = exact.and_then(|exact| exact.checked_mul(i64::from(radix))?.checked_add(i64::from(digit)));
        rounded = rounded * f64::from(radix) + f64::from(digit);
        any = true;
    }
    let signed = exact.map(|exact| if negative { -exact } else { exact });
    let small = signed.and_then(|number| i32::try_from(number).ok()).map(Literal::Int);
    if !any {
        return None;
    }
    Some(small.unwrap_or_else(|| {
        let decimal = if radix == 10 { digits.replace('_', "").parse().ok() } else { None };
        let number: f64 = decimal.unwrap_or(rounded);
        Literal::Real(if negative { -number } else { number })
    }))
}

/// A number with a point or an exponent.
fn real(text: &str, unsigned: &str) -> Option<f64> {
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
    use super::Literal::{Bool, Int, Null, Real, Text};
    use super::plain;

    #[test]
    fn bare_scalars_are_typed_as_in_yaml_1_1() {
        let cases = [
            ("", Null),
            ("~", Null),
            ("true", Bool(true)),
            ("Off", Bool(false)),
            ("tRUE", Text),
            ("y", Text),
            ("0", Int(0)),
            ("-12", Int(-12)),
            ("+1_000", Int(1000)),
            ("2147483648", Real(2_147_483_648.0)),
            ("-2147483648", Int(i32::MIN)),
            ("010", Int(8)),
            ("09", Text),
            ("0x1F", Int(31)),
            ("0b101", Int(5)),
            ("1.", Real(1.0)),
            (".5", Real(0.5)),
            ("-1.5e-3", Real(-0.0015)),
            ("1e3", Real(1000.0)),
            ("1e", Text),
            (".", Text),
            ("-", Text),
            ("1.2.3", Text),
            ("_1", Text),
            ("0x", Text),
            ("infinity", Text),
            ("1abc", Text),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected, "{text}");
        }
    }
}
