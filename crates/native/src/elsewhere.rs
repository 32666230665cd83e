//! In place of machine code, on processors that there is no compiler for here.

use std::convert::Infallible;

use crate::lists::Memory;
use crate::op::{Outcome, Rows};
use crate::program::Program;

/// A program as machine code of this computer: there is none.
#[derive(Debug)]
pub struct Code(Infallible);

impl Code {
    /// Compiles nothing.
    ///
    /// # Errors
    /// Always.
    pub fn compile(_: &Program) -> Result<Self, String> {
        Err("there is no compiler for this processor".to_owned())
    }

    /// Runs the program.
    pub fn run(&self, _: Rows<'_>, _: &mut Memory, _: i64) -> Outcome {
        match self.0 {}
    }
}
