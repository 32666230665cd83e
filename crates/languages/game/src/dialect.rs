//! How programs are read where the text that defines the language says two different things.

/// A reading of the language: one value, decided where programs are loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Dialect {
    /// Whether a `hold` between two other operators may cover no state at all. As the first or the last operator it always covers
    /// one.
    pub empty_holds: bool,
}

impl Dialect {
    /// The formal part of the text and the authors' implementation, the default: every `hold` covers at least one state.
    pub const FORMAL: Self = Self { empty_holds: false };

    /// The prose of the text, which sets no minimum for a `hold`.
    pub const PROSE: Self = Self { empty_holds: true };

    /// The fewest states that the operator at this place of a `then` with `operators` operators covers, if it is a `hold`.
    pub(crate) fn shortest_hold(self, place: usize, operators: usize) -> usize {
        let between = place > 0 && place + 1 < operators;
        usize::from(!(self.empty_holds && between))
    }
}
