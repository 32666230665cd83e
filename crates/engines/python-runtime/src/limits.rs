//! The budget of a run, and limits on values.

/// The maximum number of classes of one union, such as `int | str`.
pub const MAX_UNION_PARTS: usize = 1 << 10;

/// The limits on one run of a program. Exceeding one is an error that names the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallBudget {
    /// The maximum work of one call, in units. An instruction costs one unit, plus units for the values that it creates, copies, compares
    /// or formats and for the functions that it calls; a unit takes at most about 50 ns on current hardware.
    pub work: u64,
    /// The work above which a call counts as slow, in units. The fast engine hands slow calls over to the reference machine.
    pub slow_call_work: u64,
    /// The work of the calls of a recording beyond [`Self::frame_work`] for each frame, in units, after which the program is no longer
    /// called, so that a program that takes long at every frame stops early.
    pub reserve_work: u64,
    /// The work of each frame of a recording that does not reduce the reserve, in units. Frames that need less add to the reserve.
    pub frame_work: u64,
    /// The maximum memory of all live values, in bytes, as estimated.
    pub memory: usize,
    /// The maximum number of nested calls.
    pub call_depth: usize,
    /// The maximum number of characters that one call may print.
    pub output_characters: usize,
}

impl CallBudget {
    /// Creates a budget with `work` units per call, and the other limits on work in proportion; those on memory, calls and output are the
    /// defaults.
    pub fn with_work(work: u64) -> Self {
        Self {
            work,
            slow_call_work: work / 4,
            reserve_work: work.saturating_mul(32),
            frame_work: work / 8,
            ..Self::default()
        }
    }

    /// Returns the maximum work of all calls of the first `frames` frames of a recording, in units.
    pub fn recording_work(self, frames: u64) -> u64 {
        self.reserve_work.saturating_add(self.frame_work.saturating_mul(frames))
    }
}

impl Default for CallBudget {
    /// Returns a budget of 1,000,000 units of work per call, of which 250,000 count as slow, 32,000,000 units for all calls of a recording
    /// and 125,000 more for each frame, 64 MiB of memory, 200 nested calls and 64 KiB of output.
    fn default() -> Self {
        Self {
            work: 1_000_000,
            slow_call_work: 250_000,
            reserve_work: 32_000_000,
            frame_work: 125_000,
            memory: 64 << 20,
            call_depth: 200,
            output_characters: 64 << 10,
        }
    }
}
