//! Lark, as read by llguidance: rules in lower case, terminals in upper case, regular expressions between slashes.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::grammar::{Definition, Grammar, ROOT};
use crate::notation::{Definitions, Element, Place, ReadError, Reader, write_expression};
use crate::pattern::Pattern;
use crate::regex;

/// The name of the start rule in Lark.
const START: &str = "start";

/// Writes a grammar, one definition per line, after its comment. Hyphens in names become underscores.
pub fn write(grammar: &Grammar) -> String {
    let written = |name: &str| match grammar.definition(name) {
        _ if name == ROOT => START.to_owned(),
        Some(Definition::Pattern(_)) => name.replace('-', "_").to_uppercase(),
        _ => name.replace('-', "_"),
    };
    let mut out = String::new();
    for line in grammar.comment() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "// {line}");
    }
    for (name, definition) in grammar.definitions() {
        let body = match definition {
            Definition::Rule(body) => write_expression(body, Place::Alternative, &written),
            Definition::Pattern(pattern) => format!("/{}/", regex::write(pattern)),
        };
        let _ = writeln!(out, "{}: {body}", written(name));
    }
    out
}

/// Reads a grammar in the notation that [`write()`] produces: rules, terminals that are combinations of literals, regular expressions and
/// other terminals, and comments. Directives are not supported.
///
/// # Errors
/// Returns the first syntax error, or the first defect of the grammar; see [`Grammar::read`].
pub fn read(text: &str) -> Result<Grammar, ReadError> {
    let mut reader = Reader::new(text, "//");
    let mut bodies: Vec<(String, Element)> = Vec::new();
    loop {
        reader.skip(true);
        if reader.peek().is_none() {
            break;
        }
        let name = reader.word();
        if name.is_empty() {
            let message = if reader.peek() == Some('%') { "directives are not supported" } else { "expected a name" };
            return reader.fail(message);
        }
        reader.skip(false);
        if !reader.eat(":") {
            return reader.fail("expected `:`");
        }
        let body = reader.alternatives(false, primary)?;
        reader.skip(false);
        if !matches!(reader.peek(), None | Some('\n')) {
            return reader.fail("unexpected character");
        }
        bodies.push((name.to_owned(), body));
    }
    let mut terminals: FxHashMap<String, Pattern> = FxHashMap::default();
    let mut definitions = Definitions::default();
    for (name, body) in &bodies {
        if is_terminal(name) {
            let Some(pattern) = inlined(body, &terminals).to_pattern() else {
                let message =
                    format!("terminal `{name}` refers to a rule, or to a terminal that is not defined before it");
                return Err(ReadError { offset: None, message });
            };
            terminals.insert(name.clone(), pattern);
        }
    }
    for (name, body) in &bodies {
        let name = internal(name);
        match terminals.get(name.as_str()).or_else(|| terminals.get(&name.to_uppercase().replace('-', "_"))) {
            Some(pattern) => definitions.add(&name, &Element::Pattern(pattern.clone())),
            None => definitions.add(&name, &renamed(body)),
        }
    }
    definitions.finish(reader.head)
}

fn is_terminal(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// Converts a name of Lark to that of a definition.
fn internal(name: &str) -> String {
    if name == START { ROOT.to_owned() } else { name.to_lowercase().replace('_', "-") }
}

fn map_names(element: &Element, map: &dyn Fn(&str) -> Element) -> Element {
    let all = |parts: &[Element]| parts.iter().map(|part| map_names(part, map)).collect();
    match element {
        Element::Name(name) => map(name),
        Element::Sequence(parts) => Element::Sequence(all(parts)),
        Element::Choice(parts) => Element::Choice(all(parts)),
        Element::Repeat(part, min, max) => Element::Repeat(Box::new(map_names(part, map)), *min, *max),
        other => other.clone(),
    }
}

fn renamed(element: &Element) -> Element {
    map_names(element, &|name| Element::Name(internal(name)))
}

fn inlined(element: &Element, terminals: &FxHashMap<String, Pattern>) -> Element {
    map_names(element, &|name| match terminals.get(name) {
        Some(pattern) => Element::Pattern(pattern.clone()),
        None => Element::Name(name.to_owned()),
    })
}

fn primary(reader: &mut Reader<'_>) -> Result<Option<Element>, ReadError> {
    Ok(Some(match reader.peek() {
        Some('"') => {
            reader.position += 1;
            Element::Literal(reader.literal()?)
        }
        Some('/') => {
            reader.position += 1;
            let pattern = regex::read_until(reader, Some('/'))?;
            reader.position += 1;
            Element::Pattern(pattern)
        }
        Some(letter) if letter.is_ascii_alphabetic() => Element::Name(reader.word().to_owned()),
        _ => return Ok(None),
    }))
}
