//! Name resolution: predicates in the domain, instances and variables in their scopes, and categories among the declared ones.

use goalspec_syntax::diagnostic::RelatedSpan;
use goalspec_syntax::{Code, Diagnostic, Severity, suggest};
use rustc_hash::FxHashSet;

use crate::ast::{
    Action, Atom, Domain, Effect, Expr, ExprKind, Name, ObjectGroup, Parameter, PredicateDecl, Problem, REGION,
    Variable,
};
use crate::codes;
use crate::diagnostics::at;
use crate::parse::Operator;
use crate::symbols::SymbolTable;

/// The predicate that assigns an object of the scene to a room. It is part of the language and need not be declared in a
/// domain.
pub const INROOM: &str = "inroom";

/// The number of arguments of `inroom`: an object and a room.
const ROOM_ARGUMENTS: usize = 2;

/// The maximum number of unknown names in one problem for which a similar name is suggested.
const MAX_SUGGESTIONS: usize = 64;

/// The suffix of an instance name that stands for all other objects of its category in the scene.
pub const WILDCARD: &str = "_*";

/// Resolves the names of a problem and returns the diagnostics. Without a domain, predicates are not checked.
pub fn problem(problem: &Problem, domain: Option<&Domain>) -> Vec<Diagnostic> {
    declared(&SymbolTable::of(problem), domain)
}

/// Resolves names like [`problem`], with an existing symbol table.
pub(crate) fn declared(declared: &SymbolTable<'_>, domain: Option<&Domain>) -> Vec<Diagnostic> {
    let mut resolver = Resolver::new(domain.map(|domain| &domain.predicates[..]), Some(declared));
    resolver.declarations(declared);
    for (literal, instances) in declared.init() {
        resolver.atom(&literal.atom, Some(instances));
    }
    for condition in &declared.problem.goal {
        resolver.condition(condition);
    }
    resolver.diagnostics
}

/// Resolves the names of a domain and returns the diagnostics.
pub fn domain(domain: &Domain) -> Vec<Diagnostic> {
    let mut resolver = Resolver::new(Some(&domain.predicates), None);
    resolver.types.insert("object");
    for group in &domain.types {
        resolver.types.extend(group.instances.iter().chain(&group.category).map(|name| &*name.text));
    }
    resolver.supertypes(&domain.types);
    for predicate in &domain.predicates {
        resolver.parameters(&predicate.parameters);
    }
    for action in &domain.actions {
        resolver.action(action);
    }
    resolver.diagnostics
}

struct Resolver<'a> {
    predicates: Option<&'a [PredicateDecl]>,
    /// The last predicate found: consecutive atoms often have the same one.
    last_predicate: Option<&'a PredicateDecl>,
    /// The symbol table of the problem; `None` for a domain.
    declared: Option<&'a SymbolTable<'a>>,
    /// The types of the domain; empty for a problem.
    types: FxHashSet<&'a str>,
    /// The variables in scope, innermost last.
    variables: Vec<&'a Name>,
    /// The number of unknown names reported so far.
    unknown: usize,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Resolver<'a> {
    fn new(predicates: Option<&'a [PredicateDecl]>, declared: Option<&'a SymbolTable<'a>>) -> Self {
        Self {
            predicates,
            last_predicate: None,
            declared,
            types: FxHashSet::default(),
            variables: Vec::new(),
            unknown: 0,
            diagnostics: Vec::new(),
        }
    }

    fn report(&mut self, code: Code, severity: Severity, name: &Name, message: String) -> &mut Diagnostic {
        self.diagnostics.push_mut(at(name.origin, code, severity, message))
    }

    /// Checks the declarations.
    fn declarations(&mut self, declared: &'a SymbolTable<'a>) {
        let problem = declared.problem;
        for redeclaration in &declared.redeclarations {
            let message = format!("`{}` is declared twice", redeclaration.name.text);
            let first = redeclaration.before.origin.0;
            let found = self.report(codes::DUPLICATE_INSTANCE, Severity::Warning, redeclaration.name, message);
            found.related.push(RelatedSpan { span: first, message: "first declaration".to_owned() });
        }
        let Some(libero) = &problem.libero else {
            for group in &problem.objects {
                let Some(category) = &group.category else { continue };
                group.instances.iter().for_each(|instance| self.naming(instance, category));
            }
            return;
        };
        for target in libero.regions.iter().filter_map(|region| region.target.as_ref()) {
            if self.instance(&target.text).is_none() {
                let message = format!("undeclared target `{}` of the region", target.text);
                self.unknown(codes::UNDECLARED, Severity::Warning, target, message, Resolver::targets);
            }
        }
        for name in &libero.of_interest {
            self.term(name);
        }
    }

    /// Checks that the name of an instance is its category, `_`, and a number or `*`.
    fn naming(&mut self, instance: &Name, category: &Name) {
        let number = instance.text.strip_prefix(&*category.text).and_then(|rest| rest.strip_prefix('_'));
        let proper =
            number.is_some_and(|rest| rest == "*" || !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
        if !proper {
            let message = format!("`{}` is not named after its category `{}`", instance.text, category.text);
            let help = format!("use a name such as `{}_1`", category.text);
            self.report(codes::INSTANCE_NAME, Severity::Warning, instance, message).help.push(help);
        }
    }

    fn condition(&mut self, condition: &'a Expr) {
        if let ExprKind::Atom(atom) = &condition.kind {
            return self.atom(atom, None);
        }
        self.within(condition.variables(), |inner| condition.operands().iter().for_each(|part| inner.condition(part)));
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
        if self.is_category(&category.text) {
            return;
        }
        let message = format!("no instance of `{}` is declared", category.text);
        self.unknown(codes::UNKNOWN_CATEGORY, Severity::Error, category, message, Self::categories);
    }

    /// Whether a name is a category of the problem or a type of the domain.
    fn is_category(&self, name: &str) -> bool {
        self.declared.is_some_and(|declared| declared.category(name).is_some()) || self.types.contains(name)
    }

    fn categories(&self) -> Vec<String> {
        let declared = self.declared.iter().flat_map(|declared| &declared.categories).map(|category| category.name);
        let declared = declared.filter(|name| *name != REGION);
        declared.chain(self.types.iter().copied()).map(str::to_owned).collect()
    }

    /// Returns the names of all instances.
    fn instances(&self) -> Vec<String> {
        let declared = self.declared.iter().flat_map(|declared| &declared.instances);
        declared.map(|instance| instance.name.text.to_string()).collect()
    }

    /// Returns the names of all instances that may be the target of a region: those that are not regions themselves.
    fn targets(&self) -> Vec<String> {
        let Some(declared) = self.declared else { return Vec::new() };
        let is_region = |category: u32| declared.categories[category as usize].name == REGION;
        let objects = declared.instances.iter().filter(|instance| !is_region(instance.category));
        objects.map(|instance| instance.name.text.to_string()).collect()
    }

    /// Returns the last declaration of an instance.
    fn instance(&self, name: &str) -> Option<&'a Name> {
        let declared = self.declared?;
        Some(declared.instances[declared.instance(name)? as usize].last)
    }

    fn shadowing(&mut self, variable: &Name) {
        let outer = self.variables.iter().rev().find(|outer| outer.text == variable.text).copied();
        let (label, previous) = match outer {
            Some(outer) => ("the outer variable of the same name", Some(outer)),
            None => match self.instance(&variable.text) {
                Some(instance) => ("the instance of the same name", Some(instance)),
                None => return,
            },
        };
        let message = format!("the variable `{}` shadows {label}", variable.text);
        let previous = previous.map(|name| name.origin.0);
        let found = self.report(codes::SHADOWED_VARIABLE, Severity::Warning, variable, message);
        found.related.extend(previous.map(|span| RelatedSpan { span, message: "shadowed declaration".to_owned() }));
    }

    /// Resolves an atom; in `:init`, `initial` contains the instances that its arguments refer to.
    fn atom(&mut self, atom: &'a Atom, initial: Option<&[Option<u32>]>) {
        self.predicate(atom);
        let is_room = &*atom.predicate.text == INROOM;
        if is_room && initial.is_none() {
            let message = format!("`{INROOM}` is not allowed in a goal");
            self.report(codes::MISPLACED_PREDICATE, Severity::Error, &atom.predicate, message);
            return;
        }
        let object_count = if is_room { 1 } else { atom.arguments.len() };
        for (index, argument) in atom.arguments.iter().take(object_count).enumerate() {
            if argument.text.ends_with(WILDCARD) && !is_room {
                let message = format!("unexpected wildcard `{}`, expected an instance", argument.text);
                let found = self.report(codes::MISPLACED_WILDCARD, Severity::Error, argument, message);
                found.help.push("use a quantifier over the category".to_owned());
            }
            if initial.is_none_or(|instances| instances[index].is_none()) {
                self.term(argument);
            }
        }
    }

    fn predicate(&mut self, atom: &Atom) {
        let Some(predicates) = self.predicates else { return };
        let name = &atom.predicate;
        let is_this = |declared: &&PredicateDecl| declared.name.text == name.text;
        self.last_predicate = self.last_predicate.filter(is_this).or_else(|| predicates.iter().find(is_this));
        let rooms = (*name.text == *INROOM).then_some(ROOM_ARGUMENTS);
        let Some(expected) = self.last_predicate.map(|declared| declared.parameters.len()).or(rooms) else {
            let message = format!("unknown predicate `{}`", name.text);
            let declared = predicates.iter().map(|declared| &*declared.name.text);
            let candidates = |_: &Self| declared.chain(Operator::WORDS.iter().copied()).map(str::to_owned).collect();
            return self.unknown(codes::UNKNOWN_PREDICATE, Severity::Error, name, message, candidates);
        };
        let count = atom.arguments.len();
        if expected != count {
            let plural = if expected == 1 { "argument" } else { "arguments" };
            let message = format!("`{}` takes {expected} {plural}, found {count}", name.text);
            let found = self.report(codes::ARGUMENT_COUNT, Severity::Error, name, message);
            found.span = Some(atom.origin.0);
        }
    }

    fn term(&mut self, name: &Name) {
        let candidates =
            self.variables.iter().any(|variable| variable.text == name.text) || self.instance(&name.text).is_some();
        if candidates {
            return;
        }
        if self.is_category(&name.text) {
            let message = format!("`{}` is a category, not an instance", name.text);
            let help = format!("use an instance such as `{}_1`, or add a quantifier", name.text);
            self.report(codes::UNDECLARED, Severity::Error, name, message).help.push(help);
            return;
        }
        let message = format!("`{}` is neither an instance nor a variable", name.text);
        let candidates = |inner: &Self| {
            let variables = inner.variables.iter().map(|variable| variable.text.to_string());
            variables.chain(inner.instances()).collect()
        };
        self.unknown(codes::UNDECLARED, Severity::Error, name, message, candidates);
    }

    /// Reports an unknown name, with the nearest known name as a suggestion for the first [`MAX_SUGGESTIONS`] unknown ones.
    fn unknown(
        &mut self,
        code: Code,
        severity: Severity,
        name: &Name,
        message: String,
        known: impl FnOnce(&Self) -> Vec<String>,
    ) {
        let diagnostic = at(name.origin, code, severity, message);
        self.unknown += 1;
        if self.unknown > MAX_SUGGESTIONS {
            return self.diagnostics.push(diagnostic);
        }
        let mut candidates = known(self);
        // Sorting makes the suggestion deterministic if several names are equally near.
        candidates.sort_unstable();
        let candidates = candidates.iter().map(String::as_str);
        // The fix preserves the question mark.
        let mut span = name.origin.0;
        let decorated = (span.end - span.start) as usize == name.text.len() + 1;
        span.start += u32::from(decorated);
        self.diagnostics.push(suggest::with_nearest(diagnostic, &name.text, span, candidates).0);
    }

    /// Reports supertypes that are not declared.
    fn supertypes(&mut self, groups: &[ObjectGroup]) {
        let declared: Vec<&str> = groups.iter().flat_map(|group| &group.instances).map(|name| &*name.text).collect();
        let candidates: FxHashSet<&str> = declared.iter().copied().chain(["object"]).collect();
        for supertype in groups.iter().filter_map(|group| group.category.as_ref()) {
            if !candidates.contains(&*supertype.text) {
                let message = format!("undeclared type `{}`", supertype.text);
                let candidates = |_: &Self| declared.iter().map(|&name| name.to_owned()).collect();
                self.unknown(codes::UNDECLARED_TYPE, Severity::Warning, supertype, message, candidates);
            }
        }
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        for type_name in parameters.iter().filter_map(|parameter| parameter.type_name.as_ref()) {
            if !self.is_category(&type_name.text) {
                let message = format!("unknown type `{}`", type_name.text);
                self.unknown(codes::UNKNOWN_CATEGORY, Severity::Error, type_name, message, Self::categories);
            }
        }
    }

    fn action(&mut self, action: &'a Action) {
        self.parameters(&action.parameters);
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
            Effect::Literal(literal) => self.atom(&literal.atom, None),
            Effect::Forall(variable, body) => self.within([variable], |inner| inner.effect(body)),
            Effect::When(condition, body) => {
                self.condition(condition);
                self.effect(body);
            }
        }
    }
}
