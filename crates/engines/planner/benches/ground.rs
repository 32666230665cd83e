//! Benchmarks of grounding: Blocksworld with up to 200 blocks, and a transport domain with trucks and packages.
//!
//! `cargo bench -p goalspec-planner --bench ground`

use std::fmt::Write;
use std::ops::ControlFlow;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use goalspec_core::planning::task::Task;
use goalspec_pddl::{ResolvedDomain, lower, parse};
use goalspec_planner::ground::{GroundLimits, ground};
use goalspec_syntax::Sources;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

const BLOCKS: &str = "(define (domain blocks)
    (:predicates (on ?x ?y) (on-table ?x) (clear ?x) (empty) (held ?x))
    (:action grab :parameters (?x) :precondition (and (clear ?x) (on-table ?x) (empty))
        :effect (and (not (on-table ?x)) (not (clear ?x)) (not (empty)) (held ?x)))
    (:action lay :parameters (?x) :precondition (held ?x)
        :effect (and (not (held ?x)) (clear ?x) (empty) (on-table ?x)))
    (:action lift :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (empty))
        :effect (and (held ?x) (clear ?y) (not (clear ?x)) (not (empty)) (not (on ?x ?y))))
    (:action pile :parameters (?x ?y) :precondition (and (held ?x) (clear ?y))
        :effect (and (not (held ?x)) (not (clear ?y)) (clear ?x) (empty) (on ?x ?y))))";

/// Returns a problem with `count` blocks on the table and a tower as the goal.
fn blocks(count: usize) -> String {
    let (mut objects, mut init, mut goal) = (String::new(), String::from("(empty)"), String::new());
    for at in 0..count {
        let _ = write!(objects, " b{at}");
        let _ = write!(init, " (on-table b{at}) (clear b{at})");
        if at > 0 {
            let _ = write!(goal, " (on b{at} b{})", at - 1);
        }
    }
    format!("(define (problem tower) (:domain blocks) (:objects{objects}) (:init {init}) (:goal (and {goal})))")
}

const TRUCKS: &str = "(define (domain trucks)
    (:requirements :typing :action-costs)
    (:types place truck package amount)
    (:predicates (road ?a ?b - place) (at ?t - truck ?a - place) (lies ?p - package ?a - place)
        (in ?p - package ?t - truck) (space ?t - truck ?n - amount) (next ?m ?n - amount))
    (:functions (total-cost) (length ?a ?b - place))
    (:action drive :parameters (?t - truck ?a ?b - place) :precondition (and (at ?t ?a) (road ?a ?b))
        :effect (and (not (at ?t ?a)) (at ?t ?b) (increase (total-cost) (length ?a ?b))))
    (:action load :parameters (?p - package ?t - truck ?a - place ?m ?n - amount)
        :precondition (and (at ?t ?a) (lies ?p ?a) (space ?t ?n) (next ?m ?n))
        :effect (and (not (lies ?p ?a)) (in ?p ?t) (space ?t ?m) (not (space ?t ?n)) (increase (total-cost) 1)))
    (:action unload :parameters (?p - package ?t - truck ?a - place ?m ?n - amount)
        :precondition (and (at ?t ?a) (in ?p ?t) (space ?t ?m) (next ?m ?n))
        :effect (and (lies ?p ?a) (not (in ?p ?t)) (space ?t ?n) (not (space ?t ?m)) (increase (total-cost) 1))))";

/// Returns a problem with a ring of places, half as many packages, and one truck per ten places.
fn trucks(places: usize) -> String {
    let (mut objects, mut init, mut goal) = (String::new(), String::from("(= (total-cost) 0)"), String::new());
    for at in 0..places {
        let next = (at + 1) % places;
        let _ = write!(objects, " l{at} - place");
        let _ = write!(init, " (road l{at} l{next}) (road l{next} l{at}) (= (length l{at} l{next}) {at})");
        let _ = write!(init, " (= (length l{next} l{at}) {at})");
    }
    for at in 0..places / 2 {
        let _ = write!(objects, " p{at} - package");
        let _ = write!(init, " (lies p{at} l{at})");
        let _ = write!(goal, " (lies p{at} l{})", at + places / 2);
    }
    for at in 0..=places / 10 {
        let _ = write!(objects, " t{at} - truck");
        let _ = write!(init, " (at t{at} l{at}) (space t{at} n3)");
    }
    init.push_str(" (next n0 n1) (next n1 n2) (next n2 n3)");
    objects.push_str(" n0 n1 n2 n3 - amount");
    format!(
        "(define (problem ring) (:domain trucks) (:objects{objects}) (:init {init}) (:goal (and {goal}))
        (:metric minimize (total-cost)))"
    )
}

fn task(domain: &str, problem: String) -> Task {
    let mut sources = Sources::new();
    let (domain, problem) = (sources.add("domain.pddl", domain), sources.add("problem.pddl", problem));
    let (domains, problems) = (parse(sources.file(domain)).domains, parse(sources.file(problem)).problems);
    let (model, _) = ResolvedDomain::new(&domains[0]);
    lower(&problems[0], &model).task.expect("the problem is right")
}

fn measure(bencher: Bencher<'_, '_>, task: &Task) {
    let run = || ground(black_box(task), &GroundLimits::default(), &mut |_| ControlFlow::Continue(()));
    let operators = run().expect("it can be grounded").task.operators.len();
    bencher.counter(ItemsCount::new(operators)).bench(run);
}

#[divan::bench(args = [4, 6, 20, 100, 200])]
fn of_blocks(bencher: Bencher<'_, '_>, count: usize) {
    measure(bencher, &task(BLOCKS, blocks(count)));
}

#[divan::bench(args = [20, 60])]
fn of_trucks(bencher: Bencher<'_, '_>, places: usize) {
    measure(bencher, &task(TRUCKS, trucks(places)));
}
