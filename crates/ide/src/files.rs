//! Open documents over the files on disk, and the record of accesses that shows on which of them a result depends.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use goalspec::files::{FileAccess, TextFiles};
use goalspec::syntax::Diagnostic;
use rustc_hash::FxHashMap;

/// An open document.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) text: Arc<str>,
    /// The number of the change that led to this text, unique in its workspace.
    pub(crate) revision: u64,
}

/// The open documents by path, over the files on disk.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overlay {
    pub(crate) documents: FxHashMap<PathBuf, Document>,
}

/// An access to a file or folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Access {
    File(PathBuf),
    Folder(PathBuf),
}

/// The state of a file or folder at the time of an access. Equal states imply equal contents.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Missing,
    /// An open document, at a revision.
    Open(u64),
    /// A file on disk: its length and the time of its last change.
    OnDisk(u64, Option<SystemTime>),
    /// The files of a folder.
    Listing(Vec<PathBuf>),
}

/// The accesses from which a result was computed.
#[derive(Debug, Default)]
pub(crate) struct Dependencies {
    states: BTreeMap<Access, State>,
}

impl Dependencies {
    /// Whether all files are as they were.
    pub(crate) fn are_current(&self, overlay: &Overlay) -> bool {
        self.states.iter().all(|(access, state)| overlay.state(access) == *state)
    }

    /// Whether the result depends on a file.
    pub(crate) fn contain(&self, path: &Path) -> bool {
        self.states.contains_key(&Access::File(path.to_owned()))
    }
}

impl Overlay {
    /// Returns the text of a file.
    pub(crate) fn read_text(&self, path: &Path) -> Result<Arc<str>, Box<Diagnostic>> {
        match self.documents.get(path) {
            Some(document) => Ok(document.text.clone()),
            None => FileAccess::default().read_text(path).map(Into::into),
        }
    }

    fn files_in(&self, folder: &Path) -> Vec<PathBuf> {
        let mut paths = FileAccess::default().files_in(folder);
        paths.extend(self.documents.keys().filter(|path| path.parent() == Some(folder)).cloned());
        paths.sort();
        paths.dedup();
        paths
    }

    fn state(&self, access: &Access) -> State {
        let path = match access {
            Access::Folder(folder) => return State::Listing(self.files_in(folder)),
            Access::File(path) => path,
        };
        if let Some(document) = self.documents.get(path) {
            return State::Open(document.revision);
        }
        match path.metadata() {
            Ok(metadata) if metadata.is_file() => State::OnDisk(metadata.len(), metadata.modified().ok()),
            _ => State::Missing,
        }
    }
}

/// An overlay that records the accesses to it.
#[derive(Debug)]
pub(crate) struct Recorder {
    overlay: Arc<Overlay>,
    dependencies: Mutex<Dependencies>,
}

impl Recorder {
    pub(crate) fn new(overlay: Arc<Overlay>) -> Arc<Self> {
        Arc::new(Self { overlay, dependencies: Mutex::default() })
    }

    /// Returns the accesses so far, and forgets them.
    pub(crate) fn take(&self) -> Dependencies {
        std::mem::take(&mut *self.dependencies.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn record(&self, access: Access) {
        let state = self.overlay.state(&access);
        let mut dependencies = self.dependencies.lock().unwrap_or_else(PoisonError::into_inner);
        // The first state counts: a file that changes meanwhile makes the result outdated.
        dependencies.states.entry(access).or_insert(state);
    }
}

impl TextFiles for Recorder {
    fn read_text(&self, path: &Path) -> Result<String, Box<Diagnostic>> {
        self.record(Access::File(path.to_owned()));
        self.overlay.read_text(path).map(|text| text.as_ref().to_owned())
    }

    fn is_file(&self, path: &Path) -> bool {
        self.record(Access::File(path.to_owned()));
        self.overlay.documents.contains_key(path) || path.is_file()
    }

    fn files_in(&self, folder: &Path) -> Vec<PathBuf> {
        self.record(Access::Folder(folder.to_owned()));
        self.overlay.files_in(folder)
    }
}
