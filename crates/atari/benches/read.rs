//! Benchmarks of reading recordings of screens, for each game. An item is a frame.
//!
//! Run with `cargo bench -p goalspec-atari --bench read`. Games without recordings of RAM are skipped.

use std::io::Read;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use goalspec_atari::Game;
use goalspec_atari::recording::{Frame, Reader, Writer};

fn main() {
    divan::main();
}

/// Returns the number of frames of a recording with RAM, written as a recording with objects and as a packed one.
fn recordings(game: Game) -> Option<(usize, [Vec<u8>; 2])> {
    let folder = goalspec_testing::conformance::folder("reward/traces")?;
    let file = std::fs::File::open(folder.join(format!("{}_scripted_s0.jsonl.gz", game.slug()))).ok()?;
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(file).read_to_end(&mut text).expect("the file is whole");
    let mut reader = Reader::new(&text[..]).expect("it has a header");
    let header = reader.header().clone();
    let mut writers = [Writer::new(Vec::new(), &header), Writer::packed(Vec::new(), &header)];
    let (mut frame, mut frames) = (Frame::default(), 0);
    while reader.next(&mut frame).expect("frames are valid") {
        frames += 1;
        frame.rewards.clear();
        for writer in &mut writers {
            writer.write(&frame).expect("memory can be written");
        }
    }
    frame.ram?;
    Some((frames, writers.map(|writer| writer.finish().expect("memory can be written"))))
}

fn games() -> impl Iterator<Item = Game> {
    Game::ALL.into_iter().filter(|game| recordings(*game).is_some())
}

fn read(bencher: Bencher<'_, '_>, frames: usize, text: &[u8]) {
    bencher.counter(ItemsCount::new(frames)).bench_local(|| {
        let mut reader = Reader::new(black_box(text)).expect("it has a header");
        let mut frame = Frame::default();
        while reader.next(&mut frame).expect("frames are valid") {
            black_box(frame.objects.len());
        }
    });
}

#[divan::bench(args = games(), sample_count = 10)]
fn with_objects(bencher: Bencher<'_, '_>, game: Game) {
    let (frames, [text, _]) = recordings(game).expect("it is listed");
    read(bencher, frames, &text);
}

#[divan::bench(args = games(), sample_count = 10)]
fn packed(bencher: Bencher<'_, '_>, game: Game) {
    let (frames, [_, text]) = recordings(game).expect("it is listed");
    read(bencher, frames, &text);
}
