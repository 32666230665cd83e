//! Planning from PDDL texts in memory to validated plans: the tasks of LOT at minimum cost, and large tasks of the blocks world.
//!
//! `cargo xtask planning lot blocks` writes the tasks. Without them, nothing is measured.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use goalspec::library::Library;
use goalspec::planner::{Objective, Proof};
use goalspec::planning::solve::{PlanRequest, PlanResult, solve};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of times that each task is solved to find the slowest one.
const TRIALS: usize = 10;

fn main() {
    if !folder().is_dir() {
        eprintln!("nothing is measured: `cargo xtask planning lot blocks` writes the tasks");
        return;
    }
    divan::main();
}

fn folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate lies in crates/goalspec");
    root.join("target/planning")
}

/// The texts of a domain and a problem.
struct Texts {
    domain: String,
    problem: String,
}

/// Returns the tasks whose file names have this ending, sorted.
fn texts(part: &str, end: &str) -> Vec<Texts> {
    let folder = folder().join(part);
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error} (cargo xtask planning {part})", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().ends_with(end) && !path.ends_with("domain.pddl"))
        .collect();
    paths.sort();
    let read = |path: &Path| std::fs::read_to_string(path).expect("it can be read");
    paths.iter().map(|path| Texts { domain: read(&folder.join("domain.pddl")), problem: read(path) }).collect()
}

/// Parses, checks, lowers, grounds and searches a task, and validates its plan.
fn plan(texts: &Texts, objective: Objective) -> PlanResult {
    let mut library = Library::new();
    library.add_program("domain.pddl", texts.domain.as_str());
    library.add_program("problem.pddl", texts.problem.as_str());
    let problem = library.programs().iter().find_map(|program| program.as_planning()).expect("a problem");
    let task = problem.task.as_ref().expect("the problem is valid");
    let request = PlanRequest { objective, ..PlanRequest::default() };
    let solved = solve(task, &request, &AtomicBool::new(false), &|_| {}).expect("it can be searched");
    let (_, validation) = solved.plan.as_ref().expect("there is a plan");
    assert!(
        validation.is_valid() && (objective != Objective::Optimal || solved.proof == Proof::Optimal),
        "{}",
        task.name
    );
    solved
}

#[divan::bench(args = ["one", "two", "all"])]
fn lot(bencher: Bencher<'_, '_>, view: &str) {
    let tasks = texts("lot", &format!("-{view}.pddl"));
    bencher.counter(ItemsCount::new(tasks.len())).bench(|| {
        for task in &tasks {
            black_box(plan(task, Objective::Optimal));
        }
    });
}

/// The slowest task of all.
#[divan::bench]
fn lot_slowest(bencher: Bencher<'_, '_>) {
    let time = |task: &Texts| {
        let once = |_| {
            let begun = Instant::now();
            black_box(plan(task, Objective::Optimal));
            begun.elapsed()
        };
        (0..TRIALS).map(once).min().unwrap_or(Duration::ZERO)
    };
    let slowest = texts("lot", ".pddl").into_iter().max_by_key(time).expect("there are tasks");
    bencher.bench(|| plan(&slowest, Objective::Optimal));
}

#[divan::bench(args = [100, 200], sample_count = 10)]
fn blocks(bencher: Bencher<'_, '_>, count: usize) {
    let tasks = texts("blocks", ".pddl");
    let name = format!("blocks-{count}-0");
    let task = tasks.iter().find(|texts| texts.problem.contains(&name)).expect("the problem exists");
    bencher.bench(|| plan(task, Objective::Satisficing));
}
