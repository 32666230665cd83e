//! State-space search: algorithms, their configuration and their results.

mod breadth_first;
mod eager;
mod fact_novelty;
mod lazy;
mod lazy_maximum;
mod novelty;
mod open_list;
mod restarting;
mod serialized;
mod space;
mod typed_list;

use std::fmt;

use crate::control::{OperatorPlan, SearchControl, SearchStatistics, StopReason};
use crate::heuristics::{Heuristic, HeuristicKind};
use crate::lane::Lane;
use crate::search_task::{CostType, SearchTask};

/// A search algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Breadth-first search, which finds a plan with the fewest operators. Takes no heuristic.
    BreadthFirst,
    /// A* or weighted A*: best-first search by `g + weight * h` with reopening. With a weight of one and an admissible
    /// heuristic, plans are optimal.
    AStar {
        /// The factor of the heuristic value.
        weight: u32,
    },
    /// A* over representatives of orbits of states under the symmetries of the task (Domshlak, Katz and Shleyfman 2012). The first heuristic is
    /// evaluated when a state is generated, a second one when it is to be expanded, if that pays (Karpas, Betzalel, Shimony, Tolpin and Felner
    /// 2018). With admissible heuristics, plans are optimal.
    OrbitAStar,
    /// Eager greedy best-first search with one open list per heuristic, served alternately. States are evaluated when they are
    /// generated.
    EagerGreedy,
    /// Lazy greedy best-first search with one open list per heuristic, served alternately. States are evaluated when they are
    /// expanded and wait in the open list with the heuristic value of their parent.
    LazyGreedy,
    /// Lazy greedy best-first search with two more open lists that explore: one by novelty, in which states come first that have a fact that no
    /// earlier state with the same heuristic values had, and one by type, which takes a heuristic value and a path cost at random, then one of
    /// the states with these values (Xie, Müller, Holte and Imai 2014).
    LazyExploring,
    /// Lazy greedy best-first search that breaks ties at random and restarts after increasing amounts of work.
    LazyRestarts,
    /// Lazy weighted A*: as [`LazyGreedy`](Self::LazyGreedy), but by `g + weight * h` and with reopening.
    LazyAStar {
        /// The factor of the heuristic value.
        weight: u32,
    },
    /// Best-first width search. A state comes first if it has a fact, or else a pair of facts, that no earlier state had with
    /// the same heuristic value and the same number of achieved facts of the last relaxed plan (Lipovetzky and Geffner 2017;
    /// with [`HeuristicKind::GoalCount`] it is BFWS(f5)).
    BestFirstWidth,
    /// Serialised search: achieves the goals one by one, in a reasonable order, by small searches guided by `h_FF`. Fast where
    /// the goals can be serialised; gives up otherwise. Takes no heuristic.
    Serialized {
        /// Bound on restarts. The search restarts at most this many times, with goals that became unreachable moved forward,
        /// and only while fewer than this many million relaxed operators have been processed.
        max_restarts: u32,
    },
}

/// The configuration of one search.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SearchConfiguration {
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// The heuristics. [`Algorithm::AStar`] and [`Algorithm::BestFirstWidth`] take exactly one, [`Algorithm::OrbitAStar`] at most two.
    pub heuristics: Vec<HeuristicKind>,
    /// Whether preferred operators are tried first.
    pub preferred_operators: bool,
    /// The operator costs that heuristics and `g` use. Plan costs are always measured in the costs of the task.
    pub cost_type: CostType,
    /// Limit on the work of this search, in the units of [`goalspec_core::work`]. It ends the search at the same state everywhere.
    pub work_limit: Option<u64>,
}

/// The reason why a configuration is not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfigurationError {
    /// The algorithm needs a heuristic, and there is none.
    MissingHeuristic(Algorithm),
    /// The algorithm takes only one heuristic.
    TooManyHeuristics(Algorithm),
    /// The algorithm takes no heuristic.
    UnexpectedHeuristic(HeuristicKind),
    /// The algorithm does not support preferred operators.
    PreferredOperatorsNotSupported(Algorithm),
    /// The weight is zero, which ignores the heuristic.
    ZeroWeight(Algorithm),
    /// An optimal plan is required, and the first plan that the search finds need not be optimal.
    NotOptimal(Algorithm),
}

impl fmt::Display for ConfigurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingHeuristic(algorithm) => write!(f, "{algorithm:?} needs a heuristic"),
            Self::TooManyHeuristics(algorithm) => write!(f, "{algorithm:?} takes fewer heuristics"),
            Self::UnexpectedHeuristic(kind) => write!(f, "the algorithm takes no heuristic, found {kind:?}"),
            Self::PreferredOperatorsNotSupported(algorithm) => {
                write!(f, "{algorithm:?} does not support preferred operators")
            }
            Self::ZeroWeight(algorithm) => write!(f, "the weight of {algorithm:?} is 0, which ignores the heuristic"),
            Self::NotOptimal(algorithm) => write!(f, "the first plan that {algorithm:?} finds need not be optimal"),
        }
    }
}

impl std::error::Error for ConfigurationError {}

/// The end of a search: the plan that it found, or the reason for which it stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchOutcome {
    /// A plan was found.
    Solved(OperatorPlan),
    /// The search space is exhausted: no plan is cheaper than the best known plan. If none is known, the task is unsolvable.
    Exhausted,
    /// The search ended without a result: states that it pruned as too expensive may be reachable at lower cost, or a serialised
    /// search failed.
    Incomplete,
    /// The search reached its limit on work.
    OutOfWork,
    /// The search stopped before it was finished.
    Stopped(StopReason),
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchReport {
    /// The outcome.
    pub outcome: SearchOutcome,
    /// The counters of the search.
    pub statistics: SearchStatistics,
}

impl SearchConfiguration {
    /// Whether the first plan found is optimal: A* with an admissible heuristic on the costs of the task.
    pub fn is_optimal(&self) -> bool {
        matches!(self.algorithm, Algorithm::AStar { weight: 1 } | Algorithm::OrbitAStar)
            && self.cost_type == CostType::Normal
            && self.heuristics.iter().all(|kind| kind.is_admissible())
    }

    /// Checks that the options are compatible.
    pub(crate) fn check(&self) -> Result<(), ConfigurationError> {
        let algorithm = self.algorithm;
        match algorithm {
            Algorithm::BreadthFirst | Algorithm::Serialized { .. } => match self.heuristics.first() {
                Some(&kind) => return Err(ConfigurationError::UnexpectedHeuristic(kind)),
                None if self.preferred_operators => {
                    return Err(ConfigurationError::PreferredOperatorsNotSupported(algorithm));
                }
                None => return Ok(()),
            },
            Algorithm::AStar { .. } | Algorithm::BestFirstWidth if self.heuristics.len() > 1 => {
                return Err(ConfigurationError::TooManyHeuristics(algorithm));
            }
            Algorithm::OrbitAStar if self.heuristics.len() > 2 => {
                return Err(ConfigurationError::TooManyHeuristics(algorithm));
            }
            Algorithm::AStar { .. } | Algorithm::OrbitAStar | Algorithm::BestFirstWidth if self.preferred_operators => {
                return Err(ConfigurationError::PreferredOperatorsNotSupported(algorithm));
            }
            Algorithm::AStar { weight: 0 } | Algorithm::LazyAStar { weight: 0 } => {
                return Err(ConfigurationError::ZeroWeight(algorithm));
            }
            _ => {}
        }
        if self.heuristics.is_empty() { Err(ConfigurationError::MissingHeuristic(algorithm)) } else { Ok(()) }
    }

    fn build(&self, task: &SearchTask, lane: &Lane<'_>) -> Vec<Box<dyn Heuristic>> {
        let spend = |work| lane.spend(work);
        self.heuristics.iter().map(|kind| kind.build(task, self.cost_type, &spend)).collect()
    }
}

/// Searches for a plan cheaper than the best plan known to the control.
///
/// # Errors
/// Returns [`ConfigurationError`] if the options of the configuration are incompatible.
pub fn search(
    task: &SearchTask,
    configuration: &SearchConfiguration,
    control: &SearchControl<'_>,
) -> Result<SearchReport, ConfigurationError> {
    configuration.check()?;
    Ok(search_unchecked(task, configuration, &Lane::new(control)))
}

/// Runs a search with a configuration that has been checked, and adds its work to the lane.
pub(crate) fn search_unchecked(
    task: &SearchTask,
    configuration: &SearchConfiguration,
    lane: &Lane<'_>,
) -> SearchReport {
    let before = lane.work();
    let mut report = run(task, configuration, lane);
    lane.add(report.statistics.work);
    // The preparation of the search included.
    report.statistics.work = lane.work() - before;
    report
}

/// An A* search over representatives of orbits that can be continued.
pub(crate) type OrbitSearch<'e> = eager::ResumableSearch<'e, lazy_maximum::LazyMaximumOrder>;

/// Prepares an A* search over representatives of orbits. The work of the preparation is added to the lane.
pub(crate) fn orbit_search<'e>(task: &'e SearchTask, heuristic: HeuristicKind, lane: &'e Lane<'e>) -> OrbitSearch<'e> {
    let configuration = SearchConfiguration {
        algorithm: Algorithm::OrbitAStar,
        heuristics: vec![heuristic],
        preferred_operators: false,
        cost_type: CostType::Normal,
        work_limit: None,
    };
    let heuristic = heuristic.build(task, CostType::Normal, &|work| lane.spend(work));
    let order = lazy_maximum::LazyMaximumOrder::new(heuristic, None);
    eager::ResumableSearch::new(task, &configuration, lane, order)
}

/// Runs a search. The work in its statistics does not include preparation, which is added to the lane.
fn run(task: &SearchTask, configuration: &SearchConfiguration, lane: &Lane<'_>) -> SearchReport {
    if lane.control().bound() == 0 {
        // No plan is cheaper than a plan of cost zero.
        return SearchReport { outcome: SearchOutcome::Exhausted, statistics: SearchStatistics::default() };
    }
    match configuration.algorithm {
        Algorithm::BreadthFirst => breadth_first::search(task, configuration, lane),
        Algorithm::AStar { weight } => {
            let heuristic = configuration.build(task, lane).swap_remove(0);
            // With zero-cost operators, depth-first tie-breaking could follow an infinite sequence of numeric states away from
            // the goal.
            let may_run_away = !task.initial_numbers.is_empty() && task.costs.contains(&0);
            let ties = if may_run_away { open_list::TieBreaking::Oldest } else { open_list::TieBreaking::Newest };
            eager::search(task, configuration, lane, &mut eager::WeightedOrder::new(heuristic, weight, ties))
        }
        Algorithm::OrbitAStar => {
            let mut heuristics = configuration.build(task, lane).into_iter();
            let Some(first) = heuristics.next() else {
                return SearchReport { outcome: SearchOutcome::Incomplete, statistics: SearchStatistics::default() };
            };
            eager::search(task, configuration, lane, &mut lazy_maximum::LazyMaximumOrder::new(first, heuristics.next()))
        }
        Algorithm::EagerGreedy => {
            let mut ranking =
                eager::GreedyOrder::new(configuration.build(task, lane), configuration.preferred_operators);
            eager::search(task, configuration, lane, &mut ranking)
        }
        Algorithm::BestFirstWidth => {
            let measure = configuration.build(task, lane).swap_remove(0);
            let mut ranking = novelty::NoveltyOrder::new(task, measure, configuration.cost_type);
            eager::search(task, configuration, lane, &mut ranking)
        }
        Algorithm::Serialized { max_restarts: effort } => {
            serialized::SerializedSearch::new(task, configuration, lane, effort).run()
        }
        Algorithm::LazyGreedy | Algorithm::LazyExploring => {
            lazy::LazySearch::new(task, configuration, lane, None).run()
        }
        Algorithm::LazyRestarts => restarting::search(task, configuration, lane),
        Algorithm::LazyAStar { weight } => lazy::LazySearch::new(task, configuration, lane, Some(weight)).run(),
    }
}
