//! Traces to be read, possibly more than once: a file, bytes or states in memory, or one episode of a recording.

use std::path::PathBuf;
use std::sync::Arc;

use goalspec_syntax::Diagnostic;

use crate::codes;
use crate::error::Result;
use crate::limits::ActiveReadLimits;
use crate::open::{OpenOptions, Source};
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
    /// A trace whose reading is limited. All its readers share the time.
    Limited(Box<Self>, ActiveReadLimits),
}

impl TraceInput {
    /// Returns the name of the trace in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Bytes(name, _) | Self::Trace(name, _) => name.to_string(),
            Self::Episode(input, number) => format!("{}#{number}", input.name()),
            Self::Limited(input, _) => input.name(),
        }
    }

    /// Opens the trace at its beginning.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn open(&self) -> Result<Source<'_>> {
        self.open_within(&OpenOptions::default())
    }

    /// Opens the trace at its beginning. A compressed file is decompressed on a thread of its own, as by [`Source::open_ahead`].
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn open_ahead(&self) -> Result<Source<'_>> {
        self.open_within(&OpenOptions { ahead: true, ..OpenOptions::default() })
    }

    fn open_within(&self, options: &OpenOptions) -> Result<Source<'_>> {
        match self {
            Self::File(path) => Source::open_with(path, options),
            Self::Bytes(_, bytes) => Source::from_bytes_with(bytes, options),
            Self::Trace(_, trace) => Source::from_trace_with(Arc::clone(trace), options),
            Self::Episode(input, number) => Ok(input.open_within(options)?.with_episode(*number)),
            Self::Limited(input, limits) => input.open_within(&OpenOptions { limits: Some(*limits), ..*options }),
        }
    }
}

/// Adds the name of the trace to a diagnostic, which has no span in a loaded text.
pub fn with_trace_name(trace: &str, mut finding: Diagnostic) -> Diagnostic {
    if let Some(quote) = &mut finding.quote {
        quote.rename(trace);
    }
    if finding.code.0.starts_with("trace/") && !is_about(&finding, trace) {
        finding.message = format!("{trace}: {}", finding.message);
    }
    finding
}

/// Whether the message of a diagnostic names the trace: at its beginning or, if the file could not be read or belongs to another world, in
/// quotes. A short name may occur elsewhere in a message for another reason.
fn is_about(finding: &Diagnostic, trace: &str) -> bool {
    let rest = finding.message.strip_prefix('`').unwrap_or(&finding.message).strip_prefix(trace);
    rest.is_some_and(|rest| rest.starts_with(": ") || rest.starts_with("` "))
        || [codes::IO, codes::WRONG_WORLD].contains(&finding.code) && finding.message.contains(&format!("`{trace}`"))
}

#[cfg(test)]
mod tests {
    use goalspec_syntax::{Code, Severity};

    use super::*;

    #[test]
    fn messages_name_their_trace_once() {
        let named = |trace: &str, code: Code, message: &str| {
            with_trace_name(trace, Diagnostic::new(code, Severity::Error, message)).message
        };
        assert_eq!(named("a", codes::SYNTAX, "expected a number"), "a: expected a number");
        assert_eq!(named("state", codes::SYNTAX, "unknown field `state`"), "state: unknown field `state`");
        assert_eq!(named("1", codes::GAP, "state 1 is missing"), "1: state 1 is missing");
        for message in
            ["a.jsonl: expected a number", "`a.jsonl` matches none of the worlds", "cannot open `a.jsonl`: no"]
        {
            assert_eq!(named("a.jsonl", codes::IO, message), message);
        }
    }
}
