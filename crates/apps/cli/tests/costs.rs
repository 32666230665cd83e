//! The metrics by which `goalspec plan` compares plans, and its remarks on them.

use crate::common::Folder;

/// A fast road with a toll, and a slow one without.
const ROADS: &str = "(define (domain roads) (:requirements :strips :numeric-fluents :negative-preconditions)
    (:predicates (home) (there)) (:functions (fuel) (toll))
    (:action around :precondition (home) :effect (and (there) (increase (fuel) 10)))
    (:action to-the-bridge :precondition (home)
        :effect (and (not (home)) (increase (fuel) 1) (increase (toll) 1)))
    (:action over-the-bridge :precondition (not (home)) :effect (and (there) (increase (fuel) 1))))
";

fn folder(metric: &str) -> Folder {
    let folder = Folder::new();
    folder.write("domain.pddl", ROADS);
    let problem = format!(
        "(define (problem trip) (:domain roads) (:init (home) (= (fuel) 0) (= (toll) 0)) (:goal (there)) (:metric {metric}))\n"
    );
    folder.write("trip.pddl", problem);
    folder
}

#[test]
fn sums_are_metrics() {
    let cases = [
        ("minimize (+ (fuel) (* 2 (toll)))", "= 4"),
        ("minimize (+ (fuel) (* 9 (toll)))", "= 10"),
        ("minimize (+ 5 (fuel) (fuel))", "= 9"),
        ("minimize (* 2 (fuel))", "= 4"),
        ("minimize (+ (fuel) (* 100 (total-time)))", "= 110"),
    ];
    for (metric, value) in cases {
        let done = folder(metric).run("plan --optimal trip.pddl");
        assert_eq!(done.code, Some(0), "{metric}: {}", done.all());
        assert!(done.out.ends_with(&format!("; metric {value} (optimal)\n")), "{metric}: {}", done.out);
    }
}

#[test]
fn nonlinear_metrics_are_reported() {
    let folder = folder("maximize (toll)");
    let done = folder.run("plan --optimal trip.pddl");
    assert!(done.out.contains("(fewest steps; the metric was not minimized)"), "{}", done.out);
    let done = folder.run("plan --optimal --format json trip.pddl");
    assert!(done.out.contains("\"proof\": \"fewest-steps\""), "{}", done.out);
}

#[test]
fn rounded_costs_are_reported() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain d) (:requirements :strips :action-costs) (:predicates (g)) (:functions (total-cost) - number)
            (:action cheap :effect (and (g) (increase (total-cost) 1.5)))
            (:action dear :effect (and (g) (increase (total-cost) 99999999999))))",
    );
    folder.write(
        "p.pddl",
        "(define (problem p) (:domain d) (:init (= (total-cost) 0)) (:goal (g)) (:metric minimize (total-cost)))",
    );
    let done = folder.run("plan --optimal p.pddl");
    assert!(done.out.ends_with("; metric = 1.5 (optimal for rounded costs)\n"), "{}", done.out);
}

/// Costs start at 0, whether or not the problem initializes them.
#[test]
fn costs_begin_at_nothing() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain tc) (:requirements :strips :action-costs) (:predicates (g)) (:functions (total-cost) - number)
            (:action fin :effect (and (g) (increase (total-cost) 1))))",
    );
    folder
        .write("metric.pddl", "(define (problem a) (:domain tc) (:init) (:goal (g)) (:metric minimize (total-cost)))");
    folder.write("none.pddl", "(define (problem b) (:domain tc) (:init) (:goal (g)))");
    for (problem, value) in [("metric.pddl", "metric = 1 (optimal)"), ("none.pddl", "cost (steps) = 1")] {
        let done = folder.run(&format!("plan --optimal {problem}"));
        assert_eq!(done.code, Some(0), "{}", done.all());
        assert!(done.out.contains(value), "{}", done.out);
        assert!(done.all().contains("`(total-cost)` has no initial value; 0 is used"));
        folder.write("p.plan", &done.out);
        assert_eq!(folder.run(&format!("validate domain.pddl {problem} p.plan")).code, Some(0));
    }
}

/// Numbers that free steps change without end do not mislead the search.
#[test]
fn free_steps_do_not_run_away() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain z) (:requirements :strips :numeric-fluents :action-costs) (:predicates (g) (h))
            (:functions (n) (total-cost))
            (:action aaa :precondition (>= (n) 3) :effect (g))
            (:action up :effect (increase (n) 1)) (:action down :effect (decrease (n) 1))
            (:action zzz :precondition (>= (n) 3) :effect (h)))",
    );
    folder.write(
        "p.pddl",
        "(define (problem p) (:domain z) (:init (= (n) 0) (= (total-cost) 0)) (:goal (and (g) (h)))
            (:metric minimize (total-cost)))",
    );
    for search in ["portfolio", "astar-lmcut", "astar-blind"] {
        let done = folder.run(&format!("plan --optimal --search {search} --time-limit 60 p.pddl"));
        assert!(done.out.contains("; metric = 0 (optimal)"), "{search}: {}", done.all());
    }
}

/// A domain of moves whose costs are given by place.
const MOVES: &str = "(define (domain moves) (:requirements :strips :action-costs) (:predicates (at ?p))
    (:functions (total-cost) (toll ?p))
    (:action move :parameters (?from ?to) :precondition (at ?from)
        :effect (and (at ?to) (not (at ?from)) (increase (total-cost) (toll ?to)))))";

#[test]
fn steps_without_a_cost_are_named() {
    let folder = Folder::new();
    folder.write("domain.pddl", MOVES);
    let problem = |values: &str| {
        format!(
            "(define (problem p) (:domain moves) (:objects a b)\n(:init (at a) {values} (= (total-cost) 0))
                (:goal (at b)) (:metric minimize (total-cost)))"
        )
    };
    folder.write("p.pddl", problem("(= (toll a) 1)"));
    let done = folder.run("plan p.pddl");
    assert_eq!(done.code, Some(3), "{}", done.all());
    let message = "no value of `(toll b)`: steps that require them are never applicable";
    assert!(done.err.contains(message) && done.err.contains("warning[pddl/no-value]"), "{}", done.err);
    let record: serde_json::Value = serde_json::from_str(&folder.run("plan --format json p.pddl").out).expect("JSON");
    assert_eq!(record["undefined_fluents"], serde_json::json!(["(toll b)"]));

    folder.write("p.pddl", problem("(= (toll a) 1) (= (toll b) -2)"));
    let done = folder.run("plan p.pddl");
    assert_eq!(done.code, Some(0), "{}", done.all());
    let message = "the cost of `(move a b)` is -2: with negative costs, the number of steps is minimized";
    assert!(done.err.contains(message) && done.err.contains("p.pddl:2:"), "{}", done.err);
    assert!(!done.err.contains("not a sum of action costs"), "{}", done.err);

    // Values that no reachable step requires may be missing.
    folder.write("p.pddl", problem("(= (toll a) 1) (= (toll b) 2)").replace("objects a b)", "objects a b - object c)"));
    let done = folder.run("plan p.pddl");
    assert!(done.err.contains("no value of `(toll c)`"), "{}", done.err);
    folder.write(
        "domain.pddl",
        MOVES
            .replace(":precondition (at ?from)", ":precondition (and (at ?from) (road ?from ?to))")
            .replace("(at ?p)", "(at ?p) (road ?p ?q)"),
    );
    folder.write("p.pddl", problem("(road a b) (= (toll b) 2)").replace("objects a b)", "objects a b c)"));
    let done = folder.run("plan p.pddl");
    assert_eq!((done.code, &*done.err), (Some(0), ""), "{}", done.all());
}

#[test]
fn functions_that_never_have_a_value_are_named_where_they_are_read() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        MOVES
            .replace("(toll ?p)", "(toll ?p) (light ?p)")
            .replace("(at ?from)\n", "(and (at ?from) (>= (light ?from) 1))\n"),
    );
    folder.write(
        "p.pddl",
        "(define (problem p) (:domain moves) (:objects a b) (:init (at a) (= (toll a) 1) (= (toll b) 1) (= (total-cost) 0))
            (:goal (at b)) (:metric minimize (total-cost)))",
    );
    let done = folder.run("check --format line p.pddl");
    assert!(done.out.contains("`light` has no initial value"), "{}", done.out);
    let done = folder.run("check p.pddl");
    assert!(done.out.contains("its value is required here") && done.out.contains("domain.pddl:3:"), "{}", done.out);
}

#[test]
fn a_domain_of_another_name_is_reported() {
    let folder = folder("minimize (fuel)");
    let other = folder.read("trip.pddl").replace("(:domain roads)", "(:domain rivers)");
    folder.write("other.pddl", other);
    let done = folder.run("plan domain.pddl other.pddl");
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.all().contains("the problem is of the domain `rivers`, but is read with `roads`"), "{}", done.all());
}

#[test]
fn division_by_zero_is_reported() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain d) (:requirements :strips :numeric-fluents) (:predicates (g)) (:functions (x) (y))
            (:action halve :effect (and (g) (scale-down (x) (y)))))",
    );
    folder.write("p.pddl", "(define (problem p) (:domain d) (:init (= (x) 1) (= (y) 0)) (:goal (g)))");
    folder.write("p.plan", "(halve)\n");
    let done = folder.run("validate domain.pddl p.pddl p.plan");
    assert_eq!(done.code, Some(1));
    assert!(done.all().contains("division by `(y)`, which is 0"), "{}", done.all());
}
