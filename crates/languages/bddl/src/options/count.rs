//! The number of options, computed from the structure of the goal.

use super::FactoredOptions;
use super::factored::{Factor, Matrix};

/// A number of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionCount {
    /// The exact number.
    Exactly(u128),
    /// More than `u128::MAX`.
    Overflow,
    /// Unknown: the parts share atoms, so their numbers do not determine the total.
    Unknown,
}

/// The number of pairs from which the number of matchings exceeds a `u128`, even if each line lacks the cell of its own object:
/// 38! / e.
const OVERFLOWING_PAIRS: usize = 38;

impl OptionCount {
    /// Creates a number; `None` stands for more than `u128::MAX`.
    pub(super) fn of(count: Option<u128>) -> Self {
        count.map_or(Self::Overflow, Self::Exactly)
    }

    /// Returns the exact number, if it is known and not too large.
    pub fn exact(self) -> Option<u128> {
        match self {
            Self::Exactly(count) => Some(count),
            Self::Overflow | Self::Unknown => None,
        }
    }

    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exactly(one), Self::Exactly(other)) => Self::of(one.checked_add(other)),
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Overflow, _) | (_, Self::Overflow) => Self::Overflow,
        }
    }

    fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exactly(0), _) | (_, Self::Exactly(0)) => Self::Exactly(0),
            (Self::Exactly(one), Self::Exactly(other)) => Self::of(one.checked_mul(other)),
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Overflow, _) | (_, Self::Overflow) => Self::Overflow,
        }
    }

    fn power(self, exponent: usize) -> Self {
        (0..exponent).fold(Self::Exactly(1), |power, _| if power == Self::Overflow { power } else { power.times(self) })
    }
}

impl FactoredOptions {
    /// Counts the options by the structure of the goal.
    pub(super) fn count_by_structure(&self) -> OptionCount {
        let diagrams: Vec<PartCount> = self
            .diagrams
            .counts()
            .into_iter()
            .zip(self.diagrams.empty_options())
            .map(|(count, empty)| PartCount { count: OptionCount::of(count), empty })
            .collect();
        let mut known: Vec<PartCount> = Vec::with_capacity(self.shapes.len());
        for shape in &self.shapes {
            let part_count = match shape {
                Factor::Literal(_) => PartCount { count: OptionCount::Exactly(1), empty: false },
                Factor::Diagram(place) => diagrams[*place],
                Factor::All(parts) => all(&known, parts),
                Factor::Any(parts, distinct) => any(&known, parts, *distinct),
                Factor::Choose(amount, parts) => choose(&known, *amount, parts),
                Factor::Cover(matrix) => cover(&known, matrix),
                Factor::Match(matrix) => pairs(&known, matrix),
            };
            known.push(part_count);
        }
        known.last().map_or(OptionCount::Exactly(1), |whole| whole.count)
    }
}

/// The number of options of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PartCount {
    count: OptionCount,
    /// Whether the empty set is an option.
    empty: bool,
}

fn all(known: &[PartCount], parts: &[usize]) -> PartCount {
    let parts = || parts.iter().map(|&part| known[part]);
    PartCount {
        count: parts().fold(OptionCount::Exactly(1), |product, part| product.times(part.count)),
        empty: parts().all(|part| part.empty),
    }
}

fn any(known: &[PartCount], parts: &[usize], distinct: bool) -> PartCount {
    let parts = || parts.iter().map(|&part| known[part]);
    let empty = parts().filter(|part| part.empty).count();
    let sum = parts().fold(OptionCount::Exactly(0), |sum, part| sum.plus(part.count));
    let count = match sum {
        // The empty option of several parts counts once.
        OptionCount::Exactly(sum) if distinct => OptionCount::Exactly(sum - (empty.saturating_sub(1)) as u128),
        OptionCount::Overflow if distinct && empty <= 1 => OptionCount::Overflow,
        _ => OptionCount::Unknown,
    };
    PartCount { count, empty: empty > 0 }
}

fn choose(known: &[PartCount], amount: usize, parts: &[(usize, Option<usize>)]) -> PartCount {
    // The number of choices from the parts so far, by the number chosen.
    let mut counts = vec![OptionCount::Exactly(0); amount + 1];
    counts[0] = OptionCount::Exactly(1);
    let mut empty = false;
    for &(part, otherwise) in parts {
        let otherwise = otherwise.map_or(OptionCount::Exactly(1), |otherwise| known[otherwise].count);
        for chosen in (0..=amount).rev() {
            let with = if chosen == 0 { OptionCount::Exactly(0) } else { counts[chosen - 1].times(known[part].count) };
            counts[chosen] = counts[chosen].times(otherwise).plus(with);
        }
        empty |= known[part].empty;
    }
    // Choosing an empty option is indistinguishable from not choosing the part.
    let count = if empty && amount > 0 { OptionCount::Unknown } else { counts[amount] };
    let is_trivial = |otherwise: Option<usize>| otherwise.is_none_or(|otherwise| known[otherwise].empty);
    let empty = if amount == 0 { parts.iter().all(|&(_, otherwise)| is_trivial(otherwise)) } else { empty };
    PartCount { count, empty }
}

/// Returns the number of options of each cell, if all cells have the same number and different choices of cells are different
/// options.
///
/// No choice of cells contains another one, so a single cell with an empty option does not make two choices equal.
fn uniform(known: &[PartCount], matrix: &Matrix) -> Option<OptionCount> {
    let cells = || matrix.rows.iter().flatten().flatten().map(|&cell| known[cell]);
    let count = cells().next()?.count;
    let distinct = match cells().filter(|cell| cell.empty).count() {
        0 => true,
        1 => count == OptionCount::Exactly(1),
        _ => false,
    };
    (distinct && cells().all(|cell| cell.count == count)).then_some(count)
}

fn cover(known: &[PartCount], matrix: &Matrix) -> PartCount {
    let full = matrix.rows.iter().flatten().all(Option::is_some);
    let count = match uniform(known, matrix) {
        Some(OptionCount::Exactly(1)) if full => covers(matrix.required, matrix.rows.len(), matrix.width()),
        _ => OptionCount::Unknown,
    };
    PartCount { count, empty: asks_nothing(known, matrix) }
}

fn pairs(known: &[PartCount], matrix: &Matrix) -> PartCount {
    let count = match (uniform(known, matrix), absent(matrix)) {
        (Some(cell), Some(absent)) => {
            cell.power(matrix.required).times(matchings(matrix.required, matrix.rows.len(), matrix.width(), absent))
        }
        _ => OptionCount::Unknown,
    };
    PartCount { count, empty: asks_nothing(known, matrix) }
}

/// Whether the empty set is an option of a choice of cells. The answer is correct wherever the number of options [is
/// known](uniform): at most one cell then has an empty option, and must be sufficient by itself.
fn asks_nothing(known: &[PartCount], matrix: &Matrix) -> bool {
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
fn binomial(count: usize, chosen: usize) -> OptionCount {
    let Some(rest) = count.checked_sub(chosen) else { return OptionCount::Exactly(0) };
    let mut result = 1u128;
    for step in 1..=chosen.min(rest) as u128 {
        let factor = (count - chosen.min(rest)) as u128 + step;
        // The product is divisible by the step, so the product of the remainder and the factor is divisible too.
        let parts = (result / step).checked_mul(factor).zip(Some(result % step * factor / step));
        match parts.and_then(|(whole, rest)| whole.checked_add(rest)) {
            Some(next) => result = next,
            None => return OptionCount::Overflow,
        }
    }
    OptionCount::Exactly(result)
}

/// Returns the number of minimal sets of cells with `required` of the rows and columns: for each choice of lines, the number of
/// decompositions of them into stars.
fn covers(required: usize, rows: usize, columns: usize) -> OptionCount {
    if required >= OVERFLOWING_PAIRS {
        return OptionCount::Overflow;
    }
    // Indexed by the numbers of rows and columns in stars. The last row is in a star with one column, or the center of a star
    // with several, or one of several rows in a star with a column as its center.
    let mut table = vec![vec![OptionCount::Exactly(0); required + 1]; required + 1];
    table[0][0] = OptionCount::Exactly(1);
    for row in 1..=required {
        for column in 1..=required {
            let mut sum = OptionCount::Exactly(0);
            for selected in 1..=column {
                sum = sum.plus(binomial(column, selected).times(table[row - 1][column - selected]));
            }
            for selected in 2..=row {
                let ways = binomial(row - 1, selected - 1).times(OptionCount::Exactly(column as u128));
                sum = sum.plus(ways.times(table[row - selected][column - 1]));
            }
            table[row][column] = sum;
        }
    }
    binomial(rows, required).times(binomial(columns, required)).times(table[required][required])
}

/// Returns the number of choices of `required` cells, no two of them in the same row or column, if no cell is absent.
fn full_matchings(required: usize, rows: usize, columns: usize) -> OptionCount {
    let orders =
        (1..=required).fold(OptionCount::Exactly(1), |product, one| product.times(OptionCount::Exactly(one as u128)));
    binomial(rows, required).times(binomial(columns, required)).times(orders)
}

/// Returns the number of choices of `required` cells, no two of them in the same row or column, if `absent` cells are missing,
/// no two of which are in the same row or column.
fn matchings(required: usize, rows: usize, columns: usize, absent: usize) -> OptionCount {
    if required >= OVERFLOWING_PAIRS {
        return OptionCount::Overflow;
    }
    // Dynamic program over the rows that lack a cell. The counts are indexed by the number of pairs, and by the number of those
    // whose column is the missing cell of another such row, which then has all its remaining cells.
    let mut counts = vec![vec![OptionCount::Exactly(0); required + 1]; required + 1];
    counts[0][0] = OptionCount::Exactly(1);
    let mut total = OptionCount::Exactly(0);
    for row in 0..=absent {
        let mut next = vec![vec![OptionCount::Exactly(0); required + 1]; required + 1];
        for (paired, counts) in counts.iter().enumerate() {
            for (freed, &count) in counts.iter().enumerate().take(paired + 1) {
                let Some(lacking) = absent.checked_sub(row + freed).filter(|_| count != OptionCount::Exactly(0)) else {
                    continue;
                };
                if lacking == 0 {
                    total = total.plus(count.times(full_matchings(required - paired, rows - row, columns - paired)));
                    continue;
                }
                let mut add = |paired: usize, freed: usize, ways: usize| {
                    let ways = count.times(OptionCount::Exactly(ways as u128));
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
