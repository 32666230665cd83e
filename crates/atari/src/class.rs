//! Classes of objects, and their attributes in Python.

use crate::object::GameObject;

/// The class of an object, as an index into [`Game::classes`](crate::Game::classes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u8);

impl ClassId {
    /// The class of the placeholder for an empty slot, in every game.
    pub const NO_OBJECT: Self = Self(0);
}

/// A class of objects of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// The name, which is the `category` of the objects.
    pub name: &'static str,
    /// The name of the parent class in Python: `GameObject`, `ValueObject`, or another class of the game.
    pub parent: &'static str,
    /// The initial position of an object, before the first frame.
    pub initial_position: (i16, i16),
    /// The initial width and height of an object, before the first frame.
    pub initial_size: (i16, i16),
    /// The colour, unless it depends on the object.
    pub rgb: [u8; 3],
    /// Whether the objects belong to the heads-up display.
    pub hud: bool,
    /// Whether the objects have a value.
    pub value: ValueAttributes,
    /// The type of the attribute `orientation`.
    pub orientation: OrientationType,
    /// The equality of objects.
    pub equality: ObjectEquality,
    /// The attributes beyond those of all objects.
    extra_attributes: &'static [Attribute],
}

/// The `value` attributes of the objects of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueAttributes {
    /// No attribute `value`.
    None,
    /// The attribute `value` only.
    Plain,
    /// The attributes of a `ValueObject`: `value`, `prev_value` and `value_diff`. The number is the initial value, before the first
    /// frame.
    Tracked(i32),
}

/// The type of the attribute `orientation` of the objects of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrientationType {
    /// Always `None`.
    None,
    /// `Orientation.E` or `Orientation.W`.
    EastWest,
    /// A number, unmodified from the RAM.
    Raw,
}

/// The equality in Python between an object of a class and another object. Only classes with [`ObjectEquality::Identity`] are hashable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectEquality {
    /// An object is equal only to itself.
    Identity,
    /// All placeholders for empty slots are equal.
    NoObject,
    /// Two objects of the class are equal if their vertical distance is less than `rows` and, if `subtype` is set, they have the same
    /// [subtype](crate::object::ClassAttributes::Subtype).
    Near {
        /// The smallest vertical distance, in pixels, at which objects differ.
        rows: i16,
        /// Whether the subtypes must be equal.
        subtype: bool,
    },
    /// An object is equal to every object of the class `of` at the same position.
    SamePosition {
        /// The name of that class, which may be another class.
        of: &'static str,
    },
}

/// The type of an attribute in Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeType {
    /// The Python type `bool`.
    Bool,
    /// The Python type `int`.
    Int,
    /// The Python type `str`.
    Str,
    /// A tuple of this number of `int`s.
    Ints(u8),
    /// A tuple of two `float`s.
    Floats,
    /// A list of two positions.
    Positions,
    /// The type given by `orientation` of the class.
    Facing,
}

/// An attribute of the objects of a class in Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute {
    /// The name of the attribute.
    pub name: &'static str,
    /// The type of the attribute.
    pub value_type: AttributeType,
    /// Whether Python programs can assign to the attribute.
    pub settable: bool,
}

const fn read(name: &'static str, of: AttributeType) -> Attribute {
    Attribute { name, value_type: of, settable: false }
}

const fn settable(name: &'static str, of: AttributeType) -> Attribute {
    Attribute { name, value_type: of, settable: true }
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
    /// The class of the placeholder for an empty slot.
    pub const NO_OBJECT: Self = Self::new("NoObject", (0, 0), [0; 3]).equal(ObjectEquality::NoObject);

    /// Iterates over the attributes of the objects: the common ones, then those of the class.
    pub fn attributes(&self) -> impl Iterator<Item = &'static Attribute> {
        BASE_ATTRIBUTES.iter().chain(self.extra_attributes)
    }

    /// Returns whether the objects have [arms](crate::object::ClassAttributes::Arms).
    pub fn has_arms(&self) -> bool {
        self.extra_attributes == ARMS
    }

    /// Returns whether the objects are hashable in Python.
    pub fn hashable(&self) -> bool {
        self.equality == ObjectEquality::Identity
    }

    pub(crate) const fn new(name: &'static str, size: (i16, i16), rgb: [u8; 3]) -> Self {
        Self {
            name,
            parent: "GameObject",
            initial_position: (0, 0),
            initial_size: size,
            rgb,
            hud: false,
            value: ValueAttributes::None,
            orientation: OrientationType::None,
            equality: ObjectEquality::Identity,
            extra_attributes: &[],
        }
    }

    pub(crate) const fn at(mut self, x: i16, y: i16) -> Self {
        self.initial_position = (x, y);
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
        self.value = ValueAttributes::Plain;
        self.extra_attributes = VALUE;
        self
    }

    pub(crate) const fn tracked(mut self, first: i32) -> Self {
        self.value = ValueAttributes::Tracked(first);
        self.extra_attributes = TRACKED;
        self.child_of("ValueObject")
    }

    pub(crate) const fn arms(mut self) -> Self {
        self.extra_attributes = ARMS;
        self
    }

    pub(crate) const fn facing(mut self, facing: OrientationType) -> Self {
        self.orientation = facing;
        self
    }

    pub(crate) const fn equal(mut self, equality: ObjectEquality) -> Self {
        self.equality = equality;
        self
    }

    /// Creates an object in its initial state.
    pub(crate) const fn object(&self, class: ClassId) -> GameObject {
        let mut object = GameObject::NO_OBJECT;
        object.class = class;
        object.set_position(self.initial_position.0, self.initial_position.1);
        object.set_size(self.initial_size.0, self.initial_size.1);
        object.hud = self.hud;
        object.rgb = self.rgb;
        object.value = match self.value {
            ValueAttributes::None => None,
            ValueAttributes::Plain => Some(0),
            ValueAttributes::Tracked(first) => Some(first),
        };
        object
    }

    /// Returns the result of the class's own comparison with another object, or `None` if it defers to the other class.
    pub(crate) fn compare(&self, own: &GameObject, other: &GameObject, class: &Self) -> Option<bool> {
        match self.equality {
            ObjectEquality::Identity => None,
            ObjectEquality::NoObject => Some(other.is_no_object()),
            ObjectEquality::Near { rows, subtype } => {
                let near = own.class == other.class && (own.y - other.y).abs() < rows;
                Some(near && (!subtype || own.class_attributes == other.class_attributes))
            }
            ObjectEquality::SamePosition { of } => Some(class.name == of && (own.x, own.y) == (other.x, other.y)),
        }
    }
}
