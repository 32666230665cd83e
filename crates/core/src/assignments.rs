//! How many assignments the quantifiers of a condition go through when it is evaluated once: an upper bound, known from the
//! objects of the world before anything runs.

use rustc_hash::FxHashSet;

use crate::condition::{Condition, Scope, Term};
use crate::ids::{ObjectId, VarId};
use crate::limits::MAX_ASSIGNMENTS;
use crate::monitor::Refusal;
use crate::pattern::{Pattern, Phase};
use crate::program::{Preference, Setup, SetupProgram};
use crate::world::World;

/// The number of assignments and atoms that evaluating the condition once takes at most, given the pairs of variables bound around it
/// that never bind the same object. Saturates.
///
/// Where variables are kept apart, the objects that are taken are left out: two keys give two assignments to any number of nested
/// quantifiers whose variables all differ, for the third of them has none.
pub fn of_condition(world: &World, scope: &Scope, distinct: &[(VarId, VarId)], condition: &Condition) -> u64 {
    let apart = distinct.iter().map(|&(one, other)| (one.min(other), one.max(other))).collect();
    let mut estimate = Estimate { world, scope, apart };
    estimate.condition(condition)
}

/// Refuses a preference with a condition that takes more than [`MAX_ASSIGNMENTS`].
///
/// # Errors
/// [`Refusal::TooManyAssignments`].
pub fn check_preference(world: &World, preference: &Preference) -> Result<(), Refusal> {
    let check = |condition: &Condition| {
        let assignments = of_condition(world, &preference.scope, &preference.distinct, condition);
        if assignments <= MAX_ASSIGNMENTS {
            return Ok(());
        }
        let (preference, origin) = (Some(preference.name.clone()), preference.origin);
        Err(Refusal::TooManyAssignments { preference, assignments, origin })
    };
    conditions(&preference.pattern).into_iter().try_for_each(check)
}

/// Refuses a setup with a condition that takes more than [`MAX_ASSIGNMENTS`].
///
/// # Errors
/// [`Refusal::TooManyAssignments`].
pub fn check_setup(world: &World, program: &SetupProgram) -> Result<(), Refusal> {
    let mut open = vec![&program.setup];
    while let Some(part) = open.pop() {
        match part {
            Setup::And(parts) | Setup::Or(parts) => open.extend(parts),
            Setup::Not(part) | Setup::Exists(_, part) | Setup::Forall(_, part) => open.push(part),
            Setup::Conserved(condition, origin) | Setup::Optional(condition, origin) => {
                let assignments = of_condition(world, &program.scope, &[], condition);
                if assignments > MAX_ASSIGNMENTS {
                    return Err(Refusal::TooManyAssignments { preference: None, assignments, origin: *origin });
                }
            }
        }
    }
    Ok(())
}

/// The conditions of a pattern, in the order written.
pub fn conditions(pattern: &Pattern) -> Vec<&Condition> {
    let mut found = Vec::new();
    match pattern {
        Pattern::AtEnd(condition) => found.push(condition),
        Pattern::Sequence(phases) => {
            for phase in phases {
                match phase {
                    Phase::Once { condition, .. } | Phase::Hold { condition, .. } => found.push(condition),
                    Phase::HoldWhile { condition, events, .. } => {
                        found.push(condition);
                        found.extend(events);
                    }
                }
            }
        }
        Pattern::Formula(formula) => found = formula.conditions(),
    }
    found
}

/// The parts of a body that must all have their wanted value for it to have the wanted value.
pub(crate) fn literals(body: &Condition, wanted: bool) -> Vec<(&Condition, bool)> {
    let mut found = Vec::new();
    let mut open = vec![(body, wanted)];
    while let Some((part, wanted)) = open.pop() {
        match part {
            Condition::And(parts) if wanted => open.extend(parts.iter().rev().map(|part| (part, true))),
            Condition::Or(parts) if !wanted => open.extend(parts.iter().rev().map(|part| (part, false))),
            Condition::Imply(parts) if !wanted => open.extend([(&parts[1], false), (&parts[0], true)]),
            Condition::Not(part) => open.push((part, !wanted)),
            part => found.push((part, wanted)),
        }
    }
    found
}

struct Estimate<'a> {
    world: &'a World,
    scope: &'a Scope,
    /// The pairs of variables in scope that never bind the same object, the smaller first.
    apart: FxHashSet<(VarId, VarId)>,
}

impl Estimate<'_> {
    fn keep_apart(&mut self, one: VarId, other: VarId) -> bool {
        self.apart.insert((one.min(other), one.max(other)))
    }

    fn condition(&mut self, condition: &Condition) -> u64 {
        match condition {
            Condition::Not(part) => self.condition(part),
            Condition::And(parts) | Condition::Or(parts) => self.all(parts),
            Condition::Imply(parts) => self.all(&parts[..]),
            Condition::Exists(variables, body) => self.quantifier(variables, body, Some(true)),
            Condition::Forall(variables, body) => self.quantifier(variables, body, Some(false)),
            Condition::Count(_, variables, body) => self.quantifier(variables, body, None),
            Condition::Pairing { left, right, body, .. } => self.quantifier(&[*left, *right], body, None),
            Condition::Constant(_)
            | Condition::Atom(_)
            | Condition::Compare { .. }
            | Condition::AllEqual(..)
            | Condition::Distinct(..)
            | Condition::FirstState
            | Condition::LastState
            | Condition::InSetup(..) => 1,
        }
    }

    fn all(&mut self, parts: &[Condition]) -> u64 {
        parts.iter().fold(0, |sum: u64, part| sum.saturating_add(self.condition(part)))
    }

    /// `wanted` is the value of the body that is looked for, if it is looked for at all.
    fn quantifier(&mut self, variables: &[VarId], body: &Condition, wanted: Option<bool>) -> u64 {
        let domains: Vec<Vec<ObjectId>> = variables.iter().map(|&variable| self.domain(variable)).collect();
        if domains.iter().any(Vec::is_empty) {
            // There is no assignment, however many objects the others have.
            return 1;
        }
        // Before the last of them is bound, all variables before it are; what keeps variables apart is tested first.
        let mut added = Vec::new();
        for (part, wanted) in literals(body, wanted.unwrap_or(true)) {
            if let (Condition::Distinct(Term::Variable(one), Term::Variable(other)), true) = (part, wanted)
                && self.keep_apart(*one, *other)
            {
                added.push((*one.min(other), *one.max(other)));
            }
        }
        let (mut visited, mut assignments) = (0_u64, 1_u64);
        for (&variable, domain) in variables.iter().zip(&domains) {
            visited = visited.saturating_add(assignments.saturating_mul(domain.len() as u64));
            assignments = assignments.saturating_mul(self.choices(variable, domain) as u64);
        }
        let inside = self.condition(body);
        for pair in added {
            self.apart.remove(&pair);
        }
        visited.saturating_add(assignments.saturating_mul(inside))
    }

    /// How many objects of its domain a variable can have that differs from others bound before: those taken by the largest group found
    /// of variables that all differ, and range over objects of the domain, are left out.
    fn choices(&self, variable: VarId, domain: &[ObjectId]) -> usize {
        let others = self.apart.iter().filter_map(|&(one, other)| match variable {
            _ if one == variable => Some(other),
            _ if other == variable => Some(one),
            _ => None,
        });
        let inside = |&other: &VarId| self.domain(other).iter().all(|object| domain.binary_search(object).is_ok());
        let mut others: Vec<VarId> = others.filter(inside).collect();
        others.sort_unstable();
        let mut group: Vec<VarId> = Vec::new();
        for other in others {
            if group.len() == domain.len() {
                break;
            }
            if group.iter().all(|&known| self.apart.contains(&(known.min(other), known.max(other)))) {
                group.push(other);
            }
        }
        domain.len() - group.len()
    }

    fn domain(&self, variable: VarId) -> Vec<ObjectId> {
        self.world.domain(&self.scope.get(variable).types)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::{Origin, Variable};
    use crate::world::WorldBuilder;

    /// `exists ?v0 (and differs-from-all-before (exists ?v1 ..))`, so deep, over so many objects.
    fn nested(objects: usize, depth: usize, apart: bool) -> u64 {
        let mut builder = WorldBuilder::new("keys");
        let key = builder.add_type("key", &[]);
        for index in 0..objects {
            builder.add_object(format!("key_{index}"), &[key]);
        }
        let world = builder.finish().expect("the world is well formed");
        let mut scope = Scope::default();
        let variables: Vec<VarId> = (0..depth)
            .map(|index| {
                let name = format!("?v{index}").into();
                scope.declare(Variable { name, types: vec![key], origin: Origin::default() })
            })
            .collect();
        let mut body = Condition::FirstState;
        for (at, &own) in variables.iter().enumerate().rev() {
            let differs = |&other: &VarId| Condition::Distinct(Term::Variable(other), Term::Variable(own));
            let mut parts: Vec<Condition> =
                if apart { variables[..at].iter().map(differs).collect() } else { Vec::new() };
            parts.push(body);
            body = Condition::Exists(vec![own], Box::new(Condition::And(parts)));
        }
        of_condition(&world, &scope, &[], &body)
    }

    #[test]
    fn variables_that_differ_leave_fewer_and_fewer_objects() {
        assert!(nested(2, 22, true) < 100, "{}", nested(2, 22, true));
        assert!(nested(3, 22, true) < 1000);
        assert!(nested(2, 22, false) >= 1 << 22);
        assert_eq!(nested(4, 64, false), u64::MAX);
    }
}
