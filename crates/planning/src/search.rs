//! The searches, by name.

use goalspec_planner::{Algorithm, CostType, HeuristicKind, SearchConfiguration};

/// A search for plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Search {
    /// A portfolio of searches that fit the objective, two of which run side by side.
    #[default]
    Portfolio,
    /// Lazy greedy best-first search with `h_FF` and the landmark count.
    Lama,
    /// Lazy greedy best-first search with `h_FF`.
    LazyFf,
    /// Lazy greedy best-first search with `h_add`.
    LazyAdd,
    /// Eager greedy best-first search with `h_FF`.
    EagerFf,
    /// Eager greedy best-first search with the number of unmet goals.
    GoalCount,
    /// Best-first width search.
    Novelty,
    /// Serialised search, goal by goal.
    GoalByGoal,
    /// Breadth-first search.
    Bfs,
    /// A* with the blind heuristic.
    AstarBlind,
    /// A* with `h_max`.
    AstarHmax,
    /// A* with LM-cut.
    AstarLmcut,
    /// A* with saturated cost partitionings.
    AstarScp,
    /// A* over representatives of orbits of states, with saturated cost partitionings and LM-cut.
    AstarOrbit,
}

impl Search {
    /// All searches.
    pub const ALL: [Self; 14] = [
        Self::Portfolio,
        Self::Lama,
        Self::LazyFf,
        Self::LazyAdd,
        Self::EagerFf,
        Self::GoalCount,
        Self::Novelty,
        Self::GoalByGoal,
        Self::Bfs,
        Self::AstarBlind,
        Self::AstarHmax,
        Self::AstarLmcut,
        Self::AstarScp,
        Self::AstarOrbit,
    ];

    /// Finds the search of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|search| search.name() == name)
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portfolio => "portfolio",
            Self::Lama => "lama",
            Self::LazyFf => "lazy-ff",
            Self::LazyAdd => "lazy-add",
            Self::EagerFf => "eager-ff",
            Self::GoalCount => "goal-count",
            Self::Novelty => "novelty",
            Self::GoalByGoal => "goals",
            Self::Bfs => "bfs",
            Self::AstarBlind => "astar-blind",
            Self::AstarHmax => "astar-hmax",
            Self::AstarLmcut => "astar-lmcut",
            Self::AstarScp => "astar-scp",
            Self::AstarOrbit => "astar-orbit",
        }
    }

    /// Returns a one-line description.
    pub fn description(self) -> &'static str {
        match self {
            Self::Portfolio => "A portfolio of the searches below, chosen by the objective",
            Self::Lama => {
                "Lazy greedy search with FF and landmark heuristics and preferred operators: LAMA's first iteration"
            }
            Self::LazyFf => "Lazy greedy search with the FF heuristic and preferred operators",
            Self::LazyAdd => "Lazy greedy search with the additive heuristic and preferred operators",
            Self::EagerFf => "Eager greedy search with the FF heuristic and preferred operators",
            Self::GoalCount => "Eager greedy search with the goal-count heuristic",
            Self::Novelty => "Best-first width search with novelty and ordered goals, without delete relaxation",
            Self::GoalByGoal => "Serialized search, one goal after the other; fast but incomplete",
            Self::Bfs => "Breadth-first search; optimal in the number of steps",
            Self::AstarBlind => "A* with the blind heuristic; optimal",
            Self::AstarHmax => "A* with the h^max heuristic; optimal",
            Self::AstarLmcut => "A* with the LM-cut heuristic; optimal",
            Self::AstarScp => "A* with saturated cost partitioning over abstractions; optimal",
            Self::AstarOrbit => "A* over symmetric states, with saturated cost partitioning and LM-cut; optimal",
        }
    }

    /// Returns the configuration of the planner; `None` for the portfolio, which combines several.
    pub(crate) fn configuration(self) -> Option<SearchConfiguration> {
        use HeuristicKind as H;
        let (algorithm, heuristics): (Algorithm, &[HeuristicKind]) = match self {
            Self::Portfolio => return None,
            Self::Lama => (Algorithm::LazyGreedy, &[H::FastForward, H::LandmarkCount]),
            Self::LazyFf => (Algorithm::LazyGreedy, &[H::FastForward]),
            Self::LazyAdd => (Algorithm::LazyGreedy, &[H::Add]),
            Self::EagerFf => (Algorithm::EagerGreedy, &[H::FastForward]),
            Self::GoalCount => (Algorithm::EagerGreedy, &[H::GoalCount]),
            Self::Novelty => (Algorithm::BestFirstWidth, &[H::OrderedGoalCount]),
            Self::GoalByGoal => (Algorithm::Serialized { max_restarts: 1_000 }, &[]),
            Self::Bfs => (Algorithm::BreadthFirst, &[]),
            Self::AstarBlind => (Algorithm::AStar { weight: 1 }, &[H::Blind]),
            Self::AstarHmax => (Algorithm::AStar { weight: 1 }, &[H::Max]),
            Self::AstarLmcut => (Algorithm::AStar { weight: 1 }, &[H::LandmarkCut]),
            Self::AstarScp => (Algorithm::AStar { weight: 1 }, &[H::SaturatedCostPartitioning]),
            Self::AstarOrbit => (Algorithm::OrbitAStar, &[H::SaturatedCostPartitioning, H::LandmarkCut]),
        };
        let is_optimal = matches!(algorithm, Algorithm::AStar { .. } | Algorithm::OrbitAStar);
        Some(SearchConfiguration {
            algorithm,
            heuristics: heuristics.to_vec(),
            preferred_operators: matches!(self, Self::Lama | Self::LazyFf | Self::LazyAdd | Self::EagerFf),
            // As in the first iteration of LAMA, greedy searches use unit costs.
            cost_type: if is_optimal { CostType::Normal } else { CostType::One },
            work_limit: None,
        })
    }

    /// Whether the search can guarantee a plan of minimum cost.
    pub fn guarantees_optimal(self) -> bool {
        self.configuration().is_none_or(|configuration| configuration.is_optimal())
    }
}
