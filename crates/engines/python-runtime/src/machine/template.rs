//! String templates: `text.format(..)` and `text % values`.

use super::call::KeywordArguments;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::format::float_digits;
use super::numbers::Number;
use super::value::{HeapObject, Value};
use super::{Machine, cost};

/// The arguments that replacement fields refer to.
struct FormatArguments<'f> {
    arguments: &'f [Value],
    named: KeywordArguments<'f>,
    /// The mapping of `format_map`, in which names are looked up instead.
    mapping: Option<Value>,
    /// The next automatic index; `None` if fields are numbered manually.
    next_index: Option<usize>,
    /// Whether a field has determined how fields are numbered.
    numbering_is_fixed: bool,
}

/// A parsed conversion specifier of `%`.
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Default)]
struct ConversionSpecifier {
    left_align: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// The values that the specifiers of `%` consume in order.
struct PrintfArguments {
    values: Vec<Value>,
    next: usize,
    /// The right operand of `%`, if values can be looked up in it by key.
    mapping: Option<Value>,
}

impl Machine {
    fn value_error(&mut self, message: &str) -> ExecError {
        self.raise(ExceptionKind::ValueError, message)
    }

    /// Evaluates `template.format(..)`.
    pub(super) fn str_format(
        &mut self,
        template: &str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<String> {
        let mut fields =
            FormatArguments { arguments, named, mapping: None, next_index: Some(0), numbering_is_fixed: false };
        self.format_template(template, &mut fields, 2)
    }

    /// Evaluates `template.format_map(mapping)`.
    pub(super) fn str_format_map(&mut self, template: &str, mapping: Value) -> ExecResult<String> {
        let mut fields = FormatArguments {
            arguments: &[],
            named: &[],
            mapping: Some(mapping),
            next_index: Some(0),
            numbering_is_fixed: false,
        };
        self.format_template(template, &mut fields, 2)
    }

    fn format_template(
        &mut self,
        template: &str,
        fields: &mut FormatArguments<'_>,
        depth: usize,
    ) -> ExecResult<String> {
        if depth == 0 {
            return Err(self.value_error("Max string recursion exceeded"));
        }
        let mut written = String::new();
        let mut rest = template;
        while let Some(place) = rest.find(['{', '}']) {
            written.push_str(&rest[..place]);
            let bracket = rest.as_bytes()[place];
            rest = &rest[place + 1..];
            if rest.as_bytes().first() == Some(&bracket) {
                written.push(char::from(bracket));
                rest = &rest[1..];
                continue;
            }
            if bracket == b'}' || rest.is_empty() {
                let message = format!("Single '{}' encountered in format string", char::from(bracket));
                return Err(self.value_error(&message));
            }
            let piece;
            (piece, rest) = self.format_field(rest, fields, depth)?;
            written.push_str(&piece);
            self.reserve_values(written.len() / size_of::<Value>())?;
        }
        written.push_str(rest);
        Ok(written)
    }

    /// Formats the replacement field at the start of a text, after its opening brace. Returns the result and the remaining text.
    fn format_field<'t>(
        &mut self,
        text: &'t str,
        fields: &mut FormatArguments<'_>,
        depth: usize,
    ) -> ExecResult<(String, &'t str)> {
        let end = field_name_end(text);
        let Some((end, character)) = end else {
            return Err(self.value_error("expected '}' before end of string"));
        };
        let (field, mut rest) = (&text[..end], &text[end + 1..]);
        if character == '{' {
            return Err(self.value_error("unexpected '{' in field name"));
        }
        let mut conversion = None;
        let mut spec = "";
        let mut ends = character == '}';
        if character == '!' {
            let mut characters = rest.chars();
            let Some(kind) = characters.next() else {
                return Err(self.value_error("end of string while looking for conversion specifier"));
            };
            rest = characters.as_str();
            conversion = Some(kind);
            match characters.next() {
                Some(':') => rest = &rest[1..],
                Some('}') => {
                    rest = &rest[1..];
                    ends = true;
                }
                Some(_) if kind != '}' => return Err(self.value_error("expected ':' after conversion specifier")),
                _ => return Err(self.value_error("unmatched '{' in format spec")),
            }
        }
        if !ends {
            let end = matching_brace(rest);
            let Some(end) = end else { return Err(self.value_error("unmatched '{' in format spec")) };
            (spec, rest) = (&rest[..end], &rest[end + 1..]);
        }
        let value = self.field(field, fields)?;
        let value = self.converted(value, conversion)?;
        let spec =
            if spec.contains(['{', '}']) { self.format_template(spec, fields, depth - 1)? } else { spec.to_owned() };
        Ok((self.format(value, &spec)?, rest))
    }

    fn converted(&mut self, value: Value, conversion: Option<char>) -> ExecResult {
        let text = match conversion {
            None => return Ok(value),
            Some('r') => self.repr(value)?,
            Some('s') => self.str(value)?,
            Some('a') => super::text::ascii(&self.repr(value)?),
            Some(other) => {
                let message = format!("Unknown conversion specifier {other}");
                return Err(self.value_error(&message));
            }
        };
        Ok(self.heap.text(&text))
    }

    /// Returns the value of a field name: an argument, then attributes and items of it.
    fn field(&mut self, field: &str, fields: &mut FormatArguments<'_>) -> ExecResult {
        let end = field.find(['.', '[']).unwrap_or(field.len());
        let (first, mut rest) = field.split_at(end);
        let mut value = self.field_argument(first, fields)?;
        while !rest.is_empty() {
            let is_item = rest.starts_with('[');
            let name;
            if is_item {
                let Some(end) = rest.find(']') else { return Err(self.value_error("Missing ']' in format string")) };
                (name, rest) = (&rest[1..end], &rest[end + 1..]);
            } else {
                let end = rest[1..].find(['.', '[']).map_or(rest.len(), |end| end + 1);
                (name, rest) = (&rest[1..end], &rest[end..]);
            }
            if name.is_empty() {
                return Err(self.value_error("Empty attribute in format string"));
            }
            if is_item {
                let index = self.index_or_key(name)?;
                value = self.get_item(value, index)?;
                if !rest.is_empty() && !rest.starts_with(['.', '[']) {
                    let message = "Only '.' or '[' may follow ']' in format field specifier";
                    return Err(self.value_error(message));
                }
            } else {
                value = self.attribute_by_text(value, name)?;
            }
        }
        Ok(value)
    }

    fn index_or_key(&mut self, name: &str) -> ExecResult {
        if !name.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(self.heap.text(name));
        }
        match name.parse() {
            Ok(place) => Ok(Value::Int(place)),
            Err(_) => Err(self.value_error("Too many decimal digits in format string")),
        }
    }

    fn field_argument(&mut self, first: &str, fields: &mut FormatArguments<'_>) -> ExecResult {
        let is_empty = first.is_empty();
        if !is_empty && !first.bytes().all(|byte| byte.is_ascii_digit()) {
            if let Some(mapping) = fields.mapping {
                let key = self.heap.text(first);
                return self.get_item(mapping, key);
            }
            let found = fields.named.iter().find(|(symbol, _)| &*self.name(*symbol) == first);
            if let Some(&(_, value)) = found {
                return Ok(value);
            }
            let key = self.heap.text(first);
            return Err(self.raise_with(ExceptionKind::KeyError, vec![key]));
        }
        if fields.numbering_is_fixed && fields.next_index.is_some() != is_empty {
            let message = if is_empty {
                "cannot switch from manual field specification to automatic field numbering"
            } else {
                "cannot switch from automatic field numbering to manual field specification"
            };
            return Err(self.value_error(message));
        }
        fields.numbering_is_fixed = true;
        let place = match fields.next_index {
            Some(next) if is_empty => {
                fields.next_index = Some(next + 1);
                next
            }
            _ => {
                fields.next_index = None;
                let Ok(Value::Int(place)) = self.index_or_key(first) else {
                    return Err(self.value_error("Too many decimal digits in format string"));
                };
                place as usize
            }
        };
        if fields.mapping.is_some() {
            return Err(self.value_error("Format string contains positional fields"));
        }
        if let Some(&value) = fields.arguments.get(place) {
            return Ok(value);
        }
        let message = format!("Replacement index {place} out of range for positional args tuple");
        Err(self.raise(ExceptionKind::IndexError, &message))
    }

    /// Evaluates `text % values`.
    pub(super) fn printf(&mut self, text: Value, values: Value) -> ExecResult {
        let template = self.as_text(text).unwrap_or_else(|| "".into());
        let mapping = self.is_mapping(values).then_some(values);
        let values = match self.base_value(values) {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Tuple(values) => values.to_vec(),
                _ => vec![values],
            },
            _ => vec![values],
        };
        let mut supply = PrintfArguments { values, next: 0, mapping };
        self.reserve_bulk_values(template.len() * size_of::<char>() / size_of::<Value>())?;
        self.charge_text(template.len())?;
        let characters: Vec<char> = template.chars().collect();
        let mut written = String::new();
        let mut at = 0;
        while let Some(&character) = characters.get(at) {
            at += 1;
            match character {
                '%' if characters.get(at) == Some(&'%') => {
                    written.push('%');
                    at += 1;
                }
                '%' => {
                    let piece = self.format_specifier(&characters, &mut at, &mut supply)?;
                    written.push_str(&piece);
                    self.reserve_values(written.len() / size_of::<Value>())?;
                }
                _ => written.push(character),
            }
        }
        if supply.next < supply.values.len() && mapping.is_none() {
            return Err(self.type_error("not all arguments converted during string formatting"));
        }
        Ok(self.heap.text(&written))
    }

    /// Whether `%` can look up values by key in a value. Such a value need not be consumed.
    fn is_mapping(&mut self, value: Value) -> bool {
        let Value::Ref(at) = value else { return false };
        match self.heap.get(at) {
            HeapObject::List(_) | HeapObject::Dict(_) | HeapObject::Range { .. } | HeapObject::Array(_) => true,
            HeapObject::Instance { base_value: Some(base), .. } if matches!(*base, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Tuple(_) | HeapObject::Text(_))) => {
                false
            }
            HeapObject::Exception(_) => self.special_method(value, "__getitem__").is_some(),
            HeapObject::Instance { base_value: base, .. } => {
                let base = base.unwrap_or(Value::None);
                self.special_method(value, "__getitem__").is_some() || self.is_mapping(base)
            }
            _ => false,
        }
    }

    fn next_value(&mut self, supply: &mut PrintfArguments) -> ExecResult {
        supply.next += 1;
        match supply.values.get(supply.next - 1) {
            Some(&value) => Ok(value),
            None => Err(self.type_error("not enough arguments for format string")),
        }
    }

    /// Parses and formats one conversion specifier, from after its `%`.
    fn format_specifier(&mut self, text: &[char], at: &mut usize, supply: &mut PrintfArguments) -> ExecResult<String> {
        self.charge(cost::FORMAT)?;
        if text.get(*at) == Some(&'(') {
            self.look_up_key(text, at, supply)?;
        }
        let mut directive = ConversionSpecifier::default();
        while let Some(flag) = text.get(*at).filter(|flag| "-+ #0".contains(**flag)) {
            match flag {
                '-' => directive.left_align = true,
                '+' => directive.plus = true,
                ' ' => directive.space = true,
                '#' => directive.alternate = true,
                _ => directive.zero = true,
            }
            *at += 1;
        }
        let width = self.width_or_precision(text, at, supply, "width too big")?;
        directive.left_align |= width.is_some_and(|width| width < 0);
        directive.width = width.unwrap_or(0).unsigned_abs() as usize;
        if text.get(*at) == Some(&'.') {
            *at += 1;
            let precision = self.width_or_precision(text, at, supply, "precision too big")?;
            if precision.is_some_and(|precision| precision > i32::MAX.into()) {
                return Err(self.value_error("precision too big"));
            }
            directive.precision = Some(usize::try_from(precision.unwrap_or(0)).unwrap_or(0));
        }
        if text.get(*at).is_some_and(|&length| matches!(length, 'h' | 'l' | 'L')) {
            *at += 1;
        }
        let Some(&kind) = text.get(*at) else { return Err(self.value_error("incomplete format")) };
        *at += 1;
        let value = self.next_value(supply)?;
        self.reserve_values(directive.width.saturating_add(directive.precision.unwrap_or(0)) / size_of::<Value>())?;
        self.format_converted(&directive, kind, value, *at - 1)
    }

    /// Looks up the value of a parenthesized key, which becomes the only value that the specifier can consume.
    fn look_up_key(&mut self, text: &[char], at: &mut usize, supply: &mut PrintfArguments) -> ExecResult<()> {
        let Some(mapping) = supply.mapping else { return Err(self.type_error("format requires a mapping")) };
        let mut open = 0;
        let end = text[*at..].iter().position(|character| {
            match character {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            open == 0
        });
        let Some(end) = end else { return Err(self.value_error("incomplete format key")) };
        let key: String = text[*at + 1..*at + end].iter().collect();
        *at += end + 1;
        let key = self.heap.text(&key);
        supply.values = vec![self.get_item(mapping, key)?];
        supply.next = 0;
        Ok(())
    }

    /// Parses a width or a precision: digits, or `*` for the next value.
    fn width_or_precision(
        &mut self,
        text: &[char],
        at: &mut usize,
        supply: &mut PrintfArguments,
        too_big: &str,
    ) -> ExecResult<Option<i64>> {
        if text.get(*at) == Some(&'*') {
            *at += 1;
            let value = self.next_value(supply)?;
            if !matches!(self.as_number(value), Some(Number::Int(_) | Number::Big(_))) {
                return Err(self.type_error("* wants int"));
            }
            return match self.as_number(value) {
                Some(Number::Int(number)) if too_big.starts_with('w') || i32::try_from(number).is_ok() => {
                    Ok(Some(number))
                }
                _ => {
                    let c_type = if too_big.starts_with('w') { "ssize_t" } else { "int" };
                    let message = format!("Python int too large to convert to C {c_type}");
                    Err(self.raise(ExceptionKind::OverflowError, &message))
                }
            };
        }
        let mut rest = &text[*at..];
        match super::format::take_number(&mut rest) {
            Ok(number) => {
                *at = text.len() - rest.len();
                Ok(number.map(|number| number as i64))
            }
            Err(_) => Err(self.value_error(too_big)),
        }
    }

    fn format_converted(
        &mut self,
        directive: &ConversionSpecifier,
        kind: char,
        value: Value,
        place: usize,
    ) -> ExecResult<String> {
        let (negative, prefix, body) = match kind {
            's' | 'r' | 'a' => {
                let text = match kind {
                    's' => self.str(value)?,
                    'r' => self.repr(value)?,
                    _ => super::text::ascii(&self.repr(value)?),
                };
                return Ok(directive.pad(
                    "",
                    &text.chars().take(directive.precision.unwrap_or(usize::MAX)).collect::<String>(),
                    false,
                ));
            }
            'c' => {
                let character = self.one_character(value)?;
                return Ok(directive.pad("", &character, false));
            }
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => self.integer_digits(directive, kind, value)?,
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' => {
                let number = match self.as_number(value) {
                    Some(number) => self.number_to_float(&number)?,
                    None if self.special_method(value, "__float__").is_some() => self.as_float(value)?,
                    None => {
                        let message = format!("must be real number, not {}", self.class_name(value));
                        return Err(self.type_error(&message));
                    }
                };
                let precision = Some(directive.precision.unwrap_or(6));
                let digits = float_digits(number.abs(), Some(kind), precision, directive.alternate);
                (number.is_sign_negative() && !number.is_nan(), "", digits.unwrap_or_default())
            }
            _ => {
                let number = u32::from(kind);
                let message = format!("unsupported format character '{kind}' (0x{number:x}) at index {place}");
                return Err(self.value_error(&message));
            }
        };
        let sign = match () {
            () if negative => "-",
            () if directive.plus => "+",
            () if directive.space => " ",
            () => "",
        };
        Ok(directive.pad(&format!("{sign}{prefix}"), &body, true))
    }

    /// Returns whether the integer is negative, the prefix of its digits, and the digits.
    fn integer_digits(
        &mut self,
        directive: &ConversionSpecifier,
        kind: char,
        value: Value,
    ) -> ExecResult<(bool, &'static str, String)> {
        let number = match (self.as_number(value), kind) {
            (Some(Number::Float(_)), 'd' | 'i' | 'u') => self.as_int(value)?,
            (Some(Number::Int(_) | Number::Big(_)), _) => value,
            (_, 'd' | 'i' | 'u') if self.special_method(value, "__int__").is_some() => self.as_int(value)?,
            _ if self.special_method(value, "__index__").is_some() => self.as_index(value).map(Value::Int)?,
            (_, kind) => {
                let expected = if "diu".contains(kind) { "a real number" } else { "an integer" };
                let message = format!("%{kind} format: {expected} is required, not {}", self.class_name(value));
                return Err(self.type_error(&message));
            }
        };
        let Some(number) = self.as_number(number).and_then(|number| number.to_big_int()) else {
            return Ok((false, "", String::new()));
        };
        let (radix, prefix) = match kind {
            'x' => (16, "0x"),
            'X' => (16, "0X"),
            'o' => (8, "0o"),
            _ => (10, ""),
        };
        let digits = self.digits_of(&number, radix, kind == 'X')?;
        let zeros = "0".repeat(directive.precision.unwrap_or(0).saturating_sub(digits.len()));
        let prefix = if directive.alternate { prefix } else { "" };
        Ok((number < num_bigint::BigInt::ZERO, prefix, format!("{zeros}{digits}")))
    }

    fn one_character(&mut self, value: Value) -> ExecResult<String> {
        if let Some(text) = self.as_text(value)
            && text.chars().count() == 1
        {
            return Ok(text.to_string());
        }
        match self.as_number(value) {
            Some(Number::Int(number)) => match u32::try_from(number).ok().and_then(char::from_u32) {
                Some(character) => Ok(character.to_string()),
                None => Err(self.raise(ExceptionKind::OverflowError, "%c arg not in range(0x110000)")),
            },
            Some(Number::Big(_)) => Err(self.raise(ExceptionKind::OverflowError, "%c arg not in range(0x110000)")),
            _ => Err(self.type_error("%c requires int or char")),
        }
    }
}

impl ConversionSpecifier {
    /// Pads to the width with spaces on either side, or with zeros between the sign and the digits.
    fn pad(&self, sign: &str, body: &str, is_number: bool) -> String {
        let missing = self.width.saturating_sub(sign.chars().count() + body.chars().count());
        if self.left_align {
            return format!("{sign}{body}{}", " ".repeat(missing));
        }
        if self.zero && is_number {
            return format!("{sign}{}{body}", "0".repeat(missing));
        }
        format!("{}{sign}{body}", " ".repeat(missing))
    }
}

/// Returns the end of a field name, and the character after it.
fn field_name_end(text: &str) -> Option<(usize, char)> {
    let mut in_index = false;
    text.char_indices().find(|&(_, character)| {
        match character {
            '[' => in_index = true,
            ']' => in_index = false,
            '{' | '}' | ':' | '!' => return !in_index,
            _ => {}
        }
        false
    })
}

/// Returns the position of the closing brace that matches an opening one before the text.
fn matching_brace(text: &str) -> Option<usize> {
    let mut open = 0;
    text.char_indices()
        .find(|&(_, character)| match character {
            '{' => {
                open += 1;
                false
            }
            '}' if open > 0 => {
                open -= 1;
                false
            }
            other => other == '}',
        })
        .map(|(end, _)| end)
}
