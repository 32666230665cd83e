//! Speeds derived from positions, and initial values of attributes.

use glam::DVec3;

use super::write;
use crate::ids::{AttributeId, AttributeMask, ObjectId};
use crate::state::{AttributeChange, ChangeSet, Delta, State};
use crate::value::{Value, ValueKind};
use crate::world::World;
use crate::world::operation::{ObjectSelection, OperationDoc, Settings};

/// A tracker that derives the speed of objects whose recordings contain positions only, such as an agent: the distance moved since the
/// previous state, divided by the elapsed time. The speed is 0 in the first state, and in every state in which a position becomes known.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeedTracker {
    objects: ObjectSelection,
    position: AttributeId,
    target: AttributeId,
    tick: f64,
}

impl SpeedTracker {
    pub(super) const DOC: OperationDoc = OperationDoc {
        name: "speed",
        arguments: &[],
        optional: 0,
        summary: "The speed of objects whose recordings contain only positions: the distance from the previous state, per second.",
        settings: &[
            ("objects", "types or objects: the objects with a speed"),
            ("position", "vec3 attribute: position of an object; default `position`"),
            ("speed", "real attribute: the derived attribute; default `speed`"),
            ("tick", "number: seconds per tick of the recording's clock, for recordings without times; default 1"),
        ],
    };

    pub(super) fn resolve(settings: &mut Settings<'_>) -> Self {
        let tick = settings.number("tick", 1.0);
        if tick <= 0.0 {
            settings.problem("tick", "`tick` must be greater than 0".to_owned(), None);
        }
        Self {
            objects: settings.required_objects("objects"),
            position: settings.attribute("position", "position", &[ValueKind::Vec3]),
            target: settings.attribute("speed", "speed", &[ValueKind::Real]),
            tick,
        }
    }
}

/// The positions of the tracked objects in the previous state.
#[derive(Debug, Clone)]
pub(super) struct PreviousPositions {
    before: Vec<(ObjectId, Option<DVec3>)>,
    clock: u64,
    time: Option<f64>,
}

impl PreviousPositions {
    pub(super) fn new(world: &World, speed: &SpeedTracker) -> Self {
        let before = speed.objects.list(world).into_iter().map(|object| (object, None)).collect();
        Self { before, clock: 0, time: None }
    }

    pub(super) fn advance(
        &mut self,
        speed: &SpeedTracker,
        world: &World,
        state: &mut State,
        delta: &Delta,
        changes: &mut ChangeSet,
    ) {
        let ticks = delta.clock.saturating_sub(self.clock).max(1) as f64;
        let seconds = match (self.time, delta.time) {
            (Some(before), Some(current)) if current > before => current - before,
            _ => ticks * speed.tick,
        };
        (self.clock, self.time) = (delta.clock, delta.time);
        for (object, before) in &mut self.before {
            let current = state.vec3(speed.position, *object);
            let distance = before.zip(current).map_or(0.0, |(before, current)| before.distance(current));
            *before = current;
            if current.is_some() {
                let value = Value::Real(distance / seconds);
                write(world, state, &AttributeChange { object: *object, attribute: speed.target, value }, changes);
            }
        }
    }
}

/// A tracker that keeps in one attribute the first value that another attribute takes.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstValueTracker {
    of: AttributeId,
    keep: AttributeId,
}

impl FirstValueTracker {
    pub(super) const DOC: OperationDoc = OperationDoc {
        name: "first_value",
        arguments: &[],
        optional: 0,
        summary: "The first value of an attribute, such as the initial rotation.",
        settings: &[
            ("of", "attribute: the observed attribute; default `rotation`"),
            ("keep", "attribute of the same kind: stores the first value; default `initial_rotation`"),
        ],
    };

    pub(super) fn resolve(settings: &mut Settings<'_>) -> Self {
        let of = settings.attribute("of", "rotation", &ValueKind::ALL);
        let kinds: Vec<ValueKind> =
            settings.world().attributes().get(of.index()).map(|decl| decl.kind).into_iter().collect();
        Self { of, keep: settings.attribute("keep", "initial_rotation", &kinds) }
    }

    pub(super) fn advance(&self, world: &World, state: &mut State, changes: &mut ChangeSet) {
        let mut store = |object| {
            if state.has_value(self.keep, object) {
                return AttributeMask::NONE;
            }
            let Some(value) = state.value(self.of, object) else { return AttributeMask::NONE };
            state.set(world, &AttributeChange { object, attribute: self.keep, value });
            AttributeMask::one(self.keep)
        };
        // The world's initial values are not in any change set, but in the first state everything counts as changed.
        if changes.all {
            for object in world.object_ids() {
                store(object);
            }
        } else {
            for (object, mask) in &mut changes.objects {
                if mask.intersects(AttributeMask::one(self.of)) {
                    *mask |= store(*object);
                }
            }
        }
    }
}
