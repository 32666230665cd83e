//! The last recorded state of each object. Entries are never removed.

use std::sync::Arc;

use glam::DVec3;
use goalspec_core::ids::{AttributeId, ObjectId};
use goalspec_core::monitor::StateUpdate;
use goalspec_core::state::State;
use goalspec_core::value::ObjectSet;
use goalspec_core::world::World;
use goalspec_core::world::recording::FieldMapping;

use super::tables::{ObjectClass, Tables};

/// A movable object as recorded in one state.
#[derive(Debug, Clone)]
pub(super) struct ObjectSnapshot {
    /// The object.
    pub(super) object: ObjectId,
    /// The origin.
    pub(super) position: DVec3,
    /// The Euler angles in degrees.
    pub(super) rotation: DVec3,
    /// The Euler angles in the first state that listed the object; `None` in that first state itself.
    pub(super) first_rotation: Option<DVec3>,
    /// The center of the bounding box.
    pub(super) center: DVec3,
    /// Half the size of the bounding box along each axis.
    pub(super) half: DVec3,
    /// The velocity.
    pub(super) velocity: DVec3,
    /// The angular velocity.
    pub(super) angular_velocity: DVec3,
    /// The objects in contact.
    pub(super) touching: ObjectSet,
    /// Whether the object is broken.
    pub(super) broken: bool,
    /// Whether the object is open.
    pub(super) open: bool,
    /// Whether the object is switched on.
    pub(super) toggled: bool,
}

/// The agent as recorded in one state.
#[derive(Debug, Clone)]
pub(super) struct Agent {
    /// The origin.
    pub(super) position: DVec3,
    /// The center and half-size of the bounding box, absent in older recordings.
    pub(super) bounds: Option<(DVec3, DVec3)>,
    /// The Euler angles of the camera.
    pub(super) camera_angles: DVec3,
    /// Whether the agent crouches.
    pub(super) crouching: bool,
    /// The object that the agent holds.
    pub(super) held: Option<ObjectId>,
    /// Whether an object touches the side of the agent.
    pub(super) at_side: bool,
    /// Whether the agent stands on an object.
    pub(super) on_floor: bool,
    /// The collision flags of the last movement.
    pub(super) collision: i64,
}

/// The ids of the attributes that the authors' implementation reads, found by their names in recordings.
#[derive(Debug, Clone)]
struct Fields {
    position: Option<AttributeId>,
    rotation: Option<AttributeId>,
    center: Option<AttributeId>,
    half: Option<AttributeId>,
    velocity: Option<AttributeId>,
    spin: Option<AttributeId>,
    touching: Option<AttributeId>,
    broken: Option<AttributeId>,
    open: Option<AttributeId>,
    toggled: Option<AttributeId>,
    agent_position: Option<AttributeId>,
    agent_center: Option<AttributeId>,
    agent_half: Option<AttributeId>,
    gaze: Option<AttributeId>,
    crouching: Option<AttributeId>,
    held: Option<AttributeId>,
    at_side: Option<AttributeId>,
    on_floor: Option<AttributeId>,
    collision: Option<AttributeId>,
}

impl Fields {
    fn new(world: &World) -> Self {
        let recording = world.recording();
        let find = |fields: &[FieldMapping], json: &str| {
            fields.iter().find(|field| *field.member == *json).map(|field| field.attribute)
        };
        let object = |json| find(recording.map_or(&[], |recording| &recording.object_fields), json);
        let agent = |json| find(recording.map_or(&[], |recording| &recording.agent_fields), json);
        Self {
            position: object("position"),
            rotation: object("rotation"),
            center: object("bboxCenter"),
            half: object("bboxExtents"),
            velocity: object("velocity"),
            spin: object("angularVelocity"),
            touching: object("touchingObjects"),
            broken: object("isBroken"),
            open: object("isOpen"),
            toggled: object("isToggled"),
            agent_position: agent("position"),
            agent_center: agent("bboxCenter"),
            agent_half: agent("bboxExtents"),
            gaze: agent("cameraRotationEulerAngles"),
            crouching: agent("crouching"),
            held: agent("heldObject"),
            at_side: agent("touchingSide"),
            on_floor: agent("touchingFloor"),
            collision: agent("lastMovementResult"),
        }
    }
}

/// The attributes of one object in one state.
#[derive(Clone, Copy)]
struct Row<'a> {
    state: &'a State,
    object: ObjectId,
}

impl Row<'_> {
    fn vector(self, attribute: Option<AttributeId>) -> Option<DVec3> {
        self.state.vec3(attribute?, self.object)
    }

    fn flag(self, attribute: Option<AttributeId>) -> bool {
        attribute.and_then(|attribute| self.state.bool(attribute, self.object)).unwrap_or(false)
    }
}

/// The last recorded state of every object.
#[derive(Debug, Clone)]
pub(super) struct RecordedObjects {
    fields: Fields,
    seen: Vec<Option<Arc<ObjectSnapshot>>>,
    first_rotations: Vec<Option<DVec3>>,
    agent: Option<Agent>,
    /// For each object, the clock of the last state that listed it. Fixtures and buildings count as listed when a predicate first
    /// refers to them.
    updated: Vec<Option<i64>>,
    clock: i64,
    past_start: bool,
}

impl RecordedObjects {
    /// Creates an empty record.
    pub(super) fn new(world: &World) -> Self {
        let objects = world.objects().len();
        Self {
            fields: Fields::new(world),
            seen: vec![None; objects],
            first_rotations: vec![None; objects],
            agent: None,
            updated: vec![None; objects],
            clock: 0,
            past_start: false,
        }
    }

    /// Records the objects that a state lists. Objects without a position are ignored.
    pub(super) fn update(&mut self, step: &StateUpdate<'_>, tables: &Tables) {
        self.clock = i64::try_from(step.clock).unwrap_or(i64::MAX);
        self.past_start |= self.clock > 0;
        for &object in step.listed_objects {
            let row = Row { state: step.state, object };
            match tables.class(object) {
                ObjectClass::Agent => {
                    if let Some(agent) = self.read_agent(row) {
                        self.agent = Some(agent);
                        self.updated[object.index()] = Some(self.clock);
                    }
                }
                ObjectClass::Movable => {
                    if let Some(snapshot) = self.read_thing(row) {
                        self.first_rotations[object.index()].get_or_insert(snapshot.rotation);
                        self.seen[object.index()] = Some(Arc::new(snapshot));
                        self.updated[object.index()] = Some(self.clock);
                    }
                }
                ObjectClass::Fixture(_) | ObjectClass::Building(_) | ObjectClass::Symbol => {}
            }
        }
    }

    fn read_thing(&self, row: Row<'_>) -> Option<ObjectSnapshot> {
        let fields = &self.fields;
        let touching = fields.touching.and_then(|touching| row.state.object_set(touching, row.object));
        let position = row.vector(fields.position).or_else(|| row.vector(fields.center))?;
        Some(ObjectSnapshot {
            object: row.object,
            position,
            rotation: row.vector(fields.rotation).unwrap_or_default(),
            first_rotation: self.first_rotations[row.object.index()],
            center: row.vector(fields.center).unwrap_or(position),
            half: row.vector(fields.half).unwrap_or_default(),
            velocity: row.vector(fields.velocity).unwrap_or_default(),
            angular_velocity: row.vector(fields.spin).unwrap_or_default(),
            touching: touching.cloned().unwrap_or_default(),
            broken: row.flag(fields.broken),
            open: row.flag(fields.open),
            toggled: row.flag(fields.toggled),
        })
    }

    fn read_agent(&self, row: Row<'_>) -> Option<Agent> {
        let fields = &self.fields;
        Some(Agent {
            position: row.vector(fields.agent_position)?,
            bounds: row.vector(fields.agent_center).zip(row.vector(fields.agent_half)),
            camera_angles: row.vector(fields.gaze).unwrap_or_default(),
            crouching: row.flag(fields.crouching),
            held: fields.held.and_then(|held| row.state.object(held, row.object)).flatten(),
            at_side: row.flag(fields.at_side),
            on_floor: row.flag(fields.on_floor),
            collision: fields.collision.and_then(|flags| row.state.int(flags, row.object)).unwrap_or(0),
        })
    }

    /// Returns the last recorded state of an object, if it was ever listed.
    pub(super) fn thing(&self, object: ObjectId) -> Option<&Arc<ObjectSnapshot>> {
        self.seen[object.index()].as_ref()
    }

    /// Returns the last recorded state of the agent, if it was ever listed.
    pub(super) fn agent(&self) -> Option<&Agent> {
        self.agent.as_ref()
    }

    /// Returns the clock at which the object was last updated, or `None` if it never was.
    pub(super) fn updated(&self, object: ObjectId) -> Option<i64> {
        self.updated[object.index()]
    }

    /// Marks an object that recordings do not describe as updated now, unless it already was.
    pub(super) fn mark_updated(&mut self, object: ObjectId) {
        self.updated[object.index()].get_or_insert(self.clock);
    }

    /// Returns the clock of the current state.
    pub(super) fn clock(&self) -> i64 {
        self.clock
    }

    /// Returns whether no state after clock 0 was recorded.
    pub(super) fn at_start(&self) -> bool {
        !self.past_start
    }
}
