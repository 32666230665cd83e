//! The words of a state: their layout, and their values in the initial state.

use std::ops::Range;
use std::sync::Arc;

use goalspec_resource::board::NodeId;
use goalspec_resource::value::Labels;

/// The layout of the words of a state. In order: the slots, the masks of the observers of nodes, the bits of bare nodes, the bit
/// masks of vectors, the odds of consequences. Parts that a game does not need have no words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WordLayout {
    /// The first of the masks of observers, one word for each node.
    observers: u32,
    /// The first of the words with a bit for each bare node; `None` if bare nodes are permitted.
    bare_nodes: Option<u32>,
    /// The first of the words with the current odds of consequences that have a discount.
    odds: u32,
    /// The number of words.
    len: u32,
}

impl WordLayout {
    /// Creates a layout from the first words of its parts and the number of all words.
    pub(crate) fn new(observers: usize, bare_nodes: Option<usize>, odds: usize, len: usize) -> Self {
        let bare_nodes = bare_nodes.map(|first| first as u32);
        Self { observers: observers as u32, bare_nodes, odds: odds as u32, len: len as u32 }
    }

    /// Returns the word with the mask of the observers of a node.
    #[inline]
    pub(crate) fn observers(&self, node: NodeId) -> usize {
        (self.observers + node.0) as usize
    }

    /// Returns the word and the bit that mark a bare node; `None` if bare nodes are permitted.
    #[inline]
    pub(crate) fn bare_node(&self, node: NodeId) -> Option<(usize, u64)> {
        self.bare_nodes.map(|first| (first as usize + node.index() / 64, 1 << (node.index() % 64)))
    }

    /// Returns the word with the current odds of a consequence, by its index among those with a discount.
    #[inline]
    pub(crate) fn odds(&self, index: u32) -> usize {
        (self.odds + index) as usize
    }

    /// Returns the range of the words with odds.
    pub(crate) fn all_odds(&self) -> Range<usize> {
        self.odds as usize..self.len as usize
    }
}

/// The words and tags of the initial state, and what teams expect of unobserved nodes. There is a tag for each slot.
#[derive(Debug)]
pub(crate) struct InitialState {
    words: Box<[u64]>,
    tags: Box<[u8]>,
    /// The initial values that teams expect of unobserved nodes; `None` if they are those of this game.
    expected: Option<ExpectedState>,
}

/// The initial state of the game that a variant is derived from.
#[derive(Debug)]
pub(crate) struct ExpectedState {
    /// The words of the slots.
    pub(crate) words: Box<[u64]>,
    /// The tags of the slots.
    pub(crate) tags: Box<[u8]>,
    /// The labels of the observers of each node.
    pub(crate) labels: Vec<Arc<Labels>>,
}

impl InitialState {
    /// Creates an initial state, in which teams expect the values of `expected` if that is given.
    pub(crate) fn new(words: Box<[u64]>, tags: Box<[u8]>, expected: Option<ExpectedState>) -> Self {
        Self { words, tags, expected }
    }

    /// Returns the same initial state with other words.
    pub(crate) fn with_words(self, words: Box<[u64]>) -> Self {
        Self { words, ..self }
    }

    /// Returns the words.
    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the tags of the slots.
    #[inline]
    pub(crate) fn tags(&self) -> &[u8] {
        &self.tags
    }

    /// Returns the word and the tag that teams expect of an unobserved slot.
    #[inline]
    pub(crate) fn expected_slot(&self, slot: u32) -> (u64, u8) {
        let slot = slot as usize;
        match &self.expected {
            Some(expected) => (expected.words[slot], expected.tags[slot]),
            None => (self.words[slot], self.tags[slot]),
        }
    }

    /// Returns the observers that teams expect of a node; `None` if they are those of this game.
    pub(crate) fn expected_observers(&self, node: NodeId) -> Option<&Arc<Labels>> {
        self.expected.as_ref().map(|expected| &expected.labels[node.index()])
    }
}
