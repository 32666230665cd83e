//! LM-cut, compared with values recorded from Fast Downward 24.06 (`astar(lmcut())`).

use std::sync::atomic::AtomicBool;

use crate::common::add_variable;
use goalspec_planner::ground_task::{Effect, Fact, GroundTask, Operator, ValueSource};
use goalspec_planner::{
    Algorithm, CostType, HeuristicKind, SearchConfiguration, SearchControl, SearchLimits, SearchOutcome, SearchTask,
    initial_estimate, search,
};

/// Returns the task of visiting all cells of a square grid, one step at a time.
fn grid(size: u32, start: (u32, u32)) -> GroundTask {
    let cells: Vec<(u32, u32)> = (0..size).flat_map(|x| (0..size).map(move |y| (x, y))).collect();
    let index = |cell: (u32, u32)| cell.0 * size + cell.1;
    let mut task = GroundTask { cost_unit: 1.0, ..GroundTask::default() };
    add_variable(&mut task, size * size, ValueSource::Operators, index(start));
    // The variables of the cells, from the last cell to the first.
    let visited = |cell: (u32, u32)| Fact { variable: size * size - index(cell), value: 1 };
    for &cell in cells.iter().rev() {
        add_variable(&mut task, 2, ValueSource::Operators, u32::from(cell == start));
        task.goal.push(visited(cell));
    }
    for &(x, y) in &cells {
        let neighbours = [(x.wrapping_sub(1), y), (x, y.wrapping_sub(1)), (x, y + 1), (x + 1, y)];
        for to in neighbours.into_iter().filter(|&(x, y)| x < size && y < size) {
            let robot_at = |cell| Fact { variable: 0, value: index(cell) };
            task.operators.push(Operator {
                step: None,
                precondition: vec![robot_at((x, y))],
                effects: [robot_at(to), visited(to)].map(|fact| Effect { conditions: Vec::new(), fact }).to_vec(),
                numeric_effects: Vec::new(),
                cost: 1,
            });
        }
    }
    task
}

/// For each grid the initial estimate of Fast Downward, and the number of states that it expanded at smaller estimates than the cost of the plan.
#[test]
fn grids_are_visited_with_as_few_expansions_as_recorded() {
    let recorded = [
        (4, (2, 3), 15, 0),
        (4, (0, 0), 15, 0),
        (4, (1, 1), 15, 0),
        (4, (0, 2), 15, 0),
        (4, (3, 1), 15, 0),
        (5, (2, 2), 24, 0),
        // No path visits each of the 25 cells once from here, which only the search finds out.
        (5, (2, 3), 24, 5167),
    ];
    for (size, start, estimate, expanded) in recorded {
        let task = SearchTask::new(&grid(size, start));
        let found = initial_estimate(&task, HeuristicKind::LandmarkCut, CostType::Normal);
        assert_eq!(found, Some(estimate), "{size} {start:?}");
        let configuration = SearchConfiguration {
            algorithm: Algorithm::AStar { weight: 1 },
            heuristics: vec![HeuristicKind::LandmarkCut],
            preferred_operators: false,
            cost_type: CostType::Normal,
            work_limit: None,
        };
        let cancelled = AtomicBool::new(false);
        let control = SearchControl::new(SearchLimits::default(), &cancelled, &|_| {});
        let report = search(&task, &configuration, &control).unwrap();
        assert!(matches!(report.outcome, SearchOutcome::Solved(_)), "{size} {start:?}");
        // How many states have an estimate equal to the cost of the plan depends on the order among them.
        let most = expanded + u64::from(2 * size * size);
        assert!(report.statistics.expanded <= most, "{size} {start:?}: {}", report.statistics.expanded);
    }
}
