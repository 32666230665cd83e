//! Benchmarks of goals in one state, in a changing state, and in many states. An item is a state, or a change of one atom.
//!
//! `cargo bench -p goalspec-monitor --bench goal`. Activities are those of BDDL 3.6.0, if they have been fetched to
//! `target/data`.

use std::path::Path;
use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use goalspec_bddl::lower::{LoweredProblem, lower};
use goalspec_bddl::{Dialect, parse};
use goalspec_monitor::goal::CompiledGoal;
use goalspec_syntax::Sources;
use goalspec_testing::random::Random;

fn main() {
    divan::main();
}

/// Number of states in a batch.
const STATES: usize = 1024;

/// Goals over 8 objects of each of two types.
const GOALS: [(&str, &str); 5] = [
    ("stowed", "(forall (?x - a.n.01) (exists (?y - b.n.01) (fits ?x ?y)))"),
    ("counted", "(forn (20) (?x - a.n.01) (good ?x))"),
    ("covered", "(forpairs (?x - a.n.01) (?y - b.n.01) (fits ?x ?y))"),
    ("matched", "(forpairs (?x - a.n.01) (?y - b.n.01) (fits ?x ?y))"),
    ("nested", "(forn (2) (?x - a.n.01) (and (good ?x) (forn (1) (?y - b.n.01) (fits ?x ?y))))"),
];

fn read(text: &str, dialect: Dialect) -> Option<LoweredProblem> {
    let mut sources = Sources::new();
    let id = sources.add("bench", text);
    let parsed = parse::parse(sources.file(id), dialect);
    lower(parsed.problems.first()?, None, dialect).ok()
}

fn synthetic(name: &str) -> LoweredProblem {
    let goal = GOALS.iter().find(|(known, _)| *known == name).map_or("(and)", |(_, goal)| goal);
    let list = |letter: &str| -> String { (1..=8).map(|at| format!("{letter}.n.01_{at} ")).collect() };
    let text = format!(
        "(define (problem p) (:domain d) (:objects {}- a.n.01 {}- b.n.01) (:init) (:goal {goal}))
         (define (domain d) (:predicates (fits ?a ?b) (good ?a)))",
        list("a"),
        list("b")
    );
    let dialect = if name == "matched" { Dialect::STRICT.with_documented_quantifiers() } else { Dialect::STRICT };
    read(&text, dialect).expect("the goal is well formed")
}

/// Returns all activities; none if the data is absent.
fn activities() -> Vec<LoweredProblem> {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let part = "target/data/bddl-3.6.0/bddl/activity_definitions";
    let Some(folder) = folders.find_map(|folder| Some(folder.join(part)).filter(|path| path.is_dir())) else {
        return Vec::new();
    };
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let texts = entries.flatten().filter_map(|entry| std::fs::read_to_string(entry.path().join("problem0.bddl")).ok());
    texts.filter_map(|text| read(&text, Dialect::COMPAT_3_6)).collect()
}

/// Returns random states, one row of words each.
fn states(goal: &Arc<CompiledGoal>, count: usize) -> Vec<u64> {
    let mut random = Random::new(7);
    (0..goal.state_words() * count).map(|_| random.bits() | random.bits()).collect()
}

fn compile(lowered: &LoweredProblem) -> Arc<CompiledGoal> {
    CompiledGoal::new(lowered.world.clone(), &lowered.goal).expect("the goal is small")
}

fn bench_single(bencher: Bencher, all: &[LoweredProblem]) {
    let goals: Vec<_> = all.iter().map(compile).collect();
    let mut runs: Vec<_> = goals.iter().map(|goal| (goal.single(), goal.state_words(), states(goal, 64))).collect();
    bencher.counter(ItemsCount::new(64 * goals.len())).bench_local(|| {
        let mut satisfied = 0;
        for (single, words, states) in &mut runs {
            satisfied += states.chunks_exact((*words).max(1)).filter(|state| single.evaluate(black_box(state))).count();
        }
        satisfied
    });
}

fn bench_incremental(bencher: Bencher, all: &[LoweredProblem]) {
    let goals: Vec<_> = all.iter().map(compile).filter(|goal| !goal.atoms().is_empty()).collect();
    let mut random = Random::new(11);
    let mut runs: Vec<_> = goals
        .iter()
        .map(|goal| {
            let count = goal.atoms().len() as u64;
            let mut incremental = goal.incremental();
            let changes: Vec<_> =
                (0..256).map(|_| ((random.bits() % count) as usize, !random.bits().is_multiple_of(3))).collect();
            // A change without effect costs nothing, so such changes are removed.
            let real = changes.into_iter().filter(|&(atom, value)| {
                let differs = incremental.atom(atom) != value;
                incremental.set(atom, value);
                differs
            });
            let mut real: Vec<_> = real.collect();
            // The changes are then reversed, so that all of them have an effect in every round.
            let back: Vec<_> = real.iter().rev().map(|&(atom, value)| (atom, !value)).collect();
            real.extend(back);
            (goal.incremental(), real)
        })
        .collect();
    let count: usize = runs.iter().map(|(_, changes)| changes.len()).sum();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let mut satisfied = 0;
        for (incremental, changes) in &mut runs {
            satisfied += changes.iter().filter(|&&(atom, value)| incremental.set(black_box(atom), value)).count();
        }
        satisfied
    });
}

fn bench_batch(bencher: Bencher, all: &[LoweredProblem]) {
    let goals: Vec<_> = all.iter().map(compile).collect();
    let mut runs: Vec<_> = goals.iter().map(|goal| (goal.batch(), states(goal, STATES))).collect();
    bencher.counter(ItemsCount::new(STATES * goals.len())).bench_local(|| {
        let mut satisfied = 0;
        for (batch, states) in &mut runs {
            batch.evaluate_all(black_box(states), |_, batch| satisfied += batch.satisfied().count_ones());
        }
        satisfied
    });
}

#[divan::bench(args = GOALS.map(|(name, _)| name))]
fn single(bencher: Bencher, name: &str) {
    bench_single(bencher, &[synthetic(name)]);
}

#[divan::bench(args = GOALS.map(|(name, _)| name))]
fn incremental(bencher: Bencher, name: &str) {
    bench_incremental(bencher, &[synthetic(name)]);
}

#[divan::bench(args = GOALS.map(|(name, _)| name))]
fn batch(bencher: Bencher, name: &str) {
    bench_batch(bencher, &[synthetic(name)]);
}

#[divan::bench]
fn activities_single(bencher: Bencher) {
    bench_single(bencher, &activities());
}

#[divan::bench]
fn activities_incremental(bencher: Bencher) {
    bench_incremental(bencher, &activities());
}

#[divan::bench]
fn activities_batch(bencher: Bencher) {
    bench_batch(bencher, &activities());
}

/// Compiles all activities in sequence; the time per activity is the total divided by their number.
#[divan::bench]
fn activities_compile(bencher: Bencher) {
    let all = activities();
    bencher
        .counter(ItemsCount::new(all.len()))
        .bench_local(|| all.iter().map(|goal| compile(goal).gate_and_connection_counts().0).sum::<usize>());
}
