//! Entry functions: their selection, the arguments that they receive, and their results.

use goalspec_python_runtime::entry::{ArgumentSource, ClassReference};
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::machine::{CallError, ReturnValue, Reward};
use goalspec_python_runtime::scene::{
    Attribute, AttributeKind, AttributeValue, Entities, Entity, EntityClass, Input, Objects, Orientation, SceneObject,
    ScreenClass, World,
};
use goalspec_python_runtime::{Entry, Machine, Program};
use goalspec_reward::{entry, read};
use goalspec_syntax::{Diagnostic, Sources};

use crate::worlds;

/// Parses a program, finds its entry and calls `then` with both.
fn with<T>(
    text: &str,
    world: &World,
    name: Option<&str>,
    then: impl FnOnce(Result<(&Program, Entry), Box<Diagnostic>>) -> T,
) -> T {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let found = read(sources.file(id));
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    let program = found.program.unwrap();
    then(entry::find_entry(&program, sources.file(id), world, name).map(|entry| (&*program, entry)))
}

fn entry_of(text: &str, name: Option<&str>) -> Result<Entry, String> {
    let world = worlds::world("freeway");
    with(text, &world, name, |found| match found {
        Ok((_, entry)) => Ok(entry),
        Err(diagnostic) => Err(format!("{} / {}", diagnostic.message, diagnostic.help.join(" "))),
    })
}

fn reward(text: &str, world: &World, input: &Input<'_>) -> Result<Reward, CallError> {
    with(text, world, None, |found| {
        let (program, entry) = found.unwrap();
        Machine::new(program.clone(), world.clone(), CallBudget::default())?.reward(&entry, input)
    })
}

fn object(world: &World, class: &str, x: i32, y: i32) -> SceneObject {
    SceneObject { position: (x, y), size: (4, 4), ..world.new_object(worlds::class(world, class)) }
}

#[test]
fn parameters_are_bound_by_name() {
    let entry = entry_of("def reward_function(prev_state, state, action=None):\n    return 0", None).unwrap();
    assert_eq!(entry.arguments, [ArgumentSource::PreviousState, ArgumentSource::State, ArgumentSource::Action]);
    let entry = entry_of("def reward_function(env):\n    return 0", None).unwrap();
    assert_eq!(entry.arguments, [ArgumentSource::Env]);
    // The only parameter of the usual function receives the objects, whatever its name.
    let entry = entry_of("def reward_function(things):\n    return 0", None).unwrap();
    assert_eq!(entry.arguments, [ArgumentSource::Objects]);
    let entry = entry_of("def compute_reward(chicken, cars, *, action, scale=2.0):\n    return 0", None).unwrap();
    let class = |class, plural| ArgumentSource::Class(ClassReference { class, is_plural: plural });
    assert_eq!(entry.arguments, [class(3, false), class(4, true)]);
    assert_eq!(entry.keywords, [("action".to_owned(), ArgumentSource::Action)]);
    // A parameter after a default that is not supplied is passed by keyword.
    let entry = entry_of("def compute_reward(objects, scale=2.0, action=None):\n    return 0", None).unwrap();
    assert_eq!(
        (entry.arguments, entry.keywords),
        (vec![ArgumentSource::Objects], vec![("action".to_owned(), ArgumentSource::Action)])
    );
}

#[test]
fn unsupported_parameters_are_rejected() {
    let fault = entry_of("def reward_function(objects, sped):\n    return 0", None).unwrap_err();
    assert!(fault.contains("`sped` of `reward_function`"), "{fault}");
    let fault = entry_of("def compute_reward(chiken):\n    return 0", Some("compute_reward"));
    // The only parameter of the usual function receives the objects, whatever its name. Other functions get a suggestion for a typo.
    assert!(fault.is_ok());
    let fault = entry_of("def score(chickn, cars):\n    return 0", Some("score")).unwrap_err();
    assert!(fault.contains("did you mean `chicken`?"), "{fault}");
    let fault = entry_of("def score(objects):\n    return 0", Some("skore")).unwrap_err();
    assert!(fault.contains("did you mean `score`?"), "{fault}");
}

#[test]
fn assigned_functions_are_entries() {
    for text in [
        "reward_function = lambda objects: float(len(objects))\n",
        "def score(objects):\n    return float(len(objects))\nreward_function = score\n",
        "import numpy as np\ncompute_reward = lambda things: float(np.sum([1.0 for _ in things]))\n",
    ] {
        let entry = entry_of(text, None).unwrap();
        assert!(entry.function == "reward_function" || entry.function == "compute_reward", "{text}");
        let world = worlds::world("freeway");
        let objects = [object(&world, "Car", 1, 2), object(&world, "Car", 3, 4)];
        let input = Input::objects(Objects::Screen(&objects));
        assert_eq!(reward(text, &world, &input).map(|reward| reward.value()), Ok(2.0), "{text}");
    }
}

#[test]
fn each_episode_of_each_environment_has_a_seed() {
    let text = "import random\nimport numpy as np\ndef f(objects):\n    return random.random()\ndef g(objects):\n    return np.random.rand()\n";
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let program = read(sources.file(id)).program.unwrap();
    let start =
        |seed| Machine::with_random_seed((*program).clone(), World::default(), CallBudget::default(), seed).unwrap();
    // The numbers of CPython and numpy after `random.seed(0)`, `np.random.seed(0)` and `random.seed(2**32 + 1)`.
    assert_eq!(start(0).call("f", &[]), Ok(ReturnValue::Float(0.844_421_851_525_048_1)));
    assert_eq!(start(0).call("g", &[]), Ok(ReturnValue::Float(0.548_813_503_927_324_8)));
    let seed = goalspec_python_runtime::machine::episode_seed(1, 1);
    assert_eq!(seed, (1 << 32) + 1);
    let mut machine = start(0);
    machine.set_random_seed(seed);
    machine.reset().unwrap();
    assert_eq!(machine.call("f", &[]), start(seed).call("f", &[]));
    assert_ne!(machine.call("f", &[]), start(0).call("f", &[]));
}

#[test]
fn only_matching_function_is_the_entry() {
    let text = "def helper(a, b):\n    return a\ndef rally(objects):\n    return 1.0";
    assert_eq!(entry_of(text, None).unwrap().function, "rally");
    let fault = entry_of("def one(objects):\n    return 1\ndef two(env):\n    return 2", None).unwrap_err();
    assert!(fault.contains("`one`, `two`"), "{fault}");
    let fault = entry_of("def helper(a, b):\n    return a", None).unwrap_err();
    assert!(fault.contains("no reward function"), "{fault}");
}

#[test]
fn all_signatures_receive_the_same_objects() {
    let world = worlds::world("freeway");
    let now = [object(&world, "Chicken", 44, 100), object(&world, "Car", 10, 50), object(&world, "Car", 20, 60)];
    let before = [object(&world, "Chicken", 44, 110)];
    let input = Input { previous: Some(Objects::Screen(&before)), ..Input::objects(Objects::Screen(&now)) };
    let total = |text: &str| reward(text, &world, &input).map(|reward| reward.total);
    assert_eq!(total("def reward_function(objects):\n    return len(objects)"), Ok(ReturnValue::Int(3)));
    assert_eq!(total("def reward_function(env):\n    return len(env.objects)"), Ok(ReturnValue::Int(3)));
    let text =
        "def reward_function(prev_state, state):\n    return prev_state.chicken.y - state.chicken.y + len(state.cars)";
    assert_eq!(total(text), Ok(ReturnValue::Int(12)));
    assert_eq!(
        total("def reward_function(prev_state, state):\n    return len(prev_state.cars)"),
        Ok(ReturnValue::Int(0))
    );
    assert_eq!(total("def compute_reward(chicken, cars):\n    return chicken.x + cars[1].x"), Ok(ReturnValue::Int(64)));
    let text = "def compute_reward(state):\n    return 1 if state.no_object is None else 0";
    assert_eq!(total(text), Ok(ReturnValue::Int(1)));
    let error = total("def compute_reward(state):\n    return state.car.x").unwrap_err();
    assert_eq!(error.to_string(), "ValueError: 2 objects of class Car: use the parameter for all of them");
    let error = total("def compute_reward(state):\n    return state.bus").unwrap_err();
    assert_eq!(error.to_string(), "AttributeError: 'State' object has no attribute 'bus'");
}

#[test]
fn components_are_returned_by_name() {
    let world = worlds::world("freeway");
    let input = Input::objects(Objects::Screen(&[]));
    let text = "def compute_reward(objects):\n    return 1.5, {'near': 1, 'far': 0.5}";
    let expected =
        Reward { total: ReturnValue::Float(1.5), components: vec![("near".into(), 1.0), ("far".into(), 0.5)] };
    assert_eq!(reward(text, &world, &input), Ok(expected));
    let fails = |value: &str| {
        let text = format!("def reward_function(objects):\n    x = 1\n    return {value}\n");
        reward(&text, &world, &input).unwrap_err().to_string()
    };
    let start = "expected a number, or a number and a dict of its components, found ";
    assert_eq!(fails("None"), format!("{start}None, returned in line 3"));
    assert_eq!(fails("'big'"), format!("{start}'big', of class str, returned in line 3"));
    assert_eq!(fails("(1, 2)"), format!("{start}(1, 2), of class tuple, returned in line 3"));
    assert_eq!(
        fails("(1, {'a': None})"),
        format!("{start}a component 'a', of class str that is None, returned in line 3")
    );
    // Python's `nan` is a number.
    let reward = reward("def reward_function(o):\n    return float('nan')", &world, &input).unwrap();
    assert!(reward.value().is_nan());
}

fn robots() -> World {
    let attribute =
        |name: &str, kind, optional| Attribute { name: name.into(), value_type: kind, optional, may_be_absent: false };
    let thing = EntityClass {
        name: "Thing".into(),
        parents: Vec::new(),
        attributes: vec![
            attribute("name", AttributeKind::Text, false),
            attribute("position", AttributeKind::Vector(Some(3)), false),
        ],
    };
    let robot = EntityClass {
        name: "Robot".into(),
        parents: vec![0],
        attributes: vec![
            attribute("holds", AttributeKind::Object(0), true),
            attribute("speed", AttributeKind::Float, false),
            attribute("tags", AttributeKind::TextSet, false),
            attribute("joints", AttributeKind::Int, false),
            attribute("on", AttributeKind::Bool, false),
        ],
    };
    World { entity_classes: vec![thing, robot], ..World::default() }
}

#[test]
fn objects_have_declared_attributes() {
    let world = robots();
    let position = |x: f64, y: f64, z: f64| AttributeValue::Vector([x, y, z].into());
    let cup = Entity { class: 0, values: vec![AttributeValue::Text("cup".into()), position(3.0, 4.0, 0.0)] };
    let robot = Entity {
        class: 1,
        values: vec![
            AttributeValue::Text("r2".into()),
            position(0.0, 0.0, 0.0),
            AttributeValue::Object(1),
            AttributeValue::Float(0.5),
            AttributeValue::TextList(["fast".into()].into()),
            AttributeValue::Int(6),
            AttributeValue::Bool(true),
        ],
    };
    let entities = Entities { entities: vec![robot, cup], state: Vec::new() };
    let action = AttributeValue::Vector([1.0, 2.0].into());
    let input = Input { action: Some(&action), ..Input::objects(Objects::Entities(&entities)) };
    let text = "\
import numpy as np
from goalspec.world import Robot, Thing

def compute_reward(robot, things, action):
    r = robot
    assert isinstance(r, Robot) and isinstance(r, Thing) and not isinstance(things[1], Robot)
    assert r.category == 'Robot' == type(r).__name__ == r.__class__.__name__
    assert r.holds is things[1] and r.holds is not r and r == r and r != things[1]
    assert r.on is True and r.joints == 6 and r.speed == 0.5 and 'fast' in r.tags and r.name == 'r2'
    distance = np.linalg.norm(r.position - r.holds.position)
    r.seen = len(things)
    return distance + r.seen, {'distance': distance, 'action': action.sum(), 'tail': r.position[2]}
";
    let reward = reward(text, &world, &input).unwrap();
    let components = [("distance", 5.0), ("action", 3.0), ("tail", 0.0)].map(|(name, value)| (name.to_owned(), value));
    assert_eq!(reward, Reward { total: ReturnValue::Float(7.0), components: components.to_vec() });
    let fails = |body: &str| {
        let text = format!("def reward_function(objects):\n    return {body}\n");
        self::reward(&text, &world, &input).unwrap_err().to_string()
    };
    assert_eq!(fails("objects[0].velocity"), "AttributeError: 'Robot' object has no attribute 'velocity'");
    assert_eq!(fails("objects[1].holds"), "AttributeError: 'Thing' object has no attribute 'holds'");
}

#[test]
fn screen_classes_have_extra_attributes() {
    let boxer = ScreenClass {
        extra_attributes: vec!["right_arm_length".into(), "left_arm_length".into()],
        ..ScreenClass::new("Player")
    };
    let world = World::from_screen_classes([("GameObject", boxer)]);
    let player = SceneObject { extra_values: vec![3, 40], ..world.new_object(3) };
    let input = Input::objects(Objects::Screen(std::slice::from_ref(&player)));
    let text = "\
from ocatari.ram.boxing import *

def reward_function(objects):
    player = objects[0]
    assert (player.right_arm_length, Player().left_arm_length) == (3, 0)
    player.left_arm_length += 1
    return player.left_arm_length
";
    assert_eq!(reward(text, &world, &input), Ok(ReturnValue::Int(41).into()));
    // A recording may lack the lengths of the arms.
    let unknown = SceneObject { extra_values: Vec::new(), ..player };
    let input = Input::objects(Objects::Screen(std::slice::from_ref(&unknown)));
    let error = reward(text, &world, &input).unwrap_err();
    assert_eq!(error.to_string(), "AttributeError: 'Player' object has no attribute 'right_arm_length'");
}

#[test]
fn orientations_are_compass_directions() {
    let world =
        World { exports_orientation: true, ..World::from_screen_classes([("GameObject", ScreenClass::new("Player"))]) };
    let facing = |orientation| SceneObject { orientation, ..world.new_object(3) };
    let objects = [facing(Orientation::Name("W".into())), facing(Orientation::Raw(8)), facing(Orientation::None)];
    let input = Input::objects(Objects::Screen(&objects));
    let text = "\
from ocatari.ram.seaquest import *

def reward_function(objects):
    sub, skier, other = objects
    assert sub.orientation == Orientation.W and sub.orientation is Orientation(12) and sub.orientation != 12
    assert (sub.orientation.name, sub.orientation.value, Orientation.E.value) == ('W', 12, 4)
    assert repr(sub.orientation) == '<Orientation.W: 12>' and str(sub.orientation) == 'Orientation.W'
    assert len(list(Orientation)) == 16 and isinstance(sub.orientation, Orientation)
    assert skier.orientation == 8 and other.orientation is None
    sub.orientation = Orientation.NNW
    return sub.orientation.value
";
    assert_eq!(reward(text, &world, &input), Ok(ReturnValue::Int(15).into()));
}

#[test]
fn numpy_warnings_name_the_line() {
    let world = World::default();
    let text = "import numpy as np\ndef reward_function(o):\n    x = np.float64(1) / 0\n    return x\n";
    with(text, &world, None, |found| {
        let (program, entry) = found.unwrap();
        let mut machine = Machine::new(program.clone(), world.clone(), CallBudget::default()).unwrap();
        let reward = machine.reward(&entry, &Input::objects(Objects::Screen(&[]))).unwrap();
        assert!(reward.value().is_infinite());
        let warnings: Vec<_> = machine.warnings().iter().map(|one| (one.place.line, one.message.as_str())).collect();
        assert_eq!(warnings, [(3, "RuntimeWarning: divide by zero encountered in scalar divide")]);
    });
}
