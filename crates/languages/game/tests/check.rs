//! Whole texts: which games of them can run.

mod common;

use goalspec_game::check;

/// A game of one preference in a room.
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
    let source = common::source("case", &text);
    let checked = check(&source, |_| None);
    let running: Vec<_> = checked.games.iter().map(|game| game.program.is_some()).collect();
    assert_eq!(running, [true, false, false, false, true]);
    let found: Vec<_> = checked.diagnostics.iter().map(|finding| common::finding(&source, finding)).collect();
    assert_eq!(
        found,
        [
            "error game/unexpected `(?b)`",
            "error game/unknown-object `bedd` fix: write `bed`",
            "error game/unknown-domain `kitchen`",
            "warning game/other-world `medium`",
        ]
    );
}

#[test]
fn what_cannot_be_read_causes_no_further_errors() {
    // The variable list and the preference cannot be read, so `?b`, `q` and the measure of `p` may well be right.
    let text = "(define (game demo) (:domain few-objects-room-v1)
        (:constraints (and (preference p (exists ((b - ball)) (at-end (on bed ?b)))) (preference q (sometime (on bed desk)))))
        (:scoring (+ (count-measure p) (count q))))";
    let source = common::source("case", text);
    let checked = check(&source, |_| None);
    let codes: Vec<_> =
        checked.diagnostics.iter().filter(|finding| finding.is_error()).map(|finding| finding.code.0).collect();
    assert_eq!(codes, ["game/invalid-name", "game/unexpected", "game/unknown-operator"]);
    assert!(checked.games[0].program.is_none());
}

#[test]
fn another_world_can_be_given() {
    let world = common::world::small();
    let source = common::source("case", &game("demo", "few-objects-room-v1", "(on bed ?b)"));
    let checked = check(&source, |_| Some(&world));
    assert_eq!(checked.diagnostics, []);
    assert!(std::ptr::eq(checked.games[0].world.unwrap(), &raw const world));
}

#[test]
fn stray_parentheses_are_harmless_only_outside_of_games() {
    let good = game("demo", "few-objects-room-v1", "(on bed ?b)");
    let source = common::source("case", &format!("{good})\n{good}"));
    let checked = check(&source, |_| None);
    assert!(checked.games.iter().all(|game| game.program.is_some()) && checked.games.len() == 2);
    let inside = good.replace("?b)))))\n", "?b)))))))\n");
    let source = common::source("case", &inside);
    let checked = check(&source, |_| None);
    assert!(checked.diagnostics.iter().any(goalspec_syntax::Diagnostic::is_error), "{inside}");
    assert!(checked.games.iter().all(|game| game.program.is_none()));
}

#[test]
fn errors_around_a_sole_game_are_its_own() {
    let good = game("demo", "few-objects-room-v1", "(on bed ?b)");
    let running = |text: &str| {
        let source = common::source("case", text);
        check(&source, |_| None).games.iter().filter(|game| game.program.is_some()).count()
    };
    assert_eq!(running(&good), 1);
    assert_eq!(running(&format!("{good}(problem)\n")), 0);
    assert_eq!(running(&format!("{good}(problem)\n{good}")), 2);
}
