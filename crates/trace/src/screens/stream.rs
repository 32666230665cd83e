//! Recordings of screens, frame by frame.

use std::io::{self, BufRead, Read};

use goalspec_atari::recording::{Frame, Header, Reader};
use goalspec_syntax::{Diagnostic, Severity};
use indexmap::IndexSet;

use super::wrong;
use crate::codes;
use crate::error::{Result, TraceError};
use crate::reader::Gaps;
use crate::source::Buffer;

/// Uncompressed bytes.
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

/// A recording of screens, frame by frame.
pub struct Screens<'r> {
    reader: Reader<Bytes<'r>>,
    /// How many frames were read, and the number and the episode of the last one.
    frames: u64,
    last: Option<(u64, u64)>,
    gaps: Gaps,
    /// Whether the last frame ended its episode, and the first frame that follows such a one in the same episode.
    ended: bool,
    after_end: Option<u64>,
    /// Whether there are no more frames.
    over: bool,
}

impl<'r> Screens<'r> {
    pub(super) fn new(buffer: Buffer<'r>) -> Result<Self> {
        let reader = Reader::new(Bytes(buffer)).map_err(wrong)?;
        let gaps = Gaps::default();
        Ok(Self { reader, frames: 0, last: None, gaps, ended: false, after_end: None, over: false })
    }

    /// What the recording says of itself.
    pub fn header(&self) -> &Header {
        self.reader.header()
    }

    /// The policy that played, if it says so.
    pub fn policy(&self) -> Option<&str> {
        self.header().particulars.get("policy")?.as_str()
    }

    /// How many bytes of its text were read.
    pub fn offset(&self) -> u64 {
        self.reader.input().0.offset()
    }

    /// Reads the next frame into `frame`, whose buffers are used again; `false` at the end.
    ///
    /// # Errors
    /// The line cannot be read, or a field of it is wrong.
    pub fn next(&mut self, frame: &mut Frame) -> Result<bool> {
        if !self.reader.next(frame).map_err(wrong)? {
            self.over = true;
            return Ok(false);
        }
        self.frames += 1;
        if let Some((before, episode)) = self.last {
            self.gaps.note(self.frames, before, frame.index);
            if self.ended && episode == frame.episode {
                self.after_end.get_or_insert(frame.index);
            }
        }
        self.ended = frame.terminated || frame.truncated;
        self.last = Some((frame.index, frame.episode));
        Ok(true)
    }

    /// What was noticed so far that does not stop the reading; complete once the last frame was read.
    pub fn remarks(&self) -> Vec<Diagnostic> {
        self.gaps.remark().into_iter().chain(self.of_course()).collect()
    }

    /// What was noticed beside numbers that are left out.
    pub(super) fn of_course(&self) -> Vec<Diagnostic> {
        let mut remarks = Vec::new();
        if let Some(index) = self.after_end {
            let message = format!("frame {index} follows the end of its own episode; it is taken for a part of it");
            let help = "give each episode a number of its own in `ep`";
            remarks.push(Diagnostic::new(codes::AFTER_END, Severity::Warning, message).with_help(help));
        }
        let promised = self.header().particulars.get("n").and_then(serde_json::Value::as_u64);
        if let Some(promised) = promised.filter(|promised| self.over && *promised != self.frames) {
            let message = format!("the header says that there are {promised} frames, and there are {}", self.frames);
            remarks.push(Diagnostic::new(codes::FRAME_COUNT, Severity::Warning, message));
        }
        remarks
    }
}

/// What a recording of screens has beside its states.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overview {
    /// The policy that played, if it says so.
    pub policy: Option<String>,
    /// What the actions mean, by their numbers.
    pub actions: Vec<String>,
    /// How many episodes begin in it.
    pub episodes: u64,
    /// How many of these end in it.
    pub finished: u64,
    /// What the game gave in all.
    pub points: f64,
    /// The names of the rewards that were recorded with the frames.
    pub rewards: IndexSet<String>,
}

impl Overview {
    /// Reads a recording to its end, or to where it is damaged.
    pub fn of(mut screens: Screens<'_>) -> Self {
        let header = screens.header();
        let (policy, actions) = (screens.policy().map(str::to_owned), header.actions.clone());
        let mut overview = Self { policy, actions, ..Self::default() };
        let (mut frame, mut episode) = (Frame::default(), None);
        // What the damage is, whoever reads the states tells.
        while let Ok(true) = screens.next(&mut frame) {
            overview.episodes += u64::from(episode.replace(frame.episode) != Some(frame.episode));
            overview.finished += u64::from(frame.terminated || frame.truncated);
            overview.points += frame.reward;
            for (name, _) in &frame.rewards {
                if !overview.rewards.contains(name) {
                    overview.rewards.insert(name.clone());
                }
            }
        }
        overview
    }
}
