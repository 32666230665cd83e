//! The library of computed predicates and functions, which world files use by name.
//!
//! | module | contents |
//! |---|---|
//! | [`settings`] | the settings of an operation in a world file, validated |
//! | [`position`] | relative positions: above, adjacent, between, facing .. |
//! | [`contact`] | contact, support and containment |
//! | [`property`] | properties of objects: motion, orientation, colour, type, flags |
//! | [`measure`] | distances, coordinates, sizes |

mod attributes;
pub mod contact;
pub mod measure;
pub mod position;
pub mod property;
pub mod settings;

use std::sync::Arc;

use super::World;
use super::vocabulary::{Argument, Callee, Dependencies};
use crate::condition::{Condition, Expression, Scope};
use crate::evaluate::{self, Bindings, Context};
use crate::ids::{AttributeId, FunctionId, ObjectId, PredicateId};
use crate::state::ObjectArguments;

pub use settings::{ObjectSelection, Setting, SettingProblem, Settings, SettingsError};

/// The definition of a predicate's truth.
#[derive(Debug, Clone, PartialEq)]
pub enum PredicateDefinition {
    /// A fact stored in states.
    Stored,
    /// The value of a bool attribute of the only argument.
    Flag(AttributeId),
    /// A condition over the parameters, which are the first variables of the scope.
    Derived(Box<(Scope, Condition)>),
    /// A relation computed from attributes.
    Computed(Box<Operation>),
    /// A predicate of the language that this world cannot evaluate, with the reason. It never holds, and using it is an error.
    Unavailable(Arc<str>),
}

/// The definition of a function's value.
#[derive(Debug, Clone, PartialEq)]
pub enum FunctionDefinition {
    /// A number stored in states.
    Stored,
    /// The value of a numeric attribute of the only argument.
    Attribute(AttributeId),
    /// An expression over the parameters, which are the first variables of the scope.
    Derived(Box<(Scope, Expression)>),
    /// A measurement computed from attributes.
    Computed(Box<Measure>),
    /// A function of the language that this world cannot evaluate, with the reason. It has no value, and using it is an error.
    Unavailable(Arc<str>),
}

/// The documentation of an operation, for help and for suggestions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationDoc {
    /// The name in world files.
    pub name: &'static str,
    /// The names of the arguments.
    pub arguments: &'static [&'static str],
    /// The number of trailing arguments that may be omitted.
    pub optional: usize,
    /// The definition, in a sentence or two.
    pub summary: &'static str,
    /// The settings: for each the name, and one line with the kind, the meaning and the default.
    pub settings: &'static [(&'static str, &'static str)],
}

/// A library predicate computed from the attributes of its arguments.
pub trait Relation: Sized {
    /// The documentation.
    const DOC: OperationDoc;

    /// Creates the relation from its settings, in which it records problems.
    fn resolve(settings: &mut Settings<'_>) -> Self;

    /// Whether the relation holds of the arguments; `None` if the state lacks a value that it reads.
    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool>;

    /// Whether the relation can hold of the arguments in some state, judged by types and settings only. May return true for arguments of
    /// which it never holds.
    fn can_hold(&self, _: &World, _: &[Argument]) -> bool {
        true
    }

    /// Returns the predicates and functions that the relation uses.
    fn uses(&self) -> Vec<Callee> {
        Vec::new()
    }

    /// Returns the inputs of the relation. Those of the predicates and functions that it uses must be known.
    fn reads(&self, world: &World) -> Dependencies;

    /// Returns the inputs of the relation where each argument is one of these objects, as far as they are fewer than those of
    /// [`reads`](Self::reads).
    fn reads_among(&self, world: &World, _: &[&[ObjectId]]) -> Dependencies {
        self.reads(world)
    }
}

/// A library function computed from the attributes of its arguments.
pub trait Measurement: Sized {
    /// The documentation.
    const DOC: OperationDoc;

    /// Creates the measurement from its settings, in which it records problems.
    fn resolve(settings: &mut Settings<'_>) -> Self;

    /// Returns the value for the arguments; `None` if the state lacks a value that it reads.
    fn value(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<f64>;

    /// Returns the predicates and functions that the measurement uses.
    fn uses(&self) -> Vec<Callee> {
        Vec::new()
    }

    /// Returns the inputs of the measurement. Those of the predicates and functions that it uses must be known.
    fn reads(&self, world: &World) -> Dependencies;
}

macro_rules! library {
    ($(#[$doc:meta])* $library:ident: $trait:ident, $evaluate:ident -> $value:ty { $($name:ident: $type:ty;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $library {$(
            #[doc = concat!("See [`", stringify!($type), "`].")]
            $name($type),
        )*}

        impl $library {
            /// The documentation of all operations in the library.
            pub const NAMES: &[OperationDoc] = &[$(<$type as $trait>::DOC),*];

            /// Creates the operation called `name` from its settings.
            ///
            /// # Errors
            /// If the name is unknown or settings are invalid; the error lists all problems.
            pub fn resolve(name: &str, settings: &mut Settings<'_>) -> Result<Self, SettingsError> {
                $(if name == <$type as $trait>::DOC.name {
                    let operation = Self::$name(<$type as $trait>::resolve(settings));
                    return settings.finish(operation);
                })*
                Err(settings::unknown_operation(name, Self::NAMES))
            }

            /// Returns the operation's documentation.
            pub fn doc(&self) -> &'static OperationDoc {
                match self {
                    $(Self::$name(_) => &<$type as $trait>::DOC,)*
                }
            }

            /// Evaluates the operation; `None` if the state lacks a value that it reads.
            pub fn $evaluate(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<$value> {
                match self {
                    $(Self::$name(one) => one.$evaluate(ctx, arguments),)*
                }
            }

            /// Returns the predicates and functions that the operation uses.
            pub fn uses(&self) -> Vec<Callee> {
                match self {
                    $(Self::$name(one) => one.uses(),)*
                }
            }

            /// Returns the inputs of the operation. Those of the predicates and functions that it uses must be known.
            pub fn reads(&self, world: &World) -> Dependencies {
                match self {
                    $(Self::$name(one) => one.reads(world),)*
                }
            }
        }
    };
}

library! {
    /// A computed predicate with its resolved settings.
    Operation: Relation, holds -> bool {
        Above: position::Above;
        Adjacent: position::Adjacent;
        AdjacentSide: position::AdjacentSide;
        Between: position::Between;
        EqualPosition: position::EqualPosition;
        Faces: position::Faces;
        Opposite: position::Opposite;
        Touch: contact::Touch;
        On: contact::On;
        In: contact::Inside;
        InMotion: property::InMotion;
        Orientation: property::Orientation;
        SameColor: property::SameColor;
        ColorUnder: property::ColorUnder;
        SameObject: property::SameObject;
        SameType: property::SameType;
        FlagOf: property::FlagOf;
        RefersTo: property::RefersTo;
    }
}

library! {
    /// A computed function with its resolved settings.
    Measure: Measurement, value -> f64 {
        Distance: measure::Distance;
        DistanceSide: measure::DistanceSide;
        Coordinate: measure::Coordinate;
        Size: measure::Size;
    }
}

impl World {
    /// Whether the predicate can hold of the arguments in some state, judged by types, attributes and settings only. May return true for
    /// arguments of which it never holds.
    pub fn can_hold(&self, predicate: PredicateId, arguments: &[Argument]) -> bool {
        match &self.predicate(predicate).definition {
            PredicateDefinition::Flag(attribute) => {
                attributes::object(arguments, 0).is_none_or(|object| self.has_attribute(object, *attribute))
            }
            PredicateDefinition::Computed(operation) => match &**operation {
                Operation::On(on) => on.can_hold(self, arguments),
                Operation::In(inside) => inside.can_hold(self, arguments),
                Operation::Opposite(opposite) => opposite.can_hold(self, arguments),
                Operation::InMotion(motion) => motion.can_hold(self, arguments),
                Operation::SameObject(same) => same.can_hold(self, arguments),
                Operation::SameType(same) => same.can_hold(self, arguments),
                _ => true,
            },
            PredicateDefinition::Stored | PredicateDefinition::Derived(_) | PredicateDefinition::Unavailable(_) => true,
        }
    }

    /// Returns the inputs of the predicate where each argument is one of these objects; an argument that is a type has none. They may be
    /// fewer than the declared [dependencies](super::PredicateDecl::dependencies).
    pub fn dependencies_among(&self, predicate: PredicateId, arguments: &[&[ObjectId]]) -> Dependencies {
        let declaration = self.predicate(predicate);
        match &declaration.definition {
            PredicateDefinition::Computed(operation) => match &**operation {
                Operation::In(inside) => inside.reads_among(self, arguments),
                _ => declaration.dependencies.clone(),
            },
            _ => declaration.dependencies.clone(),
        }
    }

    /// Whether the function is known never to be negative.
    pub fn is_non_negative(&self, function: FunctionId) -> bool {
        let meaning = &self.function(function).definition;
        matches!(meaning, FunctionDefinition::Computed(measure) if !matches!(**measure, Measure::Coordinate(_)))
    }

    /// Whether objects of this object's types have the attribute.
    pub fn has_attribute(&self, object: ObjectId, attribute: AttributeId) -> bool {
        self.attributes[attribute.index()].types.iter().any(|&id| self.is_a(object, id))
    }
}

pub(crate) fn holds(ctx: &Context<'_>, predicate: PredicateId, arguments: &[Argument]) -> Option<bool> {
    match &ctx.world.predicate(predicate).definition {
        PredicateDefinition::Stored => Some(ctx.state.fact(predicate, &objects(arguments)?)),
        PredicateDefinition::Flag(attribute) => ctx.state.bool(*attribute, attributes::object(arguments, 0)?),
        PredicateDefinition::Derived(definition) => {
            let (scope, body) = &**definition;
            Some(evaluate::condition(ctx, body, &mut Bindings::of_parameters(scope, arguments)))
        }
        PredicateDefinition::Computed(operation) => operation.holds(ctx, arguments),
        PredicateDefinition::Unavailable(_) => None,
    }
}

pub(crate) fn value(ctx: &Context<'_>, function: FunctionId, arguments: &[Argument]) -> Option<f64> {
    match &ctx.world.function(function).definition {
        FunctionDefinition::Stored => ctx.state.fluent(function, &objects(arguments)?),
        FunctionDefinition::Attribute(attribute) => {
            let object = attributes::object(arguments, 0)?;
            let whole = || ctx.state.int(*attribute, object).map(|value| value as f64);
            ctx.state.real(*attribute, object).or_else(whole)
        }
        FunctionDefinition::Derived(definition) => {
            let (scope, body) = &**definition;
            evaluate::expression(ctx, body, &Bindings::of_parameters(scope, arguments))
        }
        FunctionDefinition::Computed(measure) => measure.value(ctx, arguments),
        FunctionDefinition::Unavailable(_) => None,
    }
}

/// Returns the arguments as objects; `None` if one is a type.
fn objects(arguments: &[Argument]) -> Option<ObjectArguments> {
    (0..arguments.len()).map(|position| attributes::object(arguments, position)).collect()
}
