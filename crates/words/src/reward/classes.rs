//! Descriptions of the classes of a world, as Python classes that say what their attributes and methods really are.
//!
//! A description states facts that a model cannot know from class definitions alone: the number of objects of a class, whether they may
//! be absent, and the ranges of their attributes over the sample traces.

use std::fmt::Write as _;

use goalspec_atari::class::{AttributeType, BASE_ATTRIBUTES, Class, METHODS, OrientationType, ValueAttributes};
use goalspec_core::world::World;
use goalspec_python_runtime::scene::{Attribute, AttributeKind};
use goalspec_rewards::objects::{NO_OBJECT, ObjectWorld};
use goalspec_rewards::screen_worlds::{ScreenWorld, attribute_description, method_description};
use goalspec_rewards::world::RewardWorld;

use super::samples::{ClassSamples, Interval, Samples};

/// Descriptions of the classes of a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassDescriptions {
    /// The classes from which the others inherit.
    pub parent: String,
    /// The classes of the objects, in the order of the world.
    pub objects: String,
}

impl ClassDescriptions {
    /// Describes the classes of a world with the statistics of sample traces. Classes that only show a score are left out: the reward is
    /// to be found without it.
    pub fn render(world: &RewardWorld, samples: &Samples) -> Self {
        match world {
            RewardWorld::Screen(world) => of_screen(world, samples),
            RewardWorld::Objects(world) => of_objects(world, samples),
        }
    }
}

/// Whether a class only shows a score.
fn is_score(name: &str) -> bool {
    name.ends_with("Score")
}

fn of_screen(world: &ScreenWorld, samples: &Samples) -> ClassDescriptions {
    let game = world.game;
    let mut classes: Vec<&Class> = Vec::new();
    for (class, _) in game.slots(true) {
        let class = game.class(class);
        if !is_score(class.name) && !classes.contains(&class) {
            classes.push(class);
        }
    }
    let mut parent = screen_parent();
    if classes.iter().any(|class| matches!(class.value, ValueAttributes::Tracked(_))) {
        parent.push_str("\n\nclass ValueObject(GameObject):\n    \"\"\"An object that shows a number.\"\"\"\n\n");
        for name in ["value", "prev_value", "value_diff"] {
            let _ = writeln!(parent, "    {name}: int  # {}", attribute_description(name));
        }
    }
    let always: Vec<&str> = game.slots(false).map(|(class, _)| game.class(class).name).collect();
    let described = classes.iter().map(|class| {
        let index = world.scene.screen_class(class.name).map_or(0, usize::from);
        let own = samples.classes.get(index).cloned().unwrap_or_default();
        let doc = type_doc(world.core(), class.name);
        screen_class((class, doc), always.contains(&class.name), &own, samples.frames)
    });
    ClassDescriptions { parent, objects: described.collect::<Vec<_>>().join("\n\n") }
}

fn screen_parent() -> String {
    let mut text = String::from(
        "class GameObject:\n    \"\"\"An object on the screen. Coordinates are in pixels; x grows to the right, y grows downwards. A \
         slot without an object contains a `NoObject`, which is falsy.\"\"\"\n\n",
    );
    for attribute in BASE_ATTRIBUTES {
        let about = attribute_description(attribute.name);
        let _ = writeln!(text, "    {}: {}  # {about}", attribute.name, python_type(attribute.value_type));
    }
    for method in METHODS {
        let Some((signature, meaning)) = method_description(method) else { continue };
        let signature = signature.replacen('(', "(self, ", 1);
        let _ = write!(text, "\n    def {signature}:\n        \"\"\"Returns {meaning}.\"\"\"\n");
    }
    text.push_str(
        "\n\nclass NoObject(GameObject):\n    \"\"\"A slot without an object: falsy, with position and size 0.\"\"\"\n",
    );
    text
}

fn python_type(of: AttributeType) -> String {
    match of {
        AttributeType::Bool => "bool".to_owned(),
        AttributeType::Int => "int".to_owned(),
        AttributeType::Str => "str".to_owned(),
        AttributeType::Ints(count) => format!("tuple[{}]", vec!["int"; usize::from(count)].join(", ")),
        AttributeType::Floats => "tuple[float, float]".to_owned(),
        AttributeType::Positions => "list[tuple[int, int]]".to_owned(),
        AttributeType::Facing => "object".to_owned(),
    }
}

fn screen_class(
    (class, doc): (&Class, Option<String>),
    is_in_play: bool,
    samples: &ClassSamples,
    frames: u64,
) -> String {
    let mut facts: Vec<String> = doc.into_iter().collect();
    facts.push(count_fact(samples, frames));
    if !is_in_play && samples.max_count == 0 {
        facts.push("Exists only in environments that include the display of scores".to_owned());
    }
    let positions: Vec<String> = ["x", "y"].into_iter().filter_map(|name| range_fact(samples, name)).collect();
    if !positions.is_empty() {
        facts.push(positions.join(", "));
    }
    let size = ["w", "h"].map(|name| samples.range(name));
    let declared = (f64::from(class.initial_size.0), f64::from(class.initial_size.1));
    facts.push(match size {
        [Some(w), Some(h)] => format!("{} wide and {} high", interval(w), interval(h)),
        _ => format!("{} wide and {} high", declared.0, declared.1),
    });
    let [red, green, blue] = class.rgb;
    facts.push(format!("Usual colour ({red}, {green}, {blue})"));
    if class.hud {
        facts.push("Part of the display, not of the field".to_owned());
    }
    if !class.hashable() {
        facts.push("Not hashable; `==` compares positions".to_owned());
    }
    let mut text = format!("class {}({}):\n    \"\"\"{}.\"\"\"\n", class.name, class.parent, facts.join(". "));
    let mut attributes: Vec<String> = Vec::new();
    for attribute in class.attributes().skip(BASE_ATTRIBUTES.len()) {
        let about = attribute_description(attribute.name);
        let range = range_fact(samples, attribute.name).map_or(String::new(), |range| format!("; {range}"));
        let is_inherited = matches!(class.value, ValueAttributes::Tracked(_)) && attribute.name != "value";
        if !is_inherited {
            attributes.push(format!("    {}: {}  # {about}{range}", attribute.name, python_type(attribute.value_type)));
        }
    }
    match class.orientation {
        OrientationType::None => {}
        OrientationType::EastWest => {
            attributes.push("    orientation: Orientation  # Orientation.E (right) or Orientation.W (left)".to_owned());
        }
        OrientationType::Raw => {
            attributes.push("    orientation: int  # the direction, as the game numbers it".to_owned());
        }
    }
    if !attributes.is_empty() {
        text.push('\n');
        text.push_str(&attributes.join("\n"));
        text.push('\n');
    }
    text
}

/// Returns the fact about the number of objects of a class.
fn count_fact(samples: &ClassSamples, frames: u64) -> String {
    let ClassSamples { max_count, absent_frames, .. } = samples;
    match (frames, max_count) {
        (0, _) => "Any number of objects, also none".to_owned(),
        (_, 0) => format!("Absent in all {frames} sample frames"),
        (_, 1) if *absent_frames == 0 => format!("One object in each of the {frames} sample frames"),
        (_, _) if *absent_frames == 0 => {
            format!("At most {max_count} at a time, at least one in each of the {frames} sample frames")
        }
        (_, _) => {
            format!("At most {max_count} at a time, may be absent: none in {absent_frames} of {frames} sample frames")
        }
    }
}

/// Returns the fact about the range of an attribute.
fn range_fact(samples: &ClassSamples, name: &str) -> Option<String> {
    let range = samples.range(name)?;
    let Interval { min, max } = range;
    let is_constant = min.total_cmp(&max).is_eq();
    Some(if is_constant {
        format!("{name} always {}", number(min))
    } else {
        format!("{name} from {} to {}", number(min), number(max))
    })
}

fn interval(range: Interval) -> String {
    let Interval { min, max } = range;
    if min.total_cmp(&max).is_eq() { number(min) } else { format!("{} to {}", number(min), number(max)) }
}

/// Returns a number with at most three decimals.
fn number(value: f64) -> String {
    format!("{}", (value * 1e3).round() / 1e3 + 0.0)
}

fn of_objects(world: &ObjectWorld, samples: &Samples) -> ClassDescriptions {
    let classes = &world.scene.entity_classes;
    let is_parent = |class: usize| classes.iter().any(|other| other.parents.contains(&(class as u16)));
    let (parents, own): (Vec<usize>, Vec<usize>) = (0..classes.len()).partition(|&class| {
        is_parent(class) && samples.classes.get(class).is_none_or(|samples| samples.max_count == 0)
    });
    let describe = |class: &usize| entity_class(world, *class, samples);
    let mut parent: Vec<String> = parents.iter().map(describe).collect();
    if !world.scene.state_attributes.is_empty() {
        let attributes = world.scene.state_attributes.iter().map(|attribute| attribute_line(world, attribute, None));
        let lines: Vec<String> = attributes.collect();
        parent.push(format!(
            "class State:\n    \"\"\"The state of the world, beside its objects.\"\"\"\n\n{}\n",
            lines.join("\n")
        ));
    }
    if parent.is_empty() {
        parent.push("class GameObject:\n    \"\"\"An object of the world.\"\"\"\n".to_owned());
    }
    let is_described = |class: &&usize| !is_score(&classes[**class].name) && *classes[**class].name != *NO_OBJECT;
    let own = own.iter().filter(is_described).map(describe);
    ClassDescriptions { parent: parent.join("\n\n"), objects: own.collect::<Vec<_>>().join("\n\n") }
}

fn entity_class(world: &ObjectWorld, index: usize, all: &Samples) -> String {
    let classes = &world.scene.entity_classes;
    let class = &classes[index];
    let parents: Vec<&str> = class.parents.iter().map(|&parent| &*classes[usize::from(parent)].name).collect();
    let parents = if parents.is_empty() { String::new() } else { format!("({})", parents.join(", ")) };
    let samples = all.classes.get(index).cloned().unwrap_or_default();
    let is_parent = classes.iter().any(|other| other.parents.contains(&(index as u16)));
    let facts = match samples.max_count {
        0 if is_parent => "The parent of other classes".to_owned(),
        _ => count_fact(&samples, all.frames),
    };
    let doc = type_doc(world.core(), &class.name).map_or(String::new(), |doc| format!("{doc}. "));
    let mut text = format!("class {}{parents}:\n    \"\"\"{doc}{facts}.\"\"\"\n", class.name);
    // What a class inherits is declared by its parent, but the range is its own.
    let inherited = world.scene.attributes_of(index as u16).into_iter().filter(|attribute| {
        let is_own = class.attributes.iter().any(|own| own.name == attribute.name);
        !is_own && samples.range(&attribute.name).is_some()
    });
    let attributes = class.attributes.iter().chain(inherited);
    let attributes: Vec<String> =
        attributes.map(|attribute| attribute_line(world, attribute, Some(&samples))).collect();
    if !attributes.is_empty() {
        let _ = write!(text, "\n{}\n", attributes.join("\n"));
    }
    text
}

/// Returns the documentation of the type of a class.
fn type_doc(world: &World, class: &str) -> Option<String> {
    let types =
        world.types().iter().filter(|declared| goalspec_rewards::objects::names::class_name(&declared.name) == class);
    types.map(|declared| first_line(&declared.doc)).find(|doc| !doc.is_empty())
}

/// Returns the first line of a documentation, without its full stop.
fn first_line(doc: &str) -> String {
    doc.lines().next().unwrap_or_default().trim().trim_end_matches('.').replace("\"\"\"", "'''")
}

fn attribute_line(world: &ObjectWorld, attribute: &Attribute, samples: Option<&ClassSamples>) -> String {
    let mut about: Vec<String> = Vec::new();
    let core = world.core();
    let declared = core
        .attributes()
        .iter()
        .filter(|declared| goalspec_rewards::objects::names::attribute_name(&declared.name) == *attribute.name);
    about.extend(declared.map(|declared| first_line(&declared.doc)).find(|doc| !doc.is_empty()));
    about.extend(samples.and_then(|samples| range_fact(samples, &attribute.name)));
    if attribute.optional {
        about.push("may be None".to_owned());
    }
    if attribute.may_be_absent {
        about.push("objects may lack it".to_owned());
    }
    let comment = if about.is_empty() { String::new() } else { format!("  # {}", about.join("; ")) };
    format!("    {}: {}{comment}", attribute.name, kind_name(world, attribute.value_type))
}

fn kind_name(world: &ObjectWorld, kind: AttributeKind) -> String {
    match kind {
        AttributeKind::Bool => "bool".to_owned(),
        AttributeKind::Int => "int".to_owned(),
        AttributeKind::Float => "float".to_owned(),
        AttributeKind::Text => "str".to_owned(),
        AttributeKind::Vector(_) => "np.ndarray".to_owned(),
        AttributeKind::Object(class) => world.scene.entity_classes[usize::from(class)].name.to_string(),
        AttributeKind::ObjectOrText => "object".to_owned(),
        AttributeKind::ObjectOrTextList => "list".to_owned(),
        AttributeKind::TextList => "list[str]".to_owned(),
        AttributeKind::TextSet => "set[str]".to_owned(),
        AttributeKind::TupleList => "list[tuple]".to_owned(),
        AttributeKind::NumberTuple(count) => format!("tuple[{}]", vec!["float"; usize::from(count)].join(", ")),
    }
}
