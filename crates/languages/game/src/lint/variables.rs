//! Lints for unused variables and repeated arguments.

use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Linter, edit};
use crate::ast::visit::{Node, Visitor};
use crate::ast::{Application, Name, TypedVariables};
use crate::codes::lint as codes;

/// The free names of a syntax node, collected in a single traversal.
#[derive(Default)]
pub(super) struct FreeNames<'a> {
    found: FxHashSet<&'a str>,
    /// For each name, the number of enclosing quantifiers within the node that declare it.
    declared: FxHashMap<&'a str, usize>,
    /// Whether a part of the node could not be parsed, so that further names may be free.
    is_partial: bool,
}

impl<'a> FreeNames<'a> {
    fn name(&mut self, name: &'a str) {
        if self.declared.get(name).is_none_or(|count| *count == 0) {
            self.found.insert(name);
        }
    }
}

impl<'a> Visitor<'a> for FreeNames<'a> {
    fn application(&mut self, application: &'a Application) {
        application.arguments.iter().for_each(|argument| self.name(&argument.text));
    }

    fn error(&mut self, _: Span) {
        self.is_partial = true;
    }

    fn enter(&mut self, variables: &'a [TypedVariables]) {
        for name in TypedVariables::names_of(variables) {
            *self.declared.entry(&name.text).or_default() += 1;
        }
    }

    fn leave(&mut self, variables: &'a [TypedVariables]) {
        for name in TypedVariables::names_of(variables) {
            *self.declared.entry(&name.text).or_default() -= 1;
        }
    }
}

impl Linter<'_> {
    /// Reports the variables that the body does not mention.
    pub(super) fn unused(&mut self, groups: &[TypedVariables], body: &(impl Node + ?Sized), effect: &str) {
        if groups.is_empty() {
            return;
        }
        let mut names = FreeNames::default();
        body.accept(&mut names);
        if names.is_partial {
            return;
        }
        for group in groups.iter().filter(|group| !group.types.iter().any(Name::is_missing)) {
            for (index, name) in group.names.iter().enumerate() {
                if !name.is_erroneous() && !names.found.contains(&*name.text) {
                    self.unused_variable(group, index, name, effect);
                }
            }
        }
    }

    fn unused_variable(&mut self, group: &TypedVariables, index: usize, name: &Name, effect: &str) {
        let span = name.span();
        let title = format!("remove `{}`", name.text);
        let fix = match (index.checked_sub(1), group.names.get(index + 1)) {
            (Some(before), _) => Some(edit::remove_after(title, group.names[before].span(), span)),
            (None, Some(after)) => Some(edit::remove_before(title, span, after.span())),
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
            if argument.is_erroneous() || self.is_symbol(argument) {
                continue;
            }
            let message = format!("`{}` is passed twice to `{}`", argument.text, application.name.text);
            self.report(
                Diagnostic::warning(codes::REPEATED_ARGUMENT, argument.span(), message)
                    .with_related(first.span(), "first passed here")
                    .with_help("use another variable for the second object"),
            );
        }
    }
}
