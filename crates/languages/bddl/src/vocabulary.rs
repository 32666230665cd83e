//! Construction of the world of a problem: objects by category, rooms, and predicates.

use std::sync::Arc;

use goalspec_core::ids::{ObjectId, PredicateId, TypeId};
use goalspec_core::world::{World, WorldBuilder, build};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::ast::{Atom, Declaration, Domain, Name, OBJECT, Problem};
use crate::ground::{GroundError, GroundErrorKind};
use crate::resolve::INROOM;

/// The type of instances without a category, which a quantifier over `object` ranges over. The type `object` itself is the root
/// of the hierarchy.
const UNTYPED: &str = "Untyped";

/// The type of rooms.
const ROOM: &str = "Room";

/// A world under construction.
pub(crate) struct Vocabulary {
    builder: WorldBuilder,
    root: TypeId,
    objects: IndexMap<Arc<str>, ObjectId>,
    categories: FxHashMap<Arc<str>, TypeId>,
    predicates: FxHashMap<(Arc<str>, usize), PredicateId>,
    /// The number of predicates with each name.
    namesakes: FxHashMap<Arc<str>, usize>,
}

impl Vocabulary {
    /// Creates the vocabulary of a problem: its objects, and the predicates of the domain.
    pub(crate) fn new(problem: &Problem, domain: Option<&Domain>) -> Self {
        let mut builder = WorldBuilder::new(problem.name.text.clone());
        // Facts that a trace does not mention are false, so almost none would hold in a trace of another activity. Only traces
        // that name this world are accepted.
        builder.require_own_traces();
        let root = builder.add_type(OBJECT, &[]);
        let mut vocabulary = Self {
            builder,
            root,
            objects: IndexMap::new(),
            categories: FxHashMap::default(),
            predicates: FxHashMap::default(),
            namesakes: FxHashMap::default(),
        };
        vocabulary.declare(problem);
        for predicate in domain.into_iter().flat_map(|domain| &domain.predicates) {
            vocabulary.intern(&predicate.name.text, predicate.parameters.len());
        }
        vocabulary
    }

    /// Declares all instances, regions and rooms in source order, each with all its categories.
    fn declare(&mut self, problem: &Problem) {
        let mut types: IndexMap<Arc<str>, Vec<TypeId>> = IndexMap::new();
        // A group may have a category but no instances.
        for (group, _) in problem.groups() {
            self.declare_category(group.category_name());
        }
        for Declaration { name, category, .. } in problem.declarations() {
            let id = self.declare_category(category);
            let own = types.entry(name.text.clone()).or_default();
            if !own.contains(&id) {
                own.push(id);
            }
        }
        let rooms = problem.init.iter().filter(|literal| *literal.atom.predicate.text == *INROOM);
        let mut rooms = rooms.filter_map(|literal| literal.atom.arguments.get(1)).peekable();
        if rooms.peek().is_some() {
            let room = self.builder.add_type(ROOM, &[self.root]);
            for name in rooms {
                types.entry(name.text.clone()).or_insert_with(|| vec![room]);
            }
        }
        for (name, types) in types {
            let id = self.builder.add_object(name.clone(), &types);
            self.builder.add_program_name(name.clone(), id);
            self.objects.insert(name, id);
        }
    }

    /// Adds an object that belongs to no category, so that no quantifier of the goal ranges over it.
    pub(crate) fn add_object(&mut self, name: &Arc<str>) {
        let id = self.builder.add_object(name.clone(), &[self.root]);
        self.builder.add_program_name(name.clone(), id);
        self.objects.insert(name.clone(), id);
    }

    /// Returns the type of a category, which is added if it is new.
    fn declare_category(&mut self, category: &str) -> TypeId {
        if let Some(&id) = self.categories.get(category) {
            return id;
        }
        let written = if category == OBJECT { UNTYPED } else { category };
        let id = self.builder.add_type(written, &[self.root]);
        self.categories.insert(category.into(), id);
        id
    }

    /// Returns the instance or room with the given name.
    pub(crate) fn object(&self, name: &Name) -> Result<ObjectId, GroundError> {
        self.objects
            .get(&name.text)
            .copied()
            .ok_or_else(|| GroundError { kind: GroundErrorKind::UnknownObject(name.text.clone()), origin: name.origin })
    }

    /// Returns the type of the instances of a category.
    pub(crate) fn category(&self, name: &Name) -> Result<TypeId, GroundError> {
        self.categories.get(&name.text).copied().ok_or_else(|| GroundError {
            kind: GroundErrorKind::UnknownCategory(name.text.clone()),
            origin: name.origin,
        })
    }

    /// Returns the predicate of an atom. Predicates with the same name but different arities are distinct.
    pub(crate) fn predicate(&mut self, atom: &Atom) -> PredicateId {
        self.intern(&atom.predicate.text, atom.arguments.len())
    }

    /// Returns the root type, which all objects have.
    pub(crate) fn root(&self) -> TypeId {
        self.root
    }

    /// Returns the object with the given name.
    pub(crate) fn object_named(&self, name: &str) -> Option<ObjectId> {
        self.objects.get(name).copied()
    }

    /// Declares a predicate with a unique name: `preferred`, or `preferred` with a number.
    pub(crate) fn declare_fresh(&mut self, preferred: &str, arity: usize) -> PredicateId {
        let mut name: Arc<str> = preferred.into();
        let mut number = 1;
        while self.namesakes.contains_key(&name) {
            number += 1;
            name = format!("{preferred}_{number}").into();
        }
        self.namesakes.insert(name.clone(), 1);
        self.builder.add_fact(name, &vec![self.root; arity])
    }

    pub(crate) fn intern(&mut self, name: &Arc<str>, arity: usize) -> PredicateId {
        let Self { builder, root, predicates, namesakes, .. } = self;
        *predicates.entry((name.clone(), arity)).or_insert_with(|| {
            let namesakes = namesakes.entry(name.clone()).or_default();
            *namesakes += 1;
            // The first predicate with a name keeps it.
            let name = if *namesakes == 1 { name.clone() } else { format!("{name}/{arity}").into() };
            builder.add_fact(name, &vec![*root; arity])
        })
    }

    pub(crate) fn finish(self) -> Result<World, Vec<build::WorldError>> {
        self.builder.finish()
    }
}
