//! Attributes and methods of the objects of a world.

use std::collections::BTreeSet;
use std::rc::Rc;

use goalspec_python_runtime::entry::{ClassReference, class_reference};
use goalspec_python_runtime::inference::Kinds;
use goalspec_python_runtime::library::{MethodRow, method, methods};
use goalspec_python_runtime::machine::BOX_ATTRIBUTES;
use goalspec_python_runtime::scene::{AttributeKind, World};

use super::value::{AbstractValue, Contents, Interval};

/// The maximum distance of an object's position from the screen, which is 160 pixels wide and 210 pixels high.
const SCREEN_MARGIN: f64 = 40.0;

/// The interval of horizontal positions, in pixels.
pub(super) const X_RANGE: Interval = Interval { low: -SCREEN_MARGIN, high: 160.0 + SCREEN_MARGIN };

/// The interval of vertical positions, in pixels.
pub(super) const Y_RANGE: Interval = Interval { low: -SCREEN_MARGIN, high: 210.0 + SCREEN_MARGIN };

/// Returns a method of screen objects.
pub(super) fn object_method(name: &str) -> Option<&'static MethodRow> {
    method("GameObject", name)
}

/// Attributes of all screen objects.
const OBJECT_ATTRIBUTES: [&str; 21] = [
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
const VALUE_ATTRIBUTES: [&str; 5] = ["value", "_value", "prev_value", "_prev_value", "value_diff"];

/// The built-in classes whose values programs have without imports.
const BUILT_IN_CLASSES: [&str; 7] = ["dict", "float", "int", "list", "set", "str", "tuple"];

/// Returns the attributes of the objects of a world and the methods of built-in classes, without those that begin with two underscores.
/// A world with more than 64 classes has none.
pub fn attribute_names(world: &World) -> BTreeSet<String> {
    let Some(table) = ClassTable::of(world) else { return BTreeSet::new() };
    let is_readable = |row: &&MethodRow| {
        BUILT_IN_CLASSES.contains(&row.class()) || (table.has_screen_objects() && row.class() == "GameObject")
    };
    let methods = methods().filter(is_readable).map(|row| row.name);
    let names = table.attribute_names(table.all()).into_iter().chain(methods);
    names.filter(|name| !name.starts_with("__")).map(str::to_owned).collect()
}

/// The classes of a world as bits of a `u64`, the screen classes first.
#[derive(Debug)]
pub(super) struct ClassTable<'w> {
    world: &'w World,
    names: Vec<Rc<str>>,
}

impl<'w> ClassTable<'w> {
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
    fn has_screen_objects(&self) -> bool {
        !self.world.screen_classes.is_empty()
    }

    /// Returns the list of all objects.
    pub(super) fn all_objects<'a>(&self) -> AbstractValue<'a> {
        AbstractValue {
            is_all_objects: self.has_screen_objects(),
            ..AbstractValue::list(AbstractValue::objects(self.all()))
        }
    }

    /// Returns the list of the objects of a class, or the only object joined with `absent`.
    pub(super) fn class_objects<'a>(&self, name: ClassReference, absent: &AbstractValue<'a>) -> AbstractValue<'a> {
        let class = self.names.get(name.class).and_then(|class| self.subclasses_of(class));
        let objects = class.map_or_else(AbstractValue::any, AbstractValue::objects);
        if name.is_plural { AbstractValue::list(objects) } else { objects.join(absent) }
    }

    /// Returns the screen classes that have subclasses.
    pub(super) fn base_classes(&self) -> u64 {
        let parents = self.world.screen_classes.iter().filter_map(|class| class.parent);
        parents.fold(0, |bits, place| bits | 1 << place)
    }

    /// Returns whether a state or an environment may have an attribute.
    pub(super) fn has_state_attribute(&self, name: &str) -> bool {
        let own = self.world.state_attributes.iter().any(|attribute| *attribute.name == *name);
        own || name == "objects" || is_hidden(name) || class_reference(self.world, name).is_some()
    }

    /// Returns the names of the attributes of states, without those for the objects of a class.
    pub(super) fn state_attribute_names(&self) -> impl Iterator<Item = &str> {
        std::iter::once("objects").chain(self.world.state_attributes.iter().map(|attribute| &*attribute.name))
    }

    /// Returns the value of an attribute of a state.
    pub(super) fn state_attribute<'a>(&self, name: &str) -> AbstractValue<'a> {
        if name == "objects" {
            return self.all_objects();
        }
        if self.world.state_attributes.iter().any(|attribute| *attribute.name == *name) {
            return AbstractValue::any();
        }
        // Its absence is not reported: its guards are not followed.
        let supplied = |found| self.class_objects(found, &AbstractValue::of_kinds(Kinds::NONE));
        class_reference(self.world, name).map_or_else(AbstractValue::any, supplied)
    }

    /// Returns whether objects of one of these classes may lack an attribute that the class declares.
    pub(super) fn may_lack(&self, classes: u64, name: &str) -> bool {
        let own = 0..self.world.entity_classes.len();
        let screens = self.world.screen_classes.len();
        let mut own = own.filter(|own| classes >> (screens + own) & 1 == 1);
        own.any(|own| self.find_attribute(own, name).is_some_and(|attribute| attribute.may_be_absent))
    }

    /// Returns the names of these classes.
    pub(super) fn class_names(&self, classes: u64) -> Vec<Rc<str>> {
        let has = |place: &usize| classes >> place & 1 == 1;
        (0..self.names.len()).filter(has).map(|place| self.names[place].clone()).collect()
    }

    pub(super) fn class_bit(&self, name: &str) -> Option<u64> {
        self.names.iter().position(|other| **other == *name).map(|place| 1 << place)
    }

    /// Returns whether a class equals another one or is a subclass of it.
    fn is_subclass(&self, class: usize, other: usize) -> bool {
        let screens = self.world.screen_classes.len();
        match (class.checked_sub(screens), other.checked_sub(screens)) {
            (None, None) => {
                let parent = |class: &usize| self.world.screen_classes[*class].parent.map(usize::from);
                std::iter::successors(Some(class), parent).take(screens).any(|class| class == other)
            }
            (Some(class), Some(other)) => self.world.ancestry(class as u16).contains(&(other as u16)),
            _ => false,
        }
    }

    /// Returns a class and its subclasses.
    pub(super) fn subclasses_of(&self, name: &str) -> Option<u64> {
        let class = self.names.iter().position(|other| **other == *name)?;
        let kinds = (0..self.names.len()).filter(|&other| self.is_subclass(other, class));
        Some(kinds.fold(0, |bits, place| bits | 1 << place))
    }

    /// Returns the classes whose objects are always falsy.
    pub(super) fn always_falsy(&self) -> u64 {
        let screens = self.world.screen_classes.iter().enumerate();
        screens.filter(|(_, class)| !class.visible).fold(0, |bits, (place, _)| bits | 1 << place)
    }

    /// Returns those of these classes that have an attribute or a method.
    pub(super) fn classes_with_attribute(&self, classes: u64, name: &str) -> u64 {
        let has = |place: usize| match place.checked_sub(self.world.screen_classes.len()) {
            None => {
                let always = OBJECT_ATTRIBUTES.contains(&name) || object_method(name).is_some() || is_hidden(name);
                let class = &self.world.screen_classes[place];
                let own = class.extra_attributes.iter().any(|own| **own == *name);
                always || own || (VALUE_ATTRIBUTES.contains(&name) && class.value.is_some())
            }
            Some(own) => {
                let always = is_hidden(name) || name == "category" || self.find_attribute(own, name).is_some();
                always || (object_method(name).is_some() && self.has_bounding_box(own))
            }
        };
        (0..self.names.len())
            .filter(|&place| classes >> place & 1 == 1 && has(place))
            .fold(0, |bits, place| bits | 1 << place)
    }

    /// Returns whether the entities of a class have the bounding box of screen objects.
    fn has_bounding_box(&self, own: usize) -> bool {
        BOX_ATTRIBUTES.iter().all(|side| self.find_attribute(own, side).is_some())
    }

    fn find_attribute(&self, own: usize, name: &str) -> Option<&goalspec_python_runtime::scene::Attribute> {
        self.world.attributes_of(own as u16).into_iter().find(|attribute| *attribute.name == *name)
    }

    /// Returns the names of the attributes of objects of these classes.
    pub(super) fn attribute_names(&self, classes: u64) -> Vec<&str> {
        let screens = self.world.screen_classes.len();
        let mut found: Vec<&str> = Vec::new();
        if classes & (u64::MAX >> (64 - screens.clamp(1, 64))) != 0 && screens > 0 {
            let methods = methods().filter(|row| row.class() == "GameObject").map(|row| row.name);
            found.extend(OBJECT_ATTRIBUTES.into_iter().chain(methods).filter(|name| !name.starts_with('_')));
        }
        if self.classes_with_attribute(classes, "value") != 0 {
            found.extend(["value", "prev_value", "value_diff"]);
        }
        for (place, class) in self.world.screen_classes.iter().enumerate() {
            if classes >> place & 1 == 1 {
                found.extend(class.extra_attributes.iter().map(|name| &**name));
            }
        }
        for own in 0..self.world.entity_classes.len() {
            if classes >> (screens + own) & 1 == 1 {
                found.extend(self.world.attributes_of(own as u16).into_iter().map(|attribute| &*attribute.name));
            }
        }
        found
    }

    /// Returns the value of an attribute of objects of these classes.
    pub(super) fn attribute_value<'a>(&self, classes: u64, name: &'a str) -> AbstractValue<'a> {
        let screens = self.world.screen_classes.len();
        let own: Vec<usize> = (screens..self.names.len()).filter(|place| classes >> place & 1 == 1).collect();
        let of_screen = classes & !own.iter().fold(0, |bits, place| bits | 1 << place) != 0;
        let mut value = if of_screen { self.screen_attribute_value(classes, name) } else { AbstractValue::never() };
        for place in own {
            let found = match self.find_attribute(place - screens, name) {
                Some(found) => self.declared_attribute_value(found),
                None if name == "category" => AbstractValue::strings(vec![self.names[place].clone()]),
                None if object_method(name).is_some() => self.screen_attribute_value(classes, name),
                None => AbstractValue::any(),
            };
            value = value.join(&found);
        }
        value
    }

    fn screen_attribute_value<'a>(&self, classes: u64, name: &'a str) -> AbstractValue<'a> {
        let across = || AbstractValue::number(Kinds::INT, X_RANGE);
        let down = || AbstractValue::number(Kinds::INT, Y_RANGE);
        match name {
            "x" | "prev_x" => across(),
            "y" | "prev_y" => down(),
            "xy" | "_xy" | "prev_xy" => AbstractValue::tuple(vec![across(), down()]),
            "wh" => AbstractValue::tuple(vec![AbstractValue::int(); 2]),
            "xywh" => AbstractValue::tuple(vec![across(), down(), AbstractValue::int(), AbstractValue::int()]),
            "center" => AbstractValue::tuple(vec![AbstractValue::float(); 2]),
            "h_coords" => AbstractValue::list(AbstractValue::tuple(vec![across(), down()])),
            "category" => AbstractValue::strings(self.class_names(classes)),
            "rgb" => AbstractValue::tuple(vec![AbstractValue::int(); 3]),
            "hud" | "visible" => AbstractValue::boolean(None),
            "w" | "h" | "dx" | "dy" | "value" | "_value" | "prev_value" | "value_diff" => AbstractValue::int(),
            _ => match object_method(name) {
                Some(method) => AbstractValue::from_contents(Contents::Method(method)),
                None => AbstractValue::any(),
            },
        }
    }

    fn declared_attribute_value<'a>(&self, attribute: &goalspec_python_runtime::scene::Attribute) -> AbstractValue<'a> {
        if attribute.optional {
            return AbstractValue::any();
        }
        match attribute.value_type {
            AttributeKind::Bool => AbstractValue::boolean(None),
            AttributeKind::Int => AbstractValue::int(),
            AttributeKind::Float => AbstractValue::float(),
            AttributeKind::Text => AbstractValue::of_kinds(Kinds::TEXT),
            AttributeKind::TextList => AbstractValue::list(AbstractValue::of_kinds(Kinds::TEXT)),
            AttributeKind::Vector(_)
            | AttributeKind::TextSet
            | AttributeKind::ObjectOrText
            | AttributeKind::ObjectOrTextList
            | AttributeKind::TupleList
            | AttributeKind::NumberTuple(_) => AbstractValue::any(),
            AttributeKind::Object(class) => {
                let name = &self.names[self.world.screen_classes.len() + usize::from(class)];
                self.subclasses_of(name).map_or_else(AbstractValue::any, AbstractValue::objects)
            }
        }
    }
}

/// Returns whether a name is private or special.
fn is_hidden(name: &str) -> bool {
    name.starts_with('_')
}

/// Returns whether only objects have this attribute; a value of `kind` with it suggests a mistake.
pub(super) fn is_object_only_attribute(name: &str, kind: &str) -> bool {
    // Strings have a method `center`.
    if (name, kind) == ("center", "a string") {
        return false;
    }
    OBJECT_ATTRIBUTES.contains(&name) || object_method(name).is_some() || VALUE_ATTRIBUTES[0] == name
}
