//! Large texts whose cost must grow with their size alone: each test has a text on which quadratic work or memory would be excessive.

use std::fmt::Write as _;
use std::sync::Arc;

use goalspec_bddl::dialect::Release;
use goalspec_bddl::domains;
use goalspec_bddl::parse::release::{ProblemRequest, compile_problem, read_domain, read_problem};
use goalspec_testing::texts;

/// Returns the items `0..count`, each written by a function and followed by a space.
fn repeated(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, index| {
        let _ = write!(text, "{} ", item(index));
        text
    })
}

#[test]
fn parameters_share_their_type() {
    let names = repeated(20_000, |index| format!("?a{index}"));
    let types = repeated(20_000, |index| format!("x{index}"));
    let text = format!(
        "(define (domain d) (:predicates (p {names} - ({types}))) (:action a n :parameters ({names} - ({types}))))"
    );
    let source = texts::source("d", &text);
    for release in [Release::V1_0, Release::V3_6] {
        let domain = read_domain(&source, release, "d").expect("it is read");
        let mut types = domain.predicates["p"].values();
        let first = types.next().expect("there are parameters");
        assert_eq!(types.filter(|other| Arc::ptr_eq(first, other)).count(), 19_999);
        let [action] = &domain.actions[..] else { panic!("{} actions", domain.actions.len()) };
        assert!(action.parameters.windows(2).all(|pair| Arc::ptr_eq(&pair[0].1, &pair[1].1)));
    }
}

#[test]
fn actions_are_many() {
    let actions = repeated(200_000, |index| format!("(:action a{index} x{index})"));
    let domain = read_domain(&texts::source("d", &format!("(define (domain d) {actions})")), Release::V3_6, "d");
    assert_eq!(domain.expect("it is read").actions.len(), 200_000);
    let repeated = format!("(define (domain d) {actions} (:action x7 y))");
    let error = read_domain(&texts::source("d", &repeated), Release::V3_6, "d").expect_err("`x7` is taken");
    assert_eq!(error.to_string(), "Exception: Action x7 is defined multiple times");
}

#[test]
fn categories_are_many() {
    let objects = repeated(200_000, |index| format!("a{index} - c{index}"));
    let pairs = repeated(50, |_| "(forpairs (?x - left) (?y - right) (zorp))".to_owned());
    let text =
        format!("(define (problem p) (:objects {objects} l1 l2 - left - right) (:goal (and (open a7) {pairs})))");
    let vocabulary = domains::builtin("igibson").expect("it is built in");
    let request = ProblemRequest::new("p", "igibson");
    let compiled =
        compile_problem(&texts::source("p", &text), Release::V1_0, &request, vocabulary).expect("it compiles");
    assert_eq!((compiled.problem.objects.len(), compiled.problem.goal.len()), (200_002, 51));
}

#[test]
fn words_are_not_split_into_letters() {
    let word = "z".repeat(4 << 20);
    let request = ProblemRequest::new("p", "igibson");
    let problem =
        read_problem(&texts::source("p", &format!("(define (problem p) {word})")), &request).expect("it is read");
    assert_eq!(problem.printed_lines[0].text, "z is not recognized in problem");
    let vocabulary = domains::builtin("igibson").expect("it is built in");
    let raised = |condition: &str| {
        let text = format!("(define (problem p) (:objects a - c) (:goal (and {condition})))");
        compile_problem(&texts::source("p", &text), Release::V3_6, &request, vocabulary)
            .expect_err("it is invalid")
            .to_string()
    };
    assert_eq!(raised(&word), "UnsupportedPredicateError: 'z'");
    assert_eq!(raised(&format!("(forall {word} (open a))")), "ValueError: too many values to unpack (expected 3)");
    assert_eq!(
        raised(&format!("(forn {word} (?x - c) (open a))")),
        "ValueError: invalid literal for int() with base 10: 'z'"
    );
}
