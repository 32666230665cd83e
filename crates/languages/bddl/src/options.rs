//! Ground options: the sets of literals that each satisfy a goal, its implicants.
//!
//! Three solvers build the options of a goal in different forms, behind the trait [`OptionSolver`]. [`solver`](solver()) and
//! [`listing_solver`] select one.
//!
//! | solver | form of the options | algorithms | good at |
//! |---|---|---|---|
//! | [`FactoredOptions`] | an and-or graph of parts that share no atom | products and sums of counts; minimum-cost bipartite matching for one-to-one pairs; minimum dominating set, by branch and bound, for the edge covers that other pairs require | counting, and the option nearest to a state, for any number of options |
//! | [`ExactOptions`] | one zero-suppressed decision diagram | dynamic programming over the branches | listing, and goals whose parts share atoms; the diagram is limited in size |
//! | [`ReleaseOptions`] | an explicit list | truncated Cartesian products | the options that a release lists, in its order, including its bugs |
//!
//! | module | contents |
//! |---|---|
//! | `solver` | the trait of the solvers, and their selection |
//! | [`factored`] | the factored form of a goal's options |
//! | `count`, `weight` | counting and optimization in factored form |
//! | `assignment` | minimum-cost bipartite matching of a fixed size |
//! | [`star_cover`] | minimum dominating sets, whose stars form the edge covers with the most edges |
//! | [`exact`] | all options as a decision diagram |
//! | [`diagram`] | families of literal sets as shared decision diagrams |
//! | `build` | construction of the families of options of conditions |
//! | [`listing`] | enumeration of the options of a diagram, shortest first |
//! | [`release`] | the options that a release lists |
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
mod solver;
pub mod star_cover;
mod weight;

use crate::evaluate::is_true;
use crate::ground::AtomId;

pub use count::OptionCount;
pub use diagram::DiagramSizeError;
pub use exact::{ExactOptions, NearestOption};
pub use factored::FactoredOptions;
pub use release::ReleaseOptions;
pub(crate) use solver::is_satisfiable;
pub use solver::{OptionIter, OptionSolver, SolverError, listing_solver, solver};
pub use weight::{BestOption, LiteralWeights};

/// An atom or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomLiteral {
    /// The atom.
    pub atom: AtomId,
    /// Whether the literal is the atom itself; otherwise it is the negation.
    pub positive: bool,
}

impl AtomLiteral {
    /// Whether the literal is true in a state.
    pub fn holds(self, state: &[bool]) -> bool {
        is_true(state, self.atom) == self.positive
    }
}
