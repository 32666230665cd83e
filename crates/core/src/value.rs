//! Values of attributes.

use std::sync::Arc;

use glam::DVec3;
use smallvec::SmallVec;

use crate::ids::ObjectId;

/// A set of objects, sorted by id.
pub type ObjectSet = SmallVec<[ObjectId; 4]>;

/// The kind of value that an attribute holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// A truth value.
    Bool,
    /// An integer.
    Int,
    /// A real number.
    Real,
    /// A point, extent or velocity as x, y (up) and z, in metres or in the world's own unit of length.
    Vec3,
    /// An orientation, as Euler angles about x, y and z in degrees.
    Orientation,
    /// A reference to one object of the world (a colour, for example) or to none.
    Object,
    /// A set of objects.
    Set,
    /// Free text.
    Text,
}

/// One value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A value of kind [`ValueKind::Bool`].
    Bool(bool),
    /// A value of kind [`ValueKind::Int`].
    Int(i64),
    /// A value of kind [`ValueKind::Real`].
    Real(f64),
    /// A value of kind [`ValueKind::Vec3`] or [`ValueKind::Orientation`].
    Vec3(DVec3),
    /// A value of kind [`ValueKind::Object`]; `None` means "no object".
    Object(Option<ObjectId>),
    /// A value of kind [`ValueKind::Set`].
    Set(ObjectSet),
    /// A value of kind [`ValueKind::Text`].
    Text(Arc<str>),
}

impl ValueKind {
    /// All kinds.
    pub const ALL: [Self; 8] =
        [Self::Bool, Self::Int, Self::Real, Self::Vec3, Self::Orientation, Self::Object, Self::Set, Self::Text];

    /// Whether `value` is of this kind.
    pub fn matches(self, value: &Value) -> bool {
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

    /// Returns the keyword for the kind in world files.
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
