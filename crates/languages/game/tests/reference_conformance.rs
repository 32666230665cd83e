//! Conformance with recorded results of the authors' implementation on its games and recorded plays, row by row.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use goalspec_core::monitor::{GameReport, Satisfaction};
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_game::ast::Game;
use goalspec_game::reference::RewardMachine;
use goalspec_game::{parse, worlds};
use goalspec_trace::{LookaheadReader, ReadOptions};
use serde_json::Value;

use crate::common;

fn game(folder: &Path, name: &str) -> Game {
    let path = folder.join("games").join(format!("{name}.txt"));
    let text = fs::read_to_string(path).expect("the game can be read");
    let parsed = parse::parse(&goalspec_testing::texts::source(name, &text));
    parsed.games.into_iter().next().expect("there is a game")
}

/// Returns the states of a recorded play.
fn deltas(folder: &Path, trace: &str, world: &World) -> Vec<Delta> {
    let path = folder.join("traces").join(format!("{trace}.json.gz"));
    let file = File::open(path).expect("the play can be opened");
    let reader = goalspec_trace::from_reader(file, world, &ReadOptions::default()).expect("it is a play of this world");
    let mut reader = LookaheadReader::new(reader);
    let mut deltas = Vec::new();
    let mut delta = Delta::default();
    while reader.next(&mut delta).expect("the play is sound").is_some() {
        deltas.push(delta.clone());
    }
    deltas
}

/// Runs a game with the last state announced and not announced, and asserts that the reports are equal.
fn play(game: &Game, world: &World, deltas: &[Delta]) -> GameReport {
    let run = |last_announced| common::play::run(world, deltas, &mut RewardMachine::new(game, world), last_announced);
    let report = run(true);
    assert_eq!(report, run(false));
    report
}

/// Renders a satisfaction in the format of the recorded results, with members in order.
fn written(world: &World, satisfaction: &Satisfaction) -> String {
    let mut mapping: Vec<String> =
        satisfaction.binding.iter().map(|(name, object)| format!("{name}={}", world.object_decl(*object).id)).collect();
    mapping.sort();
    let measures: Vec<String> =
        satisfaction.measures.iter().map(|(name, value)| format!("{name}={value:.10}")).collect();
    format!("{}..{} {} {}", satisfaction.start, satisfaction.end, mapping.join(" "), measures.join(" "))
}

fn recorded(satisfaction: &Value) -> String {
    let members = |name: &str| satisfaction[name].as_object().expect("an object").iter();
    let mut mapping: Vec<String> =
        members("mapping").map(|(name, object)| format!("{name}={}", object.as_str().expect("a text"))).collect();
    mapping.sort();
    let measures: Vec<String> =
        members("measures").map(|(name, value)| format!("{name}={:.10}", value.as_f64().expect("a number"))).collect();
    format!("{}..{} {} {}", satisfaction["start"], satisfaction["end"], mapping.join(" "), measures.join(" "))
}

/// Returns the differences between the report and the recorded score and satisfactions. `complete` is whether the recorded list is
/// exhaustive.
fn differences(
    world: &World,
    report: &GameReport,
    score: &Value,
    satisfactions: &Value,
    complete: bool,
) -> Vec<String> {
    let mut mismatches = Vec::new();
    let expected_score = score.as_f64().expect("a score");
    match &report.score {
        Ok(score) if (score - expected_score).abs() <= 1e-9 * expected_score.abs().max(1.0) => {}
        other => mismatches.push(format!("score {other:?}, not {expected_score}")),
    }
    for (name, expected) in satisfactions.as_object().expect("satisfactions by preference") {
        let Some(preference) = report.preferences.iter().find(|preference| *preference.name == **name) else {
            mismatches.push(format!("no preference {name}"));
            continue;
        };
        let mut missing: Vec<String> = expected.as_array().expect("a list").iter().map(recorded).collect();
        let mut unexpected = Vec::new();
        for found in preference.satisfactions.iter().map(|satisfaction| written(world, satisfaction)) {
            match missing.iter().position(|line| *line == found) {
                Some(at) => drop(missing.swap_remove(at)),
                None => unexpected.push(found),
            }
        }
        let note = |kind: &str, lines: Vec<String>| {
            lines.into_iter().take(4).map(|line| format!("{name}: {kind} {line}")).collect::<Vec<_>>()
        };
        mismatches.extend(note("missing", missing));
        if complete {
            mismatches.extend(note("surplus", unexpected));
        }
    }
    mismatches
}

fn rows(path: PathBuf) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("the rows can be read");
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

fn text<'a>(row: &'a Value, member: &str) -> &'a str {
    row[member].as_str().expect("a text")
}

#[test]
fn every_recorded_score_is_reproduced() {
    let Some(folder) = common::conformance() else { return };
    let (mut mismatches, mut equal) = (Vec::new(), 0);
    let mut last: Option<(String, &World, Vec<Delta>)> = None;
    for row in rows(folder.join("expected/reference_scores.jsonl")) {
        let (name, trace) = (text(&row, "game"), text(&row, "trace"));
        let game = game(&folder, name);
        let world = worlds::builtin(&game.domain.text).expect("a room");
        if last.as_ref().is_none_or(|(known, room, _)| known != trace || room.name() != world.name()) {
            last = Some((trace.to_owned(), world, deltas(&folder, trace, world)));
        }
        let Some((_, _, deltas)) = &last else { unreachable!("just read") };
        let report = play(&game, world, deltas);
        let mut found = Vec::new();
        if row["error"].is_string() {
            if report.score.is_ok() {
                found.push(format!("score {:?}, not the error {}", report.score, row["error"]));
            }
        } else {
            found = differences(world, &report, &row["score"], &row["satisfactions"], true);
            let facts = (report.states, report.setup_met);
            let expected = (row["states_processed"].as_u64().expect("a number"), row["setup_met"] == true);
            if facts != expected {
                found.push(format!("states and setup {facts:?}, not {expected:?}"));
            }
        }
        equal += usize::from(found.is_empty());
        mismatches.extend(found.into_iter().map(|line| format!("{name} on {trace}: {line}")));
    }
    assert!(mismatches.is_empty(), "{equal} rows are the same; not so:\n{}", mismatches.join("\n"));
    assert_eq!(equal, 144);
}

#[test]
fn every_case_of_the_authors_tests_is_reproduced() {
    let games = [
        ("test-building-in-bin", "building_in_bin"),
        ("test-building-touches-wall", "building_touches_wall"),
        ("test-external-scoring", "throw_external_maximize"),
        ("test-count-unique-positions", "throw_to_bin_unique_positions"),
        ("test-count-overlapping", "building_count_overlapping"),
        ("test-agent-adjacent", "test_agent_door_adjacent"),
        ("throw-block-cache-test", "throw_with_stacked_blocks"),
        ("test-ball-from-bed", "ball_to_bin_from_bed"),
    ];
    let Some(folder) = common::conformance() else { return };
    let text_of = fs::read_to_string(folder.join("expected/authors_tests.json")).expect("the cases can be read");
    let cases: Vec<Value> = serde_json::from_str(&text_of).expect("the cases are JSON");
    let mut mismatches = Vec::new();
    assert_eq!(cases.len(), games.len());
    for case in cases {
        let test = text(&case, "test");
        let (_, name) = games.iter().find(|(known, _)| *known == test).expect("a known test");
        let game = game(&folder, name);
        let world = worlds::builtin(&game.domain.text).expect("a room");
        let deltas = deltas(&folder, text(&case, "trace").trim_end_matches(".json"), world);
        let report = play(&game, world, &deltas);
        let complete = case["complete_list"] == true;
        let found = differences(world, &report, &case["expected_score"], &case["expected_satisfactions"], complete);
        mismatches.extend(found.into_iter().map(|line| format!("{test}: {line}")));
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
}
