//! Maximum size and nesting depth of a program.

/// Maximum size of a source text that is parsed, in bytes.
pub const MAX_SOURCE_BYTES: usize = 64 << 20;

/// Maximum nesting depth of lists. Deeper lists are reported and skipped, so that no later phase can overflow its stack.
pub const MAX_DEPTH: usize = 256;

/// Maximum number of tokens in one tree, whitespace and comments included. Reading takes up to 30 bytes of memory per token.
pub const MAX_TOKENS: usize = 1 << 24;

/// Maximum number of syntax diagnostics reported for one text; a final diagnostic gives the number of those omitted.
pub const MAX_SYNTAX_DIAGNOSTICS: usize = 500;

/// Maximum length of a line that a diagnostic carries as a quote, in bytes.
pub const MAX_QUOTE_BYTES: usize = 16 << 10;
