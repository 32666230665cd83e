//! The vectors of a game and the sets that consequences select from.

use goalspec_resource::board::{NodeId, VectorId};
use goalspec_resource::field::Endpoint;
use goalspec_resource::filter::Filter;

/// The vectors of a board in its order, and the sets of vectors that consequences select from.
#[derive(Debug)]
pub(crate) struct Vectors {
    ends: Vec<[NodeId; 2]>,
    /// For each node, its outgoing and its incoming vectors.
    by_node: Vec<[Box<[VectorId]>; 2]>,
    sets: Vec<VectorSet>,
}

impl Vectors {
    /// Creates the table of the vectors with these ends on a board with `nodes` nodes.
    pub(crate) fn new(ends: Vec<[NodeId; 2]>, nodes: usize) -> Self {
        let mut by_node = vec![[Vec::new(), Vec::new()]; nodes];
        for (vector, ends) in ends.iter().enumerate() {
            for (end, node) in ends.iter().enumerate() {
                by_node[node.index()][end].push(VectorId::from(vector));
            }
        }
        Self { ends, by_node: by_node.into_iter().map(|lists| lists.map(Into::into)).collect(), sets: Vec::new() }
    }

    /// Adds a set; returns its index.
    pub(crate) fn add_set(&mut self, set: VectorSet) -> u32 {
        self.sets.push(set);
        self.sets.len() as u32 - 1
    }

    /// Returns the ids of all vectors.
    pub(crate) fn ids(&self) -> impl Iterator<Item = VectorId> + use<> {
        (0..self.ends.len()).map(VectorId::from)
    }

    /// Returns the number of words of a bit mask of the vectors.
    pub(crate) fn mask_words(&self) -> usize {
        self.ends.len().div_ceil(64)
    }

    /// Returns the source and the target of a vector.
    #[inline]
    pub(crate) fn ends(&self, vector: VectorId) -> [NodeId; 2] {
        self.ends[vector.index()]
    }

    /// Returns the source and the target of each vector.
    pub(crate) fn all_ends(&self) -> &[[NodeId; 2]] {
        &self.ends
    }

    /// Returns the vectors that have a node at one end.
    pub(crate) fn of_node(&self, node: NodeId, end: Endpoint) -> &[VectorId] {
        &self.by_node[node.index()][usize::from(end == Endpoint::Target)]
    }

    /// Returns a set.
    #[inline]
    pub(crate) fn set(&self, set: u32) -> &VectorSet {
        &self.sets[set as usize]
    }
}

/// The vectors that pass a filter.
#[derive(Debug, Clone)]
pub(crate) enum VectorSet {
    /// Two bit masks in the state, kept up to date with every write; a vector passes if its bit is set in both.
    Masks {
        /// The first word of the mask of sources.
        source: u32,
        /// The first word of the mask of targets.
        target: u32,
        /// The number of words of each mask.
        words: u32,
    },
    /// Filters that are evaluated on each use: they can fail, draw random numbers, or read parameters.
    Evaluated(Box<[Filter; 2]>),
}
