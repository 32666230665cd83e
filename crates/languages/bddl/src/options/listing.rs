//! Enumeration of all options, shortest first.
//!
//! Options of one length are in lexicographic order: at the first atom where two differ, the one with the atom precedes the one
//! with its negation, which precedes the one with neither. Atoms are in order of first occurrence within a
//! [component](ExactOptions::component_count), except that pairs are visited by column if there are more columns than rows. Components
//! are in the order of their first conjuncts.
//!
//! A table of the possible lengths below each branch is computed first, so the enumeration never enters a dead end: the delay
//! between two options is linear in the number of atoms.

use super::diagram::{DiagramSizeError, Family};
use super::{AtomLiteral, ExactOptions};

/// The maximum size of the length table, in words of 64 bits.
pub const MAX_LENGTH_WORDS: usize = 1 << 22;

/// A set of lengths: a bitset with an offset.
#[derive(Debug, Clone, Copy, Default)]
struct Lengths {
    shortest: usize,
    /// The index of its first word in the table.
    start: usize,
    words: usize,
}

/// The length table: the possible lengths of options from each branch to the end of the last component.
#[derive(Debug, Clone)]
struct Table {
    words: Vec<u64>,
    branches: Vec<Lengths>,
    /// The lengths of the components after each one.
    after: Vec<Lengths>,
    whole: Lengths,
}

impl Table {
    fn of(options: &ExactOptions) -> Result<Self, DiagramSizeError> {
        let nothing = Lengths { shortest: 0, start: 0, words: 1 };
        let mut table = Self {
            words: vec![1],
            branches: vec![Lengths::default(); options.branches.len()],
            after: vec![nothing; options.components.len()],
            whole: nothing,
        };
        for (place, component) in options.components.iter().enumerate().rev() {
            table.after[place] = table.whole;
            for branch in component.branches.clone() {
                let parts = options.branches[branch].children();
                let parts = parts.map(|(literal, part)| (usize::from(literal.is_some()), table.below(part, place)));
                table.branches[branch] = table.united(&parts)?;
            }
            table.whole = table.below(component.root, place);
        }
        Ok(table)
    }

    /// Returns the lengths of a family in a component, including the components after it.
    fn below(&self, family: Family, component: usize) -> Lengths {
        match family.node_index() {
            Some(place) => self.branches[place],
            None if family == Family::UNIT => self.after[component],
            None => Lengths::default(),
        }
    }

    /// Returns the union of sets, each shifted by a number.
    fn united(&mut self, parts: &[(usize, Lengths)]) -> Result<Lengths, DiagramSizeError> {
        let parts = || parts.iter().filter(|(_, lengths)| lengths.words > 0);
        let Some(shortest) = parts().map(|(more, lengths)| lengths.shortest + more).min() else {
            return Ok(Lengths::default());
        };
        let end = parts().map(|(more, lengths)| lengths.shortest + more + lengths.words * 64).max().unwrap_or(shortest);
        let start = self.words.len();
        let words = (end - shortest).div_ceil(64);
        if start + words > MAX_LENGTH_WORDS {
            return Err(DiagramSizeError);
        }
        self.words.resize(start + words, 0);
        for &(more, lengths) in parts() {
            let shift = lengths.shortest + more - shortest;
            for word in 0..lengths.words {
                let bits = self.words[lengths.start + word];
                let target = start + word + shift / 64;
                self.words[target] |= bits << (shift % 64);
                let carried = if shift % 64 == 0 { 0 } else { bits >> (64 - shift % 64) };
                if carried != 0 {
                    self.words[target + 1] |= carried;
                }
            }
        }
        // Shifting by less than a word may leave the last word empty.
        while self.words.len() > start + 1 && self.words.last() == Some(&0) {
            self.words.pop();
        }
        Ok(Lengths { shortest, start, words: self.words.len() - start })
    }

    fn contains(&self, lengths: Lengths, length: usize) -> bool {
        length
            .checked_sub(lengths.shortest)
            .is_some_and(|bit| bit / 64 < lengths.words && self.words[lengths.start + bit / 64] >> (bit % 64) & 1 == 1)
    }
}

/// A position on the current path: a branch with its next alternative.
#[derive(Debug, Clone, Copy)]
struct PathStep {
    component: usize,
    /// The current branch.
    branch: usize,
    /// The number of literals chosen before this branch.
    chosen: usize,
    /// The index of the next subfamily to enter.
    next: usize,
}

/// An iterator over the options of a goal; the literals of an option are in the order of their atoms.
#[derive(Debug, Clone)]
pub struct ExactOptionIter<'a> {
    options: &'a ExactOptions,
    table: Table,
    /// The current length of options.
    length: usize,
    literals: Vec<AtomLiteral>,
    path: Vec<PathStep>,
    /// Whether the enumeration of this length has begun.
    begun: bool,
}

impl ExactOptions {
    /// Returns an iterator over all options, shortest first.
    ///
    /// # Errors
    /// If the length table would be too large, which happens for no published goal.
    pub fn try_iter(&self) -> Result<ExactOptionIter<'_>, DiagramSizeError> {
        let table = Table::of(self)?;
        let length = table.whole.shortest;
        Ok(ExactOptionIter { options: self, table, length, literals: Vec::new(), path: Vec::new(), begun: false })
    }
}

impl ExactOptionIter<'_> {
    /// Enters a family of a component, and skips components without a choice. Returns whether the option is complete.
    fn enter(&mut self, mut component: usize, mut family: Family) -> bool {
        loop {
            if let Some(branch) = family.node_index() {
                self.path.push(PathStep { component, branch, chosen: self.literals.len(), next: 0 });
                return false;
            }
            component += 1;
            match self.options.components.get(component) {
                Some(next) => family = next.root,
                None => return true,
            }
        }
    }

    fn option(&self) -> Vec<AtomLiteral> {
        let mut option = self.literals.clone();
        option.sort_unstable();
        option
    }
}

impl Iterator for ExactOptionIter<'_> {
    type Item = Vec<AtomLiteral>;

    fn next(&mut self) -> Option<Vec<AtomLiteral>> {
        loop {
            let Some(turn) = self.path.last_mut() else {
                // All options of this length have been returned.
                let whole = self.table.whole;
                self.length += usize::from(self.begun);
                let end = whole.shortest + whole.words * 64;
                self.length = (self.length..end).find(|&length| self.table.contains(whole, length))?;
                self.begun = true;
                self.literals.clear();
                let complete = match self.options.components.first() {
                    Some(first) => self.enter(0, first.root),
                    None => true,
                };
                if complete {
                    return Some(self.option());
                }
                continue;
            };
            self.literals.truncate(turn.chosen);
            let parts = self.options.branches[turn.branch].children();
            let Some(&(literal, part)) = parts.get(turn.next) else {
                self.path.pop();
                continue;
            };
            turn.next += 1;
            let component = turn.component;
            let left = self.length.checked_sub(turn.chosen + usize::from(literal.is_some()));
            if left.is_some_and(|left| self.table.contains(self.table.below(part, component), left)) {
                self.literals.extend(literal);
                if self.enter(component, part) {
                    return Some(self.option());
                }
            }
        }
    }
}
