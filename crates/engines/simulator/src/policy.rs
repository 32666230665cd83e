//! Policies, which choose the moves of teams.
//!
//! | module | policy |
//! |---|---|
//! | [`simple`] | no action, a constant choice, a script |
//! | [`random`] | a uniformly random choice, valid or not, or a uniformly random valid one |
//! | [`greedy`] | the move with the maximum expected reward after one turn |
//! | [`table`] | a lookup table from observations to moves |
//! | [`console`] | an interactive user |
//!
//! A policy reads the observation of its team, and by default evaluates the validity and the outcomes of moves on that
//! observation alone: see [`Simulator::observed`]. Policies that look ahead have an option to use the true state. A policy draws
//! from the stream of the game, before all other draws of the turn.

use std::fmt;
use std::sync::Arc;

use goalspec_resource::board::{NodeId, SlotId};
use goalspec_resource::field::Field;
use goalspec_resource::game::{Choice, NOTHING_ACTION, TeamId};
use goalspec_resource::random::RandomStream;
use goalspec_resource::rules;
use goalspec_resource::space::SampleError;
use goalspec_resource::turn::{GameError, Move};
use goalspec_resource::value::Value;

use crate::eval::EvalContext;
use crate::simulator::Simulator;
use crate::state::State;

pub mod console;
pub mod greedy;
pub mod random;
pub mod simple;
pub mod table;

pub use console::{Console, ConsolePolicy};
pub use greedy::GreedyPolicy;
pub use random::{MaskedRandomPolicy, RandomPolicy};
pub use simple::{ConstantPolicy, NothingPolicy, ScriptedPolicy};
pub use table::{TableError, TablePolicy};

/// A policy, which chooses the moves of a team.
pub trait Policy {
    /// Prepares for a new game.
    fn reset(&mut self) {}

    /// Chooses the move of this turn and stores it in `chosen`.
    ///
    /// # Errors
    /// If the policy has no move.
    fn choose(&mut self, view: &mut TeamView<'_>, chosen: &mut Move) -> Result<(), PolicyError>;
}

/// The error of a policy that has no move.
#[derive(Debug, Clone, PartialEq)]
pub enum PolicyError {
    /// The team has no choices.
    NoChoices,
    /// No value can be drawn for a parameter.
    NoValue {
        /// The choice.
        choice: Arc<str>,
        /// The parameter.
        parameter: Arc<str>,
        /// The cause.
        reason: SampleError,
    },
    /// The team has no choice of this name.
    UnknownChoice(Arc<str>),
    /// A parameter of the choice has no value.
    MissingParameter {
        /// The choice.
        choice: Arc<str>,
        /// The parameter.
        parameter: Arc<str>,
    },
    /// The values of a parameter are unbounded, or too many to enumerate.
    NonEnumerableParameter {
        /// The choice.
        choice: Arc<str>,
        /// The parameter.
        parameter: Arc<str>,
    },
    /// The moves are too many to enumerate.
    TooManyMoves {
        /// The maximum number of moves.
        limit: usize,
    },
    /// A lookahead failed.
    LookaheadFailed(Box<GameError>),
    /// The input of the user ended.
    EndOfInput,
    /// The table has no row for the observation.
    NoRow(String),
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoChoices => write!(f, "the team has no actions"),
            Self::NoValue { choice, parameter, reason } => {
                write!(f, "`{parameter}` of `{choice}` cannot be sampled: {reason}")
            }
            Self::UnknownChoice(name) => write!(f, "the team cannot choose `{name}`"),
            Self::MissingParameter { choice, parameter } => {
                write!(f, "missing value of the parameter `{parameter}` of `{choice}`")
            }
            Self::NonEnumerableParameter { choice, parameter } => {
                write!(f, "`{parameter}` of `{choice}` has too many values to enumerate")
            }
            Self::TooManyMoves { limit } => write!(f, "the number of moves exceeds the limit of {limit}"),
            Self::LookaheadFailed(_) => write!(f, "the lookahead failed"),
            Self::EndOfInput => write!(f, "end of input"),
            Self::NoRow(row) => write!(f, "the table has no row for {row}"),
        }
    }
}

impl std::error::Error for PolicyError {}

/// The observation of a node by a team.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservedNode {
    /// The node.
    pub node: NodeId,
    /// Whether the team sees the node; otherwise its values are the initial ones.
    pub visible: bool,
    /// The values of its resources, without missing ones.
    pub values: Vec<(SlotId, Value)>,
}

/// A game from the perspective of the team to move.
pub struct TeamView<'a> {
    simulator: &'a Simulator,
    state: &'a mut State,
    team: TeamId,
}

impl<'a> TeamView<'a> {
    /// Creates the view of the team to move.
    pub fn new(simulator: &'a Simulator, state: &'a mut State) -> Self {
        let team = simulator.team(state);
        Self { simulator, state, team }
    }

    /// Returns the simulator, which gives access to the game.
    pub fn simulator(&self) -> &'a Simulator {
        self.simulator
    }

    /// Returns the team to move.
    pub fn team(&self) -> TeamId {
        self.team
    }

    /// Returns the choices of the team.
    pub fn choices(&self) -> &'a [Choice] {
        &self.simulator.game().teams[self.team.index()].choices
    }

    /// Returns the source of random numbers of the policy.
    pub fn stream(&mut self) -> &mut RandomStream {
        self.state.stream()
    }

    /// Returns the number of turns played.
    pub fn turns(&self) -> u32 {
        self.state.turns()
    }

    /// Returns the number of turns that the team has played.
    pub fn own_turns(&self) -> usize {
        let order = &self.simulator.game().turns;
        let of_team = |turns: &[TeamId]| turns.iter().filter(|team| **team == self.team).count();
        let turns = self.state.turns() as usize;
        turns / order.len() * of_team(order) + of_team(&order[..turns % order.len()])
    }

    /// Returns the value of a field in the observation of the team.
    pub fn field(&self, field: &Field) -> Option<Value> {
        let frame = EvalContext { view: Some(self.team), ..EvalContext::default() };
        self.state.field(self.simulator.compiled(), field, &frame)
    }

    /// Returns the observation of the team, node by node.
    pub fn observation(&self) -> Vec<ObservedNode> {
        self.simulator.observed_nodes(self.state, self.team)
    }

    /// Returns the current reward of the team.
    ///
    /// # Errors
    /// As [`Simulator::reward`].
    pub fn reward(&mut self) -> Result<f64, PolicyError> {
        self.simulator.reward(self.state, self.team).map_err(failed)
    }

    /// Returns for each choice whether it is [valid](goalspec_resource::turn#validity) in the state that the team
    /// [observes](Simulator::observed).
    pub fn mask(&self) -> Vec<bool> {
        self.simulator.mask(self.state, self.team, rules::Perspective::Observation)
    }

    /// Returns for each choice whether it is [valid](goalspec_resource::turn#validity) in the true state, which the team
    /// may not observe.
    pub fn true_mask(&self) -> Vec<bool> {
        self.simulator.mask(self.state, self.team, rules::Perspective::TrueState)
    }

    /// Returns a copy of the true or the observed state for lookahead.
    pub(crate) fn lookahead_state(&self, view: rules::Perspective) -> State {
        self.simulator.state_from(self.state, self.team, view)
    }
}

pub(crate) fn failed(failure: GameError) -> PolicyError {
    PolicyError::LookaheadFailed(Box::new(failure))
}

/// Returns the move with a choice name and named parameter values; the values may be empty if `rules` permit that.
pub(crate) fn move_by_name(
    choices: &[Choice],
    name: &str,
    values: &[(Arc<str>, Value)],
    rules: &rules::GameRules,
) -> Result<Move, PolicyError> {
    let Some(place) = choices.iter().position(|choice| *choice.name == *name) else {
        // Every team may pass.
        return if name == NOTHING_ACTION { Ok(Move::Pass) } else { Err(PolicyError::UnknownChoice(name.into())) };
    };
    if values.is_empty() && rules.unset_parameters == rules::UnsetParameterRule::Allow {
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
