//! Shared test utilities: the activities and recorded outputs of the releases, and test cases in text files.

#![allow(dead_code, reason = "every test binary uses a part of it")]
#![allow(unreachable_pub, reason = "shared by several test binaries")]

use std::io::Read as _;
use std::path::{Path, PathBuf};

use goalspec_bddl::dialect::Release;
use serde_json::Value;

/// Returns the version number of a release.
pub fn version(release: Release) -> &'static str {
    match release {
        Release::V1_0 => "1.0.0",
        Release::V3_6 => "3.6.0",
    }
}

/// An activity file of a release.
#[derive(Debug)]
pub struct Activity {
    /// The name of the folder of the activity.
    pub name: String,
    /// The source text.
    pub text: String,
}

/// Returns the activities of a release, sorted by name; `None`, with a printed note, if they have not been downloaded.
pub fn activities(release: Release) -> Option<Vec<Activity>> {
    activities_of(version(release))
}

/// Returns the activities of a version, like [`activities`].
pub fn activities_of(version: &str) -> Option<Vec<Activity>> {
    let folder = definitions_of(version)?;
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("the folder can be read").path().join("problem0.bddl"))
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let read = |path: PathBuf| Activity {
        name: path.parent().and_then(Path::file_name).expect("it has a folder").to_string_lossy().into_owned(),
        text: std::fs::read_to_string(&path).expect("the activity can be read"),
    };
    Some(paths.into_iter().map(read).collect())
}

/// Returns the folder with the activities of a release.
pub fn definitions(release: Release) -> Option<PathBuf> {
    definitions_of(version(release))
}

/// Returns the folder with the activities of a version.
pub fn definitions_of(version: &str) -> Option<PathBuf> {
    let part = format!("target/data/bddl-{version}/bddl/activity_definitions");
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = folders.find_map(|folder| Some(folder.join(&part)).filter(|path| path.is_dir()));
    if found.is_none() {
        eprintln!("skipped: no {part} (run `cargo xtask fetch-bddl`)");
    }
    found
}

/// Returns the folder of recorded outputs; `None`, with a printed note, if it does not exist.
pub fn conformance() -> Option<PathBuf> {
    goalspec_testing::conformance::folder("bddl")
}

/// Returns the rows of a recording, such as `parse`, of a release.
pub fn rows(kind: &str, release: Release) -> Option<Vec<Value>> {
    let path = conformance()?.join(format!("{kind}-{}.jsonl.gz", version(release)));
    let file = std::fs::File::open(&path).expect("the recording can be read");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("the recording is text");
    Some(text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect())
}
