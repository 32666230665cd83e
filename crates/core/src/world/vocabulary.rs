//! Declarations of attributes, predicates and functions.

use std::sync::Arc;

use smallvec::SmallVec;

use super::operation::{FunctionDefinition, PredicateDefinition};
use crate::ids::{AttributeMask, FunctionId, ObjectId, PredicateId, TypeId};
use crate::value::{Value, ValueKind};

/// An attribute of objects.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeDecl {
    /// The name.
    pub name: Arc<str>,
    /// The kind of its values.
    pub kind: ValueKind,
    /// The types whose objects have it.
    pub types: Vec<TypeId>,
    /// The value until one is recorded.
    pub default: Option<Value>,
    /// Whether an object without a value is absent.
    pub required: bool,
    /// One line of documentation.
    pub doc: Arc<str>,
}

impl AttributeDecl {
    /// Creates an attribute of the objects of the given types, optional and without a default value.
    pub fn new(name: impl Into<Arc<str>>, kind: ValueKind, of: &[TypeId]) -> Self {
        let (default, required, doc) = (None, false, Arc::default());
        Self { name: name.into(), kind, types: of.to_vec(), default, required, doc }
    }

    /// Sets the value until one is recorded.
    #[must_use]
    pub fn with_default(mut self, value: Value) -> Self {
        self.default = Some(value);
        self
    }

    /// Makes the attribute required: objects without a value are absent.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }
}

/// A parameter of a predicate or function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The types of the objects that it accepts, which are their union.
    pub types: Vec<TypeId>,
    /// Whether it also accepts the name of a type.
    pub accepts_type: bool,
    /// Whether the argument may be omitted; only trailing arguments can be.
    pub optional: bool,
}

impl Parameter {
    /// Creates a required parameter that accepts objects of any of the given types.
    pub fn of(types: &[TypeId]) -> Self {
        Self { types: types.to_vec(), accepts_type: false, optional: false }
    }

    /// Returns the minimum and maximum number of arguments for the given parameters.
    pub fn arity(parameters: &[Self]) -> (usize, usize) {
        (parameters.iter().filter(|parameter| !parameter.optional).count(), parameters.len())
    }
}

/// A predicate.
#[derive(Debug, Clone, PartialEq)]
pub struct PredicateDecl {
    /// The name.
    pub name: Arc<str>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The definition of its truth.
    pub definition: PredicateDefinition,
    /// The inputs of its evaluation, computed by [`WorldBuilder`](super::WorldBuilder).
    pub dependencies: Dependencies,
    /// One line of documentation, in plain language.
    pub doc: Arc<str>,
    /// A template for natural-language descriptions, with `{0}`, `{1}` for the arguments: `{0} is on {1}`.
    pub phrase: Arc<str>,
}

impl PredicateDecl {
    /// Creates a predicate without documentation.
    pub fn new(name: impl Into<Arc<str>>, parameters: Vec<Parameter>, meaning: PredicateDefinition) -> Self {
        let (doc, phrase) = (Arc::default(), Arc::default());
        Self { name: name.into(), parameters, definition: meaning, dependencies: Dependencies::default(), doc, phrase }
    }
}

/// A numeric function.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionDecl {
    /// The name.
    pub name: Arc<str>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The definition of its value.
    pub definition: FunctionDefinition,
    /// The inputs of its evaluation, computed by [`WorldBuilder`](super::WorldBuilder).
    pub reads: Dependencies,
    /// One line of documentation, in plain language.
    pub doc: Arc<str>,
    /// A template for natural-language descriptions, with `{0}`, `{1}` for the arguments.
    pub phrase: Arc<str>,
}

impl FunctionDecl {
    /// Creates a function without documentation.
    pub fn new(name: impl Into<Arc<str>>, parameters: Vec<Parameter>, meaning: FunctionDefinition) -> Self {
        let (doc, phrase) = (Arc::default(), Arc::default());
        Self { name: name.into(), parameters, definition: meaning, reads: Dependencies::default(), doc, phrase }
    }
}

/// The target of a call: a predicate or a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A predicate.
    Predicate(PredicateId),
    /// A function.
    Function(FunctionId),
}

/// An argument after evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Argument {
    /// An object.
    Object(ObjectId),
    /// A type.
    Type(TypeId),
}

impl From<ObjectId> for Argument {
    fn from(object: ObjectId) -> Self {
        Self::Object(object)
    }
}

impl From<TypeId> for Argument {
    fn from(id: TypeId) -> Self {
        Self::Type(id)
    }
}

/// The inputs of a predicate or function: its value has to be computed anew only when one of them changes. If there are none, the value is
/// constant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dependencies {
    /// The attributes read of the i-th argument.
    pub arguments: SmallVec<[AttributeMask; 4]>,
    /// The attributes read of fixed objects, such as the object that the agent holds.
    pub fixed_objects: Vec<(ObjectId, AttributeMask)>,
    /// The stored predicates.
    pub facts: Vec<PredicateId>,
    /// The stored functions.
    pub fluents: Vec<FunctionId>,
    /// The attributes read of arbitrary objects: a change of one of them on any object invalidates the value.
    pub any_object: AttributeMask,
    /// Whether the value depends on which objects are present, because it ranges over all objects of a type.
    pub presence: bool,
    /// Whether the value depends on the run and not only on the state: on whether the state is the first or the last, or on the objects of
    /// the setup. Such values are recomputed in every state.
    pub run: bool,
}

impl Dependencies {
    /// Adds the inputs of another predicate or function that is applied to the same arguments.
    pub fn merge(&mut self, other: &Self) {
        if self.arguments.len() < other.arguments.len() {
            self.arguments.resize(other.arguments.len(), AttributeMask::NONE);
        }
        for (own, &mask) in self.arguments.iter_mut().zip(&other.arguments) {
            *own |= mask;
        }
        self.merge_except_arguments(other);
    }

    /// Adds the inputs of another predicate or function except those read of its arguments.
    pub fn merge_except_arguments(&mut self, other: &Self) {
        for &(object, mask) in &other.fixed_objects {
            self.add_other(object, mask);
        }
        self.facts.extend(other.facts.iter().filter(|id| !self.facts.contains(id)).copied().collect::<Vec<_>>());
        self.fluents.extend(other.fluents.iter().filter(|id| !self.fluents.contains(id)).copied().collect::<Vec<_>>());
        self.any_object |= other.any_object;
        self.presence |= other.presence;
        self.run |= other.run;
    }

    /// Adds attributes of a fixed object.
    pub fn add_other(&mut self, object: ObjectId, mask: AttributeMask) {
        match self.fixed_objects.iter_mut().find(|(other, _)| *other == object) {
            _ if mask.is_empty() => {}
            Some((_, seen)) => *seen |= mask,
            None => self.fixed_objects.push((object, mask)),
        }
    }

    /// Whether the value is constant.
    pub fn is_static(&self) -> bool {
        self.arguments.iter().all(|mask| mask.is_empty())
            && self.fixed_objects.is_empty()
            && self.facts.is_empty()
            && self.fluents.is_empty()
            && self.any_object.is_empty()
            && !self.presence
            && !self.run
    }
}
