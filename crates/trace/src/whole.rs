//! Files that take their places only once they are whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// A file that is written beside its place and takes it at the end, so that what stood there before is not lost to an output that fails
/// halfway. Dropped before the end, it leaves nothing behind.
///
/// Where something stands that is no ordinary file, such as a pipe or a device, that is written to at once.
#[derive(Debug)]
pub struct WholeFile {
    kind: Kind,
    place: PathBuf,
}

#[derive(Debug)]
enum Kind {
    Beside(NamedTempFile),
    InPlace(File),
}

impl WholeFile {
    /// Begins a file.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        // What a link points to is replaced, and not the link.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let there = fs::metadata(&place).ok();
        let kind = match &there {
            Some(there) if !there.is_file() => Kind::InPlace(File::create(&place)?),
            Some(_) => {
                // What may not be written to is not replaced, either.
                File::options().append(true).open(&place)?;
                match beside(&place, there.as_ref()) {
                    // A file may be open for writing in a folder that is not.
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                        Kind::InPlace(File::create(&place)?)
                    }
                    file => Kind::Beside(file?),
                }
            }
            None => Kind::Beside(beside(&place, None)?),
        };
        Ok(Self { kind, place })
    }

    /// Has the file take its place. What is written behind is lost.
    ///
    /// # Errors
    /// The file cannot be written, or not be moved to its place.
    pub fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        match &mut self.kind {
            Kind::InPlace(_) => Ok(()),
            Kind::Beside(file) => {
                fs::rename(file.path(), &self.place)?;
                file.disable_cleanup(true);
                Ok(())
            }
        }
    }

    /// Gives up, and keeps what was written where it is. That place.
    pub fn keep(&mut self) -> &Path {
        match &mut self.kind {
            Kind::InPlace(_) => &self.place,
            Kind::Beside(file) => {
                file.disable_cleanup(true);
                file.path()
            }
        }
    }
}

/// A file in the same folder, with the permissions of the one that it replaces, or of a new one.
fn beside(place: &Path, there: Option<&fs::Metadata>) -> io::Result<NamedTempFile> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name = place.file_name().unwrap_or_default();
    let mut builder = Builder::new();
    builder.prefix(name).suffix(".unfinished");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Of new files, the user's mask takes away what it forbids.
        builder.permissions(there.map_or_else(|| PermissionsExt::from_mode(0o666), fs::Metadata::permissions));
    }
    let folder = folder.unwrap_or(Path::new("."));
    fs::metadata(folder)?;
    // Its own words name the file beside, which nobody asked for.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.kind {
            Kind::Beside(file) => file.write(bytes),
            Kind::InPlace(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            Kind::Beside(file) => file.flush(),
            Kind::InPlace(file) => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::WholeFile;

    #[test]
    fn what_was_there_stays_until_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_is_not_there_is_told_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let error = WholeFile::create(&folder.path().join("none/a.txt")).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
        assert!(!error.to_string().contains("unfinished"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link, fresh) = (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        let mut file = WholeFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o640);
        WholeFile::create(&fresh).unwrap().finish().unwrap();
        fs::write(folder.path().join("d"), "").unwrap();
        let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().mode();
        assert_eq!(mode("c"), mode("d"));
    }
}
