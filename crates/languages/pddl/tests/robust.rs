//! Robustness: any text can be parsed, checked, formatted, described and lowered without a panic, and formatting is idempotent.

use goalspec_pddl::{check, describe, format, lower_plan, parse};
use goalspec_testing::texts;

/// Runs all operations on a text.
fn run(text: &str) {
    let source = texts::source("any.pddl", text);
    let parsed = parse(&source);
    texts::assert_spans_in_text(text, &parsed.diagnostics);
    let (plan, found) = parse::plan(&source);
    texts::assert_spans_in_text(text, &found);
    for domain in &parsed.domains {
        assert!(describe::domain(domain).ends_with('\n'));
        let checked = check::domain(domain);
        texts::assert_spans_in_text(text, &checked.diagnostics);
        for problem in &parsed.problems {
            let lowered = check::problem(problem, &checked);
            texts::assert_spans_in_text(text, &lowered.diagnostics);
            texts::assert_spans_in_text(text, &lowered.unsupported);
            if let Some(task) = lowered.task {
                let (plan, found) = lower_plan(&plan, &task);
                texts::assert_spans_in_text(text, &found);
                assert!(plan.is_none_or(|plan| describe::plan(&plan, &task).ends_with('\n')));
            }
        }
    }
    for problem in &parsed.problems {
        assert!(describe::problem(problem).ends_with('\n'));
    }
    texts::assert_layout(&source, format::format);
}

const DELIVERY: &str = "(define (domain delivery)  ; a comment
    (:requirements :adl :fluents :preferences :constraints :derived-predicates)
    (:types truck van - vehicle  vehicle package place - object)
    (:constants depot - place)
    (:predicates (at ?x - (either vehicle package) ?p - place) (in ?x - package ?v - vehicle) (served ?p - place))
    (:functions (total-cost) - number (distance ?a ?b - place))
    (:constraints (forall (?v - vehicle) (at-most-once (at ?v depot))))
    (:derived (served ?p - place) (exists (?x - package) (at ?x ?p)))
    (:action drive :parameters (?v - vehicle ?a ?b - place)
        :precondition (and (at ?v ?a) (not (= ?a ?b)) (imply (at ?v ?b) (served ?b)) (preference home (or (served ?a) (at ?v depot))))
        :effect (and (not (at ?v ?a)) (at ?v ?b) (increase (total-cost) (+ 1 (distance ?a ?b)))))
    (:action unload :parameters (?v - vehicle ?a - place) :precondition (at ?v ?a)
        :effect (forall (?x - package) (when (in ?x ?v) (and (not (in ?x ?v)) (at ?x ?a))))))
(define (problem round) (:domain delivery)
    (:objects t1 - truck box - package home - place)
    (:init (at t1 depot) (in box t1) (= (total-cost) 0) (= (distance depot home) 2.5))
    (:goal (and (served home) (preference late (at t1 home)) (forall (?x - package) (preference gone (at ?x home)))))
    (:constraints (and (within 5 (served home)) (preference p1 (forall (?x - package) (sometime-before (at ?x home) (at t1 home))))))
    (:metric minimize (+ (total-cost) (* 3 (is-violated gone)) (- total-time))))
";

const TIMED: &str = "(define (domain d) (:requirements :durative-actions) (:predicates (p ?x))
    (:durative-action a :parameters (?x) :duration (and (>= ?duration 1) (<= ?duration 3))
        :condition (and (at start (p ?x)) (over all (p ?x))) :effect (and (at start (not (p ?x))) (at end (p ?x)))))
(define (problem x) (:domain d) (:objects o) (:init (p o) (at 5 (not (p o)))) (:goal (p o)))
";

const PLAN: &str = "; a plan\n0: (drive t1 depot home) [1]\n1: (unload t1 home)\n";

const WORDS: &[&str] = &[
    "(",
    ")",
    "((",
    "))",
    "define",
    "problem",
    "domain",
    ":domain",
    ":objects",
    ":init",
    ":goal",
    ":types",
    ":action",
    ":durative-action",
    ":derived",
    ":parameters",
    ":precondition",
    ":effect",
    ":metric",
    ":constraints",
    ":functions",
    "and",
    "or",
    "not",
    "imply",
    "forall",
    "exists",
    "when",
    "either",
    "=",
    "<",
    "+",
    "-",
    "increase",
    "always",
    "within",
    "hold-during",
    "sometime-after",
    "preference",
    "is-violated",
    "at",
    "start",
    "over",
    "all",
    "end",
    "total-cost",
    "2",
    "-1",
    "1e400",
    "- truck",
    "(?a - place)",
    "?a",
    "t1",
    "AT",
    "?",
    "a?b",
    "\"",
    "\"a b\"",
    "; c\n",
    "\n",
    ":",
    "é",
    "\u{feff}",
    "[1]",
    "0:",
    "(:goal (and (served home)))",
    "(define (problem p)",
    "(and",
    "(not",
    "minimize",
];

goalspec_testing::robustness_tests! { proptest: proptest, run: run, texts: [DELIVERY, TIMED, PLAN], words: WORDS }

#[test]
fn the_texts_that_are_mutated_are_sound() {
    for text in [DELIVERY, TIMED] {
        let source = texts::source("sound.pddl", text);
        let parsed = parse(&source);
        assert_eq!(parsed.diagnostics, []);
        let checked = check::domain(&parsed.domains[0]);
        assert!(!checked.diagnostics.iter().any(goalspec_syntax::Diagnostic::is_error), "{:?}", checked.diagnostics);
        let lowered = check::problem(&parsed.problems[0], &checked);
        assert!(!lowered.diagnostics.iter().any(goalspec_syntax::Diagnostic::is_error), "{:?}", lowered.diagnostics);
        assert_eq!(lowered.task.is_some(), text == DELIVERY);
    }
}

#[test]
fn blanks_that_are_missing_between_any_letters() {
    for text in ["é?x", "é??x?", "??", "a?é?", "?é?é"] {
        run(&format!(
            "(define (domain d) (:predicates (p{text}) ({text})) (:action a :parameters ({text} - {text}) :effect ({text} {text})))"
        ));
        run(&format!(
            "(define (problem p) (:domain d) (:objects {text}) (:init ({text}) (= ({text}) 1)) (:goal ({text})))"
        ));
    }
}

#[test]
fn wrong_facts_without_number() {
    let domain = "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))";
    let facts: String = (0..20_000).map(|index| format!("(p x{index}) (q{index} o)")).collect();
    let objects: String = (0..20_000).map(|index| format!("o{index} ")).collect();
    let text = format!("{domain}(define (problem x) (:domain d) (:objects {objects}) (:init {facts}) (:goal (p o0)))");
    let source = texts::source("wrong.pddl", &text);
    let parsed = parse(&source);
    let lowered = check::problem(&parsed.problems[0], &check::domain(&parsed.domains[0]));
    assert!(lowered.task.is_none() && lowered.diagnostics.len() < 1_000, "{}", lowered.diagnostics.len());
}

#[test]
fn deep_and_endless_lists() {
    for text in texts::unbalanced() {
        run(&text);
    }
    let domain = "(define (domain d) (:predicates (p)) (:action a :effect (p)))";
    let goal = |head: &str| {
        format!("{domain}(define (problem x) (:domain d) (:init) (:goal {}(p){}))", head.repeat(240), ")".repeat(240))
    };
    for head in ["(not ", "(forall (?x) ", "(and (p) ", "(preference x ", "(imply (p) ", "(always "] {
        run(&goal(head));
    }
    run(&"(define (problem p) (:domain d) (:goal (p)))".repeat(2_000));
}

#[test]
fn large_problems() {
    let domain = "(define (domain d) (:requirements :typing) (:types t) (:predicates (p ?x ?y - t)) (:action a :parameters (?x - t) :effect (p ?x ?x)))";
    let objects: String = (0..100_000).map(|index| format!("o{index} ")).collect();
    let facts: String = (0..200_000).map(|index| format!("(p o{} o{})\n", index % 100_000, index / 2)).collect();
    let text =
        format!("{domain}(define (problem x) (:domain d) (:objects {objects}- t) (:init {facts}) (:goal (p o0 o1)))");
    let source = texts::source("large.pddl", &text);
    let parsed = parse(&source);
    let task = check::problem(&parsed.problems[0], &check::domain(&parsed.domains[0])).task.expect("a task");
    assert_eq!((task.world.objects().len(), task.initial.facts.len()), (100_000, 200_000));
}
