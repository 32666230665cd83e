//! Problems with the declarations of a world.

use std::fmt;
use std::sync::Arc;

use crate::ids::{AttributeId, FunctionId, ObjectId, PredicateId, TypeId};
use crate::limits::{MAX_DEFINITION_DEPTH, MAX_DEFINITION_SIZE};
use crate::value::ValueKind;

/// The declaration that a problem is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeclarationRef {
    /// The world as a whole.
    World,
    /// A type.
    Type(TypeId),
    /// An object.
    Object(ObjectId),
    /// The alias with this index, in the order of addition.
    Alias(usize),
    /// The name for programs with this index, in the order of addition.
    ProgramName(usize),
    /// An attribute.
    Attribute(AttributeId),
    /// A predicate.
    Predicate(PredicateId),
    /// A function.
    Function(FunctionId),
    /// The initial value with this index, in the order of addition.
    Initial(usize),
    /// The mapping from recordings to attributes.
    Recording,
}

/// A problem that prevents a world from being built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldError {
    /// The declaration.
    pub declaration: DeclarationRef,
    /// The problem.
    pub kind: WorldErrorKind,
}

/// A kind of problem with a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorldErrorKind {
    /// The name is taken.
    Duplicate {
        /// The kind of declaration that has the name, with its article: `a type`, `an object`.
        kind: &'static str,
        /// The name.
        name: Arc<str>,
    },
    /// The name contains characters that languages cannot write in a name.
    BadName(Arc<str>),
    /// An id that is not declared; the kind of id, with its article.
    UnknownId(&'static str),
    /// An object, attribute or parameter has no type.
    NoType,
    /// An optional parameter is followed by a required one.
    OptionalNotLast,
    /// A value or use does not fit the kind of the attribute.
    WrongKind {
        /// The attribute.
        attribute: Arc<str>,
        /// The kind of the attribute.
        kind: ValueKind,
        /// The kind that the declaration needs.
        wanted: &'static str,
    },
    /// A number is infinite or NaN.
    NotFinite,
    /// A value is given for an object that does not have the attribute.
    NotAnAttributeOf {
        /// The attribute.
        attribute: Arc<str>,
        /// The object.
        object: Arc<str>,
    },
    /// The meaning does not fit the parameters.
    WrongParameters(&'static str),
    /// A predicate or function is used with too few or too many arguments.
    WrongArity {
        /// The predicate or function.
        name: Arc<str>,
        /// The number of arguments.
        given: usize,
    },
    /// A type name is used where the predicate or function accepts objects only.
    TypeNotAccepted(Arc<str>),
    /// Cyclic definitions; the names along the cycle.
    Cycle(Vec<Arc<str>>),
    /// A definition is too deeply nested or, when expanded, too large.
    TooComplex,
    /// A limit on the size of worlds is exceeded.
    TooMany {
        /// The limited items.
        items: &'static str,
        /// The limit.
        limit: usize,
    },
    /// An object has a type whose objects recordings may not declare.
    NotDiscoverable(Arc<str>),
}

impl fmt::Display for WorldErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { kind, name } => write!(f, "`{name}` is already declared as {kind}"),
            Self::BadName(name) => write!(
                f,
                "invalid name `{name}`: names are not empty and contain no spaces, double quotes, parentheses or semicolons"
            ),
            Self::UnknownId(kind) => write!(f, "reference to {kind} that is not declared"),
            Self::NoType => write!(f, "at least one type is required"),
            Self::OptionalNotLast => write!(f, "only the last parameters can be optional"),
            Self::WrongKind { attribute, kind, wanted } => {
                write!(f, "attribute `{attribute}` is of kind {}, expected {wanted}", kind.name())
            }
            Self::NotFinite => write!(f, "numbers must be finite"),
            Self::NotAnAttributeOf { attribute, object } => write!(f, "`{object}` has no attribute `{attribute}`"),
            Self::WrongParameters(rule) => write!(f, "{rule}"),
            Self::WrongArity { name, given } => write!(f, "`{name}` does not take {given} arguments"),
            Self::TypeNotAccepted(name) => write!(f, "expected an object as argument of `{name}`, found a type"),
            Self::Cycle(names) => write!(f, "cyclic definitions: {}", names.join(" -> ")),
            Self::TooComplex => write!(
                f,
                "the expanded definition exceeds the limit of depth {MAX_DEFINITION_DEPTH} or of size {MAX_DEFINITION_SIZE}"
            ),
            Self::TooMany { items, limit } => write!(f, "a world has at most {limit} {items}"),
            Self::NotDiscoverable(name) => write!(f, "recordings cannot add objects of type `{name}` to this world"),
        }
    }
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.declaration {
            DeclarationRef::World | DeclarationRef::Recording => write!(f, "{}", self.kind),
            DeclarationRef::Type(id) => write!(f, "type {}: {}", id.0, self.kind),
            DeclarationRef::Object(id) => write!(f, "object {}: {}", id.0, self.kind),
            DeclarationRef::Alias(at) => write!(f, "alias {at}: {}", self.kind),
            DeclarationRef::ProgramName(at) => write!(f, "term {at}: {}", self.kind),
            DeclarationRef::Attribute(id) => write!(f, "attribute {}: {}", id.0, self.kind),
            DeclarationRef::Predicate(id) => write!(f, "predicate {}: {}", id.0, self.kind),
            DeclarationRef::Function(id) => write!(f, "function {}: {}", id.0, self.kind),
            DeclarationRef::Initial(at) => write!(f, "initial value {at}: {}", self.kind),
        }
    }
}

impl std::error::Error for WorldError {}
