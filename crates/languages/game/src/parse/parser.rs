//! The common parts of the parser: list destructuring, names, numbers, and the wording of messages.

use std::collections::VecDeque;
use std::sync::Arc;

use goalspec_syntax::diagnostic::{Applicability, Edit};
use goalspec_syntax::sexp::{Atom, AtomKind, List, Sexp};
use goalspec_syntax::{Diagnostic, Fix, Span, suggest};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Name, NodeStatus, UnparsedNames};
use crate::name_syntax::NameSyntax;
use crate::{codes, keywords};

/// The parser state for one tree: collects diagnostics and interns names.
#[derive(Debug, Default)]
pub(super) struct Parser {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The number of errors among them.
    pub(super) error_count: usize,
    texts: FxHashSet<Arc<str>>,
    /// The lexical rule for names of the world.
    pub(super) spelling: NameSyntax,
    /// The names that the erroneous pieces of the current game may declare.
    pub(super) unparsed_names: UnparsedNames,
    /// The offsets of the lists whose names have been recorded there.
    pub(super) recorded_lists: FxHashSet<u32>,
    /// The offsets of the lists in the setup for which it is known whether they contain a marker, and whether they do.
    pub(super) marked_lists: FxHashMap<u32, bool>,
}

/// A list whose head is a word.
#[derive(Debug)]
pub(super) struct Form<'t> {
    /// The head, without a number glued to it.
    pub(super) word: &'t str,
    /// The span of the head.
    pub(super) word_span: Span,
    /// The items after the head.
    pub(super) parts: VecDeque<FormItem<'t>>,
    /// The list itself.
    pub(super) list: List<'t>,
    /// Whether an error was reported about the form itself, rather than about one of its parts.
    pub(super) is_malformed: bool,
}

/// An item of a list.
#[derive(Debug, Clone, Copy)]
pub(super) enum FormItem<'t> {
    /// An item of the tree.
    Sexp(Sexp<'t>),
    /// A number that is glued to the operator before it.
    SplitNumber(&'t str, Span),
}

impl<'t> FormItem<'t> {
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Sexp(sexp) => sexp.span(),
            Self::SplitNumber(_, span) => *span,
        }
    }

    /// Returns the text of an atom.
    pub(super) fn atom_text(&self) -> Option<&'t str> {
        match self {
            Self::Sexp(sexp) => Some(sexp.as_atom()?.text()),
            Self::SplitNumber(text, _) => Some(text),
        }
    }

    pub(super) fn as_list(&self) -> Option<List<'t>> {
        match self {
            Self::Sexp(sexp) => sexp.as_list(),
            Self::SplitNumber(..) => None,
        }
    }
}

impl<'t> Form<'t> {
    pub(super) fn span(&self) -> Span {
        self.list.span()
    }

    /// Iterates over the first `max` parts, and over the lists of several items among the parts beyond them, which are in excess. An
    /// error about another part beyond them would repeat that it is in excess.
    pub(super) fn parts_and_extra_lists(&self, max: usize) -> impl Iterator<Item = &FormItem<'t>> {
        let is_long = |part: &FormItem<'_>| part.as_list().is_some_and(|list| list.items().nth(1).is_some());
        let indexed = self.parts.iter().enumerate();
        indexed.filter(move |(index, part)| *index < max || is_long(part)).map(|(_, part)| part)
    }
}

impl Parser {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.error_count += usize::from(diagnostic.is_error());
        self.diagnostics.push(diagnostic);
    }

    /// Returns an interned name.
    pub(super) fn name(&mut self, text: &str, span: Span) -> Name {
        Name { text: self.intern(text), status: NodeStatus::Valid, span: span.into() }
    }

    /// Returns the shared text that equals the given one.
    pub(super) fn intern(&mut self, text: &str) -> Arc<str> {
        self.texts.get(text).cloned().unwrap_or_else(|| {
            let new: Arc<str> = text.into();
            self.texts.insert(new.clone());
            new
        })
    }

    /// Destructures a list whose first item must be a word. `expected` describes the expected list, for messages.
    pub(super) fn form<'t>(&mut self, list: List<'t>, expected: &str) -> Option<Form<'t>> {
        let Some(head) = list.head() else {
            self.report_headless_list(list, expected);
            return None;
        };
        let mut parts: VecDeque<FormItem> = list.items().skip(1).map(FormItem::Sexp).collect();
        let span = head.span();
        let (word, word_span) = match keywords::split_operator(head.text()) {
            Some((operator, number)) => {
                let split = span.start + operator.len() as u32;
                let number_span = Span { start: split, ..span };
                self.report(
                    Diagnostic::note(
                        codes::EXTENSION,
                        span,
                        format!("`{}` is read as the operator `{operator}` and the number `{number}`", head.text()),
                    )
                    .with_fix(Fix {
                        title: "insert a space between them".to_owned(),
                        applicability: Applicability::Safe,
                        edits: vec![Edit {
                            span: Span { end: split, start: split, ..span },
                            replacement: " ".to_owned(),
                        }],
                    }),
                );
                parts.push_front(FormItem::SplitNumber(number, number_span));
                (operator, Span { end: split, ..span })
            }
            None => (head.text(), span),
        };
        Some(Form { word, word_span, parts, list, is_malformed: false })
    }

    /// Destructures an item that must be such a list. Doubled parentheses are reported and skipped.
    pub(super) fn part_form<'t>(&mut self, part: &FormItem<'t>, expected: &str) -> Option<Form<'t>> {
        let Some(list) = part.as_list() else {
            self.unexpected(part, expected);
            return None;
        };
        let mut inner = list;
        while inner.head().is_none()
            && let Some(only) = sole_list(inner)
        {
            // A missing parenthesis has been reported.
            if inner.is_closed() {
                self.report_headless_list(inner, expected);
            }
            inner = only;
        }
        let form = self.form(inner, expected)?;
        Some(Form { is_malformed: inner.span() != list.span(), ..form })
    }

    /// Returns the only part of a form. Additional or missing parts are reported.
    pub(super) fn single<'t>(&mut self, form: &mut Form<'t>, expected: &str) -> Option<FormItem<'t>> {
        self.reject_extra_parts(form, 1);
        if form.parts.is_empty() {
            self.missing(form, expected);
        }
        form.parts.front().copied()
    }

    fn report_headless_list(&mut self, list: List<'_>, expected: &str) {
        let mut items = list.items();
        let diagnostic = match (items.next(), items.next()) {
            (None, _) => {
                Diagnostic::error(codes::UNEXPECTED, list.span(), format!("expected {expected}, found an empty list"))
            }
            (Some(Sexp::List(inner)), None) if list.is_closed() => {
                let (outer, inner) = (list.span(), inner.span());
                Diagnostic::error(
                    codes::UNEXPECTED,
                    list.open_span(),
                    format!("expected {expected}, found double parentheses"),
                )
                .with_fix(Fix {
                    title: "remove the outer pair".to_owned(),
                    applicability: Applicability::Safe,
                    edits: vec![
                        Edit { span: Span { end: inner.start, ..outer }, replacement: String::new() },
                        Edit { span: Span { start: inner.end, ..outer }, replacement: String::new() },
                    ],
                })
            }
            (Some(first), _) => Diagnostic::error(
                codes::UNEXPECTED,
                first.span(),
                format!("expected {expected}, found a list that does not start with a name"),
            ),
        };
        self.report(diagnostic);
    }

    /// Reports an unexpected item.
    pub(super) fn unexpected(&mut self, part: &FormItem<'_>, expected: &str) {
        let found = match part {
            FormItem::Sexp(Sexp::List(list)) => match list.head() {
                Some(head) => format!("`({} ..)`", excerpt(head.text())),
                None => "a list".to_owned(),
            },
            FormItem::Sexp(Sexp::Atom(atom)) => describe(atom),
            FormItem::SplitNumber(text, _) => format!("the number `{text}`"),
        };
        self.report(Diagnostic::error(codes::UNEXPECTED, part.span(), format!("expected {expected}, found {found}")));
    }

    /// Reports a head that is not valid in this place. `known` lists the valid heads.
    pub(super) fn unknown_operator(&mut self, form: &mut Form<'_>, known: &[&str], expected: &str) {
        form.is_malformed = true;
        let word = excerpt(form.word);
        let diagnostic = if keywords::is_keyword(form.word) {
            Diagnostic::error(
                codes::MISPLACED_OPERATOR,
                form.word_span,
                format!("expected {expected}, found the keyword `{word}`"),
            )
            .with_help(keyword_help(&word))
        } else {
            Diagnostic::error(
                codes::UNKNOWN_OPERATOR,
                form.word_span,
                format!("unknown operator `{word}`, expected {expected}"),
            )
        };
        let (diagnostic, found) = suggest::with_nearest(diagnostic, form.word, form.word_span, known.iter().copied());
        self.report(if found {
            diagnostic
        } else {
            diagnostic.with_help(format!("expected one of: {}", known.join(", ")))
        });
    }

    /// Reports parts beyond the first `max`.
    pub(super) fn reject_extra_parts(&mut self, form: &mut Form<'_>, max: usize) {
        if let (Some(first), Some(last)) = (form.parts.get(max), form.parts.back()) {
            form.is_malformed = true;
            let limit = match max {
                0 => "no arguments".to_owned(),
                1 => "1 argument".to_owned(),
                _ => format!("{max} arguments"),
            };
            self.report(Diagnostic::error(
                codes::EXTRA_PART,
                first.span().to(last.span()),
                format!("`{}` takes {limit}, found {}", form.word, form.parts.len()),
            ));
        }
    }

    /// Reports that `expected` is missing from the form.
    pub(super) fn missing(&mut self, form: &mut Form<'_>, expected: &str) {
        form.is_malformed = true;
        self.report(Diagnostic::error(
            codes::MISSING_PART,
            form.span(),
            format!("`{}` requires {expected}", form.word),
        ));
    }

    /// Reports a form that extends the defining text of the language.
    pub(super) fn extension(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::note(codes::EXTENSION, span, message));
    }

    /// Parses a number. Reports an error and returns `None` if the atom is not a valid one.
    pub(super) fn number(&mut self, text: &str, span: Span) -> Option<f64> {
        if keywords::is_number(text)
            && let Ok(value) = text.parse::<f64>()
            && value.is_finite()
        {
            return Some(value);
        }
        let diagnostic = Diagnostic::error(codes::INVALID_NUMBER, span, format!("invalid number `{}`", excerpt(text)));
        self.report(advise_number(diagnostic, text, span));
        None
    }

    /// Parses the name of a preference.
    pub(super) fn preference_name(&mut self, text: &str, span: Span) -> Option<Name> {
        self.checked_name(text, span, NameSyntax::Plain, "a preference")
    }

    /// Parses the name of a type, predicate, function or object of the world.
    pub(super) fn world_name(&mut self, text: &str, span: Span, expected: &str) -> Option<Name> {
        self.checked_name(text, span, self.spelling, expected)
    }

    fn checked_name(&mut self, text: &str, span: Span, spelling: NameSyntax, expected: &str) -> Option<Name> {
        if spelling.allows(text) {
            return Some(self.name(text, span));
        }
        let message = format!("`{}` is not a valid name of {expected}: expected {}", excerpt(text), spelling.rule());
        self.report(Diagnostic::error(codes::INVALID_NAME, span, message));
        None
    }

    /// Parses the name of a game.
    pub(super) fn identifier(&mut self, part: &FormItem<'_>, expected: &str) -> Option<Name> {
        self.identifier_with(part, expected, &['_', '-'], "letters, digits, dashes and underscores")
    }

    /// Parses the name of a world, which may include the name of its family: `atari/pong`.
    pub(super) fn name_of_world(&mut self, part: &FormItem<'_>) -> Option<Name> {
        self.identifier_with(part, "a world", &['_', '-', '/'], "letters, digits, dashes, underscores and slashes")
    }

    fn identifier_with(&mut self, part: &FormItem<'_>, expected: &str, others: &[char], allowed: &str) -> Option<Name> {
        let Some(text) = part.atom_text() else {
            self.unexpected(part, &format!("the name of {expected}"));
            return None;
        };
        let mut letters = text.chars();
        let proper = letters.next().is_some_and(|first| first.is_ascii_alphanumeric())
            && letters.all(|letter| letter.is_ascii_alphanumeric() || others.contains(&letter));
        if proper {
            return Some(self.name(text, part.span()));
        }
        self.report(Diagnostic::error(
            codes::INVALID_NAME,
            part.span(),
            format!("`{}` is not a valid name of {expected}: expected {allowed}", excerpt(text)),
        ));
        None
    }

    /// Parses an argument of a predicate or function, or a type: a variable or a name of the world.
    pub(super) fn term(&mut self, text: &str, span: Span) -> Option<Name> {
        if text.starts_with('?') {
            self.variable(text, span)
        } else {
            self.world_name(text, span, "an object or a type")
        }
    }

    /// Parses a variable, including its question mark.
    pub(super) fn variable(&mut self, text: &str, span: Span) -> Option<Name> {
        let letters = text.strip_prefix('?').unwrap_or(text);
        if letters.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            return Some(self.name(text, span));
        }
        self.report(Diagnostic::error(
            codes::INVALID_NAME,
            span,
            format!(
                "`{}` is not a valid name of a variable: expected `?`, then letters, digits and underscores",
                excerpt(text)
            ),
        ));
        None
    }
}

/// Maximum number of characters of a number that a fix writes out.
const MAX_FIX_CHARS: usize = 20;

/// Adds help for a number in the notation of another language.
fn advise_number(mut diagnostic: Diagnostic, text: &str, span: Span) -> Diagnostic {
    let Ok(value) = text.parse::<f64>() else { return diagnostic };
    if !value.is_finite() {
        return diagnostic.with_help("the number is too large: at most 309 digits may precede the decimal point");
    }
    if text.contains(['e', 'E']) {
        diagnostic = diagnostic.with_help("write all digits, such as `1500` for `1.5e3`: numbers have no exponent");
    }
    let digits = value.to_string();
    if digits.len() > MAX_FIX_CHARS {
        return diagnostic;
    }
    diagnostic.with_fix(Fix::replace(format!("replace with `{digits}`"), Applicability::Safe, span, digits))
}

/// Returns the only item of a list if that item is a list.
pub(super) fn sole_list(list: List<'_>) -> Option<List<'_>> {
    let mut items = list.items();
    match (items.next(), items.next()) {
        (Some(Sexp::List(inner)), None) => Some(inner),
        _ => None,
    }
}

/// Returns a fix that inserts text before and after a span.
pub(super) fn wrap(title: &str, span: Span, before: &str, after: &str, is_safe: bool) -> Fix {
    let at = |offset: u32, text: &str| Edit {
        span: Span { start: offset, end: offset, ..span },
        replacement: text.to_owned(),
    };
    Fix {
        title: title.to_owned(),
        applicability: if is_safe { Applicability::Safe } else { Applicability::Unsafe },
        edits: vec![at(span.start, before), at(span.end, after)],
    }
}

/// Returns a safe fix that removes a span.
pub(super) fn remove(span: Span) -> Fix {
    Fix::replace("remove it", Applicability::Safe, span, "")
}

/// Maximum number of characters of a word that a message quotes.
const MAX_EXCERPT_CHARS: usize = 60;

/// Returns the text, truncated after [`MAX_EXCERPT_CHARS`] characters.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT_CHARS) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}

fn describe(atom: &Atom) -> String {
    let text = excerpt(atom.text());
    match atom.kind() {
        AtomKind::Number => format!("the number `{text}`"),
        AtomKind::Variable => format!("the variable `{text}`"),
        AtomKind::String => format!("the string `{text}`"),
        AtomKind::Keyword | AtomKind::Symbol => format!("`{text}`"),
    }
}

/// Returns help for a keyword that is used as a name.
pub(super) fn keyword_help(word: &str) -> String {
    format!("`{word}` is a keyword of the game language; programs cannot use a predicate or function with this name")
}
