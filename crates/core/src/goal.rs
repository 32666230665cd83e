//! Goals over states: the interface of every engine that runs them, and the reference engine.
//!
//! A [`Goal`] is looked at in every state. A conjunct holds in a state if its condition does and all objects that it names
//! directly are present; the goal holds where all its conjuncts do.

use fixedbitset::FixedBitSet;

use crate::condition::Condition;
use crate::evaluate::{Bindings, Context};
use crate::ids::ObjectId;
use crate::interpret::holds_if_present;
use crate::monitor::Step;
use crate::program::Goal;
use crate::state::State;
use crate::work::Work;
use crate::world::World;

/// What holds of a goal in one state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoalVerdict {
    /// Whether all conjuncts hold.
    pub satisfied: bool,
    /// Which conjuncts hold, by place.
    pub conjuncts: FixedBitSet,
}

impl GoalVerdict {
    /// Nothing holds yet of so many conjuncts.
    pub fn new(conjuncts: usize) -> Self {
        Self { satisfied: conjuncts == 0, conjuncts: FixedBitSet::with_capacity(conjuncts) }
    }

    /// Takes over which conjuncts hold.
    pub fn update(&mut self, holds: impl IntoIterator<Item = bool>) {
        self.satisfied = true;
        for (place, holds) in holds.into_iter().enumerate() {
            self.conjuncts.set(place, holds);
            self.satisfied &= holds;
        }
    }

    /// The places of the conjuncts that hold, and of those that do not, counted from 0.
    pub fn split(&self) -> (Vec<usize>, Vec<usize>) {
        (0..self.conjuncts.len()).partition(|&place| self.conjuncts.contains(place))
    }
}

/// In which states something held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// In how many states it held.
    pub states: u64,
    /// The first of them, counted from 1.
    pub first: Option<u64>,
    /// The last of them, counted from 1.
    pub last: Option<u64>,
}

impl Span {
    fn note(&mut self, state: u64, holds: bool) {
        if holds {
            self.states += 1;
            self.first.get_or_insert(state);
            self.last = Some(state);
        }
    }
}

/// What came of a goal over a run of states.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoalReport {
    /// How many states were seen.
    pub states: u64,
    /// What held in the last of them; nothing if there was none.
    pub last: GoalVerdict,
    /// When the goal held.
    pub goal: Span,
    /// When each conjunct held.
    pub conjuncts: Vec<Span>,
}

/// A goal being looked at in one state after the other.
pub trait GoalMonitor {
    /// What the run has done so far, and how much it may do. Where it exceeds the limit in a step, what the step brought means nothing.
    fn work(&self) -> &Work;

    /// Takes the next state.
    fn step(&mut self, step: &Step<'_>) -> &GoalVerdict;

    /// Ends the run and reports. `state` is the state of the last step; it becomes the last state if it was not already: the
    /// report is as if [`Step::last`] had been true in that step. Calling it again gives the same report.
    fn finish(&mut self, state: &State) -> GoalReport;
}

/// The verdicts of a run, summed up. For engines.
#[derive(Debug, Clone, Default)]
pub struct GoalLog {
    /// Over all states but the latest.
    report: GoalReport,
}

impl GoalLog {
    /// No state yet of a goal with so many conjuncts.
    pub fn new(conjuncts: usize) -> Self {
        let last = GoalVerdict { satisfied: false, ..GoalVerdict::new(conjuncts) };
        Self { report: GoalReport { last, conjuncts: vec![Span::default(); conjuncts], ..GoalReport::default() } }
    }

    /// How many states there were.
    pub fn states(&self) -> u64 {
        self.report.states
    }

    /// Notes the verdict on the next state.
    pub fn note(&mut self, verdict: &GoalVerdict) {
        self.report.settle();
        self.report.states += 1;
        self.report.last.clone_from(verdict);
    }

    /// Notes another verdict on the latest state.
    pub fn correct(&mut self, verdict: &GoalVerdict) {
        if self.report.states > 0 {
            self.report.last.clone_from(verdict);
        }
    }

    /// The report on all states.
    pub fn report(&self) -> GoalReport {
        let mut report = self.report.clone();
        report.settle();
        report
    }
}

impl GoalReport {
    /// Counts the latest state.
    fn settle(&mut self) {
        if self.states == 0 {
            return;
        }
        self.goal.note(self.states, self.last.satisfied);
        for (place, span) in self.conjuncts.iter_mut().enumerate() {
            span.note(self.states, self.last.conjuncts.contains(place));
        }
    }
}

/// A goal run by the reference evaluator: every conjunct is evaluated anew in every state.
#[derive(Debug)]
pub struct GoalInterpreter<'a> {
    world: &'a World,
    goal: &'a Goal,
    /// Per conjunct, the objects that it names directly.
    named: Vec<Vec<ObjectId>>,
    verdict: GoalVerdict,
    log: GoalLog,
    work: Work,
}

impl<'a> GoalInterpreter<'a> {
    /// Before the first state.
    pub fn new(world: &'a World, goal: &'a Goal) -> Self {
        let count = goal.conjuncts.len();
        let named = goal.conjuncts.iter().map(|conjunct| conjunct.condition.named_objects()).collect();
        Self { world, goal, named, verdict: GoalVerdict::new(count), log: GoalLog::new(count), work: Work::new() }
    }

    fn look(&mut self, state: &State, first: bool, last: bool) {
        let nothing = FixedBitSet::new();
        let ctx = Context { world: self.world, state, first, last, setup: &nothing, work: Some(&self.work) };
        let conditions = self.goal.conjuncts.iter().map(|conjunct| &conjunct.condition);
        let mut bindings = Bindings::new(&self.goal.scope);
        let holds =
            |(condition, named): (&Condition, &Vec<ObjectId>)| holds_if_present(&ctx, condition, named, &mut bindings);
        self.verdict.update(conditions.zip(&self.named).map(holds));
    }
}

impl GoalMonitor for GoalInterpreter<'_> {
    fn work(&self) -> &Work {
        &self.work
    }

    fn step(&mut self, step: &Step<'_>) -> &GoalVerdict {
        self.look(step.state, self.log.states() == 0, step.last);
        self.log.note(&self.verdict);
        &self.verdict
    }

    fn finish(&mut self, state: &State) -> GoalReport {
        self.look(state, self.log.states() == 1, true);
        self.log.correct(&self.verdict);
        self.log.report()
    }
}
