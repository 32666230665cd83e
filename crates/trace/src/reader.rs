//! What all readers have in common: the header, the checks that hold for every format, and looking one state ahead.

use goalspec_core::state::Delta;
use goalspec_syntax::{Diagnostic, Severity};

use crate::codes;
use crate::error::{Result, TraceError};
use crate::source::Compression;

/// The formats of traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Recorded plays of people, as JSON.
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
    /// Its name, for people.
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

/// An object that only the trace knows, with the names of its types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredObject {
    /// Its id.
    pub id: String,
    /// Its types, most specific first.
    pub types: Vec<String>,
}

/// An attribute as the trace declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredAttribute {
    /// Its name.
    pub name: String,
    /// The name of the kind of its values.
    pub kind: String,
}

/// What a trace says of itself apart from its states. Particulars that a recorded play gives behind its states are known once it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The format.
    pub format: Format,
    /// How the file is packed.
    pub compression: Compression,
    /// The name of the world that the trace was written for.
    pub world: Option<String>,
    /// The scene of the simulator.
    pub scene: Option<String>,
    /// The recording's id.
    pub id: Option<String>,
    /// The person who played.
    pub participant: Option<String>,
    /// Which of the person's plays this is.
    pub replay: Option<String>,
    /// The attributes that the trace declares.
    pub attributes: Vec<DeclaredAttribute>,
    /// Objects that only the trace knows.
    pub objects: Vec<DeclaredObject>,
}

impl Header {
    /// A header that says nothing but the format.
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

/// Anything that hands out the states of a trace one by one.
pub trait TraceReader {
    /// What the trace says of itself.
    fn header(&self) -> &Header;

    /// Reads the next state into `delta`, whose buffers are used again; `false` at the end.
    ///
    /// # Errors
    /// The trace is damaged, cut, or not of the world. States handed out before are sound; further calls give the same error.
    fn next(&mut self, delta: &mut Delta) -> Result<bool>;

    /// What was noticed so far that does not stop the reading; complete once the last state was read.
    fn remarks(&self) -> Vec<Diagnostic>;
}

impl<R: TraceReader + ?Sized> TraceReader for &mut R {
    fn header(&self) -> &Header {
        (**self).header()
    }

    fn next(&mut self, delta: &mut Delta) -> Result<bool> {
        (**self).next(delta)
    }

    fn remarks(&self) -> Vec<Diagnostic> {
        (**self).remarks()
    }
}

/// One format's reader, without the checks that hold for all of them.
pub(crate) trait Decoder: Send {
    fn header(&self) -> &Header;
    fn next(&mut self, delta: &mut Delta) -> Result<bool>;
    fn remarks(&self) -> Vec<Diagnostic>;
    /// How many bytes of uncompressed text were read.
    fn offset(&self) -> u64;
}

/// Where a recording's own numbers of its states, which grow, do not grow by one.
#[derive(Debug, Default)]
pub(crate) struct Gaps {
    /// The state behind the first gap, counted from 1, with its index and the one before.
    first: Option<(u64, u64, u64)>,
    count: u64,
    /// How many indices are left out.
    missing: u64,
}

impl Gaps {
    /// Takes the next pair of indices.
    pub(crate) fn note(&mut self, state: u64, before: u64, index: u64) {
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
        let message = format!("state {state} has index {index}, but the state before has {before}{gaps}");
        let help = "goals are judged as if the states followed each other";
        Some(Diagnostic::new(codes::GAP, Severity::Warning, message).with_help(help))
    }
}

fn are(count: u64) -> String {
    if count == 1 { "1 state is".to_owned() } else { format!("{count} states are") }
}

/// The states of one file or stream, checked: in order, and at least one.
pub struct Reader<'r> {
    decoder: Box<dyn Decoder + 'r>,
    partial: bool,
    states: u64,
    last: (u64, u64, Option<f64>),
    gaps: Gaps,
    ended: bool,
    error: Option<TraceError>,
}

impl<'r> Reader<'r> {
    pub(crate) fn new(decoder: impl Decoder + 'r, partial: bool) -> Self {
        Self {
            decoder: Box::new(decoder),
            partial,
            states: 0,
            last: (0, 0, None),
            gaps: Gaps::default(),
            ended: false,
            error: None,
        }
    }

    /// How many states were read.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// How many bytes of uncompressed text were read.
    pub fn offset(&self) -> u64 {
        self.decoder.offset()
    }

    /// The damage that a partial reading stopped at.
    pub fn stopped_at(&self) -> Option<&TraceError> {
        self.error.as_ref().filter(|_| self.partial)
    }

    fn read(&mut self, delta: &mut Delta) -> Result<bool> {
        if !self.decoder.next(delta)? {
            if self.states == 0 {
                return Err(TraceError::new(codes::EMPTY, "the trace has no states"));
            }
            return Ok(false);
        }
        self.check_order(delta)?;
        if self.states > 0 {
            self.gaps.note(self.states + 1, self.last.0, delta.index);
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
        let late = |what: &str, now: String, before: String| {
            let message = format!(
                "state {} has {what} {now}, which does not come after {before}, that of the state before",
                self.states + 1
            );
            Err(TraceError::new(codes::ORDER, message))
        };
        if delta.index <= index {
            return late("index", delta.index.to_string(), index.to_string());
        }
        if delta.clock <= clock {
            return late("clock", delta.clock.to_string(), clock.to_string());
        }
        match (delta.time, time) {
            (Some(now), Some(before)) if now < before => late("time", now.to_string(), before.to_string()),
            _ => Ok(()),
        }
    }
}

impl TraceReader for Reader<'_> {
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
                // A trace of another world is not a damaged one: no part of it is what was asked for.
                self.partial &= self.states > 0 && error.code() != codes::WRONG_WORLD;
                self.error = Some(error);
            }
        }
        self.ended = true;
        self.next(delta)
    }

    fn remarks(&self) -> Vec<Diagnostic> {
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

/// A reader that looks one state ahead, so that the last state is known when it comes.
pub struct Peeked<R> {
    reader: R,
    ahead: Delta,
    found: Option<Result<bool>>,
}

impl<R: TraceReader> Peeked<R> {
    /// A reader that looks ahead of `reader`.
    pub fn new(reader: R) -> Self {
        Self { reader, ahead: Delta::default(), found: None }
    }

    /// The reader.
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Reads the next state into `delta`; says whether it is the last one. `None` at the end.
    ///
    /// # Errors
    /// As [`TraceReader::next`]. The state before the damage is handed out first, not as the last one.
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
