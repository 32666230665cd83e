//! The names that a program may use, in one form for all languages: types, objects, predicates, functions and actions.

mod build;

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use goalspec::syntax::symbols::SymbolKind;
use rustc_hash::FxHashMap;

pub(crate) use build::of_document;

/// The index of a type in its vocabulary.
pub(crate) type TypeIndex = usize;

/// A type of objects.
#[derive(Debug, Clone)]
pub(crate) struct TypeEntry {
    pub(crate) name: Arc<str>,
    pub(crate) parents: Vec<TypeIndex>,
    /// The number of objects of a type of a world, where programs may name only some of them.
    pub(crate) count: Option<usize>,
}

/// An object, constant or instance.
#[derive(Debug, Clone)]
pub(crate) struct ObjectEntry {
    pub(crate) name: Arc<str>,
    pub(crate) types: Vec<TypeIndex>,
}

/// A parameter of an operation.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParameterEntry {
    /// The name with its question mark; empty if it has none.
    pub(crate) name: String,
    /// The accepted types; empty if every object is accepted.
    pub(crate) types: Vec<TypeIndex>,
    pub(crate) optional: bool,
}

/// A predicate, function or action.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) kind: SymbolKind,
    pub(crate) name: Arc<str>,
    pub(crate) parameters: Vec<ParameterEntry>,
    /// One line of documentation; may be empty.
    pub(crate) doc: Arc<str>,
    /// A template of a description, with `{0}` for the first argument; may be empty.
    pub(crate) phrase: Arc<str>,
}

/// The names that a program may use.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vocabulary {
    pub(crate) types: Vec<TypeEntry>,
    pub(crate) objects: Vec<ObjectEntry>,
    pub(crate) operations: Vec<Operation>,
    types_by_name: FxHashMap<String, TypeIndex>,
}

impl Vocabulary {
    /// Returns the type of a name; names are compared without regard to case.
    pub(crate) fn type_named(&self, name: &str) -> Option<TypeIndex> {
        self.types_by_name.get(&name.to_ascii_lowercase()).copied()
    }

    /// Adds a type, unless it is known. Returns its index.
    pub(crate) fn add_type(&mut self, name: &str) -> TypeIndex {
        let next = self.types.len();
        let index = *self.types_by_name.entry(name.to_ascii_lowercase()).or_insert(next);
        if index == next {
            self.types.push(TypeEntry { name: name.into(), parents: Vec::new(), count: None });
        }
        index
    }

    /// Whether a type equals another one or is below it.
    pub(crate) fn is_subtype(&self, sub: TypeIndex, of: TypeIndex) -> bool {
        let mut open = vec![sub];
        let mut seen = vec![false; self.types.len()];
        while let Some(at) = open.pop() {
            if at == of {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(&self.types[at].parents);
            }
        }
        false
    }

    /// Whether an object of one of the types may be of one of the expected types; an empty list stands for every type.
    pub(crate) fn may_fit(&self, types: &[TypeIndex], expected: &[TypeIndex]) -> bool {
        let related =
            |one: &TypeIndex, other: &TypeIndex| self.is_subtype(*one, *other) || self.is_subtype(*other, *one);
        types.is_empty()
            || expected.is_empty()
            || types.iter().any(|one| expected.iter().any(|other| related(one, other)))
    }

    /// Returns the operations of a name.
    pub(crate) fn operations_named<'v>(&'v self, name: &str) -> impl Iterator<Item = &'v Operation> {
        self.operations.iter().filter(move |operation| operation.name.eq_ignore_ascii_case(name))
    }

    /// Returns the operation of a kind and name.
    pub(crate) fn operation(&self, kind: SymbolKind, name: &str) -> Option<&Operation> {
        self.operations_named(name).find(|operation| operation.kind == kind)
    }

    /// Returns the object of a name.
    pub(crate) fn object(&self, name: &str) -> Option<&ObjectEntry> {
        self.objects.iter().find(|object| object.name.eq_ignore_ascii_case(name))
    }

    /// Returns the number of objects of a type.
    pub(crate) fn object_count(&self, of: TypeIndex) -> usize {
        if let Some(count) = self.types[of].count {
            return count;
        }
        self.objects.iter().filter(|object| object.types.iter().any(|&own| self.is_subtype(own, of))).count()
    }

    /// Returns the notation of types: `ball` or `(either ball cube)`; empty if there is none.
    pub(crate) fn types_text(&self, types: &[TypeIndex]) -> String {
        let names: Vec<&str> = types.iter().map(|&of| &*self.types[of].name).collect();
        match &names[..] {
            [] => String::new(),
            [one] => (*one).to_owned(),
            _ => format!("(either {})", names.join(" ")),
        }
    }

    /// Returns the notation of an operation, `(on ?x - block ?y - block)`, with the range of each parameter in it.
    pub(crate) fn signature(&self, operation: &Operation) -> (String, Vec<Range<usize>>) {
        let mut label = format!("({}", operation.name);
        let mut ranges = Vec::new();
        for (index, parameter) in operation.parameters.iter().enumerate() {
            label.push(' ');
            let start = label.len();
            let types = self.types_text(&parameter.types);
            // Writing to a string cannot fail.
            let _ = match (parameter.name.is_empty(), types.is_empty()) {
                (false, false) => write!(label, "{} - {types}", parameter.name),
                (false, true) => write!(label, "{}", parameter.name),
                (true, false) => write!(label, "{types}"),
                (true, true) => write!(label, "?{}", index + 1),
            };
            if parameter.optional {
                label.insert(start, '[');
                label.push(']');
            }
            ranges.push(start..label.len());
        }
        label.push(')');
        (label, ranges)
    }
}
