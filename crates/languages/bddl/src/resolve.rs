//! Names looked up: predicates in the domain, instances and variables in their scopes, categories among the declared ones.

use goalspec_syntax::diagnostic::Related;
use goalspec_syntax::{Code, Diagnostic, Severity, suggest};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Action, Atom, Domain, Effect, Expr, ExprKind, Name, Parameter, PredicateDecl, Problem, Variable};
use crate::codes;
use crate::parse::OPERATORS;
use crate::report::at;

/// The predicate that says in which room a thing of the scene stands. It is part of the language, whatever a domain declares.
pub const INROOM: &str = "inroom";

/// A thing and a room.
const ROOM_ARGUMENTS: usize = 2;

/// What ends the name of an instance that stands for all further ones of the scene.
pub const WILDCARD: &str = "_*";

/// Everything that is wrong with the names of a problem. Without a domain, predicates are not looked at.
pub fn problem(problem: &Problem, domain: Option<&Domain>) -> Vec<Diagnostic> {
    let mut resolver = Resolver::new(domain.map(|domain| &domain.predicates[..]));
    resolver.declare(problem);
    for literal in &problem.init {
        resolver.atom(&literal.atom, true);
    }
    for condition in &problem.goal {
        resolver.condition(condition);
    }
    resolver.diagnostics
}

/// Everything that is wrong with the names of a domain.
pub fn domain(domain: &Domain) -> Vec<Diagnostic> {
    let mut resolver = Resolver::new(Some(&domain.predicates));
    resolver.categories.insert("object");
    for group in &domain.types {
        resolver.categories.extend(group.instances.iter().chain(&group.category).map(|name| &*name.text));
    }
    for predicate in &domain.predicates {
        resolver.types(&predicate.parameters);
    }
    for action in &domain.actions {
        resolver.action(action);
    }
    resolver.diagnostics
}

struct Resolver<'a> {
    predicates: Option<&'a [PredicateDecl]>,
    /// What was found last: neighbours mostly have the same predicate.
    last_predicate: Option<&'a PredicateDecl>,
    /// The instances with the place of their declaration, and what else can be named.
    instances: FxHashMap<&'a str, Option<&'a Name>>,
    /// The regions of LIBERO, as goals call them.
    regions: FxHashSet<String>,
    categories: FxHashSet<&'a str>,
    /// The variables in scope, the innermost last.
    variables: Vec<&'a Name>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Resolver<'a> {
    fn new(predicates: Option<&'a [PredicateDecl]>) -> Self {
        Self {
            predicates,
            last_predicate: None,
            instances: FxHashMap::default(),
            regions: FxHashSet::default(),
            categories: FxHashSet::default(),
            variables: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    fn report(&mut self, code: Code, severity: Severity, name: &Name, message: String) -> &mut Diagnostic {
        self.diagnostics.push_mut(at(name.origin, code, severity, message))
    }

    fn declare(&mut self, problem: &'a Problem) {
        let is_libero = problem.libero.is_some();
        self.instances.reserve(problem.objects.iter().map(|group| group.instances.len()).sum());
        self.categories.reserve(problem.objects.len());
        let fixtures = problem.libero.iter().flat_map(|libero| &libero.fixtures);
        for group in problem.objects.iter().chain(fixtures) {
            let category = group.category.as_ref();
            self.categories.insert(category.map_or("object", |category| &category.text));
            for instance in &group.instances {
                if let Some(Some(first)) = self.instances.insert(&instance.text, Some(instance)) {
                    let message = format!("`{}` is declared twice", instance.text);
                    let first = first.origin.0;
                    let found = self.report(codes::DUPLICATE_INSTANCE, Severity::Warning, instance, message);
                    found.related.extend(first.map(|span| Related { span, message: "the first time".to_owned() }));
                }
                if let Some(category) = category.filter(|_| !is_libero) {
                    self.naming(instance, category);
                }
            }
        }
        if let Some(libero) = &problem.libero {
            for region in &libero.regions {
                if let Some(target) = &region.target {
                    self.regions.insert(format!("{}_{}", target.text, region.name.text));
                }
            }
            for name in &libero.of_interest {
                self.term(name);
            }
        }
    }

    /// An instance is its category, `_` and a number.
    fn naming(&mut self, instance: &Name, category: &Name) {
        let number = instance.text.strip_prefix(&*category.text).and_then(|rest| rest.strip_prefix('_'));
        let proper =
            number.is_some_and(|rest| rest == "*" || !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
        if !proper {
            let message = format!("`{}` is not named after its category `{}`", instance.text, category.text);
            let help = format!("a name such as `{}_1` is expected", category.text);
            self.report(codes::INSTANCE_NAME, Severity::Warning, instance, message).help.push(help);
        }
    }

    fn condition(&mut self, condition: &'a Expr) {
        if let ExprKind::Atom(atom) = &condition.kind {
            return self.atom(atom, false);
        }
        self.within(condition.variables(), |inner| condition.parts().iter().for_each(|part| inner.condition(part)));
    }

    fn within(&mut self, variables: impl IntoIterator<Item = &'a Variable>, inside: impl FnOnce(&mut Self)) {
        let mark = self.variables.len();
        for variable in variables {
            self.category(&variable.category);
            self.shadowing(&variable.name);
            self.variables.push(&variable.name);
        }
        inside(self);
        self.variables.truncate(mark);
    }

    fn category(&mut self, category: &Name) {
        if self.categories.contains(&*category.text) {
            return;
        }
        let message = format!("no instance of `{}` is declared", category.text);
        let known: Vec<&str> = self.categories.iter().copied().collect();
        self.unknown(codes::UNKNOWN_CATEGORY, category, message, known);
    }

    fn shadowing(&mut self, variable: &Name) {
        let outer = self.variables.iter().rev().find(|known| known.text == variable.text).copied();
        let (what, before) = match outer {
            Some(outer) => ("the variable of the same name around it", Some(outer)),
            None => match self.instances.get(&*variable.text) {
                Some(instance) => ("the instance of the same name", *instance),
                None => return,
            },
        };
        let message = format!("the variable `{}` hides {what}", variable.text);
        let before = before.and_then(|name| name.origin.0);
        let found = self.report(codes::SHADOWED_VARIABLE, Severity::Warning, variable, message);
        found.related.extend(before.map(|span| Related { span, message: "this one".to_owned() }));
    }

    fn atom(&mut self, atom: &'a Atom, initial: bool) {
        self.predicate(atom);
        let is_room = &*atom.predicate.text == INROOM;
        if is_room && !initial {
            let message = format!("`{INROOM}` cannot stand in a goal");
            self.report(codes::MISPLACED_PREDICATE, Severity::Error, &atom.predicate, message);
            return;
        }
        let things = if is_room { 1 } else { atom.arguments.len() };
        for argument in atom.arguments.iter().take(things) {
            if argument.text.ends_with(WILDCARD) && !is_room {
                let message = format!("`{}` stands for any number of instances, not for one", argument.text);
                let found = self.report(codes::MISPLACED_WILDCARD, Severity::Error, argument, message);
                found.help.push("use a quantifier over the category".to_owned());
            }
            self.term(argument);
        }
    }

    fn predicate(&mut self, atom: &Atom) {
        let Some(predicates) = self.predicates else { return };
        let name = &atom.predicate;
        let is_this = |declared: &&PredicateDecl| declared.name.text == name.text;
        self.last_predicate = self.last_predicate.filter(is_this).or_else(|| predicates.iter().find(is_this));
        let rooms = (*name.text == *INROOM).then_some(ROOM_ARGUMENTS);
        let Some(takes) = self.last_predicate.map(|declared| declared.parameters.len()).or(rooms) else {
            let message = format!("the domain has no predicate `{}`", name.text);
            let known = predicates.iter().map(|declared| &*declared.name.text).chain(OPERATORS).collect();
            return self.unknown(codes::UNKNOWN_PREDICATE, name, message, known);
        };
        let given = atom.arguments.len();
        if takes != given {
            let plural = if takes == 1 { "argument" } else { "arguments" };
            let message = format!("`{}` takes {takes} {plural}, found {given}", name.text);
            let found = self.report(codes::ARGUMENT_COUNT, Severity::Error, name, message);
            found.span = atom.origin.0;
        }
    }

    fn term(&mut self, name: &Name) {
        let known = self.variables.iter().any(|variable| variable.text == name.text)
            || self.instances.contains_key(&*name.text)
            || self.regions.contains(&*name.text);
        if known {
            return;
        }
        if self.categories.contains(&*name.text) {
            let message = format!("`{}` is a category, not an instance", name.text);
            let help = format!("name an instance such as `{}_1`, or put a quantifier around", name.text);
            self.report(codes::UNDECLARED, Severity::Error, name, message).help.push(help);
            return;
        }
        let message = format!("`{}` is neither an instance nor a variable", name.text);
        let variables = self.variables.iter().map(|variable| variable.text.to_string());
        let instances = self.instances.keys().map(|&instance| instance.to_owned());
        let known: Vec<String> = variables.chain(instances).chain(self.regions.iter().cloned()).collect();
        self.unknown(codes::UNDECLARED, name, message, known.iter().map(String::as_str).collect());
    }

    /// Reports an unknown name with the nearest of the known ones.
    fn unknown(&mut self, code: Code, name: &Name, message: String, mut known: Vec<&str>) {
        let diagnostic = at(name.origin, code, Severity::Error, message);
        // Of names that are equally near the first is suggested, on every run the same.
        known.sort_unstable();
        let diagnostic = match name.origin.0 {
            Some(mut span) => {
                // The question mark stays.
                let decorated = (span.end - span.start) as usize == name.text.len() + 1;
                span.start += u32::from(decorated);
                suggest::with_nearest(diagnostic, &name.text, span, known).0
            }
            None => diagnostic,
        };
        self.diagnostics.push(diagnostic);
    }

    fn types(&mut self, parameters: &[Parameter]) {
        for of in parameters.iter().filter_map(|parameter| parameter.of.as_ref()) {
            if !self.categories.contains(&*of.text) {
                let message = format!("there is no type `{}`", of.text);
                let known = self.categories.iter().copied().collect();
                self.unknown(codes::UNKNOWN_CATEGORY, of, message, known);
            }
        }
    }

    fn action(&mut self, action: &'a Action) {
        self.types(&action.parameters);
        self.variables.clear();
        for parameter in &action.parameters {
            self.shadowing(&parameter.name);
            self.variables.push(&parameter.name);
        }
        if let Some(condition) = &action.precondition {
            self.condition(condition);
        }
        if let Some(effect) = &action.effect {
            self.effect(effect);
        }
    }

    fn effect(&mut self, effect: &'a Effect) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.effect(part)),
            Effect::Literal(literal) => self.atom(&literal.atom, false),
            Effect::Forall(variable, body) => self.within([variable], |inner| inner.effect(body)),
            Effect::When(condition, body) => {
                self.condition(condition);
                self.effect(body);
            }
        }
    }
}
