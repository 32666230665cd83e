//! How recorded plays of a world are read, as data.

use std::sync::Arc;

use glam::DVec3;

use crate::ids::{AttributeId, ObjectId};
use crate::value::Value;

/// What a reader of recorded plays (JSON lists of changed objects, state by state) needs to know of the world.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recording {
    /// Names of scenes whose recordings belong to this world.
    pub scenes: Vec<Arc<str>>,
    /// The members of a recorded object that are read.
    pub object_fields: Vec<Field>,
    /// The object that recordings describe apart from the others: the one who acts.
    pub agent: Option<ObjectId>,
    /// The members of the recorded agent that are read.
    pub agent_fields: Vec<Field>,
    /// Changes to what was recorded, in this order.
    pub corrections: Vec<Correction>,
    /// Names in lists of touched objects that stand for nothing in this world.
    pub ignored: Vec<Arc<str>>,
}

/// One member of a recorded object and the attribute that it becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The member's name. Several fields may name one attribute: recordings spell some members in several ways.
    pub json: Arc<str>,
    /// The attribute.
    pub attribute: AttributeId,
}

/// A change to what was recorded of some objects, made whenever one of its attributes is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Correction {
    /// The objects.
    pub objects: Vec<ObjectId>,
    /// The change.
    pub adjustment: Adjustment,
}

/// How recorded values are changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Adjustment {
    /// The attribute always has this value.
    Replace {
        /// The attribute.
        attribute: AttributeId,
        /// Its value.
        value: Value,
    },
    /// A vector is moved.
    Shift {
        /// The attribute.
        attribute: AttributeId,
        /// What is added.
        by: DVec3,
    },
    /// A box loses height at its top: the half height is multiplied by the factor, and the centre sinks so that the
    /// bottom stays where it is.
    ShrinkToBottom {
        /// The attribute with the box's centre.
        center: AttributeId,
        /// The attribute with half of the box's extents.
        half_extents: AttributeId,
        /// What remains of the height, between 0 and 1.
        factor: f64,
    },
}
