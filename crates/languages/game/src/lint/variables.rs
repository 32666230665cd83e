//! Lints for unused variables and repeated arguments.

use goalspec_syntax::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Linter, codes, edit};
use crate::ast::{
    Application, Condition, Name, Operand, PatternBody, Preference, SequenceOperator, SetupStatement, TypedVariables,
};
use crate::resolve::span_of;

/// A syntax node that may mention variables.
pub(super) trait FreeVariables {
    /// Visits the free names of the node.
    fn mentioned<'a>(&'a self, names: &mut FreeNames<'a>);
}

/// The free names of a syntax node, collected in a single traversal.
#[derive(Default)]
pub(super) struct FreeNames<'a> {
    found: FxHashSet<&'a str>,
    /// For each name, the number of enclosing quantifiers within the node that declare it.
    declared: FxHashMap<&'a str, usize>,
}

impl<'a> FreeNames<'a> {
    fn name(&mut self, name: &'a str) {
        if self.declared.get(name).is_none_or(|count| *count == 0) {
            self.found.insert(name);
        }
    }

    fn within(&mut self, groups: &'a [TypedVariables], body: &'a (impl FreeVariables + ?Sized)) {
        for name in TypedVariables::names_of(groups) {
            *self.declared.entry(&name.text).or_default() += 1;
        }
        body.mentioned(self);
        for name in TypedVariables::names_of(groups) {
            *self.declared.entry(&name.text).or_default() -= 1;
        }
    }
}

impl<T: FreeVariables> FreeVariables for [T] {
    fn mentioned<'a>(&'a self, names: &mut FreeNames<'a>) {
        for part in self {
            part.mentioned(names);
        }
    }
}

impl FreeVariables for Application {
    fn mentioned<'a>(&'a self, names: &mut FreeNames<'a>) {
        self.arguments.iter().for_each(|argument| names.name(&argument.text));
    }
}

impl FreeVariables for Operand {
    fn mentioned<'a>(&'a self, names: &mut FreeNames<'a>) {
        if let Self::Function(application) = self {
            application.mentioned(names);
        }
    }
}

impl FreeVariables for Condition {
    fn mentioned<'a>(&'a self, names: &mut FreeNames<'a>) {
        match self {
            Self::And(parts, _) | Self::Or(parts, _) => parts.mentioned(names),
            Self::Not(part, _) => part.mentioned(names),
            Self::Exists(groups, body, _) | Self::Forall(groups, body, _) => names.within(groups, &**body),
            Self::Compare(_, sides, _) => sides.mentioned(names),
            Self::AllEqual(operands, _) => operands.mentioned(names),
            Self::Predicate(application) => application.mentioned(names),
        }
    }
}

impl FreeVariables for SequenceOperator {
    fn mentioned<'a>(&'a self, names: &mut FreeNames<'a>) {
        self.condition().mentioned(names);
        match self {
            Self::Once(..) | Self::Hold(..) => {}
            Self::OnceMeasure(_, function, _) => function.mentioned(names),
            Self::HoldWhile(_, events, _) => events.mentioned(names),
        }
    }
}

impl FreeVariables for PatternBody {
    fn mentioned<'a>(&'a self, names: &mut FreeNames<'a>) {
        match self {
            Self::Then(operators, _) => operators.mentioned(names),
            Self::AtEnd(condition, _) => condition.mentioned(names),
        }
    }
}

impl FreeVariables for Preference {
    fn mentioned<'a>(&'a self, names: &mut FreeNames<'a>) {
        let groups = self.quantifier.as_ref().map_or(&[][..], |quantifier| &quantifier.variables);
        names.within(groups, &self.body);
    }
}

impl FreeVariables for SetupStatement {
    fn mentioned<'a>(&'a self, names: &mut FreeNames<'a>) {
        match self {
            Self::And(parts, _) | Self::Or(parts, _) => parts.mentioned(names),
            Self::Not(part, _) => part.mentioned(names),
            Self::Exists(groups, body, _) | Self::Forall(groups, body, _) => names.within(groups, &**body),
            Self::Conserved(condition, _) | Self::Optional(condition, _) => condition.mentioned(names),
        }
    }
}

impl Linter<'_> {
    /// Reports the variables that the body does not mention.
    pub(super) fn unused(&mut self, groups: &[TypedVariables], body: &(impl FreeVariables + ?Sized), effect: &str) {
        if groups.is_empty() {
            return;
        }
        let mut names = FreeNames::default();
        body.mentioned(&mut names);
        for group in groups {
            for (index, name) in group.names.iter().enumerate() {
                if !names.found.contains(&*name.text) {
                    self.unused_variable(group, index, name, effect);
                }
            }
        }
    }

    fn unused_variable(&mut self, group: &TypedVariables, index: usize, name: &Name, effect: &str) {
        let span = span_of(name.origin);
        let title = format!("remove `{}`", name.text);
        let fix = match (index.checked_sub(1), group.names.get(index + 1)) {
            (Some(before), _) => Some(edit::remove_after(title, span_of(group.names[before].origin), span)),
            (None, Some(after)) => Some(edit::remove_before(title, span, span_of(after.origin))),
            (None, None) => None,
        };
        let mut diagnostic =
            Diagnostic::warning(codes::UNUSED_VARIABLE, span, format!("unused variable `{}`", name.text))
                .with_help(effect);
        diagnostic.fixes.extend(fix);
        self.report(diagnostic);
    }

    /// Reports repeated arguments.
    pub(super) fn repeated(&mut self, application: &Application) {
        let arguments = &application.arguments;
        let mut first_of: FxHashMap<&str, &Name> = FxHashMap::default();
        for argument in arguments {
            let first = *first_of.entry(&argument.text).or_insert(argument);
            if std::ptr::eq(first, argument) {
                continue;
            }
            if self.is_symbol(argument) {
                continue;
            }
            let message = format!("`{}` is passed twice to `{}`", argument.text, application.name.text);
            self.report(
                Diagnostic::warning(codes::REPEATED_ARGUMENT, span_of(argument.origin), message)
                    .with_related(span_of(first.origin), "first passed here")
                    .with_help("use another variable for the second object"),
            );
        }
    }
}
