//! The compiled form of a game. Everything is an index into the words of a state or into the tables of [`CompiledResourceGame`].
//!
//! | module | contents |
//! |---|---|
//! | [`words`] | the layout of the words of a state, and the initial state |
//! | [`slots`] | the resources of nodes |
//! | [`constants`] | values that do not fit into words |
//! | [`observers`] | the representation of observers |
//! | [`decisions`] | tests |
//! | [`expressions`] | computations |
//! | [`node_tests`] | tests of nodes whose values the state mirrors |
//! | [`vectors`] | vectors and sets of vectors |
//! | [`effects`] | actions, their costs and consequences |
//! | [`choices`] | the choices of teams |
//! | [`rewards`] | the rewards of teams |

use std::sync::Arc;

use goalspec_resource::board::SlotId;
use goalspec_resource::compare::SignedZero;
use goalspec_resource::field::{Endpoint, Place};
use goalspec_resource::game::Game;
use goalspec_resource::rules::{Perspective, SpaceBoundsRule};
use goalspec_resource::space::Space;

use self::choices::Choices;
use self::constants::Constants;
use self::decisions::DecisionGraph;
use self::effects::Action;
use self::node_tests::NodeTests;
use self::observers::Observers;
use self::rewards::Rewards;
use self::slots::SlotTable;
use self::vectors::Vectors;
use self::words::{InitialState, WordLayout};

pub(crate) mod choices;
pub(crate) mod constants;
pub(crate) mod decisions;
pub(crate) mod effects;
pub(crate) mod expressions;
pub(crate) mod node_tests;
pub(crate) mod observers;
pub(crate) mod rewards;
pub(crate) mod slots;
pub(crate) mod vectors;
pub(crate) mod words;

/// A compiled game. All indices in its tables refer to tables of the same game, and to words of its [layout](WordLayout).
#[derive(Debug)]
pub(crate) struct CompiledResourceGame {
    /// The source, used for names and for whatever has no compiled form.
    pub(crate) game: Arc<Game>,
    /// The rules on numbers.
    pub(crate) numbers: NumberRules,
    /// The layout of the words of a state.
    pub(crate) layout: WordLayout,
    /// The initial state.
    pub(crate) initial: InitialState,
    /// The slots.
    pub(crate) slots: SlotTable,
    /// The constants.
    pub(crate) constants: Constants,
    /// The representation of observers.
    pub(crate) observers: Observers,
    /// The tests of nodes that select vectors.
    pub(crate) node_tests: NodeTests,
    /// The vectors.
    pub(crate) vectors: Vectors,
    /// The choices of the teams.
    pub(crate) choices: Choices,
    /// The actions.
    pub(crate) actions: Vec<Action>,
    /// The rewards of the teams.
    pub(crate) rewards: Rewards,
    /// The termination condition.
    pub(crate) completed: DecisionGraph,
}

/// The rules of a game that every comparison and every write of a number applies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberRules {
    /// The treatment of signed zeros.
    pub(crate) zeros: SignedZero,
    /// Whether values outside their spaces are written, and only counted.
    pub(crate) unbounded: bool,
}

impl NumberRules {
    /// Returns the rules of a game.
    pub(crate) fn of(game: &Game) -> Self {
        Self { zeros: game.rules.comparison.signed_zero, unbounded: game.rules.bounds == SpaceBoundsRule::Ignore }
    }
}

impl CompiledResourceGame {
    /// Returns the declared space of a slot.
    pub(crate) fn space(&self, slot: u32) -> Option<&Space> {
        declared_space(&self.game, slot)
    }

    /// Returns the name of a slot as written in games.
    pub(crate) fn slot_name(&self, slot: u32) -> String {
        let slot = self.slots.get(slot);
        format!("{}.{}", self.game.board.node(slot.node).name, self.game.board.resource(slot.resource))
    }

    /// Returns the name of a place as written in games.
    pub(crate) fn place_name(&self, place: Place) -> String {
        let end = |end| if end == Endpoint::Source { "_source" } else { "_target" };
        match place {
            Place::Resource(slot) => self.slot_name(slot.0),
            Place::Observers(node) => format!("{}.observable", self.game.board.node(node).name),
            Place::EndpointResource(at, resource) => format!("{}.{}", end(at), self.game.board.resource(resource)),
            Place::EndpointObservers(at) => format!("{}.observable", end(at)),
        }
    }

    /// Whether rewards are computed from the observation of the team.
    pub(crate) fn rewards_observe(&self) -> bool {
        self.game.rules.reward_view == Perspective::Observation
    }
}

/// Returns the declared space of a slot. Slots that are not on the board have none.
pub(crate) fn declared_space(game: &Game, slot: u32) -> Option<&Space> {
    let is_on_board = (slot as usize) < game.board.slots().len();
    let declaration = if is_on_board { game.board.slot(SlotId(slot)).declaration.as_ref() } else { None };
    declaration.map(|declaration| &declaration.space)
}
