//! Speeds derived from positions, and initial values of attributes.

use glam::DVec3;

use super::write;
use crate::ids::{AttributeId, AttributeMask, ObjectId};
use crate::state::{Change, ChangeSet, Delta, State};
use crate::value::{Kind, Value};
use crate::world::World;
use crate::world::operation::{Objects, OperationDoc, Settings};

/// A tracker that derives the speed of objects whose recordings contain positions only, such as an agent: the distance moved since the
/// previous state, divided by the elapsed time. The speed is 0 in the first state, and in every state in which a position becomes known.
#[derive(Debug, Clone, PartialEq)]
pub struct Speed {
    objects: Objects,
    position: AttributeId,
    target: AttributeId,
    tick: f64,
}

impl Speed {
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
            position: settings.attribute("position", "position", &[Kind::Vec3]),
            target: settings.attribute("speed", "speed", &[Kind::Real]),
            tick,
        }
    }
}

/// The positions of the tracked objects in the previous state.
#[derive(Debug, Clone)]
pub(super) struct Positions {
    before: Vec<(ObjectId, Option<DVec3>)>,
    clock: u64,
    time: Option<f64>,
}

impl Positions {
    pub(super) fn new(world: &World, speed: &Speed) -> Self {
        let before = speed.objects.list(world).into_iter().map(|object| (object, None)).collect();
        Self { before, clock: 0, time: None }
    }

    pub(super) fn advance(
        &mut self,
        speed: &Speed,
        world: &World,
        state: &mut State,
        delta: &Delta,
        changes: &mut ChangeSet,
    ) {
        let ticks = delta.clock.saturating_sub(self.clock).max(1) as f64;
        let seconds = match (self.time, delta.time) {
            (Some(before), Some(now)) if now > before => now - before,
            _ => ticks * speed.tick,
        };
        (self.clock, self.time) = (delta.clock, delta.time);
        for (object, before) in &mut self.before {
            let now = state.vec3(speed.position, *object);
            let way = before.zip(now).map_or(0.0, |(before, now)| before.distance(now));
            *before = now;
            if now.is_some() {
                let value = Value::Real(way / seconds);
                write(world, state, &Change { object: *object, attribute: speed.target, value }, changes);
            }
        }
    }
}

/// A tracker that keeps in one attribute the first value that another attribute takes.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstValue {
    of: AttributeId,
    keep: AttributeId,
}

impl FirstValue {
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
        let of = settings.attribute("of", "rotation", &Kind::ALL);
        let kinds: Vec<Kind> =
            settings.world().attributes().get(of.index()).map(|decl| decl.kind).into_iter().collect();
        Self { of, keep: settings.attribute("keep", "initial_rotation", &kinds) }
    }

    pub(super) fn advance(&self, world: &World, state: &mut State, changes: &mut ChangeSet) {
        let mut keep = |object| {
            if state.known(self.keep, object) {
                return AttributeMask::NONE;
            }
            let Some(value) = state.value(self.of, object) else { return AttributeMask::NONE };
            state.set(world, &Change { object, attribute: self.keep, value });
            AttributeMask::one(self.keep)
        };
        // The world's initial values are not in any change set, but in the first state everything counts as changed.
        if changes.all {
            for object in world.object_ids() {
                keep(object);
            }
        } else {
            for (object, mask) in &mut changes.objects {
                if mask.intersects(AttributeMask::one(self.of)) {
                    *mask |= keep(*object);
                }
            }
        }
    }
}
