//! Lowering of preferences and their patterns.

use goalspec_core::ids::{PreferenceId, TypeId};
use goalspec_core::pattern::{Pattern, Phase};
use goalspec_core::program::{Preference, Quantifier};
use goalspec_syntax::Diagnostic;

use super::scope::VariableScope;
use super::{PreferenceSignature, Resolver, span_of};
use crate::ast::{self, Constraint, PatternBody, SequenceOperator, TypedVariables};
use crate::codes;

impl Resolver<'_> {
    pub(super) fn constraints(&mut self, constraints: &[Constraint]) {
        for constraint in constraints {
            match constraint {
                Constraint::Preference(preference) => self.preference(&[], preference, true),
                Constraint::Forall { variables, preferences, .. } => {
                    for (index, preference) in preferences.iter().enumerate() {
                        // The external variables belong to every preference; errors in them are reported once.
                        self.preference(variables, preference, index == 0);
                    }
                }
            }
        }
    }

    fn preference(&mut self, external: &[TypedVariables], preference: &ast::Preference, report_external: bool) {
        let mut names = VariableScope::default();
        let before = self.diagnostics.len();
        let external = self.declare(&mut names, external);
        if !report_external {
            self.diagnostics.truncate(before);
        }
        let types: Vec<Vec<TypeId>> = external.iter().map(|&id| names.scope.get(id).types.clone()).collect();
        let (quantifier, inner) = match &preference.quantifier {
            Some(quantifier) => (quantifier.kind, self.declare(&mut names, &quantifier.variables)),
            None => (Quantifier::Exists, Vec::new()),
        };
        let pattern = self.pattern(&mut names, &preference.body);
        let all: Vec<_> = external.iter().chain(&inner).copied().collect();
        let distinct = names.distinct_pairs(self.world, &[], &all);
        let known = PreferenceSignature {
            id: pattern.is_some().then(|| PreferenceId::from(self.preferences.len())),
            external: types.iter().all(|types| !types.is_empty()).then_some(types),
            measured: matches!(&preference.body, PatternBody::Then(phases, _)
                if phases.iter().any(|phase| matches!(phase, SequenceOperator::OnceMeasure(..)))),
            place: span_of(preference.name.origin),
        };
        if let Some(first) = self.known.get(&preference.name.text) {
            let message = format!("the preference `{}` is defined twice", preference.name.text);
            let diagnostic = Diagnostic::error(codes::DUPLICATE_PREFERENCE, known.place, message)
                .with_related(first.place, "first defined here");
            self.report(diagnostic);
        } else {
            self.known.insert(preference.name.text.clone(), known);
        }
        self.preferences.extend(pattern.map(|pattern| Preference {
            name: preference.name.text.clone(),
            scope: names.scope,
            external,
            inner,
            quantifier,
            distinct,
            pattern,
            origin: preference.origin,
        }));
    }

    fn pattern(&mut self, names: &mut VariableScope, body: &PatternBody) -> Option<Pattern> {
        match body {
            PatternBody::AtEnd(condition, _) => Some(Pattern::AtEnd(self.condition(names, condition)?)),
            PatternBody::Then(phases, _) => {
                let phases: Vec<_> = phases.iter().map(|phase| self.phase(names, phase)).collect();
                Some(Pattern::Sequence(phases.into_iter().collect::<Option<_>>()?))
            }
        }
    }

    fn phase(&mut self, names: &mut VariableScope, phase: &SequenceOperator) -> Option<Phase> {
        Some(match phase {
            SequenceOperator::Once(condition, origin) => {
                Phase::Once { condition: self.condition(names, condition)?, measure: None, origin: *origin }
            }
            SequenceOperator::OnceMeasure(condition, function, origin) => {
                let (condition, measure) = (self.condition(names, condition), self.function(names, function));
                Phase::Once { condition: condition?, measure: Some(measure?), origin: *origin }
            }
            SequenceOperator::Hold(condition, origin) => {
                let condition = self.condition(names, condition)?;
                Phase::Hold { condition, may_be_empty: self.dialect.empty_holds, origin: *origin }
            }
            SequenceOperator::HoldWhile(condition, events, origin) => {
                let condition = self.condition(names, condition);
                let events: Vec<_> = events.iter().map(|event| self.condition(names, event)).collect();
                Phase::HoldWhile {
                    condition: condition?,
                    events: events.into_iter().collect::<Option<_>>()?,
                    origin: *origin,
                }
            }
        })
    }
}
