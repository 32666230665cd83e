//! The result of planning does not depend on the number of threads or the load of the machine.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::competition;
use goalspec_planner::ground_task::GroundTask;
use goalspec_planner::{Objective, SearchControl, SearchLimits, SearchResult, SearchTask, plan};

/// The number of times that each task is solved.
const RUNS: usize = 10;

/// The number of threads that keep the cores busy.
const BUSY_THREADS: usize = 2;

/// The competition tasks that are solved.
const ANCHORS: [&str; 13] = [
    "assembly/prob10",
    "blocks/probBLOCKS-10-0",
    "depot/p07",
    "driverlog/p15",
    "gripper/prob05",
    "logistics00/probLOGISTICS-15-0",
    "miconic-simpleadl/s20-0",
    "parcprinter-sat11-strips/p05",
    "philosophers/p10-phil11",
    "rovers/p08",
    "satellite/p06-pfile6",
    "schedule/probschedule-15-0",
    "trucks/p04",
];

fn tasks() -> Vec<(String, GroundTask)> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/pddl");
    let bundled = ["delivery/one_van", "delivery/two_vans", "supper/tonight"].map(|name| {
        let problem = examples.join(name).with_extension("pddl");
        (problem.with_file_name("domain.pddl"), problem)
    });
    let bundled =
        bundled.map(|(domain, problem)| (problem.display().to_string(), competition::read(&domain, &problem)));
    bundled.into_iter().chain(competition::tasks(&ANCHORS)).collect()
}

/// Solves a task. Returns the text of the plan, with the complete result.
fn solve(task: &GroundTask, threads: usize, seed: u64) -> (String, SearchResult) {
    let cancelled = AtomicBool::new(false);
    let limits = SearchLimits { memory: Some(1 << 30), ..SearchLimits::default() };
    let control = SearchControl::new(limits, &cancelled, &|_| {}).with_threads(threads).with_seed(seed);
    let result = plan(&SearchTask::new(task), Objective::Satisficing, &control);
    let plan = result.solution.as_ref().map(|solution| solution.plan(task));
    (format!("{plan:?}"), result)
}

#[test]
fn results_are_the_same_under_load_and_for_any_number_of_threads() {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..BUSY_THREADS {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let done = std::panic::catch_unwind(|| {
            for (name, task) in tasks() {
                let (text, result) = solve(&task, 1, 0);
                assert!(result.solution.is_some() && result.limits_reached.is_empty(), "{name}: {result:?}");
                for run in 1..RUNS {
                    let (again, other) = solve(&task, 1 + run % 2, 0);
                    assert_eq!(again.as_bytes(), text.as_bytes(), "{name}, run {run}");
                    assert_eq!(other, result, "{name}, run {run}");
                }
            }
        });
        over.store(true, Ordering::Relaxed);
        done.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

#[test]
fn plans_are_the_same_for_the_same_seed() {
    for (name, task) in tasks().iter().take(3) {
        for seed in [1, u64::MAX] {
            let (_, result) = solve(task, 2, seed);
            assert!(result.solution.is_some(), "{name}");
            assert_eq!(solve(task, 1, seed).1, result, "{name}");
        }
    }
}
