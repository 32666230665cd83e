//! Methods of `str`.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::call::KeywordArguments;
use super::exceptions::{ExceptionKind, ExecResult};
use super::text::is_space;
use super::value::{HeapObject, Value};
use super::{Machine, cost};

/// The place of the padding of a justified text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alignment {
    Left,
    Right,
    Center,
}

/// The end of a text at which a search begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextEnd {
    Start,
    End,
}

impl Machine {
    /// Implements `str.format(..)`.
    pub(super) fn format_method(
        &mut self,
        receiver: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let Some(text) = self.as_text(receiver) else { return Ok(Value::None) };
        self.charge_text(text.len())?;
        let formatted = self.str_format(&text, arguments, named)?;
        Ok(self.heap.text(&formatted))
    }

    /// Pays for reading or copying a number of bytes of text.
    pub(super) fn charge_text(&mut self, bytes: usize) -> ExecResult<()> {
        self.charge(bytes as u64 / cost::TEXT_BYTES_PER_UNIT)
    }

    /// Checks that there is memory for the parts of a text before they are split off.
    fn reserve_parts(&mut self, parts: usize) -> ExecResult<()> {
        let each = size_of::<HeapObject>() + size_of::<Value>() + size_of::<&str>();
        self.reserve_bulk_values(parts.saturating_mul(each) / size_of::<Value>())?;
        self.charge(2 * parts as u64)
    }

    pub(super) fn expect_text(&mut self, value: Value, message: &str) -> ExecResult<Arc<str>> {
        if let Some(text) = self.as_text(value) {
            return Ok(text);
        }
        let class = self.class_name(value);
        // Messages about arguments call `None` by its name instead of its class.
        let class = if message.contains("argument") && matches!(value, Value::None) { "None".into() } else { class };
        Err(self.type_error(&format!("{message}, not {class}")))
    }

    /// Implements `ljust`, `rjust` and `center`.
    pub(super) fn justified(&mut self, text: &str, arguments: &[Value], alignment: Alignment) -> ExecResult {
        let width = self.as_index(arguments[0])?;
        let fill = match arguments.get(1) {
            Some(&fill) => {
                let fill = self.expect_text(fill, "The fill character must be a unicode character")?;
                let mut characters = fill.chars();
                match (characters.next(), characters.next()) {
                    (Some(one), None) => one,
                    _ => return Err(self.type_error("The fill character must be exactly one character long")),
                }
            }
            None => ' ',
        };
        let length = text.chars().count();
        let missing = usize::try_from(width).unwrap_or(0).saturating_sub(length);
        self.reserve_values(missing.saturating_mul(fill.len_utf8()) / size_of::<Value>())?;
        let left = match alignment {
            Alignment::Left => 0,
            Alignment::Right => missing,
            // The odd space goes to the left if the width is odd.
            Alignment::Center => missing / 2 + (missing & (width as usize) & 1),
        };
        let filling = |count: usize| fill.to_string().repeat(count);
        let text = format!("{}{text}{}", filling(left), filling(missing - left));
        Ok(self.heap.text(&text))
    }

    /// Returns the byte range between optional start and end indices; `None` if the start lies after the end.
    fn text_slice_range(&mut self, text: &str, places: &[Value]) -> ExecResult<Option<Range<usize>>> {
        if places.iter().all(|place| matches!(place, Value::None)) {
            return Ok(Some(0..text.len()));
        }
        let length = text.chars().count() as i64;
        let mut bounds = [0, length];
        for (bound, &place) in bounds.iter_mut().zip(places) {
            if let Some(place) = self.slice_index(place)? {
                *bound = if place < 0 { place.saturating_add(length).max(0) } else { place };
            }
        }
        let [start, end] = [bounds[0], bounds[1].min(length)];
        if start > end {
            return Ok(None);
        }
        let byte = |place: i64| text.char_indices().nth(place as usize).map_or(text.len(), |(byte, _)| byte);
        Ok(Some(byte(start)..byte(end)))
    }

    /// Implements `count`.
    pub(super) fn count_substring(&mut self, text: &str, arguments: &[Value]) -> ExecResult {
        let part = self.text_slice_range(text, &arguments[1..])?;
        let substring = self.expect_text(arguments[0], "must be str")?;
        Ok(Value::Int(part.map_or(0, |part| text[part].matches(&*substring).count() as i64)))
    }

    /// Returns the position of a substring in characters.
    fn find_substring(&mut self, text: &str, arguments: &[Value], from: TextEnd) -> ExecResult<Option<i64>> {
        let part = self.text_slice_range(text, &arguments[1..])?;
        let substring = self.expect_text(arguments[0], "must be str")?;
        Ok(part.and_then(|part| {
            let within = &text[part.clone()];
            let place = match from {
                TextEnd::Start => within.find(&*substring),
                TextEnd::End => within.rfind(&*substring),
            };
            place.map(|place| text[..part.start + place].chars().count() as i64)
        }))
    }

    /// Implements `find` and `rfind`.
    pub(super) fn position_of_substring(&mut self, text: &str, arguments: &[Value], from: TextEnd) -> ExecResult {
        Ok(Value::Int(self.find_substring(text, arguments, from)?.unwrap_or(-1)))
    }

    /// Implements `index` and `rindex`.
    pub(super) fn index_of_substring(&mut self, text: &str, arguments: &[Value], from: TextEnd) -> ExecResult {
        match self.find_substring(text, arguments, from)? {
            Some(place) => Ok(Value::Int(place)),
            None => Err(self.raise(ExceptionKind::ValueError, "substring not found")),
        }
    }

    /// Implements `startswith` and `endswith`.
    pub(super) fn has_affix(&mut self, text: &str, arguments: &[Value], end: TextEnd) -> ExecResult {
        let name = if end == TextEnd::Start { "startswith" } else { "endswith" };
        let part = self.text_slice_range(text, &arguments[1..])?;
        let within = part.map(|part| &text[part]);
        let holds = |affix: &str| {
            within.is_some_and(|text| match end {
                TextEnd::Start => text.starts_with(affix),
                TextEnd::End => text.ends_with(affix),
            })
        };
        if let Value::Ref(at) = self.base_value(arguments[0])
            && let HeapObject::Tuple(affixes) = self.heap.get(at)
        {
            for one in affixes.clone() {
                let affix = self.expect_text(one, &format!("tuple for {name} must only contain str"))?;
                self.charge(cost::OPERATION)?;
                self.charge_text(affix.len().min(text.len()))?;
                if holds(&affix) {
                    return Ok(Value::Bool(true));
                }
            }
            return Ok(Value::Bool(false));
        }
        let affix = self.expect_text(arguments[0], &format!("{name} first arg must be str or a tuple of str"))?;
        Ok(Value::Bool(holds(&affix)))
    }

    /// Implements `strip`, `lstrip` and `rstrip`.
    pub(super) fn stripped(&mut self, text: &str, arguments: &[Value], name: &str, ends: [bool; 2]) -> ExecResult {
        let set = match arguments.first() {
            None | Some(Value::None) => None,
            Some(&set) => match self.as_text(set) {
                Some(set) => Some(set),
                None => return Err(self.type_error(&format!("{name} arg must be None or str"))),
            },
        };
        Ok(self.heap.text(trimmed(text, ends, set.as_deref())))
    }

    /// Implements `replace`.
    pub(super) fn replaced_text(&mut self, text: &str, arguments: &[Value]) -> ExecResult {
        let from = self.expect_text(arguments[0], "replace() argument 1 must be str")?;
        let to = self.expect_text(arguments[1], "replace() argument 2 must be str")?;
        let count = arguments.get(2).map_or(Ok(-1), |&count| self.as_index(count))?;
        let places = text.matches(&*from).count().min(usize::try_from(count).unwrap_or(usize::MAX));
        let length = text.len().saturating_add(places.saturating_mul(to.len()));
        self.reserve_values(length / size_of::<Value>())?;
        self.charge(places as u64)?;
        let text = match usize::try_from(count) {
            Ok(count) => text.replacen(&*from, &to, count),
            Err(_) => text.replace(&*from, &to),
        };
        Ok(self.heap.text(&text))
    }

    /// Implements `partition` and `rpartition`.
    pub(super) fn partitioned(&mut self, text: &str, separator: Value, from: TextEnd) -> ExecResult {
        let separator = self.expect_text(separator, "must be str")?;
        if separator.is_empty() {
            return Err(self.raise(ExceptionKind::ValueError, "empty separator"));
        }
        let parts = match from {
            TextEnd::Start => text.split_once(&*separator),
            TextEnd::End => text.rsplit_once(&*separator),
        };
        let parts = match (parts, from) {
            (Some((before, behind)), _) => [before, &*separator, behind],
            (None, TextEnd::Start) => [text, "", ""],
            (None, TextEnd::End) => ["", "", text],
        };
        let parts = parts.map(|part| self.heap.text(part));
        Ok(self.heap.tuple(parts))
    }

    /// Implements `zfill`.
    pub(super) fn filled_with_zeros(&mut self, text: &str, width: Value) -> ExecResult {
        let width = usize::try_from(self.as_index(width)?).unwrap_or(0);
        let missing = width.saturating_sub(text.chars().count());
        self.reserve_values(missing / size_of::<Value>())?;
        let signed = text.starts_with(['+', '-']);
        let (sign, digits) = text.split_at(usize::from(signed));
        Ok(self.heap.text(&format!("{sign}{}{digits}", "0".repeat(missing))))
    }

    /// Returns the strings of an iterable, joined with a separator.
    pub(super) fn joined(&mut self, separator: &str, values: Value) -> ExecResult<String> {
        if self.try_iterator(values)?.is_none() {
            return Err(self.type_error("can only join an iterable"));
        }
        let mut parts = Vec::new();
        for (place, value) in self.collect_values(values)?.into_iter().enumerate() {
            self.charge(2 * cost::OPERATION)?;
            parts.push(self.expect_text_item(place, value)?);
        }
        let length: usize = parts.iter().map(|part| part.len() + separator.len()).sum();
        self.reserve_values(length / size_of::<Value>())?;
        Ok(parts.join(separator))
    }

    fn expect_text_item(&mut self, place: usize, value: Value) -> ExecResult<Arc<str>> {
        if let Some(text) = self.as_text(value) {
            return Ok(text);
        }
        let message = format!("sequence item {place}: expected str instance, {} found", self.class_name(value));
        Err(self.type_error(&message))
    }

    /// Implements `splitlines`.
    pub(super) fn split_lines(&mut self, text: &str, keep_ends: Option<Value>) -> ExecResult {
        let ends = keep_ends.map_or(Ok(0), |ends| self.as_index(ends))?;
        self.reserve_parts(text.chars().filter(|&character| is_line_end(character)).count())?;
        Ok(self.list_of_texts(lines(text, ends != 0)))
    }

    /// Implements `split` and `rsplit`.
    pub(super) fn split_text(
        &mut self,
        text: &str,
        [separator, max_splits]: [Option<Value>; 2],
        from: TextEnd,
    ) -> ExecResult {
        let max_splits = max_splits.map_or(Ok(-1), |max_splits| self.as_index(max_splits))?;
        let separator = match separator {
            None | Some(Value::None) => None,
            Some(separator) => Some(self.expect_text(separator, "must be str or None")?),
        };
        let max_splits = usize::try_from(max_splits).unwrap_or(usize::MAX);
        let parts = match separator {
            Some(separator) if separator.is_empty() => {
                return Err(self.raise(ExceptionKind::ValueError, "empty separator"));
            }
            Some(separator) => {
                self.charge_text(separator.len())?;
                self.reserve_parts(text.matches(&*separator).count().min(max_splits))?;
                split_at_separator(text, &separator, max_splits, from == TextEnd::End)
            }
            None => {
                let words_there = text.split(is_space).filter(|word| !word.is_empty()).count();
                self.reserve_parts(words_there.min(max_splits.saturating_add(1)))?;
                match from {
                    TextEnd::Start => split_whitespace(text, max_splits),
                    TextEnd::End => rsplit_whitespace(text, max_splits),
                }
            }
        };
        Ok(self.list_of_texts(parts))
    }

    fn list_of_texts(&mut self, parts: Vec<&str>) -> Value {
        let parts = parts.into_iter().map(|part| self.heap.text(part)).collect();
        self.heap.list(parts)
    }

    /// Implements `expandtabs`.
    pub(super) fn expanded_tabs(&mut self, text: &str, size: Option<Value>) -> ExecResult {
        let size = size.map_or(Ok(8), |size| self.as_index(size))?;
        let size = usize::try_from(size).unwrap_or(0);
        let tabs = text.matches('\t').count();
        self.reserve_values(tabs.saturating_mul(size) / size_of::<Value>())?;
        self.charge(2 * tabs as u64 + text.len() as u64 / cost::TEXT_BYTES_PER_UNIT)?;
        let (mut written, mut column) = (String::new(), 0);
        for character in text.chars() {
            match character {
                '\t' if size > 0 => {
                    let spaces = size - column % size;
                    written.push_str(&" ".repeat(spaces));
                    column += spaces;
                }
                '\t' => {}
                _ => {
                    column = if matches!(character, '\n' | '\r') { 0 } else { column + 1 };
                    written.push(character);
                }
            }
        }
        Ok(self.heap.text(&written))
    }
}

/// Splits a text at a separator, at most `max_splits` times.
fn split_at_separator<'t>(text: &'t str, separator: &str, max_splits: usize, from_behind: bool) -> Vec<&'t str> {
    let parts = max_splits.saturating_add(1);
    if !from_behind {
        return text.splitn(parts, separator).collect();
    }
    let mut parts: Vec<&str> = text.rsplitn(parts, separator).collect();
    parts.reverse();
    parts
}

fn split_whitespace(text: &str, max_splits: usize) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    while !rest.is_empty() {
        if found.len() == max_splits {
            found.push(rest);
            break;
        }
        let end = rest.find(is_space).unwrap_or(rest.len());
        found.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(is_space);
    }
    found
}

fn rsplit_whitespace(text: &str, max_splits: usize) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_end_matches(is_space);
    while !rest.is_empty() {
        if found.len() == max_splits {
            found.push(rest);
            break;
        }
        let last = rest.char_indices().rev().find(|&(_, character)| is_space(character));
        let start = last.map_or(0, |(place, character)| place + character.len_utf8());
        found.push(&rest[start..]);
        rest = rest[..start].trim_end_matches(is_space);
    }
    found.reverse();
    found
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n'..='\r' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Splits a text into lines, with or without their line ends.
fn lines(text: &str, ends: bool) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(is_line_end).unwrap_or(rest.len());
        let behind = &rest[end..];
        let length = if behind.starts_with("\r\n") { 2 } else { behind.chars().next().map_or(0, char::len_utf8) };
        found.push(&rest[..if ends { end + length } else { end }]);
        rest = &behind[length..];
    }
    found
}

/// Returns a text without the characters of a set (whitespace without one) at its start, at its end, or both.
pub(crate) fn trimmed<'t>(text: &'t str, [at_start, at_end]: [bool; 2], set: Option<&str>) -> &'t str {
    let set: Option<FxHashSet<char>> = set.map(|set| set.chars().collect());
    let goes = |character: char| set.as_ref().map_or_else(|| is_space(character), |set| set.contains(&character));
    let text = if at_start { text.trim_start_matches(goes) } else { text };
    if at_end { text.trim_end_matches(goes) } else { text }
}

/// Returns a text whose case distinctions are removed.
pub(super) fn fold_case(text: &str) -> String {
    text.to_lowercase().replace('ß', "ss").replace('ς', "σ")
}

/// Returns a text whose first character is in title case and whose others are in lower case.
pub(super) fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(title_case).unwrap_or_default();
    first + &characters.as_str().to_lowercase()
}

/// Returns a text with upper case and lower case exchanged.
pub(super) fn swap_case(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_uppercase() {
            written.extend(character.to_lowercase());
        } else if character.is_lowercase() {
            written.extend(character.to_uppercase());
        } else {
            written.push(character);
        }
    }
    written
}

/// Returns a text whose words begin in title case.
pub(super) fn to_title_case(text: &str) -> String {
    let mut written = String::new();
    let mut in_word = false;
    for character in text.chars() {
        if in_word {
            written.extend(character.to_lowercase());
        } else {
            written.push_str(&title_case(character));
        }
        in_word = is_cased(character);
    }
    written
}

/// Returns a character in title case. Of one that maps to several letters, only the first is upper case.
fn title_case(character: char) -> String {
    let mut upper = character.to_uppercase();
    let first = upper.next().map(String::from).unwrap_or_default();
    first + &upper.flat_map(char::to_lowercase).collect::<String>()
}

fn is_cased(character: char) -> bool {
    character.is_lowercase() || character.is_uppercase()
}

/// Returns whether a text has characters, all of which pass a test.
pub(super) fn all(text: &str, is_member: fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(is_member)
}

/// Returns whether a text has cased characters, none of which is of the wrong case.
pub(super) fn is_cased_without(text: &str, wrong: fn(char) -> bool) -> bool {
    text.chars().any(is_cased) && !text.chars().any(wrong)
}

/// Returns whether a text is an identifier of Python.
pub(super) fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    let is_letter = |character: char| character.is_alphabetic() || character == '_';
    characters.next().is_some_and(is_letter)
        && characters.all(|character| is_letter(character) || character.is_numeric())
}

/// Returns whether a character is a decimal digit.
pub(super) fn is_decimal(character: char) -> bool {
    character.is_numeric() && (character.is_ascii() || !is_non_decimal_number(character))
}

/// Returns whether a character is a digit, such as a superscript.
pub(super) fn is_digit(character: char) -> bool {
    character.is_numeric() && !is_non_digit_number(character)
}

/// Whether a numeric character is no decimal digit, such as a superscript.
fn is_non_decimal_number(character: char) -> bool {
    is_non_digit_number(character)
        || matches!(character, '²' | '³' | '¹' | '\u{2070}'..='\u{2089}' | '\u{2460}'..='\u{249b}' | '\u{24ea}'..='\u{24ff}')
}

/// Whether a numeric character is no digit: a fraction or a Roman numeral.
fn is_non_digit_number(character: char) -> bool {
    matches!(character, '¼'..='¾' | '\u{2150}'..='\u{2189}')
}

/// Returns whether exactly the first characters of the words of a text are in title case.
pub(super) fn is_title_case(text: &str) -> bool {
    let (mut in_word, mut any) = (false, false);
    for character in text.chars() {
        let fits = if character.is_uppercase() { !in_word } else { !character.is_lowercase() || in_word };
        if !fits {
            return false;
        }
        in_word = is_cased(character);
        any |= in_word;
    }
    any
}
