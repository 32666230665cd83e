//! Published test data that is not in the repository.

use std::process::Command;

use crate::{CommandResult, root, run};

/// The releases of the Python package `bddl` that the tests use.
const BDDL: [&str; 5] = ["1.0.0", "1.0.1", "3.1.0", "3.5.0", "3.6.0"];

/// The exit code of `goalspec fetch` for a failed download.
const NOT_DOWNLOADED: i32 = 3;

/// Fetches the missing releases of `bddl` into `target/data/bddl-VERSION` with `goalspec fetch`.
///
/// Without network or pip, this prints a message and succeeds: the tests that need the files are skipped. An unexpected archive is an
/// error.
pub(crate) fn bddl() -> CommandResult {
    // Build everything that the tests need, to avoid building twice with different features.
    let build = ["test", "--workspace", "--lib", "--bins", "--tests", "--no-run"];
    run("building the tests", Command::new(env!("CARGO")).args(build))?;
    let mut fetch = Command::new(root().join("target/debug/goalspec"));
    fetch.args(["fetch", "bddl"]);
    fetch.args(BDDL.iter().flat_map(|version| ["--release", version])).arg("--into").arg(root().join("target/data"));
    let status = fetch.current_dir(root()).status().map_err(|error| format!("goalspec: {error}"))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(NOT_DOWNLOADED) => {
            eprintln!("skipped; tests that require the data are skipped");
            Ok(())
        }
        _ => Err(format!("goalspec fetch failed: {status}")),
    }
}
