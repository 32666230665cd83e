//! Where the files of a release are read from.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use goalspec_syntax::diagnostic::{Diagnostic, Severity};

use super::codes;

/// The files of a release.
#[derive(Debug, Clone, Copy)]
pub(super) enum Files<'a> {
    /// In the file system.
    Disk,
    /// Read before, by their paths.
    Given(&'a BTreeMap<PathBuf, String>),
}

impl<'a> Files<'a> {
    pub(super) fn has_file(self, path: &Path) -> bool {
        match self {
            Self::Disk => path.is_file(),
            Self::Given(texts) => texts.contains_key(path),
        }
    }

    pub(super) fn has_folder(self, path: &Path) -> bool {
        match self {
            Self::Disk => path.is_dir(),
            Self::Given(texts) => texts.keys().any(|known| known != path && known.starts_with(path)),
        }
    }

    /// What lies in a folder, in order.
    pub(super) fn list(self, folder: &Path) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
        let mut paths: Vec<PathBuf> = match self {
            Self::Disk => {
                let listing = std::fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
                listing.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect()
            }
            Self::Given(texts) => texts.keys().filter(|path| path.parent() == Some(folder)).cloned().collect(),
        };
        paths.sort();
        Ok(paths)
    }

    /// The text of a file.
    pub(super) fn read(self, path: &Path) -> Result<Cow<'a, str>, Box<Diagnostic>> {
        match self {
            Self::Disk => {
                let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
                String::from_utf8(bytes).map(Cow::Owned).map_err(|error| damaged(path, &error.utf8_error()))
            }
            Self::Given(texts) => texts
                .get(path)
                .map(|text| Cow::Borrowed(&**text))
                .ok_or_else(|| unreadable(path, &"there is no such file")),
        }
    }
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> Box<Diagnostic> {
    let message = format!("cannot read {}: {error}", path.display());
    Box::new(Diagnostic::new(codes::UNREADABLE, Severity::Error, message))
}

pub(super) fn damaged(path: &Path, error: &dyn std::fmt::Display) -> Box<Diagnostic> {
    let message = format!("{} is damaged: {error}", path.display());
    Box::new(Diagnostic::new(codes::DAMAGED, Severity::Error, message))
}
