//! Error nodes: what remains in the tree of a piece of text that could not be parsed.

use goalspec_syntax::Span;
use goalspec_syntax::sexp::{Atom, List, Sexp};

use super::parser::{Form, FormItem, Parser};
use crate::ast::{Condition, Constraint, ErrorNode, PatternBody, Score, SetupStatement, Terminal};
use crate::keywords;
use crate::name_syntax::NameSyntax;

/// A kind of node that has a variant for pieces that could not be parsed.
pub(super) trait Recoverable: Sized {
    /// Creates the node of a piece that could not be parsed.
    fn error(node: ErrorNode<Self>) -> Self;

    /// Returns whether the piece could not be parsed.
    fn is_unparsed(&self) -> bool;
}

macro_rules! recoverable {
    ($($type:ident),* $(,)?) => {$(
        impl Recoverable for $type {
            fn error(node: ErrorNode<Self>) -> Self {
                Self::Error(node)
            }

            fn is_unparsed(&self) -> bool {
                matches!(self, Self::Error(_))
            }
        }
    )*};
}

recoverable!(Condition, PatternBody, Score, SetupStatement, Terminal);

impl Parser {
    /// Creates the error node of a form. The names that it may declare are recorded.
    pub(super) fn error<T>(&mut self, form: &Form<'_>, parts: Vec<T>) -> ErrorNode<T> {
        self.declare_names(form.list);
        ErrorNode { parts, span: form.span() }
    }

    /// Creates the error node of an item. The names that it may declare are recorded.
    pub(super) fn item_error<T>(&mut self, item: &FormItem<'_>) -> ErrorNode<T> {
        if let Some(list) = item.as_list() {
            self.declare_names(list);
        }
        ErrorNode::new(item.span())
    }

    /// Creates the error node of an item in the place of a preference. An atom may be the name of a preference without parentheses.
    pub(super) fn error_in_constraints<T>(&mut self, item: &FormItem<'_>) -> ErrorNode<T> {
        if let FormItem::Sexp(Sexp::Atom(atom)) = item {
            self.declare_preference(*atom);
        }
        self.item_error(item)
    }

    /// Creates the error node of a form in the constraints.
    pub(super) fn constraint_error(&mut self, form: &Form<'_>) -> Constraint {
        self.unparsed_names.has_externals |= self.declare_names(form.list);
        Constraint::Error(ErrorNode::new(form.span()))
    }

    /// Creates the error node of an item in the constraints.
    pub(super) fn constraint_item_error(&mut self, item: &FormItem<'_>) -> Constraint {
        if let Some(list) = item.as_list() {
            self.unparsed_names.has_externals |= self.declare_names(list);
        }
        Constraint::Error(self.error_in_constraints(item))
    }

    /// Creates an error node that may declare any preference.
    pub(super) fn unknown_preferences<T>(&mut self, span: Span) -> ErrorNode<T> {
        self.unparsed_names.has_unknown_preferences = true;
        ErrorNode::new(span)
    }

    /// Returns the node that was parsed from a form, as a part of an error node if an error was reported about the form itself.
    pub(super) fn complete<T: Recoverable>(&mut self, form: &Form<'_>, node: T) -> T {
        if form.is_malformed && !node.is_unparsed() { T::error(self.error(form, vec![node])) } else { node }
    }

    /// Records the names that a list may declare for the text around it: preferences, and variables that are not those of a quantifier
    /// with a body inside the list. In both cases, the operator may be misspelt. Returns whether there are variables among them.
    ///
    /// The lists inside it whose names have been recorded are skipped, so that nested errors cost no more than a single one.
    fn declare_names(&mut self, list: List<'_>) -> bool {
        let mut has_variables = false;
        let mut open = vec![list];
        while let Some(list) = open.pop() {
            if !self.recorded_lists.insert(list.span().start) {
                continue;
            }
            let items: Vec<Sexp> = list.items().collect();
            if is_variable_list(list) {
                has_variables = true;
                items.iter().filter_map(declared_variable).for_each(|name| self.declare_name(name));
            }
            self.declare_preferences(&items);
            let inner = match &items[..] {
                [Sexp::Atom(_), Sexp::List(variables), body @ ..]
                    if !body.is_empty() && is_variable_list(*variables) =>
                {
                    body
                }
                items => items,
            };
            open.extend(inner.iter().copied().filter_map(Sexp::as_list));
        }
        has_variables
    }

    /// Records the names that a list with these items may give to a preference: `(preference NAME BODY)`, also if the keyword is misspelt,
    /// missing or repeated.
    fn declare_preferences(&mut self, items: &[Sexp<'_>]) {
        let Some(head) = items.first().and_then(|head| head.as_atom()) else { return };
        let is_preference = head.text() == "preference";
        match items {
            [_] | [_, Sexp::List(_), ..] if is_preference => self.unparsed_names.has_unknown_preferences = true,
            [_, Sexp::List(_), ..] if !keywords::is_keyword(head.text()) => self.declare_preference(head),
            [_, Sexp::Atom(_), rest @ ..] if is_preference || matches!(rest, [Sexp::List(_), ..]) => {
                items[1..].iter().map_while(|item| item.as_atom()).for_each(|name| self.declare_preference(name));
            }
            _ => {}
        }
    }

    /// Records the name that an atom gives to a preference, which is unknown if the atom is not a valid name.
    fn declare_preference(&mut self, atom: Atom<'_>) {
        if NameSyntax::Plain.allows(atom.text()) {
            self.declare_name(atom.text());
        } else {
            self.unparsed_names.has_unknown_preferences = true;
        }
    }

    fn declare_name(&mut self, text: &str) {
        let text = self.intern(text);
        self.unparsed_names.names.insert(text);
    }
}

fn is_variable_list(list: List<'_>) -> bool {
    list.head().is_some_and(|head| head.text().starts_with('?'))
}

fn declared_variable<'t>(item: &Sexp<'t>) -> Option<&'t str> {
    let atom = item.as_atom().filter(|atom| atom.text().starts_with('?'))?;
    // A dash may be glued to the variable.
    atom.text().split('-').next()
}
