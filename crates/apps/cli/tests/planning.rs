//! Planning problems on the command line.

mod common;

use common::Folder;

const DOMAIN: &str =
    "(define (domain lamps)\n    (:predicates (lit ?l))\n    (:action light :parameters (?l) :effect (lit ?l))\n)\n";

fn problem(name: &str, goal: &str) -> String {
    format!("(define (problem {name}) (:domain LAMPS) (:objects a) (:init) (:goal {goal}))\n")
}

#[test]
fn problems_find_their_domain_beside_them() {
    for name in ["domain.pddl", "p-domain.pddl", "domain-p.pddl", "my_domain_of_lamps.pddl"] {
        let folder = Folder::new();
        folder.write(name, DOMAIN);
        folder.write("p.pddl", problem("p", "(lit a)"));
        folder.write("other-domain.pddl", "(define (domain other) (:predicates (p)) (:action a :effect (p)))");
        let done = folder.run("check p.pddl");
        assert_eq!(done.code, Some(0), "{name}: {}{}", done.out, done.err);
        assert!(done.out.contains("1 program and 1 domain checked, nothing found"), "{name}: {}", done.out);
    }
}

#[test]
fn the_nearest_domain_of_a_name_is_taken() {
    let folder = Folder::new();
    let other = DOMAIN.replace("lit", "dark");
    folder.write("a-domain.pddl", DOMAIN);
    folder.write("b-domain.pddl", &other);
    folder.write("a.pddl", problem("a", "(lit a)"));
    folder.write("b.pddl", problem("b", "(dark a)"));
    let done = folder.run("check a.pddl b.pddl a-domain.pddl b-domain.pddl");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let done = folder.run("check --domain b-domain.pddl a.pddl");
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(done.out.contains("there is no predicate `lit`"), "{}", done.out);
}

#[test]
fn a_problem_without_its_domain_is_reported() {
    let folder = Folder::new();
    folder.write("p.pddl", problem("p", "(lit a)"));
    let done = folder.run("check --format line p.pddl");
    assert_eq!(done.code, Some(1));
    assert!(done.out.contains("error[pddl/unknown-domain]: there is no domain `LAMPS`"), "{}", done.out);
    assert_eq!(folder.run("check --domain missing.pddl p.pddl").code, Some(1));
}

#[test]
fn domain_and_problems_may_share_a_file() {
    let folder = Folder::new();
    let text = format!("{DOMAIN}{}{}", problem("p", "(lit a)"), problem("q", "(lit b)"));
    folder.write("all.pddl", &text);
    let done = folder.run("check --format line all.pddl");
    assert_eq!(done.code, Some(1));
    assert_eq!(done.out.lines().filter(|line| line.contains("error")).count(), 1, "{}", done.out);
    assert!(done.out.contains("there is no object `b`"), "{}", done.out);
}

#[test]
fn what_takes_time_is_a_note_for_those_who_check() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain lamps) (:requirements :durative-actions) (:predicates (lit ?l))
            (:durative-action light :parameters (?l) :duration (= ?duration 2) :condition () :effect (at end (lit ?l))))",
    );
    folder.write("p.pddl", problem("p", "(lit a)"));
    let done = folder.run("check --format line p.pddl");
    assert_eq!(done.code, Some(0), "{}", done.out);
    assert!(done.out.contains("note[pddl/not-planned]"), "{}", done.out);
    let described = folder.run("describe p.pddl");
    assert_eq!(described.code, Some(0));
    assert!(described.out.contains("the problem p") && described.out.contains("takes time"), "{}", described.out);
}

#[test]
fn requirements_are_added_and_files_laid_out() {
    let folder = Folder::new();
    folder.write("domain.pddl", DOMAIN.replace(":effect (lit ?l)", ":precondition (not (lit ?l)) :effect (lit ?l)"));
    let done = folder.run("check --fix domain.pddl");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let text = folder.read("domain.pddl");
    assert!(text.contains("(:requirements :strips :negative-preconditions)"), "{text}");
    assert_eq!(folder.run("fmt domain.pddl").code, Some(0));
    assert_eq!(folder.run("fmt --check domain.pddl").code, Some(0));
    assert!(folder.run("explain pddl/not-planned").out.contains("take time"));
}

#[test]
fn examples_are_sound_and_laid_out() {
    let folder = Folder::new();
    let done = folder.run("check --deny-warnings examples/pddl");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let done = folder.run("fmt --check examples/pddl/delivery/domain.pddl examples/pddl/delivery/one_van.pddl examples/pddl/delivery/two_vans.pddl examples/pddl/supper");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
}
