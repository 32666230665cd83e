//! Comparison of goals.

use goalspec_equivalence::GoalRelation::{self, Different, Same, Stronger, Weaker};

use crate::texts::compare;

#[test]
fn goals_that_the_same_states_satisfy_are_the_same() {
    let goal = "(and (on a b) (forall (?x - block) (or (clear ?x) (not (free)))))";
    for same in [
        "(and (forall (?y - block) (or (not (free)) (clear ?y))) (on a b))",
        "(and (on a b) (on a b) (and) (forall (?x - block) (imply (free) (clear ?x))))",
        "(and (on a b) (or (not (free)) (and (clear a) (clear b) (clear c))) (or (clear a) (not (clear a))))",
        "(and (on a b) (not (exists (?x - block) (and (free) (not (clear ?x))))))",
        "(and (on a b) (or (in a u) (not (in a u)) (on c c)) (forall (?x - block) (or (clear ?x) (not (free)))))",
    ] {
        assert_eq!(compare(goal, same).relation, Same, "{same}");
    }
}

#[test]
fn different_goals_are_told_apart_by_a_state() {
    let cases: [(&str, &str, GoalRelation, &[&str]); 5] = [
        ("(and (on a b) (clear a))", "(on a b)", Stronger, &["(on a b)"]),
        ("(on a b)", "(and (on a b) (clear a))", Weaker, &["(on a b)"]),
        ("(on a b)", "(on b a)", Different, &["(on a b)"]),
        ("(exists (?x - block) (clear ?x))", "(clear a)", Weaker, &["(clear c)"]),
        ("(on a b)", "(in a u)", Different, &["(on a b)"]),
    ];
    for (one, other, relation, facts) in cases {
        let found = compare(one, other);
        assert_eq!(found.relation, relation, "{one} {other}");
        assert_eq!(found.witness.unwrap().facts, facts, "{one} {other}");
    }
}

#[test]
fn contradictions_and_tautologies_are_found() {
    let found = compare("(and (free) (not (free)))", "(and (on a b) (or) (clear a))");
    assert_eq!((found.relation, found.unsatisfiable), (Same, [true, true]));
    assert_eq!(compare("(and)", "(or (free) (not (free)))").relation, Same);
}

#[test]
fn the_cost_is_bounded() {
    let parity =
        (0..40).fold("(free)".to_owned(), |inner, _| format!("(forall (?x ?y ?z - block) (or (on ?x ?y) {inner}))"));
    let one = crate::texts::blocks("", &parity);
    let goal = goalspec_equivalence::goals::GoalInWorld::new(&one.world, &one.goal);
    let error = goalspec_equivalence::compare_goals(goal, goal).unwrap_err();
    assert!(error.to_string().contains("exceeds the limit of"), "{error}");
}
