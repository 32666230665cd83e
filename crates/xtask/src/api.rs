//! Snapshots of the public API of the library, so that a review sees every change of it.

use std::fs;
use std::process::Command;

use crate::{CommandResult, root, run};

/// The packages whose API users program against, with their folders. The languages' own crates are left out.
const PACKAGES: [(&str, &str); 12] = [
    ("goalspec", "crates/goalspec"),
    ("goalspec-audit", "crates/audit"),
    ("goalspec-core", "crates/core"),
    ("goalspec-monitor", "crates/engines/monitor"),
    ("goalspec-planner", "crates/engines/planner"),
    ("goalspec-planning", "crates/planning"),
    ("goalspec-python-runtime", "crates/engines/python-runtime"),
    ("goalspec-resource", "crates/resource"),
    ("goalspec-rewards", "crates/rewards"),
    ("goalspec-simulator", "crates/engines/simulator"),
    ("goalspec-statistics", "crates/statistics"),
    ("goalspec-trace", "crates/trace"),
];

/// The name of a snapshot in the folder of its package.
const SNAPSHOT: &str = "public-api.txt";

/// Compares the public API of the packages with their snapshots, or writes the snapshots with `--update`.
pub(crate) fn api(arguments: &[String]) -> CommandResult {
    let update = match arguments {
        [] => false,
        [only] if only == "--update" => true,
        _ => return Err("usage: cargo xtask api [--update]".to_owned()),
    };
    let mut differs = false;
    for (package, folder) in PACKAGES {
        let current = public_items(package)?;
        let snapshot = format!("{folder}/{SNAPSHOT}");
        let path = root().join(&snapshot);
        if update {
            fs::write(&path, current).map_err(|error| format!("{snapshot}: {error}"))?;
            continue;
        }
        let recorded = fs::read_to_string(&path).map_err(|error| format!("{snapshot}: {error}"))?;
        for line in difference(&recorded, &current) {
            eprintln!("{snapshot}: {line}");
            differs = true;
        }
    }
    if !differs {
        return Ok(());
    }
    Err("the public API differs from its snapshots; `cargo xtask api --update` records it".to_owned())
}

/// Returns the public items of a package, one per line.
fn public_items(package: &str) -> Result<String, String> {
    let target = root().join("target");
    let mut rustdoc = Command::new(env!("CARGO"));
    rustdoc.args([
        "rustdoc",
        "--quiet",
        "-p",
        package,
        "--lib",
        "--",
        "-Z",
        "unstable-options",
        "--output-format",
        "json",
    ]);
    // The format of rustdoc's JSON is unstable, so the stable compiler writes it only if it is told to.
    let task = format!("documentation of {package} as JSON");
    run(&task, rustdoc.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", &target))?;
    let json = target.join("doc").join(package.replace('-', "_")).with_extension("json");
    let mut list = Command::new(env!("CARGO"));
    list.args(["public-api", "-sss", "--rustdoc-json"]).arg(json).current_dir(root());
    let output = list.output().map_err(|error| format!("cargo public-api: {error}"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo public-api: {reason}`cargo xtask install` installs it"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
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
