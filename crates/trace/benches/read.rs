//! How fast recorded plays are read.
//!
//! `cargo bench -p goalspec-trace`

#[path = "../tests/common/mod.rs"]
mod common;

use std::io::Read;

use divan::Bencher;
use divan::counter::BytesCount;
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_trace::{ReadOptions, TraceReader};

fn main() {
    divan::main();
}

fn recording() -> Option<(Vec<u8>, &'static World)> {
    let path = common::conformance()?.join("game/traces/throw_ball_to_bin_unique_positions.json.gz");
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut text).unwrap();
    Some((text, common::room("many")))
}

#[divan::bench]
fn recorded_play(bencher: Bencher<'_, '_>) {
    let Some((text, world)) = recording() else { return };
    bencher.counter(BytesCount::of_slice(&text)).bench(|| {
        let mut reader = goalspec_trace::from_reader(&text[..], world, &ReadOptions::default()).unwrap();
        let mut delta = Delta::default();
        let mut changes = 0;
        while reader.next(&mut delta).unwrap() {
            changes += delta.changes.len();
        }
        changes
    });
}

#[divan::bench]
fn recorded_play_serde_json(bencher: Bencher<'_, '_>) {
    let Some((text, _)) = recording() else { return };
    bencher
        .counter(BytesCount::of_slice(&text))
        .bench(|| serde_json::from_slice::<serde_json::Value>(&text).unwrap().as_array().unwrap().len());
}
