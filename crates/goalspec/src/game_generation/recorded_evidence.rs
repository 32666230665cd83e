//! Evidence of recorded plays: which predicates of a world held of which types of objects.

use std::sync::Arc;

use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_generation::game::evidence::PlayEvidence;
use goalspec_generation::game::evidence::recording::{EvidenceRecorder, MAX_LOOKUPS};
use goalspec_syntax::Diagnostic;
use goalspec_trace::LookaheadReader;
use goalspec_trace::input::{STATES_PER_PROGRESS_REPORT, TraceInput, with_trace_name};
use rayon::prelude::*;

use crate::traces;

/// The evidence of some plays.
#[derive(Debug, Clone, Default)]
pub struct RecordedEvidence {
    /// The evidence.
    pub evidence: PlayEvidence,
    /// The number of plays that were read.
    pub plays: usize,
    /// The errors of plays that could not be read.
    pub diagnostics: Vec<Diagnostic>,
    /// Messages about plays that were not read to their end.
    pub notes: Vec<String>,
}

/// The evidence of one play, and whether it was read to its end.
struct Played {
    evidence: PlayEvidence,
    is_exhausted: bool,
}

/// Reads what plays show, each with its world, on all threads of the current pool. `progress` is called with numbers of bytes of the text that
/// were read since the previous call.
pub fn record(plays: &[(TraceInput, Arc<World>)], progress: &(dyn Fn(u64) + Sync)) -> RecordedEvidence {
    let read = plays.par_iter().map(|(play, world)| (play.name(), record_play(play, world, progress)));
    let read: Vec<_> = read.collect();
    let mut all = RecordedEvidence::default();
    let mut is_cut = false;
    for (name, played) in read {
        match played {
            Ok(played) => {
                all.plays += 1;
                all.evidence.merge(played.evidence);
                is_cut |= played.is_exhausted;
                if played.is_exhausted {
                    all.notes.push(format!(
                        "{name} has more to look up than the limit of {MAX_LOOKUPS} allows; what holds later is not in the table"
                    ));
                }
            }
            Err(error) => all.diagnostics.push(with_trace_name(&name, *error)),
        }
    }
    if is_cut {
        // What other plays lack may hold in the rest of that one.
        all.evidence.forget_lookups();
    }
    all
}

fn record_play(
    play: &TraceInput,
    world: &Arc<World>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Played, Box<Diagnostic>> {
    let mut reader = LookaheadReader::new(traces::read(play, world, false)?);
    let mut recorder = EvidenceRecorder::new(world);
    let mut playback = Playback::new(Arc::clone(world));
    let (mut delta, mut reported) = (Delta::default(), 0);
    while let Some(last) = reader.next(&mut delta)? {
        playback.advance(&delta);
        recorder.observe(&playback.update(&delta, last));
        if playback.steps().is_multiple_of(STATES_PER_PROGRESS_REPORT) {
            let offset = reader.reader().offset();
            progress(offset - reported);
            reported = offset;
        }
        if recorder.is_exhausted() {
            break;
        }
    }
    Ok(Played { is_exhausted: recorder.is_exhausted(), evidence: recorder.finish() })
}
