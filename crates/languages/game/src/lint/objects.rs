//! Lints about the objects of the world: impossible predicates, preferences without bindings or with too many.

use goalspec_core::evaluation_cost;
use goalspec_core::ids::{ObjectId, TypeId};
use goalspec_core::limits::{MAX_ASSIGNMENTS, MAX_BINDINGS};
use goalspec_core::program;
use goalspec_core::world::Argument;
use goalspec_syntax::{Diagnostic, Span};

use super::Linter;
use crate::ast::{Application, Name, Preference, TypedVariables};
use crate::codes::lint as codes;

/// The smallest number of bindings for which a preference is reported as slow to score.
const MANY_BINDINGS: u128 = 1 << 16;
/// The smallest number of assignments for which a condition is reported as slow to evaluate.
const MANY_ASSIGNMENTS: u64 = 1 << 16;
/// Maximum number of argument combinations that are tried before a predicate is assumed to be possible.
const MAX_COMBINATIONS: usize = 1 << 12;

impl<'a> Linter<'a> {
    /// Returns whether the name denotes an object without attributes, such as a colour, an orientation or a side.
    pub(super) fn is_symbol(&self, name: &Name) -> bool {
        let symbolic = |types: &[TypeId]| types.iter().all(|&id| self.world.is_without_attributes(id));
        if name.text.starts_with('?') {
            return self.types_of(&name.text).is_some_and(symbolic);
        }
        self.world.object_named(&name.text).is_some_and(|id| symbolic(&self.world.object_decl(id).types))
    }

    /// Reports a predicate that holds for none of its possible arguments.
    pub(super) fn check_satisfiable_predicate(&mut self, application: &Application) {
        let world = self.world;
        let Some(predicate) = world.predicate_named(&application.name.text) else { return };
        if application.is_erroneous() {
            return;
        }
        let decl = world.predicate(predicate);
        let accepts_type = |place: usize| decl.parameters.get(place).is_some_and(|parameter| parameter.accepts_type);
        let mut candidates: Vec<Vec<Argument>> = Vec::with_capacity(application.arguments.len());
        for (place, name) in application.arguments.iter().enumerate() {
            match self.candidates(name, accepts_type(place)) {
                Some(objects) if !objects.is_empty() => candidates.push(objects),
                // Unknown names and empty types have their own diagnostics; objects from recordings are unknown.
                _ => return,
            }
        }
        let combinations = candidates.iter().fold(1_usize, |product, objects| product.saturating_mul(objects.len()));
        if combinations > MAX_COMBINATIONS {
            return;
        }
        let mut arguments: Vec<Argument> = Vec::with_capacity(candidates.len());
        for mut combination in 0..combinations {
            arguments.clear();
            for objects in &candidates {
                arguments.push(objects[combination % objects.len()]);
                combination /= objects.len();
            }
            if world.can_hold(predicate, &arguments) {
                return;
            }
        }
        let name = &application.name.text;
        let mut diagnostic = Diagnostic::warning(
            codes::IMPOSSIBLE_PREDICATE,
            application.span(),
            format!("in the world `{}`, `{name}` is never true of these arguments", world.name()),
        );
        if !decl.doc.is_empty() {
            diagnostic = diagnostic.with_help(format!("`{name}`: {}", decl.doc));
        }
        self.report(diagnostic);
    }

    /// Returns the possible values of an argument, or `None` if they are unknown.
    fn candidates(&self, name: &Name, accepts_type: bool) -> Option<Vec<Argument>> {
        let world = self.world;
        if name.text.starts_with('?') {
            let types = self.types_of(&name.text)?;
            if types.iter().any(|&id| crate::resolve::is_extensible(world, id)) {
                return None;
            }
            return Some(types.iter().flat_map(|&id| world.members(id)).map(|&id| Argument::Object(id)).collect());
        }
        if accepts_type && let Some(id) = world.type_named(&name.text) {
            return Some(vec![Argument::Type(id)]);
        }
        world.object_named(&name.text).map(|id| vec![Argument::Object(id)])
    }

    /// Reports a preference with too many bindings. Reports nothing if a type is unknown.
    pub(super) fn bindings(&mut self, external: &[TypedVariables], preference: &'a Preference) {
        if preference.name.is_erroneous() {
            return;
        }
        let inner = preference.quantifier.as_ref().map_or(&[][..], |quantifier| &quantifier.variables);
        let Some(external) = self.domain_sizes(external) else { return };
        let Some(inner) = self.domain_sizes(inner) else { return };
        let product = |sizes: &[u64]| sizes.iter().fold(1_u128, |all, &size| all.saturating_mul(u128::from(size)));
        let sizes = [&external[..], &inner[..]].concat();
        let bindings = product(&external).max(product(&sizes));
        if bindings < MANY_BINDINGS {
            return;
        }
        let span = preference.name.span();
        let factors = sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
        let name = &preference.name.text;
        let message = format!("`{name}` has {bindings} bindings ({factors})");
        let diagnostic = if bindings > u128::from(MAX_BINDINGS) {
            let message = format!("{message}; the limit is {MAX_BINDINGS}");
            self.oversized.insert(name);
            Diagnostic::error(codes::MANY_BINDINGS, span, message)
        } else {
            Diagnostic::warning(codes::MANY_BINDINGS, span, message)
        };
        self.report(diagnostic.with_help("use narrower types or fewer variables"));
    }

    /// Returns the number of objects in the domain of each variable.
    pub(super) fn domain_sizes(&self, groups: &[TypedVariables]) -> Option<Vec<u64>> {
        let mut sizes = Vec::new();
        for group in groups {
            let size = self.world.domain(&self.types(group)?).len() as u64;
            sizes.extend(std::iter::repeat_n(size, group.names.len()));
        }
        Some(sizes)
    }

    /// Reports conditions whose quantifiers enumerate very many assignments for each binding.
    pub(super) fn assignments(&mut self, preference: &program::Preference, span: Span) {
        let max = evaluation_cost::pattern_conditions(&preference.pattern).into_iter().map(|condition| {
            evaluation_cost::max_assignments(self.world, &preference.scope, &preference.distinct, condition)
        });
        let Some(max) = max.max().filter(|&max| max >= MANY_ASSIGNMENTS) else { return };
        let name = &preference.name;
        let many = if max == u64::MAX { "more than 2^64".to_owned() } else { format!("up to {max}") };
        let message = format!("the quantifiers in a condition of `{name}` range over {many} assignments in each state");
        let diagnostic = if max > MAX_ASSIGNMENTS {
            let message = format!("{message}; the limit is {MAX_ASSIGNMENTS}");
            Diagnostic::error(codes::MANY_ASSIGNMENTS, span, message)
        } else {
            Diagnostic::warning(codes::MANY_ASSIGNMENTS, span, message)
        };
        self.report(diagnostic.with_help("use narrower types, fewer variables or fewer nested quantifiers"));
    }

    /// Reports a preference whose variables cannot all be bound to different objects.
    pub(super) fn check_has_binding(&mut self, preference: &program::Preference, span: Span) {
        let variables: Vec<_> = preference.external.iter().chain(&preference.inner).copied().collect();
        let types = |variable| &preference.scope.get(variable).types[..];
        let open = |&variable: &_| types(variable).iter().any(|&id| crate::resolve::is_extensible(self.world, id));
        if preference.distinct.is_empty() || variables.iter().any(open) {
            return;
        }
        let domains: Vec<Vec<ObjectId>> =
            variables.iter().map(|&variable| self.world.domain(types(variable))).collect();
        if domains.iter().any(Vec::is_empty) {
            // An empty type has its own diagnostic.
            return;
        }
        let index = |variable| variables.iter().position(|&other| other == variable);
        let distinct: Vec<_> = preference.distinct.iter().filter_map(|&(a, b)| Some((index(a)?, index(b)?))).collect();
        let mut chosen = Vec::new();
        let mut steps = MAX_COMBINATIONS;
        if has_distinct_assignment(&domains, &distinct, &mut chosen, &mut steps) || steps == 0 {
            return;
        }
        let message = format!("too few objects to bind the variables of `{}`", preference.name);
        self.report(Diagnostic::warning(codes::NO_BINDING, span, message).with_help(
            "two variables never bind the same object; mention `(same_object ?a ?b)` in the preference to allow it",
        ));
    }
}

/// Returns whether the remaining variables can be bound. The recursion depth is the number of variables.
fn has_distinct_assignment(
    domains: &[Vec<ObjectId>],
    distinct: &[(usize, usize)],
    chosen: &mut Vec<ObjectId>,
    steps: &mut usize,
) -> bool {
    let Some(domain) = domains.get(chosen.len()) else { return true };
    for &object in domain {
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let at = chosen.len();
        let clashes = |&(a, b): &(usize, usize)| {
            let other = if a == at { b } else { a };
            (a == at || b == at) && other < at && chosen[other] == object
        };
        if distinct.iter().any(clashes) {
            continue;
        }
        chosen.push(object);
        let found = has_distinct_assignment(domains, distinct, chosen, steps);
        chosen.pop();
        if found {
            return true;
        }
    }
    false
}
