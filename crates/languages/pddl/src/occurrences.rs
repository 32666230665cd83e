//! The occurrences of names in domains and problems, for editors.
//!
//! They are collected from the syntax trees, also of texts with errors, by the scoping rules of `resolve`: the innermost variable of a
//! name counts, and of several declarations of another name the first one.

use goalspec_syntax::Span;
use goalspec_syntax::symbols::{Declaration, Occurrence, Occurrences, SymbolKind};
use rustc_hash::FxHashMap;

use crate::ast::{
    Action, Atom, Domain, Effect, EffectKind, Expr, ExprKind, Formula, FormulaKind, InitEntry, Name, Problem, TypeRef,
    TypedNames,
};

/// Returns the occurrences of names in a domain, in the order of the text.
pub fn domain(domain: &Domain) -> Vec<Occurrence> {
    let mut collector = Collector::new(Declarations::of_domain(domain));
    collector.domain(domain);
    collector.occurrences.into_vec()
}

/// Returns the occurrences of names in a problem of a domain, in the order of the text.
pub fn problem(problem: &Problem, domain: Option<&Domain>) -> Vec<Occurrence> {
    let mut declarations = domain.map(Declarations::of_domain).unwrap_or_default();
    declarations.add_objects(&problem.objects);
    declarations.add_preferences_of(problem);
    let mut collector = Collector::new(declarations);
    collector.problem(problem, domain);
    collector.occurrences.into_vec()
}

/// The span of the first declaration of each name.
#[derive(Default)]
struct Declarations<'a> {
    spans: FxHashMap<(SymbolKind, &'a str), Span>,
}

impl<'a> Declarations<'a> {
    fn of_domain(domain: &'a Domain) -> Self {
        let mut declarations = Self::default();
        let types = domain.types.iter().flatten().flat_map(|group| &group.names);
        types.for_each(|name| declarations.add(SymbolKind::Type, name));
        domain.predicates.iter().for_each(|predicate| declarations.add(SymbolKind::Predicate, &predicate.name));
        domain.functions.iter().for_each(|function| declarations.add(SymbolKind::Function, &function.name));
        domain.actions.iter().for_each(|action| declarations.add(SymbolKind::Action, &action.name));
        declarations.add_objects(&domain.constants);
        let preconditions = domain.actions.iter().filter_map(|action| action.precondition.as_ref());
        preconditions.chain(&domain.constraints).for_each(|formula| declarations.add_preferences(formula));
        declarations
    }

    fn add(&mut self, kind: SymbolKind, name: &'a Name) {
        self.spans.entry((kind, name.text())).or_insert(name.span);
    }

    fn add_objects(&mut self, groups: &'a [TypedNames]) {
        groups.iter().flat_map(|group| &group.names).for_each(|name| self.add(SymbolKind::Object, name));
    }

    fn add_preferences_of(&mut self, problem: &'a Problem) {
        problem.goal.iter().chain(&problem.constraints).for_each(|formula| self.add_preferences(formula));
    }

    fn add_preferences(&mut self, formula: &'a Formula) {
        crate::walk::formula(formula, &mut |node| {
            if let crate::walk::Node::Formula(Formula { kind: FormulaKind::Preference(Some(name), _), .. }) = node {
                self.add(SymbolKind::Preference, name);
            }
        });
    }

    fn find(&self, kind: SymbolKind, name: &str) -> Option<Span> {
        self.spans.get(&(kind, name)).copied()
    }
}

struct Collector<'a> {
    declarations: Declarations<'a>,
    /// The variables in scope, innermost last.
    variables: Vec<&'a Name>,
    occurrences: Occurrences,
}

impl<'a> Collector<'a> {
    fn new(declarations: Declarations<'a>) -> Self {
        Self { declarations, variables: Vec::new(), occurrences: Occurrences::new() }
    }

    /// Adds a declaration; another declaration of the same name counts as a use of the first.
    fn define(&mut self, kind: SymbolKind, name: &Name, whole: Span) {
        match self.declarations.find(kind, name.text()) {
            Some(first) if first != name.span => self.occurrences.refer(kind, name.span, Declaration::At(first)),
            _ => self.occurrences.define(kind, name.span, whole),
        }
    }

    fn refer(&mut self, kind: SymbolKind, name: &Name) {
        let declaration = self.declarations.find(kind, name.text()).map_or(Declaration::Unknown, Declaration::At);
        self.occurrences.refer(kind, name.span, declaration);
    }

    fn types(&mut self, types: Option<&TypeRef>) {
        for name in types.iter().flat_map(|types| &types.names) {
            if self.declarations.find(SymbolKind::Type, name.text()).is_none() && name.text() == "object" {
                self.occurrences.refer(SymbolKind::Type, name.span, Declaration::BuiltIn("PDDL".into()));
            } else {
                self.refer(SymbolKind::Type, name);
            }
        }
    }

    /// Adds the declarations of a typed list of types or objects.
    fn declarations(&mut self, kind: SymbolKind, groups: &[TypedNames]) {
        for group in groups {
            group.names.iter().for_each(|name| self.define(kind, name, span_of(group, name)));
            self.types(group.type_ref.as_ref());
        }
    }

    /// Adds the declarations of variables, which are in scope while `inside` runs.
    fn within(&mut self, groups: &'a [TypedNames], inside: impl FnOnce(&mut Self)) {
        let outer = self.variables.len();
        for group in groups {
            for name in &group.names {
                self.occurrences.define(SymbolKind::Variable, name.span, span_of(group, name));
                self.variables.push(name);
            }
            self.types(group.type_ref.as_ref());
        }
        inside(self);
        self.variables.truncate(outer);
    }

    fn domain(&mut self, domain: &'a Domain) {
        self.occurrences.define(SymbolKind::Domain, domain.name.span, domain.span);
        self.declarations(SymbolKind::Type, domain.types.as_deref().unwrap_or_default());
        self.declarations(SymbolKind::Object, &domain.constants);
        for predicate in &domain.predicates {
            self.define(SymbolKind::Predicate, &predicate.name, predicate.span);
            self.within(&predicate.parameters, |_| ());
        }
        for function in &domain.functions {
            self.define(SymbolKind::Function, &function.name, function.span);
            self.within(&function.parameters, |_| ());
            self.types(function.of.as_ref().filter(|of| of.names.iter().all(|name| name.text() != "number")));
        }
        domain.constraints.iter().for_each(|constraints| self.formula(constraints));
        domain.actions.iter().for_each(|action| self.action(action));
        for rule in &domain.derived {
            self.refer(SymbolKind::Predicate, &rule.predicate);
            self.within(&rule.parameters, |inner| inner.formula(&rule.body));
        }
    }

    fn action(&mut self, action: &'a Action) {
        self.define(SymbolKind::Action, &action.name, action.span);
        self.within(&action.parameters, |inner| {
            let duration = action.duration.as_ref().and_then(|duration| duration.constraint.as_ref());
            duration.into_iter().chain(&action.precondition).for_each(|formula| inner.formula(formula));
            action.effect.iter().for_each(|effect| inner.effect(effect));
        });
    }

    fn problem(&mut self, problem: &'a Problem, domain: Option<&Domain>) {
        self.occurrences.define(SymbolKind::Problem, problem.name.span, problem.span);
        if let Some(name) = &problem.domain {
            let named = domain.filter(|domain| domain.name.text() == name.text());
            let declaration = named.map_or(Declaration::Unknown, |domain| Declaration::At(domain.name.span));
            self.occurrences.refer(SymbolKind::Domain, name.span, declaration);
        }
        self.declarations(SymbolKind::Object, &problem.objects);
        problem.init.iter().for_each(|entry| self.initial(entry));
        problem.goal.iter().chain(&problem.constraints).for_each(|formula| self.formula(formula));
        problem.metric.iter().for_each(|metric| self.expression(&metric.value));
    }

    fn initial(&mut self, entry: &'a InitEntry) {
        match entry {
            InitEntry::Fact(atom) | InitEntry::Negated(atom) => self.atom(SymbolKind::Predicate, atom),
            InitEntry::Value(atom, ..) => self.atom(SymbolKind::Function, atom),
            InitEntry::ObjectValue(atom, value) => {
                self.atom(SymbolKind::Function, atom);
                self.term(value);
            }
            InitEntry::Timed(_, entry, _) => self.initial(entry),
        }
    }

    fn atom(&mut self, kind: SymbolKind, atom: &Atom) {
        self.refer(kind, &atom.name);
        atom.arguments.iter().for_each(|argument| self.term(argument));
    }

    fn term(&mut self, name: &Name) {
        if !name.is_variable() {
            return self.refer(SymbolKind::Object, name);
        }
        let variable = self.variables.iter().rev().find(|variable| variable.text() == name.text());
        let declaration = variable.map_or(Declaration::Unknown, |variable| Declaration::At(variable.span));
        self.occurrences.refer(SymbolKind::Variable, name.span, declaration);
    }

    fn formula(&mut self, formula: &'a Formula) {
        match &formula.kind {
            FormulaKind::Atom(atom) => self.atom(SymbolKind::Predicate, atom),
            FormulaKind::Compare(_, sides) => sides.iter().for_each(|side| self.expression(side)),
            FormulaKind::And(parts) | FormulaKind::Or(parts) | FormulaKind::Trajectory(_, _, parts) => {
                for part in parts {
                    self.formula(part);
                }
            }
            FormulaKind::Imply(parts) => parts.iter().for_each(|part| self.formula(part)),
            FormulaKind::Not(body) | FormulaKind::Timed(_, body) => self.formula(body),
            FormulaKind::Preference(name, body) => {
                if let Some(name) = name {
                    self.define(SymbolKind::Preference, name, formula.span);
                }
                self.formula(body);
            }
            FormulaKind::Forall(groups, body) | FormulaKind::Exists(groups, body) => {
                self.within(groups, |inner| inner.formula(body));
            }
        }
    }

    fn effect(&mut self, effect: &'a Effect) {
        match &effect.kind {
            EffectKind::And(parts) => parts.iter().for_each(|part| self.effect(part)),
            EffectKind::Forall(groups, body) => self.within(groups, |inner| inner.effect(body)),
            EffectKind::When(condition, body) => {
                self.formula(condition);
                self.effect(body);
            }
            EffectKind::Add(atom) | EffectKind::Delete(atom) => self.atom(SymbolKind::Predicate, atom),
            EffectKind::Assign(_, atom, value) => {
                self.atom(SymbolKind::Function, atom);
                self.expression(value);
            }
            EffectKind::Timed(_, body) => self.effect(body),
        }
    }

    fn expression(&mut self, expression: &'a Expr) {
        match &expression.kind {
            ExprKind::Number(_) => {}
            ExprKind::Name(name) if matches!(name.text(), "?duration" | "#t" | "total-time") => {}
            ExprKind::Name(name) => self.term(name),
            ExprKind::Call(atom) => self.atom(SymbolKind::Function, atom),
            ExprKind::Add(parts) | ExprKind::Multiply(parts) => parts.iter().for_each(|part| self.expression(part)),
            ExprKind::Subtract(sides) | ExprKind::Divide(sides) => sides.iter().for_each(|side| self.expression(side)),
            ExprKind::Negate(part) => self.expression(part),
            ExprKind::IsViolated(name) => self.refer(SymbolKind::Preference, name),
        }
    }
}

/// Returns the span of a name with the rest of its group, which ends with the type.
fn span_of(group: &TypedNames, name: &Name) -> Span {
    let last = group.type_ref.as_ref().map(|types| types.span).or(group.names.last().map(|last| last.span));
    last.map_or(name.span, |last| name.span.to(last))
}
