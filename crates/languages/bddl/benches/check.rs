//! Benchmarks of parsing and checking activities, and of loading a knowledge base.
//!
//! `cargo bench -p goalspec-bddl --bench check`

#[path = "../tests/common/mod.rs"]
mod common;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use goalspec_bddl::check::{CheckContext, check, problem_checks};
use goalspec_bddl::dialect::{Dialect, Release};
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::{domains, parse};
use goalspec_syntax::{SourceFile, sexp};

/// The allocator of the command-line application.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

const RELEASES: [Release; 2] = [Release::V1_0, Release::V3_6];

/// Returns the activities of a release.
fn sources(release: Release) -> Option<Vec<SourceFile>> {
    let activities = common::activities(release)?;
    let source = |activity: common::Activity| {
        goalspec_testing::texts::source(&format!("{}/problem0.bddl", activity.name), &activity.text)
    };
    Some(activities.into_iter().map(source).collect())
}

fn knowledge(release: Release) -> Knowledge {
    let definitions = common::definitions(release).expect("the release exists");
    Knowledge::open(definitions.parent().expect("it has a folder")).expect("the release is complete")
}

/// Benchmarks `run` on all activities of a release.
fn on_all(bencher: Bencher<'_, '_>, release: Release, run: impl Fn(&SourceFile) -> usize + Sync) {
    let Some(sources) = sources(release) else { return };
    let bytes: usize = sources.iter().map(|source| source.text().len()).sum();
    bencher
        .counter(ItemsCount::new(sources.len()))
        .counter(BytesCount::new(bytes))
        .bench(|| sources.iter().map(&run).sum::<usize>());
}

/// Builds the s-expression trees only.
#[divan::bench(args = RELEASES)]
fn tree(bencher: Bencher<'_, '_>, release: Release) {
    on_all(bencher, release, |source| sexp::parse(source).diagnostics.len());
}

#[divan::bench(args = RELEASES)]
fn read(bencher: Bencher<'_, '_>, release: Release) {
    on_all(bencher, release, |source| parse::parse(source, Dialect::STRICT).diagnostics.len());
}

#[divan::bench(args = RELEASES)]
fn read_and_check(bencher: Bencher<'_, '_>, release: Release) {
    if common::definitions(release).is_some() {
        let knowledge = knowledge(release);
        let context = CheckContext { knowledge: Some(&knowledge), ..CheckContext::default() };
        on_all(bencher, release, |source| check(source, context).diagnostics.len());
    }
}

/// Runs the checks only, on parsed problems.
#[divan::bench(args = RELEASES)]
fn check_only(bencher: Bencher<'_, '_>, release: Release) {
    let Some(sources) = sources(release) else { return };
    let knowledge = knowledge(release);
    let read = |source: &SourceFile| parse::parse(source, Dialect::STRICT).problems;
    let problems: Vec<_> =
        sources.iter().flat_map(|source| read(source).into_iter().map(move |read| (source, read))).collect();
    bencher.counter(ItemsCount::new(problems.len())).bench(|| {
        let found = problems.iter().map(|(source, problem)| {
            let domain = problem.domain.as_ref().and_then(|domain| domains::builtin(&domain.text));
            problem_checks(problem, Some(source), Dialect::STRICT, Some(&knowledge), domain).1.len()
        });
        found.sum::<usize>()
    });
}

#[divan::bench(args = RELEASES)]
fn load(bencher: Bencher<'_, '_>, release: Release) {
    if common::definitions(release).is_some() {
        bencher.bench(|| knowledge(release));
    }
}
