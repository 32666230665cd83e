//! The options that a release lists, in its order, with its truncations and its faults.
//!
//! What the lists get wrong, and what therefore differs from the exact options: `forn` leaves the parts that
//! are not chosen free; pairs are tried in the first ten arrangements of the larger side only; a truncated list may hold
//! nothing but contradictions, and then the release says that there is no option; options may stand in the list twice.

use super::product::{self, EmptyFactor};
use crate::compat::{Exception, ExceptionKind};
use crate::dialect::Release;
use crate::evaluate::is_true;
use crate::ground::{AtomId, Cell, GroundGoal, Node, Pairs};

/// Most literals that are written while options are listed, those of intermediate lists included. Release 1.0.0 multiplies
/// conjuncts out, so its lists have no other bound.
pub const MAX_WRITTEN_LITERALS: usize = 1 << 22;

/// A literal as the releases write it: with double negations kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Written {
    /// What it is about.
    pub atom: AtomId,
    /// How many `not` stand before it.
    pub negations: u32,
}

impl Written {
    /// Whether it is true in a state.
    pub fn holds(self, state: &[bool]) -> bool {
        is_true(state, self.atom) != (self.negations % 2 == 1)
    }
}

/// Literals that are to hold together, as listed.
pub type Conjunction = Vec<Written>;

/// Why a release lists no options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListError {
    /// All options that it came up with contradict themselves: an `AssertionError` without words.
    NoOption,
    /// It looked into an empty list: an `IndexError`.
    EmptyList,
    /// `fornpairs` asks for more pairs than there are objects on one side: an `AssertionError`.
    TooManyPairs,
    /// The list would have more than [`MAX_WRITTEN_LITERALS`] literals; the release would have gone on.
    TooLarge,
}

impl std::fmt::Display for ListError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoOption => f.write_str("every listed option contradicts itself"),
            Self::EmptyList => f.write_str("a part of the goal has no option"),
            Self::TooManyPairs => f.write_str("`fornpairs` asks for more pairs than there are objects"),
            Self::TooLarge => write!(
                f,
                "the options have more than {MAX_WRITTEN_LITERALS} literals, a limit that no option lifts: split the goal, or bind fewer \
                 variables at once"
            ),
        }
    }
}

impl std::error::Error for ListError {}

impl ListError {
    /// The exception that the release raises; none where it would have gone on.
    pub fn exception(self) -> Option<Exception> {
        let (kind, message) = match self {
            Self::NoOption => (ExceptionKind::AssertionError, ""),
            Self::EmptyList => (ExceptionKind::IndexError, "list index out of range"),
            Self::TooManyPairs => {
                (ExceptionKind::AssertionError, "ForNPairs asks for more pairs than instances available")
            }
            Self::TooLarge => return None,
        };
        Some(Exception::new(kind, message))
    }
}

impl From<EmptyFactor> for ListError {
    fn from(EmptyFactor: EmptyFactor) -> Self {
        Self::EmptyList
    }
}

/// The options of each conjunct by itself.
///
/// # Errors
/// What the release fails with when it compiles the goal.
pub fn of_conjuncts(goal: &GroundGoal, release: Release) -> Result<Vec<Vec<Conjunction>>, ListError> {
    Lister::new(release).lists(&goal.conjuncts)
}

/// The options of a goal: shortest first, those of one length in the order in which the release comes upon them.
///
/// # Errors
/// What the release fails with when it compiles the goal or asks for its options.
pub fn of_goal(goal: &GroundGoal, release: Release) -> Result<Vec<Conjunction>, ListError> {
    let mut lister = Lister::new(release);
    let parts = lister.lists(&goal.conjuncts)?;
    let mut options = lister.multiply(&parts, release)?;
    options.retain(|option| !contradicts_itself(option));
    options.sort_by_key(Vec::len);
    if options.is_empty() { Err(ListError::NoOption) } else { Ok(options) }
}

/// Whether a literal stands in an option together with its negation, as written: two `not` do not cancel out.
fn contradicts_itself(option: &[Written]) -> bool {
    let mut sorted = option.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0].atom == pair[1].atom && pair[0].negations + 1 == pair[1].negations)
}

struct Lister {
    release: Release,
    /// How many literals may still be written.
    left: usize,
}

impl Lister {
    fn new(release: Release) -> Self {
        Self { release, left: MAX_WRITTEN_LITERALS }
    }

    fn lists(&mut self, nodes: &[Node]) -> Result<Vec<Vec<Conjunction>>, ListError> {
        nodes.iter().map(|node| self.list(node)).collect()
    }

    fn list(&mut self, node: &Node) -> Result<Vec<Conjunction>, ListError> {
        match node {
            Node::Atom(atom) => {
                self.pay(1)?;
                Ok(vec![vec![Written { atom: *atom, negations: 0 }]])
            }
            Node::Not(node) => {
                let options = self.list(node)?;
                self.negate(options)
            }
            Node::And(parts) => {
                let parts = self.lists(parts)?;
                self.multiply(&parts, self.release)
            }
            Node::Forall(parts) => {
                let parts = self.lists(parts)?;
                self.multiply(&parts, Release::V3_6)
            }
            Node::Or(parts) | Node::Exists(parts) => Ok(self.lists(parts)?.into_iter().flatten().collect()),
            Node::Imply(parts) => {
                let before = self.list(&parts[0])?;
                let mut options = self.negate(before)?;
                options.extend(self.list(&parts[1])?);
                Ok(options)
            }
            Node::ForN(amount, parts) => {
                let parts = self.lists(parts)?;
                self.choose(*amount as usize, &parts)
            }
            Node::ForPairs(pairs) => self.pair(pairs),
        }
    }

    /// Accounts for an option of so many literals.
    fn pay(&mut self, literals: usize) -> Result<(), ListError> {
        self.left = self.left.checked_sub(literals + 1).ok_or(ListError::TooLarge)?;
        Ok(())
    }

    /// One option of each part, joined: all of them in 1.0.0, a truncated product in 3.6.0.
    fn multiply(&mut self, parts: &[Vec<Conjunction>], release: Release) -> Result<Vec<Conjunction>, ListError> {
        let borrowed: Vec<&[Conjunction]> = parts.iter().map(Vec::as_slice).collect();
        self.multiply_borrowed(&borrowed, release)
    }

    fn multiply_borrowed(&mut self, parts: &[&[Conjunction]], release: Release) -> Result<Vec<Conjunction>, ListError> {
        let sizes: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        let mut options = Vec::new();
        self.combine(&sizes, release, |lister, places| {
            let chosen = || places.iter().zip(parts).map(|(&place, part)| &part[place]);
            lister.pay(chosen().map(Vec::len).sum())?;
            options.push(chosen().flatten().copied().collect());
            Ok(())
        })?;
        Ok(options)
    }

    /// Goes through the combinations of a release.
    fn combine(
        &mut self,
        sizes: &[usize],
        release: Release,
        mut take: impl FnMut(&mut Self, &[usize]) -> Result<(), ListError>,
    ) -> Result<(), ListError> {
        match release {
            Release::V1_0 => product::full(sizes, |places| take(self, places)),
            Release::V3_6 => product::truncated(sizes, |places| take(self, places)),
        }
    }

    /// One literal of each option, negated.
    fn negate(&mut self, options: Vec<Conjunction>) -> Result<Vec<Conjunction>, ListError> {
        let negated = |literal: Written| vec![Written { negations: literal.negations + 1, ..literal }];
        let parts: Vec<Vec<Conjunction>> =
            options.into_iter().map(|option| option.into_iter().map(negated).collect()).collect();
        self.multiply(&parts, self.release)
    }

    /// So many of the parts; the others are left free.
    fn choose(&mut self, amount: usize, parts: &[Vec<Conjunction>]) -> Result<Vec<Conjunction>, ListError> {
        let sizes: Vec<usize> = parts.iter().map(Vec::len).collect();
        let mut options = Vec::new();
        self.combine(&sizes, Release::V3_6, |lister, places| {
            product::choices(parts.len(), amount, |chosen| {
                let chosen = || chosen.iter().map(|&part| &parts[part][places[part]]);
                lister.pay(chosen().map(Vec::len).sum())?;
                options.push(chosen().flatten().copied().collect());
                Ok(())
            })
        })?;
        Ok(options)
    }

    /// One cell for each of the first objects of the smaller side, their partners in the first arrangements of the larger.
    fn pair(&mut self, pairs: &Pairs) -> Result<Vec<Conjunction>, ListError> {
        let mut cells = Vec::with_capacity(pairs.rows.len());
        for row in &pairs.rows {
            cells.push(row.iter().map(|Cell { node, .. }| self.list(node)).collect::<Result<Vec<_>, _>>()?);
        }
        let (rows, columns) = (cells.len(), cells.first().ok_or(ListError::EmptyList)?.len());
        let required = pairs.required();
        if required > rows.min(columns) {
            return Err(ListError::TooManyPairs);
        }
        // `fornpairs` takes rows first whatever the shape.
        let by_row = pairs.amount.is_some() || rows < columns;
        let mut options = Vec::new();
        for arrangement in product::arrangements(if by_row { columns } else { rows }, required) {
            let cell = |(first, &partner): (usize, &usize)| {
                let (row, column) = if by_row { (first, partner) } else { (partner, first) };
                cells[row].get(column).map(Vec::as_slice).ok_or(ListError::EmptyList)
            };
            let parts = arrangement.iter().enumerate().map(cell).collect::<Result<Vec<_>, _>>()?;
            options.extend(self.multiply_borrowed(&parts, Release::V3_6)?);
        }
        Ok(options)
    }
}
