//! The options that a release lists, in its order, including its truncations and bugs.
//!
//! The lists differ from the exact options in several ways: `forn` leaves the operands that are not chosen unconstrained; pairs
//! use only the first ten arrangements of the larger side; a truncated list may contain only contradictory options, in which
//! case the release reports that there is none; and options may be repeated.

use super::diagram::DiagramSizeError;
use super::product::{self, EmptyFactorError};
use super::{AtomLiteral, BestOption, LiteralWeights, OptionCount, OptionIter, OptionSolver};
use crate::dialect::Release;
use crate::evaluate::is_true;
use crate::exception::{Exception, ExceptionKind};
use crate::ground::{AtomId, Cell, GroundGoal, Node, Pairs};
use crate::progress::Fraction;

/// The maximum number of literals written while listing options, including intermediate lists. Release 1.0.0 has no such limit,
/// and its lists grow exponentially.
pub const MAX_LISTED_LITERALS: usize = 1 << 22;

/// A literal as the releases write it, with double negations preserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListedLiteral {
    /// The atom.
    pub atom: AtomId,
    /// The number of negations before it.
    pub negations: u32,
}

impl ListedLiteral {
    /// Whether the literal is true in a state.
    pub fn holds(self, state: &[bool]) -> bool {
        is_true(state, self.atom) != (self.negations % 2 == 1)
    }
}

/// A listed option: a conjunction of literals.
pub type Conjunction = Vec<ListedLiteral>;

impl From<ListedLiteral> for AtomLiteral {
    fn from(literal: ListedLiteral) -> Self {
        Self { atom: literal.atom, positive: literal.negations.is_multiple_of(2) }
    }
}

/// The options of a goal as a release lists them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseOptions {
    options: Vec<Conjunction>,
}

impl ReleaseOptions {
    /// Lists the [options of a goal](of_goal).
    ///
    /// # Errors
    /// The failure of the release when it compiles the goal or lists its options.
    pub fn of(goal: &GroundGoal, release: Release) -> Result<Self, ListError> {
        Ok(Self { options: of_goal(goal, release)? })
    }
}

impl OptionSolver for ReleaseOptions {
    fn is_exact(&self) -> bool {
        false
    }

    fn count(&self) -> OptionCount {
        OptionCount::Exactly(self.options.len() as u128)
    }

    fn best(&self, counts: &dyn Fn(AtomLiteral) -> bool, weights: LiteralWeights) -> Option<BestOption> {
        let option =
            |option: &Conjunction| BestOption::of_literals(option.iter().map(|&literal| literal.into()), counts);
        self.options.iter().map(option).max_by_key(|option| option.total_weight(weights))
    }

    fn largest_share(&self, counts: &dyn Fn(AtomLiteral) -> bool) -> Option<Fraction> {
        let share = |option: &Conjunction| {
            let counted = option.iter().filter(|&&literal| counts(literal.into())).count();
            Fraction::new(counted, option.len())
        };
        Some(self.options.iter().map(share).max().unwrap_or(Fraction::ZERO))
    }

    fn list(&self) -> Result<OptionIter<'_>, DiagramSizeError> {
        Ok(Box::new(self.options.iter().cloned()))
    }
}

/// An error that prevents a release from listing options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListError {
    /// All listed options are contradictory: an `AssertionError` without a message.
    NoOption,
    /// An empty list is indexed: an `IndexError`.
    EmptyList,
    /// `fornpairs` requires more pairs than there are objects on one side: an `AssertionError`.
    TooManyPairs,
    /// The list would have more than [`MAX_LISTED_LITERALS`] literals; the release has no such limit.
    TooLarge,
}

impl std::fmt::Display for ListError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoOption => f.write_str("every listed option is contradictory"),
            Self::EmptyList => f.write_str("a part of the goal has no option"),
            Self::TooManyPairs => f.write_str("`fornpairs` requires more pairs than the number of objects"),
            Self::TooLarge => write!(
                f,
                "the options exceed the fixed limit of {MAX_LISTED_LITERALS} literals: split the goal, or bind fewer variables together"
            ),
        }
    }
}

impl std::error::Error for ListError {}

impl ListError {
    /// Returns the exception that the release raises, or `None` if the release would continue.
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

impl From<EmptyFactorError> for ListError {
    fn from(EmptyFactorError: EmptyFactorError) -> Self {
        Self::EmptyList
    }
}

/// Returns the options of each conjunct separately.
///
/// # Errors
/// The failure of the release when it compiles the goal.
pub fn of_conjuncts(goal: &GroundGoal, release: Release) -> Result<Vec<Vec<Conjunction>>, ListError> {
    Lister::new(release).lists(&goal.conjuncts)
}

/// Returns the options of a goal: shortest first, those of one length in the order in which the release generates them.
///
/// # Errors
/// The failure of the release when it compiles the goal or lists its options.
pub fn of_goal(goal: &GroundGoal, release: Release) -> Result<Vec<Conjunction>, ListError> {
    let mut lister = Lister::new(release);
    let parts = lister.lists(&goal.conjuncts)?;
    let mut options = lister.multiply(&parts, release)?;
    options.retain(|option| !contradicts_itself(option));
    options.sort_by_key(Vec::len);
    if options.is_empty() { Err(ListError::NoOption) } else { Ok(options) }
}

/// Whether an option contains a literal and its negation as written: double negations do not cancel out.
fn contradicts_itself(option: &[ListedLiteral]) -> bool {
    let mut sorted = option.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0].atom == pair[1].atom && pair[0].negations + 1 == pair[1].negations)
}

struct Lister {
    release: Release,
    /// The number of literals that may still be written.
    left: usize,
}

impl Lister {
    fn new(release: Release) -> Self {
        Self { release, left: MAX_LISTED_LITERALS }
    }

    fn lists(&mut self, nodes: &[Node]) -> Result<Vec<Vec<Conjunction>>, ListError> {
        nodes.iter().map(|node| self.list(node)).collect()
    }

    fn list(&mut self, node: &Node) -> Result<Vec<Conjunction>, ListError> {
        match node {
            Node::Atom(atom) => {
                self.charge_literals(1)?;
                Ok(vec![vec![ListedLiteral { atom: *atom, negations: 0 }]])
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

    /// Charges an option with this number of literals to the limit.
    fn charge_literals(&mut self, literals: usize) -> Result<(), ListError> {
        self.left = self.left.checked_sub(literals + 1).ok_or(ListError::TooLarge)?;
        Ok(())
    }

    /// Returns the joins of one option of each part: all of them in 1.0.0, a truncated product in 3.6.0.
    fn multiply(&mut self, parts: &[Vec<Conjunction>], release: Release) -> Result<Vec<Conjunction>, ListError> {
        let borrowed: Vec<&[Conjunction]> = parts.iter().map(Vec::as_slice).collect();
        self.multiply_borrowed(&borrowed, release)
    }

    fn multiply_borrowed(&mut self, parts: &[&[Conjunction]], release: Release) -> Result<Vec<Conjunction>, ListError> {
        let sizes: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        let mut options = Vec::new();
        self.combine(&sizes, release, |lister, places| {
            let chosen = || places.iter().zip(parts).map(|(&place, part)| &part[place]);
            lister.charge_literals(chosen().map(Vec::len).sum())?;
            options.push(chosen().flatten().copied().collect());
            Ok(())
        })?;
        Ok(options)
    }

    /// Enumerates combinations in the order of a release.
    fn combine(
        &mut self,
        sizes: &[usize],
        release: Release,
        mut visit: impl FnMut(&mut Self, &[usize]) -> Result<(), ListError>,
    ) -> Result<(), ListError> {
        match release {
            Release::V1_0 => product::full(sizes, |places| visit(self, places)),
            Release::V3_6 => product::truncated(sizes, |places| visit(self, places)),
        }
    }

    /// Returns the negation: one literal of each option, negated.
    fn negate(&mut self, options: Vec<Conjunction>) -> Result<Vec<Conjunction>, ListError> {
        let negated = |literal: ListedLiteral| vec![ListedLiteral { negations: literal.negations + 1, ..literal }];
        let parts: Vec<Vec<Conjunction>> =
            options.into_iter().map(|option| option.into_iter().map(negated).collect()).collect();
        self.multiply(&parts, self.release)
    }

    /// Returns the options for exactly `amount` of the parts; the others are unconstrained.
    fn choose(&mut self, amount: usize, parts: &[Vec<Conjunction>]) -> Result<Vec<Conjunction>, ListError> {
        let sizes: Vec<usize> = parts.iter().map(Vec::len).collect();
        let mut options = Vec::new();
        self.combine(&sizes, Release::V3_6, |lister, places| {
            product::combinations(parts.len(), amount, |chosen| {
                let chosen = || chosen.iter().map(|&part| &parts[part][places[part]]);
                lister.charge_literals(chosen().map(Vec::len).sum())?;
                options.push(chosen().flatten().copied().collect());
                Ok(())
            })
        })?;
        Ok(options)
    }

    /// Returns the options for pairs of the first objects of the smaller side, with partners in the first arrangements of the
    /// larger.
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
        // `fornpairs` always iterates over the rows.
        let by_row = pairs.amount.is_some() || rows < columns;
        let mut options = Vec::new();
        for arrangement in product::permutations(if by_row { columns } else { rows }, required) {
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
