//! Each repair, on a game before an edit and after it.

use std::collections::BTreeSet;

use goalspec_game::parse::parse;
use goalspec_game::worlds;
use goalspec_generator::RandomStream;
use goalspec_generator::grammar::Symbol;
use goalspec_generator::tree::Tree;
use goalspec_syntax::Sources;

use super::{Edit, repair};
use crate::game::generator::{GameGenerator, GeneratorOptions};
use crate::game::rules::Rule;
use crate::game::untyped::{FailedDraw, PUBLISHED_LIMITS, UntypedSampler};

/// The number of streams with which each edit is repaired, so that all choices occur.
const STREAMS: u64 = 200;

/// A game whose names are those that the sampler draws: the variables `?a` to `?e` and the preferences `p` to `s`.
const NAMES: [&str; 2] = [
    "(and (preference p (exists (?a ?b ?c ?d ?e - ball) (at-end (and (in ?a ?b) (in ?c ?d) (on ?e ?a)))))
      (preference q (at-end (open desk))) (preference r (at-end (open desk))) (preference s (at-end (open desk))))",
    "(count p)",
];

/// Returns the text of a game with these constraints and this score.
fn game([constraints, score]: [&str; 2]) -> String {
    format!("(define (game g) (:domain many-objects-room-v1) (:constraints {constraints}) (:scoring {score}))")
}

/// Returns the parts of a game with one preference `p`, of which this is the body.
fn preference(body: &str) -> [String; 2] {
    [format!("(and (preference p {body}))"), "(count p)".to_owned()]
}

/// Returns the text of a game inside of its sections, on one line.
fn sections(text: &str) -> String {
    let (_, sections) = text.split_once("(:constraints ").expect("constraints");
    let sections = sections.split_whitespace().collect::<Vec<_>>().join(" ");
    sections.replacen(") (:scoring ", " | ", 1).trim_end_matches("))").to_owned()
}

fn entries_in_common<'t>(one: impl Iterator<Item = Symbol>, other: impl Iterator<Item = &'t Symbol>) -> usize {
    one.zip(other).take_while(|(one, other)| one == *other).count()
}

/// Returns the entries in which an edited game differs from the game before, and the preferences that are missing from it.
fn edit(before: &Tree, edited: &Tree) -> Edit {
    let symbols = |tree: &Tree| -> Vec<Symbol> { tree.entries().iter().map(|entry| entry.symbol).collect() };
    let (old, new) = (symbols(before), symbols(edited));
    let first = entries_in_common(old.iter().copied(), new.iter());
    let rest = old.len().min(new.len()) - first;
    let last = entries_in_common(old.iter().rev().copied(), new.iter().rev()).min(rest);
    let names = |tree: &Tree, entries: std::ops::Range<usize>| -> Vec<Symbol> {
        let names = entries.filter(|&entry| entry > 0 && tree.symbol(entry - 1) == Rule::Preference.symbol());
        names.map(|entry| tree.symbol(entry)).collect()
    };
    Edit { new: first..new.len() - last, removed: names(before, first..old.len() - last) }
}

/// Returns the sections of all repaired games that an edit yields, and the reasons of failed repairs.
fn repaired(before: [&str; 2], edited: [&str; 2]) -> (BTreeSet<String>, BTreeSet<FailedDraw>) {
    let mut sources = Sources::new();
    let [before, edited, names] = [before, edited, NAMES].map(|parts| {
        let id = sources.add("test", game(parts));
        parse(sources.file(id)).games.into_iter().next().expect("a game")
    });
    let world = worlds::builtin("many-objects-room-v1").expect("a room");
    let (mut generator, _) = GameGenerator::new(world, &[&names], &GeneratorOptions::default()).expect("a generator");
    let [before, edited] = [before, edited].map(|game| generator.read(&game).expect("a game of the grammar"));
    let edit = edit(&before, &edited);
    let sampler = UntypedSampler::new(&generator, 2.0, PUBLISHED_LIMITS);
    let (mut games, mut failures) = (BTreeSet::new(), BTreeSet::new());
    for index in 0..STREAMS {
        let mut tree = edited.clone();
        match repair(&sampler, &mut tree, &edit, &mut RandomStream::new(1, index)) {
            Ok(()) => _ = games.insert(sections(&generator.text(&tree, "g"))),
            Err(failure) => _ = failures.insert(failure),
        }
    }
    (games, failures)
}

/// Asserts that an edit yields exactly these repaired games.
#[track_caller]
fn assert_repaired(before: [&str; 2], edited: [&str; 2], expected: &[[&str; 2]]) {
    let (games, failures) = repaired(before, edited);
    let expected: BTreeSet<String> = expected.iter().map(|parts| sections(&game(*parts))).collect();
    assert_eq!(games, expected);
    assert!(failures.is_empty(), "{failures:?}");
}

/// Asserts that an edit of the body of a preference yields exactly these bodies.
#[track_caller]
fn assert_body_repaired(before: &str, edited: &str, expected: &[&str]) {
    let [before, edited] = [before, edited].map(preference);
    let expected: Vec<[String; 2]> = expected.iter().map(|body| preference(body)).collect();
    let expected: Vec<[&str; 2]> = expected.iter().map(|parts| parts.each_ref().map(|part| &**part)).collect();
    let [before, edited] = [&before, &edited].map(|parts| parts.each_ref().map(|part| &**part));
    assert_repaired(before, edited, &expected);
}

/// Asserts that every repair of an edit fails for one reason.
#[track_caller]
fn assert_failed(before: [&str; 2], edited: [&str; 2], expected: FailedDraw) {
    let (games, failures) = repaired(before, edited);
    assert!(games.is_empty(), "{games:?}");
    assert_eq!(failures, BTreeSet::from([expected]));
}

#[test]
fn a_game_without_an_edit_is_kept() {
    assert_repaired(NAMES, NAMES, &[NAMES]);
}

#[test]
fn a_declaration_of_a_name_in_scope_is_renamed_with_its_uses() {
    assert_body_repaired(
        "(exists (?a - ball ?b - bin) (at-end (and (in ?b ?a) (exists (?c ?d - block) (on ?c ?d)) (in ?b ?a))))",
        "(exists (?a - ball ?b - bin) (at-end (and (in ?b ?a) (exists (?a ?d - block) (on ?a ?d)) (in ?b ?a))))",
        &[
            "(exists (?a - ball ?b - bin) (at-end (and (in ?b ?a) (exists (?c ?d - block) (on ?c ?d)) (in ?b ?a))))",
            "(exists (?a - ball ?b - bin) (at-end (and (in ?b ?a) (exists (?e ?d - block) (on ?e ?d)) (in ?b ?a))))",
        ],
    );
}

#[test]
fn a_new_outer_declaration_renames_an_inner_one() {
    assert_body_repaired(
        "(exists (?a ?b - ball) (at-end (and (on ?a ?b) (exists (?c ?d ?e - block) (and (on ?c ?d) (on ?e ?a))))))",
        "(exists (?c ?b - ball) (at-end (and (on ?c ?b) (exists (?c ?d ?e - block) (and (on ?c ?d) (on ?e ?c))))))",
        &["(exists (?c ?b - ball) (at-end (and (on ?c ?b) (exists (?a ?d ?e - block) (and (on ?a ?d) (on ?e ?a))))))"],
    );
}

#[test]
fn a_colour_that_is_declared_again_takes_the_next_name() {
    assert_body_repaired(
        "(exists (?x - color ?a - ball) (at-end (and (same_color ?a ?x) (exists (?c - block) (on ?c ?a)))))",
        "(exists (?x - color ?a - ball) (at-end (and (same_color ?a ?x) (exists (?x - color ?c - block) (and (on ?c ?a) (same_color ?c ?x))))))",
        &[
            "(exists (?x - color ?a - ball) (at-end (and (same_color ?a ?x) (exists (?x0 - color ?c - block) (and (on ?c ?a) (same_color ?c ?x0))))))",
        ],
    );
}

#[test]
fn a_declaration_fails_if_no_name_is_left() {
    assert_failed(
        ["(and (preference p (exists (?a ?b ?c ?d ?e - ball) (at-end (in ?a ?b)))))", "(count p)"],
        ["(and (preference p (exists (?a ?b ?c ?d ?e - ball) (at-end (exists (?a - ball) (in ?a ?b))))))", "(count p)"],
        FailedDraw::Variable,
    );
}

#[test]
fn uses_of_a_variable_out_of_scope_become_one_variable_in_scope() {
    let body = |name: &str| {
        format!("(exists (?d ?e - ball) (at-end (and (agent_holds {name}) (on ?d ?e) (in_motion {name}))))")
    };
    assert_body_repaired(
        "(exists (?a ?b - ball) (at-end (and (agent_holds ?c) (on ?d ?e) (in_motion ?c))))",
        &body("?c"),
        &[&body("?d"), &body("?e")],
    );
}

#[test]
fn a_replacement_holds_inside_the_quantifier_that_declares_it() {
    let parts = |one: &str, inner: &str, other: &str| {
        let first =
            format!("(and (on ?d ?e) (exists (?b - block) (and (on ?b ?e) (in_motion {inner}))) (in_motion {one}))");
        let second = format!("(and (on ?d ?e) (in_motion {other}))");
        let preference =
            |name: &str, body: &str| format!("(preference {name} (exists (?d ?e - ball) (at-end {body})))");
        format!("(and {} {})", preference("p", &first), preference("q", &second))
    };
    let score = "(+ (count p) (count q))";
    let outside = ["?d", "?e"];
    let replaced = |one, inner: &[&str]| -> Vec<String> {
        inner.iter().flat_map(|inner| outside.map(|other| parts(one, inner, other))).collect()
    };
    // Inside the inner quantifier, the name may also stand for its variable. Each preference has a choice of its own.
    let expected = [replaced("?d", &["?d", "?b"]), replaced("?e", &["?e", "?b"])].concat();
    let expected: Vec<[&str; 2]> = expected.iter().map(|constraints| [&**constraints, score]).collect();
    assert_repaired([&parts("?c", "?b", "?c"), score], [&parts("?c", "?c", "?c"), score], &expected);
}

#[test]
fn a_use_fails_if_no_variable_is_in_scope() {
    assert_failed(
        ["(and (preference p (exists (?a - ball) (at-end (in_motion ?a)))))", "(count p)"],
        ["(and (preference p (at-end (in_motion ?a))))", "(count p)"],
        FailedDraw::Variable,
    );
}

#[test]
fn an_unused_variable_takes_a_use_of_a_variable_with_several() {
    assert_body_repaired(
        "(exists (?a ?b ?c - ball) (at-end (and (in_motion ?a) (agent_holds ?a) (in_motion ?b) (in_motion ?c))))",
        "(exists (?a ?b ?c - ball) (at-end (and (in_motion ?a) (agent_holds ?a) (in_motion ?b) (open desk))))",
        &[
            "(exists (?a ?b ?c - ball) (at-end (and (in_motion ?c) (agent_holds ?a) (in_motion ?b) (open desk))))",
            "(exists (?a ?b ?c - ball) (at-end (and (in_motion ?a) (agent_holds ?c) (in_motion ?b) (open desk))))",
        ],
    );
}

#[test]
fn an_unused_variable_is_left_if_no_other_of_its_quantifier_has_several_uses() {
    // The variable of the outer quantifier has two uses.
    let body = "(exists (?a - ball) (at-end (and (in_motion ?a) (exists (?b ?c - ball) (on ?a ?b)))))";
    assert_body_repaired(
        "(exists (?a - ball) (at-end (and (in_motion ?a) (exists (?b ?c - ball) (on ?c ?b)))))",
        body,
        &[body],
    );
}

#[test]
fn a_predicate_of_one_variable_takes_another_in_scope() {
    assert_body_repaired(
        "(exists (?a ?b - ball) (at-end (and (on ?a ?b) (in_motion ?b) (in_motion ?a))))",
        "(exists (?a ?b - ball) (at-end (and (on ?a ?a) (in_motion ?b) (in_motion ?a))))",
        &[
            "(exists (?a ?b - ball) (at-end (and (on ?b ?a) (in_motion ?b) (in_motion ?a))))",
            "(exists (?a ?b - ball) (at-end (and (on ?a ?b) (in_motion ?b) (in_motion ?a))))",
        ],
    );
}

#[test]
fn a_predicate_of_the_only_variable_is_left() {
    let body = "(exists (?a - ball) (at-end (on ?a ?a)))";
    assert_body_repaired("(exists (?a - ball) (at-end (on ?a bed)))", body, &[body]);
}

#[test]
fn the_second_preference_of_a_name_is_renamed_and_counted() {
    let parts = |name: &str| {
        format!(
            "(and (preference p (at-end (open desk))) (preference {name} (at-end (open door))) (preference r (at-end (open bed))))"
        )
    };
    let edited = parts("p");
    let mut expected = Vec::new();
    for name in ["q", "s"] {
        for score in
            [format!("(+ (count {name}) (count p) (count r))"), format!("(+ (count p) (count {name}) (count r))")]
        {
            expected.push([parts(name), score]);
        }
    }
    let expected: Vec<[&str; 2]> = expected.iter().map(|parts| parts.each_ref().map(|part| &**part)).collect();
    let score = "(+ (count p) (count p) (count r))";
    // The definitions are equal in the game before, too.
    assert_repaired([&edited, score], [&edited, score], &expected);
}

#[test]
fn a_count_of_an_undefined_preference_becomes_a_count_of_a_new_one() {
    let before = "(and (preference p (at-end (open desk))) (preference q (at-end (open door))))";
    let edited = "(and (preference p (at-end (open desk))) (preference r (at-end (open bed))))";
    assert_repaired(
        [before, "(+ (count p) (count-once q) (count q))"],
        [edited, "(+ (count p) (count-once q) (count q))"],
        // Once the new preference is counted, any is.
        &[[edited, "(+ (count p) (count-once r) (count r))"], [edited, "(+ (count p) (count-once r) (count p))"]],
    );
}

#[test]
fn a_count_of_a_removed_preference_becomes_a_count_of_a_new_one_even_if_the_name_is_defined() {
    let before = "(and (preference p (at-end (open desk))) (preference p (at-end (open door))))";
    let edited = "(and (preference p (at-end (open desk))) (preference r (at-end (open bed))))";
    assert_repaired([before, "(count p)"], [edited, "(count p)"], &[[edited, "(count r)"]]);
}

#[test]
fn a_new_preference_takes_a_count_of_one_with_several() {
    let before = "(and (preference p (at-end (open desk))) (preference q (at-end (open door))))";
    let edited = "(and (preference p (at-end (open desk))) (preference q (at-end (open door))) (preference r (at-end (open bed))))";
    assert_repaired(
        [before, "(+ (count p) (count-once p) (count q))"],
        [edited, "(+ (count p) (count-once p) (count q))"],
        &[[edited, "(+ (count r) (count-once p) (count q))"], [edited, "(+ (count p) (count-once r) (count q))"]],
    );
}

#[test]
fn a_new_preference_fails_if_no_other_is_counted_more_than_once() {
    let before = "(and (preference p (at-end (open desk))))";
    let edited = "(and (preference p (at-end (open desk))) (preference r (at-end (open bed))))";
    assert_failed([before, "(count p)"], [edited, "(count p)"], FailedDraw::Uncounted);
}

#[test]
fn an_old_preference_without_a_count_is_left() {
    let before = "(and (preference p (at-end (open desk))) (preference q (at-end (open door))))";
    let after = [before, "(+ (count p) (count-once p))"];
    assert_repaired([before, "(+ (count p) (count-once q))"], after, &[after]);
}

#[test]
fn the_types_of_a_count_are_kept() {
    let before = "(and (preference p (at-end (open desk))))";
    let edited = "(and (preference r (at-end (open door))))";
    assert_repaired([before, "(count p:ball:bed)"], [edited, "(count p:ball:bed)"], &[[edited, "(count r:ball:bed)"]]);
}
