//! Steps that would achieve a fact that a step or the goal lacks.

use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;

use super::execute::{Execution, object};
use super::plan::PlanStep;
use super::query::{ConditionQuery, FactIndex};
use super::task::{ActionId, Effect};
use crate::condition::{Atom, Condition, Term};
use crate::evaluate::{Bindings, Context};
use crate::ids::{PredicateId, VarId};
use crate::state::ObjectArguments;
use crate::world::Argument;

/// Maximum number of bindings to try in one search.
const SEARCH_BUDGET: u64 = 200_000;

/// Returns up to `limit` different steps that are applicable in the current state and give the fact the value `value`.
///
/// The search is bounded, so an empty result does not prove that no such step exists.
pub fn remedies(
    execution: &Execution<'_>,
    fact: &(PredicateId, ObjectArguments),
    value: bool,
    limit: usize,
) -> Vec<PlanStep> {
    let task = execution.task();
    let no_objects = FixedBitSet::new();
    let ctx = execution.context(&no_objects);
    let facts = FactIndex::new(&task.world, execution.state());
    let mut query = ConditionQuery { ctx: &ctx, facts: &facts, budget: SEARCH_BUDGET };
    let mut steps = Vec::new();
    for (place, action) in task.actions.iter().enumerate() {
        let mut effects = Vec::new();
        achievers(&action.effect, fact.0, value, &mut Vec::new(), &mut effects);
        let parameters: Vec<VarId> = (0..action.parameters).map(VarId::from).collect();
        for (atom, conditions) in effects {
            let mut bindings = Bindings::new(&action.scope);
            if !unify(&ctx, atom, &fact.1, &mut bindings) {
                continue;
            }
            let conjuncts = std::iter::once(&action.precondition).chain(conditions).cloned().collect();
            let _ = query.for_each(&parameters, &Condition::And(conjuncts), &mut bindings, &mut |bindings| {
                let arguments = parameters.iter().filter_map(|&variable| object(bindings, variable)).collect();
                let step = PlanStep { action: ActionId::from(place), arguments };
                if !steps.contains(&step) {
                    steps.push(step);
                }
                if steps.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        if steps.len() >= limit {
            break;
        }
    }
    steps
}

/// Collects the add or delete effects of the predicate, each with the conditions of its conditional effects.
fn achievers<'a>(
    effect: &'a Effect,
    predicate: PredicateId,
    value: bool,
    conditions: &mut Vec<&'a Condition>,
    effects: &mut Vec<(&'a Atom, Vec<&'a Condition>)>,
) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| achievers(part, predicate, value, conditions, effects)),
        Effect::Forall(_, body) => achievers(body, predicate, value, conditions, effects),
        Effect::When(condition, body) => {
            conditions.push(condition);
            achievers(body, predicate, value, conditions, effects);
            conditions.pop();
        }
        Effect::Add(atom) if value && atom.predicate == predicate => effects.push((atom, conditions.clone())),
        Effect::Delete(atom) if !value && atom.predicate == predicate => effects.push((atom, conditions.clone())),
        Effect::Add(_) | Effect::Delete(_) | Effect::Assign { .. } => {}
    }
}

/// Unifies the atom with the objects, binding its variables. Returns whether it succeeds.
fn unify(ctx: &Context<'_>, atom: &Atom, objects: &ObjectArguments, bindings: &mut Bindings<'_>) -> bool {
    atom.arguments.len() == objects.len()
        && atom.arguments.iter().zip(objects).all(|(&term, &object)| match (bindings.term(term), term) {
            (Some(argument), _) => argument == Argument::Object(object),
            (None, Term::Variable(variable)) => {
                let fits = bindings.scope().get(variable).types.iter().any(|&of| ctx.world.is_a(object, of));
                if fits {
                    bindings.bind(variable, object);
                }
                fits
            }
            (None, _) => false,
        })
}
