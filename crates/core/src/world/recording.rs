//! The mapping from recorded plays to the attributes of a world, as data.

use std::sync::Arc;

use glam::DVec3;

use crate::ids::{AttributeId, ObjectId};
use crate::value::Value;

/// A mapping from recorded plays (JSON lists of changed objects, state by state) to a world.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordingFormat {
    /// The names of scenes whose recordings belong to this world.
    pub scenes: Vec<Arc<str>>,
    /// The members of a recorded object that are read, with their attributes.
    pub object_fields: Vec<FieldMapping>,
    /// The agent, which recordings describe separately from the other objects.
    pub agent: Option<ObjectId>,
    /// The members of the recorded agent that are read, with their attributes.
    pub agent_fields: Vec<FieldMapping>,
    /// The corrections to recorded values, in order of application.
    pub corrections: Vec<Correction>,
    /// The names in lists of touched objects that are ignored.
    pub ignored: Vec<Arc<str>>,
}

/// A member of a recorded object, with the attribute to which its value is assigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldMapping {
    /// The member's name. Several fields may have the same attribute, because recordings spell some members in several
    /// ways.
    pub member: Arc<str>,
    /// The attribute.
    pub attribute: AttributeId,
}

/// A correction to the recorded values of some objects, applied whenever one of its attributes is recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Correction {
    /// The objects whose values are corrected.
    pub objects: Vec<ObjectId>,
    /// The operation on the recorded values.
    pub adjustment: Adjustment,
}

/// An operation that corrects recorded values.
#[derive(Debug, Clone, PartialEq)]
pub enum Adjustment {
    /// Replaces the value of an attribute by a constant.
    Replace {
        /// The attribute.
        attribute: AttributeId,
        /// The constant.
        value: Value,
    },
    /// Adds a constant to a vector.
    Shift {
        /// The attribute.
        attribute: AttributeId,
        /// The vector to add.
        by: DVec3,
    },
    /// Reduces the height of a box and keeps its bottom in place: multiplies the half height by the factor and lowers
    /// the centre.
    ShrinkToBottom {
        /// The attribute with the centre of the box.
        center: AttributeId,
        /// The attribute with the half extents of the box.
        half_extents: AttributeId,
        /// The factor, between 0 and 1.
        factor: f64,
    },
}
