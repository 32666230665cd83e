//! Benchmarks of the generation of games: draws, regrowths, features, n-grams, and generations of an archive.
//!
//! `cargo bench -p goalspec-generation`
//!
//! The corpus is that of `examples/generation`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use goalspec_game::ast::Game;
use goalspec_game::worlds;
use goalspec_generation::fitness::FitnessModel;
use goalspec_generation::game::characteristics::Characteristics;
use goalspec_generation::game::evolution::{Evolution, EvolutionOptions, GameJudge};
use goalspec_generation::game::features::ngrams::SectionNgrams;
use goalspec_generation::game::generator::{GameGenerator, GeneratorOptions};
use goalspec_generation::game::variation::{Operator, Parent};
use goalspec_generator::RandomStream;
use goalspec_generator::productions::Productions as _;
use goalspec_generator::tree::Tree;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// The number of games of one iteration.
const GAMES: u64 = 256;

/// Returns the examples of new games.
fn corpus() -> Vec<Game> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/generation");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the examples").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let parsed = paths.iter().flat_map(|path| {
        let text = std::fs::read_to_string(path).expect("an example");
        goalspec_game::parse::parse(&goalspec_testing::texts::source("example", &text)).games
    });
    parsed.collect()
}

fn generator() -> GameGenerator {
    let corpus = corpus();
    let games: Vec<&Game> = corpus.iter().collect();
    let world = worlds::builtin("many-objects-room-v1").expect("a room");
    GameGenerator::new(world, &games, &GeneratorOptions::default()).expect("a generator").0
}

fn judge(generator: &GameGenerator) -> GameJudge {
    let ngrams = SectionNgrams::fit(generator.games(), generator.tokens(), generator.corpus());
    GameJudge { ngrams, model: FitnessModel::plain(), characteristics: Characteristics::davidson(), evidence: None }
}

fn drawn(generator: &GameGenerator) -> Vec<Tree> {
    (0..GAMES).filter_map(|index| generator.sample(1, index)).collect()
}

/// Draws of whole games.
#[divan::bench]
fn sample(bencher: Bencher) {
    let generator = generator();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| black_box(drawn(&generator)));
}

/// The number of regrowths of a game, far fewer than the 1,024 for each game of a corpus when a model is fitted.
const REGROWTHS: u64 = 32;

/// Regrowths of drawn games, with the preparation of each game, the choice of names, and the comparison with the game.
#[divan::bench]
fn regrow(bencher: Bencher) {
    let generator = generator();
    let games = drawn(&generator);
    bencher.counter(ItemsCount::new(games.len() as u64 * REGROWTHS)).bench_local(|| {
        for (number, game) in (0..).zip(&games) {
            let parent = Parent::new(&generator, game);
            for index in 0..REGROWTHS {
                let mut stream = RandomStream::new(2, number << 32 | index);
                black_box(parent.vary(Operator::Regrow, game, &mut stream));
            }
        }
    });
}

/// Features, fitness and cells of drawn games.
#[divan::bench]
fn evaluate(bencher: Bencher) {
    let generator = generator();
    let (judge, games) = (judge(&generator), drawn(&generator));
    bencher.counter(ItemsCount::new(games.len())).bench_local(|| {
        for game in &games {
            black_box(judge.evaluate(&generator, game));
        }
    });
}

/// The n-gram models of drawn games.
#[divan::bench]
fn fit_ngrams(bencher: Bencher) {
    let generator = generator();
    let games = drawn(&generator);
    bencher
        .counter(ItemsCount::new(games.len()))
        .bench_local(|| black_box(SectionNgrams::fit(generator.games(), generator.tokens(), &games)));
}

/// Generations of an archive, on one thread. Items are pairs, each with up to two children.
#[divan::bench(sample_count = 10)]
fn evolve(bencher: Bencher) {
    let generator = generator();
    let judge = judge(&generator);
    let options = EvolutionOptions { seed: 1, initial: 512, pairs: 128 };
    let mut first = Evolution::new(&generator, &judge, options);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| first.step());
    bencher.counter(ItemsCount::new(options.pairs)).with_inputs(|| first.clone()).bench_local_values(
        |mut evolution| {
            pool.install(|| evolution.step());
            evolution
        },
    );
}
