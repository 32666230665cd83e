//! What is said of a turn: the move that a team makes, what came of it, and what can go wrong. Every engine speaks in these.
//!
//! # Validity
//! A move is *valid* if what its action requires holds in the state after its cost; a pass is valid. Nothing else counts: an action
//! whose consequences find no vector is valid, and does nothing. A choice is valid if some values of its parameters make a valid
//! move; where `requires` reads parameters of more than [`MAX_TRIED`] values, or of no limited number, it counts as valid.
//!
//! [`Turn::valid`], the counts of invalid turns, recorded turns and masks all mean this. A mask says it of the state that a team
//! [observes](super::interpret::play::Play::mask), unless the true state is asked for.
//!
//! # Random numbers
//! A turn draws from the game's [`Stream`](super::random::Stream) in this order, so that every engine plays the same game from
//! the same seed:
//!
//! 1. the test whether the game is over;
//! 2. the policy;
//! 3. the test of what the action requires; nothing is drawn for its cost;
//! 4. if the action is valid, consequence by consequence: one number at the beginning of each group, whatever the odds are, and
//!    for a consequence that occurs, what its result draws.
//!
//! A result for vectors asks every vector of the board, in order, its source and then, if that passes, its target. Then it draws one
//! number to pick a vector, also if only one is left, and none if none is. Every result then computes its intermediate values,
//! its additions and its replacements, each exactly once, in the order in which they are written, before it changes anything,
//! and whether or not anything reads them; a result for each vector does so for one vector after the other, without drawing a
//! number to pick one. A custom result draws what it asks for.
//!
//! An expression draws from left to right, and nothing if one of its fields stands for nothing. Of a condition, only the case that holds
//! is computed. Tests that are combined are asked in order, up to the first that decides. Everything else draws nothing: a reward
//! or a mask takes what random numbers it needs from a copy of the stream, and observations and metrics need none.

use std::sync::Arc;

use super::board::{NodeId, ResourceId, SlotId, VectorId};
use super::game::{ActionId, ChoiceId, Game, TeamId};
use super::value::Value;

/// The most combinations of parameter values that are tried to find out whether a choice is valid.
pub const MAX_TRIED: usize = 4096;

/// What a team does in its turn.
#[derive(Debug, Clone, PartialEq)]
pub enum Move {
    /// Nothing at all, without cost.
    Pass,
    /// One of its choices, with values for its parameters in their order; without any where
    /// [`UnsetParameters`](super::rules::UnsetParameters) allows that.
    Choose(ChoiceId, Vec<Value>),
}

/// What came of a move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turn {
    /// Whether what the action requires held after its cost. A pass is valid.
    pub valid: bool,
    /// The consequences that occurred.
    pub occurred: Vec<Occurred>,
    /// The resource of every write that left a value outside of its declared space, also of one that was outside before; writes
    /// that are clamped count.
    pub outside: Vec<SlotId>,
    /// Every whole number that left 32 bits and wrapped around.
    pub overflows: Vec<Overflow>,
}

/// Where a whole number left 32 bits and wrapped around.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Overflow {
    /// In an addition to a resource of a node.
    Resource(NodeId, ResourceId),
    /// In a computation, before its result was written anywhere.
    Computation,
}

impl Overflow {
    /// The resource as `node.resource`, or `computations`.
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

impl Failure {
    /// What went wrong, in a sentence, with the names of the game.
    pub fn describe(&self, game: &Game) -> String {
        let team = |team: TeamId| game.teams.get(team.index()).map_or("?", |team| &team.name);
        let shown = |value: &Option<Value>| value.as_ref().map_or("missing".to_owned(), |value| format!("`{value}`"));
        let what = match &self.kind {
            FailureKind::UndefinedChoice { team: chooser, choice } => {
                let choices = game.teams.get(chooser.index()).map_or(&[][..], |team| &team.choices);
                let name = choices.get(choice.index()).map_or("?", |choice| &choice.name);
                format!("{} chose `{name}`, which the game does not define", team(*chooser))
            }
            FailureKind::Parameters { expected, found } => {
                format!("{found} values were given for {expected} parameters")
            }
            FailureKind::MissingAdded { place } => format!("what is added to `{place}` is missing"),
            FailureKind::MissingPut { place } => format!("what is put into `{place}` is missing"),
            FailureKind::BareNode { node } => {
                format!("the node `{}` has no resources to test or pay from", game.board.node(*node).name)
            }
            FailureKind::Outside { place, value } => format!("`{place}` left its declared space: {value}"),
            FailureKind::Reward { team: earner, value } => {
                format!("the reward of {} is no number: {}", team(*earner), shown(value))
            }
            FailureKind::NoReward { team: earner } => format!("the game does not say what {} earns", team(*earner)),
            FailureKind::NoTruth { value } => format!("a test gave no truth value: {}", shown(value)),
            FailureKind::UnknownResult { name } => format!("nobody provides the result `{name}`"),
            FailureKind::Custom { name, message } => format!("the result `{name}` failed: {message}"),
        };
        let action = self.action.and_then(|action| game.actions.get(action.index()));
        match (action, self.consequence) {
            (Some(action), Some(consequence)) => {
                format!("`{}`, consequence {}: {what}", action.name, consequence + 1)
            }
            (Some(action), None) => format!("`{}`: {what}", action.name),
            (None, _) => what,
        }
    }
}
