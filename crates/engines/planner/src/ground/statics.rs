//! Static predicates and functions, and evaluation of static conditions.

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Condition, Expression, Scope, Term};
use goalspec_core::evaluate::{self, Bindings, Context};
use goalspec_core::ids::{FunctionId, ObjectId, PredicateId, VarId};
use goalspec_core::planning::task::{Effect, MetricExpression, Task};
use goalspec_core::state::{ChangeSet, State};
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};

use super::GroundError;

/// The kind of a predicate, by the source of its truth values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PredicateKind {
    /// Determined by the initial state.
    Static,
    /// Changed by effects.
    Fluent,
    /// Derived by rules.
    Derived,
}

/// A task with a classification of its predicates and functions.
#[derive(Debug)]
pub(super) struct TaskAnalysis<'t> {
    /// The task.
    pub(super) task: &'t Task,
    /// The initial state.
    pub(super) state: State,
    kinds: Vec<PredicateKind>,
    changing: Vec<bool>,
    deleted: Vec<bool>,
    nothing: FixedBitSet,
}

impl<'t> TaskAnalysis<'t> {
    /// Classifies the predicates and functions of a task.
    ///
    /// # Errors
    /// Returns an error if the task has a feature that grounding does not support.
    pub(super) fn new(task: &'t Task) -> Result<Self, GroundError> {
        let world = &*task.world;
        let mut state = State::new(world);
        state.apply(world, &task.initial, &mut ChangeSet::default());
        let mut statics = Self {
            task,
            state,
            kinds: vec![PredicateKind::Static; world.predicates().len()],
            changing: vec![false; world.functions().len()],
            deleted: vec![false; world.predicates().len()],
            nothing: FixedBitSet::new(),
        };
        for action in &task.actions {
            statics.note(&action.effect);
        }
        for rule in &task.axioms {
            if std::mem::replace(&mut statics.kinds[rule.predicate.index()], PredicateKind::Derived)
                == PredicateKind::Fluent
            {
                let name = &world.predicate(rule.predicate).name;
                return Err(GroundError::Unsupported(format!("derived predicate `{name}` is changed by an action")));
            }
        }
        statics.check()?;
        Ok(statics)
    }

    fn note(&mut self, effect: &Effect) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.note(part)),
            Effect::Forall(_, part) | Effect::When(_, part) => self.note(part),
            Effect::Add(atom) => self.kinds[atom.predicate.index()] = PredicateKind::Fluent,
            Effect::Delete(atom) => {
                self.kinds[atom.predicate.index()] = PredicateKind::Fluent;
                self.deleted[atom.predicate.index()] = true;
            }
            Effect::Assign { function, .. } => self.changing[function.index()] = true,
        }
    }

    /// Checks that the task only has features that grounding supports.
    fn check(&self) -> Result<(), GroundError> {
        let world = &*self.task.world;
        let odd = |name: &str| {
            let what =
                format!("`{name}` is computed by its world; planning supports only stored predicates and functions");
            Err(GroundError::Unsupported(what))
        };
        for decl in world.predicates() {
            if decl.definition != PredicateDefinition::Stored {
                return odd(&decl.name);
            }
        }
        for decl in world.functions() {
            if decl.definition != FunctionDefinition::Stored {
                return odd(&decl.name);
            }
        }
        if !self.task.constraints.is_empty() {
            let what = "trajectory constraints must be compiled before grounding";
            return Err(GroundError::Unsupported(what.into()));
        }
        let actions = self.task.actions.iter();
        actions.clone().try_for_each(|action| check_condition(&action.precondition))?;
        actions.clone().try_for_each(|action| check_effect(&action.effect))?;
        self.task.axioms.iter().try_for_each(|rule| check_condition(&rule.body))?;
        self.task.goal.conjuncts.iter().try_for_each(|conjunct| check_condition(&conjunct.condition))
    }

    /// Returns the kind of a predicate.
    pub(super) fn kind(&self, predicate: PredicateId) -> PredicateKind {
        self.kinds[predicate.index()]
    }

    /// Whether an effect deletes atoms of the predicate.
    pub(super) fn is_deleted(&self, predicate: PredicateId) -> bool {
        self.deleted[predicate.index()]
    }

    /// Whether an effect changes the function.
    pub(super) fn is_changing(&self, function: FunctionId) -> bool {
        self.changing[function.index()]
    }

    /// Whether the condition has the same truth value in all states.
    pub(super) fn is_static(&self, condition: &Condition) -> bool {
        if let Condition::Atom(atom) = condition
            && self.kind(atom.predicate) != PredicateKind::Static
        {
            return false;
        }
        condition.expressions().iter().all(|expression| self.is_static_expression(expression))
            && condition.children().iter().all(|part| self.is_static(part))
    }

    /// Whether the expression has the same value in all states.
    pub(super) fn is_static_expression(&self, expression: &Expression) -> bool {
        let changes = matches!(expression, Expression::Call { function, .. } if self.is_changing(*function));
        !changes && expression.children().iter().all(|part| self.is_static_expression(part))
    }

    /// Whether the condition holds in the initial state under a binding.
    pub(super) fn holds(&self, condition: &Condition, scope: &Scope, bound: &[Option<u32>]) -> bool {
        evaluate::condition(&self.context(), condition, &mut bindings(scope, bound))
    }

    /// Returns the value of the expression in the initial state under a binding.
    pub(super) fn value(&self, expression: &Expression, scope: &Scope, bound: &[Option<u32>]) -> Option<f64> {
        match expression {
            Expression::Number(number) => Some(*number),
            _ => evaluate::expression(&self.context(), expression, &bindings(scope, bound)),
        }
    }

    fn context(&self) -> Context<'_> {
        let (world, state, setup) = (&*self.task.world, &self.state, &self.nothing);
        Context { world, state, first: true, last: false, setup_objects: setup, work: None }
    }

    /// Whether the metric counts preference violations.
    pub(super) fn metric_counts_preferences(&self) -> bool {
        fn counts(value: &MetricExpression) -> bool {
            match value {
                MetricExpression::Violations(_) => true,
                MetricExpression::Add(parts) | MetricExpression::Multiply(parts) => parts.iter().any(counts),
                MetricExpression::Subtract(parts) | MetricExpression::Divide(parts) => parts.iter().any(counts),
                MetricExpression::Number(_) | MetricExpression::Call(..) | MetricExpression::TotalTime => false,
            }
        }
        self.task.metric.as_ref().is_some_and(|metric| counts(&metric.expression))
    }
}

fn bindings<'s>(scope: &'s Scope, bound: &[Option<u32>]) -> Bindings<'s> {
    let mut bindings = Bindings::new(scope);
    for (place, object) in bound.iter().enumerate() {
        if let Some(object) = object {
            bindings.bind(VarId::from(place), ObjectId(*object));
        }
    }
    bindings
}

fn check_terms(terms: &[Term]) -> Result<(), GroundError> {
    if terms.iter().any(|term| matches!(term, Term::Type(_))) {
        return Err(GroundError::Unsupported("types as arguments are not supported".into()));
    }
    Ok(())
}

fn check_condition(condition: &Condition) -> Result<(), GroundError> {
    if matches!(condition, Condition::FirstState | Condition::LastState | Condition::InSetup(..)) {
        return Err(GroundError::Unsupported(
            "conditions on the position of a state in a trace or on a setup are not supported".into(),
        ));
    }
    check_terms(&condition.terms())?;
    condition.expressions().iter().try_for_each(check_expression)?;
    condition.children().iter().try_for_each(check_condition)
}

fn check_expression(expression: &Expression) -> Result<(), GroundError> {
    if let Expression::Call { arguments, .. } = expression {
        check_terms(arguments)?;
    }
    expression.children().iter().try_for_each(check_expression)
}

fn check_effect(effect: &Effect) -> Result<(), GroundError> {
    match effect {
        Effect::And(parts) => parts.iter().try_for_each(check_effect),
        Effect::Forall(_, part) => check_effect(part),
        Effect::When(condition, part) => {
            check_condition(condition)?;
            check_effect(part)
        }
        Effect::Add(atom) | Effect::Delete(atom) => check_terms(&atom.arguments),
        Effect::Assign { arguments, value, .. } => {
            check_terms(arguments)?;
            check_expression(value)
        }
    }
}
