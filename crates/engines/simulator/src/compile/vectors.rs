//! Compilation of vector filters to bit masks that every write updates incrementally.

use goalspec_resource::board::NodeId;
use goalspec_resource::field::{Endpoint, Field};
use goalspec_resource::filter::Filter;
use goalspec_resource::game::VectorFilter;
use goalspec_resource::rules::NodesWithoutResourcesRule;

use super::decisions::FieldContext;
use super::{Compiler, GameCompileError};
use crate::field_visitor;
use crate::program::vectors::VectorSet;

/// The bit mask of one end of the vectors under one filter.
pub(super) struct EndMask<'a> {
    end: Endpoint,
    filter: &'a Filter,
    first_word: u32,
}

impl<'a> Compiler<'a> {
    /// Returns the set of the vectors that pass a filter.
    pub(super) fn vector_set(&mut self, filter: &'a VectorFilter) -> Result<u32, GameCompileError> {
        let filters = [&filter.source, &filter.target];
        let set = if self.needs_evaluation(filters) {
            VectorSet::Evaluated(Box::new(filters.map(Clone::clone)))
        } else {
            let source = self.end_mask(Endpoint::Source, filters[0])?;
            let target = self.end_mask(Endpoint::Target, filters[1])?;
            VectorSet::Masks { source, target, words: self.vectors.mask_words() as u32 }
        };
        Ok(self.vectors.add_set(set))
    }

    /// Whether an evaluation of the filters can fail, draw random numbers, or depend on more than the state.
    fn needs_evaluation(&self, filters: [&Filter; 2]) -> bool {
        let bare = self.game.rules.nodes_without_resources == NodesWithoutResourcesRule::Error
            && self.game.board.nodes().any(|(_, node)| !node.declared);
        if bare && filters.into_iter().any(|filter| *filter != Filter::Always) {
            return true;
        }
        filters.into_iter().any(|filter| {
            let mut beyond = false;
            field_visitor::filter(filter, |field, _| {
                beyond |= matches!(
                    field,
                    Field::Parameter(_)
                        | Field::Computed(_)
                        | Field::EndpointResource(..)
                        | Field::EndpointObservers(_)
                );
            });
            beyond || has_computed_test(filter)
        })
    }

    /// Returns the first word of the bit mask of one end.
    fn end_mask(&mut self, end: Endpoint, filter: &'a Filter) -> Result<u32, GameCompileError> {
        if let Some(known) = self.end_masks.iter().find(|known| known.end == end && is_equivalent(known.filter, filter))
        {
            return Ok(known.first_word);
        }
        let first_word = self.words.add_mask(self.vectors.mask_words());
        self.end_masks.push(EndMask { end, filter, first_word });
        for node in (0..self.game.board.nodes().len()).map(NodeId::from) {
            if self.vectors.of_node(node, end).is_empty() {
                continue;
            }
            let test = self.test(filter, FieldContext::Node(node));
            let bits = self.node_bits(node, end, first_word);
            match test.constant() {
                Some(false) => {}
                Some(true) => self.words.set_bits(&bits),
                None => self.node_tests.mirror(test, bits)?,
            }
        }
        Ok(first_word)
    }

    /// Returns the words and bits of the vectors of a node.
    fn node_bits(&self, node: NodeId, end: Endpoint, first_word: u32) -> Vec<(u32, u64)> {
        let mut bits: Vec<(u32, u64)> = Vec::new();
        for vector in self.vectors.of_node(node, end) {
            let (word, bit) = (first_word + vector.0 / 64, 1 << (vector.0 % 64));
            match bits.last_mut() {
                Some((last, bits)) if *last == word => *bits |= bit,
                _ => bits.push((word, bit)),
            }
        }
        bits
    }
}

/// The maximum number of members of conjunctions and disjunctions that are compared regardless of their order.
const MAX_UNORDERED_PARTS: usize = 16;

/// Whether two filters that neither fail nor draw are certain to pass the same nodes: they are equal, or have the same members in
/// a different order.
fn is_equivalent(one: &Filter, other: &Filter) -> bool {
    match (one, other) {
        (Filter::And(one), Filter::And(other)) | (Filter::Or(one), Filter::Or(other))
            if one.len().max(other.len()) <= MAX_UNORDERED_PARTS =>
        {
            one.iter().all(|part| other.contains(part)) && other.iter().all(|part| one.contains(part))
        }
        _ => one == other,
    }
}

/// Whether a filter contains a test by computation.
fn has_computed_test(filter: &Filter) -> bool {
    let mut stack = vec![filter];
    while let Some(filter) = stack.pop() {
        match filter {
            Filter::Computed(_) => return true,
            Filter::Not(inner) => stack.push(inner),
            Filter::And(parts) | Filter::Or(parts) => stack.extend(parts),
            Filter::Always | Filter::Never | Filter::Field(..) => {}
        }
    }
    false
}
