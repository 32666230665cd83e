//! What holds for all objects of a class.

use crate::object::GameObject;

/// The class of an object: its place in [`Game::classes`](crate::Game::classes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u8);

impl ClassId {
    /// The class of the mark of an empty slot, in every game.
    pub const NO_OBJECT: Self = Self(0);
}

/// A class of objects of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// Its name, the `category` of its objects.
    pub name: &'static str,
    /// The class it inherits from: `GameObject`, `ValueObject`, or one of the game.
    pub parent: &'static str,
    /// Where an object is before the RAM says anything.
    pub start: (i16, i16),
    /// Width and height before the RAM says anything.
    pub size: (i16, i16),
    /// The colour, where it does not depend on the object.
    pub rgb: [u8; 3],
    /// Whether its objects belong to the display of scores and the like.
    pub hud: bool,
    /// Whether its objects show a value.
    pub value: Value,
    /// Which way its objects face.
    pub facing: Facing,
    /// When an object equals another one.
    pub equality: Equality,
    /// What more its objects have.
    own: &'static [Attribute],
}

/// Whether objects of a class show a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// They have no attribute `value`.
    None,
    /// They have the attribute `value` alone.
    Plain,
    /// They are `ValueObject`s: `value`, `prev_value` and `value_diff`. The number is the value before the RAM says anything.
    Tracked(i32),
}

/// What the attribute `orientation` of objects of a class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Facing {
    /// `None`.
    None,
    /// `Orientation.E` or `Orientation.W`.
    EastWest,
    /// A number, as in the RAM.
    Raw,
}

/// When an object of a class equals another one in Python. Objects of all classes but those of [`Equality::Identity`] are unhashable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equality {
    /// An object equals itself alone.
    Identity,
    /// Marks of empty slots are all equal.
    NoObject,
    /// Objects of the class are equal that are less than so many rows apart, of the same [subtype](crate::object::Detail::Subtype) if it says so.
    Near {
        /// As many rows apart, they differ.
        rows: i16,
        /// Whether the subtype has to be the same.
        subtype: bool,
    },
    /// Equal to objects of a class at the same place.
    Place {
        /// That class, which need not be the own one.
        of: &'static str,
    },
}

/// The type of an attribute in Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeType {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `str`
    Str,
    /// A tuple of so many `int`s.
    Ints(u8),
    /// A tuple of two `float`s.
    Floats,
    /// A list of two positions.
    Positions,
    /// As [`Class::facing`](field@Class::facing) says.
    Facing,
}

/// An attribute of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub of: AttributeType,
    /// Whether Python programs may assign to it.
    pub settable: bool,
}

const fn read(name: &'static str, of: AttributeType) -> Attribute {
    Attribute { name, of, settable: false }
}

const fn settable(name: &'static str, of: AttributeType) -> Attribute {
    Attribute { name, of, settable: true }
}

/// The attributes that objects of all classes have.
pub static BASE_ATTRIBUTES: &[Attribute] = &[
    read("category", AttributeType::Str),
    settable("x", AttributeType::Int),
    settable("y", AttributeType::Int),
    settable("w", AttributeType::Int),
    settable("h", AttributeType::Int),
    settable("xy", AttributeType::Ints(2)),
    settable("wh", AttributeType::Ints(2)),
    settable("xywh", AttributeType::Ints(4)),
    settable("prev_xy", AttributeType::Ints(2)),
    read("prev_x", AttributeType::Int),
    read("prev_y", AttributeType::Int),
    read("dx", AttributeType::Int),
    read("dy", AttributeType::Int),
    read("h_coords", AttributeType::Positions),
    read("center", AttributeType::Floats),
    settable("rgb", AttributeType::Ints(3)),
    settable("hud", AttributeType::Bool),
    settable("visible", AttributeType::Bool),
    settable("orientation", AttributeType::Facing),
];

/// The methods that objects of all classes have.
pub static METHODS: &[&str] = &["is_on_top", "manathan_distance", "closest_object", "iou"];

static VALUE: &[Attribute] = &[settable("value", AttributeType::Int)];
static TRACKED: &[Attribute] = &[
    settable("value", AttributeType::Int),
    read("prev_value", AttributeType::Int),
    read("value_diff", AttributeType::Int),
];
static ARMS: &[Attribute] =
    &[settable("right_arm_length", AttributeType::Int), settable("left_arm_length", AttributeType::Int)];

impl Class {
    /// The mark of an empty slot.
    pub const NO_OBJECT: Self = Self::new("NoObject", (0, 0), [0; 3]).equal(Equality::NoObject);

    /// The attributes of its objects: those of all objects, then its own.
    pub fn attributes(&self) -> impl Iterator<Item = &'static Attribute> {
        BASE_ATTRIBUTES.iter().chain(self.own)
    }

    /// Whether its objects have [arms](crate::object::Detail::Arms).
    pub fn has_arms(&self) -> bool {
        self.own == ARMS
    }

    /// Whether its objects can be members of a set or keys of a dictionary.
    pub fn hashable(&self) -> bool {
        self.equality == Equality::Identity
    }

    pub(crate) const fn new(name: &'static str, size: (i16, i16), rgb: [u8; 3]) -> Self {
        Self {
            name,
            parent: "GameObject",
            start: (0, 0),
            size,
            rgb,
            hud: false,
            value: Value::None,
            facing: Facing::None,
            equality: Equality::Identity,
            own: &[],
        }
    }

    pub(crate) const fn at(mut self, x: i16, y: i16) -> Self {
        self.start = (x, y);
        self
    }

    pub(crate) const fn hud(mut self) -> Self {
        self.hud = true;
        self
    }

    pub(crate) const fn child_of(mut self, parent: &'static str) -> Self {
        self.parent = parent;
        self
    }

    pub(crate) const fn valued(mut self) -> Self {
        self.value = Value::Plain;
        self.own = VALUE;
        self
    }

    pub(crate) const fn tracked(mut self, first: i32) -> Self {
        self.value = Value::Tracked(first);
        self.own = TRACKED;
        self.child_of("ValueObject")
    }

    pub(crate) const fn arms(mut self) -> Self {
        self.own = ARMS;
        self
    }

    pub(crate) const fn facing(mut self, facing: Facing) -> Self {
        self.facing = facing;
        self
    }

    pub(crate) const fn equal(mut self, equality: Equality) -> Self {
        self.equality = equality;
        self
    }

    /// A new object of the class, before the RAM says anything.
    pub(crate) const fn object(&self, class: ClassId) -> GameObject {
        let mut object = GameObject::NO_OBJECT;
        object.class = class;
        object.place(self.start.0, self.start.1);
        object.size(self.size.0, self.size.1);
        object.hud = self.hud;
        object.rgb = self.rgb;
        object.value = match self.value {
            Value::None => None,
            Value::Plain => Some(0),
            Value::Tracked(first) => Some(first),
        };
        object
    }

    /// What the class says about a comparison with another object; `None` if it leaves that to the other.
    pub(crate) fn says(&self, own: &GameObject, other: &GameObject, class: &Self) -> Option<bool> {
        match self.equality {
            Equality::Identity => None,
            Equality::NoObject => Some(other.is_no_object()),
            Equality::Near { rows, subtype } => {
                let near = own.class == other.class && (own.y - other.y).abs() < rows;
                Some(near && (!subtype || own.detail == other.detail))
            }
            Equality::Place { of } => Some(class.name == of && (own.x, own.y) == (other.x, other.y)),
        }
    }
}
