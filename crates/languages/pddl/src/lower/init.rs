//! What holds at the beginning.

use goalspec_core::ids::{FunctionId, PredicateId};
use goalspec_core::state::{Arguments, Delta, FactChange, FluentChange};
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::{Diagnostic, Fix, Span};
use rustc_hash::FxHashMap;

use crate::ast::{Atom, Init, Problem};
use crate::codes;
use crate::domain::Model;
use crate::lint::codes as lint;
use crate::parse::excerpt;
use crate::resolve::Resolver;
use crate::vocabulary::Objects;

/// Most facts that stand twice of which each is reported.
const MAX_DUPLICATES: usize = 50;

/// After so many errors, the rest is not looked at.
const MAX_ERRORS: usize = 500;

/// The first state of a task.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) initial: Delta,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) unplanned: Vec<Diagnostic>,
}

/// Reads `(:init ..)`.
pub(super) fn read(problem: &Problem, model: &Model, objects: &Objects) -> Facts {
    let mut diagnostics = Vec::new();
    let reader = Reader {
        resolver: Resolver::new(&model.vocabulary, objects, &mut diagnostics),
        model,
        facts: FxHashMap::with_capacity_and_hasher(problem.init.len(), rustc_hash::FxBuildHasher),
        values: FxHashMap::default(),
        denied: Vec::new(),
        duplicates: 0,
        found: Facts::default(),
    };
    let mut facts = reader.read(&problem.init);
    facts.diagnostics.append(&mut diagnostics);
    facts
}

struct Reader<'p> {
    resolver: Resolver<'p>,
    model: &'p Model,
    /// Where each fact stands first.
    facts: FxHashMap<(PredicateId, Arguments), Span>,
    /// Where each function with its arguments got which value.
    values: FxHashMap<(FunctionId, Arguments), (f64, Span)>,
    denied: Vec<(PredicateId, Arguments, Span)>,
    duplicates: usize,
    found: Facts,
}

impl Reader<'_> {
    fn read(mut self, init: &[Init]) -> Facts {
        self.found.initial.facts.reserve(init.len());
        for entry in init {
            // What the resolver finds are errors: facts of objects leave nothing else.
            if self.resolver.diagnostics.len() >= MAX_ERRORS {
                let message = format!("after {MAX_ERRORS} errors in `(:init ..)`, the rest of it is not looked at");
                let more = Diagnostic::error(codes::TOO_MANY, entry.span(), message);
                self.found.diagnostics.push(more);
                break;
            }
            self.entry(entry);
        }
        for (predicate, arguments, span) in std::mem::take(&mut self.denied) {
            if let Some(&first) = self.facts.get(&(predicate, arguments)) {
                let message = "this is said to hold and not to hold at the beginning";
                let contradiction = Diagnostic::error(codes::CONTRADICTED_FACT, span, message);
                self.found.diagnostics.push(contradiction.with_related(first, "here it is said to hold"));
            }
        }
        if self.duplicates > MAX_DUPLICATES {
            let more = self.duplicates - MAX_DUPLICATES;
            if let Some(last) = self.found.diagnostics.iter_mut().rfind(|last| last.code == lint::DUPLICATE_FACT) {
                last.help.push(format!("and {more} more facts that stand twice"));
            }
        }
        self.found
    }

    fn entry(&mut self, entry: &Init) {
        match entry {
            Init::Fact(atom) => {
                let Some((predicate, arguments)) = self.fact(atom) else { return };
                if let Some(&first) = self.facts.get(&(predicate, arguments.clone())) {
                    return self.twice(atom, first);
                }
                self.facts.insert((predicate, arguments.clone()), atom.span);
                self.found.initial.facts.push(FactChange { predicate, arguments, holds: true });
            }
            Init::Negated(atom) => {
                let Some((predicate, arguments)) = self.fact(atom) else { return };
                self.denied.push((predicate, arguments, atom.span));
            }
            Init::Value(function, value, span) => self.value(function, *value, *span),
            Init::Object(function, name) => self.object_value(function, name),
            Init::Timed(_, inner, span) => {
                let message = "facts that come true at a time of their own are not planned for";
                let not_planned = Diagnostic::error(codes::NOT_PLANNED, *span, message);
                self.found.unplanned.push(not_planned.with_help("they are read, checked and formatted only"));
                // It does not hold at the beginning, but must make sense.
                match &**inner {
                    Init::Fact(atom) | Init::Negated(atom) => drop(self.fact(atom)),
                    Init::Value(function, ..) => drop(self.resolver.call(function)),
                    Init::Object(function, name) => self.object_value(function, name),
                    Init::Timed(_, _, span) => {
                        let message = "a time stands inside of another one";
                        self.found.diagnostics.push(Diagnostic::error(codes::UNEXPECTED, *span, message));
                    }
                }
            }
        }
    }

    fn fact(&mut self, atom: &Atom) -> Option<(PredicateId, Arguments)> {
        let (predicate, terms) = self.resolver.predicate_call(atom)?;
        if self.model.is_derived(predicate) {
            let message = format!(
                "`{}` is derived by rules, so it cannot be given at the beginning",
                excerpt(atom.name.written())
            );
            self.found.diagnostics.push(Diagnostic::error(codes::DERIVED_EFFECT, atom.name.span, message));
            return None;
        }
        Some((predicate, objects(&terms)))
    }

    fn twice(&mut self, atom: &Atom, first: Span) {
        self.duplicates += 1;
        if self.duplicates <= MAX_DUPLICATES {
            let twice = Diagnostic::warning(lint::DUPLICATE_FACT, atom.span, "this fact stands twice");
            let fix = Fix::replace("remove it", Applicability::Safe, atom.span, "");
            self.found.diagnostics.push(twice.with_related(first, "the first one").with_fix(fix));
        }
    }

    fn value(&mut self, function: &Atom, value: f64, span: Span) {
        let Some((id, terms)) = self.resolver.call(function) else { return };
        let key = (id, objects(&terms));
        if let Some(&(before, first)) = self.values.get(&key) {
            let same = before.to_bits() == value.to_bits();
            let diagnostic = if same {
                let twice = Diagnostic::warning(lint::DUPLICATE_FACT, span, "this value is given twice");
                twice.with_fix(Fix::replace("remove it", Applicability::Safe, span, ""))
            } else {
                let message = format!("this function has the value {before} already");
                Diagnostic::error(codes::CONTRADICTED_FACT, span, message)
            };
            return self.found.diagnostics.push(diagnostic.with_related(first, "the first one"));
        }
        self.values.insert(key.clone(), (value, span));
        self.found.initial.fluents.push(FluentChange { function: key.0, arguments: key.1, value });
    }

    fn object_value(&mut self, function: &Atom, name: &crate::ast::Name) {
        let message = format!("a number is expected, found `{}`", excerpt(name.written()));
        let found = Diagnostic::error(codes::OBJECT_FLUENT, name.span, message);
        self.found.diagnostics.push(found.with_help("functions whose values are objects are not supported"));
        self.resolver.call(function);
    }
}

/// The objects that terms without variables are.
fn objects(terms: &[goalspec_core::condition::Term]) -> Arguments {
    let object = |term: &goalspec_core::condition::Term| match term {
        goalspec_core::condition::Term::Object(object) => Some(*object),
        _ => None,
    };
    terms.iter().filter_map(object).collect()
}
