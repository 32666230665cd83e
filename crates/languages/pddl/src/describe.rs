//! Descriptions of domains, problems and plans in English.

mod clause;

use std::fmt::Write as _;

use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::{OptimizationDirection, Task};

use crate::ast::{Action, Domain, InitEntry, Name, Problem, TypeRef, TypedNames};
use clause::NestedList;

/// Maximum number of initial facts that are listed.
const MAX_FACTS: usize = 100;

/// Maximum number of objects per group that are listed.
const MAX_OBJECTS: usize = 12;

/// Describes a domain: its types and predicates, and the conditions and effects of its actions.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (domain laundry) (:types sock towel - cloth  cloth)
///     (:predicates (wet ?c - cloth) (on ?a ?b))
///     (:action dry :parameters (?c - cloth) :precondition (wet ?c) :effect (not (wet ?c))))");
/// let parsed = goalspec_pddl::parse(sources.file(id));
/// assert_eq!(goalspec_pddl::describe::domain(&parsed.domains[0]), "the domain laundry
///
/// Types:
/// - sock and towel: subtypes of cloth
/// - cloth
///
/// Predicates:
/// - (wet ?c - cloth)
/// - (on ?a ?b)
///
/// Actions:
/// - (dry ?c - cloth)
///   - precondition:
///     - ?c is wet
///   - effect:
///     - ?c is not wet
/// ");
/// ```
pub fn domain(domain: &Domain) -> String {
    let mut text = format!("the domain {}\n", domain.name.written());
    section(&mut text, "Types", domain.types.iter().flatten().map(kinds));
    section(&mut text, "Constants", domain.constants.iter().map(|group| format!("- {}\n", objects(group))));
    let predicates = domain.predicates.iter().map(|decl| signature(decl.name.written(), &decl.parameters));
    section(&mut text, "Predicates", predicates.map(|item| format!("- {item}\n")));
    let functions = domain.functions.iter().map(|decl| signature(decl.name.written(), &decl.parameters));
    section(&mut text, "Functions", functions.map(|item| format!("- {item}\n")));
    let rules = domain.derived.iter().map(|rule| {
        let mut lines = NestedList::default();
        lines.add(0, &format!("{}, if:", signature(rule.predicate.written(), &rule.parameters)));
        lines.condition(&rule.body, 1);
        lines.text
    });
    section(&mut text, "Derived predicates", rules);
    section(&mut text, "Actions", domain.actions.iter().map(action));
    if let Some(constraints) = &domain.constraints {
        let mut lines = NestedList::default();
        lines.condition(constraints, 0);
        section(&mut text, "Trajectory constraints", [lines.text].into_iter());
    }
    text
}

/// Describes a problem: its objects, initial state, goal, constraints and metric.
pub fn problem(problem: &Problem) -> String {
    let mut text = format!("the problem {}", problem.name.written());
    if let Some(domain) = &problem.domain {
        // Writing to a string cannot fail.
        let _ = write!(text, " of the domain {}", domain.written());
    }
    text.push('\n');
    section(&mut text, "Objects", problem.objects.iter().map(|group| format!("- {}\n", objects(group))));
    let mut facts = NestedList::default();
    problem.init.iter().take(MAX_FACTS).for_each(|entry| facts.add(0, &fact(entry)));
    if problem.init.len() > MAX_FACTS {
        facts.add(0, &format!("and {} more", problem.init.len() - MAX_FACTS));
    }
    section(&mut text, "Initial state", [facts.text].into_iter());
    let parts = [("Goal", &problem.goal), ("Trajectory constraints", &problem.constraints)];
    for (heading, condition) in parts {
        let mut lines = NestedList::default();
        if let Some(condition) = condition {
            lines.condition(condition, 0);
        }
        section(&mut text, heading, [lines.text].into_iter());
    }
    if let Some(metric) = &problem.metric {
        let verb = match metric.direction {
            OptimizationDirection::Minimize => "minimize",
            OptimizationDirection::Maximize => "maximize",
        };
        let _ = writeln!(text, "\nMetric: {verb} {}", clause::number(&metric.value));
    }
    text
}

/// Describes a plan as a numbered list of steps with named arguments.
pub fn plan(plan: &Plan, task: &Task) -> String {
    let mut text = String::new();
    for (index, step) in plan.steps.iter().enumerate() {
        let action = task.action(step.action);
        let variables = action.scope.variables.iter().map(|variable| variable.name.trim_start_matches('?'));
        let bound = variables.zip(&step.arguments);
        let bound = bound.map(|(name, &object)| format!("{name} {}", task.world.object_decl(object).id));
        let bound: Vec<String> = bound.collect();
        let suffix = if bound.is_empty() { String::new() } else { format!(": {}", bound.join(", ")) };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}. {}{suffix}", index + 1, clause::spaced(&action.name));
    }
    if text.is_empty() { "empty plan\n".to_owned() } else { text }
}

/// Appends a section unless it is empty.
fn section(text: &mut String, heading: &str, entries: impl Iterator<Item = String>) {
    let entries: String = entries.collect();
    if !entries.is_empty() {
        text.extend(["\n", heading, ":\n", &entries]);
    }
}

fn kinds(group: &TypedNames) -> String {
    let names: Vec<&str> = group.names.iter().map(Name::written).collect();
    let listed = clause::listed(&names);
    match &group.type_ref {
        Some(supertype) if names.len() == 1 => format!("- {listed}: subtype of {}\n", type_name(supertype)),
        Some(supertype) => format!("- {listed}: subtypes of {}\n", type_name(supertype)),
        None => names.iter().map(|name| format!("- {name}\n")).collect(),
    }
}

fn objects(group: &TypedNames) -> String {
    let shown: Vec<&str> = group.names.iter().take(MAX_OBJECTS).map(Name::written).collect();
    let names = match group.names.len() - shown.len() {
        0 => clause::listed(&shown),
        more => format!("{} and {more} more", shown.join(", ")),
    };
    match &group.type_ref {
        Some(type_ref) => format!("{}: {names}", type_name(type_ref)),
        None => names,
    }
}

fn type_name(type_ref: &TypeRef) -> String {
    let names: Vec<&str> = type_ref.names.iter().map(Name::written).collect();
    names.join(" or ")
}

/// Returns a signature of the form `(NAME ?a - TYPE ?b)`.
fn signature(name: &str, parameters: &[TypedNames]) -> String {
    let mut text = format!("({name}");
    for group in parameters {
        for name in &group.names {
            text.extend([" ", name.written()]);
        }
        if let Some(type_ref) = &group.type_ref {
            text.extend([" - ", &type_name(type_ref)]);
        }
    }
    text + ")"
}

fn action(action: &Action) -> String {
    let mut lines = NestedList::default();
    let note = if action.duration.is_some() { " (durative)" } else { "" };
    lines.add(0, &format!("{}{note}", signature(action.name.written(), &action.parameters)));
    if let Some(duration) = action.duration.as_ref().and_then(|durative| durative.constraint.as_ref()) {
        lines.add(1, "duration:");
        lines.condition(duration, 2);
    }
    if let Some(precondition) = action.precondition.as_ref().filter(|one| !is_empty(one)) {
        lines.add(1, "precondition:");
        lines.condition(precondition, 2);
    }
    if let Some(effect) = &action.effect {
        lines.add(1, "effect:");
        lines.effect(effect, 2);
    }
    lines.text
}

fn is_empty(formula: &crate::ast::Formula) -> bool {
    matches!(&formula.kind, crate::ast::FormulaKind::And(parts) if parts.is_empty())
}

fn fact(entry: &InitEntry) -> String {
    match entry {
        InitEntry::Fact(atom) => clause::atom(atom, true),
        InitEntry::Negated(atom) => clause::atom(atom, false),
        InitEntry::Value(function, value, _) => format!("{} is {value}", clause::call(function)),
        InitEntry::ObjectValue(function, name) => format!("{} is {}", clause::call(function), name.written()),
        InitEntry::Timed(time, inner, _) => format!("from time {time} on, {}", fact(inner)),
    }
}
