//! How large programs may be, and what running one may take.

/// Most bytes of a program.
pub const MAX_BYTES: usize = 1 << 20;

/// Deepest nesting of expressions, by a bound that counts operators of one expression as levels.
pub const MAX_DEPTH: usize = 400;

/// Most levels of indentation; `CPython`'s own limit.
pub const MAX_INDENTATION: usize = 100;

/// Most instructions of a program; what `finally` says stands once for every way to leave its `try`.
pub const MAX_INSTRUCTIONS: usize = 1 << 20;

/// What running a program may take; what goes beyond is an error that names the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Most instructions of one call. Library functions count once for each element that they look at.
    pub instructions: u64,
    /// Most memory of everything alive, in bytes, by estimate.
    pub memory: usize,
    /// Most calls that are open at once.
    pub calls: usize,
    /// Most characters that a call prints.
    pub printed: usize,
}

impl Default for Budget {
    /// Ten million instructions, 64 MiB, 200 open calls, 64 KiB of output.
    fn default() -> Self {
        Self { instructions: 10_000_000, memory: 64 << 20, calls: 200, printed: 64 << 10 }
    }
}
