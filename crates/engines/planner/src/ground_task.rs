//! Tasks without variables: what heuristics and search work on.
//!
//! A state gives each [`Variable`] one of its values and each [`NumericVariable`] a number. In the manner of SAS+ with axioms and
//! conditional effects (Helmert 2009, "Concise finite-domain representations for PDDL planning tasks").

use goalspec_core::condition::Comparison;
use goalspec_core::ids::{FunctionId, PredicateId};
use goalspec_core::planning::plan::Step;
use goalspec_core::planning::task::Assignment;
use goalspec_core::state::Arguments;

/// A variable having a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The variable, by place in [`GroundTask::variables`].
    pub variable: u32,
    /// The value, by place in [`Variable::values`].
    pub value: u32,
}

/// What a value stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// An atom holds.
    Atom(PredicateId, Arguments),
    /// An atom does not hold.
    NotAtom(PredicateId, Arguments),
    /// None of the atoms of the other values holds.
    NoneOfThose,
    /// Something that grounding made up, such as a part of a condition that has a name of its own, and whether it holds.
    Part(bool),
}

/// Where the values of a variable come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Operators set it.
    Operators,
    /// [Axioms](Axiom) of this layer do: it has its default unless one of them gives it its other value. Two values.
    Axioms {
        /// The layer; those below it are computed before.
        layer: u32,
        /// The value that it has by default.
        default: u32,
    },
    /// Whether a [`NumericCondition`] holds, by place: value 1 if it does, else 0. Computed before all axioms.
    Comparison(u32),
}

/// A variable of finite domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its values, at least two.
    pub values: Vec<Meaning>,
    /// Where they come from.
    pub source: Source,
}

/// A stored function of objects, as a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct NumericVariable {
    /// The function.
    pub function: FunctionId,
    /// Its arguments.
    pub arguments: Arguments,
    /// Its value in the first state; `None`: undefined, and so is what reads it.
    pub initial: Option<f64>,
}

/// A number computed from a state.
#[derive(Debug, Clone, PartialEq)]
pub enum NumericExpression {
    /// A constant.
    Number(f64),
    /// A numeric variable, by place in [`GroundTask::numeric`].
    Variable(u32),
    /// Sum.
    Add(Vec<NumericExpression>),
    /// Product.
    Multiply(Vec<NumericExpression>),
    /// Difference.
    Subtract(Box<[NumericExpression; 2]>),
    /// Quotient; division by zero is undefined.
    Divide(Box<[NumericExpression; 2]>),
    /// Absolute value.
    Absolute(Box<NumericExpression>),
}

/// A comparison of two numbers; false where one of them is undefined.
#[derive(Debug, Clone, PartialEq)]
pub struct NumericCondition {
    /// The comparison.
    pub comparison: Comparison,
    /// The sides.
    pub sides: [NumericExpression; 2],
}

/// A variable taking a value, if conditions hold in the state before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// What must hold beside the operator's precondition; by variable.
    pub conditions: Vec<Fact>,
    /// What holds afterwards.
    pub fact: Fact,
}

/// A numeric variable taking a value, if conditions hold in the state before.
#[derive(Debug, Clone, PartialEq)]
pub struct NumericEffect {
    /// What must hold beside the operator's precondition; by variable.
    pub conditions: Vec<Fact>,
    /// The numeric variable.
    pub variable: u32,
    /// How it takes the value.
    pub how: Assignment,
    /// The value, taken in the state before.
    pub value: NumericExpression,
}

/// A step that can be taken: where its precondition holds and each numeric effect that is made has a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Operator {
    /// The step of a plan that it is; `None` for one that grounding made up, which plans leave out.
    pub step: Option<Step>,
    /// What must hold; by variable, each at most once.
    pub precondition: Vec<Fact>,
    /// What it does. If effects on one variable come true at once, the last of them counts; grounding orders those that add
    /// an atom behind those that delete one.
    pub effects: Vec<Effect>,
    /// What it does to numbers.
    pub numeric_effects: Vec<NumericEffect>,
    /// What it costs, in units of [`GroundTask::cost_unit`].
    pub cost: u32,
}

/// If the body holds, so does the head. The head's variable is of [`Source::Axioms`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axiom {
    /// What must hold; by variable.
    pub body: Vec<Fact>,
    /// What holds then.
    pub head: Fact,
}

/// A planning task without variables of quantifiers and parameters.
///
/// It is *solved* by operators that lead from the first state to one where the goal holds. What is never reachable has been
/// left out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GroundTask {
    /// The variables.
    pub variables: Vec<Variable>,
    /// Their values in the first state; those of axioms' variables are their defaults, those of comparisons 0.
    pub initial: Vec<u32>,
    /// The numeric variables that conditions or effects on them need. The cost is not one of them.
    pub numeric: Vec<NumericVariable>,
    /// The comparisons that are variables.
    pub comparisons: Vec<NumericCondition>,
    /// What can be done.
    pub operators: Vec<Operator>,
    /// What gives derived variables their values.
    pub axioms: Vec<Axiom>,
    /// What must hold in the end; by variable, each at most once.
    pub goal: Vec<Fact>,
    /// Sets of facts, of two variables or more, no two of which ever hold at once.
    pub mutexes: Vec<Vec<Fact>>,
    /// What one unit of cost is worth.
    pub cost_unit: f64,
}
