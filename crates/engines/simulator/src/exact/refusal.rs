//! The errors of an exact analysis.

use std::fmt;
use std::sync::Arc;

use goalspec_resource::turn::Failure;

use crate::policy::PolicyError;

/// The error of a game without a finite model, or of an analysis that is not possible.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// The number of plans differs from the number of teams.
    Plans {
        /// The number of teams.
        expected: usize,
        /// The number of plans.
        found: usize,
    },
    /// The states exceed [`Limits::states`](super::Limits::states).
    States {
        /// The limit.
        limit: usize,
        /// The resource with the most distinct values among the states found, and the number of these values.
        widest: Option<(String, usize)>,
    },
    /// The transitions exceed [`Limits::transitions`](super::Limits::transitions).
    Transitions {
        /// The limit.
        limit: usize,
    },
    /// The model exceeds [`Limits::bytes`](super::Limits::bytes).
    Bytes {
        /// The limit.
        limit: usize,
    },
    /// The requested number of turns exceeds the one that the model was [explored](super::Limits::turns) with.
    Turns {
        /// The limit.
        limit: u32,
    },
    /// A random number is drawn that the model cannot branch on.
    Draw(Draw),
    /// A parameter has infinitely many values, or too many to enumerate.
    Parameter {
        /// The team.
        team: Arc<str>,
        /// The choice.
        choice: Arc<str>,
        /// The parameter.
        parameter: Arc<str>,
        /// The cause.
        values: Values,
    },
    /// A policy has no move in a reachable state.
    Policy {
        /// The team.
        team: Arc<str>,
        /// The error of the policy.
        error: PolicyError,
    },
    /// A move or a test fails in a reachable state.
    Fails(Box<Failure>),
    /// A state has several decisions where one is required, since some team has no plan.
    Free {
        /// The team.
        team: Arc<str>,
    },
    /// The reward of a team is not a finite number in some final state, or the game defines none for it.
    Reward {
        /// The team.
        team: Arc<str>,
    },
    /// The decisions for all states and numbers of turns exceed [`MAX_DECISIONS`](super::best::MAX_DECISIONS).
    Decisions {
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
    Planned {
        /// The team.
        team: Arc<str>,
    },
    /// The decisions contain no valid decision for a state.
    NoDecision {
        /// The state.
        state: usize,
    },
    /// The optimal decision in a state depends on the number of remaining turns, which no table can express.
    Turn {
        /// The state.
        state: usize,
    },
    /// The optimal decision depends on information that the team does not observe, which no table can express.
    Hidden {
        /// Two states with the same observation.
        states: [usize; 2],
    },
}

/// The reason why the values of a parameter cannot be enumerated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Real numbers of a range or a normal distribution.
    Continuous,
    /// All strings, all integers or all real numbers.
    Free,
    /// Too many values.
    Many {
        /// The maximum number of moves of the team.
        limit: usize,
    },
}

/// The location of a random draw that a model cannot branch on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Draw {
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

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plans { expected, found } => write!(f, "expected {expected} plans, one for each team, found {found}"),
            Self::States { limit, widest } => {
                write!(f, "the number of states exceeds the limit of {limit}")?;
                match widest {
                    Some((name, count)) => write!(f, "; `{name}` has {count} values in the states reached"),
                    None => Ok(()),
                }
            }
            Self::Transitions { limit } => write!(f, "the number of transitions exceeds the limit of {limit}"),
            Self::Bytes { limit } => write!(f, "the size of the model exceeds the limit of {limit} bytes"),
            Self::Turns { limit } => write!(f, "the model is limited to the first {limit} turns of a game"),
            Self::Draw(draw) => write!(f, "{draw} draws a number from a range, so the state space is infinite"),
            Self::Parameter { team, choice, parameter, values } => {
                write!(f, "`{parameter}` of `{choice}`, which {team} may choose, ")?;
                match values {
                    Values::Continuous => write!(f, "is a real number from a range or a distribution"),
                    Values::Free => write!(f, "has an unbounded space"),
                    Values::Many { limit } => write!(f, "has too many values: the limit is {limit} moves of a team"),
                }
            }
            Self::Policy { team, error } => write!(f, "{team} has no move in a reachable state: {error}"),
            Self::Fails(_) => write!(f, "the game fails in a reachable state"),
            Self::Free { team } => write!(f, "missing policy of {team}"),
            Self::Reward { team } => {
                write!(f, "the reward of {team} is not finite in every terminal state")
            }
            Self::Decisions { limit } => {
                write!(f, "the number of decisions in all states and turns exceeds the limit of {limit}")
            }
            Self::NotConverged { rounds, change } => {
                write!(f, "the values do not converge: they change by {change} after {rounds} rounds")
            }
            Self::Planned { team } => write!(f, "{team} has a fixed policy and makes no decisions"),
            Self::NoDecision { state } => write!(f, "missing decision in state {state}"),
            Self::Turn { state } => {
                write!(f, "the best move in state {state} depends on the number of remaining turns")
            }
            Self::Hidden { states: [one, other] } => {
                write!(
                    f,
                    "the best moves in the states {one} and {other} differ, but the team has the same observation in both"
                )
            }
        }
    }
}

impl fmt::Display for Draw {
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

impl std::error::Error for Refusal {}
