//! Benchmarks of matching sequences over plain columns of truth values, and of games over generated facts.
//!
//! `cargo bench -p goalspec-monitor`

use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use goalspec_core::condition::{Atom, Condition, Origin, Scope, Term, Variable};
use goalspec_core::ids::{ObjectId, PredicateId, PreferenceId};
use goalspec_core::monitor::GameMonitor;
use goalspec_core::pattern::{Pattern, Phase};
use goalspec_core::playback::Playback;
use goalspec_core::program::{CountOperator, Game, Preference, Quantifier, ScoreExpression};
use goalspec_core::state::{Delta, FactChange};
use goalspec_core::world::{World, WorldBuilder};
use goalspec_monitor::sequence::{
    AutomatonPosition, SequenceAutomaton, SequenceColumns, SequenceMatcher, StateHistory,
};
use goalspec_monitor::{CompiledGame, RunOptions};
use goalspec_testing::random::Random;

fn main() {
    divan::main();
}

/// `once a; hold b; once c`.
fn automaton() -> SequenceAutomaton {
    let cell = |letter, repeats| AutomatonPosition { letter, repeats, optional: repeats, measured: false };
    SequenceAutomaton::new(vec![cell(0, false), cell(1, true), cell(2, false)])
}

/// A million states of three letters for `bindings` bindings, at most 64.
#[divan::bench(args = [10, 64])]
fn once_hold_once(bencher: Bencher, bindings: usize) {
    const STATES: usize = 1_000_000;
    let mut random = Random::new(7);
    let mask = u64::MAX >> (64 - bindings);
    // `b` holds more often than not, so that attempts last.
    let columns: Vec<[u64; 3]> = (0..STATES)
        .map(|_| [random.bits() & random.bits() & mask, (random.bits() | random.bits()) & mask, random.bits() & mask])
        .collect();
    let automaton = automaton();
    bencher.counter(ItemsCount::new(STATES)).bench_local(|| {
        let mut sequence = SequenceMatcher::new(&automaton, bindings);
        let mut history = StateHistory::new(automaton.history_depth());
        let mut satisfactions = 0_u64;
        for (step, letters) in columns.iter().enumerate() {
            history.push(step as u32 + 1);
            let [a, b, c] = letters.each_ref().map(std::slice::from_ref);
            sequence.step(&automaton, &mut &[a, b, c][..], &history, &mut |_| satisfactions += 1);
        }
        black_box(satisfactions)
    });
}

/// The same states by columns.
#[divan::bench(args = [10, 64])]
fn once_hold_once_columns(bencher: Bencher, bindings: usize) {
    const STATES: usize = 1_000_000;
    let mut random = Random::new(7);
    let mask = u64::MAX >> (64 - bindings);
    let mut columns = [const { Vec::new() }; 3];
    for _ in 0..STATES {
        columns[0].push(random.bits() & random.bits() & mask);
        columns[1].push((random.bits() | random.bits()) & mask);
        columns[2].push(random.bits() & mask);
    }
    let automaton = automaton();
    let mut satisfied = vec![0; STATES];
    bencher.counter(ItemsCount::new(STATES)).bench_local(|| {
        let mut sequence = SequenceColumns::new(&automaton, bindings).expect("nothing is measured");
        sequence.advance(&columns.each_ref().map(Vec::as_slice), &mut satisfied);
        black_box(satisfied.iter().map(|word| u64::from(word.count_ones())).sum::<u64>())
    });
}

/// The same with letters that rarely change, as in most recordings.
#[divan::bench(args = [10, 64])]
fn once_hold_once_seldom_changing(bencher: Bencher, bindings: usize) {
    const STATES: usize = 1_000_000;
    let mut random = Random::new(7);
    let mask = u64::MAX >> (64 - bindings);
    let mut letters = [0; 3];
    let columns: Vec<[u64; 3]> = (0..STATES)
        .map(|_| {
            if random.bits().is_multiple_of(20) {
                letters[random.bits() as usize % 3] ^= (1 << (random.bits() % 64)) & mask;
            }
            letters
        })
        .collect();
    let automaton = automaton();
    bencher.counter(ItemsCount::new(STATES)).bench_local(|| {
        let mut sequence = SequenceMatcher::new(&automaton, bindings);
        let mut history = StateHistory::new(automaton.history_depth());
        let mut satisfactions = 0_u64;
        for (step, letters) in columns.iter().enumerate() {
            history.push(step as u32 + 1);
            let [a, b, c] = letters.each_ref().map(std::slice::from_ref);
            sequence.step(&automaton, &mut &[a, b, c][..], &history, &mut |_| satisfactions += 1);
        }
        black_box(satisfactions)
    });
}

/// A world of `count` objects, for which facts `p`, `q` and `r` can hold.
fn things(count: usize) -> World {
    let mut builder = WorldBuilder::new("things");
    let thing = builder.add_type("thing", &[]);
    for number in 0..count {
        builder.add_object(format!("thing_{number}"), &[thing]);
    }
    builder.add_fact("p", &[thing]);
    builder.add_fact("q", &[thing]);
    builder.add_fact("r", &[thing]);
    builder.finish().expect("the world is well formed")
}

/// For some `?x`, `?y`, `?z`: `once (p ?x); hold (q ?y); once (r ?z)`.
fn triples(world: &World) -> Game {
    let thing = world.type_named("thing").expect("the world has things");
    let mut scope = Scope::default();
    let variables: Vec<_> = ["?x", "?y", "?z"]
        .map(|name| scope.declare(Variable { name: name.into(), types: vec![thing], origin: Origin::default() }))
        .into();
    let holds = |predicate: u32, place: usize| {
        let arguments = [Term::Variable(variables[place])].into_iter().collect();
        Condition::Atom(Atom { predicate: PredicateId(predicate), arguments, origin: Origin::default() })
    };
    let phases = vec![
        Phase::Once { condition: holds(0, 0), measure: None, origin: Origin::default() },
        Phase::Hold { condition: holds(1, 1), may_be_empty: false, origin: Origin::default() },
        Phase::Once { condition: holds(2, 2), measure: None, origin: Origin::default() },
    ];
    let preference = Preference {
        name: "triples".into(),
        scope,
        external: Vec::new(),
        inner: variables,
        quantifier: Quantifier::Exists,
        distinct: Vec::new(),
        pattern: Pattern::Sequence(phases),
        origin: Origin::default(),
    };
    let counted = ScoreExpression::Count {
        kind: CountOperator::Disjoint,
        preference: PreferenceId(0),
        types: Vec::new(),
        origin: Origin::default(),
    };
    Game {
        name: "triples".into(),
        setup: None,
        preferences: vec![Arc::new(preference)],
        terminal: None,
        score: counted,
    }
}

/// Ten thousand states; in each, `p` or `q` of one object changes, and occasionally `r` of one object holds for one state. The number of
/// bindings is the cube of the number of objects.
#[divan::bench(args = [4, 16, 40, 100], sample_count = 10)]
fn triples_of_things(bencher: Bencher, count: usize) {
    const STATES: usize = 10_000;
    let world = things(count);
    let game = triples(&world);
    let compiled = CompiledGame::new(world.clone(), game.clone()).expect("a million bindings are not too many");
    let mut random = Random::new(11);
    let mut expected = vec![false; 2 * count];
    let mut pulse: Option<FactChange> = None;
    let mut deltas = Vec::new();
    for state in 0..STATES as u64 {
        let mut facts: Vec<_> = pulse.take().map(|fact| FactChange { holds: false, ..fact }).into_iter().collect();
        let mut object = |count: usize| random.bits() as usize % count;
        let fact = |predicate: usize, object: usize, holds| FactChange {
            predicate: PredicateId(predicate as u32),
            arguments: [ObjectId(object as u32)].into_iter().collect(),
            holds,
        };
        if state % 500 == 0 {
            pulse = Some(fact(2, object(count), true));
            facts.extend(pulse.clone());
        }
        let at = object(expected.len());
        expected[at] = !expected[at];
        facts.push(fact(at % 2, at / 2, expected[at]));
        deltas.push(Delta { index: state, clock: state, facts, ..Delta::default() });
    }
    bencher.counter(ItemsCount::new(STATES)).bench_local(|| {
        let mut engine = compiled.start(RunOptions::default());
        let mut playback = Playback::new(world.clone());
        for delta in &deltas {
            playback.advance(delta);
            engine.step(&playback.update(delta, false));
        }
        black_box(engine.finish(playback.state()).preferences[0].count)
    });
}
