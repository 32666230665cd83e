//! Large games, and games that exceed the limits.

use goalspec_resource::board::Board;
use goalspec_resource::compare::Comparison;
use goalspec_resource::compute::Compute;
use goalspec_resource::custom::Registry;
use goalspec_resource::field::{End, Field, Place};
use goalspec_resource::filter::{Filter, ValueFilter};
use goalspec_resource::game::{Action, ActionId, Choice, Consequence, Game, Outcome, Pick, Team, TeamId, VectorFilter};
use goalspec_resource::rules::Rules;
use goalspec_resource::space::{Declaration, Space};
use goalspec_resource::turn::{Move, Turn};
use goalspec_resource::value::{Labels, Value};
use goalspec_simulator::{MAX_DEPTH, Refusal, Simulator};

/// A walker on a circle of nodes with vectors to their successors, who opens the nodes in order.
fn circle(nodes: usize, vectors: usize) -> Game {
    let mut board = Board::default();
    for node in 0..nodes {
        let id = board.add_node(&format!("n{node}"));
        board.declare(id, "open", Declaration { space: Space::Bool, initial: Value::Bool(node == 0) });
        board.show(id, Labels::default());
    }
    for vector in 0..vectors {
        let [source, step] = [vector % nodes, vector / nodes + 1];
        board.add_vector(source.into(), ((source + step) % nodes).into(), "");
    }
    let open = board.resource_named("open").unwrap();
    let is = |truth| Filter::Field(Field::Own(open), ValueFilter::Compare(Comparison::Equal, Value::Bool(truth)));
    let outcome = Outcome::WithVectors {
        pick: Pick::Random,
        vectors: VectorFilter { source: is(true), target: is(false) },
        compute: Vec::new(),
        add: vec![(Place::End(End::Target, open), Compute::Constant(Some(Value::Bool(true))))],
    };
    let consequences = vec![Consequence { odds: 1.0, discount: None, independent: false, outcome }];
    let action = Action { name: "go".into(), cost: Vec::new(), requires: Filter::All, consequences };
    let choices = vec![Choice { name: "go".into(), action: Some(ActionId(0)), parameters: Vec::new() }];
    Game {
        name: "circle".into(),
        description: "".into(),
        rules: Rules::DOCUMENTED,
        board,
        teams: vec![Team { name: "walker".into(), choices, reward: None }],
        turns: vec![TeamId(0)],
        actions: vec![action],
        completed: Filter::None,
        metrics: Vec::new(),
    }
}

#[test]
fn a_hundred_thousand_vectors() {
    let (nodes, turns) = (20_000, 3_000);
    let simulator = Simulator::new(circle(nodes, 5 * nodes), Registry::default()).unwrap();
    let mut state = simulator.start(1, 0);
    let mut turn = Turn::default();
    let mut opened = vec![false; nodes];
    opened[0] = true;
    for _ in 0..turns {
        simulator.step(&mut state, &Move::Choose(0.into(), Vec::new()), &mut turn).unwrap();
        let vector = simulator.game().board.vector(turn.occurred[0].vector.unwrap());
        assert!(opened[vector.source.index()] && !opened[vector.target.index()]);
        opened[vector.target.index()] = true;
    }
    assert_eq!(opened.iter().filter(|opened| **opened).count(), turns + 1);
}

#[test]
fn where_all_nodes_are_open_nothing_matches() {
    let simulator = Simulator::new(circle(100, 200), Registry::default()).unwrap();
    let mut state = simulator.start(1, 0);
    let mut turn = Turn::default();
    for at in 0..120 {
        simulator.step(&mut state, &Move::Choose(0.into(), Vec::new()), &mut turn).unwrap();
        assert_eq!(turn.occurred[0].vector.is_some(), at < 99);
    }
}

#[test]
fn what_is_nested_too_deep_is_refused() {
    let nested = |depth| {
        let mut game = circle(3, 3);
        game.completed = (0..depth).fold(Filter::None, |inner, _| Filter::And(vec![inner]));
        Simulator::new(game, Registry::default()).map(drop)
    };
    assert_eq!(nested(MAX_DEPTH), Ok(()));
    assert_eq!(nested(MAX_DEPTH + 1), Err(Refusal::TooDeep));
}

#[test]
fn a_game_without_turns_is_refused() {
    let mut game = circle(3, 3);
    game.turns.clear();
    assert_eq!(Simulator::new(game, Registry::default()).map(drop), Err(Refusal::NoTurns));
}
