//! Plans for arrangements.

use std::fmt;
use std::sync::atomic::AtomicBool;

use goalspec_lot::plan::Move;
use goalspec_lot::{StackingProblem, pddl};
use goalspec_pddl::ResolvedDomain;
use goalspec_planner::{Proof, StopReason};
use goalspec_planning::search::Search;
use goalspec_planning::solve::{PlanRequest, solve};
use goalspec_syntax::{Diagnostic, Sources};

/// The number of states that breadth-first search keeps; beyond, a heuristic search looks for any plan.
const MAX_STATES_OF_SHORTEST_PLANS: usize = 200_000;

/// The result of planning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanOutcome {
    /// A plan.
    Plan {
        /// The actions.
        moves: Vec<Move>,
        /// Whether no plan is shorter.
        is_shortest: bool,
    },
    /// No plan exists.
    Unsolvable,
}

impl PlanOutcome {
    /// Returns the plan.
    pub fn moves(&self) -> Option<&[Move]> {
        match self {
            Self::Plan { moves, .. } => Some(moves),
            Self::Unsolvable => None,
        }
    }
}

/// The error of a problem that cannot be planned for, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannerError(pub String);

impl fmt::Display for PlannerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot plan: {}", self.0)
    }
}

impl std::error::Error for PlannerError {}

/// A planner for the domain of arrangements, which is read once.
#[derive(Debug)]
pub struct Planner {
    domain: ResolvedDomain,
}

impl Default for Planner {
    fn default() -> Self {
        let mut sources = Sources::new();
        let id = sources.add("domain.pddl", pddl::DOMAIN);
        let parsed = goalspec_pddl::parse(sources.file(id));
        let (domain, diagnostics) = ResolvedDomain::new(&parsed.domains[0]);
        debug_assert!(!diagnostics.iter().any(Diagnostic::is_error));
        Self { domain }
    }
}

impl Planner {
    /// Plans for a problem.
    ///
    /// # Errors
    /// If the search exceeds a limit.
    pub fn plan(&self, problem: &StackingProblem) -> Result<PlanOutcome, PlannerError> {
        let initial = problem.initial.relations();
        self.plan_pddl(&pddl::problem("arrangement", problem.initial.objects(), &initial, &problem.goal))
    }

    /// Plans for a problem in PDDL. The plan is a shortest one if breadth-first search finds it within its limit of states.
    ///
    /// # Errors
    /// If the problem has errors, or the search exceeds a limit.
    pub fn plan_pddl(&self, problem: &str) -> Result<PlanOutcome, PlannerError> {
        let mut sources = Sources::new();
        let id = sources.add("problem.pddl", problem);
        let parsed = goalspec_pddl::parse(sources.file(id));
        let Some(problem) = parsed.problems.first() else {
            return Err(PlannerError("the text contains no problem".to_owned()));
        };
        let lowered = goalspec_pddl::lower(problem, &self.domain);
        let errors = parsed.diagnostics.iter().chain(&lowered.diagnostics).filter(|found| found.is_error());
        let Some(task) = lowered.task.filter(|_| errors.clone().next().is_none()) else {
            return Err(PlannerError(errors.map(|error| &*error.message).collect::<Vec<_>>().join("; ")));
        };
        let search = |search, max_states| {
            let threads = std::num::NonZeroUsize::new(1);
            let request = PlanRequest { search, max_states, threads, ..PlanRequest::default() };
            solve(&task, &request, &AtomicBool::new(false), &|_| {}).map_err(|error| PlannerError(error.to_string()))
        };
        let shortest = search(Search::Bfs, Some(MAX_STATES_OF_SHORTEST_PLANS))?;
        let is_shortest = shortest.plan.is_some() || shortest.proof == Proof::Unsolvable;
        let result = if is_shortest { shortest } else { search(Search::Lama, None)? };
        match (result.plan, result.proof) {
            (Some((plan, _)), _) => {
                let moves = plan.steps.iter().filter_map(|step| pddl::step_move(&step.text(&task))).collect();
                Ok(PlanOutcome::Plan { moves, is_shortest })
            }
            (None, Proof::Unsolvable) => Ok(PlanOutcome::Unsolvable),
            (None, _) => {
                let reason = result.stop_reason.map_or("no plan was found", |reason| match reason {
                    StopReason::Memory => "the limit of memory was reached",
                    StopReason::Time => "the limit of time was reached",
                    _ => "the search was stopped",
                });
                Err(PlannerError(reason.to_owned()))
            }
        }
    }
}
