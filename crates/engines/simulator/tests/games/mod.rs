//! Generated games: small boards on which every variant of the core types occurs.

use std::sync::Arc;

use goalspec_resource::board::{Board, NodeId, SlotId};
use goalspec_resource::compare::Comparison;
use goalspec_resource::compute::{Case, Compute, Formula, Math, Operator, Piece, Step, StepOperator, ValueCompute};
use goalspec_resource::expression::{Boolean, Builder, Connective, Numeric};
use goalspec_resource::field::{End, Field, Place};
use goalspec_resource::filter::{Filter, TextTest, ValueFilter};
use goalspec_resource::function::{Aggregate, Binary, Unary};
use goalspec_resource::game::{
    Action, ActionId, Choice, Computed, Consequence, Game, Metric, Outcome, Parameter, Pick, Team, TeamId, VectorFilter,
};
use goalspec_resource::random::Stream;
use goalspec_resource::rules::{
    Arithmetic, BareNodes, Bounds, FailedSteps, MissingPut, Nothing, Odds, Precision, Rules, SelfLoops, View,
};
use goalspec_resource::space::{Declaration, Space};
use goalspec_resource::value::{Labels, Value};

const NODES: [&str; 4] = ["a", "b", "c", "d"];
const RESOURCES: [&str; 4] = ["gold", "level", "open", "name"];
const TEAMS: [&str; 2] = ["red", "blue"];
const LABELS: [&str; 3] = ["red", "blue", "infrared"];

/// A generator of games.
pub(crate) struct Generator {
    stream: Stream,
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
        stream: Stream::new(seed, 0),
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

    fn some<T>(&mut self, least: usize, most: usize, mut draw: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = least + self.below(most - least + 1);
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
            self.board.show(node, labels);
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

    fn rules(&mut self) -> Rules {
        let mut rules = if self.chance(50) { Rules::CAGE } else { Rules::DOCUMENTED };
        if self.chance(60) {
            rules.odds = self.one(&[Odds::Cumulative, Odds::Increment]);
            rules.nothing = self.one(&[Nothing::Action, Nothing::Free]);
            rules.reward_view = self.one(&[View::Truth, View::Observation]);
            rules.reward_precision = self.one(&[Precision::Double, Precision::Single]);
            rules.bare_nodes = self.one(&[BareNodes::Empty, BareNodes::Absent]);
            rules.self_loops = self.one(&[SelfLoops::BothEnds, SelfLoops::SourceOnly]);
            rules.arithmetic = self.one(&[Arithmetic::Promoting, Arithmetic::FirstOperand]);
            rules.missing_put = self.one(&[MissingPut::Refused, MissingPut::Removes]);
            rules.failed_steps = self.one(&[FailedSteps::Missing, FailedSteps::LeftOut]);
        }
        rules.bounds = self.one(&[Bounds::Ignore, Bounds::Ignore, Bounds::Clamp, Bounds::Error]);
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

    fn reward(&mut self) -> Compute {
        if self.chance(70) { Compute::Calculate(self.numeric(false)) } else { self.compute(1, false) }
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
        let requires = if self.chance(50) { Filter::All } else { self.filter(2, true) };
        let consequences = self.some(0, 4, |g| Consequence {
            odds: g.one(&[0.3, 0.5, 0.9, 1.0]),
            discount: if g.chance(20) { Some(0.5) } else { None },
            independent: g.chance(40),
            outcome: g.outcome(),
        });
        Action { name: name.into(), cost, requires, consequences }
    }

    fn outcome(&mut self) -> Outcome {
        match self.below(8) {
            0..=3 => {
                let compute = self.intermediate();
                let mut add = self.some(0, 2, |g| (g.place(), g.added()));
                let mut put = self.some(0, 2, |g| (g.place(), g.compute(2, true)));
                if self.tame && self.chance(40) {
                    let label = Compute::Constant(Some(Value::text(self.one(&LABELS))));
                    add.push((Place::Observable(self.node()), label));
                    let labels = Compute::Constant(Some(Value::Set(Arc::new(self.labels()))));
                    put.push((Place::Observable(self.node()), labels));
                }
                self.computed = 0;
                Outcome::Resources { compute, add, put }
            }
            4 => {
                let label = self.one(&LABELS).into();
                Outcome::MakeNodeVisible { label, vectors: self.vectors() }
            }
            _ => {
                let pick = self.one(&[Pick::Random, Pick::Random, Pick::All]);
                let vectors = self.vectors();
                self.vector = true;
                let compute = self.intermediate();
                let add = self.some(1, 3, |g| (g.place(), g.added()));
                (self.vector, self.computed) = (false, 0);
                Outcome::WithVectors { pick, vectors, compute, add }
            }
        }
    }

    fn intermediate(&mut self) -> Vec<Computed> {
        let computed = self.some(0, 2, |g| Computed { name: "value".into(), value: g.compute(1, true) });
        self.computed = computed.len();
        computed
    }

    /// Returns a value to add, which is rarely missing so that games do not end early.
    fn added(&mut self) -> Compute {
        match self.below(4) {
            0 => self.compute(1, true),
            1 => Compute::Constant(Some(self.literal())),
            _ => Compute::Constant(Some(self.one(&[Value::Int(1), Value::Int(-1), Value::Real(0.25)]))),
        }
    }

    fn place(&mut self) -> Place {
        match self.below(12) {
            0 if !self.tame => Place::Observable(self.node()),
            1 if self.vector && !self.tame => Place::EndObservable(self.end()),
            2..=7 if self.vector => {
                let resource = self.one(&RESOURCES);
                let resource = self.board.add_resource(resource);
                Place::End(self.end(), resource)
            }
            _ => Place::Resource(self.slot()),
        }
    }

    fn end(&mut self) -> End {
        self.one(&[End::Source, End::Target])
    }

    fn slot(&mut self) -> SlotId {
        let count = self.board.slots().len();
        self.below(count).into()
    }

    fn vectors(&mut self) -> VectorFilter {
        let filter = |g: &mut Self| if g.chance(40) { Filter::All } else { g.filter(2, false) };
        VectorFilter { source: filter(self), target: filter(self) }
    }

    fn field(&mut self) -> Field {
        match self.below(14) {
            0 if !self.tame => Field::Observable(self.node()),
            1 => Field::Missing("nobody".into()),
            2 => Field::Member(Box::new(Field::Resource(self.slot())), vec!["key".into()]),
            3 => Field::Parameter("much".into()),
            4 | 5 if self.computed > 0 => Field::Computed(self.below(self.computed)),
            6..=8 if self.vector => {
                let resource = self.one(&RESOURCES);
                let resource = self.board.add_resource(resource);
                Field::End(self.end(), resource)
            }
            9 if self.vector && !self.tame => Field::EndObservable(self.end()),
            _ => Field::Resource(self.slot()),
        }
    }

    fn own_field(&mut self) -> Field {
        match self.below(10) {
            0 | 1 => Field::OwnObservable,
            2 => Field::OwnName,
            3 => self.field(),
            _ => {
                let resource = self.one(&RESOURCES);
                Field::Own(self.board.add_resource(resource))
            }
        }
    }

    fn filter(&mut self, depth: usize, ground: bool) -> Filter {
        match self.below(if depth == 0 { 6 } else { 10 }) {
            6 => Filter::Not(Box::new(self.filter(depth - 1, ground))),
            7 => Filter::And(self.some(0, 3, |g| g.filter(depth - 1, ground))),
            8 => Filter::Or(self.some(1, 3, |g| g.filter(depth - 1, ground))),
            9 if self.chance(10) => Filter::Truth(Box::new(Compute::CalculateBoolean(self.boolean()))),
            0 if self.chance(30) => Filter::All,
            _ => {
                let field = if ground { self.field() } else { self.own_field() };
                if self.tame && field == Field::OwnObservable {
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
            1 => ValueFilter::Compare(self.one(&[Comparison::Equal, Comparison::NotEqual]), self.literal()),
            _ => ValueFilter::Text(TextTest::Contains, self.one(&["red", "blue", "infra"]).into()),
        };
        if self.chance(50) { ValueFilter::Not(Box::new(test)) } else { test }
    }

    fn value_filter(&mut self, depth: usize) -> ValueFilter {
        let comparisons = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Greater,
            Comparison::GreaterOrEqual,
            Comparison::Less,
            Comparison::LessOrEqual,
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
            11 => self.one(&[ValueFilter::All, ValueFilter::None]),
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

    fn compute(&mut self, depth: usize, draws: bool) -> Compute {
        match self.below(if depth == 0 { 8 } else { 12 }) {
            0 => Compute::Constant(if self.chance(80) { Some(self.literal()) } else { None }),
            1 | 2 => Compute::Field(self.field()),
            3..=5 => Compute::Calculate(self.numeric(draws)),
            6 => Compute::CalculateBoolean(self.boolean()),
            7 => Compute::Math(Math {
                operator: self.one(&[Operator::Add, Operator::Max, Operator::Divide, Operator::Less]),
                fields: self.some(1, 3, Self::field),
                if_invalid: if self.chance(50) { Some(Value::Int(1)) } else { None },
            }),
            8 | 9 => Compute::Condition(self.some(1, 2, |g| Case {
                when: g.some(0, 2, |g| (g.field(), g.value_filter(1))),
                value: g.compute(depth - 1, draws),
            })),
            10 => self.one(&[
                Compute::Template(vec![Piece::Text("red".into()), Piece::Field(Field::Resource(SlotId(0)))]),
                Compute::FirstOf(vec![Field::Missing("none".into()), Field::Resource(SlotId(0))]),
                Compute::List(vec![Field::Resource(SlotId(0)), Field::Missing("none".into())]),
            ]),
            _ => Compute::Chain(
                Box::new(self.compute(depth - 1, draws)),
                self.some(1, 2, |g| match g.below(3) {
                    0 => Step::Filter(g.value_filter(0)),
                    1 => Step::Value(ValueCompute::Arithmetic(StepOperator::Add, Value::Int(2))),
                    _ => Step::Value(ValueCompute::Identity),
                }),
            ),
        }
    }

    fn numeric(&mut self, draws: bool) -> Formula<Numeric> {
        let mut builder = Builder::default();
        let fields = self.some(0, 3, Self::field);
        let mut nodes = vec![builder.node(Numeric::Number(2.0)), builder.node(Numeric::Number(-0.5))];
        for _ in &fields {
            let field = builder.field("field");
            nodes.push(builder.node(Numeric::Field(field)));
        }
        for _ in 0..=self.below(4) {
            let [one, other] = [self.one(&nodes), self.one(&nodes)];
            nodes.push(builder.node(match self.below(8) {
                0 => Numeric::Unary(self.one(&[Unary::Negate, Unary::Floor, Unary::SquareRoot]), one),
                1 if draws => Numeric::Random,
                2 if draws => Numeric::RandomBetween([one, other]),
                3 => Numeric::Aggregate(self.one(&[Aggregate::Sum, Aggregate::Maximum]), vec![one, other]),
                _ => Numeric::Binary(
                    self.one(&[Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide]),
                    [one, other],
                ),
            }));
        }
        Formula { expression: builder.finish().unwrap(), fields }
    }

    fn boolean(&mut self) -> Formula<Boolean> {
        let mut builder = Builder::default();
        let fields = self.some(0, 2, Self::field);
        let mut nodes = vec![builder.node(Boolean::Constant(true))];
        for _ in &fields {
            let field = builder.field("field");
            nodes.push(builder.node(Boolean::Field(field)));
        }
        let [one, other] = [self.one(&nodes), self.one(&nodes)];
        builder.node(Boolean::Binary(self.one(&[Connective::And, Connective::Xor]), [one, other]));
        Formula { expression: builder.finish().unwrap(), fields }
    }
}

/// Returns the game of a seed, with custom results.
pub(crate) fn with_custom(seed: u64) -> Game {
    let mut game = game(seed);
    for (action, node) in game.actions.iter_mut().zip(["a", "b", "c"]) {
        let parameters = vec![("from".into(), Some(Value::text(node)))];
        let outcome = Outcome::Custom { name: "shift".into(), parameters };
        action.consequences.push(Consequence { odds: 0.8, discount: None, independent: true, outcome });
    }
    game
}
