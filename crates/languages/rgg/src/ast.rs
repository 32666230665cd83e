//! Games as written. Names are still names, in the order of the text; every piece has its place.

use std::sync::Arc;

use goalspec_core::resource::compute::{Operator, ValueCompute};
use goalspec_core::resource::expression::{Boolean, Expression, Numeric};
use goalspec_core::resource::filter::ValueFilter;
use goalspec_core::resource::space::Declaration;
use goalspec_core::resource::value::Value;
use goalspec_syntax::Span;

/// A name, or other text, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text, quotes undone.
    pub text: Arc<str>,
    /// Where it stands, quotes included.
    pub span: Span,
}

/// A game.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// All of it.
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
    /// What it is about.
    pub description: Option<Name>,
}

/// `{from: a, to: b, id: c}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector {
    /// Where it comes from.
    pub from: Name,
    /// Where it goes.
    pub to: Name,
    /// What tells it from others between the same nodes.
    pub id: Option<Name>,
    /// All of it.
    pub span: Span,
}

/// The resources of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeResources {
    /// The node.
    pub node: Name,
    /// Its resources.
    pub resources: Vec<Declared>,
}

/// A resource or a parameter with what it ranges over.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// Its name.
    pub name: Name,
    /// The constraint as written; empty where there is no text.
    pub constraint: Name,
    /// What it says; `None` where it cannot be read.
    pub declaration: Option<Declaration>,
}

/// What a team may choose from.
#[derive(Debug, Clone, PartialEq)]
pub struct TeamActions {
    /// The team.
    pub team: Name,
    /// The actions.
    pub choices: Vec<Choice>,
}

/// An action that a team may choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The name of the action.
    pub action: Name,
    /// What has to be said along with it.
    pub parameters: Vec<Declared>,
}

/// An action.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: Name,
    /// `cost`: fields and what is added to them.
    pub cost: Vec<Cost>,
    /// `requires`.
    pub requires: Filter,
    /// `consequences`.
    pub consequences: Vec<Consequence>,
    /// All of it, without the name.
    pub span: Span,
}

/// An entry of a `cost`.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// What is paid in.
    pub field: Name,
    /// What is added.
    pub value: Value,
    /// Where the value stands.
    pub span: Span,
}

/// An entry of `consequences`.
#[derive(Debug, Clone, PartialEq)]
pub struct Consequence {
    /// `odds`.
    pub odds: Option<Number>,
    /// `odds.discount`.
    pub discount: Option<Number>,
    /// `independent`, and where it stands.
    pub independent: Option<(bool, Span)>,
    /// `result`.
    pub outcome: Outcome,
    /// All of it.
    pub span: Span,
}

/// A number with its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// The number.
    pub value: f64,
    /// Where it stands.
    pub span: Span,
}

/// What happens.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The name of the result.
    pub name: Name,
    /// What it says.
    pub kind: OutcomeKind,
}

/// The results.
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
        /// Whether it is for every vector.
        all: bool,
        /// `sourceFilter` and `targetFilter`.
        ends: Ends,
        /// `compute`.
        compute: Assignments,
        /// `result`.
        result: Assignments,
    },
    /// A result that is registered elsewhere, with its parameters.
    Custom(Vec<(Name, Option<Value>)>),
}

/// Filters of the nodes at both ends of a vector.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ends {
    /// Of where it comes from.
    pub source: Option<Filter>,
    /// Of where it goes.
    pub target: Option<Filter>,
}

/// `compute`, `add`, `put` or `result`: names and how their values are computed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assignments {
    /// Where the map stands, if there is one.
    pub span: Option<Span>,
    /// Whether there is a map, and nothing in it.
    pub is_empty: bool,
    /// The entries that can be read.
    pub entries: Vec<(Name, Compute)>,
}

/// The reward of a team.
#[derive(Debug, Clone, PartialEq)]
pub struct Reward {
    /// The team.
    pub team: Name,
    /// How it is computed; `None` where that cannot be read.
    pub compute: Option<Compute>,
}

/// A test of the values of fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// What is tested.
    pub kind: FilterKind,
    /// Where it stands; that of a field, its key included.
    pub span: Span,
}

/// The filters.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterKind {
    /// `{}` or `All`: always holds.
    All,
    /// `None`: never holds.
    None,
    /// A field and the test of its value.
    Field(Name, Test),
    /// A computation that yields a truth value.
    Truth(Box<Compute>),
    /// `Not`.
    Not(Box<Filter>),
    /// All of these: `And`, or several fields of a map.
    And(Vec<Filter>),
    /// `Or`.
    Or(Vec<Filter>),
}

/// A test of one value.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// What is tested.
    pub kind: TestKind,
    /// Where it stands.
    pub span: Span,
}

/// The tests.
#[derive(Debug, Clone, PartialEq)]
pub enum TestKind {
    /// A test without others in it.
    Value(ValueFilter),
    /// `Not`.
    Not(Box<Test>),
    /// `And`, or several filters in one map.
    And(Vec<Test>),
    /// `Or`.
    Or(Vec<Test>),
}

/// A value to be computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Compute {
    /// How.
    pub kind: ComputeKind,
    /// Where it stands.
    pub span: Span,
}

/// The computations.
#[derive(Debug, Clone, PartialEq)]
pub enum ComputeKind {
    /// `Constant`, or a value alone.
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
    /// `Template` of the form `/a.x;/b.x`.
    FirstOf(Vec<Name>),
    /// `ToArray`.
    List(Vec<Name>),
    /// `Chain`, several keys in one map, or a list of computations.
    Chain(Box<Compute>, Vec<Step>),
}

/// An expression in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula<N> {
    /// The text.
    pub text: Name,
    /// What it says; `None` where it has no value in any state.
    pub expression: Option<Expression<N>>,
    /// What it reads, in the order of [`Expression::fields`], each where it is read first.
    pub fields: Vec<Name>,
}

/// An entry of a `Condition`.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// `when`: fields that all have to pass their tests.
    pub when: Vec<(Name, Test)>,
    /// `value`.
    pub value: Compute,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Text as it stands.
    Text(Arc<str>),
    /// A field in braces.
    Field(Name),
}

/// A step of a chain.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What becomes of the value.
    pub kind: StepKind,
    /// Where it stands.
    pub span: Span,
}

/// The steps.
#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    /// Whether it passes a test.
    Test(Test),
    /// A value computed from it.
    Value(ValueCompute),
}
