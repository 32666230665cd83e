//! Conditions that always or never hold, and parts of them that make no difference.

use goalspec_syntax::Diagnostic;

use super::formula::{Formula, Letters};
use super::logic::{Logic, View};
use super::{Linter, codes, edit};
use crate::ast::{Application, Condition, Terminal};
use crate::resolve::place;

impl Linter<'_> {
    /// Looks for contradictions and tautologies in a condition and in the quantifiers inside it. The innermost is reported.
    pub(super) fn truth(&mut self, condition: &Condition) {
        if let Some(letters) = self.letters(&[condition]) {
            self.examine(condition, &|part| letters.formula(part), &letters);
        }
        self.truth_inside(condition);
    }

    /// What a terminal condition says by itself, scores taken as unknown numbers.
    pub(super) fn terminal_truth<'c>(&mut self, terminal: &'c Terminal, letters: &Letters<'c>) {
        self.examine(terminal, &|part| letters.terminal(part), letters);
    }

    /// The letters of conditions of one scope; nothing if there are too many.
    pub(super) fn letters<'c>(&self, conditions: &[&'c Condition]) -> Option<Letters<'c>> {
        Letters::of(conditions, |application| self.least(application))
    }

    /// Below what the function is never.
    fn least(&self, application: &Application) -> f64 {
        let function = self.world.function_named(&application.name.text);
        if function.is_some_and(|id| self.world.never_negative(id)) { 0.0 } else { f64::NEG_INFINITY }
    }

    fn truth_inside(&mut self, condition: &Condition) {
        match condition {
            Condition::And(parts, _) | Condition::Or(parts, _) => parts.iter().for_each(|part| self.truth_inside(part)),
            Condition::Not(part, _) => self.truth_inside(part),
            Condition::Exists(_, body, _) | Condition::Forall(_, body, _) => self.truth(body),
            Condition::Compare(..) | Condition::AllEqual(..) | Condition::Predicate(_) => {}
        }
    }
}

impl Linter<'_> {
    /// Whether something was reported.
    fn examine<'c, T: Logic>(&mut self, part: &'c T, find: &dyn Fn(&'c T) -> Formula, letters: &Letters<'_>) -> bool {
        let parts = match part.view() {
            View::And(parts) | View::Or(parts) => parts,
            View::Not(inner) => return self.examine(inner, find, letters),
            View::Other => &[],
        };
        let mut reported = false;
        for inner in parts {
            reported |= self.examine(inner, find, letters);
        }
        if reported {
            return true;
        }
        let formula = find(part);
        let span = place(part.origin());
        if letters.impossible(&formula) {
            let message = match part.view() {
                View::And(_) | View::Or(_) => "these can never hold together",
                _ => "this can never hold",
            };
            self.report(Diagnostic::warning(codes::CONTRADICTION, span, message));
            return true;
        }
        if letters.impossible(&formula.not()) {
            self.report(
                Diagnostic::warning(codes::TAUTOLOGY, span, "this always holds, so it says nothing")
                    .with_help("remove it, or mend the part that was meant to be different"),
            );
            return true;
        }
        match part.view() {
            View::And(parts) => self.redundant(parts, find, letters, |part, rest| {
                Formula::All(rest.into_iter().chain([part.not()]).collect())
            }),
            View::Or(parts) => self.redundant(parts, find, letters, |part, rest| {
                Formula::All(rest.into_iter().map(Formula::not).chain([part]).collect())
            }),
            _ => false,
        }
    }

    /// Reports the last part that follows from the others. `contrary` is what would have to hold for it to matter.
    fn redundant<'c, T: Logic>(
        &mut self,
        parts: &'c [T],
        find: &dyn Fn(&'c T) -> Formula,
        letters: &Letters<'_>,
        contrary: impl Fn(Formula, Vec<Formula>) -> Formula,
    ) -> bool {
        let twice =
            |index: usize| parts.iter().enumerate().any(|(other, part)| other != index && *part == parts[index]);
        for index in (0..parts.len()).rev().filter(|_| parts.len() > 1) {
            // Equal parts are reported for being equal.
            if twice(index) {
                continue;
            }
            let rest = parts.iter().enumerate().filter(|&(other, _)| other != index).map(|(_, part)| find(part));
            if letters.impossible(&contrary(find(&parts[index]), rest.collect())) {
                let span = place(parts[index].origin());
                let fix = match index {
                    0 => edit::remove_before("remove it", span, place(parts[1].origin())),
                    _ => edit::remove_after("remove it", place(parts[index - 1].origin()), span),
                };
                let message = "the condition means the same without this part";
                self.report(Diagnostic::note(codes::REDUNDANT_OPERAND, span, message).with_fix(fix));
                return true;
            }
        }
        false
    }
}
