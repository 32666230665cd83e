//! What there is to speak of: types, objects, attributes, predicates and functions of one domain.
//!
//! | module | what lives there |
//! |---|---|
//! | [`types`] | the type hierarchy |
//! | [`vocabulary`] | declarations of attributes, predicates and functions, and what evaluating one reads |
//! | [`build`] | [`WorldBuilder`]: construction, and its checks |
//! | `reads` | what a definition reads, from what its parts read |
//! | [`recording`] | how recorded plays of a world are read |
//! | [`geometry`] | boxes, distances, angles: plain functions over numbers |
//! | [`operation`] | the library of computed predicates and functions that world files name |
//! | [`tracker`] | what a world derives along the way, such as buildings |
//! | [`mod@file`] | reading `*.world.toml` |

pub mod build;
pub mod file;
pub mod geometry;
pub mod operation;
mod reads;
pub mod recording;
pub mod tracker;
pub mod types;
pub mod vocabulary;

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::ids::{AttributeId, AttributeMask, FunctionId, ObjectId, PredicateId, TypeId};
use crate::state::Change;

pub use build::{Place, Problem, ProblemKind, WorldBuilder};
pub use recording::Recording;
pub use tracker::{Tracker, TrackerState};
pub use types::TypeDecl;
pub use vocabulary::{Argument, AttributeDecl, FunctionDecl, Parameter, PredicateDecl, Reads};

/// An object of a world.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectDecl {
    /// Its identity in recordings.
    pub id: Arc<str>,
    /// Its own types, most specific first, without their parents.
    pub types: Vec<TypeId>,
}

/// A vocabulary with its objects. Built by [`WorldBuilder`] or read from a file; immutable afterwards.
#[derive(Debug, Clone, Default)]
pub struct World {
    pub(crate) name: Arc<str>,
    pub(crate) types: Vec<TypeDecl>,
    pub(crate) objects: Vec<ObjectDecl>,
    pub(crate) attributes: Vec<AttributeDecl>,
    pub(crate) predicates: Vec<PredicateDecl>,
    pub(crate) functions: Vec<FunctionDecl>,
    pub(crate) trackers: Vec<Tracker>,
    pub(crate) initial: Vec<Change>,
    pub(crate) exclusive: bool,
    pub(crate) recording: Option<Recording>,
    /// Objects that are words for something, such as colours.
    pub(crate) symbols: Vec<ObjectId>,
    /// What says where an object is, the preferred attribute first.
    pub(crate) locations: Vec<AttributeId>,
    pub(crate) names: Names,
    /// Per type, itself and its supertypes.
    pub(crate) ancestors: Vec<FixedBitSet>,
    /// Types of which recordings may declare further objects; subtypes are not marked themselves.
    pub(crate) discoverable: Vec<TypeId>,
    /// Per type, its objects (subtypes' included), by id.
    pub(crate) members: Vec<Vec<ObjectId>>,
    /// Per object, the attributes it must have to be present.
    pub(crate) required: Vec<AttributeMask>,
}

/// Look-up tables of a world.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    pub(crate) types: FxHashMap<Arc<str>, TypeId>,
    /// Names under which programs may refer to one object.
    pub(crate) terms: FxHashMap<Arc<str>, ObjectId>,
    /// Names under which recordings refer to an object: its id and its aliases.
    pub(crate) recorded: FxHashMap<Arc<str>, ObjectId>,
    pub(crate) attributes: FxHashMap<Arc<str>, AttributeId>,
    pub(crate) predicates: FxHashMap<Arc<str>, PredicateId>,
    pub(crate) functions: FxHashMap<Arc<str>, FunctionId>,
}

impl World {
    /// The world's name, `few-objects-room-v1`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether its states are those of nothing else, so that states of a world of another name make no sense here. Otherwise they
    /// do, as far as names agree.
    pub fn is_exclusive(&self) -> bool {
        self.exclusive
    }

    /// The types.
    pub fn types(&self) -> &[TypeDecl] {
        &self.types
    }

    /// The type with this id.
    pub fn type_decl(&self, id: TypeId) -> &TypeDecl {
        &self.types[id.index()]
    }

    /// The type of this name.
    pub fn type_named(&self, name: &str) -> Option<TypeId> {
        self.names.types.get(name).copied()
    }

    /// Whether every object of type `sub` is of type `sup`.
    pub fn is_subtype(&self, sub: TypeId, sup: TypeId) -> bool {
        self.ancestors[sub.index()].contains(sup.index())
    }

    /// All objects.
    pub fn objects(&self) -> &[ObjectDecl] {
        &self.objects
    }

    /// The ids of all objects, ascending.
    pub fn object_ids(&self) -> impl ExactSizeIterator<Item = ObjectId> + use<> {
        (0..self.objects.len()).map(ObjectId::from)
    }

    /// The object with this id.
    pub fn object_decl(&self, id: ObjectId) -> &ObjectDecl {
        &self.objects[id.index()]
    }

    /// The object that a program names directly, such as `desk`.
    pub fn object_named(&self, name: &str) -> Option<ObjectId> {
        self.names.terms.get(name).copied()
    }

    /// The names that programs may use for single objects, in no particular order.
    pub fn term_names(&self) -> impl Iterator<Item = (&str, ObjectId)> {
        self.names.terms.iter().map(|(name, &object)| (&**name, object))
    }

    /// A name for people that means this object alone: the one that programs use, its type if no other object has it, or else
    /// its id.
    pub fn label(&self, id: ObjectId) -> &str {
        let own_names = self.names.terms.iter().filter(|(_, object)| **object == id);
        own_names.map(|(name, _)| &**name).min().unwrap_or_else(|| self.unnamed(id))
    }

    /// The [labels](Self::label) of all objects.
    pub fn labels(&self) -> Vec<&str> {
        let mut named: Vec<Option<&str>> = vec![None; self.objects.len()];
        for (name, object) in &self.names.terms {
            let label = &mut named[object.index()];
            *label = Some(label.map_or(&**name, |other| other.min(name)));
        }
        let labels = named.into_iter().zip(self.object_ids());
        labels.map(|(name, id)| name.unwrap_or_else(|| self.unnamed(id))).collect()
    }

    /// What an object is called that programs have no name for.
    fn unnamed(&self, id: ObjectId) -> &str {
        let decl = self.object_decl(id);
        match decl.types.first() {
            Some(&own) if self.members(own).len() == 1 => &self.type_decl(own).name,
            _ => &decl.id,
        }
    }

    /// The object that a recording names, by id or alias.
    pub fn object_recorded(&self, id: &str) -> Option<ObjectId> {
        self.names.recorded.get(id).copied()
    }

    /// The objects of a type, subtypes' included, by id.
    pub fn members(&self, id: TypeId) -> &[ObjectId] {
        &self.members[id.index()]
    }

    /// The objects of any of the types, by id, each once.
    pub fn domain(&self, types: &[TypeId]) -> Vec<ObjectId> {
        let mut objects: Vec<_> = types.iter().flat_map(|&id| self.members(id).iter().copied()).collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Whether the object is of the type.
    pub fn is_a(&self, object: ObjectId, id: TypeId) -> bool {
        self.members(id).binary_search(&object).is_ok()
    }

    /// The attributes.
    pub fn attributes(&self) -> &[AttributeDecl] {
        &self.attributes
    }

    /// The attribute of this name.
    pub fn attribute_named(&self, name: &str) -> Option<AttributeId> {
        self.names.attributes.get(name).copied()
    }

    /// The attributes that the object must have to be present.
    pub fn required_attributes(&self, object: ObjectId) -> AttributeMask {
        self.required[object.index()]
    }

    /// Values that hold before any recording begins: those of fixed things, and defaults.
    pub fn initial_values(&self) -> &[Change] {
        &self.initial
    }

    /// The attributes, of kind vec3, that say where an object is, the preferred one first: those called `center` and
    /// `position`. Scores by position compare the first that an object has.
    pub fn locations(&self) -> &[AttributeId] {
        &self.locations
    }

    /// The predicates.
    pub fn predicates(&self) -> &[PredicateDecl] {
        &self.predicates
    }

    /// The predicate with this id.
    pub fn predicate(&self, id: PredicateId) -> &PredicateDecl {
        &self.predicates[id.index()]
    }

    /// The predicate of this name.
    pub fn predicate_named(&self, name: &str) -> Option<PredicateId> {
        self.names.predicates.get(name).copied()
    }

    /// The functions.
    pub fn functions(&self) -> &[FunctionDecl] {
        &self.functions
    }

    /// The function with this id.
    pub fn function(&self, id: FunctionId) -> &FunctionDecl {
        &self.functions[id.index()]
    }

    /// The function of this name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.names.functions.get(name).copied()
    }

    /// Whether the object is a word for something, such as a colour, and no thing.
    pub fn is_symbol(&self, id: ObjectId) -> bool {
        self.symbols.binary_search(&id).is_ok()
    }

    /// How recorded plays of this world are read; `None` if it has none.
    pub fn recording(&self) -> Option<&Recording> {
        self.recording.as_ref()
    }

    /// Whether recordings may declare further objects of the type.
    pub fn is_discoverable(&self, id: TypeId) -> bool {
        self.discoverable.iter().any(|&open| self.is_subtype(id, open))
    }

    /// What the world derives along the way.
    pub fn trackers(&self) -> &[Tracker] {
        &self.trackers
    }
}
