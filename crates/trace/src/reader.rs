//! The common part of all readers: the header, the checks that hold for every format, and lookahead by one state.

use goalspec_core::state::Delta;
use goalspec_syntax::{Diagnostic, Severity};

use crate::codes;
use crate::error::{Result, TraceError};
use crate::limits::ActiveReadLimits;
use crate::source::Compression;

/// A trace format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Recorded human play, as JSON.
    RecordedPlay,
    /// goalspec's own format: JSON Lines.
    Lines,
    /// goalspec's own format as a Parquet table.
    Parquet,
    /// Recorded screens of an Atari game.
    Screens,
    /// A trace in memory.
    Memory,
}

impl Format {
    /// Returns the name of the format as shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Self::RecordedPlay => "recorded play (JSON)",
            Self::Lines => "goalspec trace (JSON Lines)",
            Self::Parquet => "goalspec trace (Parquet)",
            Self::Screens => "recorded screens (JSON Lines)",
            Self::Memory => "in memory",
        }
    }
}

/// An object that is declared by the trace and not by the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredObject {
    /// The object's id.
    pub id: String,
    /// The names of its types, most specific first.
    pub types: Vec<String>,
}

/// An attribute as declared by the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredAttribute {
    /// The attribute's name.
    pub name: String,
    /// The name of its value kind.
    pub kind: String,
}

/// The metadata of a trace. Metadata that a recorded play gives after its states are known only after the last state was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The format.
    pub format: Format,
    /// The compression of the file.
    pub compression: Compression,
    /// The name of the world that the trace was written for.
    pub world: Option<String>,
    /// The scene of the simulator.
    pub scene: Option<String>,
    /// The recording's id.
    pub id: Option<String>,
    /// The id of the person who played.
    pub participant: Option<String>,
    /// The key of the play among the person's plays.
    pub replay: Option<String>,
    /// The attributes that the trace declares.
    pub attributes: Vec<DeclaredAttribute>,
    /// The objects that only the trace declares.
    pub objects: Vec<DeclaredObject>,
}

impl Header {
    /// Creates a header with a format and a compression, and no other metadata.
    pub fn new(format: Format, compression: Compression) -> Self {
        Self {
            format,
            compression,
            world: None,
            scene: None,
            id: None,
            participant: None,
            replay: None,
            attributes: Vec::new(),
            objects: Vec::new(),
        }
    }
}

/// A source of the states of a trace, in order.
pub trait TraceReader {
    /// Returns the metadata of the trace.
    fn header(&self) -> &Header;

    /// Reads the next state into `delta`, whose buffers are reused. Returns `false` at the end.
    ///
    /// # Errors
    /// If the trace is damaged, truncated, or not of the world. States returned before are sound; further calls return the same error.
    fn next(&mut self, delta: &mut Delta) -> Result<bool>;

    /// Returns the remarks so far, which do not stop the reading; they are complete once the last state was read.
    fn diagnostics(&self) -> Vec<Diagnostic>;
}

impl<R: TraceReader + ?Sized> TraceReader for &mut R {
    fn header(&self) -> &Header {
        (**self).header()
    }

    fn next(&mut self, delta: &mut Delta) -> Result<bool> {
        (**self).next(delta)
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        (**self).diagnostics()
    }
}

/// The reader of one format, without the checks that hold for all formats.
pub(crate) trait Decoder: Send {
    fn header(&self) -> &Header;
    fn next(&mut self, delta: &mut Delta) -> Result<bool>;
    fn remarks(&self) -> Vec<Diagnostic>;
    /// Returns the number of bytes of uncompressed text read; for Parquet and traces in memory, the number of states.
    fn offset(&self) -> u64;
}

/// The gaps in the indices of a recording: places where the index increases by more than one.
#[derive(Debug, Default)]
pub(crate) struct IndexGaps {
    /// The first gap: the number of the state after it, counted from 1, the index before it, and the index of that state.
    first: Option<(u64, u64, u64)>,
    count: u64,
    /// The number of missing indices.
    missing: u64,
}

impl IndexGaps {
    /// Records the indices of two consecutive states; `state` is the number of the second one, counted from 1.
    pub(crate) fn record(&mut self, state: u64, before: u64, index: u64) {
        let missing = index.saturating_sub(before).saturating_sub(1);
        if missing > 0 {
            self.first.get_or_insert((state, before, index));
            self.count += 1;
            self.missing = self.missing.saturating_add(missing);
        }
    }

    pub(crate) fn remark(&self) -> Option<Diagnostic> {
        let (state, before, index) = self.first?;
        let missing = are(self.missing);
        let gaps = match self.count {
            1 => format!(": {missing} missing"),
            count => format!("; in {count} such gaps, {missing} missing"),
        };
        let message = format!("state {state} has index {index}, but the previous state has {before}{gaps}");
        let help = "goals are evaluated as if the states were consecutive";
        Some(Diagnostic::new(codes::GAP, Severity::Warning, message).with_help(help))
    }
}

fn are(count: u64) -> String {
    if count == 1 { "1 state is".to_owned() } else { format!("{count} states are") }
}

/// A checked reader of one file or stream: it ensures that states are in order and that there is at least one.
pub struct CheckedReader<'r> {
    decoder: Box<dyn Decoder + 'r>,
    partial: bool,
    states: u64,
    last: (u64, u64, Option<f64>),
    gaps: IndexGaps,
    ended: bool,
    error: Option<TraceError>,
    limits: Option<ActiveReadLimits>,
}

impl<'r> CheckedReader<'r> {
    pub(crate) fn new(decoder: impl Decoder + 'r, partial: bool) -> Self {
        Self {
            decoder: Box::new(decoder),
            partial,
            states: 0,
            last: (0, 0, None),
            gaps: IndexGaps::default(),
            ended: false,
            error: None,
            limits: None,
        }
    }

    /// Sets the limits on the reading.
    pub(crate) fn within(self, limits: Option<ActiveReadLimits>) -> Self {
        Self { limits, ..self }
    }

    /// Returns the number of states read.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Returns the number of bytes of uncompressed text read; for Parquet and traces in memory, the number of states.
    pub fn offset(&self) -> u64 {
        self.decoder.offset()
    }

    /// Returns the error at which a partial reading stopped.
    pub fn stopped_at(&self) -> Option<&TraceError> {
        self.error.as_ref().filter(|_| self.partial)
    }

    fn read(&mut self, delta: &mut Delta) -> Result<bool> {
        self.limits.map_or(Ok(()), |limits| limits.check_time())?;
        if !self.decoder.next(delta)? {
            if self.states == 0 {
                return Err(TraceError::new(codes::EMPTY, "the trace has no states"));
            }
            return Ok(false);
        }
        self.limits.map_or(Ok(()), |limits| limits.check_states(self.states + 1))?;
        self.check_order(delta)?;
        if self.states > 0 {
            self.gaps.record(self.states + 1, self.last.0, delta.index);
        }
        self.last = (delta.index, delta.clock, delta.time.or(self.last.2));
        self.states += 1;
        Ok(true)
    }

    fn check_order(&self, delta: &Delta) -> Result<()> {
        if self.states == 0 {
            return Ok(());
        }
        let (index, clock, time) = self.last;
        let order_error = |quantity: &str, now: String, before: String| {
            let message = format!(
                "state {} has {quantity} {now}, which is not after {before}, the {quantity} of the previous state",
                self.states + 1
            );
            Err(TraceError::new(codes::ORDER, message))
        };
        if delta.index <= index {
            return order_error("index", delta.index.to_string(), index.to_string());
        }
        if delta.clock <= clock {
            return order_error("clock", delta.clock.to_string(), clock.to_string());
        }
        match (delta.time, time) {
            (Some(now), Some(before)) if now < before => order_error("time", now.to_string(), before.to_string()),
            _ => Ok(()),
        }
    }
}

impl TraceReader for CheckedReader<'_> {
    fn header(&self) -> &Header {
        self.decoder.header()
    }

    fn next(&mut self, delta: &mut Delta) -> Result<bool> {
        if self.ended {
            return match &self.error {
                Some(error) if !self.partial => Err(error.clone()),
                _ => Ok(false),
            };
        }
        let read = self.read(delta);
        match read {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(error) => {
                // A trace of another world is not a damaged trace: none of its states are of the requested world. Neither is one that exceeds
                // a limit.
                let is_damage = ![codes::WRONG_WORLD, codes::OVER_LIMIT].contains(&error.code());
                self.partial &= self.states > 0 && is_damage;
                self.error = Some(error);
            }
        }
        self.ended = true;
        self.next(delta)
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut remarks = self.decoder.remarks();
        remarks.extend(self.gaps.remark());
        if let Some(error) = self.stopped_at() {
            let mut remark = error.diagnostic().clone();
            remark.severity = Severity::Warning;
            remark.help.push(format!("the {} before it were read", states(self.states)));
            remarks.push(remark);
        }
        remarks
    }
}

fn states(count: u64) -> String {
    if count == 1 { "state".to_owned() } else { format!("{count} states") }
}

/// A reader with a lookahead of one state, so that the last state is known when it is returned.
pub struct LookaheadReader<R> {
    reader: R,
    ahead: Delta,
    found: Option<Result<bool>>,
}

impl<R: TraceReader> LookaheadReader<R> {
    /// Creates a reader that looks one state ahead of `reader`.
    pub fn new(reader: R) -> Self {
        Self { reader, ahead: Delta::default(), found: None }
    }

    /// Returns the underlying reader.
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Reads the next state into `delta`. Returns whether it is the last one, or `None` at the end.
    ///
    /// # Errors
    /// As [`TraceReader::next`]. The state before the damage is returned first, and not as the last one.
    pub fn next(&mut self, delta: &mut Delta) -> Result<Option<bool>> {
        let found = match self.found.take() {
            Some(found) => found,
            None => self.reader.next(&mut self.ahead),
        };
        if !found? {
            self.found = Some(Ok(false));
            return Ok(None);
        }
        std::mem::swap(delta, &mut self.ahead);
        let following = self.reader.next(&mut self.ahead);
        let last = matches!(following, Ok(false));
        self.found = Some(following);
        Ok(Some(last))
    }
}
