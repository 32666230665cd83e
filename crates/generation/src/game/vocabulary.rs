//! The names that games over a world use: types, objects, predicates and functions, with the kinds of their arguments.

use std::sync::Arc;

use goalspec_core::ids::TypeId;
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::{Parameter, World};
use goalspec_game::keywords::BuiltInPredicate;
use goalspec_generator::grammar::Symbol;

use super::rules::Rule;

/// Maximum number of arguments of a generated predicate or function. Those with more are not used.
pub const MAX_ARGUMENTS: usize = 8;

/// The kind of terms that an argument admits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParameterKind {
    /// Objects.
    Object,
    /// Colours.
    Color,
    /// Orientations.
    Orientation,
    /// Sides of objects.
    Side,
    /// Types of objects.
    Type,
    /// Colours or objects.
    ColorOrObject,
}

/// A predicate or function with a fixed number of arguments. One with optional arguments has several signatures.
#[derive(Debug, Clone)]
pub struct Signature {
    /// The name in programs.
    pub name: Arc<str>,
    /// The name of the grammar rule.
    pub rule: Arc<str>,
    /// Whether it is a function.
    pub is_function: bool,
    /// Whether the world can evaluate it.
    pub is_available: bool,
    /// The kinds of the arguments.
    pub parameters: Vec<ParameterKind>,
    /// The types of the objects that each argument admits.
    pub types: Vec<Vec<TypeId>>,
}

/// The names that games over a world use.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// The types of physical objects.
    pub types: Vec<Arc<str>>,
    /// The named physical objects.
    pub objects: Vec<Arc<str>>,
    /// The colours.
    pub colors: Vec<Arc<str>>,
    /// The orientations.
    pub orientations: Vec<Arc<str>>,
    /// The sides of objects.
    pub sides: Vec<Arc<str>>,
    /// The predicates and functions, by the names of their rules.
    pub signatures: Vec<Signature>,
}

impl Vocabulary {
    /// Returns the vocabulary of a world.
    pub fn of(world: &World) -> Self {
        let symbolic: Vec<TypeId> =
            ["color", "orientation", "side"].iter().filter_map(|name| world.type_named(name)).collect();
        let is_symbolic = |id: TypeId| symbolic.iter().any(|&symbols| world.is_subtype(id, symbols));
        let members = |name: &str| -> Vec<Arc<str>> {
            let Some(id) = world.type_named(name) else { return Vec::new() };
            let mut names: Vec<Arc<str>> = world
                .program_names()
                .filter(|&(_, object)| world.is_symbol(object) && world.is_a(object, id))
                .map(|(name, _)| name.into())
                .collect();
            names.sort();
            names
        };
        let mut objects: Vec<Arc<str>> = world
            .program_names()
            .filter(|&(_, object)| {
                !(world.is_symbol(object) && world.object_decl(object).types.iter().any(|&id| is_symbolic(id)))
            })
            .map(|(name, _)| name.into())
            .collect();
        objects.sort();
        let ids = (0..world.types().len()).map(TypeId::from);
        let types = ids.filter(|&id| !is_symbolic(id)).map(|id| world.type_decl(id).name.clone()).collect();
        Self {
            types,
            objects,
            colors: members("color"),
            orientations: members("orientation"),
            sides: members("side"),
            signatures: signatures(world),
        }
    }

    /// Returns the kind of node of a signature.
    pub(super) fn symbol(index: usize) -> Symbol {
        Symbol::kind(Rule::ALL.len() + index)
    }

    /// Returns the signature of a kind of node.
    pub fn signature(&self, symbol: Symbol) -> Option<&Signature> {
        if symbol.is_token() { None } else { self.signatures.get(symbol.index().checked_sub(Rule::ALL.len())?) }
    }

    fn symbols(&self, is_function: bool) -> Vec<Symbol> {
        let all = self.signatures.iter().enumerate();
        all.filter(|(_, own)| own.is_function == is_function).map(|(index, _)| Self::symbol(index)).collect()
    }

    /// Returns the kinds of nodes of the predicates.
    pub(super) fn predicate_symbols(&self) -> Vec<Symbol> {
        self.symbols(false)
    }

    /// Returns the kinds of nodes of the functions.
    pub(super) fn function_symbols(&self) -> Vec<Symbol> {
        self.symbols(true)
    }

    /// Returns the kind of node of the predicate or function with this name and number of arguments.
    pub fn find(&self, is_function: bool, name: &str, arguments: usize) -> Option<Symbol> {
        let same =
            |own: &Signature| own.is_function == is_function && *own.name == *name && own.parameters.len() == arguments;
        self.signatures.iter().position(same).map(Self::symbol)
    }
}

/// Returns the signatures of all predicates and functions, including the predicates of the language itself.
fn signatures(world: &World) -> Vec<Signature> {
    let mut all = Vec::new();
    for decl in world.predicates() {
        let is_available = !matches!(decl.definition, PredicateDefinition::Unavailable(_));
        add(&mut all, world, &decl.name, false, is_available, &decl.parameters);
    }
    for decl in world.functions() {
        let is_available = !matches!(decl.definition, FunctionDefinition::Unavailable(_));
        add(&mut all, world, &decl.name, true, is_available, &decl.parameters);
    }
    let ids = (0..world.types().len()).map(TypeId::from);
    let top: Vec<TypeId> = ids.filter(|&id| world.type_decl(id).parents.is_empty()).collect();
    for built_in in BuiltInPredicate::ALL {
        if world.predicate_named(built_in.name()).is_none() {
            let parameters = vec![Parameter::of(&top); built_in.arity()];
            add(&mut all, world, &built_in.name().into(), false, true, &parameters);
        }
    }
    all.sort_by(|one, other| one.rule.cmp(&other.rule));
    all
}

/// Adds the signatures of a predicate or function, one for each number of arguments that it admits.
fn add(
    all: &mut Vec<Signature>,
    world: &World,
    name: &Arc<str>,
    is_function: bool,
    is_available: bool,
    parameters: &[Parameter],
) {
    let (min, max) = Parameter::arity(parameters);
    let noun = if is_function { "function" } else { "predicate" };
    for arity in min..=max.min(MAX_ARGUMENTS) {
        let rule = if min == max { format!("{noun}_{name}") } else { format!("{noun}_{name}_{arity}") };
        let own = &parameters[..arity];
        all.push(Signature {
            name: name.clone(),
            rule: rule.into(),
            is_function,
            is_available,
            parameters: own.iter().enumerate().map(|(index, own)| kind(world, index, own)).collect(),
            types: own.iter().map(|parameter| parameter.types.clone()).collect(),
        });
    }
}

/// Returns the kind of terms for a parameter. Where a predicate compares two arguments that may be symbols or types, the first one is an
/// object: a comparison of two constants is constant.
fn kind(world: &World, index: usize, parameter: &Parameter) -> ParameterKind {
    let is = |id: &TypeId, name: &str| &*world.type_decl(*id).name == name;
    let all = |name: &str| !parameter.types.is_empty() && parameter.types.iter().all(|id| is(id, name));
    if all("color") {
        ParameterKind::Color
    } else if all("orientation") {
        ParameterKind::Orientation
    } else if all("side") {
        ParameterKind::Side
    } else if index > 0 && parameter.accepts_type {
        ParameterKind::Type
    } else if index > 0 && parameter.types.iter().any(|id| is(id, "color")) {
        ParameterKind::ColorOrObject
    } else {
        ParameterKind::Object
    }
}
