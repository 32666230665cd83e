//! A direct executor of the actions of a task, without grounding.

use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Condition, Scope};
use goalspec_core::evaluate::{self, Bindings, Context};
use goalspec_core::ids::{FunctionId, ObjectId, PredicateId, VarId};
use goalspec_core::planning::plan::PlanStep;
use goalspec_core::planning::task::{ActionId, AssignmentOperator, Effect, Task};
use goalspec_core::state::{ChangeSet, Delta, FactChange, FluentChange, ObjectArguments, State};
use goalspec_core::work::WorkBudget;
use goalspec_core::world::vocabulary::Argument;

/// Maximum [`WorkBudget`] of a bounded executor, in units: conditions with nested quantifiers are evaluated by enumeration.
const MAX_WORK: u64 = 1 << 24;

/// An executor of the actions of a task.
#[derive(Debug)]
pub struct Executor<'t> {
    task: &'t Task,
    /// The indices of the rules, by layer of the stratification.
    layers: Vec<Vec<usize>>,
    nothing: FixedBitSet,
    work: WorkBudget,
}

/// A numeric effect whose conditions hold.
type Change = (FunctionId, ObjectArguments, AssignmentOperator, Option<f64>);

impl<'t> Executor<'t> {
    /// Creates an executor of a task whose rules are stratified.
    pub fn new(task: &'t Task) -> Self {
        Self::with_work(task, WorkBudget::new())
    }

    /// The same, which [stops](Self::is_exhausted) after some million evaluations.
    pub fn bounded(task: &'t Task) -> Self {
        Self::with_work(task, WorkBudget::with_limit(MAX_WORK))
    }

    fn with_work(task: &'t Task, work: WorkBudget) -> Self {
        let mut level = vec![0; task.world.predicates().len()];
        // If the rules are stratified, every level is final after this number of iterations.
        for _ in 0..=task.axioms.len() * task.axioms.len() {
            for rule in &task.axioms {
                let mut min_layer = level[rule.predicate.index()];
                uses(&rule.body, false, &mut |predicate, negative| {
                    if task.is_derived(predicate) {
                        min_layer = min_layer.max(level[predicate.index()] + usize::from(negative));
                    }
                });
                level[rule.predicate.index()] = min_layer;
            }
        }
        let top = level.iter().copied().max().unwrap_or(0);
        let rules_of = |layer: usize| {
            (0..task.axioms.len()).filter(|&rule| level[task.axioms[rule].predicate.index()] == layer).collect()
        };
        Self { task, layers: (0..=top).map(rules_of).collect(), nothing: FixedBitSet::new(), work }
    }

    /// Whether the limit of work was exceeded: states and truths from then on mean nothing.
    pub fn is_exhausted(&self) -> bool {
        self.work.is_exceeded()
    }

    /// Returns the initial state.
    pub fn initial(&self) -> State {
        let mut state = State::new(&self.task.world);
        state.apply(&self.task.world, &self.task.initial, &mut ChangeSet::default());
        self.derive(&mut state);
        state
    }

    fn context<'s>(&'s self, state: &'s State) -> Context<'s> {
        Context {
            world: &self.task.world,
            state,
            first: false,
            last: false,
            setup_objects: &self.nothing,
            work: Some(&self.work),
        }
    }

    /// Computes the truth values of the derived predicates.
    fn derive(&self, state: &mut State) {
        let world = &*self.task.world;
        let derived: Vec<FactChange> = state
            .facts()
            .filter(|&(predicate, _)| self.task.is_derived(predicate))
            .map(|(predicate, arguments)| FactChange { predicate, arguments: arguments.into(), holds: false })
            .collect();
        state.apply(world, &Delta { facts: derived, ..Delta::default() }, &mut ChangeSet::default());
        for layer in &self.layers {
            loop {
                let mut changes = ChangeSet::default();
                for &rule in layer {
                    let rule = &self.task.axioms[rule];
                    let mut found = Delta::default();
                    for arguments in assignments(self.task, &rule.scope, rule.parameters) {
                        let arguments = ObjectArguments::from_vec(arguments);
                        let mut bindings = bound(&rule.scope, &arguments);
                        if evaluate::condition(&self.context(state), &rule.body, &mut bindings) {
                            found.facts.push(FactChange { predicate: rule.predicate, arguments, holds: true });
                        }
                    }
                    state.apply(world, &found, &mut changes);
                }
                if changes.facts.is_empty() || self.is_exhausted() {
                    break;
                }
            }
        }
    }

    /// Returns all steps, whether or not they are applicable.
    pub fn steps(&self) -> Vec<PlanStep> {
        let mut steps = Vec::new();
        for (place, action) in self.task.actions.iter().enumerate() {
            for arguments in assignments(self.task, &action.scope, action.parameters) {
                steps.push(PlanStep { action: ActionId::from(place), arguments: arguments.into() });
            }
        }
        steps
    }

    /// Returns whether the precondition of a step holds.
    pub fn is_applicable(&self, state: &State, step: &PlanStep) -> bool {
        let action = self.task.action(step.action);
        evaluate::condition(&self.context(state), &action.precondition, &mut bound(&action.scope, &step.arguments))
    }

    /// Returns the state after a step, or `None` if the step is not applicable.
    pub fn apply(&self, state: &State, step: &PlanStep) -> Option<State> {
        if !self.is_applicable(state, step) {
            return None;
        }
        let (facts, changes) = self.effects(state, step);
        let mut delta = Delta { facts, ..Delta::default() };
        for (place, (function, arguments, operator, value)) in changes.iter().enumerate() {
            let same = |other: &&Change| other.0 == *function && other.1 == *arguments;
            if changes[..place].iter().any(|other| same(&other) && !are_compatible(*operator, other.2)) {
                return None;
            }
            let earlier =
                delta.fluents.iter().rposition(|other| other.function == *function && other.arguments == *arguments);
            let before = match earlier {
                Some(index) => Some(delta.fluents[index].value),
                None => state.fluent(*function, arguments),
            };
            let value = assigned(before, *operator, (*value)?)?;
            delta.fluents.push(FluentChange { function: *function, arguments: arguments.clone(), value });
        }
        let mut after = state.clone();
        after.apply(&self.task.world, &delta, &mut ChangeSet::default());
        self.derive(&mut after);
        Some(after)
    }

    /// Returns the facts that a step changes, deletions first, and its numeric effects.
    fn effects(&self, state: &State, step: &PlanStep) -> (Vec<FactChange>, Vec<Change>) {
        let action = self.task.action(step.action);
        let mut found = ActiveEffects { facts: Vec::new(), changes: Vec::new() };
        let mut bindings = bound(&action.scope, &step.arguments);
        effect(&self.context(state), &action.effect, &mut bindings, &mut found);
        found.facts.sort_by_key(|fact| fact.holds);
        (found.facts, found.changes)
    }

    /// Returns the facts that a step adds if its precondition holds.
    pub fn added(&self, state: &State, step: &PlanStep) -> Vec<(PredicateId, ObjectArguments)> {
        let added = self.effects(state, step).0.into_iter().filter(|fact| fact.holds);
        added.map(|fact| (fact.predicate, fact.arguments)).collect()
    }

    /// Returns whether the goal holds.
    pub fn is_goal(&self, state: &State) -> bool {
        let goal = &self.task.goal;
        let holds = |condition: &Condition| {
            evaluate::condition(&self.context(state), condition, &mut Bindings::new(&goal.scope))
        };
        goal.conjuncts.iter().all(|conjunct| holds(&conjunct.condition))
    }
}

struct ActiveEffects {
    facts: Vec<FactChange>,
    changes: Vec<Change>,
}

fn effect(ctx: &Context<'_>, applied: &Effect, bindings: &mut Bindings<'_>, found: &mut ActiveEffects) {
    let objects = |bindings: &Bindings<'_>, terms| {
        let object = |argument| if let Argument::Object(object) = argument { Some(object) } else { None };
        bindings.terms(terms)?.into_iter().map(object).collect::<Option<ObjectArguments>>()
    };
    match applied {
        Effect::And(parts) => parts.iter().for_each(|part| effect(ctx, part, bindings, found)),
        Effect::When(condition, part) => {
            if evaluate::condition(ctx, condition, bindings) {
                effect(ctx, part, bindings, found);
            }
        }
        Effect::Forall(variables, part) => {
            let _: ControlFlow<()> = evaluate::for_each_assignment(ctx, variables, bindings, |bindings| {
                effect(ctx, part, bindings, found);
                ControlFlow::Continue(())
            });
        }
        Effect::Add(atom) | Effect::Delete(atom) => {
            if let Some(arguments) = objects(bindings, &atom.arguments) {
                let holds = matches!(applied, Effect::Add(_));
                found.facts.push(FactChange { predicate: atom.predicate, arguments, holds });
            }
        }
        Effect::Assign { operator, function, arguments, value, .. } => {
            if let Some(arguments) = objects(bindings, arguments) {
                let value = evaluate::expression(ctx, value, bindings);
                found.changes.push((*function, arguments, *operator, value));
            }
        }
    }
}

/// Returns the new value, or `None` if it is undefined.
fn assigned(before: Option<f64>, operator: AssignmentOperator, value: f64) -> Option<f64> {
    Some(match operator {
        AssignmentOperator::Set => value,
        AssignmentOperator::Increase => before? + value,
        AssignmentOperator::Decrease => before? - value,
        AssignmentOperator::ScaleUp => before? * value,
        AssignmentOperator::ScaleDown if value == 0.0 => return None,
        AssignmentOperator::ScaleDown => before? / value,
    })
}

fn are_compatible(left: AssignmentOperator, right: AssignmentOperator) -> bool {
    let adds = |operator| matches!(operator, AssignmentOperator::Increase | AssignmentOperator::Decrease);
    let scales = |operator| matches!(operator, AssignmentOperator::ScaleUp | AssignmentOperator::ScaleDown);
    (adds(left) && adds(right)) || (scales(left) && scales(right))
}

fn bound<'s>(scope: &'s Scope, arguments: &[ObjectId]) -> Bindings<'s> {
    let arguments: Vec<Argument> = arguments.iter().map(|&object| object.into()).collect();
    Bindings::of_parameters(scope, &arguments)
}

/// Returns all assignments of the first variables of a scope. The last variable changes fastest.
fn assignments(task: &Task, scope: &Scope, parameters: usize) -> Vec<Vec<ObjectId>> {
    let mut all = vec![Vec::new()];
    for variable in (0..parameters).map(VarId::from) {
        let domain = task.world.domain(&scope.get(variable).types);
        all = all
            .iter()
            .flat_map(|tuple: &Vec<ObjectId>| domain.iter().map(|&object| [&tuple[..], &[object]].concat()))
            .collect();
    }
    all
}

/// Visits the predicates that a condition uses. The second argument of `visit` is whether the use may be negative.
fn uses(condition: &Condition, negative: bool, visit: &mut impl FnMut(PredicateId, bool)) {
    match condition {
        Condition::Atom(atom) => visit(atom.predicate, negative),
        Condition::Not(body) => uses(body, !negative, visit),
        Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| uses(part, negative, visit)),
        Condition::Imply(parts) => {
            uses(&parts[0], !negative, visit);
            uses(&parts[1], negative, visit);
        }
        Condition::Exists(_, body) | Condition::Forall(_, body) => uses(body, negative, visit),
        Condition::Count(_, _, body) | Condition::Pairing { body, .. } => {
            uses(body, true, visit);
            uses(body, false, visit);
        }
        _ => {}
    }
}
