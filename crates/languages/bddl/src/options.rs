//! Ground options: the sets of literals that each make a goal true.
//!
//! | module | what lives there |
//! |---|---|
//! | [`structure`] | all options, counted and weighed by the structure of the goal |
//! | `count`, `weight` | their number, and the best of them |
//! | `assignment`, [`centers`] | the cheapest pairs, and the fewest stars, for the best of pairs |
//! | [`exact`] | all options, as a diagram that counts and compares them without listing them |
//! | [`listing`] | going through them, shortest first |
//! | [`diagram`] | families of sets of literals as shared decision diagrams |
//! | `build` | the families of options of conditions |
//! | [`release`] | the options that a release lists, in its order, with its truncations and its faults |
//! | [`product`] | the orders in which the releases go through combinations |

mod assignment;
mod build;
pub mod centers;
mod count;
pub mod diagram;
pub mod exact;
pub mod listing;
pub mod product;
pub mod release;
pub mod structure;
mod weight;

use crate::evaluate::is_true;
use crate::ground::AtomId;

pub use count::Count;
pub use diagram::TooLarge;
pub use exact::{Nearest, Options};
pub use structure::Structure;
pub use weight::{Best, Worth};

/// An atom or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// What it is about.
    pub atom: AtomId,
    /// Whether the atom is to be true.
    pub positive: bool,
}

impl Literal {
    /// Whether it is true in a state.
    pub fn holds(self, state: &[bool]) -> bool {
        is_true(state, self.atom) == self.positive
    }
}
