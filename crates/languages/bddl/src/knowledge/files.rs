//! Where the files of a release are read from.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use goalspec_syntax::diagnostic::{Diagnostic, Severity};

use super::codes;

/// Reads the bytes of a file; what is packed, it unpacks.
pub type ReadBytes<'a> = &'a dyn Fn(&Path) -> io::Result<Vec<u8>>;

/// The files of a release.
#[derive(Clone, Copy)]
pub(super) enum Files<'a> {
    /// In the file system, each under its name or with `.gz` or `.zst` behind it.
    Disk(ReadBytes<'a>),
    /// Read before, by their paths.
    Given(&'a BTreeMap<PathBuf, String>),
}

impl<'a> Files<'a> {
    pub(super) fn has_file(self, path: &Path) -> bool {
        match self {
            Self::Disk(_) => on_disk(path).is_some(),
            Self::Given(texts) => texts.contains_key(path),
        }
    }

    pub(super) fn has_folder(self, path: &Path) -> bool {
        match self {
            Self::Disk(_) => path.is_dir(),
            Self::Given(texts) => texts.keys().any(|known| known != path && known.starts_with(path)),
        }
    }

    /// What lies in a folder, in order.
    pub(super) fn list(self, folder: &Path) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
        let mut paths: Vec<PathBuf> = match self {
            Self::Disk(_) => {
                let listing = std::fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
                listing.filter_map(|entry| entry.ok().map(|entry| unpacked(entry.path()))).collect()
            }
            Self::Given(texts) => texts.keys().filter(|path| path.parent() == Some(folder)).cloned().collect(),
        };
        paths.sort();
        // One that lies there plain and packed.
        paths.dedup();
        Ok(paths)
    }

    /// The text of a file.
    pub(super) fn read(self, path: &Path) -> Result<Cow<'a, str>, Box<Diagnostic>> {
        match self {
            Self::Disk(read) => {
                let bytes = read(&on_disk(path).unwrap_or_else(|| path.to_owned()))
                    .map_err(|error| unreadable(path, &error))?;
                String::from_utf8(bytes).map(Cow::Owned).map_err(|error| damaged(path, &error.utf8_error()))
            }
            Self::Given(texts) => texts
                .get(path)
                .map(|text| Cow::Borrowed(&**text))
                .ok_or_else(|| unreadable(path, &"there is no such file")),
        }
    }
}

/// The endings of packed files.
const PACKED: [&str; 2] = ["gz", "zst"];

/// Where a file lies: under its name, or packed with the ending of the packing behind it.
fn on_disk(path: &Path) -> Option<PathBuf> {
    let packed = PACKED.into_iter().map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(".");
        name.push(ending);
        PathBuf::from(name)
    });
    std::iter::once(path.to_owned()).chain(packed).find(|path| path.is_file())
}

/// The name of a file without the ending of a packing.
pub(super) fn unpacked(path: PathBuf) -> PathBuf {
    let packed = path.extension().is_some_and(|ending| PACKED.iter().any(|known| ending == *known));
    if packed { path.with_extension("") } else { path }
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> Box<Diagnostic> {
    let message = format!("cannot read {}: {error}", path.display());
    Box::new(Diagnostic::new(codes::UNREADABLE, Severity::Error, message))
}

pub(super) fn damaged(path: &Path, error: &dyn std::fmt::Display) -> Box<Diagnostic> {
    let message = format!("{} is damaged: {error}", path.display());
    Box::new(Diagnostic::new(codes::DAMAGED, Severity::Error, message))
}
