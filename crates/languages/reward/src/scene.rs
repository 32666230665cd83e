//! What a reward function is called with: objects of classes. Those of a screen have the attributes that all screens' objects have;
//! others have what their classes declare.

use std::sync::Arc;

/// The classes of objects that a world has.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// Classes of objects of a screen, each after its parent.
    pub classes: Vec<Class>,
    /// Classes of objects with attributes of their own, each after its parents. Of several that have one name, programs name the first.
    pub objects: Vec<ObjectClass>,
    /// What environments and states have beside objects with attributes of their own.
    pub state: Vec<Attribute>,
    /// Whether the module of the classes of a screen has `Orientation`, too: the enumeration of the winds.
    pub winds: bool,
}

/// A class of objects.
#[derive(Debug, Clone)]
pub struct Class {
    /// Its name, as programs write it.
    pub name: Arc<str>,
    /// The class that it is a kind of.
    pub parent: Option<u16>,
    /// When two objects are equal.
    pub equality: Equality,
    /// The upper left corner of a new object, in pixels.
    pub start: (i32, i32),
    /// Its width and height, in pixels.
    pub size: (i32, i32),
    /// Red, green and blue.
    pub color: [u8; 3],
    /// Whether objects belong to the display around the game.
    pub hud: bool,
    /// The value of a new object, if objects have one, as a score has.
    pub value: Option<i32>,
    /// Whether objects count as true.
    pub visible: bool,
    /// The names of whole numbers that objects have beside what all have.
    pub own: Vec<Arc<str>>,
}

impl Class {
    /// A class of visible objects at the upper left corner, without size, colour and value, each of which equals itself alone.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.into(),
            parent: None,
            equality: Equality::Identity,
            start: (0, 0),
            size: (0, 0),
            color: [0; 3],
            hud: false,
            value: None,
            visible: true,
            own: Vec::new(),
        }
    }
}

/// When two objects are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equality {
    /// If they are one.
    Identity,
    /// If the other one's class says so, too.
    Always,
    /// If they are of one class and less than so many rows apart; such objects have no hash.
    Close {
        /// Pixels.
        rows: i64,
        /// Whether they have to be of one colour, too.
        same_color: bool,
    },
    /// If the other one is of a class and at the same place; such objects have no hash.
    Place {
        /// That class, which need not be the own one.
        class: u16,
    },
}

/// Where an object faces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Orientation {
    /// It has none.
    #[default]
    None,
    /// As the game stores it.
    Raw(i64),
    /// A direction by name.
    Named(Arc<str>),
}

/// An object at one moment.
// What every call reads comes first, and so together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(C)]
pub struct SceneObject {
    /// The upper left corner, in pixels.
    pub position: (i32, i32),
    /// Width and height, in pixels.
    pub size: (i32, i32),
    /// Where it was the moment before; `None` if it is new.
    pub previous: Option<(i32, i32)>,
    /// Its value, if it has one.
    pub value: Option<i32>,
    /// Its class, by its place in [`World::classes`].
    pub class: u16,
    /// Whether it belongs to the display around the game.
    pub hud: bool,
    /// Whether it counts as true.
    pub visible: bool,
    /// Red, green and blue.
    pub color: [u8; 3],
    /// Where it faces.
    pub orientation: Orientation,
    /// Its value the moment before.
    pub previous_value: Option<i32>,
    /// What its class names beside, in [that order](Class::own).
    pub own: Vec<i64>,
}

/// A class of objects with attributes of its own, as a world file declares them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectClass {
    /// Its name, as programs write it.
    pub name: Arc<str>,
    /// The classes that it is a kind of, by their places in [`World::objects`].
    pub parents: Vec<u16>,
    /// What its objects have beside what those of its parents have.
    pub attributes: Vec<Attribute>,
}

/// An attribute of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Its name, as programs write it.
    pub name: Arc<str>,
    /// What it holds.
    pub kind: Kind,
    /// Whether it may be `None`.
    pub optional: bool,
    /// Whether objects may be without it, so that reading it raises an `AttributeError`.
    pub absent: bool,
}

/// What an attribute holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A truth value.
    Bool,
    /// A whole number.
    Int,
    /// A float.
    Float,
    /// A text.
    Text,
    /// Floats, so many if it says so: an array of numpy's.
    Vector(Option<u16>),
    /// A list of texts.
    Texts,
    /// A set of texts.
    TextSet,
    /// An object of this class, by its place in [`World::objects`], or of one that is a kind of it.
    Object(u16),
    /// An object of any class, or a text.
    Thing,
    /// A list of objects and texts.
    Things,
    /// A list of tuples of objects and texts.
    Rows,
    /// Whole numbers and floats, so many: a tuple.
    Numbers(u16),
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// The object is without it.
    Absent,
    /// There is none: `None`.
    None,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A float.
    Float(f64),
    /// A text.
    Text(Arc<str>),
    /// Floats.
    Vector(Arc<[f64]>),
    /// A list or a set of texts, as the attribute declares.
    Texts(Arc<[Arc<str>]>),
    /// An object, by its place in the scene.
    Object(u32),
    /// A list of objects and texts.
    Things(Arc<[Thing]>),
    /// A list of tuples of objects and texts.
    Rows(Arc<[Vec<Thing>]>),
    /// A tuple of numbers.
    Numbers(Arc<[Number]>),
}

/// An object, or a text that stands for something that is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    /// An object, by its place in the scene.
    Object(u32),
    /// A text.
    Text(Arc<str>),
}

/// A number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A whole number.
    Int(i64),
    /// A float.
    Float(f64),
}

impl From<Number> for Field {
    fn from(number: Number) -> Self {
        match number {
            Number::Int(number) => Self::Int(number),
            Number::Float(number) => Self::Float(number),
        }
    }
}

/// An object with attributes of its own at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// Its class, by its place in [`World::objects`].
    pub class: u16,
    /// Its attributes in the order of [`World::attributes_of`].
    pub fields: Vec<Field>,
}

/// The objects of a world with classes of its own at one moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entities {
    /// The objects.
    pub list: Vec<Entity>,
    /// What environments and states have beside them, in the order of [`World::state`].
    pub state: Vec<Field>,
}

/// The objects of a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Objects<'o> {
    /// Those of a screen.
    Screen(&'o [SceneObject]),
    /// Those of a world with classes of its own.
    Entities(&'o Entities),
}

/// What a reward is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'i> {
    /// The objects now.
    pub objects: Objects<'i>,
    /// The objects a step before. Without, before the first step, they are what they are now.
    pub previous: Option<Objects<'i>>,
    /// What the agent did.
    pub action: Option<&'i Field>,
}

impl<'i> Input<'i> {
    /// Objects, and nothing else.
    pub fn objects(objects: Objects<'i>) -> Self {
        Self { objects, previous: None, action: None }
    }
}

impl World {
    /// How many classes of a screen there are whatever the game: `GameObject`, `ValueObject` and `NoObject`.
    pub const SHARED_CLASSES: usize = 3;
    /// The place of `ValueObject`.
    pub const VALUE_OBJECT: u16 = 1;
    /// The place of `NoObject`, whose objects do not count as true, and whose attribute `visible` is true all the same.
    pub const NO_OBJECT: u16 = 2;

    /// A world of a screen: the classes that all games have, then these, each with the name of the one that it is a kind of.
    pub fn of_screen<'p>(own: impl IntoIterator<Item = (&'p str, Class)>) -> Self {
        let nothing = Class { visible: false, equality: Equality::Always, ..Class::named("NoObject") };
        let mut classes = vec![
            Class::named("GameObject"),
            Class { parent: Some(0), value: Some(0), ..Class::named("ValueObject") },
            Class { parent: Some(0), ..nothing },
        ];
        for (parent, class) in own {
            let parent = classes.iter().position(|known| *known.name == *parent).map(|place| place as u16);
            classes.push(Class { parent, ..class });
        }
        Self { classes, ..Self::default() }
    }

    /// The place of a class of a screen.
    pub fn class_named(&self, name: &str) -> Option<u16> {
        self.classes.iter().position(|class| *class.name == *name).map(|place| place as u16)
    }

    /// An object of a class of a screen as its constructor makes it.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn object(&self, class: u16) -> SceneObject {
        let of = &self.classes[class as usize];
        SceneObject {
            class,
            position: of.start,
            size: of.size,
            previous: None,
            color: of.color,
            orientation: Orientation::None,
            hud: of.hud,
            visible: of.visible,
            value: of.value,
            previous_value: None,
            own: vec![0; of.own.len()],
        }
    }

    /// The attributes of objects of a class, each name once: of what it is a kind of first.
    pub fn attributes_of(&self, class: u16) -> Vec<&Attribute> {
        let line = self.line(class);
        let mut found: Vec<&Attribute> = Vec::new();
        for attribute in line.into_iter().flat_map(|class| &self.objects[class as usize].attributes) {
            if !found.iter().any(|known| known.name == attribute.name) {
                found.push(attribute);
            }
        }
        found
    }

    /// A class of objects with attributes of their own, and all that it is a kind of, in their order.
    pub fn line(&self, class: u16) -> Vec<u16> {
        let (mut line, mut ahead) = (Vec::new(), vec![class]);
        while let Some(class) = ahead.pop() {
            if (class as usize) < self.objects.len() && !line.contains(&class) {
                line.push(class);
                ahead.extend(&self.objects[class as usize].parents);
            }
        }
        line.sort_unstable();
        line
    }

    /// The names of all classes, those of a screen first.
    pub(crate) fn class_names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.classes.iter().map(|class| &class.name).chain(self.objects.iter().map(|class| &class.name))
    }
}
