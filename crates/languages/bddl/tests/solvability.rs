//! Lints for goals that cannot hold and goals that hold initially.

use goalspec_bddl::codes::{CONTRADICTORY_GOAL, GOAL_HOLDS_INITIALLY, UNDECIDED_GOAL};
use goalspec_bddl::dialect::Release;
use goalspec_bddl::evaluate::goal_holds;
use goalspec_bddl::ground::GroundGoal;
use goalspec_bddl::lint;
use goalspec_bddl::{Dialect, parse};
use goalspec_syntax::Diagnostic;
use proptest::prelude::*;

use crate::common;

use crate::naive;

/// Returns the diagnostics of a problem whose objects are three boxes and a bag.
fn found(init: &str, goal: &str, dialect: Dialect) -> (String, Vec<Diagnostic>) {
    let text = format!(
        "(define (problem demo_0) (:domain omnigibson)
            (:objects box.n.01_1 box.n.01_2 box.n.01_3 - box.n.01 bag.n.01_1 - bag.n.01)
            (:init {init})
            (:goal (and {goal})))"
    );
    let parsed = parse::parse(&goalspec_testing::texts::source("demo", &text), dialect);
    assert!(parsed.diagnostics.iter().all(|diagnostic| !diagnostic.is_error()), "{:?}", parsed.diagnostics);
    let problem = &parsed.problems[0];
    let goal = GroundGoal::new(problem).unwrap();
    (text, lint::solvability(problem, &goal, dialect))
}

#[test]
fn a_contradiction_is_shown_by_the_conjuncts_that_make_it() {
    let goal = "(open ?bag.n.01_1)
        (exists (?box.n.01 - box.n.01) (open ?box.n.01))
        (folded ?bag.n.01_1)
        (forall (?box.n.01 - box.n.01) (not (open ?box.n.01)))";
    let (text, found) = found("", goal, Dialect::STRICT);
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert_eq!(finding.code, CONTRADICTORY_GOAL);
    assert_eq!(finding.message, "no state satisfies these 2 conjuncts of the goal together");
    let shown = |span: goalspec_syntax::Span| &text[span.start as usize..span.end as usize];
    assert!(shown(finding.span.unwrap()).starts_with("(forall"));
    let related: Vec<&str> = finding.related.iter().map(|related| shown(related.span)).collect();
    assert_eq!(related, ["(exists (?box.n.01 - box.n.01) (open ?box.n.01))"]);
    assert!(finding.help.is_empty());
}

#[test]
fn goals_satisfied_as_documented_are_reported() {
    let goal = "(forn (1) (?box.n.01 - box.n.01) (open ?box.n.01)) (forall (?box.n.01 - box.n.01) (open ?box.n.01))";
    let (_, found_as_evaluated) = found("", goal, Dialect::STRICT);
    assert_eq!(found_as_evaluated[0].code, CONTRADICTORY_GOAL);
    assert!(found_as_evaluated[0].help[0].contains("documented semantics"));
    assert!(found("", goal, Dialect::STRICT.with_documented_quantifiers()).1.is_empty());
    let (_, alone) = found("", "(forn (4) (?box.n.01 - box.n.01) (open ?box.n.01))", Dialect::STRICT);
    assert_eq!(alone[0].message, "no state satisfies this conjunct of the goal");
}

#[test]
fn a_goal_may_hold_from_the_start() {
    let goal = "(open ?bag.n.01_1) (forall (?box.n.01 - box.n.01) (not (open ?box.n.01)))";
    let codes = |init| found(init, goal, Dialect::STRICT).1.iter().map(|finding| finding.code).collect::<Vec<_>>();
    assert_eq!(codes("(open bag.n.01_1)"), [GOAL_HOLDS_INITIALLY]);
    assert_eq!(codes("(open bag.n.01_1) (open box.n.01_2)"), []);
    assert_eq!(codes("(not (open bag.n.01_1))"), []);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The diagnostics agree with exhaustive enumeration of the states.
    #[test]
    fn random_goals(goal in naive::goals(), documented in prop::bool::ANY) {
        let dialect = if documented { Dialect::STRICT.with_documented_quantifiers() } else { Dialect::STRICT };
        let text = "(define (problem demo_0) (:domain omnigibson) (:objects a_0 - a) (:init) (:goal (open ?a_0)))";
        let problem = parse::parse(&goalspec_testing::texts::source("demo", text), dialect).problems.remove(0);
        let mut states = (0..1u32 << 7).map(|bits| (0..7).map(|atom| bits >> atom & 1 == 1).collect::<Vec<_>>());
        let expected = if goal_holds(&goal, dialect, &[false; 7]) {
            Some(GOAL_HOLDS_INITIALLY)
        } else if states.any(|state| goal_holds(&goal, dialect, &state)) {
            None
        } else {
            Some(CONTRADICTORY_GOAL)
        };
        let found = lint::solvability(&problem, &goal, dialect);
        prop_assert_eq!(found.iter().map(|finding| finding.code).collect::<Vec<_>>(), Vec::from_iter(expected));
    }
}

/// Returns the diagnostics of a goal about 4000 boxes.
fn found_of_many(goal: &str) -> Vec<Diagnostic> {
    let boxes: String = (0..4000).map(|place| format!("box.n.01_{place} ")).collect();
    let text = format!(
        "(define (problem demo_0) (:domain omnigibson) (:objects {boxes} - box.n.01) (:init) (:goal (and {goal})))"
    );
    let parsed = parse::parse(&goalspec_testing::texts::source("demo", &text), Dialect::STRICT);
    let goal = GroundGoal::new(&parsed.problems[0]).unwrap();
    lint::solvability(&parsed.problems[0], &goal, Dialect::STRICT)
}

#[test]
fn goals_with_too_many_options_are_reported() {
    let goal = "(forn (2000) (?box.n.01 - box.n.01) (open ?box.n.01))";
    // A witness shows that the goal can hold, so no options are built.
    assert_eq!(found_of_many(goal), []);
    let other = "(forn (1999) (?box.n.01 - box.n.01) (open ?box.n.01))";
    let found = found_of_many(&format!("{goal} {other}"));
    assert_eq!(found.iter().map(|finding| finding.code).collect::<Vec<_>>(), [UNDECIDED_GOAL]);
    assert!(found[0].span.is_some());
}

/// The published activities with such findings under the semantics of the releases: `stacking_wood` counts six logs as two and
/// two, and `clean_a_stainless_steel_dishwasher` requires the rag instead of the dishwasher to be unstained, which it already
/// is.
#[test]
fn published_activities() {
    let cases = [
        (Release::V1_0, Dialect::COMPAT_1_0, &[][..], &[][..]),
        (Release::V3_6, Dialect::COMPAT_3_6, &["stacking_wood"], &["clean_a_stainless_steel_dishwasher"]),
    ];
    for (release, dialect, contradictory, done) in cases {
        let Some(activities) = common::activities(release) else { continue };
        let mut found = Vec::new();
        for activity in &activities {
            let parsed = parse::parse(&goalspec_testing::texts::source(&activity.name, &activity.text), dialect);
            for problem in &parsed.problems {
                let goal = GroundGoal::new(problem).expect(&activity.name);
                let findings = lint::solvability(problem, &goal, dialect);
                found.extend(findings.into_iter().map(|finding| (finding.code, activity.name.as_str())));
            }
        }
        let names = |code| found.iter().filter(|(found, _)| *found == code).map(|(_, name)| *name).collect::<Vec<_>>();
        assert_eq!(names(CONTRADICTORY_GOAL), contradictory);
        assert_eq!(names(UNDECIDED_GOAL), [""; 0]);
        assert_eq!(names(GOAL_HOLDS_INITIALLY), done);
    }
}
