//! A resource graph game with a custom result implemented in code: turning the dial opens the door if the dial is at 7.

use goalspec::library::{Library, LibraryOptions};
use goalspec::resource::custom::{CustomCall, CustomResultError, ResultRegistry};
use goalspec::resource::value::Value;
use goalspec::resource_games::loaded_game;
use goalspec::simulation::policies::TeamPolicies;
use goalspec::simulator::episode::EpisodeRunner;

/// A game that names the result `TryDial` and passes it the node of the door.
const GAME: &str = "
teams: [thief]
board: {nodes: [lock, door]}
resourceSpace: {lock: {dial: int(5)}, door: {open: false}}
actionSpace: {thief: {turn: }}
actions:
  turn: {cost: {lock.dial: 1}, requires: {}, consequences: [{result: {TryDial: {door: door}}}]}
rewards: {thief: {Field: lock.dial}}
completed: {door.open: true}
";

fn try_dial(call: &mut CustomCall<'_>) -> Result<(), CustomResultError> {
    let door = call.text_argument("door")?;
    let opens = call.state.value("lock", "dial") == Some(Value::Int(7));
    call.state.put(&door, "open", Some(Value::Bool(opens)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let custom = ResultRegistry::default().with("TryDial", try_dial);
    let mut library = Library::with_options(LibraryOptions { custom_results: custom, ..LibraryOptions::default() });
    library.add_program("door.yaml", GAME);
    let game = loaded_game(&library.programs()[0], library.custom_results())?.ok_or("the game has errors")?;
    // All teams play at random: game 0 of the seed 1.
    let players = TeamPolicies::new(game.simulator.game(), &[])?;
    let episode = EpisodeRunner::new(&game.simulator, 10).play(1, 0, &mut players.policies());
    assert_eq!((episode.turns, episode.rewards[0]), (2, Some(7.0)));
    Ok(())
}
