//! The AST of a game: names are unresolved and in the order of the text, and nodes have spans.

use std::sync::Arc;

use goalspec_resource::compute::{Operator, ValueCompute};
use goalspec_resource::expression::{Boolean, Expression, Numeric};
use goalspec_resource::filter::ValueFilter;
use goalspec_resource::space::Declaration;
use goalspec_resource::value::Value;
use goalspec_syntax::Span;

/// A name or other text, with its span.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text, without quotes and with escapes resolved.
    pub text: Arc<str>,
    /// The span, including quotes.
    pub span: Span,
}

/// A game.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The span of the whole game.
    pub span: Span,
    /// The keys of the sections, in the order of the text.
    pub sections: Vec<Name>,
    /// `metadata`.
    pub metadata: Metadata,
    /// `teams`.
    pub teams: Vec<Name>,
    /// `board: {nodes: [..]}`.
    pub nodes: Vec<Name>,
    /// `board: {vectors: [..]}`.
    pub vectors: Vec<Vector>,
    /// `resourceSpace`.
    pub resources: Vec<NodeResources>,
    /// `actionSpace`.
    pub action_space: Vec<TeamActions>,
    /// `actions`.
    pub actions: Vec<Action>,
    /// `rewards`.
    pub rewards: Vec<Reward>,
    /// `completed`.
    pub completed: Option<Filter>,
    /// `metrics`.
    pub metrics: Vec<Name>,
}

/// `metadata: {id: .., description: ..}`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// The name of the game.
    pub id: Option<Name>,
    /// The description of the game.
    pub description: Option<Name>,
}

/// `{from: a, to: b, id: c}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector {
    /// `from`: the source node.
    pub from: Name,
    /// `to`: the target node.
    pub to: Name,
    /// `id`: the identifier that distinguishes vectors with the same ends.
    pub id: Option<Name>,
    /// The span of the vector.
    pub span: Span,
}

/// The resources of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeResources {
    /// The node.
    pub node: Name,
    /// The resources, in the order of the text.
    pub resources: Vec<Declared>,
}

/// The declaration of a resource or parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// The name of the resource or parameter.
    pub name: Name,
    /// The text of the constraint; empty if the value is not a scalar.
    pub constraint: Name,
    /// The parsed constraint; `None` if it has errors.
    pub declaration: Option<Declaration>,
}

/// The actions available to a team.
#[derive(Debug, Clone, PartialEq)]
pub struct TeamActions {
    /// The team.
    pub team: Name,
    /// The actions, in the order of the text.
    pub choices: Vec<Choice>,
}

/// An action that a team can choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The name of the action.
    pub action: Name,
    /// The parameters that a move with the action specifies.
    pub parameters: Vec<Declared>,
}

/// An action.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// The name of the action.
    pub name: Name,
    /// `cost`: fields and the values added to them.
    pub cost: Vec<Cost>,
    /// `requires`.
    pub requires: Filter,
    /// `consequences`.
    pub consequences: Vec<Consequence>,
    /// The span of the action, without its name.
    pub span: Span,
}

/// An entry of a `cost`.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// The field that the value is added to.
    pub field: Name,
    /// The value added to the field; negative for a price.
    pub value: Value,
    /// The span of the value.
    pub span: Span,
}

/// An entry of `consequences`.
#[derive(Debug, Clone, PartialEq)]
pub struct Consequence {
    /// `odds`.
    pub odds: Option<Number>,
    /// `odds.discount`.
    pub discount: Option<Number>,
    /// `independent`, with its span.
    pub independent: Option<(bool, Span)>,
    /// `result`.
    pub outcome: Outcome,
    /// The span of the consequence.
    pub span: Span,
}

/// A number with its span.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// The number.
    pub value: f64,
    /// The span of the number.
    pub span: Span,
}

/// The result of a consequence: a change of the state.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The name of the result.
    pub name: Name,
    /// The kind of the result, with its arguments.
    pub kind: OutcomeKind,
}

/// The kinds of results.
#[derive(Debug, Clone, PartialEq)]
pub enum OutcomeKind {
    /// `Resources`.
    Resources {
        /// `compute`.
        compute: Assignments,
        /// `add`.
        add: Assignments,
        /// `put`.
        put: Assignments,
    },
    /// `MakeNodeVisible`.
    MakeNodeVisible {
        /// `team`.
        team: Name,
        /// `sourceFilter` and `targetFilter`.
        ends: Ends,
    },
    /// `WithRandomVector` and `WithAllVectors`.
    WithVectors {
        /// Whether the result applies to every matching vector instead of a random one.
        all: bool,
        /// `sourceFilter` and `targetFilter`.
        ends: Ends,
        /// `compute`.
        compute: Assignments,
        /// `result`.
        result: Assignments,
    },
    /// A custom result, with its parameters.
    Custom(Vec<(Name, Option<Value>)>),
}

/// Filters of the nodes at the ends of a vector.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ends {
    /// The filter of the source node.
    pub source: Option<Filter>,
    /// The filter of the target node.
    pub target: Option<Filter>,
}

/// The map under `compute`, `add`, `put` or `result`: names with the computations of their values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assignments {
    /// The span of the map; `None` if there is none.
    pub span: Option<Span>,
    /// Whether the map is present and empty.
    pub is_empty: bool,
    /// The entries without errors.
    pub entries: Vec<(Name, Compute)>,
}

/// The reward of a team.
#[derive(Debug, Clone, PartialEq)]
pub struct Reward {
    /// The team.
    pub team: Name,
    /// The computation of the reward; `None` if it has errors.
    pub compute: Option<Compute>,
}

/// A filter: a test of the values of fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// The kind of the filter.
    pub kind: FilterKind,
    /// The span of the filter; of a field test, with its key.
    pub span: Span,
}

/// The kinds of filters.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterKind {
    /// `{}` or `All`: always true.
    All,
    /// `None`: never true.
    None,
    /// A field and a test of its value.
    Field(Name, Test),
    /// A computation with a Boolean value.
    Truth(Box<Compute>),
    /// `Not`.
    Not(Box<Filter>),
    /// Conjunction: `And`, or several fields in a map.
    And(Vec<Filter>),
    /// Disjunction: `Or`.
    Or(Vec<Filter>),
}

/// A test of one value.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// The kind of the test.
    pub kind: TestKind,
    /// The span of the test.
    pub span: Span,
}

/// The kinds of tests.
#[derive(Debug, Clone, PartialEq)]
pub enum TestKind {
    /// A test without nested tests.
    Value(ValueFilter),
    /// `Not`.
    Not(Box<Test>),
    /// Conjunction: `And`, or several tests in one map.
    And(Vec<Test>),
    /// Disjunction: `Or`.
    Or(Vec<Test>),
}

/// A computation of a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Compute {
    /// The kind of the computation.
    pub kind: ComputeKind,
    /// The span of the computation.
    pub span: Span,
}

/// The kinds of computations.
#[derive(Debug, Clone, PartialEq)]
pub enum ComputeKind {
    /// `Constant`, or a literal value; `None` for a missing value.
    Constant(Option<Value>),
    /// `Field`.
    Field(Name),
    /// `Calculate`.
    Calculate(Formula<Numeric>),
    /// `CalculateBoolean`.
    CalculateBoolean(Formula<Boolean>),
    /// `Condition`.
    Condition(Vec<Case>),
    /// `MathOp`.
    Math {
        /// `operator`.
        operator: Operator,
        /// `fields`.
        fields: Vec<Name>,
        /// `ifInvalid`.
        if_invalid: Option<Value>,
    },
    /// `Template` with fields in braces.
    Template(Vec<Piece>),
    /// `Template` of the form `/a.x;/b.x`: the first field with a value.
    FirstOf(Vec<Name>),
    /// `ToArray`.
    List(Vec<Name>),
    /// A computation followed by steps: `Chain`, several keys in one map, or a list.
    Chain(Box<Compute>, Vec<Step>),
}

/// A textual expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula<N> {
    /// The text.
    pub text: Name,
    /// The parsed expression; `None` if its value is missing in every state, as for a syntax error in a lenient dialect.
    pub expression: Option<Expression<N>>,
    /// The fields of the expression, in the order of [`Expression::fields`], each with the span of its first occurrence.
    pub fields: Vec<Name>,
}

/// A case of a `Condition`.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// `when`: fields and the tests that all must hold.
    pub when: Vec<(Name, Test)>,
    /// `value`.
    pub value: Compute,
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Literal text.
    Text(Arc<str>),
    /// A field in braces.
    Field(Name),
}

/// A step of a chain.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The kind of the step.
    pub kind: StepKind,
    /// The span of the step.
    pub span: Span,
}

/// The kinds of steps.
#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    /// The Boolean result of a test of the value.
    Test(Test),
    /// A value computed from the current value.
    Value(ValueCompute),
}
