//! Parser of typed lists and atoms.

use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::sexp::{Atom, AtomKind, List, Sexp};
use goalspec_syntax::{Diagnostic, Fix, Span};

use super::parser::{Parser, excerpt};
use crate::ast::{self, Arguments, Name, TypeRef, TypedNames};
use crate::codes;

/// The kind of names in a typed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    Types,
    Objects,
    Variables,
}

impl NameKind {
    fn example(self) -> &'static str {
        match self {
            Self::Types => "the name of a type",
            Self::Objects => "the name of an object",
            Self::Variables => "a variable such as `?x`",
        }
    }
}

impl Parser {
    /// Parses a typed list such as `A B - T  C - U  D`.
    pub(super) fn typed<'t>(&mut self, items: impl Iterator<Item = Sexp<'t>>, listed: NameKind) -> Vec<TypedNames> {
        let mut groups = Vec::new();
        let mut names = Vec::new();
        let mut items = items;
        let mut is_first = true;
        while let Some(item) = items.next() {
            if item.as_atom().is_none_or(|atom| atom.text() != "-") {
                match item {
                    Sexp::Atom(atom) => {
                        let mut split = Arguments::new();
                        self.split(atom, &mut split);
                        names.extend(split.into_iter().filter_map(|name| self.listed(name, listed)));
                    }
                    Sexp::List(_) => self.report_unexpected(&item, listed.example()),
                }
                is_first = false;
                continue;
            }
            if std::mem::replace(&mut is_first, true) {
                self.report_unexpected(&item, listed.example());
            }
            let Some(type_ref) = items.next() else {
                self.report(Diagnostic::error(codes::MISSING_PART, item.span(), "expected a type after `-`"));
                break;
            };
            groups.push(TypedNames { names: std::mem::take(&mut names), type_ref: self.type_ref(&type_ref) });
        }
        if !names.is_empty() {
            groups.push(TypedNames { names, type_ref: None });
        }
        groups
    }

    fn listed(&mut self, name: Name, listed: NameKind) -> Option<Name> {
        if name.is_variable() == (listed == NameKind::Variables) {
            return Some(name);
        }
        let message = format!("expected {}, found `{}`", listed.example(), excerpt(name.written()));
        self.report(Diagnostic::error(codes::UNEXPECTED, name.span, message));
        None
    }

    /// Adds the names in an atom. An atom such as `truck?t`, in which a blank is missing, is split, since many parsers accept
    /// it.
    fn split(&mut self, atom: Atom<'_>, names: &mut Arguments) {
        let text = atom.text();
        let is_one = text.as_bytes().get(1..).is_none_or(|rest| !rest.contains(&b'?'));
        if is_one || atom.kind() == AtomKind::String {
            names.extend(self.name(atom));
            return;
        }
        let inner = text.match_indices('?').map(|(offset, _)| offset).filter(|&offset| offset > 0);
        let mut start = 0;
        for end in inner.chain([text.len()]) {
            let offset = atom.span().start + start as u32;
            let span = Span { start: offset, end: offset + (end - start) as u32, ..atom.span() };
            let name = &text[start..end];
            if start > 0 {
                let message = format!("missing blank before `{}`", excerpt(name));
                let fix = Fix::replace("insert a blank", Applicability::Safe, Span { end: offset, ..span }, " ");
                self.report(Diagnostic::warning(codes::MISSING_BLANK, span, message).with_fix(fix));
            }
            if name == "?" {
                let message = "`?` is not a name: expected a name after `?`";
                self.report(Diagnostic::error(codes::INVALID_NAME, span, message));
            } else {
                names.push(self.intern(name, span));
            }
            start = end;
        }
    }

    /// Parses `T` or `(either T ..)`.
    pub(super) fn type_ref(&mut self, part: &Sexp<'_>) -> Option<TypeRef> {
        const TYPE: &str = "a type or `(either TYPE ..)`";
        let Sexp::List(list) = part else {
            let name = self.plain_name(part, TYPE)?;
            return Some(TypeRef { span: name.span, names: vec![name] });
        };
        let form = self.form(*list, TYPE)?;
        if form.word.text() != "either" {
            self.report_unexpected(part, TYPE);
            return None;
        }
        let names: Vec<Name> = form.parts.iter().filter_map(|part| self.plain_name(part, "a type")).collect();
        if names.is_empty() {
            self.report_missing(&form, "at least one type");
            return None;
        }
        Some(TypeRef { names, span: form.span })
    }

    /// Parses the variables of a quantifier or the parameters of an action.
    pub(super) fn variables(&mut self, part: &Sexp<'_>) -> Option<Vec<TypedNames>> {
        let Sexp::List(list) = part else {
            self.report_unexpected(part, "a list of variables such as `(?x - block)`");
            return None;
        };
        Some(self.typed(list.items(), NameKind::Variables))
    }

    /// Parses `(NAME TERM ..)`.
    pub(super) fn atom_of(&mut self, list: List<'_>, expected: &str) -> Option<ast::Atom> {
        let mut items = list.items();
        let (name, rest) = self.head(items.next(), list, expected)?;
        let mut arguments: Arguments = rest;
        let mut whole = true;
        for part in items {
            match part {
                Sexp::Atom(atom) => {
                    let before = arguments.len();
                    self.split(atom, &mut arguments);
                    whole &= arguments.len() > before;
                }
                Sexp::List(list) => {
                    self.object_expected(list);
                    whole = false;
                }
            }
        }
        whole.then_some(ast::Atom { name, arguments, span: list.span() })
    }

    /// Parses the name that a list starts with. Returns it with the variables that follow it without a blank.
    pub(super) fn head(&mut self, head: Option<Sexp<'_>>, list: List<'_>, expected: &str) -> Option<(Name, Arguments)> {
        let Some(Sexp::Atom(atom)) = head else {
            self.report_unexpected(&list.into(), expected);
            return None;
        };
        let mut names = Arguments::new();
        self.split(atom, &mut names);
        if names.first()?.is_variable() {
            self.report_unexpected(&atom.into(), expected);
            return None;
        }
        let name = names.remove(0);
        Some((name, names))
    }

    fn object_expected(&mut self, list: List<'_>) {
        let message = "expected an object or a variable: object fluents are not supported";
        let found = Diagnostic::error(codes::OBJECT_FLUENT, list.span(), message);
        self.report(found.with_help("use a predicate with the value as an additional argument"));
    }
}
