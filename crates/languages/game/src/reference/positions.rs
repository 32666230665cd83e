//! The recorded movements of objects, and the positions at which they stayed.

use glam::DVec3;
use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::StateUpdate;

use super::error::PlayError;
use super::evaluate::RoomState;
use super::predicates::in_motion;

/// The number of listed objects above which a state counts as a complete description of the room.
const FULL_DESCRIPTION: usize = 15;

/// The distance in metres below which two positions are the same.
const SAME_PLACE: f64 = 0.01;

/// For each object, the states (numbered from 1) in which it moved, with its positions. The first complete description of the room
/// counts as a movement.
#[derive(Debug, Clone)]
pub(super) struct MovementLog {
    log: Vec<Vec<(u64, DVec3)>>,
    described: bool,
}

impl MovementLog {
    /// Creates an empty log for the given number of objects.
    pub(super) fn new(objects: usize) -> Self {
        Self { log: vec![Vec::new(); objects], described: false }
    }

    /// Records the movements in a state.
    pub(super) fn update(&mut self, step: &StateUpdate<'_>, memory: &RoomState, number: u64) {
        let agent = memory.tables.agent();
        let listed = step.listed_objects.iter().copied().filter(|object| Some(*object) != agent);
        let listed: Vec<ObjectId> = listed.collect();
        for snapshot in listed.iter().filter_map(|object| memory.things.thing(*object)) {
            if in_motion(snapshot) {
                self.log[snapshot.object.index()].push((number, snapshot.position));
            }
        }
        if !self.described && listed.len() + step.unknown_objects as usize > FULL_DESCRIPTION {
            self.described = true;
            for snapshot in listed.iter().filter_map(|object| memory.things.thing(*object)) {
                self.log[snapshot.object.index()].push((number, snapshot.position));
            }
        }
    }

    /// Returns the position at which the object stayed strictly between two states, or `None` if it moved.
    ///
    /// # Errors
    /// Returns an error if no earlier movement of the object was recorded, as is always the case for the agent and for fixtures.
    fn rest_position(&self, object: ObjectId, start: u64, end: u64) -> Result<Option<DVec3>, PlayError> {
        let log = &self.log[object.index()];
        if log.iter().any(|(time, _)| start < *time && *time < end) {
            return Ok(None);
        }
        match log.iter().rfind(|(time, _)| *time < start) {
            Some((_, place)) => Ok(Some(*place)),
            None => Err(PlayError::new("the position of an object that never moved is requested")),
        }
    }

    /// Returns the number of satisfactions, each given by its objects, start and end, that have at least one stationary object, none
    /// of which is at the same position as in an earlier satisfaction.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::rest_position`].
    pub(super) fn count_unique_positions<'a>(
        &self,
        satisfactions: impl Iterator<Item = (&'a [ObjectId], u64, u64)>,
    ) -> Result<f64, PlayError> {
        let mut used: Vec<(ObjectId, DVec3)> = Vec::new();
        let mut count = 0.0;
        for (objects, start, end) in satisfactions {
            let (mut stationary, mut unique) = (false, true);
            for &object in objects {
                let Some(place) = self.rest_position(object, start, end)? else { continue };
                if used.iter().any(|(other, at)| *other == object && place.distance(*at) < SAME_PLACE) {
                    unique = false;
                    break;
                }
                used.push((object, place));
                stationary = true;
            }
            if unique && stationary {
                count += 1.0;
            }
        }
        Ok(count)
    }

    /// Returns the size of the largest group of satisfactions with the same stationary objects at exactly the same positions.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::rest_position`].
    pub(super) fn count_same_positions<'a>(
        &self,
        satisfactions: impl Iterator<Item = (&'a [ObjectId], u64, u64)>,
    ) -> Result<f64, PlayError> {
        let mut groups: Vec<(Vec<(ObjectId, DVec3)>, f64)> = Vec::new();
        for (objects, start, end) in satisfactions {
            let mut stationary = Vec::new();
            for &object in objects {
                if let Some(place) = self.rest_position(object, start, end)? {
                    stationary.push((object, place));
                }
            }
            if stationary.is_empty() {
                continue;
            }
            match groups.iter_mut().find(|(group, _)| *group == stationary) {
                Some((_, count)) => *count += 1.0,
                None => groups.push((stationary, 1.0)),
            }
        }
        Ok(groups.into_iter().map(|(_, count)| count).fold(0.0, f64::max))
    }
}
