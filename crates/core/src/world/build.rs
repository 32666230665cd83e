//! Construction of worlds, with validation.

mod check;
mod error;

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::operation::{FunctionDefinition, PredicateDefinition};
use super::recording::RecordingFormat;
use super::vocabulary::{AttributeDecl, FunctionDecl, Parameter, PredicateDecl};
use super::{ObjectDecl, Tracker, TypeDecl, World, types};
use crate::ids::{AttributeId, AttributeMask, FunctionId, ObjectId, PredicateId, TypeId};
use crate::limits::{MAX_MEMBERSHIPS, MAX_OBJECTS};
use crate::state::AttributeChange;
use crate::value::{Value, ValueKind};
use check::{Name, Validator, bind};

pub use error::{DeclarationRef, WorldError, WorldErrorKind};

/// Declares the vocabulary of a [`World`] step by step, and validates it as a whole.
///
/// Every declaration returns its id at once. [`finish`](Self::finish) validates all declarations and reports all problems together.
///
/// ```
/// use goalspec_core::world::WorldBuilder;
///
/// let mut builder = WorldBuilder::new("lamps");
/// let lamp = builder.add_type("lamp", &[]);
/// let desk_lamp = builder.add_object("desk_lamp", &[lamp]);
/// builder.add_program_name("desk_lamp", desk_lamp);
/// builder.add_fact("lit", &[lamp]);
/// let world = builder.finish().unwrap();
/// assert_eq!(world.members(lamp), [desk_lamp]);
/// ```
#[derive(Debug, Clone)]
pub struct WorldBuilder {
    world: World,
    aliases: Vec<Name>,
    terms: Vec<Name>,
    initial: Vec<AttributeChange>,
}

impl WorldBuilder {
    /// Creates an empty world with this name.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self {
            world: World { name: name.into(), ..World::default() },
            aliases: Vec::new(),
            terms: Vec::new(),
            initial: Vec::new(),
        }
    }

    /// Replaces the world's name.
    pub(super) fn rename(&mut self, name: &str) {
        self.world.name = name.into();
    }

    /// Returns for each type declared so far the set of itself and its supertypes.
    pub(super) fn ancestors(&self) -> Vec<FixedBitSet> {
        types::ancestors(&self.world.types)
    }

    /// Returns the objects of a type declared so far, including those of its subtypes.
    pub(super) fn members_so_far(&self, id: TypeId) -> Vec<ObjectId> {
        let ancestors = self.ancestors();
        let objects = self.world.objects.iter().enumerate();
        let of_type =
            objects.filter(|(_, decl)| decl.types.iter().any(|own| ancestors[own.index()].contains(id.index())));
        of_type.map(|(index, _)| ObjectId::from(index)).collect()
    }

    /// Declares a type. Its supertypes must have been declared before.
    pub fn add_type(&mut self, name: impl Into<Arc<str>>, parents: &[TypeId]) -> TypeId {
        self.declare_type(TypeDecl { name: name.into(), parents: parents.to_vec(), doc: Arc::default() })
    }

    /// Declares a type with its documentation.
    pub fn declare_type(&mut self, decl: TypeDecl) -> TypeId {
        self.world.types.push(decl);
        TypeId::from(self.world.types.len() - 1)
    }

    /// Allows recordings to declare further objects of the type.
    pub fn allow_discovery(&mut self, id: TypeId) {
        self.world.discoverable.push(id);
    }

    /// Declares an object with its id in recordings and its types, most specific first.
    pub fn add_object(&mut self, id: impl Into<Arc<str>>, types: &[TypeId]) -> ObjectId {
        self.world.objects.push(ObjectDecl { id: id.into(), types: types.to_vec() });
        ObjectId::from(self.world.objects.len() - 1)
    }

    /// Declares a symbol, such as a colour, with its id in recordings: an object that is not physical.
    pub fn add_symbol(&mut self, id: impl Into<Arc<str>>, types: &[TypeId]) -> ObjectId {
        let symbol = self.add_object(id, types);
        self.world.symbols.push(symbol);
        symbol
    }

    /// Adds a name by which recordings refer to an object, besides its id.
    pub fn add_alias(&mut self, name: impl Into<Arc<str>>, object: ObjectId) {
        self.aliases.push((name.into(), object));
    }

    /// Adds a name by which programs refer to an object.
    pub fn add_program_name(&mut self, name: impl Into<Arc<str>>, object: ObjectId) {
        self.terms.push((name.into(), object));
    }

    /// Declares an attribute.
    pub fn add_attribute(&mut self, decl: AttributeDecl) -> AttributeId {
        self.world.attributes.push(decl);
        AttributeId::from(self.world.attributes.len() - 1)
    }

    /// Declares a predicate.
    pub fn add_predicate(&mut self, decl: PredicateDecl) -> PredicateId {
        self.world.predicates.push(decl);
        PredicateId::from(self.world.predicates.len() - 1)
    }

    /// Declares a stored predicate with one type per parameter.
    pub fn add_fact(&mut self, name: impl Into<Arc<str>>, parameters: &[TypeId]) -> PredicateId {
        let parameters = parameters.iter().map(|&id| Parameter::of(&[id])).collect();
        self.add_predicate(PredicateDecl::new(name, parameters, PredicateDefinition::Stored))
    }

    /// Replaces the meaning of a declared predicate, so that declarations can refer to each other in any order.
    ///
    /// # Panics
    /// If the predicate has not been declared.
    pub fn define_predicate(&mut self, id: PredicateId, meaning: PredicateDefinition) {
        self.world.predicates[id.index()].definition = meaning;
    }

    /// Replaces the meaning of a declared function.
    ///
    /// # Panics
    /// If the function has not been declared.
    pub fn define_function(&mut self, id: FunctionId, meaning: FunctionDefinition) {
        self.world.functions[id.index()].definition = meaning;
    }

    /// Declares a function.
    pub fn add_function(&mut self, decl: FunctionDecl) -> FunctionId {
        self.world.functions.push(decl);
        FunctionId::from(self.world.functions.len() - 1)
    }

    /// Declares a stored function with one type per parameter.
    pub fn add_fluent(&mut self, name: impl Into<Arc<str>>, parameters: &[TypeId]) -> FunctionId {
        let parameters = parameters.iter().map(|&id| Parameter::of(&[id])).collect();
        self.add_function(FunctionDecl::new(name, parameters, FunctionDefinition::Stored))
    }

    /// Adds a tracker, which derives attributes from the history of states.
    pub fn add_tracker(&mut self, tracker: Tracker) {
        self.world.trackers.push(tracker);
    }

    /// Sets the value that an attribute of an object has before a recording begins.
    pub fn set_initial(&mut self, object: ObjectId, attribute: AttributeId, value: Value) {
        self.initial.push(AttributeChange { object, attribute, value });
    }

    /// Restricts the world to traces that name it (see [`World::requires_own_traces`]).
    pub fn require_own_traces(&mut self) {
        self.world.exclusive = true;
    }

    /// Sets the mapping from recordings to the world's attributes.
    pub fn set_recording(&mut self, recording: RecordingFormat) {
        self.world.recording = Some(recording);
    }

    /// Validates all declarations and builds the world.
    ///
    /// # Errors
    /// All problems with the declarations, in their order.
    pub fn finish(self) -> Result<World, Vec<WorldError>> {
        let Self { mut world, aliases, terms, initial } = self;
        let mut check = Validator::default();
        let names = check.declarations(&world, &aliases, &terms);
        if check.problems.is_empty() {
            // The following steps use ids as indices, so all ids must be valid.
            world.names = names;
            world.locations = ["center", "position"]
                .iter()
                .filter_map(|name| world.attribute_named(name))
                .filter(|id| world.attributes[id.index()].kind == ValueKind::Vec3)
                .collect();
            world.ancestors = types::ancestors(&world.types);
            if let Err(problem) = index_objects(&mut world, 0) {
                return Err(vec![problem]);
            }
            check.initial(&mut world, initial);
            check.recording(&world);
            check.definitions(&mut world);
        }
        if check.problems.is_empty() { Ok(world) } else { Err(check.problems) }
    }
}

impl World {
    /// Returns the types of an object and their supertypes.
    fn types_of(&self, object: ObjectId) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.types.len());
        for own in &self.objects[object.index()].types {
            all.union_with(&self.ancestors[own.index()]);
        }
        all
    }

    /// Returns a copy of this world with further objects, such as those that a recording declares before its first state.
    ///
    /// # Errors
    /// If an id is taken, an object has no type, or a type does not allow discovery. The ids in the problems continue those of the world's
    /// objects.
    pub fn with_objects(&self, objects: Vec<ObjectDecl>) -> Result<World, Vec<WorldError>> {
        let mut world = self.clone();
        let mut problems = Vec::new();
        let known = world.objects.len();
        for decl in objects {
            let id = ObjectId::from(world.objects.len());
            let mut problem = |kind| problems.push(WorldError { declaration: DeclarationRef::Object(id), kind });
            if decl.types.is_empty() {
                problem(WorldErrorKind::NoType);
            }
            for &own in &decl.types {
                if own.index() >= world.types.len() {
                    problem(WorldErrorKind::UnknownId("a type"));
                } else if !world.is_discoverable(own) {
                    problem(WorldErrorKind::NotDiscoverable(world.type_decl(own).name.clone()));
                }
            }
            if let Err(kind) = bind(&mut world.names.recorded, "an object", &decl.id, id) {
                problem(kind);
            }
            world.objects.push(decl);
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        if world.objects.len() > MAX_OBJECTS {
            let kind = WorldErrorKind::TooMany { items: "objects", limit: MAX_OBJECTS };
            return Err(vec![WorldError { declaration: DeclarationRef::World, kind }]);
        }
        index_objects(&mut world, known).map_err(|problem| vec![problem])?;
        Ok(world)
    }

    /// Returns a copy of this world with further stored predicates and functions without parameters, which get the next free ids, in this
    /// order.
    ///
    /// # Errors
    /// If a name is taken.
    pub fn with_stored_vocabulary(
        &self,
        predicates: &[Arc<str>],
        functions: &[Arc<str>],
    ) -> Result<World, Vec<WorldError>> {
        let mut world = self.clone();
        let mut check = Validator::default();
        for name in predicates {
            let id = PredicateId::from(world.predicates.len());
            if let Err(kind) = bind(&mut world.names.predicates, "a predicate", name, id) {
                check.problems.push(WorldError { declaration: DeclarationRef::Predicate(id), kind });
            }
            world.predicates.push(PredicateDecl::new(name.clone(), Vec::new(), PredicateDefinition::Stored));
        }
        for name in functions {
            let id = FunctionId::from(world.functions.len());
            let defined = world.names.predicates.contains_key(name);
            let duplicate = || WorldErrorKind::Duplicate { kind: "a predicate", name: name.clone() };
            let free = if defined { Err(duplicate()) } else { Ok(()) };
            let result = free.and_then(|()| bind(&mut world.names.functions, "a function", name, id));
            if let Err(kind) = result {
                check.problems.push(WorldError { declaration: DeclarationRef::Function(id), kind });
            }
            world.functions.push(FunctionDecl::new(name.clone(), Vec::new(), FunctionDefinition::Stored));
        }
        if check.problems.is_empty() {
            check.definitions(&mut world);
        }
        if check.problems.is_empty() { Ok(world) } else { Err(check.problems) }
    }
}

/// Adds the objects from index `first` on to the tables of members and required attributes, and their default values to the initial values.
///
/// # Errors
/// If the number of memberships exceeds the limit.
fn index_objects(world: &mut World, first: usize) -> Result<(), WorldError> {
    world.members.resize(world.types.len(), Vec::new());
    let mut memberships: usize = world.members.iter().map(Vec::len).sum();
    let of: Vec<FixedBitSet> =
        world.attributes.iter().map(|decl| decl.types.iter().map(|id| id.index()).collect()).collect();
    for index in first..world.objects.len() {
        let object = ObjectId::from(index);
        let all = world.types_of(object);
        let mut required = AttributeMask::NONE;
        for (at, attribute) in world.attributes.iter().enumerate().filter(|&(at, _)| !all.is_disjoint(&of[at])) {
            let id = AttributeId::from(at);
            if attribute.required {
                required |= AttributeMask::one(id);
            }
            let default = attribute.default.clone();
            world.initial.extend(default.map(|value| AttributeChange { object, attribute: id, value }));
        }
        world.required.push(required);
        for id in all.ones() {
            world.members[id].push(object);
        }
        world.memberships.push(all.ones().map(TypeId::from).collect());
        memberships += all.count_ones(..);
        if memberships > MAX_MEMBERSHIPS {
            let kind = WorldErrorKind::TooMany { items: "memberships of objects in types", limit: MAX_MEMBERSHIPS };
            return Err(WorldError { declaration: DeclarationRef::Object(object), kind });
        }
    }
    Ok(())
}
