//! Formulas over finite traces as automata: the state is the condition on the rest of the trace.
//!
//! The rest is a decision diagram over the temporal parts of the formula, so that equivalent combinations of the same parts are one state,
//! and there are finitely many.

use goalspec_core::pattern::Formula;
use rustc_hash::FxHashMap;

use crate::diagram::{Diagram, Diagrams};
use crate::limits::{LimitExceeded, MAX_DEPTH, MAX_FORMULA_PARTS};

/// A condition on the rest of a trace that is not a combination of other ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// The rest is not empty, and its first state satisfies the condition with this number.
    Proposition(usize),
    /// The rest is not empty.
    NonEmpty,
    /// There is a state after the first, and the operand holds from there. Operands are diagrams over parts.
    Next(Diagram),
    /// The operand holds after the first state, or the rest has at most that state.
    WeakNext(Diagram),
    /// The second operand holds at a state, and the first in all before.
    Until(Diagram, Diagram),
    /// The second operand holds up to the state at which the first holds.
    Release(Diagram, Diagram),
}

/// The automaton of one formula.
#[derive(Debug, Clone)]
pub(crate) struct FormulaAutomaton {
    diagrams: Diagrams,
    parts: Vec<Part>,
    indices: FxHashMap<Part, u32>,
    start: Diagram,
    /// The number of propositions.
    propositions: usize,
}

impl FormulaAutomaton {
    /// Builds the automaton of a formula whose propositions are numbered in source order.
    pub(crate) fn new(formula: &Formula) -> Result<Self, LimitExceeded> {
        let mut automaton = Self {
            diagrams: Diagrams::new(),
            parts: Vec::new(),
            indices: FxHashMap::default(),
            start: Diagram::TRUE,
            propositions: 0,
        };
        automaton.start = automaton.diagram(formula, 0)?;
        Ok(automaton)
    }

    /// Returns the state before the trace.
    pub(crate) fn start(&self) -> Diagram {
        self.start
    }

    fn part(&mut self, part: Part) -> Result<Diagram, LimitExceeded> {
        let next = self.parts.len() as u32;
        let index = *self.indices.entry(part).or_insert(next);
        if index == next {
            if self.parts.len() >= MAX_FORMULA_PARTS {
                return Err(LimitExceeded::FormulaParts);
            }
            self.parts.push(part);
        }
        self.diagrams.variable(index)
    }

    fn diagram(&mut self, formula: &Formula, depth: usize) -> Result<Diagram, LimitExceeded> {
        if depth >= MAX_DEPTH {
            return Err(LimitExceeded::Depth);
        }
        let mut of = |part: &Formula| self.diagram(part, depth + 1);
        match formula {
            Formula::Proposition(_) => {
                self.propositions += 1;
                self.part(Part::Proposition(self.propositions - 1))
            }
            Formula::Not(part) => {
                let part = of(part)?;
                self.diagrams.not(part)
            }
            Formula::And(parts) => {
                let parts = parts.iter().map(of).collect::<Result<Vec<_>, _>>()?;
                parts.into_iter().try_fold(Diagram::TRUE, |all, part| self.diagrams.and(all, part))
            }
            Formula::Or(parts) => {
                let parts = parts.iter().map(of).collect::<Result<Vec<_>, _>>()?;
                parts.into_iter().try_fold(Diagram::FALSE, |any, part| self.diagrams.or(any, part))
            }
            Formula::Next(part) => {
                let part = of(part)?;
                self.part(Part::Next(part))
            }
            Formula::WeakNext(part) => {
                let part = of(part)?;
                self.part(Part::WeakNext(part))
            }
            Formula::Until(sides) => {
                let (left, right) = (of(&sides[0])?, of(&sides[1])?);
                self.part(Part::Until(left, right))
            }
            Formula::Release(sides) => {
                let (left, right) = (of(&sides[0])?, of(&sides[1])?);
                self.part(Part::Release(left, right))
            }
            Formula::Eventually(part) => {
                let part = of(part)?;
                self.part(Part::Until(Diagram::TRUE, part))
            }
            Formula::Always(part) => {
                let part = of(part)?;
                self.part(Part::Release(Diagram::FALSE, part))
            }
        }
    }

    /// Returns the numbers of the propositions on which the next state depends.
    pub(crate) fn propositions(&self, state: Diagram) -> Vec<usize> {
        let mut pending = vec![state];
        let mut seen = vec![state];
        let mut found = Vec::new();
        while let Some(diagram) = pending.pop() {
            for variable in self.diagrams.support(diagram) {
                let operands = match self.parts[variable as usize] {
                    Part::Proposition(number) => {
                        found.push(number);
                        continue;
                    }
                    // The operand of a next is about the state after the next one.
                    Part::NonEmpty | Part::Next(_) | Part::WeakNext(_) => continue,
                    Part::Until(left, right) | Part::Release(left, right) => [left, right],
                };
                for operand in operands {
                    if !seen.contains(&operand) {
                        seen.push(operand);
                        pending.push(operand);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the state after a state of the trace. `holds` returns the truth of a proposition there.
    pub(crate) fn advance(&mut self, state: Diagram, holds: &dyn Fn(usize) -> bool) -> Result<Diagram, LimitExceeded> {
        self.substituted(state, holds, &mut FxHashMap::default())
    }

    fn substituted(
        &mut self,
        diagram: Diagram,
        holds: &dyn Fn(usize) -> bool,
        known: &mut FxHashMap<Diagram, Diagram>,
    ) -> Result<Diagram, LimitExceeded> {
        let Some((variable, low, high)) = self.diagrams.decision(diagram) else { return Ok(diagram) };
        if let Some(&known) = known.get(&diagram) {
            return Ok(known);
        }
        let condition = match self.parts[variable as usize] {
            Part::Proposition(number) => Diagram::constant(holds(number)),
            Part::NonEmpty => Diagram::TRUE,
            Part::Next(operand) => {
                let rest = self.part(Part::NonEmpty)?;
                self.diagrams.and(rest, operand)?
            }
            Part::WeakNext(operand) => {
                let rest = self.part(Part::NonEmpty)?;
                self.diagrams.choose(rest, operand, Diagram::TRUE)?
            }
            part @ Part::Until(left, right) => {
                let (left, right) = (self.substituted(left, holds, known)?, self.substituted(right, holds, known)?);
                let later = self.part(part)?;
                let stays = self.diagrams.and(left, later)?;
                self.diagrams.or(right, stays)?
            }
            part @ Part::Release(left, right) => {
                let (left, right) = (self.substituted(left, holds, known)?, self.substituted(right, holds, known)?);
                let later = self.part(part)?;
                let stays = self.diagrams.or(left, later)?;
                self.diagrams.and(right, stays)?
            }
        };
        let (low, high) = (self.substituted(low, holds, known)?, self.substituted(high, holds, known)?);
        let result = self.diagrams.choose(condition, high, low)?;
        known.insert(diagram, result);
        Ok(result)
    }

    /// Whether the formula holds of a trace that ends in this state.
    pub(crate) fn accepts(&self, state: Diagram) -> bool {
        let mut at = state;
        while let Some((variable, low, high)) = self.diagrams.decision(at) {
            let holds = matches!(self.parts[variable as usize], Part::WeakNext(_) | Part::Release(..));
            at = if holds { high } else { low };
        }
        at == Diagram::TRUE
    }
}
