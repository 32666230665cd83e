//! Normalisation of actions and rules into schemas.
//!
//! Negation is pushed inwards. A disjunction splits its schema into [`Branch`]es, an existential quantifier adds variables to a
//! branch. In a disjunction, the static alternatives are separated first, and the branches of the others require that no static
//! alternative holds. Universal quantifiers, counts, pairings, comparisons of changing numbers, and disjunctions that would
//! produce too many branches remain unexpanded; they are grounded when operators are instantiated.

use std::rc::Rc;

use goalspec_core::condition::{Condition, Scope};
use goalspec_core::ids::VarId;
use goalspec_core::planning::task::{Action, ActionId, AxiomSchema, Effect};

use super::schema::{
    Body, Branch, Domains, Environment, Filter, Head, LiftedEffect, LiftedNumericEffect, Pattern, Schema, Slot,
    UnexpandedCondition, renumber_environment, slot, slot_variables, slots,
};
use super::statics::{PredicateKind, TaskAnalysis};

/// Maximum number of branches of a conjunction of disjunctions.
const MAX_PRODUCT: usize = 64;

/// Returns the schemas of all actions, in order, followed by those of all rules.
pub(super) fn schemas<'t>(statics: &TaskAnalysis<'t>, domains: &mut Domains) -> Vec<Schema<'t>> {
    let task = statics.task;
    let mut all = Vec::with_capacity(task.actions.len() + task.axioms.len());
    for (place, action) in task.actions.iter().enumerate() {
        all.push(of_action(statics, domains, ActionId::from(place), action));
    }
    all.extend(task.axioms.iter().map(|rule| of_rule(statics, domains, rule)));
    all
}

fn of_action<'t>(statics: &TaskAnalysis<'t>, domains: &mut Domains, id: ActionId, action: &'t Action) -> Schema<'t> {
    let mut splitter = Normalizer::new(statics, domains, &action.scope, action.parameters);
    let environment = splitter.parameters(action.parameters);
    let branches = splitter.branches(&action.precondition, &environment);
    let mut found = Effects { effects: Vec::new(), changes: Vec::new() };
    splitter.forget_all_but(action.parameters);
    splitter.effects(&action.effect, &environment, &[], &mut found);
    let Effects { effects, changes } = found;
    Schema { head: Head::Action(id), parameters: action.parameters, branches, effects, changes }
}

fn of_rule<'t>(statics: &TaskAnalysis<'t>, domains: &mut Domains, rule: &'t AxiomSchema) -> Schema<'t> {
    let mut splitter = Normalizer::new(statics, domains, &rule.scope, rule.parameters);
    let environment = splitter.parameters(rule.parameters);
    let branches = splitter.branches(&rule.body, &environment);
    let head = Head::Derived(rule.predicate);
    Schema { head, parameters: rule.parameters, branches, effects: Vec::new(), changes: Vec::new() }
}

/// The effects of an action found so far.
struct Effects<'t> {
    effects: Vec<LiftedEffect<'t>>,
    changes: Vec<LiftedNumericEffect<'t>>,
}

/// Normalises the conditions of one action or rule.
struct Normalizer<'a, 't> {
    statics: &'a TaskAnalysis<'t>,
    domains: &'a mut Domains,
    scope: &'t Scope,
    parameters: usize,
    /// The domains of all variables declared so far.
    variables: Vec<u32>,
}

impl<'a, 't> Normalizer<'a, 't> {
    fn new(statics: &'a TaskAnalysis<'t>, domains: &'a mut Domains, scope: &'t Scope, parameters: usize) -> Self {
        Self { statics, domains, scope, parameters, variables: Vec::new() }
    }

    fn parameters(&mut self, count: usize) -> Environment {
        let mut environment = vec![None; self.scope.variables.len()];
        for (place, slot) in environment.iter_mut().enumerate().take(count) {
            *slot = Some(self.declare(VarId::from(place)));
        }
        Rc::new(environment)
    }

    fn forget_all_but(&mut self, count: usize) {
        self.variables.truncate(count);
    }

    fn declare(&mut self, variable: VarId) -> Slot {
        let domain = self.domains.of(&self.statics.task.world, self.scope.get(variable));
        self.variables.push(domain);
        Slot::Variable(self.variables.len() as u32 - 1)
    }

    /// Extends an environment by quantified variables; `None` if the domain of one of them is empty.
    fn under(&mut self, variables: &[VarId], environment: &Environment) -> Option<Environment> {
        let mut inner = Vec::clone(environment);
        for &variable in variables {
            inner[variable.index()] = Some(self.declare(variable));
        }
        let declared = &self.variables[self.variables.len() - variables.len()..];
        let some = declared.iter().all(|&domain| !self.domains.get(domain).objects.is_empty());
        some.then(|| Rc::new(inner))
    }

    /// Returns the branches of a condition, each with its own numbering of variables.
    fn branches(&mut self, condition: &'t Condition, environment: &Environment) -> Vec<Branch<'t>> {
        let bodies = self.split(condition, true, environment);
        bodies.into_iter().map(|body| self.compact(body.deduplicated(), &mut [])).collect()
    }

    /// Renumbers the variables of a body and of an atom, keeping the parameters and dropping unused variables.
    fn compact(&self, mut body: Body<'t>, atom: &mut [Slot]) -> Branch<'t> {
        let kept = self.parameters;
        let mut used = body.variables();
        used.extend(slot_variables(atom.iter().copied()));
        used.sort_unstable();
        used.dedup();
        used.retain(|&place| place as usize >= kept);
        let mut renumber = renumbering(&used, kept);
        body.renumber(&mut renumber);
        for slot in atom {
            slot.renumber(&mut renumber);
        }
        Branch { variables: self.domains_of(&used), body }
    }

    /// Returns the domains of the parameters and of further variables.
    fn domains_of(&self, further: &[u32]) -> Vec<u32> {
        let parameters = self.variables[..self.parameters].iter();
        parameters.chain(further.iter().map(|&place| &self.variables[place as usize])).copied().collect()
    }

    /// Returns the disjuncts of a condition, or of its negation if not `wanted`.
    fn split(&mut self, condition: &'t Condition, wanted: bool, environment: &Environment) -> Vec<Body<'t>> {
        match condition {
            Condition::Constant(value) => {
                if *value == wanted {
                    vec![Body::default()]
                } else {
                    Vec::new()
                }
            }
            Condition::Not(part) => self.split(part, !wanted, environment),
            Condition::Atom(atom) => match slots(&atom.arguments, environment) {
                Some(slots) => vec![self.literal(Pattern { predicate: atom.predicate, slots }, wanted)],
                None if wanted => Vec::new(),
                None => vec![Body::default()],
            },
            Condition::Distinct(left, right) => match (slot(*left, environment), slot(*right, environment)) {
                (Some(left), Some(right)) => same(!wanted, [left, right]),
                _ if wanted => Vec::new(),
                _ => vec![Body::default()],
            },
            Condition::And(parts) if wanted => self.all(parts.iter().map(|part| (part, true)), environment),
            Condition::Or(parts) if !wanted => self.all(parts.iter().map(|part| (part, false)), environment),
            Condition::Imply(parts) if !wanted => {
                self.all([(&parts[0], true), (&parts[1], false)].into_iter(), environment)
            }
            _ if self.statics.is_static(condition) => vec![self.filter(condition, wanted, environment)],
            Condition::Or(parts) => self.any(parts.iter().map(|part| (part, true)), environment),
            Condition::And(parts) => self.any(parts.iter().map(|part| (part, false)), environment),
            Condition::Imply(parts) => self.any([(&parts[0], false), (&parts[1], true)].into_iter(), environment),
            Condition::Exists(variables, body) if wanted => self.some(variables, body, true, environment),
            Condition::Forall(variables, body) if !wanted => self.some(variables, body, false, environment),
            _ => {
                let unexpanded = vec![self.written(condition, wanted, environment)];
                vec![Body { unexpanded, ..Body::default() }]
            }
        }
    }

    fn written(&self, condition: &'t Condition, wanted: bool, environment: &Environment) -> UnexpandedCondition<'t> {
        UnexpandedCondition { condition, polarity: wanted, scope: self.scope, environment: Rc::clone(environment) }
    }

    fn literal(&self, pattern: Pattern, wanted: bool) -> Body<'t> {
        let mut body = Body::default();
        if wanted {
            body.atoms.push(pattern);
        } else if self.statics.kind(pattern.predicate) == PredicateKind::Static {
            body.filters.push(Filter::NegatedStatic(pattern));
        } else {
            body.negative.push(pattern);
        }
        body
    }

    /// Returns the body that tests a static condition.
    fn filter(&self, condition: &'t Condition, wanted: bool, environment: &Environment) -> Body<'t> {
        let written = self.written(condition, wanted, environment);
        Body { filters: vec![Filter::Static(written)], ..Body::default() }
    }

    fn some(
        &mut self,
        variables: &[VarId],
        body: &'t Condition,
        wanted: bool,
        environment: &Environment,
    ) -> Vec<Body<'t>> {
        let inner = self.under(variables, environment);
        inner.map(|inner| self.split(body, wanted, &inner)).unwrap_or_default()
    }

    /// Returns the disjuncts of a conjunction of conditions with polarities.
    fn all(
        &mut self,
        conditions: impl Iterator<Item = (&'t Condition, bool)>,
        environment: &Environment,
    ) -> Vec<Body<'t>> {
        let parts: Vec<_> =
            conditions.map(|(condition, wanted)| self.written(condition, wanted, environment)).collect();
        self.product(&parts)
    }

    /// Returns the disjuncts of a conjunction. Conditions with few disjuncts are expanded first; the others stay unexpanded if
    /// the product becomes too large.
    fn product(&mut self, conditions: &[UnexpandedCondition<'t>]) -> Vec<Body<'t>> {
        let mut parts: Vec<_> = conditions
            .iter()
            .map(|part| (self.split(part.condition, part.polarity, &part.environment), part))
            .collect();
        parts.sort_by_key(|(bodies, _)| bodies.len());
        let mut product = vec![Body::default()];
        for (bodies, part) in parts {
            // Most conditions have a single disjunct, which is added in place to avoid copying long conjunctions.
            if let [only] = &bodies[..] {
                for body in &mut product {
                    body.extend(only.clone());
                }
                continue;
            }
            if product.len() > 1 && product.len() * bodies.len() > MAX_PRODUCT {
                for body in &mut product {
                    body.unexpanded.push(part.clone());
                }
                continue;
            }
            let mut next = Vec::with_capacity(product.len() * bodies.len());
            for body in &product {
                for other in &bodies {
                    let mut both = body.clone();
                    both.extend(other.clone());
                    next.push(both);
                }
            }
            product = next;
        }
        product
    }

    /// Returns the disjuncts of a disjunction of conditions with polarities: each static condition, and each other condition
    /// under the assumption that all static ones fail.
    fn any(
        &mut self,
        conditions: impl Iterator<Item = (&'t Condition, bool)>,
        environment: &Environment,
    ) -> Vec<Body<'t>> {
        let (fixed, others): (Vec<_>, Vec<_>) = conditions.partition(|(part, _)| self.statics.is_static(part));
        let mut bodies = Vec::new();
        let mut otherwise = Body::default();
        for (condition, wanted) in fixed {
            bodies.extend(self.split(condition, wanted, environment));
            otherwise.extend(self.filter(condition, !wanted, environment));
        }
        for (condition, wanted) in others {
            for mut body in self.split(condition, wanted, environment) {
                body.extend(otherwise.clone());
                bodies.push(body);
            }
        }
        bodies
    }

    fn effects(
        &mut self,
        effect: &'t Effect,
        environment: &Environment,
        conditions: &[UnexpandedCondition<'t>],
        found: &mut Effects<'t>,
    ) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.effects(part, environment, conditions, found)),
            Effect::Forall(variables, part) => {
                if let Some(inner) = self.under(variables, environment) {
                    self.effects(part, &inner, conditions, found);
                }
            }
            Effect::When(condition, part) => {
                let mut conditions = conditions.to_vec();
                conditions.push(self.written(condition, true, environment));
                self.effects(part, environment, &conditions, found);
            }
            Effect::Add(atom) | Effect::Delete(atom) => {
                let Some(slots) = slots(&atom.arguments, environment) else { return };
                let adds = matches!(effect, Effect::Add(_));
                self.effect(adds, &Pattern { predicate: atom.predicate, slots }, conditions, found);
            }
            Effect::Assign { operator: how, function, arguments, value, .. } => {
                let Some(slots) = slots(arguments, environment) else { return };
                let (how, function, value, scope) = (*how, *function, value, self.scope);
                let (conditions, environment) = (conditions.to_vec(), Rc::clone(environment));
                let change = LiftedNumericEffect {
                    variables: Vec::new(),
                    conditions,
                    how,
                    function,
                    slots,
                    value,
                    scope,
                    environment,
                };
                found.changes.push(self.compact_change(change));
            }
        }
    }

    /// Adds an effect on an atom, one per disjunct of its conditions.
    fn effect(&mut self, adds: bool, atom: &Pattern, conditions: &[UnexpandedCondition<'t>], found: &mut Effects<'t>) {
        for body in self.product(conditions) {
            let mut atom = atom.clone();
            let Branch { variables, body } = self.compact(body, &mut atom.slots);
            found.effects.push(LiftedEffect { variables, body, adds, atom });
        }
    }

    /// Renumbers the variables of a numeric effect, keeping all variables of its quantifiers: the effect applies once per
    /// assignment.
    fn compact_change(&self, mut change: LiftedNumericEffect<'t>) -> LiftedNumericEffect<'t> {
        let mut used = slot_variables(change.environment.iter().copied().flatten());
        used.retain(|&place| place as usize >= self.parameters);
        let mut renumber = renumbering(&used, self.parameters);
        for condition in &mut change.conditions {
            condition.renumber(&mut renumber);
        }
        renumber_environment(&mut change.environment, &mut renumber);
        change.slots.iter_mut().for_each(|slot| slot.renumber(&mut renumber));
        LiftedNumericEffect { variables: self.domains_of(&used), ..change }
    }
}

/// Returns the bodies that require two arguments to be equal, or to differ.
fn same<'t>(equal: bool, sides: [Slot; 2]) -> Vec<Body<'t>> {
    match sides {
        [left, right] if left == right => {
            if equal {
                vec![Body::default()]
            } else {
                Vec::new()
            }
        }
        [Slot::Object(_), Slot::Object(_)] => {
            if equal {
                Vec::new()
            } else {
                vec![Body::default()]
            }
        }
        _ => vec![Body { filters: vec![Filter::Same { equal, sides }], ..Body::default() }],
    }
}

/// Returns a renumbering that keeps the first variables and numbers the used ones consecutively after them.
fn renumbering(used: &[u32], first: usize) -> impl FnMut(u32) -> Option<u32> {
    move |place| {
        if (place as usize) < first {
            return Some(place);
        }
        used.binary_search(&place).ok().map(|at| (first + at) as u32)
    }
}
