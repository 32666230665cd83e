//! Dialects of the language: two interpretations of a rule on which the defining text is inconsistent.

/// A dialect of the language, chosen where programs are loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Dialect {
    /// Whether a `hold` between two other operators may match the empty sequence of states. A `hold` that is the first or last
    /// operator always covers at least one state.
    pub empty_holds: bool,
}

impl Dialect {
    /// The formal semantics of the text and the authors' implementation (the default): every `hold` covers at least one state.
    pub const FORMAL: Self = Self { empty_holds: false };

    /// The informal semantics of the text, which sets no minimum length for a `hold`.
    pub const PROSE: Self = Self { empty_holds: true };

    /// Returns the minimum number of states that a `hold` covers at index `place` of a `then` with `operators` operators.
    pub(crate) fn min_hold_length(self, place: usize, operators: usize) -> usize {
        let between = place > 0 && place + 1 < operators;
        usize::from(!(self.empty_holds && between))
    }
}
