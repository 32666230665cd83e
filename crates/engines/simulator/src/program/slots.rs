//! The slots of a game: the resources of its nodes, each stored in one word of a state.

use std::collections::HashMap;

use goalspec_resource::board::{NodeId, ResourceId};
use rustc_hash::FxBuildHasher;

use super::node_tests::TestRange;
use crate::cell::Cell;

/// The absence of a slot in a table by node.
const NO_SLOT: u32 = u32::MAX;

/// A map from pairs of resource and node to slots.
type SlotIndex = HashMap<(ResourceId, NodeId), u32, FxBuildHasher>;

/// The slots of a game. Slot `i` is stored in word `i` of a state. The slots of the board come first, with their own ids, followed
/// by those that only vectors or custom results access. Each pair of resource and node has at most one slot.
#[derive(Debug)]
pub(crate) struct SlotTable {
    slots: Vec<Slot>,
    /// The slot of each pair of resource and node.
    index: SlotIndex,
    /// For each resource accessed at ends of vectors, the slot of each node or [`NO_SLOT`]: a faster form of `index`.
    by_node: Vec<Option<Box<[u32]>>>,
    /// The slots in the order of their nodes.
    sorted_by_node: Box<[u32]>,
}

impl SlotTable {
    /// Creates the table of these slots, for access at any node to the resources in `at_ends`.
    pub(crate) fn new(slots: Vec<Slot>, nodes: usize, at_ends: &[ResourceId]) -> Self {
        let entries = slots.iter().enumerate();
        let index: SlotIndex = entries.map(|(slot, info)| ((info.resource, info.node), slot as u32)).collect();
        let width = at_ends.iter().map(|resource| resource.index() + 1).max().unwrap_or(0);
        let mut by_node = vec![None; width];
        for &resource in at_ends {
            let slots = (0..nodes).map(|node| index.get(&(resource, node.into())).copied().unwrap_or(NO_SLOT));
            by_node[resource.index()] = Some(slots.collect());
        }
        let mut sorted_by_node: Box<[u32]> = (0..slots.len() as u32).collect();
        sorted_by_node.sort_by_key(|&slot| slots[slot as usize].node);
        Self { slots, index, by_node, sorted_by_node }
    }

    /// Returns the number of slots.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns a slot.
    #[inline]
    pub(crate) fn get(&self, slot: u32) -> &Slot {
        &self.slots[slot as usize]
    }

    /// Returns the slots with their indices.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Slot)> {
        (0..).zip(&self.slots)
    }

    /// Returns the slots of a node with their indices, in ascending order.
    pub(crate) fn of_node(&self, node: NodeId) -> impl Iterator<Item = (u32, &Slot)> {
        let first = self.sorted_by_node.partition_point(|&slot| self.get(slot).node < node);
        let slots = self.sorted_by_node[first..].iter().map(|&slot| (slot, self.get(slot)));
        slots.take_while(move |(_, info)| info.node == node)
    }

    /// Returns the slot of a resource of a node.
    #[inline]
    pub(crate) fn at(&self, resource: ResourceId, node: NodeId) -> Option<u32> {
        match self.by_node.get(resource.index()) {
            Some(Some(slots)) => Some(slots[node.index()]).filter(|&slot| slot != NO_SLOT),
            _ => self.index.get(&(resource, node)).copied(),
        }
    }
}

/// A resource of a node.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    /// The node.
    pub(crate) node: NodeId,
    /// The resource.
    pub(crate) resource: ResourceId,
    /// The representation of its values.
    pub(crate) storage: SlotStorage,
    /// Its declared space.
    pub(crate) range: SlotRange,
    /// The tests of nodes that read it.
    pub(crate) dependents: TestRange,
}

/// The storage of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlotStorage {
    /// Always an integer.
    Int,
    /// Always a real number.
    Real,
    /// Always an integer or a real number; the word encodes a real number, and the tag distinguishes the two.
    Number,
    /// Always a Boolean.
    Bool,
    /// Any value or none, distinguished by the tag.
    Tagged,
}

impl SlotStorage {
    /// Whether a slot with this storage can hold a value.
    pub(crate) fn holds(self, cell: Cell) -> bool {
        match self {
            Self::Int => matches!(cell, Cell::Int(_)),
            Self::Real => matches!(cell, Cell::Real(_)),
            Self::Number => matches!(cell, Cell::Int(_) | Cell::Real(_)),
            Self::Bool => matches!(cell, Cell::Bool(_)),
            Self::Tagged => true,
        }
    }
}

/// The declared space of a slot, as far as it is checked without its declaration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SlotRange {
    /// No declared space.
    Free,
    /// A range of integers.
    Range(i32, i32),
    /// A range of real numbers.
    Span(f64, f64),
    /// Any other declared space.
    Declared,
}

impl SlotRange {
    /// Whether a number is in the range; `None` if the space is not a range.
    #[inline]
    pub(crate) fn has(self, number: f64) -> Option<bool> {
        match self {
            // The comparison with the truncated number rejects fractions.
            Self::Range(min, max) => {
                let whole = f64::from(number as i32);
                Some(f64::from(min) <= number && number <= f64::from(max) && whole >= number && whole <= number)
            }
            Self::Span(min, max) => Some(min <= number && number <= max),
            Self::Free | Self::Declared => None,
        }
    }
}
