use super::super::{AbstractContext, TruthSet, ValueSet};
use super::ReachableValues;
use crate::board::{Board, SlotId};
use crate::compare::ComparisonOperator;
use crate::compute::{Computation, ResolvedExpression};
use crate::expression::{ExpressionBuilder, NumericNode};
use crate::field::{Endpoint, Field, Place};
use crate::filter::{Filter, ValueFilter};
use crate::function::{AggregateFunction, BinaryFunction};
use crate::game::{
    Action, ActionId, Choice, Consequence, ConsequenceEffect, Game, Team, TeamId, VectorFilter, VectorSelection,
};
use crate::kinds::KindSet;
use crate::rules::{GameRules, SpaceBoundsRule};
use crate::space::{Declaration, Space};
use crate::value::Value;

fn whole(initial: i32) -> Declaration {
    Declaration { space: Space::FreeInt, initial: Value::Int(initial) }
}

fn action(cost: Vec<(Place, Value)>, requires: Filter, outcomes: Vec<ConsequenceEffect>) -> Action {
    let of = |outcome| Consequence { odds: 1.0, discount: None, independent: true, outcome };
    Action { name: "act".into(), cost, requires, consequences: outcomes.into_iter().map(of).collect() }
}

fn game(board: Board, action: Action) -> Game {
    let choice = Choice { name: "act".into(), action: Some(ActionId(0)), parameters: Vec::new() };
    Game {
        name: "game".into(),
        description: "".into(),
        rules: GameRules::DOCUMENTED,
        board,
        teams: vec![Team { name: "red".into(), choices: vec![choice], reward: None }],
        turns: vec![TeamId(0)],
        actions: vec![action],
        completed: Filter::Never,
        metrics: Vec::new(),
    }
}

fn one_node(initial: i32) -> (Board, SlotId) {
    let mut board = Board::default();
    let node = board.add_node("a");
    let slot = board.declare(node, "x", whole(initial));
    (board, slot)
}

fn compare(slot: SlotId, comparison: ComparisonOperator, bound: i32) -> Filter {
    Filter::Field(Field::Resource(slot), ValueFilter::Compare(comparison, Value::Int(bound)))
}

fn put(slot: SlotId, value: Computation) -> ConsequenceEffect {
    ConsequenceEffect::Resources { compute: Vec::new(), add: Vec::new(), replace: vec![(Place::Resource(slot), value)] }
}

#[test]
fn resources_that_are_only_spent_have_an_upper_bound_alone() {
    let (board, x) = one_node(3);
    let game = game(board, action(vec![(Place::Resource(x), Value::Int(-1))], Filter::Always, Vec::new()));
    let reachable = ReachableValues::analyze(&game);
    let bounds = reachable.slot(x).bounds().unwrap();
    assert_eq!((bounds.low, bounds.high), (f64::NEG_INFINITY, 3.0));
    let scope = AbstractContext::state(&game, &reachable);
    assert_eq!(scope.test(&compare(x, ComparisonOperator::Greater, 3)), TruthSet::NEVER);
    assert_eq!(scope.test(&compare(x, ComparisonOperator::LessOrEqual, 3)), TruthSet::ALWAYS);
    assert_eq!(scope.test(&compare(x, ComparisonOperator::Equal, -100)), TruthSet::EITHER);
    // After the cost the value is always smaller.
    let after_cost = reachable.after_cost(&game, &game.actions[0]);
    assert_eq!(
        AbstractContext { refined: Some(&after_cost), ..scope }.test(&compare(
            x,
            ComparisonOperator::GreaterOrEqual,
            3
        )),
        TruthSet::NEVER
    );
}

#[test]
fn consequences_of_unsatisfiable_requirements_are_unreachable() {
    let (board, x) = one_node(0);
    let never = compare(x, ComparisonOperator::Greater, 0);
    let game = game(board, action(Vec::new(), never, vec![put(x, Computation::Constant(Some(Value::Int(9))))]));
    assert_eq!(*ReachableValues::analyze(&game).slot(x), ValueSet::singleton(Some(Value::Int(0))));
}

#[test]
fn bounds_that_a_computation_keeps_come_back() {
    // `x` is put to the minimum of 100 and `x + 7`, which takes more values than are listed individually.
    let (board, x) = one_node(0);
    let mut builder = ExpressionBuilder::default();
    let field = builder.field("a.x");
    let field = builder.node(NumericNode::Field(field));
    let seven = builder.node(NumericNode::Number(7.0));
    let increased = builder.node(NumericNode::Binary(BinaryFunction::Add, [field, seven]));
    let limit = builder.node(NumericNode::Number(500.0));
    builder.node(NumericNode::Aggregate(AggregateFunction::Minimum, vec![increased, limit]));
    let formula = ResolvedExpression { expression: builder.finish().unwrap(), fields: vec![Field::Resource(x)] };
    let game = game(board, action(Vec::new(), Filter::Always, vec![put(x, Computation::Calculate(formula))]));
    let bounds = ReachableValues::analyze(&game).slot(x).bounds().unwrap();
    assert_eq!((bounds.low, bounds.high), (0.0, 500.0));
}

#[test]
fn ownership_spreads_along_vectors_and_no_further() {
    let mut board = Board::default();
    let nodes = ["a", "b", "c", "d"].map(|name| board.add_node(name));
    board.add_vector(nodes[0], nodes[1], "");
    board.add_vector(nodes[1], nodes[2], "");
    board.add_vector(nodes[3], nodes[0], "");
    let owned = |initial| Declaration { space: Space::Bool, initial: Value::Bool(initial) };
    let slots = nodes.map(|node| board.declare(node, "owned", owned(node == nodes[0])));
    let resource = board.resource_named("owned").unwrap();
    let own = |truth| {
        Filter::Field(
            Field::TestedNodeResource(resource),
            ValueFilter::Compare(ComparisonOperator::Equal, Value::Bool(truth)),
        )
    };
    let spread = ConsequenceEffect::WithVectors {
        pick: VectorSelection::Random,
        vectors: VectorFilter { source: own(true), target: own(false) },
        compute: Vec::new(),
        add: vec![(
            Place::EndpointResource(Endpoint::Target, resource),
            Computation::Constant(Some(Value::Bool(true))),
        )],
    };
    let game = game(board, action(Vec::new(), Filter::Always, vec![spread]));
    let reachable = ReachableValues::analyze(&game);
    let can_be_owned = slots.map(|slot| {
        reachable.slot(slot).intersects(&Space::Bool)
            && reachable.slot(slot).listed_values().unwrap().contains(&Some(Value::Bool(true)))
    });
    assert_eq!(can_be_owned, [true, true, true, false]);
}

#[test]
fn clamped_values_are_ends_of_their_ranges() {
    let mut board = Board::default();
    let node = board.add_node("a");
    let space = Space::IntRange { min: 0, max: 10 };
    let x = board.declare(node, "x", Declaration { space, initial: Value::Int(5) });
    let mut game = game(board, action(vec![(Place::Resource(x), Value::Int(-100))], Filter::Always, Vec::new()));
    game.rules.bounds = SpaceBoundsRule::Clamp;
    let values: Vec<_> = ReachableValues::analyze(&game).slot(x).listed_values().unwrap().to_vec();
    assert_eq!(values, [Some(Value::Int(5)), Some(Value::Int(0))]);
}

#[test]
fn custom_results_may_do_anything() {
    let (board, x) = one_node(0);
    let custom = ConsequenceEffect::Custom { name: "f".into(), parameters: Vec::new() };
    let game = game(board, action(Vec::new(), Filter::Always, vec![custom]));
    let reachable = ReachableValues::analyze(&game);
    let scope = AbstractContext::state(&game, &reachable);
    assert_eq!(scope.test(&compare(x, ComparisonOperator::Equal, 5)), TruthSet::EITHER);
    assert!(reachable.may_see("red", game.board.node_named("a").unwrap()));
}

#[test]
fn visibility_is_given_to_targets_only() {
    let mut board = Board::default();
    let [from, to] = ["a", "b"].map(|name| board.add_node(name));
    board.add_vector(from, to, "");
    let vectors = VectorFilter { source: Filter::Always, target: Filter::Always };
    let show = ConsequenceEffect::MakeNodeVisible { label: "red".into(), vectors };
    let game = game(board, action(Vec::new(), Filter::Always, vec![show]));
    let reachable = ReachableValues::analyze(&game);
    assert_eq!([from, to].map(|node| reachable.may_see("red", node)), [false, true]);
    assert!(!reachable.may_see("blue", to));
}

fn twice(field: Field) -> Computation {
    let mut builder = ExpressionBuilder::default();
    let id = builder.field("x");
    let field_node = builder.node(NumericNode::Field(id));
    builder.node(NumericNode::Aggregate(AggregateFunction::Sum, vec![field_node, field_node]));
    Computation::Calculate(ResolvedExpression { expression: builder.finish().unwrap(), fields: vec![field] })
}

#[test]
fn real_results_make_integers_real_transitively() {
    let mut board = Board::default();
    let node = board.add_node("a");
    let x = board.declare(node, "x", whole(1));
    let y = board.declare(node, "y", whole(1));
    let untouched = board.declare(node, "z", whole(1));
    let outcome = ConsequenceEffect::Resources {
        compute: Vec::new(),
        // `x` is read before it is inferred to be real.
        add: vec![
            (Place::Resource(y), Computation::Field(Field::Resource(x))),
            (Place::Resource(x), twice(Field::Resource(x))),
        ],
        replace: Vec::new(),
    };
    let kinds = ReachableValues::kinds(&game(
        board,
        action(vec![(Place::Resource(x), Value::Int(-1))], Filter::Always, vec![outcome]),
    ));
    assert_eq!(kinds[x.index()], KindSet::NUMBER);
    assert_eq!(kinds[y.index()], KindSet::NUMBER);
    assert_eq!(kinds[untouched.index()], KindSet::INT);
}

#[test]
fn results_for_vectors_write_to_their_ends_only() {
    let mut board = Board::default();
    let [from, to] = ["a", "b"].map(|name| board.add_node(name));
    board.add_vector(from, to, "");
    let [x, y] = [from, to].map(|node| board.declare(node, "x", whole(0)));
    let resource = board.resource_named("x").unwrap();
    let outcome = ConsequenceEffect::WithVectors {
        pick: VectorSelection::All,
        vectors: VectorFilter { source: Filter::Always, target: Filter::Always },
        compute: Vec::new(),
        add: vec![(
            Place::EndpointResource(Endpoint::Target, resource),
            Computation::Constant(Some(Value::Bool(true))),
        )],
    };
    let kinds = ReachableValues::kinds(&game(board, action(Vec::new(), Filter::Always, vec![outcome])));
    assert_eq!([kinds[x.index()], kinds[y.index()]], [KindSet::INT, KindSet::INT | KindSet::BOOL]);
}

#[test]
fn a_resource_that_is_written_but_not_declared_may_be_missing() {
    let mut board = Board::default();
    let node = board.add_node("a");
    let resource = board.add_resource("new");
    let slot = board.add_slot(node, resource);
    let outcome = ConsequenceEffect::Resources { compute: Vec::new(), add: Vec::new(), replace: Vec::new() };
    let kinds = ReachableValues::kinds(&game(
        board,
        action(vec![(Place::Resource(slot), Value::Int(1))], Filter::Always, vec![outcome]),
    ));
    assert_eq!(kinds[slot.index()], KindSet::MISSING | KindSet::INT);
}

#[test]
fn custom_results_may_write_anything() {
    let mut board = Board::default();
    let node = board.add_node("a");
    let slot = board.declare(node, "x", whole(0));
    let outcome = ConsequenceEffect::Custom { name: "f".into(), parameters: Vec::new() };
    assert_eq!(
        ReachableValues::kinds(&game(board, action(Vec::new(), Filter::Always, vec![outcome])))[slot.index()],
        KindSet::ALL
    );
}
