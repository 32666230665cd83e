//! Compiled goals under all evaluators: pairings and counts of all sizes, limits, misuse.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Atom, Cardinality, Condition, Origin, PairingRule, Scope, Term, Variable};
use goalspec_core::goal::{GoalInterpreter, GoalMonitor};
use goalspec_core::ids::{PredicateId, VarId};
use goalspec_core::monitor::MonitorError;
use goalspec_core::playback::Playback;
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::{Delta, FactChange};
use goalspec_core::value::ValueKind;
use goalspec_core::world::{AttributeDecl, World, WorldBuilder};
use goalspec_monitor::goal::{CompiledGoal, GoalAtom};
use goalspec_testing::random::Random;

const FITS: PredicateId = PredicateId(0);
const LEFT: VarId = VarId(0);
const RIGHT: VarId = VarId(1);

/// A world with `lefts` left, `rights` right and `both` two-sided objects, and variables over left and right objects, two-sided ones
/// included.
fn world(lefts: usize, rights: usize, both: usize) -> (World, Scope) {
    let mut builder = WorldBuilder::new("sides");
    let [left, right] = ["left", "right"].map(|name| builder.add_type(name, &[]));
    // Interleaved, so that ids do not separate the sides.
    for index in 0..lefts.max(rights).max(both) {
        for (name, types, count) in
            [("b", vec![left, right], both), ("r", vec![right], rights), ("l", vec![left], lefts)]
        {
            if index < count {
                builder.add_object(format!("{name}{index}"), &types);
            }
        }
    }
    builder.add_fact("fits", &[left, right]);
    let mut scope = Scope::default();
    for (name, id) in [("?l", left), ("?r", right)] {
        scope.declare(Variable { name: name.into(), types: vec![id], origin: Origin::default() });
    }
    (builder.finish().unwrap(), scope)
}

fn fits() -> Condition {
    let arguments = [Term::Variable(LEFT), Term::Variable(RIGHT)].into_iter().collect();
    Condition::Atom(Atom { predicate: FITS, arguments, origin: Origin::default() })
}

fn pairing(rule: PairingRule, amount: Option<u32>) -> Condition {
    Condition::Pairing { rule, amount, left: LEFT, right: RIGHT, body: Box::new(fits()) }
}

fn goal(scope: Scope, conditions: Vec<Condition>) -> Goal {
    let conjunct = |condition| Conjunct { condition, origin: Origin::default() };
    Goal { name: "goal".into(), scope, conjuncts: conditions.into_iter().map(conjunct).collect() }
}

/// Compares all evaluators of the goal in `states` random states. Returns the number of states in which each conjunct held.
fn compare(world: &World, goal: &Goal, states: usize) -> Vec<usize> {
    let compiled = CompiledGoal::new(world.clone(), goal).unwrap();
    let mut random = Random::new(1);
    let (mut single, mut incremental) = (compiled.single(), compiled.incremental());
    let (mut reference, mut engine, mut playback) =
        (GoalInterpreter::new(world.clone(), goal.clone()), compiled.start(), Playback::new(world.clone()));
    let (mut rows, mut verdicts) = (Vec::new(), Vec::new());
    let words = compiled.state_words();
    let mut satisfied = vec![0; compiled.conjunct_count()];
    for _ in 0..states {
        let mut state = vec![0_u64; words];
        let mut delta = Delta::default();
        // Densities from nearly empty to nearly full.
        let density = random.below(101);
        for (place, atom) in compiled.atoms().iter().enumerate() {
            let GoalAtom::Fact(predicate, arguments) = atom else { panic!("{atom:?} is no fact") };
            assert_eq!(compiled.fact_index(*predicate, arguments), Some(place));
            let holds = random.below(100) < density;
            delta.facts.push(FactChange { predicate: *predicate, arguments: arguments.clone(), holds });
            state[place / 64] |= u64::from(holds) << (place % 64);
        }
        incremental
            .set_all((0..compiled.atoms().len()).map(|place| (place, state[place / 64] >> (place % 64) & 1 == 1)));
        playback.advance(&delta);
        let step = playback.update(&delta, false);
        let expected = reference.step(&step).clone();
        assert_eq!(engine.step(&step), &expected);
        assert_eq!((single.evaluate(&state), incremental.satisfied()), (expected.satisfied, expected.satisfied));
        for (place, satisfied) in satisfied.iter_mut().enumerate() {
            let holds = expected.conjuncts.contains(place);
            assert_eq!((single.conjunct(place), incremental.conjunct(place)), (holds, holds), "{place} in {delta:?}");
            *satisfied += usize::from(holds);
        }
        rows.extend(state);
        verdicts.push(expected);
    }
    compiled.batch().evaluate_all(&rows, |first, batch| {
        for (state, expected) in verdicts[first..].iter().take(64).enumerate() {
            let conjuncts: Vec<bool> =
                (0..compiled.conjunct_count()).map(|place| batch.conjunct(place) >> state & 1 == 1).collect();
            let mut found = FixedBitSet::with_capacity(conjuncts.len());
            found.extend(conjuncts.iter().enumerate().filter(|(_, holds)| **holds).map(|(place, _)| place));
            assert_eq!((batch.satisfied() >> state & 1 == 1, found), (expected.satisfied, expected.conjuncts.clone()));
        }
    });
    satisfied
}

#[test]
fn pairings_of_all_sizes_are_the_same_in_every_way() {
    let sizes = [
        (1, 1, 0),
        (3, 3, 0),
        (4, 2, 0),
        (2, 5, 0),
        (7, 7, 0),
        (12, 8, 0),
        (10, 12, 0),
        (3, 2, 2),
        (0, 0, 4),
        (0, 3, 5),
    ];
    for (lefts, rights, both) in sizes {
        let (world, scope) = world(lefts, rights, both);
        let amounts = [None, Some(0), Some(1), Some(2), Some(4), Some(7), Some(100)];
        let rules = [PairingRule::Matching, PairingRule::Covering];
        let conditions = rules.iter().flat_map(|&rule| amounts.map(|amount| pairing(rule, amount))).collect();
        let satisfied = compare(&world, &goal(scope, conditions), 200);
        for at in [0, amounts.len()] {
            assert!(satisfied[at] > 0 && satisfied[at] < 200, "{lefts} {rights} {both}: {satisfied:?}");
            assert_eq!((satisfied[at + 1], satisfied[at + 6]), (200, 0), "{lefts} {rights} {both}");
        }
    }
}

#[test]
fn pairings_beyond_a_word_are_the_same_in_every_way() {
    let (world, scope) = world(66, 70, 0);
    let satisfied = compare(&world, &goal(scope, vec![pairing(PairingRule::Matching, None)]), 70);
    assert!(satisfied[0] > 0 && satisfied[0] < 70, "{satisfied:?}");
}

#[test]
fn counts_of_all_sizes_are_the_same_in_every_way() {
    for (lefts, rights) in [(1, 3), (4, 4), (9, 9), (20, 10)] {
        let (world, scope) = world(lefts, rights, 0);
        let pairs = (lefts * rights) as u32;
        let count = |amount| Condition::Count(amount, vec![LEFT, RIGHT], Box::new(fits()));
        let mut conditions = Vec::new();
        for amount in [0, 1, 2, pairs / 2, pairs - 1, pairs, pairs + 1, u32::MAX] {
            conditions.push(count(Cardinality::AtLeast(amount)));
            conditions.push(count(Cardinality::Exactly(amount)));
        }
        // Each fact is counted twice, because it makes two assignments true.
        let doubled = Condition::Or(vec![fits(), Condition::Exists(vec![RIGHT], Box::new(fits()))]);
        conditions.push(Condition::Count(Cardinality::Exactly(2), vec![LEFT, RIGHT], Box::new(doubled)));
        conditions.push(Condition::Not(Box::new(Condition::Forall(vec![LEFT, RIGHT], Box::new(fits())))));
        let satisfied = compare(&world, &goal(scope, conditions), 150);
        assert!(satisfied.iter().any(|&count| count > 0 && count < 150));
    }
}

/// Exactly one of a fact and its negation is true: the first left object counts the fact, the others its negation.
#[test]
fn a_fact_counted_beside_its_negation_is_counted_once() {
    let (world, scope) = world(3, 1, 0);
    let first = world.domain(&scope.get(LEFT).types)[0];
    let right = world.domain(&scope.get(RIGHT).types)[0];
    let fact = || {
        let arguments = [Term::Object(first), Term::Object(right)].into_iter().collect();
        Condition::Atom(Atom { predicate: FITS, arguments, origin: Origin::default() })
    };
    let other = || Condition::Distinct(Term::Variable(LEFT), Term::Object(first));
    let body = || {
        Condition::Or(vec![
            Condition::And(vec![other(), Condition::Not(Box::new(fact()))]),
            Condition::And(vec![Condition::Not(Box::new(other())), fact()]),
        ])
    };
    let count = |amount| Condition::Count(amount, vec![LEFT], Box::new(body()));
    let amounts = [0, 1, 2, 3].map(Cardinality::Exactly).into_iter().chain([1, 2].map(Cardinality::AtLeast));
    let satisfied = compare(&world, &goal(scope, amounts.map(count).collect()), 100);
    let [none, once, twice, thrice, some, more] = satisfied[..] else { panic!("{satisfied:?}") };
    assert_eq!((none, thrice, some), (0, 0, 100));
    assert!(once > 0 && twice > 0 && once + twice == 100 && more == twice, "{satisfied:?}");
}

#[test]
fn equal_parts_are_one() {
    let (world, scope) = world(3, 3, 0);
    let stowed = || Condition::Forall(vec![LEFT], Box::new(Condition::Exists(vec![RIGHT], Box::new(fits()))));
    let once =
        CompiledGoal::new(world.clone(), &goal(scope.clone(), vec![stowed()])).unwrap().gate_and_connection_counts();
    let twice = goal(scope, vec![stowed(), Condition::Not(Box::new(Condition::Not(Box::new(stowed()))))]);
    assert_eq!(CompiledGoal::new(world.clone(), &twice).unwrap().gate_and_connection_counts(), once);
    // Three disjunctions of three inputs each, and their conjunction.
    assert_eq!(once, (4, 12));
}

#[test]
fn unbounded_expansions_of_goals_are_errors() {
    let (world, scope) = world(400, 400, 0);
    let (small, large) = (
        Condition::Constant(true),
        Condition::Forall(vec![LEFT, RIGHT], Box::new(Condition::Exists(vec![LEFT, RIGHT], Box::new(fits())))),
    );
    let error = CompiledGoal::new(world.clone(), &goal(scope, vec![small, large])).unwrap_err();
    assert_eq!(error, MonitorError::GoalTooLarge { conjunct: 1, origin: Origin::default() });
    assert!(error.to_string().contains("4194304 parts in conjunct 2"), "{error}");
}

/// Each of many objects has a pairing with an empty side. No pair is ever evaluated, but the expansion still counts as work.
#[test]
fn many_pairings_without_objects_are_errors() {
    let (world, mut scope) = world(60_000, 0, 0);
    let around = scope.get(LEFT).clone();
    let around = scope.declare(around);
    let condition = Condition::Forall(vec![around], Box::new(pairing(PairingRule::Covering, Some(1))));
    let error = CompiledGoal::new(world.clone(), &goal(scope, vec![condition])).unwrap_err();
    assert_eq!(error, MonitorError::GoalTooLarge { conjunct: 0, origin: Origin::default() });
}

#[test]
fn opaque_conditions_are_copied_once_for_all_bindings() {
    let mut builder = WorldBuilder::new("comings and goings");
    let thing = builder.add_type("thing", &[]);
    for index in 0..4 {
        builder.add_object(format!("thing_{index}"), &[thing]);
    }
    builder.add_fact("fits", &[thing, thing]);
    builder.add_attribute(AttributeDecl::new("there", ValueKind::Bool, &[thing]).required());
    let world = builder.finish().unwrap();
    let mut scope = Scope::default();
    for name in ["?l", "?r", "?x"] {
        scope.declare(Variable { name: name.into(), types: vec![thing], origin: Origin::default() });
    }
    let arguments = [Term::Variable(VarId(2)), Term::Variable(RIGHT)].into_iter().collect();
    let around = Condition::Atom(Atom { predicate: FITS, arguments, origin: Origin::default() });
    let body = Box::new(Condition::Or(vec![fits(), around]));
    let rule = PairingRule::Matching;
    let whole = Condition::Pairing { rule, amount: Some(2), left: LEFT, right: RIGHT, body };
    let goal = goal(scope, vec![Condition::Exists(vec![VarId(2)], Box::new(whole))]);
    let compiled = CompiledGoal::new(world.clone(), &goal).unwrap();
    let objects = world.domain(&[thing]);
    let copies: Vec<_> = compiled
        .atoms()
        .iter()
        .filter_map(|atom| if let GoalAtom::Condition(copy, binding) = atom { Some((copy, binding)) } else { None })
        .collect();
    assert_eq!(copies.len(), 4);
    for (place, (copy, binding)) in copies.iter().enumerate() {
        assert!(Arc::ptr_eq(copy, copies[0].0));
        assert_eq!(binding[..], [(VarId(2), objects[place])]);
    }
}

#[test]
fn a_run_may_begin_in_the_middle_of_a_playback() {
    let (world, scope) = world(1, 1, 0);
    let goal = goal(scope, vec![Condition::Exists(vec![LEFT, RIGHT], Box::new(fits()))]);
    let compiled = CompiledGoal::new(world.clone(), &goal).unwrap();
    let GoalAtom::Fact(predicate, arguments) = compiled.atoms()[0].clone() else { panic!("a fact") };
    let mut playback = Playback::new(world.clone());
    let facts = vec![FactChange { predicate, arguments, holds: true }];
    playback.advance(&Delta { facts, ..Delta::default() });
    let no_changes = Delta::default();
    playback.advance(&no_changes);
    let step = playback.update(&no_changes, false);
    assert!(GoalInterpreter::new(world.clone(), goal.clone()).step(&step).satisfied);
    assert!(compiled.start().step(&step).satisfied);
}

#[test]
fn batches_of_all_lengths_are_taken() {
    let (world, scope) = world(9, 9, 0);
    let goal = goal(scope, vec![Condition::Exists(vec![LEFT, RIGHT], Box::new(fits()))]);
    let compiled = CompiledGoal::new(world.clone(), &goal).unwrap();
    let words = compiled.state_words();
    assert_eq!(words, 2);
    for count in [0, 1, 63, 64, 65, 127, 128, 129] {
        let mut states = vec![0; words * count];
        // The last atom holds in every third state.
        states.chunks_mut(words).step_by(3).for_each(|state| state[1] = 1 << 16);
        let mut held = vec![false; count];
        compiled.batch().evaluate_all(&states, |first, batch| {
            for state in 0..64.min(count - first) {
                held[first + state] = batch.satisfied() >> state & 1 == 1;
            }
        });
        assert_eq!(held, (0..count).map(|state| state % 3 == 0).collect::<Vec<_>>());
    }
}

#[test]
#[should_panic(expected = "5 words are not a multiple of the 2 words of a state")]
fn incomplete_states_are_errors() {
    let (world, scope) = world(9, 9, 0);
    let goal = goal(scope, vec![Condition::Exists(vec![LEFT, RIGHT], Box::new(fits()))]);
    CompiledGoal::new(world.clone(), &goal).unwrap().batch().evaluate_all(&[0; 5], |_, _| ());
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn the_goal_is_no_conjunct() {
    let (world, scope) = world(1, 1, 0);
    let compiled = CompiledGoal::new(world.clone(), &goal(scope, vec![Condition::Constant(true)])).unwrap();
    compiled.single().conjunct(1);
}

#[test]
#[should_panic(expected = "atom 1 is out of range: the goal has 1 atoms")]
fn a_gate_is_no_atom() {
    let (world, scope) = world(1, 1, 0);
    let goal = goal(scope, vec![Condition::Exists(vec![LEFT, RIGHT], Box::new(fits()))]);
    CompiledGoal::new(world.clone(), &goal).unwrap().incremental().atom(1);
}
