//! Facts, problems and the domain in PDDL.

use std::fmt::Write as _;

use crate::names::pddl_name;
use crate::plan::Move;
use crate::relation::Relation;

/// The planning domain: objects are moved onto others or onto the table, the topmost one at a time.
pub const DOMAIN: &str = include_str!("domain.pddl");

/// The name of [`DOMAIN`], to which problems refer.
pub const DOMAIN_NAME: &str = "simple-blocks";

/// The static predicate that two objects differ, which problems state and replies need not.
pub const DIFFERS: &str = "noteq";

/// Returns the fact of a relation.
///
/// ```
/// use goalspec_lot::{Relation, pddl};
///
/// assert_eq!(pddl::fact(&Relation::On("tea pot".into(), "tray".into())), "(on tea-pot tray)");
/// ```
pub fn fact(relation: &Relation) -> String {
    match relation.in_pddl() {
        Relation::OnTable(object) => format!("(ontable {object})"),
        Relation::On(object, support) => format!("(on {object} {support})"),
        Relation::Clear(object) => format!("(clear {object})"),
    }
}

/// Returns the facts of relations, one per line, without a newline at the end.
pub fn facts(relations: &[Relation]) -> String {
    relations.iter().map(fact).collect::<Vec<_>>().join("\n")
}

/// Returns a problem: the objects sorted by their names in PDDL, the initial facts, a fact for each pair of different objects, and the
/// goal.
pub fn problem<'o>(
    name: &str,
    objects: impl IntoIterator<Item = &'o str>,
    initial: &[Relation],
    goal: &[Relation],
) -> String {
    problem_with_facts(name, objects, initial.iter().map(fact), goal.iter().map(fact))
}

/// Returns a problem with facts that are given as text.
pub(crate) fn problem_with_facts<'o>(
    name: &str,
    objects: impl IntoIterator<Item = &'o str>,
    initial: impl IntoIterator<Item = String>,
    goal: impl IntoIterator<Item = String>,
) -> String {
    let mut objects: Vec<String> = objects.into_iter().map(pddl_name).collect();
    objects.sort();
    let mut text = format!("(define (problem {name})\n  (:domain {DOMAIN_NAME})\n  (:objects {})\n", objects.join(" "));
    text.push_str("  (:init");
    for fact in initial {
        let _ = write!(text, "\n    {fact}");
    }
    text.push_str(&differences(&objects));
    text.push_str(")\n  (:goal (and");
    for fact in goal {
        let _ = write!(text, "\n    {fact}");
    }
    text.push_str(")))\n");
    text
}

/// Returns the facts that every two of the objects differ, each on a line of its own.
pub(crate) fn differences(objects: &[String]) -> String {
    let pairs = objects.iter().flat_map(|one| objects.iter().map(move |other| (one, other)));
    pairs.filter(|(one, other)| one != other).map(|(one, other)| format!("\n    ({DIFFERS} {one} {other})")).collect()
}

/// Reads a step of a plan for the domain, such as `(stack cup tray bowl)`, as a move; `None` if it is not one of the domain's actions.
pub fn step_move(step: &str) -> Option<Move> {
    let mut words = step.strip_prefix('(')?.strip_suffix(')')?.split(' ').map(str::to_owned);
    let action = words.next()?;
    let arguments: Vec<String> = words.collect();
    match (&*action, &arguments[..]) {
        ("stack", [object, _, target]) | ("stackfromtable", [object, target]) => {
            Some(Move { object: object.clone(), target: Some(target.clone()) })
        }
        ("unstack", [object, _]) => Some(Move { object: object.clone(), target: None }),
        _ => None,
    }
}
