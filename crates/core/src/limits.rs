//! Named limits. Programs are untrusted: whatever could grow without bound stops here, with an error that says so.

/// Most attributes that one world may declare; change sets are one bit per attribute.
pub const MAX_ATTRIBUTES: usize = 64;

/// Most bindings that one preference may range over.
pub const MAX_BINDINGS: u64 = 1 << 26;

/// Most satisfactions that one preference keeps for the report; counting goes on beyond it.
pub const MAX_KEPT_SATISFACTIONS: usize = 1 << 22;
