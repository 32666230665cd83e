//! Execution of plans: the reference interpreter of planning tasks.
//!
//! It follows the definitions directly: it evaluates conditions over the state, collects and applies the effects, and recomputes the
//! derived predicates after each step. The planner does not share this code, so each can be tested against the other.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::plan::PlanStep;
use super::query::{ConditionQuery, FactIndex};
use super::stratification::stratify;
use super::task::{Action, AssignmentOperator, AxiomSchema, Effect, Task};
use crate::condition::{Origin, Terms};
use crate::evaluate::{self, Bindings, Context};
use crate::explain::{self, Notation, expression_text};
use crate::ids::{FunctionId, ObjectId, PredicateId, VarId};
use crate::monitor::Evidence;
use crate::state::{ChangeSet, Delta, FactChange, FluentChange, ObjectArguments, State};
use crate::world::Argument;

/// The reason why a step is not applicable.
#[derive(Debug, Clone, PartialEq)]
pub enum StepError {
    /// The step has the wrong number of arguments.
    WrongArity {
        /// The number of arguments of the step.
        given: usize,
        /// The number of parameters of the action.
        wanted: usize,
    },
    /// An argument is not of the parameter's type.
    WrongType {
        /// The index of the parameter.
        parameter: usize,
        /// The argument.
        object: ObjectId,
    },
    /// The precondition does not hold, because of these atoms.
    Precondition(Vec<Evidence>),
    /// The operand of a numeric effect, or the function that it changes, is undefined.
    Undefined {
        /// The undefined expression.
        expression: String,
        /// The source location.
        origin: Origin,
    },
    /// A numeric effect divides by zero.
    DivisionByZero {
        /// The divisor.
        divisor: String,
        /// The source location.
        origin: Origin,
    },
    /// Two numeric effects on the same function conflict.
    Conflict {
        /// The function with its arguments.
        function: String,
        /// The source location of one of the effects.
        origin: Origin,
    },
}

/// The message names objects by their indices; the names are those of the task's world.
impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongArity { given, wanted } => write!(f, "expected {wanted} objects, found {given}"),
            Self::WrongType { parameter, object } => {
                write!(f, "the object {} does not have the type of parameter {}", object.index(), parameter + 1)
            }
            Self::Precondition(_) => f.write_str("its precondition is false"),
            Self::Undefined { expression, .. } => write!(f, "`{expression}` is undefined"),
            Self::DivisionByZero { divisor, .. } => write!(f, "division by `{divisor}`, which is 0"),
            Self::Conflict { function, .. } => write!(f, "conflicting effects on `{function}`"),
        }
    }
}

impl std::error::Error for StepError {}

/// An execution of a planning task: the current state, and the steps so far.
#[derive(Debug, Clone)]
pub struct Execution<'a> {
    task: &'a Task,
    /// The rules of each stratum.
    layers: Vec<Vec<&'a AxiomSchema>>,
    beginning: Delta,
    state: State,
    /// The derived facts of the current state.
    derived: Vec<(PredicateId, ObjectArguments)>,
    steps: u64,
    /// The number of violations of the preferences of actions, by name.
    violations: FxHashMap<Arc<str>, u64>,
}

impl<'a> Execution<'a> {
    /// Starts an execution in the initial state.
    ///
    /// # Errors
    /// Returns a derived predicate that depends negatively on itself, if there is one.
    pub fn new(task: &'a Task) -> Result<Self, PredicateId> {
        let layer_of = stratify(&task.axioms)?;
        let count = layer_of.values().max().map_or(0, |highest| highest + 1);
        let of_layer = |layer| task.axioms.iter().filter(|rule| layer_of[&rule.predicate] == layer).collect();
        let mut execution = Self {
            task,
            layers: (0..count).map(of_layer).collect(),
            beginning: task.initial.clone(),
            state: State::new(&task.world),
            derived: Vec::new(),
            steps: 0,
            violations: FxHashMap::default(),
        };
        execution.state.apply(&task.world, &task.initial, &mut ChangeSet::default());
        execution.derive();
        execution.beginning.facts.extend(execution.derived.iter().map(|fact| fact_change(fact, true)));
        Ok(execution)
    }

    /// Returns the task.
    pub fn task(&self) -> &'a Task {
        self.task
    }

    /// Returns the current state, including derived facts.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the number of steps applied so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the number of violations so far of the preferences of actions with this name.
    pub fn violations(&self, name: &str) -> u64 {
        self.violations.get(name).copied().unwrap_or(0)
    }

    /// Returns the context in which conditions are evaluated in the current state.
    pub fn context<'c>(&'c self, no_objects: &'c FixedBitSet) -> Context<'c> {
        let (world, state) = (&*self.task.world, &self.state);
        Context { world, state, first: self.steps == 0, last: false, setup_objects: no_objects, work: None }
    }

    /// Returns the initial state, including derived facts, as a delta from the empty state.
    pub fn initial_delta(&self) -> &Delta {
        &self.beginning
    }

    /// Applies a step and returns the changes, including those of derived facts. If the step is not applicable, the state does not change.
    ///
    /// # Errors
    /// If the step is not applicable.
    ///
    /// # Panics
    /// If the step contains ids that are not in the task.
    pub fn apply(&mut self, step: &PlanStep, notation: &dyn Notation) -> Result<Delta, StepError> {
        let (mut delta, violated) = self.effects(step, notation)?;
        for name in violated {
            *self.violations.entry(name).or_default() += 1;
        }
        self.steps += 1;
        let before = std::mem::take(&mut self.derived);
        let removal = Delta { facts: before.iter().map(|fact| fact_change(fact, false)).collect(), ..Delta::default() };
        self.state.apply(&self.task.world, &removal, &mut ChangeSet::default());
        self.state.apply(&self.task.world, &delta, &mut ChangeSet::default());
        self.derive();
        delta.facts.extend(removal.facts.into_iter().filter(|fact| !self.state.fact(fact.predicate, &fact.arguments)));
        let before: FxHashSet<_> = before.into_iter().collect();
        let new = self.derived.iter().filter(|fact| !before.contains(*fact));
        delta.facts.extend(new.map(|fact| fact_change(fact, true)));
        (delta.index, delta.clock) = (self.steps, self.steps);
        delta.action = Some(step.text(self.task).into());
        Ok(delta)
    }

    /// Returns the changes of stored facts and functions by a step, without those of derived facts; `None` if the step is not applicable.
    ///
    /// # Panics
    /// If the step contains ids that are not in the task.
    pub fn step_effects(&self, step: &PlanStep) -> Option<Delta> {
        let action = self.task.action(step.action);
        let mut bindings = self.bound(action, &step.arguments).ok()?;
        let no_objects = FixedBitSet::new();
        let ctx = self.context(&no_objects);
        if !evaluate::condition(&ctx, &action.precondition, &mut bindings) {
            return None;
        }
        let mut changes = EffectAccumulator { ctx: &ctx, facts: IndexMap::default(), numbers: IndexMap::default() };
        changes.collect(&action.effect, &mut bindings).ok()?;
        changes.delta().ok()
    }

    /// Replaces the current state by one that differs from it in these stored facts and functions, and computes its derived facts.
    pub fn restore(&mut self, delta: &Delta) {
        let before = std::mem::take(&mut self.derived);
        let removal = Delta { facts: before.iter().map(|fact| fact_change(fact, false)).collect(), ..Delta::default() };
        self.state.apply(&self.task.world, &removal, &mut ChangeSet::default());
        self.state.apply(&self.task.world, delta, &mut ChangeSet::default());
        self.derive();
    }

    /// Computes the effects of a step on stored facts and functions that are not derived, and the names of the preferences that it
    /// violates.
    fn effects(&self, step: &PlanStep, notation: &dyn Notation) -> Result<(Delta, Vec<Arc<str>>), StepError> {
        let action = self.task.action(step.action);
        let mut bindings = self.bound(action, &step.arguments)?;
        let no_objects = FixedBitSet::new();
        let ctx = self.context(&no_objects);
        if !evaluate::condition(&ctx, &action.precondition, &mut bindings) {
            let unmet = explain::explain_unmet(&ctx, &action.precondition, action.origin, &mut bindings, notation);
            return Err(StepError::Precondition(unmet));
        }
        let mut changes = EffectAccumulator { ctx: &ctx, facts: IndexMap::default(), numbers: IndexMap::default() };
        changes.collect(&action.effect, &mut bindings)?;
        let delta = changes.delta()?;
        let mut violated = Vec::new();
        for preference in &action.preferences {
            let _ = evaluate::for_each_assignment(&ctx, &preference.external, &mut bindings, |bindings| {
                if !evaluate::condition(&ctx, &preference.condition, bindings) {
                    violated.push(preference.name.clone());
                }
                ControlFlow::<()>::Continue(())
            });
        }
        Ok((delta, violated))
    }

    /// Binds the action's parameters to the arguments of a step.
    fn bound(&self, action: &'a Action, arguments: &[ObjectId]) -> Result<Bindings<'a>, StepError> {
        if arguments.len() != action.parameters {
            return Err(StepError::WrongArity { given: arguments.len(), wanted: action.parameters });
        }
        let mut bindings = Bindings::new(&action.scope);
        for (parameter, &object) in arguments.iter().enumerate() {
            let variable = VarId::from(parameter);
            if !action.scope.get(variable).types.iter().any(|&of| self.task.world.is_a(object, of)) {
                return Err(StepError::WrongType { parameter, object });
            }
            bindings.bind(variable, object);
        }
        Ok(bindings)
    }

    /// Computes the derived facts: applies the rules of each stratum to a fixpoint.
    fn derive(&mut self) {
        if self.layers.is_empty() {
            return;
        }
        let mut facts = FactIndex::new(&self.task.world, &self.state);
        for layer in 0..self.layers.len() {
            loop {
                let new = self.derivable(layer, &facts);
                if new.is_empty() {
                    break;
                }
                for (predicate, arguments) in &new {
                    facts.add(*predicate, arguments.clone());
                }
                let delta =
                    Delta { facts: new.iter().map(|fact| fact_change(fact, true)).collect(), ..Delta::default() };
                self.state.apply(&self.task.world, &delta, &mut ChangeSet::default());
                self.derived.extend(new);
            }
        }
    }

    /// Returns the facts that the rules of a stratum derive in the current state and that do not hold yet, without duplicates.
    fn derivable(&self, layer: usize, facts: &FactIndex) -> Vec<(PredicateId, ObjectArguments)> {
        let no_objects = FixedBitSet::new();
        let ctx = self.context(&no_objects);
        let mut new = indexmap::IndexSet::<_, FxBuildHasher>::default();
        for rule in &self.layers[layer] {
            let parameters: Vec<VarId> = (0..rule.parameters).map(VarId::from).collect();
            let mut query = ConditionQuery { ctx: &ctx, facts, budget: u64::MAX };
            let mut bindings = Bindings::new(&rule.scope);
            let _ = query.for_each(&parameters, &rule.body, &mut bindings, &mut |bindings| {
                let arguments: ObjectArguments =
                    parameters.iter().filter_map(|&variable| object(bindings, variable)).collect();
                if !self.state.fact(rule.predicate, &arguments) {
                    new.insert((rule.predicate, arguments));
                }
                ControlFlow::<()>::Continue(())
            });
        }
        new.into_iter().collect()
    }
}

/// Creates the change of a fact to true or false.
fn fact_change((predicate, arguments): &(PredicateId, ObjectArguments), holds: bool) -> FactChange {
    FactChange { predicate: *predicate, arguments: arguments.clone(), holds }
}

/// Returns the object to which a variable is bound.
pub(super) fn object(bindings: &Bindings<'_>, variable: VarId) -> Option<ObjectId> {
    match bindings.get(variable) {
        Some(Argument::Object(object)) => Some(object),
        _ => None,
    }
}

/// A change of the value of a function.
#[derive(Debug, Clone, Copy, PartialEq)]
enum NumericChange {
    Set(f64),
    Add(f64),
    /// Multiplication by the first number and division by the second.
    Scale(f64, f64),
}

/// The combined effects of an action in one state.
struct EffectAccumulator<'a> {
    ctx: &'a Context<'a>,
    facts: IndexMap<(PredicateId, ObjectArguments), bool, FxBuildHasher>,
    numbers: IndexMap<(FunctionId, ObjectArguments), (NumericChange, Origin), FxBuildHasher>,
}

impl EffectAccumulator<'_> {
    fn collect(&mut self, effect: &Effect, bindings: &mut Bindings<'_>) -> Result<(), StepError> {
        match effect {
            Effect::And(parts) => parts.iter().try_for_each(|part| self.collect(part, bindings)),
            Effect::Forall(variables, body) => {
                let ctx = self.ctx;
                let flow = evaluate::for_each_assignment(ctx, variables, bindings, |bindings| {
                    match self.collect(body, bindings) {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(fault) => ControlFlow::Break(fault),
                    }
                });
                flow.break_value().map_or(Ok(()), Err)
            }
            Effect::When(condition, body) => {
                if evaluate::condition(self.ctx, condition, bindings) {
                    self.collect(body, bindings)?;
                }
                Ok(())
            }
            Effect::Add(atom) => {
                self.facts.insert((atom.predicate, objects(&atom.arguments, bindings)), true);
                Ok(())
            }
            Effect::Delete(atom) => {
                self.facts.entry((atom.predicate, objects(&atom.arguments, bindings))).or_insert(false);
                Ok(())
            }
            Effect::Assign { operator: how, function, arguments, value, origin } => {
                let text = || expression_text(self.ctx.world, value, bindings);
                let number = evaluate::expression(self.ctx, value, bindings)
                    .ok_or_else(|| StepError::Undefined { expression: text(), origin: *origin })?;
                let change = match how {
                    AssignmentOperator::Set => NumericChange::Set(number),
                    AssignmentOperator::Increase => NumericChange::Add(number),
                    AssignmentOperator::Decrease => NumericChange::Add(-number),
                    AssignmentOperator::ScaleUp => NumericChange::Scale(number, 1.0),
                    AssignmentOperator::ScaleDown if number == 0.0 => {
                        return Err(StepError::DivisionByZero { divisor: text(), origin: *origin });
                    }
                    AssignmentOperator::ScaleDown => NumericChange::Scale(1.0, number),
                };
                self.change(*function, objects(arguments, bindings), change, *origin)
            }
        }
    }

    fn change(
        &mut self,
        function: FunctionId,
        of: ObjectArguments,
        change: NumericChange,
        origin: Origin,
    ) -> Result<(), StepError> {
        use indexmap::map::Entry;
        match self.numbers.entry((function, of)) {
            Entry::Vacant(entry) => drop(entry.insert((change, origin))),
            Entry::Occupied(mut entry) => {
                let both = match (entry.get().0, change) {
                    (NumericChange::Add(one), NumericChange::Add(other)) => NumericChange::Add(one + other),
                    (NumericChange::Scale(up, down), NumericChange::Scale(factor, other_factor)) => {
                        NumericChange::Scale(up * factor, down * other_factor)
                    }
                    _ => {
                        let (function, of) = entry.key();
                        return Err(StepError::Conflict { function: self.ctx.function_text(*function, of), origin });
                    }
                };
                entry.get_mut().0 = both;
            }
        }
        Ok(())
    }

    fn delta(self) -> Result<Delta, StepError> {
        let differs = |((predicate, arguments), holds): &((PredicateId, ObjectArguments), bool)| {
            self.ctx.state.fact(*predicate, arguments) != *holds
        };
        let facts = self.facts.into_iter().filter(differs);
        let facts = facts.map(|((predicate, arguments), holds)| FactChange { predicate, arguments, holds }).collect();
        let mut fluents = Vec::new();
        for ((function, arguments), (change, origin)) in self.numbers {
            let value = match (change, self.ctx.state.fluent(function, &arguments)) {
                (NumericChange::Set(value), _) => value,
                (NumericChange::Add(by), Some(before)) => before + by,
                (NumericChange::Scale(up, down), Some(before)) => before * up / down,
                (_, None) => {
                    return Err(StepError::Undefined {
                        expression: self.ctx.function_text(function, &arguments),
                        origin,
                    });
                }
            };
            fluents.push(FluentChange { function, arguments, value });
        }
        Ok(Delta { facts, fluents, ..Delta::default() })
    }
}

impl Context<'_> {
    /// Formats a function with its arguments.
    fn function_text(&self, function: FunctionId, arguments: &[ObjectId]) -> String {
        let objects = arguments.iter().map(|&object| &*self.world.object_decl(object).id);
        let words: Vec<&str> = std::iter::once(&*self.world.function(function).name).chain(objects).collect();
        format!("({})", words.join(" "))
    }
}

fn objects(terms: &Terms, bindings: &Bindings<'_>) -> ObjectArguments {
    let object = |argument| match argument {
        Argument::Object(object) => Some(object),
        Argument::Type(_) => None,
    };
    terms.iter().filter_map(|&term| bindings.term(term).and_then(object)).collect()
}
