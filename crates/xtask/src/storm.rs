//! The PRISM models that `goalspec analyse` writes, read by another model checker: Storm, through its Python package.

use std::path::Path;
use std::process::Command;

use crate::{Outcome, cargo, root, run};

/// The release of Storm's Python package.
const PACKAGE: &str = "stormpy==2.0.0";

/// Games of this repository.
const GAMES: &[&str] = &["examples/rgg/climb.yaml", "examples/rgg/berries.yaml"];

/// Finite games among the samples of the Cage engine, which are read as it reads them.
const SAMPLES: &[&str] = &["MultiplayerTestRgg.yaml", "TerrainDiscovery.yaml"];

/// Has Storm read models of several games and compares its answers with the exact ones; `python` has the package if it is given.
pub(crate) fn storm(arguments: &[String]) -> Outcome {
    let folder = root().join("target/storm");
    let python = match arguments {
        [python] => Path::new(python).to_owned(),
        _ => folder.join("bin/python"),
    };
    if !python.exists() {
        install(&folder, &python)?;
    }
    cargo("goalspec", &["build", "--quiet", "-p", "goalspec-cli"], &[])?;
    for game in GAMES {
        compare(&python, &root().join(game), &[])?;
    }
    for game in SAMPLES {
        let game = root().join("../shared/conformance/rgg/games").join(game);
        if game.exists() {
            compare(&python, &game, &["--rgg", "cage"])?;
        } else {
            eprintln!("==> skipped: there is no {}", game.display());
        }
    }
    Ok(())
}

fn compare(python: &Path, game: &Path, options: &[&str]) -> Outcome {
    let script = root().join("crates/xtask/src/storm.py");
    let mut command = Command::new(python);
    command.arg(script).arg(root().join("target/debug/goalspec")).arg(root().join("target/storm-models"));
    run(&format!("Storm on {}", game.display()), command.arg(game).args(options))
}

fn install(folder: &Path, python: &Path) -> Outcome {
    run("virtual environment", Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    run(PACKAGE, Command::new(python).args(["-m", "pip", "install", "--quiet", PACKAGE])).inspect_err(|_| {
        // A half-made environment would be taken for a whole one next time.
        let _ = std::fs::remove_dir_all(folder);
    })
}
