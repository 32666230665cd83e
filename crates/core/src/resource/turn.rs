//! What is said of a turn: the move that a team makes, what came of it, and what can go wrong. Every engine speaks in these.
//!
//! # Random numbers
//! A turn draws from the game's [`Stream`](super::random::Stream) in this order, so that every engine plays the same game from
//! the same seed: what the policy draws; then, consequence by consequence, one number at the beginning of each group, and for
//! a consequence that occurs, what its result draws: one number to pick a vector where more than none match, and the numbers of
//! expressions from left to right, in the order in which intermediate values, additions and replacements are written.

use std::sync::Arc;

use super::board::{NodeId, VectorId};
use super::game::{ActionId, ChoiceId, TeamId};
use super::value::Value;

/// What a team does in its turn.
#[derive(Debug, Clone, PartialEq)]
pub enum Move {
    /// Nothing at all, without cost.
    Pass,
    /// One of its choices, with values for its parameters in their order.
    Choose(ChoiceId, Vec<Value>),
}

/// What came of a move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turn {
    /// Whether what the action requires held after its cost. A pass is valid.
    pub valid: bool,
    /// The consequences that occurred.
    pub occurred: Vec<Occurred>,
    /// How many values left their declared space in this turn.
    pub outside: u32,
}

/// A consequence that occurred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurred {
    /// Its place among the consequences of the action.
    pub consequence: usize,
    /// The vector that was picked, if one was to be picked and any matched.
    pub vector: Option<VectorId>,
}

/// What ends a game with an error.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The action that was played; `None` for rewards and completion.
    pub action: Option<ActionId>,
    /// The consequence of the action, if it was one.
    pub consequence: Option<usize>,
    /// What went wrong.
    pub kind: FailureKind,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq)]
pub enum FailureKind {
    /// A team chose what it does not have, or what the game does not define.
    UndefinedChoice {
        /// The team.
        team: TeamId,
        /// The choice.
        choice: ChoiceId,
    },
    /// A move without a value for each parameter.
    Parameters {
        /// How many the choice has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// A value that is missing was to be added.
    MissingAdded {
        /// What it was to be added to, as written.
        place: String,
    },
    /// A value that is missing was to be put.
    MissingPut {
        /// Where it was to be put, as written.
        place: String,
    },
    /// A cost or a filter met a node that has no resources.
    BareNode {
        /// The node.
        node: NodeId,
    },
    /// A value left its declared space where the rules forbid it.
    Outside {
        /// The resource, as written.
        place: String,
        /// The value.
        value: Value,
    },
    /// A reward that is no number.
    Reward {
        /// The team.
        team: TeamId,
        /// What it was.
        value: Option<Value>,
    },
    /// A team was asked for a reward that the game does not say.
    NoReward {
        /// The team.
        team: TeamId,
    },
    /// A test by computation that gave no truth value.
    NoTruth {
        /// What it gave.
        value: Option<Value>,
    },
    /// A custom result that nobody provides.
    UnknownResult {
        /// Its name.
        name: Arc<str>,
    },
    /// A custom result that failed.
    Custom {
        /// Its name.
        name: Arc<str>,
        /// What it said.
        message: String,
    },
}
