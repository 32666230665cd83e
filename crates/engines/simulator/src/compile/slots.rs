//! The slots of a game: those of its board, and those that only vectors or custom results access.

use std::collections::hash_map::Entry;

use goalspec_resource::board::{NodeId, ResourceId, SlotId};
use goalspec_resource::field::{Endpoint, Field, Place};
use goalspec_resource::game::{ConsequenceEffect, Game};
use goalspec_resource::space::Space;

use crate::field_visitor;
use crate::program::SlotIndex;

/// The slots of a game.
pub(super) struct Slots {
    /// The nodes and resources of the slots; those of the board come first, with their own ids.
    pub(super) all: Vec<(NodeId, ResourceId)>,
    /// The slot of each pair of resource and node.
    pub(super) index: SlotIndex,
    /// The number of slots of the board.
    on_board: usize,
}

impl Slots {
    pub(super) fn new(game: &Game) -> Self {
        let all: Vec<_> = game.board.slots().map(|(_, slot)| (slot.node, slot.resource)).collect();
        let mut slots = Self { on_board: all.len(), all: Vec::new(), index: SlotIndex::default() };
        for (node, resource) in all {
            slots.add(node, resource);
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
        slots
    }

    fn add(&mut self, node: NodeId, resource: ResourceId) {
        if let Entry::Vacant(entry) = self.index.entry((resource.0, node.0)) {
            entry.insert(self.all.len() as u32);
            self.all.push((node, resource));
        }
    }

    /// Returns the slot of a resource of a node.
    pub(super) fn at(&self, resource: ResourceId, node: NodeId) -> Option<u32> {
        self.index.get(&(resource.0, node.0)).copied()
    }

    /// Returns the declared space of a slot.
    pub(super) fn space<'a>(&self, game: &'a Game, slot: u32) -> Option<&'a Space> {
        if slot as usize >= self.on_board {
            return None;
        }
        game.board.slot(SlotId(slot)).declaration.as_ref().map(|declaration| &declaration.space)
    }
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
