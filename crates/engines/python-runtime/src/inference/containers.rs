//! Allocation sites of lists and records, and the containers that lists represent.

use super::types::Type;

/// An allocation site of lists or records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AllocationSite {
    /// The type of the elements of lists.
    pub(crate) element: Type,
    /// Whether lists or records of the site are modified after their creation.
    pub(crate) is_mutated: bool,
    /// Whether lists or records of the site may exist before the call or after it.
    pub(crate) is_persistent: bool,
    /// Whether keys of dicts of the site are removed.
    pub(crate) loses_keys: bool,
    /// The container that lists of the site represent.
    pub(crate) container: Container,
}

/// The container that a list of words represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    List,
    /// A deque with its maximum length, if there is one.
    Deque(Option<u16>),
    /// A set: its elements, each of them once.
    Set,
    /// A dict whose keys are known only at run time: its entries in order, each a pair of a key and its value.
    Dict(MissingKey),
}

/// The value of a key that a dict lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum MissingKey {
    /// None: reading it raises an exception.
    Absent,
    /// The integer 0, which does not become an entry, as in a `Counter`.
    Zero,
    /// A new value, which becomes an entry, as in a `defaultdict`.
    New(DefaultValue),
}

/// The values that the default factory of a dict returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum DefaultValue {
    /// The integer 0.
    Int,
    /// The float 0.0.
    Float,
    /// A new list.
    List,
}

/// The part of each entry that a view of a dict contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum EntryPart {
    Key,
    Value,
    /// The key and the value in a pair.
    Item,
}
