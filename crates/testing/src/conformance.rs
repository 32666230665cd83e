//! The folder with what is known of the languages and their other implementations: published programs, recorded outputs.

use std::path::{Path, PathBuf};

/// One part of the conformance data, such as `game`: in the folder that `GOALSPEC_CONFORMANCE` names, or beside the repository.
/// `None`, with a line that says so, where it is absent.
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
