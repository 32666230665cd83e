//! Pictures of the boards of games.

use goalspec::resource::custom::ResultRegistry;
use goalspec::resource::game::Game;
use goalspec::resource::turn::{Move, TurnResult};
use goalspec::simulation::charts::{board_in_play, initial_board};
use goalspec::simulator::Simulator;

const GAME: &str = r#"
metadata: {id: "a <board> & more"}
teams: [red, blue]
board:
  nodes: [home, 'the "well"', cave]
  vectors:
    - {from: home, to: 'the "well"'}
    - {from: home, to: cave, id: 'a>b'}
    - {from: cave, to: home}
    - {from: cave, to: cave}
resourceSpace:
  home: {observable: 'set(red; red, blue)', coins: int(3), held: true}
  'the "well"': {observable: 'set(red, blue)', water: float(0.5)}
  cave: {observable: 'set(; red, blue)', held: false}
actionSpace: {red: {earn: }, blue: {earn: }}
actions:
  earn: {cost: {home.coins: 4}, requires: {}}
rewards: {red: {Field: home.coins}, blue: {Field: home.coins}}
completed: {home.coins: {Gte: 100}}
"#;

fn game() -> Game {
    let mut sources = goalspec::syntax::Sources::new();
    let id = sources.add("test", GAME);
    let read = goalspec::rgg::load(sources.file(id), goalspec::rgg::Dialect::DOCUMENTED, &[]);
    read.game.unwrap_or_else(|| panic!("{:?}", read.diagnostics))
}

#[test]
fn an_initial_board_has_values_owners_and_observers() {
    let picture = initial_board(&game(), Some("held"));
    let facts: Vec<_> = picture.nodes.iter().map(|node| (&*node.name, &node.observers[..], node.owned)).collect();
    let expected: [(&str, &[usize], Option<bool>); 3] =
        [("home", &[0], Some(true)), ("the \"well\"", &[0, 1], None), ("cave", &[], Some(false))];
    assert_eq!(facts, expected);
    assert_eq!(picture.nodes[0].values, [("coins".into(), "3".to_owned()), ("held".into(), "true".to_owned())]);
    assert_eq!(picture.vectors[1], (0, 2, "a>b".into()));
}

#[test]
fn a_state_in_play_shows_its_own_values() {
    let simulator = Simulator::new(game(), ResultRegistry::default()).unwrap();
    let mut state = simulator.initial_state(0, 0);
    simulator.step(&mut state, &Move::Choose(0.into(), Vec::new()), &mut TurnResult::default()).unwrap();
    let picture = board_in_play(&simulator, &state, None);
    assert_eq!(picture.nodes[0].values[0], ("coins".into(), "7".to_owned()));
    assert_eq!((&picture.nodes[0].observers[..], picture.nodes[0].owned), (&[0][..], None));
}
