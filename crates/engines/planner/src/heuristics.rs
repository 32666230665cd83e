//! Estimates of how far the goal is.

mod exploration;
mod fast_forward;
mod landmark_cut;
mod negation;
mod queue;
mod relaxation;
mod simple;
mod unary;

mod landmarks;

pub(crate) use fast_forward::Additive;
pub(crate) use landmarks::{GoalOrder, LandmarkGraph, OrderedGoals};

use crate::compiled::{CompiledTask, CostType};
use crate::state::{State, StateId};

/// Largest estimate; larger ones are taken for this. Two of them can be added in 32 bits.
pub(crate) const MAX_ESTIMATE: u32 = 1 << 30;

/// Which estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeuristicKind {
    /// Zero in a goal state, elsewhere the least cost of an operator. Admissible and consistent.
    Blind,
    /// How many facts of the goal do not hold.
    GoalCount,
    /// How many facts of the goal do not hold or will be undone by reaching others, by reasonable orders.
    OrderedGoals,
    /// `h_max`: the most expensive fact of the goal when deletes are ignored (Bonet and Geffner 2001). Admissible and
    /// consistent.
    Max,
    /// `h_add`: the sum of the costs of the goal's facts when deletes are ignored (Bonet and Geffner 2001).
    Add,
    /// `h_FF`: the cost of a plan when deletes are ignored (Hoffmann and Nebel 2001), from the cheapest supporters by `h_add`.
    FastForward,
    /// How many landmarks are still to be reached, or needed again (Richter and Westphal 2010).
    LandmarkCount,
    /// LM-cut: disjunctive action landmarks of the task without deletes (Helmert and Domshlak 2009). Admissible. Never less
    /// than `h_max`.
    LandmarkCut,
}

impl HeuristicKind {
    /// Whether it never overestimates.
    pub fn is_admissible(self) -> bool {
        matches!(self, Self::Blind | Self::Max | Self::LandmarkCut)
    }

    /// Makes it for a task; only roughly once `halt` says so, which is asked where making it can take long.
    pub(crate) fn build(self, task: &CompiledTask, cost_type: CostType, halt: Halt<'_>) -> Box<dyn Heuristic> {
        match self {
            Self::Blind => Box::new(simple::Blind::new(task, cost_type)),
            Self::GoalCount => Box::new(simple::GoalCount),
            Self::OrderedGoals => Box::new(OrderedGoals::new(task, halt)),
            Self::Max => Box::new(fast_forward::Max::new(task, cost_type)),
            Self::Add => Box::new(fast_forward::Additive::new(task, cost_type, false)),
            Self::FastForward => Box::new(fast_forward::Additive::new(task, cost_type, true)),
            Self::LandmarkCount => Box::new(landmarks::LandmarkCount::new(task, cost_type, halt)),
            Self::LandmarkCut => Box::new(landmark_cut::LandmarkCut::new(task, cost_type)),
        }
    }
}

/// Whether all searches are to stop, so that nothing that is being made will be needed.
pub(crate) type Halt<'h> = &'h dyn Fn() -> bool;

/// The estimate for the first state of a task; `None` if it shows that there is no plan.
pub fn estimate(task: &CompiledTask, kind: HeuristicKind, cost_type: CostType) -> Option<u32> {
    let mut heuristic = kind.build(task, cost_type, &|| false);
    let state = State::initial(task);
    heuristic.begin(0, &state);
    heuristic.evaluate(task, 0, &state)
}

/// An estimate. `None` means that the goal cannot be reached; all of ours that say so are right about it.
pub(crate) trait Heuristic {
    /// Told of the first state, before it is evaluated.
    fn begin(&mut self, _initial: StateId, _state: &State) {}

    /// Told that a state was reached from another one, before it is evaluated.
    fn transition(&mut self, _parent: StateId, _before: &State, _child: StateId, _state: &State) {}

    /// Estimates the cost from a state to the goal.
    fn evaluate(&mut self, task: &CompiledTask, id: StateId, state: &State) -> Option<u32>;

    /// The applicable operators that looked helpful in the state evaluated last.
    fn preferred(&self) -> &[u32] {
        &[]
    }

    /// Bytes taken.
    fn bytes(&self) -> usize {
        0
    }
}
