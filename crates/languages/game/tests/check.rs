//! Checks of complete source texts: which of their games can run.

use goalspec_game::{Dialect, check};

use crate::common;

/// Returns a game with one preference, in a room.
fn game(name: &str, domain: &str, condition: &str) -> String {
    format!(
        "(define (game {name}) (:domain {domain})\n\
         (:constraints (preference p (exists (?b - ball) (at-end {condition}))))\n\
         (:scoring (count p)))\n"
    )
}

#[test]
fn an_error_keeps_only_its_own_game_from_running() {
    let room = "medium-objects-room-v1";
    let text = [
        game("good", room, "(on bed ?b)"),
        game("unreadable", room, "(on bed (?b))"),
        game("unresolvable", room, "(on bedd ?b)"),
        game("nowhere", "kitchen", "(on bed ?b)"),
        game("also-good", "medium", "(on desk ?b)"),
    ]
    .concat();
    let source = goalspec_testing::texts::source("case", &text);
    let checked = check(&source, Dialect::FORMAL, |_| None);
    let running: Vec<_> = checked.games.iter().map(|game| game.program.is_some()).collect();
    assert_eq!(running, [true, false, false, false, true]);
    let found: Vec<_> = checked.diagnostics.iter().map(|finding| common::finding(&source, finding)).collect();
    assert_eq!(
        found,
        [
            "error game/unexpected `(?b)`",
            "error game/unknown-object `bedd` fix: replace with `bed`",
            "error game/unknown-domain `kitchen`",
            "warning game/other-world `medium`",
        ]
    );
}

#[test]
fn unparsed_parts_cause_no_follow_on_errors() {
    // The variable list and the preference cannot be parsed, so `?b`, `q` and the measure of `p` may be correct.
    let text = "(define (game demo) (:domain few-objects-room-v1)
        (:constraints (and (preference p (exists ((b - ball)) (at-end (on bed ?b)))) (preference q (sometime (on bed desk)))))
        (:scoring (+ (count-measure p) (count q))))";
    let source = goalspec_testing::texts::source("case", text);
    let checked = check(&source, Dialect::FORMAL, |_| None);
    let codes: Vec<_> =
        checked.diagnostics.iter().filter(|finding| finding.is_error()).map(|finding| finding.code.0).collect();
    assert_eq!(codes, ["game/invalid-name", "game/unknown-operator"]);
    assert!(checked.games[0].program.is_none());
}

/// Returns the errors of a game with these sections after its domain, by code and text.
fn errors_of(sections: &str) -> Vec<String> {
    let source = goalspec_testing::texts::source(
        "case",
        &format!("(define (game demo) (:domain few-objects-room-v1) {sections})"),
    );
    let checked = check(&source, Dialect::FORMAL, |_| None);
    assert!(checked.games[0].program.is_none());
    let errors = checked.diagnostics.iter().filter(|finding| finding.is_error());
    errors.map(|finding| format!("{} {}", finding.code, source.slice(finding.span.unwrap()))).collect()
}

#[test]
fn unparsed_sections_hide_no_other_errors() {
    let valid = "(preference p (exists (?b - ball) (at-end (on bed ?b))))";
    let unbound = "(preference r (exists (?b - ball) (at-end (on bed ?c))))";
    let cases = [
        // A preference with a misspelt operator is still defined, although its properties are unknown.
        (
            format!("(:constraints (and {unbound} (preference q (sometime (on bed desk))))) (:scoring (+ (count r) (count q) (count s)))"),
            vec!["game/unbound-variable ?c", "game/unknown-operator sometime", "game/unknown-preference s"],
        ),
        (
            format!("(:constraints (and {unbound} (prefrence q (at-end (on bed desk))))) (:scoring (+ (count r) (count q)))"),
            vec!["game/unbound-variable ?c", "game/unknown-operator prefrence"],
        ),
        (
            format!("(:constraints (and {valid} (foral (?d - block) (preference q (at-end (on bed ?d)))))) (:scoring (+ (count p) (count q)))"),
            vec!["game/unknown-operator foral"],
        ),
        // Variables whose types cannot be parsed are still bound.
        (
            "(:constraints (preference p (exists (?b - (eithr ball block)) (at-end (on bed ?b))))) (:scoring (count q))"
                .to_owned(),
            vec!["game/unknown-operator eithr", "game/unknown-preference q"],
        ),
        (
            format!("(:colour red) (:constraints {unbound}) (:scoring (count q))"),
            vec!["game/unknown-section :colour", "game/unbound-variable ?c", "game/unknown-preference q"],
        ),
        (
            format!("(:constraints {valid}) (:terminal (>= (count q) 1)) (:score (count p))"),
            vec!["game/missing-section define", "game/unknown-preference q", "game/unknown-section :score"],
        ),
        (
            format!("(:constraints {valid}) (:scoring (+ (count q) (cuont p) 1e3))"),
            vec!["game/unknown-preference q", "game/unknown-operator cuont", "game/invalid-number 1e3"],
        ),
        // No preference is known.
        (
            format!("(:constrants {valid}) (:scoring (+ (count p) (count q)))"),
            vec!["game/missing-section define", "game/unknown-section :constrants"],
        ),
    ];
    for (sections, expected) in cases {
        assert_eq!(errors_of(&sections), expected, "{sections}");
    }
}

#[test]
fn a_misspelt_preference_is_one_finding() {
    let text = "(define (game demo) (:domain few-objects-room-v1)
        (:constraints (and (preference onBed (exists (?b - ball) (at-end (on bed ?b))))
            (preference elsewhere (exists (?b - ball) (at-end (on desk ?b))))))
        (:scoring (count onBedd)))";
    let source = goalspec_testing::texts::source("case", text);
    let found: Vec<_> = check(&source, Dialect::FORMAL, |_| None)
        .diagnostics
        .iter()
        .map(|finding| common::finding(&source, finding))
        .collect();
    let expected = [
        "warning game/unused-preference `elsewhere`",
        "error game/unknown-preference `onBedd` fix: replace with `onBed`",
    ];
    assert_eq!(found, expected);
}

/// A reference to an unknown preference that is similar to none may stand for any of them.
#[test]
fn an_unknown_preference_hides_unused_ones() {
    let text = "(define (game demo) (:domain few-objects-room-v1)
        (:constraints (preference ballOnBed (exists (?b - ball) (at-end (on bed ?b)))))
        (:scoring (count q)))";
    let source = goalspec_testing::texts::source("case", text);
    let found: Vec<_> = check(&source, Dialect::FORMAL, |_| None)
        .diagnostics
        .iter()
        .map(|finding| common::finding(&source, finding))
        .collect();
    assert_eq!(found, ["error game/unknown-preference `q`"]);
}

#[test]
fn numbers_of_other_languages_are_explained() {
    let cases = [
        ("1e308", "no exponent", None),
        ("2E3", "no exponent", Some("replace with `2000`")),
        ("1.5e-2", "no exponent", Some("replace with `0.015`")),
        ("1e999", "too large", None),
        ("3.", "", Some("replace with `3`")),
    ];
    for (number, help, fix) in cases {
        let text =
            game("demo", "few-objects-room-v1", "(on bed ?b)").replace("(count p)", &format!("(+ (count p) {number})"));
        let checked = check(&goalspec_testing::texts::source("case", &text), Dialect::FORMAL, |_| None);
        let found = checked.diagnostics.iter().find(|finding| finding.is_error()).unwrap();
        assert_eq!(found.code.0, "game/invalid-number", "{number}");
        assert!(found.help.concat().contains(help), "{number}: {:?}", found.help);
        assert_eq!(found.fixes.first().map(|fix| &*fix.title), fix, "{number}");
    }
}

#[test]
fn another_world_can_be_given() {
    let world = common::world::small();
    let source = goalspec_testing::texts::source("case", &game("demo", "few-objects-room-v1", "(on bed ?b)"));
    let checked = check(&source, Dialect::FORMAL, |_| Some(&world));
    assert_eq!(checked.diagnostics, []);
    assert!(std::ptr::eq(checked.games[0].world.unwrap(), &raw const world));
}

#[test]
fn stray_parentheses_are_harmless_only_outside_of_games() {
    let valid = game("demo", "few-objects-room-v1", "(on bed ?b)");
    let source = goalspec_testing::texts::source("case", &format!("{valid})\n{valid}"));
    let checked = check(&source, Dialect::FORMAL, |_| None);
    assert!(checked.games.iter().all(|game| game.program.is_some()) && checked.games.len() == 2);
    let inside = valid.replace("?b)))))\n", "?b)))))))\n");
    let source = goalspec_testing::texts::source("case", &inside);
    let checked = check(&source, Dialect::FORMAL, |_| None);
    assert!(checked.diagnostics.iter().any(goalspec_syntax::Diagnostic::is_error), "{inside}");
    assert!(checked.games.iter().all(|game| game.program.is_none()));
}

#[test]
fn errors_around_a_sole_game_are_its_own() {
    let valid = game("demo", "few-objects-room-v1", "(on bed ?b)");
    let running = |text: &str| {
        let source = goalspec_testing::texts::source("case", text);
        check(&source, Dialect::FORMAL, |_| None).games.iter().filter(|game| game.program.is_some()).count()
    };
    assert_eq!(running(&valid), 1);
    assert_eq!(running(&format!("{valid}(problem)\n")), 0);
    assert_eq!(running(&format!("{valid}(problem)\n{valid}")), 2);
}

/// The number of variables in scope is limited, and one error reports it.
#[test]
fn too_many_variables_are_one_error() {
    let names: String = (0..257).map(|index| format!("?v{index} ")).collect();
    let source = goalspec_testing::texts::source(
        "case",
        &game(
            "many",
            "few-objects-room-v1",
            &format!("(exists ({names} - ball) (and (on bed ?v0) (on bed ?v256) (agent_holds ?v13)))"),
        ),
    );
    let found: Vec<String> = check(&source, Dialect::FORMAL, |_| None)
        .diagnostics
        .iter()
        .map(|finding| common::finding(&source, finding))
        .filter(|finding| finding.starts_with("error"))
        .collect();
    assert_eq!(found, ["error game/too-many-variables `?v0`"]);
}
