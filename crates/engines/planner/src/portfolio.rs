//! A portfolio of searches, run in sequence and in parallel.
//!
//! **Satisficing** ([`Aim::Any`]): first a serialised search goal by goal, which ends quickly either way and solves most tasks
//! whose goals do not conflict. Then the first iteration of LAMA: lazy greedy search by `h_FF` and landmarks, with boosted
//! preferred operators and unit costs. After [`HELP_AFTER`] a second thread runs width search, serialised search with restarts,
//! and lazy and eager greedy search by `h_FF` alone, each with a time limit; the first plan of either thread ends both. Small
//! tasks never start the second search. Finally a search for a cheaper plan runs for about as long as the first plan took.
//!
//! **Anytime** ([`Aim::Good`]): the same, followed by LAMA's weighted searches with decreasing weights, each of which only
//! accepts plans cheaper than the best one, until no cheaper plan can exist or a limit is reached.
//!
//! **Optimal** ([`Aim::Optimal`]): a short blind A* search, then A* with LM-cut.
//!
//! [`plan_by`] bypasses the portfolio and runs a single configuration, repeatedly if cheaper plans are requested.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::compiled::{CompiledTask, CostType};
use crate::control::{Control, Solution, Statistics, Stop};
use crate::heuristics::HeuristicKind;
use crate::improve;
use crate::search::{Algorithm, Configuration, Outcome, Unsupported, search_unchecked};

/// The delay before the second thread starts to search.
const HELP_AFTER: Duration = Duration::from_millis(500);

/// The minimum and the maximum time of the search that tries to improve the first plan.
const SECOND_OPINION: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(500));

/// Time limit of the blind search that precedes A* with LM-cut.
const BLIND_FOR: Duration = Duration::from_millis(5);

/// The objective of planning: how good a plan has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aim {
    /// Satisficing: a plan found soon.
    Any,
    /// Anytime: the cheapest plan found within the limits.
    Good,
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
pub struct Answer {
    /// The cheapest plan found.
    pub solution: Option<Solution>,
    /// The guarantee established by the searches.
    pub proof: Proof,
    /// The limit that stopped the searches before they were finished.
    pub stopped: Option<Stop>,
    /// The statistics of all searches.
    pub statistics: Statistics,
}

/// Solves a task with the portfolio for the objective.
pub fn plan(task: &CompiledTask, aim: Aim, control: &Control<'_>) -> Answer {
    if aim == Aim::Optimal {
        return optimal(task, control);
    }
    let mut answer = some(task, control);
    if answer.solution.is_some() {
        match aim {
            Aim::Good => improve(task, control, &mut answer),
            Aim::Any | Aim::Optimal => second_opinion(task, control, &mut answer),
        }
    }
    answer
}

/// Solves a task with a single configuration. For [`Aim::Good`] the search is repeated until it finds no cheaper plan.
///
/// # Errors
/// Returns [`Unsupported`] if the options of the configuration are incompatible, or if the objective is [`Aim::Optimal`] and
/// the configuration does not guarantee an optimal first plan.
pub fn plan_by(
    task: &CompiledTask,
    configuration: &Configuration,
    aim: Aim,
    control: &Control<'_>,
) -> Result<Answer, Unsupported> {
    configuration.check()?;
    if aim == Aim::Optimal && !configuration.finds_cheapest() {
        return Err(Unsupported::NotOptimal(configuration.algorithm));
    }
    let mut answer = Answer::nothing();
    loop {
        let before = control.bound();
        answer.merge(run(task, configuration, control));
        let cheaper = control.bound() < before;
        if aim != Aim::Good || !cheaper || answer.proof != Proof::None || answer.stopped.is_some() {
            break;
        }
    }
    if answer.solution.is_some() && (configuration.finds_cheapest() || fewest_are_cheapest(task, configuration)) {
        answer.proof = Proof::Optimal;
    }
    Ok(answer)
}

/// Whether the configuration finds plans with the fewest operators and all operators cost the same.
fn fewest_are_cheapest(task: &CompiledTask, configuration: &Configuration) -> bool {
    let costs = || (0..task.operators() as u32).map(|operator| task.cost(operator, CostType::Normal));
    configuration.algorithm == Algorithm::BreadthFirst && costs().min() == costs().max()
}

/// Searches for a cheaper plan for about as long as the first one took.
fn second_opinion(task: &CompiledTask, control: &Control<'_>, answer: &mut Answer) {
    let time = Some(control.elapsed().clamp(SECOND_OPINION.0, SECOND_OPINION.1));
    let other =
        run(task, &Configuration { time, ..configuration(Algorithm::LazyGreedy, &LAMA, CostType::PlusOne) }, control);
    // The time limit is part of the strategy and not reported as a reached limit.
    answer.merge(Answer { stopped: None, ..other });
}

/// Returns a configuration without a time limit of its own; preferred operators are used if the algorithm supports them.
fn configuration(algorithm: Algorithm, heuristics: &[HeuristicKind], cost_type: CostType) -> Configuration {
    let preferred = matches!(algorithm, Algorithm::LazyGreedy | Algorithm::LazyAStar { .. } | Algorithm::EagerGreedy);
    Configuration { algorithm, heuristics: heuristics.to_vec(), preferred, cost_type, time: None }
}

/// The heuristics of LAMA.
const LAMA: [HeuristicKind; 2] = [HeuristicKind::FastForward, HeuristicKind::LandmarkCount];

/// Returns the configurations of the first thread, in order.
fn first_thread() -> [Configuration; 3] {
    [
        configuration(Algorithm::GoalByGoal { effort: 60 }, &[], CostType::One),
        configuration(Algorithm::LazyGreedy, &LAMA, CostType::One),
        configuration(Algorithm::LazyGreedy, &[HeuristicKind::Add, HeuristicKind::LandmarkCount], CostType::PlusOne),
    ]
}

/// Returns the configurations of the second thread, each with its time limit in the first round, in tenths of a second.
fn second_thread() -> Vec<(u32, Configuration)> {
    vec![
        (15, configuration(Algorithm::Novelty, &[HeuristicKind::OrderedGoals], CostType::One)),
        (20, configuration(GOALS_AGAIN, &[], CostType::One)),
        (15, configuration(Algorithm::LazyGreedy, &[HeuristicKind::FastForward], CostType::One)),
        (15, configuration(Algorithm::Novelty, &[HeuristicKind::LandmarkCount], CostType::One)),
        (15, configuration(Algorithm::EagerGreedy, &[HeuristicKind::FastForward], CostType::One)),
    ]
}

/// Serialised search with restarts.
const GOALS_AGAIN: Algorithm = Algorithm::GoalByGoal { effort: 8_000 };

/// Runs the configurations of the second thread in rounds with increasing time limits, each four times the previous one; the
/// last round has none. A search that ran out of memory is dropped, since it would do so again. Serialised search stores almost
/// nothing; the rounds end when it is the only search left.
fn in_rounds(task: &CompiledTask, control: &Control<'_>) -> Answer {
    let mut answer = Answer::nothing();
    let mut searches = second_thread();
    for factor in [Some(1), Some(4), Some(16), Some(64), None] {
        if searches.iter().all(|(_, search)| search.algorithm == GOALS_AGAIN) {
            break;
        }
        let mut over = false;
        searches.retain(|(tenths, search)| {
            if over {
                return true;
            }
            let time = factor.map(|factor| Duration::from_millis(100) * *tenths * factor);
            let found = in_turn(task, control, [Configuration { time, ..search.clone() }]);
            let keeps = !matches!(found.stopped, Some(Stop::Memory | Stop::States));
            over = found.is_settled() || matches!(found.stopped, Some(Stop::Time | Stop::Cancelled));
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
fn some(task: &CompiledTask, control: &Control<'_>) -> Answer {
    let over = Mutex::new(false);
    let bell = Condvar::new();
    let answer = std::thread::scope(|scope| {
        let help = || {
            let guard = over.lock().unwrap_or_else(PoisonError::into_inner);
            let wait = bell.wait_timeout_while(guard, HELP_AFTER, |over| !*over);
            let over = *wait.unwrap_or_else(PoisonError::into_inner).0;
            if over { Answer::nothing() } else { in_rounds(task, control) }
        };
        // If the second thread cannot be started, the first one searches alone.
        let helper = std::thread::Builder::new().name("planner".to_owned()).spawn_scoped(scope, help).ok();
        let mut answer = in_turn(task, control, first_thread());
        *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        bell.notify_all();
        if let Some(Ok(other)) = helper.map(std::thread::ScopedJoinHandle::join) {
            answer.merge(other);
        }
        if answer.is_settled() {
            // One thread cancelled the other, which is not a reached limit.
            answer.stopped = None;
        }
        answer
    });
    control.resume();
    answer
}

/// Runs searches in sequence until this or the other thread has a plan or a proof.
fn in_turn(
    task: &CompiledTask,
    control: &Control<'_>,
    configurations: impl IntoIterator<Item = Configuration>,
) -> Answer {
    let mut answer = Answer::nothing();
    for configuration in configurations {
        answer.merge(run(task, &configuration, control));
        if answer.is_settled() {
            control.finish();
        }
        if answer.stopped == Some(Stop::Time) && control.stop().is_none() {
            // Only the time limit of this search was reached.
            answer.stopped = None;
        }
        // The memory of a search is freed when it ends, so the next one may stay within the limit.
        if answer.is_settled() || matches!(answer.stopped, Some(Stop::Time | Stop::Cancelled)) {
            break;
        }
    }
    answer
}

/// Searches for cheaper and cheaper plans with decreasing weights.
fn improve(task: &CompiledTask, control: &Control<'_>, answer: &mut Answer) {
    let greedy = configuration(Algorithm::LazyGreedy, &LAMA, CostType::PlusOne);
    let weighted = [5, 3, 2].map(|weight| configuration(Algorithm::LazyAStar { weight }, &LAMA, CostType::PlusOne));
    // The last search uses the costs of the task; if it exhausts its search space, the plan is proved optimal.
    let last = configuration(Algorithm::LazyAStar { weight: 1 }, &LAMA, CostType::Normal);
    for configuration in std::iter::once(&greedy).chain(&weighted).chain(std::iter::repeat(&last)) {
        let before = control.bound();
        answer.merge(run(task, configuration, control));
        let through = configuration == &last && control.bound() == before;
        if answer.proof != Proof::None || answer.stopped.is_some() || through {
            break;
        }
    }
}

/// Searches for an optimal plan.
fn optimal(task: &CompiledTask, control: &Control<'_>) -> Answer {
    let search = |kind, time| {
        let algorithm = Algorithm::AStar { weight: 1 };
        Configuration { time, ..configuration(algorithm, &[kind], CostType::Normal) }
    };
    let mut answer = run(task, &search(HeuristicKind::Blind, Some(BLIND_FOR)), control);
    if answer.stopped == Some(Stop::Time) && control.stop().is_none() {
        answer.stopped = None;
        answer.merge(run(task, &search(HeuristicKind::LandmarkCut, None), control));
    }
    if answer.solution.is_some() {
        answer.proof = Proof::Optimal;
    }
    answer
}

/// Runs one search and improves its plan by action elimination.
fn run(task: &CompiledTask, configuration: &Configuration, control: &Control<'_>) -> Answer {
    let report = search_unchecked(task, configuration, control);
    let mut answer = Answer { statistics: report.statistics, ..Answer::nothing() };
    match report.outcome {
        Outcome::Solved(solution) => {
            let solution = improve::without_needless(task, solution);
            control.found(&solution);
            answer.solution = Some(solution);
        }
        Outcome::Exhausted if control.bound() == u64::MAX => answer.proof = Proof::Unsolvable,
        Outcome::Exhausted => answer.proof = Proof::Optimal,
        Outcome::GaveUp => {}
        Outcome::Stopped(stop) => answer.stopped = Some(stop),
    }
    answer
}

impl Answer {
    fn nothing() -> Self {
        Self { solution: None, proof: Proof::None, stopped: None, statistics: Statistics::default() }
    }

    /// Whether there is a plan or a proof.
    fn is_settled(&self) -> bool {
        self.solution.is_some() || self.proof != Proof::None
    }

    /// Merges the result of another search.
    fn merge(&mut self, other: Self) {
        self.statistics = self.statistics.and_then(other.statistics);
        let cheaper = |best: &Solution| self.solution.as_ref().is_none_or(|known| best.cost < known.cost);
        if let Some(solution) = other.solution.filter(cheaper) {
            self.solution = Some(solution);
        }
        if self.proof == Proof::None {
            self.proof = other.proof;
        }
        self.stopped = other.stopped.or(self.stopped);
    }
}
