//! Archives of programs: the fittest program found of each cell (Mouret and Clune: Illuminating search spaces by mapping elites; 2015).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::tree::Tree;

/// Maximum number of filled cells of an archive.
pub const MAX_CELLS: usize = 1 << 20;

/// The values of the characteristics of a program.
pub type Cell = Vec<i32>;

/// A program in its cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Elite {
    /// The program.
    pub tree: Tree,
    /// Its fitness.
    pub fitness: f64,
    /// The generation in which it was found.
    pub generation: u64,
    /// The name of the operator that made it.
    pub operator: &'static str,
}

/// The effect of offering a program to an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// The cell was empty.
    New,
    /// The program is fitter than the one that it replaced.
    Better,
    /// The cell keeps its program.
    Rejected,
}

/// The fittest program found of each cell, in the order of the cells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Archive {
    cells: BTreeMap<Cell, Elite>,
}

impl Archive {
    /// Offers a program. It is kept if the cell is empty or if it is fitter than the program in it.
    pub fn offer(&mut self, cell: Cell, elite: Elite) -> Placement {
        if !self.admits(&cell, elite.fitness) {
            return Placement::Rejected;
        }
        match self.cells.entry(cell) {
            Entry::Occupied(mut resident) => {
                resident.insert(elite);
                Placement::Better
            }
            Entry::Vacant(empty) => {
                empty.insert(elite);
                Placement::New
            }
        }
    }

    /// Returns whether a program of this fitness would be kept.
    pub fn admits(&self, cell: &Cell, fitness: f64) -> bool {
        match self.cells.get(cell) {
            Some(resident) => fitness > resident.fitness,
            None => self.cells.len() < MAX_CELLS && fitness.is_finite(),
        }
    }

    /// Returns the number of filled cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns whether no cell is filled.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Iterates over the programs in the order of their cells.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Cell, &Elite)> {
        self.cells.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::{Archive, Elite, Placement};
    use crate::tree::Tree;

    #[test]
    fn a_cell_keeps_its_program_until_a_fitter_one_is_offered() {
        let elite = |fitness| Elite { tree: Tree::default(), fitness, generation: 0, operator: "sample" };
        let mut archive = Archive::default();
        assert_eq!(archive.offer(vec![1], elite(1.0)), Placement::New);
        assert_eq!(archive.offer(vec![1], elite(1.0)), Placement::Rejected);
        assert!(!archive.admits(&vec![1], 1.0) && archive.admits(&vec![1], 1.5) && archive.admits(&vec![2], 0.0));
        assert_eq!(archive.offer(vec![1], elite(2.0)), Placement::Better);
        assert_eq!(archive.offer(vec![2], elite(f64::NAN)), Placement::Rejected);
        assert_eq!(archive.len(), 1);
    }
}
