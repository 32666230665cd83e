//! Download of releases of the Python package `bddl` from the Python package index, with pip.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A version of the package on the package index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    /// Its version number, such as `3.6.0`.
    pub number: &'static str,
    /// The SHA-256 of its source archive, in hexadecimal.
    sha256: &'static str,
}

/// The versions that can be fetched, from oldest to newest.
pub const VERSIONS: [Version; 5] = [
    Version { number: "1.0.0", sha256: "1d626324dcb12b8aaa623413e03b123a39fa8304ccc1867996c753771ebaf276" },
    Version { number: "1.0.1", sha256: "1fa4e6e5050b93888ff6fd8455c39bfb29d3864ce06b4c37c0f781f513a2ae26" },
    Version { number: "3.1.0", sha256: "235c7785642fa91296923376a2b9d78c8b20ff2833b869578d62e6afcf7bcdef" },
    Version { number: "3.5.0", sha256: "1c994730d65170a2331224fdaf58e8c0e3862defd019099e42fa1ba656c2ce92" },
    Version { number: "3.6.0", sha256: "81d40ab7a32769828ecad3110c7db5e40e26cfb29b1158b3448a6ccb91e5d386" },
];

/// The names of the Python interpreter.
const PYTHONS: [&str; 3] = ["python3", "python", "py"];

/// The reason why a version was not fetched.
#[derive(Debug)]
pub enum FetchError {
    /// The version is unknown.
    UnknownVersion(String),
    /// No Python with pip is installed.
    NoPip,
    /// The download failed, with the error message of pip.
    Download(String),
    /// The archive has an unexpected hash or cannot be unpacked.
    Archive(String),
    /// The folder of the version exists and is not a complete release.
    Occupied(PathBuf),
    /// A file or folder cannot be written, or Python cannot be run.
    Io(PathBuf, io::Error),
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownVersion(version) => {
                let known: Vec<&str> = VERSIONS.iter().map(|version| version.number).collect();
                write!(f, "unknown release {version}; known releases: {}", known.join(", "))
            }
            Self::NoPip => f.write_str(
                "pip is not installed: install Python and pip (check with `python3 -m pip --version`), or unpack the source archive from \
                 <https://pypi.org/project/bddl/#files> and specify its folder with --knowledge",
            ),
            Self::Download(reason) => write!(f, "download failed: {reason}"),
            Self::Archive(reason) => f.write_str(reason),
            Self::Occupied(folder) => write!(
                f,
                "{} exists and is not a complete release: move it, or fetch into another folder with --into",
                folder.display()
            ),
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for FetchError {}

/// A version in a local folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedRelease {
    /// The folder of the version.
    pub folder: PathBuf,
    /// Whether the folder was present before the call.
    pub was_present: bool,
}

/// Returns the name of the folder of a version.
pub fn folder_name(version: &str) -> String {
    format!("bddl-{version}")
}

/// Fetches a version into a folder of its own inside `target`, unless it is already there. The hash of the archive is verified.
///
/// # Errors
/// If the version is unknown, pip is missing, the download or a write fails, or the archive has another hash.
pub fn bddl(version: &str, target: &Path) -> Result<FetchedRelease, FetchError> {
    let known = VERSIONS.iter().find(|known| known.number == version);
    let known = known.ok_or_else(|| FetchError::UnknownVersion(version.to_owned()))?;
    let folder = target.join(folder_name(version));
    if folder.join("bddl").join("activity_definitions").is_dir() {
        return Ok(FetchedRelease { folder, was_present: true });
    }
    remove_empty_folder(&folder)?;
    let works =
        |python: &&&str| run(python, &["-m", "pip", "--version"], &[]).is_ok_and(|output| output.status.success());
    let python = PYTHONS.iter().find(works).ok_or(FetchError::NoPip)?;
    let workplace = target.join(format!(".fetch-{version}-{}", std::process::id()));
    let outcome = download(python, known, &workplace, &folder);
    // Leftover files are useless, and failing to remove them does no harm.
    let _ = std::fs::remove_dir_all(&workplace);
    outcome.map(|()| FetchedRelease { folder, was_present: false })
}

fn download(python: &str, version: &Version, workplace: &Path, folder: &Path) -> Result<(), FetchError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| FetchError::Io(path, error)
    };
    std::fs::create_dir_all(workplace).map_err(failed(workplace))?;
    let requirements = workplace.join("requirements.txt");
    let Version { number, sha256 } = version;
    std::fs::write(&requirements, format!("bddl=={number} --hash=sha256:{sha256}\n")).map_err(failed(&requirements))?;
    let mut options = vec!["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--require-hashes"];
    options.extend(["--disable-pip-version-check", "--timeout", "15", "--retries", "1"]);
    let paths: [&Path; 4] = [Path::new("--dest"), workplace, Path::new("--requirement"), &requirements];
    let output = run(python, &options, &paths).map_err(failed(Path::new(python)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        if stderr.contains("DO NOT MATCH THE HASHES") {
            return Err(FetchError::Archive(format!(
                "the archive of the package index does not match the known hash\n{stderr}"
            )));
        }
        let reason = stderr.lines().rev().find(|line| line.contains("ERROR")).unwrap_or("pip failed").trim();
        return Err(FetchError::Download(reason.to_owned()));
    }
    let archive = workplace.join(format!("bddl-{number}.tar.gz"));
    let unpack = ["-m", "tarfile", "--extract"];
    let output = run(python, &unpack, &[&archive, workplace]).map_err(failed(Path::new(python)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(FetchError::Archive(format!("cannot unpack {}: {stderr}", archive.display())));
    }
    install(&workplace.join(folder_name(number)), folder)
}

/// Moves an unpacked release to its final folder.
fn install(unpacked: &Path, folder: &Path) -> Result<(), FetchError> {
    remove_empty_folder(folder)?;
    std::fs::rename(unpacked, folder).map_err(|error| FetchError::Io(folder.to_owned(), error))
}

/// Removes the folder if it is empty. Other files and folders of that name are kept and cause an error.
fn remove_empty_folder(folder: &Path) -> Result<(), FetchError> {
    match std::fs::remove_dir(folder) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => Err(FetchError::Occupied(folder.to_owned())),
    }
}

fn run(program: &str, arguments: &[&str], paths: &[&Path]) -> io::Result<Output> {
    Command::new(program).args(arguments).args(paths).output()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_releases_are_not_fetched_again() {
        let target = std::env::temp_dir().join(format!("goalspec-fetch-{}", std::process::id()));
        let folder = target.join("bddl-3.6.0");
        std::fs::create_dir_all(folder.join("bddl/activity_definitions")).expect("it can be made");
        assert_eq!(
            bddl("3.6.0", &target).expect("the release is present"),
            FetchedRelease { folder, was_present: true }
        );
        let unknown = bddl("3.7.0", &target).expect_err("there is no such version").to_string();
        assert!(unknown.contains("3.7.0") && unknown.contains("3.6.0"), "{unknown}");
        std::fs::remove_dir_all(target).expect("it can be removed");
    }

    #[test]
    fn existing_files_are_not_removed() {
        let target = std::env::temp_dir().join(format!("goalspec-fetch-into-{}", std::process::id()));
        let (unpacked, folder) = (target.join("unpacked"), target.join("bddl-3.6.0"));
        std::fs::create_dir_all(unpacked.join("bddl/activity_definitions")).expect("it can be made");
        // A folder with files of the user, and a file: both before anything is downloaded and after.
        std::fs::create_dir_all(&folder).expect("it can be made");
        std::fs::write(folder.join("notes.txt"), "mine").expect("it can be written");
        for found in [bddl("3.6.0", &target).map(drop), install(&unpacked, &folder)] {
            let error = found.expect_err("it is in the way").to_string();
            assert!(error.contains(&folder.display().to_string()) && error.contains("--into"), "{error}");
        }
        assert_eq!(std::fs::read_to_string(folder.join("notes.txt")).expect("the file can be read"), "mine");
        std::fs::remove_file(folder.join("notes.txt")).expect("it can be removed");
        install(&unpacked, &folder).expect("an empty folder is in nobody's way");
        assert!(bddl("3.6.0", &target).expect("the release is present").was_present);
        std::fs::write(target.join("bddl-3.5.0"), "mine").expect("it can be written");
        assert!(matches!(bddl("3.5.0", &target), Err(FetchError::Occupied(_))));
        std::fs::remove_dir_all(target).expect("it can be removed");
    }
}
