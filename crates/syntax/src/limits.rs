//! How large and how deep a program may be.

/// Largest source text, in bytes, that is parsed.
pub const MAX_SOURCE_BYTES: usize = 64 << 20;

/// Deepest nesting of lists. Deeper lists are reported and skipped, so that no later phase can overflow its stack.
pub const MAX_DEPTH: usize = 256;
