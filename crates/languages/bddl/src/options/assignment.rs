//! Minimum-cost bipartite matching of a fixed size.

/// Returns a minimum-cost choice of `required` cells, no two of them in the same row or column, as pairs of row and column;
/// `None` if there is no such choice. All rows of `costs` have the same length; a cell with `None` cannot be chosen.
///
/// Costs must be small enough for twice the total cost of all pairs to fit into an `i64`.
pub(super) fn min_cost_matching(required: usize, costs: &[Vec<Option<i64>>]) -> Option<Vec<(usize, usize)>> {
    // All choices have the same number of cells, so adding a constant to all costs does not change the result.
    let min = costs.iter().flatten().flatten().min().copied().unwrap_or(0);
    let width = costs.first().map_or(0, Vec::len);
    let mut flow = Flow {
        costs,
        min_cost: min,
        rows: vec![Line::default(); costs.len()],
        columns: vec![Line::default(); width],
        end: 0,
    };
    for _ in 0..required {
        if !flow.augment() {
            return None;
        }
    }
    Some(flow.rows.iter().enumerate().filter_map(|(row, line)| Some((row, line.partner?))).collect())
}

/// A row or a column.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    partner: Option<usize>,
    /// The potential: the distance from the source, summed over all rounds. It makes all reduced costs non-negative.
    potential: i64,
    /// The distance from the source in this round.
    distance: Option<i64>,
    settled: bool,
    /// For a column, the row that precedes it on the shortest path.
    from: usize,
}

struct Flow<'a> {
    costs: &'a [Vec<Option<i64>>],
    min_cost: i64,
    rows: Vec<Line>,
    columns: Vec<Line>,
    /// The potential of the sink, which unmatched columns lead to.
    end: i64,
}

impl Flow<'_> {
    /// Adds a pair by augmenting along a shortest path, and returns whether there is one.
    fn augment(&mut self) -> bool {
        for line in self.rows.iter_mut().chain(&mut self.columns) {
            line.settled = false;
            line.distance = None;
        }
        for row in self.rows.iter_mut().filter(|row| row.partner.is_none()) {
            row.distance = Some(-row.potential);
        }
        while let Some(row) = nearest(&self.rows) {
            self.settle(row);
        }
        let ends = self.columns.iter().enumerate().filter(|(_, column)| column.partner.is_none());
        let end =
            ends.filter_map(|(place, column)| Some((column.distance? + column.potential - self.end, place))).min();
        let Some((distance, mut column)) = end else { return false };
        for line in self.rows.iter_mut().chain(&mut self.columns) {
            line.potential += line.distance.map_or(distance, |own| own.min(distance));
        }
        self.end += distance;
        loop {
            let row = self.columns[column].from;
            self.columns[column].partner = Some(row);
            match self.rows[row].partner.replace(column) {
                Some(next) => column = next,
                None => return true,
            }
        }
    }

    /// Relaxes the edges from a row: to columns, and from those to their matched rows at no further cost.
    fn settle(&mut self, row: usize) {
        self.rows[row].settled = true;
        let Line { partner, potential, distance: Some(distance), .. } = self.rows[row] else { return };
        for (place, cost) in self.costs[row].iter().enumerate() {
            let Some(cost) = cost.filter(|_| partner != Some(place)) else { continue };
            let column = &mut self.columns[place];
            let reached = distance + (cost - self.min_cost) + potential - column.potential;
            if column.distance.is_none_or(|known| reached < known) {
                column.distance = Some(reached);
                column.from = row;
                if let Some(other) = column.partner.filter(|&other| !self.rows[other].settled) {
                    self.rows[other].distance = Some(reached);
                }
            }
        }
    }
}

/// Returns the unsettled row with the smallest distance.
fn nearest(rows: &[Line]) -> Option<usize> {
    let open = rows.iter().enumerate().filter(|(_, row)| !row.settled);
    open.filter_map(|(place, row)| Some((row.distance?, place))).min().map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(costs: &[Vec<Option<i64>>], pairs: &[(usize, usize)]) -> i64 {
        pairs.iter().map(|&(row, column)| costs[row][column].unwrap()).sum()
    }

    /// Computes the minimum cost by exhaustive search over the columns of the first row.
    fn tried(required: usize, costs: &[Vec<Option<i64>>]) -> Option<i64> {
        let Some((first, rest)) = costs.split_first() else { return (required == 0).then_some(0) };
        let choices = first.iter().enumerate().filter_map(|(column, cost)| {
            let mut rest = rest.to_vec();
            for row in &mut rest {
                row[column] = None;
            }
            Some(tried(required.checked_sub(1)?, &rest)? + (*cost)?)
        });
        choices.chain(tried(required, rest)).min()
    }

    #[test]
    fn every_small_choice_is_the_cheapest() {
        // A fixed pseudorandom sequence.
        let mut number = 1u64;
        let mut next = |limit: u64| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 33) % limit
        };
        for round in 0..3000 {
            let (rows, columns) = (1 + next(4) as usize, 1 + next(5) as usize);
            let range = if round % 2 == 0 { 3 } else { 50 };
            let mut cell = || (next(5) > 0).then(|| next(range).cast_signed() - range.cast_signed() / 2);
            let costs: Vec<Vec<Option<i64>>> = (0..rows).map(|_| (0..columns).map(|_| cell()).collect()).collect();
            for required in 0..=rows.min(columns) {
                let found = min_cost_matching(required, &costs);
                assert_eq!(found.as_ref().map(|pairs| cost(&costs, pairs)), tried(required, &costs), "{costs:?}");
                assert!(found.is_none_or(|pairs| pairs.len() == required));
            }
        }
    }
}
