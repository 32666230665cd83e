//! The vocabulary of a domain: types, predicates, functions and objects.

use std::fmt::Write as _;
use std::sync::Arc;

use goalspec_core::ids::{FunctionId, ObjectId, PredicateId, TypeId};
use goalspec_syntax::{Diagnostic, Span, suggest};
use rustc_hash::FxHashMap;

use crate::ast::{Name, TypedNames};
use crate::codes;
use crate::parse::excerpt;
use crate::types::{OBJECT, TypeHierarchy};

/// A parameter of a predicate, function or action.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// The name.
    pub name: Name,
    /// The accepted types: the argument must be an object of one of them. Empty if the types are unknown.
    pub types: Vec<TypeId>,
}

/// The signature of a predicate or function.
#[derive(Debug, Clone)]
pub struct Signature {
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<Parameter>,
}

/// A symbol table of predicates or functions.
#[derive(Debug, Clone, Default)]
pub struct SignatureTable {
    list: Vec<Signature>,
    ids: FxHashMap<Arc<str>, usize>,
}

impl SignatureTable {
    /// Iterates over the signatures in the order of declaration.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Signature> {
        self.list.iter()
    }

    /// Returns the signature with an index.
    pub fn get(&self, index: usize) -> &Signature {
        &self.list[index]
    }

    /// Returns the index of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.ids.get(name).copied()
    }

    /// Iterates over the names as written.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.list.iter().map(|signature| signature.name.written())
    }

    /// Adds a signature. Reports a duplicate name.
    pub(crate) fn add(&mut self, signature: Signature, what: &str, diagnostics: &mut Vec<Diagnostic>) {
        if let Some(previous) = self.find(signature.name.text()) {
            let first = self.list[previous].name.span;
            diagnostics.push(declared_twice(&signature.name, first, what));
            return;
        }
        self.ids.insert(signature.name.shared(), self.list.len());
        self.list.push(signature);
    }
}

/// Returns the diagnostic for a duplicate declaration.
pub(crate) fn declared_twice(name: &Name, first: Span, what: &str) -> Diagnostic {
    let message = format!("{what} `{}` is declared twice", excerpt(name.written()));
    Diagnostic::error(codes::DUPLICATE_DECLARATION, name.span, message).with_related(first, "first declaration")
}

/// An object with its types.
#[derive(Debug, Clone)]
pub struct Object {
    /// The name.
    pub name: Name,
    /// The declared types.
    pub types: Vec<TypeId>,
}

/// A symbol table of objects: the constants of a domain, followed by the objects of a problem.
#[derive(Debug, Clone, Default)]
pub struct ObjectTable {
    list: Vec<Object>,
    ids: FxHashMap<Arc<str>, ObjectId>,
}

impl ObjectTable {
    /// Iterates over the objects in the order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Object> {
        self.list.iter()
    }

    /// Returns the object with an id.
    pub fn get(&self, id: ObjectId) -> &Object {
        &self.list[id.index()]
    }

    /// Returns the id of a name.
    pub fn find(&self, name: &str) -> Option<ObjectId> {
        self.ids.get(name).copied()
    }

    /// Returns the objects of at least one of some types.
    pub fn of_types(&self, types: &TypeHierarchy, type_ids: &[TypeId]) -> Vec<ObjectId> {
        let fits = |object: &Object| type_ids.iter().any(|&type_id| types.is_any_below(&object.types, type_id));
        let all = self.list.iter().enumerate();
        all.filter(|(_, object)| fits(object)).map(|(index, _)| ObjectId::from(index)).collect()
    }

    /// Adds objects. A duplicate object is reported and receives the additional types.
    pub(crate) fn add(&mut self, groups: &[TypedNames], types: &TypeHierarchy, diagnostics: &mut Vec<Diagnostic>) {
        for group in groups {
            let type_ids = types.resolve(group.type_ref.as_ref(), diagnostics);
            for name in &group.names {
                let Some(&id) = self.ids.get(name.text()) else {
                    self.ids.insert(name.shared(), ObjectId::from(self.list.len()));
                    self.list.push(Object { name: name.clone(), types: type_ids.clone() });
                    continue;
                };
                let object = &mut self.list[id.index()];
                let message = format!("object `{}` is declared twice", excerpt(name.written()));
                let diagnostic = Diagnostic::warning(codes::DUPLICATE_OBJECT, name.span, message);
                let diagnostic = diagnostic.with_related(object.name.span, "first declaration");
                let help = "it has both types; rename one of the two objects if they are different";
                diagnostics.push(if object.types == type_ids { diagnostic } else { diagnostic.with_help(help) });
                object.types.extend(&type_ids);
                object.types.sort_unstable();
                object.types.dedup();
            }
        }
    }

    /// Iterates over the names as written.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.list.iter().map(|object| object.name.written())
    }
}

/// The vocabulary of a domain.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// The types.
    pub types: TypeHierarchy,
    /// The predicates, by [`PredicateId`].
    pub predicates: SignatureTable,
    /// The functions, by [`FunctionId`].
    pub functions: SignatureTable,
}

impl Vocabulary {
    /// Returns the predicate of a name.
    pub fn predicate(&self, name: &str) -> Option<PredicateId> {
        self.predicates.find(name).map(PredicateId::from)
    }

    /// Returns the function of a name.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions.find(name).map(FunctionId::from)
    }

    /// Resolves parameters. A parameter with a duplicate name is reported and omitted.
    pub(crate) fn parameters(&self, groups: &[TypedNames], diagnostics: &mut Vec<Diagnostic>) -> Vec<Parameter> {
        let mut parameters = self.declared_parameters(groups, diagnostics);
        let mut first: FxHashMap<Arc<str>, Span> = FxHashMap::default();
        parameters.retain(|Parameter { name, .. }| {
            let Some(&previous) = first.get(name.text()) else {
                first.insert(name.shared(), name.span);
                return true;
            };
            diagnostics.push(declared_twice(name, previous, "parameter"));
            false
        });
        parameters
    }

    /// Resolves the parameters of a predicate or function. Their names have no meaning, so duplicates are accepted.
    pub(crate) fn declared_parameters(
        &self,
        groups: &[TypedNames],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for group in groups {
            let types = self.types.resolve(group.type_ref.as_ref(), diagnostics);
            parameters.extend(group.names.iter().map(|name| Parameter { name: name.clone(), types: types.clone() }));
        }
        parameters
    }

    /// Returns a declaration in PDDL notation: `(on ?x ?y - block)`.
    pub fn declaration(&self, signature: &Signature) -> String {
        let mut text = format!("({}", signature.name.written());
        for (index, parameter) in signature.parameters.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(text, " {}", parameter.name.written());
            let next = signature.parameters.get(index + 1);
            if parameter.types != [OBJECT] && next.is_none_or(|next| next.types != parameter.types) {
                let _ = write!(text, " - {}", self.types.describe(&parameter.types));
            }
        }
        text + ")"
    }
}

/// Adds the nearest known name to a diagnostic, or all known names if there are few and none is near.
pub(crate) fn with_suggestion<'a>(
    diagnostic: Diagnostic,
    name: &Name,
    candidates: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    /// Maximum number of names that are listed.
    const MAX_LISTED: usize = 12;
    /// Maximum number of names that are searched.
    const MAX_SEARCHED: usize = 1 << 14;
    let (diagnostic, has_suggestion) =
        suggest::with_nearest(diagnostic, name.text(), name.span, candidates.clone().take(MAX_SEARCHED));
    let names: Vec<&str> = candidates.take(MAX_LISTED + 1).collect();
    if has_suggestion || names.is_empty() || names.len() > MAX_LISTED {
        return diagnostic;
    }
    diagnostic.with_help(format!("known names: {}", names.join(", ")))
}
