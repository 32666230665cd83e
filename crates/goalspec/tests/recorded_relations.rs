//! Relations in the last states of real recordings, compared with the relations that the authors' implementation found there.
//!
//! Only relations with the same definition in both are compared. The authors' values are up to date only in the last state.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fixedbitset::FixedBitSet;
use goalspec_core::evaluate::Context;
use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::GameMonitor;
use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::world::{Argument, World};
use goalspec_game::Dialect;
use goalspec_monitor::{CompiledGame, RunOptions};
use goalspec_syntax::Sources;
use goalspec_trace::{ReadOptions, TraceReader};
use serde_json::Value;

/// The terms of a predicate: variables with their types, or objects.
type Terms = [(&'static str, &'static str)];

/// The game, the preference whose entire condition is one predicate, that predicate, and its terms.
const RELATIONS: [(&str, &str, &str, &Terms); 4] = [
    ("building_base", "blockInBuildingAtEnd", "in", &[("?b", "building"), ("?l", "block")]),
    ("adjacent_at_end", "objectsAdjacent", "adjacent", &[("?g", "ball"), ("?g2", "ball")]),
    (
        "adjacent_at_end",
        "objectsBetween",
        "between",
        &[("?g", "dodgeball"), ("?g2", "dodgeball"), ("?g3", "dodgeball")],
    ),
    ("adjacent_at_end", "objectOnFloor", "on", &[("floor", "floor"), ("?g", "game_object")]),
];

fn conformance() -> Option<PathBuf> {
    let from_environment = std::env::var_os("GOALSPEC_CONFORMANCE").map(PathBuf::from);
    let found = from_environment.or_else(|| {
        let start = Path::new(env!("CARGO_MANIFEST_DIR"));
        start.ancestors().map(|folder| folder.join("../shared/conformance")).find(|folder| folder.is_dir())
    });
    if found.is_none() {
        eprintln!("skipped: there is no conformance data on this machine");
    }
    found.map(|folder| folder.join("game"))
}

/// Plays back a whole recording.
fn play(path: &Path, world: &World) -> Playback {
    let mut reader = goalspec_trace::open(path, world, &ReadOptions::default()).unwrap();
    let (mut playback, mut delta) = (Playback::new(world.clone()), Delta::default());
    while reader.next(&mut delta).unwrap() {
        playback.advance(&delta);
    }
    playback
}

/// Returns every tuple of distinct objects, one of each type.
fn tuples(world: &World, terms: &Terms) -> Vec<Vec<ObjectId>> {
    terms.iter().fold(vec![Vec::new()], |tuples, (_, of)| {
        let members = world.members(world.type_named(of).unwrap());
        let longer =
            tuples.iter().flat_map(|tuple| members.iter().map(move |&one| [tuple.as_slice(), &[one]].concat()));
        longer.filter(|tuple| !tuple[..tuple.len() - 1].contains(tuple.last().unwrap())).collect()
    })
}

#[test]
fn relations_in_the_last_state_are_those_of_the_authors() {
    let Some(folder) = conformance() else { return };
    let rows = std::fs::read_to_string(folder.join("expected/reference_scores.jsonl")).unwrap();
    let mut compared = 0;
    for row in rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        for (game, preference, predicate, terms) in RELATIONS {
            let Some(satisfactions) = row["satisfactions"][preference].as_array() else { continue };
            if row["game"] != game {
                continue;
            }
            let name = |object: ObjectId, world: &World| world.object_decl(object).id.to_string();
            let trace = row["trace"].as_str().unwrap();
            let world = goalspec_game::worlds::builtin(row["domain"].as_str().unwrap()).unwrap();
            let expected: BTreeSet<Vec<String>> = satisfactions
                .iter()
                .map(|one| {
                    terms.iter().filter_map(|(term, _)| Some(one["mapping"][term].as_str()?.to_owned())).collect()
                })
                .collect();

            let playback = play(&folder.join(format!("traces/{trace}.json.gz")), world);
            let setup = FixedBitSet::new();
            let state = playback.state();
            let ctx = Context { world, state, first: false, last: true, setup_objects: &setup, work: None };
            let predicate = world.predicate_named(predicate).unwrap();
            let holds = |tuple: &Vec<ObjectId>| {
                let arguments: Vec<Argument> = tuple.iter().map(|&object| object.into()).collect();
                ctx.holds(predicate, &arguments) == Some(true)
            };
            let found: BTreeSet<Vec<String>> = tuples(world, terms)
                .iter()
                .filter(|tuple| holds(tuple))
                .map(|tuple| tuple.iter().map(|&object| name(object, world)).collect())
                .collect();
            assert_eq!(found, expected, "{preference} in {trace}");
            assert!(playback.remarks().is_empty());
            compared += expected.len();
        }
    }
    // The recordings have more than this number of satisfactions of these preferences.
    assert!(compared > 100, "{compared}");
}

/// Returns the score of a game over a recording, computed by the fast engine.
fn score(folder: &Path, game: &str, trace: &str, dialect: Dialect) -> f64 {
    let mut sources = Sources::new();
    let text = std::fs::read_to_string(folder.join(format!("games/{game}.txt"))).unwrap();
    let id = sources.add(game, text);
    let checked = goalspec_game::check(sources.file(id), dialect, |_| None);
    let [only] = &checked.games[..] else { panic!("one game is expected in {game}") };
    let (world, program) = (only.world.unwrap(), only.program.as_ref().unwrap());
    let mut engine = CompiledGame::new(world.clone(), program.clone()).unwrap().start(RunOptions::default());
    let path = folder.join(format!("traces/{trace}.json.gz"));
    let mut reader = goalspec_trace::open(&path, world, &ReadOptions::default()).unwrap();
    let (mut playback, mut delta) = (Playback::new(world.clone()), Delta::default());
    while reader.next(&mut delta).unwrap() {
        playback.advance(&delta);
        engine.step(&playback.update(&delta, false));
    }
    engine.finish(playback.state()).score.unwrap()
}

/// With a `hold` of at least one state, the number of throws is that of the authors' implementation. Without a minimum, an agent
/// who stands still with a ball counts as throwing it.
#[test]
fn throws_are_counted_as_by_the_authors() {
    let Some(folder) = conformance() else { return };
    let rows = std::fs::read_to_string(folder.join("expected/reference_scores.jsonl")).unwrap();
    let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let trace = "throw_all_dodgeballs-rerecorded";
    let mut rows = rows.filter(|row| row["game"] == "throw_external_maximize" && row["trace"] == trace);
    let expected = rows.next().unwrap()["score"].as_f64().unwrap();
    let (formal, prose) = (Dialect::FORMAL, Dialect::PROSE);
    assert!((score(&folder, "throw_external_maximize", trace, formal) - expected).abs() < 1e-9);
    assert!(score(&folder, "throw_external_maximize", trace, prose) > 10.0 * expected);
}
