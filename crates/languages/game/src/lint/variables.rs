//! Lints for unused variables and repeated arguments.

use goalspec_syntax::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Linter, codes, edit};
use crate::ast::{Application, Body, Condition, Name, Operand, Preference, SeqFunc, Setup, Variables};
use crate::resolve::place;

/// A syntax node that may mention variables.
pub(super) trait Mentions {
    /// Visits the free names of the node.
    fn mentioned<'a>(&'a self, names: &mut Mentioned<'a>);
}

/// The free names of a syntax node, collected in a single traversal.
#[derive(Default)]
pub(super) struct Mentioned<'a> {
    found: FxHashSet<&'a str>,
    /// For each name, the number of enclosing quantifiers within the node that declare it.
    declared: FxHashMap<&'a str, usize>,
}

impl<'a> Mentioned<'a> {
    fn name(&mut self, name: &'a str) {
        if self.declared.get(name).is_none_or(|count| *count == 0) {
            self.found.insert(name);
        }
    }

    fn within(&mut self, groups: &'a [Variables], body: &'a (impl Mentions + ?Sized)) {
        for name in Variables::all(groups) {
            *self.declared.entry(&name.text).or_default() += 1;
        }
        body.mentioned(self);
        for name in Variables::all(groups) {
            *self.declared.entry(&name.text).or_default() -= 1;
        }
    }
}

impl<T: Mentions> Mentions for [T] {
    fn mentioned<'a>(&'a self, names: &mut Mentioned<'a>) {
        for part in self {
            part.mentioned(names);
        }
    }
}

impl Mentions for Application {
    fn mentioned<'a>(&'a self, names: &mut Mentioned<'a>) {
        self.arguments.iter().for_each(|argument| names.name(&argument.text));
    }
}

impl Mentions for Operand {
    fn mentioned<'a>(&'a self, names: &mut Mentioned<'a>) {
        if let Self::Function(application) = self {
            application.mentioned(names);
        }
    }
}

impl Mentions for Condition {
    fn mentioned<'a>(&'a self, names: &mut Mentioned<'a>) {
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

impl Mentions for SeqFunc {
    fn mentioned<'a>(&'a self, names: &mut Mentioned<'a>) {
        self.condition().mentioned(names);
        match self {
            Self::Once(..) | Self::Hold(..) => {}
            Self::OnceMeasure(_, function, _) => function.mentioned(names),
            Self::HoldWhile(_, events, _) => events.mentioned(names),
        }
    }
}

impl Mentions for Body {
    fn mentioned<'a>(&'a self, names: &mut Mentioned<'a>) {
        match self {
            Self::Then(operators, _) => operators.mentioned(names),
            Self::AtEnd(condition, _) => condition.mentioned(names),
        }
    }
}

impl Mentions for Preference {
    fn mentioned<'a>(&'a self, names: &mut Mentioned<'a>) {
        let groups = self.quantifier.as_ref().map_or(&[][..], |quantifier| &quantifier.variables);
        names.within(groups, &self.body);
    }
}

impl Mentions for Setup {
    fn mentioned<'a>(&'a self, names: &mut Mentioned<'a>) {
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
    pub(super) fn unused(&mut self, groups: &[Variables], body: &(impl Mentions + ?Sized), effect: &str) {
        if groups.is_empty() {
            return;
        }
        let mut names = Mentioned::default();
        body.mentioned(&mut names);
        for group in groups {
            for (index, name) in group.names.iter().enumerate() {
                if !names.found.contains(&*name.text) {
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
                Diagnostic::warning(codes::REPEATED_ARGUMENT, place(argument.origin), message)
                    .with_related(place(first.origin), "first passed here")
                    .with_help("use another variable for the second object"),
            );
        }
    }
}
