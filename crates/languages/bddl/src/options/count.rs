//! How many options there are, by their structure.

use super::Structure;
use super::structure::{Matrix, Shape};

/// How many options there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// So many.
    Exactly(u128),
    /// More than a `u128` counts.
    More,
    /// They share atoms, so that no number follows from the numbers of their parts.
    Unknown,
}

/// From this many pairs on there are more ways to pair lines than a `u128` counts, though each line lack the one that is the same
/// object: 38! / e.
const SURELY_MORE: usize = 38;

impl Count {
    fn of(count: Option<u128>) -> Self {
        count.map_or(Self::More, Self::Exactly)
    }

    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exactly(one), Self::Exactly(other)) => Self::of(one.checked_add(other)),
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::More, _) | (_, Self::More) => Self::More,
        }
    }

    fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exactly(0), _) | (_, Self::Exactly(0)) => Self::Exactly(0),
            (Self::Exactly(one), Self::Exactly(other)) => Self::of(one.checked_mul(other)),
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::More, _) | (_, Self::More) => Self::More,
        }
    }

    fn power(self, exponent: usize) -> Self {
        (0..exponent).fold(Self::Exactly(1), |power, _| if power == Self::More { power } else { power.times(self) })
    }
}

impl Structure {
    /// How many options there are.
    pub fn count(&self) -> Count {
        let diagrams: Vec<Tally> = self
            .diagrams
            .counts()
            .into_iter()
            .zip(self.diagrams.empty_options())
            .map(|(count, empty)| Tally { count: Count::of(count), empty })
            .collect();
        let mut known: Vec<Tally> = Vec::with_capacity(self.shapes.len());
        for shape in &self.shapes {
            let tally = match shape {
                Shape::Literal(_) => Tally { count: Count::Exactly(1), empty: false },
                Shape::Diagram(place) => diagrams[*place],
                Shape::All(parts) => all(&known, parts),
                Shape::Any(parts, distinct) => any(&known, parts, *distinct),
                Shape::Choose(amount, parts) => choose(&known, *amount, parts),
                Shape::Cover(matrix) => cover(&known, matrix),
                Shape::Match(matrix) => pairs(&known, matrix),
            };
            known.push(tally);
        }
        known.last().map_or(Count::Exactly(1), |whole| whole.count)
    }
}

/// How many options a part has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tally {
    count: Count,
    /// Whether one of them asks for nothing.
    empty: bool,
}

fn all(known: &[Tally], parts: &[usize]) -> Tally {
    let parts = || parts.iter().map(|&part| known[part]);
    Tally {
        count: parts().fold(Count::Exactly(1), |product, part| product.times(part.count)),
        empty: parts().all(|part| part.empty),
    }
}

fn any(known: &[Tally], parts: &[usize], distinct: bool) -> Tally {
    let parts = || parts.iter().map(|&part| known[part]);
    let empty = parts().filter(|part| part.empty).count();
    let sum = parts().fold(Count::Exactly(0), |sum, part| sum.plus(part.count));
    let count = match sum {
        // The option that asks for nothing is one of several parts, if it is.
        Count::Exactly(sum) if distinct => Count::Exactly(sum - (empty.saturating_sub(1)) as u128),
        Count::More if distinct && empty <= 1 => Count::More,
        _ => Count::Unknown,
    };
    Tally { count, empty: empty > 0 }
}

fn choose(known: &[Tally], amount: usize, parts: &[(usize, Option<usize>)]) -> Tally {
    // By how many have been chosen.
    let mut counts = vec![Count::Exactly(0); amount + 1];
    counts[0] = Count::Exactly(1);
    let mut empty = false;
    for &(part, otherwise) in parts {
        let otherwise = otherwise.map_or(Count::Exactly(1), |otherwise| known[otherwise].count);
        for chosen in (0..=amount).rev() {
            let with = if chosen == 0 { Count::Exactly(0) } else { counts[chosen - 1].times(known[part].count) };
            counts[chosen] = counts[chosen].times(otherwise).plus(with);
        }
        empty |= known[part].empty;
    }
    // Whether what asks for nothing is chosen would not be seen.
    let count = if empty && amount > 0 { Count::Unknown } else { counts[amount] };
    let asks_nothing = |otherwise: Option<usize>| otherwise.is_none_or(|otherwise| known[otherwise].empty);
    let empty = if amount == 0 { parts.iter().all(|&(_, otherwise)| asks_nothing(otherwise)) } else { empty };
    Tally { count, empty }
}

/// How many options each cell has, if all have equally many and different choices of cells are different options.
///
/// No choice is part of another one, so that a single cell asks for nothing makes no two of them one.
fn uniform(known: &[Tally], matrix: &Matrix) -> Option<Count> {
    let cells = || matrix.rows.iter().flatten().flatten().map(|&cell| known[cell]);
    let count = cells().next()?.count;
    let distinct = match cells().filter(|cell| cell.empty).count() {
        0 => true,
        1 => count == Count::Exactly(1),
        _ => false,
    };
    (distinct && cells().all(|cell| cell.count == count)).then_some(count)
}

fn cover(known: &[Tally], matrix: &Matrix) -> Tally {
    let full = matrix.rows.iter().flatten().all(Option::is_some);
    let count = match uniform(known, matrix) {
        Some(Count::Exactly(1)) if full => covers(matrix.required, matrix.rows.len(), matrix.width()),
        _ => Count::Unknown,
    };
    Tally { count, empty: asks_nothing(known, matrix) }
}

fn pairs(known: &[Tally], matrix: &Matrix) -> Tally {
    let count = match (uniform(known, matrix), absent(matrix)) {
        (Some(cell), Some(absent)) => {
            cell.power(matrix.required).times(matchings(matrix.required, matrix.rows.len(), matrix.width(), absent))
        }
        _ => Count::Unknown,
    };
    Tally { count, empty: asks_nothing(known, matrix) }
}

/// Whether a choice of cells asks for nothing, wherever the number of options [is known](uniform): then at most one cell does, so
/// that it has to be enough by itself.
fn asks_nothing(known: &[Tally], matrix: &Matrix) -> bool {
    matrix.rows.iter().flatten().flatten().filter(|&&cell| known[cell].empty).count() >= matrix.required
}

/// How many cells are absent, if no two of a row or column are.
fn absent(matrix: &Matrix) -> Option<usize> {
    let mut columns = vec![0; matrix.width()];
    let mut absent = 0;
    for row in &matrix.rows {
        let mut places = row.iter().enumerate().filter(|(_, cell)| cell.is_none());
        if let Some((column, _)) = places.next() {
            columns[column] += 1;
            absent += 1;
        }
        if places.next().is_some() {
            return None;
        }
    }
    columns.iter().all(|&column| column <= 1).then_some(absent)
}

/// How many choices there are.
fn choices(count: usize, chosen: usize) -> Count {
    let Some(rest) = count.checked_sub(chosen) else { return Count::Exactly(0) };
    let mut result = 1u128;
    for step in 1..=chosen.min(rest) as u128 {
        let factor = (count - chosen.min(rest)) as u128 + step;
        // The product can be divided by the step, so what is left of its first factor can, too.
        let parts = (result / step).checked_mul(factor).zip(Some(result % step * factor / step));
        match parts.and_then(|(whole, rest)| whole.checked_add(rest)) {
            Some(next) => result = next,
            None => return Count::More,
        }
    }
    Count::Exactly(result)
}

/// How many smallest sets of cells there are with so many rows and columns of all: those of each choice of lines, all of which are
/// in stars.
fn covers(required: usize, rows: usize, columns: usize) -> Count {
    if required >= SURELY_MORE {
        return Count::More;
    }
    // By how many rows and columns are in stars. The last row is in a star with one column, or the center of one with more,
    // or in one of several rows with a column.
    let mut table = vec![vec![Count::Exactly(0); required + 1]; required + 1];
    table[0][0] = Count::Exactly(1);
    for row in 1..=required {
        for column in 1..=required {
            let mut sum = Count::Exactly(0);
            for taken in 1..=column {
                sum = sum.plus(choices(column, taken).times(table[row - 1][column - taken]));
            }
            for taken in 2..=row {
                let ways = choices(row - 1, taken - 1).times(Count::Exactly(column as u128));
                sum = sum.plus(ways.times(table[row - taken][column - 1]));
            }
            table[row][column] = sum;
        }
    }
    choices(rows, required).times(choices(columns, required)).times(table[required][required])
}

/// How many choices of so many cells there are, no two of them in one row or column, if no cell is absent.
fn full_matchings(required: usize, rows: usize, columns: usize) -> Count {
    let orders = (1..=required).fold(Count::Exactly(1), |product, one| product.times(Count::Exactly(one as u128)));
    choices(rows, required).times(choices(columns, required)).times(orders)
}

/// How many choices of so many cells there are, no two of them in one row or column, if so many cells are absent, no two of them
/// in one row or column.
fn matchings(required: usize, rows: usize, columns: usize, absent: usize) -> Count {
    if required >= SURELY_MORE {
        return Count::More;
    }
    // Row by row of those that lack a cell, by how many pairs there are and in how many of them the column is one that another
    // such row lacks: that row lacks none any more.
    let mut counts = vec![vec![Count::Exactly(0); required + 1]; required + 1];
    counts[0][0] = Count::Exactly(1);
    let mut total = Count::Exactly(0);
    for row in 0..=absent {
        let mut next = vec![vec![Count::Exactly(0); required + 1]; required + 1];
        for (paired, counts) in counts.iter().enumerate() {
            for (freed, &count) in counts.iter().enumerate().take(paired + 1) {
                let Some(lacking) = absent.checked_sub(row + freed).filter(|_| count != Count::Exactly(0)) else {
                    continue;
                };
                if lacking == 0 {
                    total = total.plus(count.times(full_matchings(required - paired, rows - row, columns - paired)));
                    continue;
                }
                let mut add = |paired: usize, freed: usize, ways: usize| {
                    let ways = count.times(Count::Exactly(ways as u128));
                    next[paired][freed] = next[paired][freed].plus(ways);
                };
                add(paired, freed, 1);
                if paired < required {
                    add(paired + 1, freed, columns - paired - lacking);
                    add(paired + 1, freed + 1, lacking - 1);
                }
            }
        }
        counts = next;
    }
    total
}
