//! Named limits. Programs are untrusted: whatever could grow without bound stops here, with an error that says so.

/// Most attributes that one world may declare; change sets are one bit per attribute.
pub const MAX_ATTRIBUTES: usize = 64;

/// Most bindings that one preference may range over.
pub const MAX_BINDINGS: u64 = 1 << 26;

/// Most assignments that the quantifiers inside of one condition may go through when it is evaluated once, for one binding. Searching stops
/// early where it can, so that hardly any evaluation takes as many.
pub const MAX_ASSIGNMENTS: u64 = 1 << 30;

/// Most bytes that one run of a program may take for its bindings and conditions, known before it begins.
pub const MAX_RUN_BYTES: u64 = 2 << 30;

/// Most conditions and connections between them that a goal may have when its quantifiers are taken apart over the objects.
pub const MAX_GOAL_PARTS: usize = 1 << 22;

/// Most satisfactions that one preference keeps for the report; counting goes on beyond it.
pub const MAX_KEPT_SATISFACTIONS: usize = 1 << 22;

/// Most types that one world may declare.
pub const MAX_TYPES: usize = 4096;

/// Deepest nesting of a definition in a world, the definitions that it uses included.
pub const MAX_DEFINITION_DEPTH: usize = 512;

/// Most atoms, operators and terms in a definition in a world, the definitions that it uses spelled out.
pub const MAX_DEFINITION_SIZE: u64 = 1 << 16;

/// Largest world file, in bytes.
pub const MAX_WORLD_FILE_BYTES: usize = 4 << 20;

/// Most world files that extend one another in a row.
pub const MAX_EXTENDED_FILES: usize = 8;

/// Most objects that one world may have, those included that a recording declares.
pub const MAX_OBJECTS: usize = 1 << 18;

/// Most memberships of objects in types, supertypes included, that one world may have.
pub const MAX_MEMBERSHIPS: usize = 1 << 24;
