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
            Self::Plans { expected, found } => write!(f, "{found} plans for {expected} teams"),
            Self::States { limit, widest } => {
                write!(f, "there are more than {limit} states")?;
                match widest {
                    Some((name, count)) => write!(f, "; `{name}` takes {count} values in those that were reached"),
                    None => Ok(()),
                }
            }
            Self::Transitions { limit } => write!(f, "there are more than {limit} transitions"),
            Self::Bytes { limit } => write!(f, "the model takes more than {limit} bytes"),
            Self::Turns { limit } => write!(f, "the model is one of games of at most {limit} turns"),
            Self::Draw(draw) => write!(f, "{draw} draws a number from a range, so the states have no end"),
            Self::Parameter { team, choice, parameter, values } => {
                write!(f, "`{parameter}` of `{choice}`, which {team} may choose, ")?;
                match values {
                    Values::Continuous => write!(f, "is a real number from a range or a distribution"),
                    Values::Free => write!(f, "may be anything of its kind"),
                    Values::Many { limit } => write!(f, "has too many values: a team may have {limit} moves"),
                }
            }
            Self::Policy { team, error } => write!(f, "{team} has no move in a state that can be reached: {error}"),
            Self::Fails(_) => write!(f, "the game fails in a state that can be reached"),
            Self::Free { team } => write!(f, "nothing is said of how {team} plays"),
            Self::Reward { team } => {
                write!(f, "the reward of {team} is not a finite number in every state where games end")
            }
            Self::Decisions { limit } => {
                write!(f, "states and turns make more than {limit} decisions")
            }
            Self::NotConverged { rounds, change } => {
                write!(f, "after {rounds} rounds the values still change by {change}")
            }
            Self::Planned { team } => write!(f, "{team} plays by a plan, and decides on nothing"),
            Self::NoDecision { state } => write!(f, "no decision of state {state} is given"),
            Self::Turn { state } => write!(f, "what is best in state {state} depends on how many turns are left"),
            Self::Hidden { states: [one, other] } => {
                write!(f, "what is best differs in states {one} and {other}, which look the same to the team")
            }
        }
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Completed => write!(f, "the test whether the game is over"),
            Self::Requires(action) => write!(f, "what `{action}` requires"),
            Self::Consequence(action, at) => write!(f, "consequence {} of `{action}`", at + 1),
            Self::Reward(team) => write!(f, "the reward of {team}"),
            Self::Policy(team) => write!(f, "the policy of {team}"),
        }
    }
}

impl std::error::Error for Refusal {}
