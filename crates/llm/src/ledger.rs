//! The ledger: an append-only file with a line before and a line after each call. It is what caps, resumption and reports read.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::budget::Spending;
use crate::error::{ErrorKind, ModelError};
use crate::reply::Usage;

/// The version of the lines that are written.
const VERSION: u32 = 1;

/// A call that begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallStart {
    /// The number of the call in the ledger, from 1.
    pub call: u64,
    /// The version of the line.
    pub version: u32,
    /// The run.
    pub run: String,
    /// The model that was asked for.
    pub model: String,
    /// The address of the server.
    pub base_url: String,
    /// The key of the exchange in the cache.
    pub key: String,
    /// The index of the request among equal ones.
    pub attempt: u32,
    /// The number of the retry; 0 for the first call.
    pub retry: u32,
    /// The notation of the constraint that was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<crate::request::ConstraintKind>,
    /// The time, in RFC 3339.
    pub time: String,
    /// The worst case, which is charged if the end of the call is not known.
    pub worst: Spending,
}

/// The source of the figures for the spending of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Charge {
    /// The server reported the numbers of tokens.
    Reported,
    /// The numbers of tokens are estimated from the texts.
    Estimated,
    /// Whether the server charged the call is not known; the worst case counts.
    Unknown,
    /// The server answered with an error, or nothing was sent: no tokens.
    None,
}

/// A call that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallEnd {
    /// The number of the call in the ledger.
    pub call: u64,
    /// The status of the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The name that the server gave to the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorKind>,
    /// The message of the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The numbers of tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The calls, tokens and cost that count against the caps of the run.
    pub spent: Spending,
    /// The source of these figures.
    pub charge: Charge,
    /// The duration of the call in milliseconds.
    pub duration_ms: u64,
}

/// A call in the ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerCall {
    /// The beginning.
    pub start: CallStart,
    /// The end; `None` if the process was stopped before.
    pub end: Option<CallEnd>,
}

impl LedgerCall {
    /// Returns the spending that the call is charged with.
    pub fn spent(&self) -> Spending {
        self.end.as_ref().map_or(self.start.worst, |end| end.spent)
    }

    /// Whether the process was stopped before the reply was recorded, so that the server may have charged a call without a reply.
    pub fn is_interrupted(&self) -> bool {
        self.end.as_ref().is_none_or(|end| end.error == Some(ErrorKind::Interrupted))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Line {
    Start(CallStart),
    End(CallEnd),
}

/// Reads the calls of a ledger in their order. A last line without end, which a stopped process leaves, is ignored.
///
/// # Errors
/// If the file cannot be read, or a line is malformed.
pub fn read(path: &Path) -> Result<Vec<LedgerCall>, ModelError> {
    let mut text = Vec::new();
    match File::open(path) {
        Ok(mut file) => file.read_to_end(&mut text).map_err(|error| storage(path, "read", &error))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(storage(path, "read", &error)),
    };
    parse(path, &text[..complete_length(&text)])
}

/// The length of the complete lines of a ledger.
fn complete_length(text: &[u8]) -> usize {
    text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

fn parse(path: &Path, text: &[u8]) -> Result<Vec<LedgerCall>, ModelError> {
    let mut calls: Vec<LedgerCall> = Vec::new();
    let mut positions = HashMap::new();
    let malformed = |number: usize, reason: &str| {
        let message = format!("the ledger `{}` is damaged at line {}: {reason}", path.display(), number + 1);
        ModelError::new(ErrorKind::Storage, message)
    };
    for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        match serde_json::from_slice(line).map_err(|error| malformed(number, &error.to_string()))? {
            Line::Start(start) if start.version > VERSION => {
                let reason =
                    format!("it has version {}, and this program reads versions up to {VERSION}", start.version);
                return Err(malformed(number, &reason));
            }
            Line::Start(start) => {
                positions.insert(start.call, calls.len());
                calls.push(LedgerCall { start, end: None });
            }
            Line::End(end) => {
                let position =
                    positions.get(&end.call).ok_or_else(|| malformed(number, "the end of an unknown call"))?;
                calls[*position].end = Some(end);
            }
        }
    }
    Ok(calls)
}

fn storage(path: &Path, verb: &str, error: &std::io::Error) -> ModelError {
    ModelError::new(ErrorKind::Storage, format!("cannot {verb} `{}`: {error}", path.display()))
}

/// A ledger that is open for appending, by this process only.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    state: Mutex<LedgerState>,
}

#[derive(Debug)]
struct LedgerState {
    file: File,
    last_call: u64,
}

impl Ledger {
    /// Opens a ledger, or creates it, and returns the calls in it.
    pub(crate) fn open(path: &Path) -> Result<(Self, Vec<LedgerCall>), ModelError> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = file.map_err(|error| storage(path, "open", &error))?;
        match file.try_lock() {
            // A file system without locks does not prevent work.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => {
                let message = format!(
                    "another process uses the ledger `{}`; wait for it, or choose another folder with --cache",
                    path.display()
                );
                return Err(ModelError::new(ErrorKind::Storage, message));
            }
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(|error| storage(path, "read", &error))?;
        let length = complete_length(&text);
        if length < text.len() {
            // The process was stopped while it wrote this line.
            file.set_len(length as u64).map_err(|error| storage(path, "repair", &error))?;
        }
        let calls = parse(path, &text[..length])?;
        let last_call = calls.iter().map(|call| call.start.call).max().unwrap_or(0);
        Ok((Self { path: path.to_owned(), state: Mutex::new(LedgerState { file, last_call }) }, calls))
    }

    /// Writes the beginning of a call and returns its number.
    pub(crate) fn start(&self, start: CallStart) -> Result<u64, ModelError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let call = state.last_call + 1;
        self.append(&mut state.file, &Line::Start(CallStart { call, version: VERSION, ..start }))?;
        state.last_call = call;
        Ok(call)
    }

    /// Writes the end of a call.
    pub(crate) fn end(&self, end: CallEnd) -> Result<(), ModelError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.append(&mut state.file, &Line::End(end))
    }

    fn append(&self, file: &mut File, line: &Line) -> Result<(), ModelError> {
        let mut text = serde_json::to_string(line).unwrap_or_default();
        text.push('\n');
        file.write_all(text.as_bytes()).map_err(|error| storage(&self.path, "write", &error))
    }
}

/// Converts a duration to whole milliseconds.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
