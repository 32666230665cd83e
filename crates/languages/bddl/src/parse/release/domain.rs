//! Parser of domain files as the releases have it. The releases hardly use the result: they never compare its predicates with
//! problems, and its actions lose their names and parameters.

use std::collections::VecDeque;
use std::sync::Arc;

use goalspec_syntax::{SourceFile, Span};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use super::sexpr::Definition;
use super::{SExpr, parse_sexpr};
use crate::ast;
use crate::dialect::Release;
use crate::exception::{Exception, ExceptionKind, PrintedLine};
use crate::parse::keywords::{ActionPart, DomainSection, Operator, REQUIREMENTS};
use crate::parse::typed_list::{self, TypedEntry};

/// A domain as a release parses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseDomain {
    /// The name, or `unknown` if there is none.
    pub name: SExpr,
    /// The requirements.
    pub requirements: Vec<SExpr>,
    /// The items of `(:types ..)`.
    pub types: Vec<SExpr>,
    /// The actions.
    pub actions: Vec<ReleaseAction>,
    /// The parameters of each predicate with their types. Release 1.0.0 keeps only the first predicate of a section.
    pub predicates: IndexMap<String, IndexMap<String, Arc<SExpr>>>,
    /// The lines that the release prints.
    pub printed_lines: Vec<PrintedLine>,
}

/// An action as a release parses it: the word after the name becomes the name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReleaseAction {
    /// The word after the name, usually `:parameters`.
    pub name: String,
    /// The parameters with their types.
    pub parameters: Vec<(SExpr, Arc<SExpr>)>,
    /// The conjuncts of the precondition that must hold.
    pub positive_preconditions: Vec<SExpr>,
    /// The negated conjuncts of the precondition, without `not`.
    pub negative_preconditions: Vec<SExpr>,
    /// The atoms that become true.
    pub add_effects: Vec<SExpr>,
    /// The atoms that become false.
    pub del_effects: Vec<SExpr>,
}

/// Parses a domain file; `path` occurs in one error message.
///
/// # Errors
/// The exception that the release raises.
pub fn read_domain(source: &SourceFile, release: Release, path: &str) -> Result<ReleaseDomain, Exception> {
    domain_of(parse_sexpr(source)?, release, path)
}

/// Whether a form defines a domain: it has a section `(domain ..)` but no section `(problem ..)`.
pub(super) fn defines_domain(form: &SExpr) -> bool {
    let SExpr::List(groups, _) = form else { return false };
    let has_section = |name: &str| {
        let is_named =
            |group: &SExpr| matches!(group, SExpr::List(items, _) if items.first().and_then(SExpr::word) == Some(name));
        groups.iter().skip(1).any(is_named)
    };
    has_section("domain") && !has_section("problem")
}

/// Reads the form of a domain file; `path` occurs in one error message.
pub(super) fn domain_of(form: SExpr, release: Release, path: &str) -> Result<ReleaseDomain, Exception> {
    let mismatch = |span| Exception::general(format!("File {path} does not match domain pattern")).with_span(span);
    let Definition { head, groups, .. } = form.definition(mismatch)?;
    let mut domain = ReleaseDomain {
        name: SExpr::Word("unknown".to_owned(), head),
        requirements: Vec::new(),
        types: Vec::new(),
        actions: Vec::new(),
        predicates: IndexMap::new(),
        printed_lines: Vec::new(),
    };
    let mut action_names = FxHashSet::default();
    for group in groups {
        let span = group.span();
        if let Err(exception) = domain.section(group, release, &mut action_names) {
            return Err(exception.with_span(span).with_printed_lines(domain.printed_lines));
        }
    }
    Ok(domain)
}

impl ReleaseDomain {
    /// Parses a section; `action_names` are the [names](ReleaseAction::name) of the actions so far.
    fn section(
        &mut self,
        group: SExpr,
        release: Release,
        action_names: &mut FxHashSet<String>,
    ) -> Result<(), Exception> {
        let mut items = taken_apart(group)?;
        let head = pop(&mut items)?;
        match head.word().and_then(DomainSection::from_word) {
            Some(DomainSection::Name) => self.name = items.pop_front().ok_or_else(Exception::index)?,
            Some(DomainSection::Requirements) => {
                let unknown = |item: &&SExpr| !item.word().is_some_and(|word| REQUIREMENTS.contains(&word));
                if let Some(unknown) = items.iter().find(unknown) {
                    let message = format!("Requirement {unknown} not supported");
                    return Err(Exception::general(message).with_span(unknown.span()));
                }
                self.requirements = items.into();
            }
            Some(DomainSection::Predicates) => self.predicates(items, release)?,
            Some(DomainSection::Types) => self.types = items.into(),
            Some(DomainSection::Action) => {
                let name = pop(&mut items)?;
                if name.word().is_some_and(|word| action_names.contains(word)) {
                    return Err(
                        Exception::general(format!("Action {name} is defined multiple times")).with_span(name.span())
                    );
                }
                let action = action(items, &mut self.printed_lines)?;
                action_names.insert(action.name.clone());
                self.actions.push(action);
            }
            None => self
                .printed_lines
                .push(PrintedLine { text: format!("{head} is not recognized in domain"), span: head.span() }),
        }
        Ok(())
    }

    /// Parses the declarations of predicates: 1.0.0 only the first one, 3.6.0 all of them, of which the last section counts.
    fn predicates(&mut self, items: VecDeque<SExpr>, release: Release) -> Result<(), Exception> {
        let mut items = items.into_iter();
        match release {
            Release::V1_0 => {
                let message = "cannot unpack non-iterable NoneType object";
                let first = items.next().ok_or_else(|| Exception::new(ExceptionKind::TypeError, message))?;
                let span = first.span();
                let (name, parameters) = predicate(first)?;
                let name = hashable(name)?;
                if self.predicates.contains_key(&name) {
                    return Err(Exception::general(format!("Predicate {name} defined multiple times")).with_span(span));
                }
                self.predicates.insert(name, parameters);
            }
            Release::V3_6 => {
                let declared = |item| predicate(item).and_then(|(name, parameters)| Ok((hashable(name)?, parameters)));
                self.predicates = items.map(declared).collect::<Result<_, _>>()?;
            }
        }
        Ok(())
    }
}

/// Parses the declaration of a predicate.
fn predicate(item: SExpr) -> Result<(SExpr, IndexMap<String, Arc<SExpr>>), Exception> {
    let span = item.span();
    let read = |item| {
        let mut items = taken_apart(item)?;
        let name = pop(&mut items)?;
        let mut parameters = IndexMap::new();
        for (parameter, type_name) in typed(items, "predicates")? {
            parameters.insert(hashable(parameter)?, type_name);
        }
        Ok((name, parameters))
    };
    read(item).map_err(|exception: Exception| exception.with_span(span))
}

/// Parses `A .. - TYPE ..`; items without a type have the type `object`. Items share their type, which may be a large list.
fn typed(items: VecDeque<SExpr>, place: &str) -> Result<Vec<(SExpr, Arc<SExpr>)>, Exception> {
    let mut typed = Vec::new();
    let mut untyped: Vec<SExpr> = Vec::new();
    for entry in typed_list::entries(items.into_iter(), |item| item.word() == Some("-")) {
        match entry {
            TypedEntry::Item(item) => untyped.push(item),
            TypedEntry::Type { dash, .. } if untyped.is_empty() => {
                return Err(Exception::general(format!("Unexpected hyphen in {place}")).with_span(dash.span()));
            }
            TypedEntry::Type { dash, name } => {
                let type_name = Arc::new(name.ok_or_else(|| Exception::empty().with_span(dash.span()))?);
                typed.extend(untyped.drain(..).map(|name| (name, Arc::clone(&type_name))));
            }
        }
    }
    let object = |span: Span| Arc::new(SExpr::Word(ast::OBJECT.to_owned(), span));
    typed.extend(untyped.into_iter().map(|name| {
        let span = name.span();
        (name, object(span))
    }));
    Ok(typed)
}

/// Parses the items after the name of an action.
fn action(mut items: VecDeque<SExpr>, printed: &mut Vec<PrintedLine>) -> Result<ReleaseAction, Exception> {
    let name = match pop(&mut items)? {
        SExpr::Word(name, _) => name,
        SExpr::List(_, span) => return Err(Exception::general("Action without name definition").with_span(span)),
    };
    let mut action = ReleaseAction { name, ..ReleaseAction::default() };
    while let Some(item) = items.pop_front() {
        let name = &action.name;
        let Some(part) = item.word().and_then(ActionPart::from_word) else {
            let text = format!("{item} is not recognized in action");
            printed.push(PrintedLine { text, span: item.span() });
            continue;
        };
        let value = pop(&mut items).map_err(|exception| exception.with_span(item.span()))?;
        match part {
            ActionPart::Parameters => action.parameters = typed(taken_apart(value)?, &format!("{name} parameters"))?,
            ActionPart::Precondition => {
                let (positive, negative) = split(value, &format!("{name} preconditions"))?;
                action.positive_preconditions.extend(positive);
                action.negative_preconditions.extend(negative);
            }
            ActionPart::Effect => {
                let (positive, negative) = split(value, &format!("{name} effects"))?;
                action.add_effects.extend(positive);
                action.del_effects.extend(negative);
            }
        }
    }
    Ok(action)
}

/// Splits a conjunction into its positive and its negated parts.
fn split(group: SExpr, place: &str) -> Result<(Vec<SExpr>, Vec<SExpr>), Exception> {
    let (items, span) = match group {
        SExpr::List(items, span) => (items, span),
        SExpr::Word(_, span) => return Err(Exception::general(format!("Error with {place}")).with_span(span)),
    };
    let head = items.first().ok_or_else(|| Exception::index().with_span(span))?;
    let parts = match head.word().and_then(Operator::from_word) {
        Some(Operator::And) => items.into_iter().skip(1).collect(),
        _ => vec![SExpr::List(items, span)],
    };
    let (mut positive, mut negative) = (Vec::new(), Vec::new());
    for part in parts {
        let head = part.first().ok_or_else(|| Exception::index().with_span(part.span()))?;
        if head.word().and_then(Operator::from_word) != Some(Operator::Not) {
            positive.push(part);
            continue;
        }
        let [_, negated] = &*part.parts() else {
            return Err(Exception::general(format!("Unexpected not in {place}")).with_span(part.span()));
        };
        negative.push(negated.clone());
    }
    Ok((positive, negative))
}

fn taken_apart(list: SExpr) -> Result<VecDeque<SExpr>, Exception> {
    match list {
        SExpr::List(items, _) => Ok(items.into()),
        SExpr::Word(_, span) => {
            Err(Exception::new(ExceptionKind::AttributeError, "'str' object has no attribute 'pop'").with_span(span))
        }
    }
}

fn pop(items: &mut VecDeque<SExpr>) -> Result<SExpr, Exception> {
    items.pop_front().ok_or_else(Exception::empty)
}

fn hashable(value: SExpr) -> Result<String, Exception> {
    match value {
        SExpr::Word(word, _) => Ok(word),
        SExpr::List(_, span) => Err(Exception::unhashable().with_span(span)),
    }
}
