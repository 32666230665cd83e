//! Benchmarks of reading recorded plays and other trace formats.
//!
//! `cargo bench -p goalspec-trace`

#[path = "../tests/common/mod.rs"]
mod common;

use std::io::Read;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_trace::{CheckedReader, LinesWriter, ReadOptions, Trace, TraceReader};

fn main() {
    divan::main();
}

const RECORDING: &str = "game/traces/throw_ball_to_bin_unique_positions.json.gz";

/// Returns a real recording as text, and its room.
fn recording() -> Option<(Vec<u8>, &'static World)> {
    let path = common::conformance()?.join(RECORDING);
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut text).unwrap();
    Some((text, common::room("many")))
}

/// Reads to the end, and returns the number of changes, so that nothing is optimised away.
fn changes(mut reader: impl TraceReader) -> usize {
    let mut delta = Delta::default();
    let mut changes = 0;
    while reader.next(&mut delta).unwrap() {
        changes += delta.changes.len();
    }
    changes
}

fn open<'r>(text: &'r [u8], world: &'r World) -> CheckedReader<'r> {
    goalspec_trace::from_reader(text, world, &ReadOptions::default()).unwrap()
}

#[divan::bench]
fn recorded_play(bencher: Bencher<'_, '_>) {
    let Some((text, world)) = recording() else { return };
    bencher.counter(BytesCount::of_slice(&text)).bench(|| changes(open(&text, world)));
}

/// Measured in bytes of uncompressed text, like the others.
#[divan::bench]
fn recorded_play_gzip(bencher: Bencher<'_, '_>) {
    let Some((text, world)) = recording() else { return };
    let compressed = std::fs::read(common::conformance().unwrap().join(RECORDING)).unwrap();
    bencher.counter(BytesCount::of_slice(&text)).bench(|| changes(open(&compressed, world)));
}

#[divan::bench]
fn lines(bencher: Bencher<'_, '_>) {
    let Some((text, world)) = recording() else { return };
    let mut lines = Vec::new();
    let mut reader = open(&text, world);
    let mut writer = LinesWriter::new(&mut lines, world, &reader.header().clone()).unwrap();
    goalspec_trace::convert(&mut reader, &mut writer).unwrap();
    bencher.counter(BytesCount::of_slice(&lines)).bench(|| changes(open(&lines, world)));
}

/// Measured in states.
#[divan::bench]
fn trace_in_memory(bencher: Bencher<'_, '_>) {
    let Some((text, world)) = recording() else { return };
    let trace = Trace::read(&mut open(&text, world), world).unwrap();
    bencher.counter(ItemsCount::new(trace.len())).bench(|| changes(trace.cursor()));
}

/// A baseline: the same text parsed into a tree of JSON values, without interpretation.
#[divan::bench]
fn serde_json_tree(bencher: Bencher<'_, '_>) {
    let Some((text, _)) = recording() else { return };
    bencher.counter(BytesCount::of_slice(&text)).bench(|| {
        let tree: serde_json::Value = serde_json::from_slice(&text).unwrap();
        tree.as_array().unwrap().len()
    });
}
