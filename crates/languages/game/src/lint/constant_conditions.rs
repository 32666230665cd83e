//! Lints for contradictions, tautologies, and operands without effect.

use goalspec_syntax::{Diagnostic, Span};

use super::duplicates::first_equal;
use super::formula::{Formula, PropVariables};
use super::logic::{Connective, LogicalExpression};
use super::{Linter, edit};
use crate::ast::visit::{self, Visitor};
use crate::ast::{Application, Condition, Terminal};
use crate::codes::lint as codes;

/// Maximum number of reasoning steps for one condition.
const MAX_CONDITION_WORK: usize = 1 << 20;
/// Maximum number of reasoning steps for all conditions of a game.
pub(super) const MAX_REASONING_WORK: usize = 1 << 24;

impl Linter<'_> {
    /// Reports contradictions and tautologies in a condition and in the quantifiers inside it. Of nested ones, the innermost is
    /// reported.
    pub(super) fn check_constant(&mut self, condition: &Condition) {
        if let Some(variables) = self.prop_variables(PropVariables::default(), &[condition]) {
            self.examine(condition, &|part| variables.formula(part), &variables);
            self.charge_reasoning(&variables, condition.span());
        }
        QuantifiedConditions(self).condition(condition);
    }

    /// Reports contradictions and tautologies in a terminal condition, where scores are unknown numbers.
    pub(super) fn terminal_truth<'c>(&mut self, terminal: &'c Terminal, variables: &PropVariables<'c>) {
        self.examine(terminal, &|part| variables.terminal_formula(part), variables);
    }

    /// Collects the propositional variables of conditions in one scope, in addition to those that are known; returns `None` if there are
    /// too many, an error in the conditions, or no step left.
    pub(super) fn prop_variables<'c>(
        &self,
        known: PropVariables<'c>,
        conditions: &[&'c Condition],
    ) -> Option<PropVariables<'c>> {
        if self.reasoning_budget == 0 {
            return None;
        }
        let variables =
            conditions.iter().try_fold(known, |variables, condition| variables.with_condition(condition))?;
        variables.sampled(self.reasoning_budget.min(MAX_CONDITION_WORK), |application| self.lower_bound(application))
    }

    /// Subtracts the steps spent on a condition from the budget of the game, and reports the first condition that exceeds its budget.
    pub(super) fn charge_reasoning(&mut self, variables: &PropVariables<'_>, span: Span) {
        let is_exhausted = variables.is_exhausted();
        self.reasoning_budget -= variables.work();
        if is_exhausted && !std::mem::replace(&mut self.limit_reported, true) {
            let message = "this condition is too large for a complete check for contradictions";
            let help = format!(
                "the limits are {MAX_CONDITION_WORK} steps for a condition and {MAX_REASONING_WORK} for a game; other conditions may be \
                 skipped as well"
            );
            self.report(Diagnostic::note(codes::ANALYSIS_LIMIT, span, message).with_help(help));
        }
    }

    /// Returns a lower bound of the function.
    fn lower_bound(&self, application: &Application) -> f64 {
        let function = self.world.function_named(&application.name.text);
        if function.is_some_and(|id| self.world.is_non_negative(id)) { 0.0 } else { f64::NEG_INFINITY }
    }
}

/// Checks the conditions of quantifiers.
struct QuantifiedConditions<'l, 'a>(&'l mut Linter<'a>);

impl<'c> Visitor<'c> for QuantifiedConditions<'_, '_> {
    fn condition(&mut self, condition: &'c Condition) {
        match condition {
            Condition::Exists(_, body, _) | Condition::Forall(_, body, _) => self.0.check_constant(body),
            Condition::Error(_) => {}
            _ => visit::walk_condition(self, condition),
        }
    }
}

impl Linter<'_> {
    /// Checks a node and its operands. Returns whether something was reported.
    fn examine<'c, T: LogicalExpression>(
        &mut self,
        part: &'c T,
        find: &dyn Fn(&'c T) -> Formula,
        variables: &PropVariables<'_>,
    ) -> bool {
        let parts = match part.view() {
            Connective::And(parts) | Connective::Or(parts) => parts,
            Connective::Not(inner) => return self.examine(inner, find, variables),
            Connective::Other => &[],
        };
        let mut reported = false;
        for inner in parts {
            reported |= self.examine(inner, find, variables);
        }
        if reported {
            return true;
        }
        let formula = find(part);
        let span = part.span();
        if variables.is_unsatisfiable(&formula) {
            let message = match part.view() {
                Connective::And(_) | Connective::Or(_) => "these conditions cannot be true together",
                _ => "this condition is never true",
            };
            self.report(Diagnostic::warning(codes::CONTRADICTION, span, message));
            return true;
        }
        if variables.is_unsatisfiable(&formula.not()) {
            self.report(
                Diagnostic::warning(codes::TAUTOLOGY, span, "this condition is always true")
                    .with_help("remove it, or correct the part that was meant to be different"),
            );
            return true;
        }
        match part.view() {
            Connective::And(parts) => self.redundant(parts, find, variables, |part, rest| {
                Formula::And(rest.into_iter().chain([part.not()]).collect())
            }),
            Connective::Or(parts) => self.redundant(parts, find, variables, |part, rest| {
                Formula::And(rest.into_iter().map(Formula::not).chain([part]).collect())
            }),
            _ => false,
        }
    }

    /// Reports the last operand that the others imply. `counterexample` is the condition under which the operand would have an effect.
    fn redundant<'c, T: LogicalExpression>(
        &mut self,
        parts: &'c [T],
        find: &dyn Fn(&'c T) -> Formula,
        variables: &PropVariables<'_>,
        counterexample: impl Fn(Formula, Vec<Formula>) -> Formula,
    ) -> bool {
        let firsts = first_equal(parts);
        let mut duplicates = vec![0_usize; parts.len()];
        for &first in &firsts {
            duplicates[first] += 1;
        }
        for index in (0..parts.len()).rev().filter(|_| parts.len() > 1) {
            // Duplicate operands have a lint of their own.
            if duplicates[firsts[index]] > 1 || parts[index].is_erroneous() {
                continue;
            }
            if variables.is_exhausted() {
                return false;
            }
            let rest = parts.iter().enumerate().filter(|&(other, _)| other != index).map(|(_, part)| find(part));
            if variables.is_unsatisfiable(&counterexample(find(&parts[index]), rest.collect())) {
                let span = parts[index].span();
                let fix = match index {
                    0 => edit::remove_before("remove it", span, parts[1].span()),
                    _ => edit::remove_after("remove it", parts[index - 1].span(), span),
                };
                let message = "redundant operand: the condition means the same without it";
                self.report(Diagnostic::note(codes::REDUNDANT_OPERAND, span, message).with_fix(fix));
                return true;
            }
        }
        false
    }
}
