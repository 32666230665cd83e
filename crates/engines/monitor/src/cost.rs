//! What a run takes, known before it begins.

use std::fmt;
use std::sync::Arc;

/// What a run of a compiled program takes. Memory for what is found, for measured positions and for formulas comes on top:
/// it grows with the play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// The preferences, in order of definition.
    pub preferences: Vec<PreferenceCost>,
    /// How many different atoms and comparisons the conditions are made of.
    pub questions: u64,
    /// How many truth values they have: one for each tuple of objects.
    pub answers: u64,
    /// Bytes for the truth vectors of all conditions.
    pub vector_bytes: u64,
    /// Bytes for each satisfaction that is found, without its measures.
    pub satisfaction_bytes: u64,
}

/// What one preference takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreferenceCost {
    /// Its name.
    pub name: Arc<str>,
    /// How many bindings are looked at: those that nothing rules out before the play.
    pub bindings: u64,
    /// Words of 64 bindings.
    pub words: u64,
    /// Bytes for matching and counting.
    pub bytes: u64,
}

impl Cost {
    /// All bytes together.
    pub fn bytes(&self) -> u64 {
        self.vector_bytes + self.preferences.iter().map(|preference| preference.bytes).sum::<u64>()
    }
}

/// A number of bytes in a unit that suits it.
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

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            self.preferences.iter().map(|preference| preference.name.chars().count()).max().unwrap_or(0).max(10);
        writeln!(f, "{:width$}  {:>12}  {:>12}", "preference", "bindings", "memory")?;
        for PreferenceCost { name, bindings, bytes, .. } in &self.preferences {
            writeln!(f, "{name:width$}  {bindings:>12}  {:>12}", Bytes(*bytes).to_string())?;
        }
        writeln!(f, "{:width$}  {:>12}  {:>12}", "conditions", self.answers, Bytes(self.vector_bytes).to_string())?;
        writeln!(f, "{:width$}  {:>12}  {:>12}", "total", "", Bytes(self.bytes()).to_string())?;
        write!(
            f,
            "Each satisfaction takes {} more; at most {} are kept per preference.",
            Bytes(self.satisfaction_bytes),
            goalspec_core::limits::MAX_KEPT_SATISFACTIONS
        )
    }
}
