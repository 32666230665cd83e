//! The errors of an exact analysis.

use std::fmt;
use std::sync::Arc;

use goalspec_resource::turn::GameError;

use crate::policy::PolicyError;

/// The error of a game without a finite model, or of an analysis that is not possible.
#[derive(Debug, Clone, PartialEq)]
pub enum AnalysisError {
    /// The number of plans differs from the number of teams.
    PlanCount {
        /// The number of teams.
        expected: usize,
        /// The number of plans.
        found: usize,
    },
    /// The states exceed [`ModelLimits::states`](super::ModelLimits::states).
    TooManyStates {
        /// The limit.
        limit: usize,
        /// The resource with the most distinct values among the states found, and the number of these values.
        widest: Option<(String, usize)>,
    },
    /// The transitions exceed [`ModelLimits::transitions`](super::ModelLimits::transitions).
    TooManyTransitions {
        /// The limit.
        limit: usize,
    },
    /// The model exceeds [`ModelLimits::bytes`](super::ModelLimits::bytes).
    TooManyBytes {
        /// The limit.
        limit: usize,
    },
    /// The requested number of turns exceeds the one that the model was [explored](super::ModelLimits::turns) with.
    HorizonTooLong {
        /// The limit.
        limit: u32,
    },
    /// A random number is drawn that the model cannot branch on.
    UnsupportedDraw(DrawLocation),
    /// A parameter has infinitely many values, or too many to enumerate.
    NonEnumerableParameter {
        /// The team.
        team: Arc<str>,
        /// The choice.
        choice: Arc<str>,
        /// The parameter.
        parameter: Arc<str>,
        /// The cause.
        values: ParameterDomain,
    },
    /// A policy has no move in a reachable state.
    PolicyFailed {
        /// The team.
        team: Arc<str>,
        /// The error of the policy.
        error: PolicyError,
    },
    /// A move or a test fails in a reachable state.
    GameFailed(Box<GameError>),
    /// A state has several decisions where one is required, since some team has no plan.
    MissingPolicy {
        /// The team.
        team: Arc<str>,
    },
    /// The reward of a team is not a finite number in some final state, or the game defines none for it.
    NonFiniteReward {
        /// The team.
        team: Arc<str>,
    },
    /// The decisions for all states and numbers of turns exceed [`MAX_DECISIONS`](super::best_response::MAX_DECISIONS).
    TooManyDecisions {
        /// The limit.
        limit: usize,
    },
    /// Value iteration did not converge.
    NotConverged {
        /// The number of iterations.
        rounds: u32,
        /// The maximum change of a value in the last iteration.
        change: f64,
    },
    /// Decisions were requested for a team that follows a plan.
    FixedPolicy {
        /// The team.
        team: Arc<str>,
    },
    /// The decisions contain no valid decision for a state.
    MissingDecision {
        /// The state.
        state: usize,
    },
    /// The optimal decision in a state depends on the number of remaining turns, which no table can express.
    TimeDependent {
        /// The state.
        state: usize,
    },
    /// The optimal decision depends on information that the team does not observe, which no table can express.
    NotObservable {
        /// Two states with the same observation.
        states: [usize; 2],
    },
}

/// The reason why the values of a parameter cannot be enumerated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterDomain {
    /// Real numbers of a range or a normal distribution.
    Continuous,
    /// All strings, all integers or all real numbers.
    Unbounded,
    /// Too many values.
    Many {
        /// The maximum number of moves of the team.
        limit: usize,
    },
}

/// The location of a random draw that a model cannot branch on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DrawLocation {
    /// The termination condition.
    Completed,
    /// The requirement of an action.
    Requires(Arc<str>),
    /// A consequence of an action, by its index.
    Consequence(Arc<str>, usize),
    /// The reward of a team.
    Reward(Arc<str>),
    /// The policy of a team.
    Policy(Arc<str>),
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PlanCount { expected, found } => {
                write!(f, "expected {expected} plans, one for each team, found {found}")
            }
            Self::TooManyStates { limit, widest } => {
                write!(f, "the number of states exceeds the limit of {limit}")?;
                match widest {
                    Some((name, count)) => write!(f, "; `{name}` has {count} values in the states reached"),
                    None => Ok(()),
                }
            }
            Self::TooManyTransitions { limit } => write!(f, "the number of transitions exceeds the limit of {limit}"),
            Self::TooManyBytes { limit } => write!(f, "the size of the model exceeds the limit of {limit} bytes"),
            Self::HorizonTooLong { limit } => write!(f, "the model is limited to the first {limit} turns of a game"),
            Self::UnsupportedDraw(draw) => {
                write!(f, "{draw} draws a number from a range, so the state space is infinite")
            }
            Self::NonEnumerableParameter { team, choice, parameter, values } => {
                write!(f, "`{parameter}` of `{choice}`, which {team} may choose, ")?;
                match values {
                    ParameterDomain::Continuous => write!(f, "is a real number from a range or a distribution"),
                    ParameterDomain::Unbounded => write!(f, "has an unbounded space"),
                    ParameterDomain::Many { limit } => {
                        write!(f, "has too many values: the limit is {limit} moves of a team")
                    }
                }
            }
            Self::PolicyFailed { team, error } => write!(f, "{team} has no move in a reachable state: {error}"),
            Self::GameFailed(_) => write!(f, "the game fails in a reachable state"),
            Self::MissingPolicy { team } => write!(f, "missing policy of {team}"),
            Self::NonFiniteReward { team } => {
                write!(f, "the reward of {team} is not finite in every terminal state")
            }
            Self::TooManyDecisions { limit } => {
                write!(f, "the number of decisions in all states and turns exceeds the limit of {limit}")
            }
            Self::NotConverged { rounds, change } => {
                write!(f, "the values do not converge: they change by {change} after {rounds} rounds")
            }
            Self::FixedPolicy { team } => write!(f, "{team} has a fixed policy and makes no decisions"),
            Self::MissingDecision { state } => write!(f, "missing decision in state {state}"),
            Self::TimeDependent { state } => {
                write!(f, "the best move in state {state} depends on the number of remaining turns")
            }
            Self::NotObservable { states: [one, other] } => {
                write!(
                    f,
                    "the best moves in the states {one} and {other} differ, but the team has the same observation in both"
                )
            }
        }
    }
}

impl fmt::Display for DrawLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Completed => write!(f, "the end condition"),
            Self::Requires(action) => write!(f, "the requirement of `{action}`"),
            Self::Consequence(action, at) => write!(f, "consequence {} of `{action}`", at + 1),
            Self::Reward(team) => write!(f, "the reward of {team}"),
            Self::Policy(team) => write!(f, "the policy of {team}"),
        }
    }
}

impl std::error::Error for AnalysisError {}
