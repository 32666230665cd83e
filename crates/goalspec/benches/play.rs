//! Scoring of recorded plays. The traces are in memory, and playback is part of the measurement.
//!
//! The recordings are those of the conformance data (`../shared/conformance`, or the folder that `GOALSPEC_CONFORMANCE` names).
//! Without them, nothing is measured.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use goalspec::core::interpret::GameInterpreter;
use goalspec::core::monitor::GameMonitor;
use goalspec::core::playback::Playback;
use goalspec::core::program::Game;
use goalspec::core::state::Delta;
use goalspec::core::world::World;
use goalspec::files::Inputs;
use goalspec::library::{Library, LibraryOptions};
use goalspec::monitor::{CompiledGame, RunOptions};
use goalspec::program::GameProgram;
use goalspec::trace::{ReadOptions, Trace, TraceReader, open};

fn main() {
    if conformance().is_none() {
        eprintln!("nothing is measured: there is no conformance data");
        return;
    }
    divan::main();
}

fn conformance() -> Option<PathBuf> {
    let from_environment = std::env::var_os("GOALSPEC_CONFORMANCE").map(PathBuf::from);
    let sibling =
        || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(|root| root.join("../shared/conformance"));
    from_environment.or_else(sibling).map(|root| root.join("game")).filter(|path| path.is_dir())
}

/// A benchmark case: the program file, the name of the game in it, and the trace.
#[derive(Clone, Copy)]
struct Case {
    program: &'static str,
    game: &'static str,
    trace: &'static str,
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.game.is_empty() { self.program } else { self.game })
    }
}

const fn case(program: &'static str, game: &'static str, trace: &'static str) -> Case {
    Case { program, game, trace }
}

const CASES: &[Case] = &[
    case("games/throw_to_bin_unique_positions.txt", "", "throw_ball_to_bin_unique_positions"),
    case("games/throw_with_stacked_blocks.txt", "", "c4bea3VqKksZ7Rd5RdTO-gameplay-attempt-1-rerecorded"),
    case("games/ball_to_bin_from_bed.txt", "", "ball_to_bin_from_bed_trace"),
    case("games/building_count_overlapping.txt", "", "complex_stacking_trace-rerecorded"),
    case("games/building_touches_wall.txt", "", "weZ1UVzKNaiTjaqu0DGI-preCreateGame-buildings-in-touching"),
    case("corpora/interactive-beta.pddl", "game-20", "weZ1UVzKNaiTjaqu0DGI-preCreateGame-buildings-in-touching"),
];

struct Loaded {
    world: Arc<World>,
    program: GameProgram,
    trace: Trace,
    states: usize,
}

impl Loaded {
    fn new(case: Case) -> Self {
        let root = conformance().expect("main checked the argument");
        let inputs = Inputs { programs: vec![root.join(case.program)], ..Inputs::default() };
        let library = Library::load(&inputs, LibraryOptions::default(), &|| {});
        let games = library.programs().iter().filter_map(|program| Some((program.world.as_ref()?, program.as_game()?)));
        let is_selected = |game: &GameProgram| case.game.is_empty() || &*game.ast.name.text == case.game;
        let (world, program) = games.into_iter().find(|(_, game)| is_selected(game)).expect("the program exists");
        let (world, mut program) = (world.clone(), program.clone());
        // The whole play is measured, beyond the state in which a terminal condition would end it.
        program.ast.terminal = None;
        program.game = program.game.map(|game| Arc::new(Game { terminal: None, ..Game::clone(&game) }));
        let path = root.join("traces").join(format!("{}.json.gz", case.trace));
        let mut reader = open(&path, &world, &ReadOptions::default()).expect("the trace can be read");
        let trace = Trace::read(&mut reader, &world).expect("the trace can be read");
        let states = trace.len();
        drop(reader);
        Self { world, program, trace, states }
    }

    fn world(&self) -> &World {
        &self.world
    }

    fn game(&self) -> &Game {
        self.program.game.as_deref().expect("the program has no errors")
    }
}

/// Plays the whole trace and returns the score, which keeps the work from being optimised away.
fn play(world: &World, trace: &Trace, monitor: &mut dyn GameMonitor) -> f64 {
    let mut playback = Playback::new(world.clone());
    let mut cursor = trace.cursor();
    let mut delta = Delta::default();
    let mut left = trace.len();
    while cursor.next(&mut delta).expect("a trace in memory is valid") {
        left -= 1;
        playback.advance(&delta);
        if monitor.step(&playback.update(&delta, left == 0)).done {
            break;
        }
    }
    monitor.finish(playback.state()).score.unwrap_or(f64::NAN)
}

/// The fast engine, playback included.
#[divan::bench(args = CASES)]
fn fast(bencher: Bencher, case: &Case) {
    let loaded = Loaded::new(*case);
    let compiled = CompiledGame::new(loaded.world().clone(), loaded.game().clone()).expect("the program is small");
    let compiled = Arc::new(compiled);
    bencher.counter(ItemsCount::new(loaded.states)).bench_local(|| {
        let mut engine = compiled.start(RunOptions::default());
        black_box(play(loaded.world(), &loaded.trace, &mut engine))
    });
}

/// The reference interpreter, playback included.
#[divan::bench(args = &CASES[..5], sample_count = 3, sample_size = 1)]
fn interpreter(bencher: Bencher, case: &Case) {
    let loaded = Loaded::new(*case);
    bencher.counter(ItemsCount::new(loaded.states)).bench_local(|| {
        let mut engine =
            GameInterpreter::new(loaded.world().clone(), loaded.game().clone()).expect("the program is small");
        black_box(play(loaded.world(), &loaded.trace, &mut engine))
    });
}

/// The reimplementation of the authors' reward machine, playback included.
#[divan::bench(args = &CASES[..5])]
fn reference_semantics(bencher: Bencher, case: &Case) {
    let loaded = Loaded::new(*case);
    bencher.counter(ItemsCount::new(loaded.states)).bench_local(|| {
        let mut engine = goalspec::game::reference::RewardMachine::new(&loaded.program.ast, loaded.world());
        black_box(play(loaded.world(), &loaded.trace, &mut engine))
    });
}

/// Playback alone, which is part of the time of every engine.
#[divan::bench(args = CASES)]
fn playback(bencher: Bencher, case: &Case) {
    let loaded = Loaded::new(*case);
    bencher.counter(ItemsCount::new(loaded.states)).bench_local(|| {
        let mut playback = Playback::new(loaded.world().clone());
        let mut cursor = loaded.trace.cursor();
        let mut delta = Delta::default();
        while cursor.next(&mut delta).expect("a trace in memory is valid") {
            playback.advance(&delta);
        }
        black_box(playback.steps())
    });
}

/// Parsing of recorded plays from JSON text in memory.
#[divan::bench]
fn read_json(bencher: Bencher) {
    let case = CASES[0];
    let loaded = Loaded::new(case);
    let path = conformance().expect("main checked the argument").join("traces").join(format!("{}.json.gz", case.trace));
    let mut text = Vec::new();
    let file = std::fs::File::open(path).expect("the trace exists");
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(file), &mut text).expect("the trace is complete");
    bencher.counter(BytesCount::new(text.len())).bench_local(|| {
        let mut reader = goalspec::trace::from_reader(&text[..], loaded.world(), &ReadOptions::default())
            .expect("the trace can be read");
        let mut delta = Delta::default();
        let mut states = 0_u32;
        while reader.next(&mut delta).expect("the trace is valid") {
            states += 1;
        }
        black_box(states)
    });
}
