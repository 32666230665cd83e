//! Plan improvement without search: action elimination.

use crate::control::OperatorPlan;
use crate::search_task::{CostType, Scratch, SearchTask};
use crate::state::State;

/// Maximum number of operator applications.
const MAX_STEPS: usize = 2_000_000;

/// Removes redundant operators from a plan: greedy action elimination (Balyo, Chrpa and Kilani 2014). Each candidate is an
/// operator together with all later operators that depend on it; the candidate with the largest cost is removed first.
pub(crate) fn eliminate_actions(task: &SearchTask, solution: OperatorPlan) -> OperatorPlan {
    let mut operators = solution.operators;
    let mut steps = 0;
    let cost =
        |operators: &[u32]| operators.iter().map(|&operator| u64::from(task.cost(operator, CostType::Normal))).sum();
    loop {
        let mut best: Option<(u64, Vec<u32>)> = None;
        let mut run = PlanExecution::new(task);
        for place in 0..operators.len() {
            steps += operators.len() - place;
            if steps > MAX_STEPS {
                break;
            }
            if let Some(shorter) = run.without(&operators, place) {
                let cost = cost(&shorter);
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, shorter));
                }
            }
            run.advance(operators[place]);
        }
        match best {
            Some((_, shorter)) => operators = shorter,
            None => return OperatorPlan { cost: cost(&operators), operators },
        }
    }
}

/// The execution of a plan.
struct PlanExecution<'r> {
    task: &'r SearchTask,
    state: State,
    scratch: Scratch,
}

impl<'r> PlanExecution<'r> {
    fn new(task: &'r SearchTask) -> Self {
        Self { task, state: State::initial(task), scratch: Scratch::default() }
    }

    /// Applies an operator if it is applicable. Returns whether it is.
    fn step(&mut self, state: &mut State, operator: u32) -> bool {
        let mut next = State::default();
        let possible = self.task.is_applicable(operator, &state.values)
            && next.set_successor(state, operator, self.task, &mut self.scratch);
        if possible {
            *state = next;
        }
        possible
    }

    fn advance(&mut self, operator: u32) {
        let mut state = std::mem::take(&mut self.state);
        self.step(&mut state, operator);
        self.state = state;
    }

    /// Returns the plan without the operator at a position and without all later operators that are inapplicable as a result,
    /// or `None` if that is no plan. The operators before the position must have been executed.
    fn without(&mut self, operators: &[u32], place: usize) -> Option<Vec<u32>> {
        let mut shorter = operators[..place].to_vec();
        let mut state = self.state.clone();
        for &operator in &operators[place + 1..] {
            if self.step(&mut state, operator) {
                shorter.push(operator);
            }
        }
        self.task.is_goal(&state.values).then_some(shorter)
    }
}
