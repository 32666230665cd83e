//! Generated games: small boards on which every variant of the core types occurs.

use std::sync::Arc;

use goalspec_resource::board::{Board, NodeId, SlotId};
use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::compute::{
    ArithmeticOperator, ChainStep, Computation, ComputationCase, MathOperation, MathOperator, ResolvedExpression,
    TemplatePart, ValueTransform,
};
use goalspec_resource::expression::{BooleanNode, Connective, ExpressionBuilder, NumericNode};
use goalspec_resource::field::{Endpoint, Field, Place};
use goalspec_resource::filter::{Filter, TextTest, ValueFilter};
use goalspec_resource::function::{AggregateFunction, BinaryFunction, UnaryFunction};
use goalspec_resource::game::{
    Action, ActionId, Choice, Consequence, ConsequenceEffect, Game, IntermediateValue, Metric, Parameter, Team, TeamId,
    VectorFilter, VectorSelection,
};
use goalspec_resource::random::RandomStream;
use goalspec_resource::rules::{
    ArithmeticRule, FailedChainStepRule, GameRules, MissingPutRule, NodesWithoutResourcesRule, NothingAction, OddsRule,
    Perspective, RewardPrecision, SelfLoopRule, SpaceBoundsRule,
};
use goalspec_resource::space::{Declaration, Space};
use goalspec_resource::value::{Labels, Value};

const NODES: [&str; 4] = ["a", "b", "c", "d"];
const RESOURCES: [&str; 4] = ["gold", "level", "open", "name"];
const TEAMS: [&str; 2] = ["red", "blue"];
const LABELS: [&str; 3] = ["red", "blue", "infrared"];

/// A generator of games.
pub(crate) struct Generator {
    stream: RandomStream,
    board: Board,
    /// The number of intermediate values in scope.
    computed: usize,
    /// Whether a vector is selected in the current scope.
    vector: bool,
    /// Whether labels are only assigned as strings and only tested by name, so that bit masks can represent them.
    tame: bool,
}

/// Returns the game of a seed.
pub(crate) fn game(seed: u64) -> Game {
    let mut generator = Generator {
        stream: RandomStream::new(seed, 0),
        board: Board::default(),
        computed: 0,
        vector: false,
        tame: seed.is_multiple_of(2),
    };
    generator.game(seed)
}

impl Generator {
    fn below(&mut self, count: usize) -> usize {
        self.stream.below(count as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn some<T>(&mut self, min: usize, max: usize, mut draw: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = min + self.below(max - min + 1);
        (0..count).map(|_| draw(self)).collect()
    }

    fn game(&mut self, seed: u64) -> Game {
        self.draw_board();
        let rules = self.rules();
        let actions: Vec<Action> = (0..4).map(|at| self.action(&format!("act{at}"))).collect();
        let teams = TEAMS.map(|name| self.team(name, actions.len())).to_vec();
        let completed = Filter::And(vec![self.filter(1, true), self.filter(1, true), self.filter(0, true)]);
        let metrics = self.some(0, 3, |g| Metric { name: "metric".into(), field: g.field() });
        Game {
            name: format!("random {seed}").into(),
            description: "".into(),
            rules,
            board: std::mem::take(&mut self.board),
            teams,
            turns: vec![TeamId(0), TeamId(1)],
            actions,
            completed,
            metrics,
        }
    }

    fn draw_board(&mut self) {
        for name in NODES {
            self.board.add_node(name);
        }
        for _ in 0..6 {
            let [source, target] = [self.node(), self.node()];
            let id = self.one(&["", "other"]);
            self.board.add_vector(source, target, id);
        }
        let declared = if self.chance(60) { NODES.len() } else { NODES.len() - 1 };
        for node in (0..declared).map(NodeId::from) {
            for resource in RESOURCES {
                if self.chance(75) {
                    let declaration = self.declaration();
                    self.board.declare(node, resource, declaration);
                }
            }
            let labels = self.labels();
            self.board.set_observers(node, labels);
        }
        for resource in RESOURCES {
            let resource = self.board.add_resource(resource);
            for node in 0..NODES.len() {
                // Some nodes lack some resources altogether.
                if self.chance(80) {
                    self.board.add_slot(node.into(), resource);
                }
            }
        }
        self.board.add_slot(NodeId(0), self.board.resource_named("gold").unwrap());
    }

    fn rules(&mut self) -> GameRules {
        let mut rules = if self.chance(50) { GameRules::CAGE } else { GameRules::DOCUMENTED };
        if self.chance(60) {
            rules.odds = self.one(&[OddsRule::Cumulative, OddsRule::Individual]);
            rules.nothing = self.one(&[NothingAction::AsDefined, NothingAction::Pass]);
            rules.reward_view = self.one(&[Perspective::TrueState, Perspective::Observation]);
            rules.reward_precision = self.one(&[RewardPrecision::Double, RewardPrecision::Single]);
            rules.nodes_without_resources =
                self.one(&[NodesWithoutResourcesRule::Empty, NodesWithoutResourcesRule::Error]);
            rules.self_loops = self.one(&[SelfLoopRule::BothEnds, SelfLoopRule::SourceOnly]);
            rules.arithmetic = self.one(&[ArithmeticRule::Promoting, ArithmeticRule::FirstOperand]);
            rules.missing_put = self.one(&[MissingPutRule::Error, MissingPutRule::Remove]);
            rules.failed_chain_steps = self.one(&[FailedChainStepRule::Missing, FailedChainStepRule::Skip]);
        }
        rules.bounds = self.one(&[
            SpaceBoundsRule::Ignore,
            SpaceBoundsRule::Ignore,
            SpaceBoundsRule::Clamp,
            SpaceBoundsRule::Error,
        ]);
        rules
    }

    fn node(&mut self) -> NodeId {
        self.below(NODES.len()).into()
    }

    fn declaration(&mut self) -> Declaration {
        let space = match self.below(9) {
            0 => Space::Bool,
            1 => Space::FreeInt,
            2 => Space::FreeReal,
            3 | 4 => Space::IntRange { min: -2, max: 6 },
            5 => Space::RealRange { min: 0.0, max: 5.0 },
            6 => Space::TextEnum(vec!["5".into(), "red".into()]),
            7 => Space::IntEnum(vec![1, 2, 3]),
            _ => Space::Set(self.labels()),
        };
        let initial = match &space {
            Space::Bool => Value::Bool(self.chance(50)),
            Space::TextEnum(_) => Value::Text(self.one(&["5", "red"]).into()),
            Space::Set(labels) => Value::Set(Arc::new(labels.clone())),
            Space::FreeReal | Space::RealRange { .. } => Value::Real(self.one(&[0.0, 1.5, 3.0])),
            _ => Value::Int(self.one(&[0, 1, 2, 3, 4])),
        };
        Declaration { space, initial }
    }

    fn labels(&mut self) -> Labels {
        self.some(0, 3, |g| Arc::from(g.one(&LABELS))).into_iter().collect()
    }

    fn team(&mut self, name: &str, actions: usize) -> Team {
        let mut choices = self.some(2, 4, |g| {
            let action = g.below(actions);
            let parameters = if g.chance(40) { g.parameters() } else { Vec::new() };
            Choice { name: format!("act{action}").into(), action: Some(ActionId(action as u32)), parameters }
        });
        if self.chance(30) {
            let action = if self.chance(50) { Some(ActionId(0)) } else { None };
            choices.push(Choice { name: "nothing".into(), action, parameters: Vec::new() });
        }
        let reward = if self.chance(90) { Some(self.reward()) } else { None };
        Team { name: name.into(), choices, reward }
    }

    fn reward(&mut self) -> Computation {
        if self.chance(70) { Computation::Calculate(self.numeric(false)) } else { self.compute(1, false) }
    }

    fn parameters(&mut self) -> Vec<Parameter> {
        let names = self.one(&[vec!["source"], vec!["target"], vec!["source", "target"], vec!["much"]]);
        let parameter = |name: &str, g: &mut Self| {
            let mut members: Vec<Arc<str>> = NODES.iter().map(|name| Arc::from(*name)).collect();
            if g.chance(20) {
                members.push("nowhere".into());
            }
            let space = if name == "much" { Space::IntRange { min: 0, max: 3 } } else { Space::TextEnum(members) };
            Parameter { name: name.into(), space }
        };
        names.into_iter().map(|name| parameter(name, self)).collect()
    }

    fn action(&mut self, name: &str) -> Action {
        let cost = self.some(0, 2, |g| {
            let slot = g.slot();
            (Place::Resource(slot), g.one(&[Value::Int(-1), Value::Int(1), Value::Real(0.5)]))
        });
        let requires = if self.chance(50) { Filter::Always } else { self.filter(2, true) };
        let consequences = self.some(0, 4, |g| Consequence {
            odds: g.one(&[0.3, 0.5, 0.9, 1.0]),
            discount: if g.chance(20) { Some(0.5) } else { None },
            independent: g.chance(40),
            outcome: g.outcome(),
        });
        Action { name: name.into(), cost, requires, consequences }
    }

    fn outcome(&mut self) -> ConsequenceEffect {
        match self.below(8) {
            0..=3 => {
                let compute = self.intermediate();
                let mut add = self.some(0, 2, |g| (g.place(), g.added()));
                let mut put = self.some(0, 2, |g| (g.place(), g.compute(2, true)));
                if self.tame && self.chance(40) {
                    let label = Computation::Constant(Some(Value::text(self.one(&LABELS))));
                    add.push((Place::Observers(self.node()), label));
                    let labels = Computation::Constant(Some(Value::Set(Arc::new(self.labels()))));
                    put.push((Place::Observers(self.node()), labels));
                }
                self.computed = 0;
                ConsequenceEffect::Resources { compute, add, replace: put }
            }
            4 => {
                let label = self.one(&LABELS).into();
                ConsequenceEffect::MakeNodeVisible { label, vectors: self.vectors() }
            }
            _ => {
                let selection = self.one(&[VectorSelection::Random, VectorSelection::Random, VectorSelection::All]);
                let vectors = self.vectors();
                self.vector = true;
                let compute = self.intermediate();
                let add = self.some(1, 3, |g| (g.place(), g.added()));
                (self.vector, self.computed) = (false, 0);
                ConsequenceEffect::WithVectors { pick: selection, vectors, compute, add }
            }
        }
    }

    fn intermediate(&mut self) -> Vec<IntermediateValue> {
        let computed = self.some(0, 2, |g| IntermediateValue { name: "value".into(), value: g.compute(1, true) });
        self.computed = computed.len();
        computed
    }

    /// Returns a value to add, which is rarely missing so that games do not end early.
    fn added(&mut self) -> Computation {
        match self.below(4) {
            0 => self.compute(1, true),
            1 => Computation::Constant(Some(self.literal())),
            _ => Computation::Constant(Some(self.one(&[Value::Int(1), Value::Int(-1), Value::Real(0.25)]))),
        }
    }

    fn place(&mut self) -> Place {
        match self.below(12) {
            0 if !self.tame => Place::Observers(self.node()),
            1 if self.vector && !self.tame => Place::EndpointObservers(self.end()),
            2..=7 if self.vector => {
                let resource = self.one(&RESOURCES);
                let resource = self.board.add_resource(resource);
                Place::EndpointResource(self.end(), resource)
            }
            _ => Place::Resource(self.slot()),
        }
    }

    fn end(&mut self) -> Endpoint {
        self.one(&[Endpoint::Source, Endpoint::Target])
    }

    fn slot(&mut self) -> SlotId {
        let count = self.board.slots().len();
        self.below(count).into()
    }

    fn vectors(&mut self) -> VectorFilter {
        let filter = |g: &mut Self| if g.chance(40) { Filter::Always } else { g.filter(2, false) };
        VectorFilter { source: filter(self), target: filter(self) }
    }

    fn field(&mut self) -> Field {
        match self.below(14) {
            0 if !self.tame => Field::Observers(self.node()),
            1 => Field::Unresolved("nobody".into()),
            2 => Field::Member(Box::new(Field::Resource(self.slot())), vec!["key".into()]),
            3 => Field::Parameter("much".into()),
            4 | 5 if self.computed > 0 => Field::Computed(self.below(self.computed)),
            6..=8 if self.vector => {
                let resource = self.one(&RESOURCES);
                let resource = self.board.add_resource(resource);
                Field::EndpointResource(self.end(), resource)
            }
            9 if self.vector && !self.tame => Field::EndpointObservers(self.end()),
            _ => Field::Resource(self.slot()),
        }
    }

    fn own_field(&mut self) -> Field {
        match self.below(10) {
            0 | 1 => Field::TestedNodeObservers,
            2 => Field::TestedNodeName,
            3 => self.field(),
            _ => {
                let resource = self.one(&RESOURCES);
                Field::TestedNodeResource(self.board.add_resource(resource))
            }
        }
    }

    fn filter(&mut self, depth: usize, ground: bool) -> Filter {
        match self.below(if depth == 0 { 6 } else { 10 }) {
            6 => Filter::Not(Box::new(self.filter(depth - 1, ground))),
            7 => Filter::And(self.some(0, 3, |g| g.filter(depth - 1, ground))),
            8 => Filter::Or(self.some(1, 3, |g| g.filter(depth - 1, ground))),
            9 if self.chance(10) => Filter::Computed(Box::new(Computation::CalculateBoolean(self.boolean()))),
            0 if self.chance(30) => Filter::Always,
            _ => {
                let field = if ground { self.field() } else { self.own_field() };
                if self.tame && field == Field::TestedNodeObservers {
                    let test = self.label_filter();
                    return Filter::Field(field, test);
                }
                Filter::Field(field, self.value_filter(depth))
            }
        }
    }

    /// Returns a test of labels that is independent of their order.
    fn label_filter(&mut self) -> ValueFilter {
        let test = match self.below(3) {
            0 => ValueFilter::HasAny(self.labels()),
            1 => ValueFilter::Compare(
                self.one(&[ComparisonOperator::Equal, ComparisonOperator::NotEqual]),
                self.literal(),
            ),
            _ => ValueFilter::Text(TextTest::Contains, self.one(&["red", "blue", "infra"]).into()),
        };
        if self.chance(50) { ValueFilter::Not(Box::new(test)) } else { test }
    }

    fn value_filter(&mut self, depth: usize) -> ValueFilter {
        let comparisons = [
            ComparisonOperator::Equal,
            ComparisonOperator::NotEqual,
            ComparisonOperator::Greater,
            ComparisonOperator::GreaterOrEqual,
            ComparisonOperator::Less,
            ComparisonOperator::LessOrEqual,
        ];
        match self.below(if depth == 0 { 12 } else { 15 }) {
            0..=4 => ValueFilter::Compare(self.one(&comparisons), self.literal()),
            5 => ValueFilter::Range(Value::Int(self.one(&[0, 1, 2])), Value::Real(3.5)),
            6 => ValueFilter::OneOf(self.some(0, 3, |g| if g.chance(80) { Some(g.literal()) } else { None })),
            7 => ValueFilter::Text(
                self.one(&[TextTest::Contains, TextTest::Contains, TextTest::StartsWith, TextTest::EndsWith]),
                self.one(&["red", "blue", "5", "[red", "", "."]).into(),
            ),
            8 => self.one(&[ValueFilter::IsNull, ValueFilter::IsNotNull]),
            9 => self.one(&[ValueFilter::IsEmpty, ValueFilter::IsNotEmpty]),
            10 => ValueFilter::HasAny(self.labels()),
            11 => self.one(&[ValueFilter::Always, ValueFilter::Never]),
            12 => ValueFilter::Not(Box::new(self.value_filter(depth - 1))),
            13 => ValueFilter::And(self.some(0, 2, |g| g.value_filter(depth - 1))),
            _ => ValueFilter::Or(self.some(0, 2, |g| g.value_filter(depth - 1))),
        }
    }

    fn literal(&mut self) -> Value {
        match self.below(9) {
            0..=3 => Value::Int(self.one(&[-1, 0, 1, 2, 3, 4])),
            4 => Value::Real(self.one(&[0.0, -0.0, 1.5, 3.0, f64::NAN])),
            5 | 6 => Value::Bool(self.chance(50)),
            7 => Value::text(self.one(&["red", "5", "5.5", "true"])),
            _ => Value::Set(Arc::new(self.labels())),
        }
    }

    fn compute(&mut self, depth: usize, draws: bool) -> Computation {
        match self.below(if depth == 0 { 8 } else { 12 }) {
            0 => Computation::Constant(if self.chance(80) { Some(self.literal()) } else { None }),
            1 | 2 => Computation::Field(self.field()),
            3..=5 => Computation::Calculate(self.numeric(draws)),
            6 => Computation::CalculateBoolean(self.boolean()),
            7 => Computation::Math(MathOperation {
                operator: self.one(&[MathOperator::Add, MathOperator::Max, MathOperator::Divide, MathOperator::Less]),
                fields: self.some(1, 3, Self::field),
                fallback: if self.chance(50) { Some(Value::Int(1)) } else { None },
            }),
            8 | 9 => Computation::Cases(self.some(1, 2, |g| ComputationCase {
                when: g.some(0, 2, |g| (g.field(), g.value_filter(1))),
                value: g.compute(depth - 1, draws),
            })),
            10 => self.one(&[
                Computation::Template(vec![
                    TemplatePart::Text("red".into()),
                    TemplatePart::Field(Field::Resource(SlotId(0))),
                ]),
                Computation::FirstOf(vec![Field::Unresolved("none".into()), Field::Resource(SlotId(0))]),
                Computation::List(vec![Field::Resource(SlotId(0)), Field::Unresolved("none".into())]),
            ]),
            _ => Computation::Chain(
                Box::new(self.compute(depth - 1, draws)),
                self.some(1, 2, |g| match g.below(3) {
                    0 => ChainStep::Filter(g.value_filter(0)),
                    1 => ChainStep::Value(ValueTransform::Arithmetic(ArithmeticOperator::Add, Value::Int(2))),
                    _ => ChainStep::Value(ValueTransform::Identity),
                }),
            ),
        }
    }

    fn numeric(&mut self, draws: bool) -> ResolvedExpression<NumericNode> {
        let mut builder = ExpressionBuilder::default();
        let fields = self.some(0, 3, Self::field);
        let mut nodes = vec![builder.node(NumericNode::Number(2.0)), builder.node(NumericNode::Number(-0.5))];
        for _ in &fields {
            let field = builder.field("field");
            nodes.push(builder.node(NumericNode::Field(field)));
        }
        for _ in 0..=self.below(4) {
            let [one, other] = [self.one(&nodes), self.one(&nodes)];
            nodes.push(builder.node(match self.below(8) {
                0 => NumericNode::Unary(
                    self.one(&[UnaryFunction::Negate, UnaryFunction::Floor, UnaryFunction::SquareRoot]),
                    one,
                ),
                1 if draws => NumericNode::Random,
                2 if draws => NumericNode::RandomBetween([one, other]),
                3 => NumericNode::Aggregate(
                    self.one(&[AggregateFunction::Sum, AggregateFunction::Maximum]),
                    vec![one, other],
                ),
                _ => NumericNode::Binary(
                    self.one(&[
                        BinaryFunction::Add,
                        BinaryFunction::Subtract,
                        BinaryFunction::Multiply,
                        BinaryFunction::Divide,
                    ]),
                    [one, other],
                ),
            }));
        }
        ResolvedExpression { expression: builder.finish().unwrap(), fields }
    }

    fn boolean(&mut self) -> ResolvedExpression<BooleanNode> {
        let mut builder = ExpressionBuilder::default();
        let fields = self.some(0, 2, Self::field);
        let mut nodes = vec![builder.node(BooleanNode::Constant(true))];
        for _ in &fields {
            let field = builder.field("field");
            nodes.push(builder.node(BooleanNode::Field(field)));
        }
        let [one, other] = [self.one(&nodes), self.one(&nodes)];
        builder.node(BooleanNode::Binary(self.one(&[Connective::And, Connective::Xor]), [one, other]));
        ResolvedExpression { expression: builder.finish().unwrap(), fields }
    }
}

/// Returns the game of a seed, with custom results.
pub(crate) fn with_custom(seed: u64) -> Game {
    let mut game = game(seed);
    for (action, node) in game.actions.iter_mut().zip(["a", "b", "c"]) {
        let parameters = vec![("from".into(), Some(Value::text(node)))];
        let outcome = ConsequenceEffect::Custom { name: "shift".into(), parameters };
        action.consequences.push(Consequence { odds: 0.8, discount: None, independent: true, outcome });
    }
    game
}
