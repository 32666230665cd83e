//! Random access to the states of a trace in memory.

use std::sync::Arc;

use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::world::World;

use crate::error::Result;
use crate::reader::TraceReader;
use crate::store::{Cursor, Trace};

/// The number of states between two keyframes in short traces.
const KEYFRAME_STATES: usize = 1024;

/// The number of keyframes in long traces, each of which holds a whole state.
const KEYFRAMES: usize = 256;

/// A trace with whole states at regular distances, from which any state is reached in few steps.
#[derive(Debug)]
pub struct SeekableTrace {
    trace: Arc<Trace>,
    /// The number of states between two keyframes.
    distance: usize,
    /// The playback after every multiple of the distance, with the reader of what follows.
    keyframes: Vec<(Playback, Cursor<Arc<Trace>>)>,
}

impl SeekableTrace {
    /// Plays a trace through and keeps its keyframes.
    ///
    /// # Errors
    /// As [`TraceReader::next`].
    pub fn new(trace: impl Into<Arc<Trace>>, world: &Arc<World>) -> Result<Self> {
        let trace: Arc<Trace> = trace.into();
        let distance = KEYFRAME_STATES.max(trace.len().div_ceil(KEYFRAMES));
        let mut cursor = Cursor::new(Arc::clone(&trace));
        let mut playback = Playback::new(Arc::clone(world));
        let mut keyframes = vec![(playback.clone(), cursor.fork())];
        let mut delta = Delta::default();
        for state in 1..=trace.len() {
            if !cursor.next(&mut delta)? {
                break;
            }
            playback.advance(&delta);
            if state.is_multiple_of(distance) {
                keyframes.push((playback.clone(), cursor.fork()));
            }
        }
        Ok(Self { trace, distance, keyframes })
    }

    /// Returns the trace.
    pub fn trace(&self) -> &Arc<Trace> {
        &self.trace
    }

    /// Returns the playback at a state, counted from 0, with the changes that led to it; `None` if the trace has no such state.
    ///
    /// # Errors
    /// As [`TraceReader::next`].
    pub fn state(&self, at: usize) -> Result<Option<(Playback, Delta)>> {
        if at >= self.trace.len() {
            return Ok(None);
        }
        let (playback, cursor) = &self.keyframes[at / self.distance];
        let (mut playback, mut cursor) = (playback.clone(), cursor.fork());
        let mut delta = Delta::default();
        for _ in 0..=at % self.distance {
            if !cursor.next(&mut delta)? {
                return Ok(None);
            }
            playback.advance(&delta);
        }
        Ok(Some((playback, delta)))
    }
}
