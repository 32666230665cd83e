//! The ground options of an activity's goal, counted and listed. An option is a conjunction of literals that implies the goal.

use goalspec_bddl::ground::{AtomId, GroundAtom, GroundError, GroundGoal};
use goalspec_bddl::lint;
use goalspec_bddl::options::release::{self, Conjunction, ListError};
use goalspec_bddl::options::{self, Options, Structure};

pub use goalspec_bddl::options::{Count, TooLarge};

use crate::program::Activity;

/// A literal of an option, over instances of the activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Literal {
    /// The number of negations in front of the atom; more than one only in options as listed by a release.
    pub negations: u32,
    /// The atom: see [`Listing::atom`].
    pub atom: AtomId,
}

/// The options of an activity's goal.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The number of options.
    pub count: Count,
    /// The minimum number of literals that are false in the initial state; `None` if no option is known.
    pub missing: Option<usize>,
    /// Whether the goal has no options in this dialect but has options if quantifiers are read as documented.
    pub documented: bool,
    source: Source,
    limit: usize,
    /// The atoms of the goal.
    atoms: Vec<GroundAtom>,
}

/// The source of the listed options.
#[derive(Debug, Clone)]
enum Source {
    /// No options were requested.
    Unasked,
    /// The options of the goal.
    Exact(Options),
    /// The options that a release lists.
    Release(Vec<Conjunction>),
    /// Options that are too varied to list.
    Unknown(TooLarge),
}

impl Listing {
    /// Returns the atom of a literal in these options.
    pub fn atom(&self, literal: Literal) -> &GroundAtom {
        &self.atoms[literal.atom.index()]
    }

    /// Returns an iterator over the first options, in order, up to the requested number. Each option is computed on demand.
    ///
    /// # Errors
    /// If the options are too varied to list.
    pub fn first(&self) -> Result<impl Iterator<Item = Vec<Literal>> + '_, TooLarge> {
        let (exact, listed) = match &self.source {
            Source::Unasked => (None, &[][..]),
            Source::Exact(options) => (Some(options.list()?), &[][..]),
            Source::Release(options) => (None, &options[..]),
            Source::Unknown(too_large) => return Err(*too_large),
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
pub enum Failure {
    /// The goal cannot be grounded.
    Ground(GroundError),
    /// The release that the dialect follows fails on the goal.
    Release(ListError),
    /// The options are too varied to list.
    TooLarge {
        /// The exceeded limit.
        reason: TooLarge,
        /// Whether options are known to exist.
        exist: bool,
    },
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ground(error) => error.fmt(f),
            Self::Release(error) => error.fmt(f),
            Self::TooLarge { reason, exist: true } => write!(f, "the goal is satisfiable, but {reason}"),
            Self::TooLarge { reason, exist: false } => write!(f, "satisfiability of the goal is unknown: {reason}"),
        }
    }
}

impl std::error::Error for Failure {}

/// Counts the options of an activity's goal and prepares the list of the first `limit`. In a dialect that follows a release,
/// these are the options that the release lists.
///
/// # Errors
/// If the options cannot be listed: see [`Failure`].
pub fn list(activity: &Activity, limit: usize) -> Result<Listing, Failure> {
    let goal = GroundGoal::new(&activity.problem).map_err(Failure::Ground)?;
    let start = goal.initial_state(&activity.problem);
    let Some(release) = activity.dialect.release() else {
        return exact(activity, &goal, &start, limit)
            .map_err(|reason| Failure::TooLarge { reason, exist: lint::is_easily_met(&goal, activity.dialect) });
    };
    let options = release::of_goal(&goal, release).map_err(Failure::Release)?;
    let missing = |option: &Conjunction| option.iter().filter(|literal| !literal.holds(&start)).count();
    Ok(Listing {
        count: Count::Exactly(options.len() as u128),
        missing: options.iter().map(missing).min(),
        documented: false,
        source: Source::Release(options),
        limit,
        atoms: goal.atoms.into_iter().collect(),
    })
}

fn exact(activity: &Activity, goal: &GroundGoal, start: &[bool], limit: usize) -> Result<Listing, TooLarge> {
    let structure = Structure::of(goal, activity.dialect)?;
    let source = match limit {
        0 => Source::Unasked,
        _ if structure.is_large() => Source::Unknown(TooLarge),
        _ => Options::of(goal, activity.dialect).map_or_else(Source::Unknown, Source::Exact),
    };
    let missing = structure.nearest(start).map(|nearest| nearest.others);
    let count = structure.count();
    let other = activity.dialect.documented();
    let documented = count == Count::Exactly(0)
        && other != activity.dialect
        && Structure::of(goal, other).is_ok_and(|structure| structure.count() != Count::Exactly(0));
    Ok(Listing { count, missing, documented, source, limit, atoms: goal.atoms.iter().cloned().collect() })
}
