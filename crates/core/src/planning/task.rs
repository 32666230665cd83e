//! What there is to plan.

use std::sync::Arc;

use crate::condition::{Atom, Condition, Expression, Origin, Scope, Terms};
use crate::ids::{FunctionId, PredicateId, VarId, ids};
use crate::pattern::Pattern;
use crate::program::Goal;
use crate::state::Delta;
use crate::world::World;

ids! {
    /// An action of a [`Task`].
    ActionId;
}

/// How a stored function takes a new value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Assignment {
    /// It takes the value.
    Set,
    /// The value is added.
    Increase,
    /// The value is subtracted.
    Decrease,
    /// It is multiplied by the value.
    ScaleUp,
    /// It is divided by the value.
    ScaleDown,
}

impl Assignment {
    /// The word for it.
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

/// What an action does to the state.
///
/// Conditions and expressions are those of the state before the action. What an action both deletes and adds holds
/// afterwards. The numeric effects of an action on one function with the same arguments add up if all of them increase or
/// decrease it, and multiply if all of them scale it; any other two of them cannot be made at once.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// All of them; nothing when empty.
    And(Vec<Effect>),
    /// For every assignment of the variables.
    Forall(Vec<VarId>, Box<Effect>),
    /// If the condition holds.
    When(Condition, Box<Effect>),
    /// The stored predicate holds from now on.
    Add(Atom),
    /// The stored predicate no longer holds.
    Delete(Atom),
    /// A stored function takes a new value.
    Assign {
        /// How.
        how: Assignment,
        /// The function.
        function: FunctionId,
        /// Its arguments.
        arguments: Terms,
        /// The value.
        value: Expression,
        /// Where it was written.
        origin: Origin,
    },
}

/// A preference that an action has of the state in which it is taken.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionPreference {
    /// Its name, which several may share; empty if it has none.
    pub name: Arc<str>,
    /// Variables around it, besides the parameters: every assignment of them is a preference of its own, of the same name.
    pub external: Vec<VarId>,
    /// What should hold, over the variables of the action.
    pub condition: Condition,
    /// Where it was written.
    pub origin: Origin,
}

/// Something that can be done.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: Arc<str>,
    /// Its parameters, and after them the variables of the quantifiers in it.
    pub scope: Scope,
    /// How many of the scope's variables are parameters. Two of them may bind the same object.
    pub parameters: usize,
    /// What must hold.
    pub precondition: Condition,
    /// What should hold.
    pub preferences: Vec<ActionPreference>,
    /// What it does.
    pub effect: Effect,
    /// Where it was written.
    pub origin: Origin,
}

/// A rule for a derived predicate, which is stored in states and holds of nothing but what rules give.
///
/// Rules are applied until nothing is added, to the predicates that others depend on negatively first. A predicate that
/// depends negatively on itself has no meaning; lowering refuses it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The predicate that is derived.
    pub predicate: PredicateId,
    /// Its parameters, and after them the variables of the quantifiers in the body.
    pub scope: Scope,
    /// How many of the scope's variables are parameters.
    pub parameters: usize,
    /// What makes it true.
    pub body: Condition,
    /// Where it was written.
    pub origin: Origin,
}

/// What should or must hold of the whole run of states, the first and the last included.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// Its name; preferences may share one. Empty for constraints, which have none, and for preferences without one.
    pub name: Arc<str>,
    /// Its variables.
    pub scope: Scope,
    /// Variables around it: every assignment of them is a constraint, or a preference, of its own, of the same name.
    pub external: Vec<VarId>,
    /// What is asked: of the last state, or of all states.
    pub pattern: Pattern,
    /// Where it was written.
    pub origin: Origin,
}

/// Whether little or much is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// As little as possible.
    Minimize,
    /// As much as possible.
    Maximize,
}

/// What plans are compared by.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// Which way.
    pub direction: Direction,
    /// The number, taken in the last state.
    pub value: MetricValue,
    /// Where it was written.
    pub origin: Origin,
}

/// A number that a whole plan has.
#[derive(Debug, Clone, PartialEq)]
pub enum MetricValue {
    /// A constant.
    Number(f64),
    /// A stored function of objects, in the last state.
    Call(FunctionId, Terms, Origin),
    /// How many steps the plan has.
    TotalTime,
    /// How many of the preferences of this name are violated; those of an action count each time that it is taken.
    Violations(Arc<str>),
    /// Sum.
    Add(Vec<MetricValue>),
    /// Product.
    Multiply(Vec<MetricValue>),
    /// Difference.
    Subtract(Box<[MetricValue; 2]>),
    /// Quotient; division by zero has no value.
    Divide(Box<[MetricValue; 2]>),
}

/// A planning task.
#[derive(Debug, Clone)]
pub struct Task {
    /// The problem's name.
    pub name: Arc<str>,
    /// Objects, predicates and functions. All predicates and functions are stored, the derived ones too; every object is
    /// always there. Objects of no particular type are of the type `object`.
    pub world: Arc<World>,
    /// The first state: facts that hold, and the values that functions have. Derived predicates are not in it.
    pub initial: Delta,
    /// What can be done, by [`ActionId`].
    pub actions: Vec<Action>,
    /// What gives derived predicates.
    pub rules: Vec<Rule>,
    /// What must hold in the end.
    pub goal: Goal,
    /// What must hold on the way.
    pub constraints: Vec<Requirement>,
    /// What should hold in the end or on the way.
    pub preferences: Vec<Requirement>,
    /// What plans are compared by; nothing: by their number of steps.
    pub metric: Option<Metric>,
}

impl Task {
    /// The action with this id.
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.index()]
    }

    /// The action of this name.
    pub fn action_named(&self, name: &str) -> Option<ActionId> {
        self.actions.iter().position(|action| *action.name == *name).map(ActionId::from)
    }

    /// Whether rules give the predicate.
    pub fn is_derived(&self, predicate: PredicateId) -> bool {
        self.rules.iter().any(|rule| rule.predicate == predicate)
    }
}
