//! The error of compilation to machine code.

use std::fmt;

/// The error that a program cannot be compiled to machine code: the processor is not supported, or the compiler fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineCodeError {
    message: String,
}

impl MachineCodeError {
    /// Returns the error with the message of the compiler.
    #[allow(clippy::needless_pass_by_value, reason = "an argument of `map_err`")]
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string() }
    }
}

impl fmt::Display for MachineCodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MachineCodeError {}
