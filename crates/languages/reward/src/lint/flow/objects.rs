//! Attributes and methods of the objects of a world.

use std::rc::Rc;

use super::value::{Inside, Interval, Value};
use crate::entry::{Name, named};
use crate::machine::BOX_ATTRIBUTES;
use crate::scene::{Kind, World};
use crate::typed::types::Kinds;

/// The maximum distance of an object's position from the screen, which is 160 pixels wide and 210 pixels high.
const AROUND: f64 = 40.0;

/// The interval of horizontal positions, in pixels.
pub(super) const ACROSS: Interval = Interval { low: -AROUND, high: 160.0 + AROUND };

/// The interval of vertical positions, in pixels.
pub(super) const DOWN: Interval = Interval { low: -AROUND, high: 210.0 + AROUND };

/// Methods of screen objects.
pub(super) const METHODS: [&str; 5] = ["is_on_top", "manathan_distance", "closest_object", "_save_prev", "iou"];

/// Attributes of all screen objects.
const ATTRIBUTES: [&str; 21] = [
    "x",
    "y",
    "w",
    "h",
    "xy",
    "_xy",
    "wh",
    "xywh",
    "prev_xy",
    "_prev_xy",
    "prev_x",
    "prev_y",
    "dx",
    "dy",
    "center",
    "h_coords",
    "category",
    "rgb",
    "hud",
    "visible",
    "orientation",
];

/// Attributes of screen objects with a value.
const VALUES: [&str; 5] = ["value", "_value", "prev_value", "_prev_value", "value_diff"];

/// The classes of a world as bits of a `u64`, the screen classes first.
#[derive(Debug)]
pub(super) struct Classes<'w> {
    world: &'w World,
    names: Vec<Rc<str>>,
}

impl<'w> Classes<'w> {
    /// Indexes the classes of a world; `None` if it has no classes or more than 64.
    pub(super) fn of(world: &'w World) -> Option<Self> {
        let names: Vec<Rc<str>> = world.class_names().map(|name| Rc::from(&**name)).collect();
        (1..=64).contains(&names.len()).then_some(Self { world, names })
    }

    pub(super) fn all(&self) -> u64 {
        u64::MAX >> (64 - self.names.len())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Returns whether the objects are screen objects, of which there is always at least one.
    fn of_screen(&self) -> bool {
        !self.world.classes.is_empty()
    }

    /// Returns the list of all objects.
    pub(super) fn everything<'a>(&self) -> Value<'a> {
        Value { whole: self.of_screen(), ..Value::list(Value::objects(self.all())) }
    }

    /// Returns the list of the objects of a class, or the only object joined with `absent`.
    pub(super) fn supplied<'a>(&self, name: Name, absent: &Value<'a>) -> Value<'a> {
        let class = self.names.get(name.class).and_then(|class| self.kinds_of(class));
        let objects = class.map_or_else(Value::any, Value::objects);
        if name.plural { Value::list(objects) } else { objects.join(absent) }
    }

    /// Returns the screen classes that have subclasses.
    pub(super) fn roots(&self) -> u64 {
        let parents = self.world.classes.iter().filter_map(|class| class.parent);
        parents.fold(0, |bits, place| bits | 1 << place)
    }

    /// Returns whether a state or an environment may have an attribute.
    pub(super) fn has_state(&self, name: &str) -> bool {
        let own = self.world.state.iter().any(|attribute| *attribute.name == *name);
        own || name == "objects" || is_hidden(name) || named(self.world, name).is_some()
    }

    /// Returns the names of the attributes of states, without those for the objects of a class.
    pub(super) fn state_names(&self) -> impl Iterator<Item = &str> {
        std::iter::once("objects").chain(self.world.state.iter().map(|attribute| &*attribute.name))
    }

    /// Returns the value of an attribute of a state.
    pub(super) fn of_state<'a>(&self, name: &str) -> Value<'a> {
        if name == "objects" {
            return self.everything();
        }
        if self.world.state.iter().any(|attribute| *attribute.name == *name) {
            return Value::any();
        }
        // Its absence is not reported: its guards are not followed.
        let supplied = |found| self.supplied(found, &Value::of(Kinds::NONE));
        named(self.world, name).map_or_else(Value::any, supplied)
    }

    /// Returns whether objects of one of these classes may lack an attribute that the class declares.
    pub(super) fn may_be_absent(&self, classes: u64, name: &str) -> bool {
        let own = 0..self.world.objects.len();
        let screens = self.world.classes.len();
        let mut own = own.filter(|own| classes >> (screens + own) & 1 == 1);
        own.any(|own| self.attribute(own, name).is_some_and(|attribute| attribute.absent))
    }

    /// Returns the names of these classes.
    pub(super) fn names_of(&self, classes: u64) -> Vec<Rc<str>> {
        let has = |place: &usize| classes >> place & 1 == 1;
        (0..self.names.len()).filter(has).map(|place| self.names[place].clone()).collect()
    }

    pub(super) fn named(&self, name: &str) -> Option<u64> {
        self.names.iter().position(|other| **other == *name).map(|place| 1 << place)
    }

    /// Returns whether a class equals another one or is a subclass of it.
    fn is_kind(&self, class: usize, other: usize) -> bool {
        let screens = self.world.classes.len();
        match (class.checked_sub(screens), other.checked_sub(screens)) {
            (None, None) => {
                let parent = |class: &usize| self.world.classes[*class].parent.map(usize::from);
                std::iter::successors(Some(class), parent).take(screens).any(|class| class == other)
            }
            (Some(class), Some(other)) => self.world.line(class as u16).contains(&(other as u16)),
            _ => false,
        }
    }

    /// Returns a class and its subclasses.
    pub(super) fn kinds_of(&self, name: &str) -> Option<u64> {
        let class = self.names.iter().position(|other| **other == *name)?;
        let kinds = (0..self.names.len()).filter(|&other| self.is_kind(other, class));
        Some(kinds.fold(0, |bits, place| bits | 1 << place))
    }

    /// Returns the classes whose objects are always falsy.
    pub(super) fn never_true(&self) -> u64 {
        let screens = self.world.classes.iter().enumerate();
        screens.filter(|(_, class)| !class.visible).fold(0, |bits, (place, _)| bits | 1 << place)
    }

    /// Returns those of these classes that have an attribute or a method.
    pub(super) fn having(&self, classes: u64, name: &str) -> u64 {
        let has = |place: usize| match place.checked_sub(self.world.classes.len()) {
            None => {
                let always = ATTRIBUTES.contains(&name) || METHODS.contains(&name) || is_hidden(name);
                let class = &self.world.classes[place];
                let own = class.own.iter().any(|own| **own == *name);
                always || own || (VALUES.contains(&name) && class.value.is_some())
            }
            Some(own) => {
                let always = is_hidden(name) || name == "category" || self.attribute(own, name).is_some();
                always || (METHODS.contains(&name) && self.is_box(own))
            }
        };
        (0..self.names.len())
            .filter(|&place| classes >> place & 1 == 1 && has(place))
            .fold(0, |bits, place| bits | 1 << place)
    }

    /// Returns whether the entities of a class have the bounding box of screen objects.
    fn is_box(&self, own: usize) -> bool {
        BOX_ATTRIBUTES.iter().all(|side| self.attribute(own, side).is_some())
    }

    fn attribute(&self, own: usize, name: &str) -> Option<&crate::scene::Attribute> {
        self.world.attributes_of(own as u16).into_iter().find(|attribute| *attribute.name == *name)
    }

    /// Returns the names of the attributes of objects of these classes.
    pub(super) fn attributes(&self, classes: u64) -> Vec<&str> {
        let screens = self.world.classes.len();
        let mut found: Vec<&str> = Vec::new();
        if classes & (u64::MAX >> (64 - screens.clamp(1, 64))) != 0 && screens > 0 {
            found.extend(ATTRIBUTES.iter().chain(&METHODS).filter(|name| !name.starts_with('_')));
        }
        if self.having(classes, "value") != 0 {
            found.extend(["value", "prev_value", "value_diff"]);
        }
        for (place, class) in self.world.classes.iter().enumerate() {
            if classes >> place & 1 == 1 {
                found.extend(class.own.iter().map(|name| &**name));
            }
        }
        for own in 0..self.world.objects.len() {
            if classes >> (screens + own) & 1 == 1 {
                found.extend(self.world.attributes_of(own as u16).into_iter().map(|attribute| &*attribute.name));
            }
        }
        found
    }

    /// Returns the value of an attribute of objects of these classes.
    pub(super) fn value<'a>(&self, classes: u64, name: &'a str) -> Value<'a> {
        let screens = self.world.classes.len();
        let own: Vec<usize> = (screens..self.names.len()).filter(|place| classes >> place & 1 == 1).collect();
        let of_screen = classes & !own.iter().fold(0, |bits, place| bits | 1 << place) != 0;
        let mut value = if of_screen { self.on_screen(classes, name) } else { Value::never() };
        for place in own {
            let found = match self.attribute(place - screens, name) {
                Some(found) => self.declared(found),
                None if name == "category" => Value::text(vec![self.names[place].clone()]),
                None if METHODS.contains(&name) => self.on_screen(classes, name),
                None => Value::any(),
            };
            value = value.join(&found);
        }
        value
    }

    fn on_screen<'a>(&self, classes: u64, name: &'a str) -> Value<'a> {
        let across = || Value::number(Kinds::INT, ACROSS);
        let down = || Value::number(Kinds::INT, DOWN);
        match name {
            "x" | "prev_x" => across(),
            "y" | "prev_y" => down(),
            "xy" | "_xy" | "prev_xy" => Value::tuple(vec![across(), down()]),
            "wh" => Value::tuple(vec![Value::int(); 2]),
            "xywh" => Value::tuple(vec![across(), down(), Value::int(), Value::int()]),
            "center" => Value::tuple(vec![Value::float(); 2]),
            "h_coords" => Value::list(Value::tuple(vec![across(), down()])),
            "category" => Value::text(self.names_of(classes)),
            "rgb" => Value::tuple(vec![Value::int(); 3]),
            "hud" | "visible" => Value::truth(None),
            "w" | "h" | "dx" | "dy" | "value" | "_value" | "prev_value" | "value_diff" => Value::int(),
            method if METHODS.contains(&method) => Value::thing(Inside::Method(method)),
            _ => Value::any(),
        }
    }

    fn declared<'a>(&self, attribute: &crate::scene::Attribute) -> Value<'a> {
        if attribute.optional {
            return Value::any();
        }
        match attribute.kind {
            Kind::Bool => Value::truth(None),
            Kind::Int => Value::int(),
            Kind::Float => Value::float(),
            Kind::Text => Value::of(Kinds::TEXT),
            Kind::Texts => Value::list(Value::of(Kinds::TEXT)),
            Kind::Vector(_) | Kind::TextSet | Kind::Thing | Kind::Things | Kind::Rows | Kind::Numbers(_) => {
                Value::any()
            }
            Kind::Object(class) => {
                let name = &self.names[self.world.classes.len() + usize::from(class)];
                self.kinds_of(name).map_or_else(Value::any, Value::objects)
            }
        }
    }
}

/// Returns whether a name is private or special.
fn is_hidden(name: &str) -> bool {
    name.starts_with('_')
}

/// Returns whether only objects have this attribute; a value of `kind` with it suggests a mistake.
pub(super) fn only_objects_have(name: &str, kind: &str) -> bool {
    // Strings have a method `center`.
    if (name, kind) == ("center", "a string") {
        return false;
    }
    ATTRIBUTES.contains(&name) || METHODS.contains(&name) || VALUES[0] == name
}
