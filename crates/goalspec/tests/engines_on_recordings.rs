//! The fast engine and the interpreter agree on real games over the beginnings of real recordings. The data is not part of this
//! repository, and the test is skipped without it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec::core::interpret::GameInterpreter;
use goalspec::core::monitor::GameMonitor;
use goalspec::core::playback::Playback;
use goalspec::core::program::Game;
use goalspec::core::state::Delta;
use goalspec::core::world::World;
use goalspec::files::Inputs;
use goalspec::library::{Library, LibraryOptions};
use goalspec::monitor::{CompiledGame, RunOptions};
use goalspec::trace::{ReadOptions, Trace, TraceReader, open};

/// The maximum number of states of a recording that are played.
const STATES: usize = 250;

/// The approximate product of the states played and the bytes of truth vectors. The interpreter has no such vectors, but its
/// time is proportional to their size.
const WORK: u64 = 10_000_000;

fn published() -> Option<PathBuf> {
    let named = std::env::var_os("GOALSPEC_CONFORMANCE").map(PathBuf::from);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("../shared/conformance"));
    named.into_iter().chain(here).map(|folder| folder.join("game")).find(|folder| folder.is_dir())
}

/// Returns the files of a folder with this ending, sorted.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be listed");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("the folder can be listed").path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(ending));
    files.sort();
    files
}

fn compare(world: &World, game: &Game, trace: &Trace, name: &str) {
    let (compiled, mut interpreter) =
        match (CompiledGame::new(world.clone(), game.clone()), GameInterpreter::new(world.clone(), game.clone())) {
            (Ok(compiled), Ok(interpreter)) => (Arc::new(compiled), interpreter),
            (compiled, interpreter) => return assert_eq!(compiled.err(), interpreter.err(), "{name}"),
        };
    let mut fast = compiled.start(RunOptions { explain: true });
    let mut playback = Playback::new(world.clone());
    let mut cursor = trace.cursor();
    let mut delta = Delta::default();
    let states = (WORK / compiled.memory_requirements().bytes().max(1)).clamp(5, STATES as u64);
    let states = trace.len().min(states as usize);
    for state in 1..=states {
        assert!(cursor.next(&mut delta).expect("a trace in memory is valid"));
        playback.advance(&delta);
        let step = playback.update(&delta, state == states);
        let (found, expected) = (fast.step(&step), interpreter.step(&step));
        assert_eq!(found, expected, "{name}, state {state}");
        if found.done {
            break;
        }
    }
    assert_eq!(fast.finish(playback.state()), interpreter.finish(playback.state()), "{name}");
}

#[test]
fn the_fast_engine_agrees_with_the_interpreter_on_real_games() {
    let Some(root) = published() else {
        println!("skipped: no published games here");
        return;
    };
    let programs = [files(&root.join("games"), ".txt"), files(&root.join("corpora"), ".pddl")].concat();
    let library = Library::load(&Inputs { programs, ..Inputs::default() }, LibraryOptions::default(), &|| {});
    let traces = files(&root.join("traces"), ".json.gz");
    let mut compared = 0;
    for (index, program) in library.programs().iter().enumerate() {
        let (Some(world), Some(game)) = (&program.world, program.game()) else { continue };
        // Each game is played over a different recording from its room.
        for offset in 0..traces.len() {
            let path = &traces[(index + offset) % traces.len()];
            let Ok(mut reader) = open(path, world, &ReadOptions::default()) else { continue };
            let trace = Trace::read(&mut reader, world).expect("published recordings are valid");
            compare(world, game, &trace, &format!("{} over {}", program.name, path.display()));
            compared += 1;
            break;
        }
    }
    assert!(compared > 200, "only {compared} games were compared");
}
