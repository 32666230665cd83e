//! A portfolio of searches, run in sequence and in parallel.
//!
//! **Satisficing** ([`Objective::Satisficing`]): first a serialised search goal by goal, which ends quickly either way and solves most tasks
//! whose goals do not conflict. Then the first iteration of LAMA: lazy greedy search by `h_FF` and landmarks, with boosted
//! preferred operators and unit costs. After [`SECOND_THREAD_DELAY`] a second thread runs width search, serialised search with restarts,
//! and lazy and eager greedy search by `h_FF` alone, each with a time limit; the first plan of either thread ends both. Small
//! tasks never start the second search. Finally a search for a cheaper plan runs for about as long as the first plan took.
//!
//! **Anytime** ([`Objective::Anytime`]): the same, followed by LAMA's weighted searches with decreasing weights, each of which only
//! accepts plans cheaper than the best one, until no cheaper plan can exist or a limit is reached.
//!
//! **Optimal** ([`Objective::Optimal`]): a short blind A* search, then A* with LM-cut.
//!
//! [`plan_with`] bypasses the portfolio and runs a single configuration, repeatedly if cheaper plans are requested.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::action_elimination;
use crate::control::{OperatorPlan, SearchControl, SearchStatistics, StopReason};
use crate::heuristics::HeuristicKind;
use crate::search::{Algorithm, ConfigurationError, SearchConfiguration, SearchOutcome, search_unchecked};
use crate::search_task::{CostType, SearchTask};

/// The delay before the second thread starts to search.
const SECOND_THREAD_DELAY: Duration = Duration::from_millis(500);

/// The minimum and the maximum time of the search that tries to improve the first plan.
const IMPROVEMENT_TIME: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(500));

/// Time limit of the blind search that precedes A* with LM-cut.
const BLIND_SEARCH_TIME: Duration = Duration::from_millis(5);

/// The objective of planning: how good a plan has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Objective {
    /// Satisficing: a plan found soon.
    Satisficing,
    /// Anytime: the cheapest plan found within the limits.
    Anytime,
    /// Optimal: a plan of minimum cost.
    Optimal,
}

/// A guarantee established by the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Proof {
    /// No guarantee.
    None,
    /// The plan has minimum cost.
    Optimal,
    /// The task has no plan.
    Unsolvable,
}

/// The result of planning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// The cheapest plan found.
    pub solution: Option<OperatorPlan>,
    /// The guarantee established by the searches.
    pub proof: Proof,
    /// The limit that stopped the searches before they were finished.
    pub stop_reason: Option<StopReason>,
    /// The statistics of all searches.
    pub statistics: SearchStatistics,
}

/// Solves a task with the portfolio for the objective.
pub fn plan(task: &SearchTask, aim: Objective, control: &SearchControl<'_>) -> SearchResult {
    if aim == Objective::Optimal {
        return optimal(task, control);
    }
    let mut answer = first_plan(task, control);
    if answer.solution.is_some() {
        match aim {
            Objective::Anytime => anytime(task, control, &mut answer),
            Objective::Satisficing | Objective::Optimal => improve_briefly(task, control, &mut answer),
        }
    }
    answer
}

/// Solves a task with a single configuration. For [`Objective::Anytime`] the search is repeated until it finds no cheaper plan.
///
/// # Errors
/// Returns [`ConfigurationError`] if the options of the configuration are incompatible, or if the objective is [`Objective::Optimal`] and
/// the configuration does not guarantee an optimal first plan.
pub fn plan_with(
    task: &SearchTask,
    configuration: &SearchConfiguration,
    aim: Objective,
    control: &SearchControl<'_>,
) -> Result<SearchResult, ConfigurationError> {
    configuration.check()?;
    if aim == Objective::Optimal && !configuration.is_optimal() {
        return Err(ConfigurationError::NotOptimal(configuration.algorithm));
    }
    let mut answer = SearchResult::empty();
    loop {
        let before = control.bound();
        answer.merge(run(task, configuration, control));
        let cheaper = control.bound() < before;
        if aim != Objective::Anytime || !cheaper || answer.proof != Proof::None || answer.stop_reason.is_some() {
            break;
        }
    }
    if answer.solution.is_some() && (configuration.is_optimal() || fewest_are_cheapest(task, configuration)) {
        answer.proof = Proof::Optimal;
    }
    Ok(answer)
}

/// Whether the configuration finds plans with the fewest operators and all operators cost the same.
fn fewest_are_cheapest(task: &SearchTask, configuration: &SearchConfiguration) -> bool {
    let costs = || (0..task.operator_count() as u32).map(|operator| task.cost(operator, CostType::Normal));
    configuration.algorithm == Algorithm::BreadthFirst && costs().min() == costs().max()
}

/// Searches for a cheaper plan for about as long as the first one took.
fn improve_briefly(task: &SearchTask, control: &SearchControl<'_>, answer: &mut SearchResult) {
    let time = Some(control.elapsed().clamp(IMPROVEMENT_TIME.0, IMPROVEMENT_TIME.1));
    let other = run(
        task,
        &SearchConfiguration { time_limit: time, ..configuration(Algorithm::LazyGreedy, &LAMA, CostType::PlusOne) },
        control,
    );
    // The time limit is part of the strategy and not reported as a reached limit.
    answer.merge(SearchResult { stop_reason: None, ..other });
}

/// Returns a configuration without a time limit of its own; preferred operators are used if the algorithm supports them.
fn configuration(algorithm: Algorithm, heuristics: &[HeuristicKind], cost_type: CostType) -> SearchConfiguration {
    let preferred = matches!(algorithm, Algorithm::LazyGreedy | Algorithm::LazyAStar { .. } | Algorithm::EagerGreedy);
    SearchConfiguration {
        algorithm,
        heuristics: heuristics.to_vec(),
        preferred_operators: preferred,
        cost_type,
        time_limit: None,
    }
}

/// The heuristics of LAMA.
const LAMA: [HeuristicKind; 2] = [HeuristicKind::FastForward, HeuristicKind::LandmarkCount];

/// Returns the configurations of the first thread, in order.
fn first_thread() -> [SearchConfiguration; 3] {
    [
        configuration(Algorithm::Serialized { max_restarts: 60 }, &[], CostType::One),
        configuration(Algorithm::LazyGreedy, &LAMA, CostType::One),
        configuration(Algorithm::LazyGreedy, &[HeuristicKind::Add, HeuristicKind::LandmarkCount], CostType::PlusOne),
    ]
}

/// Returns the configurations of the second thread, each with its time limit in the first round, in tenths of a second.
fn second_thread() -> Vec<(u32, SearchConfiguration)> {
    vec![
        (15, configuration(Algorithm::BestFirstWidth, &[HeuristicKind::OrderedGoalCount], CostType::One)),
        (20, configuration(SERIALIZED_WITH_RESTARTS, &[], CostType::One)),
        (15, configuration(Algorithm::LazyGreedy, &[HeuristicKind::FastForward], CostType::One)),
        (15, configuration(Algorithm::BestFirstWidth, &[HeuristicKind::LandmarkCount], CostType::One)),
        (15, configuration(Algorithm::EagerGreedy, &[HeuristicKind::FastForward], CostType::One)),
    ]
}

/// Serialised search with restarts.
const SERIALIZED_WITH_RESTARTS: Algorithm = Algorithm::Serialized { max_restarts: 8_000 };

/// Runs the configurations of the second thread in rounds with increasing time limits, each four times the previous one; the
/// last round has none. A search that ran out of memory is dropped, since it would do so again. Serialised search stores almost
/// nothing; the rounds end when it is the only search left.
fn run_rounds(task: &SearchTask, control: &SearchControl<'_>) -> SearchResult {
    let mut answer = SearchResult::empty();
    let mut searches = second_thread();
    for factor in [Some(1), Some(4), Some(16), Some(64), None] {
        if searches.iter().all(|(_, search)| search.algorithm == SERIALIZED_WITH_RESTARTS) {
            break;
        }
        let mut over = false;
        searches.retain(|(tenths, search)| {
            if over {
                return true;
            }
            let time = factor.map(|factor| Duration::from_millis(100) * *tenths * factor);
            let found = run_in_sequence(task, control, [SearchConfiguration { time_limit: time, ..search.clone() }]);
            let keeps = !matches!(found.stop_reason, Some(StopReason::Memory | StopReason::States));
            over = found.is_settled() || matches!(found.stop_reason, Some(StopReason::Time | StopReason::Cancelled));
            answer.merge(found);
            keeps
        });
        if over {
            break;
        }
    }
    answer
}

/// Searches on two threads until one of them has a plan or a proof.
fn first_plan(task: &SearchTask, control: &SearchControl<'_>) -> SearchResult {
    let over = Mutex::new(false);
    let bell = Condvar::new();
    let answer = std::thread::scope(|scope| {
        let help = || {
            let guard = over.lock().unwrap_or_else(PoisonError::into_inner);
            let wait = bell.wait_timeout_while(guard, SECOND_THREAD_DELAY, |over| !*over);
            let over = *wait.unwrap_or_else(PoisonError::into_inner).0;
            if over { SearchResult::empty() } else { run_rounds(task, control) }
        };
        // If the second thread cannot be started, the first one searches alone.
        let helper = std::thread::Builder::new().name("planner".to_owned()).spawn_scoped(scope, help).ok();
        let mut answer = run_in_sequence(task, control, first_thread());
        *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        bell.notify_all();
        if let Some(Ok(other)) = helper.map(std::thread::ScopedJoinHandle::join) {
            answer.merge(other);
        }
        if answer.is_settled() {
            // One thread cancelled the other, which is not a reached limit.
            answer.stop_reason = None;
        }
        answer
    });
    control.resume();
    answer
}

/// Runs searches in sequence until this or the other thread has a plan or a proof.
fn run_in_sequence(
    task: &SearchTask,
    control: &SearchControl<'_>,
    configurations: impl IntoIterator<Item = SearchConfiguration>,
) -> SearchResult {
    let mut answer = SearchResult::empty();
    for configuration in configurations {
        answer.merge(run(task, &configuration, control));
        if answer.is_settled() {
            control.finish();
        }
        if answer.stop_reason == Some(StopReason::Time) && control.stop_reason().is_none() {
            // Only the time limit of this search was reached.
            answer.stop_reason = None;
        }
        // The memory of a search is freed when it ends, so the next one may stay within the limit.
        if answer.is_settled() || matches!(answer.stop_reason, Some(StopReason::Time | StopReason::Cancelled)) {
            break;
        }
    }
    answer
}

/// Searches for cheaper and cheaper plans with decreasing weights.
fn anytime(task: &SearchTask, control: &SearchControl<'_>, answer: &mut SearchResult) {
    let greedy = configuration(Algorithm::LazyGreedy, &LAMA, CostType::PlusOne);
    let weighted = [5, 3, 2].map(|weight| configuration(Algorithm::LazyAStar { weight }, &LAMA, CostType::PlusOne));
    // The last search uses the costs of the task; if it exhausts its search space, the plan is proved optimal.
    let last = configuration(Algorithm::LazyAStar { weight: 1 }, &LAMA, CostType::Normal);
    for configuration in std::iter::once(&greedy).chain(&weighted).chain(std::iter::repeat(&last)) {
        let before = control.bound();
        answer.merge(run(task, configuration, control));
        let through = configuration == &last && control.bound() == before;
        if answer.proof != Proof::None || answer.stop_reason.is_some() || through {
            break;
        }
    }
}

/// Searches for an optimal plan.
fn optimal(task: &SearchTask, control: &SearchControl<'_>) -> SearchResult {
    let search = |kind, time| {
        let algorithm = Algorithm::AStar { weight: 1 };
        SearchConfiguration { time_limit: time, ..configuration(algorithm, &[kind], CostType::Normal) }
    };
    let mut answer = run(task, &search(HeuristicKind::Blind, Some(BLIND_SEARCH_TIME)), control);
    if answer.stop_reason == Some(StopReason::Time) && control.stop_reason().is_none() {
        answer.stop_reason = None;
        answer.merge(run(task, &search(HeuristicKind::LandmarkCut, None), control));
    }
    if answer.solution.is_some() {
        answer.proof = Proof::Optimal;
    }
    answer
}

/// Runs one search and improves its plan by action elimination.
fn run(task: &SearchTask, configuration: &SearchConfiguration, control: &SearchControl<'_>) -> SearchResult {
    let report = search_unchecked(task, configuration, control);
    let mut answer = SearchResult { statistics: report.statistics, ..SearchResult::empty() };
    match report.outcome {
        SearchOutcome::Solved(solution) => {
            let solution = action_elimination::eliminate_actions(task, solution);
            control.report_plan(&solution);
            answer.solution = Some(solution);
        }
        SearchOutcome::Exhausted if control.bound() == u64::MAX => answer.proof = Proof::Unsolvable,
        SearchOutcome::Exhausted => answer.proof = Proof::Optimal,
        SearchOutcome::Incomplete => {}
        SearchOutcome::Stopped(stop) => answer.stop_reason = Some(stop),
    }
    answer
}

impl SearchResult {
    fn empty() -> Self {
        Self { solution: None, proof: Proof::None, stop_reason: None, statistics: SearchStatistics::default() }
    }

    /// Whether there is a plan or a proof.
    fn is_settled(&self) -> bool {
        self.solution.is_some() || self.proof != Proof::None
    }

    /// Merges the result of another search.
    fn merge(&mut self, other: Self) {
        self.statistics = self.statistics.merged(other.statistics);
        let cheaper = |best: &OperatorPlan| self.solution.as_ref().is_none_or(|known| best.cost < known.cost);
        if let Some(solution) = other.solution.filter(cheaper) {
            self.solution = Some(solution);
        }
        if self.proof == Proof::None {
            self.proof = other.proof;
        }
        self.stop_reason = other.stop_reason.or(self.stop_reason);
    }
}
