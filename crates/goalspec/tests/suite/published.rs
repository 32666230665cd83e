//! Sequences with their minimal intervals, found by exhaustive search. They are published with the language and are not part of
//! this repository; the test is skipped without them.

use std::path::{Path, PathBuf};

use goalspec_core::monitor::GameReport;
use goalspec_core::playback::Playback;
use goalspec_core::program::Game;
use goalspec_core::state::{Delta, FactChange};
use goalspec_core::world::{World, WorldBuilder};
use goalspec_game::Dialect;
use goalspec_syntax::Sources;

use super::engines::{ENGINES, Engine};

/// Returns the folder of the published data, if it exists.
fn published() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let candidates = here.ancestors().map(|folder| folder.join("../shared/conformance"));
    let found = std::env::var_os("GOALSPEC_CONFORMANCE").map(PathBuf::from).into_iter().chain(candidates);
    found.into_iter().find(|folder| folder.join("game").is_dir())
}

/// Returns a world with a fact for each letter.
fn letters() -> World {
    let mut builder = WorldBuilder::new("letters");
    for letter in 'A'..='E' {
        builder.add_fact(letter.to_lowercase().to_string(), &[]);
    }
    builder.finish().expect("the world is well formed")
}

/// Returns a sequence such as `(once A) (hold B)` as a game.
fn game(world: &World, then: &str, dialect: Dialect) -> Game {
    // Operators are in lower case, so every capital is a letter.
    let body: String = then
        .chars()
        .map(
            |sign| {
                if sign.is_ascii_uppercase() { format!("({})", sign.to_ascii_lowercase()) } else { sign.to_string() }
            },
        )
        .collect();
    let text = format!(
        "(define (game published) (:domain letters)
            (:constraints (preference found (then {body}))) (:scoring (count found)))"
    );
    let mut sources = Sources::new();
    let id = sources.add("published", text);
    let parsed = goalspec_game::parse::parse(sources.file(id));
    let resolved = goalspec_game::resolve::resolve(&parsed.games[0], world, dialect);
    resolved.game.unwrap_or_else(|| panic!("{then}: {:?} {:?}", parsed.diagnostics, resolved.diagnostics))
}

fn play(world: &World, game: &Game, states: &[String], engine: Engine) -> GameReport {
    let mut monitor = engine(world, game).expect("one binding is within the limit");
    let mut playback = Playback::new(world.clone());
    for state in states {
        let fact = |letter: char| FactChange {
            predicate: world.predicate_named(&letter.to_lowercase().to_string()).expect("letters are facts"),
            arguments: Vec::new().into(),
            holds: state.contains(letter),
        };
        let delta = Delta { facts: ('A'..='E').map(fact).collect(), ..Delta::default() };
        playback.advance(&delta);
        monitor.step(&playback.update(&delta, false));
    }
    monitor.finish(playback.state())
}

#[test]
fn published_sequences_have_their_minimal_intervals_on_every_engine() {
    for (file, dialect) in [("then_formal.jsonl", Dialect::FORMAL), ("then_spec.jsonl", Dialect::PROSE)] {
        sequences_have_their_minimal_intervals(file, dialect);
    }
}

fn sequences_have_their_minimal_intervals(file: &str, dialect: Dialect) {
    let Some(folder) = published() else {
        println!("skipped: no published cases here");
        return;
    };
    let text = std::fs::read_to_string(folder.join("game/expected").join(file)).expect("the cases can be read");
    let world = letters();
    let mut cases = 0;
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let list = |key: &str| case[key].as_array().expect("a list").clone();
        let states: Vec<String> =
            list("states").iter().map(|state| state.as_str().expect("letters").to_owned()).collect();
        let minimal: Vec<(u64, u64)> = list("minimal")
            .iter()
            .map(|pair| (pair[0].as_u64().expect("a state"), pair[1].as_u64().expect("a state")))
            .collect();
        let game = game(&world, case["then"].as_str().expect("operators"), dialect);
        for (name, engine) in ENGINES {
            let report = play(&world, &game, &states, engine);
            let found = &report.preferences[0];
            let intervals: Vec<_> =
                found.satisfactions.iter().map(|satisfaction| (satisfaction.start, satisfaction.end)).collect();
            assert_eq!(intervals, minimal, "{file}, {name}: {line}");
            assert_eq!(Some(found.count), case["count"].as_u64(), "{file}, {name}: {line}");
        }
        cases += 1;
    }
    assert!(cases >= 647, "only {cases} cases were found in {file}");
}
