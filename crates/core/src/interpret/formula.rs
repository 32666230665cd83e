//! Evaluation of formulas over finite traces, by dynamic programming backwards from the last state.

use crate::pattern::Formula;

/// Returns the truth of the formula in each state. `columns` yields the truth of its conditions in each state, in
/// source order.
pub(super) fn holds(formula: &Formula, states: usize, columns: &mut impl Iterator<Item = Vec<bool>>) -> Vec<bool> {
    match formula {
        Formula::Proposition(_) => columns.next().unwrap_or_else(|| vec![false; states]),
        Formula::Not(part) => holds(part, states, columns).iter().map(|value| !value).collect(),
        Formula::And(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| holds(part, states, columns)).collect();
            (0..states).map(|at| parts.iter().all(|part| part[at])).collect()
        }
        Formula::Or(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| holds(part, states, columns)).collect();
            (0..states).map(|at| parts.iter().any(|part| part[at])).collect()
        }
        Formula::Next(part) => shift(&holds(part, states, columns), false),
        Formula::WeakNext(part) => shift(&holds(part, states, columns), true),
        Formula::Until(parts) => {
            let [left, right] = [0, 1].map(|side| holds(&parts[side], states, columns));
            backwards(states, false, |at, later| right[at] || left[at] && later)
        }
        Formula::Release(parts) => {
            let [left, right] = [0, 1].map(|side| holds(&parts[side], states, columns));
            backwards(states, true, |at, later| right[at] && (left[at] || later))
        }
        Formula::Eventually(part) => {
            let part = holds(part, states, columns);
            backwards(states, false, |at, later| part[at] || later)
        }
        Formula::Always(part) => {
            let part = holds(part, states, columns);
            backwards(states, true, |at, later| part[at] && later)
        }
    }
}

/// Returns each state's successor's value; the last state gets `last`.
fn shift(values: &[bool], last: bool) -> Vec<bool> {
    values.iter().skip(1).copied().chain(values.iter().take(1).map(|_| last)).collect()
}

/// Computes the value of each state from that of its successor, beginning with the last state, whose successor has the
/// value `end`.
fn backwards(states: usize, end: bool, mut value: impl FnMut(usize, bool) -> bool) -> Vec<bool> {
    let mut values = vec![false; states];
    let mut later = end;
    for at in (0..states).rev() {
        later = value(at, later);
        values[at] = later;
    }
    values
}
