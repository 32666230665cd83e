//! Lints of a problem with its domain, by relaxed reachability of predicates regardless of their arguments.

use goalspec_core::condition::{Condition, Scope, Term};
use goalspec_core::ids::{ObjectId, PredicateId, VarId};
use goalspec_core::planning::task::{Effect, Task};
use goalspec_core::state::ObjectArguments;
use goalspec_syntax::Diagnostic;
use rustc_hash::FxHashSet;

use super::domain::{contradiction, literals};
use super::{codes, conflict, undefined};
use crate::ast::Problem;
use crate::parse::excerpt;
use crate::stratify;

/// Maximum number of rounds of the reachability analysis. Beyond it, everything counts as reachable.
const MAX_ROUNDS: usize = 500;

/// Runs the lints of a problem with a task.
pub(crate) fn lint(problem: &Problem, task: &Task) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let reach = PredicateReachability::of(task);
    reach.predicates(&mut found);
    reach.actions(&mut found);
    reach.goal(&mut found);
    if let Some(goal) = &problem.goal {
        let mut all = Vec::new();
        literals(goal, &mut all);
        contradiction(&all, codes::CONTRADICTED_GOAL, &mut found);
    }
    found.extend(conflict::repeated(task));
    found.extend(undefined::diagnostics(problem, task));
    found
}

/// The reachable predicates and actions.
struct PredicateReachability<'t> {
    task: &'t Task,
    /// For each predicate, whether an atom of it may be reachable.
    possible: Vec<bool>,
    /// For each predicate, whether an effect adds it or a rule derives it, reachable or not.
    achievable: Vec<bool>,
    /// For each action, whether it may be applicable.
    applicable: Vec<bool>,
}

impl<'t> PredicateReachability<'t> {
    fn of(task: &'t Task) -> Self {
        let predicates = task.world.predicates().len();
        let mut reach = Self {
            task,
            possible: vec![false; predicates],
            achievable: vec![false; predicates],
            applicable: vec![false; task.actions.len()],
        };
        for fact in &task.initial.facts {
            reach.possible[fact.predicate.index()] = true;
        }
        for action in &task.actions {
            adds(&action.effect, &mut |predicate| reach.achievable[predicate.index()] = true);
        }
        for rule in &task.axioms {
            reach.achievable[rule.predicate.index()] = true;
        }
        for _ in 0..MAX_ROUNDS {
            if !reach.grow() {
                return reach;
            }
        }
        reach.possible.fill(true);
        reach.applicable.fill(true);
        reach
    }

    /// Runs one round of the reachability analysis. Returns whether anything became reachable.
    fn grow(&mut self) -> bool {
        let task = self.task;
        let mut changed = false;
        for (index, action) in task.actions.iter().enumerate() {
            if self.applicable[index] || !self.is_applicable(index) {
                continue;
            }
            self.applicable[index] = true;
            changed = true;
            adds(&action.effect, &mut |predicate| self.possible[predicate.index()] = true);
        }
        for rule in &task.axioms {
            let index = rule.predicate.index();
            if !self.possible[index] && self.may_hold(&rule.body, &rule.scope) {
                self.possible[index] = true;
                changed = true;
            }
        }
        changed
    }

    fn is_applicable(&self, index: usize) -> bool {
        let action = &self.task.actions[index];
        let parameters = (0..action.parameters).map(VarId::from);
        parameters.into_iter().all(|id| self.has_objects(id, &action.scope))
            && self.may_hold(&action.precondition, &action.scope)
    }

    fn has_objects(&self, id: VarId, scope: &Scope) -> bool {
        scope.get(id).types.iter().any(|&type_id| !self.task.world.members(type_id).is_empty())
    }

    /// Whether a condition may hold, by an over-approximation.
    fn may_hold(&self, condition: &Condition, scope: &Scope) -> bool {
        match condition {
            Condition::Constant(holds) => *holds,
            Condition::Atom(atom) => self.possible[atom.predicate.index()],
            Condition::And(parts) => parts.iter().all(|part| self.may_hold(part, scope)),
            Condition::Or(parts) => parts.iter().any(|part| self.may_hold(part, scope)),
            Condition::Exists(ids, body) => {
                ids.iter().all(|&id| self.has_objects(id, scope)) && self.may_hold(body, scope)
            }
            Condition::Forall(ids, body) => {
                !ids.iter().all(|&id| self.has_objects(id, scope)) || self.may_hold(body, scope)
            }
            _ => true,
        }
    }

    /// Reports predicates that conditions require and that are never true.
    fn predicates(&self, found: &mut Vec<Diagnostic>) {
        let mut reported = FxHashSet::default();
        let conditions = self.task.actions.iter().map(|action| &action.precondition);
        let bodies = self.task.axioms.iter().map(|rule| &rule.body);
        let goal = self.task.goal.conjuncts.iter().map(|conjunct| &conjunct.condition);
        for condition in conditions.chain(bodies).chain(goal) {
            stratify::visit_dependencies(condition, false, &mut |predicate: PredicateId, negative, at| {
                let index = predicate.index();
                let is_impossible = !self.possible[index] && !self.achievable[index];
                if let Some(span) = at.filter(|_| is_impossible && !negative && reported.insert(predicate)) {
                    let name = excerpt(&self.task.world.predicate(predicate).name);
                    let message = format!(
                        "in the problem `{}`, `{name}` is never true: it has no initial fact, and no effect adds one",
                        self.task.name
                    );
                    found.push(Diagnostic::warning(codes::NEVER_ADDED, span, message));
                }
            });
        }
    }

    fn actions(&self, found: &mut Vec<Diagnostic>) {
        for (action, _) in self.task.actions.iter().zip(&self.applicable).filter(|(_, is_used)| !**is_used) {
            let parameters = &action.scope.variables[..action.parameters];
            let empty = parameters
                .iter()
                .find(|one| one.types.iter().all(|&type_id| self.task.world.members(type_id).is_empty()));
            let reason = match (empty, self.impossible(&action.precondition)) {
                (Some(parameter), _) => format!("no object has the type of `{}`", parameter.name),
                (None, Some(predicate)) => format!("`{}` is always false", self.task.world.predicate(predicate).name),
                (None, None) => "its precondition is always false".to_owned(),
            };
            if let Some(span) = action.origin.0 {
                let message =
                    format!("in the problem `{}`, `{}` is never applicable: {reason}", self.task.name, action.name);
                let head = goalspec_syntax::Span { end: span.start + 1, ..span };
                found.push(Diagnostic::warning(codes::UNREACHABLE_ACTION, head, message));
            }
        }
    }

    /// Returns a predicate that a conjunction requires and that is never true.
    fn impossible(&self, condition: &Condition) -> Option<PredicateId> {
        match condition {
            Condition::Atom(atom) => (!self.possible[atom.predicate.index()]).then_some(atom.predicate),
            Condition::And(parts) => parts.iter().find_map(|part| self.impossible(part)),
            _ => None,
        }
    }

    fn goal(&self, found: &mut Vec<Diagnostic>) {
        let facts: FxHashSet<(PredicateId, &ObjectArguments)> =
            self.task.initial.facts.iter().map(|fact| (fact.predicate, &fact.arguments)).collect();
        for conjunct in &self.task.goal.conjuncts {
            let fixed = |condition: &Condition| match condition {
                Condition::Atom(atom) if !self.achievable[atom.predicate.index()] => {
                    let objects: Option<ObjectArguments> = atom.arguments.iter().copied().map(object).collect();
                    objects.is_some_and(|objects| !facts.contains(&(atom.predicate, &objects)))
                }
                _ => false,
            };
            let unreachable = !self.may_hold(&conjunct.condition, &self.task.goal.scope) || fixed(&conjunct.condition);
            if let Some(span) = conjunct.origin.0.filter(|_| unreachable) {
                let message =
                    "unreachable goal condition: it is initially false, and no applicable action makes it true";
                found.push(Diagnostic::warning(codes::UNREACHABLE_GOAL, span, message));
            }
        }
    }
}

fn object(term: Term) -> Option<ObjectId> {
    match term {
        Term::Object(object) => Some(object),
        _ => None,
    }
}

/// Visits the predicates that an effect adds.
fn adds(effect: &Effect, visit: &mut dyn FnMut(PredicateId)) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| adds(part, visit)),
        Effect::Forall(_, body) | Effect::When(_, body) => adds(body, visit),
        Effect::Add(atom) => visit(atom.predicate),
        Effect::Delete(_) | Effect::Assign { .. } => {}
    }
}
