//! Limits on the size of programs.

/// The maximum size of a program, in bytes.
pub const MAX_PROGRAM_BYTES: usize = 1 << 20;

/// The maximum nesting depth of expressions, by an upper bound that counts each operator of an expression as a level.
pub const MAX_EXPRESSION_DEPTH: usize = 400;

/// The maximum number of indentation levels, which is CPython's own limit.
pub const MAX_INDENTATION: usize = 100;

/// The maximum number of instructions of a program. The code of a `finally` block counts once for each exit of its `try`.
pub const MAX_INSTRUCTIONS: usize = 1 << 20;
