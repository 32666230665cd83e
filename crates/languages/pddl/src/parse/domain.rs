//! Parser of domains.

use goalspec_syntax::sexp::{List, Sexp};
use goalspec_syntax::{Diagnostic, suggest};

use super::parser::{Form, Parser, SeenSections, excerpt};
use super::typed::NameKind;
use crate::ast::{
    Action, DerivedPredicate, Domain, Duration, FunctionDecl, Name, PredicateDecl, Requirements, TypedNames,
};
use crate::codes;
use crate::requirements::REQUIREMENTS;

/// The sections of a domain; `domain` is the one with the name.
pub const SECTIONS: [&str; 10] = [
    "domain",
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":constraints",
    ":action",
    ":durative-action",
    ":derived",
];

/// The reserved words, which predicates and functions cannot be named.
const RESERVED: [&str; 16] = [
    "and", "or", "not", "imply", "forall", "exists", "when", "either", "=", "<", "<=", ">", ">=", "increase",
    "decrease", "assign",
];

impl Parser {
    pub(super) fn domain(&mut self, list: List<'_>) -> Domain {
        let mut domain = Domain {
            name: self.intern("", list.open_span()),
            requirements: Requirements::default(),
            types: None,
            constants: Vec::new(),
            predicates: Vec::new(),
            functions: Vec::new(),
            constraints: None,
            actions: Vec::new(),
            derived: Vec::new(),
            behavior_spans: Vec::new(),
            header: list.open_span(),
            span: list.span(),
        };
        let mut found = SeenSections::default();
        for part in list.items().skip(1) {
            let Some(form) = self.section(&part) else { continue };
            let Some(&section) = SECTIONS.iter().find(|keyword| **keyword == form.word.text()) else {
                self.unknown_section(&form, &SECTIONS);
                continue;
            };
            if ![":action", ":durative-action", ":derived"].contains(&section) {
                self.check_duplicate_section(section, &form, &mut found);
            }
            if [":action", ":durative-action", ":derived", ":constraints"].contains(&section) {
                domain.behavior_spans.push(form.span);
            }
            self.domain_section(section, &form, &mut domain);
        }
        domain
    }

    fn domain_section(&mut self, section: &str, form: &Form<'_>, domain: &mut Domain) {
        match section {
            "domain" => {
                domain.header = form.span;
                domain.name = self.header(form).unwrap_or_else(|| domain.name.clone());
            }
            ":requirements" => self.requirements(form, &mut domain.requirements),
            ":types" => {
                let types = self.typed(form.parts.iter().copied(), NameKind::Types);
                domain.types.get_or_insert_default().extend(types);
            }
            ":constants" => domain.constants.extend(self.typed(form.parts.iter().copied(), NameKind::Objects)),
            ":predicates" => domain.predicates.extend(form.parts.iter().filter_map(|part| self.predicate(part))),
            ":functions" => self.functions(form, &mut domain.functions),
            ":constraints" => domain.constraints = self.one(form).or(domain.constraints.take()),
            ":derived" => domain.derived.extend(self.derived(form)),
            ":durative-action" => domain.actions.extend(self.action(form, true)),
            _ => domain.actions.extend(self.action(form, false)),
        }
    }

    pub(super) fn requirements(&mut self, form: &Form<'_>, requirements: &mut Requirements) {
        requirements.span = Some(form.span);
        for part in &form.parts {
            let Some(atom) = part.as_atom() else {
                self.report_unexpected(part, "a requirement such as `:typing`");
                continue;
            };
            let name = self.intern(atom.text(), atom.span());
            if !REQUIREMENTS.contains(&name.text()) {
                let message = format!("unknown requirement `{}`", excerpt(name.written()));
                let diagnostic = Diagnostic::warning(codes::UNKNOWN_REQUIREMENT, name.span, message);
                self.report(suggest::with_nearest(diagnostic, name.text(), name.span, REQUIREMENTS.iter().copied()).0);
            }
            requirements.names.push(name);
        }
    }

    /// Parses `(NAME ?A - TYPE ..)`.
    fn declaration(&mut self, part: &Sexp<'_>, what: &str) -> Option<(Name, Vec<TypedNames>)> {
        let Sexp::List(list) = part else {
            self.report_unexpected(part, what);
            return None;
        };
        let mut items = list.items();
        let (name, rest) = self.head(items.next(), *list, what)?;
        if RESERVED.contains(&name.text()) {
            let message = format!("`{}` is a reserved word", name.written());
            self.report(Diagnostic::error(codes::RESERVED_NAME, name.span, message));
            return None;
        }
        let mut parameters = self.typed(items, NameKind::Variables);
        if !rest.is_empty() {
            match parameters.first_mut() {
                Some(first) => first.names.splice(0..0, rest).for_each(drop),
                None => parameters.push(TypedNames { names: rest.into_vec(), type_ref: None }),
            }
        }
        Some((name, parameters))
    }

    fn predicate(&mut self, part: &Sexp<'_>) -> Option<PredicateDecl> {
        let (name, parameters) = self.declaration(part, "a predicate such as `(on ?x ?y)`")?;
        Some(PredicateDecl { name, parameters, span: part.span() })
    }

    /// Parses `(NAME ?A - TYPE ..) .. - number ..`.
    fn functions(&mut self, form: &Form<'_>, functions: &mut Vec<FunctionDecl>) {
        let mut untyped = functions.len();
        let mut parts = form.parts.iter();
        while let Some(part) = parts.next() {
            if part.as_atom().is_none_or(|atom| atom.text() != "-") {
                let declared = self.declaration(part, "a function such as `(distance ?x ?y)`");
                let function = |(name, parameters)| FunctionDecl { name, parameters, of: None, span: part.span() };
                functions.extend(declared.map(function));
                continue;
            }
            let Some(type_ref) = parts.next() else {
                let message = "expected `number` after `-`";
                return self.report(Diagnostic::error(codes::MISSING_PART, part.span(), message));
            };
            let type_ref = self.type_ref(type_ref);
            functions[untyped..].iter_mut().for_each(|function| function.of.clone_from(&type_ref));
            untyped = functions.len();
        }
    }

    fn derived(&mut self, form: &Form<'_>) -> Option<DerivedPredicate> {
        let [predicate, body] = self.two(form)?;
        let head = self.declaration(predicate, "a predicate such as `(above ?x ?y)`");
        let body = self.formula(body);
        let (predicate, parameters) = head?;
        Some(DerivedPredicate { predicate, parameters, body: body?, span: form.span })
    }

    /// Parses `(:action NAME :parameters (..) :precondition F :effect E)`.
    fn action(&mut self, form: &Form<'_>, durative: bool) -> Option<Action> {
        let Some(name) = form.parts.first() else {
            self.report_missing(form, "a name");
            return None;
        };
        let mut action = Action {
            name: self.plain_name(name, "the name of an action")?,
            parameters: Vec::new(),
            precondition: None,
            effect: None,
            duration: durative.then_some(Duration { constraint: None }),
            span: form.span,
        };
        let known: &[&str] = if durative {
            &[":parameters", ":duration", ":condition", ":effect"]
        } else {
            &[":parameters", ":precondition", ":effect"]
        };
        let mut sections = SeenSections::default();
        let mut parts = form.parts.iter().skip(1);
        while let Some(part) = parts.next() {
            let word = part.as_atom().map(|atom| atom.text().to_lowercase());
            let Some(&property) = known.iter().find(|known| word.as_deref() == Some(known)) else {
                self.unknown_property(part, known);
                continue;
            };
            let Some(value) = parts.next() else {
                let message = format!("expected a value after `{property}`");
                self.report(Diagnostic::error(codes::MISSING_PART, part.span(), message));
                break;
            };
            if let Some(&(_, first)) = sections.iter().find(|(known, _)| *known == property) {
                let message = format!("duplicate `{property}`");
                let twice = Diagnostic::error(codes::DUPLICATE_SECTION, part.span(), message);
                self.report(twice.with_related(first, "first occurrence"));
            }
            sections.push((property, part.span()));
            self.property(property, value, &mut action);
        }
        self.incomplete(&action, &sections);
        Some(action)
    }

    fn unknown_property(&mut self, part: &Sexp<'_>, known: &[&str]) {
        let Some(atom) = part.as_atom().filter(|atom| atom.text().starts_with(':')) else {
            return self.report_unexpected(part, &format!("one of {}", known.join(", ")));
        };
        let message = format!("unknown part `{}` of an action", excerpt(atom.text()));
        let diagnostic = Diagnostic::error(codes::UNEXPECTED, atom.span(), message);
        let (diagnostic, has_suggestion) =
            suggest::with_nearest(diagnostic, atom.text(), atom.span(), known.iter().copied());
        self.report(if has_suggestion {
            diagnostic
        } else {
            diagnostic.with_help(format!("expected one of: {}", known.join(", ")))
        });
    }

    fn property(&mut self, property: &str, value: &Sexp<'_>, action: &mut Action) {
        match property {
            ":parameters" => action.parameters = self.variables(value).unwrap_or_default(),
            ":precondition" | ":condition" => action.precondition = self.formula(value),
            ":duration" => {
                if let Some(durative) = &mut action.duration {
                    durative.constraint = self.formula(value);
                }
            }
            _ => action.effect = self.effect(value),
        }
    }

    /// Reports missing parts of an action.
    fn incomplete(&mut self, action: &Action, sections: &SeenSections) {
        let is_missing = |part: &str| !sections.iter().any(|(known, _)| *known == part);
        let name = excerpt(action.name.written());
        if is_missing(":effect") {
            let message = format!("action `{name}` has no `:effect`");
            self.report(Diagnostic::warning(codes::MISSING_PART, action.name.span, message));
        }
        if action.duration.is_some() && is_missing(":duration") {
            let message = format!("durative action `{name}` has no `:duration`");
            self.report(Diagnostic::error(codes::MISSING_PART, action.name.span, message));
        }
    }
}
