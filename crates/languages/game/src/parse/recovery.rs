//! Error nodes: what remains in the tree of a piece of text that could not be parsed.

use goalspec_syntax::Span;
use goalspec_syntax::sexp::{Atom, List, Sexp};

use super::parser::{Form, FormItem};
use crate::ast::{Condition, ErrorNode, Name, PatternBody, Score, SetupStatement, Terminal};
use crate::keywords;
use crate::name_syntax::NameSyntax;

/// A kind of node that has a variant for pieces that could not be parsed.
pub(super) trait Recoverable: Sized {
    /// Creates the node of a piece that could not be parsed.
    fn error(node: ErrorNode<Self>) -> Self;

    /// Returns whether the piece could not be parsed.
    fn is_error(&self) -> bool;
}

macro_rules! recoverable {
    ($($type:ident),* $(,)?) => {$(
        impl Recoverable for $type {
            fn error(node: ErrorNode<Self>) -> Self {
                Self::Error(node)
            }

            fn is_error(&self) -> bool {
                matches!(self, Self::Error(_))
            }
        }
    )*};
}

recoverable!(Condition, PatternBody, Score, SetupStatement, Terminal);

impl Form<'_> {
    /// Returns the error node of this form.
    pub(super) fn error<T>(&self, parts: Vec<T>) -> ErrorNode<T> {
        ErrorNode { parts, declared: declared_names(self.list), span: self.span() }
    }

    /// Returns the node that was parsed from this form, as a part of an error node if an error was reported about the form itself.
    pub(super) fn complete<T: Recoverable>(&self, node: T) -> T {
        if self.is_malformed && !node.is_error() { T::error(self.error(vec![node])) } else { node }
    }
}

impl FormItem<'_> {
    /// Returns the error node of this item.
    pub(super) fn error<T>(&self) -> ErrorNode<T> {
        let declared = self.as_list().map_or_else(Vec::new, declared_names);
        ErrorNode { declared, ..ErrorNode::new(self.span()) }
    }

    /// Returns the error node of this item in the place of a preference. An atom may be the name of a preference without parentheses.
    pub(super) fn error_in_constraints<T>(&self) -> ErrorNode<T> {
        match self {
            Self::Sexp(Sexp::Atom(atom)) => {
                ErrorNode { declared: vec![preference_name(*atom)], ..ErrorNode::new(self.span()) }
            }
            _ => self.error(),
        }
    }
}

/// Returns the names that a list may declare for the text around it: preferences, and variables that are not those of a quantifier
/// with a body inside the list. In both cases, the operator may be misspelt.
pub(super) fn declared_names(list: List<'_>) -> Vec<Name> {
    let mut names = Vec::new();
    let mut open = vec![list];
    while let Some(list) = open.pop() {
        let items: Vec<Sexp> = list.items().collect();
        if is_variable_list(list) {
            names.extend(items.iter().filter_map(declared_variable));
        }
        declared_preferences(&items, &mut names);
        let inner = match &items[..] {
            [Sexp::Atom(_), Sexp::List(variables), body @ ..] if !body.is_empty() && is_variable_list(*variables) => {
                body
            }
            items => items,
        };
        open.extend(inner.iter().copied().filter_map(Sexp::as_list));
    }
    names
}

/// Collects the names that a list with these items may give to a preference: `(preference NAME BODY)`, also if the keyword is misspelt,
/// missing or repeated.
fn declared_preferences(items: &[Sexp<'_>], into: &mut Vec<Name>) {
    let Some(head) = items.first().and_then(|head| head.as_atom()) else { return };
    let is_preference = head.text() == "preference";
    match items {
        [_] | [_, Sexp::List(_), ..] if is_preference => into.push(Name::missing(head.span())),
        [_, Sexp::List(_), ..] if !keywords::is_keyword(head.text()) => into.push(preference_name(head)),
        [_, Sexp::Atom(_), rest @ ..] if is_preference || matches!(rest, [Sexp::List(_), ..]) => {
            into.extend(items[1..].iter().map_while(|item| item.as_atom()).map(preference_name));
        }
        _ => {}
    }
}

/// Returns the name that an atom gives to a preference; an invalid one is missing.
pub(super) fn preference_name(atom: Atom<'_>) -> Name {
    if NameSyntax::Plain.allows(atom.text()) { erroneous(atom.text(), atom.span()) } else { Name::missing(atom.span()) }
}

fn is_variable_list(list: List<'_>) -> bool {
    list.head().is_some_and(|head| head.text().starts_with('?'))
}

fn declared_variable(item: &Sexp<'_>) -> Option<Name> {
    let atom = item.as_atom().filter(|atom| atom.text().starts_with('?'))?;
    // A dash may be glued to the variable.
    let text = atom.text().split('-').next()?;
    Some(erroneous(text, atom.span()))
}

fn erroneous(text: &str, span: Span) -> Name {
    Name { text: text.into(), ..Name::missing(span) }
}
