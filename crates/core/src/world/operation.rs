//! The library of computed predicates and functions that world files name.
//!
//! | module | what lives there |
//! |---|---|
//! | [`settings`] | what a world file says of an operation, checked |
//! | [`place`] | where things are relative to each other: above, adjacent, between, facing .. |
//! | [`contact`] | touch, on, in |
//! | [`quality`] | motion, posture, colour, type, flags |
//! | [`measure`] | distances, coordinates, sizes |

pub mod contact;
pub mod measure;
pub mod place;
pub mod quality;
pub mod settings;
mod shape;

use std::sync::Arc;

use super::World;
use super::vocabulary::{Argument, Callee, Reads};
use crate::condition::{Condition, Expression, Scope};
use crate::evaluate::{self, Bindings, Context};
use crate::ids::{AttributeId, FunctionId, ObjectId, PredicateId};
use crate::state::Arguments;

pub use settings::{Objects, Setting, SettingProblem, Settings, SettingsError};

/// What a predicate means.
#[derive(Debug, Clone, PartialEq)]
pub enum PredicateMeaning {
    /// A fact that states carry.
    Stored,
    /// A bool attribute of the only argument.
    Flag(AttributeId),
    /// A condition over the parameters, which are the first variables of the scope.
    Defined(Box<(Scope, Condition)>),
    /// Computed from attributes.
    Computed(Box<Operation>),
    /// A word of the language that this world cannot answer; it holds of nothing, and using it is an error.
    Unavailable(Arc<str>),
}

/// What a function means.
#[derive(Debug, Clone, PartialEq)]
pub enum FunctionMeaning {
    /// A number that states carry.
    Stored,
    /// A numeric attribute of the only argument.
    Attribute(AttributeId),
    /// An expression over the parameters, which are the first variables of the scope.
    Defined(Box<(Scope, Expression)>),
    /// Computed from attributes.
    Computed(Box<Measure>),
    /// A word of the language that this world cannot answer; it has no value, and using it is an error.
    Unavailable(Arc<str>),
}

/// The documentation of one operation, for help and for suggestions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationDoc {
    /// The name that world files use.
    pub name: &'static str,
    /// What its arguments are.
    pub arguments: &'static [&'static str],
    /// How many of the last arguments may be left out.
    pub optional: usize,
    /// What it means.
    pub summary: &'static str,
    /// Its settings: name, and kind, meaning and default in a line.
    pub settings: &'static [(&'static str, &'static str)],
}

/// A computed predicate.
pub trait Relation: Sized {
    /// Its documentation.
    const DOC: OperationDoc;

    /// Makes it from its settings; problems are noted in them.
    fn resolve(settings: &mut Settings<'_>) -> Self;

    /// Whether it holds of the arguments; `None` where the state lacks what it reads.
    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool>;

    /// Whether it can hold of the arguments in any state, judged by what never changes: types and settings. True if in doubt.
    fn possible(&self, _: &World, _: &[Argument]) -> bool {
        true
    }

    /// The predicates and functions that it uses.
    fn uses(&self) -> Vec<Callee> {
        Vec::new()
    }

    /// What it reads; what it uses must know already what it reads.
    fn reads(&self, world: &World) -> Reads;
}

/// A computed function.
pub trait Measurement: Sized {
    /// Its documentation.
    const DOC: OperationDoc;

    /// Makes it from its settings; problems are noted in them.
    fn resolve(settings: &mut Settings<'_>) -> Self;

    /// Its value for the arguments; `None` where the state lacks what it reads.
    fn value(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<f64>;

    /// The predicates and functions that it uses.
    fn uses(&self) -> Vec<Callee> {
        Vec::new()
    }

    /// What it reads; what it uses must know already what it reads.
    fn reads(&self, world: &World) -> Reads;
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
            /// What there is.
            pub const NAMES: &[OperationDoc] = &[$(<$type as $trait>::DOC),*];

            /// The one called `name`, with its settings.
            ///
            /// # Errors
            /// An unknown name, or everything that is wrong with the settings.
            pub fn resolve(name: &str, settings: &mut Settings<'_>) -> Result<Self, SettingsError> {
                $(if name == <$type as $trait>::DOC.name {
                    let made = Self::$name(<$type as $trait>::resolve(settings));
                    return settings.finish(made);
                })*
                Err(settings::unknown_operation(name, Self::NAMES))
            }

            /// Its documentation.
            pub fn doc(&self) -> &'static OperationDoc {
                match self {
                    $(Self::$name(_) => &<$type as $trait>::DOC,)*
                }
            }

            /// Evaluates it; `None` where the state lacks what it reads.
            pub fn $evaluate(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<$value> {
                match self {
                    $(Self::$name(one) => one.$evaluate(ctx, arguments),)*
                }
            }

            /// The predicates and functions that it uses.
            pub fn uses(&self) -> Vec<Callee> {
                match self {
                    $(Self::$name(one) => one.uses(),)*
                }
            }

            /// What it reads; what it uses must know already what it reads.
            pub fn reads(&self, world: &World) -> Reads {
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
        Above: place::Above;
        Adjacent: place::Adjacent;
        AdjacentSide: place::AdjacentSide;
        Between: place::Between;
        EqualPosition: place::EqualPosition;
        Faces: place::Faces;
        Opposite: place::Opposite;
        Touch: contact::Touch;
        On: contact::On;
        In: contact::Inside;
        InMotion: quality::InMotion;
        Orientation: quality::Orientation;
        SameColor: quality::SameColor;
        ColorUnder: quality::ColorUnder;
        SameObject: quality::SameObject;
        SameType: quality::SameType;
        FlagOf: quality::FlagOf;
        RefersTo: quality::RefersTo;
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
    /// Whether the predicate can hold of the arguments in any state, judged by what never changes: types, attributes and
    /// settings. True if in doubt.
    pub fn possible(&self, predicate: PredicateId, arguments: &[Argument]) -> bool {
        match &self.predicate(predicate).meaning {
            PredicateMeaning::Flag(attribute) => {
                shape::object(arguments, 0).is_none_or(|object| self.has_attribute(object, *attribute))
            }
            PredicateMeaning::Computed(operation) => match &**operation {
                Operation::On(on) => on.possible(self, arguments),
                Operation::In(inside) => inside.possible(self, arguments),
                Operation::Opposite(opposite) => opposite.possible(self, arguments),
                Operation::InMotion(motion) => motion.possible(self, arguments),
                Operation::SameObject(same) => same.possible(self, arguments),
                Operation::SameType(same) => same.possible(self, arguments),
                _ => true,
            },
            PredicateMeaning::Stored | PredicateMeaning::Defined(_) | PredicateMeaning::Unavailable(_) => true,
        }
    }

    /// Whether the function is known to have no value below zero.
    pub fn never_negative(&self, function: FunctionId) -> bool {
        let meaning = &self.function(function).meaning;
        matches!(meaning, FunctionMeaning::Computed(measure) if !matches!(**measure, Measure::Coordinate(_)))
    }

    /// Whether objects like this one have the attribute.
    pub fn has_attribute(&self, object: ObjectId, attribute: AttributeId) -> bool {
        self.attributes[attribute.index()].of.iter().any(|&id| self.is_a(object, id))
    }
}

pub(crate) fn holds(ctx: &Context<'_>, predicate: PredicateId, arguments: &[Argument]) -> Option<bool> {
    match &ctx.world.predicate(predicate).meaning {
        PredicateMeaning::Stored => Some(ctx.state.fact(predicate, &objects(arguments)?)),
        PredicateMeaning::Flag(attribute) => ctx.state.bool(*attribute, shape::object(arguments, 0)?),
        PredicateMeaning::Defined(definition) => {
            let (scope, body) = &**definition;
            Some(evaluate::condition(ctx, body, &mut Bindings::of_parameters(scope, arguments)))
        }
        PredicateMeaning::Computed(operation) => operation.holds(ctx, arguments),
        PredicateMeaning::Unavailable(_) => None,
    }
}

pub(crate) fn value(ctx: &Context<'_>, function: FunctionId, arguments: &[Argument]) -> Option<f64> {
    match &ctx.world.function(function).meaning {
        FunctionMeaning::Stored => ctx.state.fluent(function, &objects(arguments)?),
        FunctionMeaning::Attribute(attribute) => {
            let object = shape::object(arguments, 0)?;
            let whole = || ctx.state.int(*attribute, object).map(|value| value as f64);
            ctx.state.real(*attribute, object).or_else(whole)
        }
        FunctionMeaning::Defined(definition) => {
            let (scope, body) = &**definition;
            evaluate::expression(ctx, body, &Bindings::of_parameters(scope, arguments))
        }
        FunctionMeaning::Computed(measure) => measure.value(ctx, arguments),
        FunctionMeaning::Unavailable(_) => None,
    }
}

/// The arguments as objects; `None` if one is a type.
fn objects(arguments: &[Argument]) -> Option<Arguments> {
    (0..arguments.len()).map(|place| shape::object(arguments, place)).collect()
}
