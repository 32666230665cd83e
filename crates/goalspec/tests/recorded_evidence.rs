//! The evidence of recorded plays about the predicates of a world.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec::core::playback::Playback;
use goalspec::core::state::{ChangeSet, Delta};
use goalspec::core::world::World;
use goalspec::game_generation::recorded_evidence::record;
use goalspec::game_generation::{GameGeneration, games_of, only_world};
use goalspec::generation::fitness::FitnessModel;
use goalspec::generation::game::evidence::PlayEvidence;
use goalspec::generation::game::evidence::recording::EvidenceRecorder;
use goalspec::generation::game::features::names::Feature;
use goalspec::generation::game::generator::GeneratorOptions;
use goalspec::library::{Library, LibraryOptions};
use goalspec::trace::{LookaheadReader, TraceInput};
use serde_json::{Value, json};

fn open(path: &Path) -> (TraceInput, Arc<World>) {
    let (input, world) = goalspec::traces::open(path, None).unwrap_or_else(|error| panic!("{}", error.message));
    (input, world.world)
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/game").join(name)
}

/// Returns the evidence of a play whose predicates are all looked up in every state.
fn looked_up_everywhere((input, world): &(TraceInput, Arc<World>)) -> PlayEvidence {
    let mut reader = LookaheadReader::new(goalspec::traces::read(input, world, false).expect("a play"));
    let mut recorder = EvidenceRecorder::new(world);
    let mut playback = Playback::new(Arc::clone(world));
    let mut delta = Delta::default();
    let everything = ChangeSet { all: true, ..ChangeSet::default() };
    while let Some(last) = reader.next(&mut delta).expect("a state") {
        playback.advance(&delta);
        let mut update = playback.update(&delta, last);
        update.changes = &everything;
        recorder.observe(&update);
    }
    recorder.finish()
}

#[test]
fn a_table_lists_predicates_that_held_in_some_state() {
    let play = open(&example("play.jsonl"));
    let recorded = record(std::slice::from_ref(&play), &|_| {});
    assert!(recorded.diagnostics.is_empty() && recorded.notes.is_empty());
    let document = recorded.evidence.json();
    let has = |row: &Value| document["triples"].as_array().expect("a list").contains(row);
    assert!(has(&json!(["agent_holds", "dodgeball_pink", null])), "{document:#}");
    assert!(has(&json!(["in", "hexagonal_bin", "dodgeball_pink"])), "{document:#}");
    assert!(!has(&json!(["in", "dodgeball_pink", "hexagonal_bin"])));
    assert!(!has(&json!(["agent_holds", "bed", null])));
    let examined = document["predicates"].as_array().expect("a list");
    assert!(examined.contains(&json!("agent_holds")) && examined.contains(&json!("on")));
    // Predicates of types and of three objects have no rows that could be looked up.
    assert!(!examined.contains(&json!("same_type")) && !examined.contains(&json!("between")));
    // The play does not record what is open, and has no setup.
    assert!(!examined.contains(&json!("open")) && !examined.contains(&json!("is_setup_object")));
    for text in [document.to_string(), recorded.evidence.text()] {
        assert_eq!(PlayEvidence::from_json(&text).as_ref(), Ok(&recorded.evidence));
    }
}

#[test]
fn unchanged_predicates_need_no_lookup() {
    let plays = ["play.jsonl", "build.jsonl"].map(|name| open(&example(name)));
    for play in &plays {
        assert_eq!(record(std::slice::from_ref(play), &|_| {}).evidence, looked_up_everywhere(play));
    }
    let mut all = looked_up_everywhere(&plays[0]);
    all.merge(looked_up_everywhere(&plays[1]));
    let recorded = record(&plays, &|_| {});
    assert_eq!((recorded.plays, recorded.evidence), (2, all));
}

#[test]
fn a_predicate_that_was_looked_up_without_a_row_is_not_shown() {
    let source = "(define (game stack) (:domain many-objects-room-v1)
        (:constraints (and (preference p (exists (?a ?b - block) (at-end (on ?a ?b)))))) (:scoring (count p)))";
    let library = Library::from_texts([("stack.game", source)], LibraryOptions::default());
    let games = games_of(&library);
    let world = only_world(&games).expect("a world");
    let mut generation = GameGeneration::new(&world, &games, &GeneratorOptions::default()).expect("a generator");
    let tree = generation.read(&games[0]).expect("a tree");
    let shown = |table: &str| {
        let mut judge = generation.judge(FitnessModel::plain());
        judge.evidence = Some(generation.evidence(&PlayEvidence::from_json(table).expect("a table")));
        let features = judge.evaluate(generation.generator(), &tree).features;
        features.get(Feature::PredicatesPlayed)
    };
    assert!(shown(r#"{"triples": []}"#) > 0.5);
    assert!(shown(r#"{"predicates": ["on"], "triples": []}"#) < 0.5);
    assert!(shown(r#"{"predicates": ["on"], "triples": [["on", "bed", "block"]]}"#) < 0.5);
    assert!(shown(r#"{"predicates": ["on"], "triples": [["on", "cube_block", "bridge_block"]]}"#) > 0.5);
    let error = PlayEvidence::from_json(r#"{"predicates": [1], "triples": []}"#).expect_err("no names");
    assert_eq!(error.to_string(), "expected names in the list `predicates`");
}
