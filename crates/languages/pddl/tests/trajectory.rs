//! Semantics of constraints: the lowered patterns agree with the definitions of the paper on all short state sequences.

use goalspec_core::condition::Condition;
use goalspec_core::pattern::{Formula, Pattern};

use crate::common;

/// A state sequence: whether the facts F and G hold in each state. The i-th state has time i.
type Run = Vec<(bool, bool)>;

/// Returns all state sequences with one to six states.
fn runs() -> Vec<Run> {
    let all = |length: u32| {
        (0..4_u32.pow(length)).map(move |code| {
            (0..length).map(|state| ((code >> (2 * state)) & 1 == 1, (code >> (2 * state + 1)) & 1 == 1)).collect()
        })
    };
    (1..=6).flat_map(all).collect()
}

fn condition(condition: &Condition, state: (bool, bool)) -> bool {
    match condition {
        Condition::Constant(holds) => *holds,
        Condition::Atom(atom) => [state.0, state.1][atom.predicate.index()],
        Condition::Not(body) => !self::condition(body, state),
        Condition::And(parts) => parts.iter().all(|part| self::condition(part, state)),
        Condition::Or(parts) => parts.iter().any(|part| self::condition(part, state)),
        other => panic!("not supported by these tests: {other:?}"),
    }
}

/// The textbook semantics of `LTLf`.
fn holds(formula: &Formula, run: &[(bool, bool)], step: usize) -> bool {
    let last = run.len() - 1;
    match formula {
        Formula::Proposition(now) => condition(now, run[step]),
        Formula::Not(body) => !holds(body, run, step),
        Formula::And(parts) => parts.iter().all(|part| holds(part, run, step)),
        Formula::Or(parts) => parts.iter().any(|part| holds(part, run, step)),
        Formula::Next(body) => step < last && holds(body, run, step + 1),
        Formula::WeakNext(body) => step == last || holds(body, run, step + 1),
        Formula::Eventually(body) => (step..=last).any(|later| holds(body, run, later)),
        Formula::Always(body) => (step..=last).all(|later| holds(body, run, later)),
        Formula::Until(parts) => (step..=last)
            .any(|end| holds(&parts[1], run, end) && (step..end).all(|before| holds(&parts[0], run, before))),
        Formula::Release(parts) => (step..=last)
            .all(|end| holds(&parts[1], run, end) || (step..end).any(|before| holds(&parts[0], run, before))),
    }
}

/// Compares a constraint with its definition on all state sequences.
fn check(text: &str, defined: impl Fn(&Run) -> bool) {
    let domain =
        "(define (domain d) (:requirements :constraints) (:predicates (f) (g)) (:action a :effect (and (f) (g))))";
    let problem = format!("(define (problem p) (:domain d) (:goal (f)) (:constraints {text}))");
    let read = common::read(&[domain, &problem]);
    let task = read.task.unwrap_or_else(|| panic!("{:?}", read.diagnostics));
    let [constraint] = &task.constraints[..] else { panic!("one constraint: {:?}", task.constraints) };
    for run in runs() {
        let is = match &constraint.pattern {
            Pattern::AtEnd(end) => condition(end, run[run.len() - 1]),
            Pattern::Formula(formula) => holds(formula, &run, 0),
            Pattern::Sequence(_) => panic!("constraints have no sequences"),
        };
        assert_eq!(is, defined(&run), "{text} on {run:?}");
    }
}

fn places(run: &Run) -> std::ops::Range<usize> {
    0..run.len()
}

#[test]
fn prefix_suffix_and_whole() {
    check("(at end (f))", |run| run[run.len() - 1].0);
    check("(always (f))", |run| run.iter().all(|state| state.0));
    check("(sometime (f))", |run| run.iter().any(|state| state.0));
    check("(always (or (f) (g)))", |run| run.iter().all(|state| state.0 || state.1));
}

#[test]
fn times() {
    for time in [0.0, 1.0, 2.5, 4.0, 9.0] {
        check(&format!("(within {time} (f))"), |run| places(run).any(|i| run[i].0 && i as f64 <= time));
        check(&format!("(always-within {time} (f) (g))"), |run| {
            places(run).all(|i| !run[i].0 || (i..run.len()).any(|j| run[j].1 && (j - i) as f64 <= time))
        });
        // The condition at a time is that of the last state that began by then, provided that another state follows.
        let lasts = |run: &Run, time: f64| {
            places(run).all(|j| !(j + 1 < run.len() && j as f64 <= time && time < (j + 1) as f64) || run[j].0)
        };
        check(&format!("(hold-after {time} (f))"), |run| {
            lasts(run, time) && places(run).all(|i| (i as f64) < time || run[i].0)
        });
        for end in [0.5, 1.0, 2.0, 2.7, 5.0] {
            check(&format!("(hold-during {time} {end} (f))"), |run| {
                lasts(run, time) && places(run).all(|i| !(time <= i as f64 && (i as f64) < end) || run[i].0)
            });
        }
    }
}

#[test]
fn orders() {
    check("(sometime-after (f) (g))", |run| places(run).all(|i| !run[i].0 || (i..run.len()).any(|j| run[j].1)));
    check("(sometime-before (f) (g))", |run| places(run).all(|i| !run[i].0 || (0..i).any(|j| run[j].1)));
    check("(at-most-once (f))", |run| {
        places(run).all(|i| {
            let stretch = |j: usize| (i..=j).all(|k| run[k].0) && (j + 1..run.len()).all(|k| !run[k].0);
            !run[i].0 || (i..run.len()).any(stretch)
        })
    });
}

#[test]
fn at_end_among_others() {
    let read = |constraints: &str| {
        let domain = "(define (domain d) (:predicates (f) (g)) (:action a :effect (and (f) (g))))";
        let problem = format!("(define (problem p) (:domain d) (:goal (f)) (:constraints {constraints}))");
        common::read(&[domain, &problem]).task.expect("a task")
    };
    let task = read("(preference both (and (at end (f)) (sometime (g))))");
    let [preference] = &task.preferences[..] else { panic!("one preference") };
    let Pattern::Formula(formula) = &preference.pattern else { panic!("a formula") };
    for run in runs() {
        let expected = run[run.len() - 1].0 && run.iter().any(|state| state.1);
        assert_eq!(holds(formula, &run, 0), expected, "{run:?}");
    }
    let split = read("(and (at end (f)) (preference p (sometime (g))) (always (g)))");
    assert_eq!((split.constraints.len(), split.preferences.len()), (2, 1));
}

#[test]
fn quantifiers_around_are_external_and_inside_are_taken_apart() {
    let domain =
        "(define (domain d) (:types t) (:predicates (f ?x - t)) (:action a :parameters (?x - t) :effect (f ?x))
        (:constraints (forall (?x - t) (preference each (sometime (f ?x))))))";
    let problem = "(define (problem p) (:domain d) (:objects a b c - t) (:goal (f a))
        (:constraints (preference all (forall (?x ?y - t) (sometime-before (f ?x) (f ?y))))) (:metric minimize (is-violated each)))";
    let task = common::read(&[domain, problem]).task.expect("a task");
    let [each, all] = &task.preferences[..] else { panic!("two preferences") };
    assert_eq!((&*each.name, each.external.len()), ("each", 1));
    assert_eq!((&*all.name, all.external.len()), ("all", 0));
    let Pattern::Formula(Formula::And(copies)) = &all.pattern else { panic!("a conjunction: {:?}", all.pattern) };
    assert_eq!(copies.len(), 9);
}
