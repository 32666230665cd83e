//! Fields, which tests and computations read, and places, which consequences write.

use std::sync::Arc;

use crate::board::{NodeId, ResourceId, SlotId};

/// A field that a test or computation reads; its value may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Field {
    /// A resource of a node of the board.
    Resource(SlotId),
    /// The observers of a node: the set of their labels, or, when evaluated on a team's observation, whether the team is among
    /// them.
    Observers(NodeId),
    /// An intermediate value of the same consequence, by its index.
    Computed(usize),
    /// A resource of an end of the selected vector.
    EndpointResource(Endpoint, ResourceId),
    /// The observers of an end of the selected vector.
    EndpointObservers(Endpoint),
    /// A resource of the node under test by a filter.
    TestedNodeResource(ResourceId),
    /// The observers of the node under test by a filter.
    TestedNodeObservers,
    /// The name of the node under test by a filter.
    TestedNodeName,
    /// A parameter of the action.
    Parameter(Arc<str>),
    /// A member of a map value, by its path of keys.
    Member(Box<Self>, Vec<Arc<str>>),
    /// An unresolved name; its value is always missing.
    Unresolved(Arc<str>),
}

/// An end of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// The node that the vector starts from.
    Source,
    /// The node that the vector leads to.
    Target,
}

/// A place that a consequence writes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// A resource of a node of the board.
    Resource(SlotId),
    /// The observers of a node.
    Observers(NodeId),
    /// A resource of an end of the selected vector.
    EndpointResource(Endpoint, ResourceId),
    /// The observers of an end of the selected vector.
    EndpointObservers(Endpoint),
}
