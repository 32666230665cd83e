//! Throughput of turns under random policies, and of observations and masks for learning agents. An item is a turn, an observation or a
//! mask; finished games are restarted.
//!
//! Run with `cargo bench -p goalspec-simulator`. In addition to the games of this repository, those of
//! `../shared/conformance/rgg/games` are played if they are present.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::rules::Perspective;
use goalspec_resource::turn::Move;
use goalspec_rgg::Dialect;
use goalspec_simulator::Simulator;
use goalspec_simulator::action_mask::ActionMasks;
use goalspec_simulator::actions::{ActionSpace, Bins};
use goalspec_simulator::batch::{Batch, ParallelBatch};
use goalspec_simulator::environments::{
    AgentInterface, Autoreset, Environments, GameStatus, Learner, PolicySet, StepArrays,
};
use goalspec_simulator::episode::{EpisodeRunner, MAX_TURNS, Rollouts, same_policy};
use goalspec_simulator::observation::{ObservationLayout, ObservationOptions};
use goalspec_simulator::policy::RandomPolicy;
use goalspec_syntax::Sources;
use rayon::{ThreadPool, ThreadPoolBuilder};

fn main() {
    divan::main();
}

/// The folders with games, relative to the root of the repository.
const FOLDERS: [&str; 2] = ["examples/rgg", "../shared/conformance/rgg/games"];
/// The games that need custom results.
const CUSTOM: [&str; 2] = ["MyCustomGame", "SimulationServiceExample"];
/// The number of games in a sample of single games.
const GAMES: u64 = 100;
/// The number of games in a batch.
const BATCH: usize = 1024;
/// The number of turns of each game of a batch in a sample, a multiple of the number of teams, since turns of different teams
/// take different times.
const ROUNDS: usize = 24;
/// The number of turns in a sample with threads, long enough to amortize their overhead.
const LONG: usize = 240;

fn games() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let files = FOLDERS.iter().filter_map(|folder| std::fs::read_dir(root.join(folder)).ok()).flatten().flatten();
    let paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    let yaml = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    let mut names: Vec<String> = yaml.map(|path| path.to_string_lossy().into_owned()).collect();
    names.retain(|name| !CUSTOM.iter().any(|custom| name.contains(custom)));
    names.sort();
    names
}

fn simulator(path: &str) -> Simulator {
    let text = std::fs::read_to_string(path).expect("it was listed");
    let mut sources = Sources::new();
    let id = sources.add(path, text);
    let dialect = if path.contains("conformance") { Dialect::CAGE } else { Dialect::DOCUMENTED };
    let read = goalspec_rgg::load(sources.file(id), dialect, &[]);
    let game = read.game.unwrap_or_else(|| panic!("{path}: {:?}", read.diagnostics));
    Simulator::new(game, ResultRegistry::default()).expect("it is small")
}

fn pool(threads: usize) -> Arc<ThreadPool> {
    Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start"))
}

fn turns(simulator: &Simulator, games: u64) -> u64 {
    let games = Rollouts { seed: 1, first: 0, count: games, max_turns: MAX_TURNS, pool: None };
    let episodes = games.play(simulator, || same_policy(simulator, &RandomPolicy::default()));
    episodes.iter().map(|episode| u64::from(episode.turns)).sum()
}

#[divan::bench(args = games())]
fn one_by_one(bencher: Bencher, path: &str) {
    let simulator = simulator(path);
    let count = turns(&simulator, GAMES);
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let mut runner = EpisodeRunner::new(&simulator, MAX_TURNS);
        let mut policies = same_policy(&simulator, &RandomPolicy::default());
        for index in 0..GAMES {
            black_box(runner.play(1, index, &mut policies));
        }
    });
}

#[divan::bench(args = games())]
fn side_by_side(bencher: Bencher, path: &str) {
    let simulator = simulator(path);
    let mut batch = Batch::new(&simulator, 1, BATCH, MAX_TURNS);
    let mut policies = same_policy(&simulator, &RandomPolicy::default());
    let mut chosen = Move::Pass;
    bencher.counter(ItemsCount::new(BATCH * ROUNDS)).bench_local(|| {
        for _ in 0..ROUNDS {
            batch.advance(&mut policies, &mut chosen, |episode, _| drop(black_box(episode)));
        }
    });
}

#[divan::bench(args = games(), consts = [1, 2])]
fn side_by_side_on_threads<const JOBS: usize>(bencher: Bencher, path: &str) {
    let simulator = simulator(path);
    let policies = || same_policy(&simulator, &RandomPolicy::default());
    let mut batches = ParallelBatch::new(&simulator, 1, BATCH, MAX_TURNS, Some(pool(JOBS)), policies);
    bencher.counter(ItemsCount::new(BATCH * LONG * JOBS)).bench_local(|| {
        batches.advance(LONG, |episode, _| drop(black_box(episode)));
    });
}

#[divan::bench(args = games(), consts = [1, 2])]
fn threads<const JOBS: usize>(bencher: Bencher, path: &str) {
    let simulator = simulator(path);
    let pool = pool(JOBS);
    let games = Rollouts { seed: 1, first: 0, count: 4000, max_turns: MAX_TURNS, pool: Some(pool) };
    let count = turns(&simulator, games.count);
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        black_box(games.play(&simulator, || same_policy(&simulator, &RandomPolicy::default())));
    });
}

/// Returns an interface without bins; `None` if a team has infinitely many moves.
fn interface(simulator: &Simulator) -> Option<Arc<AgentInterface>> {
    let actions = ActionSpace::new(simulator.game(), &Bins::new()).ok()?;
    Some(Arc::new(AgentInterface {
        layout: ObservationLayout::new(simulator, ObservationOptions::default()).ok()?,
        masks: ActionMasks::new(simulator, &actions, Perspective::Observation),
        actions,
        simulator: simulator.clone(),
    }))
}

/// Environments of all teams in the middle of their games, with arrays for observations and masks.
fn environments(interface: &Arc<AgentInterface>) -> (Environments, Vec<f32>, Vec<i8>) {
    let mut environments = Environments::new(Arc::clone(interface), BATCH, MAX_TURNS, None);
    for place in 0..BATCH {
        environments.reset(place, [1, place as u64], BATCH as u64).expect("the game does not fail");
    }
    let (observation, mask) = (vec![0.0; interface.layout.width()], vec![0; interface.actions.max_len()]);
    let mut environments = (environments, observation, mask);
    play(&mut environments, 7, false);
    environments
}

/// Plays actions in turn, and writes observations and masks if `writes`.
fn play((environments, observation, mask): &mut (Environments, Vec<f32>, Vec<i8>), rounds: usize, writes: bool) {
    for round in 0..rounds {
        for place in 0..BATCH {
            let team = environments.team(place);
            let action = (round * 7 + place) % environments.interface().actions.of_team(team).len();
            environments.step(place, action).expect("the game does not fail");
            if environments.games()[place].status() != GameStatus::Running {
                environments.next_game(place).expect("the game does not fail");
            }
            if writes {
                environments.write(place, environments.team(place), observation, mask);
            }
        }
    }
}

#[divan::bench(args = games())]
fn observations(bencher: Bencher, path: &str) {
    let simulator = simulator(path);
    let Some(interface) = interface(&simulator) else { return };
    let (environments, mut observation, _) = environments(&interface);
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        for (place, game) in environments.games().iter().enumerate() {
            let team = environments.team(place);
            simulator.write_observation(&interface.layout, game.state(), team, black_box(&mut observation));
        }
    });
}

#[divan::bench(args = games())]
fn masks(bencher: Bencher, path: &str) {
    let simulator = simulator(path);
    let Some(interface) = interface(&simulator) else { return };
    let (mut environments, _, mut mask) = environments(&interface);
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        for place in 0..BATCH {
            environments.write_mask(place, environments.team(place), black_box(&mut mask));
        }
    });
}

#[divan::bench(args = games(), consts = [false, true])]
fn environment_steps<const WRITES: bool>(bencher: Bencher, path: &str) {
    let simulator = simulator(path);
    let Some(interface) = interface(&simulator) else { return };
    let mut environments = environments(&interface);
    bencher.counter(ItemsCount::new(BATCH * ROUNDS)).bench_local(|| play(black_box(&mut environments), ROUNDS, WRITES));
}

/// Steps of one learning team against random policies, with observations, masks and rewards of all environments as arrays. An item is a turn of
/// any team.
#[divan::bench(args = games())]
fn vector_steps(bencher: Bencher, path: &str) {
    let simulator = simulator(path);
    let Some(interface) = interface(&simulator) else { return };
    let policies = PolicySet(same_policy(&simulator, &RandomPolicy::default()));
    let learner = Learner { team: 0.into(), policies };
    let mut environments = Environments::new(Arc::clone(&interface), BATCH, MAX_TURNS, Some(learner));
    for place in 0..BATCH {
        environments.reset(place, [1, place as u64], BATCH as u64).expect("the game does not fail");
    }
    let count = interface.actions.of_team(0.into()).len();
    let (mut observations, mut masks) = (vec![0.0; BATCH * interface.layout.width()], vec![0; BATCH * count]);
    let (mut rewards, mut out_of_bounds) = (vec![0.0; BATCH], vec![0; BATCH]);
    let [mut terminated, mut truncated] = [vec![false; BATCH], vec![false; BATCH]];
    let actions: Vec<usize> = (0..BATCH).map(|place| place * 7 % count).collect();
    let turns = ROUNDS * BATCH * simulator.game().teams.len();
    bencher.counter(ItemsCount::new(turns)).bench_local(|| {
        for _ in 0..ROUNDS {
            let arrays = StepArrays {
                observations: &mut observations,
                masks: &mut masks,
                rewards: &mut rewards,
                terminated: &mut terminated,
                truncated: &mut truncated,
                out_of_bounds: &mut out_of_bounds,
            };
            environments.step_all(&actions, Autoreset::NextStep, arrays).expect("the game does not fail");
        }
    });
}
