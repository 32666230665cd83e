//! A stub in place of machine code, for unsupported processors.

use std::convert::Infallible;

use crate::error::MachineCodeError;
use crate::lists::ListMemory;
use crate::op::{Host, Rows, RunOutcome};
use crate::program::Program;

/// A compiled program. On this processor, no value of this type exists.
#[derive(Debug)]
pub struct MachineCode(Infallible);

impl MachineCode {
    /// Returns an error, because there is no compiler for this processor.
    ///
    /// # Errors
    /// Always returns an error.
    pub fn compile(_: &Program) -> Result<Self, MachineCodeError> {
        Err(MachineCodeError::new("machine code is not supported on this processor"))
    }

    /// Runs the program.
    pub fn run(&self, _: Rows<'_>, _: &mut ListMemory, _: i64, _: &dyn Host) -> RunOutcome {
        match self.0 {}
    }
}
