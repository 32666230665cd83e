//! Reading of recorded screens, frame by frame.

use std::io::{self, BufRead, Read};

use goalspec_atari::recording::{Frame, Header, Reader};
use goalspec_syntax::{Diagnostic, Severity};
use indexmap::IndexSet;

use super::recording_error;
use crate::codes;
use crate::error::{Result, TraceError};
use crate::limits::ActiveReadLimits;
use crate::reader::IndexGaps;
use crate::source::Buffer;

/// An adapter from [`Buffer`] to [`BufRead`].
struct Bytes<'r>(Buffer<'r>);

impl Read for Bytes<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut bytes = self.fill_buf()?;
        let count = bytes.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Bytes<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let failed = |error: TraceError| io::Error::new(io::ErrorKind::InvalidData, error);
        if self.0.bytes().is_empty()
            && !self.0.refill().map_err(failed)?
            && let Some(error) = self.0.end_error("before the next line")
        {
            return Err(failed(error));
        }
        Ok(self.0.bytes())
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}

/// A recording of screens, read frame by frame.
pub struct ScreenRecording<'r> {
    reader: Reader<Bytes<'r>>,
    /// The number of frames read, and the index and episode of the last one.
    frames: u64,
    last: Option<(u64, u64)>,
    gaps: IndexGaps,
    /// Whether the last frame ended its episode, and the index of the first frame that follows such an end in the same episode.
    ended: bool,
    after_end: Option<u64>,
    /// Whether the last frame has been read.
    exhausted: bool,
    limits: Option<ActiveReadLimits>,
}

impl<'r> ScreenRecording<'r> {
    pub(super) fn new(buffer: Buffer<'r>, limits: Option<ActiveReadLimits>) -> Result<Self> {
        let reader = Reader::new(Bytes(buffer)).map_err(recording_error)?;
        let gaps = IndexGaps::default();
        Ok(Self { reader, frames: 0, last: None, gaps, ended: false, after_end: None, exhausted: false, limits })
    }

    /// Returns the header of the recording.
    pub fn header(&self) -> &Header {
        self.reader.header()
    }

    /// Returns the policy that played, if the header names it.
    pub fn policy(&self) -> Option<&str> {
        self.header().metadata.get("policy")?.as_str()
    }

    /// Returns the number of bytes of uncompressed text read.
    pub fn offset(&self) -> u64 {
        self.reader.input().0.offset()
    }

    /// Reads the next frame into `frame`, whose buffers are reused. Returns `false` at the end.
    ///
    /// # Errors
    /// If the line cannot be read, or one of its fields is invalid.
    pub fn next(&mut self, frame: &mut Frame) -> Result<bool> {
        self.limits.map_or(Ok(()), |limits| limits.check_time())?;
        if !self.reader.next(frame).map_err(recording_error)? {
            self.exhausted = true;
            return Ok(false);
        }
        self.frames += 1;
        self.limits.map_or(Ok(()), |limits| limits.check_states(self.frames))?;
        if let Some((before, episode)) = self.last {
            self.gaps.record(self.frames, before, frame.index);
            if self.ended && episode == frame.episode {
                self.after_end.get_or_insert(frame.index);
            }
        }
        self.ended = frame.terminated || frame.truncated;
        self.last = Some((frame.index, frame.episode));
        Ok(true)
    }

    /// Returns the remarks so far, which do not stop the reading; they are complete once the last frame was read.
    pub fn remarks(&self) -> Vec<Diagnostic> {
        self.gaps.remark().into_iter().chain(self.other_remarks()).collect()
    }

    /// Returns the remarks other than those on gaps in the indices.
    pub(super) fn other_remarks(&self) -> Vec<Diagnostic> {
        let mut remarks = Vec::new();
        if let Some(index) = self.after_end {
            let message = format!("frame {index} follows the end of its episode; it counts as part of the episode");
            let help = "give each episode its own number in `ep`";
            remarks.push(Diagnostic::new(codes::AFTER_END, Severity::Warning, message).with_help(help));
        }
        let declared = self.header().metadata.get("n").and_then(serde_json::Value::as_u64);
        if let Some(declared) = declared.filter(|declared| self.exhausted && *declared != self.frames) {
            let message = format!("the header declares {declared} frames, found {}", self.frames);
            remarks.push(Diagnostic::new(codes::FRAME_COUNT, Severity::Warning, message));
        }
        remarks
    }
}

/// Statistics of a recording of screens, beyond those of its states.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScreenStatistics {
    /// The policy that played, if the header names it.
    pub policy: Option<String>,
    /// The meanings of the actions, by number.
    pub actions: Vec<String>,
    /// The number of episodes that begin in the recording.
    pub episodes: u64,
    /// The number of episodes that end in the recording.
    pub completed_episodes: u64,
    /// The sum of the game's rewards over all frames.
    pub total_reward: f64,
    /// The names of the rewards recorded with the frames.
    pub rewards: IndexSet<String>,
}

impl ScreenStatistics {
    /// Reads a recording to its end or to its damage.
    pub fn of(mut screens: ScreenRecording<'_>) -> Self {
        let header = screens.header();
        let (policy, actions) = (screens.policy().map(str::to_owned), header.actions.clone());
        let mut overview = Self { policy, actions, ..Self::default() };
        let (mut frame, mut episode) = (Frame::default(), None);
        // The reader of the states reports the damage.
        while let Ok(true) = screens.next(&mut frame) {
            overview.episodes += u64::from(episode.replace(frame.episode) != Some(frame.episode));
            overview.completed_episodes += u64::from(frame.terminated || frame.truncated);
            overview.total_reward += frame.reward;
            for (name, _) in &frame.rewards {
                if !overview.rewards.contains(name) {
                    overview.rewards.insert(name.clone());
                }
            }
        }
        overview
    }
}
