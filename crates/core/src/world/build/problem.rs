//! What can be wrong with the declarations of a world.

use std::fmt;
use std::sync::Arc;

use crate::ids::{AttributeId, FunctionId, ObjectId, PredicateId, TypeId};
use crate::limits::{MAX_DEFINITION_DEPTH, MAX_DEFINITION_SIZE};
use crate::value::Kind;

/// Which declaration a problem is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The world as a whole.
    World,
    /// A type.
    Type(TypeId),
    /// An object.
    Object(ObjectId),
    /// The alias added at this position.
    Alias(usize),
    /// The name for programs added at this position.
    Term(usize),
    /// An attribute.
    Attribute(AttributeId),
    /// A predicate.
    Predicate(PredicateId),
    /// A function.
    Function(FunctionId),
    /// The initial value added at this position.
    Initial(usize),
    /// How recordings are read.
    Recording,
}

/// Why a world cannot be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What is wrong there.
    pub kind: ProblemKind,
}

/// What can be wrong with a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// The name is taken.
    Duplicate {
        /// What kind of thing has the name already: `type`, `object`..
        what: &'static str,
        /// The name.
        name: Arc<str>,
    },
    /// No language could write the name.
    BadName(Arc<str>),
    /// An id that nothing has been declared under.
    UnknownId(&'static str),
    /// An object, attribute or parameter without a type.
    NoType,
    /// An optional parameter before one that is not.
    OptionalNotLast,
    /// A value or use that does not fit the kind of the attribute.
    WrongKind {
        /// The attribute.
        attribute: Arc<str>,
        /// Its kind.
        kind: Kind,
        /// What the declaration needs.
        wanted: &'static str,
    },
    /// A number that is infinite or not a number.
    NotFinite,
    /// A value for an object that does not have the attribute.
    NotAnAttributeOf {
        /// The attribute.
        attribute: Arc<str>,
        /// The object.
        object: Arc<str>,
    },
    /// A meaning that does not go with the parameters.
    WrongParameters(&'static str),
    /// A predicate or function used with too few or too many arguments.
    WrongArity {
        /// What is used.
        name: Arc<str>,
        /// With how many arguments.
        given: usize,
    },
    /// A type name where the predicate or function takes objects only.
    TypeNotAccepted(Arc<str>),
    /// Definitions that use each other in a circle; the names on the way.
    Cycle(Vec<Arc<str>>),
    /// A definition that is too deeply nested or, spelled out, too large.
    TooComplex,
    /// More of something than a world may have.
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The most there may be.
        most: usize,
    },
    /// An object of a type that recordings may not add to.
    NotDiscoverable(Arc<str>),
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { what, name } => write!(f, "there is already {what} `{name}`"),
            Self::BadName(name) => write!(
                f,
                "`{name}` cannot be a name: names are not empty and contain no spaces, double quotes, parentheses or semicolons"
            ),
            Self::UnknownId(what) => write!(f, "refers to {what} that is not declared"),
            Self::NoType => write!(f, "needs at least one type"),
            Self::OptionalNotLast => write!(f, "only the last parameters can be optional"),
            Self::WrongKind { attribute, kind, wanted } => {
                write!(f, "attribute `{attribute}` is of kind {}, but {wanted} is needed here", kind.name())
            }
            Self::NotFinite => write!(f, "numbers must be finite"),
            Self::NotAnAttributeOf { attribute, object } => write!(f, "`{object}` has no attribute `{attribute}`"),
            Self::WrongParameters(rule) => write!(f, "{rule}"),
            Self::WrongArity { name, given } => write!(f, "`{name}` does not take {given} arguments"),
            Self::TypeNotAccepted(name) => write!(f, "`{name}` takes objects here, not a type"),
            Self::Cycle(names) => write!(f, "definitions use each other in a circle: {}", names.join(" -> ")),
            Self::TooComplex => write!(
                f,
                "spelled out, the definition is nested deeper than {MAX_DEFINITION_DEPTH} or larger than {MAX_DEFINITION_SIZE}"
            ),
            Self::TooMany { what, most } => write!(f, "a world has at most {most} {what}"),
            Self::NotDiscoverable(name) => write!(f, "recordings may not add objects of type `{name}` to this world"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::World | Place::Recording => write!(f, "{}", self.kind),
            Place::Type(id) => write!(f, "type {}: {}", id.0, self.kind),
            Place::Object(id) => write!(f, "object {}: {}", id.0, self.kind),
            Place::Alias(at) => write!(f, "alias {at}: {}", self.kind),
            Place::Term(at) => write!(f, "term {at}: {}", self.kind),
            Place::Attribute(id) => write!(f, "attribute {}: {}", id.0, self.kind),
            Place::Predicate(id) => write!(f, "predicate {}: {}", id.0, self.kind),
            Place::Function(id) => write!(f, "function {}: {}", id.0, self.kind),
            Place::Initial(at) => write!(f, "initial value {at}: {}", self.kind),
        }
    }
}

impl std::error::Error for Problem {}
