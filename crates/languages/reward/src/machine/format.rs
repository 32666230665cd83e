//! Format specifications: `{x:.2f}`, `str.format` and `%`.

use super::Machine;
use super::call::Named;
use super::exceptions::{ExceptionKind, Fault, Outcome};
use super::numbers::Number;
use super::value::{Cell, Value};

/// Widest field and most digits.
const MAX_WIDTH: usize = 10_000;

/// A format specification, taken apart.
#[derive(Debug, Clone, Default)]
struct Spec {
    fill: Option<char>,
    align: Option<char>,
    sign: Option<char>,
    alternate: bool,
    zero: bool,
    width: usize,
    grouping: Option<char>,
    precision: Option<usize>,
    kind: Option<char>,
}

impl Spec {
    fn read(text: &str) -> Option<Self> {
        let mut spec = Self::default();
        let characters: Vec<char> = text.chars().collect();
        let mut rest = characters.as_slice();
        let is_align = |character: char| matches!(character, '<' | '>' | '^' | '=');
        if let [fill, align, ..] = rest
            && is_align(*align)
        {
            (spec.fill, spec.align) = (Some(*fill), Some(*align));
            rest = &rest[2..];
        } else if let [align, ..] = rest
            && is_align(*align)
        {
            spec.align = Some(*align);
            rest = &rest[1..];
        }
        let take = |rest: &mut &[char], wanted: &[char]| -> Option<char> {
            let first = *rest.first()?;
            wanted.contains(&first).then(|| {
                *rest = &rest[1..];
                first
            })
        };
        spec.sign = take(&mut rest, &['+', '-', ' ']);
        spec.alternate = take(&mut rest, &['#']).is_some();
        spec.zero = take(&mut rest, &['0']).is_some();
        spec.width = digits(&mut rest)?.unwrap_or(0);
        spec.grouping = take(&mut rest, &[',', '_']);
        if take(&mut rest, &['.']).is_some() {
            spec.precision = Some(digits(&mut rest)??);
        }
        spec.kind = rest.first().copied();
        (rest.len() <= 1).then_some(spec)
    }

    /// Fills up to the width.
    fn pad(&self, sign: &str, body: &str, by_default: char) -> String {
        let missing = self.width.saturating_sub(sign.chars().count() + body.chars().count());
        let zero = self.zero && self.align.is_none();
        let fill = self.fill.unwrap_or(if zero { '0' } else { ' ' });
        let filling = |count: usize| fill.to_string().repeat(count);
        match self.align.unwrap_or(if zero { '=' } else { by_default }) {
            '<' => format!("{sign}{body}{}", filling(missing)),
            '^' => format!("{}{sign}{body}{}", filling(missing / 2), filling(missing - missing / 2)),
            '=' => format!("{sign}{}{body}", filling(missing)),
            _ => format!("{}{sign}{body}", filling(missing)),
        }
    }

    fn sign_of(&self, negative: bool) -> &'static str {
        match (negative, self.sign) {
            (true, _) => "-",
            (false, Some('+')) => "+",
            (false, Some(' ')) => " ",
            _ => "",
        }
    }
}

/// The number at the beginning, if there is one; `None` if it is too large.
#[allow(clippy::option_option, reason = "none there, and none that fits, differ")]
fn digits(rest: &mut &[char]) -> Option<Option<usize>> {
    let count = rest.iter().take_while(|character| character.is_ascii_digit()).count();
    if count == 0 {
        return Some(None);
    }
    let number: usize = rest[..count].iter().collect::<String>().parse().ok()?;
    *rest = &rest[count..];
    (number <= MAX_WIDTH).then_some(Some(number))
}

impl Machine<'_> {
    /// What `format(value, spec)` gives.
    pub(super) fn format(&mut self, value: Value, spec: &str) -> Outcome<String> {
        if let Some(method) = self.special(value, "__format__") {
            let spec = self.heap.text(spec);
            let text = self.call_value(method, &[spec], &[])?;
            return self.str(text);
        }
        if spec.is_empty() {
            return self.str(value);
        }
        let number = self.number(value);
        let text = self.as_text(value);
        if number.is_none() && text.is_none() {
            let message = format!("unsupported format string passed to {}.__format__", self.class_name(value));
            return Err(self.type_error(&message));
        }
        let Some(read) = Spec::read(spec) else {
            return Err(self.raise(ExceptionKind::ValueError, "Invalid format specifier"));
        };
        if let Some(text) = text {
            return match read.kind {
                None | Some('s') => {
                    let cut: String = text.chars().take(read.precision.unwrap_or(usize::MAX)).collect();
                    Ok(read.pad("", &cut, '<'))
                }
                Some(kind) => Err(self.unknown_code(kind, value)),
            };
        }
        match (number, read.kind) {
            (Some(Number::Float(number)), kind) => match formatted_float(number, &read, kind) {
                Some(text) => Ok(text),
                None => Err(self.unknown_code(kind.unwrap_or(' '), value)),
            },
            (Some(number), Some(kind @ ('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%'))) => {
                let number = self.float_of(&number)?;
                Ok(formatted_float(number, &read, Some(kind)).unwrap_or_default())
            }
            (Some(number), kind) => {
                if matches!(value, Value::Bool(_)) && kind.is_none() {
                    let text = self.str(value)?;
                    return Ok(read.pad("", &text, '<'));
                }
                self.formatted_whole(&number, &read, value)
            }
            (None, _) => Ok(String::new()),
        }
    }

    fn unknown_code(&mut self, kind: char, value: Value) -> Fault {
        let message = format!("Unknown format code '{kind}' for object of type '{}'", self.class_name(value));
        self.raise(ExceptionKind::ValueError, &message)
    }

    fn formatted_whole(&mut self, number: &Number, spec: &Spec, value: Value) -> Outcome<String> {
        let Some(big) = number.to_big() else { return Ok(String::new()) };
        let (radix, prefix, group) = match spec.kind {
            None | Some('d' | 'n') => (10, "", 3),
            Some('b') => (2, "0b", 4),
            Some('o') => (8, "0o", 4),
            Some('x') => (16, "0x", 4),
            Some('X') => (16, "0X", 4),
            Some('c') => {
                let character = u32::try_from(&big).ok().and_then(char::from_u32);
                return match character {
                    Some(character) => Ok(spec.pad("", &character.to_string(), '<')),
                    None => Err(self.raise(ExceptionKind::OverflowError, "%c arg not in range(0x110000)")),
                };
            }
            Some(kind) => return Err(self.unknown_code(kind, value)),
        };
        if spec.precision.is_some() {
            let message = "Precision not allowed in integer format specifier";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let mut digits = big.magnitude().to_str_radix(radix);
        if spec.kind == Some('X') {
            digits = digits.to_uppercase();
        }
        if let Some(separator) = spec.grouping {
            digits = grouped(&digits, separator, group);
        }
        let negative = big < num_bigint::BigInt::ZERO;
        let prefix = if spec.alternate { prefix } else { "" };
        let sign = format!("{}{prefix}", spec.sign_of(negative));
        Ok(spec.pad(&sign, &digits, '>'))
    }

    /// `text % values`.
    pub(super) fn printf(&mut self, text: Value, values: Value) -> Outcome {
        let template = self.as_text(text).unwrap_or_else(|| "".into());
        let unused_is_fine = self.is_mapping(values);
        let values = match values {
            Value::Ref(at) => match self.heap.get(at) {
                Cell::Tuple(values) => values.to_vec(),
                _ => vec![values],
            },
            _ => vec![values],
        };
        let mut values = values.into_iter();
        let mut written = String::new();
        let mut rest = &*template;
        while let Some(place) = rest.find('%') {
            written.push_str(&rest[..place]);
            rest = &rest[place + 1..];
            if let Some(after) = rest.strip_prefix('%') {
                written.push('%');
                rest = after;
                continue;
            }
            let length = rest.find(|character: char| character.is_ascii_alphabetic());
            let Some(length) = length else {
                return Err(self.raise(ExceptionKind::ValueError, "incomplete format"));
            };
            let (flags, kind) = (&rest[..length], rest[length..].chars().next().unwrap_or('s'));
            rest = &rest[length + kind.len_utf8()..];
            let Some(value) = values.next() else {
                return Err(self.type_error("not enough arguments for format string"));
            };
            let piece = self.printf_piece(flags, kind, value)?;
            written.push_str(&piece);
        }
        written.push_str(rest);
        if values.next().is_some() && !unused_is_fine {
            return Err(self.type_error("not all arguments converted during string formatting"));
        }
        Ok(self.heap.text(&written))
    }

    /// Whether `%` may take values by name from a value: then it need not take any.
    fn is_mapping(&mut self, value: Value) -> bool {
        let Value::Ref(at) = value else { return false };
        match self.heap.get(at) {
            Cell::List(_) | Cell::Dict(_) | Cell::Range { .. } | Cell::Array(_) => true,
            Cell::Instance { .. } => self.special(value, "__getitem__").is_some(),
            _ => false,
        }
    }

    fn printf_piece(&mut self, flags: &str, kind: char, value: Value) -> Outcome<String> {
        // A minus sign is `<`, and numbers stand on the right.
        let left = flags.contains('-');
        let flags = flags.replace('-', "");
        let align = if left { "<" } else { ">" };
        let has_zero = flags.trim_start_matches(['+', ' ', '#']).starts_with('0') && !left;
        let align = if has_zero { "" } else { align };
        match kind {
            's' | 'r' => {
                let text = if kind == 's' { self.str(value)? } else { self.repr(value)? };
                let text = self.heap.text(&text);
                self.format(text, &format!("{align}{flags}s"))
            }
            'd' | 'i' | 'u' => {
                if self.number(value).is_none() {
                    let message = format!("%{kind} format: a real number is required, not {}", self.class_name(value));
                    return Err(self.type_error(&message));
                }
                let whole = self.as_int(value)?;
                self.format(whole, &format!("{align}{flags}d"))
            }
            'x' | 'X' | 'o' => self.format(value, &format!("{align}{flags}{kind}")),
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' => {
                if self.number(value).is_none() {
                    let message = format!("must be real number, not {}", self.class_name(value));
                    return Err(self.type_error(&message));
                }
                self.format(value, &format!("{align}{flags}{kind}"))
            }
            _ => {
                let message = format!("unsupported format character '{kind}'");
                Err(self.raise(ExceptionKind::ValueError, &message))
            }
        }
    }

    /// `template.format(..)`, with places and names; without attributes and indices of them.
    pub(super) fn str_format(&mut self, template: &str, arguments: &[Value], named: Named<'_>) -> Outcome<String> {
        let mut written = String::new();
        let mut rest = template;
        let mut next = 0;
        while let Some(place) = rest.find(['{', '}']) {
            written.push_str(&rest[..place]);
            let bracket = rest.as_bytes()[place];
            rest = &rest[place + 1..];
            if rest.as_bytes().first() == Some(&bracket) {
                written.push(char::from(bracket));
                rest = &rest[1..];
                continue;
            }
            let Some(end) = rest.find('}').filter(|_| bracket == b'{') else {
                let message = format!("Single '{}' encountered in format string", char::from(bracket));
                return Err(self.raise(ExceptionKind::ValueError, &message));
            };
            let (field, spec) = rest[..end].split_once(':').unwrap_or((&rest[..end], ""));
            let (field, conversion) = field.split_once('!').unwrap_or((field, ""));
            rest = &rest[end + 1..];
            let mut value = self.field(field, &mut next, arguments, named)?;
            if conversion == "r" || conversion == "s" {
                let text = if conversion == "r" { self.repr(value)? } else { self.str(value)? };
                value = self.heap.text(&text);
            }
            let piece = self.format(value, spec)?;
            written.push_str(&piece);
        }
        written.push_str(rest);
        Ok(written)
    }

    fn field(&mut self, field: &str, next: &mut usize, arguments: &[Value], named: Named<'_>) -> Outcome {
        let place = if field.is_empty() {
            *next += 1;
            Some(*next - 1)
        } else {
            field.parse().ok()
        };
        if let Some(place) = place {
            return if let Some(&value) = arguments.get(place) {
                Ok(value)
            } else {
                let message = format!("Replacement index {place} out of range for positional args tuple");
                Err(self.raise(ExceptionKind::IndexError, &message))
            };
        }
        let found = named.iter().find(|(symbol, _)| &*self.name(*symbol) == field);
        if let Some(&(_, value)) = found {
            Ok(value)
        } else {
            let key = self.heap.text(field);
            Err(self.raise_with(ExceptionKind::KeyError, vec![key]))
        }
    }
}

/// Digits with a separator between groups, from the right.
fn grouped(digits: &str, separator: char, group: usize) -> String {
    let length = digits.len();
    let mut written = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (length - place).is_multiple_of(group) {
            written.push(separator);
        }
        written.push(digit);
    }
    written
}

/// A float in one of the ways to write them; `None` if there is no such.
fn formatted_float(number: f64, spec: &Spec, kind: Option<char>) -> Option<String> {
    let magnitude = number.abs();
    let sign = spec.sign_of(number.is_sign_negative() && !number.is_nan());
    let precision = spec.precision.unwrap_or(6);
    let mut body = match kind {
        _ if !number.is_finite() => super::text::float(magnitude),
        Some('f' | 'F') => format!("{magnitude:.precision$}"),
        Some('%') => format!("{:.precision$}%", magnitude * 100.0),
        Some('e' | 'E') => scientific(magnitude, precision),
        Some('g' | 'G') => general(magnitude, precision.max(1), spec.alternate, false),
        None if spec.precision.is_none() => super::text::float(magnitude),
        None => general(magnitude, precision.max(1), spec.alternate, true),
        Some(_) => return None,
    };
    if matches!(kind, Some('E' | 'F' | 'G')) {
        body = body.to_uppercase();
    }
    if let Some(separator) = spec.grouping {
        let whole = body.find(|character: char| !character.is_ascii_digit()).unwrap_or(body.len());
        body = format!("{}{}", grouped(&body[..whole], separator, 3), &body[whole..]);
    }
    Some(spec.pad(sign, &body, '>'))
}

fn scientific(magnitude: f64, precision: usize) -> String {
    let text = format!("{magnitude:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// So many significant digits; without a type at least one digit stays behind the point.
fn general(magnitude: f64, precision: usize, alternate: bool, point: bool) -> String {
    let rounded = format!("{magnitude:.*e}", precision - 1);
    let exponent: i32 = rounded.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or_default();
    let limit = precision as i32 - i32::from(point);
    if (-4..limit.max(1 - i32::from(point))).contains(&exponent) || (exponent >= -4 && exponent < limit) {
        let decimals = usize::try_from(precision as i32 - 1 - exponent).unwrap_or(0);
        let text = format!("{magnitude:.decimals$}");
        let text = if alternate { text } else { trimmed(&text) };
        return if point && !text.contains('.') { format!("{text}.0") } else { text };
    }
    let text = scientific(magnitude, precision - 1);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
    let digits = if alternate { digits.to_owned() } else { trimmed(digits) };
    format!("{digits}e{exponent}")
}

/// Without zeros behind the point that say nothing.
fn trimmed(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}
