//! Named limits on the cost of a comparison.

use std::fmt;

/// Maximum number of nodes of the decision diagrams of a comparison.
pub const MAX_NODES: usize = 1 << 20;

/// Maximum number of parts of goals after their quantifiers are expanded over the objects, and of operations on decision diagrams.
pub const MAX_OPERATIONS: usize = 1 << 24;

/// Maximum nesting depth of a goal.
pub const MAX_DEPTH: usize = 512;

/// Maximum number of right objects of a one-to-one pairing.
pub const MAX_PAIRED: usize = 16;

/// Maximum number of assignments of one object that the search for bijections tries.
pub const MAX_ASSIGNMENTS: usize = 1 << 20;

/// Maximum number of bijections of objects under which goals are compared.
pub const MAX_BIJECTIONS: usize = 1 << 10;

/// A limit that a comparison exceeds, so that its result is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitExceeded {
    /// [`MAX_NODES`].
    Nodes,
    /// [`MAX_OPERATIONS`].
    Operations,
    /// [`MAX_DEPTH`].
    Depth,
    /// [`MAX_PAIRED`].
    Paired,
    /// [`MAX_ASSIGNMENTS`].
    Assignments,
    /// [`MAX_BIJECTIONS`].
    Bijections,
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (limit, of) = match self {
            Self::Nodes => (MAX_NODES, "nodes of the decision diagrams of a comparison"),
            Self::Operations => (MAX_OPERATIONS, "operations of a comparison"),
            Self::Depth => (MAX_DEPTH, "nested conditions of a compared goal"),
            Self::Paired => (MAX_PAIRED, "right objects of a compared one-to-one pairing"),
            Self::Assignments => (MAX_ASSIGNMENTS, "assignments in the search for bijections"),
            Self::Bijections => (MAX_BIJECTIONS, "bijections of objects of a comparison"),
        };
        write!(f, "the comparison exceeds the limit of {limit} {of}")
    }
}

impl std::error::Error for LimitExceeded {}
