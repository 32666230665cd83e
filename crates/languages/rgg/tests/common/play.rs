//! The playing of games, and the format of states in the recordings.

use goalspec_resource::board::Node;
use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::game::{ChoiceId, Game};
use goalspec_resource::interpret::play::Play;
use goalspec_resource::random::RandomStream;
use goalspec_resource::turn::{GameError, Move};
use goalspec_resource::value::Value;

use super::class;

/// Returns the state in the format of the recordings.
pub(crate) fn state(play: &Play) -> String {
    let of_node = |(id, node): (_, &Node)| {
        let node_state = play.state().node(id)?;
        let labels = Value::Set(node_state.observers.clone().into());
        let values = node_state.values.iter().map(|(name, value)| {
            let formatted = class(value);
            let (text, class) = formatted.rsplit_once(" (").expect("a class");
            format!(", {name}={text}:{}", class.trim_end_matches(')'))
        });
        Some(format!("{}{{vis={labels}{}}} ", node.name, values.collect::<String>()))
    };
    play.game().board.nodes().filter_map(of_node).collect()
}

/// Returns the move of the team to move, by the name of its choice.
pub(crate) fn choose(play: &Play, name: &str, values: &[&str]) -> Move {
    let choices = &play.game().teams[play.team().index()].choices;
    match choices.iter().position(|choice| &*choice.name == name) {
        Some(index) => Move::Choose(ChoiceId::from(index), values.iter().map(|text| Value::text(text)).collect()),
        // Every team may pass.
        None => Move::Pass,
    }
}

/// Plays moves in turn; returns `V` (valid) or `I` (invalid) for each, and the state after them.
pub(crate) fn moves(game: &Game, names: &[&str], values: &[&str], index: u64) -> Result<String, (GameError, String)> {
    let (mut play, mut stream) = (Play::new(game.clone()), RandomStream::new(1, index));
    let mut valid = String::new();
    for name in names {
        let chosen = choose(&play, name, values);
        match play.act(&chosen, &mut stream, &ResultRegistry::default()) {
            Ok(turn) => valid.push(if turn.valid { 'V' } else { 'I' }),
            Err(failure) => return Err((failure, state(&play))),
        }
        play.advance();
    }
    Ok(format!("{valid} {}", state(&play)))
}
