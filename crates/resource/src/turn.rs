//! Turns: moves, their effects and errors, as all engines report them.
//!
//! # Validity
//! A move is *valid* if the requirement of its action holds in the state after its cost; a pass is valid. Nothing else affects
//! validity: an action whose consequences match no vector is valid and does nothing. A choice is valid if some assignment of its
//! parameters makes a valid move. If `requires` reads parameters with more than [`MAX_MASK_COMBINATIONS`] combinations of values, or with an
//! unbounded number of them, the choice counts as valid.
//!
//! [`TurnResult::valid`], the counts of invalid turns, recorded turns and masks all use this definition. A mask applies it to the state
//! that the team [observes](super::interpret::play::Play::mask), unless the true state is requested.
//!
//! # Random numbers
//! A turn draws from the game's [`RandomStream`](super::random::RandomStream) in the following order, so that every engine plays the same
//! game from the same seed:
//!
//! 1. the termination condition;
//! 2. the policy;
//! 3. the requirement of the action (its cost draws nothing);
//! 4. if the action is valid, its consequences in order: one number at the beginning of each group, whatever the odds, and for a
//!    consequence that occurs, the draws of its result.
//!
//! A result for vectors tests the vectors of the board in order: the source first and, if it passes, the target. It then draws
//! one number to pick a vector, even if only one matches, and none if no vector matches. Every result computes its intermediate
//! values, additions and replacements before it changes the state, each exactly once and in textual order, whether or not they
//! are read. A result for all vectors does so for each vector in order, without drawing a number to pick one. The draws of a
//! custom result are its own.
//!
//! An expression draws from left to right, and draws nothing if one of its fields has no usable value. A conditional computes
//! only the first case that holds. Conjunctions and disjunctions stop at the first member that decides them. Nothing else draws:
//! rewards and masks draw from a copy of the stream, and observations and metrics need no random numbers.

use std::fmt;
use std::sync::Arc;

use crate::board::{NodeId, ResourceId, SlotId, VectorId};
use crate::game::{ActionId, ChoiceId, Game, TeamId};
use crate::value::Value;

/// The maximum number of combinations of parameter values tried to determine whether a choice is valid.
pub const MAX_MASK_COMBINATIONS: usize = 4096;

/// The move of a team in its turn.
#[derive(Debug, Clone, PartialEq)]
pub enum Move {
    /// A pass: no effect and no cost.
    Pass,
    /// A choice of the team with values for its parameters, in the order of declaration; the values may be empty where
    /// [`UnsetParameterRule`](super::rules::UnsetParameterRule) permits that.
    Choose(ChoiceId, Vec<Value>),
}

/// The effects of a move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnResult {
    /// Whether the requirement of the action held after its cost. A pass is valid.
    pub valid: bool,
    /// The consequences that occurred, in order.
    pub occurrences: Vec<Occurrence>,
    /// The resource of every write whose value was outside its declared space, in order. A value that was outside before counts
    /// again, and clamped writes count.
    pub out_of_bounds: Vec<SlotId>,
    /// The integer overflows, each of which wrapped around at 32 bits.
    pub overflows: Vec<Overflow>,
}

/// The location of an integer overflow, which wraps around at 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Overflow {
    /// An addition to a resource of a node.
    Resource(NodeId, ResourceId),
    /// A computation, before its result is written.
    Computation,
}

impl Overflow {
    /// Returns `node.resource`, or `computations`.
    pub fn name(self, game: &Game) -> String {
        match self {
            Self::Resource(node, resource) => {
                format!("{}.{}", game.board.node(node).name, game.board.resource(resource))
            }
            Self::Computation => "computations".to_owned(),
        }
    }
}

/// A consequence that occurred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Its index among the consequences of the action.
    pub consequence: usize,
    /// The vector that was picked; `None` if the consequence picks none or no vector matched.
    pub vector: Option<VectorId>,
}

/// An error that ends a game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameError {
    /// The action that was executed; `None` for rewards and the termination condition.
    pub action: Option<ActionId>,
    /// The index of the consequence within the action, if the error occurred in one.
    pub consequence: Option<usize>,
    /// The cause.
    pub kind: GameErrorKind,
}

/// The cause of a [`GameError`].
#[derive(Debug, Clone, PartialEq)]
pub enum GameErrorKind {
    /// A choice that the team does not have or that the game does not define.
    UndefinedChoice {
        /// The team.
        team: TeamId,
        /// The choice.
        choice: ChoiceId,
    },
    /// A move with the wrong number of parameter values.
    ParameterCount {
        /// The number of parameters of the choice.
        expected: usize,
        /// The number of values in the move.
        found: usize,
    },
    /// An addition of a missing value.
    AddMissingValue {
        /// The place to add to, as written.
        place: String,
    },
    /// A replacement by a missing value.
    PutMissingValue {
        /// The place to write to, as written.
        place: String,
    },
    /// A cost or a filter that refers to a node without resources.
    BareNode {
        /// The node.
        node: NodeId,
    },
    /// A value outside its declared space, where the rules treat this as an error.
    OutOfBounds {
        /// The resource, as written.
        place: String,
        /// The value.
        value: Value,
    },
    /// A reward that is not a number.
    NonNumericReward {
        /// The team.
        team: TeamId,
        /// The value of the reward.
        value: Option<Value>,
    },
    /// A request for the reward of a team for which the game defines none.
    UndefinedReward {
        /// The team.
        team: TeamId,
    },
    /// A test by computation whose value is not a Boolean.
    NonBooleanTest {
        /// The computed value.
        value: Option<Value>,
    },
    /// A custom result that is not registered.
    UnknownResult {
        /// Its name.
        name: Arc<str>,
    },
    /// A custom result that returned an error.
    CustomResult {
        /// Its name.
        name: Arc<str>,
        /// The error message.
        message: String,
    },
}

impl GameError {
    /// Returns a message in one sentence, with the names of the game.
    pub fn describe(&self, game: &Game) -> String {
        self.message(Some(game))
    }

    /// Returns the message with the names of a game, or without one with indices.
    fn message(&self, game: Option<&Game>) -> String {
        let named = |of_game: &dyn Fn(&Game) -> Arc<str>, kind: &str, index: usize| {
            game.map_or_else(|| format!("{kind} {index}"), |game| of_game(game).to_string())
        };
        let team = |team: TeamId| {
            let name = |game: &Game| game.teams.get(team.index()).map_or("?".into(), |team| team.name.clone());
            named(&name, "team", team.index())
        };
        let text = |value: &Option<Value>| value.as_ref().map_or("missing".to_owned(), |value| format!("`{value}`"));
        let reason = match &self.kind {
            GameErrorKind::UndefinedChoice { team: chooser, choice } => {
                let name = |game: &Game| {
                    let choices = game.teams.get(chooser.index()).map_or(&[][..], |team| &team.choices);
                    choices.get(choice.index()).map_or("?".into(), |choice| choice.name.clone())
                };
                let name = named(&name, "choice", choice.index());
                format!("{} chose the undefined action `{name}`", team(*chooser))
            }
            GameErrorKind::ParameterCount { expected, found } => {
                format!("expected {expected} parameter values, found {found}")
            }
            GameErrorKind::AddMissingValue { place } => format!("the value to add to `{place}` is missing"),
            GameErrorKind::PutMissingValue { place } => format!("the value to put into `{place}` is missing"),
            GameErrorKind::BareNode { node } => {
                let name = named(&|game| game.board.node(*node).name.clone(), "node", node.index());
                format!("the node `{name}` has no resources")
            }
            GameErrorKind::OutOfBounds { place, value } => {
                format!("the value of `{place}` is outside its declared space: {value}")
            }
            GameErrorKind::NonNumericReward { team: earner, value } => {
                format!("the reward of {} is not a number: {}", team(*earner), text(value))
            }
            GameErrorKind::UndefinedReward { team: earner } => {
                format!("the game defines no reward of {}", team(*earner))
            }
            GameErrorKind::NonBooleanTest { value } => {
                format!("the value of a test is not a boolean: {}", text(value))
            }
            GameErrorKind::UnknownResult { name } => format!("the result `{name}` is not registered"),
            GameErrorKind::CustomResult { name, message } => format!("the result `{name}` failed: {message}"),
        };
        let name = |action: ActionId| match game {
            Some(game) => game.actions.get(action.index()).map(|action| action.name.to_string()),
            None => Some(format!("action {}", action.index())),
        };
        let action = self.action.and_then(name);
        match (action, self.consequence) {
            (Some(action), Some(consequence)) => {
                format!("`{action}`, consequence {}: {reason}", consequence + 1)
            }
            (Some(action), None) => format!("`{action}`: {reason}"),
            (None, _) => reason,
        }
    }
}

/// The message with indices in place of the names; [`describe`](GameError::describe) has the names.
impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(None))
    }
}

impl std::error::Error for GameError {}
