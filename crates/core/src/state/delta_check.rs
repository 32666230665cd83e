//! Validation of a delta against a world.

use std::sync::Arc;

use super::Delta;
use crate::ids::ObjectId;
use crate::value::{Value, ValueKind};
use crate::world::operation::{FunctionDefinition, PredicateDefinition};
use crate::world::{Parameter, World};

/// The reason why a delta is not of a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeltaError {
    /// An id is not one of the world.
    UnknownId {
        /// The kind of the id: `object`, `attribute`, `predicate` or `function`.
        kind: &'static str,
        /// The index.
        index: usize,
        /// The number of such items in the world.
        count: usize,
    },
    /// The object is of no type that has the attribute.
    NoSuchAttribute {
        /// The name of the object.
        object: Arc<str>,
        /// The name of the attribute.
        attribute: Arc<str>,
    },
    /// A value is of another kind than the attribute.
    WrongKind {
        /// The name of the object.
        object: Arc<str>,
        /// The name of the attribute.
        attribute: Arc<str>,
        /// The kind of the attribute.
        expected: ValueKind,
    },
    /// A number is infinite or not a number.
    NotFinite {
        /// The name of the attribute or function.
        name: Arc<str>,
    },
    /// A predicate or function has another number of arguments.
    WrongArity {
        /// The name of the predicate or function.
        name: Arc<str>,
        /// The maximum number of arguments.
        expected: usize,
        /// The number of arguments.
        found: usize,
    },
    /// An argument is not of the type of its parameter.
    WrongType {
        /// The name of the predicate or function.
        name: Arc<str>,
        /// The object.
        object: Arc<str>,
    },
    /// A predicate or function is computed from attributes, so it is not set.
    NotStored {
        /// The name of the predicate or function.
        name: Arc<str>,
    },
}

impl std::fmt::Display for DeltaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownId { kind, index, count } => write!(f, "{kind} {index} is unknown: the world has {count}"),
            Self::NoSuchAttribute { object, attribute } => write!(f, "`{object}` has no attribute `{attribute}`"),
            Self::WrongKind { object, attribute, expected } => {
                write!(f, "the attribute `{attribute}` of `{object}` must be of kind {}", expected.name())
            }
            Self::NotFinite { name } => write!(f, "the value of `{name}` is not a finite number"),
            Self::WrongArity { name, expected, found } => {
                write!(f, "`{name}` has {expected} parameters, but {found} arguments")
            }
            Self::WrongType { name, object } => write!(f, "`{object}` is not of the type of its parameter of `{name}`"),
            Self::NotStored { name } => write!(f, "`{name}` is computed from attributes, so it cannot be set"),
        }
    }
}

impl std::error::Error for DeltaError {}

impl Delta {
    /// Checks that the delta is of a world: its ids exist, its values are of the kinds of their attributes, and its facts and functions
    /// are stored ones. Time is proportional to the delta.
    ///
    /// # Errors
    /// The first part that is not of the world.
    pub fn check(&self, world: &World) -> Result<(), DeltaError> {
        if self.time.is_some_and(|time| !time.is_finite()) {
            return Err(DeltaError::NotFinite { name: "time".into() });
        }
        let objects = world.objects().len();
        let known = |object: &ObjectId| check_id("object", object.index(), objects);
        self.listed_objects.iter().chain(&self.removed).try_for_each(known)?;
        for change in &self.changes {
            known(&change.object)?;
            check_id("attribute", change.attribute.index(), world.attributes().len())?;
            let attribute = &world.attributes()[change.attribute.index()];
            let names = || (world.objects()[change.object.index()].id.clone(), attribute.name.clone());
            if !attribute.kind.matches(&change.value) {
                let (object, attribute_name) = names();
                return Err(DeltaError::WrongKind { object, attribute: attribute_name, expected: attribute.kind });
            }
            if !world.has_attribute(change.object, change.attribute) {
                let (object, attribute) = names();
                return Err(DeltaError::NoSuchAttribute { object, attribute });
            }
            match &change.value {
                Value::Real(value) if !value.is_finite() => {
                    return Err(DeltaError::NotFinite { name: attribute.name.clone() });
                }
                Value::Vec3(value) if !value.is_finite() => {
                    return Err(DeltaError::NotFinite { name: attribute.name.clone() });
                }
                Value::Object(value) => value.iter().try_for_each(known)?,
                Value::Set(value) => value.iter().try_for_each(known)?,
                Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Vec3(_) | Value::Text(_) => {}
            }
        }
        for fact in &self.facts {
            check_id("predicate", fact.predicate.index(), world.predicates().len())?;
            let predicate = world.predicate(fact.predicate);
            fact.arguments.iter().try_for_each(known)?;
            check_arguments(world, &predicate.name, &predicate.parameters, &fact.arguments)?;
            if !matches!(predicate.definition, PredicateDefinition::Stored) {
                return Err(DeltaError::NotStored { name: predicate.name.clone() });
            }
        }
        for fluent in &self.fluents {
            check_id("function", fluent.function.index(), world.functions().len())?;
            let function = world.function(fluent.function);
            fluent.arguments.iter().try_for_each(known)?;
            check_arguments(world, &function.name, &function.parameters, &fluent.arguments)?;
            if !matches!(function.definition, FunctionDefinition::Stored) {
                return Err(DeltaError::NotStored { name: function.name.clone() });
            }
            if !fluent.value.is_finite() {
                return Err(DeltaError::NotFinite { name: function.name.clone() });
            }
        }
        Ok(())
    }
}

fn check_id(kind: &'static str, index: usize, count: usize) -> Result<(), DeltaError> {
    if index < count { Ok(()) } else { Err(DeltaError::UnknownId { kind, index, count }) }
}

fn check_arguments(
    world: &World,
    name: &Arc<str>,
    parameters: &[Parameter],
    arguments: &[ObjectId],
) -> Result<(), DeltaError> {
    let (min, max) = Parameter::arity(parameters);
    if !(min..=max).contains(&arguments.len()) {
        return Err(DeltaError::WrongArity { name: name.clone(), expected: max, found: arguments.len() });
    }
    let is_of_type = |(parameter, &object): (&Parameter, &ObjectId)| {
        parameter.types.iter().any(|&parameter_type| world.is_a(object, parameter_type))
    };
    match parameters.iter().zip(arguments).find(|pair| !is_of_type(*pair)) {
        Some((_, &object)) => {
            Err(DeltaError::WrongType { name: name.clone(), object: world.object_decl(object).id.clone() })
        }
        None => Ok(()),
    }
}
