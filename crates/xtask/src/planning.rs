//! The comparison of the planner with Fast Downward and ENHSP: the same tasks on the same machine, run sequentially.

use std::path::PathBuf;
use std::process::Command;

use crate::{CommandResult, cargo, peers, root, run};

/// The release of the Python package that contains Fast Downward.
const PACKAGE: &str = "up-fast-downward==1.0.0";

/// The release of the Python package that contains ENHSP, a numeric planner in Java.
const NUMERIC_PACKAGE: &str = "up-enhsp==0.1.1";

/// Installs Fast Downward and ENHSP, builds the benchmarks, and runs the comparison script with the arguments.
pub(crate) fn planning(arguments: &[String]) -> CommandResult {
    let downward = root().join("target/peers/fast-downward");
    peers::environment(&downward, &[PACKAGE])?;
    let enhsp = root().join("target/peers/enhsp");
    peers::environment(&enhsp, &[NUMERIC_PACKAGE])?;
    let build = ["build", "--quiet", "--release"];
    cargo("goalspec", &[&build[..], &["-p", "goalspec-cli"]].concat(), &[])?;
    cargo("grounding alone", &[&build[..], &["-p", "goalspec-planner", "--example", "ground"]].concat(), &[])?;
    let data = std::env::var_os("GOALSPEC_CONFORMANCE")
        .map_or_else(|| root().join("../shared/conformance"), PathBuf::from)
        .join("planning");
    if !data.is_dir() {
        return Err(format!("no tasks: {} not found (set GOALSPEC_CONFORMANCE)", data.display()));
    }
    let mut command = Command::new("python3");
    command.arg(root().join("crates/xtask/src/planning.py"));
    for path in ["target/release/goalspec", "target/release/examples/ground"] {
        command.arg(root().join(path));
    }
    command.args([downward, enhsp, root().join("target/val")]);
    run("planners", command.arg(data).arg(root().join("target/planning")).args(arguments))
}
