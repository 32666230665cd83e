//! Ground tasks: the input of heuristics and search.
//!
//! A state assigns each [`Variable`] one of its values and each [`NumericVariable`] a number. The formalism is SAS+ with axioms
//! and conditional effects (Helmert 2009, "Concise finite-domain representations for PDDL planning tasks"), extended by
//! numbers.

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::ids::{FunctionId, PredicateId};
use goalspec_core::planning::plan::PlanStep;
use goalspec_core::planning::task::AssignmentOperator;
use goalspec_core::state::ObjectArguments;

/// A fact: a variable with one of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The variable, as an index into [`GroundTask::variables`].
    pub variable: u32,
    /// The value, as an index into [`Variable::values`].
    pub value: u32,
}

/// The meaning of a value of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueMeaning {
    /// The atom holds.
    Atom(PredicateId, ObjectArguments),
    /// The atom does not hold.
    NotAtom(PredicateId, ObjectArguments),
    /// None of the atoms of the other values holds.
    NoneOfOthers,
    /// The truth of an auxiliary proposition introduced by grounding, such as a named part of a condition.
    Auxiliary(bool),
}

/// The source of the values of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueSource {
    /// Operator effects.
    Operators,
    /// [Axioms](Axiom) of a layer. The variable has two values: its default, unless an axiom derives the other one.
    Axioms {
        /// The layer. Layers are evaluated in ascending order.
        layer: u32,
        /// The default value.
        default: u32,
    },
    /// The truth of a [`NumericCondition`], as an index into [`GroundTask::comparisons`]: 1 if it holds, else 0. Evaluated
    /// before all axioms.
    Comparison(u32),
}

/// A variable of finite domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The values, at least two.
    pub values: Vec<ValueMeaning>,
    /// The source of the values.
    pub source: ValueSource,
}

/// A numeric variable: a stored function applied to objects.
#[derive(Debug, Clone, PartialEq)]
pub struct NumericVariable {
    /// The function.
    pub function: FunctionId,
    /// The arguments.
    pub arguments: ObjectArguments,
    /// The value in the initial state; `None` if undefined. Expressions that read an undefined value are undefined.
    pub initial: Option<f64>,
}

/// A numeric expression over the state.
#[derive(Debug, Clone, PartialEq)]
pub enum NumericExpression {
    /// A constant.
    Number(f64),
    /// A numeric variable, as an index into [`GroundTask::numeric_variables`].
    Variable(u32),
    /// A sum.
    Add(Vec<NumericExpression>),
    /// A product.
    Multiply(Vec<NumericExpression>),
    /// A difference.
    Subtract(Box<[NumericExpression; 2]>),
    /// A quotient; division by zero is undefined.
    Divide(Box<[NumericExpression; 2]>),
    /// An absolute value.
    Absolute(Box<NumericExpression>),
}

/// A comparison of two numbers; false if either is undefined.
#[derive(Debug, Clone, PartialEq)]
pub struct NumericCondition {
    /// The comparison operator.
    pub comparison: ComparisonOperator,
    /// The left and the right side.
    pub sides: [NumericExpression; 2],
}

/// A conditional effect on a variable. Its conditions are evaluated in the state in which the operator is applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The conditions of the effect, in addition to the operator's precondition; sorted by variable.
    pub conditions: Vec<Fact>,
    /// The fact that the effect makes true.
    pub fact: Fact,
}

/// A conditional effect on a numeric variable. Its conditions are evaluated in the state in which the operator is applied.
#[derive(Debug, Clone, PartialEq)]
pub struct NumericEffect {
    /// The conditions of the effect, in addition to the operator's precondition; sorted by variable.
    pub conditions: Vec<Fact>,
    /// The numeric variable, as an index into [`GroundTask::numeric_variables`].
    pub variable: u32,
    /// The kind of assignment.
    pub operator: AssignmentOperator,
    /// The operand, evaluated in the state in which the operator is applied.
    pub value: NumericExpression,
}

/// A ground operator, applicable where its precondition holds and all its active numeric effects are defined.
#[derive(Debug, Clone, PartialEq)]
pub struct Operator {
    /// The plan step that the operator stands for; `None` for an auxiliary operator introduced by grounding, which plans omit.
    pub step: Option<PlanStep>,
    /// The precondition; sorted by variable, each variable at most once.
    pub precondition: Vec<Fact>,
    /// The effects. If several active effects set one variable, the last one applies; grounding orders effects that add an atom
    /// after those that delete one.
    pub effects: Vec<Effect>,
    /// The numeric effects.
    pub numeric_effects: Vec<NumericEffect>,
    /// The cost, in units of [`GroundTask::cost_unit`].
    pub cost: u32,
}

/// An axiom: if the body holds, so does the head. The head's variable has [`ValueSource::Axioms`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axiom {
    /// The body, a conjunction of facts; sorted by variable.
    pub body: Vec<Fact>,
    /// The derived fact.
    pub head: Fact,
}

/// A ground planning task.
///
/// A *solution* is a sequence of operators that leads from the initial state to a state in which the goal holds. Unreachable
/// facts and operators have been removed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GroundTask {
    /// The variables.
    pub variables: Vec<Variable>,
    /// The initial values of the variables: of derived variables their defaults, of comparisons 0.
    pub initial: Vec<u32>,
    /// The numeric variables that conditions or effects on them need. The plan cost is not one of them.
    pub numeric_variables: Vec<NumericVariable>,
    /// The comparisons that [`ValueSource::Comparison`] refers to.
    pub comparisons: Vec<NumericCondition>,
    /// The operators.
    pub operators: Vec<Operator>,
    /// The axioms of derived variables.
    pub axioms: Vec<Axiom>,
    /// The goal; sorted by variable, each variable at most once.
    pub goal: Vec<Fact>,
    /// Mutex groups: sets of facts of at least two variables, no two of which hold in the same reachable state.
    pub mutexes: Vec<Vec<Fact>>,
    /// The value of one unit of cost in terms of the metric.
    pub cost_unit: f64,
}
