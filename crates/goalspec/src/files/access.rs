//! Access to the texts of files: those on disk, or others in their place, such as the open documents of an editor.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_syntax::Diagnostic;

use super::read_text;

/// A source of the texts of files.
pub trait TextFiles: fmt::Debug + Send + Sync {
    /// Returns the text of a file.
    ///
    /// # Errors
    /// As [`read_text`].
    fn read_text(&self, path: &Path) -> Result<String, Box<Diagnostic>>;

    /// Whether there is a file with this path.
    fn is_file(&self, path: &Path) -> bool;

    /// Returns the paths of the files in a folder, in any order; none if it cannot be read.
    fn files_in(&self, folder: &Path) -> Vec<PathBuf>;
}

/// A shared source of texts; by default, the files on disk.
#[derive(Debug, Clone)]
pub struct FileAccess(Arc<dyn TextFiles>);

impl FileAccess {
    /// Returns the access to a source of texts.
    pub fn new(files: Arc<dyn TextFiles>) -> Self {
        Self(files)
    }
}

impl Default for FileAccess {
    fn default() -> Self {
        Self(Arc::new(DiskFiles))
    }
}

impl TextFiles for FileAccess {
    fn read_text(&self, path: &Path) -> Result<String, Box<Diagnostic>> {
        self.0.read_text(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.0.is_file(path)
    }

    fn files_in(&self, folder: &Path) -> Vec<PathBuf> {
        self.0.files_in(folder)
    }
}

/// The files on disk.
#[derive(Debug)]
struct DiskFiles;

impl TextFiles for DiskFiles {
    fn read_text(&self, path: &Path) -> Result<String, Box<Diagnostic>> {
        read_text(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn files_in(&self, folder: &Path) -> Vec<PathBuf> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
    }
}
