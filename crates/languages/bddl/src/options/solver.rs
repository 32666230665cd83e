//! The solvers of options, behind one trait, and their selection.

use std::fmt;
use std::sync::Arc;

use super::release::{Conjunction, ListError, ReleaseOptions};
use super::{AtomLiteral, BestOption, DiagramSizeError, ExactOptions, FactoredOptions, LiteralWeights, OptionCount};
use crate::Dialect;
use crate::dialect::OptionAlgorithm;
use crate::ground::{GroundGoal, Node};
use crate::progress::Fraction;

/// An iterator over options.
pub type OptionIter<'a> = Box<dyn Iterator<Item = Conjunction> + 'a>;

/// The options of one ground goal, in a form that a solver has built and that answers questions about them.
pub trait OptionSolver: fmt::Debug + Send + Sync {
    /// Whether the options are all those of the goal, so that one of them holds if and only if the goal holds.
    fn is_exact(&self) -> bool;

    /// Returns the number of options.
    fn count(&self) -> OptionCount;

    /// Returns the option with the maximum total weight; `None` if there is no option. `counts` selects the literals that count.
    ///
    /// Weights must be small enough for the sum over all atoms to fit into an `i64`.
    fn best(&self, counts: &dyn Fn(AtomLiteral) -> bool, weights: LiteralWeights) -> Option<BestOption>;

    /// Returns the option with the fewest literals that are false in a state, and of these one with the most literals that are
    /// true; `None` if there is no option. True literals count. For [exact](Self::is_exact) options, no literal is missing if
    /// and only if the goal holds.
    ///
    /// The number of false literals is always minimal; the number of true ones may be unproven.
    fn nearest(&self, state: &[bool]) -> Option<BestOption> {
        // One false literal outweighs all true ones, since there are fewer than 2^32 atoms.
        self.best(&|literal| literal.holds(state), LiteralWeights { counted: 1, other: -(1 << 32) })
    }

    /// Returns the largest share of the literals that count in an option, 0 if there is no option; `None` if it is not proven.
    ///
    /// The share of an option without literals is 1 in the list of a release. Exact options include the empty one only for a goal
    /// that always holds, which needs no share.
    fn largest_share(&self, counts: &dyn Fn(AtomLiteral) -> bool) -> Option<Fraction> {
        // Dinkelbach's algorithm: a larger share than the best so far is an option whose counted literals outweigh its length
        // at that ratio. Each round finds the option with the largest difference, until there is none.
        let mut best = Fraction::ZERO;
        loop {
            let (part, whole) = (i64::from(best.numerator), i64::from(best.denominator));
            let weights = LiteralWeights { counted: whole - part, other: -part };
            match self.best(counts, weights) {
                Some(option) if !option.proven => return None,
                Some(option) if option.total_weight(weights) > 0 => {
                    best = Fraction::new(option.counted, option.counted + option.others);
                }
                _ => return Some(best),
            }
        }
    }

    /// Returns an iterator over the options, shortest first.
    ///
    /// # Errors
    /// If the options exceed the size limit of the decision diagram. The factored form never lists them.
    fn list(&self) -> Result<OptionIter<'_>, DiagramSizeError>;

    /// Whether the options are certain to exceed the size limit of the decision diagram, so that they cannot be listed in any form.
    fn exceeds_diagram_limit(&self) -> bool {
        false
    }
}

/// An error that prevents a solver from building the options of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolverError {
    /// The options take too large a decision diagram.
    TooLarge(DiagramSizeError),
    /// The release fails on the goal.
    Release(ListError),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(error) => error.fmt(f),
            Self::Release(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SolverError {}

impl From<DiagramSizeError> for SolverError {
    fn from(error: DiagramSizeError) -> Self {
        Self::TooLarge(error)
    }
}

impl From<ListError> for SolverError {
    fn from(error: ListError) -> Self {
        Self::Release(error)
    }
}

/// Solves a goal for counting and comparing its options: in factored form, or as the release of the dialect does.
///
/// # Errors
/// If the options take too large a diagram even in factored form, or the release fails on the goal.
pub fn solver(goal: &GroundGoal, dialect: Dialect) -> Result<Arc<dyn OptionSolver>, SolverError> {
    Ok(match dialect.option_algorithm {
        OptionAlgorithm::Exact => Arc::new(FactoredOptions::of(goal, dialect)?),
        OptionAlgorithm::Release(release) => Arc::new(ReleaseOptions::of(goal, release)?),
    })
}

/// Solves a goal for listing its options: as one decision diagram, or as the release of the dialect does. `solver` is the
/// [solver](solver()) that counts them.
///
/// # Errors
/// If the diagram would be too large.
pub fn listing_solver(
    goal: &GroundGoal,
    dialect: Dialect,
    solver: &Arc<dyn OptionSolver>,
) -> Result<Arc<dyn OptionSolver>, DiagramSizeError> {
    match dialect.option_algorithm {
        OptionAlgorithm::Exact if solver.exceeds_diagram_limit() => Err(DiagramSizeError),
        OptionAlgorithm::Exact => Ok(Arc::new(ExactOptions::of(goal, dialect)?)),
        OptionAlgorithm::Release(_) => Ok(solver.clone()),
    }
}

/// Decides whether a conjunction of conditions over `atoms` atoms is satisfiable, by its decision diagram.
///
/// # Errors
/// If the diagram becomes too large.
pub(crate) fn is_satisfiable<'g>(
    atoms: usize,
    nodes: impl DoubleEndedIterator<Item = &'g Node>,
    dialect: Dialect,
) -> Result<bool, DiagramSizeError> {
    Ok(ExactOptions::of_nodes(atoms, nodes, dialect)?.is_satisfiable())
}
