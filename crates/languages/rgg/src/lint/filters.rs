//! Lints of tests in any position.

use goalspec_resource::abstraction::AbstractContext;
use goalspec_resource::field::Field;
use goalspec_resource::filter::{Filter, ValueFilter};
use goalspec_syntax::{Diagnostic, Span};

use super::Linter;
use crate::ast::{self, FilterKind, ValueTestKind};
use crate::codes;

/// The part of a test that cannot hold, with the reason if it can be stated briefly.
pub(super) struct UnsatisfiablePart {
    /// The span of the part.
    pub(super) span: Span,
    /// The possible values of the field.
    pub(super) why: Option<String>,
}

/// Returns the innermost part of a test that explains why the test never holds.
pub(super) fn unsatisfiable_part(ast: &ast::Filter, filter: &Filter, scope: &AbstractContext<'_>) -> UnsatisfiablePart {
    match (&ast.kind, filter) {
        (FilterKind::And(parts), Filter::And(filters)) => {
            let mut pairs = parts.iter().zip(filters);
            match pairs.find(|(_, filter)| !scope.test(filter).can_hold) {
                Some((part, filter)) => unsatisfiable_part(part, filter, scope),
                None => UnsatisfiablePart { span: ast.span, why: None },
            }
        }
        (FilterKind::Field(name, _), Filter::Field(field, _)) => {
            UnsatisfiablePart { span: ast.span, why: Some(format!("`{}` {}", name.text, scope.field(field))) }
        }
        _ => UnsatisfiablePart { span: ast.span, why: None },
    }
}

impl Linter<'_> {
    /// Reports alternatives that never hold within a test that can hold.
    pub(super) fn alternatives(&mut self, ast: &ast::Filter, filter: &Filter, scope: &AbstractContext<'_>) {
        let (parts, filters, choice) = match (&ast.kind, filter) {
            (FilterKind::And(parts), Filter::And(filters)) => (parts, filters, false),
            (FilterKind::Or(parts), Filter::Or(filters)) => (parts, filters, true),
            _ => return,
        };
        for (part, filter) in parts.iter().zip(filters) {
            if choice && !scope.test(filter).can_hold {
                self.never_holds(part, filter, scope, "this alternative never holds");
            } else {
                self.alternatives(part, filter, scope);
            }
        }
    }

    /// Reports a test that never holds.
    pub(super) fn never_holds(
        &mut self,
        ast: &ast::Filter,
        filter: &Filter,
        scope: &AbstractContext<'_>,
        prefix: &str,
    ) {
        let UnsatisfiablePart { span, why: reason } = unsatisfiable_part(ast, filter, scope);
        let message = reason.map_or_else(|| prefix.to_owned(), |reason| format!("{prefix}: {reason}"));
        self.found.push(Diagnostic::warning(codes::NEVER_HOLDS, span, message));
    }

    /// Reports substring tests of observers for the name of a team that is contained in the name of another team.
    pub(super) fn labels(&mut self, ast: &ast::Filter, filter: &Filter) {
        match (&ast.kind, filter) {
            (FilterKind::And(parts), Filter::And(filters)) | (FilterKind::Or(parts), Filter::Or(filters)) => {
                parts.iter().zip(filters).for_each(|(part, filter)| self.labels(part, filter));
            }
            (FilterKind::Not(part), Filter::Not(filter)) => self.labels(part, filter),
            (FilterKind::Field(_, test), Filter::Field(field, _)) => {
                if matches!(field, Field::Observers(_) | Field::TestedNodeObservers | Field::EndpointObservers(_)) {
                    self.label(test);
                }
            }
            _ => {}
        }
    }

    fn label(&mut self, test: &ast::ValueTest) {
        match &test.kind {
            ValueTestKind::Value(ValueFilter::Text(_, part)) => {
                let teams = &self.game.teams;
                let is_team = teams.iter().any(|team| team.name == *part);
                let longer = teams.iter().find(|team| team.name != *part && team.name.contains(&**part));
                if let Some(longer) = longer.filter(|_| is_team) {
                    let message = format!("`{part}` is also part of the label `{}`", longer.name);
                    self.found.push(Diagnostic::warning(codes::SUBSTRING_LABEL, test.span, message));
                }
            }
            ValueTestKind::Value(_) => {}
            ValueTestKind::Not(inner) => self.label(inner),
            ValueTestKind::And(parts) | ValueTestKind::Or(parts) => parts.iter().for_each(|part| self.label(part)),
        }
    }
}
