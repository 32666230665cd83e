//! What a picture of a board shows.

use std::sync::Arc;

use goalspec_core::resource::board::NodeId;
use goalspec_core::resource::game::Game;
use goalspec_core::resource::value::Value;
use goalspec_simulator::{Simulator, State};

use crate::color;

/// How many characters of a value are shown.
pub const MAX_VALUE: usize = 32;

/// How many values of a node are shown.
pub const MAX_VALUES: usize = 12;

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
    /// Its first resources, up to [`MAX_VALUES`], with their values, cut to [`MAX_VALUE`] characters.
    pub values: Vec<(Arc<str>, String)>,
    /// How many resources it has besides.
    pub more: usize,
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

    /// The board as it is in play; otherwise as [`Picture::beginning`].
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

/// A text with no more characters than are shown.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE) {
        None => text.to_owned(),
        Some(_) => text.chars().take(MAX_VALUE - 1).chain(['…']).collect(),
    }
}
