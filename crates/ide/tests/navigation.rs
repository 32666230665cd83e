//! Definitions, references, hovers and signatures.

use std::path::Path;

use crate::common::{ACTIVITY, DOMAIN, GAME, PROBLEM, at_marker, describe, slice, workspace};

/// Returns where the name at the marker is declared.
fn definition(others: &[(&str, &str)], path: &str, text: &str) -> Option<String> {
    let (snapshot, path, offset) = at_marker(others, path, text);
    Some(describe(&snapshot, &snapshot.definition(path, offset)?))
}

#[test]
fn names_of_a_problem_lead_into_its_domain() {
    let in_domain = [("/w/domain.pddl", DOMAIN)];
    let problem = |text: &str| definition(&in_domain, "/w/p1.pddl", text);
    let at = |from: &str, to: &str| problem(&PROBLEM.replacen(from, to, 1));
    assert_eq!(at("(in red hall)", "($0in red hall)").as_deref(), Some("domain.pddl:7 in"));
    assert_eq!(at("(in red hall)", "(in red ha$0ll)").as_deref(), Some("domain.pddl:4 hall"));
    assert_eq!(at("(in red hall)", "(in red$0 hall)").as_deref(), Some("p1.pddl:2 red"));
    assert_eq!(at(":domain moving", ":domain $0moving").as_deref(), Some("domain.pddl:1 moving"));
    assert_eq!(at("- crate", "- crate$0").as_deref(), Some("domain.pddl:3 crate"));
    assert_eq!(at("(in ?b hall)", "(in $0?b hall)").as_deref(), Some("p1.pddl:4 ?b"));
}

#[test]
fn the_innermost_variable_counts() {
    let text = "(define (domain d) (:predicates (p ?x))
        (:action a :parameters (?x) :precondition (and (p ?x) (exists (?x) (p $0?x))) :effect (p ?x)))";
    let (snapshot, path, offset) = at_marker(&[], "/w/domain.pddl", text);
    let place = snapshot.definition(path, offset).expect("the variable is declared");
    assert!(snapshot.text(path).expect("it is open")[..place.start as usize].ends_with("(exists ("));
    assert_eq!(snapshot.highlights(path, offset).len(), 2);
}

#[test]
fn names_of_worlds_are_found_in_the_document() {
    let (snapshot, path, offset) = at_marker(&[], "/w/a.game", &GAME.replacen("(agent_holds", "($0agent_holds", 1));
    assert_eq!(snapshot.definition(path, offset), None);
    let found = snapshot.highlights(path, offset);
    let texts: Vec<String> = found.iter().map(|(range, _)| slice(&snapshot, path, range)).collect();
    assert_eq!(texts, ["agent_holds", "agent_holds"]);
}

#[test]
fn preferences_and_variables_of_games_are_local() {
    let game = |from: &str, to: &str| definition(&[], "/w/a.game", &GAME.replacen(from, to, 1));
    assert_eq!(game("(count stored", "(count $0stored").as_deref(), Some("a.game:4 stored"));
    assert_eq!(game("(open ?d", "(open $0?d").as_deref(), Some("a.game:3 ?d"));
    assert_eq!(game("stored:drawer", "stored:dra$0wer"), None);
}

#[test]
fn variables_and_instances_of_activities_are_told_apart() {
    let activity = |from: &str, to: &str| definition(&[], "/w/a.bddl", &ACTIVITY.replacen(from, to, 1));
    assert_eq!(activity("?table.n.02_1", "$0?table.n.02_1").as_deref(), Some("a.bddl:3 table.n.02_1"));
    assert_eq!(activity("(ontop ?cup", "(ontop $0?cup").as_deref(), Some("a.bddl:6 ?cup.n.01"));
}

#[test]
fn references_are_found_in_all_files() {
    let documents =
        [("/w/domain.pddl", DOMAIN), ("/w/p1.pddl", PROBLEM), ("/w/p2.pddl", PROBLEM), ("/other/p3.pddl", PROBLEM)];
    let snapshot = workspace(&documents).snapshot();
    let offset = DOMAIN.find("clear").expect("it is declared") as u32;
    let places = |with: bool| -> Vec<String> {
        let found = snapshot.references(Path::new("/w/domain.pddl"), offset, with);
        found.iter().map(|place| describe(&snapshot, place)).collect()
    };
    // The problem in another folder has no domain.
    assert_eq!(places(true), ["domain.pddl:8 clear", "domain.pddl:11 clear", "p1.pddl:3 clear", "p2.pddl:3 clear"]);
    assert_eq!(places(false).len(), 3);
}

#[test]
fn hovers_show_declarations_with_their_comments() {
    let hover = |others: &[(&str, &str)], path: &str, text: &str| {
        let (snapshot, path, offset) = at_marker(others, path, text);
        snapshot.hover(path, offset).expect("there is a name").markdown
    };
    let text = hover(&[("/w/domain.pddl", DOMAIN)], "/w/p.pddl", &PROBLEM.replacen("(in red", "($0in red", 1));
    assert!(text.starts_with("predicate `in`"), "{text}");
    assert!(text.contains("Where a box is.") && text.contains("(in ?b - box ?r - room)"), "{text}");
    let text = hover(&[], "/w/a.game", &GAME.replacen("- ball", "- ba$0ll", 1));
    assert!(text.contains("objects") && text.contains("supertypes"), "{text}");
    let text = hover(&[], "/w/a.game", &GAME.replacen("(agent_holds", "(agent$0_holds", 1));
    assert!(text.contains("of `few-objects-room-v1`") && text.contains("(agent_holds "), "{text}");
    let text = hover(&[], "/w/a.bddl", &ACTIVITY.replacen("(ontop cup", "(ontop $0cup", 1));
    assert!(text.contains("cup.n.01_1") && text.contains("type `cup.n.01`"), "{text}");
}

#[test]
fn signatures_show_the_active_parameter() {
    let problem = PROBLEM.replacen("(in red hall)", "(in red $0hall)", 1);
    let (snapshot, path, offset) = at_marker(&[("/w/domain.pddl", DOMAIN)], "/w/p.pddl", &problem);
    let signatures = snapshot.analysis(path).signatures(offset);
    assert_eq!(signatures.len(), 1);
    let signature = &signatures[0];
    assert_eq!((signature.label.as_str(), signature.active), ("(in ?b - box ?r - room)", Some(1)));
    let parameters: Vec<&str> = signature.parameters.iter().map(|range| &signature.label[range.clone()]).collect();
    assert_eq!(parameters, ["?b - box", "?r - room"]);
}
