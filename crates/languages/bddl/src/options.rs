//! Ground options: the sets of literals that each satisfy a goal.
//!
//! | module | contents |
//! |---|---|
//! | [`factored`] | all options in factored form: counted and optimized by the structure of the goal |
//! | `count`, `weight` | the number of options, and the best option |
//! | `assignment`, [`star_cover`] | minimum-cost matching and minimum star cover, for the best option of pairs |
//! | [`exact`] | all options as a decision diagram, which supports counting and optimization without enumeration |
//! | [`listing`] | enumeration of options, shortest first |
//! | [`diagram`] | families of literal sets as shared decision diagrams |
//! | `build` | construction of the families of options of conditions |
//! | [`release`] | the options that a release lists, in its order, including its truncations and bugs |
//! | [`product`] | the orders in which the releases enumerate combinations |

mod assignment;
mod build;
mod count;
pub mod diagram;
pub mod exact;
pub mod factored;
pub mod listing;
pub mod product;
pub mod release;
pub mod star_cover;
mod weight;

use crate::evaluate::is_true;
use crate::ground::AtomId;

pub use count::OptionCount;
pub use diagram::DiagramSizeError;
pub use exact::{ExactOptions, NearestOption};
pub use factored::FactoredOptions;
pub use weight::{BestOption, LiteralWeights};

/// An atom or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// The atom.
    pub atom: AtomId,
    /// Whether the literal is the atom itself; otherwise it is the negation.
    pub positive: bool,
}

impl Literal {
    /// Whether the literal is true in a state.
    pub fn holds(self, state: &[bool]) -> bool {
        is_true(state, self.atom) == self.positive
    }
}
