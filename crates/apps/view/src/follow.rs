//! Traces that grow while they are viewed.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

use goalspec::syntax::Diagnostic;
use goalspec::trace::TraceInput;
use serde::de::IgnoredAny;

/// Maximum size of a trace that is followed, in bytes.
pub const MAX_FOLLOWED_BYTES: u64 = 256 << 20;

/// Returns a text that differs from the one before after a file was changed.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn version(path: &Path) -> Result<String, Box<Diagnostic>> {
    let metadata = fs::metadata(path).map_err(|error| unreadable(&error))?;
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Ok(format!("{}-{}", metadata.len(), modified.unwrap_or_default().as_nanos()))
}

/// Returns the states that a file has at this moment. A line that is still being written is left out.
///
/// # Errors
/// If the file cannot be read or exceeds the limit.
pub(crate) fn snapshot(path: &Path) -> Result<TraceInput, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|error| unreadable(&error))?;
    file.take(MAX_FOLLOWED_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > MAX_FOLLOWED_BYTES {
        return Err(Diagnostic::invalid_argument(format!(
            "a followed trace has at most {} MB; view it without --follow",
            MAX_FOLLOWED_BYTES >> 20
        )));
    }
    bytes.truncate(complete_bytes(&bytes));
    Ok(TraceInput::Bytes(path.display().to_string().into(), bytes.into()))
}

/// Returns the number of bytes without an incomplete last line of JSON Lines; of other formats, all.
fn complete_bytes(bytes: &[u8]) -> usize {
    let is_json = |line: &[u8]| serde_json::from_slice::<IgnoredAny>(line).is_ok();
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let last_line = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    if last_line == 0 || !is_json(first) || is_json(&bytes[last_line..]) { bytes.len() } else { last_line }
}

fn unreadable(error: &std::io::Error) -> Box<Diagnostic> {
    Diagnostic::invalid_argument(format!("the trace cannot be read: {error}"))
}
