//! The interface of every engine: states go in, verdicts come out, and a report at the end.

use std::sync::Arc;

use crate::condition::Origin;
use crate::ids::{ObjectId, PredicateId};
use crate::state::{Arguments, ChangeSet, State};
use crate::work::Work;

/// One state as an engine sees it.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// The state.
    pub state: &'a State,
    /// What changed since the step before.
    pub changes: &'a ChangeSet,
    /// The objects that the recording lists in this state, changed or not (see [`Delta::mentioned`](crate::state::Delta::mentioned)).
    pub mentioned: &'a [ObjectId],
    /// How many more it lists that the world does not know (see [`Delta::foreign`](crate::state::Delta::foreign)).
    pub foreign: u32,
    /// The recording's clock (see [`Delta::clock`](crate::state::Delta::clock)).
    pub clock: u64,
    /// Seconds since the recording began, where it has time.
    pub time: Option<f64>,
    /// Whether this is known to be the last state. Live streams never know; [`Monitor::finish`] closes them.
    pub last: bool,
}

/// What a step brought.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verdict {
    /// Score after this state minus score before, rounded once. Rewards therefore add up to the final score exactly where
    /// all scores on the way are multiples of one power of two below 2^53 times it, such as whole numbers; elsewhere their
    /// sum may be off by rounding, and `score` is the number to trust.
    pub reward: f64,
    /// The score so far; 0 while it has no value. The score's error, if it has one at the end, is in the report.
    pub score: f64,
    /// Whether the setup holds in this state.
    pub ready: bool,
    /// Whether the game is over, by its terminal condition or because the state was known to be the last: further steps
    /// change nothing.
    pub done: bool,
    /// Satisfactions that ended in this state.
    pub satisfied: Vec<(usize, Satisfaction)>,
}

/// One satisfaction of one preference.
#[derive(Debug, Clone, PartialEq)]
pub struct Satisfaction {
    /// What each variable (or, in compatibility semantics, each term) was bound to, in order of declaration.
    pub binding: Vec<(Arc<str>, ObjectId)>,
    /// First state, counted from 1.
    pub start: u64,
    /// Last state, counted from 1.
    pub end: u64,
    /// Recorded measures with what was measured.
    pub measures: Vec<(Arc<str>, f64)>,
}

/// How far the best attempt at an unsatisfied preference got.
///
/// Of all attempts at a sequence the best is the one that reached the furthest
/// [position](crate::automaton::Automaton) of the sequence; of those, the one that reached it in the earliest state; of
/// those, the one whose binding comes first; of those, the one that started last. Under
/// [`Quantifier::Forall`](crate::program::Quantifier::Forall) only assignments that were never satisfied by themselves are
/// considered.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// The binding that got furthest, the variables of the preference's own quantifier included.
    pub binding: Vec<(Arc<str>, ObjectId)>,
    /// Index of the phase that could not be passed: a `once` is passed in the state that it covers, a `hold` or `hold-while`
    /// by entering the phase after it. For at-end and formulas 0.
    pub phase: usize,
    /// How many of the events of that phase had happened; 0 for all phases but [`Phase::HoldWhile`].
    ///
    /// [`Phase::HoldWhile`]: crate::pattern::Phase::HoldWhile
    pub events: usize,
    /// The furthest [position](crate::automaton::Automaton) of the sequence that was taken. For at-end and formulas, and when not even the
    /// first phase was entered, 0.
    pub position: usize,
    /// First state of the attempt, counted from 1; 0 when not even the first phase was entered.
    pub start: u64,
    /// The state, counted from 1, in which the attempt failed: the first in which preferences were looked for and it could
    /// neither stay where it was nor go on. The last such state at all if it was still alive then.
    pub failed_at: u64,
    /// The atoms whose value in that state made it fail. Engines leave this empty;
    /// [`Explainer`](crate::explain::Explainer) fills it in.
    pub blame: Vec<Blame>,
}

/// A condition that had the wrong value.
#[derive(Debug, Clone, PartialEq)]
pub struct Blame {
    /// The condition with its binding, as text: `(in bin_1 ball_2)`.
    pub condition: String,
    /// The value it had.
    pub value: bool,
    /// For comparisons, the numbers that were compared, as far as they have values.
    pub numbers: Vec<f64>,
    /// The phase that it belongs to: a state can fail to go on to the next phase and fail to stay in this one.
    pub phase: usize,
    /// Where it was written.
    pub origin: Origin,
    /// The predicate and its objects, if the condition is nothing but that.
    pub fact: Option<(PredicateId, Arguments)>,
}

/// Everything about one preference.
#[derive(Debug, Clone, PartialEq)]
pub struct PreferenceReport {
    /// Its name.
    pub name: Arc<str>,
    /// Its satisfactions, by end, then start, then binding.
    pub satisfactions: Vec<Satisfaction>,
    /// Satisfactions beyond [`MAX_KEPT_SATISFACTIONS`](crate::limits::MAX_KEPT_SATISFACTIONS), counted but not kept.
    pub dropped: u64,
    /// `count`: the sum over bindings of disjoint satisfactions.
    pub count: u64,
    /// The best attempt, where there is no satisfaction and the engine was asked to explain.
    pub attempt: Option<Attempt>,
}

/// What a whole play was worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The score, or why there is none.
    pub score: Result<f64, ScoreError>,
    /// How many states were seen, the final one included.
    pub states: u64,
    /// Whether the setup held in at least one state (true without a setup).
    pub setup_met: bool,
    /// The state, counted from 1, in which the terminal condition ended the game.
    pub terminal: Option<u64>,
    /// The preferences, in order of definition.
    pub preferences: Vec<PreferenceReport>,
    /// What was left out or could not be evaluated, in words; nothing is skipped silently.
    pub remarks: Vec<String>,
}

/// Why a score has no value.
#[derive(Debug, Clone, PartialEq)]
pub enum ScoreError {
    /// A division by zero, and where it is written.
    DivisionByZero(Origin),
    /// The setup never held, so the game was never played.
    SetupNeverMet,
    /// There was no state at all.
    NoStates,
    /// The semantics that were asked for give no score here, for the reason given.
    Failed(Arc<str>),
    /// A number on the way to the score is beyond the range of 64-bit floats.
    OutOfRange,
}

impl std::fmt::Display for ScoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::DivisionByZero(_) => f.write_str("division by zero in the score"),
            Self::SetupNeverMet => f.write_str("the setup was never met"),
            Self::NoStates => f.write_str("the trace has no states"),
            Self::OutOfRange => f.write_str("a number in the score is beyond the range of 64-bit floats"),
            Self::Failed(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for ScoreError {}

/// The time that has passed between the states of a play, as far as they give it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Elapsed {
    /// Whether there was a state.
    begun: bool,
    /// The time of the first state, if it gave one.
    first: Option<f64>,
    /// The latest time that a state gave.
    latest: Option<f64>,
}

impl Elapsed {
    /// Takes the time of the next state, in seconds.
    pub fn advance(&mut self, time: Option<f64>) {
        if !std::mem::replace(&mut self.begun, true) {
            self.first = time;
        }
        self.latest = time.or(self.latest);
    }

    /// Seconds from the first state to the latest that gives a time; `None` if the first state gives none, or there was no state.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        Some(self.latest? - self.first?)
    }
}

/// The states in which something had no value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gaps {
    /// How many there were.
    count: u64,
    /// The first of them, counted from 1, and why there was no value.
    first: Option<(u64, ScoreError)>,
}

impl Gaps {
    /// Adds a state, later than those before.
    pub fn add(&mut self, state: u64, error: &ScoreError) {
        self.count += 1;
        self.first.get_or_insert_with(|| (state, error.clone()));
    }

    /// Takes the latest state out, if there is one.
    pub fn take_back(&mut self) {
        self.count = self.count.saturating_sub(1);
        self.first.take_if(|_| self.count == 0);
    }

    /// The remark that the terminal condition had no value in these states, if there are any.
    #[must_use]
    pub fn of_terminal(&self) -> Option<String> {
        self.remark("the terminal condition")
    }

    /// The remark that the running score had no value in these states, if there are any.
    #[must_use]
    pub fn of_score(&self) -> Option<String> {
        Some(self.remark("the running score")? + "; it counts as 0 there")
    }

    fn remark(&self, what: &str) -> Option<String> {
        let (state, error) = self.first.as_ref()?;
        Some(format!("{what} had no value in {} states, first in state {state}: {error}", self.count))
    }
}

/// Why an engine does not run a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A preference or the setup ranges over more bindings than [`MAX_BINDINGS`](crate::limits::MAX_BINDINGS).
    TooManyBindings {
        /// The preference; `None`: it is the setup.
        preference: Option<Arc<str>>,
        /// How many bindings its variables have: the product of their domains. For the setup, of the variables of a
        /// quantifier and of those around it.
        bindings: u128,
        /// Where the preference or the quantifier's first variable was written.
        origin: Origin,
    },
    /// The quantifiers inside of a condition go through more assignments than
    /// [`MAX_ASSIGNMENTS`](crate::limits::MAX_ASSIGNMENTS) when it is evaluated once.
    TooManyAssignments {
        /// The preference; `None`: it is the setup.
        preference: Option<Arc<str>>,
        /// How many there are at most.
        assignments: u64,
        /// Where the preference or the statement was written.
        origin: Origin,
    },
    /// Taken apart over the objects of the world, a goal has more parts than
    /// [`MAX_GOAL_PARTS`](crate::limits::MAX_GOAL_PARTS).
    GoalTooLarge {
        /// The conjunct in which the limit was reached, counted from 0.
        conjunct: usize,
        /// Where it was written.
        origin: Origin,
    },
    /// Preparing a run takes more [work](crate::work) than it may.
    TooMuchWork {
        /// How many units it may take.
        limit: u64,
    },
    /// A run would take more memory than it may, by default [`MAX_RUN_BYTES`](crate::limits::MAX_RUN_BYTES).
    TooMuchMemory {
        /// How many bytes it would take at least.
        bytes: u64,
        /// How many it may take.
        limit: u64,
    },
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooManyBindings { preference, bindings, .. } => {
                match preference {
                    Some(name) => write!(f, "preference `{name}`")?,
                    None => write!(f, "the setup")?,
                }
                write!(f, " ranges over {bindings} bindings; at most {} are run", crate::limits::MAX_BINDINGS)
            }
            Self::TooManyAssignments { preference, assignments, .. } => {
                match preference {
                    Some(name) => write!(f, "a condition of preference `{name}`")?,
                    None => write!(f, "a condition of the setup")?,
                }
                let limit = crate::limits::MAX_ASSIGNMENTS;
                write!(
                    f,
                    " has quantifiers that go through up to {assignments} assignments in each state; at most {limit} are run"
                )
            }
            Self::GoalTooLarge { conjunct, .. } => write!(
                f,
                "taken apart over all objects, the goal has more than {} parts by conjunct {}",
                crate::limits::MAX_GOAL_PARTS,
                conjunct + 1
            ),
            Self::TooMuchWork { limit } => write!(f, "compiling it takes more than {limit} units of work"),
            Self::TooMuchMemory { bytes, limit } => {
                write!(
                    f,
                    "its bindings and conditions take {} MB or more; at most {} MB are given",
                    bytes >> 20,
                    limit >> 20
                )
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// A program being run over states.
pub trait Monitor {
    /// What the run has done so far, and how much it may do. Where it exceeds the limit in a step, what the step brought means nothing.
    fn work(&self) -> &Work;

    /// Takes the next state. After [`Verdict::done`], further steps change nothing.
    fn step(&mut self, step: &Step<'_>) -> Verdict;

    /// Ends the play and reports. `state` is the state of the last step; it becomes the last state if it was not already:
    /// the report is as if [`Step::last`] had been true in that step, so at-end patterns and
    /// [`Condition::LastState`](crate::condition::Condition::LastState) are settled here. Calling it again gives the same
    /// report.
    fn finish(&mut self, state: &State) -> Report;
}
