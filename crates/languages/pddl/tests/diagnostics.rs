//! Diagnostics: cases for every code. Every fix removes the diagnostic that it fixes.

use goalspec_pddl::lint::codes as lint;
use goalspec_pddl::{check, codes, lower_plan, parse};
use goalspec_syntax::{Diagnostic, SourceFile, Sources};
use goalspec_testing::diagnostics;

const HEAD: &str = "(:requirements :strips :adl :fluents) ";
const TYPES: &str = "(:types block table - thing thing) (:constants c - block) ";
const NAMES: &str = "(:predicates (on ?x ?y - thing) (clear ?x - block) (low ?x - block) (free)) \
    (:functions (total-cost) (weight ?b - block)) ";
const PUT: &str =
    "(:action put :parameters (?b - block ?t - table) :precondition (free) :effect (and (on ?b ?t) (clear ?b))) ";

/// Returns the source text of a case: the case itself, or a domain or problem that contains it, depending on the kind.
fn whole(kind: &str, text: &str) -> String {
    let domain = |rest: &str| format!("(define (domain d) {HEAD}{TYPES}{NAMES}{rest})");
    let problem = |rest: &str| format!("{} (define (problem p) (:domain d) {rest})", domain(PUT));
    let objects = "(:objects a b - block t - table)";
    let action = |condition: &str| {
        let effect = "(and (clear ?x) (on ?x ?y))";
        domain(&format!("(:action act :parameters (?x - block ?y - thing) :precondition {condition} :effect {effect})"))
    };
    match kind {
        "text" => text.to_owned(),
        "types" => format!("(define (domain d) {HEAD}{text})"),
        "sections" => domain(text),
        "condition" => action(text),
        "problem" => problem(text),
        "init" => problem(&format!("{objects} (:init {text}) (:goal (clear a))")),
        "goal" => problem(&format!("{objects} (:init (free)) (:goal {text})")),
        other => panic!("unknown kind of case {other}"),
    }
}

/// Whether a diagnostic is irrelevant to the cases of a kind.
fn is_besides(kind: &str, found: &Diagnostic) -> bool {
    let allowed = [lint::UNUSED_PREDICATE, lint::MISSING_REQUIREMENT, lint::SUPERFLUOUS_REQUIREMENT];
    kind != "text" && allowed.contains(&found.code)
}

/// Returns all diagnostics of a text with at most one domain and one problem.
fn all(source: &SourceFile) -> Vec<Diagnostic> {
    let parsed = parse(source);
    let mut found = parsed.diagnostics;
    if let Some(domain) = parsed.domains.first() {
        let readable = !found.iter().any(Diagnostic::is_error);
        let checked = check::domain(domain);
        found.extend(checked.diagnostics.iter().cloned());
        if let Some(problem) = parsed.problems.first().filter(|_| readable || source.text().contains("(problem p)")) {
            let lowered = check::problem(problem, &checked);
            found.extend(lowered.diagnostics);
            let as_note = |diagnostic| Diagnostic { severity: goalspec_syntax::Severity::Note, ..diagnostic };
            found.extend(lowered.unsupported.into_iter().map(as_note));
        }
    }
    found.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    found
}

/// Returns all diagnostics of a plan.
fn of_plan(source: &SourceFile) -> Vec<Diagnostic> {
    let mut sources = Sources::new();
    let id = sources.add("task.pddl", whole("goal", "(clear a)"));
    let parsed = parse(sources.file(id));
    let lowered = check::problem(&parsed.problems[0], &check::domain(&parsed.domains[0]));
    let (plan, mut found) = parse::plan(source);
    found.extend(lower_plan(&plan, &lowered.task.expect("a task")).1);
    found
}

const CASES: &str = include_str!("cases/diagnostics.txt");

#[test]
fn findings_are_as_expected() {
    let text = |kind: &str, part: &str| if kind == "plan" { part.to_owned() } else { whole(kind, part) };
    let lint = |kind: &str, source: &SourceFile| {
        let mut found = if kind == "plan" { of_plan(source) } else { all(source) };
        found.retain(|diagnostic| !is_besides(kind, diagnostic));
        found
    };
    diagnostics::assert_cases(CASES, text, lint);
}

#[test]
fn every_code_is_documented_once_and_has_a_case() {
    // Problems find their domains among files, which is tested with the command.
    diagnostics::assert_documented("pddl", codes::ALL.iter().chain(lint::ALL), CASES, &[codes::UNKNOWN_DOMAIN]);
}

#[test]
fn explanations_name_the_limits() {
    use goalspec_core::limits::{MAX_OBJECTS, MAX_TYPES};
    use goalspec_pddl::trajectory::{MAX_STEPS, MAX_SUBFORMULAS};

    let doc = codes::ALL.iter().find(|doc| doc.code == codes::TOO_MANY).expect("it is documented");
    for limit in
        [MAX_TYPES.to_string(), MAX_OBJECTS.to_string(), MAX_SUBFORMULAS.to_string(), format!("{MAX_STEPS} steps")]
    {
        assert!(doc.explanation.contains(&limit), "{limit}");
    }
}

#[test]
fn the_declaration_is_shown() {
    let source = goalspec_testing::texts::source("case", &whole("condition", "(and (clear ?x) (ON ?x))"));
    let found = all(&source);
    let diagnostic = found.iter().find(|diagnostic| diagnostic.code == codes::ARGUMENT_COUNT).expect("it is found");
    assert_eq!(diagnostic.message, "`ON` takes 2 arguments, found 1");
    assert_eq!(diagnostic.related[0].message, "declared as (on ?x ?y - thing)");
}
