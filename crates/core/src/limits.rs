//! Named limits on the size of worlds and programs. Programs are untrusted: every size that could grow without bound is limited here, and
//! exceeding a limit is an error that names it.

/// Maximum number of attributes that a world may declare. Change sets use one bit per attribute.
pub const MAX_ATTRIBUTES: usize = 64;

/// Maximum number of bindings of the variables of one preference.
pub const MAX_BINDINGS: u64 = 1 << 26;

/// Maximum number of assignments that the quantifiers inside one condition may enumerate in a single evaluation, for one binding. The limit
/// applies to the worst case; evaluation short-circuits, so few evaluations come near it.
pub const MAX_ASSIGNMENTS: u64 = 1 << 30;

/// Maximum number of bytes that one run of a program may allocate for its bindings and conditions. The requirement is computed before the
/// run starts.
pub const MAX_RUN_BYTES: u64 = 2 << 30;

/// Maximum number of conditions and connectives of a goal after its quantifiers are expanded over the objects.
pub const MAX_GOAL_PARTS: usize = 1 << 22;

/// Maximum number of satisfactions of one preference that a report lists. Further satisfactions are still counted.
pub const MAX_LISTED_SATISFACTIONS: usize = 1 << 22;

/// Maximum number of types that a world may declare.
pub const MAX_TYPES: usize = 4096;

/// Maximum nesting depth of a definition in a world, including the definitions that it uses.
pub const MAX_DEFINITION_DEPTH: usize = 512;

/// Maximum number of atoms, operators and terms of a definition in a world, after the definitions that it uses are expanded.
pub const MAX_DEFINITION_SIZE: u64 = 1 << 16;

/// Maximum size of a world file, in bytes.
pub const MAX_WORLD_FILE_BYTES: usize = 4 << 20;

/// Maximum length of a chain of world files that extend one another.
pub const MAX_EXTENDS_DEPTH: usize = 8;

/// Maximum number of objects of a world, including those that a recording declares.
pub const MAX_OBJECTS: usize = 1 << 18;

/// Maximum number of memberships of objects in types of a world, including memberships in supertypes.
pub const MAX_MEMBERSHIPS: usize = 1 << 24;
