//! Derived predicates as decision diagrams: the least fixpoint of their rules, stratum by stratum.

use goalspec_core::condition::Condition;
use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::planning::stratification::stratify;
use goalspec_core::planning::task::AxiomSchema;
use goalspec_core::world::World;

use crate::atoms::Atoms;
use crate::diagram::{Diagram, Diagrams};
use crate::ground::{Bindings, DerivedFacts, Grounding};
use crate::limits::LimitExceeded;

/// Computes the derived facts on which conditions depend.
pub(crate) fn derived_facts<'c>(
    world: &World,
    rules: &'c [AxiomSchema],
    conditions: impl Iterator<Item = &'c Condition>,
    object_names: &[String],
    diagrams: &mut Diagrams,
    atoms: &mut Atoms,
) -> Result<DerivedFacts, LimitExceeded> {
    let mut facts = DerivedFacts::default();
    let used = used_predicates(conditions, rules);
    let rules: Vec<&AxiomSchema> = rules.iter().filter(|rule| used.contains(&rule.predicate)).collect();
    let owned: Vec<AxiomSchema> = rules.iter().map(|&rule| rule.clone()).collect();
    let Ok(strata) = stratify(&owned) else {
        facts.unknown = rules.iter().map(|rule| rule.predicate).collect();
        return Ok(facts);
    };
    facts.known = rules.iter().map(|rule| rule.predicate).collect();
    for stratum in 0..=strata.values().copied().max().unwrap_or(0) {
        let of_stratum: Vec<&AxiomSchema> =
            rules.iter().copied().filter(|rule| strata[&rule.predicate] == stratum).collect();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for rule in &of_stratum {
                is_changed |= apply(rule, world, object_names, &mut facts, diagrams, atoms)?;
            }
        }
    }
    Ok(facts)
}

/// Applies a rule to all objects. Returns whether a derived fact holds in more states than before.
fn apply(
    rule: &AxiomSchema,
    world: &World,
    object_names: &[String],
    facts: &mut DerivedFacts,
    diagrams: &mut Diagrams,
    atoms: &mut Atoms,
) -> Result<bool, LimitExceeded> {
    let grounding = Grounding { world, scope: &rule.scope, object_names };
    let parameters = &rule.scope.variables[..rule.parameters];
    let domains: Vec<Vec<ObjectId>> = parameters.iter().map(|variable| world.domain(&variable.types)).collect();
    let mut choices = vec![0; domains.len()];
    let mut is_changed = false;
    if domains.iter().any(Vec::is_empty) {
        return Ok(false);
    }
    loop {
        let arguments: Vec<ObjectId> =
            domains.iter().zip(&choices).map(|(domain, &choice): (_, &usize)| domain[choice]).collect();
        let mut bindings: Bindings = vec![None; rule.scope.variables.len()];
        for (binding, &argument) in bindings.iter_mut().zip(&arguments) {
            *binding = Some(argument);
        }
        let body = grounding.diagram(&rule.body, &mut bindings, facts, diagrams, atoms)?;
        let fact = facts.diagrams.entry((rule.predicate, arguments)).or_insert(Diagram::FALSE);
        let joined = diagrams.or(*fact, body)?;
        is_changed |= joined != std::mem::replace(fact, joined);
        // The next arguments, the last ones first.
        let Some(position) = (0..domains.len()).rev().find(|&at| choices[at] + 1 < domains[at].len()) else {
            return Ok(is_changed);
        };
        choices[position] += 1;
        choices[position + 1..].fill(0);
    }
}

/// Returns the predicates that occur in conditions, and in the rules of those.
fn used_predicates<'c>(conditions: impl Iterator<Item = &'c Condition>, rules: &'c [AxiomSchema]) -> Vec<PredicateId> {
    let mut used = Vec::new();
    let mut pending: Vec<&Condition> = conditions.collect();
    while let Some(condition) = pending.pop() {
        pending.extend(condition.children());
        let Condition::Atom(atom) = condition else { continue };
        if !used.contains(&atom.predicate) {
            used.push(atom.predicate);
            pending.extend(rules.iter().filter(|rule| rule.predicate == atom.predicate).map(|rule| &rule.body));
        }
    }
    used
}
