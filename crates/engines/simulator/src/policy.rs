//! Policies: what decides on the moves of a team.
//!
//! | module | policy |
//! |---|---|
//! | [`simple`] | nothing, always the same, a script |
//! | [`random`] | any choice at random, or any valid one |
//! | [`greedy`] | the choice with the greatest expected reward |
//! | [`table`] | what a table says of what is observed |
//! | [`console`] | what a person says |
//!
//! A policy sees what its team observes, and by default judges by that alone which choices are valid and what comes of them: see
//! [`Simulator::observed`]. Policies that look ahead have an option that shows them the true state.
//! What it draws comes from the stream of the game, before anything else in the turn draws.

use std::fmt;
use std::sync::Arc;

use goalspec_core::resource::board::{NodeId, SlotId};
use goalspec_core::resource::field::Field;
use goalspec_core::resource::game::{Choice, NOTHING, TeamId};
use goalspec_core::resource::random::Stream;
use goalspec_core::resource::rules;
use goalspec_core::resource::space::SampleError;
use goalspec_core::resource::turn::{Failure, Move};
use goalspec_core::resource::value::Value;

use crate::eval::Frame;
use crate::simulator::Simulator;
use crate::state::State;

pub mod console;
pub mod greedy;
pub mod random;
pub mod simple;
pub mod table;

pub use console::{Console, Terminal};
pub use greedy::Greedy;
pub use random::{MaskedRandom, Random};
pub use simple::{Always, Nothing, Scripted};
pub use table::{Table, TableError};

/// Decides on the moves of a team.
pub trait Policy {
    /// Prepares for another game.
    fn reset(&mut self) {}

    /// Puts the move of this turn into `chosen`, whatever is there.
    ///
    /// # Errors
    /// If there is none.
    fn choose(&mut self, view: &mut View<'_>, chosen: &mut Move) -> Result<(), PolicyError>;
}

/// Why a policy has no move.
#[derive(Debug, Clone, PartialEq)]
pub enum PolicyError {
    /// The team has nothing to choose from.
    NoChoices,
    /// No value can be drawn for a parameter.
    NoValue {
        /// The choice.
        choice: Arc<str>,
        /// The parameter.
        parameter: Arc<str>,
        /// Why.
        reason: SampleError,
    },
    /// The team has no choice of this name.
    UnknownChoice(Arc<str>),
    /// A choice without a value for this parameter.
    MissingParameter {
        /// The choice.
        choice: Arc<str>,
        /// The parameter.
        parameter: Arc<str>,
    },
    /// The values of a parameter are not limited, or are too many to look at each.
    Unlimited {
        /// The choice.
        choice: Arc<str>,
        /// The parameter.
        parameter: Arc<str>,
    },
    /// There are too many moves to look at each.
    TooManyMoves {
        /// How many may be looked at.
        limit: usize,
    },
    /// What was looked at in order to decide failed.
    Failure(Box<Failure>),
    /// Nobody answers any more.
    NoAnswer,
    /// A table says nothing of what is observed.
    NoRow(String),
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoChoices => write!(f, "the team has nothing to choose from"),
            Self::NoValue { choice, parameter, reason } => {
                let reason = match reason {
                    SampleError::Free => "its values are not limited",
                    SampleError::Empty => "it has no values",
                };
                write!(f, "no value can be drawn for `{parameter}` of `{choice}`: {reason}")
            }
            Self::UnknownChoice(name) => write!(f, "the team cannot choose `{name}`"),
            Self::MissingParameter { choice, parameter } => write!(f, "`{choice}` needs a value for `{parameter}`"),
            Self::Unlimited { choice, parameter } => {
                write!(f, "`{parameter}` of `{choice}` has more values than can be looked at")
            }
            Self::TooManyMoves { limit } => write!(f, "there are more than {limit} moves to look at"),
            Self::Failure(_) => write!(f, "what was looked at in order to decide failed"),
            Self::NoAnswer => write!(f, "nobody answers any more"),
            Self::NoRow(row) => write!(f, "the table says nothing of {row}"),
        }
    }
}

impl std::error::Error for PolicyError {}

/// What a team observes of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservedNode {
    /// The node.
    pub node: NodeId,
    /// Whether the team sees it. If it does not, the values are those of the beginning.
    pub visible: bool,
    /// The resources that have values.
    pub values: Vec<(SlotId, Value)>,
}

/// A game as the team sees it whose turn it is.
pub struct View<'a> {
    simulator: &'a Simulator,
    state: &'a mut State,
    team: TeamId,
}

impl<'a> View<'a> {
    /// The view of the team whose turn it is.
    pub fn new(simulator: &'a Simulator, state: &'a mut State) -> Self {
        let team = simulator.team(state);
        Self { simulator, state, team }
    }

    /// The simulator, for the game and what it is called.
    pub fn simulator(&self) -> &'a Simulator {
        self.simulator
    }

    /// The team.
    pub fn team(&self) -> TeamId {
        self.team
    }

    /// What the team may choose from.
    pub fn choices(&self) -> &'a [Choice] {
        &self.simulator.game().teams[self.team.index()].choices
    }

    /// The numbers that the policy may draw.
    pub fn stream(&mut self) -> &mut Stream {
        self.state.stream()
    }

    /// How many turns are over.
    pub fn turns(&self) -> u32 {
        self.state.turns()
    }

    /// A field as the team observes it.
    pub fn field(&self, field: &Field) -> Option<Value> {
        let frame = Frame { view: Some(self.team), ..Frame::default() };
        self.state.field(self.simulator.compiled(), field, &frame)
    }

    /// Everything as the team observes it, node by node.
    pub fn observation(&self) -> Vec<ObservedNode> {
        let (c, game) = (self.simulator.compiled(), self.simulator.game());
        let mut nodes: Vec<ObservedNode> = (0..game.board.nodes().len())
            .map(|node| ObservedNode {
                node: node.into(),
                visible: self.state.sees(c, self.team, node.into()),
                values: Vec::new(),
            })
            .collect();
        for (slot, info) in game.board.slots() {
            if let Some(value) = self.state.observed(c, self.team, slot.0) {
                nodes[info.node.index()].values.push((slot, value));
            }
        }
        nodes
    }

    /// What the team has earned.
    ///
    /// # Errors
    /// As [`Simulator::reward`].
    pub fn reward(&mut self) -> Result<f64, PolicyError> {
        self.simulator.reward(self.state, self.team).map_err(failed)
    }

    /// For each choice, whether it is [valid](goalspec_core::resource::turn#validity) in the state that the team
    /// [observes](Simulator::observed).
    pub fn mask(&self) -> Vec<bool> {
        self.simulator.mask(self.state, self.team, rules::View::Observation)
    }

    /// For each choice, whether it is [valid](goalspec_core::resource::turn#validity) in the true state, which the team need not know.
    pub fn true_mask(&self) -> Vec<bool> {
        self.simulator.mask(self.state, self.team, rules::View::Truth)
    }

    /// A copy of the state, as the team observes it or as it is, to look ahead in.
    pub(crate) fn seen(&self, view: rules::View) -> State {
        self.simulator.seen(self.state, self.team, view)
    }
}

pub(crate) fn failed(failure: Failure) -> PolicyError {
    PolicyError::Failure(Box::new(failure))
}

/// The move of a name and named values; without any values, an action is chosen without its parameters where `rules` allow that.
pub(crate) fn move_of(
    choices: &[Choice],
    name: &str,
    values: &[(Arc<str>, Value)],
    rules: &rules::Rules,
) -> Result<Move, PolicyError> {
    let Some(place) = choices.iter().position(|choice| *choice.name == *name) else {
        // Every team may pass.
        return if name == NOTHING { Ok(Move::Pass) } else { Err(PolicyError::UnknownChoice(name.into())) };
    };
    if values.is_empty() && rules.unset_parameters == rules::UnsetParameters::Unrestricted {
        return Ok(Move::Choose(place.into(), Vec::new()));
    }
    let parameters = &choices[place].parameters;
    let values = parameters.iter().map(|parameter| {
        let value = values.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value.clone());
        let missing = PolicyError::MissingParameter { choice: name.into(), parameter: parameter.name.clone() };
        value.ok_or(missing)
    });
    Ok(Move::Choose(place.into(), values.collect::<Result<_, _>>()?))
}
