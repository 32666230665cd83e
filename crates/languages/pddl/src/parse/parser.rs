//! The parser state, and functions shared by all parts of the parser: forms, names, numbers and common diagnostics.

use std::sync::Arc;

use goalspec_syntax::sexp::{Atom, AtomKind, List, Sexp};
use goalspec_syntax::{Diagnostic, Span, suggest};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ast::{Name, Word};
use crate::codes;

/// The state of the parser of one source text. Interns names.
#[derive(Debug, Default)]
pub(super) struct Parser {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Whether the operators of `LTLf` are accepted.
    pub(super) accepts_ltlf: bool,
    /// The interned words with their indices.
    words: FxHashMap<Arc<str>, (u32, Arc<Word>)>,
}

/// The operands of a form.
pub(super) type Parts<'t> = SmallVec<[Sexp<'t>; 4]>;

/// A list that starts with a word.
#[derive(Debug)]
pub(super) struct Form<'t> {
    /// The word.
    pub(super) word: Name,
    /// The remaining items.
    pub(super) parts: Parts<'t>,
    /// The span of the list.
    pub(super) span: Span,
}

/// The sections parsed so far, each with the span of its keyword.
pub(super) type SeenSections = Vec<(&'static str, Span)>;

impl Parser {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Interns a name.
    pub(super) fn intern(&mut self, text: &str, span: Span) -> Name {
        let (number, word) = if let Some((number, word)) = self.words.get(text) {
            (*number, word.clone())
        } else {
            let name: Arc<str> = text.into();
            let has_capitals = text.chars().any(char::is_uppercase);
            let lower = if has_capitals { text.to_lowercase().into() } else { name.clone() };
            let word = Arc::new(Word { lower, written: name.clone() });
            let number = self.words.len() as u32;
            self.words.insert(name, (number, word.clone()));
            (number, word)
        };
        Name { word, word_index: number, span }
    }

    /// Parses a name or variable. Other atoms are reported.
    pub(super) fn name(&mut self, atom: Atom<'_>) -> Option<Name> {
        let problem = match atom.kind() {
            AtomKind::String => "names are not quoted",
            AtomKind::Keyword => "only sections and their parts start with `:`",
            AtomKind::Number => "it is a number",
            AtomKind::Variable if atom.text() == "?" => "expected a name after `?`",
            AtomKind::Variable | AtomKind::Symbol => return Some(self.intern(atom.text(), atom.span())),
        };
        let message = format!("`{}` is not a name: {problem}", excerpt(atom.text()));
        self.report(Diagnostic::error(codes::INVALID_NAME, atom.span(), message));
        None
    }

    /// Parses a form as a name or variable. Other forms are reported.
    pub(super) fn name_of(&mut self, sexp: &Sexp<'_>, expected: &str) -> Option<Name> {
        match sexp {
            Sexp::Atom(atom) => self.name(*atom),
            Sexp::List(_) => {
                self.report_unexpected(sexp, expected);
                None
            }
        }
    }

    /// Parses a form as a name. Variables and other forms are reported.
    pub(super) fn plain_name(&mut self, sexp: &Sexp<'_>, expected: &str) -> Option<Name> {
        let name = self.name_of(sexp, expected)?;
        if name.is_variable() {
            self.report_unexpected(sexp, expected);
            return None;
        }
        Some(name)
    }

    /// Parses a form as a number. Other forms are reported.
    pub(super) fn number_of(&mut self, sexp: &Sexp<'_>, expected: &str) -> Option<f64> {
        let number = sexp.as_atom().and_then(number);
        if number.is_none() {
            self.report_unexpected(sexp, expected);
        }
        number
    }

    /// Parses a list that starts with a word; `expected` names the expected form in the diagnostic.
    pub(super) fn form<'t>(&mut self, list: List<'t>, expected: &str) -> Option<Form<'t>> {
        let mut items = list.items();
        let problem = match items.next() {
            Some(Sexp::Atom(head)) => {
                let word = self.intern(head.text(), head.span());
                return Some(Form { word, parts: items.collect(), span: list.span() });
            }
            Some(Sexp::List(_)) => "a list that does not start with a word",
            None => "an empty list",
        };
        let message = format!("expected {expected}, found {problem}");
        self.report(Diagnostic::error(codes::UNEXPECTED, list.open_span(), message));
        None
    }

    /// Parses a section of a definition.
    pub(super) fn section<'t>(&mut self, part: &Sexp<'t>) -> Option<Form<'t>> {
        const SECTION: &str = "a section such as `(:objects ..)`";
        match part {
            Sexp::List(list) => self.form(*list, SECTION),
            Sexp::Atom(_) => {
                self.report_unexpected(part, SECTION);
                None
            }
        }
    }

    /// Reports a duplicate section.
    pub(super) fn check_duplicate_section(&mut self, section: &'static str, form: &Form<'_>, found: &mut SeenSections) {
        let Some(&(_, first)) = found.iter().find(|(known, _)| *known == section) else {
            return found.push((section, form.word.span));
        };
        let message = format!("duplicate section `{section}`");
        let twice = Diagnostic::error(codes::DUPLICATE_SECTION, form.word.span, message);
        self.report(twice.with_related(first, "first occurrence").with_help("merge the two"));
    }

    pub(super) fn unknown_section(&mut self, form: &Form<'_>, known: &[&str]) {
        let word = form.word.text();
        let message = format!("unknown section `{}` is ignored", excerpt(form.word.written()));
        let diagnostic = Diagnostic::error(codes::UNKNOWN_SECTION, form.word.span, message);
        if word == "define" {
            self.report(diagnostic.with_help("the enclosing definition is not closed: check for a missing `)`"));
            return;
        }
        let (diagnostic, has_suggestion) =
            suggest::with_nearest(diagnostic, word, form.word.span, known.iter().copied());
        self.report(if has_suggestion {
            diagnostic
        } else {
            diagnostic.with_help(format!("expected one of: {}", known.join(", ")))
        });
    }

    /// Parses the name in a section that consists of one.
    pub(super) fn header(&mut self, form: &Form<'_>) -> Option<Name> {
        self.expect_at_most(form, 1);
        let Some(part) = form.parts.first() else {
            self.report_missing(form, "a name");
            return None;
        };
        match part.as_atom() {
            // The names of problems are often numbers.
            Some(atom) if atom.kind() == AtomKind::Number => Some(self.intern(atom.text(), atom.span())),
            _ => self.plain_name(part, "a name"),
        }
    }

    /// Reports an unexpected form.
    pub(super) fn report_unexpected(&mut self, found: &Sexp<'_>, expected: &str) {
        let message = format!("expected {expected}, found {}", describe(found));
        let span = match found {
            Sexp::List(list) => list.head().map_or(list.open_span(), Atom::span),
            Sexp::Atom(atom) => atom.span(),
        };
        self.report(Diagnostic::error(codes::UNEXPECTED, span, message));
    }

    /// Reports a missing operand.
    pub(super) fn report_missing(&mut self, form: &Form<'_>, what: &str) {
        let message = format!("`{}` requires {what}", form.word.written());
        self.report(Diagnostic::error(codes::MISSING_PART, form.word.span, message));
    }

    /// Reports operands beyond the first `most`.
    pub(super) fn expect_at_most(&mut self, form: &Form<'_>, max: usize) {
        if let (Some(first), Some(last)) = (form.parts.get(max), form.parts.last()) {
            let expected = if max == 1 { "1 part".to_owned() } else { format!("{max} parts") };
            let message = format!("`{}` takes {expected}, found {}", excerpt(form.word.written()), form.parts.len());
            self.report(Diagnostic::error(codes::EXTRA_PART, first.span().to(last.span()), message));
        }
    }
}

/// Returns the value of a numeric atom.
pub(super) fn number(atom: Atom<'_>) -> Option<f64> {
    let text = atom.text();
    let is_plain = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    text.parse().ok().filter(|number: &f64| is_plain && number.is_finite())
}

/// Maximum number of characters of a word that are quoted in a message.
const EXCERPT: usize = 60;

/// Returns the text, truncated if it is very long.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}

/// Describes a form in a message.
fn describe(found: &Sexp<'_>) -> String {
    match found {
        Sexp::List(list) => match list.head() {
            Some(head) => format!("`({} ..)`", excerpt(head.text())),
            None if list.items().next().is_none() => "`()`".to_owned(),
            None => "a list".to_owned(),
        },
        Sexp::Atom(atom) => match atom.kind() {
            AtomKind::Number => format!("the number `{}`", excerpt(atom.text())),
            AtomKind::String => format!("the string `{}`", excerpt(atom.text())),
            AtomKind::Variable | AtomKind::Keyword | AtomKind::Symbol => format!("`{}`", excerpt(atom.text())),
        },
    }
}
