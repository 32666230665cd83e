//! Decisions drawn from a byte string, so that a fuzzer or a property test controls them.

/// A source of decisions. When the bytes are exhausted, every decision is the first choice, for which generators terminate.
#[derive(Debug)]
pub struct Choices<'b> {
    bytes: &'b [u8],
}

impl<'b> Choices<'b> {
    /// Creates a source of decisions from bytes.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// Returns whether all bytes have been used.
    pub fn exhausted(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns a number less than `count`, or 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        let Some((&first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        if count == 0 { 0 } else { usize::from(first) % count }
    }

    /// Returns `true` in one of `count` cases, and never if the bytes are exhausted and `count` is greater than 1.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) + 1 == count
    }

    /// Returns one of the items.
    ///
    /// # Panics
    /// Panics if there are no items.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
