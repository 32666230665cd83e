//! A snapshot of the public API of the facade, so that a review sees every change of it.

use std::fs;
use std::process::Command;

use crate::{CommandResult, root, run};

/// The snapshot, relative to the root of the repository.
const SNAPSHOT: &str = "crates/goalspec/public-api.txt";

/// Compares the public API of the facade with the snapshot, or writes the snapshot with `--update`.
pub(crate) fn api(arguments: &[String]) -> CommandResult {
    let update = match arguments {
        [] => false,
        [only] if only == "--update" => true,
        _ => return Err("usage: cargo xtask api [--update]".to_owned()),
    };
    let target = root().join("target");
    let mut rustdoc = Command::new(env!("CARGO"));
    rustdoc.args([
        "rustdoc",
        "--quiet",
        "-p",
        "goalspec",
        "--lib",
        "--",
        "-Z",
        "unstable-options",
        "--output-format",
        "json",
    ]);
    // The format of rustdoc's JSON is unstable, so the stable compiler writes it only if it is told to.
    run("documentation as JSON", rustdoc.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", &target))?;
    let mut list = Command::new(env!("CARGO"));
    list.args(["public-api", "-sss", "--rustdoc-json"]).arg(target.join("doc/goalspec.json")).current_dir(root());
    let output = list.output().map_err(|error| format!("cargo public-api: {error}"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo public-api: {reason}`cargo xtask install` installs it"));
    }
    let current = String::from_utf8_lossy(&output.stdout).into_owned();
    let path = root().join(SNAPSHOT);
    if update {
        return fs::write(&path, current).map_err(|error| format!("{SNAPSHOT}: {error}"));
    }
    let recorded = fs::read_to_string(&path).map_err(|error| format!("{SNAPSHOT}: {error}"))?;
    let changes = difference(&recorded, &current);
    if changes.is_empty() {
        return Ok(());
    }
    for line in &changes {
        eprintln!("{line}");
    }
    Err(format!("the public API differs from {SNAPSHOT}; `cargo xtask api --update` records it"))
}

/// Returns the lines that only one of two lists has: `-` for the first, `+` for the second.
fn difference(before: &str, after: &str) -> Vec<String> {
    let only = |lines: &str, others: &str, sign: char| -> Vec<String> {
        let others: std::collections::HashSet<&str> = others.lines().collect();
        lines.lines().filter(|line| !others.contains(line)).map(|line| format!("{sign} {line}")).collect()
    };
    [only(before, after, '-'), only(after, before, '+')].concat()
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn added_and_removed_items_are_listed() {
        assert_eq!(difference("a\nb\n", "b\nc\n"), ["- a", "+ c"]);
        assert!(difference("a\n", "a\n").is_empty());
    }
}
