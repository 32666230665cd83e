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
        self.start > other.start || self.start == other.start && self.measured_states().lt(other.measured_states())
    }

    fn measured_states(&self) -> impl Iterator<Item = u64> {
        self.measured.iter().map(|&(state, _)| state)
    }
}

/// The better of two attempts, if there is one: the first one unless the other is better.
fn better<'r>(best: Option<&'r Run>, other: Option<&'r Run>) -> Option<&'r Run> {
    match (best, other) {
        (Some(best), Some(other)) if !other.is_better_than(best) => Some(best),
        (best, None) => best,
        (_, other) => other,
    }
}

/// Moves all attempts of one binding (per position the best one) over the state `now`. Returns the satisfaction that ends
/// there, if any. `spend` is told how much was done besides looking at what fits.
pub(super) fn advance(
    automaton: &Automaton<'_>,
    runs: &mut Vec<Option<Run>>,
    now: u64,
    mut fits: impl FnMut(usize) -> Fit,
    spend: impl FnOnce(u64),
) -> Option<Run> {
    let positions = automaton.positions();
    let mut next = vec![None; positions.len()];
    let mut work = positions.len() / 16;
    let begun = Run { start: now, measured: Vec::new() };
    // The best attempt from which a state may go on to the position at hand: those that may begin there, and those at the positions
    // before it, back to the last one that may not be left out.
    let mut entering = Some(&begun);
    for (to, position) in positions.iter().enumerate() {
        let staying = runs.get(to).and_then(Option::as_ref);
        let best = if position.repeats { better(entering, staying) } else { entering };
        if !position.optional {
            entering = None;
        }
        entering = better(entering, staying);
        let Some(best) = best else { continue };
        let measure = match fits(to) {
            Fit::No => continue,
            Fit::Yes => None,
            Fit::Measured(value) => Some((now, value)),
        };
        work += best.measured.len() / 8;
        next[to] = Some(Run { start: best.start, measured: best.measured.iter().copied().chain(measure).collect() });
    }
    let accepting = (0..positions.len()).filter(|&position| automaton.accepts(position));
    let satisfaction = accepting.fold(None, |best, position| better(best, next[position].as_ref())).cloned();
    if let Some(satisfaction) = &satisfaction {
        // What started no later would end in an interval that contains this one.
        for slot in &mut next {
            *slot = slot.take().filter(|run| run.start > satisfaction.start);
        }
    }
    spend(work as u64);
    *runs = next;
    satisfaction
}
