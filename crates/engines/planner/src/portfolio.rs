//! A portfolio of searches, run in sequence and side by side.
//!
//! **Satisficing** ([`Objective::Satisficing`]): first a serialised search goal by goal, which ends quickly either way and solves most tasks
//! whose goals do not conflict. Then the first iteration of LAMA: lazy greedy search by `h_FF` and landmarks, with boosted
//! preferred operators and unit costs. After [`SECOND_LANE_HANDICAP`] a second lane runs greedy search with restarts, width search, serialised
//! search with restarts, LAMA with exploration, and eager greedy search by `h_FF` alone, each with a limit on its work. The lane whose plan
//! takes less work wins, which does not depend on the number of threads or their speed. Small tasks never start the second lane. Finally
//! brief searches look for cheaper plans.
//!
//! **Anytime** ([`Objective::Anytime`]): the same, followed by LAMA's weighted searches with decreasing weights, each of which only
//! accepts plans cheaper than the best one, until no cheaper plan can exist or a limit is reached.
//!
//! **Optimal** ([`Objective::Optimal`]): a short blind A* search, then A* over representatives of orbits with LM-cut and with saturated cost
//! partitionings, by turns. Tasks with conditional effects, axioms or numbers are searched with LM-cut alone.
//!
//! [`plan_with`] bypasses the portfolio and runs a single configuration, repeatedly if cheaper plans are requested.

mod optimal;

use crate::action_elimination;
use crate::control::{OperatorPlan, SearchControl, SearchStatistics, StopReason};
use crate::heuristics::HeuristicKind;
use crate::lane::{Lane, MILLISECOND, Race};
use crate::search::{
    Algorithm, ConfigurationError, SearchConfiguration, SearchOutcome, SearchReport, search_unchecked,
};
use crate::search_task::{CostType, SearchTask};

/// The work of the first lane at which the second lane starts to search.
const SECOND_LANE_HANDICAP: u64 = 500 * MILLISECOND;

/// The minimum and the maximum work of the searches that try to improve the first plan.
const IMPROVEMENT_WORK: (u64, u64) = (50 * MILLISECOND, 500 * MILLISECOND);

/// The work of these searches relative to the work of the first plan.
const IMPROVEMENT_FACTOR: u64 = 12;

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
    /// The limits that stopped any of the searches on which the result depends, without repetitions. Without [`StopReason::Time`] and
    /// [`StopReason::Cancelled`], another run with the same limits has the same result.
    pub limits_reached: Vec<StopReason>,
    /// The statistics of the searches. A search that ran beside the one that found the first plan or proof is not counted.
    pub statistics: SearchStatistics,
}

/// Solves a task with the portfolio for the objective.
pub fn plan(task: &SearchTask, aim: Objective, control: &SearchControl<'_>) -> SearchResult {
    let lane = Lane::new(control);
    let mut answer = match aim {
        Objective::Optimal => optimal::plan(task, &lane),
        Objective::Anytime | Objective::Satisficing => {
            let FirstPlan { result: mut answer, work, is_serialized } = first_plan(task, control, SECOND_LANE_HANDICAP);
            if answer.solution.is_some() && answer.stop_reason.is_none() {
                match aim {
                    Objective::Anytime => anytime(task, &lane, &mut answer),
                    Objective::Satisficing | Objective::Optimal => {
                        improve_briefly(task, &lane, work, is_serialized, &mut answer);
                    }
                }
            }
            answer
        }
    };
    answer.add_limits(lane.into_limits().reached(0, None));
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
    let lane = Lane::new(control);
    let mut answer = SearchResult::empty();
    loop {
        let before = control.bound();
        answer.merge(run_and_report(task, configuration, &lane));
        let cheaper = control.bound() < before;
        if aim != Objective::Anytime || !cheaper || answer.proof != Proof::None || answer.stop_reason.is_some() {
            break;
        }
    }
    if answer.solution.is_some() && (configuration.is_optimal() || fewest_are_cheapest(task, configuration)) {
        answer.proof = Proof::Optimal;
    }
    answer.add_limits(lane.into_limits().reached(0, None));
    Ok(answer)
}

/// Searches for a plan with a limit on the work of each search, and briefly for a cheaper one.
pub(crate) fn plan_within(task: &SearchTask, lane: &Lane<'_>, work: u64) -> SearchResult {
    let mut answer = SearchResult::empty();
    let width = configuration(Algorithm::BestFirstWidth, &[HeuristicKind::OrderedGoalCount], CostType::One);
    let [serialized, lama, _] = first_lane();
    for (place, search) in [serialized, lama, width].into_iter().enumerate() {
        let begun = lane.work();
        answer.merge(run_and_report(task, &SearchConfiguration { work_limit: Some(work), ..search }, lane));
        if answer.solution.is_some() && answer.stop_reason.is_none() {
            improve_briefly(task, lane, lane.work() - begun, place == 0, &mut answer);
        }
        if answer.is_over() {
            break;
        }
    }
    answer
}

/// Whether the configuration finds plans with the fewest operators and all operators cost the same.
fn fewest_are_cheapest(task: &SearchTask, configuration: &SearchConfiguration) -> bool {
    let costs = || (0..task.operator_count() as u32).map(|operator| task.cost(operator, CostType::Normal));
    configuration.algorithm == Algorithm::BreadthFirst && costs().min() == costs().max()
}

/// Searches for cheaper plans while each search finds one, with a limit on the work that grows with that of the first plan. A plan of the
/// serialised search is first compared with that of LAMA's first search, which ignores the costs.
fn improve_briefly(task: &SearchTask, lane: &Lane<'_>, work: u64, is_serialized: bool, answer: &mut SearchResult) {
    let mut left = (IMPROVEMENT_FACTOR * work).clamp(IMPROVEMENT_WORK.0, IMPROVEMENT_WORK.1);
    let has_turn = is_serialized && !task.has_unit_costs();
    let first = has_turn.then(|| configuration(Algorithm::LazyGreedy, &LAMA, CostType::One));
    for configuration in first.into_iter().chain(improving_searches()) {
        let ignores_costs = configuration.cost_type == CostType::One;
        let work_limit = Some(if ignores_costs { left / 4 * 3 } else { left });
        let other = run_and_report(task, &SearchConfiguration { work_limit, ..configuration }, lane);
        left = left.saturating_sub(other.statistics.work);
        let is_over = left == 0 || other.solution.is_none() && !ignores_costs;
        // A plan was requested and found; other limits than time and cancellation end only its improvement.
        let stop_reason = other.stop_reason.filter(|stop| stop.is_external());
        answer.merge(SearchResult { stop_reason, ..other });
        if is_over {
            break;
        }
    }
}

/// Returns LAMA's searches for cheaper plans, which regard the costs less and less greedily.
fn improving_searches() -> Vec<SearchConfiguration> {
    let greedy = configuration(Algorithm::LazyGreedy, &LAMA, CostType::PlusOne);
    let weighted = [5, 3, 2].map(|weight| configuration(Algorithm::LazyAStar { weight }, &LAMA, CostType::PlusOne));
    std::iter::once(greedy).chain(weighted).collect()
}

/// Returns a configuration without a limit on its work; preferred operators are used if the algorithm supports them.
fn configuration(algorithm: Algorithm, heuristics: &[HeuristicKind], cost_type: CostType) -> SearchConfiguration {
    let preferred = matches!(
        algorithm,
        Algorithm::LazyGreedy
            | Algorithm::LazyExploring
            | Algorithm::LazyRestarts
            | Algorithm::LazyAStar { .. }
            | Algorithm::EagerGreedy
    );
    SearchConfiguration {
        algorithm,
        heuristics: heuristics.to_vec(),
        preferred_operators: preferred,
        cost_type,
        work_limit: None,
    }
}

/// The heuristics of LAMA.
const LAMA: [HeuristicKind; 2] = [HeuristicKind::FastForward, HeuristicKind::LandmarkCount];

/// Returns the configurations of the first lane, in order.
fn first_lane() -> [SearchConfiguration; 3] {
    [
        configuration(Algorithm::Serialized { max_restarts: 60 }, &[], CostType::One),
        configuration(Algorithm::LazyGreedy, &LAMA, CostType::One),
        configuration(Algorithm::LazyGreedy, &[HeuristicKind::Add, HeuristicKind::LandmarkCount], CostType::PlusOne),
    ]
}

/// Returns the configurations of the second lane, each with the limit on its work in the first round.
fn second_lane() -> Vec<(u64, SearchConfiguration)> {
    vec![
        (1000, configuration(Algorithm::LazyRestarts, &[HeuristicKind::FastForward], CostType::One)),
        (1500, configuration(Algorithm::BestFirstWidth, &[HeuristicKind::OrderedGoalCount], CostType::One)),
        (1000, configuration(SERIALIZED_WITH_RESTARTS, &[], CostType::One)),
        (1000, configuration(Algorithm::LazyExploring, &LAMA, CostType::One)),
        (1000, configuration(Algorithm::BestFirstWidth, &[HeuristicKind::LandmarkCount], CostType::One)),
        (750, configuration(Algorithm::EagerGreedy, &[HeuristicKind::FastForward], CostType::One)),
    ]
    .into_iter()
    .map(|(milliseconds, search)| (milliseconds * MILLISECOND, search))
    .collect()
}

/// Serialised search with restarts.
const SERIALIZED_WITH_RESTARTS: Algorithm = Algorithm::Serialized { max_restarts: 8_000 };

/// Runs the configurations of the second lane in rounds with increasing limits on their work, each four times the previous one;
/// the last round has none. A search that ran out of memory is dropped, since it would do so again. Searches with restarts store almost
/// nothing; the rounds end when only these are left, and those without end are not part of the last round.
fn run_rounds(task: &SearchTask, lane: &Lane<'_>) -> SearchResult {
    let mut answer = SearchResult::empty();
    let mut searches = second_lane();
    for factor in [Some(1), Some(4), Some(16), Some(64), None] {
        searches.retain(|(_, search)| factor.is_some() || search.algorithm != Algorithm::LazyRestarts);
        let restarts = [SERIALIZED_WITH_RESTARTS, Algorithm::LazyRestarts];
        if searches.iter().all(|(_, search)| restarts.contains(&search.algorithm)) {
            break;
        }
        let mut over = false;
        searches.retain(|(work, search)| {
            if over {
                return true;
            }
            let work_limit = factor.map(|factor| work * factor);
            let found = run(task, &SearchConfiguration { work_limit, ..search.clone() }, lane);
            let keeps = !matches!(found.stop_reason, Some(StopReason::Memory | StopReason::States));
            over = found.is_over();
            answer.merge(found);
            keeps
        });
        if over {
            break;
        }
    }
    answer
}

/// Runs the configurations of the first lane until one has a plan or a proof. Returns the number of those that were run as well.
fn run_in_sequence(task: &SearchTask, lane: &Lane<'_>) -> (SearchResult, usize) {
    let mut answer = SearchResult::empty();
    let mut searches = 0;
    for configuration in first_lane() {
        searches += 1;
        let found = run(task, &configuration, lane);
        let over = found.is_over();
        answer.merge(found);
        // The memory of a search is freed when it ends, so the next one may stay within the limit.
        if over {
            break;
        }
    }
    (answer, searches)
}

/// The first plan or proof.
#[derive(Debug, PartialEq, Eq)]
struct FirstPlan {
    result: SearchResult,
    /// The work of the lane that found it.
    work: u64,
    /// Whether the serialised search found it, before any other search began in its lane.
    is_serialized: bool,
}

/// Races two lanes for a plan or a proof; the second one starts when the first one has done `handicap` units of work.
fn first_plan(task: &SearchTask, control: &SearchControl<'_>, handicap: u64) -> FirstPlan {
    let race = Race::new(handicap, control.threads() < 2);
    // The result of a lane, with the limits that it reached and its work.
    let compete = |position: usize| {
        let participation = race.enter(position);
        let lane = Lane::racing(control, &race, position);
        let (answer, searches) =
            if position == 0 { run_in_sequence(task, &lane) } else { (run_rounds(task, &lane), 0) };
        if answer.is_settled() {
            participation.win(lane.work());
        }
        (answer, searches, lane.into_limits())
    };
    let lanes = std::thread::scope(|scope| {
        // If no thread can be started, the first lane searches alone.
        let second = std::thread::Builder::new().name("planner".to_owned()).spawn_scoped(scope, || compete(1)).ok();
        if second.is_none() {
            race.withdraw(1);
        }
        let first = compete(0);
        let second = second.and_then(|handle| handle.join().ok());
        [Some(first), second].into_iter().flatten().collect::<Vec<_>>()
    });
    let winner = race.winner();
    let mut answer = SearchResult::empty();
    let mut is_serialized = false;
    for (position, (found, searches, limits)) in lanes.into_iter().enumerate() {
        if winner.is_none_or(|winner| winner.position == position) {
            is_serialized |= searches == 1;
            answer.merge(found);
        }
        answer.add_limits(limits.reached(position, winner));
    }
    if answer.is_settled() {
        // A lane that could still have won may have been stopped.
        answer.stop_reason = answer.limits_reached.iter().copied().find(|stop| stop.is_external());
    }
    if let Some(solution) = &answer.solution {
        control.report_plan(solution);
    }
    FirstPlan { result: answer, work: winner.map_or(0, |winner| winner.work), is_serialized }
}

/// Searches for cheaper and cheaper plans with decreasing weights.
fn anytime(task: &SearchTask, lane: &Lane<'_>, answer: &mut SearchResult) {
    // The last search uses the costs of the task; if it exhausts its search space, the plan is proved optimal.
    let last = configuration(Algorithm::LazyAStar { weight: 1 }, &LAMA, CostType::Normal);
    for configuration in improving_searches().iter().chain(std::iter::repeat(&last)) {
        let before = lane.control().bound();
        answer.merge(run_and_report(task, configuration, lane));
        let through = configuration == &last && lane.control().bound() == before;
        if answer.proof != Proof::None || answer.stop_reason.is_some() || through {
            break;
        }
    }
}

/// Runs one search, improves its plan by action elimination, and reports it.
fn run_and_report(task: &SearchTask, configuration: &SearchConfiguration, lane: &Lane<'_>) -> SearchResult {
    let answer = run(task, configuration, lane);
    if let Some(solution) = &answer.solution {
        lane.control().report_plan(solution);
    }
    answer
}

/// Runs one search and improves its plan by action elimination.
fn run(task: &SearchTask, configuration: &SearchConfiguration, lane: &Lane<'_>) -> SearchResult {
    result_of(task, search_unchecked(task, configuration, lane), lane)
}

/// Returns the result of a search, with its plan improved by action elimination.
fn result_of(task: &SearchTask, report: SearchReport, lane: &Lane<'_>) -> SearchResult {
    let mut answer = SearchResult { statistics: report.statistics, ..SearchResult::empty() };
    match report.outcome {
        SearchOutcome::Solved(solution) => {
            answer.solution = Some(action_elimination::eliminate_actions(task, solution));
        }
        SearchOutcome::Exhausted if lane.control().bound() == u64::MAX => answer.proof = Proof::Unsolvable,
        SearchOutcome::Exhausted => answer.proof = Proof::Optimal,
        SearchOutcome::Incomplete | SearchOutcome::OutOfWork => {}
        SearchOutcome::Stopped(stop) => {
            lane.record_limit(stop);
            answer.stop_reason = Some(stop);
        }
    }
    answer
}

impl SearchResult {
    fn empty() -> Self {
        Self {
            solution: None,
            proof: Proof::None,
            stop_reason: None,
            limits_reached: Vec::new(),
            statistics: SearchStatistics::default(),
        }
    }

    /// Whether there is a plan or a proof.
    fn is_settled(&self) -> bool {
        self.solution.is_some() || self.proof != Proof::None
    }

    /// Whether no other search can follow: there is a plan or a proof, or time is up.
    fn is_over(&self) -> bool {
        self.is_settled() || self.stop_reason.is_some_and(StopReason::is_external)
    }

    /// Adds limits that stopped searches.
    fn add_limits(&mut self, limits: Vec<StopReason>) {
        for limit in limits {
            if !self.limits_reached.contains(&limit) {
                self.limits_reached.push(limit);
            }
        }
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

#[cfg(test)]
mod tests {
    use super::first_plan;
    use crate::control::{SearchControl, SearchLimits};
    use crate::ground_task::{Effect, Fact, GroundTask, Operator, ValueMeaning, ValueSource, Variable};
    use crate::lane::MILLISECOND;
    use crate::search_task::SearchTask;
    use std::sync::atomic::AtomicBool;

    /// Returns a binary counter whose bits all have to be set, which takes 2^bits - 1 operators.
    fn counter(bits: u32) -> GroundTask {
        let mut task = GroundTask { cost_unit: 1.0, ..GroundTask::default() };
        let set = |variable, value| Fact { variable, value };
        for bit in 0..bits {
            let values = [false, true].map(ValueMeaning::Auxiliary).to_vec();
            task.variables.push(Variable { values, source: ValueSource::Operators });
            task.initial.push(0);
            let precondition = (0..bit).map(|lower| set(lower, 1)).chain([set(bit, 0)]).collect();
            let facts = (0..bit).map(|lower| set(lower, 0)).chain([set(bit, 1)]);
            let effects = facts.map(|fact| Effect { conditions: Vec::new(), fact }).collect();
            task.operators.push(Operator { step: None, precondition, effects, numeric_effects: Vec::new(), cost: 1 });
            task.goal.push(set(bit, 1));
        }
        task
    }

    /// The first plan is the same whether the lanes run at the same time or by turns, whichever of them finds it.
    #[test]
    fn the_number_of_threads_does_not_decide_the_race() {
        let task = SearchTask::new(&counter(9));
        let mut works = Vec::new();
        for handicap in [0, MILLISECOND / 10, MILLISECOND, 100 * MILLISECOND] {
            let run = |threads| {
                let cancelled = AtomicBool::new(false);
                let control = SearchControl::new(SearchLimits::default(), &cancelled, &|_| {}).with_threads(threads);
                first_plan(&task, &control, handicap)
            };
            let first = run(1);
            assert!(first.result.solution.is_some());
            for threads in [2, 1, 2, 2, 2] {
                assert_eq!(run(threads), first, "{threads} threads, handicap {handicap}");
            }
            works.push(first.work);
        }
        assert!(works.windows(2).any(|pair| pair[0] != pair[1]), "one lane always wins: {works:?}");
    }
}
