//! `OCAtari`, the implementation that `goalspec-atari` is to agree with: recorded, compared, timed.

use std::path::Path;
use std::process::Command;

use crate::{Outcome, cargo, root, run};

/// `OCAtari` itself, and what it runs on. Releases of `NumPy` from 2 on compute with bytes in another way than `OCAtari` expects.
const PACKAGES: &[&str] = &["ocatari==2.2.1", "ale-py==0.12.1", "gymnasium==1.4.0", "numpy==1.26.4"];

/// Records the objects that `OCAtari` detects, in the games named or in all ten, and compares the decoder with them.
pub(crate) fn ocatari(games: &[String]) -> Outcome {
    let folder = root().join("target/ocatari");
    let python = folder.join("bin/python");
    if !python.exists() {
        install(&folder, &python)?;
    }
    let script = root().join("crates/xtask/src/detections.py");
    run("OCAtari", Command::new(&python).arg(script).arg(root().join("target/data/ocatari")).args(games))?;
    let compare = ["test", "--quiet", "-p", "goalspec-atari", "--test", "recorded", "--", "--nocapture"];
    cargo("comparison", &compare, &[])
}

fn install(folder: &Path, python: &Path) -> Outcome {
    run("virtual environment", Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet"]).args(PACKAGES);
    run(PACKAGES[0], &mut pip).inspect_err(|_| {
        // A half-made environment would be taken for a whole one next time.
        let _ = std::fs::remove_dir_all(folder);
    })
}
