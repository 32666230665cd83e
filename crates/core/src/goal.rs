//! The interface of engines that monitor goals, and the reference engine.
//!
//! A [`Goal`] is evaluated in every state. A conjunct holds in a state if its condition holds and all objects that it refers to by name are
//! present; the goal holds if all conjuncts do.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::condition::Condition;
use crate::evaluate::{Bindings, Context};
use crate::ids::ObjectId;
use crate::interpret::holds_if_present;
use crate::monitor::StateUpdate;
use crate::program::Goal;
use crate::state::State;
use crate::work::WorkBudget;
use crate::world::World;

/// The truth of a goal and of its conjuncts in one state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoalVerdict {
    /// Whether all conjuncts hold.
    pub satisfied: bool,
    /// The indices of the conjuncts that hold.
    pub conjuncts: FixedBitSet,
}

impl GoalVerdict {
    /// Creates a verdict in which none of the `conjuncts` conjuncts holds. A goal without conjuncts is satisfied.
    pub fn new(conjuncts: usize) -> Self {
        Self { satisfied: conjuncts == 0, conjuncts: FixedBitSet::with_capacity(conjuncts) }
    }

    /// Replaces the truth of the conjuncts, given in order, and recomputes `satisfied`.
    pub fn update(&mut self, holds: impl IntoIterator<Item = bool>) {
        self.satisfied = true;
        for (place, holds) in holds.into_iter().enumerate() {
            self.conjuncts.set(place, holds);
            self.satisfied &= holds;
        }
    }

    /// Returns the indices of the conjuncts that hold, and of those that do not, counted from 0.
    pub fn split(&self) -> (Vec<usize>, Vec<usize>) {
        (0..self.conjuncts.len()).partition(|&place| self.conjuncts.contains(place))
    }
}

/// The states of a run in which a goal or conjunct held: their number, the first and the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SatisfactionSummary {
    /// The number of states in which it held.
    pub states: u64,
    /// The first state in which it held, counted from 1.
    pub first: Option<u64>,
    /// The last state in which it held, counted from 1.
    pub last: Option<u64>,
}

impl SatisfactionSummary {
    fn add(&mut self, state: u64, holds: bool) {
        if holds {
            self.states += 1;
            self.first.get_or_insert(state);
            self.last = Some(state);
        }
    }
}

/// The result of monitoring a goal over a sequence of states.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoalReport {
    /// The number of states.
    pub states: u64,
    /// The verdict on the last state; nothing holds if there was no state.
    pub last: GoalVerdict,
    /// The states in which the goal held.
    pub goal: SatisfactionSummary,
    /// The states in which each conjunct held, by index.
    pub conjuncts: Vec<SatisfactionSummary>,
}

/// A monitor of a goal: an engine that evaluates it in each state of a sequence.
pub trait GoalMonitor {
    /// Returns the counter of work done so far, with its limit. The verdict of a step that exceeds the limit is meaningless.
    fn work(&self) -> &WorkBudget;

    /// Evaluates the goal in the next state.
    fn step(&mut self, step: &StateUpdate<'_>) -> &GoalVerdict;

    /// Ends the run and returns the report. `state` is the state of the last step; if that step was not marked as the last, the report is
    /// as if [`StateUpdate::last`] had been true in it. Further calls return the same report.
    fn finish(&mut self, state: &State) -> GoalReport;
}

/// An accumulator of the verdicts of a run, for implementations of [`GoalMonitor`].
#[derive(Debug, Clone, Default)]
pub struct GoalReportBuilder {
    /// The report over all states except the latest, whose verdict is already in `last`.
    report: GoalReport,
}

impl GoalReportBuilder {
    /// Creates an empty log of a goal with `conjuncts` conjuncts.
    pub fn new(conjuncts: usize) -> Self {
        let last = GoalVerdict { satisfied: false, ..GoalVerdict::new(conjuncts) };
        Self {
            report: GoalReport {
                last,
                conjuncts: vec![SatisfactionSummary::default(); conjuncts],
                ..GoalReport::default()
            },
        }
    }

    /// Returns the number of states so far.
    pub fn states(&self) -> u64 {
        self.report.states
    }

    /// Adds the verdict on the next state.
    pub fn push(&mut self, verdict: &GoalVerdict) {
        self.report.count_last();
        self.report.states += 1;
        self.report.last.clone_from(verdict);
    }

    /// Replaces the verdict on the latest state; does nothing before the first state.
    pub fn replace_last(&mut self, verdict: &GoalVerdict) {
        if self.report.states > 0 {
            self.report.last.clone_from(verdict);
        }
    }

    /// Returns the report over all states.
    pub fn report(&self) -> GoalReport {
        let mut report = self.report.clone();
        report.count_last();
        report
    }
}

impl GoalReport {
    /// Adds the latest state to the counts.
    fn count_last(&mut self) {
        if self.states == 0 {
            return;
        }
        self.goal.add(self.states, self.last.satisfied);
        for (place, span) in self.conjuncts.iter_mut().enumerate() {
            span.add(self.states, self.last.conjuncts.contains(place));
        }
    }
}

/// The reference engine for goals: it evaluates every conjunct anew in every state.
#[derive(Debug, Clone)]
pub struct GoalInterpreter {
    world: Arc<World>,
    goal: Arc<Goal>,
    /// The objects that each conjunct refers to by name.
    named: Vec<Vec<ObjectId>>,
    verdict: GoalVerdict,
    log: GoalReportBuilder,
    work: WorkBudget,
}

impl GoalInterpreter {
    /// Creates a monitor before the first state.
    pub fn new(world: impl Into<Arc<World>>, goal: impl Into<Arc<Goal>>) -> Self {
        let (world, goal) = (world.into(), goal.into());
        let count = goal.conjuncts.len();
        let named = goal.conjuncts.iter().map(|conjunct| conjunct.condition.named_objects()).collect();
        Self {
            world,
            goal,
            named,
            verdict: GoalVerdict::new(count),
            log: GoalReportBuilder::new(count),
            work: WorkBudget::new(),
        }
    }

    fn evaluate(&mut self, state: &State, first: bool, last: bool) {
        let nothing = FixedBitSet::new();
        let ctx = Context { world: &self.world, state, first, last, setup_objects: &nothing, work: Some(&self.work) };
        let conditions = self.goal.conjuncts.iter().map(|conjunct| &conjunct.condition);
        let mut bindings = Bindings::new(&self.goal.scope);
        let holds =
            |(condition, named): (&Condition, &Vec<ObjectId>)| holds_if_present(&ctx, condition, named, &mut bindings);
        self.verdict.update(conditions.zip(&self.named).map(holds));
    }
}

impl GoalMonitor for GoalInterpreter {
    fn work(&self) -> &WorkBudget {
        &self.work
    }

    fn step(&mut self, step: &StateUpdate<'_>) -> &GoalVerdict {
        self.evaluate(step.state, self.log.states() == 0, step.last);
        self.log.push(&self.verdict);
        &self.verdict
    }

    fn finish(&mut self, state: &State) -> GoalReport {
        self.evaluate(state, self.log.states() == 1, true);
        self.log.replace_last(&self.verdict);
        self.log.report()
    }
}
