//! A game: what teams may do on a board, what comes of it, what they earn, and when it ends.

use std::sync::Arc;

use super::board::Board;
use super::compute::Compute;
use super::field::Place;
use super::filter::Filter;
use super::rules::Rules;
use super::space::Space;
use super::value::Value;
use crate::ids::ids;

ids! {
    /// A team of a game.
    TeamId;
    /// An action of a game.
    ActionId;
    /// A choice of a team: an index into [`Team::choices`].
    ChoiceId;
}

/// The name of the action that is a free pass where the rules say so.
pub const NOTHING: &str = "nothing";

/// A resource graph game. Everything in it is resolved: what does not resolve was refused when the game was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// Its name.
    pub name: Arc<str>,
    /// A sentence about it; may be empty.
    pub description: Arc<str>,
    /// The decisions that count while it is played.
    pub rules: Rules,
    /// The board.
    pub board: Board,
    /// The teams, each once.
    pub teams: Vec<Team>,
    /// Whose turn it is, round after round; a team may come twice. Not empty.
    pub turns: Vec<TeamId>,
    /// The actions.
    pub actions: Vec<Action>,
    /// When the game is over, asked before every turn.
    pub completed: Filter,
    /// What is reported at the end.
    pub metrics: Vec<Metric>,
}

/// A team.
#[derive(Debug, Clone, PartialEq)]
pub struct Team {
    /// Its name, which is also the label that nodes are visible to.
    pub name: Arc<str>,
    /// What it may choose from in a turn, in the order of the text.
    pub choices: Vec<Choice>,
    /// What it earns: a level, computed from the state whenever it is asked for. `None` if the game does not say.
    pub reward: Option<Compute>,
}

/// Something that a team may choose in a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The name of the action.
    pub name: Arc<str>,
    /// What is done; `None` for an action that the game names and does not define: choosing it is an error, unless it is the free pass.
    pub action: Option<ActionId>,
    /// What has to be said along with it.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name. Of two names the game itself takes notice: `source` and `target` restrict the vectors of the results that pick one.
    pub name: Arc<str>,
    /// What it ranges over.
    pub space: Space,
}

/// An action: it is paid for, then tested, then has its consequences.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: Arc<str>,
    /// What is added to the state whenever it is chosen, valid or not, in this order.
    pub cost: Vec<(Place, Value)>,
    /// What has to hold after the cost for the action to be valid.
    pub requires: Filter,
    /// What may come of a valid action.
    pub consequences: Vec<Consequence>,
}

/// Something that may come of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct Consequence {
    /// The odds, as [`Rules::odds`] reads them; any number.
    pub odds: f64,
    /// What the odds are multiplied by after each valid execution of the action.
    pub discount: Option<f64>,
    /// Whether it begins a new group, with a new random number.
    pub independent: bool,
    /// What happens.
    pub outcome: Outcome,
}

/// What a consequence does.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Adds to resources and replaces them.
    Resources {
        /// Intermediate values, each computed from the state before.
        compute: Vec<Computed>,
        /// What is added; all are computed from the state before.
        add: Vec<(Place, Compute)>,
        /// What is replaced, after the additions; computed from the state before them.
        put: Vec<(Place, Compute)>,
    },
    /// Makes the target of a random vector visible to a team.
    MakeNodeVisible {
        /// The label that the node gets.
        label: Arc<str>,
        /// Which vectors.
        vectors: VectorFilter,
    },
    /// Adds to resources for one random vector, or for each.
    WithVectors {
        /// One, or each.
        pick: Pick,
        /// Which vectors.
        vectors: VectorFilter,
        /// Intermediate values, each computed from the state before.
        compute: Vec<Computed>,
        /// What is added; all are computed from the state before.
        add: Vec<(Place, Compute)>,
    },
    /// What the game's users provide: see [`super::custom`].
    Custom {
        /// The name of the result.
        name: Arc<str>,
        /// What the game says to it: a map of names to values, as written.
        parameters: Vec<(Arc<str>, Option<Value>)>,
    },
}

/// An intermediate value.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    /// Its name.
    pub name: Arc<str>,
    /// How it is computed.
    pub value: Compute,
}

/// Which vectors: tests of the nodes at their ends. Fields are those of the node asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorFilter {
    /// A test of where it comes from.
    pub source: Filter,
    /// A test of where it goes.
    pub target: Filter,
}

/// How many of the matching vectors a result is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pick {
    /// One of them, each as likely as the others; the parameters `source` and `target` of the action restrict them.
    Random,
    /// Each of those that match at the beginning, in the order of the board, each seeing what came of those before.
    All,
}

/// A value that is reported at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// The name as written.
    pub name: Arc<str>,
    /// What is reported.
    pub field: super::field::Field,
}
