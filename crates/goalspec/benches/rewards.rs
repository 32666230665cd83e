//! Reward functions in many environments per call, as many programs over one recording, and over user-defined worlds; and the
//! checks of a program.
//!
//! The data is synthetic: a ball that flies between two paddles, and robots that carry crates.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use goalspec::atari::Game;
use goalspec::core::engine::Engine;
use goalspec::library::Library;
use goalspec::python_runtime::scene::{Objects, SceneObject};
use goalspec::reward_lints;
use goalspec::rewards::batch::{Environments, Observation};
use goalspec::rewards::compiled::CompiledReward;
use goalspec::rewards::score::{RewardOutcome, ScoreOptions, score};
use goalspec::rewards::screen_worlds;
use goalspec::rewards::world::RewardWorld;
use goalspec::trace::TraceInput;

/// The allocator of the command-line program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// Returns a program whose constants are unique to its number.
fn candidate(number: usize) -> String {
    format!(
        "from ocatari.ram.pong import *


def touches(a, b):
    return a.x <= b.x + b.w and b.x <= a.x + a.w and a.y <= b.y + b.h and b.y <= a.y + a.h


def reward_function(objects):
    player = next((o for o in objects if isinstance(o, Player)), None)
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    if player is None or ball is None:
        return 0.0
    reward = -0.01 * min(abs(player.center[1] - ball.center[1]) / {gap}, 1)
    if touches(player, ball):
        reward += {bonus}
    if ball.x > player.x + player.w:
        reward -= 1.0
    return reward
",
        gap = 50 + number % 97,
        bonus = 0.1 + number as f64 / 1000.0
    )
}

fn candidates(count: usize) -> Library {
    let mut library = Library::new();
    for number in 0..count {
        library.add_program(&format!("{number}.py"), candidate(number));
    }
    assert_eq!(library.diagnostics(), []);
    library
}

/// Returns the position of the ball in a frame.
fn place(moment: u32) -> (i32, i32) {
    let moment = moment.cast_signed();
    (20 + moment * 7 % 120, 40 + moment * 5 % 140)
}

fn screen(moment: u32) -> Vec<SceneObject> {
    let world = &screen_worlds::for_game(Game::Pong).scene;
    let object = |class: &str, position: (i32, i32)| SceneObject {
        position,
        size: (4, 15),
        ..world.new_object(world.screen_class(class).unwrap_or_default())
    };
    vec![
        object("Player", (140, 40 + moment.cast_signed() % 120)),
        object("Ball", place(moment)),
        object("Enemy", (16, 60)),
    ]
}

/// A step of `count` environments in one call.
#[divan::bench(args = [64, 1024, 4096], consts = [true, false])]
fn environments<const FAST: bool>(bencher: Bencher<'_, '_>, count: u32) {
    let library = candidates(1);
    let world = RewardWorld::Screen(screen_worlds::for_game(Game::Pong));
    let Some(reward) = library.programs()[0].as_reward() else { return };
    let engine = if FAST { Engine::Fast } else { Engine::Interpreter };
    let Ok(ready) = CompiledReward::new(&Arc::from("p"), reward, &world, engine) else { return };
    let Ok(mut environments) = Environments::new(&ready, count as usize) else { return };
    let scenes: Vec<Vec<SceneObject>> = (0..count).map(screen).collect();
    let moments: Vec<Observation<'_>> =
        scenes.iter().map(|objects| Observation { objects: Objects::Screen(objects), action: None }).collect();
    let mut rewards = Vec::new();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        environments.step(black_box(&moments), &mut rewards);
        rewards.iter().filter(|reward| reward.is_ok()).count()
    });
}

/// The number of frames in the recording.
const FRAMES: u32 = 2000;

fn recording() -> TraceInput {
    let mut text = "{\"format\":\"goalspec-screens-1\",\"game\":\"Pong\",\"hud\":false}\n".to_owned();
    for moment in 0..FRAMES {
        let ((x, y), down) = (place(moment), 40 + moment % 120);
        let _ = writeln!(
            text,
            "{{\"t\":{moment},\"ep\":0,\"a\":0,\"r\":0.0,\"term\":false,\"trunc\":false,\"objs\":[[\"Player\",140,{down},4,15,140,{down},0,1,[0,0,0],null],[\"Ball\",{x},{y},2,4,{x},{y},0,1,[0,0,0],null],[\"Enemy\",16,60,4,15,16,60,0,1,[0,0,0],null]]}}"
        );
    }
    TraceInput::Bytes("pong.jsonl".into(), text.into_bytes().into())
}

/// Scoring of `count` programs over one recording, which is read once. An item is a program in a frame.
#[divan::bench(args = [1, 100, 2000], sample_count = 5)]
fn programs(bencher: Bencher<'_, '_>, count: usize) {
    let library = candidates(count);
    let programs = library.reward_programs();
    let input = recording();
    bencher.counter(ItemsCount::new(count * FRAMES as usize)).bench_local(|| {
        let scored = score(&programs, &[], black_box(&input), &ScoreOptions::default(), &|_| ());
        assert_eq!(scored.outcomes.len(), count);
        scored.outcomes.iter().map(RewardOutcome::rewarded_frames).sum::<u64>()
    });
}

/// Reading and checking of `count` programs.
#[divan::bench(args = [1, 100], sample_count = 10)]
fn read(bencher: Bencher<'_, '_>, count: usize) {
    bencher.counter(ItemsCount::new(count)).bench_local(|| candidates(black_box(count)));
}

/// Returns the paths of the published programs, which are as long as those that language models write; empty if they are absent.
fn published() -> Vec<String> {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let files = folders.find_map(|folder| folder.join("../shared/conformance/reward/programs").read_dir().ok());
    let files = files.into_iter().flatten().filter_map(|file| file.ok()?.path().into_os_string().into_string().ok());
    let mut files: Vec<String> = files.collect();
    files.sort();
    files
}

/// Reading, checking and linting of one program.
#[divan::bench(args = published())]
fn check(bencher: Bencher<'_, '_>, path: &str) {
    let Ok(text) = std::fs::read_to_string(path) else { return };
    bencher.bench_local(|| {
        let mut library = Library::new();
        library.add_program("reward.py", black_box(&*text));
        reward_lints::diagnostics(&library).len()
    });
}

const YARD: &str = "name = \"yard\"\n[types]\nrobot = {}\ncrate = {}\n[attributes]\nposition = { kind = \"vec3\", of = [\"robot\", \"crate\"], required = true }\nweight = { kind = \"real\", of = \"crate\", default = 1 }\n[objects]\n\"robot_{n}\" = { type = \"robot\", count = 4 }\n\"crate_{n}\" = { type = \"crate\", count = 16 }\n";

const CARRIES: &str = "import numpy as np\nfrom goalspec.world import *\n\n\ndef reward_function(objects):\n    robots = [o for o in objects if isinstance(o, Robot)]\n    crates = [o for o in objects if isinstance(o, Crate)]\n    reward = 0.0\n    for robot in robots:\n        reward -= min(np.linalg.norm(robot.position - crate.position) * crate.weight for crate in crates)\n    return reward\n";

/// Scoring of a program over a trace of a user-defined world with 20 objects. An item is a state.
#[divan::bench(sample_count = 10)]
fn own_world(bencher: Bencher<'_, '_>) {
    const STATES: usize = 500;
    let mut library = Library::new();
    library.add_world("yard.world.toml", YARD, &mut |_| None);
    library.add_program("carries.py", CARRIES);
    assert_eq!(library.diagnostics(), []);
    let mut text = "{\"format\":\"goalspec-trace\",\"version\":1,\"world\":\"yard\"}\n".to_owned();
    for state in 0..STATES {
        let robots = (0..4).map(|robot| format!("\"robot_{robot}\":{{\"position\":[{robot},0,{state}]}}"));
        let crates = (0..16).map(|place| format!("\"crate_{place}\":{{\"position\":[{place},0,{}]}}", place * 30));
        let set: Vec<String> = if state == 0 { robots.chain(crates).collect() } else { robots.collect() };
        let _ = writeln!(text, "{{\"set\":{{{}}}}}", set.join(","));
    }
    let input = TraceInput::Bytes("yard.jsonl".into(), text.into_bytes().into());
    let programs = library.reward_programs();
    let known = library.all_worlds();
    bencher.counter(ItemsCount::new(STATES)).bench_local(|| {
        let scored = score(&programs, &known, black_box(&input), &ScoreOptions::default(), &|_| ());
        assert_eq!(scored.outcomes[0].rewarded_frames(), STATES as u64);
        scored.outcomes[0].total()
    });
}
