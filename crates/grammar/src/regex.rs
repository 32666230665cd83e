//! Regular expressions in the common notation of Lark terminals and of the keyword `pattern` of JSON Schema.

use crate::notation::{ReadError, Reader, write_bounds};
use crate::pattern::{CharacterSet, Pattern};

/// The maximum nesting depth of groups.
const MAX_GROUPS: usize = 30;

/// Writes a pattern as a regular expression.
pub(crate) fn write(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Set(set) => write_set(set),
        Pattern::Text(text) => text.chars().map(write_letter).collect(),
        Pattern::Sequence(parts) => {
            parts.iter().map(|part| grouped(part, matches!(part, Pattern::Choice(_)))).collect()
        }
        Pattern::Choice(parts) => parts.iter().map(write).collect::<Vec<_>>().join("|"),
        Pattern::Repeat { part, min, max } => {
            let is_single = match &**part {
                Pattern::Set(_) => true,
                Pattern::Text(text) => text.chars().count() == 1,
                _ => false,
            };
            grouped(part, !is_single) + &write_bounds(*min, *max)
        }
    }
}

fn grouped(pattern: &Pattern, with_parentheses: bool) -> String {
    if with_parentheses { format!("({})", write(pattern)) } else { write(pattern) }
}

fn write_letter(letter: char) -> String {
    match letter {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        letter if letter.is_control() && (letter as u32) < 0x100 => format!("\\x{:02X}", letter as u32),
        letter if letter.is_ascii_punctuation() => format!("\\{letter}"),
        letter => letter.to_string(),
    }
}

fn write_set(set: &CharacterSet) -> String {
    if set.ranges.is_empty() {
        return "(.|\\n)".to_owned();
    }
    let mut out = String::from(if set.negated { "[^" } else { "[" });
    for &(first, last) in &set.ranges {
        out.push_str(&write_letter(first));
        if first != last {
            out.push('-');
            out.push_str(&write_letter(last));
        }
    }
    out + "]"
}

/// Reads a regular expression up to an unescaped end character, which is not consumed, or to the end of the text.
pub(crate) fn read_until(reader: &mut Reader<'_>, end: Option<char>) -> Result<Pattern, ReadError> {
    let pattern = alternatives(reader, end, 0)?;
    match (reader.peek(), end) {
        (None, None) => Ok(pattern),
        (Some(letter), Some(end)) if letter == end => Ok(pattern),
        _ => reader.fail("unexpected character in a regular expression"),
    }
}

/// Reads the value of `pattern` in a JSON schema: unanchored where it has no `^` or `$`.
pub(crate) fn read_search(text: &str) -> Result<Pattern, ReadError> {
    let anything = || Pattern::Repeat {
        part: Box::new(Pattern::Set(CharacterSet { negated: true, ranges: Vec::new() })),
        min: 0,
        max: None,
    };
    let (start, inner) = text.strip_prefix('^').map_or((true, text), |inner| (false, inner));
    let (end, inner) = match inner.strip_suffix('$') {
        Some(inner) if !inner.ends_with('\\') => (false, inner),
        _ => (true, inner),
    };
    let mut reader = Reader::new(inner, "");
    let body = read_until(&mut reader, None)?;
    let before = start.then(anything);
    Ok(Pattern::Sequence(before.into_iter().chain([body]).chain(end.then(anything)).collect()))
}

fn alternatives(reader: &mut Reader<'_>, end: Option<char>, depth: usize) -> Result<Pattern, ReadError> {
    if depth > MAX_GROUPS {
        return reader.fail(format!("exceeds the limit of {MAX_GROUPS} nested groups"));
    }
    let mut all = vec![concatenation(reader, end, depth)?];
    while reader.eat("|") {
        all.push(concatenation(reader, end, depth)?);
    }
    Ok(if all.len() == 1 { all.remove(0) } else { Pattern::Choice(all) })
}

fn concatenation(reader: &mut Reader<'_>, end: Option<char>, depth: usize) -> Result<Pattern, ReadError> {
    let mut parts = Vec::new();
    while let Some(letter) = reader.peek().filter(|letter| !matches!(letter, '|' | ')') && Some(*letter) != end) {
        reader.position += letter.len_utf8();
        let part = match letter {
            '(' => {
                if !reader.eat("?:") && reader.peek() == Some('?') {
                    return reader.fail("assertions and flags are not supported");
                }
                let inner = alternatives(reader, end, depth + 1)?;
                if !reader.eat(")") {
                    return reader.fail("expected `)` in a regular expression");
                }
                inner
            }
            '[' => Pattern::Set(class(reader)?),
            '.' => Pattern::Set(CharacterSet { negated: true, ranges: vec![('\n', '\n')] }),
            '\\' => escape(reader)?,
            '^' | '$' | '*' | '+' | '?' | '{' => {
                return reader.fail(format!("unexpected `{letter}` in a regular expression"));
            }
            letter => Pattern::Text(letter.to_string().into()),
        };
        parts.push(match reader.bounds()? {
            Some((min, max)) => Pattern::Repeat { part: Box::new(part), min, max },
            None => part,
        });
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Pattern::Sequence(parts) })
}

/// Returns the ranges of a class such as `\d`, if the letter denotes one.
fn named_class(letter: char) -> Option<CharacterSet> {
    let ranges: &[(char, char)] = match letter.to_ascii_lowercase() {
        'd' => &[('0', '9')],
        'w' => &[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')],
        's' => &[(' ', ' '), ('\t', '\r')],
        _ => return None,
    };
    Some(CharacterSet { negated: letter.is_ascii_uppercase(), ranges: ranges.to_vec() })
}

fn escape(reader: &mut Reader<'_>) -> Result<Pattern, ReadError> {
    if let Some(set) = reader.peek().and_then(named_class) {
        reader.position += 1;
        return Ok(Pattern::Set(set));
    }
    Ok(Pattern::Text(reader.escape()?.to_string().into()))
}

fn class(reader: &mut Reader<'_>) -> Result<CharacterSet, ReadError> {
    // Named classes inside brackets are expanded; the other members are read as in GBNF.
    let start = reader.position;
    let mut set = None;
    while let Some(named) = reader.rest().strip_prefix('\\').and_then(|rest| rest.chars().next()).and_then(named_class)
    {
        reader.position += 2;
        set.get_or_insert_with(Vec::new).extend(named.ranges);
    }
    let Some(mut ranges) = set else {
        reader.position = start;
        return reader.set();
    };
    if !reader.eat("]") {
        ranges.extend(reader.set()?.ranges);
    }
    Ok(CharacterSet { negated: false, ranges })
}
