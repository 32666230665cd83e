//! Benchmarks of parsing, checking and formatting activities.
//!
//! The activities are the 1016 of release 3.6.0; without them (`cargo xtask fetch-bddl`) nothing is measured.

#[path = "../tests/common/mod.rs"]
mod common;

use divan::Bencher;
use goalspec_bddl::dialect::Release;
use goalspec_bddl::parse::release::{ProblemRequest, read_problem};
use goalspec_bddl::{Dialect, format, lint, parse};
use goalspec_syntax::SourceFile;

fn main() {
    divan::main();
}

fn sources() -> Vec<SourceFile> {
    let activities = common::activities(Release::V3_6).unwrap_or_default();
    activities.iter().map(|activity| goalspec_testing::texts::source(&activity.name, &activity.text)).collect()
}

#[divan::bench]
fn tree(bencher: Bencher) {
    let sources = sources();
    bencher
        .bench(|| sources.iter().map(|source| goalspec_syntax::sexp::parse(source).diagnostics.len()).sum::<usize>());
}

#[divan::bench]
fn parsed(bencher: Bencher) {
    let sources = sources();
    bencher.bench(|| sources.iter().map(|source| parse::parse(source, Dialect::STRICT).problems.len()).sum::<usize>());
}

#[divan::bench]
fn linted(bencher: Bencher) {
    let sources = sources();
    bencher.bench(|| sources.iter().map(|source| lint::check(source, Dialect::STRICT).problems.len()).sum::<usize>());
}

#[divan::bench]
fn formatted(bencher: Bencher) {
    let sources = sources();
    bencher.bench(|| sources.iter().map(|source| format::format(source).len()).sum::<usize>());
}

#[divan::bench]
fn as_the_release_reads(bencher: Bencher) {
    let sources = sources();
    let request = ProblemRequest::new("any", "omnigibson");
    bencher.bench(|| {
        sources
            .iter()
            .filter_map(|source| read_problem(source, &request).ok())
            .map(|read| read.goal.len())
            .sum::<usize>()
    });
}
