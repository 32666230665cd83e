//! PDDL: initial states and goals of the competition tasks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use goalspec_constraints::layout::section;
use goalspec_constraints::pddl::{PddlOptions, PddlVocabulary, constraint};
use goalspec_constraints::{OutputConstraint, Part};
use goalspec_pddl::ast::{Domain, Problem};
use goalspec_pddl::lint::codes::MISSING_REQUIREMENT;
use goalspec_pddl::{check, codes};
use serde_json::json;

use crate::common::{Engine, Engines, count_errors, mutations, on_threads, samples, source};

/// The codes of properties that the grammar leaves to the checker: variables, types, and initial states that contradict themselves.
const LEFT_TO_CHECKER: [&str; 3] = [codes::UNBOUND_VARIABLE.0, codes::TYPE_MISMATCH.0, codes::CONTRADICTED_FACT.0];

/// The maximum number of mutations per task that are compared with the parser.
const MUTATIONS: usize = 60;

struct Task {
    name: String,
    domain: Domain,
    problem: Problem,
    text: String,
}

fn read(name: &str, domain: &str, problem: &str) -> Task {
    let domain = goalspec_pddl::parse(&source("domain", domain)).domains.remove(0);
    let parsed = goalspec_pddl::parse(&source("problem", problem)).problems.remove(0);
    Task { name: name.to_owned(), domain, problem: parsed, text: problem.to_owned() }
}

/// Returns the competition tasks whose actions have no duration.
fn tasks() -> Option<Vec<Task>> {
    let folder = goalspec_testing::conformance::folder("planning/ipc")?;
    let mut paths = Vec::new();
    let mut pending: Vec<PathBuf> = vec![folder];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pddl") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let domain_of = |path: &Path| {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let own = path.with_file_name(format!("{stem}-domain.pddl"));
        let common = path.with_file_name("domain.pddl");
        [own, common].into_iter().find(|path| path.is_file())
    };
    let problems = paths.iter().filter(|path| !path.file_stem().unwrap().to_string_lossy().contains("domain"));
    let tasks = problems.map(|path| {
        let domain = domain_of(path).unwrap_or_else(|| panic!("{} has no domain", path.display()));
        let text = |path: &Path| std::fs::read_to_string(path).unwrap();
        read(&path.display().to_string(), &text(&domain), &text(path))
    });
    Some(tasks.collect())
}

fn export(task: &Task, options: PddlOptions) -> OutputConstraint {
    let vocabulary = PddlVocabulary::new(&task.domain, Some(&task.problem.objects));
    constraint(&vocabulary, options).unwrap_or_else(|error| panic!("{}: {error}", task.name))
}

/// Returns the sections of a problem in canonical layout.
fn sections(constraint: &OutputConstraint, text: &str) -> String {
    let canonical = constraint.canonical(text);
    let [init, goal] = [":init", ":goal"].map(|keyword| section(&canonical, keyword).expect("a section"));
    format!("{init}\n{goal}")
}

/// Returns the text of a problem with other sections.
fn with_sections(task: &Task, sections: &str) -> String {
    let canonical = goalspec_constraints::layout::lower_case_forms(&task.text);
    let [init, goal] = [":init", ":goal"].map(|keyword| section(&canonical, keyword).expect("a section"));
    canonical.replace(&goal, "").replace(&init, sections)
}

/// Returns the errors of a problem that the grammar excludes, by their codes.
fn errors(task: &Task, sections: &str) -> BTreeMap<&'static str, usize> {
    let text = with_sections(task, sections);
    let parsed = goalspec_pddl::parse(&source("problem", &text));
    let mut counts = BTreeMap::new();
    count_errors(&mut counts, &parsed.diagnostics, &LEFT_TO_CHECKER);
    let checked = check::domain(&task.domain);
    for problem in &parsed.problems {
        let lowered = check::problem(problem, &checked);
        count_errors(&mut counts, &lowered.diagnostics, &LEFT_TO_CHECKER);
    }
    counts
}

#[test]
fn competition_tasks_are_accepted() {
    let Some(tasks) = tasks() else { return };
    let accepted = on_threads(&tasks, |task| {
        for typed in [false, true] {
            let constraint = export(task, PddlOptions { typed, ..PddlOptions::default() });
            let text = sections(&constraint, &task.text);
            Engines::of(&constraint).assert_accepts(&task.name, &text);
            if !typed {
                let value = constraint.value(&text).unwrap_or_else(|| panic!("{}: no value", task.name));
                let program = constraint.program(&value).unwrap_or_else(|error| panic!("{}: {error}", task.name));
                Engines::of(&constraint).assert_accepts(&task.name, &program);
            }
        }
    });
    assert_eq!(accepted.len(), TASKS);
}

/// The number of competition tasks.
pub(crate) const TASKS: usize = 44;

#[test]
fn mutations_that_the_parser_rejects_are_rejected() {
    let Some(tasks) = tasks() else { return };
    let counts = on_threads(&tasks, |task| {
        let constraint = export(task, PddlOptions::default());
        let matcher = constraint.grammar().unwrap().matcher();
        let text = sections(&constraint, &task.text);
        let goal = section(&text, ":goal").unwrap();
        let all = mutations(&goal);
        let step = all.len().div_ceil(MUTATIONS);
        let mut rejected = 0;
        for mutation in all.iter().step_by(step) {
            let mutation = text.replace(&goal, mutation);
            if !errors(task, &mutation).is_empty() {
                assert!(matcher.check(&mutation).is_err(), "{}: {mutation}", task.name);
                rejected += 1;
            }
        }
        rejected
    });
    let rejected: usize = counts.iter().sum();
    println!("{rejected} mutations of goals are rejected");
    assert!(rejected > 500, "{rejected}");
}

#[test]
fn random_problems_are_parsed_without_errors() {
    let Some(tasks) = tasks() else { return };
    let small: Vec<&Task> = tasks.iter().filter(|task| task.text.len() < 20_000).collect();
    on_threads(&small, |task| {
        for typed in [false, true] {
            let constraint = export(task, PddlOptions { typed, ..PddlOptions::default() });
            for text in samples(&constraint, 10) {
                let found = errors(task, &text);
                assert!(found.is_empty(), "{}: {found:?}: {text}", task.name);
            }
        }
    });
}

#[test]
fn schemas_compile_and_unroll() {
    let task = read("blocks", DOMAIN, PROBLEM);
    let constraint = export(&task, PddlOptions::default());
    let text = sections(&constraint, &task.text);
    let value = constraint.value(&text).unwrap();
    assert!(Engine::of_schema(constraint.schema().value()).accepts(&value.to_string()));
    let unrolled = constraint.unrolled_schema(6).unwrap();
    assert_eq!(unrolled.validate(&value), []);
    assert!(Engine::of_schema(unrolled.value()).accepts(&value.to_string()));
    for mutation in mutations(&text.replace('\n', " ")) {
        let Some(value) = constraint.value(&mutation) else { continue };
        if constraint.program(&value).is_ok() {
            assert!(errors(&task, &mutation).is_empty(), "{mutation}: {value}");
        }
    }
}

#[test]
fn complete_problems_with_and_without_objects_are_derived() {
    let task = read("blocks", DOMAIN, PROBLEM);
    for objects in [Some(&*task.problem.objects), None] {
        let vocabulary = PddlVocabulary::new(&task.domain, objects);
        let constraint = constraint(&vocabulary, PddlOptions { part: Part::Program, typed: false }).unwrap();
        Engines::of(&constraint).assert_accepts("blocks", &constraint.canonical(PROBLEM));
        for text in samples(&constraint, 20) {
            let parsed = goalspec_pddl::parse(&source("problem", &text));
            assert!(parsed.problems.len() == 1 && parsed.diagnostics.iter().all(|found| !found.is_error()), "{text}");
        }
    }
}

#[test]
fn conditions_are_those_that_the_requirements_permit() {
    let clear = |name: &str| json!({ "predicate": "clear", "x": name });
    let quantified =
        |quantifier: &str| json!({ quantifier: [{ "variable": "?a", "type": "block" }], "holds": clear("?a") });
    let on = json!({ "predicate": "on", "x": "a", "y": "b" });
    // Schemas have no comparisons of numbers.
    let goals = [
        ("", "(and (on a b) (clear a))", Some(json!({ "and": [on, clear("a")] }))),
        (":negative-preconditions", "(not (clear a))", Some(json!({ "not": clear("a") }))),
        (":disjunctive-preconditions", "(or (clear a) (clear b))", Some(json!({ "or": [clear("a"), clear("b")] }))),
        (":disjunctive-preconditions", "(not (and (clear a)))", Some(json!({ "not": { "and": [clear("a")] } }))),
        (":equality", "(= a b)", Some(json!({ "same": "a", "as": "b" }))),
        (":existential-preconditions", "(exists (?x - block) (clear ?x))", Some(quantified("exists"))),
        (":universal-preconditions", "(forall (?x - block) (clear ?x))", Some(quantified("forall"))),
        (":numeric-fluents", "(< (weight a) 2)", None),
    ];
    let sets = [
        (":strips :typing", ""),
        (":strips :typing :negative-preconditions :equality", ":negative-preconditions :equality"),
        (
            ":adl",
            ":negative-preconditions :disjunctive-preconditions :equality :existential-preconditions :universal-preconditions",
        ),
        (":typing :quantified-preconditions", ":existential-preconditions :universal-preconditions"),
        (":typing :fluents", ":numeric-fluents"),
    ];
    for (declared, covered) in sets {
        let task = read("blocks", &DOMAIN.replace(":adl :fluents", declared), PROBLEM);
        let vocabulary = PddlVocabulary::new(&task.domain, Some(&task.problem.objects));
        let constraint = constraint(&vocabulary, PddlOptions { part: Part::Goal, typed: false }).unwrap();
        let engines = Engines::of(&constraint);
        let schema = Engine::of_schema(constraint.schema().value());
        for (need, goal, value) in &goals {
            let is_permitted = need.is_empty() || covered.split(' ').any(|one| one == *need);
            let text = format!("(:goal {goal})");
            assert_eq!(engines.accepts(&text), is_permitted, "{declared}: {text}");
            if let Some(value) = value {
                let text = json!({ "goal": value }).to_string();
                assert_eq!(schema.accepts(&text), is_permitted, "{declared}: {text}");
            }
        }
        let checked = check::domain(&task.domain);
        for text in samples(&constraint, 30) {
            let problem = format!("(define (problem p) (:domain blocks) (:objects a b - block) (:init) {text})");
            let parsed = goalspec_pddl::parse(&source("problem", &problem));
            let found = check::problem(&parsed.problems[0], &checked).diagnostics;
            assert!(found.iter().all(|found| found.code != MISSING_REQUIREMENT), "{declared}: {text}");
        }
    }
}

const DOMAIN: &str = "(define (domain blocks) (:requirements :adl :fluents) (:types block - object)
    (:predicates (on ?x - block ?y - block) (clear ?x - block) (free)) (:functions (weight ?x - block)))";

const PROBLEM: &str = "(define (problem two) (:domain blocks) (:objects a - block b - block)
    (:init (on a b) (clear a) (free) (= (weight a) 2))
    (:goal (and (on b a) (forall (?x - block) (imply (clear ?x) (or (free) (not (= ?x a))))) (exists (?x ?y - block) (on ?x ?y)))))";
