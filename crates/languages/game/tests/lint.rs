//! Findings of the lints.

use goalspec_game::codes::lint as codes;
use goalspec_game::{Dialect, check_game, parse, resolve, worlds};
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::{Diagnostic, SourceFile, fix};

use crate::common;

fn check(source: &SourceFile) -> Vec<Diagnostic> {
    let parsed = parse::parse(source);
    assert_eq!(common::errors(source, &parsed.diagnostics), Vec::<String>::new());
    let world = worlds::builtin("few").expect("the room is built in");
    parsed.games.iter().flat_map(|game| check_game(game, world, Dialect::FORMAL).diagnostics).collect()
}

#[test]
fn findings_are_as_expected() {
    common::check(include_str!("cases/lint.txt"), check);
}

#[test]
fn every_code_is_found_in_some_case() {
    let cases = include_str!("cases/lint.txt");
    let missing: Vec<_> = codes::ALL
        .iter()
        // A condition that is too large to be examined is too large for a case file.
        .filter(|doc| doc.code != codes::ANALYSIS_LIMIT)
        .filter(|doc| !cases.lines().any(|line| line.split(' ').nth(1) == Some(doc.code.0)))
        .map(|doc| doc.code)
        .collect();
    assert_eq!(missing, []);
}

/// A condition that is too large for the reasoning limits gives no finding except a note about the limit.
#[test]
fn large_conditions_are_not_examined() {
    // Six conditions, of which all combinations are enumerated.
    let objects = ["bed", "desk", "floor", "door", "mirror", "side_table"];
    let part =
        |number: usize| format!("(or (in_motion {}) (in_motion {}))", objects[number % 6], objects[number / 6 % 6]);
    let parts = |count: usize| (0..count).map(part).collect::<String>();
    let found = |count: usize| {
        let text = format!(
            "(define (game g) (:domain few) (:constraints (preference p (at-end (and {})))) (:scoring (count p)))",
            parts(count)
        );
        let source = goalspec_testing::texts::source("large", &text);
        check(&source).iter().any(|finding| finding.code == codes::ANALYSIS_LIMIT)
    };
    assert!(!found(4) && found(50_000));
}

/// After a fix is applied, the finding is gone and the program still parses without an error.
#[test]
fn fixes_remove_their_cause() {
    for case in common::cases(include_str!("cases/lint.txt")) {
        let source = goalspec_testing::texts::source("case", &case.program);
        let diagnostics = check(&source);
        for diagnostic in diagnostics.iter().filter(|diagnostic| !diagnostic.fixes.is_empty()) {
            let fixed = fix::apply(&source, std::slice::from_ref(diagnostic), Applicability::Unsafe);
            assert_eq!(fixed.applied, 1, "{}: {}", case.title, diagnostic.code);
            let checked = check(&goalspec_testing::texts::source("case", &fixed.text));
            let count = |findings: &[Diagnostic]| findings.iter().filter(|found| found.code == diagnostic.code).count();
            assert!(
                count(&checked) < count(&diagnostics),
                "{}: {} is still there: {}",
                case.title,
                diagnostic.code,
                fixed.text
            );
        }
    }
}

#[test]
fn too_many_bindings_are_an_error_and_no_game() {
    let text = "(define (game demo) (:domain few-objects-room-v1)
        (:constraints (preference p (exists (?a ?b ?c ?d ?e ?f - game_object)
            (at-end (and (on ?a ?b) (on ?b ?c) (on ?c ?d) (on ?d ?e) (on ?e ?f))))))
        (:scoring (count p)))";
    let source = goalspec_testing::texts::source("case", text);
    let parsed = parse::parse(&source);
    let world = worlds::builtin("few").expect("the room is built in");
    assert!(resolve::resolve(&parsed.games[0], world, Dialect::FORMAL).game.is_some());
    let checked = check_game(&parsed.games[0], world, Dialect::FORMAL);
    let errors = common::errors(&source, &checked.diagnostics);
    let objects = world.members(world.type_named("game_object").expect("the type")).len();
    assert!(errors.len() == 1 && errors[0].contains(&objects.pow(6).to_string()), "{errors:?}");
    assert!(checked.game.is_none());
}

/// The findings in the participants' games were reviewed individually and are correct.
#[test]
fn little_is_found_in_peoples_games() {
    let Some(programs) = common::programs() else { return };
    let mut found = std::collections::BTreeMap::new();
    for (path, text) in programs {
        if !path.ends_with("interactive-beta.pddl") {
            continue;
        }
        let source = goalspec_testing::texts::source("games", &text);
        for diagnostic in goalspec_game::check(&source, Dialect::FORMAL, |_| None).diagnostics {
            if codes::ALL.iter().any(|doc| doc.code == diagnostic.code) {
                *found.entry(diagnostic.code.0).or_insert(0) += 1;
            }
        }
    }
    // At 133 places an empty `hold` would be satisfied without any change.
    let expected = [
        ("game/empty-hold", 133),
        ("game/impossible-predicate", 2),
        ("game/many-assignments", 4),
        ("game/single-operand", 7),
    ];
    assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
}
