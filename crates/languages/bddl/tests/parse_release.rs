//! The parsers of the releases, compared with recordings of the releases.

use std::fmt::Write as _;
use std::sync::Arc;

use goalspec_bddl::dialect::Release;
use goalspec_bddl::domains;
use goalspec_bddl::exception::{Exception, PrintedLine};
use goalspec_bddl::parse::release::{self as compiler, ProblemRequest, ReleaseProblem, SExpr};
use goalspec_testing::texts;
use serde_json::{Value, json};

use crate::common;

const RELEASES: [Release; 2] = [Release::V1_0, Release::V3_6];

fn domain(release: Release) -> &'static str {
    match release {
        Release::V1_0 => "igibson",
        Release::V3_6 => "omnigibson",
    }
}

fn json(list: &SExpr) -> Value {
    match list {
        SExpr::Word(word, _) => json!(word),
        SExpr::List(items, _) => items.iter().map(json).collect(),
    }
}

fn all(lists: &[SExpr]) -> Value {
    lists.iter().map(json).collect()
}

/// Formats a value as Python prints it.
fn python(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{}'", text.replace('\\', "\\\\")),
        Value::Array(items) => format!("[{}]", items.iter().map(python).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let entries: Vec<_> = map.iter().map(|(key, value)| format!("'{key}': {}", python(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => panic!("no {other} in parsed texts"),
    }
}

fn objects(problem: &ReleaseProblem) -> Value {
    let declared = |(category, declared): (&String, &compiler::problem::DeclaredCategory)| {
        (category.clone(), all(&declared.instances))
    };
    Value::Object(problem.objects.iter().map(declared).collect())
}

fn lines(printed_lines: &[PrintedLine]) -> Vec<&str> {
    printed_lines.iter().map(|line| line.text.as_str()).collect()
}

/// Formats a result as the recordings of quirks do.
fn written(outcome: &Result<(String, Vec<PrintedLine>), Exception>) -> String {
    let (mut text, printed_lines) = match outcome {
        Ok((text, printed_lines)) => (text.clone(), printed_lines),
        Err(exception) => (format!("!! {exception}"), &exception.printed_lines),
    };
    if !printed_lines.is_empty() {
        let _ = write!(text, "   [stdout: {}]", python(&json!(lines(printed_lines).join("\n"))));
    }
    text
}

#[test]
fn published_activities_are_read_as_recorded() {
    for (release, count) in [(Release::V1_0, 100), (Release::V3_6, 797)] {
        let (Some(rows), Some(activities)) = (common::rows("parse", release), common::activities(release)) else {
            continue;
        };
        assert_eq!(rows.len(), count);
        for row in rows {
            let name = row["a"].as_str().expect("a name");
            let activity =
                activities.iter().find(|activity| activity.name == name).expect("an activity of the release");
            let problem = compiler::read_problem(
                &texts::source(name, &activity.text),
                &ProblemRequest::new(name, domain(release)),
            )
            .expect(name);
            assert_eq!(json(&problem.name), row["problem"], "{name}");
            assert_eq!(python(&objects(&problem)), python(&row["objects"]), "{name}");
            assert_eq!(all(&problem.init), row["init"], "{name}");
            assert_eq!(all(&problem.goal), row["goal"], "{name}");
        }
    }
}

/// The inputs of the recorded parsing quirks, by title.
const QUIRKS: [(&str, &str); 22] = [
    ("missing close", "(define (problem p) (:domain D)"),
    ("missing open", "(define (problem p)))"),
    ("two top-level forms", "(define (problem p)) (define (problem q))"),
    ("empty string", ""),
    ("not define", "(defin (problem p))"),
    ("capital DEFINE + comment", "(DEFINE (Problem P) ; (:init (open a))\n (:DOMAIN D))"),
    ("wrong domain", "(define (problem p) (:domain other))"),
    ("no domain section", "(define (problem p))"),
    (
        "unknown section + requirements",
        "(define (problem p) (:domain D) (:requirements :nothing) (:metric minimize) (:objects a - c) (:init (open a)) \
         (:goal (open a)))",
    ),
    ("stray token at top level", "(define (problem p) (:domain D) (:objects a - c) \\ )"),
    ("untyped objects", "(define (problem p) (:domain D) (:objects a b - c d e))"),
    ("category twice in one :objects", "(define (problem p) (:objects a - c b - c))"),
    ("two :objects sections", "(define (problem p) (:objects a - c) (:objects b - c))"),
    ("two :init sections", "(define (problem p) (:init (open a)) (:init (open b)))"),
    ("two :goal sections", "(define (problem p) (:goal (open a)) (:goal (open b)))"),
    ("(:goal A B)", "(define (problem p) (:goal (open a) (open b)))"),
    ("(:goal (and A) (not B))", "(define (problem p) (:goal (and (open a) (cooked a)) (not (open b))))"),
    ("(:goal)", "(define (problem p) (:goal))"),
    ("(:goal (and))", "(define (problem p) (:goal (and)))"),
    ("nested and not flattened", "(define (problem p) (:goal (and (and (open a) (open b)) (open c))))"),
    ("goal is a symbol", "(define (problem p) (:goal open))"),
    ("? attached, arbitrary chars", "(define (problem p) (:goal (open ?A.n.01_1?)))"),
];

/// The last recorded quirk concerns objects with unusual characters.
const ODD: (&str, &str) = ("square bracket/brace/quote tokens", "(define (problem p) (:objects \"a b\" [x] - c))");

/// Returns the lines of a part of the quirks, by title.
fn quirks(release: Release, part: &str) -> Option<Vec<(String, String)>> {
    let version = common::version(release);
    let path = common::conformance()?.join(format!("quirks-{version}.txt"));
    let text = std::fs::read_to_string(path).expect("the quirks can be read");
    let lines = text.split("== ").find_map(|block| block.strip_prefix(&format!("{part} {version}\n")));
    let lines = lines.expect("the part exists").lines();
    Some(
        lines
            .map(|line| {
                let (title, outcome) = line.trim_start_matches("- ").split_once(": ").expect("a title and an outcome");
                (title.to_owned(), outcome.to_owned())
            })
            .collect(),
    )
}

#[test]
fn malformed_problems_are_read_as_recorded() {
    for release in RELEASES {
        let Some(quirks) = quirks(release, "parser") else { return };
        let mut mismatches = Vec::new();
        for (title, expected) in quirks.iter().filter(|(title, _)| title != "parse_domain") {
            let known = QUIRKS.iter().chain([&ODD]).find(|(known, _)| known == title);
            let text = known.unwrap_or_else(|| panic!("no input for the quirk `{title}`")).1;
            let source = texts::source("case", &text.replace('D', "d"));
            let read = compiler::read_problem(&source, &ProblemRequest::new("x", "d"));
            let found = written(&read.map(|problem| {
                let lists = [all(&problem.init), all(&problem.goal)].map(|list| python(&list)).join(", ");
                let head = python(&json(&problem.name));
                (format!("({head}, {}, {lists})", python(&objects(&problem))), problem.printed_lines)
            }));
            if found != *expected {
                mismatches.push(format!("{title}\n  expected {expected}\n  found    {found}"));
            }
        }
        assert!(mismatches.is_empty(), "{release:?}\n{}", mismatches.join("\n"));
    }
}

#[test]
fn domain_files_are_read_as_recorded() {
    for release in RELEASES {
        let (Some(quirks), Some(folder)) = (quirks(release, "parser"), common::definitions(release)) else { return };
        let file = folder.join(format!("domain_{}.bddl", domain(release)));
        let text = std::fs::read_to_string(&file).expect("the domain can be read");
        let domain =
            compiler::read_domain(&texts::source("domain", &text), release, "domain").expect("the input is valid");
        let parameter = |(name, value): (&String, &Arc<SExpr>)| (name.clone(), json(value));
        let predicate = |(name, parameters): (&String, _)| {
            let parameters: &indexmap::IndexMap<String, Arc<SExpr>> = parameters;
            (name.clone(), Value::Object(parameters.iter().map(parameter).collect()))
        };
        let predicates = Value::Object(domain.predicates.iter().map(predicate).collect());
        let name = python(&json(&domain.name));
        let found = format!("({name}, {}, [], [], {})", python(&all(&domain.requirements)), python(&predicates));
        let expected = quirks.iter().find(|(title, _)| title == "parse_domain").expect("it was recorded");
        assert_eq!(found, expected.1);
        assert!(domain.types.is_empty() && domain.actions.is_empty() && domain.printed_lines.is_empty());
    }
}

#[test]
fn malformed_domains_raise_the_exceptions_of_the_releases() {
    let both = |text: &str| {
        RELEASES.map(|release| {
            compiler::read_domain(&texts::source("d", text), release, "d.bddl")
                .map(|_| ())
                .map_err(|exception| exception.to_string())
        })
    };
    let cases = [
        ("x", "Exception: File d.bddl does not match domain pattern"),
        ("()", "IndexError: pop from empty list"),
        ("(define x)", "AttributeError: 'str' object has no attribute 'pop'"),
        ("(define (:requirements :fluents))", "Exception: Requirement :fluents not supported"),
        ("(define (:predicates (p - t)))", "Exception: Unexpected hyphen in predicates"),
        ("(define (:predicates (p ?a -)))", "IndexError: pop from empty list"),
        ("(define (:predicates (p (a))))", "TypeError: unhashable type: 'list'"),
        ("(define (:action a n :effect x))", "Exception: Error with n effects"),
        ("(define (:action a n :precondition (not a b)))", "Exception: Unexpected not in n preconditions"),
        ("(define (:action a (n)))", "Exception: Action without name definition"),
    ];
    for (text, expected) in cases {
        assert_eq!(both(text), [Err(expected.to_owned()), Err(expected.to_owned())], "{text}");
    }
    let twice = "(define (:predicates (p ?a)) (:predicates (p ?b)))";
    assert_eq!(both(twice), [Err("Exception: Predicate p defined multiple times".to_owned()), Ok(())]);
    let none = "(define (:predicates))";
    assert_eq!(both(none), [Err("TypeError: cannot unpack non-iterable NoneType object".to_owned()), Ok(())]);
}

#[test]
fn rooms_of_lists_are_refused() {
    let text = "(define (problem p) (:domain igibson) (:init (inroom (a) kitchen) (open a)))";
    let vocabulary = domains::builtin("igibson").expect("it is built in");
    let request = ProblemRequest::new("p", "igibson");
    let source = texts::source("case", text);
    let error = compiler::compile_problem(&source, Release::V1_0, &request, vocabulary).expect_err("it has a list");
    let expected = "NotImplementedError: ['inroom', ['a'], 'kitchen'] is neither an atom nor the negation of one";
    assert_eq!(error.to_string(), expected);
    assert_eq!(source.slice(error.span.expect("it has a place")), "(inroom (a) kitchen)");
}

#[test]
fn declarations_that_only_the_release_accepts_are_noted() {
    let source = texts::source("case", "(define (domain d) (:predicates (open ?) (\"wet\" ?a) (hot ?a)) (:color red))");
    let parsed = goalspec_bddl::parse::parse(&source, goalspec_bddl::Dialect::COMPAT_3_6);
    let found: Vec<_> = parsed.diagnostics.iter().map(|found| (found.code.0, found.is_error())).collect();
    assert_eq!(
        found,
        [
            ("bddl/argument-count", false),
            ("bddl/invalid-name", false),
            ("bddl/invalid-name", false),
            ("bddl/release-output", false)
        ]
    );
    assert_eq!(parsed.domains.len(), 1);
}

#[test]
fn actions_lose_their_names() {
    let text = "(define (domain d) (:action go :parameters (?x) :precondition (and (p ?x) (not (q ?x))) :effect (not (p ?x))))";
    let domain = compiler::read_domain(&texts::source("d", text), Release::V3_6, "d.bddl").expect("it is read");
    let action = &domain.actions[0];
    assert_eq!((action.name.as_str(), action.parameters.len()), (":parameters", 0));
    assert_eq!(lines(&domain.printed_lines), ["['?x'] is not recognized in action"]);
    let shown = |lists: &[SExpr]| lists.iter().map(SExpr::to_string).collect::<Vec<_>>();
    assert_eq!(shown(&action.positive_preconditions), ["['p', '?x']"]);
    assert_eq!(shown(&action.negative_preconditions), ["['q', '?x']"]);
    assert_eq!((shown(&action.add_effects), shown(&action.del_effects)), (vec![], vec!["['p', '?x']".to_owned()]));
}

#[test]
fn endless_nesting_is_refused() {
    let deep = format!("(define (:goal {}{}))", "(not ".repeat(100_000), ")".repeat(100_000));
    let error = compiler::read_problem(&texts::source("deep", &deep), &ProblemRequest::new("x", "d"))
        .expect_err("it is too deep");
    assert_eq!(error.to_string(), "RecursionError: maximum recursion depth exceeded");
}

#[test]
fn goals_that_do_not_compile_raise_the_exceptions_of_the_releases() {
    let raised = |goal: &str| {
        RELEASES.map(|release| {
            let text = format!("(define (problem p) (:objects a_1 a_2 - a b_1 - b - c) (:goal {goal}))");
            let vocabulary = domains::builtin(domain(release)).expect("it is built in");
            let source = texts::source("case", &text);
            let compiled = compiler::compile_problem(&source, release, &ProblemRequest::new("p", "d"), vocabulary);
            compiled.map_or_else(|exception| exception.to_string(), |_| "compiled".to_owned())
        })
    };
    let both = |goal: &str, expected: &str| assert_eq!(raised(goal), [expected, expected], "{goal}");
    both("(and)", "IndexError: list index out of range");
    both("(zorp a_1)", "UnsupportedPredicateError: 'zorp'");
    both("(and z)", "UnsupportedPredicateError: 'z'");
    both("(forall (?x - d) (open ?x))", "KeyError: 'd'");
    both("(forall (?x of a) (open ?x))", "AssertionError: Middle was not a hyphen");
    both("(forall (?x - a))", "ValueError: not enough values to unpack (expected 2, got 1)");
    both("(imply (open a_1) (open a_1) (open a_1))", "ValueError: too many values to unpack (expected 2)");
    both("(forn (x) (?x - a) (open ?x))", "ValueError: invalid literal for int() with base 10: 'x'");
    both("(forpairs (?x - c) (?y - a) (zorp ?x))", "IndexError: list index out of range");
    both("(open (a_1))", "AttributeError: 'list' object has no attribute 'strip'");
    both("(forpairs (?x - a) (?y - c) (zorp ?x))", "compiled");
    both("(forpairs (?x - b) (?y - b) (zorp ?x))", "compiled");
    both("(forpairs (?x - b) (?y - a) (zorp ?x))", "UnsupportedPredicateError: 'zorp'");
    both("((open a_1))", "TypeError: unhashable type: 'list'");
    // The releases do not examine further arguments of `not`, the body of a quantifier without instances, and all but the first
    // digit of a bare number.
    both("(not (open ?a_1?) (zorp))", "compiled");
    both("(forall (?x - c) (zorp ?x))", "compiled");
    both("(forn 12 (?x - a) (open ?x))", "compiled");
    let apart = [
        ("(open c_1)", ["UncontrolledCategoryError: ", "UncontrolledCategoryError: 'c_1'"]),
        (
            "(open a_1 a_2)",
            [
                "AssertionError: Param list should have 1 arg",
                "AssertionError: Param list for predicate open should have 1 arg",
            ],
        ),
        (
            "(ontop a_1)",
            [
                "AssertionError: Param list should have 2 args",
                "AssertionError: Param list for predicate ontop should have 2 args",
            ],
        ),
    ];
    for (goal, expected) in apart {
        assert_eq!(raised(goal), expected, "{goal}");
    }
}
