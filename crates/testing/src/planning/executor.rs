//! A direct executor of the actions of a task, without grounding.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Condition, Expression, Scope};
use goalspec_core::evaluate::{self, Bindings, Context};
use goalspec_core::ids::{FunctionId, ObjectId, PredicateId, VarId};
use goalspec_core::planning::plan::PlanStep;
use goalspec_core::planning::task::{ActionId, AssignmentOperator, AxiomSchema, Effect, Task};
use goalspec_core::state::{ChangeSet, Delta, FactChange, FluentChange, ObjectArguments, State};
use goalspec_core::work::WorkBudget;
use goalspec_core::world::vocabulary::Argument;

/// Maximum [`WorkBudget`] of a bounded executor, in units: conditions with nested quantifiers are evaluated by enumeration. In an
/// instrumented build, a million units take about half a second.
const MAX_WORK: u64 = 1 << 20;

/// An executor of the actions of a task.
#[derive(Debug)]
pub struct Executor<'t> {
    task: &'t Task,
    /// The rules by layer of the stratification, each with the assignments of its parameters.
    layers: Vec<Vec<(&'t AxiomSchema, Vec<ObjectArguments>)>>,
    /// The function values that the rules read.
    fluents: Vec<(FunctionId, ObjectArguments)>,
    /// The derived facts of the states seen so far.
    derived: RefCell<HashMap<DerivationInputs, Vec<FactChange>>>,
    nothing: FixedBitSet,
    work: WorkBudget,
}

/// The parts of a state that determine its derived facts: the stored facts in order, and the function values that the rules read, as bits.
type DerivationInputs = (Vec<(PredicateId, ObjectArguments)>, Vec<Option<u64>>);

/// A numeric effect whose conditions hold.
type Change = (FunctionId, ObjectArguments, AssignmentOperator, Option<f64>);

impl<'t> Executor<'t> {
    /// Creates an executor of a task whose rules are stratified.
    pub fn new(task: &'t Task) -> Self {
        Self::with_work(task, WorkBudget::new())
    }

    /// The same, which [stops](Self::is_exhausted) after about a million evaluations.
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
            let rules = task.axioms.iter().filter(|rule| level[rule.predicate.index()] == layer);
            rules.map(|rule| (rule, assignments(task, &rule.scope, rule.parameters))).collect()
        };
        let mut functions = BTreeSet::new();
        task.axioms.iter().for_each(|rule| condition_functions(&rule.body, &mut functions));
        let values = |function: FunctionId| {
            let parameters = &task.world.functions()[function.index()].parameters;
            let domains = parameters.iter().map(|parameter| task.world.domain(&parameter.types));
            combinations(domains).into_iter().map(move |arguments| (function, arguments))
        };
        Self {
            task,
            layers: (0..=top).map(rules_of).collect(),
            fluents: functions.into_iter().flat_map(values).collect(),
            derived: RefCell::default(),
            nothing: FixedBitSet::new(),
            work,
        }
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
        let (old, mut stored): (Vec<_>, Vec<_>) = state
            .facts()
            .map(|(predicate, arguments)| (predicate, ObjectArguments::from_slice(arguments)))
            .partition(|&(predicate, _)| self.task.is_derived(predicate));
        self.work.spend((old.len() + stored.len() + self.fluents.len()) as u64);
        let facts = old.into_iter().map(|(predicate, arguments)| FactChange { predicate, arguments, holds: false });
        let delta = Delta { facts: facts.collect(), ..Delta::default() };
        state.apply(&self.task.world, &delta, &mut ChangeSet::default());
        stored.sort_unstable();
        let value = |(function, arguments): &(_, ObjectArguments)| state.fluent(*function, arguments).map(f64::to_bits);
        let inputs = (stored, self.fluents.iter().map(value).collect());
        if let Some(facts) = self.derived.borrow().get(&inputs) {
            let delta = Delta { facts: facts.clone(), ..Delta::default() };
            state.apply(&self.task.world, &delta, &mut ChangeSet::default());
            return;
        }
        let facts = self.apply_rules(state);
        if !self.is_exhausted() {
            self.derived.borrow_mut().insert(inputs, facts);
        }
    }

    /// Applies the rules to a state without derived facts, and returns the derived facts.
    fn apply_rules(&self, state: &mut State) -> Vec<FactChange> {
        let mut derived = Vec::new();
        for layer in &self.layers {
            loop {
                let before = derived.len();
                for (rule, assignments) in layer {
                    let predicate = rule.predicate;
                    let mut found = Delta::default();
                    for arguments in assignments {
                        if !self.work.spend(1) {
                            return derived;
                        }
                        // Within a layer, facts are only added.
                        if !state.fact(predicate, arguments)
                            && evaluate::condition(&self.context(state), &rule.body, &mut bound(&rule.scope, arguments))
                        {
                            found.facts.push(FactChange { predicate, arguments: arguments.clone(), holds: true });
                        }
                    }
                    state.apply(&self.task.world, &found, &mut ChangeSet::default());
                    derived.extend(found.facts);
                }
                if derived.len() == before {
                    break;
                }
            }
        }
        derived
    }

    /// Returns all steps, whether or not they are applicable.
    pub fn steps(&self) -> Vec<PlanStep> {
        let mut steps = Vec::new();
        for (place, action) in self.task.actions.iter().enumerate() {
            for arguments in assignments(self.task, &action.scope, action.parameters) {
                steps.push(PlanStep { action: ActionId::from(place), arguments: arguments.to_vec().into() });
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
fn assignments(task: &Task, scope: &Scope, parameters: usize) -> Vec<ObjectArguments> {
    combinations((0..parameters).map(|variable| task.world.domain(&scope.get(VarId::from(variable)).types)))
}

/// Returns the Cartesian product of domains. The last component changes fastest.
fn combinations(domains: impl Iterator<Item = Vec<ObjectId>>) -> Vec<ObjectArguments> {
    domains.fold(vec![ObjectArguments::new()], |all, domain| {
        let longer = |tuple: &ObjectArguments| {
            let tuple = tuple.clone();
            domain.iter().map(move |&object| tuple.iter().copied().chain([object]).collect())
        };
        all.iter().flat_map(longer).collect()
    })
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

/// Collects the functions that a condition reads.
fn condition_functions(condition: &Condition, functions: &mut BTreeSet<FunctionId>) {
    condition.visit_expressions(&mut |part| {
        if let Expression::Call { function, .. } = part {
            functions.insert(*function);
        }
    });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use goalspec_core::ids::{ObjectId, PredicateId};
    use goalspec_core::state::State;

    use super::Executor;
    use crate::choices::Choices;
    use crate::planning::{Features, task};

    fn facts(state: &State) -> BTreeSet<(PredicateId, Vec<ObjectId>)> {
        state.facts().map(|(predicate, arguments)| (predicate, arguments.to_vec())).collect()
    }

    #[test]
    fn derived_facts_are_computed_once_per_state() {
        let (mut derivations, mut lookups) = (0, 0);
        for seed in 1..20_u32 {
            let bytes: Vec<u8> = (1..400_u32).map(|at| ((at * seed).wrapping_mul(2_654_435_761) >> 24) as u8).collect();
            let task = task(&mut Choices::new(&bytes), Features::ALL);
            let executor = Executor::bounded(&task);
            let initial = executor.initial();
            for step in executor.steps() {
                let Some(state) = executor.apply(&initial, &step) else { continue };
                if executor.is_exhausted() {
                    break;
                }
                let before = executor.work.spent();
                let mut other = state.clone();
                executor.derive(&mut other);
                lookups += executor.work.spent() - before;
                assert_eq!(facts(&state), facts(&other));
                let fresh = Executor::new(&task);
                fresh.derive(&mut other);
                derivations += fresh.work.spent();
                assert_eq!(facts(&state), facts(&other));
            }
        }
        assert!(lookups > 0 && derivations > 4 * lookups, "{derivations} units for derivations, {lookups} for lookups");
    }
}
