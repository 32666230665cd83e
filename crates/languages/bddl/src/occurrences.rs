//! The occurrences of names in activities and domains, for editors.
//!
//! They are collected from the syntax trees, also of texts with errors, by the scoping rules of [`resolve`](crate::resolve): the
//! innermost variable of a name counts, then an instance, of which the first declaration counts.

use goalspec_syntax::Span;
use goalspec_syntax::symbols::{Declaration, Occurrence, Occurrences, SymbolKind};
use rustc_hash::FxHashMap;

use crate::ast::{Action, Atom, Domain, Effect, Expr, ExprKind, Name, ObjectGroup, Parameter, Problem, Variable};
use crate::resolve::INROOM;

/// Returns the occurrences of names in an activity, in the order of the text. `predicate` returns the declaration of a predicate of its
/// domain, or of the domain itself for the name in `(:domain NAME)`.
pub fn problem(problem: &Problem, predicate: &dyn Fn(SymbolKind, &str) -> Declaration) -> Vec<Occurrence> {
    let mut collector = Collector::new(predicate);
    for declaration in problem.declarations() {
        collector.instances.entry(&declaration.name.text).or_insert(declaration.name.origin.0);
    }
    collector.problem(problem);
    collector.occurrences.into_vec()
}

/// Returns the occurrences of names in a domain, in the order of the text.
pub fn domain(domain: &Domain) -> Vec<Occurrence> {
    let span = domain.origin.0;
    let is_own = |name: &&Name| {
        let place = name.origin.0;
        place.source == span.source && span.start <= place.start && place.end <= span.end
    };
    let mut types: FxHashMap<&str, Span> = FxHashMap::default();
    let mut predicates = FxHashMap::default();
    for name in domain.types.iter().flat_map(|group| &group.instances).filter(is_own) {
        types.entry(&*name.text).or_insert(name.origin.0);
    }
    // A domain that completes a built-in one also has predicates of the latter, whose spans lie in another text.
    for name in domain.predicates.iter().map(|predicate| &predicate.name).filter(is_own) {
        predicates.entry(&*name.text).or_insert(name.origin.0);
    }
    let find = |kind: SymbolKind, name: &str| {
        let declared = if kind == SymbolKind::Type { types.get(name) } else { predicates.get(name) };
        declared.map_or_else(|| Declaration::BuiltIn(domain.name.text.clone()), |&span| Declaration::At(span))
    };
    let mut collector = Collector::new(&find);
    collector.domain(domain, &is_own);
    collector.occurrences.into_vec()
}

struct Collector<'a> {
    /// The declarations of predicates and types.
    find: &'a dyn Fn(SymbolKind, &str) -> Declaration,
    instances: FxHashMap<&'a str, Span>,
    /// The variables in scope, innermost last.
    variables: Vec<&'a Name>,
    occurrences: Occurrences,
}

impl<'a> Collector<'a> {
    fn new(find: &'a dyn Fn(SymbolKind, &str) -> Declaration) -> Self {
        Self { find, instances: FxHashMap::default(), variables: Vec::new(), occurrences: Occurrences::new() }
    }

    fn refer(&mut self, kind: SymbolKind, name: &Name) {
        self.occurrences.refer(kind, name.origin.0, (self.find)(kind, &name.text));
    }

    fn problem(&mut self, problem: &'a Problem) {
        self.occurrences.define(SymbolKind::Problem, problem.name.origin.0, problem.origin.0);
        problem.domain.iter().for_each(|name| self.refer(SymbolKind::Domain, name));
        problem.groups().for_each(|(group, _)| self.group(group));
        for region in problem.libero.iter().flat_map(|libero| &libero.regions) {
            self.occurrences.define(SymbolKind::Object, region.name.origin.0, region.origin.0);
            region.target.iter().for_each(|target| self.term(target));
        }
        problem.libero.iter().flat_map(|libero| &libero.of_interest).for_each(|name| self.term(name));
        problem.init.iter().for_each(|literal| self.atom(&literal.atom));
        problem.goal.iter().for_each(|condition| self.condition(condition));
    }

    fn group(&mut self, group: &ObjectGroup) {
        for name in &group.instances {
            match self.instances.get(&*name.text) {
                Some(&first) if first != name.origin.0 => {
                    self.occurrences.refer(SymbolKind::Object, name.origin.0, Declaration::At(first));
                }
                _ => self.occurrences.define(SymbolKind::Object, name.origin.0, group.origin.0),
            }
        }
        group.category.iter().for_each(|category| self.category(category));
    }

    /// Adds a category, which its instances declare.
    fn category(&mut self, category: &Name) {
        let declaration = match (self.find)(SymbolKind::Type, &category.text) {
            Declaration::Unknown => Declaration::BuiltIn("BDDL".into()),
            known => known,
        };
        self.occurrences.refer(SymbolKind::Type, category.origin.0, declaration);
    }

    fn domain(&mut self, domain: &'a Domain, is_own: &dyn Fn(&&Name) -> bool) {
        self.occurrences.define(SymbolKind::Domain, domain.name.origin.0, domain.origin.0);
        for group in &domain.types {
            let own = group.instances.iter().filter(is_own);
            own.for_each(|name| self.occurrences.define(SymbolKind::Type, name.origin.0, group.origin.0));
            group.category.iter().filter(is_own).for_each(|name| self.refer(SymbolKind::Type, name));
        }
        for predicate in domain.predicates.iter().filter(|predicate| is_own(&&predicate.name)) {
            self.occurrences.define(SymbolKind::Predicate, predicate.name.origin.0, predicate.origin.0);
            self.parameters(&predicate.parameters);
            self.variables.clear();
        }
        domain.actions.iter().filter(|action| is_own(&&action.name)).for_each(|action| self.action(action));
    }

    fn action(&mut self, action: &'a Action) {
        self.occurrences.define(SymbolKind::Action, action.name.origin.0, action.origin.0);
        self.parameters(&action.parameters);
        action.precondition.iter().for_each(|condition| self.condition(condition));
        action.effect.iter().for_each(|effect| self.effect(effect));
        self.variables.clear();
    }

    fn parameters(&mut self, parameters: &'a [Parameter]) {
        for parameter in parameters {
            let span = parameter.name.origin.0;
            let whole = parameter.type_name.as_ref().map_or(span, |of| span.to(of.origin.0));
            self.occurrences.define(SymbolKind::Variable, span, whole);
            parameter.type_name.iter().for_each(|name| self.refer(SymbolKind::Type, name));
            self.variables.push(&parameter.name);
        }
    }

    fn atom(&mut self, atom: &'a Atom) {
        self.refer(SymbolKind::Predicate, &atom.predicate);
        // The second argument of `inroom` is the name of a room, which nothing declares.
        let objects = if *atom.predicate.text == *INROOM { 1 } else { atom.arguments.len() };
        atom.arguments.iter().take(objects).for_each(|argument| self.term(argument));
    }

    fn term(&mut self, name: &Name) {
        let variable = self.variables.iter().rev().find(|variable| variable.text == name.text);
        let (kind, declaration) = match (variable, self.instances.get(&*name.text)) {
            (Some(variable), _) => (SymbolKind::Variable, Declaration::At(variable.origin.0)),
            (None, Some(&instance)) => (SymbolKind::Object, Declaration::At(instance)),
            (None, None) => (SymbolKind::Object, Declaration::Unknown),
        };
        self.occurrences.refer(kind, name.origin.0, declaration);
    }

    fn variable(&mut self, variable: &'a Variable) {
        let span = variable.name.origin.0;
        self.occurrences.define(SymbolKind::Variable, span, span.to(variable.category.origin.0));
        self.category(&variable.category);
        self.variables.push(&variable.name);
    }

    fn condition(&mut self, condition: &'a Expr) {
        if let ExprKind::Atom(atom) = &condition.kind {
            return self.atom(atom);
        }
        let outer = self.variables.len();
        condition.variables().for_each(|variable| self.variable(variable));
        condition.operands().iter().for_each(|part| self.condition(part));
        self.variables.truncate(outer);
    }

    fn effect(&mut self, effect: &'a Effect) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.effect(part)),
            Effect::Literal(literal) => self.atom(&literal.atom),
            Effect::Forall(variable, body) => {
                self.variable(variable);
                self.effect(body);
                self.variables.pop();
            }
            Effect::When(condition, body) => {
                self.condition(condition);
                self.effect(body);
            }
        }
    }
}
