//! Plans for a PDDL problem in memory, with events, a memory limit and a flag that cancels the search.

use std::sync::atomic::AtomicBool;

use goalspec::examples::Example;
use goalspec::library::{Library, LibraryOptions};
use goalspec::planner::Objective;
use goalspec::planning::solve::{PlanEvent, PlanRequest, solve};
use goalspec::planning_problems::planning_problem;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The problem may precede its domain.
    let mut texts: Vec<_> = Example::named("delivery")?.files().collect();
    texts.reverse();
    let library = Library::from_texts(texts, LibraryOptions::default());
    let problem = planning_problem(&library, &library.programs()[0])?.ok_or("the problem has no errors")?;
    let request = PlanRequest { objective: Objective::Optimal, memory_limit: 256 << 20, ..PlanRequest::default() };
    // Another thread may set the flag.
    let cancelled = AtomicBool::new(false);
    let result = solve(&problem.task, &request, &cancelled, &|event| {
        if let PlanEvent::Plan { steps, .. } = event {
            println!("found a plan with {steps} steps");
        }
    })?;
    let (plan, validation) = result.plan.ok_or("the problem is solvable")?;
    println!("{:?} after {} generated states, cost {:?}", result.proof, result.statistics.generated, validation.metric);
    assert!(!plan.steps.is_empty() && result.limits_reached.is_empty());
    Ok(())
}
