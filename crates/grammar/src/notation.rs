//! The common part of the notations of grammars: a reader, and the printing of nested expressions.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use crate::expression::{self, Expression};
use crate::grammar::{Definition, Grammar, GrammarError, MAX_EXPRESSION_DEPTH, MAX_REPETITIONS};
use crate::pattern::{Automaton, CharacterSet, Pattern};

/// A syntax error of a grammar file, or a defect of its grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The byte offset of a syntax error; `None` for defects of the grammar as a whole.
    pub offset: Option<usize>,
    /// The description.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "{} at byte {offset}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<GrammarError> for ReadError {
    fn from(error: GrammarError) -> Self {
        Self { offset: None, message: error.to_string() }
    }
}

/// An element of a rule body as it is written: literals and sets of characters may be mixed with names.
#[derive(Debug, Clone)]
pub(crate) enum Element {
    Literal(String),
    Pattern(Pattern),
    Name(String),
    Sequence(Vec<Element>),
    Choice(Vec<Element>),
    Repeat(Box<Element>, u32, Option<u32>),
}

impl Element {
    /// Converts an element without names to a pattern.
    pub(crate) fn to_pattern(&self) -> Option<Pattern> {
        Some(match self {
            Self::Literal(text) => Pattern::Text(text.as_str().into()),
            Self::Pattern(pattern) => pattern.clone(),
            Self::Name(_) => return None,
            Self::Sequence(parts) => Pattern::Sequence(parts.iter().map(Self::to_pattern).collect::<Option<_>>()?),
            Self::Choice(parts) => Pattern::Choice(parts.iter().map(Self::to_pattern).collect::<Option<_>>()?),
            Self::Repeat(part, min, max) => {
                Pattern::Repeat { part: Box::new(part.to_pattern()?), min: *min, max: *max }
            }
        })
    }
}

/// Definitions under construction: the rules that were read, and the patterns inside their bodies, which become definitions.
#[derive(Default)]
pub(crate) struct Definitions {
    list: Vec<(Arc<str>, Definition)>,
}

impl Definitions {
    /// Adds a definition: a pattern if the element has character sets and no names, or else a rule.
    pub(crate) fn add(&mut self, name: &str, element: &Element) {
        if let Some(pattern) = element.to_pattern().filter(is_lexical) {
            return self.list.push((name.into(), Definition::Pattern(pattern)));
        }
        let place = self.list.len();
        self.list.push((name.into(), Definition::Rule(Expression::Sequence(Vec::new()))));
        let mut count = 0;
        let body = self.expression(name, element, &mut count);
        self.list[place].1 = Definition::Rule(body);
    }

    fn expression(&mut self, rule: &str, element: &Element, count: &mut usize) -> Expression {
        match element {
            Element::Literal(text) if text.is_empty() => Expression::Sequence(Vec::new()),
            Element::Literal(text) => expression::literal(text),
            Element::Name(name) => expression::name(name),
            Element::Pattern(pattern) => self.lifted(rule, pattern.clone(), count),
            Element::Choice(parts) => {
                expression::choice(parts.iter().map(|part| self.expression(rule, part, count)).collect::<Vec<_>>())
            }
            Element::Repeat(part, min, max) => match lexical(element) {
                Some(pattern) => self.lifted(rule, pattern, count),
                None => expression::repeat(self.expression(rule, part, count), *min, *max),
            },
            Element::Sequence(parts) => {
                // Adjacent sets of characters form one terminal.
                let mut all = Vec::new();
                for run in parts.chunk_by(|one, other| has_set(one) && has_set(other)) {
                    let together = Element::Sequence(run.to_vec());
                    match lexical(&together).filter(|_| run.len() > 1) {
                        Some(pattern) => all.push(self.lifted(rule, pattern, count)),
                        None => all.extend(run.iter().map(|part| self.expression(rule, part, count))),
                    }
                }
                expression::sequence(all)
            }
        }
    }

    fn lifted(&mut self, rule: &str, pattern: Pattern, count: &mut usize) -> Expression {
        *count += 1;
        let name = format!("{rule}-part{count}");
        self.list.push((name.as_str().into(), Definition::Pattern(pattern)));
        expression::name(&name)
    }

    /// Returns the grammar.
    pub(crate) fn finish(self, comment: Vec<String>) -> Result<Grammar, ReadError> {
        Ok(Grammar::read(comment, self.list)?)
    }
}

fn has_set(element: &Element) -> bool {
    element.to_pattern().as_ref().is_some_and(Pattern::is_open)
}

/// Converts an element to a pattern if it has a set of characters and does not match the empty text.
fn lexical(element: &Element) -> Option<Pattern> {
    element.to_pattern().filter(is_lexical)
}

fn is_lexical(pattern: &Pattern) -> bool {
    pattern.is_open() && Automaton::new(pattern).is_none_or(|automaton| !automaton.accepts(&automaton.initial()))
}

/// The state of a reader of rule bodies or patterns.
pub(crate) struct Reader<'t> {
    pub(crate) text: &'t str,
    pub(crate) position: usize,
    /// The beginning of a comment: `#` or `//`.
    comment: &'static str,
    /// The comment lines at the head.
    pub(crate) head: Vec<String>,
    depth: usize,
}

type Read<T> = Result<T, ReadError>;

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str, comment: &'static str) -> Self {
        Self { text, position: 0, comment, head: Vec::new(), depth: 0 }
    }

    pub(crate) fn fail<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(ReadError { offset: Some(self.position), message: message.into() })
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.position += letter.len_utf8();
        Some(letter)
    }

    pub(crate) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.position += token.len();
        }
        found
    }

    /// Skips blanks and comments, and line breaks if asked to.
    pub(crate) fn skip(&mut self, breaks: bool) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.position += 1,
                Some('\n') if breaks => self.position += 1,
                _ if self.rest().starts_with(self.comment) => {
                    let line = self.rest().lines().next().unwrap_or_default();
                    if self.position == 0
                        || !self.head.is_empty()
                            && self.text[..self.position].lines().all(|line| line.starts_with(self.comment))
                    {
                        self.head.push(line[self.comment.len()..].trim().to_owned());
                    }
                    self.position += line.len();
                }
                _ => return,
            }
        }
    }

    /// Reads alternatives. `primary` reads an element without a suffix, and returns `None` where no element begins.
    pub(crate) fn alternatives(
        &mut self,
        nested: bool,
        primary: fn(&mut Self) -> Read<Option<Element>>,
    ) -> Read<Element> {
        self.depth += 1;
        if self.depth > MAX_EXPRESSION_DEPTH / 3 {
            return self.fail(format!("exceeds the limit of {} nested groups", MAX_EXPRESSION_DEPTH / 3));
        }
        let mut alternatives = vec![self.parts(nested, primary)?];
        loop {
            // An alternative may begin on a line of its own.
            let before = self.position;
            self.skip(true);
            if !self.eat("|") {
                if !nested {
                    self.position = before;
                }
                break;
            }
            self.skip(true);
            alternatives.push(self.parts(nested, primary)?);
        }
        self.depth -= 1;
        Ok(if alternatives.len() == 1 { alternatives.remove(0) } else { Element::Choice(alternatives) })
    }

    fn parts(&mut self, nested: bool, primary: fn(&mut Self) -> Read<Option<Element>>) -> Read<Element> {
        let mut parts = Vec::new();
        loop {
            self.skip(nested);
            let element = if self.eat("(") {
                let inner = self.alternatives(true, primary)?;
                self.skip(true);
                if !self.eat(")") {
                    return self.fail("expected `)`");
                }
                inner
            } else {
                match primary(self)? {
                    Some(element) => element,
                    None => break,
                }
            };
            parts.push(self.suffixes(element)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Element::Sequence(parts) })
    }

    fn suffixes(&mut self, mut element: Element) -> Read<Element> {
        let mut count = 0;
        loop {
            let Some((min, max)) = self.bounds()? else { return Ok(element) };
            count += 1;
            if count > 8 {
                return self.fail("exceeds the limit of 8 repetition operators on one element");
            }
            element = Element::Repeat(Box::new(element), min, max);
        }
    }

    /// Reads a repetition operator.
    pub(crate) fn bounds(&mut self) -> Read<Option<(u32, Option<u32>)>> {
        let bounds = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.position += 1;
                let min = self.number()?.unwrap_or(0);
                let max = if self.eat(",") { self.number()? } else { Some(min) };
                if !self.rest().starts_with('}') {
                    return self.fail("expected `}`");
                }
                (min, max)
            }
            _ => return Ok(None),
        };
        self.position += 1;
        Ok(Some(bounds))
    }

    fn number(&mut self) -> Read<Option<u32>> {
        self.skip(false);
        let digits = self.rest().len() - self.rest().trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let text = &self.rest()[..digits];
        if text.is_empty() {
            return Ok(None);
        }
        let Some(number) = text.parse().ok().filter(|&number: &u32| number <= MAX_REPETITIONS) else {
            return self.fail(format!("exceeds the limit of {MAX_REPETITIONS} repetitions"));
        };
        self.position += digits;
        self.skip(false);
        Ok(Some(number))
    }

    /// Reads a word of letters, digits, `-` and `_`; empty if there is none.
    pub(crate) fn word(&mut self) -> &'t str {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        let rest = self.rest();
        let word = &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())];
        self.position += word.len();
        word
    }

    /// Reads the text of a literal behind its opening quote.
    pub(crate) fn literal(&mut self) -> Read<String> {
        let mut text = String::new();
        loop {
            match self.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some('\n') | None => return self.fail("expected `\"` at the end of a literal"),
                Some(letter) => text.push(letter),
            }
        }
    }

    /// Reads the rest of an escape behind the backslash.
    pub(crate) fn escape(&mut self) -> Read<char> {
        let digits = match self.next() {
            Some('n') => return Ok('\n'),
            Some('t') => return Ok('\t'),
            Some('r') => return Ok('\r'),
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some(letter) if !letter.is_alphanumeric() => return Ok(letter),
            _ => return self.fail("unknown escape"),
        };
        let code =
            self.rest().get(..digits).and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        let Some(letter) = code else {
            return self.fail(format!("expected {digits} hexadecimal digits of a character"));
        };
        self.position += digits;
        Ok(letter)
    }

    /// Reads a set of characters behind its opening bracket.
    pub(crate) fn set(&mut self) -> Read<CharacterSet> {
        let negated = self.eat("^");
        let mut ranges = Vec::new();
        loop {
            let first = match self.set_member()? {
                Some(letter) => letter,
                None if ranges.is_empty() => return self.fail("empty set of characters"),
                None => return Ok(CharacterSet { negated, ranges }),
            };
            let is_range = self.rest().starts_with('-') && !self.rest().starts_with("-]");
            let mut last = first;
            if is_range {
                self.position += 1;
                last = match self.set_member()? {
                    Some(last) if last >= first => last,
                    _ => return self.fail("a range of characters ends before it begins"),
                };
            }
            ranges.push((first, last));
        }
    }

    fn set_member(&mut self) -> Read<Option<char>> {
        match self.next() {
            Some(']') => Ok(None),
            Some('\\') => self.escape().map(Some),
            Some(letter) if letter != '\n' => Ok(Some(letter)),
            _ => self.fail("expected `]` at the end of a set of characters"),
        }
    }
}

/// Writes a literal with the escapes that GBNF, Lark and JSON have in common.
pub(crate) fn write_literal(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            letter if letter.is_control() && (letter as u32) < 0x100 => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\x{:02X}", letter as u32);
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Writes the operator of a repetition.
pub(crate) fn write_bounds(min: u32, max: Option<u32>) -> String {
    match (min, max) {
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (0, Some(1)) => "?".to_owned(),
        (min, None) => format!("{{{min},}}"),
        (min, Some(max)) if min == max => format!("{{{min}}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
    }
}

/// The position of an expression inside another, which decides about parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Alternative,
    Part,
    Repeated,
}

/// Writes an expression. `leaf` writes names.
pub(crate) fn write_expression(body: &Expression, place: Place, leaf: &dyn Fn(&str) -> String) -> String {
    let (text, is_bare) = match body {
        Expression::Literal(text) => return write_literal(text),
        Expression::Name(name) => return leaf(name),
        Expression::Repeat { part, min, max } => {
            return write_expression(part, Place::Repeated, leaf) + &write_bounds(*min, *max);
        }
        Expression::Sequence(parts) if parts.is_empty() => return "\"\"".to_owned(),
        Expression::Sequence(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| write_expression(part, Place::Part, leaf)).collect();
            (parts.join(" "), place != Place::Repeated)
        }
        Expression::Choice(parts) => {
            let write = |part| write_expression(part, Place::Alternative, leaf);
            (parts.iter().map(write).collect::<Vec<_>>().join(" | "), place == Place::Alternative)
        }
    };
    if is_bare { text } else { format!("({text})") }
}
