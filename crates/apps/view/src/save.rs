//! Saving of changed programs, where the command line permits it.

use std::path::Path;

use goalspec::files;
use goalspec::syntax::Diagnostic;
use sha2::{Digest, Sha256};

/// An outcome of a request to save a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveOutcome {
    /// The file has the new text, whose hash is this.
    Saved(String),
    /// The file differs from the text that was changed, and is not touched.
    ChangedOnDisk {
        /// The text of the file.
        text: String,
        /// Its hash.
        hash: String,
    },
}

/// Returns the hash by which the page names the text of a file.
pub(crate) fn hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Replaces the text of a file if it still has the hash `expected`.
pub(crate) fn save(path: &Path, text: &str, expected: &str) -> Result<SaveOutcome, Box<Diagnostic>> {
    if !path.is_file() {
        return Err(Diagnostic::invalid_argument("the program is no file on this machine, and cannot be saved"));
    }
    let before = files::read_text(path)?;
    let known = hash(&before);
    if known != expected {
        return Ok(SaveOutcome::ChangedOnDisk { text: before, hash: known });
    }
    match files::write_text(path, text) {
        Ok(()) => Ok(SaveOutcome::Saved(hash(text))),
        Err(error) => Err(Diagnostic::invalid_argument(format!("the program cannot be saved: {error}"))),
    }
}
