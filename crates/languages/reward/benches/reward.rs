//! Benchmarks of reward functions over recorded frames, on the fast engine and on the reference machine.
//!
//! Run with `cargo bench -p goalspec-reward`. `cargo xtask rewards` compares the times of calls with those of CPython.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/worlds/mod.rs"]
mod worlds;

use common::{PUBLISHED, frames, program};
use divan::{Bencher, black_box};
use goalspec_python_runtime::Machine;
use goalspec_python_runtime::fast::CompiledFunction;
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::scene::SceneObject;
use goalspec_reward::read;
use goalspec_syntax::Sources;

fn main() {
    divan::main();
}

/// The reward function of l12, written in Rust.
fn by_hand(scene: &[SceneObject]) -> f64 {
    let find = |class: u16| scene.iter().rfind(|object| object.class == class);
    let (Some(player), Some(enemy), Some(ball)) = (find(3), find(4), find(5)) else { return 0.0 };
    let touches = |one: &SceneObject, other: &SceneObject| {
        one.position.0 < other.position.0 + other.size.0
            && one.position.0 + one.size.0 > other.position.0
            && one.position.1 < other.position.1 + other.size.1
            && one.position.1 + one.size.1 > other.position.1
    };
    let mut reward: f64 = 0.0;
    if ball.position.0 + ball.size.0 < 0 {
        reward += 1.0;
    } else if ball.position.0 > 160 {
        reward -= 1.0;
    }
    if touches(ball, player) || touches(ball, enemy) {
        reward += 0.1;
    }
    reward.clamp(-1.0, 1.0)
}

const NAMES: [&str; 8] = [
    "l09_freeway_full",
    "l10_freeway_direct",
    "l12_pong_full",
    "l13_pong_direct",
    "l15_seaquest_full",
    "l16_seaquest_direct",
    "l18_skiing_full",
    "l19_skiing_direct",
];

fn game(name: &str) -> &'static str {
    PUBLISHED.iter().find(|(other, _)| *other == name).map_or("pong", |(_, game)| game)
}

/// Evaluates all frames of Pong with the function written in Rust.
#[divan::bench]
fn hand_written(bencher: Bencher<'_, '_>) {
    let Some(scenes) = frames("pong") else { return };
    bencher.counter(scenes.len()).bench_local(|| scenes.iter().map(|scene| by_hand(black_box(scene))).sum::<f64>());
}

/// Evaluates all frames of a game on the fast engine.
#[divan::bench(args = NAMES)]
fn fast(bencher: Bencher<'_, '_>, name: &str) {
    let Some(scenes) = frames(game(name)) else { return };
    let (program, world) = (program(name).unwrap(), worlds::world(game(name)));
    let compiled =
        CompiledFunction::new(program.clone(), world.clone(), "reward_function", CallBudget::default()).unwrap();
    let mut engine = compiled.instance();
    bencher.counter(scenes.len()).bench_local(|| {
        for scene in &scenes {
            black_box(engine.call(scene).is_ok());
        }
    });
}

/// Evaluates all frames of a game on the reference machine.
#[divan::bench(args = NAMES, sample_count = 3)]
fn reference(bencher: Bencher<'_, '_>, name: &str) {
    let Some(scenes) = frames(game(name)) else { return };
    let (program, world) = (program(name).unwrap(), worlds::world(game(name)));
    let mut machine = Machine::new(program.clone(), world.clone(), CallBudget::default()).unwrap();
    bencher.counter(scenes.len()).bench_local(|| {
        for scene in &scenes {
            black_box(machine.call("reward_function", scene).is_ok());
        }
    });
}

/// Parses and checks a program.
#[divan::bench(args = NAMES)]
fn parse(bencher: Bencher<'_, '_>, name: &str) {
    let Some(text) = common::text(name) else { return };
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    bencher.bench_local(|| read(black_box(sources.file(id))).program.is_some());
}

/// Compiles a program for the fast engine.
#[divan::bench(args = NAMES)]
fn compile(bencher: Bencher<'_, '_>, name: &str) {
    let Some(program) = program(name) else { return };
    let world = worlds::world(game(name));
    bencher.bench_local(|| {
        CompiledFunction::new(program.clone(), world.clone(), "reward_function", CallBudget::default()).is_ok()
    });
}
