//! The effects of actions, row by row of the recordings, played in the dialect of the Cage engine.

use crate::common::base::{acting, rows};
use crate::common::play::state;
use crate::common::{game, recorded, report};
use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::game::{ChoiceId, Game};
use goalspec_resource::interpret::play::Play;
use goalspec_resource::random::RandomStream;
use goalspec_resource::turn::Move;
use goalspec_rgg::Dialect;

/// The number of plays of an action that picks a vector at random.
const TRIES: u64 = 40;

/// Returns the outcome of the action `act` in the format of the recordings.
fn outcome(game: &Game, index: u64) -> String {
    let mut play = Play::new(game.clone());
    let act = Move::Choose(ChoiceId(0), Vec::new());
    match play.act(&act, &mut RandomStream::new(7, index), &ResultRegistry::default()) {
        Ok(turn) => format!("{} {}", if turn.valid { "V" } else { "I" }, state(&play)),
        Err(_) => format!("ERR {}", state(&play)),
    }
}

fn compare<'a>(title: &str, rows: impl Iterator<Item = (&'a str, &'a str)>, act: impl Fn(&str) -> String) {
    let (mut total, mut mismatches) = (0, Vec::new());
    for (input, recorded) in rows {
        let Some(game) = game(&acting(&act(input)), Dialect::CAGE).game else { continue };
        total += 1;
        let expected = match recorded.split_once("   partial ") {
            Some((_, partial)) => format!("ERR {partial}"),
            None => recorded.to_owned(),
        };
        let found: Vec<String> = (0..TRIES).map(|index| outcome(&game, index)).collect();
        if !found.contains(&expected) {
            mismatches.push(format!("{input}:\n  {}\n  {expected}", found[0]));
        }
    }
    report(title, total, &mismatches);
}

#[test]
fn forms_of_actions() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    compare("forms of actions", rows(&table, "ACT variant "), str::to_owned);
}

#[test]
fn costs() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    compare("costs", rows(&table, "ACT cost "), |cost| format!("act: {{cost: {cost}, requires: {{}}}}"));
}

#[test]
fn results() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    for name in ["Resources", "WithRandomVector"] {
        let prefix = format!("ACT {name} {{");
        compare(name, rows(&table, &prefix), |inner| {
            format!("act: {{cost: {{}}, requires: {{}}, consequences: [{{result: {{{name}: {{{inner}}}}}]}}")
        });
    }
}

#[test]
fn filters() {
    let Some(table) = recorded("engine_filter_parsing.txt") else { return };
    let table: String =
        table.lines().filter_map(|line| line.split_once(" => ")).map(|(_, row)| format!("{row}\n")).collect();
    let (mut total, mut mismatches) = (0, Vec::new());
    for (filter, recorded) in rows(&table, "ACT requires") {
        let act = format!("act:\n    cost: {{}}\n    requires:{}", filter.replace("\\n", "\n"));
        let Some(game) = game(&acting(&act), Dialect::CAGE).game else { continue };
        total += 1;
        let found = outcome(&game, 0);
        // Only the part of the state that the filter reads was recorded.
        if found[..2] != recorded[..2] {
            mismatches.push(format!("{filter}: {found}, not {recorded}"));
        }
    }
    report("filters", total, &mismatches);
}

/// The sample games are compared turn by turn, without random choices.
#[test]
fn covid_turn_by_turn() {
    let (Some(text), Some(table)) = (recorded("games/Covid19.yaml"), recorded("engine_covid_and_vectors.txt")) else {
        return;
    };
    let game = game(&text, Dialect::CAGE).game.expect("a game");
    let (mut play, mut stream) = (Play::new(game.clone()), RandomStream::new(0, 0));
    let choose = |play: &Play, name: &str| {
        let choices = &play.game().teams[play.team().index()].choices;
        let choice = choices.iter().position(|choice| &*choice.name == name).expect("a choice");
        Move::Choose(ChoiceId(choice as u32), Vec::new())
    };
    let (mut total, mut mismatches) = (0, Vec::new());
    for row in table.lines().filter(|line| line.starts_with("turn ")) {
        let act = choose(&play, if total % 2 == 0 { "spread" } else { "social distancing" });
        play.act(&act, &mut stream, &ResultRegistry::default()).expect("a turn");
        play.advance();
        total += 1;
        let value = |node: &str, resource: &str| {
            let node = game.board.node_named(node).expect("a node");
            play.state().node(node).and_then(|node_state| node_state.values.get(resource)).expect("a value").to_string()
        };
        let found = format!(
            "turn {total} r0={} S={} I={} R={} D={} djia={} moves={}",
            value("disease", "r0"),
            value("population", "susceptible"),
            value("population", "infected"),
            value("population", "recovered"),
            value("population", "dead"),
            value("game", "djia"),
            value("game", "moves")
        );
        if found != row {
            mismatches.push(format!("{found}, not {row}"));
        }
    }
    report("turns of Covid19", total, &mismatches);
}
