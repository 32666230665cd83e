//! Benchmarks of decoding frames, for each game. An item is a frame.
//!
//! Run with `cargo bench -p goalspec-atari`. The frames are recorded by `cargo xtask ocatari`, which also measures the time of
//! `OCAtari` on them. Games without recordings are skipped.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{bytes, detections, lines};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use goalspec_atari::{Decoder, Game, Options};

fn main() {
    divan::main();
}

fn games() -> impl Iterator<Item = Game> {
    Game::ALL.into_iter().filter(|game| !detections(*game).is_empty())
}

fn frames(game: Game) -> Vec<Vec<u8>> {
    let files = detections(game);
    let held =
        files.iter().find(|path| path.to_string_lossy().contains("_held_")).expect("there is one for each policy");
    lines(held).skip(1).map(|line| bytes(&line[1])).collect()
}

fn decode(bencher: Bencher<'_, '_>, game: Game, hud: bool) {
    let frames = frames(game);
    let mut decoder = Decoder::new(game, Options { hud, ..Options::default() });
    bencher.counter(ItemsCount::new(frames.len())).bench_local(|| {
        for frame in &frames {
            black_box(decoder.step(black_box(frame)).expect("play is readable").len());
        }
    });
}

#[divan::bench(args = games())]
fn plain(bencher: Bencher<'_, '_>, game: Game) {
    decode(bencher, game, false);
}

#[divan::bench(args = games())]
fn with_display(bencher: Bencher<'_, '_>, game: Game) {
    decode(bencher, game, true);
}
