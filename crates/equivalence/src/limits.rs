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

/// Maximum number of instances of a quantified condition of a game that are compared one by one; a condition with more is compared as a
/// whole.
pub const MAX_EXPANDED: usize = 64;

/// Maximum number of different temporal parts of a formula over traces.
pub const MAX_FORMULA_PARTS: usize = 64;

/// Maximum number of states of the product of the automata of two games.
pub const MAX_PRODUCT_STATES: usize = 1 << 17;

/// Maximum number of conditions on which the transitions from one state of that product depend.
pub const MAX_GUARDS: usize = 16;

/// Maximum number of transitions of that product, each multiplied by the number of positions of its state.
pub const MAX_PRODUCT_WORK: usize = 1 << 22;

/// Maximum count of a preference up to which scores and ends of games are compared exactly.
pub const MAX_COUNT: u8 = 8;

/// Maximum number of preferences under single bindings that are compared together.
pub const MAX_MACHINES: usize = 32;

/// Maximum number of bindings under which two preferences are compared one by one.
pub const MAX_COMPARED_BINDINGS: usize = 256;

/// Maximum number of letters that are excluded from the search after no state with them is found.
pub const MAX_EXCLUDED_LETTERS: usize = 16;

/// Maximum number of changes that are tried to find a state with a letter.
pub const MAX_STATE_CHANGES: usize = 3000;

/// Maximum number of random traces on which two games are compared.
pub const MAX_RANDOM_TRACES: usize = 300;

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
    /// [`MAX_FORMULA_PARTS`].
    FormulaParts,
    /// [`MAX_PRODUCT_STATES`].
    ProductStates,
    /// [`MAX_GUARDS`].
    Guards,
    /// [`MAX_PRODUCT_WORK`].
    ProductWork,
    /// [`MAX_MACHINES`].
    Machines,
    /// [`MAX_COMPARED_BINDINGS`].
    ComparedBindings,
    /// [`MAX_EXCLUDED_LETTERS`].
    ExcludedLetters,
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
            Self::FormulaParts => (MAX_FORMULA_PARTS, "different temporal parts of a compared formula"),
            Self::ProductStates => (MAX_PRODUCT_STATES, "states of the product of the automata of two games"),
            Self::Guards => (MAX_GUARDS, "conditions of the transitions from one state of two games"),
            Self::ProductWork => (MAX_PRODUCT_WORK, "positions in the transitions of the product of two games"),
            Self::Machines => (MAX_MACHINES, "preferences under single bindings that are compared together"),
            Self::ComparedBindings => (MAX_COMPARED_BINDINGS, "bindings under which preferences are compared"),
            Self::ExcludedLetters => (MAX_EXCLUDED_LETTERS, "combinations of conditions for which no state is found"),
        };
        write!(f, "the comparison exceeds the limit of {limit} {of}")
    }
}

impl std::error::Error for LimitExceeded {}
