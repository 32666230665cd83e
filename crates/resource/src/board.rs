//! The board of a game: nodes, vectors between them, and resources of nodes.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::space::Declaration;
use crate::value::Labels;
use goalspec_core::typed_ids;

typed_ids! {
    /// The index of a node of a board.
    NodeId;
    /// The index of a vector of a board.
    VectorId;
    /// The index of a resource name, shared by all nodes that have the resource.
    ResourceId;
    /// The index of a slot, which is a pair of node and resource, in the whole game.
    SlotId;
}

/// A directed edge from one node to another, or to itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Vector {
    /// The node that the vector starts from.
    pub source: NodeId,
    /// The node that the vector leads to.
    pub target: NodeId,
    /// The identifier that distinguishes parallel vectors; empty if none is needed.
    pub name: Arc<str>,
}

/// A node of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The name of the node.
    pub name: Arc<str>,
    /// Whether the game declares resources or observers for the node.
    pub declared: bool,
    /// The labels of the initial observers, usually names of teams.
    pub observers: Labels,
}

/// A resource of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// The node.
    pub node: NodeId,
    /// The name of the resource.
    pub resource: ResourceId,
    /// The space and initial value; `None` if the game uses the resource without declaring it, in which case it begins without a
    /// value.
    pub declaration: Option<Declaration>,
}

/// The board of a game, in textual order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Board {
    nodes: IndexMap<Arc<str>, Node, FxBuildHasher>,
    vectors: IndexSet<Vector, FxBuildHasher>,
    resources: IndexSet<Arc<str>, FxBuildHasher>,
    slots: IndexMap<(NodeId, ResourceId), Slot, FxBuildHasher>,
}

impl Board {
    /// Adds a node without resources and without observers, unless a node of this name exists; returns its id.
    pub fn add_node(&mut self, name: &str) -> NodeId {
        if let Some(index) = self.nodes.get_index_of(name) {
            return index.into();
        }
        let name: Arc<str> = name.into();
        let node = Node { name: name.clone(), declared: false, observers: Labels::default() };
        self.nodes.insert_full(name, node).0.into()
    }

    /// Adds a vector, unless one with the same ends and identifier exists; returns its id.
    pub fn add_vector(&mut self, source: NodeId, target: NodeId, id: &str) -> VectorId {
        self.vectors.insert_full(Vector { source, target, name: id.into() }).0.into()
    }

    /// Adds a resource name, unless it exists; returns its id.
    pub fn add_resource(&mut self, name: &str) -> ResourceId {
        if let Some(index) = self.resources.get_index_of(name) {
            return index.into();
        }
        self.resources.insert_full(name.into()).0.into()
    }

    /// Adds a slot without a declaration for a resource of a node, unless it exists; returns its id.
    pub fn add_slot(&mut self, node: NodeId, resource: ResourceId) -> SlotId {
        let entry = self.slots.entry((node, resource));
        let index = entry.index();
        entry.or_insert(Slot { node, resource, declaration: None });
        index.into()
    }

    /// Declares a resource of a node, replacing an earlier declaration; returns its slot.
    pub fn declare(&mut self, node: NodeId, resource: &str, declaration: Declaration) -> SlotId {
        let resource = self.add_resource(resource);
        let slot = self.add_slot(node, resource);
        self.slots[slot.index()].declaration = Some(declaration);
        self.nodes[node.index()].declared = true;
        slot
    }

    /// Sets the initial observers of a node.
    pub fn set_observers(&mut self, node: NodeId, observers: Labels) {
        let node = &mut self.nodes[node.index()];
        node.observers = observers;
        node.declared = true;
    }

    /// Returns the node with a name.
    pub fn node_named(&self, name: &str) -> Option<NodeId> {
        self.nodes.get_index_of(name).map(NodeId::from)
    }

    /// Returns the resource with a name.
    pub fn resource_named(&self, name: &str) -> Option<ResourceId> {
        self.resources.get_index_of(name).map(ResourceId::from)
    }

    /// Returns the slot of a resource of a node.
    pub fn slot_of(&self, node: NodeId, resource: ResourceId) -> Option<SlotId> {
        self.slots.get_index_of(&(node, resource)).map(SlotId::from)
    }

    /// Returns a node.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    /// Returns a vector.
    pub fn vector(&self, vector: VectorId) -> &Vector {
        &self.vectors[vector.index()]
    }

    /// Returns the name of a resource.
    pub fn resource(&self, resource: ResourceId) -> &Arc<str> {
        &self.resources[resource.index()]
    }

    /// Returns a slot.
    pub fn slot(&self, slot: SlotId) -> &Slot {
        &self.slots[slot.index()]
    }

    /// Returns an iterator over the nodes in the order of their ids.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        self.nodes.values().enumerate().map(|(index, node)| (index.into(), node))
    }

    /// Returns an iterator over the vectors in the order of their ids.
    pub fn vectors(&self) -> impl ExactSizeIterator<Item = (VectorId, &Vector)> {
        self.vectors.iter().enumerate().map(|(index, vector)| (index.into(), vector))
    }

    /// Returns an iterator over the slots in the order of their ids.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = (SlotId, &Slot)> {
        self.slots.values().enumerate().map(|(index, slot)| (index.into(), slot))
    }

    /// Returns the name of a slot as written in games: `node.resource`.
    pub fn slot_name(&self, slot: SlotId) -> String {
        let slot = self.slot(slot);
        format!("{}.{}", self.node(slot.node).name, self.resource(slot.resource))
    }
}
