//! Requirements: the needs of each language feature, implications between requirements, superfluous requirements; `either`
//! types and upper-case letters in all positions.

use goalspec_pddl::lint::codes as lint;
use goalspec_pddl::requirements::REQUIREMENTS;
use goalspec_pddl::{check, parse};
use goalspec_syntax::{Diagnostic, SourceFile};

use crate::common;

/// Parts of a domain, with the requirements that each needs in addition to `:strips`.
const DOMAINS: &[(&str, &[&str])] = &[
    ("(:predicates (p)) (:action a :effect (p))", &[]),
    ("(:types t) (:predicates (p ?x - t)) (:action a :parameters (?x - t) :effect (p ?x))", &[":typing"]),
    ("(:predicates (p) (q)) (:action a :parameters (?x - object) :precondition (q) :effect (p))", &[":typing"]),
    ("(:predicates (p)) (:constants c - object) (:action a :effect (p))", &[":typing"]),
    ("(:predicates (p)) (:action a :precondition (not (p)) :effect (p))", &[":negative-preconditions"]),
    ("(:predicates (p)) (:action a :precondition (or (p) (p)) :effect (p))", &[":disjunctive-preconditions"]),
    ("(:predicates (p)) (:action a :precondition (imply (p) (p)) :effect (p))", &[":disjunctive-preconditions"]),
    ("(:predicates (p)) (:action a :precondition (not (and (p) (p))) :effect (p))", &[":disjunctive-preconditions"]),
    ("(:predicates (p)) (:action a :parameters (?x ?y) :precondition (= ?x ?y) :effect (p))", &[":equality"]),
    (
        "(:predicates (p)) (:action a :parameters (?x ?y) :precondition (not (= ?x ?y)) :effect (p))",
        &[":equality", ":negative-preconditions"],
    ),
    (
        "(:predicates (p ?x)) (:action a :precondition (exists (?x) (p ?x)) :effect (and))",
        &[":existential-preconditions"],
    ),
    (
        "(:predicates (p ?x)) (:action a :precondition (forall (?x) (p ?x)) :effect (and))",
        &[":universal-preconditions"],
    ),
    ("(:predicates (p ?x)) (:action a :effect (forall (?x) (p ?x)))", &[":conditional-effects"]),
    ("(:predicates (p) (q)) (:action a :effect (when (p) (q)))", &[":conditional-effects"]),
    (
        "(:predicates (p) (q)) (:action a :effect (when (not (p)) (q)))",
        &[":conditional-effects", ":negative-preconditions"],
    ),
    (
        "(:predicates (p)) (:functions (total-cost) - number) (:action a :effect (increase (total-cost) 1))",
        &[":action-costs"],
    ),
    (
        "(:functions (total-cost) (way ?x)) (:action a :parameters (?x) :effect (increase (total-cost) (way ?x)))",
        &[":action-costs"],
    ),
    ("(:functions (f)) (:action a :effect (increase (f) 1))", &[":action-costs", ":numeric-fluents"]),
    ("(:functions (total-cost)) (:action a :effect (decrease (total-cost) 1))", &[":action-costs", ":numeric-fluents"]),
    (
        "(:functions (f)) (:predicates (p)) (:action a :precondition (> (f) 1) :effect (p))",
        &[":action-costs", ":numeric-fluents"],
    ),
    ("(:predicates (p) (q)) (:derived (q) (p)) (:action a :precondition (q) :effect (p))", &[":derived-predicates"]),
    (
        "(:predicates (p)) (:durative-action a :parameters () :duration (= ?duration 2) :condition () :effect (at end (p)))",
        &[":durative-actions"],
    ),
    (
        "(:predicates (p)) (:durative-action a :parameters () :duration (<= ?duration 2) :condition () :effect (at end (p)))",
        &[":durative-actions", ":duration-inequalities"],
    ),
    (
        "(:functions (f)) (:durative-action a :parameters () :duration (= ?duration 2) :condition () :effect (increase (f) (* #t 1)))",
        &[":action-costs", ":continuous-effects", ":durative-actions", ":numeric-fluents"],
    ),
    ("(:predicates (p)) (:action a :precondition (preference w (p)) :effect (p))", &[":preferences"]),
    ("(:predicates (p)) (:constraints (always (p))) (:action a :effect (p))", &[":constraints"]),
    (
        "(:predicates (p)) (:constraints (preference w (sometime (p)))) (:action a :effect (p))",
        &[":constraints", ":preferences"],
    ),
];

/// Parts of a problem of a domain with the predicates `p` and `q ?x`, with the requirements that each needs.
const PROBLEMS: &[(&str, &[&str])] = &[
    ("(:init) (:goal (p))", &[]),
    ("(:objects o - object) (:init) (:goal (p))", &[":typing"]),
    ("(:init) (:goal (not (p)))", &[":negative-preconditions"]),
    ("(:init) (:goal (or (p) (p)))", &[":disjunctive-preconditions"]),
    ("(:init) (:goal (exists (?x) (q ?x)))", &[":existential-preconditions"]),
    ("(:init) (:goal (forall (?x) (q ?x)))", &[":universal-preconditions"]),
    ("(:objects o u) (:init) (:goal (= o u))", &[":equality"]),
    ("(:init) (:goal (preference w (p)))", &[":preferences"]),
    ("(:init) (:goal (p)) (:constraints (sometime (p)))", &[":constraints"]),
    ("(:init (at 3 (p))) (:goal (p))", &[":timed-initial-literals"]),
];

/// The requirements implied by each requirement, according to PDDL 2.1 and 3.1.
const CONTENTS: &[(&str, &[&str])] = &[
    (
        ":adl",
        &[
            ":strips",
            ":typing",
            ":negative-preconditions",
            ":disjunctive-preconditions",
            ":equality",
            ":existential-preconditions",
            ":universal-preconditions",
            ":conditional-effects",
        ],
    ),
    (":quantified-preconditions", &[":existential-preconditions", ":universal-preconditions"]),
    (":fluents", &[":numeric-fluents", ":action-costs"]),
    (":numeric-fluents", &[":action-costs"]),
    (":domain-axioms", &[":derived-predicates"]),
    (":timed-initial-literals", &[":durative-actions"]),
];

/// Requirements that only problems can need, or that are not supported. They are never superfluous in a domain.
const NEVER_SUPERFLUOUS: &[&str] = &[
    ":strips",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":object-fluents",
    ":adl",
    ":timed-initial-literals",
    ":preferences",
    ":constraints",
    ":goal-utilities",
];

fn found(text: &str) -> (SourceFile, Vec<Diagnostic>) {
    let source = goalspec_testing::texts::source("case", text);
    let parsed = parse(&source);
    let mut found = parsed.diagnostics;
    let checked = check::domain(&parsed.domains[0]);
    found.extend(checked.diagnostics.iter().cloned());
    for problem in &parsed.problems {
        found.extend(check::problem(problem, &checked).diagnostics);
    }
    assert!(!found.iter().any(Diagnostic::is_error), "{text}: {found:?}");
    (source, found)
}

/// Returns the requirements reported as missing and those reported as superfluous.
fn said(text: &str) -> (Vec<String>, Vec<String>) {
    let (source, found) = found(text);
    let with_code = |code| found.iter().filter(move |diagnostic| diagnostic.code == code);
    let missing = with_code(lint::MISSING_REQUIREMENT).flat_map(|diagnostic| &diagnostic.related);
    let mut missing: Vec<String> =
        missing.map(|diagnostic| diagnostic.message.trim_start_matches("required here: ").to_owned()).collect();
    missing.sort_unstable();
    let superfluous = with_code(lint::SUPERFLUOUS_REQUIREMENT)
        .filter_map(|diagnostic| Some(source.slice(diagnostic.span?).to_owned()));
    (missing, superfluous.collect())
}

fn domain(requirements: &[&str], rest: &str) -> String {
    format!("(define (domain d) (:requirements :strips {}) {rest})", requirements.join(" "))
}

fn problem(requirements: &[&str], rest: &str) -> String {
    let domain =
        domain(requirements, "(:predicates (p) (q ?x)) (:action a :parameters (?x) :precondition (q ?x) :effect (p))");
    format!("{domain}\n(define (problem x) (:domain d) {rest})")
}

/// Returns the requirements implied by a requirement, including itself.
fn contents(requirement: &str) -> Vec<&str> {
    let inside = CONTENTS.iter().find(|(name, _)| *name == requirement).map_or(&[][..], |(_, inside)| inside);
    std::iter::once(requirement).chain(inside.iter().copied()).collect()
}

/// Returns the needs that none of the given requirements covers.
fn lacking(required: &[&str], declared: &[&str]) -> Vec<String> {
    let covered: Vec<&str> = declared.iter().flat_map(|name| contents(name)).collect();
    let mut missing: Vec<String> =
        required.iter().filter(|need| !covered.contains(need)).map(|need| (*need).to_owned()).collect();
    missing.sort_unstable();
    missing
}

#[test]
fn exactly_the_missing_requirements_are_named() {
    for (text, needs) in DOMAINS {
        assert_eq!(said(&domain(&[], text)).0, lacking(needs, &[]), "{text}");
        assert_eq!(said(&domain(needs, text)), (Vec::new(), Vec::new()), "{text}");
        for declared in REQUIREMENTS {
            assert_eq!(said(&domain(&[declared], text)).0, lacking(needs, &[declared]), "{declared} {text}");
        }
    }
    for (text, needs) in PROBLEMS {
        for declared in REQUIREMENTS {
            assert_eq!(said(&problem(&[declared], text)).0, lacking(needs, &[declared]), "{declared} {text}");
        }
    }
}

#[test]
fn every_requirement_is_needed_by_something_or_never_called_superfluous() {
    let plain = DOMAINS[0].0;
    for declared in REQUIREMENTS {
        let needed = DOMAINS.iter().any(|(_, needs)| needs.iter().any(|need| contents(declared).contains(need)));
        let superfluous = said(&domain(&[declared], plain)).1;
        if NEVER_SUPERFLUOUS.contains(&declared) {
            assert!(superfluous.is_empty(), "{declared}");
        } else {
            assert!(needed, "{declared} has no case");
            assert_eq!(superfluous, [declared], "{declared}");
        }
        // Requirements are case-insensitive.
        assert_eq!(said(&domain(&[&declared.to_uppercase()], plain)).1.len(), superfluous.len(), "{declared}");
    }
    // A requirement is not superfluous if one of the requirements that it implies is needed.
    for (text, needs) in DOMAINS {
        for declared in
            REQUIREMENTS.iter().filter(|declared| contents(declared).iter().any(|part| needs.contains(part)))
        {
            assert!(said(&domain(&[declared], text)).1.is_empty(), "{declared} {text}");
        }
    }
}

#[test]
fn requirements_of_a_problem_cover_its_own_features_and_those_of_its_domain() {
    let text = |domain: &str, problem: &str, init: &str| {
        format!(
            "(define (domain d) (:requirements :strips {domain}) (:predicates (p)) (:functions (f))
                (:action a :precondition (not (p)) :effect (and (p) (increase (f) 1))))
            (define (problem x) (:domain d) (:requirements {problem}) (:init {init}) (:goal (p)))"
        )
    };
    for (domain, problem, init) in [
        // Numbers in the initial state, declared by the domain or not.
        (":negative-preconditions :numeric-fluents", ":fluents", "(= (f) 2)"),
        (":negative-preconditions", ":action-costs", "(= (f) 2)"),
        // One requirement implies the other, in both directions.
        (":negative-preconditions :numeric-fluents", ":fluents", ""),
        (":negative-preconditions :fluents", ":numeric-fluents", ""),
        // Only the problem declares the features of the domain.
        (":numeric-fluents", ":negative-preconditions", "(= (f) 2)"),
    ] {
        assert_eq!(said(&text(domain, problem, init)).1, Vec::<String>::new(), "{domain}, {problem}, {init}");
    }
    assert_eq!(said(&text(":adl :fluents", ":preferences", "(= (f) 2)")).1, [":preferences"]);
}

#[test]
fn either_may_stand_wherever_types_do() {
    let either = "(either t u)";
    let text = format!(
        "(define (domain d) (:requirements :adl :numeric-fluents :derived-predicates :constraints :preferences)
            (:types t u - object v - {either})
            (:constants c - {either})
            (:predicates (p ?x - {either}) (r ?x - v) (s ?x - {either}))
            (:functions (f ?x - {either}) - number)
            (:constraints (forall (?x - {either}) (preference w (sometime (p ?x)))))
            (:derived (s ?x - {either}) (p ?x))
            (:action a :parameters (?x - {either} ?y - v)
                :precondition (and (r ?y) (exists (?z - {either}) (p ?z)) (forall (?z - {either}) (imply (p ?z) (>= (f ?z) 0))))
                :effect (and (p ?x) (forall (?z - {either}) (when (p ?z) (increase (f ?z) 1))))))
        (define (problem x) (:domain d) (:objects o - {either} e - t n - u k - v)
            (:init (p o) (p e) (p n) (r k) (= (f o) 1))
            (:goal (forall (?x - {either}) (s ?x))))"
    );
    let (_, found) = found(&text);
    let besides = [lint::NO_VALUE, lint::SUPERFLUOUS_REQUIREMENT];
    let wrong: Vec<_> = found.iter().filter(|diagnostic| !besides.contains(&diagnostic.code)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let task = common::read(&[&text]).task.expect("a task");
    let members = |name: &str| task.world.members(task.world.type_named(name).expect("the name is defined")).len();
    // An `either` type counts as each of its alternatives.
    assert_eq!((members("t"), members("u"), members("v")), (4, 4, 1));
}

#[test]
fn letters_of_either_case_are_the_same() {
    for pair in common::competition().unwrap_or_default() {
        let plain = common::read(&[&pair.domain, &pair.problem]).task.expect("a task");
        let capital = common::read(&[&pair.domain.to_uppercase(), &pair.problem.to_uppercase()]);
        let capital = capital.task.unwrap_or_else(|| panic!("{}: {:?}", pair.name, capital.diagnostics));
        assert_eq!((plain.actions, plain.axioms), (capital.actions, capital.axioms), "{}", pair.name);
        assert_eq!((plain.goal, plain.initial), (capital.goal, capital.initial), "{}", pair.name);
    }
}
