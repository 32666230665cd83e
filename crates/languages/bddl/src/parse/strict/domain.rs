//! Parser of domains.

use goalspec_syntax::sexp::{List, Sexp};
use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::parser::{Form, Parser, describe, excerpt, is_dash};
use super::problem::{GroupKind, SeenSections};
use crate::ast::{Action, ActionModel, Domain, Effect, Literal, Name, Parameter, PredicateDecl, Rule};
use crate::codes;
use crate::parse::keywords::{ActionPart, DomainSection, EffectOperator, ModelForm, Operator};
use crate::parse::typed_list::{self, TypedEntry};

/// The nullary predicates of LIBERO.
const CONSTANTS: [&str; 2] = ["true", "false"];

impl Parser {
    pub(super) fn domain(&mut self, list: List<'_>) -> Domain {
        let mut domain = Domain {
            name: self.text("", list.open_span()),
            requirements: Vec::new(),
            types: Vec::new(),
            predicates: Vec::new(),
            actions: Vec::new(),
            origin: list.span().into(),
        };
        let mut found = SeenSections::default();
        for part in list.items().skip(1) {
            let Some(form) = self.section(&part) else { continue };
            let Some(section) = DomainSection::from_word(&form.word.text) else {
                self.unknown_section(&form, DomainSection::WORDS);
                continue;
            };
            if section != DomainSection::Action {
                self.check_duplicate_section(&form, &mut found);
            }
            match section {
                DomainSection::Name => domain.name = self.header(&form).unwrap_or_else(|| domain.name.clone()),
                DomainSection::Requirements => domain.requirements.extend(self.requirements(&form)),
                DomainSection::Types => domain.types.extend(self.groups(&form, GroupKind::Types)),
                DomainSection::Predicates => {
                    domain.predicates.extend(form.parts.iter().filter_map(|part| self.declaration(part)));
                }
                DomainSection::Action => domain.actions.extend(self.action(&form)),
            }
        }
        self.unique(domain.predicates.iter().map(|decl| &decl.name), "predicate");
        self.unique(domain.actions.iter().map(|action| &action.name), "action");
        // In actions, question marks distinguish variables from constants, so names without one are not reported.
        self.undecorated_names.clear();
        domain
    }

    /// Parses a top-level form of an action model: an action or a rule.
    pub(super) fn model(&mut self, list: List<'_>, model: &mut ActionModel) {
        let Some(form) = self.form(list, "an action or a rule") else { return };
        match ModelForm::from_word(&form.word.text) {
            Some(ModelForm::Action) => model.actions.extend(self.action(&form)),
            Some(ModelForm::Rule) => model.rules.extend(self.rule(&form)),
            Some(ModelForm::Fact | ModelForm::Without) => {}
            None => {
                let expected = "`(:action ..)`, `(:derived ..)`, `(:fact ..)` or `(:without ..)`";
                self.unexpected(&Sexp::List(list), expected);
            }
        }
    }

    /// Parses a rule `(:derived (NAME ?A ..) C)`.
    fn rule(&mut self, form: &Form<'_>) -> Option<Rule> {
        let (head, body) = self.effect_parts(form)?;
        let head = self.declaration(head)?;
        Some(Rule { predicate: head.name, parameters: head.parameters, body: self.condition(body)? })
    }

    fn unique<'a>(&mut self, names: impl Iterator<Item = &'a Name>, what: &str) {
        let mut first: FxHashMap<&str, &Name> = FxHashMap::default();
        for name in names {
            let previous = *first.entry(&name.text).or_insert(name);
            if std::ptr::eq(previous, name) {
                continue;
            }
            let message = format!("the {what} `{}` is declared twice", excerpt(&name.text));
            let diagnostic = Diagnostic::error(codes::DUPLICATE_DECLARATION, name.origin.0, message);
            self.report(diagnostic.with_related(previous.origin.0, "first declaration"));
        }
    }

    /// Parses a predicate declaration `(NAME ?A - TYPE ..)`.
    fn declaration(&mut self, part: &Sexp<'_>) -> Option<PredicateDecl> {
        const DECLARATION: &str = "a predicate such as `(open ?a)`";
        let Some(list) = part.as_list() else {
            self.unexpected(part, DECLARATION);
            return None;
        };
        let form = self.form(list, DECLARATION)?;
        if Operator::from_word(&form.word.text).is_some() {
            let span = form.word.origin.0;
            let message = format!("`{}` is an operator and cannot be the name of a predicate", form.word.text);
            self.report(Diagnostic::error(codes::UNEXPECTED, span, message));
            return None;
        }
        let parameters = self.parameters(&form.parts);
        self.unique(parameters.iter().map(|parameter| &parameter.name), "parameter");
        let arity = parameters.len();
        let is_constant = CONSTANTS.contains(&&*form.word.text);
        if arity > 2 || (arity == 0 && !is_constant) {
            let number = if arity == 0 { "no".to_owned() } else { arity.to_string() };
            let message = format!("`{}` has {number} parameters, expected one or two", form.word.text);
            self.report(Diagnostic::error(codes::ARGUMENT_COUNT, form.span, message));
        }
        Some(PredicateDecl { name: form.word, parameters, origin: form.span.into() })
    }

    /// Parses a parameter list `?A ?B - TYPE ..`.
    fn parameters(&mut self, parts: &[Sexp<'_>]) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut untyped = 0;
        for entry in typed_list::entries(parts.iter(), |part| is_dash(part)) {
            let (dash, type_name) = match entry {
                TypedEntry::Item(part) => {
                    let name = self.name_of(part, "a parameter such as `?a`");
                    parameters.extend(name.map(|name| Parameter { name, type_name: None }));
                    continue;
                }
                TypedEntry::Type { dash, name } => (dash, name),
            };
            let Some(type_name) = type_name else {
                let message = "missing type after `-`";
                self.report(Diagnostic::error(codes::MISSING_PART, dash.span(), message));
                break;
            };
            if untyped == parameters.len() {
                let message = format!("expected a parameter before `-`, found {}", describe(dash));
                self.report(Diagnostic::error(codes::UNEXPECTED, dash.span(), message));
            }
            let type_name = self.name_of(type_name, "a type");
            for parameter in &mut parameters[untyped..] {
                parameter.type_name.clone_from(&type_name);
            }
            untyped = parameters.len();
        }
        parameters
    }

    /// Parses `(:action NAME :parameters (..) :precondition C :effect E)`.
    fn action(&mut self, form: &Form<'_>) -> Option<Action> {
        let Some(name) = form.parts.first() else {
            self.missing(form, "a name");
            return None;
        };
        let mut action = Action {
            name: self.name_of(name, "the name of an action")?,
            parameters: Vec::new(),
            precondition: None,
            effect: None,
            origin: form.span.into(),
        };
        let mut found: Vec<(ActionPart, Span)> = Vec::new();
        let mut parts = form.parts.iter().skip(1);
        while let Some(part) = parts.next() {
            let word = part.as_atom().map(|atom| atom.text().to_lowercase()).unwrap_or_default();
            let Some(keyword) = ActionPart::from_word(&word) else {
                self.unexpected(part, "`:parameters`, `:precondition` or `:effect`");
                continue;
            };
            let Some(value) = parts.next() else {
                let message = format!("missing value of `{word}`");
                self.report(Diagnostic::error(codes::MISSING_PART, part.span(), message));
                break;
            };
            if let Some((_, first)) = found.iter().find(|(known, _)| *known == keyword) {
                let message = format!("duplicate `{word}`, which is ignored");
                let diagnostic = Diagnostic::error(codes::DUPLICATE_SECTION, part.span(), message);
                let diagnostic = diagnostic.with_related(*first, "first one");
                self.report(diagnostic.with_help("merge the two, with `and`"));
                continue;
            }
            self.action_part(keyword, value, &mut action);
            found.push((keyword, part.span()));
        }
        self.incomplete(&action.name, &found);
        Some(action)
    }

    /// Reports the missing parts of an action; `found` are the parts that it has.
    fn incomplete(&mut self, action: &Name, found: &[(ActionPart, Span)]) {
        let span = action.origin.0;
        let name = excerpt(&action.text);
        let is_missing = |part| found.iter().all(|(known, _)| *known != part);
        if is_missing(ActionPart::Parameters) {
            let message = format!("missing `:parameters` of the action `{name}`");
            let missing = Diagnostic::error(codes::MISSING_PART, span, message);
            self.report(missing.with_help("add `:parameters ()` if it has none"));
        } else if is_missing(ActionPart::Effect) {
            let message = format!("missing `:effect` of the action `{name}`, which has no effect");
            self.report(Diagnostic::warning(codes::MISSING_PART, span, message));
        }
    }

    fn action_part(&mut self, part: ActionPart, value: &Sexp<'_>, action: &mut Action) {
        let Some(list) = value.as_list() else { return self.unexpected(value, "a list") };
        let is_empty = list.items().next().is_none();
        match part {
            ActionPart::Parameters => action.parameters = self.parameters(&list.items().collect::<Vec<_>>()),
            ActionPart::Precondition if is_empty => action.precondition = None,
            ActionPart::Precondition => action.precondition = self.condition(value),
            ActionPart::Effect if is_empty => action.effect = None,
            ActionPart::Effect => action.effect = self.effect(value),
        }
    }

    fn effect(&mut self, part: &Sexp<'_>) -> Option<Effect> {
        const EFFECT: &str = "an effect such as `(open ?a)` or `(not (open ?a))`";
        let Some(list) = part.as_list() else {
            self.unexpected(part, EFFECT);
            return None;
        };
        let form = self.form(list, EFFECT)?;
        match EffectOperator::from_word(&form.word.text) {
            Some(EffectOperator::And) => {
                Some(Effect::And(form.parts.iter().filter_map(|part| self.effect(part)).collect()))
            }
            Some(EffectOperator::Forall) => {
                let (_, body) = self.effect_parts(&form)?;
                let [variable] = self.variables(&form, 0)?;
                Some(Effect::Forall(variable, Box::new(self.effect(body)?)))
            }
            Some(EffectOperator::When) => {
                let (condition, body) = self.effect_parts(&form)?;
                Some(Effect::When(Box::new(self.condition(condition)?), Box::new(self.effect(body)?)))
            }
            None => Literal::from_condition(self.condition(part)?).map(Effect::Literal).or_else(|| {
                self.unexpected(part, EFFECT);
                None
            }),
        }
    }

    /// Returns the two operands of `forall` and `when`.
    fn effect_parts<'f, 't>(&mut self, form: &'f Form<'t>) -> Option<(&'f Sexp<'t>, &'f Sexp<'t>)> {
        self.no_more(form, 2);
        let [first, second, ..] = &form.parts[..] else {
            self.missing(form, "two parts");
            return None;
        };
        Some((first, second))
    }
}
