//! Decisions from a string of bytes, so that whoever makes the bytes, a fuzzer or a property test, makes the decisions.

/// A source of decisions. When the bytes are used up, every decision is the first choice; generators put there what
/// comes to an end.
#[derive(Debug)]
pub struct Choices<'b> {
    bytes: &'b [u8],
}

impl<'b> Choices<'b> {
    /// Decisions by these bytes.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// Whether all bytes are used up.
    pub fn exhausted(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A number below `count`; 0 if that is 0.
    pub fn below(&mut self, count: usize) -> usize {
        let Some((&first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        if count == 0 { 0 } else { usize::from(first) % count }
    }

    /// Whether one of `of` cases comes up; never when the bytes are used up.
    pub fn one_in(&mut self, of: usize) -> bool {
        self.below(of) + 1 == of
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
