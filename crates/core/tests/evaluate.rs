//! Conditions and expressions over one state.

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{
    Atom, Cardinality, ComparisonOperator, Condition, Expression, Origin, PairingRule, Scope, Term, Variable,
};
use goalspec_core::evaluate::{self, Bindings, Context};
use goalspec_core::ids::{ObjectId, PredicateId, TypeId, VarId};
use goalspec_core::state::{AttributeChange, Delta, FactChange, FluentChange, State};
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::{AttributeDecl, World, WorldBuilder};

const NOWHERE: Origin = Origin(None);

/// Three people `a`, `b`, `c` and two places `p`, `q`; who likes whom, who is where, ages.
struct Village {
    world: World,
    state: State,
    scope: Scope,
    person: TypeId,
}

const LIKES: PredicateId = PredicateId(0);
const IN: PredicateId = PredicateId(1);

/// `?x ?y` are people, `?z` is a place.
const X: VarId = VarId(0);
const Y: VarId = VarId(1);
const Z: VarId = VarId(2);

impl Village {
    fn new(likes: &[(&str, &str)], located: &[(&str, &str)], ages: &[(&str, f64)]) -> Self {
        let mut builder = WorldBuilder::new("village");
        let person = builder.add_type("person", &[]);
        let place = builder.add_type("place", &[]);
        for (name, id) in [("a", person), ("b", person), ("c", person), ("p", place), ("q", place)] {
            let object = builder.add_object(name, &[id]);
            builder.add_program_name(name, object);
        }
        builder.add_fact("likes", &[person, person]);
        builder.add_fact("in", &[person, place]);
        builder.add_fluent("age", &[person]);
        let there = builder.add_attribute(AttributeDecl::new("there", ValueKind::Bool, &[person]).required());
        let world = builder.finish().unwrap();

        let object = |name: &str| world.object_named(name).unwrap();
        let mut delta = Delta::default();
        for (predicate, facts) in [(LIKES, likes), (IN, located)] {
            for (one, other) in facts {
                let arguments = [object(one), object(other)].into_iter().collect();
                delta.facts.push(FactChange { predicate, arguments, holds: true });
            }
        }
        let function = world.function_named("age").unwrap();
        for (name, value) in ages {
            delta.fluents.push(FluentChange {
                function,
                arguments: [object(name)].into_iter().collect(),
                value: *value,
            });
        }
        for name in ["a", "b", "c"] {
            delta.changes.push(AttributeChange { object: object(name), attribute: there, value: Value::Bool(true) });
        }
        let mut state = State::new(&world);
        state.apply(&world, &delta, &mut goalspec_core::state::ChangeSet::default());
        let mut scope = Scope::default();
        for (name, id) in [("?x", person), ("?y", person), ("?z", place)] {
            scope.declare(Variable { name: name.into(), types: vec![id], origin: NOWHERE });
        }
        Self { world, state, scope, person }
    }

    fn object(&self, name: &str) -> ObjectId {
        self.world.object_named(name).unwrap()
    }

    fn remove(&mut self, name: &str) {
        let delta = Delta { removed: vec![self.object(name)], ..Delta::default() };
        self.state.apply(&self.world, &delta, &mut goalspec_core::state::ChangeSet::default());
    }

    fn ask<T>(&self, question: impl FnOnce(&Context<'_>, &mut Bindings<'_>) -> T) -> T {
        let mut setup = FixedBitSet::new();
        setup.grow_and_insert(self.object("b").index());
        let ctx = Context {
            world: &self.world,
            state: &self.state,
            first: true,
            last: false,
            setup_objects: &setup,
            work: None,
        };
        let mut bindings = Bindings::new(&self.scope);
        let answer = question(&ctx, &mut bindings);
        for variable in [X, Y, Z] {
            assert_eq!(bindings.get(variable), None, "quantifiers give back their variables");
        }
        answer
    }

    fn holds(&self, condition: &Condition) -> bool {
        self.ask(|ctx, bindings| evaluate::condition(ctx, condition, bindings))
    }

    fn value(&self, expression: &Expression) -> Option<f64> {
        self.ask(|ctx, bindings| evaluate::expression(ctx, expression, bindings))
    }

    fn age(&self, term: Term) -> Expression {
        let function = self.world.function_named("age").unwrap();
        Expression::Call { function, arguments: [term].into_iter().collect(), origin: NOWHERE }
    }
}

fn atom(predicate: PredicateId, arguments: [Term; 2]) -> Condition {
    Condition::Atom(Atom { predicate, arguments: arguments.into_iter().collect(), origin: NOWHERE })
}

fn var(id: VarId) -> Term {
    Term::Variable(id)
}

fn likes(one: VarId, other: VarId) -> Condition {
    atom(LIKES, [var(one), var(other)])
}

fn exists(variables: &[VarId], body: Condition) -> Condition {
    Condition::Exists(variables.to_vec(), Box::new(body))
}

fn forall(variables: &[VarId], body: Condition) -> Condition {
    Condition::Forall(variables.to_vec(), Box::new(body))
}

fn not(body: Condition) -> Condition {
    Condition::Not(Box::new(body))
}

fn compare(comparison: ComparisonOperator, left: Expression, right: Expression) -> Condition {
    Condition::Compare { comparison, sides: Box::new([left, right]), origin: NOWHERE }
}

#[test]
fn quantifiers_range_over_present_objects() {
    let mut village = Village::new(&[("a", "b"), ("b", "b"), ("c", "b")], &[], &[]);
    let liked_by_all = exists(&[Y], forall(&[X], likes(X, Y)));
    let all_like_someone = forall(&[X], exists(&[Y], likes(X, Y)));
    let all_like_all = forall(&[X, Y], likes(X, Y));
    assert!(village.holds(&liked_by_all) && village.holds(&all_like_someone) && !village.holds(&all_like_all));
    village.remove("b");
    assert!(!village.holds(&liked_by_all) && !village.holds(&all_like_someone));
    village.remove("a");
    village.remove("c");
    // Over an empty domain, `forall` is true and `exists` is false.
    assert!(village.holds(&all_like_all) && !village.holds(&exists(&[X], Condition::Constant(true))));
}

#[test]
fn connectives_are_the_usual_ones() {
    let village = Village::new(&[], &[], &[]);
    let (yes, no) = (Condition::Constant(true), Condition::Constant(false));
    let imply = |one: &Condition, other: &Condition| Condition::Imply(Box::new([one.clone(), other.clone()]));
    let cases = [
        (Condition::And(vec![]), true),
        (Condition::Or(vec![]), false),
        (Condition::And(vec![yes.clone(), no.clone()]), false),
        (Condition::Or(vec![no.clone(), yes.clone()]), true),
        (not(no.clone()), true),
        (imply(&yes, &no), false),
        (imply(&no, &no), true),
        (imply(&yes, &yes), true),
        (Condition::FirstState, true),
        (Condition::LastState, false),
        (exists(&[], yes), true),
        (forall(&[], no), false),
    ];
    for (condition, expected) in cases {
        assert_eq!(village.holds(&condition), expected, "{condition:?}");
    }
}

#[test]
fn distinctness_and_setup_objects() {
    let village = Village::new(&[], &[], &[]);
    let [a, b] = ["a", "b"].map(|name| Term::Object(village.object(name)));
    assert!(village.holds(&Condition::Distinct(a, b)) && !village.holds(&Condition::Distinct(a, a)));
    assert!(village.holds(&Condition::InSetup(b, NOWHERE)) && !village.holds(&Condition::InSetup(a, NOWHERE)));
    // Neither a type nor an unbound variable is an object.
    assert!(!village.holds(&Condition::InSetup(Term::Type(village.person), NOWHERE)));
    assert!(!village.holds(&Condition::Distinct(a, var(X))) && !village.holds(&likes(X, Y)));
}

#[test]
fn counting_is_at_least_or_exactly() {
    let village = Village::new(&[("a", "b"), ("a", "c"), ("b", "c")], &[], &[]);
    let count = |amount, variables: &[VarId]| Condition::Count(amount, variables.to_vec(), Box::new(likes(X, Y)));
    let cases = [(Cardinality::AtLeast(0), true), (Cardinality::AtLeast(3), true), (Cardinality::AtLeast(4), false)];
    let exact = [(Cardinality::Exactly(2), false), (Cardinality::Exactly(3), true), (Cardinality::Exactly(4), false)];
    for (amount, expected) in cases.into_iter().chain(exact) {
        assert_eq!(village.holds(&count(amount, &[X, Y])), expected, "{amount:?}");
    }
    let none = Condition::Count(Cardinality::Exactly(0), vec![X], Box::new(Condition::Constant(false)));
    assert!(village.holds(&none));
}

#[test]
fn pairings_use_each_object_once() {
    let body = || Box::new(atom(IN, [var(X), var(Z)]));
    let pairing = |amount| {
        let rule = PairingRule::Matching;
        Condition::Pairing { rule, amount, left: X, right: Z, body: body() }
    };
    // Greedily pairing a with p leaves b without a place; a must move to q.
    let village = Village::new(&[], &[("a", "p"), ("a", "q"), ("b", "p")], &[]);
    assert!(village.holds(&pairing(None)) && village.holds(&pairing(Some(2))) && !village.holds(&pairing(Some(3))));
    // Everybody is in the same place: one pair.
    let village = Village::new(&[], &[("a", "p"), ("b", "p"), ("c", "p")], &[]);
    assert!(!village.holds(&pairing(None)) && village.holds(&pairing(Some(1))) && !village.holds(&pairing(Some(2))));
    // An empty domain: all of its objects are paired.
    let mut village = Village::new(&[], &[], &[]);
    for name in ["a", "b", "c"] {
        village.remove(name);
    }
    assert!(village.holds(&pairing(None)) && !village.holds(&pairing(Some(1))));
}

fn liking(rule: PairingRule, amount: Option<u32>) -> Condition {
    Condition::Pairing { rule, amount, left: X, right: Y, body: Box::new(likes(X, Y)) }
}

/// An augmenting path: a is matched with b first, and has to give it up.
#[test]
fn pairings_are_maximum_matchings() {
    let matching = |amount| liking(PairingRule::Matching, amount);
    let village = Village::new(&[("a", "b"), ("a", "c"), ("b", "c"), ("b", "a"), ("c", "b")], &[], &[]);
    assert!(village.holds(&matching(Some(3))));
    let village = Village::new(&[("a", "b"), ("b", "a"), ("c", "a")], &[], &[]);
    assert!(village.holds(&matching(Some(2))) && !village.holds(&matching(Some(3))));
}

#[test]
fn objects_do_not_pair_with_themselves() {
    let narcissists = Village::new(&[("a", "a"), ("b", "b"), ("c", "c")], &[], &[]);
    // Three rows of two cells each: without an amount, two pairs are required.
    let village = Village::new(&[("a", "b"), ("b", "c")], &[], &[]);
    for rule in [PairingRule::Matching, PairingRule::Covering] {
        assert!(!narcissists.holds(&liking(rule, Some(1))) && narcissists.holds(&liking(rule, Some(0))), "{rule:?}");
        assert!(!narcissists.holds(&liking(rule, None)), "{rule:?}");
        assert!(village.holds(&liking(rule, None)), "{rule:?}");
    }
}

#[test]
fn coverings_ask_for_rows_and_columns_only() {
    let covering = |amount| liking(PairingRule::Covering, amount);
    // Column k holds the k-th other person of each row: for b, the first is a and the second c.
    let village = Village::new(&[("a", "b"), ("b", "a"), ("c", "a")], &[], &[]);
    assert!(village.holds(&covering(Some(1))) && !village.holds(&covering(Some(2))) && !village.holds(&covering(None)));
    let village = Village::new(&[("a", "c"), ("b", "a")], &[], &[]);
    assert!(village.holds(&covering(Some(2))) && village.holds(&covering(None)) && !village.holds(&covering(Some(3))));
    // Absent objects have neither row nor column: of a and c, the first other person of a is c.
    let mut village = Village::new(&[("a", "c")], &[], &[]);
    village.remove("b");
    assert!(village.holds(&covering(None)));
    // Disjoint domains: three people in two places, two of them in the same place.
    let in_places = |rule, amount| {
        let body = Box::new(atom(IN, [var(X), var(Z)]));
        Condition::Pairing { rule, amount, left: X, right: Z, body }
    };
    let village = Village::new(&[], &[("a", "p"), ("b", "p"), ("a", "q")], &[]);
    assert!(village.holds(&in_places(PairingRule::Covering, None)));
    assert!(village.holds(&in_places(PairingRule::Matching, None)));
    let village = Village::new(&[], &[("a", "p"), ("b", "p"), ("c", "p")], &[]);
    assert!(!village.holds(&in_places(PairingRule::Covering, Some(2))));
    // One person is everywhere and the others are nowhere: only one row has a true cell.
    let village = Village::new(&[], &[("a", "p"), ("a", "q")], &[]);
    assert!(!village.holds(&in_places(PairingRule::Covering, Some(2))));
}

#[test]
fn undefined_numbers_make_comparisons_false_both_ways() {
    let village = Village::new(&[], &[], &[("a", 40.0), ("b", 30.0)]);
    let age = |name: &str| village.age(Term::Object(village.object(name)));
    let number = Expression::Number;
    let cases = [
        (ComparisonOperator::Greater, age("a"), age("b"), true),
        (ComparisonOperator::LessEqual, age("a"), age("b"), false),
        (ComparisonOperator::Less, age("c"), number(100.0), false),
        (ComparisonOperator::GreaterEqual, age("c"), number(100.0), false),
        (ComparisonOperator::Equal, age("a"), number(40.0001), true),
        (ComparisonOperator::Equal, age("a"), number(40.001), false),
        (ComparisonOperator::Equal, number(f64::INFINITY), number(f64::INFINITY), true),
        (ComparisonOperator::Equal, number(1.0), number(f64::INFINITY), false),
        (ComparisonOperator::Equal, number(f64::NAN), number(f64::NAN), false),
    ];
    for (comparison, left, right, expected) in cases {
        let condition = compare(comparison, left, right);
        assert_eq!(village.holds(&condition), expected, "{condition:?}");
    }
    let equal = |parts: Vec<Expression>| village.holds(&Condition::AllEqual(parts, NOWHERE));
    assert!(equal(vec![]) && equal(vec![age("a")]) && equal(vec![age("a"), number(40.0), number(40.0)]));
    assert!(!equal(vec![age("a"), number(40.0), number(41.0)]) && !equal(vec![age("c")]));
}

#[test]
fn arithmetic_is_undefined_where_a_part_is() {
    let village = Village::new(&[], &[], &[("a", 40.0), ("b", 30.0)]);
    let [a, b, c] = ["a", "b", "c"].map(|name| village.age(Term::Object(village.object(name))));
    let pair = |left: &Expression, right: &Expression| Box::new([left.clone(), right.clone()]);
    let cases = [
        (Expression::Add(vec![]), Some(0.0)),
        (Expression::Multiply(vec![]), Some(1.0)),
        (Expression::Add(vec![a.clone(), b.clone(), Expression::Number(1.0)]), Some(71.0)),
        (Expression::Multiply(vec![a.clone(), b.clone()]), Some(1200.0)),
        (Expression::Subtract(pair(&b, &a)), Some(-10.0)),
        (Expression::Absolute(Box::new(Expression::Subtract(pair(&b, &a)))), Some(10.0)),
        (Expression::Divide(pair(&b, &a)), Some(0.75)),
        (Expression::Divide(pair(&b, &Expression::Number(0.0))), None),
        (Expression::Add(vec![a, c]), None),
        (village.age(var(X)), None),
    ];
    for (expression, expected) in cases {
        assert_eq!(village.value(&expression), expected, "{expression:?}");
    }
}
