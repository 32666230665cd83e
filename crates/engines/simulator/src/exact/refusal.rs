//! Why a game is not analysed.

use std::fmt;
use std::sync::Arc;

use goalspec_core::resource::turn::Failure;

use crate::policy::PolicyError;

/// Why a game has no finite model, or none that fits.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// There is not a plan for each team.
    Plans {
        /// How many teams there are.
        expected: usize,
        /// How many plans were given.
        found: usize,
    },
    /// There are more states than [`Limits::states`](super::Limits::states).
    States {
        /// The limit.
        limit: usize,
        /// The resource that takes most values, and how many in the states that were reached.
        widest: Option<(String, usize)>,
    },
    /// There are more transitions than [`Limits::transitions`](super::Limits::transitions).
    Transitions {
        /// The limit.
        limit: usize,
    },
    /// The model takes more bytes than [`Limits::bytes`](super::Limits::bytes).
    Bytes {
        /// The limit.
        limit: usize,
    },
    /// Games of more turns were asked for than the model was [explored](super::Limits::turns) with.
    Turns {
        /// The limit.
        limit: u32,
    },
    /// A number is drawn that is not one of a few.
    Draw(Draw),
    /// A parameter has no end of values, or more than can be looked at.
    Parameter {
        /// The team.
        team: Arc<str>,
        /// The choice.
        choice: Arc<str>,
        /// The parameter.
        parameter: Arc<str>,
        /// How many values it has.
        values: Values,
    },
    /// A policy has no move in a state that can be reached.
    Policy {
        /// The team.
        team: Arc<str>,
        /// Why.
        error: PolicyError,
    },
    /// A move or a test fails in a state that can be reached.
    Fails(Box<Failure>),
    /// Several moves are left open where each state should have one: some team plays as it likes.
    Free {
        /// The team.
        team: Arc<str>,
    },
    /// The reward of a team is no finite number in some final state, or the game does not say what the team earns.
    Reward {
        /// The team.
        team: Arc<str>,
    },
    /// Decisions for every state and number of turns are more than [`MAX_DECISIONS`](super::best::MAX_DECISIONS).
    Decisions {
        /// The limit.
        limit: usize,
    },
    /// The values still changed by this much after the last round.
    NotConverged {
        /// How many rounds there were.
        rounds: u32,
        /// The greatest change in the last of them.
        change: f64,
    },
    /// Decisions were asked for of a team that plays by a plan.
    Planned {
        /// The team.
        team: Arc<str>,
    },
    /// What was given as decisions has none for this state that the state has.
    NoDecision {
        /// The state.
        state: usize,
    },
    /// What is best in a state depends on how many turns are left: no table says it.
    Turn {
        /// The state.
        state: usize,
    },
    /// What is best depends on what the team does not observe: no table says it.
    Hidden {
        /// Two states that look the same to the team.
        states: [usize; 2],
    },
}

/// How many values a parameter has that cannot be looked at one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Real numbers of a range or a distribution.
    Continuous,
    /// Any text, any whole or any real number.
    Free,
    /// Too many.
    Many {
        /// The limit, for all moves of the team together.
        limit: usize,
    },
}

/// Where a number is drawn that is not one of a few.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Draw {
    /// In the test whether the game is over.
    Completed,
    /// In what an action requires.
    Requires(Arc<str>),
    /// In a consequence of an action, counted from 0.
    Consequence(Arc<str>, usize),
    /// In the reward of a team.
    Reward(Arc<str>),
    /// In the policy of a team.
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
