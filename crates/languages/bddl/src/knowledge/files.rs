//! Access to the files of a release.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use goalspec_syntax::diagnostic::{Diagnostic, Severity};

use crate::codes;

/// A function that reads the bytes of a file, and decompresses them if necessary.
pub type ReadBytes<'a> = &'a dyn Fn(&Path) -> io::Result<Vec<u8>>;

/// The source of the files of a release.
#[derive(Clone, Copy)]
pub(super) enum Files<'a> {
    /// The file system. A file has its own name or the additional suffix `.gz` or `.zst`.
    Disk(ReadBytes<'a>),
    /// Texts in memory, by their paths.
    Memory(&'a BTreeMap<PathBuf, &'a str>),
}

impl<'a> Files<'a> {
    pub(super) fn has_file(self, path: &Path) -> bool {
        match self {
            Self::Disk(_) => on_disk(path).is_some(),
            Self::Memory(texts) => texts.contains_key(path),
        }
    }

    pub(super) fn has_folder(self, path: &Path) -> bool {
        match self {
            Self::Disk(_) => path.is_dir(),
            Self::Memory(texts) => texts.keys().any(|known| known != path && known.starts_with(path)),
        }
    }

    /// Returns the paths of the files in a folder, sorted.
    pub(super) fn list(self, folder: &Path) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
        let mut paths: Vec<PathBuf> = match self {
            Self::Disk(_) => {
                let listing = std::fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
                listing.filter_map(|entry| entry.ok().map(|entry| unpacked(entry.path()))).collect()
            }
            Self::Memory(texts) => texts.keys().filter(|path| path.parent() == Some(folder)).cloned().collect(),
        };
        paths.sort();
        // Removes the duplicate if a file exists both plain and compressed.
        paths.dedup();
        Ok(paths)
    }

    /// Reads the text of a file.
    pub(super) fn read(self, path: &Path) -> Result<Cow<'a, str>, Box<Diagnostic>> {
        match self {
            Self::Disk(read) => {
                let bytes = read(&on_disk(path).unwrap_or_else(|| path.to_owned()))
                    .map_err(|error| unreadable(path, &error))?;
                String::from_utf8(bytes).map(Cow::Owned).map_err(|error| damaged(path, &error.utf8_error()))
            }
            Self::Memory(texts) => {
                texts.get(path).map(|text| Cow::Borrowed(*text)).ok_or_else(|| unreadable(path, &"no such file"))
            }
        }
    }
}

/// The suffixes of compressed files.
const PACKED: [&str; 2] = ["gz", "zst"];

/// Returns the existing path of a file: its own, or that with the suffix of a compressed file.
fn on_disk(path: &Path) -> Option<PathBuf> {
    let compressed = PACKED.into_iter().map(|extension| {
        let mut name = path.as_os_str().to_owned();
        name.push(".");
        name.push(extension);
        PathBuf::from(name)
    });
    std::iter::once(path.to_owned()).chain(compressed).find(|path| path.is_file())
}

/// Returns a path without the suffix of a compressed file.
pub(super) fn unpacked(path: PathBuf) -> PathBuf {
    let compressed = path.extension().is_some_and(|extension| PACKED.iter().any(|known| extension == *known));
    if compressed { path.with_extension("") } else { path }
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> Box<Diagnostic> {
    let message = format!("cannot read {}: {error}", path.display());
    Box::new(Diagnostic::new(codes::KNOWLEDGE_UNREADABLE, Severity::Error, message))
}

pub(super) fn damaged(path: &Path, error: &dyn std::fmt::Display) -> Box<Diagnostic> {
    let message = format!("{} is invalid: {error}", path.display());
    Box::new(Diagnostic::new(codes::KNOWLEDGE_DAMAGED, Severity::Error, message))
}
