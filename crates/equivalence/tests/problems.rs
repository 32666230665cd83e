//! Comparison of problems, up to a bijection of objects.

use goalspec_core::planning::task::Task;
use goalspec_equivalence::goals::{GoalInWorld, compare_goals};
use goalspec_equivalence::{GoalRelation, ObjectMatching, compare_problems};

use crate::brute_force::Random;
use crate::texts::{DOMAIN, blocks, problem, task};

#[test]
fn renamed_and_reordered_problems_are_the_same() {
    let one = blocks("(on a b) (clear a) (clear c) (in b u) (= (weight a) 2)", "(and (on b a) (clear c))");
    let other = task(
        DOMAIN,
        "(define (problem q) (:domain blocks) (:objects z y x - block q p - box)
            (:init (= (weight x) 2) (in y p) (clear x) (clear z) (on x y) (clear z)) (:goal (and (clear z) (on y x) (clear z))))",
    );
    let found = compare_problems(&problem(&one), &problem(&other), ObjectMatching::Any).unwrap();
    assert!(found.is_same(), "{found:?}");
    let pairs: Vec<_> = found.objects.unwrap().into_iter().map(|(from, to)| format!("{from}{to}")).collect();
    assert_eq!(pairs, ["ax", "by", "cz", "up", "vq"]);
}

#[test]
fn a_bijection_is_chosen_under_which_the_goals_agree() {
    let one = blocks("(clear a) (clear b) (clear c)", "(on a b)");
    let other = blocks("(clear a) (clear b) (clear c)", "(on c a)");
    let found = compare_problems(&problem(&one), &problem(&other), ObjectMatching::Any).unwrap();
    assert!(found.is_same(), "{found:?}");
    // Names that both problems have may have a meaning.
    let named = compare_problems(&problem(&one), &problem(&other), ObjectMatching::SharedNames).unwrap();
    assert!(!named.is_same() && named.objects.is_some(), "{named:?}");
    let marked = blocks("(clear a) (clear b) (clear c) (in a u)", "(on a b)");
    let moved = blocks("(clear a) (clear b) (clear c) (in a u)", "(on c a)");
    let found = compare_problems(&problem(&marked), &problem(&moved), ObjectMatching::Any).unwrap();
    assert!(!found.is_same() && found.objects.is_some(), "{found:?}");
}

#[test]
fn different_initial_states_are_reported() {
    let [one, other] = ["(on a b) (on b c)", "(on a b) (on a c)"].map(|init| blocks(init, "(free)"));
    let found = compare_problems(&problem(&one), &problem(&other), ObjectMatching::Any).unwrap();
    assert_eq!(found.objects, None);
    assert_eq!(found.difference.as_deref(), Some("only the first initial state has (on b c)"));
    let [one, other] = ["(= (weight a) 1)", "(= (weight a) 2)"].map(|init| blocks(init, "(free)"));
    let found = compare_problems(&problem(&one), &problem(&other), ObjectMatching::Any).unwrap();
    assert!(found.difference.unwrap().contains("(= (weight a) 1)"));
}

/// Returns a task with this many interchangeable blocks.
fn alike(count: usize, name: impl Fn(usize) -> String, goal: &str) -> Task {
    let objects: Vec<String> = (0..count).map(&name).collect();
    let clear: String = objects.iter().map(|object| format!("(clear {object})")).collect();
    let objects = objects.join(" ");
    let text =
        format!("(define (problem p) (:domain blocks) (:objects {objects} - block) (:init {clear}) (:goal {goal}))");
    task(DOMAIN, &text)
}

#[test]
fn many_interchangeable_objects_are_told_apart_by_the_goals() {
    for count in [8, 30] {
        let tower = |name: &dyn Fn(usize) -> String, from: usize| {
            let parts: String = (from..count - 1).map(|at| format!("(on {} {})", name(at), name(at + 1))).collect();
            alike(count, name, &format!("(and {parts})"))
        };
        let one = tower(&|at| format!("b{at}"), 0);
        // The same tower of blocks with other names, the names in another order, and with one block fewer.
        let renamed = tower(&|at| format!("c{}", (at * 7 + 3) % count), 0);
        let shuffled = tower(&|at| format!("b{}", (at * 7 + 3) % count), 0);
        let shorter = tower(&|at| format!("b{at}"), 1);
        for other in [&renamed, &shuffled] {
            let found = compare_problems(&problem(&one), &problem(other), ObjectMatching::Any).unwrap();
            assert!(found.is_same(), "{count}: {found:?}");
        }
        let found = compare_problems(&problem(&one), &problem(&shorter), ObjectMatching::Any).unwrap();
        assert_eq!((found.objects.is_some(), found.goal.relation), (true, GoalRelation::Stronger), "{count}");
        assert!(found.goal.witness.is_some());
    }
}

#[test]
fn goals_of_interchangeable_objects_agree_with_all_bijections() {
    let mut random = Random(11);
    let permutations: Vec<[usize; 4]> = (0..256)
        .map(|number| [number & 3, number >> 2 & 3, number >> 4 & 3, number >> 6])
        .filter(|places| places.iter().map(|place| 1 << place).sum::<usize>() == 15)
        .collect();
    let mut same = 0;
    for case in 0..400 {
        let mut goal = || {
            let mut atom = || format!("(on b{} b{})", random.below(4), random.below(4));
            let [a, b, c] = [atom(), atom(), atom()];
            let forms = [
                format!("(and {a} {b} (not {c}))"),
                format!("(or (and {a} {b}) {c})"),
                format!("(or (and {a} (not {b})) (and (not {a}) {b}))"),
                format!("(and (imply {a} {b}) (or {c} (exists (?x - block) (on ?x b{}))))", random.below(4)),
            ];
            forms[random.below(4)].clone()
        };
        let [one, mut other] = [goal(), goal()];
        let as_named = |goal: &str| alike(4, |at| format!("b{at}"), goal);
        let renamed = |places: &[usize; 4]| {
            let marked = (0..4).fold(one.clone(), |text, at| text.replace(&format!("b{at}"), &format!("#{at}")));
            (0..4).fold(marked, |text, at| text.replace(&format!("#{at}"), &format!("b{}", places[at])))
        };
        // Independent goals are rarely the same: others are the first one renamed, or that with another object in one place.
        if case % 4 > 0 {
            other = renamed(&permutations[random.below(24)]);
        }
        if case % 4 > 1 {
            let [from, to] = [random.below(4), random.below(4)].map(|block| format!("b{block}"));
            other = other.replacen(&from, &to, 1);
        }
        let other = as_named(&other);
        let of_other = GoalInWorld::new(&other.world, &other.goal);
        let expected = permutations.iter().any(|places| {
            let one = as_named(&renamed(places));
            compare_goals(GoalInWorld::new(&one.world, &one.goal), of_other).unwrap().relation == GoalRelation::Same
        });
        let found = compare_problems(&problem(&as_named(&one)), &problem(&other), ObjectMatching::Any).unwrap();
        assert_eq!(found.is_same(), expected, "case {case}: {one}");
        same += usize::from(expected);
    }
    assert!((20..380).contains(&same), "{same} of 400 pairs are the same");
}
