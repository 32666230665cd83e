//! Construction of worlds, and its checks.

use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::operation::{FunctionMeaning, OperationDoc, PredicateMeaning};
use super::reads;
use super::recording::{Adjustment, Recording};
use super::vocabulary::{AttributeDecl, Callee, FunctionDecl, Parameter, PredicateDecl, Reads};
use super::{ObjectDecl, Tracker, TypeDecl, World, types};
use crate::condition::{Scope, Term};
use crate::ids::{AttributeId, AttributeMask, FunctionId, ObjectId, PredicateId, TypeId};
use crate::limits::{MAX_ATTRIBUTES, MAX_DEFINITION_DEPTH, MAX_DEFINITION_SIZE, MAX_TYPES};
use crate::state::Change;
use crate::value::{Kind, Value};

/// Collects declarations and makes a [`World`] of them.
///
/// Every declaration returns its id at once; what is wrong is reported by [`finish`](Self::finish), all of it together.
///
/// ```
/// use goalspec_core::world::WorldBuilder;
///
/// let mut builder = WorldBuilder::new("lamps");
/// let lamp = builder.add_type("lamp", &[]);
/// let desk_lamp = builder.add_object("desk_lamp", &[lamp]);
/// builder.add_term("desk_lamp", desk_lamp);
/// builder.add_fact("lit", &[lamp]);
/// let world = builder.finish().unwrap();
/// assert_eq!(world.members(lamp), [desk_lamp]);
/// ```
#[derive(Debug, Clone)]
pub struct WorldBuilder {
    world: World,
    aliases: Vec<(Arc<str>, ObjectId)>,
    terms: Vec<(Arc<str>, ObjectId)>,
    initial: Vec<Change>,
}

/// Which declaration a problem is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The world as a whole.
    World,
    /// A type.
    Type(TypeId),
    /// An object.
    Object(ObjectId),
    /// The alias added at this position.
    Alias(usize),
    /// The name for programs added at this position.
    Term(usize),
    /// An attribute.
    Attribute(AttributeId),
    /// A predicate.
    Predicate(PredicateId),
    /// A function.
    Function(FunctionId),
    /// The initial value added at this position.
    Initial(usize),
    /// How recordings are read.
    Recording,
}

/// Why a world cannot be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What is wrong there.
    pub kind: ProblemKind,
}

/// What can be wrong with a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// The name is taken.
    Duplicate {
        /// What kind of thing has the name already: `type`, `object`..
        what: &'static str,
        /// The name.
        name: Arc<str>,
    },
    /// No language could write the name.
    BadName(Arc<str>),
    /// An id that nothing has been declared under.
    UnknownId(&'static str),
    /// An object, attribute or parameter without a type.
    NoType,
    /// An optional parameter before one that is not.
    OptionalNotLast,
    /// A value or use that does not fit the kind of the attribute.
    WrongKind {
        /// The attribute.
        attribute: Arc<str>,
        /// Its kind.
        kind: Kind,
        /// What the declaration needs.
        wanted: &'static str,
    },
    /// A number that is infinite or not a number.
    NotFinite,
    /// A value for an object that does not have the attribute.
    NotAnAttributeOf {
        /// The attribute.
        attribute: Arc<str>,
        /// The object.
        object: Arc<str>,
    },
    /// A meaning that does not go with the parameters.
    WrongParameters(&'static str),
    /// A predicate or function used with too few or too many arguments.
    WrongArity {
        /// What is used.
        name: Arc<str>,
        /// With how many arguments.
        given: usize,
    },
    /// A type name where the predicate or function takes objects only.
    TypeNotAccepted(Arc<str>),
    /// Definitions that use each other in a circle; the names on the way.
    Cycle(Vec<Arc<str>>),
    /// A definition that is too deeply nested or, spelled out, too large.
    TooComplex,
    /// More of something than a world may have.
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The most there may be.
        most: usize,
    },
    /// An object of a type that recordings may not add to.
    NotDiscoverable(Arc<str>),
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { what, name } => write!(f, "there is already {what} `{name}`"),
            Self::BadName(name) => write!(
                f,
                "`{name}` cannot be a name: names are not empty and contain no spaces, quotes, parentheses or semicolons"
            ),
            Self::UnknownId(what) => write!(f, "refers to {what} that is not declared"),
            Self::NoType => write!(f, "needs at least one type"),
            Self::OptionalNotLast => write!(f, "only the last parameters can be optional"),
            Self::WrongKind { attribute, kind, wanted } => {
                write!(f, "attribute `{attribute}` is of kind {}, but {wanted} is needed here", kind.name())
            }
            Self::NotFinite => write!(f, "numbers must be finite"),
            Self::NotAnAttributeOf { attribute, object } => write!(f, "`{object}` has no attribute `{attribute}`"),
            Self::WrongParameters(rule) => write!(f, "{rule}"),
            Self::WrongArity { name, given } => write!(f, "`{name}` does not take {given} arguments"),
            Self::TypeNotAccepted(name) => write!(f, "`{name}` takes objects here, not a type"),
            Self::Cycle(names) => write!(f, "definitions use each other in a circle: {}", names.join(" -> ")),
            Self::TooComplex => write!(
                f,
                "spelled out, the definition is nested deeper than {MAX_DEFINITION_DEPTH} or larger than {MAX_DEFINITION_SIZE}"
            ),
            Self::TooMany { what, most } => write!(f, "a world has at most {most} {what}"),
            Self::NotDiscoverable(name) => write!(f, "recordings may not add objects of type `{name}` to this world"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::World | Place::Recording => write!(f, "{}", self.kind),
            Place::Type(id) => write!(f, "type {}: {}", id.0, self.kind),
            Place::Object(id) => write!(f, "object {}: {}", id.0, self.kind),
            Place::Alias(at) => write!(f, "alias {at}: {}", self.kind),
            Place::Term(at) => write!(f, "term {at}: {}", self.kind),
            Place::Attribute(id) => write!(f, "attribute {}: {}", id.0, self.kind),
            Place::Predicate(id) => write!(f, "predicate {}: {}", id.0, self.kind),
            Place::Function(id) => write!(f, "function {}: {}", id.0, self.kind),
            Place::Initial(at) => write!(f, "initial value {at}: {}", self.kind),
        }
    }
}

impl std::error::Error for Problem {}

impl WorldBuilder {
    /// An empty world of this name.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self {
            world: World { name: name.into(), ..World::default() },
            aliases: Vec::new(),
            terms: Vec::new(),
            initial: Vec::new(),
        }
    }

    /// Gives the world another name.
    pub(super) fn rename(&mut self, name: &str) {
        self.world.name = name.into();
    }

    /// Whether every object of type `sub` is of type `sup`, as far as types are declared.
    pub(super) fn is_subtype(&self, sub: TypeId, sup: TypeId) -> bool {
        let mut seen = fixedbitset::FixedBitSet::with_capacity(self.world.types.len());
        let mut waiting = vec![sub];
        while let Some(id) = waiting.pop() {
            if id == sup {
                return true;
            }
            if !seen.put(id.index()) {
                waiting.extend(&self.world.types[id.index()].parents);
            }
        }
        false
    }

    /// The objects of a type among those declared so far.
    pub(super) fn members_so_far(&self, id: TypeId) -> Vec<ObjectId> {
        let objects = self.world.objects.iter().enumerate();
        let of_type = objects.filter(|(_, decl)| decl.types.iter().any(|&own| self.is_subtype(own, id)));
        of_type.map(|(index, _)| ObjectId::from(index)).collect()
    }

    /// Declares a type; its supertypes have been declared before.
    pub fn add_type(&mut self, name: impl Into<Arc<str>>, parents: &[TypeId]) -> TypeId {
        self.declare_type(TypeDecl { name: name.into(), parents: parents.to_vec(), doc: Arc::default() })
    }

    /// Declares a type with its documentation.
    pub fn declare_type(&mut self, decl: TypeDecl) -> TypeId {
        self.world.types.push(decl);
        TypeId::from(self.world.types.len() - 1)
    }

    /// Lets recordings declare further objects of the type.
    pub fn allow_discovery(&mut self, id: TypeId) {
        self.world.discoverable.push(id);
    }

    /// Declares an object under the id that recordings use, with its own types, most specific first.
    pub fn add_object(&mut self, id: impl Into<Arc<str>>, types: &[TypeId]) -> ObjectId {
        self.world.objects.push(ObjectDecl { id: id.into(), types: types.to_vec() });
        ObjectId::from(self.world.objects.len() - 1)
    }

    /// Adds a name under which recordings refer to an object, besides its id.
    pub fn add_alias(&mut self, name: impl Into<Arc<str>>, object: ObjectId) {
        self.aliases.push((name.into(), object));
    }

    /// Adds a name under which programs refer to an object.
    pub fn add_term(&mut self, name: impl Into<Arc<str>>, object: ObjectId) {
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

    /// Declares a predicate that states store, with one type per parameter.
    pub fn add_fact(&mut self, name: impl Into<Arc<str>>, parameters: &[TypeId]) -> PredicateId {
        let parameters = parameters.iter().map(|&id| Parameter::of(&[id])).collect();
        self.add_predicate(PredicateDecl::new(name, parameters, PredicateMeaning::Stored))
    }

    /// Gives a declared predicate another meaning, so that declarations may refer to each other in any order.
    ///
    /// # Panics
    /// If the predicate has not been declared.
    pub fn define_predicate(&mut self, id: PredicateId, meaning: PredicateMeaning) {
        self.world.predicates[id.index()].meaning = meaning;
    }

    /// Gives a declared function another meaning.
    ///
    /// # Panics
    /// If the function has not been declared.
    pub fn define_function(&mut self, id: FunctionId, meaning: FunctionMeaning) {
        self.world.functions[id.index()].meaning = meaning;
    }

    /// Declares a function.
    pub fn add_function(&mut self, decl: FunctionDecl) -> FunctionId {
        self.world.functions.push(decl);
        FunctionId::from(self.world.functions.len() - 1)
    }

    /// Declares a function that states store, with one type per parameter.
    pub fn add_fluent(&mut self, name: impl Into<Arc<str>>, parameters: &[TypeId]) -> FunctionId {
        let parameters = parameters.iter().map(|&id| Parameter::of(&[id])).collect();
        self.add_function(FunctionDecl::new(name, parameters, FunctionMeaning::Stored))
    }

    /// Adds something that the world derives along the way.
    pub fn add_tracker(&mut self, tracker: Tracker) {
        self.world.trackers.push(tracker);
    }

    /// Gives an attribute of an object a value that holds before any recording begins.
    pub fn set_initial(&mut self, object: ObjectId, attribute: AttributeId, value: Value) {
        self.initial.push(Change { object, attribute, value });
    }

    /// Says how recorded plays are read.
    pub fn set_recording(&mut self, recording: Recording) {
        self.world.recording = Some(recording);
    }

    /// Checks everything and builds the world.
    ///
    /// # Errors
    /// All that is wrong with the declarations, in their order.
    pub fn finish(self) -> Result<World, Vec<Problem>> {
        let Self { mut world, aliases, terms, initial } = self;
        let mut check = Check::default();
        check.limits(&world);
        check.types(&world);
        check.objects(&world);
        check.attributes(&world);
        check.predicates(&world);
        check.functions(&world);
        check.object_names(&world, &aliases, &terms);
        if check.problems.is_empty() {
            // What follows looks ids up, so they must all be good.
            world.names = check.names;
            world.ancestors = types::ancestors(&world.types);
            index_objects(&mut world, 0);
            check.names = super::Names::default();
            check.initial(&mut world, initial);
            check.recording(&world);
            check.definitions(&mut world);
        }
        if check.problems.is_empty() { Ok(world) } else { Err(check.problems) }
    }
}

impl World {
    /// This world with further objects, such as those that a recording declares before its first state.
    ///
    /// # Errors
    /// Ids that are taken, objects without types, and objects of types that the world does not open to discovery.
    /// The places count the new objects on from those that there are.
    pub fn extended_with(&self, objects: Vec<ObjectDecl>) -> Result<World, Vec<Problem>> {
        let mut world = self.clone();
        let mut problems = Vec::new();
        let known = world.objects.len();
        for decl in objects {
            let id = ObjectId::from(world.objects.len());
            let mut problem = |kind| problems.push(Problem { place: Place::Object(id), kind });
            if decl.types.is_empty() {
                problem(ProblemKind::NoType);
            }
            for &own in &decl.types {
                if own.index() >= world.types.len() {
                    problem(ProblemKind::UnknownId("a type"));
                } else if !world.is_discoverable(own) {
                    problem(ProblemKind::NotDiscoverable(world.type_decl(own).name.clone()));
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
        index_objects(&mut world, known);
        let defaults = defaults(&world, known);
        world.initial.extend(defaults);
        Ok(world)
    }
}

/// Enters a name; names of things that recordings contain may be any text.
fn bind<T>(table: &mut FxHashMap<Arc<str>, T>, what: &'static str, name: &Arc<str>, id: T) -> Result<(), ProblemKind> {
    match table.entry(name.clone()) {
        Entry::Occupied(_) => Err(ProblemKind::Duplicate { what, name: name.clone() }),
        Entry::Vacant(slot) => {
            slot.insert(id);
            Ok(())
        }
    }
}

/// Whether the languages can write the name.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('?')
        && !name.contains(|c: char| c.is_whitespace() || c.is_control() || "()\"';".contains(c))
}

/// Fills the tables of members and required attributes for the objects from `first` on.
fn index_objects(world: &mut World, first: usize) {
    world.members.resize(world.types.len(), Vec::new());
    for index in first..world.objects.len() {
        let object = ObjectId::from(index);
        let mut all = fixedbitset::FixedBitSet::with_capacity(world.types.len());
        for own in &world.objects[index].types {
            all.union_with(&world.ancestors[own.index()]);
        }
        let mut required = AttributeMask::NONE;
        for (at, attribute) in world.attributes.iter().enumerate() {
            if attribute.required && attribute.of.iter().any(|of| all.contains(of.index())) {
                required |= AttributeMask::one(AttributeId::from(at));
            }
        }
        world.required.push(required);
        for id in all.ones() {
            world.members[id].push(object);
        }
    }
}

/// The default values of the objects from `first` on.
fn defaults(world: &World, first: usize) -> Vec<Change> {
    let mut changes = Vec::new();
    for object in world.object_ids().skip(first) {
        for (at, attribute) in world.attributes.iter().enumerate() {
            if let Some(value) = &attribute.default
                && attribute.of.iter().any(|&of| world.is_a(object, of))
            {
                changes.push(Change { object, attribute: AttributeId::from(at), value: value.clone() });
            }
        }
    }
    changes
}

#[derive(Default)]
struct Check {
    problems: Vec<Problem>,
    names: super::Names,
}

impl Check {
    fn report(&mut self, place: Place, kind: ProblemKind) {
        self.problems.push(Problem { place, kind });
    }

    fn collect(&mut self, place: Place, result: Result<(), ProblemKind>) {
        if let Err(kind) = result {
            self.report(place, kind);
        }
    }

    fn name(&mut self, place: Place, name: &Arc<str>) {
        if !is_name(name) {
            self.report(place, ProblemKind::BadName(name.clone()));
        }
    }

    fn limits(&mut self, world: &World) {
        for (what, count, most) in [
            ("attributes", world.attributes.len(), MAX_ATTRIBUTES),
            ("types", world.types.len(), MAX_TYPES),
            ("objects", world.objects.len(), u32::MAX as usize),
        ] {
            if count > most {
                self.report(Place::World, ProblemKind::TooMany { what, most });
            }
        }
    }

    fn known_types(&mut self, place: Place, types: &[TypeId], known: usize) {
        if types.is_empty() {
            self.report(place, ProblemKind::NoType);
        } else if types.iter().any(|id| id.index() >= known) {
            self.report(place, ProblemKind::UnknownId("a type"));
        }
    }

    fn types(&mut self, world: &World) {
        for (index, decl) in world.types.iter().enumerate() {
            let id = TypeId::from(index);
            self.name(Place::Type(id), &decl.name);
            let result = bind(&mut self.names.types, "a type", &decl.name, id);
            self.collect(Place::Type(id), result);
            if decl.parents.iter().any(|parent| parent.index() >= index) {
                self.report(Place::Type(id), ProblemKind::UnknownId("a type"));
            }
        }
        if world.discoverable.iter().any(|id| id.index() >= world.types.len()) {
            self.report(Place::World, ProblemKind::UnknownId("a type"));
        }
    }

    fn objects(&mut self, world: &World) {
        for (index, decl) in world.objects.iter().enumerate() {
            let id = ObjectId::from(index);
            let result = bind(&mut self.names.recorded, "an object", &decl.id, id);
            self.collect(Place::Object(id), result);
            self.known_types(Place::Object(id), &decl.types, world.types.len());
        }
    }

    fn object_names(&mut self, world: &World, aliases: &[(Arc<str>, ObjectId)], terms: &[(Arc<str>, ObjectId)]) {
        for (at, (name, object)) in aliases.iter().enumerate() {
            if object.index() >= world.objects.len() {
                self.report(Place::Alias(at), ProblemKind::UnknownId("an object"));
            }
            let result = bind(&mut self.names.recorded, "an object", name, *object);
            self.collect(Place::Alias(at), result);
        }
        for (at, (name, object)) in terms.iter().enumerate() {
            self.name(Place::Term(at), name);
            if object.index() >= world.objects.len() {
                self.report(Place::Term(at), ProblemKind::UnknownId("an object"));
            }
            let result = bind(&mut self.names.terms, "an object", name, *object);
            self.collect(Place::Term(at), result);
        }
    }

    fn attributes(&mut self, world: &World) {
        for (index, decl) in world.attributes.iter().enumerate() {
            let (id, place) = (AttributeId::from(index), Place::Attribute(AttributeId::from(index)));
            self.name(place, &decl.name);
            let result = bind(&mut self.names.attributes, "an attribute", &decl.name, id);
            self.collect(place, result);
            self.known_types(place, &decl.of, world.types.len());
            if let Some(value) = &decl.default {
                let result = check_value(world, decl, value);
                self.collect(place, result);
            }
        }
    }

    fn parameters(&mut self, place: Place, parameters: &[Parameter], world: &World) {
        for parameter in parameters {
            self.known_types(place, &parameter.types, world.types.len());
        }
        if parameters.windows(2).any(|pair| pair[0].optional && !pair[1].optional) {
            self.report(place, ProblemKind::OptionalNotLast);
        }
    }

    fn predicates(&mut self, world: &World) {
        for (index, decl) in world.predicates.iter().enumerate() {
            let (id, place) = (PredicateId::from(index), Place::Predicate(PredicateId::from(index)));
            self.name(place, &decl.name);
            let result = bind(&mut self.names.predicates, "a predicate", &decl.name, id);
            self.collect(place, result);
            self.parameters(place, &decl.parameters, world);
            match &decl.meaning {
                PredicateMeaning::Stored => self.stored(place, &decl.parameters),
                PredicateMeaning::Flag(attribute) => {
                    self.attribute_meaning(place, world, *attribute, &decl.parameters, &[Kind::Bool], "a truth value");
                }
                PredicateMeaning::Defined(definition) => {
                    let parts = reads::Parts::of_condition(&definition.1);
                    self.definition(place, world, &decl.parameters, &definition.0, &parts);
                }
                PredicateMeaning::Computed(operation) => {
                    self.computed(place, world, &decl.parameters, operation.doc(), &operation.uses());
                }
                PredicateMeaning::Unavailable(_) => {}
            }
        }
    }

    fn functions(&mut self, world: &World) {
        for (index, decl) in world.functions.iter().enumerate() {
            let (id, place) = (FunctionId::from(index), Place::Function(FunctionId::from(index)));
            self.name(place, &decl.name);
            if self.names.predicates.contains_key(&decl.name) {
                self.report(place, ProblemKind::Duplicate { what: "a predicate", name: decl.name.clone() });
            }
            let result = bind(&mut self.names.functions, "a function", &decl.name, id);
            self.collect(place, result);
            self.parameters(place, &decl.parameters, world);
            match &decl.meaning {
                FunctionMeaning::Stored => self.stored(place, &decl.parameters),
                FunctionMeaning::Attribute(attribute) => {
                    let numeric = [Kind::Int, Kind::Real];
                    self.attribute_meaning(place, world, *attribute, &decl.parameters, &numeric, "a number");
                }
                FunctionMeaning::Defined(definition) => {
                    let parts = reads::Parts::of_expression(&definition.1);
                    self.definition(place, world, &decl.parameters, &definition.0, &parts);
                }
                FunctionMeaning::Computed(measure) => {
                    self.computed(place, world, &decl.parameters, measure.doc(), &measure.uses());
                }
                FunctionMeaning::Unavailable(_) => {}
            }
        }
    }

    fn computed(&mut self, place: Place, world: &World, parameters: &[Parameter], doc: &OperationDoc, uses: &[Callee]) {
        let (least, most) = Parameter::arity(parameters);
        if least < doc.arguments.len() - doc.optional || most > doc.arguments.len() {
            self.report(place, ProblemKind::WrongParameters("the operation takes another number of arguments"));
        }
        let unknown = |callee: &Callee| match callee {
            Callee::Predicate(id) => id.index() >= world.predicates.len(),
            Callee::Function(id) => id.index() >= world.functions.len(),
        };
        if uses.iter().any(unknown) {
            self.report(place, ProblemKind::UnknownId("a predicate or function"));
        }
    }

    fn stored(&mut self, place: Place, parameters: &[Parameter]) {
        if parameters.iter().any(|parameter| parameter.accepts_type || parameter.optional) {
            self.report(
                place,
                ProblemKind::WrongParameters("what states store is about objects: no type names, nothing optional"),
            );
        }
    }

    fn attribute_meaning(
        &mut self,
        place: Place,
        world: &World,
        attribute: AttributeId,
        parameters: &[Parameter],
        kinds: &[Kind],
        wanted: &'static str,
    ) {
        match world.attributes.get(attribute.index()) {
            None => self.report(place, ProblemKind::UnknownId("an attribute")),
            Some(decl) if !kinds.contains(&decl.kind) => {
                let (attribute, kind) = (decl.name.clone(), decl.kind);
                self.report(place, ProblemKind::WrongKind { attribute, kind, wanted });
            }
            Some(_) => {}
        }
        if parameters.len() != 1 || parameters[0].optional || parameters[0].accepts_type {
            self.report(place, ProblemKind::WrongParameters("an attribute is about exactly one object"));
        }
    }

    fn definition(
        &mut self,
        place: Place,
        world: &World,
        parameters: &[Parameter],
        scope: &Scope,
        parts: &reads::Parts<'_>,
    ) {
        if scope.variables.len() < parameters.len() {
            self.report(place, ProblemKind::WrongParameters("the first variables of the scope are the parameters"));
        }
        for variable in &scope.variables {
            self.known_types(place, &variable.types, world.types.len());
        }
        for used in &parts.uses {
            let callee = match used.callee {
                Callee::Predicate(id) => world.predicates.get(id.index()).map(|decl| (&decl.name, &decl.parameters)),
                Callee::Function(id) => world.functions.get(id.index()).map(|decl| (&decl.name, &decl.parameters)),
            };
            let Some((name, taken)) = callee else {
                self.report(place, ProblemKind::UnknownId("a predicate or function"));
                continue;
            };
            let (least, most) = Parameter::arity(taken);
            let given = used.arguments.len();
            if given < least || given > most {
                self.report(place, ProblemKind::WrongArity { name: name.clone(), given });
            }
            let type_given =
                |(term, parameter): (&Term, &Parameter)| matches!(term, Term::Type(_)) && !parameter.accepts_type;
            if used.arguments.iter().zip(taken).any(type_given) {
                self.report(place, ProblemKind::TypeNotAccepted(name.clone()));
            }
        }
        let terms = parts.uses.iter().flat_map(|used| used.arguments).chain(&parts.terms);
        let unknown = terms.copied().chain(parts.quantified.iter().map(|&id| Term::Variable(id))).find_map(|term| {
            let (what, index, known) = match term {
                Term::Variable(id) => ("a variable", id.index(), scope.variables.len()),
                Term::Object(id) => ("an object", id.index(), world.objects.len()),
                Term::Type(id) => ("a type", id.index(), world.types.len()),
            };
            (index >= known).then_some(what)
        });
        if let Some(what) = unknown {
            self.report(place, ProblemKind::UnknownId(what));
        }
    }

    fn initial(&mut self, world: &mut World, initial: Vec<Change>) {
        world.initial = defaults(world, 0);
        for (at, mut change) in initial.into_iter().enumerate() {
            let place = Place::Initial(at);
            let Some(decl) = world.attributes.get(change.attribute.index()) else {
                self.report(place, ProblemKind::UnknownId("an attribute"));
                continue;
            };
            let Some(object) = world.objects.get(change.object.index()) else {
                self.report(place, ProblemKind::UnknownId("an object"));
                continue;
            };
            if !decl.of.iter().any(|&of| world.is_a(change.object, of)) {
                let (attribute, object) = (decl.name.clone(), object.id.clone());
                self.report(place, ProblemKind::NotAnAttributeOf { attribute, object });
            }
            let result = check_value(world, decl, &change.value);
            self.collect(place, result);
            if let Value::Set(set) = &mut change.value {
                set.sort_unstable();
                set.dedup();
            }
            world.initial.push(change);
        }
    }

    fn recording(&mut self, world: &World) {
        let Some(recording) = &world.recording else { return };
        let place = Place::Recording;
        for field in recording.object_fields.iter().chain(&recording.agent_fields) {
            if field.attribute.index() >= world.attributes.len() {
                self.report(place, ProblemKind::UnknownId("an attribute"));
            }
        }
        let objects = recording.corrections.iter().flat_map(|correction| &correction.objects).chain(&recording.agent);
        if objects.copied().any(|object| object.index() >= world.objects.len()) {
            self.report(place, ProblemKind::UnknownId("an object"));
        }
        for correction in &recording.corrections {
            let result = check_adjustment(world, &correction.adjustment);
            self.collect(place, result);
        }
    }

    /// Finds out what every predicate and function reads, definitions after what they use.
    fn definitions(&mut self, world: &mut World) {
        let predicates = (0..world.predicates.len()).map(|at| Callee::Predicate(PredicateId::from(at)));
        let functions = (0..world.functions.len()).map(|at| Callee::Function(FunctionId::from(at)));
        let all: Vec<Callee> = predicates.chain(functions).collect();
        let mut sizes: FxHashMap<Callee, (u64, usize)> = FxHashMap::default();
        for &start in &all {
            // Depth first without recursion: a definition waits on the stack until all that it uses is done.
            let mut path = vec![start];
            while let Some(&callee) = path.last() {
                if sizes.contains_key(&callee) {
                    path.pop();
                    continue;
                }
                let parts = reads::parts(world, callee);
                let waiting = parts.iter().flat_map(|parts| &parts.uses).map(|used| used.callee);
                let waiting: Option<Callee> = waiting.into_iter().find(|inner| !sizes.contains_key(inner));
                if let Some(inner) = waiting {
                    if let Some(from) = path.iter().position(|&on_path| on_path == inner) {
                        let names = path[from..].iter().chain([&inner]).map(|&on_path| name_of(world, on_path));
                        self.report(place_of(callee), ProblemKind::Cycle(names.collect()));
                        return;
                    }
                    path.push(inner);
                    if path.len() > MAX_DEFINITION_DEPTH {
                        self.report(place_of(start), ProblemKind::TooComplex);
                        return;
                    }
                    continue;
                }
                let (size, depth) = parts.map_or((1, 1), |parts| spelled_out(&parts, &sizes));
                if size > MAX_DEFINITION_SIZE || depth > MAX_DEFINITION_DEPTH {
                    self.report(place_of(callee), ProblemKind::TooComplex);
                    return;
                }
                set_reads(world, callee);
                sizes.insert(callee, (size, depth));
                path.pop();
            }
        }
    }
}

/// Size and depth of a definition with the definitions that it uses put in their places.
fn spelled_out(parts: &reads::Parts<'_>, sizes: &FxHashMap<Callee, (u64, usize)>) -> (u64, usize) {
    parts.uses.iter().fold((parts.size, parts.depth), |(size, depth), used| {
        let (inner_size, inner_depth) = sizes[&used.callee];
        (size.saturating_add(inner_size), depth.max(parts.depth + inner_depth))
    })
}

fn set_reads(world: &mut World, callee: Callee) {
    let reads: Reads = reads::reads(world, callee);
    match callee {
        Callee::Predicate(id) => world.predicates[id.index()].reads = reads,
        Callee::Function(id) => world.functions[id.index()].reads = reads,
    }
}

fn name_of(world: &World, callee: Callee) -> Arc<str> {
    match callee {
        Callee::Predicate(id) => world.predicate(id).name.clone(),
        Callee::Function(id) => world.function(id).name.clone(),
    }
}

fn place_of(callee: Callee) -> Place {
    match callee {
        Callee::Predicate(id) => Place::Predicate(id),
        Callee::Function(id) => Place::Function(id),
    }
}

/// Whether the value is one that the attribute can have.
fn check_value(world: &World, decl: &AttributeDecl, value: &Value) -> Result<(), ProblemKind> {
    if !decl.kind.admits(value) {
        let (attribute, kind) = (decl.name.clone(), decl.kind);
        return Err(ProblemKind::WrongKind { attribute, kind, wanted: "a value of another kind" });
    }
    let known = |object: &ObjectId| object.index() < world.objects.len();
    match value {
        Value::Real(value) if !value.is_finite() => Err(ProblemKind::NotFinite),
        Value::Vec3(value) if !value.is_finite() => Err(ProblemKind::NotFinite),
        Value::Object(Some(object)) if !known(object) => Err(ProblemKind::UnknownId("an object")),
        Value::Set(objects) if !objects.iter().all(known) => Err(ProblemKind::UnknownId("an object")),
        _ => Ok(()),
    }
}

fn check_adjustment(world: &World, adjustment: &Adjustment) -> Result<(), ProblemKind> {
    let attribute = |id: &AttributeId| world.attributes.get(id.index()).ok_or(ProblemKind::UnknownId("an attribute"));
    let vector = |id: &AttributeId| {
        let decl = attribute(id)?;
        if decl.kind == Kind::Vec3 {
            return Ok(());
        }
        Err(ProblemKind::WrongKind { attribute: decl.name.clone(), kind: decl.kind, wanted: "a vector" })
    };
    let finite = |yes: bool| if yes { Ok(()) } else { Err(ProblemKind::NotFinite) };
    match adjustment {
        Adjustment::Replace { attribute: id, value } => check_value(world, attribute(id)?, value),
        Adjustment::Shift { attribute, by } => vector(attribute).and(finite(by.is_finite())),
        Adjustment::ShrinkToBottom { center, half_extents, factor } => {
            vector(center).and(vector(half_extents)).and(finite(factor.is_finite()))
        }
    }
}
