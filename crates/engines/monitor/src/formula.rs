//! Evaluation of formulas over finite traces: the truth of their conditions is recorded whenever it changes, and the formula is evaluated
//! backwards from the last state. Memory grows with the number of changes.

use goalspec_core::pattern::Formula;

/// The recorded truth of the conditions of a formula.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConditionHistory {
    /// The vectors of all conditions, concatenated, with the state from which on they hold, counted from 0 over the states that count.
    rows: Vec<(u32, Box<[u64]>)>,
    states: u32,
}

/// A position in [`ConditionHistory`], for undoing later states.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct HistoryMark {
    rows: usize,
    states: u32,
}

impl ConditionHistory {
    pub(crate) fn mark(&self) -> HistoryMark {
        HistoryMark { rows: self.rows.len(), states: self.states }
    }

    pub(crate) fn truncate(&mut self, mark: HistoryMark) {
        self.rows.truncate(mark.rows);
        self.states = mark.states;
    }

    /// Records a state. `row` returns the vectors of all conditions; it is called only if one of them may have changed.
    pub(crate) fn record(&mut self, changed: bool, row: impl FnOnce() -> Box<[u64]>) {
        if changed || self.rows.is_empty() {
            let row = row();
            if self.rows.last().is_none_or(|(_, last)| *last != row) {
                self.rows.push((self.states, row));
            }
        }
        self.states += 1;
    }

    /// Returns the bindings, `words` words of bits, for which the formula holds over all recorded states.
    pub(crate) fn holds(&self, formula: &Formula, words: usize) -> Vec<u64> {
        let mut later: Vec<Vec<u64>> = Vec::new();
        let mut end = self.states;
        for (start, row) in self.rows.iter().rev() {
            for state in (*start..end).rev() {
                let last = state + 1 == self.states;
                let mut evaluation = Evaluation { row, words, last, later: &later, now: Vec::new(), column: 0 };
                evaluation.node(formula);
                let evaluation = evaluation.now;
                // Earlier states with the same truth values have the same result.
                let settled = evaluation == later;
                later = evaluation;
                if settled {
                    break;
                }
            }
            end = *start;
        }
        later.pop().unwrap_or_else(|| vec![0; words])
    }
}

/// The values of all subformulas in one state, computed from those in the next one; subformulas precede the formulas around them.
struct Evaluation<'a> {
    row: &'a [u64],
    words: usize,
    /// Whether there is no next state.
    last: bool,
    later: &'a [Vec<u64>],
    now: Vec<Vec<u64>>,
    column: usize,
}

impl Evaluation<'_> {
    /// Evaluates a subformula, appends its value to `now`, and returns its index there.
    fn node(&mut self, formula: &Formula) -> usize {
        let value = match formula {
            Formula::Proposition(_) => {
                let from = self.column * self.words;
                self.column += 1;
                self.row[from..from + self.words].to_vec()
            }
            Formula::Not(part) => {
                let part = self.node(part);
                self.now[part].iter().map(|word| !word).collect()
            }
            Formula::And(parts) => self.join(parts, u64::MAX, |all, part| all & part),
            Formula::Or(parts) => self.join(parts, 0, |all, part| all | part),
            Formula::Next(part) => {
                let part = self.node(part);
                self.after(part, 0)
            }
            Formula::WeakNext(part) => {
                let part = self.node(part);
                self.after(part, u64::MAX)
            }
            Formula::Until(parts) => {
                let [left, right] = [self.node(&parts[0]), self.node(&parts[1])];
                let later = self.after(self.now.len(), 0);
                self.combine([left, right], &later, |left, right, later| right | left & later)
            }
            Formula::Release(parts) => {
                let [left, right] = [self.node(&parts[0]), self.node(&parts[1])];
                let later = self.after(self.now.len(), u64::MAX);
                self.combine([left, right], &later, |left, right, later| right & (left | later))
            }
            Formula::Eventually(part) => {
                let part = self.node(part);
                let later = self.after(self.now.len(), 0);
                self.combine([part, part], &later, |part, _, later| part | later)
            }
            Formula::Always(part) => {
                let part = self.node(part);
                let later = self.after(self.now.len(), u64::MAX);
                self.combine([part, part], &later, |part, _, later| part & later)
            }
        };
        self.now.push(value);
        self.now.len() - 1
    }

    fn join(&mut self, parts: &[Formula], empty: u64, join: impl Fn(u64, u64) -> u64) -> Vec<u64> {
        let mut joined = vec![empty; self.words];
        for part in parts {
            let part = self.node(part);
            joined.iter_mut().zip(&self.now[part]).for_each(|(all, &part)| *all = join(*all, part));
        }
        joined
    }

    /// Returns the value of a subformula in the next state, or all bits from `end` if there is none.
    fn after(&self, part: usize, end: u64) -> Vec<u64> {
        if self.last { vec![end; self.words] } else { self.later[part].clone() }
    }

    fn combine(&self, parts: [usize; 2], later: &[u64], value: impl Fn(u64, u64, u64) -> u64) -> Vec<u64> {
        let [left, right] = parts.map(|part| &self.now[part]);
        left.iter().zip(right).zip(later).map(|((&left, &right), &later)| value(left, right, later)).collect()
    }
}
