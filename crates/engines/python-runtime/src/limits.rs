//! The budget of a run, and limits on values.

/// The maximum number of classes of one union, such as `int | str`.
pub const MAX_UNION_PARTS: usize = 1 << 10;

/// The limits on one run of a program. Exceeding one is an error that names the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The maximum work of one call, in units. An instruction costs one unit, plus units for the values that it creates, copies, compares
    /// or formats and for the functions that it calls; a unit takes at most about 50 ns on current hardware.
    pub work: u64,
    /// The work above which a call counts as slow, in units.
    pub slow_call_work: u64,
    /// The maximum work of all slow calls of a recording together, in units, so that a program that is slow at every frame stops early.
    pub total_slow_work: u64,
    /// The maximum memory of all live values, in bytes, as estimated.
    pub memory: usize,
    /// The maximum number of nested calls.
    pub call_depth: usize,
    /// The maximum number of characters that one call may print.
    pub output_characters: usize,
}

impl Budget {
    /// Creates a budget with `work` units per call and slow-call limits in proportion; the other limits are the defaults.
    pub fn with_work(work: u64) -> Self {
        Self { work, slow_call_work: work / 4, total_slow_work: work.saturating_mul(16), ..Self::default() }
    }
}

impl Default for Budget {
    /// Returns a budget of 1,000,000 units of work per call, of which 250,000 count as slow, 16,000,000 units for all slow calls of a
    /// recording, 64 MiB of memory, 200 nested calls and 64 KiB of output.
    fn default() -> Self {
        Self {
            work: 1_000_000,
            slow_call_work: 250_000,
            total_slow_work: 16_000_000,
            memory: 64 << 20,
            call_depth: 200,
            output_characters: 64 << 10,
        }
    }
}
