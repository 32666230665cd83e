//! What tests and computations read, and what consequences write.

use std::sync::Arc;

use super::board::{NodeId, ResourceId, SlotId};

/// Something that has a value, or none, when a test or a computation asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Field {
    /// A resource of a node of the board.
    Resource(SlotId),
    /// Who sees a node: the set of labels; to a team that observes, whether it is among them.
    Observable(NodeId),
    /// An intermediate value of the same consequence, by its place among them.
    Computed(usize),
    /// A resource of an end of the chosen vector.
    End(End, ResourceId),
    /// Who sees an end of the chosen vector.
    EndObservable(End),
    /// A resource of the node that a filter is asked about.
    Own(ResourceId),
    /// Who sees the node that a filter is asked about.
    OwnObservable,
    /// The name of the node that a filter is asked about.
    OwnName,
    /// A parameter of the action.
    Parameter(Arc<str>),
    /// A member of a value that is a map: the path of keys.
    Member(Box<Self>, Vec<Arc<str>>),
    /// A name that nothing bears: never a value.
    Missing(Arc<str>),
}

/// An end of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// Where it comes from.
    Source,
    /// Where it goes.
    Target,
}

/// Something that a consequence can write to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// A resource of a node of the board.
    Resource(SlotId),
    /// Who sees a node.
    Observable(NodeId),
    /// A resource of an end of the chosen vector.
    End(End, ResourceId),
    /// Who sees an end of the chosen vector.
    EndObservable(End),
}
