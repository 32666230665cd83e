//! Comparison of problems, up to a bijection of objects.

use goalspec_equivalence::{ObjectMatching, compare_problems};

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
