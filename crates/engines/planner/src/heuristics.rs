//! Heuristics: estimates of the cost from a state to the goal.

mod abstractions;
mod derived_defaults;
mod exploration;
mod fast_forward;
mod landmark_cut;
mod queue;
mod relaxation;
mod simple;
mod unary;

mod landmarks;

pub(crate) use abstractions::PlainTask;
pub(crate) use fast_forward::Additive;
pub(crate) use landmarks::{GoalOrder, LandmarkGraph, OrderedGoals, Preprocessed};
pub(crate) use unary::UnaryTasks;

use crate::random::Random;
use crate::search_task::{CostType, SearchTask};
use crate::state::{State, StateId};

/// The maximum heuristic value; larger values are capped. The sum of two of them fits into 32 bits.
pub(crate) const MAX_ESTIMATE: u32 = 1 << 30;

/// A heuristic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeuristicKind {
    /// The blind heuristic: zero in a goal state, elsewhere the minimum operator cost. Admissible and consistent.
    Blind,
    /// The goal-count heuristic: the number of unsatisfied goal facts.
    GoalCount,
    /// The number of goal facts that do not hold or must be undone to achieve others, according to reasonable orders.
    OrderedGoalCount,
    /// `h_max`: the maximum cost of a goal fact in the delete relaxation (Bonet and Geffner 2001). Admissible and consistent.
    Max,
    /// `h_add`: the sum of the costs of the goal facts in the delete relaxation (Bonet and Geffner 2001).
    Add,
    /// `h_FF`: the cost of a plan of the delete relaxation (Hoffmann and Nebel 2001), extracted from best supporters under
    /// `h_add`.
    FastForward,
    /// The landmark-count heuristic: the summed minimum costs of landmarks not yet reached or required again (Richter and
    /// Westphal 2010).
    LandmarkCount,
    /// LM-cut: disjunctive action landmarks of the delete relaxation (Helmert and Domshlak 2009). Admissible, and at least
    /// `h_max`.
    LandmarkCut,
    /// The maximum of several saturated cost partitionings over projections and Cartesian abstractions (Seipp, Keller and Helmert 2020).
    /// Admissible and consistent. Of tasks with conditional effects, axioms or numbers it only knows the blind heuristic.
    SaturatedCostPartitioning,
}

impl HeuristicKind {
    /// Whether the heuristic is admissible, that is, never overestimates.
    pub fn is_admissible(self) -> bool {
        matches!(self, Self::Blind | Self::Max | Self::LandmarkCut | Self::SaturatedCostPartitioning)
    }

    /// Builds the heuristic for a task. Long computations report their work to `spend` and return a partial result
    /// once it returns `true`.
    pub(crate) fn build(self, task: &SearchTask, cost_type: CostType, spend: WorkObserver<'_>) -> Box<dyn Heuristic> {
        match self {
            Self::Blind => Box::new(simple::Blind::new(task, cost_type)),
            Self::GoalCount => Box::new(simple::GoalCount::default()),
            Self::OrderedGoalCount => Box::new(OrderedGoals::new(task, spend)),
            Self::Max => Box::new(fast_forward::Max::new(task, cost_type)),
            Self::Add => Box::new(fast_forward::Additive::new(task, cost_type, false)),
            Self::FastForward => Box::new(fast_forward::Additive::new(task, cost_type, true)),
            Self::LandmarkCount => Box::new(landmarks::LandmarkCount::new(task, cost_type, spend)),
            Self::LandmarkCut => Box::new(landmark_cut::LandmarkCut::new(task, cost_type)),
            Self::SaturatedCostPartitioning => match PlainTask::new(task, cost_type) {
                Some(plain) => Box::new(abstractions::SaturatedCostPartitioning::new(&plain, spend)),
                None => Box::new(simple::Blind::new(task, cost_type)),
            },
        }
    }
}

/// A callback that receives work and returns whether all searches are to stop, in which case partial results suffice.
pub(crate) type WorkObserver<'h> = &'h dyn Fn(u64) -> bool;

/// Returns the heuristic value of the initial state; `None` if it is recognised as a dead end, which proves that there is no
/// plan.
pub fn initial_estimate(task: &SearchTask, kind: HeuristicKind, cost_type: CostType) -> Option<u32> {
    let mut heuristic = kind.build(task, cost_type, &|_| false);
    let state = State::initial(task);
    heuristic.begin(0, &state);
    heuristic.evaluate(task, 0, &state)
}

/// A heuristic. A value of `None` marks a dead end; every implementation recognises dead ends safely.
pub(crate) trait Heuristic {
    /// Reports the initial state, before its evaluation.
    fn begin(&mut self, _initial: StateId, _state: &State) {}

    /// Reports a transition, before the evaluation of the child.
    fn transition(&mut self, _parent: StateId, _before: &State, _child: StateId, _state: &State) {}

    /// Returns the estimated cost from a state to the goal; `None` for a dead end.
    fn evaluate(&mut self, task: &SearchTask, id: StateId, state: &State) -> Option<u32>;

    /// Breaks ties at random from now on, where the heuristic has any.
    fn set_random_ties(&mut self, _random: &mut Random) {}

    /// Returns the preferred operators of the state evaluated last, all of which are applicable in it.
    fn preferred(&self) -> &[u32] {
        &[]
    }

    /// Returns the work of all evaluations and transitions.
    fn work(&self) -> u64 {
        0
    }

    /// Returns the memory in bytes.
    fn bytes(&self) -> usize {
        0
    }
}
