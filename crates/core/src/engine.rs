//! The choice between a fast engine and the reference interpreter.

/// The engine that evaluates programs. Both engines give the same results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Engine {
    /// The fast engine of the language.
    #[default]
    Fast,
    /// The reference interpreter: slow and obvious.
    Interpreter,
}
