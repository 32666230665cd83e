//! What a picture of a board shows.

use std::sync::Arc;

use goalspec_core::resource::board::NodeId;
use goalspec_core::resource::game::Game;
use goalspec_core::resource::value::Value;
use goalspec_simulator::{Simulator, State};

use crate::color;

/// How many nodes a board has at most to be drawn.
pub const MAX_NODES: usize = 2000;

/// How many characters of a value are shown.
pub const MAX_VALUE: usize = 32;

/// A board that has more nodes than can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    /// How many it has.
    pub nodes: usize,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the board has {} nodes, more than the {MAX_NODES} that are drawn", self.nodes)
    }
}

impl std::error::Error for TooLarge {}

/// A board as it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The name of the game.
    pub title: Arc<str>,
    /// The teams, in the order of the game, with their colours.
    pub teams: Vec<(Arc<str>, &'static str)>,
    /// The nodes, in the order of the board.
    pub nodes: Vec<Shown>,
    /// The vectors: from which place to which, and their ids.
    pub vectors: Vec<(usize, usize, Arc<str>)>,
}

/// A node as it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// Its name.
    pub name: Arc<str>,
    /// Its resources with their values, cut to [`MAX_VALUE`] characters.
    pub values: Vec<(Arc<str>, String)>,
    /// The places of the teams that see it.
    pub seen_by: Vec<usize>,
    /// Whether somebody owns it; `None` where nothing says so.
    pub owned: Option<bool>,
}

impl Shown {
    /// The colour of its outline: of the team that alone sees it; another if several do, and another if nobody does.
    pub(crate) fn color(&self, teams: usize) -> &'static str {
        match self.seen_by[..] {
            [] => color::NOBODY,
            [only] if teams > 1 => color::of_team(only),
            _ => color::EVERYBODY,
        }
    }
}

impl Picture {
    /// The board at the beginning of a game. `ownership` is the name of a resource that says by a truth value whether a node is owned.
    ///
    /// # Errors
    /// If there are more than [`MAX_NODES`] nodes.
    pub fn beginning(game: &Game, ownership: Option<&str>) -> Result<Self, TooLarge> {
        let values = |node: NodeId| {
            let slots = game.board.slots().filter(|(_, slot)| slot.node == node);
            slots
                .filter_map(|(_, slot)| {
                    let initial = slot.declaration.as_ref()?.initial.clone();
                    Some((Arc::clone(game.board.resource(slot.resource)), initial))
                })
                .collect()
        };
        let sees = |node: NodeId, team: &str| game.board.node(node).seen_by.contains(team);
        Self::new(game, ownership, values, sees)
    }

    /// The board as it is in play; otherwise as [`Picture::beginning`].
    ///
    /// # Errors
    /// If there are more than [`MAX_NODES`] nodes.
    pub fn in_play(simulator: &Simulator, state: &State, ownership: Option<&str>) -> Result<Self, TooLarge> {
        let sees = |node: NodeId, team: &str| simulator.labels(state, node).contains(team);
        Self::new(simulator.game(), ownership, |node| simulator.values(state, node), sees)
    }

    fn new(
        game: &Game,
        ownership: Option<&str>,
        values: impl Fn(NodeId) -> Vec<(Arc<str>, Value)>,
        sees: impl Fn(NodeId, &str) -> bool,
    ) -> Result<Self, TooLarge> {
        let board = &game.board;
        if board.nodes().len() > MAX_NODES {
            return Err(TooLarge { nodes: board.nodes().len() });
        }
        let shown = |node: NodeId, name: &Arc<str>| {
            let values = values(node);
            let owner = ownership.and_then(|ownership| values.iter().find(|(name, _)| **name == *ownership));
            let seen_by = game.teams.iter().enumerate().filter(|(_, team)| sees(node, &team.name));
            Shown {
                name: Arc::clone(name),
                owned: owner.and_then(|(_, value)| value.as_truth()),
                seen_by: seen_by.map(|(place, _)| place).collect(),
                values: values.into_iter().map(|(name, value)| (name, cut(&value.to_string()))).collect(),
            }
        };
        Ok(Self {
            title: Arc::clone(&game.name),
            teams: game
                .teams
                .iter()
                .enumerate()
                .map(|(at, team)| (Arc::clone(&team.name), color::of_team(at)))
                .collect(),
            nodes: board.nodes().map(|(id, node)| shown(id, &node.name)).collect(),
            vectors: board
                .vectors()
                .map(|(_, vector)| (vector.source.index(), vector.target.index(), Arc::clone(&vector.id)))
                .collect(),
        })
    }
}

/// A text with no more characters than are shown.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE) {
        None => text.to_owned(),
        Some(_) => text.chars().take(MAX_VALUE - 1).chain(['…']).collect(),
    }
}
