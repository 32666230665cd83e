//! Descriptions of a game's screens, as reward functions see them in Python, for people.

use std::fmt::Write as _;

use goalspec_atari::class::{AttributeType, BASE_ATTRIBUTES, Class, METHODS, OrientationType};

use super::ScreenWorld;

/// The attributes, with their ranges and units.
const ATTRIBUTE_DESCRIPTIONS: [(&str, &str); 22] = [
    ("category", "the name of the class; \"NoObject\" for an empty slot"),
    ("x", "the left edge, in pixels from the left: 0 to 159 on the screen, up to 40 beyond it"),
    ("y", "the upper edge, in pixels from the top: 0 to 209 on the screen, up to 40 beyond it"),
    ("w", "the width, 0 to 160 pixels"),
    ("h", "the height, 0 to 210 pixels"),
    ("xy", "x and y"),
    ("wh", "w and h"),
    ("xywh", "x, y, w and h"),
    ("prev_xy", "x and y in the previous frame; the current ones for a new object"),
    ("prev_x", "the x of prev_xy"),
    ("prev_y", "the y of prev_xy"),
    ("dx", "x - prev_x, in pixels per frame; 0 for a new object"),
    ("dy", "y - prev_y, in pixels per frame, positive downwards; 0 for a new object"),
    ("h_coords", "the upper left and lower right corners"),
    ("center", "the centre, in pixels"),
    ("rgb", "red, green and blue, each 0 to 255"),
    ("hud", "whether the object belongs to the display of scores and lives"),
    ("visible", "whether the object exists; the truth value of objects"),
    ("orientation", "the direction that the object faces"),
    ("value", "the displayed number"),
    ("prev_value", "the value in the previous frame"),
    ("value_diff", "value - prev_value"),
];

/// The additional attributes of single classes.
const CLASS_ATTRIBUTE_DESCRIPTIONS: [(&str, &str); 2] = [
    ("right_arm_length", "the extension of the right arm, 0 or more pixels"),
    ("left_arm_length", "the extension of the left arm, 0 or more pixels"),
];

/// The methods, with their results.
const METHOD_DESCRIPTIONS: [(&str, &str); 4] = [
    ("is_on_top", "is_on_top(other) -> bool: whether the object's upper left corner is inside the other object"),
    ("manathan_distance", "manathan_distance(other) -> float: the Manhattan distance between the centres, in pixels"),
    (
        "closest_object",
        "closest_object(objects) -> (int, object) or None: the index and object with the smallest Manhattan distance",
    ),
    ("iou", "iou(other) -> float: intersection over union of the boxes, 0 to 1"),
];

/// Returns the description of an attribute of the objects of a screen, with its unit; an empty text for an unknown one.
pub fn attribute_description(name: &str) -> &'static str {
    match description(name, &ATTRIBUTE_DESCRIPTIONS) {
        "" => description(name, &CLASS_ATTRIBUTE_DESCRIPTIONS),
        found => found,
    }
}

/// Returns the signature and the description of a method of all objects of a screen, as in `is_on_top(other) -> bool`.
pub fn method_description(name: &str) -> Option<(&'static str, &'static str)> {
    description(name, &METHOD_DESCRIPTIONS).split_once(": ")
}

/// Returns the description of an attribute or method.
fn description(name: &str, known: &[(&str, &'static str)]) -> &'static str {
    known.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

fn type_name(of: AttributeType) -> String {
    match of {
        AttributeType::Bool => "bool".to_owned(),
        AttributeType::Int => "int".to_owned(),
        AttributeType::Str => "str".to_owned(),
        AttributeType::Ints(count) => format!("{count} ints"),
        AttributeType::Floats => "2 floats".to_owned(),
        AttributeType::Positions => "2 pairs".to_owned(),
        AttributeType::Facing => "see below".to_owned(),
    }
}

impl ScreenWorld {
    /// Describes the classes, attributes, ranges and helpers that a reward function may use.
    pub fn describe_python_classes(&self) -> String {
        let game = self.game;
        let mut text = format!(
            "Reward functions import the classes of its objects:\n  from ocatari.ram.{} import *\n\nClasses, by index \
             in the list of objects:\n",
            game.slug()
        );
        self.write_slots(&mut text);
        text.push_str(
            "An object that is not on the screen is a `NoObject`, whose truth value is False and whose position and \
             size are 0. Objects marked as omitted without the display exist only in recordings and environments that \
             include the display.\n\nAttributes of all objects (* assignable):\n",
        );
        for attribute in BASE_ATTRIBUTES {
            let star = if attribute.settable { "*" } else { "" };
            let name = format!("{}{star}", attribute.name);
            let about = description(attribute.name, &ATTRIBUTE_DESCRIPTIONS);
            let _ = writeln!(text, "  {name:<13}{:<11}{about}", type_name(attribute.value_type));
        }
        self.write_class_attributes(&mut text);
        text.push_str("\nMethods of all objects:\n");
        for method in METHODS {
            let _ = writeln!(text, "  {}", description(method, &METHOD_DESCRIPTIONS));
        }
        let _ = writeln!(text, "\nActions, the values of a parameter `action`: {}", list_actions(game.actions()));
        text
    }

    /// Writes the classes by their positions in the list of objects.
    fn write_slots(&self, text: &mut String) {
        let game = self.game;
        let always: Vec<&str> = game.slots(false).map(|(class, _)| game.class(class).name).collect();
        let named = |class: &Class| format!("{}({})", class.name, class.parent);
        let width = game.slots(true).map(|(class, _)| named(game.class(class)).len()).max().unwrap_or(0) + 2;
        let mut place = 0;
        for (class, count) in game.slots(true) {
            let class = game.class(class);
            let places = if count == 1 { place.to_string() } else { format!("{place}-{}", place + count - 1) };
            place += count;
            let left_out = if always.contains(&class.name) { "" } else { ", omitted without the display" };
            let _ = writeln!(text, "  {places:<7}{:<width$}{}{left_out}", named(class), describe_class(class));
        }
    }

    fn write_class_attributes(&self, text: &mut String) {
        let mut seen: Vec<&str> = Vec::new();
        for class in self.game.classes() {
            for attribute in class.attributes().skip(BASE_ATTRIBUTES.len()) {
                if seen.contains(&attribute.name) {
                    continue;
                }
                if seen.is_empty() {
                    text.push_str("\nAttributes of some classes:\n");
                }
                seen.push(attribute.name);
                let has = |class: &&Class| class.attributes().any(|own| own.name == attribute.name);
                let classes: Vec<&str> = self.game.classes().iter().filter(has).map(|class| class.name).collect();
                let about = description(
                    attribute.name,
                    &[&ATTRIBUTE_DESCRIPTIONS[..], &CLASS_ATTRIBUTE_DESCRIPTIONS[..]].concat(),
                );
                let star = if attribute.settable { "*" } else { "" };
                let name = format!("{}{star}", attribute.name);
                let _ =
                    writeln!(text, "  {name:<18}{:<5}{about}: {}", type_name(attribute.value_type), classes.join(", "));
            }
        }
        let facing = |facing: OrientationType| {
            let classes = self.game.classes().iter().filter(move |class| class.orientation == facing);
            classes.map(|class| class.name).collect::<Vec<_>>().join(", ")
        };
        let (winds, raw) = (facing(OrientationType::EastWest), facing(OrientationType::Raw));
        text.push_str("\n`orientation`:");
        if !winds.is_empty() {
            let _ = write!(text, " `Orientation.E` or `Orientation.W` for {winds};");
        }
        if !raw.is_empty() {
            let _ = write!(text, " an int for {raw};");
        }
        text.push_str(if winds.is_empty() && raw.is_empty() { " `None`\n" } else { " `None` for the others\n" });
    }
}

/// Describes a class: its usual size, and whether it belongs to the display.
fn describe_class(class: &Class) -> String {
    let mut traits = vec![format!("{} x {} pixels", class.initial_size.0, class.initial_size.1)];
    if class.hud {
        traits.push("display".to_owned());
    }
    if !class.hashable() {
        traits.push("not hashable".to_owned());
    }
    traits.join(", ")
}

fn list_actions(names: &[&str]) -> String {
    let numbered = names.iter().enumerate().map(|(number, name)| format!("{number} {name}"));
    numbered.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::all;
    use super::*;

    #[test]
    fn omitted_slots_keep_other_positions() {
        for world in all() {
            let text = world.describe_python_classes();
            let (with, without): (Vec<_>, Vec<_>) =
                (world.game.slots(true).collect(), world.game.slots(false).collect());
            let mut places = without.iter();
            let mut left_out = false;
            for (class, count) in with {
                let class = world.game.class(class);
                let line = text.lines().find(|line| line.contains(&format!(" {}({})", class.name, class.parent)));
                let line = line.unwrap_or_else(|| panic!("{}: {text}", class.name));
                assert!(line.contains(&format!("({})  ", class.parent)), "{line}");
                let is_left_out = line.ends_with(", omitted without the display");
                // Omitted slots come last, so that the other slots keep their positions.
                assert!(is_left_out || !left_out, "{}: {line}", world.name);
                left_out |= is_left_out;
                let next = if is_left_out { None } else { places.next() };
                assert_eq!(next.map(|&(_, count)| count), (!is_left_out).then_some(count), "{}: {line}", world.name);
            }
            assert_eq!(places.next(), None, "{}", world.name);
        }
    }

    #[test]
    fn every_attribute_and_method_has_a_description() {
        let known = [&ATTRIBUTE_DESCRIPTIONS[..], &CLASS_ATTRIBUTE_DESCRIPTIONS[..]].concat();
        for world in all() {
            for attribute in world.game.classes().iter().flat_map(Class::attributes) {
                assert_ne!(description(attribute.name, &known), "", "{}: {}", world.name, attribute.name);
            }
            let text = world.describe_python_classes();
            for class in world.game.slots(true).map(|(class, _)| world.game.class(class).name) {
                assert!(text.contains(&format!(" {class}(")), "{}: {class}: {text}", world.name);
            }
        }
        for method in METHODS {
            assert!(description(method, &METHOD_DESCRIPTIONS).starts_with(&format!("{method}(")), "{method}");
        }
    }
}
