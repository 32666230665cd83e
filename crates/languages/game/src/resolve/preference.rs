//! Lowering of preferences and their patterns.

use goalspec_core::ids::{PreferenceId, VarId};
use goalspec_core::pattern::{Pattern, Phase};
use goalspec_core::program::{Preference, Quantifier};
use goalspec_syntax::Diagnostic;

use super::scope::VariableScope;
use super::{PreferenceSignature, Resolver};
use crate::ast::{self, Constraint, PatternBody, SequenceOperator, TypedVariables};
use crate::codes;

impl Resolver<'_> {
    pub(super) fn constraints(&mut self, constraints: &mut [Constraint]) {
        for constraint in constraints {
            match constraint {
                Constraint::Preference(preference) => self.preference(&mut [], preference, true),
                Constraint::Forall { variables, preferences, .. } => {
                    for (index, preference) in preferences.iter_mut().enumerate() {
                        // The external variables belong to every preference; errors in them are reported once.
                        self.preference(variables, preference, index == 0);
                    }
                }
                Constraint::Error(_) => {}
            }
        }
    }

    fn preference(&mut self, external: &mut [TypedVariables], preference: &mut ast::Preference, report_external: bool) {
        let mut names = VariableScope::default();
        let before = self.diagnostics.len();
        let external = self.declare(&mut names, external);
        if !report_external {
            self.diagnostics.truncate(before);
        }
        let (quantifier, inner) = match &mut preference.quantifier {
            Some(quantifier) => (quantifier.kind, self.declare(&mut names, &mut quantifier.variables)),
            None => (Quantifier::Exists, Vec::new()),
        };
        let pattern = self.pattern(&mut names, &mut preference.body);
        let all: Vec<_> = external.iter().chain(&inner).copied().collect();
        let distinct = names.distinct_pairs(self.world, &[], &all);
        self.declare_preference(preference, &names, &external, pattern.is_some());
        self.preferences.extend(pattern.map(|pattern| Preference {
            name: preference.name.text.clone(),
            scope: names.scope,
            external,
            inner,
            quantifier,
            distinct,
            pattern,
            origin: preference.span.into(),
        }));
    }

    /// Makes a preference known to the scores. `is_lowered` tells whether it becomes the next preference of the lowered game.
    fn declare_preference(
        &mut self,
        preference: &mut ast::Preference,
        names: &VariableScope,
        external: &[VarId],
        is_lowered: bool,
    ) {
        let name = &mut preference.name;
        if name.is_missing() {
            return;
        }
        if let Some(first) = self.known.get(&name.text) {
            let message = format!("the preference `{}` is defined twice", name.text);
            let diagnostic = Diagnostic::error(codes::DUPLICATE_PREFERENCE, name.span(), message)
                .with_related(first.name_span, "first defined here");
            name.mark_erroneous();
            return self.report(diagnostic);
        }
        let variables = || external.iter().map(|&id| names.scope.get(id));
        let is_complete = variables().all(|variable| !variable.name.is_empty() && !variable.types.is_empty());
        let signature = PreferenceSignature {
            id: is_lowered.then(|| PreferenceId::from(self.preferences.len())),
            external: (is_complete && !(self.is_damaged || self.unparsed_names.has_externals))
                .then(|| variables().map(|variable| variable.types.clone()).collect()),
            may_be_measured: self.is_damaged || names.has_unknown_variables() || may_be_measured(&preference.body),
            name_span: name.span(),
        };
        self.known.insert(name.text.clone(), signature);
    }

    fn pattern(&mut self, names: &mut VariableScope, body: &mut PatternBody) -> Option<Pattern> {
        match body {
            PatternBody::AtEnd(condition, _) => Some(Pattern::AtEnd(self.condition(names, condition)?)),
            PatternBody::Then(operators, _) => {
                let phases: Vec<_> = operators.iter_mut().map(|operator| self.phase(names, operator)).collect();
                Some(Pattern::Sequence(phases.into_iter().collect::<Option<_>>()?))
            }
            PatternBody::Error(node) => {
                for part in self.parts(node) {
                    self.pattern(names, part);
                }
                None
            }
        }
    }

    fn phase(&mut self, names: &mut VariableScope, operator: &mut SequenceOperator) -> Option<Phase> {
        Some(match operator {
            SequenceOperator::Once(condition, span) => {
                Phase::Once { condition: self.condition(names, condition)?, measure: None, origin: (*span).into() }
            }
            SequenceOperator::OnceMeasure(condition, function, span) => {
                let (condition, measure) = (self.condition(names, condition), self.function(names, function));
                Phase::Once { condition: condition?, measure: Some(measure?), origin: (*span).into() }
            }
            SequenceOperator::Hold(condition, span) => {
                let condition = self.condition(names, condition)?;
                Phase::Hold { condition, may_be_empty: self.dialect.empty_holds, origin: (*span).into() }
            }
            SequenceOperator::HoldWhile(condition, events, _)
                if self.is_damaged && [&*condition].into_iter().chain(&*events).any(ast::Condition::is_erroneous) =>
            {
                return None;
            }
            SequenceOperator::HoldWhile(condition, events, span) => {
                let condition = self.condition(names, condition);
                let events = self.conditions(names, events);
                Phase::HoldWhile { condition: condition?, events: events?, origin: (*span).into() }
            }
            SequenceOperator::Error(node) => {
                self.conditions(names, self.parts(node));
                return None;
            }
        })
    }
}

/// Returns whether the pattern has a measure, or its operators are not all known.
fn may_be_measured(body: &PatternBody) -> bool {
    match body {
        PatternBody::AtEnd(..) => false,
        PatternBody::Then(operators, _) => operators
            .iter()
            .any(|operator| matches!(operator, SequenceOperator::OnceMeasure(..) | SequenceOperator::Error(_))),
        PatternBody::Error(_) => true,
    }
}
