//! Diagnostics of name resolution, and lowering of the rules that the core does not have.

use goalspec_core::condition::{Condition, Origin, Term};
use goalspec_core::ids::VarId;
use goalspec_core::pattern::Pattern;
use goalspec_core::program::Preference;
use goalspec_game::{Dialect, parse, resolve};

use crate::common;

#[test]
fn findings_are_as_expected() {
    let world = common::world::small();
    common::check(include_str!("cases/resolve.txt"), |source| {
        let parsed = parse::parse(source);
        assert_eq!(common::errors(source, &parsed.diagnostics), Vec::<String>::new());
        let mut diagnostics = Vec::new();
        for game in &parsed.games {
            let resolved = resolve::resolve(game, &world, Dialect::FORMAL);
            let is_valid = !resolved.diagnostics.iter().any(goalspec_syntax::Diagnostic::is_error);
            assert_eq!(resolved.game.is_some(), is_valid, "a game comes with its errors, or without any");
            diagnostics.extend(resolved.diagnostics);
        }
        diagnostics
    });
}

/// Returns the only preference of a game with these constraints.
fn preference(constraints: &str) -> Preference {
    let text =
        format!("(define (game demo) (:domain few-objects-room-v1) (:constraints {constraints}) (:scoring (count p)))");
    let source = goalspec_testing::texts::source("case", &text);
    let parsed = parse::parse(&source);
    let resolved = resolve::resolve(&parsed.games[0], &common::world::small(), Dialect::FORMAL);
    assert_eq!(common::errors(&source, &resolved.diagnostics), Vec::<String>::new());
    resolved.game.expect("there are no errors").preferences.remove(0).as_ref().clone()
}

/// Returns the pairs of variables that never bind the same object, by name.
fn apart(preference: &Preference) -> Vec<(String, String)> {
    let name = |id| preference.scope.get(id).name.to_string();
    preference.distinct.iter().map(|&(one, other)| (name(one), name(other))).collect()
}

#[test]
fn variables_of_a_preference_are_kept_apart() {
    let cases = [
        // External and inner variables.
        ("(forall (?a - ball) (preference p (exists (?b - ball) (at-end (on ?a ?b)))))", vec![("?a", "?b")]),
        // Types with common objects, in either order.
        ("(preference p (exists (?a - dodgeball ?b - game_object) (at-end (on ?a ?b))))", vec![("?a", "?b")]),
        // No object is both a ball and a block.
        ("(preference p (exists (?a - ball ?b - block) (at-end (on ?a ?b))))", vec![]),
        // `same_object` lifts the rule for its two arguments, in either order, and for no other variables.
        (
            "(preference p (exists (?a ?b ?c - ball) (at-end (or (not (same_object ?b ?a)) (on ?c ?b)))))",
            vec![("?a", "?c"), ("?b", "?c")],
        ),
        // The preference does not contain the variables of quantifiers inside conditions.
        ("(preference p (exists (?a - ball) (at-end (exists (?b - ball) (on ?a ?b)))))", vec![]),
        // Objects that are named directly are not separated.
        ("(preference p (exists (?a - furniture) (at-end (on ?a desk))))", vec![]),
    ];
    for (constraints, expected) in cases {
        let expected: Vec<_> = expected.into_iter().map(|(one, other)| (one.to_owned(), other.to_owned())).collect();
        assert_eq!(apart(&preference(constraints)), expected, "{constraints}");
    }
}

#[test]
fn external_variables_stay_external_though_unused() {
    let preference =
        preference("(forall (?a - ball ?b - block) (preference p (exists (?c - drawer) (at-end (open ?c)))))");
    assert_eq!(preference.external, [VarId(0), VarId(1)]);
    assert_eq!(preference.inner, [VarId(2)]);
}

/// Returns the condition of an `at-end` preference over `?a - ball`.
fn condition(text: &str) -> Condition {
    match preference(&format!("(preference p (exists (?a - ball) (at-end {text})))")).pattern {
        Pattern::AtEnd(condition) => condition,
        other => panic!("an at-end pattern, not {other:?}"),
    }
}

#[test]
fn variables_of_inner_quantifiers_are_kept_apart_inside_them() {
    let (a, b, c) = (VarId(0), VarId(1), VarId(2));
    let distinct = |one, other| Condition::Distinct(Term::Variable(one), Term::Variable(other));
    let not = |condition| Condition::Not(Box::new(condition));
    let body = |condition: Condition| match condition {
        Condition::Exists(_, body) | Condition::Forall(_, body) => *body,
        other => panic!("a quantifier, not {other:?}"),
    };

    match body(condition("(exists (?b ?c - ball) (on ?b ?c))")) {
        Condition::And(parts) => assert_eq!(parts[..3], [distinct(a, b), distinct(a, c), distinct(b, c)]),
        other => panic!("a conjunction, not {other:?}"),
    }
    match body(condition("(forall (?b - ball) (on ?b ?a))")) {
        Condition::Or(parts) => assert_eq!(parts[..1], [not(distinct(a, b))]),
        other => panic!("a disjunction, not {other:?}"),
    }
    assert!(matches!(body(condition("(exists (?b - block) (on ?b ?a))")), Condition::Atom(_)));
    assert_eq!(body(condition("(exists (?b - ball) (same_object ?b ?a))")), not(distinct(b, a)));
}

#[test]
fn arguments_keep_their_order_and_types_stay_types() {
    let world = common::world::small();
    match condition("(and (in desk ?a) (same_type ?a block))") {
        Condition::And(parts) => {
            let arguments: Vec<_> = parts
                .iter()
                .map(|part| match part {
                    Condition::Atom(atom) => atom.arguments.to_vec(),
                    other => panic!("an atom, not {other:?}"),
                })
                .collect();
            let desk = world.object_named("desk").unwrap();
            let block = world.type_named("block").unwrap();
            assert_eq!(arguments[0], [Term::Object(desk), Term::Variable(VarId(0))]);
            assert_eq!(arguments[1], [Term::Variable(VarId(0)), Term::Type(block)]);
        }
        other => panic!("a conjunction, not {other:?}"),
    }
}

#[test]
fn predicates_of_the_language_itself_need_no_world() {
    let expected = [
        ("(game_start)", Condition::FirstState),
        ("(game_over)", Condition::LastState),
        ("(is_setup_object ?a)", Condition::InSetup(Term::Variable(VarId(0)), Origin::default())),
    ];
    for (text, expected) in expected {
        assert_eq!(condition(text), expected, "{text}");
    }
}
