//! The interface of monitoring engines: they take states, return a verdict on each, and finish with a report.

use std::sync::Arc;

use goalspec_syntax::diagnostic::ExceededLimit;

use crate::condition::Origin;
use crate::ids::{ObjectId, PredicateId};
use crate::state::{ChangeSet, ObjectArguments, State};
use crate::work::WorkBudget;

/// One state of a trace, as passed to an engine.
#[derive(Debug, Clone, Copy)]
pub struct StateUpdate<'a> {
    /// The state.
    pub state: &'a State,
    /// The changes since the previous step.
    pub changes: &'a ChangeSet,
    /// The objects that the recording lists in this state, changed or not (see [`Delta::listed_objects`](crate::state::Delta::listed_objects)).
    pub listed_objects: &'a [ObjectId],
    /// The number of objects listed in this state that the world does not know (see [`Delta::unknown_objects`](crate::state::Delta::unknown_objects)).
    pub unknown_objects: u32,
    /// The recording's clock (see [`Delta::clock`](crate::state::Delta::clock)).
    pub clock: u64,
    /// Seconds since the beginning of the recording, if it records time.
    pub time: Option<f64>,
    /// Whether this is known to be the last state. It is never known for a live stream, which [`GameMonitor::finish`] ends.
    pub last: bool,
}

/// The verdict of an engine on one state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verdict {
    /// The score after this state minus the score before it, rounded once. The rewards add up exactly to the final score if all
    /// intermediate scores are multiples of one power of two and below 2^53 times it (integers, for example). Otherwise the sum may differ
    /// by rounding errors, and `score` is authoritative.
    pub reward: f64,
    /// The score so far; 0 while it has no value. If it has no value at the end, the report contains the error.
    pub score: f64,
    /// Whether the setup holds in this state.
    pub setup_holds: bool,
    /// Whether the game is over, by its terminal condition or because this state was marked as the last. Further steps change nothing.
    pub done: bool,
    /// The satisfactions that end in this state, each with the index of its preference.
    pub satisfied: Vec<(usize, Satisfaction)>,
}

/// One satisfaction of one preference.
#[derive(Debug, Clone, PartialEq)]
pub struct Satisfaction {
    /// The variables (in compatibility semantics, the terms) and the objects bound to them, in order of declaration.
    pub binding: Vec<(Arc<str>, ObjectId)>,
    /// The first state, counted from 1.
    pub start: u64,
    /// The last state, counted from 1.
    pub end: u64,
    /// The recorded measures, each with the label of the measured expression.
    pub measures: Vec<(Arc<str>, f64)>,
}

/// The best attempt at an unsatisfied preference.
///
/// The best attempt at a sequence is the one that reached the furthest [position](crate::automaton::Automaton). Ties are broken by the
/// earliest state in which that position was reached, then by the first binding in order, then by the latest start. Under
/// [`Quantifier::Forall`](crate::program::Quantifier::Forall), only assignments that were never satisfied themselves are considered.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// The binding of the attempt, including the variables of the preference's own quantifier.
    pub binding: Vec<(Arc<str>, ObjectId)>,
    /// The index of the phase that was not completed: a `once` is completed by the state that it covers, a `hold` or `hold-while` by
    /// entering the next phase. 0 for at-end patterns and formulas.
    pub phase: usize,
    /// The number of events of that phase that had happened; 0 unless the phase is a [`Phase::HoldWhile`].
    ///
    /// [`Phase::HoldWhile`]: crate::pattern::Phase::HoldWhile
    pub events: usize,
    /// The furthest [position](crate::automaton::Automaton) of the sequence that was reached; 0 for at-end patterns and formulas, and if
    /// not even the first phase was entered.
    pub position: usize,
    /// The first state of the attempt, counted from 1; 0 if not even the first phase was entered.
    pub start: u64,
    /// The state, counted from 1, in which the attempt failed: the first state in which it could neither stay at its position nor advance,
    /// among the states in which the setup held. If it never failed, the last state in which the setup held.
    pub failed_at: u64,
    /// The atoms whose value in that state made the attempt fail. Engines leave this empty; [`Explainer`](crate::explain::Explainer) fills
    /// it in.
    pub evidence: Vec<Evidence>,
}

/// A condition whose value made an attempt fail or, in explanations of goals, decided a conjunct.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The condition as text, with its variables replaced by the objects bound to them: `(in bin_1 ball_2)`.
    pub condition: String,
    /// The value of the condition.
    pub value: bool,
    /// The operands of a comparison that have a value.
    pub numbers: Vec<f64>,
    /// The index of the phase that the condition belongs to. In one state, an attempt can fail both to enter the next phase and to stay in
    /// the current one.
    pub phase: usize,
    /// The source location.
    pub origin: Origin,
    /// The predicate and its objects, if the condition is a single atom.
    pub fact: Option<(PredicateId, ObjectArguments)>,
}

/// The report on one preference.
#[derive(Debug, Clone, PartialEq)]
pub struct PreferenceReport {
    /// The name.
    pub name: Arc<str>,
    /// The satisfactions, ordered by end, then start, then binding.
    pub satisfactions: Vec<Satisfaction>,
    /// The number of satisfactions that were counted but not kept, beyond
    /// [`MAX_LISTED_SATISFACTIONS`](crate::limits::MAX_LISTED_SATISFACTIONS).
    pub unlisted: u64,
    /// The value of `count`: the number of pairwise disjoint satisfactions, summed over the bindings.
    pub count: u64,
    /// The best attempt, if there is no satisfaction and the engine records attempts (engines may make this optional).
    pub attempt: Option<Attempt>,
}

/// The report on a whole run.
#[derive(Debug, Clone, PartialEq)]
pub struct GameReport {
    /// The final score, or the reason why it has no value.
    pub score: Result<f64, ScoreError>,
    /// The number of states, including the last.
    pub states: u64,
    /// Whether the setup held in at least one state; true for a game without a setup.
    pub setup_met: bool,
    /// The state, counted from 1, in which the terminal condition ended the game, if it did.
    pub terminal: Option<u64>,
    /// The reports on the preferences, in order of definition.
    pub preferences: Vec<PreferenceReport>,
    /// Messages about everything that was left out or could not be evaluated.
    pub remarks: Vec<String>,
}

/// The reason why a score has no value.
#[derive(Debug, Clone, PartialEq)]
pub enum ScoreError {
    /// A division by zero, with the source location of the quotient.
    DivisionByZero(Origin),
    /// The setup never held.
    SetupNeverMet,
    /// The trace has no states.
    NoStates,
    /// The chosen semantics define no score here, for the given reason.
    Undefined(Arc<str>),
    /// An intermediate or final value exceeds the range of 64-bit floats.
    OutOfRange,
}

impl std::fmt::Display for ScoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::DivisionByZero(_) => f.write_str("division by zero in the score"),
            Self::SetupNeverMet => f.write_str("the setup was never satisfied"),
            Self::NoStates => f.write_str("the trace has no states"),
            Self::OutOfRange => f.write_str("a number in the score exceeds the range of 64-bit floats"),
            Self::Undefined(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for ScoreError {}

/// The time between the first and the latest state of a run, as far as the states have times.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ElapsedTime {
    /// Whether there has been a state.
    begun: bool,
    /// The time of the first state, if it has one.
    first: Option<f64>,
    /// The time of the latest state that has one.
    latest: Option<f64>,
}

impl ElapsedTime {
    /// Adds the next state's time, in seconds.
    pub fn advance(&mut self, time: Option<f64>) {
        if !std::mem::replace(&mut self.begun, true) {
            self.first = time;
        }
        self.latest = time.or(self.latest);
    }

    /// Returns the seconds from the first state to the latest one with a time; `None` if there was no state or the first state has no time.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        Some(self.latest? - self.first?)
    }
}

/// The states in which a score or terminal condition had no value: their number, and the first with its error.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UndefinedStates {
    /// The number of states.
    count: u64,
    /// The first state, counted from 1, and its error.
    first: Option<(u64, ScoreError)>,
}

impl UndefinedStates {
    /// Adds a state, which must be later than those before.
    pub fn add(&mut self, state: u64, error: &ScoreError) {
        self.count += 1;
        self.first.get_or_insert_with(|| (state, error.clone()));
    }

    /// Removes the latest state, if there is one.
    pub fn remove_last(&mut self) {
        self.count = self.count.saturating_sub(1);
        self.first.take_if(|_| self.count == 0);
    }

    /// Returns the remark that the terminal condition had no value in these states, if there are any.
    #[must_use]
    pub fn terminal_remark(&self) -> Option<String> {
        self.remark("the terminal condition")
    }

    /// Returns the remark that the running score had no value in these states, if there are any.
    #[must_use]
    pub fn score_remark(&self) -> Option<String> {
        Some(self.remark("the running score")? + "; its value there is taken as 0")
    }

    fn remark(&self, subject: &str) -> Option<String> {
        let (state, error) = self.first.as_ref()?;
        let states = if self.count == 1 { "state" } else { "states" };
        Some(format!("{subject} was undefined in {} {states}, first in state {state}: {error}", self.count))
    }
}

/// The error of an engine that rejects a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MonitorError {
    /// A preference or the setup ranges over more bindings than the limit, by default [`MAX_BINDINGS`](crate::limits::MAX_BINDINGS).
    TooManyBindings {
        /// The preference, or `None` for the setup.
        preference: Option<Arc<str>>,
        /// The number of bindings: the product of the domains of the variables. For the setup, these are the variables of a quantifier and
        /// of those around it.
        bindings: u128,
        /// The limit.
        limit: u64,
        /// The source location of the preference, or of the quantifier's first variable.
        origin: Origin,
    },
    /// The quantifiers inside one condition may enumerate more than [`MAX_ASSIGNMENTS`](crate::limits::MAX_ASSIGNMENTS) assignments in a
    /// single evaluation.
    TooManyAssignments {
        /// The preference, or `None` for the setup.
        preference: Option<Arc<str>>,
        /// The upper bound on the number of assignments.
        assignments: u64,
        /// The source location of the preference or of the setup's statement.
        origin: Origin,
    },
    /// Expanded over the objects of the world, a goal has more parts than [`MAX_GOAL_PARTS`](crate::limits::MAX_GOAL_PARTS).
    GoalTooLarge {
        /// The conjunct in which the limit was reached, counted from 0.
        conjunct: usize,
        /// The source location of the conjunct.
        origin: Origin,
    },
    /// Preparing a run exceeds the limit of [work](crate::work).
    TooMuchWork {
        /// The limit, in units of work.
        limit: u64,
    },
    /// A run would exceed the memory limit, by default [`MAX_RUN_BYTES`](crate::limits::MAX_RUN_BYTES).
    TooMuchMemory {
        /// A lower bound on the required memory, in bytes.
        bytes: u64,
        /// The limit, in bytes.
        limit: u64,
    },
}

impl MonitorError {
    /// Returns the limit that is exceeded.
    pub fn exceeded(&self) -> ExceededLimit {
        let (limit, asked) = match self {
            Self::TooManyBindings { bindings, limit, .. } => {
                (*limit, Some(u64::try_from(*bindings).unwrap_or(u64::MAX)))
            }
            Self::TooManyAssignments { assignments, .. } => (crate::limits::MAX_ASSIGNMENTS, Some(*assignments)),
            Self::GoalTooLarge { .. } => (crate::limits::MAX_GOAL_PARTS as u64, None),
            Self::TooMuchWork { limit } => (*limit, None),
            Self::TooMuchMemory { bytes, limit } => (*limit, Some(*bytes)),
        };
        ExceededLimit { limit, asked }
    }
}

impl std::fmt::Display for MonitorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooManyBindings { preference, bindings, limit, .. } => {
                match preference {
                    Some(name) => write!(f, "preference `{name}`")?,
                    None => write!(f, "the setup")?,
                }
                write!(f, " has {bindings} bindings; the limit is {limit}")
            }
            Self::TooManyAssignments { preference, assignments, .. } => {
                match preference {
                    Some(name) => write!(f, "a condition of preference `{name}`")?,
                    None => write!(f, "a condition of the setup")?,
                }
                let limit = crate::limits::MAX_ASSIGNMENTS;
                write!(
                    f,
                    " has quantifiers that range over up to {assignments} assignments in each state; the limit is {limit}"
                )
            }
            Self::GoalTooLarge { conjunct, .. } => write!(
                f,
                "expanded over all objects, the goal exceeds the limit of {} parts in conjunct {}",
                crate::limits::MAX_GOAL_PARTS,
                conjunct + 1
            ),
            Self::TooMuchWork { limit } => write!(f, "compilation takes more than {limit} units of work"),
            Self::TooMuchMemory { bytes, limit } => {
                write!(
                    f,
                    "its bindings and conditions take at least {} MB, which exceeds the limit of {} MB",
                    bytes >> 20,
                    limit >> 20
                )
            }
        }
    }
}

impl std::error::Error for MonitorError {}

/// A monitor of a game: an engine that evaluates it over a sequence of states.
pub trait GameMonitor {
    /// Returns the counter of work done so far, with its limit. The verdict of a step that exceeds the limit is meaningless.
    fn work(&self) -> &WorkBudget;

    /// Processes the next state and returns the verdict on it. After [`Verdict::done`], further steps change nothing.
    fn step(&mut self, step: &StateUpdate<'_>) -> Verdict;

    /// Ends the run and returns the report. `state` is the state of the last step. If that step was not marked as the last, the report is
    /// as if [`StateUpdate::last`] had been true in it: at-end patterns and [`Condition::LastState`](crate::condition::Condition::LastState) are
    /// decided here. Further calls return the same report.
    fn finish(&mut self, state: &State) -> GameReport;

    /// Returns the progress of the most advanced attempt in progress at a preference, over all bindings: the fraction of the positions of
    /// its sequence, up to the first at which an attempt is complete, that the attempt has passed; from 0 to 1 exclusive. 0 without such an attempt, for patterns other than sequences, and for
    /// engines that do not track attempts. After a satisfaction, engines may track different attempts that can no longer succeed.
    fn attempt_progress(&self, _preference: usize) -> f64 {
        0.0
    }
}
