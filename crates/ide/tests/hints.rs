//! Numbers that programs imply.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use goalspec_ide::Snapshot;

use crate::common::{ACTIVITY, DOMAIN, GAME, PROBLEM, workspace};

/// Returns the hints of a document, each after the last word before it.
fn hints(documents: &[(&str, &str)], path: &str) -> Vec<String> {
    let snapshot = workspace(documents).snapshot();
    let text = snapshot.text(Path::new(path)).expect("it is open");
    let found = snapshot.analysis(Path::new(path)).hints(&(0..text.len() as u32));
    assert!(found.iter().all(|hint| !hint.tooltip.is_empty()));
    let word = |offset: u32| text[..offset as usize].rsplit([' ', '\n']).next().expect("a word").to_owned();
    found.iter().map(|hint| format!("{} {}", word(hint.offset), hint.label)).collect()
}

#[test]
fn quantifiers_have_the_number_of_their_bindings() {
    let found = hints(&[("/w/a.game", GAME)], "/w/a.game");
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("drawer) ") && found[1].starts_with("ball) "), "{found:?}");
    let unknown = GAME.replace("- drawer", "- unicorn");
    assert_eq!(hints(&[("/w/a.game", &unknown)], "/w/a.game").len(), 2);
}

#[test]
fn types_of_a_problem_have_the_number_of_their_objects() {
    let found = hints(&[("/w/domain.pddl", DOMAIN), ("/w/p.pddl", PROBLEM)], "/w/p.pddl");
    // The domain has a room, and a crate is a box.
    assert_eq!(found, ["room 2 objects", "crate 1 object", "box 2 objects"]);
}

#[test]
fn odds_have_the_probability_of_their_consequence() {
    let text = include_str!("../../../examples/rgg/climb.yaml");
    let found = hints(&[("/w/climb.rgg.yaml", text)], "/w/climb.rgg.yaml");
    assert_eq!(found, ["climb 80 %", "0.8 10 %"]);
}

#[test]
fn goals_have_the_number_of_their_options() {
    let snapshot: Snapshot = workspace(&[("/w/a.bddl", ACTIVITY)]).snapshot();
    let found = snapshot.slow_hints(Path::new("/w/a.bddl"), &AtomicBool::new(false));
    let labels: Vec<&str> = found.iter().map(|hint| hint.label.as_str()).collect();
    assert_eq!(labels, ["1 option"]);
    assert_eq!(snapshot.slow_hints(Path::new("/w/a.bddl"), &AtomicBool::new(true)), []);
}

#[test]
fn broken_documents_have_no_hints() {
    for text in ["", "(define (game", "teams: [", "(define (problem p) (:objects - "] {
        for path in ["/w/a.game", "/w/a.rgg.yaml", "/w/p.pddl"] {
            assert_eq!(hints(&[(path, text)], path), Vec::<String>::new(), "{path}: {text}");
        }
    }
}
