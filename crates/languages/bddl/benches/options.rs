//! Benchmarks of computing all options of the goals of all published activities, with the peak memory.
//!
//! The activities are downloaded by `cargo xtask fetch-bddl`; without them nothing is measured.

#[path = "../tests/common/mod.rs"]
mod common;

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher, black_box};
use goalspec_bddl::dialect::Release;
use goalspec_bddl::ground::GroundGoal;
use goalspec_bddl::options::{self, ExactOptions, OptionSolver};
use goalspec_bddl::{Dialect, parse};

#[global_allocator]
static MEMORY: AllocProfiler = AllocProfiler::system();

fn main() {
    if common::definitions(Release::V3_6).is_some() {
        divan::main();
    }
}

const RELEASES: [Release; 2] = [Release::V1_0, Release::V3_6];

/// Returns the goals of the activities of a release, each with its initial state.
fn goals(release: Release) -> Vec<(GroundGoal, Vec<bool>)> {
    let dialect = match release {
        Release::V1_0 => Dialect::COMPAT_1_0,
        Release::V3_6 => Dialect::COMPAT_3_6,
    };
    let activities = common::activities(release).unwrap_or_default();
    let read = |activity: &common::Activity| {
        let problem =
            parse::parse(&goalspec_testing::texts::source(&activity.name, &activity.text), dialect).problems.pop()?;
        let goal = GroundGoal::new(&problem).ok()?;
        let start = goal.initial_state(&problem);
        Some((goal, start))
    };
    activities.iter().filter_map(read).collect()
}

/// Computes all options as a diagram, their number, and the one nearest to the initial state.
#[divan::bench(args = RELEASES)]
fn exact(bencher: Bencher<'_, '_>, release: Release) {
    let goals = goals(release);
    bencher.counter(ItemsCount::new(goals.len())).bench_local(|| {
        for (goal, start) in &goals {
            let options = ExactOptions::of(black_box(goal), Dialect::STRICT);
            black_box(options.map(|options| (options.count(), options.nearest_literals(start)))).ok();
        }
    });
}

/// The same with the documented semantics of quantifiers.
#[divan::bench(args = RELEASES)]
fn exact_as_documented(bencher: Bencher<'_, '_>, release: Release) {
    let goals = goals(release);
    bencher.counter(ItemsCount::new(goals.len())).bench_local(|| {
        for (goal, start) in &goals {
            let options = ExactOptions::of(black_box(goal), Dialect::STRICT.with_documented_quantifiers());
            black_box(options.map(|options| (options.count(), options.nearest_literals(start)))).ok();
        }
    });
}

/// Lists the options as the release does.
#[divan::bench(args = RELEASES)]
fn as_listed(bencher: Bencher<'_, '_>, release: Release) {
    let goals = goals(release);
    bencher.counter(ItemsCount::new(goals.len())).bench_local(|| {
        for (goal, _) in &goals {
            black_box(options::release::of_goal(black_box(goal), release)).ok();
        }
    });
}
