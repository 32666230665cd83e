//! Formulas over finite traces, by a table: per state, whether each condition held; then backwards from the last state.

use crate::pattern::Formula;

/// In which of the states the formula holds; `columns` has the truth of its conditions there, in the order written.
pub(super) fn holds(formula: &Formula, states: usize, columns: &mut impl Iterator<Item = Vec<bool>>) -> Vec<bool> {
    match formula {
        Formula::Now(_) => columns.next().unwrap_or_else(|| vec![false; states]),
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

/// Each state's value is that of the state after it; the last one's is given.
fn shift(values: &[bool], last: bool) -> Vec<bool> {
    values.iter().skip(1).copied().chain(values.iter().take(1).map(|_| last)).collect()
}

/// Fills in the states from the last one, each from the value of the one after it; `end` stands after the last one.
fn backwards(states: usize, end: bool, mut value: impl FnMut(usize, bool) -> bool) -> Vec<bool> {
    let mut values = vec![false; states];
    let mut later = end;
    for at in (0..states).rev() {
        later = value(at, later);
        values[at] = later;
    }
    values
}
