//! Matching a sequence of phases, for one binding, state by state.

use crate::automaton::Automaton;

/// An attempt under way: states that could be laid over the first positions of a sequence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    /// Its first state.
    pub(super) start: u64,
    /// The measured states so far, one per measured phase passed, each with its measure.
    pub(super) measured: Vec<(u64, f64)>,
}

/// What a state has for a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fit {
    /// It does not satisfy it.
    No,
    /// It satisfies it.
    Yes,
    /// It satisfies it, and this is its measure.
    Measured(f64),
}

impl Run {
    /// Whether this attempt is to be kept rather than another one at the same position: it started later, or else it measured
    /// earlier states. Attempts at one position have passed the same measured phases.
    fn is_better_than(&self, other: &Self) -> bool {
        let states = |run: &Self| run.measured.iter().map(|&(state, _)| state).collect::<Vec<_>>();
        self.start > other.start || self.start == other.start && states(self) < states(other)
    }
}

/// Keeps the better of two attempts.
fn keep_better(best: &mut Option<Run>, run: &Run) {
    if best.as_ref().is_none_or(|best| run.is_better_than(best)) {
        *best = Some(run.clone());
    }
}

/// Moves all attempts of one binding (per position the best one) over the state `now`. Returns the satisfaction that ends
/// there, if any.
pub(super) fn advance(
    automaton: &Automaton<'_>,
    runs: &mut Vec<Option<Run>>,
    now: u64,
    mut fits: impl FnMut(usize) -> Fit,
) -> Option<Run> {
    let positions = 0..automaton.positions().len();
    let mut next = vec![None; positions.len()];
    for to in positions.clone() {
        let mut best = automaton.starts(to).then(|| Run { start: now, measured: Vec::new() });
        for (from, run) in runs.iter().enumerate() {
            if let Some(run) = run
                && automaton.follows(from, to)
            {
                keep_better(&mut best, run);
            }
        }
        let Some(mut run) = best else { continue };
        match fits(to) {
            Fit::No => continue,
            Fit::Yes => {}
            Fit::Measured(value) => run.measured.push((now, value)),
        }
        next[to] = Some(run);
    }
    let mut satisfaction = None;
    for run in positions.filter(|&position| automaton.accepts(position)).filter_map(|position| next[position].as_ref())
    {
        keep_better(&mut satisfaction, run);
    }
    if let Some(satisfaction) = &satisfaction {
        // What started no later would end in an interval that contains this one.
        for slot in &mut next {
            *slot = slot.take().filter(|run| run.start > satisfaction.start);
        }
    }
    *runs = next;
    satisfaction
}
