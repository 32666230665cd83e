//! A comparison of search results on generated tasks with an exhaustive exploration and with the plan validator.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::sync::atomic::AtomicBool;

use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::validate;
use goalspec_planner::ground::{CostModel, Grounding};
use goalspec_planner::{
    Algorithm, CostType, HeuristicKind, Objective, OperatorPlan, Proof, SearchConfiguration, SearchControl,
    SearchLimits, SearchOutcome, SearchResult, SearchTask, StopReason, plan, search,
};

use super::executor::Executor;
use super::grounding::{canonical, counted, grounded};

/// Maximum number of states to explore.
const MAX_STATES: usize = 120;

/// Maximum number of states of a search. It exceeds [`MAX_STATES`], so a search of a completely explored task ends without reaching
/// it.
const MAX_SEARCHED: usize = 400;

/// The result of exploring the states of a task.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exploration {
    /// The number of states explored.
    pub states: usize,
    /// Whether these are all reachable states.
    pub complete: bool,
    /// The length of a shortest plan, if the goal was reached; correct even if the exploration is incomplete.
    pub min_steps: Option<usize>,
    /// The cost of a cheapest plan among the explored states; an upper bound if the exploration is incomplete.
    pub min_cost: Option<f64>,
}

/// Explores the states of a generated task breadth-first.
pub fn explore(task: &Task) -> Exploration {
    let executor = Executor::bounded(task);
    let steps = executor.steps();
    let initial = executor.initial();
    let mut places = HashMap::from([(canonical(task, &initial), 0)]);
    let mut states = vec![(executor.is_goal(&initial) && !executor.is_exhausted(), Vec::new())];
    let mut open = VecDeque::from([(0, initial, 0)]);
    let (mut complete, mut fewest) = (true, None);
    while let Some((place, state, depth)) = open.pop_front() {
        if executor.is_exhausted() {
            break;
        }
        if states[place].0 && fewest.is_none() {
            fewest = Some(depth);
        }
        for step in &steps {
            let after = executor.apply(&state, step);
            if executor.is_exhausted() {
                break;
            }
            let Some(after) = after else { continue };
            let cost = counted(task, &after) - counted(task, &state);
            let next = states.len();
            let known = *places.entry(canonical(task, &after)).or_insert(next);
            if known == next && next < MAX_STATES {
                let is_goal = executor.is_goal(&after);
                states.push((is_goal && !executor.is_exhausted(), Vec::new()));
                open.push_back((next, after, depth + 1));
            }
            complete &= known < MAX_STATES;
            states[place].1.push((known, cost));
        }
    }
    complete &= !executor.is_exhausted();
    Exploration { states: states.len(), complete, min_steps: fewest, min_cost: cheapest(&states) }
}

/// Returns the minimum cost of a path from the initial state to a goal, by Dijkstra's algorithm.
fn cheapest(states: &[(bool, Vec<(usize, f64)>)]) -> Option<f64> {
    let mut done = vec![false; states.len()];
    // Costs are non-negative, so their order is that of their bits.
    let mut open = BinaryHeap::from([(Reverse(0.0_f64.to_bits()), 0)]);
    while let Some((Reverse(bits), place)) = open.pop() {
        let Some((is_goal, edges)) = states.get(place).filter(|_| !done[place]) else { continue };
        done[place] = true;
        let cost = f64::from_bits(bits);
        if *is_goal {
            return Some(cost);
        }
        open.extend(edges.iter().map(|&(next, price)| (Reverse((cost + price).to_bits()), next)));
    }
    None
}

/// Returns the search configurations to test: each algorithm with each heuristic, with and without preferred operators, and with each
/// cost type.
pub fn configurations() -> Vec<SearchConfiguration> {
    use HeuristicKind::{
        Add, Blind, FastForward, GoalCount, LandmarkCount, LandmarkCut, Max, OrderedGoalCount,
        SaturatedCostPartitioning,
    };
    let mut all = Vec::new();
    let mut add = |algorithm, heuristics: &[HeuristicKind], preferred, cost_type| {
        all.push(SearchConfiguration {
            algorithm,
            heuristics: heuristics.to_vec(),
            preferred_operators: preferred,
            cost_type,
            work_limit: None,
        });
    };
    add(Algorithm::BreadthFirst, &[], false, CostType::One);
    for effort in [0, 1] {
        add(Algorithm::Serialized { max_restarts: effort }, &[], false, CostType::One);
    }
    for kind in [Blind, GoalCount, OrderedGoalCount, Max, Add, FastForward, LandmarkCount, LandmarkCut] {
        add(Algorithm::AStar { weight: 1 }, &[kind], false, CostType::Normal);
        add(Algorithm::AStar { weight: 4 }, &[kind], false, CostType::PlusOne);
        add(Algorithm::EagerGreedy, &[kind], true, CostType::One);
        add(Algorithm::LazyGreedy, &[kind], false, CostType::PlusOne);
        add(Algorithm::LazyExploring, &[kind], true, CostType::One);
        add(Algorithm::LazyAStar { weight: 1 }, &[kind], true, CostType::Normal);
        add(Algorithm::BestFirstWidth, &[kind], false, CostType::One);
    }
    add(Algorithm::OrbitAStar, &[Blind], false, CostType::Normal);
    add(Algorithm::OrbitAStar, &[SaturatedCostPartitioning, LandmarkCut], false, CostType::Normal);
    add(Algorithm::LazyGreedy, &[FastForward, LandmarkCount], true, CostType::One);
    add(Algorithm::LazyAStar { weight: 3 }, &[FastForward, LandmarkCount], true, CostType::PlusOne);
    add(Algorithm::EagerGreedy, &[Max, Add], false, CostType::Normal);
    all
}

/// A generated task with its ground form and the result of its exploration.
struct ExploredTask<'t> {
    task: &'t Task,
    grounded: Grounding,
    known: Exploration,
    /// The executor of all plans.
    executor: Executor<'t>,
}

/// Solves a generated task with every search. Each plan must pass the validator and the executor and have the reported cost, which
/// must not be below the minimum; optimal plans must have the minimum cost; and all searches must agree on unsolvability.
///
/// # Errors
/// Returns a description of the first incorrect search result.
///
/// # Panics
/// Panics if the task is not a generated one, because those have the cost counter `total-cost`.
pub fn searches_agree(task: &Task) -> Result<Exploration, String> {
    let grounded = grounded(task).map_err(|error| error.to_string())?;
    let case = ExploredTask { task, grounded, known: explore(task), executor: Executor::bounded(task) };
    let compiled = SearchTask::new(&case.grounded.task);
    let (limits, cancelled) =
        (SearchLimits { states: Some(MAX_SEARCHED), ..SearchLimits::default() }, AtomicBool::new(false));
    for configuration in configurations() {
        let control = SearchControl::new(limits, &cancelled, &|_| {});
        let report = search(&compiled, &configuration, &control).map_err(|error| format!("{error:?}"))?;
        let result = case.outcome(&configuration, &report.outcome);
        result.map_err(|error| format!("{error}: {configuration:?}, {:?}", case.known))?;
    }
    for objective in [Objective::Satisficing, Objective::Anytime, Objective::Optimal] {
        let control = SearchControl::new(limits, &cancelled, &|_| {});
        let result = case.answer(objective, &plan(&compiled, objective, &control));
        result.map_err(|error| format!("{error}: {objective:?}, {:?}", case.known))?;
    }
    Ok(case.known)
}

impl ExploredTask<'_> {
    /// Checks the outcome of one search.
    fn outcome(&self, configuration: &SearchConfiguration, outcome: &SearchOutcome) -> Result<(), String> {
        let SearchConfiguration { algorithm, heuristics, cost_type, .. } = configuration;
        match outcome {
            SearchOutcome::Solved(solution) => {
                self.plan(solution)?;
                let fewest = *algorithm == Algorithm::BreadthFirst;
                if fewest && self.known.min_steps.is_some_and(|fewest| solution.operators.len() != fewest) {
                    return Err(format!("a plan of {} steps is not the shortest", solution.operators.len()));
                }
                let is_astar = *algorithm == (Algorithm::AStar { weight: 1 }) && *cost_type == CostType::Normal;
                if is_astar && heuristics[0].is_admissible() { self.check_optimal(solution) } else { Ok(()) }
            }
            SearchOutcome::Exhausted => self.unsolvable(),
            SearchOutcome::Incomplete if matches!(algorithm, Algorithm::Serialized { .. }) => Ok(()),
            SearchOutcome::Incomplete => Err("it gives up although nothing was left out".to_owned()),
            SearchOutcome::OutOfWork => Err("it has no limit on work".to_owned()),
            SearchOutcome::Stopped(stop) => self.stopped(*stop),
        }
    }

    /// Checks the answer of the planner for an objective.
    fn answer(&self, objective: Objective, result: &SearchResult) -> Result<(), String> {
        match (&result.solution, result.proof) {
            (Some(_), Proof::Unsolvable) => Err("a plan for an unsolvable problem".to_owned()),
            (Some(solution), proof) => {
                self.plan(solution)?;
                if proof == Proof::Optimal || objective == Objective::Optimal {
                    self.check_optimal(solution)
                } else {
                    Ok(())
                }
            }
            (None, Proof::Unsolvable) => self.unsolvable(),
            (None, proof) => self.stopped(result.stop_reason.ok_or(format!("nothing but {proof:?}"))?),
        }
    }

    /// Checks that a plan solves the task, that its cost is the reported one, and that this cost is possible.
    fn plan(&self, solution: &OperatorPlan) -> Result<(), String> {
        let plan = solution.plan(&self.grounded.task);
        let validation = validate(self.task, &plan, &CoreNotation).map_err(|error| format!("{error:?}"))?;
        if !validation.is_valid() {
            return Err(format!("the plan {:?} is not valid: {validation:?}", plan.steps));
        }
        let executor = &self.executor;
        let final_state = plan.steps.iter().try_fold(executor.initial(), |state, step| executor.apply(&state, step));
        if !final_state.is_some_and(|state| executor.is_goal(&state)) && !executor.is_exhausted() {
            return Err(format!("the naive executor refuses the plan {:?}", plan.steps));
        }
        let cost = self.cost(solution);
        let exact = matches!(self.grounded.costs, CostModel::Metric { exact: true } | CostModel::PlanLength);
        if !exact || validation.metric.is_none_or(|metric| (metric - cost).abs() > 1e-9) {
            return Err(format!("the plan costs {cost}, and its metric is {:?}", validation.metric));
        }
        let complete = self.known.complete;
        match self.min_known_cost() {
            Some(min_cost) if complete && cost < min_cost - 1e-9 => {
                Err(format!("{cost} is less than possible, {min_cost}"))
            }
            None if complete => Err("a plan for an unsolvable problem".to_owned()),
            _ => Ok(()),
        }
    }

    fn cost(&self, solution: &OperatorPlan) -> f64 {
        solution.cost as f64 * self.grounded.task.cost_unit
    }

    /// Returns the minimum known cost in the cost measure of the task.
    fn min_known_cost(&self) -> Option<f64> {
        if self.grounded.costs == CostModel::PlanLength {
            self.known.min_steps.map(|steps| steps as f64)
        } else {
            self.known.min_cost
        }
    }

    /// Checks that no plan has a lower cost.
    fn check_optimal(&self, solution: &OperatorPlan) -> Result<(), String> {
        let cost = self.cost(solution);
        match self.min_known_cost() {
            Some(min_cost) if cost > min_cost + 1e-9 => Err(format!("{cost} is not the least, {min_cost}")),
            _ => Ok(()),
        }
    }

    fn unsolvable(&self) -> Result<(), String> {
        if self.known.min_steps.is_some() { Err("reported as unsolvable".to_owned()) } else { Ok(()) }
    }

    /// Checks that a search stopped for an expected reason: the limit on states.
    fn stopped(&self, stop: StopReason) -> Result<(), String> {
        if stop == StopReason::States && !self.known.complete { Ok(()) } else { Err(format!("stopped by {stop:?}")) }
    }
}
