//! Enumeration of the objects for which a condition holds.
//!
//! Enumerating all combinations of objects takes exponential time. Most conditions contain atoms of stored predicates, of which few facts
//! hold, so the variables are bound by joining these facts.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use crate::condition::{Atom, Condition, Expression, Term};
use crate::evaluate::{self, Bindings, Context};
use crate::ids::{ObjectId, PredicateId, VarId};
use crate::state::{ObjectArguments, State};
use crate::world::{Argument, World};

/// The facts of a state, by predicate.
#[derive(Debug, Clone, Default)]
pub(super) struct FactIndex(Vec<Vec<ObjectArguments>>);

impl FactIndex {
    pub(super) fn new(world: &World, state: &State) -> Self {
        let mut facts = vec![Vec::new(); world.predicates().len()];
        for (predicate, arguments) in state.facts() {
            facts[predicate.index()].push(ObjectArguments::from_slice(arguments));
        }
        // A state has no particular order of facts; sorting makes the order of answers deterministic.
        for facts in &mut facts {
            facts.sort_unstable();
        }
        Self(facts)
    }

    pub(super) fn add(&mut self, predicate: PredicateId, arguments: ObjectArguments) {
        self.0[predicate.index()].push(arguments);
    }

    fn of(&self, predicate: PredicateId) -> &[ObjectArguments] {
        &self.0[predicate.index()]
    }
}

/// A bounded search for the assignments that satisfy a condition.
pub(super) struct ConditionQuery<'a> {
    pub(super) ctx: &'a Context<'a>,
    /// The facts of the context's state.
    pub(super) facts: &'a FactIndex,
    /// The number of bindings that may still be tried. The search ends silently when it reaches 0.
    pub(super) budget: u64,
}

/// A conjunct with the variables in it.
struct ConjunctWithVariables<'a> {
    condition: &'a Condition,
    variables: Vec<VarId>,
}

impl ConditionQuery<'_> {
    /// Binds the unbound variables to present objects of their types such that the condition holds, and calls `visit` for each such
    /// assignment, possibly more than once. The variables of `exists` conjuncts are bound as well.
    pub(super) fn for_each<B>(
        &mut self,
        variables: &[VarId],
        condition: &Condition,
        bindings: &mut Bindings<'_>,
        visit: &mut impl FnMut(&mut Bindings<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut parts = Vec::new();
        let mut open: Vec<VarId> =
            variables.iter().copied().filter(|&variable| bindings.get(variable).is_none()).collect();
        flatten(condition, &mut parts, &mut open);
        self.bind(&parts, &open, bindings, visit)
    }

    fn bind<B>(
        &mut self,
        parts: &[ConjunctWithVariables<'_>],
        open: &[VarId],
        bindings: &mut Bindings<'_>,
        visit: &mut impl FnMut(&mut Bindings<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // Conjuncts without open variables are evaluated once and dropped.
        let (closed, open_parts): (Vec<&ConjunctWithVariables<'_>>, Vec<&ConjunctWithVariables<'_>>) =
            parts.iter().partition(|part| !part.variables.iter().any(|variable| open.contains(variable)));
        if !closed.iter().all(|part| evaluate::condition(self.ctx, part.condition, bindings)) {
            return ControlFlow::Continue(());
        }
        let open_parts: Vec<ConjunctWithVariables<'_>> = open_parts
            .into_iter()
            .map(|part| ConjunctWithVariables { condition: part.condition, variables: part.variables.clone() })
            .collect();
        let atoms = open_parts.iter().filter_map(|part| match part.condition {
            Condition::Atom(atom) => Some(atom),
            _ => None,
        });
        if let Some(atom) = atoms.min_by_key(|atom| self.facts.of(atom.predicate).len()) {
            return self.bind_by_facts(atom, &open_parts, open, bindings, visit);
        }
        let Some((&variable, others)) = open.split_first() else { return visit(bindings) };
        for object in self.ctx.domain(bindings.scope(), variable) {
            self.budget = self.budget.saturating_sub(1);
            if self.budget == 0 {
                break;
            }
            bindings.bind(variable, object);
            let flow = self.bind(&open_parts, others, bindings, visit);
            bindings.unbind(variable);
            flow?;
        }
        ControlFlow::Continue(())
    }

    fn bind_by_facts<B>(
        &mut self,
        atom: &Atom,
        open_parts: &[ConjunctWithVariables<'_>],
        open: &[VarId],
        bindings: &mut Bindings<'_>,
        visit: &mut impl FnMut(&mut Bindings<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for fact in self.facts.of(atom.predicate) {
            self.budget = self.budget.saturating_sub(1);
            if self.budget == 0 {
                break;
            }
            let mut bound = Vec::new();
            let matches =
                atom.arguments.iter().zip(fact).all(|(&term, &object)| self.unify(term, object, &mut bound, bindings));
            let flow = if matches {
                let open: Vec<VarId> = open.iter().copied().filter(|variable| !bound.contains(variable)).collect();
                self.bind(open_parts, &open, bindings, visit)
            } else {
                ControlFlow::Continue(())
            };
            for variable in bound {
                bindings.unbind(variable);
            }
            flow?;
        }
        ControlFlow::Continue(())
    }

    /// Unifies the term with the object, binding it if it is an unbound variable whose domain contains the object. Returns whether it
    /// succeeds.
    fn unify(&self, term: Term, object: ObjectId, bound: &mut Vec<VarId>, bindings: &mut Bindings<'_>) -> bool {
        match (bindings.term(term), term) {
            (Some(argument), _) => argument == Argument::Object(object),
            (None, Term::Variable(variable)) => {
                let types = &bindings.scope().get(variable).types;
                let fits = types.iter().any(|&of| self.ctx.world.is_a(object, of)) && self.ctx.state.is_present(object);
                if fits {
                    bindings.bind(variable, object);
                    bound.push(variable);
                }
                fits
            }
            (None, _) => false,
        }
    }
}

/// Splits nested conjunctions and `exists` quantifiers into conjuncts.
fn flatten<'a>(condition: &'a Condition, parts: &mut Vec<ConjunctWithVariables<'a>>, open: &mut Vec<VarId>) {
    match condition {
        Condition::And(conjuncts) => conjuncts.iter().for_each(|part| flatten(part, parts, open)),
        Condition::Exists(variables, body) => {
            open.extend(variables);
            flatten(body, parts, open);
        }
        _ => {
            let mut variables = FxHashSet::default();
            mentioned(condition, &mut variables);
            parts.push(ConjunctWithVariables { condition, variables: variables.into_iter().collect() });
        }
    }
}

/// Collects the variables that the condition mentions, including those of its own quantifiers.
fn mentioned(condition: &Condition, variables: &mut FxHashSet<VarId>) {
    condition.visit(&mut |part| {
        terms(&part.terms(), variables);
        for expression in part.expressions() {
            expression.visit(&mut |part| {
                if let Expression::Call { arguments, .. } = part {
                    terms(arguments, variables);
                }
            });
        }
    });
}

fn terms(arguments: &[Term], variables: &mut FxHashSet<VarId>) {
    variables.extend(arguments.iter().filter_map(|term| match term {
        Term::Variable(variable) => Some(*variable),
        Term::Object(_) | Term::Type(_) => None,
    }));
}
