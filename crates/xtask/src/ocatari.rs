//! The comparison with `OCAtari`, the reference for `goalspec-atari`.

use std::process::Command;

use crate::{CommandResult, cargo, peers, root, run};

/// `OCAtari` and its dependencies. From release 2, arithmetic on bytes in `NumPy` differs from what `OCAtari` expects.
const PACKAGES: &[&str] = &["ocatari==2.2.1", "ale-py==0.12.1", "gymnasium==1.4.0", "numpy==1.26.4"];

/// Records the objects that `OCAtari` detects in the named games, or in all ten, and compares the decoder with them.
pub(crate) fn ocatari(games: &[String]) -> CommandResult {
    let python = peers::environment(&root().join("target/ocatari"), PACKAGES)?;
    let script = root().join("crates/xtask/src/detections.py");
    run("OCAtari", Command::new(&python).arg(script).arg(root().join("target/data/ocatari")).args(games))?;
    let compare = [
        &["test", "--quiet", "-p", "goalspec-atari", "--test", "integration", "--"][..],
        &["--nocapture", "recorded::", "facts::"],
    ]
    .concat();
    cargo("comparison", &compare, &[])
}
