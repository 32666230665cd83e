//! Large programs, long plays, compilation errors, and sharing between threads.

use std::sync::Arc;

use goalspec_core::condition::{Atom, Condition, Origin, Scope, Term, Variable};
use goalspec_core::ids::{ObjectId, PredicateId, PreferenceId};
use goalspec_core::interpret::GameInterpreter;
use goalspec_core::monitor::{GameMonitor, GameReport, MonitorError};
use goalspec_core::pattern::{Pattern, Phase};
use goalspec_core::playback::Playback;
use goalspec_core::program::{CountOperator, Game, Preference, Quantifier, ScoreExpression};
use goalspec_core::state::{AttributeChange, Delta, FactChange};
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::{AttributeDecl, World, WorldBuilder};
use goalspec_monitor::{CompileLimits, CompiledGame, RunOptions};

/// A world of objects with positions, for which the facts `p`, `q` and `r` can hold.
fn things(count: usize) -> World {
    let mut builder = WorldBuilder::new("things");
    let thing = builder.add_type("thing", &[]);
    for number in 0..count {
        builder.add_object(format!("thing_{number}"), &[thing]);
    }
    for name in ["p", "q", "r"] {
        builder.add_fact(name, &[thing]);
    }
    builder.add_attribute(AttributeDecl {
        name: "position".into(),
        kind: ValueKind::Vec3,
        types: vec![thing],
        default: None,
        required: false,
        doc: "".into(),
    });
    builder.finish().expect("the world is well formed")
}

/// `once (p ?0); hold (q ?1); once (r ?2)`, over `variables` variables.
fn game(world: &World, variables: usize, kind: CountOperator) -> Game {
    let thing = world.type_named("thing").expect("there are things");
    let mut scope = Scope::default();
    let inner: Vec<_> = (0..variables)
        .map(|number| {
            let name = format!("?{number}").into();
            scope.declare(Variable { name, types: vec![thing], origin: Origin::default() })
        })
        .collect();
    let holds = |predicate: usize| {
        let arguments = [Term::Variable(inner[predicate % variables])].into_iter().collect();
        Condition::Atom(Atom { predicate: PredicateId::from(predicate), arguments, origin: Origin::default() })
    };
    let origin = Origin::default();
    let phases = vec![
        Phase::Once { condition: holds(0), measure: None, origin },
        Phase::Hold { condition: holds(1), may_be_empty: false, origin },
        Phase::Once { condition: holds(2), measure: None, origin },
    ];
    let pattern = Pattern::Sequence(phases);
    let preference = Preference {
        name: "found".into(),
        scope,
        external: Vec::new(),
        inner,
        quantifier: Quantifier::Exists,
        distinct: Vec::new(),
        pattern,
        origin,
    };
    let counted = ScoreExpression::Count { kind, preference: PreferenceId(0), types: Vec::new(), origin };
    Game { name: "game".into(), setup: None, preferences: vec![Arc::new(preference)], terminal: None, score: counted }
}

fn fact(predicate: usize, object: u32, holds: bool) -> FactChange {
    FactChange { predicate: PredicateId::from(predicate), arguments: [ObjectId(object)].into_iter().collect(), holds }
}

fn play(world: &World, monitor: &mut dyn GameMonitor, deltas: &[Delta]) -> GameReport {
    let mut playback = Playback::new(world.clone());
    for delta in deltas {
        playback.advance(delta);
        monitor.step(&playback.update(delta, false));
    }
    monitor.finish(playback.state())
}

#[test]
fn a_million_bindings_run() {
    let world = things(100);
    let game = game(&world, 3, CountOperator::Overlapping);
    let compiled = CompiledGame::new(world.clone(), game.clone()).expect("a million bindings are not too many");
    assert_eq!(compiled.memory_requirements().preferences[0].bindings, 1_000_000);
    let states = [
        vec![fact(0, 7, true)],
        vec![fact(0, 7, false), fact(1, 20, true), fact(1, 30, true)],
        vec![],
        vec![fact(1, 30, false), fact(2, 99, true)],
    ];
    let deltas = states.map(|facts| Delta { facts, ..Delta::default() });
    let report = play(&world, &mut compiled.start(RunOptions::default()), &deltas);
    assert_eq!(report.score, Ok(2.0));
    let found: Vec<_> = report.preferences[0].satisfactions.iter().map(|found| (found.start, found.end)).collect();
    assert_eq!(found, [(1, 4), (1, 4)]);
    let objects = |index: usize| -> Vec<ObjectId> {
        report.preferences[0].satisfactions[index].binding.iter().map(|&(_, object)| object).collect()
    };
    assert_eq!(objects(0), [7, 20, 99].map(ObjectId));
    assert_eq!(objects(1), [7, 30, 99].map(ObjectId));
}

#[test]
fn games_that_exceed_limits_are_errors() {
    let world = things(1000);
    let game = game(&world, 3, CountOperator::Disjoint);
    let error =
        CompiledGame::new(world.clone(), game.clone()).expect_err("1000 times 1000 times 1000 bindings are too many");
    assert_eq!(error.to_string(), "preference `found` has 1000000000 bindings; the limit is 67108864");

    let world = things(100);
    let game = self::game(&world, 3, CountOperator::Disjoint);
    let needed = CompiledGame::new(world.clone(), game.clone())
        .expect("a million bindings are not too many")
        .memory_requirements()
        .bytes();
    let limits = |bytes| CompileLimits { memory_bytes: bytes, ..CompileLimits::default() };
    assert!(CompiledGame::with_limits(world.clone(), game.clone(), &limits(needed)).is_ok());
    let error =
        CompiledGame::with_limits(world.clone(), game.clone(), &limits(needed - 1)).expect_err("one byte too few");
    assert_eq!(error, MonitorError::TooMuchMemory { bytes: needed, limit: needed - 1 });
}

#[test]
fn the_cost_is_shown_as_a_table() {
    let world = things(10);
    let game = game(&world, 2, CountOperator::Disjoint);
    let cost = CompiledGame::new(world.clone(), game.clone())
        .expect("a hundred bindings are not too many")
        .memory_requirements();
    // Two stored positions with two vectors of two words each, and a start per binding at the position that can hold stale
    // attempts; a last end and a bit per binding; one word for the only binding of no external variables.
    let matching = 2 * 2 * 2 * 8 + 100 * 4 + (100 * 4 + 2 * 8) + 8;
    // One word each for the answers of `p`, `q` and `r`; laid out over the bindings, two words each with a copy of the word.
    let conditions = 3 * 8 + 3 * (2 * 8 + 8);
    // A satisfaction takes three 32-bit numbers: binding, start and end.
    assert_eq!(
        cost.to_string(),
        format!(
            "preference      bindings        memory\n\
             found                100  {:>12}\n\
             conditions            30  {:>12}\n\
             total                     {:>12}\n\
             Each satisfaction takes 12 B more; at most 4194304 are stored per preference.",
            format!("{matching} B"),
            format!("{conditions} B"),
            format!("{} B", matching + conditions)
        )
    );
}

#[test]
fn quantifiers_within_each_other_that_objects_run_out_for_keep_no_vectors() {
    let world = things(2);
    let thing = world.type_named("thing").expect("there are things");
    let mut game = game(&world, 1, CountOperator::Overlapping);
    let preference = Arc::make_mut(&mut game.preferences[0]);
    let variables: Vec<_> = (0..22)
        .map(|number| {
            let name = format!("?within_{number}").into();
            preference.scope.declare(Variable { name, types: vec![thing], origin: Origin::default() })
        })
        .collect();
    let holds = |variable| {
        let arguments = [Term::Variable(variable)].into_iter().collect();
        Condition::Atom(Atom { predicate: PredicateId::from(0), arguments, origin: Origin::default() })
    };
    // The variables of each quantifier differ from all enclosing ones, so that no object is left for the third.
    let mut condition = Condition::Constant(false);
    for (place, &variable) in variables.iter().enumerate() {
        let around = variables[place + 1..].iter();
        let apart = around.map(|&other| Condition::Distinct(Term::Variable(variable), Term::Variable(other)));
        let body = Condition::Or(vec![condition, Condition::Not(Box::new(holds(variable)))]);
        condition = Condition::Exists(vec![variable], Box::new(Condition::And(apart.chain([body]).collect())));
    }
    preference.pattern = Pattern::AtEnd(condition);
    let compiled = CompiledGame::new(world.clone(), game.clone()).expect("little is kept");
    assert!(compiled.memory_requirements().vector_bytes < 1000, "{}", compiled.memory_requirements());
    let all = vec![fact(0, 0, true), fact(0, 1, true)];
    for (facts, expected) in [(Vec::new(), 2.0), (all, 0.0)] {
        let deltas = [Delta { facts, ..Delta::default() }];
        assert_eq!(play(&world, &mut compiled.start(RunOptions::default()), &deltas).score, Ok(expected));
    }
}

#[test]
fn the_location_history_is_pruned_only_where_it_is_unused() {
    let world = things(3);
    let position = world.attribute_named("position").expect("things have positions");
    let game = game(&world, 2, CountOperator::UniquePositions);
    // One object moves all the time. The others move occasionally and drift a little in between, which does not count as moving.
    // Intervals are both short and long.
    let deltas: Vec<Delta> = (0..12_000_u32)
        .map(|state| {
            let mut delta = Delta::default();
            let mut put = |object: u32, x: f64| {
                let value = Value::Vec3(glam::DVec3::new(x, 0.0, 0.0));
                delta.changes.push(AttributeChange { object: ObjectId(object), attribute: position, value });
            };
            put(0, f64::from(state));
            let drifting = f64::from(state / 1000) + 0.001 * f64::from(state / 3 % 2);
            put(1, drifting);
            put(2, -drifting);
            let object = state / 1000 % 3;
            delta.facts = vec![
                fact(0, object, state % 1000 == 10),
                fact(1, (object + 1) % 3, (11..state / 12).contains(&(state % 1000))),
                fact(2, object, state / 12 == state % 1000),
            ];
            delta
        })
        .collect();
    let compiled = CompiledGame::new(world.clone(), game.clone()).expect("nine bindings are not too many");
    let fast = play(&world, &mut compiled.start(RunOptions { explain: true }), &deltas);
    let mut interpreter = GameInterpreter::new(world.clone(), game.clone()).expect("nine bindings are not too many");
    assert_eq!(fast, play(&world, &mut interpreter, &deltas));
    assert!(fast.score.is_ok_and(|score| score > 0.0));
}

#[test]
fn one_compiled_game_serves_many_threads() {
    let world = things(4);
    let game = game(&world, 3, CountOperator::Disjoint);
    let compiled = CompiledGame::new(world.clone(), game.clone()).expect("64 bindings are not too many");
    let deltas: Vec<Delta> = (0..50_u32)
        .map(|state| Delta { facts: vec![fact(state as usize % 3, state % 4, state % 5 < 3)], ..Delta::default() })
        .collect();
    let expected = play(&world, &mut compiled.start(RunOptions::default()), &deltas);
    assert!(expected.preferences[0].count > 0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(play(&world, &mut compiled.start(RunOptions::default()), &deltas), expected));
        }
    });
}
