//! Lints for the shape of logical expressions: nested, doubled and single-operand operators.

use std::hash::Hash;

use goalspec_syntax::{Diagnostic, Span};

use super::duplicates::first_equal;
use super::{Linter, edit};
use crate::ast::{Condition, SetupStatement, Terminal};
use crate::codes::lint as codes;

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
    /// Returns whether the expression could not be parsed.
    fn is_unparsed(&self) -> bool;
    /// Returns whether an error was reported about the expression as a whole.
    fn is_erroneous(&self) -> bool;
    fn span(&self) -> Span;
}

macro_rules! logic {
    ($($type:ident: $is_erroneous:ident),*) => {$(
        impl LogicalExpression for $type {
            fn view(&self) -> Connective<'_, Self> {
                match self {
                    Self::And(parts, _) => Connective::And(parts),
                    Self::Or(parts, _) => Connective::Or(parts),
                    Self::Not(part, _) => Connective::Not(part),
                    _ => Connective::Other,
                }
            }

            fn is_unparsed(&self) -> bool {
                matches!(self, Self::Error(_))
            }

            fn is_erroneous(&self) -> bool {
                Self::$is_erroneous(self)
            }

            fn span(&self) -> Span {
                self.span()
            }
        }
    )*};
}

logic!(Condition: is_erroneous, SetupStatement: is_unparsed, Terminal: is_unparsed);

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
                if let Connective::Not(inner) = part.view()
                    && !inner.is_unparsed()
                {
                    let span = expression.span();
                    let fix = edit::unwrap("remove both `not`", span, inner.span(), "(not (not".len());
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
            if only.is_unparsed() {
                return;
            }
            self.single(operator, whole.span(), only.span());
            return;
        }
        let firsts = first_equal(parts);
        for (index, part) in parts.iter().enumerate() {
            if equal(part)
                && let Connective::And(inner) | Connective::Or(inner) = part.view()
                && let ([first, .., last], span) = (inner, part.span())
                && !inner.iter().any(T::is_unparsed)
            {
                let inside = first.span().to(last.span());
                let fix = edit::unwrap("move the inner operands to the outer list", span, inside, head);
                let message = format!("`{operator}` directly inside `{operator}`");
                self.report(Diagnostic::note(codes::NESTED_LOGIC, span, message).with_fix(fix));
            }
            if firsts[index] != index && !part.is_erroneous() {
                let first = &parts[firsts[index]];
                let span = part.span();
                let before = parts[index - 1].span();
                self.report(
                    Diagnostic::warning(codes::DUPLICATE_OPERAND, span, format!("duplicate operand of `{operator}`"))
                        .with_related(first.span(), "first occurrence")
                        .with_help("remove one of the two, or name another object in it")
                        .with_fix(edit::remove_after("remove the second one", before, span)),
                );
            }
        }
    }

    /// Reports an operator with a single operand.
    pub(super) fn single(&mut self, operator: &str, whole: Span, part: Span) {
        let message = format!("`{operator}` with a single operand has no effect");
        let fix = edit::unwrap(format!("remove the `{operator}`"), whole, part, operator.len() + 1);
        self.report(
            Diagnostic::note(codes::SINGLE_OPERAND, whole, message)
                .with_help("remove it, or add the missing operand")
                .with_fix(fix),
        );
    }
}
