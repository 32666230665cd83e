//! The AST of a game: names are unresolved and in the order of the text, and nodes have spans.

use std::sync::Arc;

use goalspec_resource::compute::{MathOperator, ValueTransform};
use goalspec_resource::expression::{BooleanNode, Expression, NumericNode};
use goalspec_resource::filter::ValueFilter;
use goalspec_resource::space::Declaration;
use goalspec_resource::value::Value;
use goalspec_syntax::Span;

/// A name or other text, with its span.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SpannedText {
    /// The text, without quotes and with escapes resolved.
    pub text: Arc<str>,
    /// The span, including quotes.
    pub span: Span,
}

/// The syntax tree of a game file, with one field for each section.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The span of the whole game.
    pub span: Span,
    /// The keys of the sections, in the order of the text.
    pub sections: Vec<SpannedText>,
    /// `metadata`.
    pub metadata: Metadata,
    /// `teams`.
    pub teams: Vec<SpannedText>,
    /// `board: {nodes: [..]}`.
    pub nodes: Vec<SpannedText>,
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
    pub metrics: Vec<SpannedText>,
}

/// `metadata: {id: .., description: ..}`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// The name of the game.
    pub id: Option<SpannedText>,
    /// The description of the game.
    pub description: Option<SpannedText>,
}

/// `{from: a, to: b, id: c}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector {
    /// `from`: the source node.
    pub from: SpannedText,
    /// `to`: the target node.
    pub to: SpannedText,
    /// `id`: the identifier that distinguishes vectors with the same ends.
    pub id: Option<SpannedText>,
    /// The span of the vector.
    pub span: Span,
}

/// The resource declarations of one node in `resourceSpace`.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeResources {
    /// The node.
    pub node: SpannedText,
    /// The resources, in the order of the text.
    pub resources: Vec<NamedDeclaration>,
}

/// The declaration of a resource or parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedDeclaration {
    /// The name of the resource or parameter.
    pub name: SpannedText,
    /// The text of the constraint; empty if the value is not a scalar.
    pub constraint: SpannedText,
    /// The parsed constraint; `None` if it has errors.
    pub declaration: Option<Declaration>,
}

/// The actions available to a team.
#[derive(Debug, Clone, PartialEq)]
pub struct TeamActions {
    /// The team.
    pub team: SpannedText,
    /// The actions, in the order of the text.
    pub choices: Vec<Choice>,
}

/// An action that a team can choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The name of the action.
    pub action: SpannedText,
    /// The parameters that a move with the action specifies.
    pub parameters: Vec<NamedDeclaration>,
}

/// An entry of `actions`: its cost, requirement and consequences.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// The name of the action.
    pub name: SpannedText,
    /// `cost`: fields and the values added to them.
    pub cost: Vec<CostEntry>,
    /// `requires`.
    pub requires: Filter,
    /// `consequences`.
    pub consequences: Vec<Consequence>,
    /// The span of the action, without its name.
    pub span: Span,
}

/// A resource and the amount that an action adds to it each time it is chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct CostEntry {
    /// The field that the value is added to.
    pub field: SpannedText,
    /// The value added to the field; negative for a price.
    pub value: Value,
    /// The span of the value.
    pub span: Span,
}

/// An entry of `consequences`.
#[derive(Debug, Clone, PartialEq)]
pub struct Consequence {
    /// `odds`.
    pub odds: Option<SpannedNumber>,
    /// `odds.discount`.
    pub discount: Option<SpannedNumber>,
    /// `independent`, with its span.
    pub independent: Option<(bool, Span)>,
    /// `result`.
    pub effect: ConsequenceEffect,
    /// The span of the consequence.
    pub span: Span,
}

/// A number with its span.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpannedNumber {
    /// The number.
    pub value: f64,
    /// The span of the number.
    pub span: Span,
}

/// The result of a consequence: a change of the state.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsequenceEffect {
    /// The name of the result.
    pub name: SpannedText,
    /// The kind of the result, with its arguments.
    pub kind: ConsequenceEffectKind,
}

/// The kinds of results.
#[derive(Debug, Clone, PartialEq)]
pub enum ConsequenceEffectKind {
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
        team: SpannedText,
        /// `sourceFilter` and `targetFilter`.
        endpoint_filters: EndpointFilters,
    },
    /// `WithRandomVector` and `WithAllVectors`.
    WithVectors {
        /// Whether the result applies to every matching vector instead of a random one.
        all: bool,
        /// `sourceFilter` and `targetFilter`.
        ends: EndpointFilters,
        /// `compute`.
        compute: Assignments,
        /// `result`.
        result: Assignments,
    },
    /// A custom result, with its parameters.
    Custom(Vec<(SpannedText, Option<Value>)>),
}

/// Filters of the nodes at the ends of a vector.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EndpointFilters {
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
    pub is_empty_map: bool,
    /// The entries without errors.
    pub entries: Vec<(SpannedText, Computation)>,
}

/// The reward of a team.
#[derive(Debug, Clone, PartialEq)]
pub struct Reward {
    /// The team.
    pub team: SpannedText,
    /// The computation of the reward; `None` if it has errors.
    pub compute: Option<Computation>,
}

/// A filter: a test of the values of fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// The kind of the filter.
    pub kind: FilterKind,
    /// The span of the filter; of a field test, with its key.
    pub span: Span,
}

/// The connectives and tests of filters.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterKind {
    /// `{}` or `All`: always true.
    Always,
    /// `None`: never true.
    Never,
    /// A field and a test of its value.
    Field(SpannedText, ValueTest),
    /// A computation with a Boolean value.
    Computed(Box<Computation>),
    /// `Not`.
    Not(Box<Filter>),
    /// Conjunction: `And`, or several fields in a map.
    And(Vec<Filter>),
    /// Disjunction: `Or`.
    Or(Vec<Filter>),
}

/// A test of one value.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueTest {
    /// The kind of the test.
    pub kind: ValueTestKind,
    /// The span of the test.
    pub span: Span,
}

/// The kinds of tests.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueTestKind {
    /// A test without nested tests.
    Value(ValueFilter),
    /// `Not`.
    Not(Box<ValueTest>),
    /// Conjunction: `And`, or several tests in one map.
    And(Vec<ValueTest>),
    /// Disjunction: `Or`.
    Or(Vec<ValueTest>),
}

/// A computation of a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Computation {
    /// The kind of the computation.
    pub kind: ComputationKind,
    /// The span of the computation.
    pub span: Span,
}

/// The forms of computed values: expressions, conditionals, arithmetic, templates.
#[derive(Debug, Clone, PartialEq)]
pub enum ComputationKind {
    /// `Constant`, or a literal value; `None` for a missing value.
    Constant(Option<Value>),
    /// `Field`.
    Field(SpannedText),
    /// `Calculate`.
    Calculate(SpannedExpression<NumericNode>),
    /// `CalculateBoolean`.
    CalculateBoolean(SpannedExpression<BooleanNode>),
    /// `Condition`.
    Cases(Vec<ComputationCase>),
    /// `MathOp`.
    MathOperation {
        /// `operator`.
        operator: MathOperator,
        /// `fields`.
        fields: Vec<SpannedText>,
        /// `ifInvalid`.
        fallback: Option<Value>,
    },
    /// `Template` with fields in braces.
    Template(Vec<TemplatePart>),
    /// `Template` of the form `/a.x;/b.x`: the first field with a value.
    FirstPresent(Vec<SpannedText>),
    /// `ToArray`.
    List(Vec<SpannedText>),
    /// A computation followed by steps: `Chain`, several keys in one map, or a list.
    Chain(Box<Computation>, Vec<ChainStep>),
}

/// A textual expression.
#[derive(Debug, Clone, PartialEq)]
pub struct SpannedExpression<N> {
    /// The text.
    pub text: SpannedText,
    /// The parsed expression; `None` if its value is missing in every state, as for a syntax error in a lenient dialect.
    pub expression: Option<Expression<N>>,
    /// The fields of the expression, in the order of [`Expression::fields`], each with the span of its first occurrence.
    pub fields: Vec<SpannedText>,
}

/// A case of a `Condition`.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputationCase {
    /// `when`: fields and the tests that all must hold.
    pub when: Vec<(SpannedText, ValueTest)>,
    /// `value`.
    pub value: Computation,
}

/// Literal text, or a reference to a field, in a template.
#[derive(Debug, Clone, PartialEq)]
pub enum TemplatePart {
    /// Literal text.
    Text(Arc<str>),
    /// A field in braces.
    Field(SpannedText),
}

/// A function that a chain applies to the value of the step before.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainStep {
    /// The kind of the step.
    pub kind: ChainStepKind,
    /// The span of the step.
    pub span: Span,
}

/// The kinds of steps.
#[derive(Debug, Clone, PartialEq)]
pub enum ChainStepKind {
    /// The Boolean result of a test of the value.
    Test(ValueTest),
    /// A value computed from the current value.
    Transform(ValueTransform),
}
