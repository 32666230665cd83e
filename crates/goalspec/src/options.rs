//! The ways in which the goal of an activity can be met: its ground options, counted and listed.

use goalspec_bddl::ground::{AtomId, GroundAtom, GroundError, GroundGoal};
use goalspec_bddl::options::release::{self, ListError};
use goalspec_bddl::options::{Options, TooLarge};

use crate::program::Activity;

/// A literal of an option, over instances of the activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Literal {
    /// How many `not` stand before the atom; more than one only as a release lists options.
    pub negations: u32,
    /// What it is about: see [`Listing::atom`].
    pub atom: AtomId,
}

/// The options of an activity, as far as they were asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// How many there are; none if there are more than a `u128` counts.
    pub count: Option<u128>,
    /// The first of them, in order.
    pub first: Vec<Vec<Literal>>,
    /// How many literals are missing at the start, at the least; none if no option is known.
    pub missing: Option<usize>,
    /// The atoms of the goal.
    atoms: Vec<GroundAtom>,
}

impl Listing {
    /// What a literal of these options is about.
    pub fn atom(&self, literal: Literal) -> &GroundAtom {
        &self.atoms[literal.atom.index()]
    }
}

/// Why options cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The goal cannot be taken apart.
    Ground(GroundError),
    /// The release that the dialect follows fails.
    Release(ListError),
    /// There are too many kinds of them.
    TooLarge(TooLarge),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ground(error) => error.fmt(f),
            Self::Release(error) => error.fmt(f),
            Self::TooLarge(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

/// The number of options and the first `limit` of them: those that there are, or, in a dialect that follows a release, those that
/// the release lists.
///
/// # Errors
/// If there is no list: see [`Failure`].
pub fn list(activity: &Activity, limit: usize) -> Result<Listing, Failure> {
    let goal = GroundGoal::new(&activity.problem).map_err(Failure::Ground)?;
    let start = goal.initial_state(&activity.problem);
    let Some(release) = activity.dialect.release() else {
        return exact(activity, goal, &start, limit).map_err(Failure::TooLarge);
    };
    let options = release::of_goal(&goal, release).map_err(Failure::Release)?;
    let literals = |option: &release::Conjunction| {
        let literal = |literal: &release::Written| Literal { negations: literal.negations, atom: literal.atom };
        option.iter().map(literal).collect()
    };
    let missing = |option: &release::Conjunction| option.iter().filter(|literal| !literal.holds(&start)).count();
    Ok(Listing {
        count: Some(options.len() as u128),
        first: options.iter().take(limit).map(literals).collect(),
        missing: options.iter().map(missing).min(),
        atoms: goal.atoms.into_iter().collect(),
    })
}

fn exact(activity: &Activity, goal: GroundGoal, start: &[bool], limit: usize) -> Result<Listing, TooLarge> {
    let options = Options::of(&goal, activity.dialect)?;
    let mut first = Vec::new();
    for option in options.list()?.take(limit) {
        let literal = |literal: &goalspec_bddl::options::Literal| Literal {
            negations: u32::from(!literal.positive),
            atom: literal.atom,
        };
        first.push(option.iter().map(literal).collect());
    }
    let missing = options.nearest(start).map(|nearest| nearest.missing.len());
    Ok(Listing { count: options.count(), first, missing, atoms: goal.atoms.into_iter().collect() })
}
