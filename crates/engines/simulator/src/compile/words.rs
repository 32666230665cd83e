//! Assignment of words of the state.

use goalspec_resource::board::NodeId;
use goalspec_resource::game::Game;
use goalspec_resource::rules::NodesWithoutResourcesRule;

use crate::program::observers::{ObserverStorage, Observers};
use crate::program::words::WordLayout;

/// The words of the initial state in compilation, in the order of [`WordLayout`]; the odds are appended at the end.
pub(super) struct WordsBuilder {
    words: Vec<u64>,
    observers: usize,
    bare_nodes: Option<usize>,
    odds: Vec<f64>,
}

impl WordsBuilder {
    /// Begins with the words of the slots, followed by those of observers and bare nodes.
    pub(super) fn new(game: &Game, slots: Vec<u64>, observers: &Observers) -> Self {
        let mut builder = Self { observers: slots.len(), words: slots, bare_nodes: None, odds: Vec::new() };
        if let ObserverStorage::Masks(_) = observers.storage() {
            builder.words.extend(game.board.nodes().map(|(_, node)| observers.mask_of(&node.observers)));
        }
        if game.rules.nodes_without_resources == NodesWithoutResourcesRule::Error {
            builder.add_bare_nodes(game);
        }
        builder
    }

    /// Adds the words that mark bare nodes, if there are any.
    fn add_bare_nodes(&mut self, game: &Game) {
        let bare: Vec<NodeId> = game.board.nodes().filter(|(_, node)| !node.declared).map(|(id, _)| id).collect();
        if bare.is_empty() {
            return;
        }
        let first = self.words.len();
        self.words.resize(first + game.board.nodes().len().div_ceil(64), 0);
        for node in bare {
            self.words[first + node.index() / 64] |= 1 << (node.index() % 64);
        }
        self.bare_nodes = Some(first);
    }

    /// Whether bare nodes are marked.
    pub(super) fn has_bare_nodes(&self) -> bool {
        self.bare_nodes.is_some()
    }

    /// Adds a bit mask of this many words; returns its first word.
    pub(super) fn add_mask(&mut self, words: usize) -> u32 {
        let first = self.words.len() as u32;
        self.words.resize(self.words.len() + words, 0);
        first
    }

    /// Sets bits, given as pairs of a word and the bits in it.
    pub(super) fn set_bits(&mut self, bits: &[(u32, u64)]) {
        for &(word, bits) in bits {
            self.words[word as usize] |= bits;
        }
    }

    /// Adds the odds of a consequence with a discount; returns their index.
    pub(super) fn add_odds(&mut self, odds: f64) -> u32 {
        self.odds.push(odds);
        self.odds.len() as u32 - 1
    }

    /// Returns the layout and the words of the initial state.
    pub(super) fn finish(mut self) -> (WordLayout, Box<[u64]>) {
        let odds = self.words.len();
        self.words.extend(self.odds.iter().map(|odds| odds.to_bits()));
        (WordLayout::new(self.observers, self.bare_nodes, odds, self.words.len()), self.words.into())
    }
}
