//! What a reward function is called with: objects of classes.

use std::sync::Arc;

/// The classes of objects that a world has.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// Classes, each after its parent.
    pub classes: Vec<Class>,
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
