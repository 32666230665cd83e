//! The library of computed predicates and functions that world files name.

use super::World;
use super::vocabulary::Argument;
use crate::condition::{Condition, Expression, Scope};
use crate::ids::{AttributeId, FunctionId, PredicateId};
use crate::state::State;

/// What a predicate means.
#[derive(Debug, Clone, PartialEq)]
pub enum PredicateMeaning {
    /// A fact that states carry.
    Stored,
    /// A bool attribute of the only argument.
    Flag(AttributeId),
    /// A condition over the parameters, which are the first variables of the scope.
    Defined(Box<(Scope, Condition)>),
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
}

pub(super) fn holds(world: &World, state: &State, predicate: PredicateId, arguments: &[Argument]) -> Option<bool> {
    let Argument::Object(object) = arguments[0] else { return None };
    match &world.predicate(predicate).meaning {
        PredicateMeaning::Flag(attribute) => state.bool(*attribute, object),
        PredicateMeaning::Stored | PredicateMeaning::Defined(_) => None,
    }
}

pub(super) fn value(world: &World, state: &State, function: FunctionId, arguments: &[Argument]) -> Option<f64> {
    let Argument::Object(object) = arguments[0] else { return None };
    match &world.function(function).meaning {
        FunctionMeaning::Attribute(attribute) => state.real(*attribute, object),
        FunctionMeaning::Stored | FunctionMeaning::Defined(_) => None,
    }
}
