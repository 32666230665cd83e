//! The drawable content of a board.

use std::sync::Arc;

use goalspec_core::resource::board::NodeId;
use goalspec_core::resource::game::Game;
use goalspec_core::resource::value::Value;
use goalspec_simulator::{Simulator, State};

use crate::color;

/// Maximum number of characters of a displayed value.
pub const MAX_VALUE: usize = 32;

/// Maximum number of displayed values of a node.
pub const MAX_VALUES: usize = 12;

/// The drawable content of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The name of the game.
    pub title: Arc<str>,
    /// The teams with their colours, in the order of the game.
    pub teams: Vec<(Arc<str>, &'static str)>,
    /// The nodes, in the order of the board.
    pub nodes: Vec<Shown>,
    /// The vectors: the indices of the source and target nodes, and the id.
    pub vectors: Vec<(usize, usize, Arc<str>)>,
}

/// A node with its displayed values.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The name of the node.
    pub name: Arc<str>,
    /// The first resources of the node, up to [`MAX_VALUES`], with their values truncated to [`MAX_VALUE`] characters.
    pub values: Vec<(Arc<str>, String)>,
    /// The number of further resources.
    pub more: usize,
    /// The indices of the teams that see the node.
    pub seen_by: Vec<usize>,
    /// Whether the node is owned; `None` if it has no ownership resource.
    pub owned: Option<bool>,
}

impl Shown {
    /// Returns the outline colour: that of the only team that sees the node, or a colour of its own if no team or several teams see
    /// it.
    pub(crate) fn color(&self, teams: usize) -> &'static str {
        match self.seen_by[..] {
            [] => color::NOBODY,
            [only] if teams > 1 => color::of_team(only),
            _ => color::EVERYBODY,
        }
    }
}

impl Picture {
    /// Returns the board at the beginning of a game. `ownership` names a resource whose truth value states whether a node is owned.
    pub fn beginning(game: &Game, ownership: Option<&str>) -> Self {
        let mut values: Vec<Vec<(Arc<str>, Value)>> = vec![Vec::new(); game.board.nodes().len()];
        for (_, slot) in game.board.slots() {
            if let Some(declared) = &slot.declaration {
                let name = Arc::clone(game.board.resource(slot.resource));
                values[slot.node.index()].push((name, declared.initial.clone()));
            }
        }
        let sees = |node: NodeId, team: &str| game.board.node(node).seen_by.contains(team);
        Self::new(game, ownership, |node| std::mem::take(&mut values[node.index()]), sees)
    }

    /// Returns the board in a state of play. `ownership` is as in [`Picture::beginning`].
    pub fn in_play(simulator: &Simulator, state: &State, ownership: Option<&str>) -> Self {
        let sees = |node: NodeId, team: &str| simulator.labels(state, node).contains(team);
        Self::new(simulator.game(), ownership, |node| simulator.values(state, node), sees)
    }

    fn new(
        game: &Game,
        ownership: Option<&str>,
        mut values: impl FnMut(NodeId) -> Vec<(Arc<str>, Value)>,
        sees: impl Fn(NodeId, &str) -> bool,
    ) -> Self {
        let board = &game.board;
        let mut shown = |node: NodeId, name: &Arc<str>| {
            let values = values(node);
            let owner = ownership.and_then(|ownership| values.iter().find(|(name, _)| **name == *ownership));
            let seen_by = game.teams.iter().enumerate().filter(|(_, team)| sees(node, &team.name));
            Shown {
                name: Arc::clone(name),
                owned: owner.and_then(|(_, value)| value.as_truth()),
                seen_by: seen_by.map(|(place, _)| place).collect(),
                more: values.len().saturating_sub(MAX_VALUES),
                values: values
                    .into_iter()
                    .take(MAX_VALUES)
                    .map(|(name, value)| (name, cut(&value.to_string())))
                    .collect(),
            }
        };
        Self {
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
        }
    }
}

/// Truncates a text to the displayed length.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE) {
        None => text.to_owned(),
        Some(_) => text.chars().take(MAX_VALUE - 1).chain(['…']).collect(),
    }
}
