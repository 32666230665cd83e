//! The comparison of the PRISM models written by `goalspec analyse` with the Storm model checker, through its Python package.

use std::path::Path;
use std::process::Command;

use crate::{CommandResult, cargo, peers, root, run};

/// The release of the Python package of Storm.
const PACKAGE: &str = "stormpy==2.0.0";

/// Games of this repository.
const GAMES: &[&str] = &["examples/rgg/climb.yaml", "examples/rgg/berries.yaml"];

/// Finite games among the samples of the Cage engine, in the dialect of that engine.
const SAMPLES: &[&str] = &["MultiplayerTestRgg.yaml", "TerrainDiscovery.yaml"];

/// Compares the results of Storm on several models with the exact ones. With `python`, uses its installation of the package.
pub(crate) fn storm(arguments: &[String]) -> CommandResult {
    let python = match arguments {
        [python] => Path::new(python).to_owned(),
        _ => peers::environment(&root().join("target/storm"), &[PACKAGE])?,
    };
    cargo("goalspec", &["build", "--quiet", "-p", "goalspec-cli"], &[])?;
    for game in GAMES {
        compare(&python, &root().join(game), &[])?;
    }
    for game in SAMPLES {
        let game = root().join("../shared/conformance/rgg/games").join(game);
        if game.exists() {
            compare(&python, &game, &["--rgg", "cage"])?;
        } else {
            eprintln!("==> skipped: {} not found", game.display());
        }
    }
    Ok(())
}

fn compare(python: &Path, game: &Path, options: &[&str]) -> CommandResult {
    let script = root().join("crates/xtask/src/storm.py");
    let mut command = Command::new(python);
    command.arg(script).arg(root().join("target/debug/goalspec")).arg(root().join("target/storm-models"));
    run(&format!("Storm on {}", game.display()), command.arg(game).args(options))
}
