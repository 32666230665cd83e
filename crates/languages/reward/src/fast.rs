//! The fast engine.

mod coverage;

pub use coverage::{Coverage, Uncovered};

use crate::code::Program;
use crate::limits::Budget;
use crate::machine::{Error, Machine};
use crate::scene::World;
use crate::typed::Inference;

/// What of a function runs fast.
///
/// # Errors
/// If the program's top level faults.
pub fn coverage(program: &Program, world: &World, function: &str) -> Result<Coverage, Error> {
    let machine = Machine::new(program, world, Budget::default())?;
    Ok(match Inference::of(program, world, &machine, function) {
        Ok(inference) => Coverage::of(program, &inference),
        Err(why) => Coverage::nothing(why),
    })
}
