//! Diagnostics of the strict parser: test cases for every code, and a check that every fix removes its diagnostic.

use goalspec_bddl::{Dialect, codes, lint};
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::fix;
use goalspec_testing::diagnostics;

/// Returns the whole text of a test case, which may specify only a part of it, and its dialect.
fn whole(kind: &str, text: &str) -> (String, Dialect) {
    let objects = "(:objects cup.n.01_1 cup.n.01_2 cup.n.01_3 - cup.n.01 box.n.01_1 - box.n.01)";
    let text = match kind {
        "text" | "libero" | "release" => text.to_owned(),
        "sections" => format!("(define (problem p) {text})"),
        "objects" => {
            format!(
                "(define (problem p) (:domain omnigibson) (:objects {text} box.n.01_1 - box.n.01) (:init (broken box.n.01_1)) (:goal (open ?box.n.01_1)))"
            )
        }
        "init" => {
            format!("(define (problem p) (:domain omnigibson) {objects} (:init {text}) (:goal (open ?box.n.01_1)))")
        }
        "goal" => {
            format!("(define (problem p) (:domain omnigibson) {objects} (:init (broken box.n.01_1)) (:goal {text}))")
        }
        other => panic!("unknown kind of case {other}"),
    };
    let dialect = match kind {
        "libero" => Dialect::LIBERO,
        "release" => Dialect::COMPAT_3_6,
        _ => Dialect::STRICT,
    };
    (text, dialect)
}

const CASES: &str = include_str!("cases/diagnostics.txt");

#[test]
fn findings_are_as_expected() {
    diagnostics::assert_cases(
        CASES,
        |kind, part| whole(kind, part).0,
        |kind, source| lint::check(source, whole(kind, "").1).diagnostics,
    );
}

#[test]
fn every_code_is_documented_once_and_has_a_case() {
    // The tests of the command cover these codes: wildcards fail only with a scene, domains are completed when files are
    // combined, and dialects are chosen before a text is parsed.
    let excluded = [
        codes::WILDCARD_SCENE,
        codes::UNKNOWN_IN_SCENE,
        codes::PARTIAL_DOMAIN,
        codes::LIBERO_SECTIONS,
        // Action models are no activities, and have tests of their own.
        codes::ACTION_MODEL,
    ];
    // The codes of the checks and of the knowledge base, which follow, have tests of their own.
    let docs = codes::ALL.iter().take_while(|doc| doc.code != codes::CATEGORY_FORM);
    diagnostics::assert_documented("bddl", docs, CASES, &excluded);
}

#[test]
fn repeated_declarations_refer_to_the_first_one() {
    let text = "(define (domain d) (:predicates (open ?a) (open ?b) (open ?c)))";
    let source = goalspec_testing::texts::source("case", text);
    let found = lint::check(&source, Dialect::STRICT).diagnostics;
    let first: Vec<_> = found.iter().map(|found| found.related[0].span.start as usize).collect();
    assert_eq!(first, [text.find("open").expect("it is declared"); 2]);
}

#[test]
fn nearest_names_are_suggested() {
    let cases = [
        ("(opne ?box.n.01_1)", "did you mean `open`?"),
        ("(open ?box.n.01_2)", "did you mean `box.n.01_1`?"),
        ("(forall (?c - cup.n.02) (open ?c))", "did you mean `cup.n.01`?"),
        ("(adn (open ?box.n.01_1) (hot ?box.n.01_1))", "did you mean `and`?"),
        ("(open ?cup.n.01)", "use an instance such as `cup.n.01_1`, or add a quantifier"),
    ];
    for (goal, expected) in cases {
        let (text, dialect) = whole("goal", goal);
        let found = lint::check(&goalspec_testing::texts::source("case", &text), dialect).diagnostics;
        assert!(
            found.iter().any(|diagnostic| diagnostic.help.iter().any(|help| help == expected)),
            "{goal}: {found:?}"
        );
    }
}

#[test]
fn fixes_keep_the_question_mark() {
    let (text, dialect) = whole("goal", "(open ?box.n.01_2)");
    let source = goalspec_testing::texts::source("case", &text);
    let found = lint::check(&source, dialect).diagnostics;
    assert!(fix::apply(&source, &found, Applicability::Unsafe).text.contains("(open ?box.n.01_1)"));
}

#[test]
fn examples_are_as_they_say() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/bddl");
    let found = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).expect("the example can be read");
        let source = goalspec_testing::texts::source(name, &text);
        assert_eq!(goalspec_bddl::format::format(&source), text, "{name} is laid out");
        lint::check(&source, Dialect::STRICT).diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect::<Vec<_>>()
    };
    assert_eq!(found("watering_the_garden.bddl"), [""; 0]);
    assert_eq!(found("game_night.bddl"), ["bddl/ambiguous-pairs", "bddl/ambiguous-forn"]);
    assert_eq!(found("lost_umbrellas.bddl"), ["bddl/instance-for-variable", "bddl/second-goal"]);
}
