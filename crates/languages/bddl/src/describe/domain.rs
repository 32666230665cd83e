//! Descriptions of domains in English.

use goalspec_syntax::NodeSpan;

use super::clause::SentenceWriter;
use super::words;
use crate::ast::{Action, Domain, Effect, Expr, ExprKind, Literal, ObjectGroup, Parameter, PredicateDecl, Problem};
use crate::dialect::Dialect;

/// Describes a domain: its types, its predicates with their parameters, and the preconditions and effects of its actions.
///
/// ```
/// use goalspec_bddl::{Dialect, describe, parse};
///
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (domain laundry) (:types sock towel - cloth  cloth)
///     (:predicates (wet ?c - cloth) (nextto ?a ?b))
///     (:action dry :parameters (?c - cloth) :precondition (wet ?c) :effect (not (wet ?c))))");
/// let parsed = parse::parse(sources.file(id), Dialect::STRICT);
/// assert_eq!(describe::domain(&parsed.domains[0], Dialect::STRICT), "the domain laundry
///
/// Types:
/// - sock and towel: subtypes of cloth
/// - cloth
///
/// Predicates:
/// - (wet ?c - cloth)
/// - (nextto ?a ?b)
///
/// Actions:
/// - (dry ?c - cloth)
///   - precondition:
///     - ?c is wet
///   - effect:
///     - ?c is not wet
/// ");
/// ```
pub fn domain(domain: &Domain, dialect: Dialect) -> String {
    let mut text = format!("the domain {}\n", domain.name.text);
    section(&mut text, "Types", domain.types.iter().map(|group| format!("- {}\n", kinds(group))));
    section(
        &mut text,
        "Predicates",
        domain.predicates.iter().map(|declaration| format!("- {}\n", predicate(declaration))),
    );
    section(&mut text, "Actions", domain.actions.iter().map(|declaration| action(declaration, dialect)));
    text
}

/// Appends a section with a heading, if it has entries.
fn section(text: &mut String, heading: &str, entries: impl Iterator<Item = String>) {
    let entries: String = entries.collect();
    if !entries.is_empty() {
        text.extend(["\n", heading, ":\n", &entries]);
    }
}

fn kinds(group: &ObjectGroup) -> String {
    let names: Vec<String> = group.instances.iter().map(|name| name.text.to_string()).collect();
    let names = words::listed(&names);
    match &group.category {
        Some(supertype) if group.instances.len() == 1 => format!("{names}: subtype of {}", supertype.text),
        Some(supertype) => format!("{names}: subtypes of {}", supertype.text),
        None => names,
    }
}

fn predicate(declaration: &PredicateDecl) -> String {
    signature(&declaration.name.text, &declaration.parameters)
}

/// Formats a declaration as `(NAME ?a - TYPE ?b)`.
fn signature(name: &str, parameters: &[Parameter]) -> String {
    let mut text = format!("({name}");
    for (place, parameter) in parameters.iter().enumerate() {
        text.extend([" ?", &*parameter.name.text]);
        let next = parameters.get(place + 1);
        if let Some(type_name) = &parameter.type_name
            && next.and_then(|next| next.type_name.as_ref()).is_none_or(|other| other.text != type_name.text)
        {
            text.extend([" - ", &*type_name.text]);
        }
    }
    text + ")"
}

fn action(action: &Action, dialect: Dialect) -> String {
    let empty_problem = nothing(action);
    let effect = action.effect.as_ref().map(|effect| condition(effect, action.origin));
    let mut writer = SentenceWriter::new(&empty_problem, dialect);
    for parameter in &action.parameters {
        writer.call(&parameter.name.text, format!("?{}", parameter.name.text));
    }
    writer.line(0, &signature(&action.name.text, &action.parameters));
    for (heading, part) in [("precondition:", action.precondition.as_ref()), ("effect:", effect.as_ref())] {
        if let Some(part) = part {
            writer.line(1, heading);
            writer.body(1, part);
        }
    }
    writer.finish()
}

/// Creates a problem without objects, for the description of an action, which refers to parameters only.
fn nothing(action: &Action) -> Problem {
    Problem {
        name: action.name.clone(),
        domain: None,
        objects: Vec::new(),
        init: Vec::new(),
        goal: Vec::new(),
        libero: None,
        origin: action.origin,
    }
}

/// Returns the postcondition of an effect of the action at a span; a conditional effect becomes an implication.
fn condition(effect: &Effect, action: NodeSpan) -> Expr {
    let kind = match effect {
        Effect::And(parts) => ExprKind::And(parts.iter().map(|part| condition(part, action)).collect()),
        Effect::Literal(literal) => return of_literal(literal),
        Effect::Forall(variable, body) => ExprKind::Forall(variable.clone(), Box::new(condition(body, action))),
        Effect::When(antecedent, body) => ExprKind::Imply(Box::new([(**antecedent).clone(), condition(body, action)])),
    };
    Expr { kind, origin: action }
}

fn of_literal(literal: &Literal) -> Expr {
    let atom = Expr { kind: ExprKind::Atom(literal.atom.clone()), origin: literal.atom.origin };
    if literal.positive { atom } else { Expr { origin: atom.origin, kind: ExprKind::Not(Box::new(atom)) } }
}
