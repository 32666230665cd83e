//! The memory requirements of a run, known before it starts.

use std::fmt;
use std::sync::Arc;

/// The memory requirements of a run of a compiled program. Memory for satisfactions, tracked positions and formulas comes on top:
/// it grows during the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryRequirements {
    /// The preferences, in order of definition.
    pub preferences: Vec<PreferenceMemory>,
    /// The number of distinct atoms and comparisons in the conditions.
    pub atoms: u64,
    /// The number of their truth values: one per tuple of objects.
    pub truth_values: u64,
    /// Memory for the truth vectors of all conditions, in bytes.
    pub vector_bytes: u64,
    /// Memory per satisfaction, without its measures, in bytes.
    pub satisfaction_bytes: u64,
}

/// The memory requirements of one preference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreferenceMemory {
    /// The preference's name.
    pub name: Arc<str>,
    /// The number of bindings that are matched: those that are not ruled out in advance.
    pub bindings: u64,
    /// The number of 64-bit words with one bit per binding.
    pub words: u64,
    /// Memory for matching and counting, in bytes.
    pub bytes: u64,
}

impl MemoryRequirements {
    /// Returns the memory for conditions, matching and counting, in bytes.
    pub fn bytes(&self) -> u64 {
        self.vector_bytes + self.preferences.iter().map(|preference| preference.bytes).sum::<u64>()
    }
}

/// A number of bytes, displayed in a suitable unit.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes @ 0..10_000 => write!(f, "{bytes} B"),
            bytes @ 10_000..10_000_000 => write!(f, "{:.1} kB", bytes as f64 / 1e3),
            bytes => write!(f, "{:.1} MB", bytes as f64 / 1e6),
        }
    }
}

impl fmt::Display for MemoryRequirements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            self.preferences.iter().map(|preference| preference.name.chars().count()).max().unwrap_or(0).max(10);
        writeln!(f, "{:width$}  {:>12}  {:>12}", "preference", "bindings", "memory")?;
        for PreferenceMemory { name, bindings, bytes, .. } in &self.preferences {
            writeln!(f, "{name:width$}  {bindings:>12}  {:>12}", Bytes(*bytes).to_string())?;
        }
        writeln!(
            f,
            "{:width$}  {:>12}  {:>12}",
            "conditions",
            self.truth_values,
            Bytes(self.vector_bytes).to_string()
        )?;
        writeln!(f, "{:width$}  {:>12}  {:>12}", "total", "", Bytes(self.bytes()).to_string())?;
        write!(
            f,
            "Each satisfaction takes {} more; at most {} are stored per preference.",
            Bytes(self.satisfaction_bytes),
            goalspec_core::limits::MAX_LISTED_SATISFACTIONS
        )
    }
}
