//! Planning tasks and their parts.

use std::sync::Arc;

use crate::condition::{Atom, Condition, Expression, Origin, Scope, Terms};
use crate::ids::{FunctionId, PredicateId, VarId};
use crate::pattern::Pattern;
use crate::program::Goal;
use crate::state::Delta;
use crate::world::World;

crate::typed_ids! {
    /// An action of a [`Task`].
    ActionId;
}

/// An assignment operator of a numeric effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssignmentOperator {
    /// The function takes the value.
    Set,
    /// The value is added to the function.
    Increase,
    /// The value is subtracted from the function.
    Decrease,
    /// The function is multiplied by the value.
    ScaleUp,
    /// The function is divided by the value.
    ScaleDown,
}

impl AssignmentOperator {
    /// Returns the PDDL keyword of the operator.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Set => "assign",
            Self::Increase => "increase",
            Self::Decrease => "decrease",
            Self::ScaleUp => "scale-up",
            Self::ScaleDown => "scale-down",
        }
    }
}

/// An effect of an action.
///
/// Conditions and expressions are evaluated in the state before the action. A fact that an action both deletes and adds holds afterwards.
/// Several numeric effects of one action on the same function and arguments add up if all of them increase or decrease it, and multiply if
/// all of them scale it. All other combinations conflict.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Conjunction: all of the effects. No effect if empty.
    And(Vec<Effect>),
    /// Universal effect: the effect for every assignment of the variables.
    Forall(Vec<VarId>, Box<Effect>),
    /// Conditional effect: the effect if the condition holds.
    When(Condition, Box<Effect>),
    /// Add effect: the stored predicate becomes true.
    Add(Atom),
    /// Delete effect: the stored predicate becomes false.
    Delete(Atom),
    /// Numeric effect: a stored function takes a new value.
    Assign {
        /// The assignment operator.
        operator: AssignmentOperator,
        /// The function.
        function: FunctionId,
        /// The arguments.
        arguments: Terms,
        /// The operand.
        value: Expression,
        /// The source location.
        origin: Origin,
    },
}

/// A preference in the precondition of an action, evaluated in the state in which the action is applied.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionPreference {
    /// The name, which several preferences may share; empty if it has none.
    pub name: Arc<str>,
    /// The enclosing variables other than the parameters. Every assignment of them is a separate preference with the same name.
    pub external: Vec<VarId>,
    /// The preferred condition, over the variables of the action.
    pub condition: Condition,
    /// The source location.
    pub origin: Origin,
}

/// An action schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// The name.
    pub name: Arc<str>,
    /// The parameters, followed by the variables of the quantifiers in the action.
    pub scope: Scope,
    /// The number of parameters, which are the first variables of the scope. Different parameters may bind the same object.
    pub parameters: usize,
    /// The precondition.
    pub precondition: Condition,
    /// The preferences of the precondition.
    pub preferences: Vec<ActionPreference>,
    /// The effect.
    pub effect: Effect,
    /// The source location.
    pub origin: Origin,
}

/// A rule (axiom) that defines a derived predicate. States store derived predicates, which hold exactly where their rules make them hold.
///
/// Rules are applied to a fixpoint, stratum by stratum: a predicate is computed after the predicates on which it depends negatively.
/// Lowering rejects predicates that depend negatively on themselves, because they have no meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct AxiomSchema {
    /// The derived predicate.
    pub predicate: PredicateId,
    /// The parameters, followed by the variables of the quantifiers in the body.
    pub scope: Scope,
    /// The number of parameters, which are the first variables of the scope.
    pub parameters: usize,
    /// The condition under which the predicate holds.
    pub body: Condition,
    /// The source location.
    pub origin: Origin,
}

/// A constraint or preference on the trajectory: the sequence of all states, from the initial to the last.
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryConstraint {
    /// The name, which several preferences may share; empty for constraints, and for preferences without a name.
    pub name: Arc<str>,
    /// The variables.
    pub scope: Scope,
    /// The enclosing variables. Every assignment of them is a separate constraint or preference with the same name.
    pub external: Vec<VarId>,
    /// The pattern that the trajectory must satisfy: a condition on the last state, or a formula over all states.
    pub pattern: Pattern,
    /// The source location.
    pub origin: Origin,
}

/// The direction of optimization of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OptimizationDirection {
    /// Lower values are better.
    Minimize,
    /// Higher values are better.
    Maximize,
}

/// A plan metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// The direction of optimization.
    pub direction: OptimizationDirection,
    /// The expression, evaluated in the last state.
    pub expression: MetricExpression,
    /// The source location.
    pub origin: Origin,
}

/// An expression over a whole plan.
#[derive(Debug, Clone, PartialEq)]
pub enum MetricExpression {
    /// A constant.
    Number(f64),
    /// A stored function of objects, in the last state.
    Call(FunctionId, Terms, Origin),
    /// The number of steps.
    TotalTime,
    /// The number of violated preferences with this name. Preferences of actions count once for each violating application.
    Violations(Arc<str>),
    /// Sum.
    Add(Vec<MetricExpression>),
    /// Product.
    Multiply(Vec<MetricExpression>),
    /// Difference.
    Subtract(Box<[MetricExpression; 2]>),
    /// Quotient; undefined if the divisor is zero.
    Divide(Box<[MetricExpression; 2]>),
}

/// A planning task.
#[derive(Debug, Clone)]
pub struct Task {
    /// The problem's name.
    pub name: Arc<str>,
    /// The objects, predicates and functions. All predicates and functions are stored, including derived ones, and every object is always
    /// present. Objects without a declared type have the type `object`.
    pub world: Arc<World>,
    /// The initial state: the facts that hold and the values of functions. Derived predicates are not included.
    pub initial: Delta,
    /// The actions, by [`ActionId`].
    pub actions: Vec<Action>,
    /// The rules of the derived predicates.
    pub axioms: Vec<AxiomSchema>,
    /// The goal.
    pub goal: Goal,
    /// The trajectory constraints.
    pub constraints: Vec<TrajectoryConstraint>,
    /// The preferences on the goal and on the trajectory.
    pub preferences: Vec<TrajectoryConstraint>,
    /// The plan metric; `None` to minimize the number of steps.
    pub metric: Option<Metric>,
}

impl Task {
    /// Returns the action with this id.
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.index()]
    }

    /// Returns the action with this name.
    pub fn action_named(&self, name: &str) -> Option<ActionId> {
        self.actions.iter().position(|action| *action.name == *name).map(ActionId::from)
    }

    /// Whether the predicate is derived by rules.
    pub fn is_derived(&self, predicate: PredicateId) -> bool {
        self.axioms.iter().any(|rule| rule.predicate == predicate)
    }
}
