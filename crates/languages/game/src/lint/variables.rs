//! Variables that are not used, and arguments that are used twice.

use goalspec_syntax::Diagnostic;

use super::{Linter, codes, edit};
use crate::ast::{Application, Body, Condition, Name, Operand, Preference, SeqFunc, Setup, Variables};
use crate::resolve::place;

/// What may mention variables.
pub(super) trait Mentions {
    /// Whether the variable is mentioned, inner variables of the same name aside.
    fn mentions(&self, variable: &str) -> bool;
}

fn declares(groups: &[Variables], variable: &str) -> bool {
    Variables::all(groups).any(|name| *name.text == *variable)
}

impl<T: Mentions> Mentions for [T] {
    fn mentions(&self, variable: &str) -> bool {
        self.iter().any(|part| part.mentions(variable))
    }
}

impl Mentions for Application {
    fn mentions(&self, variable: &str) -> bool {
        self.arguments.iter().any(|argument| *argument.text == *variable)
    }
}

impl Mentions for Operand {
    fn mentions(&self, variable: &str) -> bool {
        match self {
            Self::Number(..) => false,
            Self::Function(application) => application.mentions(variable),
        }
    }
}

impl Mentions for Condition {
    fn mentions(&self, variable: &str) -> bool {
        match self {
            Self::And(parts, _) | Self::Or(parts, _) => parts.mentions(variable),
            Self::Not(part, _) => part.mentions(variable),
            Self::Exists(groups, body, _) | Self::Forall(groups, body, _) => {
                !declares(groups, variable) && body.mentions(variable)
            }
            Self::Compare(_, sides, _) => sides.mentions(variable),
            Self::AllEqual(operands, _) => operands.mentions(variable),
            Self::Predicate(application) => application.mentions(variable),
        }
    }
}

impl Mentions for SeqFunc {
    fn mentions(&self, variable: &str) -> bool {
        self.condition().mentions(variable)
            || match self {
                Self::Once(..) | Self::Hold(..) => false,
                Self::OnceMeasure(_, function, _) => function.mentions(variable),
                Self::HoldWhile(_, events, _) => events.mentions(variable),
            }
    }
}

impl Mentions for Body {
    fn mentions(&self, variable: &str) -> bool {
        match self {
            Self::Then(operators, _) => operators.mentions(variable),
            Self::AtEnd(condition, _) => condition.mentions(variable),
        }
    }
}

impl Mentions for Preference {
    fn mentions(&self, variable: &str) -> bool {
        let hidden = self.quantifier.as_ref().is_some_and(|quantifier| declares(&quantifier.variables, variable));
        !hidden && self.body.mentions(variable)
    }
}

impl Mentions for Setup {
    fn mentions(&self, variable: &str) -> bool {
        match self {
            Self::And(parts, _) | Self::Or(parts, _) => parts.mentions(variable),
            Self::Not(part, _) => part.mentions(variable),
            Self::Exists(groups, body, _) | Self::Forall(groups, body, _) => {
                !declares(groups, variable) && body.mentions(variable)
            }
            Self::Conserved(condition, _) | Self::Optional(condition, _) => condition.mentions(variable),
        }
    }
}

impl Linter<'_> {
    /// Reports the variables that the body does not mention.
    pub(super) fn unused(&mut self, groups: &[Variables], body: &(impl Mentions + ?Sized), effect: &str) {
        for group in groups {
            for (index, name) in group.names.iter().enumerate() {
                if !body.mentions(&name.text) {
                    self.unused_variable(group, index, name, effect);
                }
            }
        }
    }

    fn unused_variable(&mut self, group: &Variables, index: usize, name: &Name, effect: &str) {
        let span = place(name.origin);
        let title = format!("remove `{}`", name.text);
        let fix = match (index.checked_sub(1), group.names.get(index + 1)) {
            (Some(before), _) => Some(edit::remove_after(title, place(group.names[before].origin), span)),
            (None, Some(after)) => Some(edit::remove_before(title, span, place(after.origin))),
            (None, None) => None,
        };
        let mut diagnostic =
            Diagnostic::warning(codes::UNUSED_VARIABLE, span, format!("`{}` is never used", name.text))
                .with_help(effect);
        diagnostic.fixes.extend(fix);
        self.report(diagnostic);
    }

    /// Reports arguments that stand twice.
    pub(super) fn repeated(&mut self, application: &Application) {
        let arguments = &application.arguments;
        for (index, argument) in arguments.iter().enumerate() {
            let Some(first) = arguments[..index].iter().find(|before| before.text == argument.text) else { continue };
            if self.is_symbol(argument) {
                continue;
            }
            let message =
                format!("`{}` stands twice among the arguments of `{}`", argument.text, application.name.text);
            self.report(
                Diagnostic::warning(codes::REPEATED_ARGUMENT, place(argument.origin), message)
                    .with_related(place(first.origin), "here first")
                    .with_help("a second thing needs a variable of its own"),
            );
        }
    }
}
