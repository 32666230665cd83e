//! Resolution of the names in a trace to ids of a world, with explanations of failures.

use goalspec_core::ids::{AttributeId, FunctionId, ObjectId, PredicateId};
use goalspec_core::value::ValueKind;
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::{Parameter, World};
use goalspec_syntax::Code;
use goalspec_syntax::suggest::did_you_mean;

use crate::codes;
use crate::error::TraceError;

/// An unknown name, or an invalid use of a known one.
#[derive(Debug)]
pub(crate) struct NameError {
    code: Code,
    /// The message, to be followed by the place.
    message: String,
    help: Option<String>,
}

type NameResult<T> = Result<T, NameError>;

impl NameError {
    #[cold]
    pub(crate) fn new(code: Code, message: String, help: Option<String>) -> Self {
        Self { code, message, help }
    }

    /// Converts the misuse into an error; `place` describes its place, as in `in state 3, line 4`.
    pub(crate) fn into_error(self, place: &str) -> TraceError {
        let error = TraceError::new(self.code, format!("{} {place}", self.message));
        match self.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}

/// Resolves an object's id or alias, or its name in programs.
pub(crate) fn object(world: &World, name: &str) -> NameResult<ObjectId> {
    world.object_with_recorded_name(name).or_else(|| world.object_named(name)).ok_or_else(|| {
        let ids = world.objects().iter().map(|object| &*object.id);
        unknown(world, "object", name, ids.chain(world.program_names().map(|(name, _)| name)))
    })
}

/// Resolves the name of an attribute that the object has.
pub(crate) fn attribute(world: &World, name: &str, object: ObjectId) -> NameResult<(AttributeId, ValueKind)> {
    let Some(id) = world.attribute_named(name) else {
        return Err(unknown(world, "attribute", name, world.attributes().iter().map(|attribute| &*attribute.name)));
    };
    let decl = &world.attributes()[id.index()];
    if decl.types.iter().any(|&of| world.is_a(object, of)) {
        return Ok((id, decl.kind));
    }
    let message = format!("object `{}` has no attribute `{name}`", world.object_decl(object).id);
    Err(NameError::new(codes::WRONG_OBJECT, message, None))
}

/// Resolves the name of a stored predicate.
pub(crate) fn predicate(world: &World, name: &str) -> NameResult<PredicateId> {
    let Some(id) = world.predicate_named(name) else {
        return Err(unknown(world, "predicate", name, world.predicates().iter().map(|predicate| &*predicate.name)));
    };
    if world.predicate(id).definition == PredicateDefinition::Stored {
        Ok(id)
    } else {
        Err(not_stored(world, "predicate", name))
    }
}

/// Resolves the name of a stored function.
pub(crate) fn function(world: &World, name: &str) -> NameResult<FunctionId> {
    let Some(id) = world.function_named(name) else {
        return Err(unknown(world, "function", name, world.functions().iter().map(|function| &*function.name)));
    };
    if world.function(id).definition == FunctionDefinition::Stored {
        Ok(id)
    } else {
        Err(not_stored(world, "function", name))
    }
}

/// Checks the number and types of the arguments of a predicate or function.
pub(crate) fn check_arguments(
    world: &World,
    name: &str,
    parameters: &[Parameter],
    arguments: &[ObjectId],
) -> NameResult<()> {
    let (min, max) = Parameter::arity(parameters);
    if !(min..=max).contains(&arguments.len()) {
        let expected = match (min, max) {
            (1, 1) => "1 object".to_owned(),
            (min, max) if min == max => format!("{max} objects"),
            (min, max) => format!("{min} to {max} objects"),
        };
        let message = format!("`{name}` takes {expected}, found {},", arguments.len());
        return Err(NameError::new(codes::ARITY, message, None));
    }
    for (parameter, &object) in parameters.iter().zip(arguments) {
        if !parameter.types.iter().any(|&id| world.is_a(object, id)) {
            let types: Vec<_> = parameter.types.iter().map(|&id| &*world.type_decl(id).name).collect();
            let object = &world.object_decl(object).id;
            let message =
                format!("`{name}` takes an argument of type {}, which object `{object}` is not,", types.join(" or "));
            return Err(NameError::new(codes::WRONG_OBJECT, message, None));
        }
    }
    Ok(())
}

#[cold]
fn unknown<'a>(world: &World, kind: &str, name: &str, names: impl IntoIterator<Item = &'a str>) -> NameError {
    let message = format!("world `{}` has no {kind} `{name}`,", world.name());
    NameError::new(codes::UNKNOWN_NAME, message, did_you_mean(name, names))
}

#[cold]
fn not_stored(world: &World, kind: &str, name: &str) -> NameError {
    let message = format!("{kind} `{name}` is computed by world `{}` and cannot be recorded", world.name());
    NameError::new(codes::NOT_STORED, message, Some("record the attributes from which it is computed".to_owned()))
}
