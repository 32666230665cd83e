//! Translation of a parsed action model to actions and rules of the core.

use std::sync::Arc;

use goalspec_core::condition::{self, Condition, Scope, Term};
use goalspec_core::ids::{PredicateId, TypeId, VarId};
use goalspec_core::planning::task;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::ast::{Action, Atom, Effect, Expr, ExprKind, Name, Parameter, Rule, Variable};

/// An error: a part of a model has no counterpart in the core, such as an undeclared predicate, an unbound variable or a
/// counting quantifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModelError(pub(super) String);

/// Translates actions and rules over one world.
pub(super) struct Builder<'b> {
    /// The predicates, by name in the model and arity.
    pub(super) predicates: &'b FxHashMap<(&'b str, usize), PredicateId>,
    /// The root type, which all objects have.
    pub(super) root: TypeId,
    /// The model's names of the predicates that may hold in some state of the task.
    pub(super) possible: &'b FxHashSet<String>,
}

/// The state of translating one action or rule.
struct Body<'b> {
    builder: &'b Builder<'b>,
    scope: Scope,
    visible: Vec<(Arc<str>, VarId)>,
}

type Built<T> = Result<T, ModelError>;

impl Builder<'_> {
    pub(super) fn action(&self, action: &Action) -> Built<task::Action> {
        let mut body = self.body(&action.parameters);
        let precondition = match &action.precondition {
            Some(condition) => body.condition(condition)?,
            None => Condition::Constant(true),
        };
        let effect = match &action.effect {
            Some(effect) => body.effect(effect)?,
            None => task::Effect::And(Vec::new()),
        };
        Ok(task::Action {
            name: action.name.text.clone(),
            scope: body.scope,
            parameters: action.parameters.len(),
            precondition,
            preferences: Vec::new(),
            effect,
            origin: condition::Origin::default(),
        })
    }

    /// Translates a rule. Each disjunct becomes a rule of its own, whose facts can be joined.
    pub(super) fn rule(&self, rule: &Rule) -> Built<Vec<task::AxiomSchema>> {
        let mut body = self.body(&rule.parameters);
        let predicate = self.predicate(&rule.predicate, rule.parameters.len())?;
        let condition = body.condition(&rule.body)?;
        let all = disjuncts(&condition).into_iter().filter(|part| *part != Condition::Constant(false));
        let all = all.map(|condition| task::AxiomSchema {
            predicate,
            scope: body.scope.clone(),
            parameters: rule.parameters.len(),
            body: condition,
            origin: condition::Origin::default(),
        });
        Ok(all.collect())
    }

    fn predicate(&self, name: &Name, arity: usize) -> Built<PredicateId> {
        let known = self.predicates.get(&(&*name.text, arity)).copied();
        known.ok_or_else(|| ModelError(format!("unknown predicate `{}` in the action model", name.text)))
    }

    /// Whether an atom may hold in some state of the task.
    fn is_possible(&self, atom: &Atom) -> bool {
        self.possible.contains(&*atom.predicate.text)
    }

    fn body(&self, parameters: &[Parameter]) -> Body<'_> {
        let mut body = Body { builder: self, scope: Scope::default(), visible: Vec::new() };
        for parameter in parameters {
            body.declare(&parameter.name);
        }
        body
    }
}

impl Body<'_> {
    fn declare(&mut self, name: &Name) -> VarId {
        let written = Arc::from(format!("?{}", name.text));
        let types = vec![self.builder.root];
        let id = self.scope.declare(condition::Variable { name: written, types, origin: condition::Origin::default() });
        self.visible.push((name.text.clone(), id));
        id
    }

    /// Translates a part with one more variable in scope.
    fn within<T>(&mut self, variable: &Variable, inside: impl FnOnce(&mut Self) -> Built<T>) -> Built<(VarId, T)> {
        let outside = self.visible.len();
        let id = self.declare(&variable.name);
        let built = inside(self);
        self.visible.truncate(outside);
        Ok((id, built?))
    }

    fn condition(&mut self, expr: &Expr) -> Built<Condition> {
        Ok(match &expr.kind {
            ExprKind::Atom(atom) if !self.builder.is_possible(atom) => Condition::Constant(false),
            ExprKind::Atom(atom) => Condition::Atom(self.atom(atom)?),
            ExprKind::Not(part) => match self.condition(part)? {
                Condition::Constant(value) => Condition::Constant(!value),
                part => Condition::Not(Box::new(part)),
            },
            ExprKind::And(parts) => simplified(self.conditions(parts)?, true),
            ExprKind::Or(parts) => simplified(self.conditions(parts)?, false),
            ExprKind::Imply(parts) => match [self.condition(&parts[0])?, self.condition(&parts[1])?] {
                [Condition::Constant(false), _] | [_, Condition::Constant(true)] => Condition::Constant(true),
                parts => Condition::Imply(Box::new(parts)),
            },
            ExprKind::Exists(variable, part) => match self.within(variable, |body| body.condition(part))? {
                (_, Condition::Constant(false)) => Condition::Constant(false),
                (id, part) => Condition::Exists(vec![id], Box::new(part)),
            },
            ExprKind::Forall(variable, part) => match self.within(variable, |body| body.condition(part))? {
                (_, Condition::Constant(true)) => Condition::Constant(true),
                (id, part) => Condition::Forall(vec![id], Box::new(part)),
            },
            ExprKind::ForN { .. } | ExprKind::ForPairs { .. } => {
                return Err(ModelError("counting quantifiers are not supported in the action model".to_owned()));
            }
        })
    }

    fn conditions(&mut self, parts: &[Expr]) -> Built<Vec<Condition>> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    fn effect(&mut self, effect: &Effect) -> Built<task::Effect> {
        Ok(match effect {
            Effect::And(parts) => {
                let mut parts = parts.iter().map(|part| self.effect(part)).collect::<Built<Vec<_>>>()?;
                parts.retain(|part| !is_empty(part));
                task::Effect::And(parts)
            }
            Effect::Literal(literal) if !literal.positive && !self.builder.is_possible(&literal.atom) => {
                task::Effect::And(Vec::new())
            }
            Effect::Literal(literal) => {
                let atom = self.atom(&literal.atom)?;
                if literal.positive { task::Effect::Add(atom) } else { task::Effect::Delete(atom) }
            }
            Effect::Forall(variable, part) => {
                let (id, part) = self.within(variable, |body| body.effect(part))?;
                if is_empty(&part) { part } else { quantified(id, part) }
            }
            Effect::When(condition, part) => match (self.condition(condition)?, self.effect(part)?) {
                (Condition::Constant(false), _) => task::Effect::And(Vec::new()),
                (_, part) if is_empty(&part) => part,
                (Condition::Constant(true), part) => part,
                (condition, part) => task::Effect::When(condition, Box::new(part)),
            },
        })
    }

    fn atom(&self, atom: &Atom) -> Built<condition::Atom> {
        let variable = |name: &Name| {
            let known = self.visible.iter().rev().find(|(known, _)| *known == name.text);
            let error = || ModelError(format!("unknown variable `{}` in the action model", name.text));
            known.map(|&(_, id)| Term::Variable(id)).ok_or_else(error)
        };
        let arguments: SmallVec<[Term; 4]> = atom.arguments.iter().map(variable).collect::<Built<_>>()?;
        let predicate = self.builder.predicate(&atom.predicate, arguments.len())?;
        Ok(condition::Atom { predicate, arguments, origin: condition::Origin::default() })
    }
}

/// Creates a conjunction (`is_conjunction`) or disjunction without constant parts.
fn simplified(mut parts: Vec<Condition>, is_conjunction: bool) -> Condition {
    if parts.contains(&Condition::Constant(!is_conjunction)) {
        return Condition::Constant(!is_conjunction);
    }
    parts.retain(|part| *part != Condition::Constant(is_conjunction));
    match parts.len() {
        0 => Condition::Constant(is_conjunction),
        1 => parts.remove(0),
        _ if is_conjunction => Condition::And(parts),
        _ => Condition::Or(parts),
    }
}

/// The maximum number of disjuncts into which a condition is split.
const MAX_DISJUNCTS: usize = 32;

/// Splits a condition into disjuncts, outside negations and universal quantifiers. A condition with too many of them is not
/// split.
fn disjuncts(condition: &Condition) -> Vec<Condition> {
    match condition {
        Condition::Or(parts) => parts.iter().flat_map(disjuncts).collect(),
        Condition::Exists(variables, part) => {
            let parts = disjuncts(part).into_iter();
            parts.map(|part| Condition::Exists(variables.clone(), Box::new(part))).collect()
        }
        Condition::And(parts) => {
            let parts: Vec<Vec<Condition>> = parts.iter().map(disjuncts).collect();
            if parts.iter().map(Vec::len).product::<usize>() > MAX_DISJUNCTS {
                return vec![condition.clone()];
            }
            let mut all: Vec<Vec<Condition>> = vec![Vec::new()];
            for part in parts {
                let extended = all.iter().flat_map(|before| {
                    part.iter().map(|next| before.iter().chain([next]).cloned().collect::<Vec<_>>())
                });
                all = extended.collect();
            }
            all.into_iter().map(|parts| simplified(parts, true)).collect()
        }
        condition => vec![condition.clone()],
    }
}

/// Whether an effect does nothing.
fn is_empty(effect: &task::Effect) -> bool {
    matches!(effect, task::Effect::And(parts) if parts.is_empty())
}

/// Creates a universal effect. Conditions that do not mention the variable are moved out of the quantifier, so that most
/// objects are never enumerated:
/// `forall x: forall y: when P(x) and Q(x, y)` becomes
/// `forall x: when P(x): forall y: when Q(x, y)`.
fn quantified(variable: VarId, effect: task::Effect) -> task::Effect {
    let mut outside: Vec<(Vec<Condition>, Vec<task::Effect>)> = Vec::new();
    let parts = if let task::Effect::And(parts) = effect { parts } else { vec![effect] };
    for part in parts {
        let (free, part) = match part {
            task::Effect::When(condition, effect) => {
                let conditions = if let Condition::And(parts) = condition { parts } else { vec![condition] };
                let (conditions, free): (Vec<_>, Vec<_>) =
                    conditions.into_iter().partition(|part| mentions(part, variable));
                (
                    free,
                    if conditions.is_empty() {
                        *effect
                    } else {
                        task::Effect::When(simplified(conditions, true), effect)
                    },
                )
            }
            part => (Vec::new(), part),
        };
        match outside.iter_mut().find(|(known, _)| *known == free) {
            Some((_, parts)) => parts.push(part),
            None => outside.push((free, vec![part])),
        }
    }
    let all = outside.into_iter().map(|(free, mut parts)| {
        let part = if parts.len() == 1 { parts.remove(0) } else { task::Effect::And(parts) };
        let each = task::Effect::Forall(vec![variable], Box::new(part));
        if free.is_empty() { each } else { task::Effect::When(simplified(free, true), Box::new(each)) }
    });
    let mut all: Vec<_> = all.collect();
    if all.len() == 1 { all.remove(0) } else { task::Effect::And(all) }
}

/// Whether a condition may mention a variable; quantified conditions count as mentioning it.
fn mentions(condition: &Condition, variable: VarId) -> bool {
    match condition {
        Condition::Constant(_) => false,
        Condition::Atom(atom) => atom.arguments.contains(&Term::Variable(variable)),
        Condition::Not(part) => mentions(part, variable),
        Condition::And(parts) | Condition::Or(parts) => parts.iter().any(|part| mentions(part, variable)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_one_object_are_checked_before_loops_over_others() {
        let atom = |place: u32, variables: &[u32]| condition::Atom {
            predicate: PredicateId(place),
            arguments: variables.iter().map(|id| Term::Variable(VarId(*id))).collect(),
            origin: condition::Origin::default(),
        };
        let [x, y] = [VarId(0), VarId(1)];
        let when = |one: u32, both: u32| {
            let conditions = vec![Condition::Atom(atom(one, &[0])), Condition::Atom(atom(both, &[0, 1]))];
            task::Effect::When(Condition::And(conditions), Box::new(task::Effect::Delete(atom(both, &[0, 1]))))
        };
        let effect = quantified(x, quantified(y, task::Effect::And(vec![when(0, 1), when(0, 2)])));
        let task::Effect::Forall(outer, inside) = &effect else { panic!("{effect:?}") };
        let task::Effect::When(Condition::Atom(first), inside) = &**inside else { panic!("{effect:?}") };
        let task::Effect::Forall(inner, inside) = &**inside else { panic!("{effect:?}") };
        let task::Effect::And(parts) = &**inside else { panic!("{effect:?}") };
        assert_eq!((&outer[..], &inner[..], first.predicate, parts.len()), (&[x][..], &[y][..], PredicateId(0), 2));
    }
}
