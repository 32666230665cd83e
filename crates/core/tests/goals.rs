//! Goals over states: verdicts, reports and explanations.

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Atom, Cardinality, Condition, Origin, PairingRule, Scope, Term, Variable};
use goalspec_core::evaluate::Context;
use goalspec_core::explain;
use goalspec_core::goal::{GoalInterpreter, GoalMonitor, GoalReport, SatisfactionSummary};
use goalspec_core::ids::{AttributeId, ObjectId, PredicateId, VarId};
use goalspec_core::playback::Playback;
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::{AttributeChange, Delta, FactChange};
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::{AttributeDecl, World, WorldBuilder};

const INSIDE: PredicateId = PredicateId(0);
const LIT: PredicateId = PredicateId(1);
const APPLE: VarId = VarId(0);
const BOX: VarId = VarId(1);

/// Creates a world with two apples, two boxes and a lamp that is not always present.
fn kitchen() -> (World, Scope) {
    let mut builder = WorldBuilder::new("kitchen");
    let [apple, container, lamp] = ["apple", "box", "lamp"].map(|name| builder.add_type(name, &[]));
    for (name, id) in [("a1", apple), ("a2", apple), ("b1", container), ("b2", container), ("lamp1", lamp)] {
        let object = builder.add_object(name, &[id]);
        builder.add_program_name(name, object);
    }
    builder.add_fact("inside", &[apple, container]);
    builder.add_fact("lit", &[lamp]);
    builder.add_attribute(AttributeDecl::new("there", ValueKind::Bool, &[lamp]).required());
    let mut scope = Scope::default();
    for (name, id) in [("?a", apple), ("?b", container)] {
        scope.declare(Variable { name: name.into(), types: vec![id], origin: Origin::default() });
    }
    (builder.finish().unwrap(), scope)
}

fn atom(predicate: PredicateId, arguments: &[Term]) -> Condition {
    Condition::Atom(Atom { predicate, arguments: arguments.into(), origin: Origin::default() })
}

fn inside() -> Condition {
    atom(INSIDE, &[Term::Variable(APPLE), Term::Variable(BOX)])
}

fn lamp(world: &World) -> ObjectId {
    world.object_named("lamp1").unwrap()
}

fn goal(scope: Scope, conditions: Vec<Condition>) -> Goal {
    let conjunct = |condition| Conjunct { condition, origin: Origin::default() };
    Goal { name: "tidy".into(), scope, conjuncts: conditions.into_iter().map(conjunct).collect() }
}

/// Parses a delta: `+a1,b1` puts the apple in, `-a1,b1` takes it out, `lamp` brings the lamp in and `lit` lights it.
fn delta(world: &World, text: &str) -> Delta {
    let mut delta = Delta::default();
    for token in text.split_whitespace() {
        match token {
            "lamp" => {
                let (object, attribute) = (lamp(world), AttributeId(0));
                delta.changes.push(AttributeChange { object, attribute, value: Value::Bool(true) });
            }
            "lit" => {
                delta.facts.push(FactChange {
                    predicate: LIT,
                    arguments: [lamp(world)].into_iter().collect(),
                    holds: true,
                });
            }
            _ => {
                let arguments = token[1..].split(',').map(|name| world.object_named(name).unwrap()).collect();
                delta.facts.push(FactChange { predicate: INSIDE, arguments, holds: token.starts_with('+') });
            }
        }
    }
    delta
}

fn run(world: &World, goal: &Goal, states: &[&str], recorded: bool) -> (Vec<String>, GoalReport) {
    let mut monitor = GoalInterpreter::new(world.clone(), goal.clone());
    let mut playback = Playback::new(world.clone());
    let mut verdicts = Vec::new();
    for (index, text) in states.iter().enumerate() {
        let delta = delta(world, text);
        playback.advance(&delta);
        let verdict = monitor.step(&playback.update(&delta, recorded && index + 1 == states.len()));
        let bits: String =
            (0..goal.conjuncts.len()).map(|place| if verdict.conjuncts.contains(place) { '1' } else { '0' }).collect();
        verdicts.push(format!("{bits} {}", verdict.satisfied));
    }
    (verdicts, monitor.finish(playback.state()))
}

fn everything_stowed() -> Condition {
    Condition::Forall(vec![APPLE], Box::new(Condition::Exists(vec![BOX], Box::new(inside()))))
}

#[test]
fn verdicts_and_reports_distinguish_conjuncts() {
    let (world, scope) = kitchen();
    let lit = atom(LIT, &[Term::Object(lamp(&world))]);
    let goal = goal(scope, vec![everything_stowed(), lit]);
    let states = ["+a1,b1", "lit +a2,b1", "lamp", "-a1,b1"];
    let (verdicts, report) = run(&world, &goal, &states, true);
    // Conditions on an absent object are false, whatever the recording says of it.
    assert_eq!(verdicts, ["00 false", "10 false", "11 true", "01 false"]);
    assert_eq!(report.states, 4);
    assert!(!report.last.satisfied);
    assert_eq!(report.last.conjuncts.ones().collect::<Vec<_>>(), [1]);
    assert_eq!(report.goal, SatisfactionSummary { states: 1, first: Some(3), last: Some(3) });
    assert_eq!(
        report.conjuncts,
        [
            SatisfactionSummary { states: 2, first: Some(2), last: Some(3) },
            SatisfactionSummary { states: 2, first: Some(3), last: Some(4) }
        ]
    );
    assert_eq!(run(&world, &goal, &states, false).1, report);
}

#[test]
fn the_last_state_is_settled_at_the_end() {
    let (world, scope) = kitchen();
    let goal = goal(scope, vec![Condition::LastState, Condition::FirstState]);
    let (verdicts, report) = run(&world, &goal, &["", ""], false);
    assert_eq!(verdicts, ["01 false", "00 false"]);
    assert_eq!(report.conjuncts[0], SatisfactionSummary { states: 1, first: Some(2), last: Some(2) });
    assert_eq!(
        run(&world, &goal, &[""], false).1.goal,
        SatisfactionSummary { states: 1, first: Some(1), last: Some(1) }
    );
}

#[test]
fn a_goal_without_conjuncts_holds_and_no_state_satisfies_nothing() {
    let (world, scope) = kitchen();
    let empty = goal(scope.clone(), Vec::new());
    assert_eq!(run(&world, &empty, &[""], true).0, [" true"]);
    let report = run(&world, &goal(scope, vec![Condition::Constant(true)]), &[], true).1;
    assert!(!report.last.satisfied && report.states == 0 && report.goal == SatisfactionSummary::default());
}

/// Returns the atoms that explain the value of a condition in a state, with their values.
fn why(condition: Condition, state: &str) -> String {
    let (world, scope) = kitchen();
    let goal = goal(scope, vec![condition]);
    let mut playback = Playback::new(world.clone());
    playback.advance(&delta(&world, state));
    let no_objects = FixedBitSet::new();
    let ctx = Context {
        world: &world,
        state: playback.state(),
        first: true,
        last: true,
        setup_objects: &no_objects,
        work: None,
    };
    let reasons = explain::explain_goal(&ctx, &goal, &explain::CoreNotation);
    let text: Vec<_> = reasons[0].iter().map(|evidence| format!("{} {}", evidence.condition, evidence.value)).collect();
    text.join("; ")
}

#[test]
fn atoms_that_make_a_conjunct_hold_or_not() {
    let (world, _) = kitchen();
    let pairing = || Condition::Pairing {
        rule: PairingRule::Matching,
        amount: None,
        left: APPLE,
        right: BOX,
        body: Box::new(inside()),
    };
    let count = |amount| Condition::Count(amount, vec![APPLE, BOX], Box::new(inside()));
    let lit = || atom(LIT, &[Term::Object(lamp(&world))]);
    let cases = [
        (everything_stowed(), "+a1,b1", "(inside a2 b1) false"),
        (everything_stowed(), "+a1,b2 +a2,b1 +a2,b2", "(inside a1 b2) true; (inside a2 b1) true"),
        (pairing(), "+a1,b2 +a2,b1", "(inside a1 b2) true; (inside a2 b1) true"),
        (pairing(), "+a1,b2", "(all-pairs (?a - apple ?b - box) (inside ?a ?b)) false"),
        (count(Cardinality::AtLeast(1)), "+a1,b2 +a2,b1", "(inside a1 b2) true"),
        (
            count(Cardinality::Exactly(3)),
            "+a1,b2 +a2,b1 +a2,b2",
            "(inside a1 b2) true; (inside a2 b1) true; (inside a2 b2) true; (inside a1 b1) false",
        ),
        (
            Condition::Not(Box::new(count(Cardinality::AtLeast(2)))),
            "",
            "(at-least 2 (?a - apple ?b - box) (inside ?a ?b)) false",
        ),
        (
            Condition::Not(Box::new(Condition::Exists(vec![APPLE, BOX], Box::new(inside())))),
            "+a2,b2",
            "(inside a2 b2) true",
        ),
        (lit(), "lit", "(present lamp1) false"),
        (lit(), "lamp lit", "(lit lamp1) true"),
        (Condition::Imply(Box::new([lit(), everything_stowed()])), "lamp", "(lit lamp1) false"),
        (Condition::Or(vec![everything_stowed(), lit()]), "lamp lit", "(lit lamp1) true"),
        (Condition::And(vec![lit(), Condition::FirstState]), "lamp lit", "(lit lamp1) true; (first-state) true"),
    ];
    for (condition, state, expected) in cases {
        assert_eq!(why(condition.clone(), state), expected, "{condition:?} in {state}");
    }
}

/// Removing duplicates must not take quadratic time: there are as many atoms as assignments.
#[test]
fn a_hundred_thousand_reasons_are_found() {
    let mut builder = WorldBuilder::new("warehouse");
    let [apple, container] = ["apple", "box"].map(|name| builder.add_type(name, &[]));
    for index in 0..320 {
        builder.add_object(format!("a{index}"), &[apple]);
        builder.add_object(format!("b{index}"), &[container]);
    }
    builder.add_fact("inside", &[apple, container]);
    let world = builder.finish().unwrap();
    let mut scope = Scope::default();
    for (name, id) in [("?a", apple), ("?b", container)] {
        scope.declare(Variable { name: name.into(), types: vec![id], origin: Origin::default() });
    }
    let nowhere = Condition::Not(Box::new(Condition::Exists(vec![APPLE, BOX], Box::new(inside()))));
    let playback = Playback::new(world.clone());
    let no_objects = FixedBitSet::new();
    let ctx = Context {
        world: &world,
        state: playback.state(),
        first: true,
        last: true,
        setup_objects: &no_objects,
        work: None,
    };
    assert_eq!(explain::explain_goal(&ctx, &goal(scope, vec![nowhere]), &explain::CoreNotation)[0].len(), 320 * 320);
}
