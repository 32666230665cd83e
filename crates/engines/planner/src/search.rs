//! Searches through the states of a task.

mod breadth_first;
mod eager;
mod lazy;
mod novelty;
mod open;
mod serial;
mod space;

use std::time::Duration;

use crate::compiled::{CompiledTask, CostType};
use crate::control::{Control, Solution, Statistics, Stop};
use crate::heuristics::{Heuristic, HeuristicKind};

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Breadth first: a plan of the fewest operators. No estimate.
    BreadthFirst,
    /// Best first by `g + weight * h`, expanding again what is reached more cheaply. With a weight of one and an admissible
    /// estimate, plans are optimal.
    AStar {
        /// How much the estimate counts.
        weight: u32,
    },
    /// Best first by the estimates alone, in turns; each state is estimated when it is generated.
    EagerGreedy,
    /// Best first by the estimates alone, in turns; each state is estimated when it is expanded, and waits with the estimate of
    /// the state before it.
    LazyGreedy,
    /// As lazy greedy, by `g + weight * h`, expanding again what is reached more cheaply.
    LazyAStar {
        /// How much the estimate counts.
        weight: u32,
    },
    /// Best first by novelty: a state that has a fact, or else a pair of facts, that no state before had which was as far by the
    /// estimate and in the last relaxed plan comes before others (Lipovetzky and Geffner 2017; with
    /// [`HeuristicKind::GoalCount`] it is BFWS(f5)).
    Novelty,
    /// One goal after the other, in a reasonable order, by `h_FF`; quick where it works, and gives up where it does not. No
    /// estimate.
    GoalByGoal {
        /// It tries again, with goals that could not be reached any more coming sooner, at most so often, as long as fewer than so
        /// many millions of relaxed operators were looked at.
        effort: u32,
    },
}

/// A search with all its choices.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// How to search.
    pub algorithm: Algorithm,
    /// The estimates; those of several are used in turns. The first alone counts for [`Algorithm::AStar`].
    pub heuristics: Vec<HeuristicKind>,
    /// Whether operators that estimates prefer are tried first.
    pub preferred: bool,
    /// Costs as estimates and `g` see them. Plans are always measured by the costs of the task.
    pub cost_type: CostType,
    /// Time for this search, beside the limit of all.
    pub time: Option<Duration>,
}

/// A configuration that cannot do what is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsupported {
    /// The algorithm needs an estimate and was given none.
    NoHeuristic(Algorithm),
    /// The algorithm takes no more than one estimate.
    SeveralHeuristics(Algorithm),
    /// The algorithm looks at no estimate.
    NeedlessHeuristic(HeuristicKind),
    /// The algorithm does not treat preferred operators in another way.
    Preferred(Algorithm),
    /// A weight of zero does not look at the estimate.
    NoWeight(Algorithm),
    /// A plan of least cost is asked for, and the search may find another one first.
    NotOptimal(Algorithm),
}

/// How a search ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A plan.
    Solved(Solution),
    /// There is no plan cheaper than the best that was known; without one known, the task is unsolvable.
    Exhausted,
    /// Nothing is left to look at, but what was left out as too expensive might have been reached more cheaply.
    GaveUp,
    /// A limit came first.
    Stopped(Stop),
}

/// What a search found and did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// What it did.
    pub statistics: Statistics,
}

impl Configuration {
    /// Whether the first plan that it finds has least cost: A* with an admissible estimate of the costs of the task.
    pub fn finds_cheapest(&self) -> bool {
        self.algorithm == Algorithm::AStar { weight: 1 }
            && self.cost_type == CostType::Normal
            && self.heuristics.iter().all(|kind| kind.is_admissible())
    }

    /// Checks that the choices go together.
    pub(crate) fn check(&self) -> Result<(), Unsupported> {
        let algorithm = self.algorithm;
        match algorithm {
            Algorithm::BreadthFirst | Algorithm::GoalByGoal { .. } => match self.heuristics.first() {
                Some(&kind) => return Err(Unsupported::NeedlessHeuristic(kind)),
                None if self.preferred => return Err(Unsupported::Preferred(algorithm)),
                None => return Ok(()),
            },
            Algorithm::AStar { .. } | Algorithm::Novelty if self.heuristics.len() > 1 => {
                return Err(Unsupported::SeveralHeuristics(algorithm));
            }
            Algorithm::AStar { .. } | Algorithm::Novelty if self.preferred => {
                return Err(Unsupported::Preferred(algorithm));
            }
            Algorithm::AStar { weight: 0 } | Algorithm::LazyAStar { weight: 0 } => {
                return Err(Unsupported::NoWeight(algorithm));
            }
            _ => {}
        }
        if self.heuristics.is_empty() { Err(Unsupported::NoHeuristic(algorithm)) } else { Ok(()) }
    }

    fn build(&self, task: &CompiledTask, control: &Control<'_>) -> Vec<Box<dyn Heuristic>> {
        let halt = || control.stop().is_some();
        self.heuristics.iter().map(|kind| kind.build(task, self.cost_type, &halt)).collect()
    }
}

/// Searches for one plan cheaper than the best that the control knows of.
///
/// # Errors
/// If the choices do not go together.
pub fn search(
    task: &CompiledTask,
    configuration: &Configuration,
    control: &Control<'_>,
) -> Result<Report, Unsupported> {
    configuration.check()?;
    Ok(search_unchecked(task, configuration, control))
}

/// Searches with a configuration whose choices go together.
pub(crate) fn search_unchecked(task: &CompiledTask, configuration: &Configuration, control: &Control<'_>) -> Report {
    if control.bound() == 0 {
        // Nothing is cheaper than free.
        return Report { outcome: Outcome::Exhausted, statistics: Statistics::default() };
    }
    match configuration.algorithm {
        Algorithm::BreadthFirst => breadth_first::search(task, configuration, control),
        Algorithm::AStar { weight } => {
            let heuristic = configuration.build(task, control).swap_remove(0);
            // Without end, steps that cost nothing could lead from number to number, away from the goal.
            let may_run_away = !task.initial_numbers.is_empty() && task.costs.contains(&0);
            let ties = if may_run_away { open::Ties::Oldest } else { open::Ties::Newest };
            eager::search(task, configuration, control, &mut eager::Weighted::new(heuristic, weight, ties))
        }
        Algorithm::EagerGreedy => {
            let mut ranking = eager::Greedy::new(configuration.build(task, control), configuration.preferred);
            eager::search(task, configuration, control, &mut ranking)
        }
        Algorithm::Novelty => {
            let measure = configuration.build(task, control).swap_remove(0);
            let mut ranking = novelty::Novelty::new(task, measure, configuration.cost_type);
            eager::search(task, configuration, control, &mut ranking)
        }
        Algorithm::GoalByGoal { effort } => serial::Serial::new(task, configuration, control, effort).run(),
        Algorithm::LazyGreedy => lazy::Lazy::new(task, configuration, control, None).run(),
        Algorithm::LazyAStar { weight } => lazy::Lazy::new(task, configuration, control, Some(weight)).run(),
    }
}
