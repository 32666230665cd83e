//! Lowering of preferences and their patterns.

use goalspec_core::ids::{PreferenceId, TypeId};
use goalspec_core::pattern::{Pattern, Phase};
use goalspec_core::program::{Preference, Quantifier};
use goalspec_syntax::Diagnostic;

use super::scope::Names;
use super::{Known, Resolver, place};
use crate::ast::{self, Body, Constraint, SeqFunc, Variables};
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

    fn preference(&mut self, external: &[Variables], preference: &ast::Preference, report_external: bool) {
        let mut names = Names::default();
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
        let distinct = names.apart(self.world, &[], &all);
        let known = Known {
            id: pattern.is_some().then(|| PreferenceId::from(self.preferences.len())),
            external: types.iter().all(|types| !types.is_empty()).then_some(types),
            measured: matches!(&preference.body, Body::Then(phases, _)
                if phases.iter().any(|phase| matches!(phase, SeqFunc::OnceMeasure(..)))),
            place: place(preference.name.origin),
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

    fn pattern(&mut self, names: &mut Names, body: &Body) -> Option<Pattern> {
        match body {
            Body::AtEnd(condition, _) => Some(Pattern::AtEnd(self.condition(names, condition)?)),
            Body::Then(phases, _) => {
                let phases: Vec<_> = phases.iter().map(|phase| self.phase(names, phase)).collect();
                Some(Pattern::Sequence(phases.into_iter().collect::<Option<_>>()?))
            }
        }
    }

    fn phase(&mut self, names: &mut Names, phase: &SeqFunc) -> Option<Phase> {
        Some(match phase {
            SeqFunc::Once(condition, origin) => {
                Phase::Once { condition: self.condition(names, condition)?, measure: None, origin: *origin }
            }
            SeqFunc::OnceMeasure(condition, function, origin) => {
                let (condition, measure) = (self.condition(names, condition), self.function(names, function));
                Phase::Once { condition: condition?, measure: Some(measure?), origin: *origin }
            }
            SeqFunc::Hold(condition, origin) => {
                let condition = self.condition(names, condition)?;
                Phase::Hold { condition, may_be_empty: self.dialect.empty_holds, origin: *origin }
            }
            SeqFunc::HoldWhile(condition, events, origin) => {
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
