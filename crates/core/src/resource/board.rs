//! The board: nodes, vectors between them, and the resources that anything in a game speaks of.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::space::Declaration;
use super::value::Labels;
use crate::ids::ids;

ids! {
    /// A node of a board.
    NodeId;
    /// A vector of a board.
    VectorId;
    /// The name of a resource, whichever node has it.
    ResourceId;
    /// A resource of a node: a pair of both ids, numbered over the whole game.
    SlotId;
}

/// A link from one node to another, or to itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Vector {
    /// Where it comes from.
    pub source: NodeId,
    /// Where it goes.
    pub target: NodeId,
    /// What tells it from other vectors between the same nodes; empty if nothing does.
    pub id: Arc<str>,
}

/// A node of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: Arc<str>,
    /// Whether the game declares resources for it, be it only who sees it.
    pub declared: bool,
    /// The labels of those who see it at the beginning, usually names of teams.
    pub seen_by: Labels,
}

/// A resource of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// The node.
    pub node: NodeId,
    /// The name of the resource.
    pub resource: ResourceId,
    /// What it ranges over and begins with; `None` if it is only ever written or read, and begins without a value.
    pub declaration: Option<Declaration>,
}

/// The board of a game, in the order of its text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Board {
    nodes: IndexMap<Arc<str>, Node, FxBuildHasher>,
    vectors: IndexSet<Vector, FxBuildHasher>,
    resources: IndexSet<Arc<str>, FxBuildHasher>,
    slots: IndexMap<(NodeId, ResourceId), Slot, FxBuildHasher>,
}

impl Board {
    /// Adds a node without resources, which nobody sees; the node of that name if there is one.
    pub fn add_node(&mut self, name: &str) -> NodeId {
        if let Some(index) = self.nodes.get_index_of(name) {
            return index.into();
        }
        let name: Arc<str> = name.into();
        let node = Node { name: name.clone(), declared: false, seen_by: Labels::default() };
        self.nodes.insert_full(name, node).0.into()
    }

    /// Adds a vector; one with the same ends and id is there only once.
    pub fn add_vector(&mut self, source: NodeId, target: NodeId, id: &str) -> VectorId {
        self.vectors.insert_full(Vector { source, target, id: id.into() }).0.into()
    }

    /// The id of a resource name, which is added if it is new.
    pub fn add_resource(&mut self, name: &str) -> ResourceId {
        if let Some(index) = self.resources.get_index_of(name) {
            return index.into();
        }
        self.resources.insert_full(name.into()).0.into()
    }

    /// The slot of a node's resource, which is added without a declaration if it is new.
    pub fn add_slot(&mut self, node: NodeId, resource: ResourceId) -> SlotId {
        let entry = self.slots.entry((node, resource));
        let index = entry.index();
        entry.or_insert(Slot { node, resource, declaration: None });
        index.into()
    }

    /// Declares a resource of a node; a second declaration takes the place of the first.
    pub fn declare(&mut self, node: NodeId, resource: &str, declaration: Declaration) -> SlotId {
        let resource = self.add_resource(resource);
        let slot = self.add_slot(node, resource);
        self.slots[slot.index()].declaration = Some(declaration);
        self.nodes[node.index()].declared = true;
        slot
    }

    /// Says who sees a node at the beginning.
    pub fn show(&mut self, node: NodeId, seen_by: Labels) {
        let node = &mut self.nodes[node.index()];
        node.seen_by = seen_by;
        node.declared = true;
    }

    /// The node of this name.
    pub fn node_named(&self, name: &str) -> Option<NodeId> {
        self.nodes.get_index_of(name).map(NodeId::from)
    }

    /// The resource of this name.
    pub fn resource_named(&self, name: &str) -> Option<ResourceId> {
        self.resources.get_index_of(name).map(ResourceId::from)
    }

    /// The slot of a node's resource.
    pub fn slot_of(&self, node: NodeId, resource: ResourceId) -> Option<SlotId> {
        self.slots.get_index_of(&(node, resource)).map(SlotId::from)
    }

    /// A node.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    /// A vector.
    pub fn vector(&self, vector: VectorId) -> &Vector {
        &self.vectors[vector.index()]
    }

    /// The name of a resource.
    pub fn resource(&self, resource: ResourceId) -> &Arc<str> {
        &self.resources[resource.index()]
    }

    /// A slot.
    pub fn slot(&self, slot: SlotId) -> &Slot {
        &self.slots[slot.index()]
    }

    /// The nodes, in the order of their ids.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        self.nodes.values().enumerate().map(|(index, node)| (index.into(), node))
    }

    /// The vectors, in the order of their ids.
    pub fn vectors(&self) -> impl ExactSizeIterator<Item = (VectorId, &Vector)> {
        self.vectors.iter().enumerate().map(|(index, vector)| (index.into(), vector))
    }

    /// The slots, in the order of their ids.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = (SlotId, &Slot)> {
        self.slots.values().enumerate().map(|(index, slot)| (index.into(), slot))
    }

    /// The slot's name as it is written: `node.resource`.
    pub fn slot_name(&self, slot: SlotId) -> String {
        let slot = self.slot(slot);
        format!("{}.{}", self.node(slot.node).name, self.resource(slot.resource))
    }
}
