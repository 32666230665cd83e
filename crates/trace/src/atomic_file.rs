//! Files that are replaced atomically.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// A file that is written to a temporary file in the same folder and renamed to its path at the end, so that an output that fails
/// halfway does not destroy the previous content. Dropped before the end, it leaves nothing behind.
///
/// A path that names no regular file, such as a pipe or a device, is written to directly.
#[derive(Debug)]
pub struct AtomicFile {
    kind: WriteTarget,
    place: PathBuf,
}

#[derive(Debug)]
enum WriteTarget {
    Temporary(NamedTempFile),
    Direct(File),
}

impl AtomicFile {
    /// Creates the file.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        // The target of a link is replaced, and not the link.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let metadata = fs::metadata(&place).ok();
        let kind = match &metadata {
            Some(metadata) if !metadata.is_file() => WriteTarget::Direct(File::create(&place)?),
            Some(_) => {
                // A file without write permission is not replaced, either.
                File::options().append(true).open(&place)?;
                match create_temporary(&place, metadata.as_ref()) {
                    // A file may be writable in a folder that is not.
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                        WriteTarget::Direct(File::create(&place)?)
                    }
                    file => WriteTarget::Temporary(file?),
                }
            }
            None => WriteTarget::Temporary(create_temporary(&place, None)?),
        };
        Ok(Self { kind, place })
    }

    /// Renames the temporary file to its path. Bytes written afterwards are lost.
    ///
    /// # Errors
    /// If the file cannot be written or renamed.
    pub fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        match &mut self.kind {
            WriteTarget::Direct(_) => Ok(()),
            WriteTarget::Temporary(file) => {
                fs::rename(file.path(), &self.place)?;
                file.disable_cleanup(true);
                Ok(())
            }
        }
    }

    /// Keeps the written bytes where they are, without renaming the file, and returns their path.
    pub fn keep_temporary(&mut self) -> &Path {
        match &mut self.kind {
            WriteTarget::Direct(_) => &self.place,
            WriteTarget::Temporary(file) => {
                file.disable_cleanup(true);
                file.path()
            }
        }
    }
}

/// Creates a temporary file in the same folder, with the permissions of the file that it replaces, or of a new file.
fn create_temporary(place: &Path, metadata: Option<&fs::Metadata>) -> io::Result<NamedTempFile> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name = place.file_name().unwrap_or_default();
    let mut builder = Builder::new();
    builder.prefix(name).suffix(".unfinished");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The user's umask restricts the permissions of new files.
        builder.permissions(metadata.map_or_else(|| PermissionsExt::from_mode(0o666), fs::Metadata::permissions));
    }
    let folder = folder.unwrap_or(Path::new("."));
    fs::metadata(folder)?;
    // The error's own message would name the temporary file, which the caller does not know.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.kind {
            WriteTarget::Temporary(file) => file.write(bytes),
            WriteTarget::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            WriteTarget::Temporary(file) => file.flush(),
            WriteTarget::Direct(file) => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::AtomicFile;

    #[test]
    fn the_previous_file_stays_until_the_new_one_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_reported_immediately() {
        let folder = tempfile::tempdir().unwrap();
        let error = AtomicFile::create(&folder.path().join("none/a.txt")).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
        assert!(!error.to_string().contains("unfinished"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link, new) = (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        let mut file = AtomicFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o640);
        AtomicFile::create(&new).unwrap().finish().unwrap();
        fs::write(folder.path().join("d"), "").unwrap();
        let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().mode();
        assert_eq!(mode("c"), mode("d"));
    }
}
