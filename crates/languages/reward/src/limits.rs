//! How large programs may be, and what running one may take.

/// Most bytes of a program.
pub const MAX_BYTES: usize = 1 << 20;

/// Deepest nesting of expressions, by a bound that counts operators of one expression as levels.
pub const MAX_DEPTH: usize = 400;

/// Most levels of indentation; `CPython`'s own limit.
pub const MAX_INDENTATION: usize = 100;

/// Most instructions of a program; what `finally` says stands once for every way to leave its `try`.
pub const MAX_INSTRUCTIONS: usize = 1 << 20;

/// Most classes of one union, such as `int | str`.
pub const MAX_UNION_PARTS: usize = 1 << 10;

/// What running a program may take; what goes beyond is an error that names the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Most units of work of one call. An instruction is one, and more for what it makes, copies, compares, writes or calls: a unit takes no
    /// longer than some 50 ns on a computer of today, whatever it is of.
    pub work: u64,
    /// A call that takes more units of work is slow.
    pub slow: u64,
    /// Most units of work of all slow calls of a recording together, so that a program that is slow at every frame ends soon.
    pub overtime: u64,
    /// Most memory of everything alive, in bytes, by estimate.
    pub memory: usize,
    /// Most calls that are open at once.
    pub calls: usize,
    /// Most characters that a call prints.
    pub printed: usize,
}

impl Budget {
    /// A budget of so many units of work for a call, and the rest of the default one in proportion to that.
    pub fn of_work(work: u64) -> Self {
        Self { work, slow: work / 4, overtime: work.saturating_mul(16), ..Self::default() }
    }
}

impl Default for Budget {
    /// A million units of work, a quarter of that until a call is slow, sixteen million for all slow calls of a recording, 64 MiB, 200 open
    /// calls, 64 KiB of output.
    fn default() -> Self {
        Self { work: 1_000_000, slow: 250_000, overtime: 16_000_000, memory: 64 << 20, calls: 200, printed: 64 << 10 }
    }
}
