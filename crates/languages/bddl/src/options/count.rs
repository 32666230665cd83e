//! The number of options, computed from the structure of the goal.

use super::Structure;
use super::structure::{Matrix, Shape};

/// A number of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// The exact number.
    Exactly(u128),
    /// More than `u128::MAX`.
    More,
    /// Unknown: the parts share atoms, so their numbers do not determine the total.
    Unknown,
}

/// The number of pairs from which the number of matchings exceeds a `u128`, even if each line lacks the cell of its own object:
/// 38! / e.
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
    /// Returns the number of options.
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

/// The number of options of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tally {
    count: Count,
    /// Whether the empty set is an option.
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
        // The empty option of several parts counts once.
        Count::Exactly(sum) if distinct => Count::Exactly(sum - (empty.saturating_sub(1)) as u128),
        Count::More if distinct && empty <= 1 => Count::More,
        _ => Count::Unknown,
    };
    Tally { count, empty: empty > 0 }
}

fn choose(known: &[Tally], amount: usize, parts: &[(usize, Option<usize>)]) -> Tally {
    // The number of choices from the parts so far, by the number chosen.
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
    // Choosing an empty option is indistinguishable from not choosing the part.
    let count = if empty && amount > 0 { Count::Unknown } else { counts[amount] };
    let asks_nothing = |otherwise: Option<usize>| otherwise.is_none_or(|otherwise| known[otherwise].empty);
    let empty = if amount == 0 { parts.iter().all(|&(_, otherwise)| asks_nothing(otherwise)) } else { empty };
    Tally { count, empty }
}

/// Returns the number of options of each cell, if all cells have the same number and different choices of cells are different
/// options.
///
/// No choice of cells contains another one, so a single cell with an empty option does not make two choices equal.
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

/// Whether the empty set is an option of a choice of cells. The answer is correct wherever the number of options [is
/// known](uniform): at most one cell then has an empty option, and must be sufficient by itself.
fn asks_nothing(known: &[Tally], matrix: &Matrix) -> bool {
    matrix.rows.iter().flatten().flatten().filter(|&&cell| known[cell].empty).count() >= matrix.required
}

/// Returns the number of absent cells, or `None` if two of them are in the same row or column.
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

/// Returns the binomial coefficient "`count` choose `chosen`".
fn choices(count: usize, chosen: usize) -> Count {
    let Some(rest) = count.checked_sub(chosen) else { return Count::Exactly(0) };
    let mut result = 1u128;
    for step in 1..=chosen.min(rest) as u128 {
        let factor = (count - chosen.min(rest)) as u128 + step;
        // The product is divisible by the step, so the product of the remainder and the factor is divisible too.
        let parts = (result / step).checked_mul(factor).zip(Some(result % step * factor / step));
        match parts.and_then(|(whole, rest)| whole.checked_add(rest)) {
            Some(next) => result = next,
            None => return Count::More,
        }
    }
    Count::Exactly(result)
}

/// Returns the number of minimal sets of cells with `required` of the rows and columns: for each choice of lines, the number of
/// decompositions of them into stars.
fn covers(required: usize, rows: usize, columns: usize) -> Count {
    if required >= SURELY_MORE {
        return Count::More;
    }
    // Indexed by the numbers of rows and columns in stars. The last row is in a star with one column, or the center of a star
    // with several, or one of several rows in a star with a column as its center.
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

/// Returns the number of choices of `required` cells, no two of them in the same row or column, if no cell is absent.
fn full_matchings(required: usize, rows: usize, columns: usize) -> Count {
    let orders = (1..=required).fold(Count::Exactly(1), |product, one| product.times(Count::Exactly(one as u128)));
    choices(rows, required).times(choices(columns, required)).times(orders)
}

/// Returns the number of choices of `required` cells, no two of them in the same row or column, if `absent` cells are missing,
/// no two of which are in the same row or column.
fn matchings(required: usize, rows: usize, columns: usize, absent: usize) -> Count {
    if required >= SURELY_MORE {
        return Count::More;
    }
    // Dynamic program over the rows that lack a cell. The counts are indexed by the number of pairs, and by the number of those
    // whose column is the missing cell of another such row, which then has all its remaining cells.
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
