//! Declarations of attributes, predicates and functions.

use std::sync::Arc;

use smallvec::SmallVec;

use super::operation::{FunctionMeaning, PredicateMeaning};
use crate::ids::{AttributeMask, FunctionId, ObjectId, PredicateId, TypeId};
use crate::value::{Kind, Value};

/// An attribute of objects.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeDecl {
    /// Its name.
    pub name: Arc<str>,
    /// The kind of its values.
    pub kind: Kind,
    /// The types whose objects have it.
    pub of: Vec<TypeId>,
    /// The value before any is recorded.
    pub default: Option<Value>,
    /// Whether an object without a value counts as absent.
    pub required: bool,
    /// One line about it.
    pub doc: Arc<str>,
}

impl AttributeDecl {
    /// An attribute of the objects of these types, without a default and not required.
    pub fn new(name: impl Into<Arc<str>>, kind: Kind, of: &[TypeId]) -> Self {
        let (default, required, doc) = (None, false, Arc::default());
        Self { name: name.into(), kind, of: of.to_vec(), default, required, doc }
    }

    /// With a value that holds before any is recorded.
    #[must_use]
    pub fn with_default(mut self, value: Value) -> Self {
        self.default = Some(value);
        self
    }

    /// Objects without a value count as absent.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }
}

/// What a predicate or function takes at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Objects of any of these types.
    pub types: Vec<TypeId>,
    /// Whether a type name may stand here as well.
    pub accepts_type: bool,
    /// Whether the argument may be left out; only the last ones can.
    pub optional: bool,
}

impl Parameter {
    /// An object of any of these types.
    pub fn of(types: &[TypeId]) -> Self {
        Self { types: types.to_vec(), accepts_type: false, optional: false }
    }

    /// The least and the greatest number of arguments that the parameters admit.
    pub fn arity(parameters: &[Self]) -> (usize, usize) {
        (parameters.iter().filter(|parameter| !parameter.optional).count(), parameters.len())
    }
}

/// A predicate.
#[derive(Debug, Clone, PartialEq)]
pub struct PredicateDecl {
    /// Its name.
    pub name: Arc<str>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What it means.
    pub meaning: PredicateMeaning,
    /// What evaluating it reads; [`WorldBuilder`](super::WorldBuilder) finds it out.
    pub reads: Reads,
    /// One line about it, in plain words.
    pub doc: Arc<str>,
    /// Words for descriptions, with `{0}`, `{1}` for the arguments: `{0} is on {1}`.
    pub phrase: Arc<str>,
}

impl PredicateDecl {
    /// A predicate without documentation.
    pub fn new(name: impl Into<Arc<str>>, parameters: Vec<Parameter>, meaning: PredicateMeaning) -> Self {
        let (doc, phrase) = (Arc::default(), Arc::default());
        Self { name: name.into(), parameters, meaning, reads: Reads::default(), doc, phrase }
    }
}

/// A numeric function.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionDecl {
    /// Its name.
    pub name: Arc<str>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What it means.
    pub meaning: FunctionMeaning,
    /// What evaluating it reads; [`WorldBuilder`](super::WorldBuilder) finds it out.
    pub reads: Reads,
    /// One line about it, in plain words.
    pub doc: Arc<str>,
    /// Words for descriptions, with `{0}`, `{1}` for the arguments.
    pub phrase: Arc<str>,
}

impl FunctionDecl {
    /// A function without documentation.
    pub fn new(name: impl Into<Arc<str>>, parameters: Vec<Parameter>, meaning: FunctionMeaning) -> Self {
        let (doc, phrase) = (Arc::default(), Arc::default());
        Self { name: name.into(), parameters, meaning, reads: Reads::default(), doc, phrase }
    }
}

/// A predicate or a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A predicate.
    Predicate(PredicateId),
    /// A function.
    Function(FunctionId),
}

/// One evaluated argument.
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

/// What the value of a predicate or function depends on, so that engines evaluate it again only when one of these changed.
/// Nothing at all: the value never changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reads {
    /// Attributes of the i-th argument.
    pub arguments: SmallVec<[AttributeMask; 4]>,
    /// Attributes of fixed objects, such as what the agent holds.
    pub others: Vec<(ObjectId, AttributeMask)>,
    /// Stored predicates.
    pub facts: Vec<PredicateId>,
    /// Stored functions.
    pub fluents: Vec<FunctionId>,
    /// Attributes of any object at all: the value must be taken as changed whenever one of these changes anywhere.
    pub anywhere: AttributeMask,
    /// Whether it depends on which objects are present, because it ranges over all of some type.
    pub presence: bool,
    /// Whether it depends on the play and not only on the state: on being the first or last state, or on what the setup
    /// has settled on. Such values are computed anew for every state.
    pub play: bool,
}

impl Reads {
    /// Adds what another predicate or function reads that is applied to the same arguments.
    pub fn merge(&mut self, other: &Self) {
        if self.arguments.len() < other.arguments.len() {
            self.arguments.resize(other.arguments.len(), AttributeMask::NONE);
        }
        for (mine, &mask) in self.arguments.iter_mut().zip(&other.arguments) {
            *mine |= mask;
        }
        self.merge_rest(other);
    }

    /// Adds what another predicate or function reads beyond its arguments.
    pub fn merge_rest(&mut self, other: &Self) {
        for &(object, mask) in &other.others {
            self.add_other(object, mask);
        }
        self.facts.extend(other.facts.iter().filter(|id| !self.facts.contains(id)).copied().collect::<Vec<_>>());
        self.fluents.extend(other.fluents.iter().filter(|id| !self.fluents.contains(id)).copied().collect::<Vec<_>>());
        self.anywhere |= other.anywhere;
        self.presence |= other.presence;
        self.play |= other.play;
    }

    /// Adds attributes of a fixed object.
    pub fn add_other(&mut self, object: ObjectId, mask: AttributeMask) {
        match self.others.iter_mut().find(|(other, _)| *other == object) {
            _ if mask.is_empty() => {}
            Some((_, seen)) => *seen |= mask,
            None => self.others.push((object, mask)),
        }
    }

    /// Whether the value can never change.
    pub fn is_static(&self) -> bool {
        self.arguments.iter().all(|mask| mask.is_empty())
            && self.others.is_empty()
            && self.facts.is_empty()
            && self.fluents.is_empty()
            && self.anywhere.is_empty()
            && !self.presence
            && !self.play
    }
}
