//! Source locations in the dialects of the releases: of every node of the AST, and of exceptions.

use goalspec_bddl::ast::{Atom, Expr, Literal, Name, Problem};
use goalspec_bddl::{Dialect, codes, lint, parse};
use goalspec_syntax::{NodeSpan, SourceFile, Span};
use goalspec_testing::texts;

use crate::common;

const DIALECTS: [Dialect; 3] = [Dialect::STRICT, Dialect::COMPAT_1_0, Dialect::COMPAT_3_6];

/// The texts that are read in every dialect. `D` stands for the domain, whose predicates include `open` and `ontop`.
const TEXTS: [&str; 6] = [
    "(define (problem p) (:domain D) (:objects a_1 a_2 - a b_1 - b) (:init (open a_1) (not (open a_2))) (:goal (open ?a_1)))",
    "(DEFINE (Problem P-0) ; a comment (\n (:DOMAIN D) (:Objects A_1 - A) (:INIT (Open A_1) (inroom A_1 Kitchen))\n\
     \t(:Goal (AND (oPEN ?A_1?) (not (open ??a_1)))))",
    "(define (problem p) (:domain D) (:objects a_1 a_2 - a b_1 b_2 - b) (:init (ontop a_1 b_1)) (:goal (and \
     (forall (?x - a) (exists (?y - b) (or (ontop ?x ?y) (imply (open ?x) (open ?y))))) (forn (1) (?a - a) (open ?a)) \
     (forpairs (?a - a) (?b - b) (ontop ?a ?b)) (fornpairs (1) (?a - a) (?b - b) (ontop ?a ?b)))))",
    "(define (problem p) (:domain D) (:objects ü_1 - ü é_1 - é) (:init (ontop ü_1 é_1)) (:goal (ontop ?é_1 ?ü_1)))",
    "(define (problem p) (:goal (open ?a_1)) (:init (open a_1)) (:objects a_1 - a) (:domain D))",
    "(define (problem p)\r\n  (:domain D)\r\n  (:objects\r\n    a_1 - a\r\n  )\r\n  (:init\r\n    (open a_1)\r\n  )\r\n  (:goal (open a_1)))",
];

fn text_of(source: &SourceFile, origin: NodeSpan) -> &str {
    source.slice(origin.0)
}

fn assert_name(source: &SourceFile, name: &Name) {
    let written = text_of(source, name.origin);
    assert_eq!(written.to_lowercase().trim_matches('?'), &*name.text, "{}", source.text());
}

/// Asserts that a location is that of a list whose first item is the given word.
fn assert_list(source: &SourceFile, origin: NodeSpan, head: &str) {
    let written = text_of(source, origin).to_lowercase();
    let items = written.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let items = items.unwrap_or_else(|| panic!("`{written}` is a list"));
    assert_eq!(items.split_whitespace().next(), Some(head));
}

fn assert_atom(source: &SourceFile, atom: &Atom) {
    assert_list(source, atom.origin, &atom.predicate.text);
    assert_name(source, &atom.predicate);
    atom.arguments.iter().for_each(|argument| assert_name(source, argument));
}

fn assert_condition(source: &SourceFile, condition: &Expr) {
    use goalspec_bddl::ast::ExprKind;
    let head = match &condition.kind {
        ExprKind::Atom(atom) => {
            assert_atom(source, atom);
            &*atom.predicate.text
        }
        ExprKind::Not(_) => "not",
        ExprKind::And(_) => "and",
        ExprKind::Or(_) => "or",
        ExprKind::Imply(_) => "imply",
        ExprKind::Forall(..) => "forall",
        ExprKind::Exists(..) => "exists",
        ExprKind::ForN { .. } => "forn",
        ExprKind::ForPairs { amount: None, .. } => "forpairs",
        ExprKind::ForPairs { amount: Some(_), .. } => "fornpairs",
    };
    assert_list(source, condition.origin, head);
    for variable in condition.variables() {
        assert_name(source, &variable.name);
        assert_name(source, &variable.category);
    }
    condition.operands().iter().for_each(|operand| assert_condition(source, operand));
}

/// Asserts that every node of a problem has the location of its text.
fn assert_located(source: &SourceFile, problem: &Problem) {
    assert_list(source, problem.origin, "define");
    assert_name(source, &problem.name);
    assert_name(source, problem.domain.as_ref().expect("it has a domain"));
    for group in &problem.objects {
        let names = || group.instances.iter().chain(&group.category);
        names().for_each(|name| assert_name(source, name));
        let whole = text_of(source, group.origin).to_lowercase();
        assert!(names().all(|name| whole.contains(&*name.text)), "{whole}");
    }
    problem.init.iter().for_each(|Literal { atom, .. }| assert_atom(source, atom));
    problem.goal.iter().for_each(|conjunct| assert_condition(source, conjunct));
}

#[test]
fn every_node_has_a_location_in_every_dialect() {
    for text in TEXTS {
        for dialect in DIALECTS {
            let domain = if dialect == Dialect::COMPAT_3_6 { "omnigibson" } else { "igibson" };
            let source = texts::source("case", &text.replace("D)", &format!("{domain})")));
            let parsed = parse::parse(&source, dialect);
            assert_eq!(parsed.problems.len(), 1, "{dialect:?}: {:?}", parsed.diagnostics);
            assert_located(&source, &parsed.problems[0]);
        }
    }
}

#[test]
fn nodes_of_published_activities_have_the_same_locations_in_every_dialect() {
    let dialects = [("1.0.0", Dialect::COMPAT_1_0), ("3.6.0", Dialect::COMPAT_3_6)];
    for (version, dialect) in dialects {
        let Some(activities) = common::activities_of(version) else { continue };
        for activity in &activities {
            let source = texts::source(&activity.name, &activity.text);
            let problems = [Dialect::STRICT, dialect].map(|dialect| parse::parse(&source, dialect).problems);
            let [strict, release] = problems.map(|problems| {
                assert_located(&source, &problems[0]);
                locations(&problems[0])
            });
            assert_eq!(release, strict, "{}", activity.name);
        }
    }
}

/// Returns the locations of a problem, its name, its initial literals and its conditions.
fn locations(problem: &Problem) -> Vec<Span> {
    let mut found = vec![problem.origin.0, problem.name.origin.0];
    let mut atom = |atom: &Atom| {
        found.extend([atom.origin.0, atom.predicate.origin.0]);
        found.extend(atom.arguments.iter().map(|argument| argument.origin.0));
    };
    problem.init.iter().for_each(|literal| atom(&literal.atom));
    let mut open: Vec<&Expr> = problem.goal.iter().collect();
    while let Some(condition) = open.pop() {
        found.push(condition.origin.0);
        found.extend(condition.variables().flat_map(|variable| [variable.name.origin.0, variable.category.origin.0]));
        open.extend(condition.operands());
    }
    found
}

#[test]
fn exceptions_have_the_location_of_their_cause() {
    let objects = "(:objects a_1 a_2 - a b_1 - b - c)";
    let goal = |goal: &str| format!("(define (problem p) {objects} (:goal {goal}))");
    let section = |section: &str| format!("(define (problem p) {section})");
    let cases = [
        // Lists.
        ("(define (problem p)".to_owned(), "("),
        ("(define))".to_owned(), ")"),
        ("(define) (define)".to_owned(), "(define)"),
        (String::new(), ""),
        // Problems.
        ("x".to_owned(), "x"),
        ("(defin (problem p))".to_owned(), "defin"),
        (section("()"), "()"),
        (section("(:domain other)"), "other"),
        (section("(:objects a -)"), "-"),
        (section("(:objects a - (b))"), "(b)"),
        (section("(:objects (a) - b)"), "(a)"),
        (section("(:goal)"), "(:goal)"),
        (section("(:goal x)"), "x"),
        (section("(:goal ())"), "()"),
        (section("(:init (open) (:goal (open)))"), "(open)"),
        (section("(:objects a_1 - a) (:init (or (open a_1)))"), "(or (open a_1))"),
        // Conditions.
        (goal("(and)"), "(:goal (and))"),
        (goal("(zorp a_1)"), "zorp"),
        (goal("(and (open a_1) zorp)"), "z"),
        (goal("(and (open a_1) İẞ)"), "İẞ"),
        (goal("(not (not (open c_1)))"), "c_1"),
        (goal("(open a_1 a_2)"), "(open a_1 a_2)"),
        (goal("(open (a_1))"), "(a_1)"),
        (goal("((open a_1))"), "(open a_1)"),
        (goal("(forall (?x - d) (open ?x))"), "d"),
        (goal("(forall (?x of a) (open ?x))"), "of"),
        (goal("(forall (?x a) (open ?x))"), "(?x a)"),
        (goal("(forall (?x - a))"), "(forall (?x - a))"),
        (goal("(forall (?x - a) (open ?y))"), "?y"),
        (goal("(forn (x) (?x - a) (open ?x))"), "(x)"),
        (goal("(forpairs (?x - c) (?y - a) (zorp ?x))"), "c"),
        // Domains.
        ("(define (domain d) (:requirements :fluents))".to_owned(), ":fluents"),
        ("(define (domain d) (:predicates (p - t)))".to_owned(), "-"),
        ("(define (domain d) (:predicates (p (a))))".to_owned(), "(a)"),
        ("(define (domain d) (:action a n :effect x))".to_owned(), "x"),
        ("(define (domain d) (:action a n :precondition (not a b)))".to_owned(), "(not a b)"),
    ];
    for (text, expected) in cases {
        let source = texts::source("case", &text);
        let parsed = parse::parse(&source, Dialect::COMPAT_3_6);
        let found = parsed.diagnostics.iter().find(|found| found.code == codes::RELEASE_EXCEPTION);
        let found = found.unwrap_or_else(|| panic!("no exception for {text}: {:?}", parsed.diagnostics));
        assert_eq!(found.span.map(|span| source.slice(span)), Some(expected), "{text}: {}", found.message);
    }
}

#[test]
fn printed_lines_and_lints_have_locations() {
    let text = "(define (problem p) (:domain omnigibson) (:objects a_1 - a) \\ (:metric x) (:init (open a_1))
        (:goal (forall (?x - a) (cooked ?a_1))))";
    let source = texts::source("case", text);
    let found = lint::check(&source, Dialect::COMPAT_3_6).diagnostics;
    let found: Vec<_> = found.iter().map(|found| (found.code.0, found.span.map(|span| source.slice(span)))).collect();
    assert_eq!(
        found,
        [
            ("bddl/release-output", Some("\\")),
            ("bddl/release-output", Some(":metric")),
            ("bddl/instance-for-variable", Some("?a_1")),
        ]
    );
}
