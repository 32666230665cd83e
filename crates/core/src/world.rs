//! Worlds: the vocabulary of a domain (types, objects, attributes, predicates and functions).
//!
//! | module | contents |
//! |---|---|
//! | [`types`] | the type hierarchy |
//! | [`vocabulary`] | declarations of attributes, predicates and functions, with the inputs of their evaluation |
//! | [`build`] | [`WorldBuilder`]: construction and validation |
//! | `dependencies` | the inputs of definitions, for incremental evaluation |
//! | [`recording`] | how recordings are mapped to a world's attributes |
//! | [`geometry`] | boxes, distances and angles, as pure functions over numbers |
//! | [`operation`] | the library of computed predicates and functions, which world files use by name |
//! | [`tracker`] | attributes derived from the history of states, such as groups of stacked objects |
//! | [`mod@file`] | the reader of world files (`*.world.toml`) |

pub mod build;
mod dependencies;
pub mod file;
pub mod geometry;
pub mod operation;
pub mod recording;
pub mod tracker;
pub mod types;
pub mod vocabulary;

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::ids::{AttributeId, AttributeMask, FunctionId, ObjectId, PredicateId, TypeId};
use crate::state::AttributeChange;

pub use build::{DeclarationRef, WorldBuilder, WorldError, WorldErrorKind};
pub use recording::RecordingFormat;
pub use tracker::{Tracker, TrackerState};
pub use types::TypeDecl;
pub use vocabulary::{Argument, AttributeDecl, Dependencies, FunctionDecl, Parameter, PredicateDecl};

/// An object of a world.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectDecl {
    /// The object's id in recordings.
    pub id: Arc<str>,
    /// The declared types, most specific first, without their supertypes.
    pub types: Vec<TypeId>,
}

/// A vocabulary with its objects. A world is built by [`WorldBuilder`] or read from a file, and is immutable.
#[derive(Debug, Clone, Default)]
pub struct World {
    pub(crate) name: Arc<str>,
    pub(crate) types: Vec<TypeDecl>,
    pub(crate) objects: Vec<ObjectDecl>,
    pub(crate) attributes: Vec<AttributeDecl>,
    pub(crate) predicates: Vec<PredicateDecl>,
    pub(crate) functions: Vec<FunctionDecl>,
    pub(crate) trackers: Vec<Tracker>,
    pub(crate) initial: Vec<AttributeChange>,
    pub(crate) exclusive: bool,
    pub(crate) recording: Option<RecordingFormat>,
    /// The objects that are symbols, such as colours, in order of ids.
    pub(crate) symbols: Vec<ObjectId>,
    /// The attributes that locate an object, the preferred one first.
    pub(crate) locations: Vec<AttributeId>,
    pub(crate) names: NameTables,
    /// For each type, the set of itself and its supertypes.
    pub(crate) ancestors: Vec<FixedBitSet>,
    /// The types whose objects recordings may declare. Their subtypes are included, but not listed.
    pub(crate) discoverable: Vec<TypeId>,
    /// For each type, its objects, including those of subtypes, in order of ids.
    pub(crate) members: Vec<Vec<ObjectId>>,
    /// For each object, its types and their supertypes.
    pub(crate) memberships: Vec<Box<[TypeId]>>,
    /// For each object, the attributes that it must have to be present.
    pub(crate) required: Vec<AttributeMask>,
}

/// The look-up tables of a world by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct NameTables {
    pub(crate) types: FxHashMap<Arc<str>, TypeId>,
    /// The names by which programs refer to objects.
    pub(crate) program_names: FxHashMap<Arc<str>, ObjectId>,
    /// The names by which recordings refer to objects: ids and aliases.
    pub(crate) recorded: FxHashMap<Arc<str>, ObjectId>,
    pub(crate) attributes: FxHashMap<Arc<str>, AttributeId>,
    pub(crate) predicates: FxHashMap<Arc<str>, PredicateId>,
    pub(crate) functions: FxHashMap<Arc<str>, FunctionId>,
}

impl World {
    /// Returns the world's name, for example `few-objects-room-v1`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether another world has the same types, objects, attributes, predicates and functions. Its name may differ.
    pub fn has_same_vocabulary(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || self.types == other.types
                && self.objects == other.objects
                && self.attributes == other.attributes
                && self.predicates == other.predicates
                && self.functions == other.functions
    }

    /// Whether only traces that name this world can be read with it. A trace that names another world is otherwise read as far as the names
    /// in it agree.
    pub fn requires_own_traces(&self) -> bool {
        self.exclusive
    }

    /// Returns the types.
    pub fn types(&self) -> &[TypeDecl] {
        &self.types
    }

    /// Returns the type with this id.
    pub fn type_decl(&self, id: TypeId) -> &TypeDecl {
        &self.types[id.index()]
    }

    /// Returns the type with this name.
    pub fn type_named(&self, name: &str) -> Option<TypeId> {
        self.names.types.get(name).copied()
    }

    /// Whether every object of type `sub` is also of type `sup`.
    pub fn is_subtype(&self, sub: TypeId, sup: TypeId) -> bool {
        self.ancestors[sub.index()].contains(sup.index())
    }

    /// Whether objects of a type have no attributes, in a world that has attributes.
    pub fn is_without_attributes(&self, id: TypeId) -> bool {
        let related = |&of: &TypeId| self.is_subtype(id, of) || self.is_subtype(of, id);
        !self.attributes().is_empty() && !self.attributes().iter().any(|attribute| attribute.types.iter().any(related))
    }

    /// Returns the objects.
    pub fn objects(&self) -> &[ObjectDecl] {
        &self.objects
    }

    /// Returns the ids of all objects, in ascending order.
    pub fn object_ids(&self) -> impl ExactSizeIterator<Item = ObjectId> + use<> {
        (0..self.objects.len()).map(ObjectId::from)
    }

    /// Returns the object with this id.
    pub fn object_decl(&self, id: ObjectId) -> &ObjectDecl {
        &self.objects[id.index()]
    }

    /// Returns the object to which programs refer by this name, such as `desk`.
    pub fn object_named(&self, name: &str) -> Option<ObjectId> {
        self.names.program_names.get(name).copied()
    }

    /// Returns the names by which programs refer to objects, with the objects, in unspecified order.
    pub fn program_names(&self) -> impl Iterator<Item = (&str, ObjectId)> {
        self.names.program_names.iter().map(|(name, &object)| (&**name, object))
    }

    /// Returns a human-readable name that identifies the object: its name in programs, or its type if it is the only object of that type,
    /// or its id.
    pub fn label(&self, id: ObjectId) -> &str {
        let own_names = self.names.program_names.iter().filter(|(_, object)| **object == id);
        own_names.map(|(name, _)| &**name).min().unwrap_or_else(|| self.fallback_label(id))
    }

    /// Returns the [labels](Self::label) of all objects.
    pub fn labels(&self) -> Vec<&str> {
        let mut named: Vec<Option<&str>> = vec![None; self.objects.len()];
        for (name, object) in &self.names.program_names {
            let label = &mut named[object.index()];
            *label = Some(label.map_or(&**name, |other| other.min(name)));
        }
        let labels = named.into_iter().zip(self.object_ids());
        labels.map(|(name, id)| name.unwrap_or_else(|| self.fallback_label(id))).collect()
    }

    /// Returns the label of an object that has no name in programs.
    fn fallback_label(&self, id: ObjectId) -> &str {
        let decl = self.object_decl(id);
        match decl.types.first() {
            Some(&own) if self.members(own).len() == 1 => &self.type_decl(own).name,
            _ => &decl.id,
        }
    }

    /// Returns the object to which recordings refer by this id or alias.
    pub fn object_with_recorded_name(&self, id: &str) -> Option<ObjectId> {
        self.names.recorded.get(id).copied()
    }

    /// Returns the objects of a type, including those of its subtypes, in order of ids.
    pub fn members(&self, id: TypeId) -> &[ObjectId] {
        &self.members[id.index()]
    }

    /// Returns the objects of any of the types, in order of ids, without duplicates.
    pub fn domain(&self, types: &[TypeId]) -> Vec<ObjectId> {
        let mut objects: Vec<_> = types.iter().flat_map(|&id| self.members(id).iter().copied()).collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Whether the object is of the type.
    pub fn is_a(&self, object: ObjectId, id: TypeId) -> bool {
        self.memberships[object.index()].contains(&id)
    }

    /// Returns the attributes.
    pub fn attributes(&self) -> &[AttributeDecl] {
        &self.attributes
    }

    /// Returns the attribute with this name.
    pub fn attribute_named(&self, name: &str) -> Option<AttributeId> {
        self.names.attributes.get(name).copied()
    }

    /// Returns the attributes that the object must have to be present.
    pub fn required_attributes(&self, object: ObjectId) -> AttributeMask {
        self.required[object.index()]
    }

    /// Returns the values that attributes have before a recording begins: default values, and values of fixed objects.
    pub fn initial_values(&self) -> &[AttributeChange] {
        &self.initial
    }

    /// Returns the attributes of kind vec3 that locate an object, the preferred one first: `center` and `position`, if the world declares
    /// them. Scores by position use the first that an object has.
    pub fn locations(&self) -> &[AttributeId] {
        &self.locations
    }

    /// Returns the predicates.
    pub fn predicates(&self) -> &[PredicateDecl] {
        &self.predicates
    }

    /// Returns the predicate with this id.
    pub fn predicate(&self, id: PredicateId) -> &PredicateDecl {
        &self.predicates[id.index()]
    }

    /// Returns the predicate with this name.
    pub fn predicate_named(&self, name: &str) -> Option<PredicateId> {
        self.names.predicates.get(name).copied()
    }

    /// Returns the functions.
    pub fn functions(&self) -> &[FunctionDecl] {
        &self.functions
    }

    /// Returns the function with this id.
    pub fn function(&self, id: FunctionId) -> &FunctionDecl {
        &self.functions[id.index()]
    }

    /// Returns the function with this name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.names.functions.get(name).copied()
    }

    /// Whether the object is a symbol, such as a colour, rather than a physical object.
    pub fn is_symbol(&self, id: ObjectId) -> bool {
        self.symbols.binary_search(&id).is_ok()
    }

    /// Returns the mapping from recordings to this world's attributes; `None` if it has none.
    pub fn recording(&self) -> Option<&RecordingFormat> {
        self.recording.as_ref()
    }

    /// Whether recordings may declare further objects of the type.
    pub fn is_discoverable(&self, id: TypeId) -> bool {
        self.discoverable.iter().any(|&open| self.is_subtype(id, open))
    }

    /// Returns the trackers, which derive attributes from the history of states.
    pub fn trackers(&self) -> &[Tracker] {
        &self.trackers
    }
}
