//! Validation of the declarations of a world.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::error::{DeclarationRef, WorldError, WorldErrorKind};
use crate::condition::{Scope, Term};
use crate::ids::{AttributeId, FunctionId, ObjectId, PredicateId, TypeId};
use crate::limits::{MAX_ATTRIBUTES, MAX_DEFINITION_DEPTH, MAX_DEFINITION_SIZE, MAX_OBJECTS, MAX_TYPES};
use crate::state::AttributeChange;
use crate::value::{Value, ValueKind};
use crate::world::operation::{FunctionDefinition, OperationDoc, PredicateDefinition};
use crate::world::recording::Adjustment;
use crate::world::vocabulary::{AttributeDecl, Callee, Dependencies, Parameter};
use crate::world::{NameTables, World, dependencies};
/// A name of an object, with the object.
pub(super) type Name = (Arc<str>, ObjectId);

/// Adds a name to a table, unless it is taken. Ids of objects in recordings may be any text, so the characters are not
/// checked here.
pub(super) fn bind<T>(
    table: &mut FxHashMap<Arc<str>, T>,
    kind: &'static str,
    name: &Arc<str>,
    id: T,
) -> Result<(), WorldErrorKind> {
    match table.entry(name.clone()) {
        Entry::Occupied(_) => Err(WorldErrorKind::Duplicate { kind, name: name.clone() }),
        Entry::Vacant(slot) => {
            slot.insert(id);
            Ok(())
        }
    }
}

/// Whether all languages can write the name.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('?')
        && !name.contains(|c: char| c.is_whitespace() || c.is_control() || "()\";".contains(c))
}

/// The validation of one world: collects problems and names.
#[derive(Default)]
pub(super) struct Validator {
    pub(super) problems: Vec<WorldError>,
    names: NameTables,
}

impl Validator {
    /// Validates all declarations except those that need the look-up tables, and returns these tables.
    pub(super) fn declarations(&mut self, world: &World, aliases: &[Name], terms: &[Name]) -> NameTables {
        self.limits(world);
        self.types(world);
        self.objects(world);
        self.attributes(world);
        self.predicates(world);
        self.functions(world);
        self.object_names(world, aliases, terms);
        std::mem::take(&mut self.names)
    }

    fn report(&mut self, place: DeclarationRef, kind: WorldErrorKind) {
        self.problems.push(WorldError { declaration: place, kind });
    }

    fn collect(&mut self, place: DeclarationRef, result: Result<(), WorldErrorKind>) {
        if let Err(kind) = result {
            self.report(place, kind);
        }
    }

    fn name(&mut self, place: DeclarationRef, name: &Arc<str>) {
        if !is_name(name) {
            self.report(place, WorldErrorKind::BadName(name.clone()));
        }
    }

    fn limits(&mut self, world: &World) {
        for (kind, count, limit) in [
            ("attributes", world.attributes.len(), MAX_ATTRIBUTES),
            ("types", world.types.len(), MAX_TYPES),
            ("objects", world.objects.len(), MAX_OBJECTS),
        ] {
            if count > limit {
                self.report(DeclarationRef::World, WorldErrorKind::TooMany { items: kind, limit });
            }
        }
    }

    fn known_types(&mut self, place: DeclarationRef, types: &[TypeId], known: usize) {
        if types.is_empty() {
            self.report(place, WorldErrorKind::NoType);
        } else if types.iter().any(|id| id.index() >= known) {
            self.report(place, WorldErrorKind::UnknownId("a type"));
        }
    }

    fn types(&mut self, world: &World) {
        for (index, decl) in world.types.iter().enumerate() {
            let id = TypeId::from(index);
            self.name(DeclarationRef::Type(id), &decl.name);
            let result = bind(&mut self.names.types, "a type", &decl.name, id);
            self.collect(DeclarationRef::Type(id), result);
            if decl.parents.iter().any(|parent| parent.index() >= index) {
                self.report(DeclarationRef::Type(id), WorldErrorKind::UnknownId("a type"));
            }
        }
        if world.discoverable.iter().any(|id| id.index() >= world.types.len()) {
            self.report(DeclarationRef::World, WorldErrorKind::UnknownId("a type"));
        }
    }

    fn objects(&mut self, world: &World) {
        for (index, decl) in world.objects.iter().enumerate() {
            let id = ObjectId::from(index);
            let result = bind(&mut self.names.recorded, "an object", &decl.id, id);
            self.collect(DeclarationRef::Object(id), result);
            self.known_types(DeclarationRef::Object(id), &decl.types, world.types.len());
        }
    }

    fn object_names(&mut self, world: &World, aliases: &[Name], terms: &[Name]) {
        for (at, (name, object)) in aliases.iter().enumerate() {
            if object.index() >= world.objects.len() {
                self.report(DeclarationRef::Alias(at), WorldErrorKind::UnknownId("an object"));
            }
            let result = bind(&mut self.names.recorded, "an object", name, *object);
            self.collect(DeclarationRef::Alias(at), result);
        }
        for (at, (name, object)) in terms.iter().enumerate() {
            self.name(DeclarationRef::ProgramName(at), name);
            if object.index() >= world.objects.len() {
                self.report(DeclarationRef::ProgramName(at), WorldErrorKind::UnknownId("an object"));
            }
            let result = bind(&mut self.names.program_names, "an object", name, *object);
            self.collect(DeclarationRef::ProgramName(at), result);
        }
    }

    fn attributes(&mut self, world: &World) {
        for (index, decl) in world.attributes.iter().enumerate() {
            let (id, place) = (AttributeId::from(index), DeclarationRef::Attribute(AttributeId::from(index)));
            self.name(place, &decl.name);
            let result = bind(&mut self.names.attributes, "an attribute", &decl.name, id);
            self.collect(place, result);
            self.known_types(place, &decl.types, world.types.len());
            if let Some(value) = &decl.default {
                let result = check_value(world, decl, value);
                self.collect(place, result);
            }
        }
    }

    fn parameters(&mut self, place: DeclarationRef, parameters: &[Parameter], world: &World) {
        for parameter in parameters {
            self.known_types(place, &parameter.types, world.types.len());
        }
        if parameters.windows(2).any(|pair| pair[0].optional && !pair[1].optional) {
            self.report(place, WorldErrorKind::OptionalNotLast);
        }
    }

    fn predicates(&mut self, world: &World) {
        for (index, decl) in world.predicates.iter().enumerate() {
            let (id, place) = (PredicateId::from(index), DeclarationRef::Predicate(PredicateId::from(index)));
            self.name(place, &decl.name);
            let result = bind(&mut self.names.predicates, "a predicate", &decl.name, id);
            self.collect(place, result);
            self.parameters(place, &decl.parameters, world);
            match &decl.definition {
                PredicateDefinition::Stored => self.stored(place, &decl.parameters),
                PredicateDefinition::Flag(attribute) => {
                    self.attribute_meaning(
                        place,
                        world,
                        *attribute,
                        &decl.parameters,
                        &[ValueKind::Bool],
                        "a truth value",
                    );
                }
                PredicateDefinition::Derived(definition) => {
                    let parts = dependencies::DefinitionParts::of_condition(&definition.1);
                    self.definition(place, world, &decl.parameters, &definition.0, &parts);
                }
                PredicateDefinition::Computed(operation) => {
                    self.computed(place, world, &decl.parameters, operation.doc(), &operation.uses());
                }
                PredicateDefinition::Unavailable(_) => {}
            }
        }
    }

    fn functions(&mut self, world: &World) {
        for (index, decl) in world.functions.iter().enumerate() {
            let (id, place) = (FunctionId::from(index), DeclarationRef::Function(FunctionId::from(index)));
            self.name(place, &decl.name);
            if self.names.predicates.contains_key(&decl.name) {
                self.report(place, WorldErrorKind::Duplicate { kind: "a predicate", name: decl.name.clone() });
            }
            let result = bind(&mut self.names.functions, "a function", &decl.name, id);
            self.collect(place, result);
            self.parameters(place, &decl.parameters, world);
            match &decl.definition {
                FunctionDefinition::Stored => self.stored(place, &decl.parameters),
                FunctionDefinition::Attribute(attribute) => {
                    let numeric = [ValueKind::Int, ValueKind::Real];
                    self.attribute_meaning(place, world, *attribute, &decl.parameters, &numeric, "a number");
                }
                FunctionDefinition::Derived(definition) => {
                    let parts = dependencies::DefinitionParts::of_expression(&definition.1);
                    self.definition(place, world, &decl.parameters, &definition.0, &parts);
                }
                FunctionDefinition::Computed(measure) => {
                    self.computed(place, world, &decl.parameters, measure.doc(), &measure.uses());
                }
                FunctionDefinition::Unavailable(_) => {}
            }
        }
    }

    fn computed(
        &mut self,
        place: DeclarationRef,
        world: &World,
        parameters: &[Parameter],
        doc: &OperationDoc,
        uses: &[Callee],
    ) {
        let (min, max) = Parameter::arity(parameters);
        if min < doc.arguments.len() - doc.optional || max > doc.arguments.len() {
            self.report(place, WorldErrorKind::WrongParameters("the operation takes a different number of arguments"));
        }
        let unknown = |callee: &Callee| match callee {
            Callee::Predicate(id) => id.index() >= world.predicates.len(),
            Callee::Function(id) => id.index() >= world.functions.len(),
        };
        if uses.iter().any(unknown) {
            self.report(place, WorldErrorKind::UnknownId("a predicate or function"));
        }
    }

    fn stored(&mut self, place: DeclarationRef, parameters: &[Parameter]) {
        if parameters.iter().any(|parameter| parameter.accepts_type || parameter.optional) {
            self.report(
                place,
                WorldErrorKind::WrongParameters(
                    "stored predicates and functions take objects only: no type names, no optional parameters",
                ),
            );
        }
    }

    fn attribute_meaning(
        &mut self,
        place: DeclarationRef,
        world: &World,
        attribute: AttributeId,
        parameters: &[Parameter],
        kinds: &[ValueKind],
        expected: &'static str,
    ) {
        match world.attributes.get(attribute.index()) {
            None => self.report(place, WorldErrorKind::UnknownId("an attribute")),
            Some(decl) if !kinds.contains(&decl.kind) => {
                let (attribute, kind) = (decl.name.clone(), decl.kind);
                self.report(place, WorldErrorKind::WrongKind { attribute, kind, wanted: expected });
            }
            Some(_) => {}
        }
        if parameters.len() != 1 || parameters[0].optional || parameters[0].accepts_type {
            self.report(place, WorldErrorKind::WrongParameters("an attribute takes exactly one object"));
        }
    }

    fn definition(
        &mut self,
        place: DeclarationRef,
        world: &World,
        parameters: &[Parameter],
        scope: &Scope,
        parts: &dependencies::DefinitionParts<'_>,
    ) {
        if scope.variables.len() < parameters.len() {
            self.report(
                place,
                WorldErrorKind::WrongParameters("the first variables of the scope must be the parameters"),
            );
        }
        for variable in &scope.variables {
            self.known_types(place, &variable.types, world.types.len());
        }
        for call in &parts.uses {
            let callee = match call.callee {
                Callee::Predicate(id) => world.predicates.get(id.index()).map(|decl| (&decl.name, &decl.parameters)),
                Callee::Function(id) => world.functions.get(id.index()).map(|decl| (&decl.name, &decl.parameters)),
            };
            let Some((name, declared)) = callee else {
                self.report(place, WorldErrorKind::UnknownId("a predicate or function"));
                continue;
            };
            let (min, max) = Parameter::arity(declared);
            let given = call.arguments.len();
            if given < min || given > max {
                self.report(place, WorldErrorKind::WrongArity { name: name.clone(), given });
            }
            let type_given =
                |(term, parameter): (&Term, &Parameter)| matches!(term, Term::Type(_)) && !parameter.accepts_type;
            if call.arguments.iter().zip(declared).any(type_given) {
                self.report(place, WorldErrorKind::TypeNotAccepted(name.clone()));
            }
        }
        let terms = parts.uses.iter().flat_map(|call| call.arguments).chain(&parts.terms);
        let unknown = terms.copied().chain(parts.quantified.iter().map(|&id| Term::Variable(id))).find_map(|term| {
            let (kind, index, known) = match term {
                Term::Variable(id) => ("a variable", id.index(), scope.variables.len()),
                Term::Object(id) => ("an object", id.index(), world.objects.len()),
                Term::Type(id) => ("a type", id.index(), world.types.len()),
            };
            (index >= known).then_some(kind)
        });
        if let Some(kind) = unknown {
            self.report(place, WorldErrorKind::UnknownId(kind));
        }
    }

    /// Validates initial values and adds them to the world.
    pub(super) fn initial(&mut self, world: &mut World, initial: Vec<AttributeChange>) {
        for (at, mut change) in initial.into_iter().enumerate() {
            let place = DeclarationRef::Initial(at);
            let Some(decl) = world.attributes.get(change.attribute.index()) else {
                self.report(place, WorldErrorKind::UnknownId("an attribute"));
                continue;
            };
            let Some(object) = world.objects.get(change.object.index()) else {
                self.report(place, WorldErrorKind::UnknownId("an object"));
                continue;
            };
            if !decl.types.iter().any(|&of| world.is_a(change.object, of)) {
                let (attribute, object) = (decl.name.clone(), object.id.clone());
                self.report(place, WorldErrorKind::NotAnAttributeOf { attribute, object });
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

    /// Validates the mapping from recordings to attributes.
    pub(super) fn recording(&mut self, world: &World) {
        let Some(recording) = &world.recording else { return };
        let place = DeclarationRef::Recording;
        for field in recording.object_fields.iter().chain(&recording.agent_fields) {
            if field.attribute.index() >= world.attributes.len() {
                self.report(place, WorldErrorKind::UnknownId("an attribute"));
            }
        }
        let objects = recording.corrections.iter().flat_map(|correction| &correction.objects).chain(&recording.agent);
        if objects.copied().any(|object| object.index() >= world.objects.len()) {
            self.report(place, WorldErrorKind::UnknownId("an object"));
        }
        for correction in &recording.corrections {
            let result = check_adjustment(world, &correction.adjustment);
            self.collect(place, result);
        }
    }

    /// Computes the inputs of every predicate and function, in topological order of definitions, and checks the limits
    /// on their size.
    pub(super) fn definitions(&mut self, world: &mut World) {
        let predicates = (0..world.predicates.len()).map(|at| Callee::Predicate(PredicateId::from(at)));
        let functions = (0..world.functions.len()).map(|at| Callee::Function(FunctionId::from(at)));
        let all: Vec<Callee> = predicates.chain(functions).collect();
        let mut sizes: FxHashMap<Callee, (u64, usize)> = FxHashMap::default();
        for &start in &all {
            // Depth-first search with an explicit stack: a definition stays on the stack until all definitions that it
            // uses are done.
            let mut path = vec![start];
            while let Some(&callee) = path.last() {
                if sizes.contains_key(&callee) {
                    path.pop();
                    continue;
                }
                let parts = dependencies::parts(world, callee);
                let missing = parts.iter().flat_map(|parts| &parts.uses).map(|call| call.callee);
                let missing: Option<Callee> = missing.into_iter().find(|inner| !sizes.contains_key(inner));
                if let Some(inner) = missing {
                    if let Some(from) = path.iter().position(|&on_path| on_path == inner) {
                        let names = path[from..].iter().chain([&inner]).map(|&on_path| name_of(world, on_path));
                        self.report(place_of(callee), WorldErrorKind::Cycle(names.collect()));
                        return;
                    }
                    path.push(inner);
                    if path.len() > MAX_DEFINITION_DEPTH {
                        self.report(place_of(start), WorldErrorKind::TooComplex);
                        return;
                    }
                    continue;
                }
                let (size, depth) = parts.map_or((1, 1), |parts| expanded_size(&parts, &sizes));
                if size > MAX_DEFINITION_SIZE || depth > MAX_DEFINITION_DEPTH {
                    self.report(place_of(callee), WorldErrorKind::TooComplex);
                    return;
                }
                set_reads(world, callee);
                sizes.insert(callee, (size, depth));
                path.pop();
            }
        }
    }
}

/// Returns the size and depth of a definition with the definitions that it uses expanded.
fn expanded_size(parts: &dependencies::DefinitionParts<'_>, sizes: &FxHashMap<Callee, (u64, usize)>) -> (u64, usize) {
    parts.uses.iter().fold((parts.size, parts.depth), |(size, depth), call| {
        let (inner_size, inner_depth) = sizes[&call.callee];
        (size.saturating_add(inner_size), depth.max(parts.depth + inner_depth))
    })
}

fn set_reads(world: &mut World, callee: Callee) {
    let reads: Dependencies = dependencies::reads(world, callee);
    match callee {
        Callee::Predicate(id) => world.predicates[id.index()].dependencies = reads,
        Callee::Function(id) => world.functions[id.index()].reads = reads,
    }
}

fn name_of(world: &World, callee: Callee) -> Arc<str> {
    match callee {
        Callee::Predicate(id) => world.predicate(id).name.clone(),
        Callee::Function(id) => world.function(id).name.clone(),
    }
}

fn place_of(callee: Callee) -> DeclarationRef {
    match callee {
        Callee::Predicate(id) => DeclarationRef::Predicate(id),
        Callee::Function(id) => DeclarationRef::Function(id),
    }
}

/// Checks that the value is valid for the attribute.
fn check_value(world: &World, decl: &AttributeDecl, value: &Value) -> Result<(), WorldErrorKind> {
    if !decl.kind.matches(value) {
        let (attribute, kind) = (decl.name.clone(), decl.kind);
        return Err(WorldErrorKind::WrongKind { attribute, kind, wanted: "a value of a different kind" });
    }
    let known = |object: &ObjectId| object.index() < world.objects.len();
    match value {
        Value::Real(value) if !value.is_finite() => Err(WorldErrorKind::NotFinite),
        Value::Vec3(value) if !value.is_finite() => Err(WorldErrorKind::NotFinite),
        Value::Object(Some(object)) if !known(object) => Err(WorldErrorKind::UnknownId("an object")),
        Value::Set(objects) if !objects.iter().all(known) => Err(WorldErrorKind::UnknownId("an object")),
        _ => Ok(()),
    }
}

fn check_adjustment(world: &World, adjustment: &Adjustment) -> Result<(), WorldErrorKind> {
    let attribute =
        |id: &AttributeId| world.attributes.get(id.index()).ok_or(WorldErrorKind::UnknownId("an attribute"));
    let vector = |id: &AttributeId| {
        let decl = attribute(id)?;
        if decl.kind == ValueKind::Vec3 {
            return Ok(());
        }
        Err(WorldErrorKind::WrongKind { attribute: decl.name.clone(), kind: decl.kind, wanted: "a vector" })
    };
    let finite = |finite_value: bool| if finite_value { Ok(()) } else { Err(WorldErrorKind::NotFinite) };
    match adjustment {
        Adjustment::Replace { attribute: id, value } => check_value(world, attribute(id)?, value),
        Adjustment::Shift { attribute, by } => vector(attribute).and(finite(by.is_finite())),
        Adjustment::ShrinkToBottom { center, half_extents, factor } => {
            vector(center).and(vector(half_extents)).and(finite(factor.is_finite()))
        }
    }
}
