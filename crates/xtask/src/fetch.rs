//! Published data that tests are run against and that the repository does not hold.

use std::process::Command;

use crate::{Outcome, root, run};

/// The releases of the Python package `bddl` that tests look for.
const BDDL: [&str; 5] = ["1.0.0", "1.0.1", "3.1.0", "3.5.0", "3.6.0"];

/// The exit code of `goalspec fetch` where something cannot be downloaded.
const NOT_DOWNLOADED: i32 = 3;

/// Fetches releases of `bddl` into `target/data/bddl-VERSION`, those that are not there yet, with `goalspec fetch`.
///
/// Without network or pip it says so and succeeds: the tests that need the files skip themselves. An archive that is not the one
/// expected is an error.
pub(crate) fn bddl() -> Outcome {
    // All that the tests need, so that nothing is built twice with other features.
    let build = ["test", "--workspace", "--lib", "--bins", "--tests", "--no-run"];
    run("building the tests", Command::new(env!("CARGO")).args(build))?;
    let mut fetch = Command::new(root().join("target/debug/goalspec"));
    fetch.args(["fetch", "bddl"]);
    fetch.args(BDDL.iter().flat_map(|version| ["--release", version])).arg("--into").arg(root().join("target/data"));
    let status = fetch.current_dir(root()).status().map_err(|error| format!("goalspec: {error}"))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(NOT_DOWNLOADED) => {
            eprintln!("skipped; tests that need it skip themselves");
            Ok(())
        }
        _ => Err(format!("goalspec fetch failed: {status}")),
    }
}
