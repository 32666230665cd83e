//! Agreement of the simulator with the reference interpreter.

use goalspec_resource::custom::{CustomCall, CustomResultError, ResultRegistry};
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;
use goalspec_syntax::Sources;
use goalspec_testing::resource::play;

use crate::games;

/// The number of turns of a game.
const TURNS: usize = 40;

#[test]
fn random_games() {
    let mut turns = 0;
    for seed in 0..1500 {
        turns += play(&games::game(seed), &ResultRegistry::default(), seed, TURNS).unwrap();
    }
    assert!(turns > 5000, "most games should go on for some turns: {turns}");
}

/// In the Cage engine, a result for vectors without an entry adds every readable value to the state.
#[test]
fn games_in_which_the_state_is_added_to_itself() {
    const GAME: &str = "
metadata: {id: sums}
teams: [s]
board: {nodes: [a, b, c], vectors: [{from: a, to: b}, {from: b, to: b}, {from: b, to: c}]}
resourceSpace: {a: {observable: set(s), x: int(5), f: float(1.5)}, b: {x: int(2), own: false}, c: {y: int(3)}}
actionSpace: {s: {one: , all: , drop: }}
actions:
  one: {cost: {}, requires: {}, consequences: [{result: {WithRandomVector: {result: {}}}}]}
  all: {cost: {}, requires: {}, consequences: [{result: {WithAllVectors: {result: {}}}}]}
  drop: {cost: {}, requires: {}, consequences: [{result: {Resources: {put: {b.own: true, c.y: 1}}}}]}
rewards: {s: {Field: a.x}}
completed: {a.x: 99}
metrics: [a.observable, b.x]
";
    let mut sources = Sources::new();
    let id = sources.add("game", GAME);
    let read = goalspec_rgg::load(sources.file(id), Dialect::CAGE, &[]);
    let game = read.game.unwrap_or_else(|| panic!("{:?}", read.diagnostics));
    let turns: usize = (0..20).map(|seed| play(&game, &ResultRegistry::default(), seed, 12).unwrap()).sum();
    assert!(turns > 100, "most games go on for some turns: {turns}");
}

/// Moves gold between nodes, including nodes that have none.
fn shift(call: &mut CustomCall<'_>) -> Result<(), CustomResultError> {
    let from = call.text_argument("from")?;
    let gold = call.state.value(&from, "gold");
    let draw = call.state.uniform();
    call.state.put("d", "stray", gold.clone())?;
    call.state.put("c", "level", call.state.value("d", "stray"))?;
    call.state.put("b", "observable", Some(Value::set(["red"])))?;
    if draw < 0.1 {
        return Err(format!("{} values", call.state.values(&from).len() + call.action_parameters.len()).into());
    }
    call.state.put("a", "gold", Some(Value::Real(draw)))
}

#[test]
fn random_games_with_results_in_code() {
    let registry = ResultRegistry::default().with("shift", shift);
    let mut turns = 0;
    for seed in 0..400 {
        turns += play(&games::with_custom(seed), &registry, seed, TURNS).unwrap();
        play(&games::with_custom(seed), &ResultRegistry::default(), seed, TURNS).unwrap();
    }
    assert!(turns > 1000, "most games should go on for some turns: {turns}");
}
