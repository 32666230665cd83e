//! What a reward function is called with: objects of classes. Those of a screen have the attributes that all screens' objects have;
//! others have what their classes declare.

use std::sync::Arc;

/// The classes of objects that a world has.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// Classes of objects of a screen, each after its parent.
    pub classes: Vec<Class>,
    /// Classes of objects with attributes of their own, each after its parent.
    pub objects: Vec<ObjectClass>,
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
    pub start: (i64, i64),
    /// Its width and height, in pixels.
    pub size: (i64, i64),
    /// Red, green and blue.
    pub color: [i64; 3],
    /// Whether objects belong to the display around the game.
    pub hud: bool,
    /// The value of a new object, if objects have one, as a score has.
    pub value: Option<i64>,
    /// Whether objects count as true.
    pub visible: bool,
}

impl Class {
    /// An object as the constructor makes it.
    pub(crate) fn made(&self, class: u16) -> SceneObject {
        SceneObject {
            class,
            position: self.start,
            size: self.size,
            previous: None,
            color: self.color,
            orientation: Orientation::None,
            hud: self.hud,
            visible: self.visible,
            value: self.value,
            previous_value: None,
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneObject {
    /// Its class, by its place in [`World::classes`].
    pub class: u16,
    /// The upper left corner, in pixels.
    pub position: (i64, i64),
    /// Width and height, in pixels.
    pub size: (i64, i64),
    /// Where it was the moment before; `None` if it is new.
    pub previous: Option<(i64, i64)>,
    /// Red, green and blue.
    pub color: [i64; 3],
    /// Where it faces.
    pub orientation: Orientation,
    /// Whether it belongs to the display around the game.
    pub hud: bool,
    /// Whether it counts as true.
    pub visible: bool,
    /// Its value, if it has one.
    pub value: Option<i64>,
    /// Its value the moment before.
    pub previous_value: Option<i64>,
}

/// A class of objects with attributes of its own, as a world file declares them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectClass {
    /// Its name, as programs write it.
    pub name: Arc<str>,
    /// The class that it is a kind of, by its place in [`World::objects`].
    pub parent: Option<u16>,
    /// What its objects have beside what those of its parent have.
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
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// There is none.
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
}

/// An object with attributes of its own at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// Its class, by its place in [`World::objects`].
    pub class: u16,
    /// Its attributes in the order of [`World::attributes_of`].
    pub fields: Vec<Field>,
}

/// The objects of a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Objects<'o> {
    /// Those of a screen.
    Screen(&'o [SceneObject]),
    /// Those of a world with classes of its own.
    Entities(&'o [Entity]),
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
    /// The attributes of objects of a class: of what it is a kind of first.
    pub fn attributes_of(&self, class: u16) -> Vec<&Attribute> {
        let line: Vec<u16> = std::iter::successors(Some(class), |&class| self.objects.get(class as usize)?.parent)
            .take(self.objects.len())
            .collect();
        line.iter()
            .rev()
            .filter_map(|&class| self.objects.get(class as usize))
            .flat_map(|class| &class.attributes)
            .collect()
    }

    /// The names of all classes, those of a screen first.
    pub(crate) fn class_names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.classes.iter().map(|class| &class.name).chain(self.objects.iter().map(|class| &class.name))
    }
}
