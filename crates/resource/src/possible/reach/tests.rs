use super::super::{Possible, Scope, Verdict};
use super::Reach;
use crate::board::{Board, SlotId};
use crate::compare::Comparison;
use crate::compute::{Compute, Formula};
use crate::expression::{Builder, Numeric};
use crate::field::{End, Field, Place};
use crate::filter::{Filter, ValueFilter};
use crate::function::{Aggregate, Binary};
use crate::game::{Action, ActionId, Choice, Consequence, Game, Outcome, Pick, Team, TeamId, VectorFilter};
use crate::kinds::Kinds;
use crate::rules::{Bounds, Rules};
use crate::space::{Declaration, Space};
use crate::value::Value;

fn whole(initial: i32) -> Declaration {
    Declaration { space: Space::FreeInt, initial: Value::Int(initial) }
}

fn action(cost: Vec<(Place, Value)>, requires: Filter, outcomes: Vec<Outcome>) -> Action {
    let of = |outcome| Consequence { odds: 1.0, discount: None, independent: true, outcome };
    Action { name: "act".into(), cost, requires, consequences: outcomes.into_iter().map(of).collect() }
}

fn game(board: Board, action: Action) -> Game {
    let choice = Choice { name: "act".into(), action: Some(ActionId(0)), parameters: Vec::new() };
    Game {
        name: "game".into(),
        description: "".into(),
        rules: Rules::DOCUMENTED,
        board,
        teams: vec![Team { name: "red".into(), choices: vec![choice], reward: None }],
        turns: vec![TeamId(0)],
        actions: vec![action],
        completed: Filter::None,
        metrics: Vec::new(),
    }
}

fn one_node(initial: i32) -> (Board, SlotId) {
    let mut board = Board::default();
    let node = board.add_node("a");
    let slot = board.declare(node, "x", whole(initial));
    (board, slot)
}

fn compare(slot: SlotId, comparison: Comparison, bound: i32) -> Filter {
    Filter::Field(Field::Resource(slot), ValueFilter::Compare(comparison, Value::Int(bound)))
}

fn put(slot: SlotId, value: Compute) -> Outcome {
    Outcome::Resources { compute: Vec::new(), add: Vec::new(), put: vec![(Place::Resource(slot), value)] }
}

#[test]
fn what_is_only_ever_spent_has_an_upper_bound_alone() {
    let (board, x) = one_node(3);
    let game = game(board, action(vec![(Place::Resource(x), Value::Int(-1))], Filter::All, Vec::new()));
    let reach = Reach::of(&game);
    let bounds = reach.slot(x).bounds().unwrap();
    assert_eq!((bounds.low, bounds.high), (f64::NEG_INFINITY, 3.0));
    let scope = Scope::state(&game, &reach);
    assert_eq!(scope.test(&compare(x, Comparison::Greater, 3)), Verdict::NEVER);
    assert_eq!(scope.test(&compare(x, Comparison::LessOrEqual, 3)), Verdict::ALWAYS);
    assert_eq!(scope.test(&compare(x, Comparison::Equal, -100)), Verdict::EITHER);
    // After the cost the value is always smaller.
    let paid = reach.after_cost(&game, &game.actions[0]);
    assert_eq!(
        Scope { instead: Some(&paid), ..scope }.test(&compare(x, Comparison::GreaterOrEqual, 3)),
        Verdict::NEVER
    );
}

#[test]
fn what_follows_on_a_requirement_that_never_holds_does_not_happen() {
    let (board, x) = one_node(0);
    let never = compare(x, Comparison::Greater, 0);
    let game = game(board, action(Vec::new(), never, vec![put(x, Compute::Constant(Some(Value::Int(9))))]));
    assert_eq!(*Reach::of(&game).slot(x), Possible::one(Some(Value::Int(0))));
}

#[test]
fn bounds_that_a_computation_keeps_come_back() {
    // `x` is put to the minimum of 100 and `x + 7`, which takes more values than are listed individually.
    let (board, x) = one_node(0);
    let mut builder = Builder::default();
    let field = builder.field("a.x");
    let field = builder.node(Numeric::Field(field));
    let seven = builder.node(Numeric::Number(7.0));
    let more = builder.node(Numeric::Binary(Binary::Add, [field, seven]));
    let most = builder.node(Numeric::Number(500.0));
    builder.node(Numeric::Aggregate(Aggregate::Minimum, vec![more, most]));
    let formula = Formula { expression: builder.finish().unwrap(), fields: vec![Field::Resource(x)] };
    let game = game(board, action(Vec::new(), Filter::All, vec![put(x, Compute::Calculate(formula))]));
    let bounds = Reach::of(&game).slot(x).bounds().unwrap();
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
    let own = |truth| Filter::Field(Field::Own(resource), ValueFilter::Compare(Comparison::Equal, Value::Bool(truth)));
    let spread = Outcome::WithVectors {
        pick: Pick::Random,
        vectors: VectorFilter { source: own(true), target: own(false) },
        compute: Vec::new(),
        add: vec![(Place::End(End::Target, resource), Compute::Constant(Some(Value::Bool(true))))],
    };
    let game = game(board, action(Vec::new(), Filter::All, vec![spread]));
    let reach = Reach::of(&game);
    let can_be_owned = slots.map(|slot| {
        reach.slot(slot).meets(&Space::Bool) && reach.slot(slot).exact().unwrap().contains(&Some(Value::Bool(true)))
    });
    assert_eq!(can_be_owned, [true, true, true, false]);
}

#[test]
fn clamped_values_are_ends_of_their_ranges() {
    let mut board = Board::default();
    let node = board.add_node("a");
    let space = Space::IntRange { min: 0, max: 10 };
    let x = board.declare(node, "x", Declaration { space, initial: Value::Int(5) });
    let mut game = game(board, action(vec![(Place::Resource(x), Value::Int(-100))], Filter::All, Vec::new()));
    game.rules.bounds = Bounds::Clamp;
    let values: Vec<_> = Reach::of(&game).slot(x).exact().unwrap().to_vec();
    assert_eq!(values, [Some(Value::Int(5)), Some(Value::Int(0))]);
}

#[test]
fn custom_results_may_do_anything() {
    let (board, x) = one_node(0);
    let custom = Outcome::Custom { name: "f".into(), parameters: Vec::new() };
    let game = game(board, action(Vec::new(), Filter::All, vec![custom]));
    let reach = Reach::of(&game);
    let scope = Scope::state(&game, &reach);
    assert_eq!(scope.test(&compare(x, Comparison::Equal, 5)), Verdict::EITHER);
    assert!(reach.may_see("red", game.board.node_named("a").unwrap()));
}

#[test]
fn visibility_is_given_to_targets_only() {
    let mut board = Board::default();
    let [from, to] = ["a", "b"].map(|name| board.add_node(name));
    board.add_vector(from, to, "");
    let vectors = VectorFilter { source: Filter::All, target: Filter::All };
    let show = Outcome::MakeNodeVisible { label: "red".into(), vectors };
    let game = game(board, action(Vec::new(), Filter::All, vec![show]));
    let reach = Reach::of(&game);
    assert_eq!([from, to].map(|node| reach.may_see("red", node)), [false, true]);
    assert!(!reach.may_see("blue", to));
}

fn twice(field: Field) -> Compute {
    let mut builder = Builder::default();
    let id = builder.field("x");
    let field_node = builder.node(Numeric::Field(id));
    builder.node(Numeric::Aggregate(Aggregate::Sum, vec![field_node, field_node]));
    Compute::Calculate(Formula { expression: builder.finish().unwrap(), fields: vec![field] })
}

#[test]
fn what_is_computed_makes_whole_numbers_real_and_that_spreads() {
    let mut board = Board::default();
    let node = board.add_node("a");
    let x = board.declare(node, "x", whole(1));
    let y = board.declare(node, "y", whole(1));
    let untouched = board.declare(node, "z", whole(1));
    let outcome = Outcome::Resources {
        compute: Vec::new(),
        // `x` is read before it is inferred to be real.
        add: vec![
            (Place::Resource(y), Compute::Field(Field::Resource(x))),
            (Place::Resource(x), twice(Field::Resource(x))),
        ],
        put: Vec::new(),
    };
    let kinds =
        Reach::kinds(&game(board, action(vec![(Place::Resource(x), Value::Int(-1))], Filter::All, vec![outcome])));
    assert_eq!(kinds[x.index()], Kinds::NUMBER);
    assert_eq!(kinds[y.index()], Kinds::NUMBER);
    assert_eq!(kinds[untouched.index()], Kinds::INT);
}

#[test]
fn results_for_vectors_write_to_their_ends_only() {
    let mut board = Board::default();
    let [from, to] = ["a", "b"].map(|name| board.add_node(name));
    board.add_vector(from, to, "");
    let [x, y] = [from, to].map(|node| board.declare(node, "x", whole(0)));
    let resource = board.resource_named("x").unwrap();
    let outcome = Outcome::WithVectors {
        pick: Pick::All,
        vectors: VectorFilter { source: Filter::All, target: Filter::All },
        compute: Vec::new(),
        add: vec![(Place::End(End::Target, resource), Compute::Constant(Some(Value::Bool(true))))],
    };
    let kinds = Reach::kinds(&game(board, action(Vec::new(), Filter::All, vec![outcome])));
    assert_eq!([kinds[x.index()], kinds[y.index()]], [Kinds::INT, Kinds::INT | Kinds::BOOL]);
}

#[test]
fn a_resource_that_is_written_but_not_declared_may_be_missing() {
    let mut board = Board::default();
    let node = board.add_node("a");
    let resource = board.add_resource("new");
    let slot = board.add_slot(node, resource);
    let outcome = Outcome::Resources { compute: Vec::new(), add: Vec::new(), put: Vec::new() };
    let kinds =
        Reach::kinds(&game(board, action(vec![(Place::Resource(slot), Value::Int(1))], Filter::All, vec![outcome])));
    assert_eq!(kinds[slot.index()], Kinds::MISSING | Kinds::INT);
}

#[test]
fn custom_results_may_write_anything() {
    let mut board = Board::default();
    let node = board.add_node("a");
    let slot = board.declare(node, "x", whole(0));
    let outcome = Outcome::Custom { name: "f".into(), parameters: Vec::new() };
    assert_eq!(Reach::kinds(&game(board, action(Vec::new(), Filter::All, vec![outcome])))[slot.index()], Kinds::ANY);
}
