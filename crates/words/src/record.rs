//! The record of a run: every arrow of every candidate, in one file of JSON lines, written before the next call.
//!
//! The first line is the header with format, kind and settings; every other line is a [`CandidateEvent`] of a candidate. Events of one candidate
//! are in order; those of different candidates may be interleaved in any way. A run that finds its record continues behind it: recorded
//! replies are used instead of calls, and recorded events are not written again. A last line that a killed process left incomplete is
//! removed.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use goalspec_llm::{ModelError, Prompt, Reply};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::candidate::{RepairEnd, Stage, Status};
use crate::extraction::Note;
use crate::finding::Finding;

/// The format of records.
pub const FORMAT: &str = "goalspec-candidates-1";

/// The maximum size of a record, in bytes.
pub const MAX_BYTES: u64 = 1 << 30;

/// A transition of the state machine of a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum CandidateEvent {
    /// The model is asked: the whole prompt at the beginning of a conversation, afterwards the text of the next turn.
    Asked {
        /// The number of replies before.
        turn: usize,
        /// The prompt that begins the conversation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        prompt: Option<Prompt>,
        /// The text of the turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The reply has arrived.
    Replied {
        /// The reply.
        reply: Reply,
    },
    /// The program was extracted, or the reply contains none.
    Extracted {
        /// The program.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        program: Option<String>,
        /// The steps.
        notes: Vec<Note>,
        /// The findings.
        findings: Vec<Finding>,
    },
    /// A stage of the evaluation was reached.
    Evaluated {
        /// The stage.
        stage: Stage,
        /// Its findings.
        findings: Vec<Finding>,
    },
    /// The candidate has ended.
    Finished {
        /// The status.
        status: Status,
        /// The reason for which the repairs ended.
        repair_end: RepairEnd,
    },
    /// A call failed. A run that resumes makes it again.
    CallFailed {
        /// The error.
        error: ModelError,
    },
}

impl CandidateEvent {
    /// Returns the name of the transition.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Asked { .. } => Stage::Asked.name(),
            Self::Replied { .. } => Stage::Replied.name(),
            Self::Extracted { .. } => Stage::Extracted.name(),
            Self::Evaluated { stage, .. } => stage.name(),
            Self::Finished { status, .. } => status.name(),
            Self::CallFailed { .. } => "call failed",
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    kind: String,
    settings: Value,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    candidate: String,
    #[serde(flatten)]
    event: CandidateEvent,
}

/// A record that cannot be read, written or continued.
#[derive(Debug)]
pub enum RecordError {
    /// The file cannot be read or written.
    File(String, io::Error),
    /// Another process writes the record.
    InUse(String),
    /// The file is no record, or one of another version; with the reason.
    Unreadable(String, String),
    /// The record belongs to a run with other settings; with the differences.
    OtherRun(String, Vec<String>),
    /// The record contradicts the run: its candidate was asked something else.
    OtherHistory(String),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "cannot use the record `{path}`: {error}"),
            Self::InUse(path) => write!(f, "another process is writing the record `{path}`"),
            Self::Unreadable(path, reason) => write!(f, "`{path}` is no record of candidates: {reason}"),
            Self::OtherRun(path, differences) => {
                write!(f, "the record `{path}` belongs to a run with other settings: {}", differences.join("; "))
            }
            Self::OtherHistory(candidate) => {
                write!(f, "the record contradicts this run: candidate {candidate} was asked something else")
            }
        }
    }
}

impl std::error::Error for RecordError {}

/// The record of a run. Events may be written from several threads.
#[derive(Debug, Default)]
pub struct Record {
    state: Mutex<State>,
    path: String,
}

#[derive(Debug, Default)]
struct State {
    file: Option<File>,
    /// The recorded events that the run has not reached again, by candidate.
    pending: HashMap<String, VecDeque<CandidateEvent>>,
}

impl Record {
    /// Creates a record that is kept nowhere.
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// Opens the record of a run, and creates it if there is none.
    ///
    /// # Errors
    /// If the file cannot be used, is being written by another process, is no record, or belongs to a run of another kind or with other
    /// settings.
    pub fn open(path: &Path, kind: &str, settings: &Value) -> Result<Self, RecordError> {
        let name = path.display().to_string();
        let failed = |error| RecordError::File(name.clone(), error);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(RecordError::InUse(name)),
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if file.metadata().map_err(failed)?.len() > MAX_BYTES {
            return Err(RecordError::Unreadable(name, format!("the record exceeds the limit of {MAX_BYTES} bytes")));
        }
        let text = io::read_to_string(&mut file).map_err(failed)?;
        // A process that was killed while it wrote leaves a line without an end.
        let complete = text.rfind('\n').map_or(0, |end| end + 1);
        if complete < text.len() {
            file.set_len(complete as u64).map_err(failed)?;
        }
        let header = Header { format: FORMAT.to_owned(), kind: kind.to_owned(), settings: settings.clone() };
        let mut lines = text[..complete].lines();
        let pending = if let Some(first) = lines.next() {
            check_header(&name, first, &header)?;
            read_events(&name, lines)?
        } else {
            write_line(&mut file, &header).map_err(failed)?;
            HashMap::new()
        };
        Ok(Self { state: Mutex::new(State { file: Some(file), pending }), path: name })
    }

    /// Returns the recorded reply to the next question to a candidate.
    ///
    /// # Errors
    /// If the candidate was asked something else.
    pub(crate) fn recorded_reply(&self, candidate: &str, asked: &CandidateEvent) -> Result<Option<Reply>, RecordError> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(events) = state.pending.get(candidate) else { return Ok(None) };
        match (events.front(), events.get(1)) {
            (Some(recorded), _) if recorded != asked => Err(RecordError::OtherHistory(candidate.to_owned())),
            (Some(_), Some(CandidateEvent::Replied { reply })) => Ok(Some(reply.clone())),
            _ => Ok(None),
        }
    }

    /// Writes an event, unless it is the next recorded one. After the first event that differs from its record, the rest of the
    /// candidate's record is void, and the run goes its own way.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write(&self, candidate: &str, event: &CandidateEvent) -> Result<(), RecordError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(events) = state.pending.get_mut(candidate) {
            match events.pop_front() {
                Some(recorded) if recorded == *event => return Ok(()),
                Some(_) => events.clear(),
                None => {}
            }
        }
        let Some(file) = &mut state.file else { return Ok(()) };
        let line = Line { candidate: candidate.to_owned(), event: event.clone() };
        write_line(file, &line).map_err(|error| RecordError::File(self.path.clone(), error))
    }
}

fn write_line(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

/// Checks the header of a record against that of the run.
fn check_header(name: &str, line: &str, header: &Header) -> Result<(), RecordError> {
    let unreadable = |reason: String| RecordError::Unreadable(name.to_owned(), reason);
    let recorded: Header = serde_json::from_str(line).map_err(|error| unreadable(format!("line 1: {error}")))?;
    if recorded.format != FORMAT {
        return Err(unreadable(format!("its format is `{}`, expected `{FORMAT}`", recorded.format)));
    }
    let mut differences = Vec::new();
    if recorded.kind != header.kind {
        differences.push(format!("its kind is `{}`, not `{}`", recorded.kind, header.kind));
    }
    let (old, new) = (recorded.settings.as_object(), header.settings.as_object());
    let names = old.into_iter().chain(new).flat_map(serde_json::Map::keys);
    for name in names.collect::<std::collections::BTreeSet<_>>() {
        let [old, new] =
            [&recorded.settings, &header.settings].map(|settings| settings.get(name).unwrap_or(&Value::Null));
        if old != new {
            let [old, new] = [old, new].map(|value| crate::finding::truncated(&value.to_string(), 60));
            differences.push(format!("`{name}` is {old}, not {new}"));
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(RecordError::OtherRun(name.to_owned(), differences)) }
}

/// Reads the events of all candidates, without the calls that failed.
fn read_events<'t>(
    name: &str,
    lines: impl Iterator<Item = &'t str>,
) -> Result<HashMap<String, VecDeque<CandidateEvent>>, RecordError> {
    let mut events: HashMap<String, VecDeque<CandidateEvent>> = HashMap::new();
    for (index, line) in lines.enumerate() {
        let line: Line = serde_json::from_str(line)
            .map_err(|error| RecordError::Unreadable(name.to_owned(), format!("line {}: {error}", index + 2)))?;
        let of_candidate = events.entry(line.candidate).or_default();
        if !matches!(line.event, CandidateEvent::CallFailed { .. }) {
            of_candidate.push_back(line.event);
        }
    }
    Ok(events)
}
