//! Matching of a sequence of phases for one binding, state by state.

use crate::automaton::Automaton;

/// An attempt in progress: a run of states that matches a prefix of the positions of a sequence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PartialMatch {
    /// The first state.
    pub(super) start: u64,
    /// The measured states so far, one for each measured phase completed, each with its measure.
    pub(super) measured: Vec<(u64, f64)>,
}

/// The result of testing a state against a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum MatchResult {
    /// The state does not match.
    No,
    /// The state matches.
    Yes,
    /// The state matches, with this measure.
    Measured(f64),
}

impl PartialMatch {
    /// Whether this attempt is preferred to another one at the same position: it started later or, if they started together, it has earlier
    /// measured states. Attempts at the same position have completed the same measured phases.
    fn is_better_than(&self, other: &Self) -> bool {
        self.start > other.start || self.start == other.start && self.measured_states().lt(other.measured_states())
    }

    fn measured_states(&self) -> impl Iterator<Item = u64> {
        self.measured.iter().map(|&(state, _)| state)
    }
}

/// Returns the better of two optional attempts, and the first on a tie.
fn better<'r>(best: Option<&'r PartialMatch>, other: Option<&'r PartialMatch>) -> Option<&'r PartialMatch> {
    match (best, other) {
        (Some(best), Some(other)) if !other.is_better_than(best) => Some(best),
        (best, None) => best,
        (_, other) => other,
    }
}

/// Advances the attempts of one binding (the best one for each position) over the state `now`, and returns the satisfaction that ends
/// there, if any. `spend` receives the units of work done, excluding those of `fits`.
pub(super) fn advance(
    automaton: &Automaton,
    runs: &mut Vec<Option<PartialMatch>>,
    now: u64,
    mut fits: impl FnMut(usize) -> MatchResult,
    spend: impl FnOnce(u64),
) -> Option<PartialMatch> {
    let positions = automaton.positions();
    let mut next = vec![None; positions.len()];
    let mut work = positions.len() / 16;
    let new_match = PartialMatch { start: now, measured: Vec::new() };
    // The best attempt that can advance to the current position: a new one, or one at an earlier position from which only optional
    // positions are skipped.
    let mut entering = Some(&new_match);
    for (to, position) in positions.iter().enumerate() {
        let staying = runs.get(to).and_then(Option::as_ref);
        let best = if position.repeats { better(entering, staying) } else { entering };
        if !position.optional {
            entering = None;
        }
        entering = better(entering, staying);
        let Some(best) = best else { continue };
        let measure = match fits(to) {
            MatchResult::No => continue,
            MatchResult::Yes => None,
            MatchResult::Measured(value) => Some((now, value)),
        };
        work += best.measured.len() / 8;
        next[to] =
            Some(PartialMatch { start: best.start, measured: best.measured.iter().copied().chain(measure).collect() });
    }
    let accepting = (0..positions.len()).filter(|&position| automaton.is_accepting(position));
    let satisfaction = accepting.fold(None, |best, position| better(best, next[position].as_ref())).cloned();
    if let Some(satisfaction) = &satisfaction {
        // An attempt that started no later would end in an interval that contains this one.
        for slot in &mut next {
            *slot = slot.take().filter(|run| run.start > satisfaction.start);
        }
    }
    spend(work as u64);
    *runs = next;
    satisfaction
}
