//! The ground options of an activity's goal, counted and listed. An option is a conjunction of literals that implies the goal.

mod record;

use std::sync::Arc;

use goalspec_bddl::ground::{AtomId, GroundAtom, GroundError, GroundGoal};
use goalspec_bddl::lint;
use goalspec_bddl::options::release::ListError;
use goalspec_bddl::options::{self, OptionSolver, SolverError};

pub use goalspec_bddl::options::{DiagramSizeError, OptionCount};

pub use self::record::OptionsRecord;

use crate::program::Activity;

/// Help on a goal that has options only with the documented reading of quantifiers.
pub const DOCUMENTED_READING_HELP: &str = "use `--quantifiers documented`, with which the goal has options: at least N for `forn`, one-to-one \
    pairs";

/// A literal of an option, over instances of the activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedLiteral {
    /// The number of negations in front of the atom; more than one only in options as listed by a release.
    pub negations: u32,
    /// The atom: see [`GoalOptions::atom`].
    pub atom: AtomId,
}

/// The options of an activity's goal.
#[derive(Debug, Clone)]
pub struct GoalOptions {
    /// The number of options.
    pub count: OptionCount,
    /// The minimum number of literals that are false in the initial state; `None` if no option is known.
    pub min_missing: Option<usize>,
    /// Whether the goal has no options in this dialect but has options if quantifiers are read as documented.
    pub has_documented_options: bool,
    /// The solver that lists the options; `None` if no options were requested, an error if they exceed the size limit of the decision
    /// diagram.
    lister: Option<Result<Arc<dyn OptionSolver>, DiagramSizeError>>,
    limit: usize,
    /// The atoms of the goal.
    atoms: Vec<GroundAtom>,
}

impl GoalOptions {
    /// Returns the atom of a literal in these options.
    pub fn atom(&self, literal: NamedLiteral) -> &GroundAtom {
        &self.atoms[literal.atom.index()]
    }

    /// Returns a literal as BDDL, such as `(not (open box.n.01_1))`.
    pub fn bddl(&self, literal: NamedLiteral) -> String {
        let atom = self.atom(literal);
        let mut text = format!("({} {})", atom.predicate, atom.arguments.join(" "));
        for _ in 0..literal.negations {
            text = format!("(not {text})");
        }
        text
    }

    /// Returns an iterator over the first options, in order, up to the requested number. Each option is computed on demand.
    ///
    /// # Errors
    /// If the options exceed the size limit of the decision diagram.
    pub fn options(&self) -> Result<impl Iterator<Item = Vec<NamedLiteral>> + '_, DiagramSizeError> {
        let listed = match &self.lister {
            None => None,
            Some(Ok(lister)) => Some(lister.list()?),
            Some(Err(too_large)) => return Err(*too_large),
        };
        let option = |option: options::release::Conjunction| {
            option.iter().map(|literal| NamedLiteral { negations: literal.negations, atom: literal.atom }).collect()
        };
        Ok(listed.into_iter().flatten().map(option).take(self.limit))
    }
}

/// The reason why options cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionsError {
    /// The goal cannot be grounded.
    Ground(GroundError),
    /// The release that the dialect follows fails on the goal.
    Release(ListError),
    /// The options exceed the size limit of the decision diagram.
    TooLarge {
        /// The exceeded limit.
        reason: DiagramSizeError,
        /// Whether options are known to exist.
        options_exist: bool,
    },
}

impl std::fmt::Display for OptionsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ground(error) => error.fmt(f),
            Self::Release(error) => error.fmt(f),
            Self::TooLarge { reason, options_exist: true } => write!(f, "the goal is satisfiable, but {reason}"),
            Self::TooLarge { reason, options_exist: false } => {
                write!(f, "satisfiability of the goal is unknown: {reason}")
            }
        }
    }
}

impl std::error::Error for OptionsError {}

/// Counts the options of an activity's goal and prepares the list of the first `limit`. In a dialect that follows a release,
/// these are the options that the release lists.
///
/// # Errors
/// If the options cannot be listed: see [`OptionsError`].
pub fn list(activity: &Activity, limit: usize) -> Result<GoalOptions, OptionsError> {
    let dialect = activity.dialect;
    let goal = GroundGoal::new(&activity.problem).map_err(OptionsError::Ground)?;
    let solver = options::solver(&goal, dialect).map_err(|error| match error {
        SolverError::Release(error) => OptionsError::Release(error),
        SolverError::TooLarge(reason) => {
            OptionsError::TooLarge { reason, options_exist: lint::has_witness(&goal, dialect) }
        }
    })?;
    let lister = (limit > 0).then(|| options::listing_solver(&goal, dialect, &solver));
    let count = solver.count();
    let nearest = solver.nearest(&goal.initial_state(&activity.problem));
    let documented = dialect.with_documented_quantifiers();
    let has_documented_options = solver.is_exact()
        && count == OptionCount::Exactly(0)
        && documented != dialect
        && options::solver(&goal, documented).is_ok_and(|options| options.count() != OptionCount::Exactly(0));
    Ok(GoalOptions {
        count,
        min_missing: nearest.map(|nearest| nearest.others),
        has_documented_options,
        lister,
        limit,
        atoms: goal.atoms.into_iter().collect(),
    })
}
