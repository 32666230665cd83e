//! Traces to be read, possibly more than once: a file, bytes or states in memory, or one episode of a recording.

use std::path::PathBuf;
use std::sync::Arc;

use goalspec_syntax::Diagnostic;

use crate::error::Result;
use crate::open::Source;
use crate::store::Trace;

/// The number of states between two reports of progress.
pub const STATES_PER_PROGRESS_REPORT: u64 = 256;

/// A trace to be read, with a name for messages.
#[derive(Debug, Clone)]
pub enum TraceInput {
    /// A file.
    File(PathBuf),
    /// The bytes of a file, with a name for messages.
    Bytes(Arc<str>, Arc<[u8]>),
    /// A trace in memory, with a name for messages.
    Trace(Arc<str>, Arc<Trace>),
    /// An episode of a recording, by its number.
    Episode(Box<Self>, u64),
}

impl TraceInput {
    /// Returns the name of the trace in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Bytes(name, _) | Self::Trace(name, _) => name.to_string(),
            Self::Episode(input, number) => format!("{}#{number}", input.name()),
        }
    }

    /// Opens the trace at its beginning.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn open(&self) -> Result<Source<'_>> {
        match self {
            Self::File(path) => Source::open(path),
            Self::Bytes(_, bytes) => Source::from_reader(&bytes[..]),
            Self::Trace(_, trace) => Ok(Source::from_trace(Arc::clone(trace))),
            Self::Episode(input, number) => Ok(input.open()?.with_episode(*number)),
        }
    }
}

/// Adds the name of the trace to a diagnostic, which has no span in a loaded text.
pub fn with_trace_name(trace: &str, mut finding: Diagnostic) -> Diagnostic {
    if let Some(quote) = &mut finding.quote {
        quote.rename(trace);
    }
    if finding.code.0.starts_with("trace/") && !finding.message.contains(trace) {
        finding.message = format!("{trace}: {}", finding.message);
    }
    finding
}
