//! How large and how deep a program may be.

/// Largest source text, in bytes, that is parsed.
pub const MAX_SOURCE_BYTES: usize = 64 << 20;

/// Deepest nesting of lists. Deeper lists are reported and skipped, so that no later phase can overflow its stack.
pub const MAX_DEPTH: usize = 256;

/// Most tokens that one tree holds, blanks and comments included. Reading takes up to thirty bytes per token.
pub const MAX_TOKENS: usize = 1 << 24;

/// Most syntax diagnostics reported for one text; a last one says that there were more.
pub const MAX_SYNTAX_DIAGNOSTICS: usize = 500;

/// Longest line, in bytes, that a diagnostic brings along as a quote.
pub const MAX_QUOTE_BYTES: usize = 16 << 10;
