//! Collection of the slots of a game: those of its board, and those that only vectors or custom results access.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use goalspec_resource::abstraction::ReachableValues;
use goalspec_resource::board::{NodeId, ResourceId};
use goalspec_resource::field::{Endpoint, Field, Place};
use goalspec_resource::game::{ConsequenceEffect, Game};
use goalspec_resource::kinds::KindSet;
use goalspec_resource::rules::SpaceBoundsRule;
use goalspec_resource::space::Space;
use rustc_hash::FxBuildHasher;

use crate::field_visitor;
use crate::program::declared_space;
use crate::program::node_tests::TestRange;
use crate::program::slots::{Slot, SlotRange, SlotStorage, SlotTable};

/// The slots of a game in compilation.
pub(super) struct SlotTableBuilder {
    /// The nodes and resources of the slots; those of the board come first, with their own ids.
    slots: Vec<(NodeId, ResourceId)>,
    /// The slot of each pair of resource and node.
    index: HashMap<(ResourceId, NodeId), u32, FxBuildHasher>,
    /// The representations of the values of the slots.
    storages: Vec<SlotStorage>,
    /// The resources that are accessed at ends of vectors.
    at_ends: Vec<ResourceId>,
}

impl SlotTableBuilder {
    /// Collects the slots of a game and chooses their storage.
    pub(super) fn new(game: &Game) -> Self {
        let mut slots =
            Self { slots: Vec::new(), index: HashMap::default(), storages: Vec::new(), at_ends: Vec::new() };
        for (_, slot) in game.board.slots() {
            slots.add(slot.node, slot.resource);
        }
        for (end, resource) in written_at_ends(game) {
            for (_, vector) in game.board.vectors() {
                slots.add(if end == Endpoint::Source { vector.source } else { vector.target }, resource);
            }
        }
        if has_custom(game) {
            for resource in read_anywhere(game) {
                for (node, _) in game.board.nodes() {
                    slots.add(node, resource);
                }
            }
        }
        slots.storages = storages(game, slots.slots.len());
        slots
    }

    fn add(&mut self, node: NodeId, resource: ResourceId) {
        if let Entry::Vacant(entry) = self.index.entry((resource, node)) {
            entry.insert(self.slots.len() as u32);
            self.slots.push((node, resource));
        }
    }

    /// Returns the number of slots.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns the slot of a resource of a node.
    pub(super) fn at(&self, resource: ResourceId, node: NodeId) -> Option<u32> {
        self.index.get(&(resource, node)).copied()
    }

    /// Returns the resource of a slot.
    pub(super) fn resource(&self, slot: u32) -> ResourceId {
        self.slots[slot as usize].1
    }

    /// Returns the storage of a slot.
    pub(super) fn storage(&self, slot: u32) -> SlotStorage {
        self.storages[slot as usize]
    }

    /// Makes a slot hold any values.
    pub(super) fn generalize(&mut self, slot: u32) {
        self.storages[slot as usize] = SlotStorage::Tagged;
    }

    /// Records that a resource is accessed at ends of vectors.
    pub(super) fn access_at_ends(&mut self, resource: ResourceId) {
        if !self.at_ends.contains(&resource) {
            self.at_ends.push(resource);
        }
    }

    /// Returns the declared space of a slot, as far as it is checked without its declaration.
    pub(super) fn range(&self, game: &Game, slot: u32) -> SlotRange {
        match (declared_space(game, slot), self.storage(slot)) {
            (None, _)
            | (Some(Space::Bool), SlotStorage::Bool)
            | (Some(Space::FreeInt), SlotStorage::Int)
            | (Some(Space::FreeReal | Space::Normal { .. }), SlotStorage::Int | SlotStorage::Real) => SlotRange::Free,
            (Some(Space::IntRange { min, max }), _) => SlotRange::Range(*min, *max),
            (Some(Space::RealRange { min, max }), _) => SlotRange::Span(*min, *max),
            (Some(_), _) => SlotRange::Declared,
        }
    }

    /// Returns the table; `dependents` contains the tests that read each slot.
    pub(super) fn finish(self, game: &Game, dependents: Vec<TestRange>) -> SlotTable {
        let slots = (0..).zip(&self.slots).zip(dependents).map(|((slot, &(node, resource)), dependents)| {
            let (storage, range) = (self.storage(slot), self.range(game, slot));
            Slot { node, resource, storage, range, dependents }
        });
        SlotTable::new(slots.collect(), game.board.nodes().len(), &self.at_ends)
    }
}

/// Chooses the storage of the slots of a game.
fn storages(game: &Game, slots: usize) -> Vec<SlotStorage> {
    let kinds = ReachableValues::kinds(game);
    if slots > kinds.len() || game.rules.bounds == SpaceBoundsRule::Clamp {
        // Inferred kinds do not cover writes outside the slots of the board, nor the numbers that replace values outside a range.
        return vec![SlotStorage::Tagged; slots];
    }
    let storage = |kinds| match kinds {
        KindSet::BOOL => SlotStorage::Bool,
        KindSet::INT => SlotStorage::Int,
        KindSet::REAL => SlotStorage::Real,
        KindSet::NUMBER => SlotStorage::Number,
        _ => SlotStorage::Tagged,
    };
    kinds.into_iter().map(storage).collect()
}

/// Returns each resource that is written at an end of a vector, with the end.
fn written_at_ends(game: &Game) -> Vec<(Endpoint, ResourceId)> {
    let mut found = Vec::new();
    for outcome in game.actions.iter().flat_map(|action| &action.consequences).map(|consequence| &consequence.outcome) {
        if let ConsequenceEffect::WithVectors { add, .. } = outcome {
            for (place, _) in add {
                if let Place::EndpointResource(end, resource) = *place
                    && !found.contains(&(end, resource))
                {
                    found.push((end, resource));
                }
            }
        }
    }
    found
}

/// Returns every resource that is read at arbitrary nodes.
fn read_anywhere(game: &Game) -> Vec<ResourceId> {
    let mut found = Vec::new();
    field_visitor::game(game, |field, _| {
        if let Field::TestedNodeResource(resource) | Field::EndpointResource(_, resource) = field
            && !found.contains(resource)
        {
            found.push(*resource);
        }
    });
    found
}

/// Whether the game has custom results.
fn has_custom(game: &Game) -> bool {
    let consequences = game.actions.iter().flat_map(|action| &action.consequences);
    consequences.into_iter().any(|consequence| matches!(consequence.outcome, ConsequenceEffect::Custom { .. }))
}
