//! Ground options: the sets of literals that each make a goal true.
//!
//! | module | what lives there |
//! |---|---|
//! | [`exact`] | all options, as a diagram that counts and compares them without listing them |
//! | [`listing`] | going through them, shortest first |
//! | [`diagram`] | families of sets of literals as shared decision diagrams |
//! | `build` | the families of options of conditions |
//! | [`release`] | the options that a release lists, in its order, with its truncations and its faults |
//! | [`product`] | the orders in which the releases go through combinations |

mod build;
pub mod diagram;
pub mod exact;
pub mod listing;
pub mod product;
pub mod release;

use crate::evaluate::is_true;
use crate::ground::AtomId;

pub use diagram::TooLarge;
pub use exact::{Nearest, Options};

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
