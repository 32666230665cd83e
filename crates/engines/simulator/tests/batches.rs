//! Batches: their games equal those played one by one, on any number of threads, and take little memory.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::turn::Move;
use goalspec_rgg::Dialect;
use goalspec_simulator::Simulator;
use goalspec_simulator::batch::{Batch, ParallelBatch, RunningGame};
use goalspec_simulator::episode::{Episode, EpisodeRunner, same_policy};
use goalspec_simulator::policy::RandomPolicy;
use goalspec_syntax::Sources;
use goalspec_testing::conformance;
use rayon::ThreadPoolBuilder;

/// The games that need custom results.
const CUSTOM: [&str; 2] = ["MyCustomGame.yaml", "SimulationServiceExample.yaml"];
/// The maximum size of a running game in bytes.
const BYTES: usize = 4096;

fn yaml(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = files.map(|file| file.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).collect()
}

/// Returns the sample games: those of this repository, and those of the recordings if these are present.
pub(crate) fn samples() -> Vec<(String, Simulator)> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/rgg");
    let recorded = conformance::folder("rgg").map(|folder| folder.join("games"));
    let samples =
        [(Some(own), Dialect::DOCUMENTED), (recorded, Dialect::CAGE)].into_iter().flat_map(|(folder, dialect)| {
            let paths = folder.map(|folder| yaml(&folder)).unwrap_or_default();
            paths.into_iter().map(move |path| (path, dialect))
        });
    let samples = samples.filter(|(path, _)| !CUSTOM.iter().any(|custom| path.ends_with(custom)));
    let read = |(path, dialect): (PathBuf, Dialect)| {
        let mut sources = Sources::new();
        let name = path.display().to_string();
        let id = sources.add(name.as_str(), std::fs::read_to_string(&path).unwrap());
        let read = goalspec_rgg::load(sources.file(id), dialect, &[]);
        let game = read.game.unwrap_or_else(|| panic!("{name}: {:?}", read.diagnostics));
        (name, Simulator::new(game, ResultRegistry::default()).unwrap())
    };
    samples.map(read).collect()
}

#[test]
fn a_game_in_flight_takes_less_than_four_thousand_bytes() {
    for (name, simulator) in samples() {
        let mut batch = Batch::new(&simulator, 1, 64, 1000);
        let mut policies = same_policy(&simulator, &RandomPolicy::default());
        let mut chosen = Move::Pass;
        let mut max_bytes = 0;
        for _ in 0..500 {
            batch.advance(&mut policies, &mut chosen, |_, _| {});
            max_bytes = batch.games().iter().map(RunningGame::bytes).fold(max_bytes, usize::max);
        }
        println!("{name}: {} bytes a game, at most {max_bytes}", batch.bytes() / batch.games().len());
        assert!(max_bytes < BYTES, "{name}: {max_bytes}");
        assert!(batch.bytes() <= max_bytes * batch.games().len() && max_bytes > 0);
    }
}

#[test]
fn batches_on_threads_play_the_games_that_are_played_one_by_one() {
    for (name, simulator) in samples() {
        for pool in [None, Some(Arc::new(ThreadPoolBuilder::new().num_threads(3).build().unwrap()))] {
            let threads = pool.as_ref().map_or(1, |pool| pool.current_num_threads());
            let policies = || same_policy(&simulator, &RandomPolicy::default());
            let mut batches = ParallelBatch::new(&simulator, 9, 8, 100, pool, policies);
            assert_eq!(batches.batches().map(|batch| batch.games().len()).collect::<Vec<_>>(), vec![8; threads]);
            let episodes: Mutex<Vec<Episode>> = Mutex::default();
            batches.advance(250, |episode, _| episodes.lock().unwrap().push(episode));
            let mut episodes = episodes.into_inner().unwrap();
            assert!(episodes.len() >= 16 * threads, "{name}: {}", episodes.len());
            episodes.sort_by_key(|episode| episode.index);
            assert!(episodes.windows(2).all(|pair| pair[0].index < pair[1].index), "{name}: each game once");
            let mut runner = EpisodeRunner::new(&simulator, 100);
            for episode in episodes {
                assert_eq!(runner.play(9, episode.index, &mut policies()), episode, "{name}");
            }
        }
    }
}

#[test]
fn the_final_state_of_an_ended_game_is_given_to_the_caller() {
    for (name, simulator) in samples() {
        let mut batch = Batch::new(&simulator, 5, 4, 30);
        let mut policies = same_policy(&simulator, &RandomPolicy::default());
        let mut chosen = Move::Pass;
        let mut ended = 0;
        for _ in 0..100 {
            batch.advance(&mut policies, &mut chosen, |episode, state| {
                assert_eq!(u64::from(state.turns()), u64::from(episode.turns), "{name}");
                ended += 1;
            });
        }
        assert!(ended > 0, "{name}");
    }
}
