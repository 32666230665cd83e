//! The drawable content of a board.

use std::sync::Arc;

use crate::color;

/// Maximum number of characters of a displayed value.
pub const MAX_VALUE_CHARS: usize = 32;

/// Maximum number of displayed values of a node.
pub const MAX_VALUES: usize = 12;

/// The drawable content of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardView {
    /// The name of the game.
    pub title: Arc<str>,
    /// The teams, in the order of the game; their order decides their colours.
    pub teams: Vec<Arc<str>>,
    /// The nodes, in the order of the board.
    pub nodes: Vec<NodeView>,
    /// The vectors: the indices of the source and target nodes, and the id.
    pub vectors: Vec<(usize, usize, Arc<str>)>,
}

/// A node with its displayed values.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeView {
    /// The name of the node.
    pub name: Arc<str>,
    /// The first resources of the node, up to [`MAX_VALUES`], with their values truncated to [`MAX_VALUE_CHARS`] characters.
    pub values: Vec<(Arc<str>, String)>,
    /// The number of further resources.
    pub omitted_values: usize,
    /// The indices of the teams that see the node.
    pub observers: Vec<usize>,
    /// Whether the node is owned; `None` if it has no ownership resource.
    pub owned: Option<bool>,
}

impl NodeView {
    /// Creates a node that no team sees and that has no owner, with the text forms of all its resources.
    pub fn new(name: Arc<str>, values: impl ExactSizeIterator<Item = (Arc<str>, String)>) -> Self {
        Self {
            name,
            omitted_values: values.len().saturating_sub(MAX_VALUES),
            values: values.take(MAX_VALUES).map(|(name, value)| (name, cut(value))).collect(),
            observers: Vec::new(),
            owned: None,
        }
    }

    /// Returns the outline colour: that of the only team that sees the node, or a colour of its own if no team or several teams see
    /// it.
    pub(crate) fn color(&self, teams: usize) -> &'static str {
        match self.observers[..] {
            [] => color::UNSEEN_NODE,
            [only] if teams > 1 => color::of_team(only),
            _ => color::SHARED_NODE,
        }
    }
}

/// Truncates a text to the displayed length.
fn cut(text: String) -> String {
    match text.char_indices().nth(MAX_VALUE_CHARS) {
        None => text,
        Some(_) => text.chars().take(MAX_VALUE_CHARS - 1).chain(['…']).collect(),
    }
}
