//! Breadth-first search, which finds a plan with the fewest operators.

use super::space::SearchSpace;
use super::{SearchConfiguration, SearchOutcome, SearchReport};
use crate::control::SearchStatistics;
use crate::lane::{Lane, LimitChecker};
use crate::search_task::{CostType, SearchTask};

/// Runs the search. States are expanded in the order of their ids, so the registry serves as the queue.
pub(super) fn search(task: &SearchTask, configuration: &SearchConfiguration, lane: &Lane<'_>) -> SearchReport {
    let mut space = SearchSpace::new(task, CostType::One);
    let mut statistics = SearchStatistics::default();
    let mut meter = LimitChecker::new(lane, configuration.work_limit);
    let outcome = find(task, lane, &mut space, &mut meter, &mut statistics);
    statistics.work = space.work();
    statistics.registered = space.registry.len() as u64;
    statistics.peak_memory = statistics.peak_memory.max(space.bytes());
    SearchReport { outcome, statistics }
}

fn find(
    task: &SearchTask,
    lane: &Lane<'_>,
    space: &mut SearchSpace<'_>,
    meter: &mut LimitChecker<'_>,
    statistics: &mut SearchStatistics,
) -> SearchOutcome {
    if task.is_goal(&space.current.values) {
        return SearchOutcome::Solved(space.solution(0));
    }
    let (mut stack, mut operators) = (Vec::new(), Vec::new());
    let mut next = 0;
    let mut left_out = false;
    let bound = lane.control().bound();
    while (next as usize) < space.registry.len() {
        if let Some(stop) = meter.check(space.work(), space.registry.len(), || space.bytes(), statistics) {
            return stop;
        }
        space.enter(next);
        statistics.expanded += 1;
        task.successors.applicable(&space.current.values, &mut stack, &mut operators);
        space.queued(operators.len());
        for &operator in &operators {
            statistics.generated += 1;
            if space.costs_after(operator).1 >= bound {
                left_out = true;
                continue;
            }
            if let Some(reached) = space.step(operator)
                && reached.new
                && task.is_goal(&space.successor.values)
            {
                return SearchOutcome::Solved(space.solution(reached.id));
            }
        }
        next += 1;
    }
    if left_out { SearchOutcome::Incomplete } else { SearchOutcome::Exhausted }
}
