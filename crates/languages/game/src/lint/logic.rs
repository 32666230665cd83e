//! Lints for the shape of logical expressions: nested, doubled and single-operand operators.

use std::hash::Hash;

use goalspec_core::condition::Origin;
use goalspec_syntax::Diagnostic;

use super::duplicates::first_equal;
use super::{Linter, codes, edit};
use crate::ast::{Condition, SetupStatement, Terminal};
use crate::resolve::span_of;

/// The logical structure of an expression.
pub(super) enum Connective<'a, T> {
    And(&'a [T]),
    Or(&'a [T]),
    Not(&'a T),
    Other,
}

/// Logical expressions: conditions, statements of the setup, and terminal conditions.
pub(super) trait LogicalExpression: PartialEq + Hash + Sized {
    fn view(&self) -> Connective<'_, Self>;
    fn origin(&self) -> Origin;
}

macro_rules! logic {
    ($($type:ident),*) => {$(
        impl LogicalExpression for $type {
            fn view(&self) -> Connective<'_, Self> {
                match self {
                    Self::And(parts, _) => Connective::And(parts),
                    Self::Or(parts, _) => Connective::Or(parts),
                    Self::Not(part, _) => Connective::Not(part),
                    _ => Connective::Other,
                }
            }

            fn origin(&self) -> Origin {
                self.origin()
            }
        }
    )*};
}

logic!(Condition, SetupStatement, Terminal);

impl Linter<'_> {
    /// Reports findings about the outermost operators of one expression.
    pub(super) fn check_connectives<T: LogicalExpression>(&mut self, expression: &T) {
        match expression.view() {
            Connective::And(parts) => {
                self.list("and", expression, parts, |part| matches!(part.view(), Connective::And(_)));
            }
            Connective::Or(parts) => {
                self.list("or", expression, parts, |part| matches!(part.view(), Connective::Or(_)));
            }
            Connective::Not(part) => {
                if let Connective::Not(inner) = part.view() {
                    let span = span_of(expression.origin());
                    let fix = edit::unwrap("remove both `not`", span, span_of(inner.origin()), "(not (not".len());
                    self.report(
                        Diagnostic::note(codes::DOUBLE_NEGATION, span, "`not` directly inside `not`").with_fix(fix),
                    );
                }
            }
            Connective::Other => {}
        }
    }

    fn list<T: LogicalExpression>(&mut self, operator: &str, whole: &T, parts: &[T], equal: impl Fn(&T) -> bool) {
        let head = operator.len() + 1;
        if let [only] = parts {
            self.single(operator, span_of(whole.origin()), span_of(only.origin()));
            return;
        }
        let firsts = first_equal(parts);
        for (index, part) in parts.iter().enumerate() {
            if equal(part)
                && let Connective::And(inner) | Connective::Or(inner) = part.view()
                && let ([first, .., last], span) = (inner, span_of(part.origin()))
            {
                let inside = span_of(first.origin()).to(span_of(last.origin()));
                let fix = edit::unwrap("move the inner operands to the outer list", span, inside, head);
                let message = format!("`{operator}` directly inside `{operator}`");
                self.report(Diagnostic::note(codes::NESTED_LOGIC, span, message).with_fix(fix));
            }
            if firsts[index] != index {
                let first = &parts[firsts[index]];
                let span = span_of(part.origin());
                let before = span_of(parts[index - 1].origin());
                self.report(
                    Diagnostic::warning(codes::DUPLICATE_OPERAND, span, format!("duplicate operand of `{operator}`"))
                        .with_related(span_of(first.origin()), "first occurrence")
                        .with_help("remove one of the two, or name another object in it")
                        .with_fix(edit::remove_after("remove the second one", before, span)),
                );
            }
        }
    }

    /// Reports an operator with a single operand.
    pub(super) fn single(&mut self, operator: &str, whole: goalspec_syntax::Span, part: goalspec_syntax::Span) {
        let message = format!("`{operator}` with a single operand has no effect");
        let fix = edit::unwrap(format!("remove the `{operator}`"), whole, part, operator.len() + 1);
        self.report(
            Diagnostic::note(codes::SINGLE_OPERAND, whole, message)
                .with_help("remove it, or add the missing operand")
                .with_fix(fix),
        );
    }
}
