//! The ground options of an activity's goal, counted and listed. An option is a conjunction of literals that implies the goal.

use goalspec_bddl::ground::{AtomId, GroundAtom, GroundError, GroundGoal};
use goalspec_bddl::lint;
use goalspec_bddl::options::release::{self, Conjunction, ListError};
use goalspec_bddl::options::{self, ExactOptions, FactoredOptions};

pub use goalspec_bddl::options::{DiagramSizeError, OptionCount};

use crate::program::Activity;

/// A literal of an option, over instances of the activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Literal {
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
    source: OptionSource,
    limit: usize,
    /// The atoms of the goal.
    atoms: Vec<GroundAtom>,
}

/// The source of the listed options.
#[derive(Debug, Clone)]
enum OptionSource {
    /// No options were requested.
    NotRequested,
    /// The options of the goal.
    Exact(ExactOptions),
    /// The options that a release lists.
    Release(Vec<Conjunction>),
    /// Options that are too varied to list.
    Unknown(DiagramSizeError),
}

impl GoalOptions {
    /// Returns the atom of a literal in these options.
    pub fn atom(&self, literal: Literal) -> &GroundAtom {
        &self.atoms[literal.atom.index()]
    }

    /// Returns an iterator over the first options, in order, up to the requested number. Each option is computed on demand.
    ///
    /// # Errors
    /// If the options are too varied to list.
    pub fn options(&self) -> Result<impl Iterator<Item = Vec<Literal>> + '_, DiagramSizeError> {
        let (exact, listed) = match &self.source {
            OptionSource::NotRequested => (None, &[][..]),
            OptionSource::Exact(options) => (Some(options.try_iter()?), &[][..]),
            OptionSource::Release(options) => (None, &options[..]),
            OptionSource::Unknown(too_large) => return Err(*too_large),
        };
        let exact = exact.into_iter().flatten().map(|option| {
            let literal =
                |literal: options::Literal| Literal { negations: u32::from(!literal.positive), atom: literal.atom };
            option.into_iter().map(literal).collect()
        });
        let listed = listed.iter().map(|option| {
            option.iter().map(|literal| Literal { negations: literal.negations, atom: literal.atom }).collect()
        });
        Ok(exact.chain(listed).take(self.limit))
    }
}

/// The reason why options cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionsError {
    /// The goal cannot be grounded.
    Ground(GroundError),
    /// The release that the dialect follows fails on the goal.
    Release(ListError),
    /// The options are too varied to list.
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
    let goal = GroundGoal::new(&activity.problem).map_err(OptionsError::Ground)?;
    let start = goal.initial_state(&activity.problem);
    let Some(release) = activity.dialect.release() else {
        return exact(activity, &goal, &start, limit).map_err(|reason| OptionsError::TooLarge {
            reason,
            options_exist: lint::has_witness(&goal, activity.dialect),
        });
    };
    let options = release::of_goal(&goal, release).map_err(OptionsError::Release)?;
    let missing = |option: &Conjunction| option.iter().filter(|literal| !literal.holds(&start)).count();
    Ok(GoalOptions {
        count: OptionCount::Exactly(options.len() as u128),
        min_missing: options.iter().map(missing).min(),
        has_documented_options: false,
        source: OptionSource::Release(options),
        limit,
        atoms: goal.atoms.into_iter().collect(),
    })
}

fn exact(
    activity: &Activity,
    goal: &GroundGoal,
    start: &[bool],
    limit: usize,
) -> Result<GoalOptions, DiagramSizeError> {
    let structure = FactoredOptions::of(goal, activity.dialect)?;
    let source = match limit {
        0 => OptionSource::NotRequested,
        _ if structure.exceeds_diagram_limit() => OptionSource::Unknown(DiagramSizeError),
        _ => ExactOptions::of(goal, activity.dialect).map_or_else(OptionSource::Unknown, OptionSource::Exact),
    };
    let missing = structure.nearest(start).map(|nearest| nearest.others);
    let count = structure.count();
    let other = activity.dialect.with_documented_quantifiers();
    let documented = count == OptionCount::Exactly(0)
        && other != activity.dialect
        && FactoredOptions::of(goal, other).is_ok_and(|structure| structure.count() != OptionCount::Exactly(0));
    Ok(GoalOptions {
        count,
        min_missing: missing,
        has_documented_options: documented,
        source,
        limit,
        atoms: goal.atoms.iter().cloned().collect(),
    })
}
