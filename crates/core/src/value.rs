//! Values that attributes take.

use std::sync::Arc;

use glam::DVec3;
use smallvec::SmallVec;

use crate::ids::ObjectId;

/// A set of objects, sorted by id.
pub type ObjectSet = SmallVec<[ObjectId; 4]>;

/// The kind of value that an attribute holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// True or false.
    Bool,
    /// A whole number.
    Int,
    /// A real number.
    Real,
    /// A point, extent or velocity in metres (or the world's own unit): x, y (up), z.
    Vec3,
    /// An orientation as Euler angles in degrees about x, y and z.
    Orientation,
    /// One object of the world, a colour for example, or none.
    Object,
    /// A set of objects.
    Set,
    /// Free text.
    Text,
}

/// One value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Of kind [`Kind::Bool`].
    Bool(bool),
    /// Of kind [`Kind::Int`].
    Int(i64),
    /// Of kind [`Kind::Real`].
    Real(f64),
    /// Of kind [`Kind::Vec3`] or [`Kind::Orientation`].
    Vec3(DVec3),
    /// Of kind [`Kind::Object`]; `None` is "no object".
    Object(Option<ObjectId>),
    /// Of kind [`Kind::Set`].
    Set(ObjectSet),
    /// Of kind [`Kind::Text`].
    Text(Arc<str>),
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 8] =
        [Self::Bool, Self::Int, Self::Real, Self::Vec3, Self::Orientation, Self::Object, Self::Set, Self::Text];

    /// Whether a value is of this kind.
    pub fn admits(self, value: &Value) -> bool {
        matches!(
            (self, value),
            (Self::Bool, Value::Bool(_))
                | (Self::Int, Value::Int(_))
                | (Self::Real, Value::Real(_))
                | (Self::Vec3 | Self::Orientation, Value::Vec3(_))
                | (Self::Object, Value::Object(_))
                | (Self::Set, Value::Set(_))
                | (Self::Text, Value::Text(_))
        )
    }

    /// The kind's name in world files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Real => "real",
            Self::Vec3 => "vec3",
            Self::Orientation => "orientation",
            Self::Object => "object",
            Self::Set => "set",
            Self::Text => "text",
        }
    }
}
