//! Lowering of the initial state.

use std::hash::BuildHasher as _;

use goalspec_core::ids::{FunctionId, ObjectId, PredicateId, TypeId};
use goalspec_core::state::{Delta, FactChange, FluentChange, ObjectArguments};
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::{Diagnostic, Fix, Span};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::ast::{Atom, InitEntry, Name, Problem};
use crate::codes;
use crate::domain::ResolvedDomain;
use crate::lint::codes as lint;
use crate::parse::excerpt;
use crate::resolve::Resolver;
use crate::vocabulary::ObjectTable;

/// Maximum number of duplicate facts that are reported individually.
const MAX_DUPLICATES: usize = 50;

/// Number of errors after which the remaining entries are skipped.
const MAX_ERRORS: usize = 500;

/// The initial state of a task, with diagnostics.
#[derive(Debug, Default)]
pub(super) struct LoweredInit {
    pub(super) initial: Delta,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) unplanned: Vec<Diagnostic>,
}

/// Lowers `(:init ..)`.
pub(super) fn read(problem: &Problem, model: &ResolvedDomain, objects: &ObjectTable) -> LoweredInit {
    let mut diagnostics = Vec::new();
    let reader = InitLowerer {
        resolver: Resolver::new(&model.vocabulary, objects, &mut diagnostics),
        model,
        known: WordCache::new(model, objects),
        facts: FxHashMap::with_capacity_and_hasher(problem.init.len(), FxBuildHasher),
        places: Vec::with_capacity(problem.init.len()),
        values: FxHashMap::default(),
        negated: Vec::new(),
        duplicates: 0,
        found: LoweredInit::default(),
    };
    let mut facts = reader.read(&problem.init);
    facts.diagnostics.append(&mut diagnostics);
    facts
}

struct InitLowerer<'p> {
    resolver: Resolver<'p>,
    model: &'p ResolvedDomain,
    known: WordCache<'p>,
    /// An open-addressing index of the facts: for each hash, or one of the following numbers on a collision, the index of the
    /// fact.
    facts: FxHashMap<u64, u32>,
    /// The span of each fact.
    places: Vec<Span>,
    /// The values of functions, each with its span.
    values: FxHashMap<(FunctionId, ObjectArguments), (f64, Span)>,
    negated: Vec<(PredicateId, ObjectArguments, Span)>,
    duplicates: usize,
    found: LoweredInit,
}

impl InitLowerer<'_> {
    fn read(mut self, init: &[InitEntry]) -> LoweredInit {
        self.found.initial.facts.reserve(init.len());
        for entry in init {
            // Diagnostics of the resolver in `(:init ..)` are always errors, since ground facts have no variables to warn
            // about.
            if self.resolver.diagnostics.len() >= MAX_ERRORS {
                let message = format!("{MAX_ERRORS} errors in `(:init ..)`; the rest of the section is not checked");
                let diagnostic = Diagnostic::error(codes::TOO_MANY, entry.span(), message);
                self.found.diagnostics.push(diagnostic);
                break;
            }
            self.entry(entry);
        }
        for (predicate, arguments, span) in std::mem::take(&mut self.negated) {
            if let Err(first) = self.look_up(predicate, &arguments) {
                let message = "the fact is both asserted and negated in the initial state";
                let contradiction = Diagnostic::error(codes::CONTRADICTED_FACT, span, message);
                self.found.diagnostics.push(contradiction.with_related(first, "asserted here"));
            }
        }
        if self.duplicates > MAX_DUPLICATES {
            let omitted = self.duplicates - MAX_DUPLICATES;
            if let Some(last) = self.found.diagnostics.iter_mut().rfind(|last| last.code == lint::DUPLICATE_FACT) {
                last.help.push(format!("and {omitted} more duplicate facts"));
            }
        }
        self.found
    }

    fn entry(&mut self, entry: &InitEntry) {
        match entry {
            InitEntry::Fact(atom) => {
                let Some((predicate, arguments)) = self.fact(atom) else { return };
                match self.look_up(predicate, &arguments) {
                    Ok(index) => self.facts.insert(index, self.places.len() as u32),
                    Err(first) => return self.report_duplicate(atom, first),
                };
                self.places.push(atom.span);
                self.found.initial.facts.push(FactChange { predicate, arguments, holds: true });
            }
            InitEntry::Negated(atom) => {
                let Some((predicate, arguments)) = self.fact(atom) else { return };
                self.negated.push((predicate, arguments, atom.span));
            }
            InitEntry::Value(function, value, span) => self.value(function, *value, *span),
            InitEntry::ObjectValue(function, name) => self.object_value(function, name),
            InitEntry::Timed(_, inner, span) => {
                let message = "timed initial literals are not supported by planning";
                let not_planned = Diagnostic::error(codes::UNSUPPORTED, *span, message);
                self.found.unplanned.push(not_planned.with_help("they are only parsed, checked and formatted"));
                // The literal does not hold initially but must be valid.
                match &**inner {
                    InitEntry::Fact(atom) | InitEntry::Negated(atom) => drop(self.fact(atom)),
                    InitEntry::Value(function, ..) => drop(self.resolver.call(function)),
                    InitEntry::ObjectValue(function, name) => self.object_value(function, name),
                    InitEntry::Timed(_, _, span) => {
                        let message = "nested timed initial literal";
                        self.found.diagnostics.push(Diagnostic::error(codes::UNEXPECTED, *span, message));
                    }
                }
            }
        }
    }

    /// Returns the span of an equal fact as an error, else the key under which a new fact is stored.
    fn look_up(&self, predicate: PredicateId, arguments: &ObjectArguments) -> Result<u64, Span> {
        let mut number = FxBuildHasher.hash_one((predicate, arguments));
        while let Some(&place) = self.facts.get(&number) {
            let fact = &self.found.initial.facts[place as usize];
            if fact.predicate == predicate && fact.arguments == *arguments {
                return Err(self.places[place as usize]);
            }
            number = number.wrapping_add(1);
        }
        Ok(number)
    }

    fn fact(&mut self, atom: &Atom) -> Option<(PredicateId, ObjectArguments)> {
        if let Some(fact) = self.known.fact(atom) {
            return Some(fact);
        }
        let (predicate, terms) = self.resolver.predicate_call(atom)?;
        if self.model.is_derived(predicate) {
            let message =
                format!("derived predicate `{}` is not allowed in the initial state", excerpt(atom.name.written()));
            self.found.diagnostics.push(Diagnostic::error(codes::DERIVED_EFFECT, atom.name.span, message));
            return None;
        }
        let arguments = objects(&terms);
        self.known.note(atom, predicate, &arguments);
        Some((predicate, arguments))
    }

    fn report_duplicate(&mut self, atom: &Atom, first: Span) {
        self.duplicates += 1;
        if self.duplicates <= MAX_DUPLICATES {
            let diagnostic = Diagnostic::warning(lint::DUPLICATE_FACT, atom.span, "duplicate fact");
            let fix = Fix::replace("remove it", Applicability::Safe, atom.span, "");
            self.found.diagnostics.push(diagnostic.with_related(first, "first occurrence").with_fix(fix));
        }
    }

    fn value(&mut self, function: &Atom, value: f64, span: Span) {
        let Some((id, terms)) = self.resolver.call(function) else { return };
        let key = (id, objects(&terms));
        if let Some(&(previous, first)) = self.values.get(&key) {
            let is_same = previous.to_bits() == value.to_bits();
            let diagnostic = if is_same {
                let diagnostic = Diagnostic::warning(lint::DUPLICATE_FACT, span, "duplicate initial value");
                diagnostic.with_fix(Fix::replace("remove it", Applicability::Safe, span, ""))
            } else {
                let message = format!("contradictory initial value; the first value is {previous}");
                Diagnostic::error(codes::CONTRADICTED_FACT, span, message)
            };
            return self.found.diagnostics.push(diagnostic.with_related(first, "first occurrence"));
        }
        self.values.insert(key.clone(), (value, span));
        self.found.initial.fluents.push(FluentChange { function: key.0, arguments: key.1, value });
    }

    fn object_value(&mut self, function: &Atom, name: &Name) {
        let message = format!("expected a number, found `{}`", excerpt(name.written()));
        let found = Diagnostic::error(codes::OBJECT_FLUENT, name.span, message);
        let help = if is_not_finite(name.text()) {
            "write a finite number, or omit the value of a function that is undefined".to_owned()
        } else {
            let words = std::iter::once(&function.name).chain(&function.arguments).chain([name]);
            let fact = words.map(|word| excerpt(word.written())).collect::<Vec<_>>().join(" ");
            format!("functions have numeric values: use a predicate, such as `({fact})`")
        };
        self.found.diagnostics.push(found.with_help(help));
        self.resolver.call(function);
    }
}

/// Whether a word denotes a floating-point value that is not finite, such as `nan` or `-inf`.
fn is_not_finite(word: &str) -> bool {
    word.parse::<f64>().is_ok_and(|value| !value.is_finite())
}

/// A cache of resolved words: valid facts whose words are cached are lowered without name resolution.
struct WordCache<'p> {
    model: &'p ResolvedDomain,
    objects: &'p ObjectTable,
    /// By word index: the identity of the word, and the predicate.
    predicates: Vec<(usize, PredicateId)>,
    /// By word index: the identity of the word, and the object with its only type.
    terms: Vec<(usize, ObjectId, TypeId)>,
}

impl<'p> WordCache<'p> {
    fn new(model: &'p ResolvedDomain, objects: &'p ObjectTable) -> Self {
        Self { model, objects, predicates: Vec::new(), terms: Vec::new() }
    }

    /// Returns the fact of an atom if all its words are cached and its arguments have the right types.
    fn fact(&self, atom: &Atom) -> Option<(PredicateId, ObjectArguments)> {
        let &(identity, predicate) = self.predicates.get(atom.name.word_index as usize)?;
        let vocabulary = &self.model.vocabulary;
        let parameters = &vocabulary.predicates.get(predicate.index()).parameters;
        if identity != atom.name.identity() || parameters.len() != atom.arguments.len() {
            return None;
        }
        let mut arguments = ObjectArguments::new();
        for (name, parameter) in atom.arguments.iter().zip(parameters) {
            let &(identity, object, type_id) = self.terms.get(name.word_index as usize)?;
            let fits = parameter.types.iter().any(|&expected| vocabulary.types.is_below(type_id, expected));
            if identity != name.identity() || !fits {
                return None;
            }
            arguments.push(object);
        }
        Some((predicate, arguments))
    }

    /// Caches the words of a fact.
    fn note(&mut self, atom: &Atom, predicate: PredicateId, arguments: &ObjectArguments) {
        put(&mut self.predicates, &atom.name, (atom.name.identity(), predicate), (0, PredicateId(0)));
        for (name, &object) in atom.arguments.iter().zip(arguments) {
            if let [type_id] = self.objects.get(object).types[..] {
                put(&mut self.terms, name, (name.identity(), object, type_id), (0, ObjectId(0), TypeId(0)));
            }
        }
    }
}

/// Stores a value at the index of a word.
fn put<T: Copy>(list: &mut Vec<T>, name: &Name, value: T, nothing: T) {
    let place = name.word_index as usize;
    if place >= list.len() {
        list.resize(place + 1, nothing);
    }
    list[place] = value;
}

/// Returns the objects of ground terms.
fn objects(terms: &[goalspec_core::condition::Term]) -> ObjectArguments {
    let object = |term: &goalspec_core::condition::Term| match term {
        goalspec_core::condition::Term::Object(object) => Some(*object),
        _ => None,
    };
    terms.iter().filter_map(object).collect()
}
