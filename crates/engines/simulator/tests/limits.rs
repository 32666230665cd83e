//! Large games, and games that exceed the limits.

use goalspec_resource::board::Board;
use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::compute::Computation;
use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::field::{Endpoint, Field, Place};
use goalspec_resource::filter::{Filter, ValueFilter};
use goalspec_resource::game::{
    Action, ActionId, Choice, Consequence, ConsequenceEffect, Game, Team, TeamId, VectorFilter, VectorSelection,
};
use goalspec_resource::rules::GameRules;
use goalspec_resource::space::{Declaration, Space};
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_resource::value::{Labels, Value};
use goalspec_simulator::{GameCompileError, MAX_DEPTH, Simulator};

/// A walker on a circle of nodes with vectors to their successors, who opens the nodes in order.
fn circle(nodes: usize, vectors: usize) -> Game {
    let mut board = Board::default();
    for node in 0..nodes {
        let id = board.add_node(&format!("n{node}"));
        board.declare(id, "open", Declaration { space: Space::Bool, initial: Value::Bool(node == 0) });
        board.set_observers(id, Labels::default());
    }
    for vector in 0..vectors {
        let [source, step] = [vector % nodes, vector / nodes + 1];
        board.add_vector(source.into(), ((source + step) % nodes).into(), "");
    }
    let open = board.resource_named("open").unwrap();
    let is = |truth| {
        Filter::Field(
            Field::TestedNodeResource(open),
            ValueFilter::Compare(ComparisonOperator::Equal, Value::Bool(truth)),
        )
    };
    let outcome = ConsequenceEffect::WithVectors {
        pick: VectorSelection::Random,
        vectors: VectorFilter { source: is(true), target: is(false) },
        compute: Vec::new(),
        add: vec![(Place::EndpointResource(Endpoint::Target, open), Computation::Constant(Some(Value::Bool(true))))],
    };
    let consequences = vec![Consequence { odds: 1.0, discount: None, independent: false, outcome }];
    let action = Action { name: "go".into(), cost: Vec::new(), requires: Filter::Always, consequences };
    let choices = vec![Choice { name: "go".into(), action: Some(ActionId(0)), parameters: Vec::new() }];
    Game {
        name: "circle".into(),
        description: "".into(),
        rules: GameRules::DOCUMENTED,
        board,
        teams: vec![Team { name: "walker".into(), choices, reward: None }],
        turns: vec![TeamId(0)],
        actions: vec![action],
        completed: Filter::Never,
        metrics: Vec::new(),
    }
}

#[test]
fn a_hundred_thousand_vectors() {
    let (nodes, turns) = (20_000, 3_000);
    let simulator = Simulator::new(circle(nodes, 5 * nodes), ResultRegistry::default()).unwrap();
    let mut state = simulator.initial_state(1, 0);
    let mut turn = TurnResult::default();
    let mut opened = vec![false; nodes];
    opened[0] = true;
    for _ in 0..turns {
        simulator.step(&mut state, &Move::Choose(0.into(), Vec::new()), &mut turn).unwrap();
        let vector = simulator.game().board.vector(turn.occurrences[0].vector.unwrap());
        assert!(opened[vector.source.index()] && !opened[vector.target.index()]);
        opened[vector.target.index()] = true;
    }
    assert_eq!(opened.iter().filter(|opened| **opened).count(), turns + 1);
}

#[test]
fn filters_match_no_node_if_all_nodes_are_open() {
    let simulator = Simulator::new(circle(100, 200), ResultRegistry::default()).unwrap();
    let mut state = simulator.initial_state(1, 0);
    let mut turn = TurnResult::default();
    for at in 0..120 {
        simulator.step(&mut state, &Move::Choose(0.into(), Vec::new()), &mut turn).unwrap();
        assert_eq!(turn.occurrences[0].vector.is_some(), at < 99);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let nested = |depth| {
        let mut game = circle(3, 3);
        game.completed = (0..depth).fold(Filter::Never, |inner, _| Filter::And(vec![inner]));
        Simulator::new(game, ResultRegistry::default()).map(drop)
    };
    assert_eq!(nested(MAX_DEPTH), Ok(()));
    assert_eq!(nested(MAX_DEPTH + 1), Err(GameCompileError::TooDeep));
}

#[test]
fn a_game_without_turns_is_an_error() {
    let mut game = circle(3, 3);
    game.turns.clear();
    assert_eq!(Simulator::new(game, ResultRegistry::default()).map(drop), Err(GameCompileError::NoTurns));
}
