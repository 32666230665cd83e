//! Compilation of vector filters to bit masks that every write updates incrementally.

use std::collections::BTreeMap;

use goalspec_resource::field::Field;
use goalspec_resource::filter::Filter;
use goalspec_resource::game::VectorFilter;
use goalspec_resource::rules::BareNodeRule;

use super::decisions::FieldContext;
use super::{Compiler, GameCompileError};
use crate::field_visitor;
use crate::program::{DecisionGraph, Dependency, VectorSet};

/// The maximum number of tests of nodes in a game.
pub const MAX_NODE_TESTS: usize = 1 << 24;

/// The bit mask of one end of the vectors under one filter.
pub(super) struct EndMask<'a> {
    end: usize,
    filter: &'a Filter,
    base: u32,
}

/// A test whose value is mirrored in bits.
pub(super) struct MirroredTest {
    /// The index of the test in the table of tests.
    pub(super) test: u32,
    /// The range in the table of bits.
    pub(super) bits: [u32; 2],
}

impl<'a> Compiler<'a> {
    /// Returns the set of the vectors that pass a filter.
    pub(super) fn vector_set(&mut self, filter: &'a VectorFilter) -> Result<u32, GameCompileError> {
        let filters = [&filter.source, &filter.target];
        let set = if self.needs_evaluation(filters) {
            VectorSet::Evaluated(Box::new(filters.map(Clone::clone)))
        } else {
            let [source, target] = [self.end_mask(0, filters[0])?, self.end_mask(1, filters[1])?];
            VectorSet::Masks { source, target, words: self.mask_words() }
        };
        self.vector_sets.push(set);
        Ok(self.vector_sets.len() as u32 - 1)
    }

    /// Whether an evaluation of the filters can fail, draw random numbers, or depend on more than the state.
    fn needs_evaluation(&self, filters: [&Filter; 2]) -> bool {
        let bare = self.game.rules.bare_nodes == BareNodeRule::Absent
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
            beyond || has_truth(filter)
        })
    }

    fn mask_words(&self) -> u32 {
        self.vectors.len().div_ceil(64) as u32
    }

    /// Returns the first word of the bit mask of one end.
    fn end_mask(&mut self, end: usize, filter: &'a Filter) -> Result<u32, GameCompileError> {
        if let Some(known) = self.end_masks.iter().find(|known| known.end == end && is_equivalent(known.filter, filter))
        {
            return Ok(known.base);
        }
        let base = self.words.len() as u32;
        self.words.resize(self.words.len() + self.mask_words() as usize, 0);
        self.end_masks.push(EndMask { end, filter, base });
        for node in 0..self.at_node.len() {
            if self.at_node[node][end].is_empty() {
                continue;
            }
            let test = self.test(filter, FieldContext::Node(node.into()));
            let bits = self.node_bits(node, end, base);
            match test.constant() {
                Some(false) => {}
                Some(true) => bits.into_iter().for_each(|(word, bit)| self.words[word as usize] |= bit),
                None => self.follow(test, bits)?,
            }
        }
        Ok(base)
    }

    /// Returns the words and bits of the vectors of a node.
    fn node_bits(&self, node: usize, end: usize, base: u32) -> Vec<(u32, u64)> {
        let mut bits: Vec<(u32, u64)> = Vec::new();
        for &vector in &self.at_node[node][end] {
            let word = base + vector / 64;
            match bits.last_mut() {
                Some((last, bit)) if *last == word => *bit |= 1 << (vector % 64),
                _ => bits.push((word, 1 << (vector % 64))),
            }
        }
        bits
    }

    fn follow(&mut self, test: DecisionGraph, bits: Vec<(u32, u64)>) -> Result<(), GameCompileError> {
        if self.tests.len() >= MAX_NODE_TESTS {
            return Err(GameCompileError::TooManyTests);
        }
        let start = self.bits.len() as u32;
        self.bits.extend(bits);
        self.tests.push(test);
        let test = self.tests.len() as u32 - 1;
        self.followed.push(MirroredTest { test, bits: [start, self.bits.len() as u32] });
        Ok(())
    }

    /// Returns the table of tests to re-evaluate after writes, and the ranges of slots and of nodes in it.
    pub(super) fn dependencies(&self) -> (Vec<Dependency>, Vec<[u32; 2]>, Vec<[u32; 2]>) {
        let [mut by_slot, mut by_node] = [BTreeMap::<u32, Vec<Dependency>>::new(), BTreeMap::new()];
        for followed in &self.followed {
            let dep = Dependency { test: followed.test, bits: followed.bits };
            let (slots, nodes) = self.tests[followed.test as usize].reads();
            for slot in slots {
                by_slot.entry(slot).or_default().push(dep);
            }
            for node in nodes {
                by_node.entry(node).or_default().push(dep);
            }
        }
        let mut deps = Vec::new();
        let mut ranges = |lists: BTreeMap<u32, Vec<Dependency>>, count: usize| {
            let mut ranges = vec![[0; 2]; count];
            for (place, list) in lists {
                let start = deps.len() as u32;
                deps.extend(list);
                ranges[place as usize] = [start, deps.len() as u32];
            }
            ranges
        };
        let slots = ranges(by_slot, self.slots.all.len());
        let nodes = ranges(by_node, self.at_node.len());
        (deps, slots, nodes)
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
fn has_truth(filter: &Filter) -> bool {
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
