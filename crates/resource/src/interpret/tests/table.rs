//! The game that the recordings vary: three nodes in a triangle, two teams, and an action `act` of the first team.

use std::fmt::Write;

use crate::board::{Board, NodeId};
use crate::compare::ComparisonOperator;
use crate::compute::Computation;
use crate::compute::ResolvedExpression;
use crate::custom::ResultRegistry;
use crate::expression::{ExpressionBuilder, NumericNode};
use crate::field::{Endpoint, Field, Place};
use crate::filter::{Filter, TextTest, ValueFilter};
use crate::function::BinaryFunction;
use crate::game::{
    Action, ActionId, Choice, ChoiceId, Consequence, ConsequenceEffect, Game, Parameter, Team, TeamId, VectorFilter,
    VectorSelection,
};
use crate::interpret::play::Play;
use crate::random::RandomStream;
use crate::rules::GameRules;
use crate::space::{Declaration, Space};
use crate::turn::{GameError, GameErrorKind, Move, TurnResult};
use crate::value::Value::{self, Bool, Int, Real};

/// A builder of variations of the game.
pub(super) struct Table {
    pub(super) game: Game,
    pub(super) registry: ResultRegistry,
}

impl Table {
    /// Nodes a, b and c; vectors from a to b, a to c and b to c; the teams s, which sees a, and t, which sees b.
    pub(super) fn new(rules: GameRules) -> Self {
        let mut board = Board::default();
        let [a, b, c] = ["a", "b", "c"].map(|name| board.add_node(name));
        for (from, to) in [(a, b), (a, c), (b, c)] {
            board.add_vector(from, to, "");
        }
        let mut declare = |node: NodeId, name: &str, space: Space, initial: Value| {
            board.declare(node, name, Declaration { space, initial });
        };
        declare(a, "x", Space::FreeInt, Int(5));
        declare(a, "own", Space::Bool, Bool(true));
        declare(a, "f", Space::FreeReal, Real(1.5));
        declare(a, "name", Space::FreeText, Value::text("foo"));
        declare(a, "tags", Space::Set(["p".into()].into_iter().collect()), Value::set(["p"]));
        for (node, x) in [(b, 2), (c, 3)] {
            declare(node, "x", Space::FreeInt, Int(x));
            declare(node, "own", Space::Bool, Bool(false));
        }
        board.set_observers(a, ["s".into()].into_iter().collect());
        board.set_observers(b, ["t".into()].into_iter().collect());
        let choice = |name: &str, id| Choice { name: name.into(), action: Some(ActionId(id)), parameters: vec![] };
        let team = |name: &str, choices| Team { name: name.into(), choices, reward: None };
        let action =
            |name: &str| Action { name: name.into(), cost: vec![], requires: Filter::Always, consequences: vec![] };
        let game = Game {
            name: "table".into(),
            description: "".into(),
            rules,
            board,
            teams: vec![team("s", vec![choice("act", 0), choice("nothing", 1)]), team("t", vec![choice("act", 0)])],
            turns: vec![TeamId(0), TeamId(1)],
            actions: vec![action("act"), action("nothing")],
            completed: Filter::Never,
            metrics: vec![],
        };
        Self { game, registry: ResultRegistry::default() }
    }

    pub(super) fn node(&self, name: &str) -> NodeId {
        self.game.board.node_named(name).expect("a node of the table")
    }

    /// Returns the place of a name, on the board or at an end of the vector.
    pub(super) fn place(&mut self, name: &str) -> Place {
        let (node, resource) = name.split_once('.').expect("a place has a dot");
        let end = match node {
            "_source" => Some(Endpoint::Source),
            "_target" => Some(Endpoint::Target),
            _ => None,
        };
        match (end, resource) {
            (Some(end), "observable") => Place::EndpointObservers(end),
            (Some(end), _) => Place::EndpointResource(end, self.game.board.add_resource(resource)),
            (None, "observable") => Place::Observers(self.node(node)),
            (None, _) => {
                let (node, resource) = (self.node(node), self.game.board.add_resource(resource));
                Place::Resource(self.game.board.add_slot(node, resource))
            }
        }
    }

    /// Returns the field of a name, resolved as by [`Self::place`].
    pub(super) fn field(&mut self, name: &str) -> Field {
        match self.place(name) {
            Place::Resource(slot) => Field::Resource(slot),
            Place::Observers(node) => Field::Observers(node),
            Place::EndpointResource(end, resource) => Field::EndpointResource(end, resource),
            Place::EndpointObservers(end) => Field::EndpointObservers(end),
        }
    }

    pub(super) fn read(&mut self, name: &str) -> Computation {
        Computation::Field(self.field(name))
    }

    /// Returns the computations with the places of their names.
    pub(super) fn entries<const N: usize>(&mut self, entries: [(&str, Computation); N]) -> Vec<(Place, Computation)> {
        entries.into_iter().map(|(name, compute)| (self.place(name), compute)).collect()
    }

    /// Returns a test of a resource of the node under test.
    pub(super) fn own(&mut self, resource: &str, filter: ValueFilter) -> Filter {
        Filter::Field(Field::TestedNodeResource(self.game.board.add_resource(resource)), filter)
    }

    pub(super) fn cost(mut self, name: &str, value: Value) -> Self {
        let place = self.place(name);
        self.game.actions[0].cost.push((place, value));
        self
    }

    pub(super) fn requires(mut self, name: &str, filter: ValueFilter) -> Self {
        self.game.actions[0].requires = Filter::Field(self.field(name), filter);
        self
    }

    pub(super) fn consequence(mut self, consequence: Consequence) -> Self {
        self.game.actions[0].consequences.push(consequence);
        self
    }

    pub(super) fn always(self, outcome: ConsequenceEffect) -> Self {
        self.consequence(Consequence { odds: 1.0, discount: None, independent: false, outcome })
    }

    pub(super) fn add<const N: usize>(mut self, add: [(&str, Computation); N]) -> Self {
        let add = self.entries(add);
        self.always(ConsequenceEffect::Resources { compute: vec![], add, replace: vec![] })
    }

    pub(super) fn put<const N: usize>(mut self, put: [(&str, Computation); N]) -> Self {
        let put = self.entries(put);
        self.always(ConsequenceEffect::Resources { compute: vec![], add: vec![], replace: put })
    }

    pub(super) fn with_vectors<const N: usize>(
        mut self,
        selection: VectorSelection,
        vectors: VectorFilter,
        add: [(&str, Computation); N],
    ) -> Self {
        let add = self.entries(add);
        self.always(ConsequenceEffect::WithVectors { pick: selection, vectors, compute: vec![], add })
    }

    /// Sets the parameters of the choice `act`, all of them strings.
    pub(super) fn parameters(mut self, names: &[&str]) -> Self {
        let parameter = |name: &&str| Parameter { name: (*name).into(), space: Space::FreeText };
        self.game.teams[0].choices[0].parameters = names.iter().map(parameter).collect();
        self
    }

    pub(super) fn play(&self) -> Play {
        Play::new(self.game.clone())
    }

    /// Plays `act` once with these parameters; returns the changes of the state and the turn.
    pub(super) fn act_with(&self, parameters: &[&str], index: u64) -> (String, Result<TurnResult, GameError>) {
        let mut play = self.play();
        let values = parameters.iter().map(|text| Value::text(text)).collect();
        let turn = play.act(&Move::Choose(ChoiceId(0), values), &mut RandomStream::new(1, index), &self.registry);
        (changes(&play), turn)
    }

    /// Plays `act` once; returns the changes of the state and whether it was valid.
    pub(super) fn act(&self) -> (String, bool) {
        let (changes, turn) = self.act_with(&[], 0);
        (changes, turn.expect("it does not fail").valid)
    }

    /// Plays `act`, which fails; returns the changes of the state and the failure.
    pub(super) fn fail(&self) -> (String, GameErrorKind) {
        let (changes, turn) = self.act_with(&[], 0);
        (changes, turn.expect_err("it fails").kind)
    }
}

/// Returns the differences from the initial state: `a.x=4`, and `-a.x` for a removed value.
pub(super) fn changes(play: &Play) -> String {
    let flat = |play: &Play| -> Vec<(String, Value)> {
        let views = play.true_state().into_iter().flat_map(|view| {
            let node = play.game().board.node(view.node).name.clone();
            let observable = ("observable".into(), view.observers);
            std::iter::once(observable).chain(view.values).map(move |(name, value)| (format!("{node}.{name}"), value))
        });
        views.collect()
    };
    let (before, after) = (flat(&Play::new(play.game().clone())), flat(play));
    let mut changes = String::new();
    for (name, value) in after.iter().filter(|entry| !before.contains(entry)) {
        let _ = write!(changes, "{name}={value} ");
    }
    for (name, _) in before.iter().filter(|(name, _)| !after.iter().any(|(other, _)| other == name)) {
        let _ = write!(changes, "-{name} ");
    }
    changes.trim_end().to_owned()
}

pub(super) fn int(number: i32) -> Computation {
    Computation::Constant(Some(Int(number)))
}

pub(super) fn text(text: &str) -> Computation {
    Computation::Constant(Some(Value::text(text)))
}

pub(super) fn missing() -> Computation {
    Computation::Field(Field::Unresolved("missing".into()))
}

/// An expression that adds fields, and random numbers after them.
pub(super) fn sum(fields: Vec<Field>, random: usize) -> Computation {
    let mut builder = ExpressionBuilder::default();
    let mut total = builder.node(NumericNode::Number(0.0));
    for _ in &fields {
        let read = builder.field("named elsewhere");
        let read = builder.node(NumericNode::Field(read));
        total = builder.node(NumericNode::Binary(BinaryFunction::Add, [total, read]));
    }
    for _ in 0..random {
        let drawn = builder.node(NumericNode::Random);
        total = builder.node(NumericNode::Binary(BinaryFunction::Add, [total, drawn]));
    }
    Computation::Calculate(ResolvedExpression { expression: builder.finish().expect("it has nodes"), fields })
}

pub(super) fn equal(value: Value) -> ValueFilter {
    ValueFilter::Compare(ComparisonOperator::Equal, value)
}

pub(super) fn at_least(number: i32) -> ValueFilter {
    ValueFilter::Compare(ComparisonOperator::GreaterOrEqual, Int(number))
}

pub(super) fn contains(part: &str) -> ValueFilter {
    ValueFilter::Text(TextTest::Contains, part.into())
}

pub(super) fn named(node: &str) -> Filter {
    Filter::Field(Field::TestedNodeName, equal(Value::text(node)))
}

pub(super) fn all_vectors() -> VectorFilter {
    VectorFilter { source: Filter::Always, target: Filter::Always }
}

pub(super) fn between(source: &str, target: &str) -> VectorFilter {
    VectorFilter { source: named(source), target: named(target) }
}

/// Checks counts out of a number of plays against probabilities, within five standard errors.
pub(super) fn check(count: u32, plays: u32, probability: f64, case: &str) {
    let plays = f64::from(plays);
    let error = (plays * probability * (1.0 - probability)).sqrt();
    assert!(
        (f64::from(count) - plays * probability).abs() <= 5.0 * error,
        "{case}: {count} of {plays} for {probability}"
    );
}
