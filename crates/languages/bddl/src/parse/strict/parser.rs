//! The common parts of the parser: list forms, names, and diagnostics.

use std::sync::Arc;

use goalspec_syntax::diagnostic::{Applicability, Edit};
use goalspec_syntax::sexp::{Atom, AtomKind, List, Sexp};
use goalspec_syntax::{Diagnostic, Fix, Span};
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;

use crate::ast::Name;
use crate::codes;

/// The average number of bytes per distinct name in activities.
const BYTES_PER_NAME: usize = 32;

/// The maximum initial capacity of the name table.
const MOST_NAMES: usize = 1 << 12;

/// The state of parsing one tree: diagnostics, and interned names.
#[derive(Debug)]
pub(super) struct Parser {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Whether LIBERO's sections are accepted.
    pub(super) libero: bool,
    /// The names in the goal without a question mark.
    pub(super) undecorated_names: Vec<Span>,
    /// The names in the initial conditions with a question mark.
    pub(super) decorated: Vec<Span>,
    texts: FxHashSet<Arc<str>>,
}

/// The items of a list, of which most lists have few.
pub(super) type Parts<'t> = SmallVec<[Sexp<'t>; 4]>;

/// A list whose first item is a word.
#[derive(Debug)]
pub(super) struct Form<'t> {
    /// The first item.
    pub(super) word: Name,
    /// The remaining items.
    pub(super) parts: Parts<'t>,
    /// The span of the whole list.
    pub(super) span: Span,
}

impl Form<'_> {
    /// Returns the span of the first item.
    pub(super) fn word_span(&self) -> Span {
        self.word.origin.0
    }
}

impl Parser {
    /// Creates a parser for a text of the given length in bytes.
    pub(super) fn new(libero: bool, bytes: usize) -> Self {
        let names = (bytes / BYTES_PER_NAME).min(MOST_NAMES);
        let texts = FxHashSet::with_capacity_and_hasher(names, FxBuildHasher);
        Self { diagnostics: Vec::new(), libero, undecorated_names: Vec::new(), decorated: Vec::new(), texts }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Interns a name, in lower case and without question marks, with its source location.
    pub(super) fn text(&mut self, text: &str, span: Span) -> Name {
        let text = undecorated(text);
        // All interned names are in lower case.
        let text = self.texts.get(text).cloned().unwrap_or_else(|| self.new_text(text));
        Name { text, origin: span.into() }
    }

    fn new_text(&mut self, text: &str) -> Arc<str> {
        // Examining all bytes without an early exit is faster.
        let is_lower = !text.bytes().fold(false, |other, byte| other | !byte.is_ascii() | byte.is_ascii_uppercase());
        let new: Arc<str> = if is_lower {
            text.into()
        } else {
            let lower = text.to_lowercase();
            if let Some(known) = self.texts.get(&*lower) {
                return known.clone();
            }
            lower.into()
        };
        self.texts.insert(new.clone());
        new
    }

    /// Parses a name; quoted text and a single `?` are reported as errors.
    pub(super) fn name(&mut self, atom: Atom<'_>) -> Option<Name> {
        let text = atom.text();
        let problem = if atom.kind() == AtomKind::String {
            "names must not be quoted"
        } else if text.bytes().all(|byte| byte == b'?') {
            "a name must follow `?`"
        } else {
            return Some(self.text(text, atom.span()));
        };
        let message = format!("invalid name `{}`: {problem}", excerpt(text));
        self.report(Diagnostic::error(codes::INVALID_NAME, atom.span(), message));
        None
    }

    /// Parses a name; a list is reported as an error.
    pub(super) fn name_of(&mut self, sexp: &Sexp<'_>, expected: &str) -> Option<Name> {
        match sexp {
            Sexp::Atom(atom) => self.name(*atom),
            Sexp::List(_) => {
                self.unexpected(sexp, expected);
                None
            }
        }
    }

    /// Parses a list whose first item must be a word; `expected` describes the list in messages.
    pub(super) fn form<'t>(&mut self, list: List<'t>, expected: &str) -> Option<Form<'t>> {
        let mut items = list.items();
        let word = match items.next() {
            Some(Sexp::Atom(head)) => self.name(head)?,
            Some(Sexp::List(inner)) if items.next().is_none() && list.is_closed() => {
                self.doubled(list.span(), inner.span(), expected);
                return None;
            }
            Some(first @ Sexp::List(_)) => {
                let message = format!("expected {expected}, found a list that starts with a list");
                self.report(Diagnostic::error(codes::UNEXPECTED, first.span(), message));
                return None;
            }
            None => {
                let message = format!("expected {expected}, found an empty list");
                self.report(Diagnostic::error(codes::UNEXPECTED, list.span(), message));
                return None;
            }
        };
        Some(Form { word, parts: items.collect(), span: list.span() })
    }

    fn doubled(&mut self, outer: Span, inner: Span, expected: &str) {
        let remove = |span| Edit { span, replacement: String::new() };
        let open = Span { end: outer.start + 1, ..outer };
        let message = format!("expected {expected}, found doubled parentheses");
        self.report(Diagnostic::error(codes::UNEXPECTED, open, message).with_fix(Fix {
            title: "remove the outer parentheses".to_owned(),
            applicability: Applicability::Safe,
            edits: vec![remove(Span { end: inner.start, ..outer }), remove(Span { start: inner.end, ..outer })],
        }));
    }

    /// Reports an unexpected item.
    pub(super) fn unexpected(&mut self, found: &Sexp<'_>, expected: &str) {
        let message = format!("expected {expected}, found {}", describe(found));
        self.report(Diagnostic::error(codes::UNEXPECTED, found.span(), message));
    }

    /// Reports that the form lacks the part described by `what`.
    pub(super) fn missing(&mut self, form: &Form<'_>, what: &str) {
        let message = format!("`{}` requires {what}", form.word.text);
        self.report(Diagnostic::error(codes::MISSING_PART, form.span, message));
    }

    /// Reports the parts after the first `max`.
    pub(super) fn no_more(&mut self, form: &Form<'_>, max: usize) {
        if let (Some(first), Some(last)) = (form.parts.get(max), form.parts.last()) {
            let expected = if max == 1 { "1 element".to_owned() } else { format!("{max} elements") };
            let message = format!("`{}` takes {expected}, found {}", form.word.text, form.parts.len());
            self.report(Diagnostic::error(codes::EXTRA_PART, first.span().to(last.span()), message));
        }
    }

    /// Reports one note for several places, with a single fix for all of them.
    pub(super) fn report_merged(&mut self, mut note: Diagnostic, title: &str, edits: Vec<Edit>) {
        note.fixes.push(Fix { title: title.to_owned(), applicability: Applicability::Safe, edits });
        self.report(note);
    }
}

/// Returns a name without leading and trailing question marks, which are checked first because most names have none at the end.
pub(super) fn undecorated(text: &str) -> &str {
    let text = if text.starts_with('?') { text.trim_start_matches('?') } else { text };
    if text.ends_with('?') { text.trim_end_matches('?') } else { text }
}

/// Creates a fix that inserts text before and after a span.
pub(super) fn wrap(title: &str, span: Span, before: &str, after: &str, applicability: Applicability) -> Fix {
    let edits = vec![insertion(span.start, span, before), insertion(span.end, span, after)];
    Fix { title: title.to_owned(), applicability, edits }
}

/// Creates an edit that inserts text at an offset in the file of `span`.
pub(super) fn insertion(offset: u32, span: Span, text: &str) -> Edit {
    Edit { span: Span { start: offset, end: offset, ..span }, replacement: text.to_owned() }
}

/// Creates a safe fix that removes a span.
pub(super) fn remove(span: Span) -> Fix {
    Fix::replace("remove it", Applicability::Safe, span, "")
}

/// The maximum number of characters of a word that a message repeats.
const EXCERPT: usize = 60;

/// Returns the text, truncated if it is very long.
pub(in crate::parse) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}

/// Whether an item is the dash of a typed list or of a variable.
pub(super) fn is_dash(item: &Sexp<'_>) -> bool {
    item.as_atom().is_some_and(|atom| atom.text() == "-")
}

/// Describes an item for a message.
pub(super) fn describe(found: &Sexp<'_>) -> String {
    match found {
        Sexp::List(list) => match list.head() {
            Some(head) => format!("`({} ..)`", excerpt(head.text())),
            None => "a list".to_owned(),
        },
        Sexp::Atom(atom) => match atom.kind() {
            AtomKind::Number => format!("the number `{}`", excerpt(atom.text())),
            AtomKind::String => format!("the string `{}`", excerpt(atom.text())),
            AtomKind::Variable | AtomKind::Keyword | AtomKind::Symbol => format!("`{}`", excerpt(atom.text())),
        },
    }
}
