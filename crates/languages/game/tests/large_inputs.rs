//! Large programs whose cost must grow with their size alone: each test has a program on which quadratic work or memory would be
//! excessive.

use goalspec_game::codes;
use goalspec_game::{CheckResult, Dialect, check, parse};
use goalspec_syntax::Code;
use goalspec_testing::texts;

const HEAD: &str = "(define (game demo) (:domain few-objects-room-v1)";

/// Returns the items `0..count`, each written by a function and followed by a space.
fn repeated(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(|index| item(index) + " ").collect()
}

/// Returns the codes of the findings about a program, each once, in order of their first occurrence.
fn found(sections: &str) -> Vec<Code> {
    let source = texts::source("large", &format!("{HEAD} {sections})"));
    let CheckResult { diagnostics, .. } = check(&source, Dialect::FORMAL, |_| None);
    let mut codes = Vec::new();
    for diagnostic in diagnostics {
        if !codes.contains(&diagnostic.code) {
            codes.push(diagnostic.code);
        }
    }
    codes
}

#[test]
fn names_in_nested_errors_are_recorded_once() {
    const DEPTH: usize = 240;
    let variables = repeated(200_000, |index| format!("?v{index}"));
    let condition = format!("{}({variables}){}", "(foo ".repeat(DEPTH), ")".repeat(DEPTH));
    let text = format!("{HEAD} (:constraints (preference p (at-end {condition}))) (:scoring (count p)))");
    let games = parse::parse(&texts::source("large", &text)).games;
    let names = &games[0].unparsed_names.names;
    assert_eq!(names.iter().filter(|name| name.starts_with("?v")).count(), 200_000);
}

#[test]
fn counts_share_the_types_of_external_variables() {
    let types = repeated(20_000, |_| "ball".to_owned());
    let variables = repeated(100, |index| format!("?a{index}"));
    let counts = repeated(100_000, |_| "(count p)".to_owned());
    let preference = format!("(forall ({variables} - (either {types})) (preference p (at-end (on bed ?a0))))");
    let sections = format!(
        "(:constraints {preference}) (:scoring (external-forall-maximize (external-forall-minimize (+ {counts}))))"
    );
    assert!(found(&sections).contains(&codes::REPEATED_TYPE));
    // An operator with a preference that has other variables is still reported.
    let other = "(forall (?a - drawer) (preference q (at-end (open ?a))))";
    let sections = format!(
        "(:constraints (and (forall (?a ?b - ball) (preference p (at-end (on ?a ?b)))) {other}))
        (:scoring (+ (count q) (external-forall-maximize (+ {counts} (count q)))))"
    );
    assert!(found(&sections).contains(&codes::MIXED_EXTERNALS));
}

#[test]
fn variables_share_their_types() {
    let types = repeated(100_000, |_| "ball".to_owned());
    let variables = repeated(100_000, |index| format!("?a{index}"));
    let atoms = repeated(100_000, |index| format!("(on bed ?a{index})"));
    let sections = format!(
        "(:constraints (preference p (exists ({variables} - (either {types})) (at-end (or {atoms}))))) (:scoring (count p))"
    );
    assert!(found(&sections).contains(&codes::TOO_MANY_VARIABLES));
}

#[test]
fn types_are_compared_once() {
    let list = |name: &str| format!("(either {})", repeated(100_000, |_| name.to_owned()));
    let sections = format!(
        "(:constraints (preference p (exists (?a - {} ?b - {}) (at-end (in ?b ?a))))) (:scoring (count p))",
        list("ball"),
        list("drawer")
    );
    assert_eq!(found(&sections), [codes::REPEATED_TYPE]);
}

#[test]
fn events_do_not_repeat_the_work_on_their_condition() {
    let conditions = |name: &str| repeated(40_000, |index| format!("({name} ?a ?b) (< (distance ?a ?b) {index})"));
    let sections = format!(
        "(:constraints (preference p (exists (?a ?b - ball) (then (once (on ?a ?b)) (hold-while (and {}) {})))))
        (:scoring (count p))",
        conditions("on"),
        conditions("in")
    );
    assert!(!found(&sections).is_empty());
}

#[test]
fn misspelt_statements_of_the_setup_are_searched_once() {
    let parts = repeated(20_000, |_| "(bar a)".to_owned());
    let inner = format!("(game-conserved (open top_drawer)) {parts}");
    let setup = format!("{}{inner}{}", "(foo ".repeat(230), ")".repeat(230));
    let sections = format!(
        "(:setup {setup}) (:constraints (preference p (exists (?b - ball) (at-end (on bed ?b))))) (:scoring (count p))"
    );
    assert!(found(&sections).contains(&codes::UNKNOWN_OPERATOR));
}
