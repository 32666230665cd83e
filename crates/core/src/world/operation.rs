//! The library of computed predicates and functions that world files name.

use super::vocabulary::Argument;
use crate::condition::{Condition, Expression, Scope};
use crate::evaluate::{self, Bindings, Context};
use crate::ids::{AttributeId, FunctionId, ObjectId, PredicateId};
use crate::state::{Arguments, State};

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

pub(crate) fn holds(ctx: &Context<'_>, predicate: PredicateId, arguments: &[Argument]) -> Option<bool> {
    let first = || match arguments.first() {
        Some(&Argument::Object(object)) => Some(object),
        _ => None,
    };
    match &ctx.world.predicate(predicate).meaning {
        PredicateMeaning::Stored => Some(ctx.state.fact(predicate, &objects(arguments)?)),
        PredicateMeaning::Flag(attribute) => ctx.state.bool(*attribute, first()?),
        PredicateMeaning::Defined(definition) => {
            let (scope, body) = &**definition;
            Some(evaluate::condition(ctx, body, &mut Bindings::of_parameters(scope, arguments)))
        }
    }
}

pub(crate) fn value(ctx: &Context<'_>, function: FunctionId, arguments: &[Argument]) -> Option<f64> {
    match &ctx.world.function(function).meaning {
        FunctionMeaning::Stored => ctx.state.fluent(function, &objects(arguments)?),
        FunctionMeaning::Attribute(attribute) => match arguments.first() {
            Some(&Argument::Object(object)) => number(ctx.state, *attribute, object),
            _ => None,
        },
        FunctionMeaning::Defined(definition) => {
            let (scope, body) = &**definition;
            evaluate::expression(ctx, body, &Bindings::of_parameters(scope, arguments))
        }
    }
}

/// The arguments as objects; `None` if one is a type.
fn objects(arguments: &[Argument]) -> Option<Arguments> {
    arguments
        .iter()
        .map(|argument| match argument {
            Argument::Object(object) => Some(*object),
            Argument::Type(_) => None,
        })
        .collect()
}

/// A numeric attribute as a real number.
fn number(state: &State, attribute: AttributeId, object: ObjectId) -> Option<f64> {
    state.real(attribute, object).or_else(|| state.int(attribute, object).map(|value| value as f64))
}
