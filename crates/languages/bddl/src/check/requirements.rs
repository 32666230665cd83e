//! The requirements of an activity on a simulator: predicates, and properties of objects.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::ast::{Atom, Expr, ExprKind, Problem};
use crate::knowledge::argument_requirements::{self, ArgumentRequirement};
use crate::knowledge::{Edition, Knowledge};
use crate::resolve::INROOM;

/// The requirements of an activity.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Requirements {
    /// The required predicates, ordered by name and arity.
    pub predicates: Vec<PredicateRequirement>,
    /// The required properties, ordered by category.
    pub properties: Vec<PropertyRequirement>,
}

/// A predicate that an activity uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredicateRequirement {
    /// The name of the predicate.
    pub name: String,
    /// The number of arguments.
    pub arity: usize,
    /// The number of literals with this predicate in `:init`.
    pub init_count: usize,
    /// The number of atoms with this predicate in `:goal`.
    pub goal_count: usize,
}

/// A property that a predicate requires of the objects of a category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyRequirement {
    /// The name of the category.
    pub category: String,
    /// The property, such as `cookable`; of several alternatives, one is sufficient.
    pub properties: Vec<&'static str>,
    /// The names of the predicates that require it.
    pub predicates: Vec<String>,
    /// Whether objects of the category have the property; `None` if that is unknown.
    pub is_satisfied: Option<bool>,
}

/// Computes the requirements of an activity, by the rules of the release of `knowledge`, or else of the newest release of its
/// domain. Properties are those that the release itself checks. Unknown predicates and those of other domains require none.
pub fn of_problem(problem: &Problem, knowledge: Option<&Knowledge>) -> Requirements {
    let newest = match problem.domain.as_ref().map(|domain| &*domain.text) {
        Some("igibson") => Some(Edition::V1_0),
        Some("omnigibson" | "behavior-1k") => Some(Edition::V3_6),
        _ => None,
    };
    let edition = newest.map(|newest| knowledge.map_or(newest, Knowledge::edition));
    let mut collector =
        Collector { edition, instances: BTreeMap::new(), predicates: BTreeMap::new(), properties: BTreeMap::new() };
    for declaration in problem.declarations() {
        collector.instances.insert(&declaration.name.text, declaration.category);
    }
    for literal in &problem.init {
        collector.atom(&literal.atom, &[], false);
    }
    let mut scopes = Vec::new();
    problem.goal.iter().for_each(|condition| collector.condition(condition, &mut scopes));
    collector.finish(knowledge)
}

/// A variable in scope and its category.
type Scope<'a> = (&'a str, &'a str);

/// A category, and alternative properties of which one is required.
type Needed<'a> = (&'a str, Vec<&'static str>);

struct Collector<'a> {
    /// The release that defines the requirements; `None` for domains other than those of BEHAVIOR.
    edition: Option<Edition>,
    instances: BTreeMap<&'a str, &'a str>,
    /// The numbers of occurrences in `:init` and in `:goal`, by predicate and arity.
    predicates: BTreeMap<(&'a str, usize), (usize, usize)>,
    properties: BTreeMap<Needed<'a>, BTreeSet<&'a str>>,
}

impl<'a> Collector<'a> {
    fn condition(&mut self, condition: &'a Expr, scopes: &mut Vec<Scope<'a>>) {
        if let ExprKind::Atom(atom) = &condition.kind {
            return self.atom(atom, scopes, true);
        }
        let mark = scopes.len();
        scopes.extend(condition.variables().map(|variable| (&*variable.name.text, &*variable.category.text)));
        condition.operands().iter().for_each(|part| self.condition(part, scopes));
        scopes.truncate(mark);
    }

    fn atom(&mut self, atom: &'a Atom, scopes: &[Scope<'a>], in_goal: bool) {
        let name = &*atom.predicate.text;
        let arities = self.predicates.entry((name, atom.arguments.len())).or_default();
        *(if in_goal { &mut arities.1 } else { &mut arities.0 }) += 1;
        // The position of the agent requires no property.
        let stands = name == "ontop" && atom.arguments.first().is_some_and(|name| *name.text == *super::AGENT_INSTANCE);
        let requirements = self.edition.and_then(|edition| argument_requirements::of_edition(edition, name));
        let Some(requirements) = requirements.filter(|_| !stands) else { return };
        for (need, argument) in requirements.iter().zip(&atom.arguments) {
            let ArgumentRequirement::Object(all, any) = need else { continue };
            let bound = scopes.iter().rev().find(|(variable, _)| *variable == &*argument.text);
            let category =
                bound.map(|&(_, category)| category).or_else(|| self.instances.get(&*argument.text).copied());
            let Some(category) = category else { continue };
            let alternatives = all.iter().map(|&property| vec![property]);
            let one = Some(any.to_vec()).filter(|any| !any.is_empty());
            for properties in alternatives.chain(one) {
                self.properties.entry((category, properties)).or_default().insert(name);
            }
        }
    }

    fn finish(self, knowledge: Option<&Knowledge>) -> Requirements {
        let predicate = |((name, arguments), (initial, goal)): ((&str, usize), (usize, usize))| PredicateRequirement {
            name: name.to_owned(),
            arity: arguments,
            init_count: initial,
            goal_count: goal,
        };
        let property = |((category, properties), predicates): (Needed<'a>, BTreeSet<&str>)| PropertyRequirement {
            is_satisfied: knowledge.and_then(|knowledge| has_one(knowledge, category, &properties)),
            category: category.to_owned(),
            properties,
            predicates: predicates.into_iter().map(str::to_owned).collect(),
        };
        Requirements {
            predicates: self.predicates.into_iter().map(predicate).collect(),
            properties: self.properties.into_iter().map(property).collect(),
        }
    }
}

/// Whether objects of a category have one of the properties; `None` if the synset is unknown.
fn has_one(knowledge: &Knowledge, category: &str, properties: &[&str]) -> Option<bool> {
    let taxonomy = knowledge.taxonomy();
    let synset = taxonomy.synset(category)?;
    let has = |property: &&str| taxonomy.ability(property).is_some_and(|ability| taxonomy.has_ability(synset, ability));
    Some(properties.iter().any(has))
}

impl Requirements {
    /// Formats the requirements as two lists in English: the predicates, and the properties by category.
    pub fn to_text(&self) -> String {
        let mut text = "Predicates:\n".to_owned();
        for PredicateRequirement { name, arity: arguments, init_count: initial, goal_count: goal } in &self.predicates {
            let arguments =
                if *name == INROOM { "an object and a room".to_owned() } else { count(*arguments, "object") };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "- {name}, of {arguments}: {initial} times in the initial state, {goal} times in the goal"
            );
        }
        if self.properties.is_empty() {
            return text;
        }
        text.push_str("\nProperties:\n");
        let mut last = "";
        for PropertyRequirement { category, properties, predicates, is_satisfied: satisfied } in &self.properties {
            if category != last {
                let _ = writeln!(text, "- {category}");
                last = category;
            }
            let note = if *satisfied == Some(false) { "; missing from this category" } else { "" };
            let _ = writeln!(text, "  - {}, for {}{note}", properties.join(" or "), predicates.join(", "));
        }
        text
    }
}

fn count(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
