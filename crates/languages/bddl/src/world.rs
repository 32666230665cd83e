//! The world of a problem: its objects by category, its rooms, the predicates that are used.

use std::sync::Arc;

use goalspec_core::ids::{ObjectId, PredicateId, TypeId};
use goalspec_core::world::{World, WorldBuilder, build};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::ast::{Atom, Domain, Name, Problem};
use crate::ground::{GroundError, GroundErrorKind};
use crate::resolve::INROOM;

/// The type above all others, and the category of instances that are declared without one.
const OBJECT: &str = "object";

/// The type of instances without a category, of which `object` ranges over these alone.
const UNTYPED: &str = "Untyped";

/// The type of rooms.
const ROOM: &str = "Room";

/// A world that is being built.
pub(crate) struct Vocabulary {
    builder: WorldBuilder,
    root: TypeId,
    objects: IndexMap<Arc<str>, ObjectId>,
    categories: FxHashMap<Arc<str>, TypeId>,
    predicates: FxHashMap<(Arc<str>, usize), PredicateId>,
    /// How many predicates there are of a name.
    namesakes: FxHashMap<Arc<str>, usize>,
}

impl Vocabulary {
    /// The objects of the problem and the predicates of the domain.
    pub(crate) fn new(problem: &Problem, domain: Option<&Domain>) -> Self {
        let mut builder = WorldBuilder::new(problem.name.text.clone());
        // What a trace does not say does not hold: in that of another activity, hardly anything that this one asks for.
        builder.set_exclusive();
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

    /// Declares all instances, regions and rooms, in the order in which they appear, each with all its categories.
    fn declare(&mut self, problem: &Problem) {
        let mut types: IndexMap<Arc<str>, Vec<TypeId>> = IndexMap::new();
        let fixtures = problem.libero.as_ref().map_or(&[][..], |libero| &libero.fixtures);
        for group in problem.objects.iter().chain(fixtures) {
            let category = group.category.as_ref().map_or_else(|| Arc::from(OBJECT), |name| name.text.clone());
            let id = self.categories.get(&category).copied().unwrap_or_else(|| {
                let name = if *category == *OBJECT { UNTYPED } else { &*category };
                let id = self.builder.add_type(name, &[self.root]);
                self.categories.insert(category.clone(), id);
                id
            });
            for instance in &group.instances {
                let own = types.entry(instance.text.clone()).or_default();
                if !own.contains(&id) {
                    own.push(id);
                }
            }
        }
        for region in problem.libero.iter().flat_map(|libero| &libero.regions) {
            types.entry(region.qualified_name()).or_insert_with(|| vec![self.root]);
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
            self.builder.add_term(name.clone(), id);
            self.objects.insert(name, id);
        }
    }

    /// The instance or room of this name.
    pub(crate) fn object(&self, name: &Name) -> Result<ObjectId, GroundError> {
        self.objects
            .get(&name.text)
            .copied()
            .ok_or_else(|| GroundError { kind: GroundErrorKind::UnknownObject(name.text.clone()), origin: name.origin })
    }

    /// The type of the instances of a category.
    pub(crate) fn category(&self, name: &Name) -> Result<TypeId, GroundError> {
        self.categories.get(&name.text).copied().ok_or_else(|| GroundError {
            kind: GroundErrorKind::UnknownCategory(name.text.clone()),
            origin: name.origin,
        })
    }

    /// The predicate of an atom. Predicates of one name and different numbers of arguments are different predicates.
    pub(crate) fn predicate(&mut self, atom: &Atom) -> PredicateId {
        self.intern(&atom.predicate.text, atom.arguments.len())
    }

    fn intern(&mut self, name: &Arc<str>, arity: usize) -> PredicateId {
        let Self { builder, root, predicates, namesakes, .. } = self;
        *predicates.entry((name.clone(), arity)).or_insert_with(|| {
            let namesakes = namesakes.entry(name.clone()).or_default();
            *namesakes += 1;
            // The first one has the plain name.
            let name = if *namesakes == 1 { name.clone() } else { format!("{name}/{arity}").into() };
            builder.add_fact(name, &vec![*root; arity])
        })
    }

    pub(crate) fn finish(self) -> Result<World, Vec<build::Problem>> {
        self.builder.finish()
    }
}
