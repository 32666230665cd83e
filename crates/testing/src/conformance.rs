//! The location of the conformance data: published programs, and recorded outputs of other implementations.

use std::path::{Path, PathBuf};

/// Returns a folder of the conformance data, such as `game`, in the folder named by `GOALSPEC_CONFORMANCE` or next to the repository.
/// Returns `None` with a printed note if it is absent.
pub fn folder(part: &str) -> Option<PathBuf> {
    let root = std::env::var_os("GOALSPEC_CONFORMANCE").map(PathBuf::from).or_else(|| {
        let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        folders.find_map(|folder| Some(folder.join("../shared/conformance")).filter(|path| path.is_dir()))
    });
    let folder = root.map(|root| root.join(part)).filter(|path| path.is_dir());
    if folder.is_none() {
        eprintln!("skipped: no conformance data for {part} (set GOALSPEC_CONFORMANCE)");
    }
    folder
}
