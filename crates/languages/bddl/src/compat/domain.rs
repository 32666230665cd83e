//! Parser of domain files as the releases have it. The releases hardly use the result: they never compare its predicates with
//! problems, and its actions lose their names and parameters.

use std::collections::VecDeque;

use indexmap::IndexMap;

use super::{Exception, ExceptionKind, SExpr, parse_sexpr};
use crate::dialect::Release;

/// The requirements that a domain may have.
pub const REQUIREMENTS: [&str; 4] = [":strips", ":negative-preconditions", ":typing", ":adl"];

/// A domain as a release parses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// The name, or `unknown` if there is none.
    pub name: SExpr,
    /// The requirements.
    pub requirements: Vec<SExpr>,
    /// The items of `(:types ..)`.
    pub types: Vec<SExpr>,
    /// The actions.
    pub actions: Vec<Action>,
    /// The parameters of each predicate with their types. Release 1.0.0 keeps only the first predicate of a section.
    pub predicates: IndexMap<String, IndexMap<String, SExpr>>,
    /// The lines that the release prints.
    pub printed_lines: Vec<String>,
}

/// An action as a release parses it: the word after the name becomes the name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Action {
    /// The word after the name, usually `:parameters`.
    pub name: String,
    /// The parameters with their types.
    pub parameters: Vec<(SExpr, SExpr)>,
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
pub fn read_domain(text: &str, release: Release, path: &str) -> Result<Domain, Exception> {
    let mismatch = || Exception::general(format!("File {path} does not match domain pattern"));
    let SExpr::List(groups) = parse_sexpr(text)? else { return Err(mismatch()) };
    let mut groups = groups.into_iter();
    if groups.next().ok_or_else(Exception::empty)?.word() != Some("define") {
        return Err(mismatch());
    }
    let mut domain = Domain {
        name: SExpr::Word("unknown".to_owned()),
        requirements: Vec::new(),
        types: Vec::new(),
        actions: Vec::new(),
        predicates: IndexMap::new(),
        printed_lines: Vec::new(),
    };
    for group in groups {
        if let Err(exception) = domain.section(group, release) {
            return Err(exception.after(domain.printed_lines));
        }
    }
    Ok(domain)
}

impl Domain {
    fn section(&mut self, group: SExpr, release: Release) -> Result<(), Exception> {
        let mut items = taken_apart(group)?;
        let head = pop(&mut items)?;
        match head.word().unwrap_or_default() {
            "domain" => self.name = items.pop_front().ok_or_else(Exception::index)?,
            ":requirements" => {
                let unknown = |item: &&SExpr| !item.word().is_some_and(|word| REQUIREMENTS.contains(&word));
                if let Some(unknown) = items.iter().find(unknown) {
                    return Err(Exception::general(format!("Requirement {unknown} not supported")));
                }
                self.requirements = items.into();
            }
            ":predicates" => self.predicates(items, release)?,
            ":types" => self.types = items.into(),
            ":action" => {
                let name = pop(&mut items)?;
                if self.actions.iter().any(|action| name.word() == Some(&action.name)) {
                    return Err(Exception::general(format!("Action {name} is defined multiple times")));
                }
                let action = action(items, &mut self.printed_lines)?;
                self.actions.push(action);
            }
            _ => self.printed_lines.push(format!("{head} is not recognized in domain")),
        }
        Ok(())
    }

    fn predicates(&mut self, items: VecDeque<SExpr>, release: Release) -> Result<(), Exception> {
        let mut items = items.into_iter();
        match release {
            Release::V1_0 => {
                let message = "cannot unpack non-iterable NoneType object";
                let first = items.next().ok_or_else(|| Exception::new(ExceptionKind::TypeError, message))?;
                let (name, parameters) = predicate(first)?;
                let name = hashable(name)?;
                if self.predicates.contains_key(&name) {
                    return Err(Exception::general(format!("Predicate {name} defined multiple times")));
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

fn predicate(item: SExpr) -> Result<(SExpr, IndexMap<String, SExpr>), Exception> {
    let mut items = taken_apart(item)?;
    let name = pop(&mut items)?;
    let mut parameters = IndexMap::new();
    for (parameter, type_name) in typed(items, "predicates")? {
        parameters.insert(hashable(parameter)?, type_name);
    }
    Ok((name, parameters))
}

/// Parses `A .. - TYPE ..`; items without a type have the type `object`.
fn typed(mut items: VecDeque<SExpr>, place: &str) -> Result<Vec<(SExpr, SExpr)>, Exception> {
    let mut typed = Vec::new();
    let mut untyped = Vec::new();
    while let Some(item) = items.pop_front() {
        if item.word() != Some("-") {
            untyped.push(item);
            continue;
        }
        if untyped.is_empty() {
            return Err(Exception::general(format!("Unexpected hyphen in {place}")));
        }
        let type_name = pop(&mut items)?;
        typed.extend(untyped.drain(..).map(|name| (name, type_name.clone())));
    }
    typed.extend(untyped.into_iter().map(|name| (name, SExpr::Word("object".to_owned()))));
    Ok(typed)
}

/// Parses the items after the name of an action.
fn action(mut items: VecDeque<SExpr>, printed: &mut Vec<String>) -> Result<Action, Exception> {
    let SExpr::Word(name) = pop(&mut items)? else {
        return Err(Exception::general("Action without name definition"));
    };
    let mut action = Action { name, ..Action::default() };
    while let Some(item) = items.pop_front() {
        let name = &action.name;
        match item.word().unwrap_or_default() {
            ":parameters" => {
                let parameters = taken_apart(pop(&mut items)?)?;
                action.parameters = typed(parameters, &format!("{name} parameters"))?;
            }
            ":precondition" => {
                let (positive, negative) = split(pop(&mut items)?, &format!("{name} preconditions"))?;
                action.positive_preconditions.extend(positive);
                action.negative_preconditions.extend(negative);
            }
            ":effect" => {
                let (positive, negative) = split(pop(&mut items)?, &format!("{name} effects"))?;
                action.add_effects.extend(positive);
                action.del_effects.extend(negative);
            }
            _ => printed.push(format!("{item} is not recognized in action")),
        }
    }
    Ok(action)
}

/// Splits a conjunction into its positive and its negated parts.
fn split(group: SExpr, place: &str) -> Result<(Vec<SExpr>, Vec<SExpr>), Exception> {
    let SExpr::List(items) = group else { return Err(Exception::general(format!("Error with {place}"))) };
    let parts = match items.first().ok_or_else(Exception::index)?.word() {
        Some("and") => items.into_iter().skip(1).collect(),
        _ => vec![SExpr::List(items)],
    };
    let (mut positive, mut negative) = (Vec::new(), Vec::new());
    for part in parts {
        let inner = part.parts();
        if inner.first().ok_or_else(Exception::index)?.word() != Some("not") {
            positive.push(part);
            continue;
        }
        if inner.len() != 2 {
            return Err(Exception::general(format!("Unexpected not in {place}")));
        }
        negative.push(inner[1].clone());
    }
    Ok((positive, negative))
}

fn taken_apart(list: SExpr) -> Result<VecDeque<SExpr>, Exception> {
    match list {
        SExpr::List(items) => Ok(items.into()),
        SExpr::Word(_) => Err(Exception::new(ExceptionKind::AttributeError, "'str' object has no attribute 'pop'")),
    }
}

fn pop(items: &mut VecDeque<SExpr>) -> Result<SExpr, Exception> {
    items.pop_front().ok_or_else(Exception::empty)
}

fn hashable(list: SExpr) -> Result<String, Exception> {
    match list {
        SExpr::Word(word) => Ok(word),
        SExpr::List(_) => Err(Exception::unhashable()),
    }
}
