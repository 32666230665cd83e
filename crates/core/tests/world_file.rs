//! World files: their meaning, and every diagnostic.

use goalspec_core::condition::{ComparisonOperator, Condition, Expression, Term};
use goalspec_core::ids::AttributeMask;
use goalspec_core::limits::MAX_OBJECTS;
use goalspec_core::state::State;
use goalspec_core::value::Value;
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::recording::{Adjustment, Correction, FieldMapping};
use goalspec_core::world::{World, file};
use goalspec_syntax::{Diagnostic, Sources};

/// A small valid world, to which cases add entries.
const BASE: &str = r#"
name = "depot"

[settings]
heavy = 20
far = "much"

[types]
place = {}
thing = { discover = true, doc = "What can be moved" }
crate = "thing"
blue_crate = { of = "crate", values = { weight = 5 } }
robot = {}
colour = {}

[symbols]
colour = ["blue", "red"]

[attributes]
weight = { kind = "real", of = "thing", default = 1 }
spot = { kind = "vec3", of = ["thing", "place"], required = true }
busy = { kind = "bool", of = "robot" }
load = { kind = "set", of = "robot" }
paint = { kind = "object", of = "thing" }
label = { kind = "text", of = "thing" }
floor = { kind = "int", of = "place" }

[objects]
c1 = "blue_crate"
c2 = { type = "crate", name = ["box", "crate_two"], aliases = "Crate|2", values = { weight = 30, paint = "red" } }
dock = { type = "place", name = "dock", values = { spot = [1, 2.5, 3] } }
"r{n}" = { type = "robot", count = 2 }

[functions]
weight = { parameters = "?a - thing", attribute = "weight" }
height = { parameters = "?a - (either thing place)", operation = "coordinate", settings = { axis = "y", position = "spot" } }
surplus = { parameters = "?a ?b - thing", value = "(- (weight ?a) (/ (* 2 (weight ?b)) $heavy))" }
cost = { parameters = "?a - thing", stored = true }

[predicates]
at = { parameters = "?a - thing ?p - place", stored = true, phrase = "{0} is at {1}" }
busy = { parameters = "?r - robot", flag = "busy" }
heavy = { parameters = "?a - thing", holds = "(>= (weight ?a) $heavy)" }
lonely = { parameters = "?p - place", holds = "(not (exists (?a - thing) (at ?a ?p)))" }
ready = { holds = "(forall (?r - robot) (imply (busy ?r) (or (lonely dock) (heavy c2))))" }
same = { parameters = "?a ?b - thing", type_names = "?b", operation = "same_type" }
shiny = { parameters = "?a - thing", unavailable = "nobody looked" }
"#;

fn read(text: &str, include: &mut dyn FnMut(&str) -> Option<String>) -> (Option<World>, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::new();
    let id = sources.add("test.world.toml", text);
    let source = sources.file(id).clone();
    let (world, diagnostics) = file::parse(&source, &mut |name| {
        let id = sources.add(name, include(name)?);
        Some(sources.file(id).clone())
    });
    (world, diagnostics, sources)
}

fn world(text: &str) -> World {
    let (world, diagnostics, _) = read(text, &mut |_| None);
    assert_eq!(diagnostics, []);
    world.unwrap()
}

/// Returns `BASE` with entries added at the ends of sections: `objects: c9 = "crate"`.
fn with(additions: &str) -> String {
    let mut text = BASE.to_owned();
    for addition in additions.lines() {
        let (section, entry) = addition.trim().split_once(": ").unwrap_or(("", addition));
        if section.is_empty() {
            text = format!("{text}\n{entry}");
        } else {
            let header = format!("[{section}]\n");
            text = text.replacen(&header, &format!("{header}{entry}\n"), 1);
        }
    }
    text
}

#[test]
fn a_world_file_declares_types_objects_and_vocabulary() {
    let world = world(BASE);
    let object = |name: &str| world.object_named(name).unwrap();
    let attribute = |name: &str| world.attribute_named(name).unwrap();
    assert_eq!(world.name(), "depot");
    let crates = world.type_named("crate").unwrap();
    assert_eq!(world.members(crates).len(), 2);
    assert_eq!(&*world.type_decl(world.type_named("thing").unwrap()).doc, "What can be moved");
    assert!(world.is_discoverable(crates) && !world.is_discoverable(world.type_named("robot").unwrap()));
    assert_eq!(world.object_with_recorded_name("Crate|2"), Some(object("box")));
    assert_eq!(object("crate_two"), object("box"));
    assert!(world.object_named("c2").is_none());
    assert!(world.object_with_recorded_name("r0").is_some() && world.object_with_recorded_name("r1").is_some());
    assert_eq!(world.members(world.type_named("red").unwrap()), [object("red")]);

    let state = State::new(&world);
    let c1 = world.object_with_recorded_name("c1").unwrap();
    assert_eq!(state.real(attribute("weight"), c1), Some(5.0), "the value of its type, before the default");
    assert_eq!(state.real(attribute("weight"), object("box")), Some(30.0));
    assert_eq!(state.object(attribute("paint"), object("box")), Some(Some(object("red"))));
    assert!(state.is_present(object("dock")) && !state.is_present(c1));
    assert_eq!(state.vec3(attribute("spot"), object("dock")), Some(glam::DVec3::new(1.0, 2.5, 3.0)));
}

#[test]
fn predicates_and_functions_get_their_meanings() {
    let world = world(BASE);
    let predicate = |name: &str| world.predicate(world.predicate_named(name).unwrap());
    let function = |name: &str| world.function(world.function_named(name).unwrap());
    assert_eq!(predicate("at").definition, PredicateDefinition::Stored);
    assert_eq!(&*predicate("at").phrase, "{0} is at {1}");
    assert_eq!(&*predicate("busy").phrase, "busy {0}", "without a phrase, the name and the arguments");
    assert!(matches!(predicate("busy").definition, PredicateDefinition::Flag(_)));
    assert_eq!(predicate("shiny").definition, PredicateDefinition::Unavailable("nobody looked".into()));
    assert!(predicate("same").parameters[1].accepts_type && !predicate("same").parameters[0].accepts_type);
    assert!(matches!(function("height").definition, FunctionDefinition::Computed(_)));
    assert_eq!(function("cost").definition, FunctionDefinition::Stored);
    assert_eq!(function("height").parameters[0].types.len(), 2);

    let PredicateDefinition::Derived(heavy) = &predicate("heavy").definition else { panic!("heavy is defined") };
    let Condition::Compare { comparison, sides, .. } = &heavy.1 else { panic!("heavy is a comparison") };
    assert_eq!(*comparison, ComparisonOperator::GreaterEqual);
    assert_eq!(sides[1], Expression::Number(20.0));
    let PredicateDefinition::Derived(ready) = &predicate("ready").definition else { panic!("ready is defined") };
    let Condition::Forall(variables, _) = &ready.1 else { panic!("ready is a forall") };
    assert_eq!(&*ready.0.get(variables[0]).name, "?r");
    assert_eq!(predicate("ready").dependencies.any_object, AttributeMask::one(world.attribute_named("busy").unwrap()));
    assert!(predicate("lonely").dependencies.presence);
}

#[test]
fn names_of_symbols_mean_the_object() {
    let world = world(&with("predicates: red = { parameters = \"?a - thing\", holds = \"(same ?a red)\" }"));
    let PredicateDefinition::Derived(red) = &world.predicate(world.predicate_named("red").unwrap()).definition else {
        panic!("red is defined")
    };
    let Condition::Atom(atom) = &red.1 else { panic!("red is an atom") };
    assert_eq!(atom.arguments[1], Term::Object(world.object_named("red").unwrap()));
}

#[test]
fn the_recording_format_is_part_of_the_world_file() {
    let recording = r#"
[recording]
scenes = "Depot1"
agent = "r0"
ignored = ["Hook"]
object_fields = [["pos", "spot"], ["where", "spot"]]
agent_fields = [["isBusy", "busy"]]

[[recording.corrections]]
objects = ["crate", "dock"]
replace = { weight = 7 }
shift = { spot = [0, -1, 0] }
shrink_to_bottom = { center = "spot", half_extents = "spot", factor = 0.5 }
"#;
    let world = world(&format!("{BASE}{recording}"));
    let recording = world.recording().unwrap();
    let attribute = |name: &str| world.attribute_named(name).unwrap();
    assert_eq!(recording.scenes, ["Depot1".into()]);
    assert_eq!(recording.ignored, ["Hook".into()]);
    assert_eq!(recording.agent, world.object_with_recorded_name("r0"));
    assert_eq!(recording.object_fields[1], FieldMapping { member: "where".into(), attribute: attribute("spot") });
    assert_eq!(recording.agent_fields[0].attribute, attribute("busy"));
    let objects: Vec<_> = ["c1", "c2", "dock"].iter().map(|id| world.object_with_recorded_name(id).unwrap()).collect();
    let correction = |adjustment| Correction { objects: objects.clone(), adjustment };
    let spot = attribute("spot");
    assert_eq!(
        recording.corrections,
        [
            correction(Adjustment::Replace { attribute: attribute("weight"), value: Value::Real(7.0) }),
            correction(Adjustment::Shift { attribute: spot, by: glam::DVec3::NEG_Y }),
            correction(Adjustment::ShrinkToBottom { center: spot, half_extents: spot, factor: 0.5 }),
        ]
    );
}

#[test]
fn files_that_extend_others_add_to_them_and_replace_settings_and_meanings() {
    let text = r#"
name = "depot-at-night"
extends = "depot"

[settings]
heavy = 10

[types]
bat = "thing"

[objects]
b1 = { type = "bat", values = { paint = "blue" } }

[predicates]
busy = { parameters = "?r - robot", holds = "(and)" }
"#;
    let (world, diagnostics, _) = read(text, &mut |name| (name == "depot").then(|| BASE.to_owned()));
    assert_eq!(diagnostics, []);
    let world = world.unwrap();
    assert_eq!(world.name(), "depot-at-night");
    assert_eq!(world.members(world.type_named("thing").unwrap()).len(), 3);
    let meaning = |name: &str| &world.predicate(world.predicate_named(name).unwrap()).definition;
    let PredicateDefinition::Derived(heavy) = meaning("heavy") else { panic!("heavy is defined") };
    let Condition::Compare { sides, .. } = &heavy.1 else { panic!("heavy is a comparison") };
    assert_eq!(sides[1], Expression::Number(10.0), "the later setting counts, in the base file too");
    let PredicateDefinition::Derived(busy) = meaning("busy") else { panic!("busy is redefined") };
    assert_eq!(busy.1, Condition::And(Vec::new()));
}

#[test]
fn files_may_not_extend_one_another_in_a_circle_or_without_end() {
    let extends = |name: &str| format!("name = \"w\"\nextends = \"{name}\"\n");
    let found = |include: &mut dyn FnMut(&str) -> Option<String>| {
        let (world, diagnostics, _) = read(&extends("a"), include);
        assert!(world.is_none());
        diagnostics.iter().map(|d| (d.code.0, d.message.clone())).collect::<Vec<_>>()
    };
    let error = |message: &str| vec![("world/cannot-extend", message.to_owned())];
    assert_eq!(found(&mut |_| None), error("unknown world file `a`"));
    assert_eq!(found(&mut |_| Some(extends("a"))), error("`a` extends itself, directly or through other files"));
    assert_eq!(
        found(&mut |name| Some(extends(&format!("{name}a")))),
        error("the chain of extended files exceeds the limit of 8")
    );
}

/// Additions to the small world, each with the expected code, marked text, and part of the message or of the help.
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    ("settings: near = { a = 1 }", "world/wrong-value", "{ a = 1 }", "found a table"),
    ("types: box = \"crat\"", "world/unknown-name", "\"crat\"", "did you mean `crate`?"),
    ("types: box = 3", "world/wrong-value", "3", "expected a string"),
    ("types: box = { off = \"crate\" }", "world/unknown-key", "off", "did you mean `of`?"),
    ("types: box = { of = \"crate\", discover = 1 }", "world/wrong-value", "1", "expected a boolean"),
    ("types: box = \"box\"", "world/type-cycle", "box", "its own supertype"),
    ("types: \"a box\" = {}", "world/bad-name", "\"a box\"", "no spaces"),
    ("types: box = { values = { weigth = 3 } }", "world/unknown-name", "weigth", "did you mean `weight`?"),
    ("symbols: color = [\"green\"]", "world/unknown-name", "color", "did you mean `colour`?"),
    ("symbols: place = [\"crate\"]", "world/duplicate", "\"crate\"", "already declared as a type"),
    ("attributes: size = 3", "world/wrong-value", "3", "expected a table"),
    (
        "attributes: size = { kind = \"reel\", of = \"thing\" }",
        "world/unknown-name",
        "\"reel\"",
        "did you mean `real`?",
    ),
    ("attributes: size = { of = \"thing\" }", "world/missing-key", "size", "missing key `kind`"),
    ("attributes: size = { kind = \"int\" }", "world/missing-key", "size", "missing key `of`"),
    ("attributes: size = { kind = \"int\", of = [] }", "world/wrong-value", "[]", "at least one type"),
    ("attributes: size = { kind = \"int\", of = \"thing\", default = 1.5 }", "world/wrong-value", "1.5", "an integer"),
    ("attributes: size = { kind = \"real\", of = \"thing\", default = nan }", "world/wrong-value", "nan", "finite"),
    ("objects: c9 = \"crat\"", "world/unknown-name", "\"crat\"", "did you mean `crate`?"),
    ("objects: c9 = { name = \"x\" }", "world/missing-key", "c9", "missing key `type`"),
    ("objects: c9 = { type = \"crate\", alias = \"x\" }", "world/unknown-key", "alias", "did you mean `aliases`?"),
    (
        "objects: c9 = { type = \"crate\", aliases = \"c1\" }",
        "world/duplicate",
        "\"c1\"",
        "already declared as an object",
    ),
    (
        "objects: c9 = { type = \"crate\", name = \"box\" }",
        "world/duplicate",
        "\"box\"",
        "already declared as an object",
    ),
    ("objects: c9 = { type = \"crate\", name = \"?x\" }", "world/bad-name", "\"?x\"", "invalid name"),
    ("objects: c9 = { type = \"crate\", count = 2 }", "world/wrong-value", "c9", "must contain `{n}`"),
    ("objects: \"c{n}\" = { type = \"crate\", count = -1 }", "world/wrong-value", "-1", "at least 0"),
    ("objects: c9 = { type = \"crate\", values = { spot = [1, 2] } }", "world/wrong-value", "[1, 2]", "three numbers"),
    (
        "objects: c9 = { type = \"crate\", values = { paint = \"redd\" } }",
        "world/unknown-name",
        "\"redd\"",
        "did you mean `red`?",
    ),
    ("objects: c9 = { type = \"crate\", values = { label = 3 } }", "world/wrong-value", "3", "expected a string"),
    (
        "objects: c9 = { type = \"crate\", values = { busy = true } }",
        "world/mismatch",
        "busy",
        "`c9` has no attribute `busy`",
    ),
    (
        "objects: \"d{n}\" = { type = [\"crate\", \"robot\"], count = 3, values = { label = 3 } }",
        "world/wrong-value",
        "3",
        "expected a string",
    ),
    ("predicates: p = 3", "world/wrong-value", "3", "expected a table"),
    ("predicates: p = { }", "world/missing-key", "p", "0 meanings, expected exactly one"),
    (
        "predicates: p = { stored = true, holds = \"(and)\" }",
        "world/missing-key",
        "p",
        "2 meanings, expected exactly one",
    ),
    ("predicates: p = { stored = true, kind = 1 }", "world/unknown-key", "kind", "known keys"),
    ("predicates: p = { parameters = \"?a\", stored = true }", "world/definition", "?a", "missing type of"),
    (
        "predicates: p = { parameters = \"?a - crat\", stored = true }",
        "world/unknown-name",
        "crat",
        "did you mean `crate`?",
    ),
    (
        "predicates: p = { parameters = \"?a - crate ?a - thing\", stored = true }",
        "world/definition",
        "?a",
        "declared twice",
    ),
    ("predicates: p = { parameters = \"crate\", stored = true }", "world/definition", "crate", "declared as"),
    ("predicates: p = { parameters = \"?a -\", stored = true }", "world/definition", "-", "expected a type after"),
    ("predicates: p = { parameters = \"?a - ()\", stored = true }", "world/definition", "()", "(either type type)"),
    (
        "predicates: p = { parameters = \"?a - crate\", stored = true, optional = 2 }",
        "world/wrong-value",
        "2",
        "0 to 1",
    ),
    (
        "predicates: p = { parameters = \"?a - crate\", stored = true, optional = 1 }",
        "world/mismatch",
        "p",
        "no optional parameters",
    ),
    (
        "predicates: p = { parameters = \"?ab - crate\", type_names = \"?ac\", stored = true }",
        "world/unknown-name",
        "\"?ac\"",
        "did you mean `?ab`?",
    ),
    (
        "predicates: p = { stored = true, phrase = \"{0} is\" }",
        "world/wrong-value",
        "\"{0} is\"",
        "up to the number of parameters",
    ),
    ("predicates: p = { parameters = \"?a - robot\", flag = \"bussy\" }", "world/unknown-name", "\"bussy\"", "`busy`?"),
    ("predicates: p = { parameters = \"?a - thing\", flag = \"weight\" }", "world/mismatch", "p", "is of kind real"),
    ("predicates: p = { flag = \"busy\" }", "world/mismatch", "p", "exactly one object"),
    ("predicates: p = { flag = \"busy\", settings = {} }", "world/mismatch", "{}", "`settings` requires `operation`"),
    (
        "predicates: p = { parameters = \"?a ?b - thing\", operation = \"sametype\" }",
        "world/setting",
        "\"sametype\"",
        "`same_type`?",
    ),
    (
        "predicates: p = { parameters = \"?a ?b - thing\", operation = \"equal_position\", settings = { position = \"spot\", tolerence = 1 } }",
        "world/setting",
        "tolerence = 1",
        "did you mean `tolerance`?",
    ),
    (
        "functions: f = { parameters = \"?a - thing\", operation = \"coordinate\", settings = { axis = \"$fat\", position = \"spot\" } }",
        "world/unknown-name",
        "\"$fat\"",
        "did you mean `far`?",
    ),
    ("functions: at = { stored = true }", "world/duplicate", "at", "already declared as a predicate"),
    ("predicates: p = { holds = \"(and (busy r0)\" }", "world/definition", "(", "never closed"),
    (
        "predicates: p = { holds = \"(busy r0) (busy r1)\" }",
        "world/definition",
        "\"(busy r0) (busy r1)\"",
        "one expression",
    ),
    ("predicates: p = { holds = \"(and busy)\" }", "world/definition", "busy", "a condition in parentheses"),
    (
        "predicates: p = { holds = \"(not (busy r0) (busy r1))\" }",
        "world/definition",
        "(not (busy r0) (busy r1))",
        "takes 1 argument",
    ),
    ("predicates: p = { holds = \"(bussy r0)\" }", "world/unknown-name", "bussy", "did you mean `busy`?"),
    ("predicates: p = { holds = \"(busy r9)\" }", "world/unknown-name", "r9", "did you mean `r0`?"),
    (
        "predicates: p = { parameters = \"?ab - robot\", holds = \"(busy ?ac)\" }",
        "world/unknown-name",
        "?ac",
        "did you mean `?ab`?",
    ),
    ("predicates: p = { holds = \"(busy)\" }", "world/mismatch", "p", "does not take 0 arguments"),
    ("predicates: p = { holds = \"(busy robot)\" }", "world/mismatch", "p", "expected an object as argument"),
    ("predicates: p = { holds = \"(< 1 x)\" }", "world/definition", "x", "`x` is not a number"),
    ("predicates: p = { holds = \"(< 1 $far)\" }", "world/definition", "$far", "is not a number"),
    ("predicates: p = { holds = \"(< 1 (+))\" }", "world/definition", "(+)", "at least one number"),
    ("predicates: p = { holds = \"(< 1 (weigth c1))\" }", "world/unknown-name", "weigth", "did you mean `weight`?"),
    ("predicates: p = { holds = \"(exists ?a (busy ?a))\" }", "world/definition", "?a", "variables in parentheses"),
    ("predicates: p = { holds = \"(p)\" }", "world/definition-cycle", "p", "p -> p"),
    ("[[trackers]]\nsettings = {}", "world/missing-key", "[[trackers]]", "missing key `operation`"),
    ("[[trackers]]\noperation = \"sped\"", "world/setting", "\"sped\"", "did you mean `speed`?"),
    ("[recording]\nagent = \"r9\"", "world/unknown-name", "\"r9\"", "did you mean `r0`?"),
    ("[recording]\nscene = \"x\"", "world/unknown-key", "scene", "did you mean `scenes`?"),
    ("[recording]\nobject_fields = [[\"a\"]]", "world/wrong-value", "[\"a\"]", "a list of two strings"),
    ("[recording]\nobject_fields = [[\"a\", \"spott\"]]", "world/unknown-name", "\"spott\"", "did you mean `spot`?"),
    (
        "[[recording.corrections]]\nreplace = { weight = 1 }",
        "world/missing-key",
        "[[recording.corrections]]",
        "`objects`",
    ),
    (
        "[[recording.corrections]]\nobjects = \"c1\"\nshift = { weight = [1, 2, 3] }",
        "world/mismatch",
        "",
        "expected a vector",
    ),
    (
        "[[recording.corrections]]\nobjects = \"c1\"\nshrink_to_bottom = { center = \"spot\", half_extents = \"spot\", factor = 2 }",
        "world/wrong-value",
        "2",
        "between 0 and 1",
    ),
    ("[shelves]", "world/unknown-key", "shelves", "known keys"),
];

#[test]
fn every_mistake_is_shown_where_it_is() {
    let mut failures = Vec::new();
    for &(addition, code, marked, words) in MISTAKES {
        let first = addition.lines().next().unwrap_or_default();
        let text = if first.starts_with('[') { format!("{BASE}\n{addition}\n") } else { with(addition) };
        let (world, diagnostics, sources) = read(&text, &mut |_| None);
        let reported: Vec<(&str, &str, String)> = diagnostics
            .iter()
            .map(|d| {
                let span = d.span.expect("every diagnostic has a place");
                (
                    d.code.0,
                    sources.file(span.source).slice(span),
                    [&[d.message.clone()][..], &d.help].concat().join(" "),
                )
            })
            .collect();
        let right = world.is_none()
            && matches!(&reported[..], [(c, m, w)] if *c == code && (*m == marked || marked.is_empty()) && w.contains(words));
        if !right {
            failures.push(format!("{addition}\n  wanted {code} at `{marked}` with `{words}`\n  found {reported:?}"));
        }
    }
    assert!(failures.is_empty(), "{} cases:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_code_occurs_in_these_tests() {
    let tested: Vec<&str> = MISTAKES.iter().map(|case| case.1).collect();
    let elsewhere = ["world/toml", "world/too-large", "world/cannot-extend"];
    for doc in file::codes::ALL {
        assert!(tested.contains(&doc.code.0) || elsewhere.contains(&doc.code.0), "{} is not tested", doc.code);
    }
}

#[test]
fn one_run_reports_every_mistake() {
    let text = with(
        "types: a = \"nothing1\"\nattributes: b = { kind = \"nothing2\", of = \"thing\" }\nobjects: c9 = \"nothing3\"\n\
         predicates: p = { holds = \"(and (nothing4) (nothing5 c1) (< 1 (nothing6)))\" }",
    );
    let (_, diagnostics, _) = read(&text, &mut |_| None);
    let found = |word: &str| diagnostics.iter().any(|d| d.message.contains(word));
    for word in ["nothing1", "nothing2", "nothing3", "nothing4", "nothing5", "nothing6"] {
        assert!(found(word), "{word} in {diagnostics:#?}");
    }
}

#[test]
fn a_mistake_in_a_declaration_is_not_reported_again_where_it_is_used() {
    let text = with(
        "types: box = \"nothing\"\nattributes: size = { kind = \"vast\", of = \"box\" }\n\
         objects: b1 = { type = \"box\", values = { size = 3 } }\npredicates: big = { parameters = \"?b - box\", flag = \"size\" }\n\
         predicates: huge = { parameters = \"?b - box\", holds = \"(big ?b)\" }",
    );
    let (_, diagnostics, _) = read(&text, &mut |_| None);
    let messages: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["unknown type `nothing`", "unknown kind of attribute `vast`"]);
}

#[test]
fn syntax_errors_in_toml_have_a_position() {
    for (text, line) in
        [("name = \"w\"\n[types\nx = {}", 2), ("name = \"w\"\nname = \"v\"", 2), ("name = \"w", 1), ("= 3", 1)]
    {
        let (world, diagnostics, sources) = read(text, &mut |_| None);
        assert!(world.is_none());
        assert!(diagnostics.iter().all(|d| d.code.0 == "world/toml" && d.is_error()), "{text}: {diagnostics:?}");
        let span = diagnostics[0].span.unwrap();
        assert_eq!(sources.file(span.source).line_column(span.start).0, line, "{text}: {diagnostics:?}");
    }
}

#[test]
fn no_input_is_too_large_or_too_deep() {
    let deep = 100_000;
    let huge = format!("name = \"{}\"", "x".repeat(5 << 20));
    let texts = [
        String::new(),
        "\u{0}".to_owned(),
        "[".repeat(deep),
        format!("name = \"w\"\nx = {}", "[".repeat(deep)),
        format!("name = \"w\"\n{} = 1", vec!["a"; deep].join(".")),
        format!("name = \"w\"\n[{}]", vec!["a"; deep].join(".")),
        format!("name = \"w\"\n[predicates]\np = {{ holds = \"{}\" }}", "(not ".repeat(deep)),
        format!("name = \"w\"\n[predicates]\np = {{ holds = \"{}{}\" }}", "(not ".repeat(deep), ")".repeat(deep)),
        format!(
            "name = \"w\"\n[types]\n{}",
            (0..10_000).map(|n| format!("t{n} = \"t{}\"\n", n + 1)).collect::<String>()
        ),
        format!(
            "name = \"w\"\n[types]\nt = {{}}\n[objects]\n\"x{{n}}\" = {{ type = \"t\", count = {} }}",
            MAX_OBJECTS + 1
        ),
        huge,
    ];
    for text in texts {
        let (world, diagnostics, _) = read(&text, &mut |_| None);
        assert!(world.is_none() && !diagnostics.is_empty(), "{}", &text[..text.len().min(80)]);
    }
    // A chain of 4000 types, the most specific first, is within the limits.
    let chain: String = (0..4000).map(|n| format!("t{n} = \"t{}\"\n", n + 1)).collect();
    let text = format!("name = \"w\"\n[types]\n{chain}t4000 = {{}}\n");
    assert_eq!(world(&text).types().len(), 4001);
}
