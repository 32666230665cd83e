//! A resource graph game: teams, their actions on a board, consequences, rewards and termination.

use std::sync::Arc;

use crate::board::Board;
use crate::compute::Computation;
use crate::field::Place;
use crate::filter::Filter;
use crate::rules::GameRules;
use crate::space::Space;
use crate::value::Value;
use goalspec_core::typed_ids;

typed_ids! {
    /// The index of a team in [`Game::teams`].
    TeamId;
    /// The index of an action in [`Game::actions`].
    ActionId;
    /// The index of a choice in [`Team::choices`].
    ChoiceId;
}

/// The name of the action that is a pass where [`GameRules::nothing`] makes it one.
pub const NOTHING_ACTION: &str = "nothing";

/// A resource graph game with every name resolved; the languages reject a text with unresolved names.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The name of the game.
    pub name: Arc<str>,
    /// A description in one sentence; may be empty.
    pub description: Arc<str>,
    /// The semantic options that apply while the game is played.
    pub rules: GameRules,
    /// The board.
    pub board: Board,
    /// The teams, each listed once.
    pub teams: Vec<Team>,
    /// The order of turns within a round; a team may occur several times. Not empty.
    pub turns: Vec<TeamId>,
    /// The actions.
    pub actions: Vec<Action>,
    /// The termination condition, tested before every turn.
    pub completed: Filter,
    /// The values reported when the game ends.
    pub metrics: Vec<Metric>,
}

/// A team: its choices and its reward.
#[derive(Debug, Clone, PartialEq)]
pub struct Team {
    /// The name of the team, which is also its label among the observers of a node.
    pub name: Arc<str>,
    /// The choices available in a turn, in the order of the text.
    pub choices: Vec<Choice>,
    /// The reward, a function of the state evaluated on request (a level, not an increment); `None` if the game defines no
    /// reward.
    pub reward: Option<Computation>,
}

/// A choice that a team can make in its turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The name of the action.
    pub name: Arc<str>,
    /// The action to execute; `None` if the game names the action without defining it: choosing it is an error unless it is the
    /// pass.
    pub action: Option<ActionId>,
    /// The parameters that a move with this choice supplies values for.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The name. Two names have a meaning in the game itself: `source` and `target` restrict the vectors from which results pick
    /// one.
    pub name: Arc<str>,
    /// The space of its values.
    pub space: Space,
}

/// An action: its cost is paid first, then its requirement is tested, then its consequences occur.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: Arc<str>,
    /// The additions to the state each time the action is chosen, whether or not it turns out valid, in order.
    pub cost: Vec<(Place, Value)>,
    /// The requirement: the action is valid if it holds after the cost is paid.
    pub requires: Filter,
    /// The possible consequences of a valid execution.
    pub consequences: Vec<Consequence>,
}

/// A possible consequence of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct Consequence {
    /// The odds, interpreted according to [`GameRules::odds`]; any number.
    pub odds: f64,
    /// The factor applied to the odds after each valid execution of the action; `None` if the odds stay constant.
    pub discount: Option<f64>,
    /// Whether it begins a new group, with a new random number.
    pub independent: bool,
    /// The effect.
    pub outcome: ConsequenceEffect,
}

/// Changes to the state that a consequence makes.
#[derive(Debug, Clone, PartialEq)]
pub enum ConsequenceEffect {
    /// Adds to resources and replaces them.
    Resources {
        /// The intermediate values, each computed from the state before the effect.
        compute: Vec<IntermediateValue>,
        /// The additions; all values are computed from the state before the effect.
        add: Vec<(Place, Computation)>,
        /// The replacements, applied after the additions; values are computed from the state before the effect.
        replace: Vec<(Place, Computation)>,
    },
    /// Makes the target node of a randomly picked vector visible to a team.
    MakeNodeVisible {
        /// The label added to the observers of the node.
        label: Arc<str>,
        /// The vectors to pick from.
        vectors: VectorFilter,
    },
    /// Adds to resources for one randomly picked vector, or for each matching vector.
    WithVectors {
        /// The selection among the matching vectors.
        pick: VectorSelection,
        /// The filter of vectors.
        vectors: VectorFilter,
        /// The intermediate values, each computed from the state before the effect.
        compute: Vec<IntermediateValue>,
        /// The additions; all values are computed from the state before the effect.
        add: Vec<(Place, Computation)>,
    },
    /// A result implemented by the user: see [`super::custom`].
    Custom {
        /// The name of the result.
        name: Arc<str>,
        /// The arguments written in the game: names with values.
        parameters: Vec<(Arc<str>, Option<Value>)>,
    },
}

/// A named intermediate value.
#[derive(Debug, Clone, PartialEq)]
pub struct IntermediateValue {
    /// Its name.
    pub name: Arc<str>,
    /// The computation.
    pub value: Computation,
}

/// A filter of vectors by tests of their end nodes. [`Field::TestedNodeResource`](super::field::Field::TestedNodeResource) and its relatives refer to the
/// tested node.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorFilter {
    /// The test of the source node.
    pub source: Filter,
    /// The test of the target node.
    pub target: Filter,
}

/// The selection of vectors that a result applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VectorSelection {
    /// One matching vector, each with equal probability; the parameters `source` and `target` of the action restrict the
    /// selection.
    Random,
    /// Every vector that matches before the first is processed, in the order of the board; each sees the effects of those before
    /// it.
    All,
}

/// A value reported when the game ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// The name as written in the game.
    pub name: Arc<str>,
    /// The reported field.
    pub field: super::field::Field,
}
