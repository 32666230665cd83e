//! Lints for the shape of logical expressions: nested, doubled and single-operand operators.

use std::hash::Hash;

use goalspec_core::condition::Origin;
use goalspec_syntax::Diagnostic;

use super::same::first_equal;
use super::{Linter, codes, edit};
use crate::ast::{Condition, Setup, Terminal};
use crate::resolve::place;

/// The logical structure of an expression.
pub(super) enum View<'a, T> {
    And(&'a [T]),
    Or(&'a [T]),
    Not(&'a T),
    Other,
}

/// Logical expressions: conditions, statements of the setup, and terminal conditions.
pub(super) trait Logic: PartialEq + Hash + Sized {
    fn view(&self) -> View<'_, Self>;
    fn origin(&self) -> Origin;
}

macro_rules! logic {
    ($($type:ident),*) => {$(
        impl Logic for $type {
            fn view(&self) -> View<'_, Self> {
                match self {
                    Self::And(parts, _) => View::And(parts),
                    Self::Or(parts, _) => View::Or(parts),
                    Self::Not(part, _) => View::Not(part),
                    _ => View::Other,
                }
            }

            fn origin(&self) -> Origin {
                self.origin()
            }
        }
    )*};
}

logic!(Condition, Setup, Terminal);

impl Linter<'_> {
    /// Reports findings about the outermost operators of one expression.
    pub(super) fn shape<T: Logic>(&mut self, expression: &T) {
        match expression.view() {
            View::And(parts) => self.list("and", expression, parts, |part| matches!(part.view(), View::And(_))),
            View::Or(parts) => self.list("or", expression, parts, |part| matches!(part.view(), View::Or(_))),
            View::Not(part) => {
                if let View::Not(inner) = part.view() {
                    let span = place(expression.origin());
                    let fix = edit::unwrap("remove both `not`", span, place(inner.origin()), "(not (not".len());
                    self.report(
                        Diagnostic::note(codes::DOUBLE_NEGATION, span, "`not` directly inside `not`").with_fix(fix),
                    );
                }
            }
            View::Other => {}
        }
    }

    fn list<T: Logic>(&mut self, operator: &str, whole: &T, parts: &[T], same: impl Fn(&T) -> bool) {
        let head = operator.len() + 1;
        if let [only] = parts {
            self.single(operator, place(whole.origin()), place(only.origin()));
            return;
        }
        let firsts = first_equal(parts);
        for (index, part) in parts.iter().enumerate() {
            if same(part)
                && let View::And(inner) | View::Or(inner) = part.view()
                && let ([first, .., last], span) = (inner, place(part.origin()))
            {
                let inside = place(first.origin()).to(place(last.origin()));
                let fix = edit::unwrap("move the inner operands to the outer list", span, inside, head);
                let message = format!("`{operator}` directly inside `{operator}`");
                self.report(Diagnostic::note(codes::NESTED_LOGIC, span, message).with_fix(fix));
            }
            if firsts[index] != index {
                let first = &parts[firsts[index]];
                let span = place(part.origin());
                let before = place(parts[index - 1].origin());
                self.report(
                    Diagnostic::warning(codes::DUPLICATE_OPERAND, span, format!("duplicate operand of `{operator}`"))
                        .with_related(place(first.origin()), "first occurrence")
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
