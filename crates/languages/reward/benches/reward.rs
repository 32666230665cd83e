//! Benchmarks of reward functions over recorded frames, on the fast engine and on the reference machine.
//!
//! Run with `cargo bench -p goalspec-reward`; `cargo xtask rewards` compares the times with those of CPython.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/worlds/mod.rs"]
mod worlds;

use std::sync::Arc;

use std::time::Instant;

use common::{PUBLISHED, frames, program};
use divan::{Bencher, black_box};
use goalspec_python_runtime::Machine;
use goalspec_python_runtime::fast::{CompiledFunction, Frame};
use goalspec_python_runtime::limits::Budget;
use goalspec_python_runtime::scene::SceneObject;
use goalspec_reward::read;
use goalspec_syntax::Sources;

/// The number of passes over the frames, of which the fastest counts.
const ROUNDS: usize = 30;
/// The number of passes for a single program, enough for a profiler.
const MANY_ROUNDS: usize = 1500;

fn main() {
    // `--calls [NAME]` prints only the times of calls, in a format for scripts: one line for each program, or for the named one.
    let mut arguments = std::env::args().skip_while(|argument| argument != "--calls");
    match arguments.next() {
        Some(_) => calls(arguments.next().filter(|name| !name.starts_with('-')).as_deref()),
        None => divan::main(),
    }
}

/// The number of frames that are timed together.
const CHUNK: usize = 100;

/// Returns the mean time of a call, in nanoseconds. Of each chunk of frames the fastest round counts, to exclude interruptions by other
/// processes.
fn shortest<T>(rounds: usize, frames: &[T], mut call: impl FnMut(&T)) -> f64 {
    let mut total = 0.0;
    for chunk in frames.chunks(CHUNK) {
        let times = (0..rounds).map(|_| {
            let start = Instant::now();
            chunk.iter().for_each(&mut call);
            start.elapsed().as_nanos() as f64
        });
        total += times.fold(f64::INFINITY, f64::min);
    }
    total / frames.len() as f64
}

/// Prints for each program its name, the nanoseconds of a call and of its execution alone, first interpreted and then as machine code, and
/// the milliseconds of its compilation.
fn calls(only: Option<&str>) {
    let rounds = if only.is_some() { MANY_ROUNDS } else { ROUNDS };
    for (name, game) in PUBLISHED {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let Some(scenes) = frames(game) else { return };
        let (program, world) = (program(name).unwrap(), worlds::world(game));
        let prepared: Vec<(Frame, &[SceneObject])> =
            scenes.iter().map(|scene| (Frame::from_scene(scene), scene.as_slice())).collect();
        let measured = |compiled: &Arc<CompiledFunction>| {
            let mut engine = compiled.engine();
            let whole = shortest(rounds, &scenes, |scene| {
                black_box(engine.call(scene).is_ok());
            });
            let run = shortest(rounds, &prepared, |(frame, scene)| {
                black_box(engine.call_frame(frame, scene).is_ok());
            });
            (whole, run)
        };
        let compiled =
            || CompiledFunction::new(program.clone(), world.clone(), "reward_function", Budget::default()).unwrap();
        let interpreted = compiled();
        interpreted.disable_native();
        let (whole, run) = measured(&interpreted);
        let native = compiled();
        let took = native.compile().map(|took| took.as_secs_f64() * 1000.0);
        let (native_whole, native_run) = measured(&native);
        println!("{name} {whole:.1} {run:.1} {native_whole:.1} {native_run:.1} {:.1}", took.unwrap_or_default());
    }
    if let Some(scenes) = frames("pong") {
        let whole = shortest(rounds, &scenes, |scene| {
            black_box(by_hand(black_box(scene)));
        });
        println!("l12_by_hand {whole:.1} {whole:.1} {whole:.1} {whole:.1} 0.0");
    }
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

/// Evaluates all frames of a game on the fast engine.
#[divan::bench(args = NAMES)]
fn fast(bencher: Bencher<'_, '_>, name: &str) {
    let Some(scenes) = frames(game(name)) else { return };
    let (program, world) = (program(name).unwrap(), worlds::world(game(name)));
    let compiled = CompiledFunction::new(program.clone(), world.clone(), "reward_function", Budget::default()).unwrap();
    let mut engine = compiled.engine();
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
    let mut machine = Machine::new(program.clone(), world.clone(), Budget::default()).unwrap();
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
        CompiledFunction::new(program.clone(), world.clone(), "reward_function", Budget::default()).is_ok()
    });
}
