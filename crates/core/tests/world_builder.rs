//! Construction of worlds: the result, and every kind of problem.

use std::sync::Arc;

use glam::DVec3;
use goalspec_core::condition::{Atom, Condition, Origin, Scope, Term, Variable};
use goalspec_core::ids::{AttributeId, AttributeMask, ObjectId, PredicateId, TypeId, VarId};
use goalspec_core::limits::{MAX_ATTRIBUTES, MAX_TYPES};
use goalspec_core::state::State;
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::recording::{Adjustment, Correction, RecordingFormat};
use goalspec_core::world::{
    AttributeDecl, DeclarationRef, FunctionDecl, ObjectDecl, Parameter, PredicateDecl, WorldBuilder, WorldError,
    WorldErrorKind,
};

fn variable(name: &str, id: TypeId) -> Variable {
    Variable { name: name.into(), types: vec![id], origin: Origin::default() }
}

fn atom(predicate: PredicateId, arguments: &[Term]) -> Condition {
    Condition::Atom(Atom { predicate, arguments: arguments.iter().copied().collect(), origin: Origin::default() })
}

fn first_variable() -> Term {
    Term::Variable(VarId(0))
}

/// Declares a predicate of one `thing` that is defined by the body.
fn defined(builder: &mut WorldBuilder, name: &str, thing: TypeId, body: Condition) -> PredicateId {
    let mut scope = Scope::default();
    scope.declare(variable("?x", thing));
    let meaning = PredicateDefinition::Derived(Box::new((scope, body)));
    builder.add_predicate(PredicateDecl::new(name, vec![Parameter::of(&[thing])], meaning))
}

fn problems(builder: WorldBuilder) -> Vec<WorldError> {
    builder.finish().expect_err("the world must be refused")
}

#[test]
fn objects_are_members_of_their_types_and_of_all_supertypes() {
    let mut builder = WorldBuilder::new("zoo");
    let animal = builder.add_type("animal", &[]);
    let pet = builder.add_type("pet", &[]);
    let cat = builder.add_type("cat", &[animal, pet]);
    let tom = builder.add_object("Tom|1", &[cat]);
    let bear = builder.add_object("Bear|1", &[animal]);
    builder.add_alias("TomCollider", tom);
    builder.add_program_name("tom", tom);
    let world = builder.finish().unwrap();

    assert_eq!(world.members(animal), [tom, bear]);
    assert_eq!(world.members(pet), [tom]);
    assert_eq!(world.domain(&[pet, animal]), [tom, bear]);
    assert!(world.is_subtype(cat, animal) && !world.is_subtype(animal, cat));
    assert!(world.is_a(tom, pet) && !world.is_a(bear, pet));
    assert_eq!(world.object_with_recorded_name("TomCollider"), Some(tom));
    assert_eq!(world.object_with_recorded_name("Tom|1"), Some(tom));
    assert_eq!((world.object_named("tom"), world.object_named("Tom|1")), (Some(tom), None));
}

#[test]
fn objects_are_present_once_their_required_attributes_are_known() {
    let mut builder = WorldBuilder::new("boxes");
    let solid = builder.add_type("solid", &[]);
    let position = builder.add_attribute(AttributeDecl::new("position", ValueKind::Vec3, &[solid]).required());
    builder.add_attribute(
        AttributeDecl::new("open", ValueKind::Bool, &[solid]).required().with_default(Value::Bool(false)),
    );
    let wall = builder.add_object("wall", &[solid]);
    let ball = builder.add_object("ball", &[solid]);
    builder.set_initial(wall, position, Value::Vec3(DVec3::X));
    let world = builder.finish().unwrap();

    assert_eq!(world.required_attributes(ball), AttributeMask(0b11));
    let state = State::new(&world);
    assert!(state.is_present(wall));
    assert!(!state.is_present(ball));
}

#[test]
fn dependencies_of_definitions_follow_from_their_parts() {
    let mut builder = WorldBuilder::new("w");
    let thing = builder.add_type("thing", &[]);
    let one = builder.add_object("one", &[thing]);
    let red = builder.add_attribute(AttributeDecl::new("red", ValueKind::Bool, &[thing]));
    let hot = builder.add_attribute(AttributeDecl::new("hot", ValueKind::Bool, &[thing]));
    let flag = |attribute| PredicateDefinition::Flag(attribute);
    let is_red = builder.add_predicate(PredicateDecl::new("red", vec![Parameter::of(&[thing])], flag(red)));
    let is_hot = builder.add_predicate(PredicateDecl::new("hot", vec![Parameter::of(&[thing])], flag(hot)));
    let seen = builder.add_fact("seen", &[thing]);
    // Declared before what it uses.
    let outer = PredicateId(4);
    let inner = Condition::And(vec![atom(is_red, &[first_variable()]), atom(seen, &[first_variable()])]);
    let after = Condition::Or(vec![atom(PredicateId(5), &[first_variable()]), atom(is_hot, &[Term::Object(one)])]);
    defined(&mut builder, "unused", thing, Condition::FirstState);
    assert_eq!(defined(&mut builder, "outer", thing, after), outer);
    defined(&mut builder, "inner", thing, inner);
    let world = builder.finish().unwrap();

    let reads = &world.predicate(outer).dependencies;
    assert_eq!(reads.arguments[..], [AttributeMask::one(red)]);
    assert_eq!(reads.fixed_objects, [(one, AttributeMask::one(hot))]);
    assert_eq!(reads.facts, [seen]);
    assert!(!reads.presence && !reads.run && reads.any_object.is_empty());
    assert!(world.predicate(PredicateId(3)).dependencies.run);
}

#[test]
fn quantified_objects_are_dependencies_on_any_object() {
    let mut builder = WorldBuilder::new("w");
    let thing = builder.add_type("thing", &[]);
    let red = builder.add_attribute(AttributeDecl::new("red", ValueKind::Bool, &[thing]));
    let parameters = vec![Parameter::of(&[thing])];
    let is_red = builder.add_predicate(PredicateDecl::new("red", parameters, PredicateDefinition::Flag(red)));
    let mut scope = Scope::default();
    let any = scope.declare(variable("?any", thing));
    let body = Condition::Exists(vec![any], Box::new(atom(is_red, &[Term::Variable(any)])));
    let meaning = PredicateDefinition::Derived(Box::new((scope, body)));
    let some_red = builder.add_predicate(PredicateDecl::new("some_red", Vec::new(), meaning));
    let world = builder.finish().unwrap();

    let reads = &world.predicate(some_red).dependencies;
    assert_eq!(reads.any_object, AttributeMask::one(red));
    assert!(reads.presence);
}

#[test]
fn recordings_may_add_objects_of_types_that_are_open_to_it() {
    let mut builder = WorldBuilder::new("w");
    let thing = builder.add_type("thing", &[]);
    let ball = builder.add_type("ball", &[thing]);
    let wall = builder.add_type("wall", &[]);
    let size =
        builder.add_attribute(AttributeDecl::new("size", ValueKind::Real, &[thing]).with_default(Value::Real(1.0)));
    let north = builder.add_object("north", &[wall]);
    builder.allow_discovery(thing);
    let world = builder.finish().unwrap();

    let larger = world.with_objects(vec![ObjectDecl { id: "b1".into(), types: vec![ball] }]).unwrap();
    let found = larger.object_with_recorded_name("b1").unwrap();
    assert_eq!(larger.members(thing), [found]);
    assert_eq!(State::new(&larger).real(size, found), Some(1.0));
    assert_eq!(larger.objects()[north.index()], world.objects()[north.index()]);

    let error = |id: &str, types: Vec<TypeId>| {
        let problems = world.with_objects(vec![ObjectDecl { id: id.into(), types }]).unwrap_err();
        problems.into_iter().map(|problem| problem.kind).collect::<Vec<_>>()
    };
    assert_eq!(error("w2", vec![wall]), [WorldErrorKind::NotDiscoverable("wall".into())]);
    assert_eq!(error("x", vec![]), [WorldErrorKind::NoType]);
    assert_eq!(error("x", vec![TypeId(9)]), [WorldErrorKind::UnknownId("a type")]);
    assert_eq!(error("north", vec![ball]), [WorldErrorKind::Duplicate { kind: "an object", name: "north".into() }]);
}

/// A mutation that makes a small world invalid, with the expected problem.
type InvalidWorld = (&'static str, fn(&mut WorldBuilder, Ids), DeclarationRef, WorldErrorKind);

#[derive(Clone, Copy)]
struct Ids {
    thing: TypeId,
    object: ObjectId,
    flag: AttributeId,
    fact: PredicateId,
}

fn small_world() -> (WorldBuilder, Ids) {
    let mut builder = WorldBuilder::new("w");
    let thing = builder.add_type("thing", &[]);
    let object = builder.add_object("o", &[thing]);
    let flag = builder.add_attribute(AttributeDecl::new("flag", ValueKind::Bool, &[thing]));
    let fact = builder.add_fact("fact", &[thing]);
    (builder, Ids { thing, object, flag, fact })
}

fn name(text: &str) -> Arc<str> {
    text.into()
}

fn duplicate(kind: &'static str, text: &str) -> WorldErrorKind {
    WorldErrorKind::Duplicate { kind, name: name(text) }
}

fn unknown(kind: &'static str) -> WorldErrorKind {
    WorldErrorKind::UnknownId(kind)
}

/// Asserts that each mutation of the small world causes its problem alone.
fn assert_problems(cases: Vec<InvalidWorld>) {
    for (case, mutate, declaration, kind) in cases {
        let (mut builder, ids) = small_world();
        mutate(&mut builder, ids);
        assert_eq!(problems(builder), [WorldError { declaration, kind }], "{case}");
    }
}

#[test]
fn problems_with_types_and_objects_are_found() {
    assert_problems(vec![
        (
            "type twice",
            |b, _| _ = b.add_type("thing", &[]),
            DeclarationRef::Type(TypeId(1)),
            duplicate("a type", "thing"),
        ),
        (
            "bad name",
            |b, _| _ = b.add_type("a b", &[]),
            DeclarationRef::Type(TypeId(1)),
            WorldErrorKind::BadName(name("a b")),
        ),
        ("own parent", |b, _| _ = b.add_type("t", &[TypeId(1)]), DeclarationRef::Type(TypeId(1)), unknown("a type")),
        ("discovery of an unknown type", |b, _| b.allow_discovery(TypeId(7)), DeclarationRef::World, unknown("a type")),
        (
            "object twice",
            |b, i| _ = b.add_object("o", &[i.thing]),
            DeclarationRef::Object(ObjectId(1)),
            duplicate("an object", "o"),
        ),
        (
            "object without type",
            |b, _| _ = b.add_object("p", &[]),
            DeclarationRef::Object(ObjectId(1)),
            WorldErrorKind::NoType,
        ),
        ("alias taken", |b, i| b.add_alias("o", i.object), DeclarationRef::Alias(0), duplicate("an object", "o")),
        ("alias of nothing", |b, _| b.add_alias("x", ObjectId(5)), DeclarationRef::Alias(0), unknown("an object")),
        (
            "term of nothing",
            |b, _| b.add_program_name("x", ObjectId(5)),
            DeclarationRef::ProgramName(0),
            unknown("an object"),
        ),
        (
            "term as variable",
            |b, i| b.add_program_name("?x", i.object),
            DeclarationRef::ProgramName(0),
            WorldErrorKind::BadName(name("?x")),
        ),
    ]);
}

#[test]
fn problems_with_attributes_and_values_are_found() {
    assert_problems(vec![
        (
            "attribute twice",
            |b, i| _ = b.add_attribute(AttributeDecl::new("flag", ValueKind::Int, &[i.thing])),
            DeclarationRef::Attribute(AttributeId(1)),
            duplicate("an attribute", "flag"),
        ),
        (
            "default of another kind",
            |b, i| {
                b.add_attribute(AttributeDecl::new("a", ValueKind::Int, &[i.thing]).with_default(Value::Bool(true)));
            },
            DeclarationRef::Attribute(AttributeId(1)),
            WorldErrorKind::WrongKind {
                attribute: name("a"),
                kind: ValueKind::Int,
                wanted: "a value of a different kind",
            },
        ),
        (
            "default that is no number",
            |b, i| {
                b.add_attribute(
                    AttributeDecl::new("a", ValueKind::Real, &[i.thing]).with_default(Value::Real(f64::NAN)),
                );
            },
            DeclarationRef::Attribute(AttributeId(1)),
            WorldErrorKind::NotFinite,
        ),
        (
            "value of another kind",
            |b, i| b.set_initial(i.object, i.flag, Value::Int(1)),
            DeclarationRef::Initial(0),
            WorldErrorKind::WrongKind {
                attribute: name("flag"),
                kind: ValueKind::Bool,
                wanted: "a value of a different kind",
            },
        ),
        (
            "value of an attribute that the object lacks",
            |b, i| {
                let other = b.add_type("other", &[]);
                let stranger = b.add_object("s", &[other]);
                b.set_initial(stranger, i.flag, Value::Bool(true));
            },
            DeclarationRef::Initial(0),
            WorldErrorKind::NotAnAttributeOf { attribute: name("flag"), object: name("s") },
        ),
    ]);
}

#[test]
fn problems_with_parameters_are_found() {
    assert_problems(vec![
        (
            "function like predicate",
            |b, _| _ = b.add_fluent("fact", &[]),
            DeclarationRef::Function(0.into()),
            duplicate("a predicate", "fact"),
        ),
        (
            "parameter of no type",
            |b, _| _ = b.add_fact("p", &[TypeId(3)]),
            DeclarationRef::Predicate(PredicateId(1)),
            unknown("a type"),
        ),
        (
            "optional first",
            |b, i| {
                let first = Parameter { optional: true, ..Parameter::of(&[i.thing]) };
                let meaning = PredicateDefinition::Derived(Box::new((two(i.thing), Condition::Constant(true))));
                b.add_predicate(PredicateDecl::new("p", vec![first, Parameter::of(&[i.thing])], meaning));
            },
            DeclarationRef::Predicate(PredicateId(1)),
            WorldErrorKind::OptionalNotLast,
        ),
        (
            "fact about a type",
            |b, i| {
                let parameter = Parameter { accepts_type: true, ..Parameter::of(&[i.thing]) };
                b.add_predicate(PredicateDecl::new("p", vec![parameter], PredicateDefinition::Stored));
            },
            DeclarationRef::Predicate(PredicateId(1)),
            WorldErrorKind::WrongParameters(
                "stored predicates and functions take objects only: no type names, no optional parameters",
            ),
        ),
        (
            "number from a flag",
            |b, i| {
                let parameters = vec![Parameter::of(&[i.thing])];
                b.add_function(FunctionDecl::new("f", parameters, FunctionDefinition::Attribute(i.flag)));
            },
            DeclarationRef::Function(0.into()),
            WorldErrorKind::WrongKind { attribute: name("flag"), kind: ValueKind::Bool, wanted: "a number" },
        ),
        (
            "flag of two",
            |b, i| {
                let parameters = vec![Parameter::of(&[i.thing]), Parameter::of(&[i.thing])];
                b.add_predicate(PredicateDecl::new("p", parameters, PredicateDefinition::Flag(i.flag)));
            },
            DeclarationRef::Predicate(PredicateId(1)),
            WorldErrorKind::WrongParameters("an attribute takes exactly one object"),
        ),
    ]);
}

#[test]
fn problems_with_definitions_are_found() {
    assert_problems(vec![
        (
            "too few arguments",
            |b, i| _ = defined(b, "p", i.thing, atom(i.fact, &[])),
            DeclarationRef::Predicate(PredicateId(1)),
            WorldErrorKind::WrongArity { name: name("fact"), given: 0 },
        ),
        (
            "type as argument",
            |b, i| _ = defined(b, "p", i.thing, atom(i.fact, &[Term::Type(i.thing)])),
            DeclarationRef::Predicate(PredicateId(1)),
            WorldErrorKind::TypeNotAccepted(name("fact")),
        ),
        (
            "unknown variable",
            |b, i| _ = defined(b, "p", i.thing, atom(i.fact, &[Term::Variable(VarId(4))])),
            DeclarationRef::Predicate(PredicateId(1)),
            unknown("a variable"),
        ),
        (
            "unknown predicate",
            |b, i| _ = defined(b, "p", i.thing, atom(PredicateId(8), &[])),
            DeclarationRef::Predicate(PredicateId(1)),
            unknown("a predicate or function"),
        ),
        (
            "defined by itself",
            |b, i| _ = defined(b, "p", i.thing, atom(PredicateId(1), &[first_variable()])),
            DeclarationRef::Predicate(PredicateId(1)),
            WorldErrorKind::Cycle(vec![name("p"), name("p")]),
        ),
        (
            "circle of two",
            |b, i| {
                defined(b, "p", i.thing, atom(PredicateId(2), &[first_variable()]));
                defined(b, "q", i.thing, atom(PredicateId(1), &[first_variable()]));
            },
            DeclarationRef::Predicate(PredicateId(2)),
            WorldErrorKind::Cycle(vec![name("p"), name("q"), name("p")]),
        ),
    ]);
}

#[test]
fn problems_with_recordings_are_found() {
    assert_problems(vec![
        (
            "shifted flag",
            |b, i| {
                let adjustment = Adjustment::Shift { attribute: i.flag, by: DVec3::X };
                let corrections = vec![Correction { objects: vec![i.object], adjustment }];
                b.set_recording(RecordingFormat { corrections, ..RecordingFormat::default() });
            },
            DeclarationRef::Recording,
            WorldErrorKind::WrongKind { attribute: name("flag"), kind: ValueKind::Bool, wanted: "a vector" },
        ),
        (
            "unknown agent",
            |b, _| b.set_recording(RecordingFormat { agent: Some(ObjectId(4)), ..RecordingFormat::default() }),
            DeclarationRef::Recording,
            unknown("an object"),
        ),
    ]);
}

fn two(thing: TypeId) -> Scope {
    Scope { variables: vec![variable("?x", thing), variable("?y", thing)] }
}

#[test]
fn limits_are_kept() {
    let (mut builder, ids) = small_world();
    for index in 0..MAX_ATTRIBUTES {
        builder.add_attribute(AttributeDecl::new(format!("a{index}"), ValueKind::Bool, &[ids.thing]));
    }
    let too_many = |items, limit| WorldError {
        declaration: DeclarationRef::World,
        kind: WorldErrorKind::TooMany { items, limit },
    };
    assert_eq!(problems(builder), [too_many("attributes", MAX_ATTRIBUTES)]);

    let (mut builder, _) = small_world();
    for index in 0..MAX_TYPES {
        builder.add_type(format!("t{index}"), &[]);
    }
    assert_eq!(problems(builder), [too_many("types", MAX_TYPES)]);
}

#[test]
fn definitions_that_grow_beyond_all_bounds_are_refused() {
    let doubling = |steps: u32| {
        let (mut builder, ids) = small_world();
        let mut last = ids.fact;
        for step in 0..steps {
            let part = atom(last, &[first_variable()]);
            let body = Condition::And(vec![part.clone(), part]);
            last = defined(&mut builder, &format!("p{step}"), ids.thing, body);
        }
        builder.finish()
    };
    assert!(doubling(8).is_ok());
    assert_eq!(doubling(40).unwrap_err()[0].kind, WorldErrorKind::TooComplex);

    let chain = |steps: u32| {
        let (mut builder, ids) = small_world();
        let mut last = ids.fact;
        for step in 0..steps {
            last = defined(&mut builder, &format!("p{step}"), ids.thing, atom(last, &[first_variable()]));
        }
        builder.finish()
    };
    assert!(chain(200).is_ok());
    assert_eq!(chain(100_000).unwrap_err()[0].kind, WorldErrorKind::TooComplex);

    let (mut builder, ids) = small_world();
    for next in 2..100_000 {
        let body = atom(PredicateId(next), &[first_variable()]);
        defined(&mut builder, &format!("p{next}"), ids.thing, body);
    }
    defined(&mut builder, "last", ids.thing, Condition::Constant(true));
    assert_eq!(problems(builder)[0].kind, WorldErrorKind::TooComplex);
}
