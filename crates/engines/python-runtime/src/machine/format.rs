//! Format specifications: `{x:.2f}`, `format(x, ".2f")`.

use num_bigint::BigInt;
use smallvec::SmallVec;

use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::numbers::Number;
use super::value::Value;
use super::{Machine, cost};

/// A number of decimals beyond which every float has only zeros: a float has at most 1074 decimals.
const MAX_DECIMALS: usize = 1100;

/// A parsed format specification.
#[derive(Debug, Clone)]
struct FormatSpec {
    fill: char,
    align: char,
    has_align: bool,
    sign: Option<char>,
    /// Whether a result that rounds to zero loses its minus sign (`z`).
    no_negative_zero: bool,
    alternate: bool,
    width: usize,
    grouping: Option<char>,
    precision: Option<usize>,
    kind: Option<char>,
}

/// The parts of a formatted number.
struct NumberParts<'p> {
    sign: &'p str,
    prefix: &'p str,
    whole: &'p str,
    /// The decimal point and everything after it.
    fraction: &'p str,
    /// The number of digits in a group.
    group: usize,
}

impl FormatSpec {
    /// Parses a specification.
    ///
    /// # Errors
    /// The message of a `ValueError`; empty for the general message about an invalid specification.
    fn parse(text: &str, by_default: char) -> Result<Self, String> {
        let mut spec = Self {
            fill: ' ',
            align: by_default,
            has_align: false,
            sign: None,
            no_negative_zero: false,
            alternate: false,
            width: 0,
            grouping: None,
            precision: None,
            kind: None,
        };
        let characters: SmallVec<[char; 16]> = text.chars().collect();
        let mut rest = characters.as_slice();
        let is_align = |character: &char| matches!(character, '<' | '>' | '^' | '=');
        let mut has_fill = false;
        if let [fill, align, ..] = rest
            && is_align(align)
        {
            (spec.fill, spec.align, spec.has_align, has_fill) = (*fill, *align, true, true);
            rest = &rest[2..];
        } else if let [align, ..] = rest
            && is_align(align)
        {
            (spec.align, spec.has_align) = (*align, true);
            rest = &rest[1..];
        }
        spec.sign = take_if(&mut rest, &['+', '-', ' ']);
        spec.no_negative_zero = take_if(&mut rest, &['z']).is_some();
        spec.alternate = take_if(&mut rest, &['#']).is_some();
        if !has_fill && take_if(&mut rest, &['0']).is_some() {
            spec.fill = '0';
            if !spec.has_align && by_default == '>' {
                spec.align = '=';
            }
        }
        spec.width = take_number(&mut rest)?.unwrap_or(0);
        spec.grouping = take_if(&mut rest, &[',']);
        let had_comma = spec.grouping.is_some();
        if let Some(other) = take_if(&mut rest, &['_']) {
            spec.grouping = Some(other);
        }
        if spec.grouping == Some('_') && (had_comma || rest.first() == Some(&',')) {
            return Err("Cannot specify both ',' and '_'.".to_owned());
        }
        if take_if(&mut rest, &['.']).is_some() {
            let precision = take_number(&mut rest)?;
            spec.precision = Some(precision.ok_or("Format specifier missing precision")?);
        }
        spec.kind = rest.first().copied();
        if rest.len() > 1 {
            return Err(String::new());
        }
        Ok(spec)
    }

    /// Checks that the presentation type permits the grouping option.
    fn check_grouping(&self, by_default: char) -> Result<(), String> {
        let Some(separator) = self.grouping else { return Ok(()) };
        match self.kind.unwrap_or(by_default) {
            'd' | 'e' | 'f' | 'g' | 'E' | 'G' | '%' | 'F' => Ok(()),
            'b' | 'o' | 'x' | 'X' if separator == '_' => Ok(()),
            kind => Err(format!("Cannot specify '{separator}' with {}.", quote_type(kind))),
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

    /// Pads to the width.
    fn pad(&self, sign: &str, body: &str) -> String {
        let missing = self.width.saturating_sub(sign.chars().count() + body.chars().count());
        if missing == 0 {
            return [sign, body].concat();
        }
        let filling = |count: usize| self.fill.to_string().repeat(count);
        match self.align {
            '<' => format!("{sign}{body}{}", filling(missing)),
            '^' => format!("{}{sign}{body}{}", filling(missing / 2), filling(missing - missing / 2)),
            '=' => format!("{sign}{}{body}", filling(missing)),
            _ => format!("{}{sign}{body}", filling(missing)),
        }
    }

    fn format_number(&self, parts: &NumberParts<'_>) -> String {
        let length = parts.sign.len() + parts.prefix.len() + parts.whole.len() + parts.fraction.len();
        if self.grouping.is_none() && length >= self.width {
            return [parts.sign, parts.prefix, parts.whole, parts.fraction].concat();
        }
        let before = format!("{}{}", parts.sign, parts.prefix);
        let whole = match self.grouping {
            Some(separator) if !parts.whole.is_empty() => {
                // Padding zeros are grouped as well.
                let fills = self.fill == '0' && self.align == '=';
                let min_width = if fills { self.width.saturating_sub(before.len() + parts.fraction.len()) } else { 0 };
                group_digits(parts.whole, separator, parts.group, min_width)
            }
            _ => parts.whole.to_owned(),
        };
        self.pad(&before, &format!("{whole}{}", parts.fraction))
    }
}

/// Consumes the first character if it is one of `accepted`.
fn take_if(rest: &mut &[char], accepted: &[char]) -> Option<char> {
    let first = *rest.first()?;
    accepted.contains(&first).then(|| {
        *rest = &rest[1..];
        first
    })
}

/// Consumes a leading decimal number, if there is one.
pub(super) fn take_number(rest: &mut &[char]) -> Result<Option<usize>, String> {
    let count = rest.iter().take_while(|character| character.is_ascii_digit()).count();
    if count == 0 {
        return Ok(None);
    }
    let number: i64 =
        rest[..count].iter().collect::<String>().parse().map_err(|_| "Too many decimal digits in format string")?;
    *rest = &rest[count..];
    Ok(Some(number as usize))
}

/// Returns a presentation type as error messages quote it.
fn quote_type(kind: char) -> String {
    if ('!'..'\u{80}').contains(&kind) { format!("'{kind}'") } else { format!("'\\x{:x}'", u32::from(kind)) }
}

/// The largest magnitude of floats whose digits before the point cost nothing.
const MAX_SHORT_FLOAT: f64 = 1e15;

impl Machine {
    /// Returns the result of `format(value, spec)`.
    pub(super) fn format(&mut self, value: Value, spec: &str) -> ExecResult<String> {
        self.charge(cost::FORMAT)?;
        if let Some(method) = self.special_method(value, "__format__") {
            let spec = self.heap.text(spec);
            let text = self.call_value(method, &[spec], &[])?;
            let Some(text) = self.as_text(text) else {
                let message = format!("__format__ must return a str, not {}", self.class_name(text));
                return Err(self.type_error(&message));
            };
            return Ok(text.to_string());
        }
        if spec.is_empty() {
            return self.str(value);
        }
        if let (Value::Float(number), &[b'.', decimals @ b'0'..=b'9', b'f']) = (value, spec.as_bytes())
            && number.abs() <= MAX_SHORT_FLOAT
        {
            let precision = usize::from(decimals - b'0');
            self.charge(2 + precision as u64 / 2)?;
            return Ok(format!("{number:.precision$}"));
        }
        let value = if let Value::Numpy(scalar) = value { super::numpy::to_python_number(scalar.get()) } else { value };
        // Enumeration members are formatted as their names, except those of `IntEnum` and `StrEnum`.
        if self.is_formatted_by_member_name(value) {
            let text = self.str(value)?;
            return self.format_text(&text, spec, value);
        }
        if let Some(text) = self.as_text(value) {
            return self.format_text(&text, spec, value);
        }
        match self.as_number(value) {
            Some(Number::Float(number)) => {
                let spec = self.parse_spec(spec, '>', 'g', value)?;
                self.format_float(number, &spec, spec.kind, value)
            }
            Some(number) => {
                let spec = self.parse_spec(spec, '>', 'd', value)?;
                match spec.kind {
                    Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') => {
                        let number = self.number_to_float(&number)?;
                        self.format_float(number, &spec, spec.kind, value)
                    }
                    _ => self.format_int(&number, &spec, value),
                }
            }
            None => {
                let message = format!("unsupported format string passed to {}.__format__", self.class_name(value));
                Err(self.type_error(&message))
            }
        }
    }

    fn parse_spec(&mut self, text: &str, align: char, kind: char, value: Value) -> ExecResult<FormatSpec> {
        let read = FormatSpec::parse(text, align).and_then(|spec| spec.check_grouping(kind).map(|()| spec));
        match read {
            Ok(spec) => {
                self.reserve_values(spec.width.saturating_mul(spec.fill.len_utf8()) / size_of::<Value>())?;
                Ok(spec)
            }
            Err(message) if message.is_empty() => {
                let class = self.class_name(value);
                let message = format!("Invalid format specifier '{text}' for object of type '{class}'");
                Err(self.raise(ExceptionKind::ValueError, &message))
            }
            Err(message) => Err(self.raise(ExceptionKind::ValueError, &message)),
        }
    }

    fn format_text(&mut self, text: &str, spec: &str, value: Value) -> ExecResult<String> {
        let spec = self.parse_spec(spec, '<', 's', value)?;
        let refused = match spec.sign {
            Some(' ') => Some("Space not allowed"),
            Some(_) => Some("Sign not allowed"),
            None if spec.no_negative_zero => Some("Negative zero coercion (z) not allowed"),
            None if spec.alternate => Some("Alternate form (#) not allowed"),
            None if spec.align == '=' => Some("'=' alignment not allowed"),
            None => None,
        };
        match (spec.kind, refused) {
            (Some(kind), _) if kind != 's' => Err(self.unknown_code(kind, value)),
            (_, Some(refused)) => {
                let message = format!("{refused} in string format specifier");
                Err(self.raise(ExceptionKind::ValueError, &message))
            }
            _ => {
                let cut: String = text.chars().take(spec.precision.unwrap_or(usize::MAX)).collect();
                Ok(spec.pad("", &cut))
            }
        }
    }

    fn unknown_code(&mut self, kind: char, value: Value) -> ExecError {
        let message =
            format!("Unknown format code {} for object of type '{}'", quote_type(kind), self.class_name(value));
        self.raise(ExceptionKind::ValueError, &message)
    }

    fn format_int(&mut self, number: &Number, spec: &FormatSpec, value: Value) -> ExecResult<String> {
        let (radix, prefix, group) = match spec.kind {
            None | Some('d' | 'n') => (10, "", 3),
            Some('b') => (2, "0b", 4),
            Some('o') => (8, "0o", 4),
            Some('x') => (16, "0x", 4),
            Some('X') => (16, "0X", 4),
            Some('c') => (0, "", 0),
            Some(kind) => return Err(self.unknown_code(kind, value)),
        };
        let refused = match spec {
            FormatSpec { precision: Some(_), .. } => "Precision not allowed in integer format specifier",
            FormatSpec { no_negative_zero: true, .. } => {
                "Negative zero coercion (z) not allowed in integer format specifier"
            }
            FormatSpec { kind: Some('c'), sign: Some(_), .. } => "Sign not allowed with integer format specifier 'c'",
            FormatSpec { kind: Some('c'), alternate: true, .. } => {
                "Alternate form (#) not allowed with integer format specifier 'c'"
            }
            _ => "",
        };
        if !refused.is_empty() {
            return Err(self.raise(ExceptionKind::ValueError, refused));
        }
        if let (Number::Int(number), 10) = (number, radix) {
            self.charge_digits(u64::from(u64::BITS - number.unsigned_abs().leading_zeros()))?;
            let (sign, whole) = (spec.sign_of(*number < 0), number.unsigned_abs().to_string());
            return Ok(spec.format_number(&NumberParts { sign, prefix: "", whole: &whole, fraction: "", group }));
        }
        let Some(big) = number.to_big_int() else { return Ok(String::new()) };
        if spec.kind == Some('c') {
            return match u32::try_from(&big).ok().and_then(char::from_u32) {
                Some(character) => Ok(spec.pad("", &character.to_string())),
                None => Err(self.raise(ExceptionKind::OverflowError, "%c arg not in range(0x110000)")),
            };
        }
        let digits = self.digits_of(&big, radix, spec.kind == Some('X'))?;
        let prefix = if spec.alternate { prefix } else { "" };
        let sign = spec.sign_of(big < BigInt::ZERO);
        Ok(spec.format_number(&NumberParts { sign, prefix, whole: &digits, fraction: "", group }))
    }

    /// Returns the digits of an integer without its sign.
    pub(super) fn digits_of(&mut self, number: &BigInt, radix: u32, large: bool) -> ExecResult<String> {
        if radix == 10 {
            self.check_digits(number)?;
        }
        let digits = number.magnitude().to_str_radix(radix);
        Ok(if large { digits.to_uppercase() } else { digits })
    }

    fn format_float(&mut self, number: f64, spec: &FormatSpec, kind: Option<char>, value: Value) -> ExecResult<String> {
        if spec.precision.is_some_and(|precision| precision > i32::MAX as usize) {
            return Err(self.raise(ExceptionKind::ValueError, "precision too big"));
        }
        self.reserve_values(spec.precision.unwrap_or(0) / size_of::<Value>())?;
        let (number, kind, percent) = match kind {
            Some('%') => (number * 100.0, Some('f'), "%"),
            other => (number, other, ""),
        };
        let before = if number.abs() > MAX_SHORT_FLOAT && number.is_finite() { number.abs().log10() as u64 } else { 0 };
        self.charge(2 + spec.precision.unwrap_or(0) as u64 / 2 + before / 2)?;
        let Some(text) = float_digits(number.abs(), kind, spec.precision, spec.alternate) else {
            return Err(self.unknown_code(kind.unwrap_or(' '), value));
        };
        let is_zero = !text.contains(|character| matches!(character, '1'..='9' | 'a'..='z' | 'A'..='Z'));
        let negative = number.is_sign_negative() && !number.is_nan() && !(is_zero && spec.no_negative_zero);
        let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
        let rest = format!("{}{percent}", &text[end..]);
        let sign = spec.sign_of(negative);
        Ok(spec.format_number(&NumberParts { sign, prefix: "", whole: &text[..end], fraction: &rest, group: 3 }))
    }
}

/// Inserts a separator between groups of digits, counted from the right, and pads with leading zeros to a minimum width.
fn group_digits(digits: &str, separator: char, group: usize, min_width: usize) -> String {
    let mut written: Vec<char> = Vec::new();
    let mut digits = digits.chars().rev().peekable();
    loop {
        for _ in 0..group {
            match digits.next() {
                Some(digit) => written.push(digit),
                None if written.len() < min_width => written.push('0'),
                None => break,
            }
        }
        if digits.peek().is_none() && written.len() >= min_width {
            return written.into_iter().rev().collect();
        }
        written.push(separator);
        // The result never starts with a separator.
        if digits.peek().is_none() && written.len() >= min_width {
            written.push('0');
            return written.into_iter().rev().collect();
        }
    }
}

/// Returns the digits of a float without its sign; `None` if the presentation type is unknown.
pub(super) fn float_digits(
    magnitude: f64,
    kind: Option<char>,
    precision: Option<usize>,
    alternate: bool,
) -> Option<String> {
    let digits = precision.unwrap_or(6);
    let text = match kind {
        Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'n') | None if !magnitude.is_finite() => {
            super::text::float_repr(magnitude)
        }
        Some('f' | 'F') => {
            let text = fixed(magnitude, digits);
            if alternate && digits == 0 { text + "." } else { text }
        }
        Some('e' | 'E') => {
            let text = scientific(magnitude, digits);
            if alternate && digits == 0 { text.replacen('e', ".e", 1) } else { text }
        }
        Some('g' | 'G') => general(magnitude, digits.max(1), alternate, false),
        Some('n') if precision.is_some() => general(magnitude, digits.max(1), alternate, false),
        Some('n') => general(magnitude, 6, alternate, false),
        None if precision.is_some() => general(magnitude, digits.max(1), alternate, true),
        None => {
            let text = super::text::float_repr(magnitude);
            if alternate && !text.contains('.') { text.replacen('e', ".e", 1) } else { text }
        }
        Some(_) => return None,
    };
    Some(if matches!(kind, Some('E' | 'F' | 'G')) { text.to_uppercase() } else { text })
}

fn fixed(magnitude: f64, decimals: usize) -> String {
    let precision = decimals.min(MAX_DECIMALS);
    let mut text = format!("{magnitude:.precision$}");
    text.extend(std::iter::repeat_n('0', decimals - precision));
    text
}

fn scientific(magnitude: f64, decimals: usize) -> String {
    let precision = decimals.min(MAX_DECIMALS);
    let text = format!("{magnitude:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}{}e{sign}{:02}", "0".repeat(decimals - precision), exponent.abs())
}

/// Formats with a number of significant digits, as `g`; with `point`, at least one decimal remains.
fn general(magnitude: f64, precision: usize, alternate: bool, point: bool) -> String {
    let rounded = scientific(magnitude, precision - 1);
    let (digits, power) = rounded.split_once('e').unwrap_or((&rounded, "+00"));
    let exponent: i64 = power.parse().unwrap_or_default();
    let limit = (precision as i64).saturating_sub(i64::from(point));
    if exponent >= -4 && exponent < limit {
        let text = fixed(magnitude, usize::try_from(precision as i64 - 1 - exponent).unwrap_or(0));
        let text = match (alternate, text.contains('.')) {
            (true, true) => text,
            (true, false) => text + ".",
            _ => trim_zeros(&text),
        };
        return if point && !text.contains('.') { format!("{text}.0") } else { text };
    }
    let digits = match (alternate, digits.contains('.')) {
        (true, true) => digits.to_owned(),
        (true, false) => format!("{digits}."),
        _ => trim_zeros(digits),
    };
    format!("{digits}e{power}")
}

/// Removes trailing zeros after the decimal point.
fn trim_zeros(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}
