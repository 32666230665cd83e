//! Upper bounds on the number of assignments that the quantifiers of a condition enumerate in one evaluation, computed from the objects of
//! the world before a run.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::condition::{Condition, Scope, Term};
use crate::ids::{ObjectId, TypeId, VarId};
use crate::limits::MAX_ASSIGNMENTS;
use crate::monitor::MonitorError;
use crate::pattern::{Pattern, Phase};
use crate::program::{Preference, ScopedSetup, Setup};
use crate::world::World;

/// Returns an upper bound on the number of assignments and atoms that one evaluation of the condition visits. `distinct` lists pairs of
/// enclosing variables that never bind the same object. The computation saturates at `u64::MAX`.
///
/// For variables that must differ, objects that are already taken are subtracted: with two keys, any number of nested quantifiers over
/// pairwise different key variables enumerates two assignments, since the third variable has no object left.
pub fn max_assignments(world: &World, scope: &Scope, distinct: &[(VarId, VarId)], condition: &Condition) -> u64 {
    let mut estimate = AssignmentBound {
        world,
        scope,
        distinct: FxHashSet::default(),
        neighbours: FxHashMap::default(),
        domains: Domains::default(),
    };
    for &(one, other) in distinct {
        estimate.add_distinct(one, other);
    }
    estimate.condition(condition)
}

/// Rejects a preference with a condition that may visit more than [`MAX_ASSIGNMENTS`] assignments.
///
/// # Errors
/// [`MonitorError::TooManyAssignments`] if a condition exceeds the limit.
pub fn check_preference(world: &World, preference: &Preference) -> Result<(), MonitorError> {
    let check = |condition: &Condition| {
        let assignments = max_assignments(world, &preference.scope, &preference.distinct, condition);
        if assignments <= MAX_ASSIGNMENTS {
            return Ok(());
        }
        let (preference, origin) = (Some(preference.name.clone()), preference.origin);
        Err(MonitorError::TooManyAssignments { preference, assignments, origin })
    };
    pattern_conditions(&preference.pattern).into_iter().try_for_each(check)
}

/// Rejects a setup with a condition that may visit more than [`MAX_ASSIGNMENTS`] assignments.
///
/// # Errors
/// [`MonitorError::TooManyAssignments`] if a condition exceeds the limit.
pub fn check_setup(world: &World, program: &ScopedSetup) -> Result<(), MonitorError> {
    let mut open = vec![&program.setup];
    while let Some(part) = open.pop() {
        match part {
            Setup::And(parts) | Setup::Or(parts) => open.extend(parts),
            Setup::Not(part) | Setup::Exists(_, part) | Setup::Forall(_, part) => open.push(part),
            Setup::Conserved(condition, origin) | Setup::Optional(condition, origin) => {
                let assignments = max_assignments(world, &program.scope, &[], condition);
                if assignments > MAX_ASSIGNMENTS {
                    return Err(MonitorError::TooManyAssignments { preference: None, assignments, origin: *origin });
                }
            }
        }
    }
    Ok(())
}

/// Returns the conditions of a pattern, in source order.
pub fn pattern_conditions(pattern: &Pattern) -> Vec<&Condition> {
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

/// Returns the parts of a body, each with the value that it must have for the body to have the value `expected`.
pub(crate) fn literals(body: &Condition, expected: bool) -> Vec<(&Condition, bool)> {
    let mut found = Vec::new();
    let mut open = vec![(body, expected)];
    while let Some((part, expected)) = open.pop() {
        match part {
            Condition::And(parts) if expected => open.extend(parts.iter().rev().map(|part| (part, true))),
            Condition::Or(parts) if !expected => open.extend(parts.iter().rev().map(|part| (part, false))),
            Condition::Imply(parts) if !expected => open.extend([(&parts[1], false), (&parts[0], true)]),
            Condition::Not(part) => open.push((part, !expected)),
            part => found.push((part, expected)),
        }
    }
    found
}

struct AssignmentBound<'a> {
    world: &'a World,
    scope: &'a Scope,
    /// The pairs of bound variables that never bind the same object, the smaller id first.
    distinct: FxHashSet<(VarId, VarId)>,
    /// The same pairs as adjacency lists.
    neighbours: FxHashMap<VarId, Vec<VarId>>,
    domains: Domains,
}

/// A cache of domains: the objects of each list of types, computed once.
#[derive(Debug, Default)]
struct Domains {
    of_types: FxHashMap<Vec<TypeId>, usize>,
    objects: Vec<Vec<ObjectId>>,
    /// Whether the first domain is a subset of the second.
    inside: FxHashMap<(usize, usize), bool>,
}

impl Domains {
    fn of(&mut self, world: &World, types: &[TypeId]) -> usize {
        if let Some(&known) = self.of_types.get(types) {
            return known;
        }
        self.objects.push(world.domain(types));
        self.of_types.insert(types.to_vec(), self.objects.len() - 1);
        self.objects.len() - 1
    }

    fn len(&self, domain: usize) -> usize {
        self.objects[domain].len()
    }

    fn is_inside(&mut self, part: usize, whole: usize) -> bool {
        let Self { objects, inside, .. } = self;
        let all = || objects[part].iter().all(|object| objects[whole].binary_search(object).is_ok());
        part == whole || *inside.entry((part, whole)).or_insert_with(all)
    }
}

impl AssignmentBound<'_> {
    fn add_distinct(&mut self, one: VarId, other: VarId) -> bool {
        let is_new = one != other && self.distinct.insert((one.min(other), one.max(other)));
        if is_new {
            self.neighbours.entry(one).or_default().push(other);
            self.neighbours.entry(other).or_default().push(one);
        }
        is_new
    }

    /// Removes a pair, which must be the latest of the pairs that are left.
    fn remove_distinct(&mut self, one: VarId, other: VarId) {
        self.distinct.remove(&(one.min(other), one.max(other)));
        for variable in [one, other] {
            self.neighbours.get_mut(&variable).map(Vec::pop);
        }
    }

    fn condition(&mut self, condition: &Condition) -> u64 {
        match condition {
            Condition::Exists(variables, body) => self.quantifier(variables, body, Some(true)),
            Condition::Forall(variables, body) => self.quantifier(variables, body, Some(false)),
            Condition::Count(_, variables, body) => self.quantifier(variables, body, None),
            Condition::Pairing { left, right, body, .. } => self.quantifier(&[*left, *right], body, None),
            Condition::Not(_) | Condition::And(_) | Condition::Or(_) | Condition::Imply(_) => {
                self.all(condition.children())
            }
            _ => 1,
        }
    }

    fn all(&mut self, parts: &[Condition]) -> u64 {
        parts.iter().fold(0, |sum: u64, part| sum.saturating_add(self.condition(part)))
    }

    /// Bounds one quantifier. `expected` is the value of the body that ends its search; `None` if it visits all assignments.
    fn quantifier(&mut self, variables: &[VarId], body: &Condition, expected: Option<bool>) -> u64 {
        let domains: Vec<usize> = variables.iter().map(|&variable| self.domain(variable)).collect();
        if domains.iter().any(|&domain| self.domains.len(domain) == 0) {
            // There is no assignment, whatever the sizes of the other domains.
            return 1;
        }
        let differing = expected.map_or_else(Vec::new, |expected| distinct_pairs(variables, body, expected));
        let mut added = Vec::new();
        let (mut visited, mut assignments) = (0_u64, 1_u64);
        for (place, (&variable, &domain)) in variables.iter().zip(&domains).enumerate() {
            // A variable is compared with those before it as soon as it is bound.
            for &(_, one, other) in differing.iter().filter(|&&(last, ..)| last == place) {
                if self.add_distinct(one, other) {
                    added.push((one, other));
                }
            }
            visited = visited.saturating_add(assignments.saturating_mul(self.domains.len(domain) as u64));
            if assignments == u64::MAX {
                break;
            }
            assignments = assignments.saturating_mul(self.choices(variable, domain) as u64);
        }
        let inside = self.condition(body);
        while let Some((one, other)) = added.pop() {
            self.remove_distinct(one, other);
        }
        visited.saturating_add(assignments.saturating_mul(inside))
    }

    /// Returns an upper bound on the number of objects that a variable can bind: the size of its domain less the size of a greedily built
    /// set of variables that range over a part of the domain and differ from each other and from this variable.
    fn choices(&mut self, variable: VarId, domain: usize) -> usize {
        let mut others = self.neighbours.get(&variable).cloned().unwrap_or_default();
        others.sort_unstable();
        let mut group: Vec<VarId> = Vec::new();
        for other in others {
            if group.len() == self.domains.len(domain) {
                break;
            }
            let others_domain = self.domain(other);
            if self.domains.is_inside(others_domain, domain)
                && group.iter().all(|&known| self.distinct.contains(&(known.min(other), known.max(other))))
            {
                group.push(other);
            }
        }
        self.domains.len(domain) - group.len()
    }

    fn domain(&mut self, variable: VarId) -> usize {
        self.domains.of(self.world, &self.scope.get(variable).types)
    }
}

/// Returns the pairs of variables that must differ for the body to have the value `expected`, each with the index of the later one in
/// the list; 0 if both are bound outside it.
fn distinct_pairs(variables: &[VarId], body: &Condition, expected: bool) -> Vec<(usize, VarId, VarId)> {
    let places: FxHashMap<VarId, usize> =
        variables.iter().enumerate().map(|(place, &variable)| (variable, place)).collect();
    let pair = |(part, expected): (&Condition, bool)| match (part, expected) {
        (&Condition::Distinct(Term::Variable(one), Term::Variable(other)), true) => {
            let place = |variable: VarId| places.get(&variable).copied().unwrap_or_default();
            Some((place(one).max(place(other)), one, other))
        }
        _ => None,
    };
    literals(body, expected).into_iter().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::{Origin, Variable};
    use crate::world::WorldBuilder;

    /// Creates a world with `objects` keys, and `variables` variables that range over them.
    fn keys(objects: usize, variables: usize) -> (World, Scope, Vec<VarId>) {
        let mut builder = WorldBuilder::new("keys");
        let key = builder.add_type("key", &[]);
        for index in 0..objects {
            builder.add_object(format!("key_{index}"), &[key]);
        }
        let world = builder.finish().expect("the world is well formed");
        let mut scope = Scope::default();
        let variables = (0..variables)
            .map(|index| {
                let name = format!("?v{index}").into();
                scope.declare(Variable { name, types: vec![key], origin: Origin::default() })
            })
            .collect();
        (world, scope, variables)
    }

    /// The conditions that a variable differs from all variables before it.
    fn differs(variables: &[VarId], at: usize) -> Vec<Condition> {
        let differs = |&other: &VarId| Condition::Distinct(Term::Variable(other), Term::Variable(variables[at]));
        variables[..at].iter().map(differs).collect()
    }

    /// The bound for `exists ?v0 (and differs-from-all-before (exists ?v1 ..))`, nested `depth` levels deep, over `objects` keys.
    fn nested(objects: usize, depth: usize, distinct: bool) -> u64 {
        let (world, scope, variables) = keys(objects, depth);
        let mut body = Condition::FirstState;
        for (at, &own) in variables.iter().enumerate().rev() {
            let mut parts = if distinct { differs(&variables, at) } else { Vec::new() };
            parts.push(body);
            body = Condition::Exists(vec![own], Box::new(Condition::And(parts)));
        }
        max_assignments(&world, &scope, &[], &body)
    }

    #[test]
    fn variables_that_differ_leave_fewer_and_fewer_objects() {
        assert!(nested(2, 22, true) < 100, "{}", nested(2, 22, true));
        assert!(nested(3, 22, true) < 1000);
        assert!(nested(2, 22, false) >= 1 << 22);
        assert_eq!(nested(4, 64, false), u64::MAX);
    }

    /// `(exists (?v0 ?v1 ..) (and all-differ ..))` enumerates the arrangements of the objects.
    #[test]
    fn variables_of_one_list_differ_from_those_before_them() {
        let list = |objects: usize, count: usize| {
            let (world, scope, variables) = keys(objects, count);
            let mut parts: Vec<Condition> = (0..count).flat_map(|at| differs(&variables, at)).collect();
            parts.push(Condition::FirstState);
            let body = Condition::And(parts);
            max_assignments(&world, &scope, &[], &Condition::Exists(variables, Box::new(body)))
        };
        let factorial: u64 = (1..=14).product();
        assert!(list(14, 14) >= factorial && list(14, 14) < 200 * factorial, "{}", list(14, 14));
        assert_eq!(list(250, 250), u64::MAX);
        assert!(list(2, 22) < 2000, "{}", list(2, 22));
    }
}
