//! Breadth-first search, which finds a plan with the fewest operators.

use super::space::Space;
use super::{Configuration, Outcome, Report};
use crate::compiled::{CompiledTask, CostType};
use crate::control::{Control, Meter, Statistics};

/// Runs the search. States are expanded in the order of their ids, so the registry serves as the queue.
pub(super) fn search(task: &CompiledTask, configuration: &Configuration, control: &Control<'_>) -> Report {
    let mut space = Space::new(task, CostType::One);
    let mut statistics = Statistics::default();
    let mut meter = Meter::new(control, configuration.time);
    let outcome = find(task, control, &mut space, &mut meter, &mut statistics);
    statistics.registered = space.registry.len() as u64;
    statistics.peak_memory = statistics.peak_memory.max(space.bytes());
    Report { outcome, statistics }
}

fn find(
    task: &CompiledTask,
    control: &Control<'_>,
    space: &mut Space<'_>,
    meter: &mut Meter<'_>,
    statistics: &mut Statistics,
) -> Outcome {
    if task.is_goal(&space.current.values) {
        return Outcome::Solved(space.solution(0));
    }
    let (mut stack, mut operators) = (Vec::new(), Vec::new());
    let mut next = 0;
    let mut left_out = false;
    while (next as usize) < space.registry.len() {
        if let Some(stop) = meter.check(space.registry.len(), || space.bytes(), statistics) {
            return Outcome::Stopped(stop);
        }
        space.enter(next);
        statistics.expanded += 1;
        task.successors.applicable(&space.current.values, &mut stack, &mut operators);
        for &operator in &operators {
            statistics.generated += 1;
            if space.costs_after(operator).1 >= control.bound() {
                left_out = true;
                continue;
            }
            if let Some(reached) = space.step(operator)
                && reached.new
                && task.is_goal(&space.successor.values)
            {
                return Outcome::Solved(space.solution(reached.id));
            }
        }
        next += 1;
    }
    if left_out { Outcome::GaveUp } else { Outcome::Exhausted }
}
