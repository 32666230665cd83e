//! The best option, computed from the structure of the goal.

use super::factored::{Factor, Matrix};
use super::star_cover::{CenterBound, DominatingSetProblem};
use super::{AtomLiteral, FactoredOptions, assignment};

/// The weight of literals in two classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiteralWeights {
    /// The weight of each literal that counts; not negative.
    pub counted: i64,
    /// The weight of each other literal; not positive.
    pub other: i64,
}

/// The literals of a best option, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestOption {
    /// The number of literals that count.
    pub counted: usize,
    /// The number of other literals.
    pub others: usize,
    /// Whether the option is proven to have the maximum weight.
    pub proven: bool,
}

impl BestOption {
    const NOTHING: Self = Self { counted: 0, others: 0, proven: true };

    /// Returns the total weight of the literals.
    pub fn total_weight(self, weights: LiteralWeights) -> i64 {
        i64::from(self.counted as u32) * weights.counted + i64::from(self.others as u32) * weights.other
    }

    /// Creates a proven option with the given literals.
    pub(super) fn of_literals(
        literals: impl IntoIterator<Item = AtomLiteral>,
        counts: impl Fn(AtomLiteral) -> bool,
    ) -> Self {
        literals.into_iter().fold(Self::NOTHING, |option, literal| {
            let counted = counts(literal);
            option.and(Self { counted: usize::from(counted), others: usize::from(!counted), proven: true })
        })
    }

    fn and(self, other: Self) -> Self {
        Self {
            counted: self.counted + other.counted,
            others: self.others + other.others,
            proven: self.proven && other.proven,
        }
    }
}

impl FactoredOptions {
    /// Returns the option with the maximum total weight, by the structure of the goal.
    pub(super) fn best_by_structure(
        &self,
        counts: &dyn Fn(AtomLiteral) -> bool,
        weights: LiteralWeights,
    ) -> Option<BestOption> {
        let single = |literal: AtomLiteral| if counts(literal) { weights.counted } else { weights.other };
        let diagrams = self.diagrams.best_parts(single);
        let of_literals = |literals: &[AtomLiteral]| BestOption::of_literals(literals.iter().copied(), counts);
        let mut optimizer = Optimizer { weights, known: Vec::with_capacity(self.shapes.len()) };
        for shape in &self.shapes {
            let best = match shape {
                Factor::Literal(literal) => Some(of_literals(&[*literal])),
                Factor::Diagram(place) => diagrams[*place].as_ref().map(|(_, option)| of_literals(option)),
                Factor::All(parts) => optimizer.all(parts),
                Factor::Any(parts, _) => optimizer.any(parts),
                Factor::Choose(amount, parts) => optimizer.choose(*amount, parts),
                Factor::Cover(matrix) => self.cover(&optimizer, matrix),
                Factor::Match(matrix) => optimizer.pairs(matrix),
            };
            optimizer.known.push(best);
        }
        optimizer.known.pop().flatten()
    }

    fn cover(&self, optimizer: &Optimizer, matrix: &Matrix) -> Option<BestOption> {
        let mut counted = vec![vec![false; matrix.width()]; matrix.rows.len()];
        for (row, cells) in counted.iter_mut().zip(&matrix.rows) {
            for (cell, &shape) in row.iter_mut().zip(cells) {
                let Some(shape) = shape.filter(|&shape| matches!(self.shapes[shape], Factor::Literal(_))) else {
                    return optimizer.any_cover(matrix);
                };
                *cell = optimizer.known[shape].is_some_and(|best| best.counted > 0);
            }
        }
        plain_cover(matrix.required, &counted)
    }
}

/// The best options of the nodes so far; `None` for nodes without any.
struct Optimizer {
    weights: LiteralWeights,
    known: Vec<Option<BestOption>>,
}

impl Optimizer {
    fn all(&self, parts: &[usize]) -> Option<BestOption> {
        parts.iter().try_fold(BestOption::NOTHING, |sum, &part| Some(sum.and(self.known[part]?)))
    }

    fn any(&self, parts: &[usize]) -> Option<BestOption> {
        let options = || parts.iter().filter_map(|&part| self.known[part]);
        let best = options().max_by_key(|best| best.total_weight(self.weights))?;
        Some(BestOption { proven: options().all(|option| option.proven), ..best })
    }

    /// Chooses the parts with the largest gain over their alternatives.
    fn choose(&self, amount: usize, parts: &[(usize, Option<usize>)]) -> Option<BestOption> {
        let mut sum = BestOption::NOTHING;
        let mut chosen = 0;
        let mut free = Vec::new();
        for &(part, otherwise) in parts {
            let otherwise = otherwise.map_or(Some(BestOption::NOTHING), |otherwise| self.known[otherwise]);
            match (self.known[part], otherwise) {
                (Some(included), Some(excluded)) => free.push((included, excluded)),
                (Some(included), None) => {
                    sum = sum.and(included);
                    chosen += 1;
                }
                (None, excluded) => sum = sum.and(excluded?),
            }
        }
        let left = amount.checked_sub(chosen).filter(|&left| left <= free.len())?;
        free.sort_by_key(|(included, excluded)| {
            excluded.total_weight(self.weights) - included.total_weight(self.weights)
        });
        // A part that is not chosen might be better than known.
        let proven = free.iter().all(|(included, excluded)| included.proven && excluded.proven);
        let sides = free
            .into_iter()
            .enumerate()
            .map(|(place, (included, excluded))| if place < left { included } else { excluded });
        let sum = sides.fold(sum, BestOption::and);
        Some(BestOption { proven: sum.proven && proven, ..sum })
    }

    /// Returns the cost of each cell.
    fn costs(&self, matrix: &Matrix, cost: impl Fn(BestOption) -> i64) -> Vec<Vec<Option<i64>>> {
        let cell = |cell: &Option<usize>| cell.and_then(|cell| self.known[cell]).map(&cost);
        matrix.rows.iter().map(|row| row.iter().map(cell).collect()).collect()
    }

    fn pairs(&self, matrix: &Matrix) -> Option<BestOption> {
        let costs = self.costs(matrix, |best| -best.total_weight(self.weights));
        let cells: Vec<usize> = assignment::min_cost_matching(matrix.required, &costs)?
            .into_iter()
            .filter_map(|(row, column)| matrix.rows[row][column])
            .collect();
        let best = self.all(&cells)?;
        // A cell that is not chosen might be better than known.
        let proven =
            matrix.rows.iter().flatten().flatten().all(|&cell| self.known[cell].is_none_or(|best| best.proven));
        Some(BestOption { proven, ..best })
    }

    /// Returns a cover with the fewest literals that do not count.
    ///
    /// A star is a pair with further lines joined to it. There is no need to require that these are joined to lines of pairs:
    /// without this condition the result may have superfluous cells, but the minimum is still among the candidates. The
    /// cheapest cells of two further lines are thus another way to pair them.
    fn any_cover(&self, matrix: &Matrix) -> Option<BestOption> {
        let mut costs = self.costs(matrix, |best| i64::from(best.others as u32));
        let cheapest = |cells: &mut dyn Iterator<Item = (usize, Option<i64>)>| {
            cells.filter_map(|(place, cost)| Some((cost?, place))).min()
        };
        let of_row: Vec<Option<(i64, usize)>> =
            costs.iter().map(|row| cheapest(&mut row.iter().copied().enumerate())).collect();
        let column = |column: usize| cheapest(&mut costs.iter().map(|row| row[column]).enumerate());
        let of_column: Vec<Option<(i64, usize)>> = (0..matrix.width()).map(column).collect();
        let mut joined = vec![vec![false; matrix.width()]; matrix.rows.len()];
        for (row, cells) in costs.iter_mut().enumerate() {
            for (column, cost) in cells.iter_mut().enumerate() {
                let pair_cost = of_row[row].zip(of_column[column]).map(|((one, _), (other, _))| one + other);
                if let Some(pair_cost) = pair_cost.filter(|pair_cost| cost.is_none_or(|cost| *pair_cost < cost)) {
                    *cost = Some(pair_cost);
                    joined[row][column] = true;
                }
            }
        }
        let mut cells: Vec<(usize, usize)> = Vec::new();
        for (row, column) in assignment::min_cost_matching(matrix.required, &costs)? {
            match of_row[row].zip(of_column[column]).filter(|_| joined[row][column]) {
                Some(((_, across), (_, along))) => cells.extend([(row, across), (along, column)]),
                None => cells.push((row, column)),
            }
        }
        let selected = smallest(matrix.required, cells);
        let best =
            self.all(&selected.iter().filter_map(|&(row, column)| matrix.rows[row][column]).collect::<Vec<_>>())?;
        Some(BestOption { proven: false, ..best })
    }
}

/// Removes cells as long as the required number of rows and columns remains.
fn smallest(required: usize, mut cells: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    cells.sort_unstable();
    cells.dedup();
    let is_sufficient = |cells: &[(usize, usize)]| {
        let lines = |lines: std::collections::BTreeSet<usize>| lines.len() >= required;
        lines(cells.iter().map(|cell| cell.0).collect()) && lines(cells.iter().map(|cell| cell.1).collect())
    };
    for place in (0..cells.len()).rev() {
        let cell = cells.remove(place);
        if !is_sufficient(&cells) {
            cells.insert(place, cell);
        }
    }
    cells
}

/// Returns the cover with the most cells that count and the fewest others, if each cell is a single literal; `counted` marks
/// the cells that count.
///
/// No cover has more of the former or fewer of the latter. A line with a cell that counts can always be added to stars of such
/// cells, replacing another line if necessary, without a loss. Stars of counting cells therefore contain the required number of
/// lines, or all such lines if there are fewer. If one side has more lines in stars than the other, each missing line of the
/// other side takes a further cell, in a pair or joined to a star.
fn plain_cover(required: usize, counted: &[Vec<bool>]) -> Option<BestOption> {
    let width = counted.first().map_or(0, Vec::len);
    let mut stars = DominatingSetProblem::new(counted.len() + width + 1);
    let (mut rows, mut columns) = (vec![false; counted.len()], vec![false; width]);
    for (row, cells) in counted.iter().enumerate() {
        for column in (0..width).filter(|&column| cells[column]) {
            (rows[row], columns[column]) = (true, true);
            stars.add_edge(row, counted.len() + column);
            stars.add_edge(counted.len() + column, row);
        }
    }
    let reached = |lines: &[bool], from: usize| -> Vec<usize> {
        (0..lines.len()).filter(|&line| lines[line]).map(|line| from + line).collect()
    };
    let sides = [reached(&rows, 0), reached(&columns, counted.len())];
    let amounts = [sides[0].len().min(required), sides[1].len().min(required)];
    for side in &sides {
        for &line in side {
            stars.add_edge(line, line);
        }
        stars.require(side.iter().copied(), side.len().saturating_sub(required));
    }
    if amounts[0] != amounts[1] && amounts.contains(&required) {
        // If no line is left to form a pair with, the others need a center on the side with enough lines.
        let joined = counted.len() + width;
        for &line in &sides[usize::from(amounts[0] < amounts[1])] {
            stars.add_edge(line, joined);
        }
        stars.require([joined], 0);
    }
    let CenterBound { amount, proven } = stars.solve()?;
    let others = required - amounts[0].min(amounts[1]);
    Some(BestOption { counted: amounts[0] + amounts[1] - amount, others, proven })
}
