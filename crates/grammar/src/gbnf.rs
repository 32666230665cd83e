//! GBNF, the notation of grammars of llama.cpp.

use std::fmt::Write as _;

use crate::grammar::{Definition, Grammar};
use crate::notation::{Definitions, Element, Place, Reader, write_bounds, write_expression, write_literal};
use crate::pattern::{CharacterSet, Pattern};

pub use crate::notation::ReadError;

/// Writes a grammar, one definition per line, after its comment.
pub fn write(grammar: &Grammar) -> String {
    let mut out = String::new();
    for line in grammar.comment() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "# {line}");
    }
    for (name, definition) in grammar.definitions() {
        let body = match definition {
            Definition::Rule(body) => write_expression(body, Place::Alternative, &str::to_owned),
            Definition::Pattern(pattern) => write_pattern(pattern, Place::Alternative),
        };
        let _ = writeln!(out, "{name} ::= {body}");
    }
    out
}

fn write_pattern(pattern: &Pattern, place: Place) -> String {
    let (text, is_bare) = match pattern {
        Pattern::Set(set) => return write_set(set),
        Pattern::Text(text) => return write_literal(text),
        Pattern::Repeat { part, min, max } => return write_pattern(part, Place::Repeated) + &write_bounds(*min, *max),
        Pattern::Sequence(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| write_pattern(part, Place::Part)).collect();
            (parts.join(" "), place != Place::Repeated)
        }
        Pattern::Choice(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| write_pattern(part, Place::Alternative)).collect();
            (parts.join(" | "), place == Place::Alternative)
        }
    };
    if is_bare { text } else { format!("({text})") }
}

fn write_set(set: &CharacterSet) -> String {
    let letter = |letter: char| match letter {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        '\\' | '[' | ']' => format!("\\{letter}"),
        '-' | '^' => format!("\\x{:02X}", letter as u32),
        letter if (letter as u32) < 0x20 => format!("\\x{:02X}", letter as u32),
        letter => letter.to_string(),
    };
    let mut out = String::from(if set.negated { "[^" } else { "[" });
    for &(first, last) in &set.ranges {
        out.push_str(&letter(first));
        if first != last {
            out.push('-');
            out.push_str(&letter(last));
        }
    }
    out + "]"
}

/// Reads a grammar.
///
/// ```
/// let grammar = goalspec_grammar::gbnf::read("root ::= \"on\" \" \" word\nword ::= [a-z]+\n")?;
/// assert!(grammar.matcher().check("on table").is_ok());
/// # Ok::<(), goalspec_grammar::gbnf::ReadError>(())
/// ```
///
/// # Errors
/// Returns the first syntax error, or the first defect of the grammar; see [`Grammar::read`].
pub fn read(text: &str) -> Result<Grammar, ReadError> {
    let mut reader = Reader::new(text, "#");
    let mut definitions = Definitions::default();
    loop {
        reader.skip(true);
        if reader.peek().is_none() {
            break;
        }
        let name = reader.word();
        if name.is_empty() {
            return reader.fail("expected the name of a rule");
        }
        reader.skip(false);
        if !reader.eat("::=") {
            return reader.fail("expected `::=`");
        }
        reader.skip(true);
        let body = reader.alternatives(false, primary)?;
        reader.skip(false);
        if !matches!(reader.peek(), None | Some('\n')) {
            return reader.fail("unexpected character");
        }
        definitions.add(name, &body);
    }
    definitions.finish(reader.head)
}

fn primary(reader: &mut Reader<'_>) -> Result<Option<Element>, ReadError> {
    Ok(Some(match reader.peek() {
        Some('"') => {
            reader.position += 1;
            Element::Literal(reader.literal()?)
        }
        Some('[') => {
            reader.position += 1;
            Element::Pattern(Pattern::Set(reader.set()?))
        }
        Some('.') => {
            reader.position += 1;
            Element::Pattern(Pattern::Set(CharacterSet { negated: true, ranges: Vec::new() }))
        }
        Some(letter) if letter.is_ascii_alphabetic() => Element::Name(reader.word().to_owned()),
        _ => return Ok(None),
    }))
}
