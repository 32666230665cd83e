//! Construction of the families of options of conditions.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::AtomLiteral;
use super::diagram::{Diagram, DiagramSizeError, Family};
use super::product;
use crate::Dialect;
use crate::dialect::{Counting, Pairing};
use crate::ground::{AtomId, Cell, Node, Pairs};

/// Builds families in a diagram.
pub(super) struct Builder<'a> {
    diagram: &'a mut Diagram,
    dialect: Dialect,
    /// The diagram variable of each atom.
    levels: &'a [AtomId],
    /// The fixed value of each atom, if it has one.
    settled: &'a [Option<bool>],
    /// The families of visited nodes, by address and required truth value. Counting needs both truth values, so without this
    /// cache the work would double with each level of nested counting.
    known: FxHashMap<(*const Node, bool), Family>,
}

/// The number of states of a dynamic program, or of entries of one state, that are copied and compared in the time of one step of a
/// diagram.
const STATES_PER_STEP: usize = 8;

/// A row or column of a matrix: positions and families of its cells.
type Line = Vec<(usize, Family)>;

impl<'a> Builder<'a> {
    pub(super) fn new(
        diagram: &'a mut Diagram,
        dialect: Dialect,
        levels: &'a [AtomId],
        settled: &'a [Option<bool>],
    ) -> Self {
        Self { diagram, dialect, levels, settled, known: FxHashMap::default() }
    }

    /// Returns the options of a conjunction of conditions, each with its required truth value.
    pub(super) fn conjunction(&mut self, parts: &[(&Node, bool)]) -> Result<Family, DiagramSizeError> {
        // The last condition comes first, because joining to the front of a diagram is cheap.
        parts.iter().rev().try_fold(Family::UNIT, |rest, &(node, holds)| {
            let family = self.family(node, holds)?;
            self.diagram.join(family, rest)
        })
    }

    fn family(&mut self, node: &Node, holds: bool) -> Result<Family, DiagramSizeError> {
        if let Node::Atom(atom) = node {
            if let Some(settled) = self.settled[atom.index()] {
                return Ok(if settled == holds { Family::UNIT } else { Family::EMPTY });
            }
            return self.diagram.literal(AtomLiteral { atom: self.levels[atom.index()], positive: holds });
        }
        let key = (std::ptr::from_ref(node), holds);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let family = match (node, holds) {
            (Node::Atom(_), _) => return Ok(Family::EMPTY),
            (Node::Not(part), _) => self.family(part, !holds)?,
            (Node::And(parts) | Node::Forall(parts), true) | (Node::Or(parts) | Node::Exists(parts), false) => {
                let families = self.families(parts, holds)?;
                self.all(&families)?
            }
            (Node::Or(parts) | Node::Exists(parts), true) | (Node::And(parts) | Node::Forall(parts), false) => {
                let families = self.families(parts, holds)?;
                self.any(&families)?
            }
            (Node::Imply(parts), _) => {
                let families = [self.family(&parts[0], !holds)?, self.family(&parts[1], holds)?];
                if holds { self.any(&families)? } else { self.all(&families)? }
            }
            (Node::ForN(amount, parts), _) => self.counted(*amount as usize, parts, holds)?,
            (Node::ForPairs(pairs), _) => match self.dialect.pairing {
                Pairing::Covering => self.covered(pairs, holds)?,
                Pairing::Matching => self.matched(pairs, holds)?,
            },
        };
        self.known.insert(key, family);
        Ok(family)
    }

    fn families(&mut self, parts: &[Node], hold: bool) -> Result<Vec<Family>, DiagramSizeError> {
        parts.iter().map(|part| self.family(part, hold)).collect()
    }

    fn all(&mut self, families: &[Family]) -> Result<Family, DiagramSizeError> {
        families.iter().rev().try_fold(Family::UNIT, |rest, &family| self.diagram.join(family, rest))
    }

    fn any(&mut self, families: &[Family]) -> Result<Family, DiagramSizeError> {
        families.iter().rev().try_fold(Family::EMPTY, |rest, &family| self.diagram.union(family, rest))
    }

    /// Returns the joins of a set from each of exactly `amount` of the families with a set of `otherwise` for each of the
    /// others.
    fn choose(&mut self, amount: usize, families: &[Family], otherwise: &[Family]) -> Result<Family, DiagramSizeError> {
        if amount > families.len() {
            return Ok(Family::EMPTY);
        }
        // The families of choices from the rest, by the number chosen. Entries that cannot reach `amount` are not updated.
        let mut chosen = vec![Family::EMPTY; amount + 1];
        chosen[0] = Family::UNIT;
        for (place, (&family, &other)) in families.iter().zip(otherwise).enumerate().rev() {
            let remaining = families.len() - place;
            for count in (amount.saturating_sub(place)..=amount.min(remaining)).rev() {
                let without = self.diagram.join(other, chosen[count])?;
                let with = match count.checked_sub(1) {
                    Some(fewer) => self.diagram.join(family, chosen[fewer])?,
                    None => Family::EMPTY,
                };
                chosen[count] = self.diagram.union(with, without)?;
            }
        }
        Ok(chosen[amount])
    }

    /// Returns the joins of a set from each of `amount` of the families; the others are unconstrained.
    fn at_least(&mut self, amount: usize, families: &[Family]) -> Result<Family, DiagramSizeError> {
        self.choose(amount, families, &vec![Family::UNIT; families.len()])
    }

    fn counted(&mut self, amount: usize, parts: &[Node], holds: bool) -> Result<Family, DiagramSizeError> {
        if amount > parts.len() {
            return Ok(if holds { Family::EMPTY } else { Family::UNIT });
        }
        if holds {
            let positive = self.families(parts, true)?;
            return match self.dialect.counting {
                Counting::AtLeast => self.at_least(amount, &positive),
                Counting::Exactly => {
                    let negative = self.families(parts, false)?;
                    self.choose(amount, &positive, &negative)
                }
            };
        }
        // Fewer than `amount` parts hold if at least `parts.len() - amount + 1` do not.
        let negative = self.families(parts, false)?;
        let fewer = self.at_least(parts.len() - amount + 1, &negative)?;
        match self.dialect.counting {
            Counting::AtLeast => Ok(fewer),
            Counting::Exactly => {
                let positive = self.families(parts, true)?;
                let more = self.at_least(amount + 1, &positive)?;
                self.diagram.union(more, fewer)
            }
        }
    }

    /// Returns the matrix of a pairing quantifier by rows, with columns numbered by object or by position.
    fn matrix(&mut self, pairs: &Pairs, hold: bool, by_object: bool) -> Result<Vec<Line>, DiagramSizeError> {
        let cell = |builder: &mut Self, place: usize, cell: &Cell| {
            Ok((if by_object { cell.right as usize } else { place }, builder.family(&cell.node, hold)?))
        };
        let row = |row: &Vec<Cell>| row.iter().enumerate().map(|(place, part)| cell(self, place, part)).collect();
        pairs.rows.iter().map(row).collect()
    }

    /// Returns the options for at least `required` rows and columns with a true cell.
    ///
    /// The minimal sets of cells with this property have exactly `required` rows and columns, and every cell is the only one of
    /// its row or of its column. They decompose into stars with disjoint rows and columns: a row with several columns, a column
    /// with several rows, or a single pair.
    fn covered(&mut self, pairs: &Pairs, holds: bool) -> Result<Family, DiagramSizeError> {
        let required = pairs.required();
        let rows = self.matrix(pairs, holds, false)?;
        let columns = transposed(&rows);
        if required == 0 || required > rows.len().min(columns.len()) {
            return Ok(if (required == 0) == holds { Family::UNIT } else { Family::EMPTY });
        }
        if !holds {
            let empty_rows = self.lines_at_least(rows.len() - required + 1, &rows)?;
            let empty_columns = self.lines_at_least(columns.len() - required + 1, &columns)?;
            return self.diagram.union(empty_rows, empty_columns);
        }
        // The dynamic program keeps its state for the shorter side.
        let lines = if columns.len() <= rows.len() { rows } else { columns };
        let mut states = BTreeMap::from([(Cover { lines: 0, across: Vec::new() }, Family::UNIT)]);
        for (left, line) in lines.iter().enumerate().rev() {
            self.diagram.spend(states.len() / STATES_PER_STEP)?;
            let mut next = states.clone();
            next.retain(|state, _| state.lines + left >= required);
            for (state, family) in states {
                if state.lines < required {
                    self.cover_line(line, required, &state, family, &mut next)?;
                }
            }
            states = next;
        }
        let is_complete = |state: &Cover| state.lines == required && state.taken() == required;
        let is_complete: Vec<Family> =
            states.into_iter().filter(|(state, _)| is_complete(state)).map(|(_, family)| family).collect();
        self.any(&is_complete)
    }

    /// Adds the covers that also use cells of one more line.
    fn cover_line(
        &mut self,
        line: &Line,
        required: usize,
        state: &Cover,
        family: Family,
        next: &mut BTreeMap<Cover, Family>,
    ) -> Result<(), DiagramSizeError> {
        let left = required - state.taken();
        let mut add = |builder: &mut Self, cells: &[(usize, Family)], kind: CrossLineState| {
            let mut after = Cover { lines: state.lines + 1, across: state.across.clone() };
            for &(place, _) in cells {
                after.set(place, kind);
            }
            builder.diagram.spend(after.across.len() / STATES_PER_STEP)?;
            let mut joined = family;
            for &(_, cell) in cells.iter().rev() {
                joined = builder.diagram.join(cell, joined)?;
            }
            let known = next.get(&after).copied().unwrap_or(Family::EMPTY);
            let united = builder.diagram.union(joined, known)?;
            next.insert(after, united);
            Ok(())
        };
        for &cell in line {
            match state.get(cell.0) {
                None if left == 0 => {}
                None | Some(CrossLineState::Shared) => add(self, &[cell], CrossLineState::Shared)?,
                Some(CrossLineState::Owned) => {}
            }
        }
        let free: Line = line.iter().copied().filter(|&(place, _)| state.get(place).is_none()).collect();
        for count in 2..=left.min(free.len()) {
            product::combinations(free.len(), count, |chosen| {
                let cells: Line = chosen.iter().map(|&place| free[place]).collect();
                add(self, &cells, CrossLineState::Owned)
            })?;
        }
        Ok(())
    }

    /// Returns the options for all cells of at least `amount` lines.
    fn lines_at_least(&mut self, amount: usize, lines: &[Line]) -> Result<Family, DiagramSizeError> {
        let mut families = Vec::with_capacity(lines.len());
        for line in lines {
            let cells: Vec<Family> = line.iter().map(|&(_, family)| family).collect();
            families.push(self.all(&cells)?);
        }
        self.at_least(amount, &families)
    }

    /// Returns the options for `required` disjoint pairs.
    fn matched(&mut self, pairs: &Pairs, holds: bool) -> Result<Family, DiagramSizeError> {
        let required = pairs.required();
        let rows = self.matrix(pairs, holds, true)?;
        let columns = transposed(&rows);
        if required == 0 || required > rows.len().min(columns.len()) {
            return Ok(if (required == 0) == holds { Family::UNIT } else { Family::EMPTY });
        }
        let (lines, width) = if columns.len() <= rows.len() { (rows, columns.len()) } else { (columns, rows.len()) };
        if !holds {
            return self.unmatched(&lines, width, required);
        }
        let mut states = BTreeMap::from([(Vec::new(), Family::UNIT)]);
        for (left, line) in lines.iter().enumerate().rev() {
            self.diagram.spend(states.len() / STATES_PER_STEP)?;
            let mut next = states.clone();
            next.retain(|taken, _| taken.len() + left >= required);
            for (taken, family) in states {
                for &(place, cell) in line {
                    let Err(slot) = taken.binary_search(&place) else { continue };
                    if taken.len() == required {
                        continue;
                    }
                    let mut after = taken.clone();
                    after.insert(slot, place);
                    self.diagram.spend(after.len() / STATES_PER_STEP)?;
                    let joined = self.diagram.join(cell, family)?;
                    let known = next.get(&after).copied().unwrap_or(Family::EMPTY);
                    let united = self.diagram.union(joined, known)?;
                    next.insert(after, united);
                }
            }
            states = next;
        }
        let is_complete: Vec<Family> =
            states.into_iter().filter(|(taken, _)| taken.len() == required).map(|(_, family)| family).collect();
        self.any(&is_complete)
    }

    /// Returns the options for the absence of `required` disjoint pairs. By Kőnig's theorem, fewer than `required` rows and
    /// columns then contain all true cells. The families of the lines state that cells are false.
    fn unmatched(&mut self, lines: &[Line], width: usize, required: usize) -> Result<Family, DiagramSizeError> {
        let mut result = Family::EMPTY;
        for across in 0..required.min(width + 1) {
            product::combinations(width, across, |exempt| {
                let line = |line: &Line| line.iter().copied().filter(|(place, _)| !exempt.contains(place)).collect();
                let rest: Vec<Line> = lines.iter().map(line).collect();
                let amount = lines.len().saturating_sub(required - 1 - across);
                let found = self.lines_at_least(amount, &rest)?;
                result = self.diagram.union(found, result)?;
                Ok(())
            })?;
        }
        Ok(result)
    }
}

/// The state of a partial cover.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Cover {
    /// The number of lines with a cell in the cover.
    lines: usize,
    /// The lines of the other side with a cell in the cover, by position.
    across: Vec<(usize, CrossLineState)>,
}

impl Cover {
    fn taken(&self) -> usize {
        self.across.len()
    }

    /// Returns the state of a line of the other side; `None` if it has no cell in the cover.
    fn get(&self, place: usize) -> Option<CrossLineState> {
        let at = self.across.binary_search_by_key(&place, |&(place, _)| place).ok()?;
        Some(self.across[at].1)
    }

    fn set(&mut self, place: usize, kind: CrossLineState) {
        match self.across.binary_search_by_key(&place, |&(place, _)| place) {
            Ok(at) => self.across[at].1 = kind,
            Err(at) => self.across.insert(at, (place, kind)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CrossLineState {
    /// The line has a cell in one or more lines that have no other cell; further ones may be added.
    Shared,
    /// The line is one of several with a cell in the same line.
    Owned,
}

fn transposed(rows: &[Line]) -> Vec<Line> {
    let width = rows.iter().flatten().map(|&(place, _)| place + 1).max().unwrap_or(0);
    let mut columns = vec![Line::new(); width];
    for (row, line) in rows.iter().enumerate() {
        for &(place, family) in line {
            columns[place].push((row, family));
        }
    }
    columns
}
