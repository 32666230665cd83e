//! The world's corrections of recorded values.

use glam::DVec3;
use goalspec_core::ids::{AttributeId, ObjectId};
use goalspec_core::state::AttributeChange;
use goalspec_core::value::Value;
use goalspec_core::world::RecordingFormat;
use goalspec_core::world::recording::Adjustment;
use rustc_hash::FxHashMap;

/// Applies the corrections that the world declares.
pub(super) struct Corrector<'w> {
    of: FxHashMap<ObjectId, Vec<&'w Adjustment>>,
    /// The recorded centre and half extents of a box before it was shrunk, for states that give only one of the two.
    boxes: FxHashMap<(ObjectId, AttributeId), DVec3>,
}

impl<'w> Corrector<'w> {
    pub(super) fn new(recording: &'w RecordingFormat) -> Self {
        let mut of: FxHashMap<ObjectId, Vec<&Adjustment>> = FxHashMap::default();
        for correction in &recording.corrections {
            for &object in &correction.objects {
                of.entry(object).or_default().push(&correction.adjustment);
            }
        }
        Self { of, boxes: FxHashMap::default() }
    }

    pub(super) fn concerns(&self, object: ObjectId) -> bool {
        self.of.contains_key(&object)
    }

    /// Corrects the changes of one object in one state; `changes` holds all of them.
    ///
    /// # Errors
    /// The attribute that a correction needs and that was never recorded.
    pub(super) fn correct(&mut self, object: ObjectId, changes: &mut Vec<AttributeChange>) -> Result<(), AttributeId> {
        for adjustment in self.of.get(&object).into_iter().flatten() {
            match adjustment {
                Adjustment::Replace { attribute, value } => {
                    for change in changes.iter_mut().filter(|change| change.attribute == *attribute) {
                        change.value.clone_from(value);
                    }
                }
                Adjustment::Shift { attribute, by } => {
                    if let Some(vector) = vector(changes, *attribute) {
                        *vector += *by;
                    }
                }
                Adjustment::ShrinkToBottom { center, half_extents, factor } => {
                    let recorded = [*center, *half_extents].map(|attribute| vector(changes, attribute).copied());
                    if recorded == [None, None] {
                        continue;
                    }
                    let mut last_recorded = |attribute: AttributeId, recorded: Option<DVec3>| {
                        let key = (object, attribute);
                        recorded.map(|vector| self.boxes.insert(key, vector));
                        self.boxes.get(&key).copied().ok_or(attribute)
                    };
                    let (mut middle, mut half) =
                        (last_recorded(*center, recorded[0])?, last_recorded(*half_extents, recorded[1])?);
                    let height = half.y * factor;
                    middle.y -= half.y - height;
                    half.y = height;
                    put(changes, object, *center, middle);
                    put(changes, object, *half_extents, half);
                }
            }
        }
        Ok(())
    }
}

fn vector(changes: &mut [AttributeChange], attribute: AttributeId) -> Option<&mut DVec3> {
    changes.iter_mut().find(|change| change.attribute == attribute).and_then(|change| match &mut change.value {
        Value::Vec3(vector) => Some(vector),
        _ => None,
    })
}

fn put(changes: &mut Vec<AttributeChange>, object: ObjectId, attribute: AttributeId, value: DVec3) {
    match vector(changes, attribute) {
        Some(slot) => *slot = value,
        None => changes.push(AttributeChange { object, attribute, value: Value::Vec3(value) }),
    }
}
