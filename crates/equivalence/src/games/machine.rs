//! Monitors of single preferences under one binding, as automata over the truth of their conditions.
//!
//! Times are ranks: the states that are still remembered, in order. So there are finitely many states of an automaton, although traces
//! are arbitrarily long.

use goalspec_core::automaton::Automaton;
use goalspec_core::pattern::Pattern;
use goalspec_core::program::Preference;

use super::formula::FormulaAutomaton;
use super::letters::{Bound, BoundScope, Letters};
use super::normal_form::NormalForm;
use crate::diagram::Diagram;
use crate::limits::LimitExceeded;

/// A time, as its rank among the times that are remembered.
pub(crate) type Time = u16;

/// The preference of a game under one binding.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pattern: MachinePattern,
    /// The conditions of the positions of a sequence, of an at-end pattern, or of the propositions of a formula.
    pub(crate) guards: Vec<Diagram>,
}

#[derive(Debug, Clone)]
enum MachinePattern {
    Sequence {
        automaton: Automaton,
        /// The text of the measure of each position.
        measures: Vec<Option<String>>,
    },
    AtEnd,
    Formula(Box<FormulaAutomaton>),
}

/// An attempt at a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Run {
    start: Time,
    /// The measured states, each with the position that measured it.
    measured: Vec<(Time, u16)>,
}

/// The state of a machine between two states of the trace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum MachineState {
    /// The best attempt at each position.
    Sequence(Vec<Option<Run>>),
    /// Nothing is remembered.
    AtEnd,
    /// The condition on the rest of the trace.
    Formula(Diagram),
}

/// A satisfaction that ends in the current state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Emission {
    pub(crate) start: Time,
    /// The measured states, each with the text of its measure.
    pub(crate) measured: Vec<(Time, String)>,
}

/// One state of the trace, for a machine.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'m> {
    pub(crate) now: Time,
    pub(crate) is_last: bool,
    /// The truth of a guard, by its diagram.
    pub(crate) holds: &'m dyn Fn(Diagram) -> bool,
}

impl Machine {
    /// Builds the machine of a preference whose variables are bound in `scope` to these values.
    pub(crate) fn new(
        preference: &Preference,
        scope: &BoundScope,
        values: &[Bound],
        letters: &mut Letters<'_>,
    ) -> Result<Self, LimitExceeded> {
        let mut present = Diagram::TRUE;
        for value in values {
            let one = letters.present(value)?;
            present = letters.diagrams.and(present, one)?;
        }
        let mut guards = Vec::new();
        let pattern = match &preference.pattern {
            Pattern::Sequence(phases) => {
                let automaton = Automaton::new(phases);
                let mut measures = Vec::new();
                for position in automaton.positions() {
                    let mut all = present;
                    for condition in position.conditions(phases) {
                        let part = letters.condition_if_present(condition, scope)?;
                        all = letters.diagrams.and(all, part)?;
                    }
                    let measure = position.measure(phases);
                    if let Some(measure) = measure {
                        let defined = letters.defined(measure, scope)?;
                        all = letters.diagrams.and(all, defined)?;
                    }
                    let mut form = NormalForm::new(letters.world(), &preference.scope);
                    for (index, &variable) in preference.external.iter().chain(&preference.inner).enumerate() {
                        form.name(variable, format!("${index}"));
                    }
                    measures.push(measure.map(|measure| form.expression(measure)));
                    guards.push(all);
                }
                MachinePattern::Sequence { automaton, measures }
            }
            Pattern::AtEnd(condition) => {
                let part = letters.condition_if_present(condition, scope)?;
                guards.push(letters.diagrams.and(present, part)?);
                MachinePattern::AtEnd
            }
            Pattern::Formula(formula) => {
                for condition in formula.conditions() {
                    let part = letters.condition_if_present(condition, scope)?;
                    guards.push(letters.diagrams.and(present, part)?);
                }
                MachinePattern::Formula(Box::new(FormulaAutomaton::new(formula)?))
            }
        };
        Ok(Self { pattern, guards })
    }

    /// Returns the state before the trace.
    pub(crate) fn start(&self) -> MachineState {
        match &self.pattern {
            MachinePattern::Sequence { automaton, .. } => {
                MachineState::Sequence(vec![None; automaton.positions().len()])
            }
            MachinePattern::AtEnd => MachineState::AtEnd,
            MachinePattern::Formula(formula) => MachineState::Formula(formula.start()),
        }
    }

    /// Whether a satisfaction starts at the first state of the trace.
    pub(crate) fn is_formula(&self) -> bool {
        matches!(self.pattern, MachinePattern::Formula(_))
    }

    /// Returns the guards on which the next state depends.
    pub(crate) fn needed_guards(&self, state: &MachineState, is_last: bool) -> Vec<Diagram> {
        match (&self.pattern, state) {
            (MachinePattern::Sequence { automaton, .. }, MachineState::Sequence(runs)) => {
                let count = automaton.positions().len();
                let from = |index: usize| runs[index].is_some().then(|| automaton.successors(index));
                let mut needed: Vec<bool> = (0..count).map(|position| automaton.is_initial(position)).collect();
                (0..count).filter_map(from).flatten().for_each(|position| needed[position] = true);
                (0..count).filter(|&position| needed[position]).map(|position| self.guards[position]).collect()
            }
            (MachinePattern::AtEnd, _) if !is_last => Vec::new(),
            (MachinePattern::Formula(formula), MachineState::Formula(rest)) => {
                formula.propositions(*rest).into_iter().map(|number| self.guards[number]).collect()
            }
            _ => self.guards.clone(),
        }
    }

    /// Advances over a state of the trace. Returns the satisfaction that ends there.
    pub(crate) fn advance(
        &mut self,
        state: &mut MachineState,
        moment: Moment<'_>,
    ) -> Result<Option<Emission>, LimitExceeded> {
        let guards = &self.guards;
        match (&mut self.pattern, state) {
            (MachinePattern::Sequence { automaton, measures }, MachineState::Sequence(runs)) => {
                let holds = |position: usize| (moment.holds)(guards[position]);
                let measured = |position: usize| measures[position].is_some();
                let satisfied = advance_sequence(automaton, runs, moment.now, holds, measured);
                Ok(satisfied.map(|run| {
                    let text = |position: u16| measures[usize::from(position)].clone().unwrap_or_default();
                    let measured = run.measured.iter().map(|&(time, position)| (time, text(position)));
                    Emission { start: run.start, measured: measured.collect() }
                }))
            }
            (MachinePattern::AtEnd, _) => {
                let is_satisfied = moment.is_last && (moment.holds)(guards[0]);
                Ok(is_satisfied.then(|| Emission { start: moment.now, measured: Vec::new() }))
            }
            (MachinePattern::Formula(formula), MachineState::Formula(rest)) => {
                *rest = formula.advance(*rest, &|number| (moment.holds)(guards[number]))?;
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Returns the satisfaction of a formula after the last state of the trace.
    pub(crate) fn finish(&self, state: &MachineState) -> Option<Emission> {
        match (&self.pattern, state) {
            (MachinePattern::Formula(formula), MachineState::Formula(rest)) if formula.accepts(*rest) => {
                Some(Emission { start: FIRST, measured: Vec::new() })
            }
            _ => None,
        }
    }
}

/// The time of the first state, if it is remembered.
pub(crate) const FIRST: Time = 1;

impl MachineState {
    /// Returns 1, and for a sequence the number of its positions besides.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Sequence(runs) => 1 + runs.len(),
            Self::AtEnd | Self::Formula(_) => 1,
        }
    }

    /// Visits the times that are remembered.
    pub(crate) fn visit_times(&mut self, visit: &mut dyn FnMut(&mut Time)) {
        let Self::Sequence(runs) = self else { return };
        for run in runs.iter_mut().flatten() {
            visit(&mut run.start);
            run.measured.iter_mut().for_each(|(time, _)| visit(time));
        }
    }
}

impl Run {
    /// Whether this attempt is preferred to another one at the same position: it started later or, if they started together, it has earlier
    /// measured states.
    fn is_better_than(&self, other: &Self) -> bool {
        let times = |run: &Self| run.measured.iter().map(|&(time, _)| time).collect::<Vec<_>>();
        self.start > other.start || self.start == other.start && times(self) < times(other)
    }
}

fn better<'r>(best: Option<&'r Run>, other: Option<&'r Run>) -> Option<&'r Run> {
    match (best, other) {
        (Some(best), Some(other)) if !other.is_better_than(best) => Some(best),
        (best, None) => best,
        (_, other) => other,
    }
}

/// Advances the best attempts at the positions of a sequence, as the reference interpreter does.
fn advance_sequence(
    automaton: &Automaton,
    runs: &mut Vec<Option<Run>>,
    now: Time,
    holds: impl Fn(usize) -> bool,
    is_measured: impl Fn(usize) -> bool,
) -> Option<Run> {
    let positions = automaton.positions();
    let mut next = vec![None; positions.len()];
    let new = Run { start: now, measured: Vec::new() };
    let mut entering = Some(&new);
    for (to, position) in positions.iter().enumerate() {
        let staying = runs[to].as_ref();
        let best = if position.repeats { better(entering, staying) } else { entering };
        if !position.optional {
            entering = None;
        }
        entering = better(entering, staying);
        let Some(best) = best.filter(|_| holds(to)) else { continue };
        let mut run = best.clone();
        if is_measured(to) {
            run.measured.push((now, to as u16));
        }
        next[to] = Some(run);
    }
    let accepting = (0..positions.len()).filter(|&position| automaton.is_accepting(position));
    let satisfied = accepting.fold(None, |best, position| better(best, next[position].as_ref())).cloned();
    if let Some(satisfied) = &satisfied {
        for slot in &mut next {
            *slot = slot.take().filter(|run: &Run| run.start > satisfied.start);
        }
    }
    *runs = next;
    satisfied
}
